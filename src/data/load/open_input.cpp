#include "data/load/open_input.hpp"

#include <string>
#include <utility>

#include "data/input/input_files.hpp"

namespace flymc {

OpenedInput open_input(const LoadSpec& spec) {
  InputFiles files = input_files(spec.path);
  const std::vector<std::string>& paths = files.paths;
  ByteSource first(paths[0]);
  const std::string head = first.head();
  InputKind kind{.format = decide_format(spec, paths[0], head),
                 .packing = first.packing(),
                 .parts = files.parts ? paths.size() : 0};
  if (is_separated_text(kind.format)) {
    for (std::size_t i = 1; i < paths.size(); ++i) {
      require_same_format({paths[0], kind.format},
                          {paths[i], decide_format(spec, paths[i], ByteSource(paths[i]).head())});
    }
    kind.separator = separator_of(kind.format, head);
  }
  return {kind, {std::move(first), std::move(files.paths), kind.separator}};
}

}  // namespace flymc
