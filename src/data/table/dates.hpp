// Dates as numbers: days since midnight (UTC) before the first one in the data, which is a constant
// of the table, `date(when)`, counted from 1970-01-01; later rows are counted from the same day.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// Days since 1970-01-01 of an ISO 8601 date, with hours as a fraction where it has a time:
// 2024-01-31, 2024-01-31 12:00, 2024-01-31T12:00:05.25Z, 2024-01-31T12:00+02:00. Without a zone
// it is UTC. None: no such date.
[[nodiscard]] std::optional<double> days_of_date(std::string_view text);

// "2024-01-31" of a number of days.
[[nodiscard]] std::string date_of_days(double days);

// "date(when)": the name of a column's first day among Constants.
[[nodiscard]] std::string date_name(const std::string& column);

// Of every date among the constants: its column and first day.
[[nodiscard]] std::map<std::string, double> first_days(const Constants& constants);

// Subtracts the first day, that of the specification's constants or else of the rows, from the
// columns of dates. REQUIRES: they were read as days since 1970-01-01. Collective. THROWS Error
// kData for a column that has no value at all.
void count_from_first_day(const LoadSpec& spec, TableRead& read);

}  // namespace flymc
