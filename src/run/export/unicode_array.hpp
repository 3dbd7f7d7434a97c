// Texts as NumPy keeps them in an array: all of one length, four bytes a character, zeros behind.
#pragma once

#include <string>
#include <vector>

namespace flymc {

struct UnicodeArray {
  std::string descr;  // "<U12"
  std::string bytes;
};

// Bytes that are not UTF-8 and control characters are shown, as everywhere.
[[nodiscard]] UnicodeArray unicode_array(const std::vector<std::string>& texts);

}  // namespace flymc
