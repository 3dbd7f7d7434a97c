#include "data/table/dates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <span>
#include <vector>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::string_view kHead = "date(";

// Takes numbers and marks from the front of a text; a mistake makes it invalid for good.
class DateScanner {
 public:
  explicit DateScanner(std::string_view text) : rest_(text) {}

  // Exactly so many digits, at most `most`.
  [[nodiscard]] int number(std::size_t digits, int most) {
    int value = 0;
    const std::string_view text = rest_.substr(0, digits);
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    valid_ = valid_ && text.size() == digits && error == std::errc{} &&
             stop == text.data() + digits && text[0] != '-' && value <= most;
    rest_.remove_prefix(text.size());
    return value;
  }
  [[nodiscard]] double fraction() {
    double value = 0.0;
    for (double place = 0.1; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; place /= 10.0) {
      value += place * (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  bool take(char mark) {
    const bool found = rest_.starts_with(mark);
    rest_.remove_prefix(found ? 1 : 0);
    return found;
  }
  void expect(char mark) { valid_ = take(mark) && valid_; }
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] bool valid() const noexcept { return valid_; }
  void refuse() noexcept { valid_ = false; }

 private:
  std::string_view rest_;
  bool valid_ = true;
};

double scan_day(DateScanner& scanner) {
  using namespace std::chrono;
  const int y = scanner.number(4, 9999);
  scanner.expect('-');
  const int m = scanner.number(2, 12);
  scanner.expect('-');
  const int d = scanner.number(2, 31);
  const year_month_day date{year(y), month(static_cast<unsigned>(m)),
                            day(static_cast<unsigned>(d))};
  if (!date.ok()) {
    scanner.refuse();
    return 0.0;
  }
  return static_cast<double>(sys_days(date).time_since_epoch().count());
}

double scan_seconds(DateScanner& scanner) {
  double seconds = 3600.0 * scanner.number(2, 23);
  scanner.expect(':');
  seconds += 60.0 * scanner.number(2, 59);
  if (scanner.take(':')) {
    seconds += scanner.number(2, 59);
    seconds += scanner.take('.') ? scanner.fraction() : 0.0;
  }
  return seconds;
}

// Z, +02, +0200 or +02:00 behind a time; nothing is UTC.
double scan_zone(DateScanner& scanner) {
  if (scanner.take('Z') || scanner.at_end()) {
    return 0.0;
  }
  const bool west = scanner.take('-');
  if (!west) {
    scanner.expect('+');
  }
  double seconds = 3600.0 * scanner.number(2, 23);
  if (scanner.take(':') || !scanner.at_end()) {
    seconds += 60.0 * scanner.number(2, 59);
  }
  return west ? -seconds : seconds;
}

// [values that are there, the smallest]: of two, as one.
void merge_first(double* into, const double* next, std::size_t /*width*/) {
  if (next[0] > 0.0) {
    into[1] = into[0] > 0.0 ? std::min(into[1], next[1]) : next[1];
    into[0] += next[0];
  }
}

double first_day(const Table& table, std::size_t column, const LoadSpec& spec) {
  const Shard shard = table.sharding();
  const std::size_t mine = shard.mine().first;
  const std::vector<double> first = sum_pieces(
      shard, 2, spec.threads,
      [&](RowRange rows, std::span<double> sums) {
        for (std::size_t n = rows.first - mine; n < rows.last - mine; ++n) {
          const double days = table.x[n * table.columns.size() + column];
          const double one[] = {std::isnan(days) ? 0.0 : 1.0, days};
          merge_first(sums.data(), one, sums.size());
        }
      },
      merge_first);
  if (first[0] == 0.0) {
    const std::string& name = table.columns[column];
    throw Error(ErrorKind::kData, message("column {} has no values", in_quotes(name)),
                message("drop it ({}).", Setting{"drop", shortened(name)}));
  }
  return std::floor(first[1]);
}

}  // namespace

std::optional<double> days_of_date(std::string_view text) {
  constexpr double kSecondsADay = 86400.0;
  DateScanner scanner(text);
  const double day = scan_day(scanner);
  double seconds = 0.0;
  if (scanner.valid() && !scanner.at_end()) {
    if (!scanner.take('T')) {
      scanner.expect(' ');
    }
    seconds = scan_seconds(scanner);
    seconds -= scan_zone(scanner);
  }
  return scanner.valid() && scanner.at_end() ? std::optional(day + seconds / kSecondsADay)
                                             : std::nullopt;
}

std::string date_of_days(double days) {
  using namespace std::chrono;
  const year_month_day date{sys_days{std::chrono::days{static_cast<int>(std::floor(days))}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string date_name(const std::string& column) { return fmt::format("{}{})", kHead, column); }

std::map<std::string, double> first_days(const Constants& constants) {
  std::map<std::string, double> days;
  for (const auto& [name, numbers] : constants) {
    if (name.starts_with(kHead) && name.ends_with(')') && numbers.size() == 1) {
      days[name.substr(kHead.size(), name.size() - kHead.size() - 1)] = numbers.front();
    }
  }
  return days;
}

void count_from_first_day(const LoadSpec& spec, TableRead& read) {
  Table& table = read.table;
  for (const std::string& name : spec.dates) {
    const auto found = std::ranges::find(table.columns, name);
    if (found == table.columns.end()) {
      continue;  // of an earlier table, without a part in this one
    }
    const auto column = static_cast<std::size_t>(found - table.columns.begin());
    const auto given = spec.constants.find(date_name(name));
    const double first = given != spec.constants.end() && !given->second.empty()
                             ? given->second.front()
                             : first_day(table, column, spec);
    for (std::size_t n = 0; n < table.rows; ++n) {
      table.x[n * table.columns.size() + column] -= first;
    }
    table.constants[date_name(name)] = {first};
  }
}

}  // namespace flymc
