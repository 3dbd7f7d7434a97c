// A NumPy array file (float64, C order, version 1.0) written piece by piece, so that an array
// larger than memory can be made.
#pragma once

#include <cstddef>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace flymc {

// A shape as Python writes it: (3, 2), (3,).
[[nodiscard]] std::string shape_text(const std::vector<std::size_t>& shape);

// What stands before the numbers: of doubles '<f8', of texts of 12 characters '<U12'.
[[nodiscard]] std::string npy_head(const std::string& descr, const std::vector<std::size_t>& shape);

// Not thread safe. All functions THROW Error: kPermission or kCannotCreate where the file cannot be
// made, kIo where a write fails (disk full); the file is then the caller's to remove.
class NpyWriter {
 public:
  NpyWriter(std::string path, const std::vector<std::size_t>& shape);

  // The next numbers, row by row.
  void append(std::span<const double> values);

  // REQUIRES: as many numbers appended as the shape says.
  void finish();

 private:
  void require_written() const;

  std::string path_;
  std::ofstream file_;
};

}  // namespace flymc
