// The header of separated text, and the agreement of the headers of several parts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/table/columns.hpp"

namespace flymc::csv {

// How a file names its columns, and what its names are looked up by.
struct HeaderSpec {
  HeaderLine line = HeaderLine::kAuto;
  char separator = ',';
  std::size_t first_line = 1;  // of the text, in its file
};

// Reads the header row and takes it off the front of `text`; without one (kNo) columns are x1, x2,
// ... THROWS Error kData: a broken quote, a name that appears twice, a first line of numbers
// (kAuto).
[[nodiscard]] Header take_header(std::string_view& text, const HeaderSpec& spec,
                                 const std::string& path);

// A file and its header.
struct NamedHeader {
  const std::string& path;
  const Header& header;
};

// THROWS Error kData that names both files and the first column that differs.
void require_same(const NamedHeader& first, const NamedHeader& other);

// One for each column without a name.
[[nodiscard]] std::vector<std::string> unnamed_warnings(const Header& header,
                                                        const std::string& path);

}  // namespace flymc::csv
