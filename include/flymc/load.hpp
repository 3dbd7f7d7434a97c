// From files to a Table: csv, tsv, LIBSVM (plain, gzip or zstd), npy, npz, parquet and our own
// .fly, decided by name, then by content.
//
//   const Loaded loaded = load({.path = "train.csv", .response = "y"});
//
// The same table, the same note and the same error come out for any number of threads: of several
// mistakes in a file the first one, in file order, is reported.
#pragma once

#include <string>
#include <vector>

#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"
#include "flymc/detail/data/table/predictor_columns.hpp"
#include "flymc/table.hpp"

namespace flymc {

// A file that was read, by the name under which it was found.
struct FileChecksum {
  std::string path;
  std::string checksum;
  bool operator==(const FileChecksum&) const = default;
};

struct Loaded {
  Table table;
  Format format = Format::kAuto;  // that was read
  RowCounts counts;
  std::string note;  // "read train.csv: csv, 12,214 rows x 50 features, response 'y'"
  std::vector<std::string> warnings;
  // Where the specification asks for them: of the table (its parts together), then, of npy, of the
  // files of the response, weights, offset and trials.
  std::vector<FileChecksum> checksums{};
  ColumnsOfPredictors predictors{};  // where the specification has formulas for several
};

// Missing values are empty fields, NA, N/A, NaN, nan, null, NULL and the NaN of an array. Rows of
// weight 0 are left out. Levels and labels sort by bytes. Columns without a name are left out, with
// a warning.
//
// THROWS Error, with a message of one line: kNoInput, kPermission and kIo for the file itself,
// kUsage for a specification that contradicts itself, kMemory when it does not fit, kData for
// everything else.
//
// Files must not shrink while they are read (they are memory-mapped); a .fly, and an npy of floats,
// not while its table lives, since its rows stay where they are. Memory, for the other formats: the
// table, once more the features where some are categorical, and the text where it is compressed or
// piped.
[[nodiscard]] Loaded load(const LoadSpec& spec);

}  // namespace flymc
