// New rows for an old run: the columns of the fit by name, its levels, its classes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/load/row_blocks.hpp"
#include "fit/words.hpp"
#include "flymc/load.hpp"
#include "predict/match_rows.hpp"
#include "run/run_draws.hpp"

namespace flymc {

[[nodiscard]] std::span<const Word<NewLevels>> words_of(NewLevels) noexcept;

struct NewData {
  std::string path;
  const DataFrame* frame = nullptr;  // in place of a file, as of a LoadSpec
  // Columns, or files beside an X.npy; empty: as in the fit, where these were columns.
  std::string response;
  std::string offset;
  std::string trials;
  Missing missing = Missing::kKeep;
  bool drops_unanswered = false;  // as of a LoadSpec
  NewLevels new_levels = NewLevels::kDraw;
  Format format = Format::kAuto;
  unsigned threads = 0;
  bool with_response = false;  // read it, and the trials; else they need not be there
  bool with_trials = false;    // read these
  bool changes_rows = false;   // input columns are to be changed, so that none may be encoded
  // The rows of the fit, read as it read them, with their weights; path, columns, missing and
  // format above are not asked, a frame is: that which the fit was made of.
  bool of_fit = false;
  std::size_t block_rows = 0;  // read at a time; 0: by their width; never changes a number
};

// Tables have the columns of draws.features, in their order; the response as the model wants it,
// trials turned into weights. Weights of the fit play no part. Not thread safe.
class NewRows {
 public:
  // REQUIRES: the draws outlive it. THROWS Error as RowBlocks: kData for a column that is not
  // there; kUsage where a file of responses or offsets has to be named.
  NewRows(const RunDraws& draws, const NewData& data);

  // The next rows; none after the last. THROWS Error as RowBlocks::next(): kData for a level or
  // class that the fit did not see.
  [[nodiscard]] std::optional<Table> next();

  // In place of next(): the same rows as they were read, before the formula, without a response;
  // and what turns such rows into those, thread safe.
  [[nodiscard]] std::optional<TableRead> next_raw();
  void make_columns(TableRead& rows, unsigned threads) const;

  // What was read, in words, and what a user should know of it. REQUIRES: next() has come to the
  // end.
  [[nodiscard]] std::string note() const { return blocks_.note(); }
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] const RowCounts& counts() const noexcept { return blocks_.counts(); }
  // Rows that were left out, up to those read so far.
  [[nodiscard]] const RowGaps& gaps() const noexcept { return blocks_.gaps(); }

 private:
  void arrange(Table& table) const;

  const RunDraws& draws_;
  NewData data_;
  RowBlocks blocks_;
  LevelCodes levels_;
};

}  // namespace flymc
