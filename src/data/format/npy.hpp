// NumPy's array file, versions 1.0 to 3.0: read as numbers, written as float64.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flymc/detail/data/table/row_source.hpp"

namespace flymc {

// An array inside a file's bytes, checked but not converted. Views live as long as the bytes do.
struct NpyArray {
  std::string where;  // for messages: "X.npy", "data.npz:X"
  char kind = 'f';    // f, i, u or b, of item_bytes each
  std::size_t item_bytes = 8;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::string_view data;  // product(shape) * item_bytes

  [[nodiscard]] std::size_t rows() const noexcept { return shape[0]; }
  [[nodiscard]] std::size_t columns() const noexcept { return shape.size() > 1 ? shape[1] : 1; }
};

// "X.npy": whether the bytes start as an array file does.
[[nodiscard]] bool is_npy(std::string_view bytes) noexcept;

// Little-endian f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 of one or two dimensions.
// THROWS Error kData, naming what was expected.
[[nodiscard]] NpyArray parse_npy(std::string_view bytes, const std::string& where);

// Writes the numbers of the given columns of rows first .. first + rows - 1 to `out`, row by row.
// REQUIRES: room for rows * columns.size(). Thread-safe.
void copy_rows(const NpyArray& array, std::size_t first, std::size_t rows,
               std::span<const std::size_t> columns, double* out);

// All rows where they lie, if they are floats that lie aligned; else an empty source.
[[nodiscard]] RowSource rows_in_place(const NpyArray& array, RowSource::Owner file);

// float64, C order, version 1.0. REQUIRES: product(shape) == data.size().
// THROWS Error: kPermission, kCannotCreate, kIo (disk full).
void write_npy(const std::string& path, std::span<const double> data,
               const std::vector<std::size_t>& shape);

}  // namespace flymc
