#include "flymc/data/row_counts.hpp"

#include <fmt/format.h>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"

namespace flymc {

std::string missing_advice(const RowCounts& counts) {
  const double percent =
      100.0 * static_cast<double>(counts.missing) / static_cast<double>(counts.rows);
  return fmt::format("{} {} missing values ({} %). Use --missing drop or fill them first.",
                     counted(counts.missing, "row"), counts.missing == 1 ? "has" : "have",
                     percent < 0.05 ? "< 0.1" : fmt::format("{:.1f}", percent));
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
