#include "data/csv/csv_rows.hpp"

#include <fmt/format.h>

#include <limits>
#include <new>
#include <utility>

#include "data/csv/csv_fields.hpp"
#include "data/table/dates.hpp"
#include "data/table/fill_missing.hpp"

namespace flymc::csv {
namespace {

Reading read_date(std::string_view text, double& value) {
  if (is_missing(text)) {
    return Reading::kMissing;
  }
  const std::optional<double> days = days_of_date(text);
  value = days.value_or(0.0);
  return days ? Reading::kFinite : Reading::kText;
}

Reading read_label(const Field& field, LabelSet& labels, double& value) {
  if (is_missing(field.text)) {
    return Reading::kMissing;
  }
  const std::size_t code =
      field.doubled ? labels.code_of(unquoted(field)) : labels.code_of(field.text);
  value = static_cast<double>(code);
  return Reading::kFinite;
}

bool is_known(const Field& field, const LabelSet& labels) {
  return field.doubled ? labels.has(unquoted(field)) : labels.has(field.text);
}

class RowParser {
 public:
  RowParser(const Plan& plan, const Chunk& chunk, RawRows& raw)
      : plan_(plan),
        max_rows_(chunk.max_rows),
        builder_(plan, chunk, raw),
        fields_(chunk.bytes, plan.separator) {}

  ChunkResult run() {
    // After a stray quote rows are no longer where they were counted. Before it there are at most
    // max_rows; the last condition only keeps a mistake of ours from writing outside the buffer.
    while (!fields_.done() && !builder_.result().text_response && !stray_quote_ &&
           builder_.result().rows < max_rows_) {
      if (!fields_.skip_blank_line()) {
        parse_row();
      }
    }
    builder_.result().cut = stray_quote_;
    return std::move(builder_.result());
  }

 private:
  void parse_row() {
    const char* const start = fields_.at();
    builder_.start(start);
    std::size_t column = 0;
    do {
      const Cell cell = column < plan_.cells.size() ? plan_.cells[column] : Cell{};
      if (cell.role != Cell::Role::kNumber || !fields_.number(builder_.place(cell.slot))) {
        parse_field(column);
      }
      ++column;
    } while (!stray_quote_ && fields_.next());
    if (column != plan_.cells.size() && !stray_quote_) {
      builder_.report_shape({Issue::Kind::kRagged, start, column, {}});
    }
    builder_.finish();
  }

  // Everything that is not plainly a number.
  void parse_field(std::size_t column) {
    const char* const start = fields_.at();
    const Field field = fields_.read();
    if (field.broken) {
      stray_quote_ = true;
      builder_.report_shape({Issue::Kind::kStrayQuote, start, column, std::string(field.text)});
    } else if (column < plan_.cells.size()) {
      builder_.put(column, field, start);
    }
  }

  const Plan& plan_;
  std::size_t max_rows_;
  RowBuilder builder_;
  FieldReader fields_;
  bool stray_quote_ = false;
};

}  // namespace

RawRows make_room(const Plan& plan, std::size_t rows) {
  if (plan.width > 0 && rows > std::numeric_limits<std::size_t>::max() / plan.width) {
    throw std::bad_alloc();
  }
  RawRows raw;
  raw.x.resize(rows * plan.width);
  for (std::size_t extra = 0; extra < kExtras; ++extra) {
    raw.extras[extra].resize(plan.has_extra[extra] ? rows : 0);
  }
  return raw;
}

RowBuilder::RowBuilder(const Plan& plan, const Chunk& chunk, RawRows& raw)
    : plan_(plan), chunk_(chunk), raw_(raw) {
  for (const auto& levels : plan.fixed_levels) {
    result_.labels.emplace_back(levels);
  }
  result_.missing_in.resize(plan.cells.size());
}

Reading RowBuilder::read(const Cell& cell, const Field& field) {
  switch (cell.role) {
    case Cell::Role::kNumber:
      return read_number(field.text, place(cell.slot));
    case Cell::Role::kDate:
      return read_date(field.text, place(cell.slot));
    case Cell::Role::kLabel:
      return read_label(field, result_.labels[cell.label], place(cell.slot));
    case Cell::Role::kPresent:
      return is_missing(field.text) ? Reading::kMissing : Reading::kFinite;
    default:
      return Reading::kFinite;
  }
}

void RowBuilder::put(std::size_t column, const Field& field, const char* where) {
  const Cell& cell = plan_.cells[column];
  const auto report_field = [&](Issue::Kind kind) {
    report({kind, where, column, std::string(field.text)});
  };
  if (cell.role == Cell::Role::kLabel && !plan_.fixed_levels[cell.label].empty() &&
      !is_missing(field.text) && !is_known(field, result_.labels[cell.label])) {
    if (plan_.keeps_missing(cell)) {
      place(cell.slot) = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    missing_ |= plan_.other_levels == OtherLevels::kDrop;
    if (plan_.other_levels == OtherLevels::kError) {
      report({Issue::Kind::kUnknownLevel, where, column, unquoted(field)});
    }
    return;
  }
  switch (read(cell, field)) {
    case Reading::kFinite:
      break;
    case Reading::kInfinite:
      report_field(Issue::Kind::kInfinite);
      break;
    case Reading::kText:
      result_.text_response |= cell.slot == plan_.width + kResponse;
      report_field(Issue::Kind::kText);
      break;
    case Reading::kMissing:
      put_missing(column, field, where);
  }
}

void RowBuilder::put_missing(std::size_t column, const Field& field, const char* where) {
  const Cell& cell = plan_.cells[column];
  ++result_.missing_in[column];
  if (cell.filled == Cell::Filled::kLevel) {
    place(cell.slot) = static_cast<double>(result_.labels[cell.label].code_of(kMissingLevel));
  } else if (cell.filled == Cell::Filled::kLater || plan_.keeps_missing(cell)) {
    place(cell.slot) = std::numeric_limits<double>::quiet_NaN();
  } else {
    missing_ = true;
    if (!plan_.leaves_out) {
      report({Issue::Kind::kMissing, where, column, std::string(field.text)});
    }
  }
}

void RowBuilder::report(Issue issue) {
  if (!issue_) {
    issue_ = std::move(issue);
  }
}

void RowBuilder::report_shape(Issue issue) {
  issue_ = std::move(issue);
  missing_ = false;
}

void RowBuilder::finish() {
  ++result_.rows;
  const std::size_t before = result_.kept;
  const double weight = extras_[kWeights];
  // A row that is left out may have a level of its own: that of a fit was left out of it, too.
  if (issue_ && issue_->kind == Issue::Kind::kUnknownLevel &&
      ((missing_ && plan_.leaves_out) || (plan_.has_extra[kWeights] && weight == 0.0))) {
    issue_.reset();
  }
  if (plan_.has_extra[kWeights] && weight < 0.0 && !issue_ && !missing_) {
    issue_ = {Issue::Kind::kNegativeWeight, where_, 0, fmt::format("{}", weight)};
  }
  result_.missing += missing_ ? 1 : 0;
  if (issue_ && !result_.issue) {
    result_.issue = std::move(issue_);
    result_.issue->row = result_.rows;
  } else if (!issue_ && !missing_) {
    keep();
  }
  if (result_.kept == before) {
    result_.gaps.add(before);
  }
}

void RowBuilder::keep() {
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

Plan make_plan(const Columns& columns, std::size_t fields, bool text_response) {
  Plan plan;
  plan.cells.resize(fields);
  plan.width = columns.features.size();
  const auto assign = [&](std::size_t column, std::size_t slot, bool is_label) {
    plan.cells[column] = {.role = is_label ? Cell::Role::kLabel : Cell::Role::kNumber,
                          .slot = slot,
                          .label = plan.label_slots.size()};
    if (is_label) {
      plan.label_slots.push_back(slot);
      plan.fixed_levels.emplace_back();
    }
  };
  for (std::size_t slot = 0; slot < plan.width; ++slot) {
    const Feature& feature = columns.features[slot];
    assign(feature.column, slot, feature.categorical || feature.factor);
    if (feature.date) {
      plan.cells[feature.column].role = Cell::Role::kDate;
    }
  }
  const std::array<std::optional<std::size_t>, kExtras> extras = {columns.response, columns.weights,
                                                                  columns.offset, columns.trials};
  for (std::size_t extra = 0; extra < kExtras; ++extra) {
    if (extras[extra]) {
      assign(*extras[extra], plan.width + extra, text_response && extra == kResponse);
      plan.has_extra[extra] = true;
    }
  }
  for (const std::size_t column : columns.complete) {
    plan.cells[column].role = Cell::Role::kPresent;
  }
  return plan;
}

void follow(const LoadSpec& spec, const Header& header, const Columns& columns, Plan& plan) {
  plan.missing = spec.missing;
  plan.leaves_out = spec.leaves_out();
  plan.other_levels = spec.other_levels;
  for (const Feature& feature : columns.features) {
    const std::string& name = header.name(feature.column);
    Cell& cell = plan.cells[feature.column];
    const bool is_category = feature.categorical && !feature.factor;
    if (is_filled(spec, name)) {
      cell.filled = is_category ? Cell::Filled::kLevel : Cell::Filled::kLater;
    }
    if (const auto fixed = spec.levels.find(name);
        cell.role == Cell::Role::kLabel && fixed != spec.levels.end()) {
      plan.fixed_levels[cell.label] = fixed->second;
    }
  }
}

ChunkResult parse_rows(const Plan& plan, const Chunk& chunk, RawRows& raw) {
  return RowParser(plan, chunk, raw).run();
}

}  // namespace flymc::csv
