// A check that SVG and HTML (written as XML) are well-formed.
#pragma once

#include <string>
#include <vector>

namespace flymc::testing {

// Tags that are open at the end, or the first one closed out of turn.
inline std::vector<std::string> unbalanced(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = xml.find('<', at)) != std::string::npos;) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) {
      return {"a tag without an end"};
    }
    const std::string tag = xml.substr(at + 1, end - at - 1);
    const std::string name =
        tag.substr(tag.starts_with('/'), tag.find_first_of(" /\n", 1) - tag.starts_with('/'));
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) {
        return {"/" + tag.substr(1)};
      }
      open.pop_back();
    } else if (!tag.ends_with('/') && !tag.starts_with('!')) {
      open.push_back(name);
    }
    at = end;
  }
  return open;
}

}  // namespace flymc::testing
