// What a path of a user names: a file, standard input ("-"), a pattern ("part-*.csv") or a
// directory of part files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flymc {

constexpr std::string_view kStandardInput = "-";

struct InputFiles {
  std::vector<std::string> paths{};  // in the order of their rows; never empty
  bool parts = false;                // named together, by a pattern or a directory
};

// Parts sort by the bytes of their names. In a directory hidden files and names that start with '_'
// do not count. A file whose own name has *, ? or [ in it is that file. A single path is not looked
// at: whether it is there is for the one who opens it.
// THROWS Error: kNoInput where no file matches, the directory holds none or holds another one.
[[nodiscard]] InputFiles input_files(const std::string& path);

}  // namespace flymc
