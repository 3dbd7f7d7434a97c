// Draws as a run leaves them on disk: one Stan CSV file a chain.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flymc {

// REQUIRES: values.size() == columns.size(); every column holds one number a draw.
struct ChainDraws {
  std::vector<std::string> columns;         // as in the header: lp__, ..., alpha, beta.1, ...
  std::vector<std::vector<double>> values;  // values[c] is column c, in the order of the draws

  [[nodiscard]] std::size_t draws() const noexcept { return values.empty() ? 0 : values[0].size(); }
  [[nodiscard]] bool has(std::string_view column) const noexcept;
  // Throws Error (kData) if there is no such column.
  [[nodiscard]] std::span<const double> column(std::string_view name) const;
};

// Reads comments ('#' at the start of a line, anywhere), a header line, then rows of numbers (nan
// and inf included). A last line without its newline was being written when the run was killed and
// is ignored, be it row or header, so a file that has just been opened has no columns and no draws.
// Throws Error: kNoInput if the file is not there, kIo if it cannot be read, kData naming file and
// line if it is not such a file.
[[nodiscard]] ChainDraws read_chain_csv(const std::filesystem::path& path);

}  // namespace flymc
