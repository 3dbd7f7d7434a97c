// What to read, and which part each of its columns has.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "flymc/ranks.hpp"
#include "flymc/table.hpp"

namespace flymc {

// kFrame: columns in memory, which no path names.
enum class Format { kAuto, kCsv, kTsv, kNpy, kNpz, kLibsvm, kParquet, kFly, kFrame };
[[nodiscard]] std::string_view name_of(Format format) noexcept;  // as the command line has it

// A row with a missing value: a mistake, or left out. kKeep, for rows that must match an earlier
// table: features and offset are NaN then, and so is every indicator of a level that is not known,
// and a function of a formula that has no number for an answer. kIndicator: the value of a feature
// is filled in (data/table/fill_missing.hpp); a row without a response, weight, offset or trials is
// left out.
enum class Missing { kError, kDrop, kKeep, kIndicator };

// Of a category whose levels are fixed, a value that is none of them: a mistake, or its row is left
// out as one with a missing value is.
enum class OtherLevels { kError, kDrop };

// Whether the first line of a csv or tsv file names the columns; kAuto: yes, but a line of numbers
// is an error. Without one columns are x1, x2, ...
enum class HeaderLine { kAuto, kYes, kNo };

struct DataFrame;  // src/data/format/data_frame.hpp

struct LoadSpec {
  // A file, "-" for standard input, a pattern such as "part-*.csv", or a directory of part files:
  // text whose rows are put together in the order of the names.
  std::string path{};
  const DataFrame* frame = nullptr;  // in place of a file; `path` is what messages call it
  // A column; for npy a second file; for npz an array, "y" where empty; for LIBSVM empty, since a
  // line starts with it; for .fly empty to take the one that was stored. Empty otherwise: no
  // response is read.
  std::string response{};
  std::vector<std::string> features{};  // in this order; empty: every column without another part
  bool no_features = false;             // empty: none, as in `y ~ 1`
  std::vector<std::string> drop{};      // columns that are not features
  std::string formula{};  // in place of response, features and drop (formula.hpp); empty: none
  // Of other predictors than the first, by their names: "~ a + b". Columns that only these need are
  // read, too.
  std::map<std::string, std::string> formulas{};
  std::vector<std::string> categorical{};  // features to encode as 0/1 per level but the first
  std::vector<std::string> dates{};        // features to read as days since the first (dates.hpp)
  std::vector<std::string> factors{};      // columns whose values name levels (of group terms)
  std::vector<std::string> in_offsets{};   // features of offset(): never filled in
  // "city=Oslo": the level of a categorical column that is the first, with which the others are
  // compared; where none is named, the first in sort order.
  std::vector<std::string> reference{};
  // The order of a categorical column's levels where it is not that in which they sort; levels that
  // do not occur may be among them.
  Levels level_order{};
  std::string weights{};  // named as the response is; empty: none
  std::string offset{};
  std::string trials{};    // of a binomial response
  std::string censored{};  // of a time: 1 where it is right censored, else 0. A table has one of
                           // the two, as Table::trials
  Missing missing = Missing::kError;
  // Beside kKeep: a row that misses its response or trials is left out, not an error.
  bool drops_unanswered = false;
  // A row with a missing value that is not kept is left out; else it is a mistake.
  [[nodiscard]] bool leaves_out() const noexcept {
    return missing == Missing::kDrop || missing == Missing::kIndicator || drops_unanswered;
  }
  // Columns that may have no part: a row that misses a value there is left out, too, so that models
  // with and without these columns have the same rows. REQUIRES kDrop.
  std::vector<std::string> missing_in{};
  Format format = Format::kAuto;
  HeaderLine header = HeaderLine::kAuto;
  // Of the bytes that were read; files that change meanwhile are then an error (kIo).
  bool checksums = false;
  // For a table that must match an earlier one: `features` is the whole list even where it is
  // empty, a LIBSVM column that does not occur is 0, and no response is read that is not named.
  // Categories then have an indicator for every level where a formula makes them.
  bool matches_earlier = false;
  bool text_response = false;  // its numbers, too, are names of classes
  Levels levels{};             // of categorical columns. None: what occurs
  OtherLevels other_levels = OtherLevels::kError;
  Constants constants{};  // of the formula, means and origins. None: what the rows make them
  unsigned threads = 0;   // 0: all cores
  // Text is cut into pieces of this size for the threads; tests make it small.
  std::size_t chunk_bytes = std::size_t{1} << 22;
  Ranks* ranks = &single_process();  // that share the rows: each reads its own

  // The second number of a response.
  [[nodiscard]] const std::string& second() const noexcept {
    return trials.empty() ? censored : trials;
  }
};

// What the format is by option or by name; kAuto where the content must tell.
[[nodiscard]] Format named_format(const LoadSpec& spec) noexcept;

}  // namespace flymc
