// The rows of one chunk of text, parsed straight into their place in the table.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/csv/csv_chunks.hpp"
#include "data/csv/csv_fields.hpp"
#include "data/table/columns.hpp"
#include "data/table/labels.hpp"
#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/data/table/row_gaps.hpp"

namespace flymc::csv {

// The places of a row beside its features.
enum Extra : std::size_t { kResponse, kWeights, kOffset, kTrials, kExtras };

// How to read each field of a row and where its number goes: slot < width is a feature, the others
// are width + Extra. A label is stored as its code in the chunk's LabelSet number `label`, a date
// as days_of_date(). kPresent: must be there, and has no slot.
struct Cell {
  enum class Role { kIgnored, kNumber, kDate, kLabel, kPresent } role = Role::kIgnored;
  std::size_t slot = 0;
  std::size_t label = 0;
  // A missing value is filled in: NaN until then, or a level.
  enum class Filled { kNo, kLater, kLevel } filled = Filled::kNo;
};

struct Plan {
  std::vector<Cell> cells;  // one a field of the header
  std::size_t width = 0;    // features
  std::vector<std::size_t> label_slots;
  // One a label slot: the only values it may have, its codes; empty: what occurs.
  std::vector<std::vector<std::string>> fixed_levels;
  std::array<bool, kExtras> has_extra{};
  Missing missing = Missing::kError;
  bool leaves_out = false;  // as LoadSpec has it
  OtherLevels other_levels = OtherLevels::kError;
  char separator = ',';

  // A missing value is NaN there: in a feature or the offset.
  [[nodiscard]] bool keeps_missing(const Cell& cell) const noexcept {
    return missing == Missing::kKeep && (cell.slot < width || cell.slot == width + kOffset);
  }
};

// `text_response`: read the response as labels instead of numbers.
[[nodiscard]] Plan make_plan(const Columns& columns, std::size_t fields, bool text_response);

// What the specification says of levels and of missing values.
void follow(const LoadSpec& spec, const Header& header, const Columns& columns, Plan& plan);

// Room for all rows of all chunks; extras that the plan does not have stay empty.
struct RawRows {
  Buffer<double> x;
  std::array<std::vector<double>, kExtras> extras;
};

// What is wrong with a row, and where in the file.
struct Issue {
  enum class Kind {
    kMissing,
    kInfinite,
    kText,
    kUnknownLevel,
    kNegativeWeight,
    kRagged,
    kStrayQuote,
    kOther
  };
  Kind kind;
  const char* where;    // in its text, where there is one
  std::size_t column;   // kRagged: the number of fields; kNegativeWeight, kOther: unused
  std::string text;     // the value; kOther: the message
  std::size_t row = 0;  // of its chunk, from 1 on; set when the row is finished
};

struct ChunkResult {
  std::size_t rows = 0;          // that are not blank lines
  std::size_t kept = 0;          // stored from chunk.first_row on without gaps
  std::size_t missing = 0;       // rows with a missing value
  std::size_t weightless = 0;    // rows of weight 0
  bool text_response = false;    // the plan took a text response for numbers: nothing else is valid
  std::optional<Issue> issue;    // the first one
  bool cut = false;              // at a stray quote, behind which rows are not where they seem
  std::vector<LabelSet> labels;  // as plan.label_slots
  std::vector<std::size_t> missing_in;  // rows, one a field of the header
  RowGaps gaps;                         // rows that are not kept
};

// THROWS std::bad_alloc when the table has more numbers than can be counted.
[[nodiscard]] RawRows make_room(const Plan& plan, std::size_t rows);

// Takes the fields of one row after another to their places: the part that every format of text
// shares. Per row: start(), place() or put() for its fields, finish().
class RowBuilder {
 public:
  // REQUIRES: the arguments outlive the builder; at most chunk.max_rows rows.
  RowBuilder(const Plan& plan, const Chunk& chunk, RawRows& raw);

  void start(const char* where) noexcept {
    x_row_ = raw_.x.data() + row() * plan_.width;
    issue_.reset();
    missing_ = false;
    where_ = where;
  }

  // Where a number of the row goes that is known to be finite.
  [[nodiscard]] double& place(std::size_t slot) noexcept {
    return slot < plan_.width ? x_row_[slot] : extras_[slot - plan_.width];
  }

  // Any field: reads it as its column wants it and notes what is wrong with it.
  void put(std::size_t column, const Field& field, const char* where);

  [[nodiscard]] const char* where() const noexcept { return where_; }  // the row starts

  // Of several issues of a row the first counts; a row without its shape has this one only.
  void report(Issue issue);
  void report_shape(Issue issue);

  // Keeps the row unless something is wrong with it, missing, or its weight is 0.
  void finish();

  [[nodiscard]] ChunkResult& result() noexcept { return result_; }

 private:
  [[nodiscard]] std::size_t row() const noexcept { return chunk_.first_row + result_.kept; }
  [[nodiscard]] Reading read(const Cell& cell, const Field& field);
  void put_missing(std::size_t column, const Field& field, const char* where);
  void keep();

  const Plan& plan_;
  const Chunk& chunk_;
  RawRows& raw_;
  ChunkResult result_;
  // Of the row being read.
  const char* where_ = nullptr;
  double* x_row_ = nullptr;
  std::array<double, kExtras> extras_{};
  std::optional<Issue> issue_;
  bool missing_ = false;
};

// Parses the chunk. An issue does not stop it, since rows with missing values are counted to the
// end of the file. Safe to call for different chunks at once.
[[nodiscard]] ChunkResult parse_rows(const Plan& plan, const Chunk& chunk, RawRows& raw);

}  // namespace flymc::csv
