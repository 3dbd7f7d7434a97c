#include "fit/response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "family/own_family.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"
#include "flymc/error.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"
#include "ranks/gather_values.hpp"

namespace flymc {
namespace {

constexpr std::size_t kValuesShown = 5;

constexpr std::size_t kPieceValues = std::size_t{1} << 16;

std::size_t piece_count(std::size_t values) { return (values + kPieceValues - 1) / kPieceValues; }

template <class Number>
std::span<Number> piece_of(std::span<Number> values, std::size_t piece) {
  const std::size_t first = piece * kPieceValues;
  return values.subspan(first, std::min(kPieceValues, values.size() - first));
}

std::vector<double> distinct_among(std::span<const double> values) {
  std::vector<double> result;
  for (const double value : values) {  // few classes: a sorted vector beats a hash
    const auto at = std::lower_bound(result.begin(), result.end(), value);
    if (at == result.end() || *at != value) {
      result.insert(at, value);
      constexpr std::size_t kTooMany = 10000;
      if (result.size() > kTooMany) {
        break;
      }
    }
  }
  return result;
}

std::vector<double> distinct_among(const std::vector<std::vector<double>>& lists) {
  std::vector<double> all;
  for (const std::vector<double>& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
  }
  return distinct_among(std::span<const double>(all));
}

std::vector<double> distinct_values(Ranks& ranks, std::span<const double> values,
                                    unsigned threads) {
  std::vector<std::vector<double>> pieces(piece_count(values.size()));
  parallel_for(pieces.size(), threads,
               [&](std::size_t i) { pieces[i] = distinct_among(piece_of(values, i)); });
  return distinct_among(gather_values(ranks, distinct_among(pieces)));
}

std::vector<std::string> names_of(const Response& response, const std::vector<double>& distinct) {
  std::vector<std::string> names;
  for (const double value : distinct) {
    names.push_back(response.labels.empty() ? fmt::format("{}", value)
                                            : response.labels[static_cast<std::size_t>(value)]);
  }
  return names;
}

[[noreturn]] void too_many(const Response& response, const std::vector<std::string>& names,
                           const Message& needs) {
  throw Error(ErrorKind::kData,
              fmt::format("response {} has {} values ({})", in_quotes(response.name), names.size(),
                          listed(names, ",", kValuesShown)),
              needs);
}

void require_classes(const Response& response, const std::vector<double>& distinct,
                     const FamilyType& family) {
  const auto names = names_of(response, distinct);
  if (distinct.size() == 1) {
    throw Error(ErrorKind::kData, fmt::format("response {} is always {}: nothing to learn.",
                                              in_quotes(response.name), shortened(names[0])));
  }
  const bool whole = std::all_of(distinct.begin(), distinct.end(),
                                 [](double value) { return value == std::floor(value); });
  if (!whole) {
    too_many(response, names,
             message("classes are whole numbers or text: did you mean {}?",
                     Setting{"model", "student-t"}));
  }
  if (family.response == ResponseKind::kTwoClasses && distinct.size() > 2) {
    constexpr std::size_t kManyCounts = 10;  // so many whole numbers from 0 on are no classes
    const bool counts =
        response.labels.empty() && distinct.front() >= 0.0 && distinct.size() > kManyCounts;
    too_many(response, names,
             message("{} needs 2: did you mean {}?", family.word,
                     Setting{"model", counts ? "poisson" : "softmax"}));
  }
  if (family.is_ordered() && distinct.size() == 2) {
    too_many(
        response, names,
        message("{} needs 3 or more: did you mean {}?", family.word, Setting{"model", "logistic"}));
  }
  if (family.is_ordered() && distinct.size() > kMostPredictors) {
    too_many(response, names,
             message("{} takes at most {}: did you mean {}?", family.word,
                     std::to_string(kMostPredictors), Setting{"model", "student-t"}));
  }
  constexpr std::size_t kMaxClasses = 1000;
  if (distinct.size() > kMaxClasses) {
    too_many(
        response, names,
        message("softmax takes at most 1,000: did you mean {}?", Setting{"model", "student-t"}));
  }
}

std::vector<std::uint64_t> count_classes(Ranks& ranks, const std::vector<double>& codes,
                                         std::size_t classes) {
  std::vector<std::uint64_t> rows(classes, 0);
  for (const double code : codes) {
    ++rows[static_cast<std::size_t>(code)];
  }
  add_up(ranks, rows);
  return rows;
}

// Where each class, in sort order, stands in the order asked for.
std::vector<double> codes_in(const std::vector<std::string>& order,
                             const std::vector<std::string>& names) {
  const auto refuse = [&](const std::string& label, const char* what) {
    throw Error(ErrorKind::kData,
                message("{}: {} {}; the classes are {}.",
                        Setting{"order", fmt::format("{}", fmt::join(order, ","))},
                        in_quotes(label), what, listed(names, ", ", kMostPredictors)));
  };
  for (const std::string& label : order) {
    if (std::ranges::find(names, label) == names.end()) {
      refuse(label, "is no class of the response");
    }
    if (std::ranges::count(order, label) > 1) {
      refuse(label, "is there twice");
    }
  }
  std::vector<double> codes;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(order, name);
    if (found == order.end()) {
      refuse(name, "is missing");
    }
    codes.push_back(static_cast<double>(found - order.begin()));
  }
  return codes;
}

ResponseFacts encode_classes(Table& table, const FamilyType& family, const FitSettings& options) {
  Response& response = table.response;
  const unsigned threads = options.threads;
  const auto distinct = distinct_values(table.sharding().ranks(), response.values, threads);
  require_classes(response, distinct, family);
  ResponseFacts facts;
  facts.classes = names_of(response, distinct);
  const bool two = family.response == ResponseKind::kTwoClasses;
  std::vector<double> codes = two ? std::vector{-1.0, 1.0} : std::vector<double>(distinct.size());
  if (!options.order.empty()) {
    codes = codes_in(options.order, facts.classes);
    facts.classes = options.order;
  } else if (!two) {
    std::iota(codes.begin(), codes.end(), 0.0);
  }
  parallel_for(piece_count(response.values.size()), threads, [&](std::size_t i) {
    for (double& value : piece_of(std::span(response.values), i)) {
      const auto place =
          std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin();
      value = codes[static_cast<std::size_t>(place)];
    }
  });
  if (!two) {
    facts.class_rows = count_classes(table.sharding().ranks(), response.values, distinct.size());
  }
  constexpr std::size_t kClassesShown = 8;
  facts.note =
      two ? fmt::format("{}: {} is the positive class, {} the negative", family.word,
                        in_quotes(facts.classes[1]), in_quotes(facts.classes[0]))
          : fmt::format("{}: {} classes: {}", family.word, facts.classes.size(),
                        family.is_ordered() ? fmt::format("{}", fmt::join(facts.classes, " < "))
                                            : listed(facts.classes, ", ", kClassesShown));
  return facts;
}

// Sorted by bytes, labels may begin with numbers: the first that is none is what went wrong.
const std::string& first_text(const std::vector<std::string>& labels) {
  const auto is_text = [](const std::string& label) {
    double ignored = 0.0;
    const char* end = label.data() + label.size();
    const auto [stop, error] = std::from_chars(label.data(), end, ignored);
    return error != std::errc{} || stop != end;
  };
  const auto found = std::find_if(labels.begin(), labels.end(), is_text);
  return found != labels.end() ? *found : labels.front();
}

void require_numbers(const Response& response, const FamilyType& family, const char* what,
                     const Message& remedy) {
  if (!response.labels.empty()) {
    throw Error(ErrorKind::kData,
                fmt::format("response {} holds text ({})", in_quotes(response.name),
                            in_quotes(first_text(response.labels))),
                message("{} needs {}{}", family.word, what, remedy));
  }
}

// Rows as the user counts them, from 1 and without a header line.
std::string row_text(const Table& table, std::size_t n) {
  return fmt::format("row {}{}",
                     with_commas(table.first_row + table.sharding().mine().first + n + 1),
                     table.left_out > 0 ? " of those kept" : "");
}

// Beyond this not every whole number is a double, and a count is no count.
constexpr double kMostCount = 9007199254740992.0;

bool is_count(double value) {
  return value >= 0.0 && value <= kMostCount && value == std::floor(value);
}

void require_count(const Table& table, std::size_t n, const FamilyType& family) {
  const double value = table.response.values[n];
  if (is_count(value)) {
    return;
  }
  const Message remedy = value > kMostCount
                             ? " that a double can count (to 2^53)."
                             : message(": did you mean {}?", Setting{"model", "student-t"});
  throw Error(ErrorKind::kData,
              fmt::format("response {} is {} in {}", in_quotes(table.response.name), value,
                          row_text(table, n)),
              message("{} needs whole numbers >= 0{}", family.word, remedy));
}

// Every response lies strictly between these.
void require_within(const Table& table, const FamilyType& family, double low, double high,
                    const char* what) {
  require_numbers(table.response, family, what, ".");
  fail_together(table.sharding().ranks(), [&] {
    for (std::size_t n = 0; n < table.rows; ++n) {
      const double value = table.response.values[n];
      if (!(value > low && value < high)) {
        throw Error(ErrorKind::kData,
                    fmt::format("response {} is {} in {}", in_quotes(table.response.name), value,
                                row_text(table, n)),
                    message("{} needs {}.", family.word, what));
      }
    }
  });
}

// ", size 5"
std::string settings_text(const FamilyType& family, const Settings& own) {
  std::string text;
  for (const OwnSetting& setting : family.settings) {
    text += fmt::format(", {} {}", setting.name, value_of(setting, own));
  }
  return text;
}

ResponseFacts check_counts(const Table& table, const FitSettings& options) {
  const Response& response = table.response;
  const FamilyType& family = family_type(options);
  require_numbers(response, family, "whole numbers >= 0", ".");
  const Shard shard = table.sharding();
  fail_together(shard.ranks(), [&] {
    for (std::size_t n = 0; n < table.rows; ++n) {
      require_count(table, n, family);
    }
  });
  // Minus the least, the most and the sum.
  const auto range = sum_pieces(
      shard, 3, 1,
      [&](RowRange rows, std::span<double> out) {
        out[0] = -kMostCount;
        for (std::size_t n = rows.first; n < rows.last; ++n) {
          const double value = response.values[n - shard.mine().first];
          out[0] = std::max(out[0], -value);
          out[1] = std::max(out[1], value);
          out[2] += value;
        }
      },
      [](double* into, const double* next, std::size_t) {
        into[0] = std::max(into[0], next[0]);
        into[1] = std::max(into[1], next[1]);
        into[2] += next[2];
      });
  ResponseFacts facts;
  facts.note =
      fmt::format("{}: counts from {} to {}, mean {:.4g}{}", family.word, -range[0], range[1],
                  range[2] / static_cast<double>(shard.rows()), settings_text(family, options.own));
  return facts;
}

void require_successes(const Table& table, std::size_t n, const FamilyType& family) {
  const double trials = table.trials[n];
  if (!(trials >= 1.0) || !is_count(trials)) {
    throw Error(ErrorKind::kData,
                fmt::format("trials {} are {} in {}; {} needs positive whole numbers: drop "
                            "rows without trials.",
                            in_quotes(table.trials_name), trials, row_text(table, n), family.word));
  }
  if (family.response == ResponseKind::kTallies && trials > Tally::kMostTrials) {
    throw Error(ErrorKind::kData,
                fmt::format("trials {} are {} in {}", in_quotes(table.trials_name), trials,
                            row_text(table, n)),
                fmt::format("{} takes {} at most: split such rows.", family.word,
                            with_commas(static_cast<std::uint64_t>(Tally::kMostTrials))));
  }
  const double value = table.response.values[n];
  if (!is_count(value) || value > trials) {
    throw Error(ErrorKind::kData,
                fmt::format("response {} is {} in {}, of {}", in_quotes(table.response.name), value,
                            row_text(table, n), counted(static_cast<std::size_t>(trials), "trial")),
                message("{} needs whole numbers from 0 to the trials: check {}.", family.word,
                        Setting{"trials", shortened(table.trials_name)}));
  }
}

std::string total_text(double total) {
  constexpr double kMostExact = 1e18;
  return total < kMostExact ? with_commas(static_cast<std::uint64_t>(total))
                            : fmt::format("{:.3g}", total);
}

ResponseFacts encode_successes(Table& table, const FitSettings& options) {
  const FamilyType& family = family_type(options);
  require_numbers(table.response, family, "numbers of successes", ".");
  if (table.trials.size() != table.rows) {
    throw Error(ErrorKind::kUsage,
                message("{} is missing: {} rows have trials.", Setting{"trials"}, family.word));
  }
  ResponseFacts facts;
  const bool tallies = family.response == ResponseKind::kTallies;
  if (!tallies) {
    table.weights.resize(table.rows, 1.0);
  }
  const Shard shard = table.sharding();
  fail_together(shard.ranks(), [&] {
    for (std::size_t n = 0; n < table.rows; ++n) {
      require_successes(table, n, family);
    }
  });
  const auto totals = sum_pieces(shard, 2, 1, [&](RowRange rows, std::span<double> out) {
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const std::size_t n = row - shard.mine().first;
      const Tally tally{table.response.values[n], table.trials[n]};
      out[0] += tally.successes;
      out[1] += tally.trials;
      table.response.values[n] = tallies ? tally.code() : tally.share();
      if (!tallies) {
        table.weights[n] *= tally.trials;
      }
    }
  });
  facts.successes = totals[0];
  facts.trials = totals[1];
  table.trials.clear();
  facts.note = fmt::format("{}: {} successes in {} trials", family.word,
                           total_text(facts.successes), total_text(facts.trials));
  return facts;
}

// Two numbers of a row become their code, the same at every rank.
ResponseFacts encode_pairs(Table& table, PairCodes& codes) {
  if (table.trials.size() != table.rows) {
    throw Error(ErrorKind::kUsage,
                message("{} has two names: rows need a second number.", Setting{"data_columns"}));
  }
  std::set<std::pair<double, double>> pairs;
  for (std::size_t n = 0; n < table.rows; ++n) {
    pairs.emplace(table.response.values[n], table.trials[n]);
  }
  std::vector<double> flat;
  for (const auto& [first, second] : pairs) {
    flat.insert(flat.end(), {first, second});
  }
  for (const std::vector<double>& of_rank : gather_values(table.sharding().ranks(), flat)) {
    for (std::size_t i = 0; i < of_rank.size(); i += 2) {
      std::ignore = codes.code_of(of_rank[i], of_rank[i + 1]);
    }
  }
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.response.values[n] = codes.code_of(table.response.values[n], table.trials[n]);
  }
  table.trials.clear();
  return {};
}

// A time t that is right censored becomes -t.
ResponseFacts encode_censored(Table& table, const FamilyType& family) {
  const Shard shard = table.sharding();
  fail_together(shard.ranks(), [&] {
    for (std::size_t n = 0; n < table.rows; ++n) {
      if (table.trials[n] != 0.0 && table.trials[n] != 1.0) {
        throw Error(ErrorKind::kData,
                    message("{} is {} in {}; 1 is a right censored time, 0 one that was seen.",
                            Setting{"censored", shortened(table.trials_name)}, table.trials[n],
                            row_text(table, n)));
      }
    }
  });
  const auto total = sum_pieces(shard, 1, 1, [&](RowRange rows, std::span<double> out) {
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const std::size_t n = row - shard.mine().first;
      out[0] += table.trials[n];
      table.response.values[n] *= table.trials[n] > 0.0 ? -1.0 : 1.0;
    }
  });
  table.trials.clear();
  if (total[0] == static_cast<double>(shard.rows())) {
    throw Error(ErrorKind::kData, fmt::format("every time in {} is censored: nothing to learn.",
                                              in_quotes(table.response.name)));
  }
  ResponseFacts facts;
  facts.censored = total[0];
  facts.note = fmt::format("{}: {} of {} times are right censored", family.word,
                           total_text(total[0]), with_commas(shard.rows()));
  return facts;
}

}  // namespace

ResponseFacts encode_response(Table& table, const FitSettings& options) {
  if (table.response.values.size() != table.rows) {
    throw Error(ErrorKind::kUsage,
                "there is no response; name the column to explain, as in y ~ x.");
  }
  const FamilyType& family = family_type(options);
  switch (family.response) {
    case ResponseKind::kTwoClasses:
    case ResponseKind::kClasses:
    case ResponseKind::kOrdered:
      return encode_classes(table, family, options);
    case ResponseKind::kCounts:
      return check_counts(table, options);
    case ResponseKind::kSuccesses:
    case ResponseKind::kTallies:
      return encode_successes(table, options);
    case ResponseKind::kPositive:
      require_within(table, family, 0.0, std::numeric_limits<double>::infinity(), "numbers > 0");
      return table.trials.empty() ? ResponseFacts{} : encode_censored(table, family);
    case ResponseKind::kShares:
      require_within(table, family, 0.0, 1.0, "numbers between 0 and 1, neither included");
      return {};
    case ResponseKind::kNumbers:
      break;
  }
  require_numbers(table.response, family, "numbers",
                  message(": did you mean {} or {}?", Setting{"model", "logistic"},
                          OtherValue{"model", "softmax"}));
  if (PairCodes* const codes = pair_codes(family)) {
    return encode_pairs(table, *codes);
  }
  return {};
}

}  // namespace flymc
