#include "flymc/diagnose/draws.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// "run/chain-1.csv:12"
struct Place {
  const std::filesystem::path& path;
  std::size_t line = 0;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::kData,
                escaped(path.string()) + ":" + std::to_string(line) + ": " + what);
  }
};

[[nodiscard]] std::vector<std::string> parse_header(std::string_view line, const Place& place) {
  std::vector<std::string> columns;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::string name(line.substr(begin, end - begin));
    if (name.empty()) {
      place.fail("column " + std::to_string(columns.size() + 1) + " has no name.");
    }
    if (std::ranges::find(columns, name) != columns.end()) {
      place.fail("column " + in_quotes(name) + " appears twice.");
    }
    columns.push_back(name);
    begin = end + 1;
  }
  return columns;
}

[[nodiscard]] double parse_number(std::string_view field, const std::string& column,
                                  const Place& place) {
  double value = 0.0;
  const char* end = field.data() + field.size();
  const auto [stop, code] = std::from_chars(field.data(), end, value);
  if (code != std::errc{} || stop != end) {
    place.fail("column " + in_quotes(column) + " holds " + in_quotes(field) + ", not a number.");
  }
  return value;
}

void parse_row(std::string_view line, const Place& place, ChainDraws& draws) {
  const auto fields = static_cast<std::size_t>(std::ranges::count(line, ',')) + 1;
  if (fields != draws.columns.size()) {
    place.fail(counted(fields, "field") + ", the header has " +
               std::to_string(draws.columns.size()) + ".");
  }
  for (std::size_t c = 0, begin = 0; c < fields; ++c) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const auto field = line.substr(begin, end - begin);
    draws.values[c].push_back(parse_number(field, draws.columns[c], place));
    begin = end + 1;
  }
}

[[nodiscard]] std::ifstream open(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(ErrorKind::kNoInput, "no chain file '" + escaped(path.string()) + "'",
                message("give the folder a fit wrote with {}.", Setting{"out"}));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, ignored)) {
    throw Error(ErrorKind::kIo, "cannot read " + escaped(path.string()) + "; check that it is a " +
                                    "file you may read.");
  }
  return file;
}

}  // namespace

bool ChainDraws::has(std::string_view column) const noexcept {
  return std::ranges::find(columns, column) != columns.end();
}

std::span<const double> ChainDraws::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end()) {
    throw Error(ErrorKind::kData, "no column " + in_quotes(name) + " among the draws.");
  }
  return values[static_cast<std::size_t>(found - columns.begin())];
}

ChainDraws read_chain_csv(const std::filesystem::path& path) {
  std::ifstream file = open(path);
  ChainDraws draws;
  Place place = {.path = path};
  std::string line;
  while (std::getline(file, line) && !file.eof()) {  // at eof the newline is missing
    ++place.line;
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    if (line.empty() || line.front() == '#') {
      continue;
    }
    if (draws.columns.empty()) {
      draws.columns = parse_header(line, place);
      draws.values.resize(draws.columns.size());
    } else {
      parse_row(line, place, draws);
    }
  }
  if (file.bad()) {
    throw Error(ErrorKind::kIo, "reading " + escaped(path.string()) + " failed half way.");
  }
  return draws;
}

}  // namespace flymc
