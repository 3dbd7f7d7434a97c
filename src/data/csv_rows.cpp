#include "flymc/data/csv_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "flymc/data/csv_fields.hpp"

namespace flymc::csv {
namespace {

class RowParser {
 public:
  RowParser(const Plan& plan, const Chunk& chunk, RawRows& raw)
      : plan_(plan), chunk_(chunk), raw_(raw), fields_(chunk.bytes, plan.separator) {
    result_.labels.resize(plan.label_slots.size());
  }

  ChunkResult run() {
    // After a stray quote rows are no longer where they were counted. Before it there are at most
    // max_rows; the last condition only keeps a mistake of ours from writing outside the buffer.
    while (!fields_.done() && !result_.text_response && !stray_quote_ &&
           result_.rows < chunk_.max_rows) {
      if (!fields_.skip_blank_line()) {
        parse_row();
      }
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t row() const noexcept { return chunk_.first_row + result_.kept; }

  [[nodiscard]] double& place(std::size_t slot) noexcept {
    return slot < plan_.width ? x_row_[slot] : extras_[slot - plan_.width];
  }

  void parse_row() {
    x_row_ = raw_.x.data() + row() * plan_.width;
    row_issue_.reset();
    row_missing_ = false;
    row_start_ = fields_.at();
    std::size_t column = 0;
    do {
      const Cell cell = column < plan_.cells.size() ? plan_.cells[column] : Cell{};
      if (cell.role != Cell::Role::kNumber || !fields_.number(place(cell.slot))) {
        parse_field(cell, column);
      }
      ++column;
    } while (!stray_quote_ && fields_.next());
    if (column != plan_.cells.size() && !stray_quote_) {
      row_issue_ = {Issue::Kind::kRagged, row_start_, column, {}};
      row_missing_ = false;
    }
    finish_row();
  }

  // Everything that is not plainly a number.
  void parse_field(const Cell& cell, std::size_t column) {
    const char* const start = fields_.at();
    const Field field = fields_.read();
    if (field.broken) {
      stray_quote_ = true;
      row_issue_ = {Issue::Kind::kStrayQuote, start, column, std::string(field.text)};
      return;
    }
    const auto report = [&](Issue::Kind kind) {
      if (!row_issue_) {
        row_issue_ = {kind, start, column, std::string(field.text)};
      }
    };
    double& value = place(cell.slot);
    switch (read_value(cell, field, value)) {
      case Reading::kFinite:
        break;
      case Reading::kInfinite:
        report(Issue::Kind::kInfinite);
        break;
      case Reading::kText:
        result_.text_response |= cell.slot == plan_.width + kResponse;
        report(Issue::Kind::kText);
        break;
      case Reading::kMissing:
        row_missing_ = true;
        if (plan_.missing == Missing::kError) {
          report(Issue::Kind::kMissing);
        }
    }
  }

  Reading read_value(const Cell& cell, const Field& field, double& value) {
    switch (cell.role) {
      case Cell::Role::kNumber:
        return read_number(field.text, value);
      case Cell::Role::kLabel:
        return read_label(field, result_.labels[cell.label], value);
      default:
        return Reading::kFinite;
    }
  }

  static Reading read_label(const Field& field, LabelSet& labels, double& value) {
    if (is_missing(field.text)) {
      return Reading::kMissing;
    }
    const std::size_t code =
        field.doubled ? labels.code_of(unquoted(field)) : labels.code_of(field.text);
    value = static_cast<double>(code);
    return Reading::kFinite;
  }

  void finish_row() {
    ++result_.rows;
    const double weight = extras_[kWeights];
    if (plan_.has_extra[kWeights] && weight < 0.0 && !row_issue_ && !row_missing_) {
      row_issue_ = {Issue::Kind::kNegativeWeight, row_start_, 0, fmt::format("{}", weight)};
    }
    result_.missing += row_missing_ ? 1 : 0;
    if (row_issue_ && !result_.issue) {
      result_.issue = std::move(row_issue_);
    } else if (!row_issue_ && !row_missing_) {
      keep_row();
    }
  }

  void keep_row() {
    if (plan_.has_extra[kWeights] && extras_[kWeights] == 0.0) {
      ++result_.weightless;
      return;
    }
    for (std::size_t extra = 0; extra < kExtras; ++extra) {
      if (plan_.has_extra[extra]) {
        raw_.extras[extra][row()] = extras_[extra];
      }
    }
    ++result_.kept;
  }

  const Plan& plan_;
  const Chunk& chunk_;
  RawRows& raw_;
  FieldReader fields_;
  ChunkResult result_;
  // Of the row being read.
  const char* row_start_ = nullptr;
  double* x_row_ = nullptr;
  std::array<double, kExtras> extras_{};
  std::optional<Issue> row_issue_;
  bool row_missing_ = false;
  bool stray_quote_ = false;
};

}  // namespace

Plan make_plan(const Columns& columns, std::size_t fields, bool text_response) {
  Plan plan;
  plan.cells.resize(fields);
  plan.width = columns.features.size();
  const auto assign = [&](std::size_t column, std::size_t slot, bool is_label) {
    plan.cells[column] = {is_label ? Cell::Role::kLabel : Cell::Role::kNumber, slot,
                          plan.label_slots.size()};
    if (is_label) {
      plan.label_slots.push_back(slot);
    }
  };
  for (std::size_t slot = 0; slot < plan.width; ++slot) {
    assign(columns.features[slot].column, slot, columns.features[slot].categorical);
  }
  const std::array<std::optional<std::size_t>, kExtras> extras = {columns.response, columns.weights,
                                                                  columns.offset, columns.trials};
  for (std::size_t extra = 0; extra < kExtras; ++extra) {
    if (extras[extra]) {
      assign(*extras[extra], plan.width + extra, text_response && extra == kResponse);
      plan.has_extra[extra] = true;
    }
  }
  return plan;
}

ChunkResult parse_rows(const Plan& plan, const Chunk& chunk, RawRows& raw) {
  return RowParser(plan, chunk, raw).run();
}

}  // namespace flymc::csv
