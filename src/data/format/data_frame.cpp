#include "data/format/data_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/csv/csv_table.hpp"
#include "data/table/dates.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using namespace csv;

// Every day would be a level, which nobody means who did not say so.
void require_no_dates(const LoadSpec& spec, const FrameColumn& column) {
  const bool dates =
      !column.labels.empty() && std::ranges::all_of(column.labels, [](const std::string& label) {
        return days_of_date(label).has_value();
      });
  if (dates && !spec.level_order.contains(column.name)) {
    throw Error(ErrorKind::kData,
                fmt::format("column {} holds dates ({})", in_quotes(column.name),
                            in_quotes(column.labels.front())),
                message("count them in days ({}), or make every one a level: factor({}).",
                        Setting{"date", shortened(column.name)}, shortened(column.name)));
  }
}

Layout lay_out(const LoadSpec& spec, const DataFrame& frame) {
  std::vector<std::string> names;
  for (const FrameColumn& column : frame.columns) {
    names.push_back(column.name);
  }
  Header header(std::move(names), escaped(spec.path));
  Columns columns = choose_columns(header, spec);
  for (Feature& feature : columns.features) {
    const FrameColumn& column = frame.columns[feature.column];
    const bool plain = !feature.categorical && !feature.factor && !feature.date;
    if (!column.is_number() && plain && !spec.matches_earlier) {
      require_no_dates(spec, column);
      feature.categorical = true;
    }
  }
  return {std::move(header), std::move(columns)};
}

void put_number(RowBuilder& builder, const Cell& cell, std::size_t column, double value) {
  if (cell.role == Cell::Role::kNumber && std::isfinite(value)) {
    builder.place(cell.slot) = value;
  } else if (std::isnan(value)) {
    builder.put(column, {}, nullptr);
  } else {
    builder.put(column, {.text = fmt::format("{}", value)}, nullptr);
  }
}

void put_text(RowBuilder& builder, const FrameColumn& from, std::size_t column, std::size_t row) {
  const std::int32_t code = from.codes[row];
  if (code < 0) {
    builder.put(column, {}, nullptr);
  } else {
    builder.put(column, {.text = from.labels[static_cast<std::size_t>(code)]}, nullptr);
  }
}

void require_values(const Plan& plan, const DataFrame& frame) {
  for (std::size_t column = 0; column < plan.cells.size(); ++column) {
    const FrameColumn& from = frame.columns[column];
    if (frame.rows > 0 && plan.cells[column].role != Cell::Role::kIgnored && !from.has_values()) {
      throw Error(ErrorKind::kInternal,
                  fmt::format("column {} has no values.", in_quotes(from.name)));
    }
  }
}

}  // namespace

TableRead read_frame(const LoadSpec& spec, const DataFrame& frame) {
  const Layout layout = lay_out(spec, frame);
  const auto response = layout.columns.response;
  Plan plan = make_plan(layout.columns, layout.header.size(),
                        response && !frame.columns[*response].is_number());
  follow(spec, layout.header, layout.columns, plan);
  require_values(plan, frame);

  Parsed parsed;
  parsed.chunks.emplace_back().max_rows = frame.rows;
  parsed.raw = make_room(plan, frame.rows);
  RowBuilder builder(plan, parsed.chunks.front(), parsed.raw);
  for (std::size_t row = 0; row < frame.rows; ++row) {
    builder.start(nullptr);
    for (std::size_t column = 0; column < plan.cells.size(); ++column) {
      const FrameColumn& from = frame.columns[column];
      const Cell& cell = plan.cells[column];
      if (cell.role == Cell::Role::kIgnored) {
        continue;
      }
      if (from.is_number()) {
        put_number(builder, cell, column, from.numbers[row]);
      } else {
        put_text(builder, from, column, row);
      }
    }
    builder.finish();
  }
  parsed.results.push_back(std::move(builder.result()));
  const Source source{spec, [&](const Issue& issue) {
                        return fmt::format("{}: row {}", escaped(spec.path),
                                           with_commas(issue.row));
                      }};
  return assemble(std::move(parsed), plan, layout, source, {});
}

}  // namespace flymc
