// A column of new rows as text, row after row: what tells them apart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "data/load/open_input.hpp"
#include "predict/new_data.hpp"

namespace flymc {

// Reads the file a second time, block by block. Not thread safe.
class RowIds {
 public:
  // THROWS Error: kUsage where the rows are not csv or tsv in a file, kData where there is no such
  // column.
  RowIds(const NewData& data, const std::string& column);
  RowIds(const RowIds&) = delete;
  RowIds& operator=(const RowIds&) = delete;

  // Of a row by its number in the file, from 0 on; empty where it is missing. REQUIRES: there is
  // one, behind those asked for before.
  [[nodiscard]] std::string of(std::size_t row);

 private:
  LoadSpec spec_;
  std::optional<CsvBlocks> blocks_;
  std::optional<csv::CodedRows> block_;
  std::size_t first_ = 0;  // row of the block
};

}  // namespace flymc
