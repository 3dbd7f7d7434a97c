#include "data/table/conversions.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "data/table/dates.hpp"
#include "data/table/fill_missing.hpp"

namespace flymc {

std::vector<std::string> conversions(const Constants& constants) {
  constexpr std::size_t kNamesShown = 8;
  std::vector<std::string> phrases;
  if (const std::vector<std::string> filled = filled_columns(constants); !filled.empty()) {
    phrases.push_back(
        fmt::format("missing values of {} filled in", listed(filled, ", ", kNamesShown)));
  }
  for (const auto& [column, day] : first_days(constants)) {
    phrases.push_back(fmt::format("{} in days since {}", in_quotes(column), date_of_days(day)));
  }
  return phrases;
}

}  // namespace flymc
