#include "cli/argument_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof()) {
    throw Error(ErrorKind::kNoInput, fmt::format("cannot read {}.", in_quotes(path)));
  }
  return text;
}

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw Error(ErrorKind::kUsage, fmt::format("{}: {}", place, what));
}

// A byte 0 ends a word for the system, and text for nobody.
void require_text(const std::string& text, const std::string& path) {
  if (text.find('\0') != std::string::npos) {
    fail(escaped(path), "holds a byte 0; it must be text.");
  }
}

// What is left of a text, taken from the front.
class Reader {
 public:
  Reader(std::string_view text, std::string place) : rest_(text), place_(std::move(place)) {}

  void skip(std::string_view characters) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(characters), rest_.size()));
  }
  [[nodiscard]] bool at_end() const { return rest_.empty() || rest_.front() == '#'; }
  [[nodiscard]] char front() const { return rest_.empty() ? '\0' : rest_.front(); }
  void skip_line() { rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size())); }
  [[nodiscard]] bool take(char c) {
    const bool is_there = front() == c && !rest_.empty();
    rest_.remove_prefix(is_there ? 1 : 0);
    return is_there;
  }
  [[nodiscard]] char take_one() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  [[nodiscard]] std::string take_until(std::string_view characters) {
    const std::size_t size = std::min(rest_.find_first_of(characters), rest_.size());
    const std::string taken(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return taken;
  }
  // After an opening quote, up to the closing one; \" and \\ in "quotes" alone.
  [[nodiscard]] std::string take_quoted(char quote) {
    std::string text;
    while (!rest_.empty() && rest_.front() != quote) {
      const char c = take_one();
      const bool escapes = quote == '"' && c == '\\' && (front() == '"' || front() == '\\');
      text += escapes ? take_one() : c;
    }
    if (!take(quote)) {
      fail(place_, fmt::format("a quote {} is not closed.", quote));
    }
    return text;
  }

 private:
  std::string_view rest_;
  std::string place_;
};

bool is_number(const std::string& text) {
  double ignored = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data() + (text.starts_with('+') ? 1 : 0), end, ignored);
  return error == std::errc{} && stop == end;
}

// Text or a number.
std::string take_text(Reader& reader, const std::string& place) {
  for (const char quote : {'"', '\''}) {
    if (reader.take(quote)) {
      return reader.take_quoted(quote);
    }
  }
  const std::string bare = reader.take_until(" \t,]#");
  if (!is_number(bare)) {
    fail(place, fmt::format("{} is no number, true or false; text stands in \"quotes\".",
                            bare.empty() ? "a value that is empty" : in_quotes(bare)));
  }
  return bare;
}

std::string take_list(Reader& reader, const std::string& place) {
  std::string list;
  for (reader.skip(" \t"); !reader.take(']'); reader.skip(" \t")) {
    if (!list.empty()) {
      if (!reader.take(',')) {
        fail(place, "a list is not closed; it stands in one line, [\"a\", \"b\"].");
      }
      reader.skip(" \t");
      list += ',';
    }
    list += take_text(reader, place);
  }
  return list;
}

std::variant<bool, std::string> take_value(Reader& reader, const std::string& place) {
  if (reader.take('[')) {
    return take_list(reader, place);
  }
  if (reader.front() == 't' || reader.front() == 'f') {
    const std::string word = reader.take_until(" \t#");
    if (word != "true" && word != "false") {
      fail(place, fmt::format("{} is no number, true or false; text stands in \"quotes\".",
                              in_quotes(word)));
    }
    return word == "true";
  }
  return take_text(reader, place);
}

ConfigLine config_line(const std::string& line, const std::string& place) {
  Reader reader(line, place);
  reader.skip(" \t");
  if (reader.front() == '[') {
    fail(place, "sections have no meaning here; write settings as key = value.");
  }
  ConfigLine setting{.place = place, .key = reader.take_until(" \t=#")};
  reader.skip(" \t");
  if (setting.key.empty() || !reader.take('=')) {
    fail(place, fmt::format("{} is no setting; write key = value.", in_quotes(line)));
  }
  reader.skip(" \t");
  setting.value = take_value(reader, place);
  reader.skip(" \t");
  if (!reader.at_end()) {
    fail(place, "there is more after the value; text with blanks stands in \"quotes\".");
  }
  return setting;
}

}  // namespace

std::vector<std::string> words_in(const std::string& text, const std::string& path) {
  require_text(text, path);
  Reader reader(text, escaped(path));
  std::vector<std::string> words;
  for (reader.skip(kBlanks); reader.front() != '\0'; reader.skip(kBlanks)) {
    if (reader.front() == '#') {
      reader.skip_line();
      continue;
    }
    std::string& word = words.emplace_back();
    while (reader.front() != '\0' && kBlanks.find(reader.front()) == std::string_view::npos) {
      const char c = reader.take_one();
      word += c == '"' || c == '\'' ? reader.take_quoted(c) : std::string(1, c);
    }
  }
  return words;
}

std::vector<std::string> with_files_replaced(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words) {
    if (all.empty() || word.size() < 2 || word.front() != '@') {
      all.push_back(word);
      continue;
    }
    const std::vector<std::string> in_file = words_in(content_of(word.substr(1)), word.substr(1));
    all.insert(all.end(), in_file.begin(), in_file.end());
  }
  return all;
}

std::vector<ConfigLine> config_in(const std::string& text, const std::string& path) {
  require_text(text, path);
  std::vector<ConfigLine> settings;
  std::set<std::string> keys;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line[first] == '#') {
      continue;
    }
    settings.push_back(config_line(line, fmt::format("{}:{}", escaped(path), number + 1)));
    if (!keys.insert(settings.back().key).second) {
      fail(settings.back().place,
           fmt::format("{} is set a second time.", in_quotes(settings.back().key)));
    }
  }
  return settings;
}

std::vector<ConfigLine> read_config(const std::string& path) {
  return config_in(content_of(path), path);
}

}  // namespace flymc::cli
