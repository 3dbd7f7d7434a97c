#include "flymc/detail/data/table/row_counts.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {

void RowCounts::add_up(Ranks& ranks) {
  std::vector<std::uint64_t> numbers = {rows, missing, weightless};
  for (const MissingIn& column : missing_in) {
    numbers.push_back(column.rows);
  }
  flymc::add_up(ranks, numbers);
  rows = numbers[0];
  missing = numbers[1];
  weightless = numbers[2];
  for (std::size_t i = 0; i < missing_in.size(); ++i) {
    missing_in[i].rows = numbers[3 + i];
  }
  std::erase_if(missing_in, [](const MissingIn& column) { return column.rows == 0; });
}

Message missing_advice(const RowCounts& counts) {
  const double percent =
      100.0 * static_cast<double>(counts.missing) / static_cast<double>(counts.rows);
  return message("{} {} missing values ({} %). Use {} or fill them first.",
                 counted(counts.missing, "row"), counts.missing == 1 ? "has" : "have",
                 percent < 0.05 ? "< 0.1" : fmt::format("{:.1f}", percent),
                 Setting{"missing", "drop"});
}

std::string dropped_note(const RowCounts& counts) {
  std::string note;
  const auto add = [&](std::size_t rows, const char* why) {
    if (rows > 0) {
      note +=
          fmt::format("{}{} {}", note.empty() ? "; dropped " : " and ", counted(rows, "row"), why);
    }
  };
  add(counts.missing, "with missing values");
  add(counts.weightless, "of weight 0");
  add(counts.valueless, "for which a function of the formula is not a number");
  return note;
}

void require_rows(const RowCounts& counts, const std::string& where) {
  if (counts.rows == 0) {
    throw Error(ErrorKind::kData, where + ": there are no rows.");
  }
  if (counts.missing + counts.weightless + counts.valueless >= counts.rows) {
    throw Error(ErrorKind::kData, fmt::format("{}: no rows are left of {}{}.", where,
                                              with_commas(counts.rows), dropped_note(counts)));
  }
}

}  // namespace flymc
