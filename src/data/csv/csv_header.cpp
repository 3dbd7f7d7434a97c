#include "data/csv/csv_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/csv/csv_fields.hpp"
#include "data/csv/csv_sniff.hpp"
#include "flymc/error.hpp"

namespace flymc::csv {
namespace {

std::vector<std::string> read_names(FieldReader& fields, const std::string& where) {
  std::vector<std::string> names;
  do {
    const Field field = fields.read();
    if (field.broken) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: field {} of the header has a quote that is not "
                              "closed or not doubled inside quotes.",
                              where, names.size() + 1));
    }
    names.push_back(unquoted(field));
  } while (fields.next());
  return names;
}

[[noreturn]] void fail_headless(const std::vector<std::string>& names, const std::string& where) {
  throw Error(ErrorKind::kData,
              fmt::format("{}: the first line holds numbers only ({}), so the header is missing",
                          where, listed(names, ", ", 3)),
              message("add a line of column names, or use {} (columns x1 to x{}); {} if these are "
                      "names.",
                      Setting{"header", "no"}, names.size(), Setting{"header", "yes"}));
}

std::string cell_name(const Header& header, std::size_t column) {
  return column < header.size() ? in_quotes(header.name(column)) : "absent";
}

}  // namespace

Header take_header(std::string_view& text, const HeaderSpec& spec, const std::string& path) {
  const char* const begin = text.data();
  FieldReader fields(text, spec.separator);
  std::size_t line = spec.first_line;
  while (fields.skip_blank_line()) {
    ++line;
  }
  const std::string where = fmt::format("{}:{}", escaped(path), line);
  std::vector<std::string> names = read_names(fields, where);
  if (spec.line == HeaderLine::kNo) {
    return {numbered_names(names.size()), where};
  }
  if (spec.line == HeaderLine::kAuto && are_numbers(names)) {
    fail_headless(names, where);
  }
  text.remove_prefix(static_cast<std::size_t>(fields.at() - begin));
  return {std::move(names), where};
}

void require_same(const NamedHeader& first, const NamedHeader& other) {
  const std::size_t size = std::max(first.header.size(), other.header.size());
  for (std::size_t column = 0; column < size; ++column) {
    const std::string here = cell_name(other.header, column);
    const std::string there = cell_name(first.header, column);
    if (here != there) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: column {} is {}, but {} in {}; parts must have the same "
                              "columns in the same order.",
                              escaped(other.path), column + 1, here, there, escaped(first.path)));
    }
  }
}

std::vector<std::string> unnamed_warnings(const Header& header, const std::string& path) {
  std::vector<std::string> warnings;
  for (std::size_t column = 0; column < header.size(); ++column) {
    if (header.name(column).empty()) {
      warnings.push_back(
          fmt::format("{}: field {} of the header has no name; the column is left out.",
                      escaped(path), column + 1));
    }
  }
  return warnings;
}

}  // namespace flymc::csv
