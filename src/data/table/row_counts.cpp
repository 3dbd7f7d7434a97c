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
  const std::string missing = counted(counts.missing, "row") + " with missing values";
  const std::string weightless = counted(counts.weightless, "row") + " of weight 0";
  if (counts.missing > 0 && counts.weightless > 0) {
    return fmt::format("; dropped {} and {}", missing, weightless);
  }
  if (counts.missing > 0 || counts.weightless > 0) {
    return "; dropped " + (counts.missing > 0 ? missing : weightless);
  }
  return {};
}

void require_rows(const RowCounts& counts, const std::string& where) {
  if (counts.rows == 0) {
    throw Error(ErrorKind::kData, where + ": there are no rows.");
  }
  if (counts.missing + counts.weightless >= counts.rows) {
    throw Error(ErrorKind::kData, fmt::format("{}: no rows are left of {}{}.", where,
                                              with_commas(counts.rows), dropped_note(counts)));
  }
}

}  // namespace flymc
