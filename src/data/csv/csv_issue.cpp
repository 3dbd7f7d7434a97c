#include "data/csv/csv_issue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/table/dates.hpp"

namespace flymc::csv {
namespace {

struct Described {
  Message problem;
  Message remedy{};
};

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

Described describe_missing(const Issue& issue, const IssueContext& context) {
  const std::string what =
      issue.text.empty() ? "is empty" : fmt::format("is missing ({})", in_quotes(issue.text));
  return {message("column {} {}. {}", in_quotes(context.header.name(issue.column)), what,
                  missing_advice(context.counts))};
}

Described describe_text(const Issue& issue, const IssueContext& context) {
  const std::string& name = context.header.name(issue.column);
  const std::string what =
      fmt::format("column {} holds text ({})", in_quotes(name), in_quotes(issue.text));
  const std::pair<const std::string*, const char*> parts[] = {
      {&context.spec.weights, "weights"},
      {&context.spec.offset, "the offset"},
      {&context.spec.trials, "trials"},
      {&context.spec.censored, "what is censored"}};
  for (const auto& [column, part] : parts) {
    if (name == *column) {
      return {what, fmt::format("{} must be numbers.", part)};
    }
  }
  if (is_in(context.spec.dates, name)) {
    return {fmt::format("column {} is {}, no date", in_quotes(name), in_quotes(issue.text)),
            "write dates as 2024-01-31, times as 2024-01-31T12:00 (ISO 8601)."};
  }
  if (is_decimal_comma(issue.text)) {
    return {what, "write decimals with a point (1.5)."};
  }
  if (context.spec.matches_earlier) {
    return {what, "the fit had numbers there: write a number, or leave it empty."};
  }
  const Setting drop{"drop", shortened(name)};
  const Setting encode{"categorical", shortened(name)};
  if (days_of_date(issue.text) && name != context.spec.response) {
    return {fmt::format("column {} holds dates ({})", in_quotes(name), in_quotes(issue.text)),
            message("count them in days ({}) or drop it ({}).", Setting{"date", shortened(name)},
                    drop)};
  }
  if (!context.spec.formula.empty()) {
    return {what, message("take it out of the formula or encode it ({}).", encode)};
  }
  return {what, message("drop it ({}) or encode it ({}).", drop, encode)};
}

Described describe_infinite(const Issue& issue, const IssueContext& context) {
  return {fmt::format("column {} is {} after parsing {}.",
                      in_quotes(context.header.name(issue.column)),
                      issue.text.starts_with('-') ? "-inf" : "inf", in_quotes(issue.text))};
}

Described describe_unknown_level(const Issue& issue, const IssueContext& context) {
  constexpr std::size_t kLevelsShown = 8;
  const std::string& name = context.header.name(issue.column);
  return {
      fmt::format("column {} is {}, a level that was not there before", in_quotes(name),
                  in_quotes(issue.text)),
      fmt::format("its levels are {}.", listed(context.spec.levels.at(name), ", ", kLevelsShown))};
}

Described describe_stray_quote(const Issue& issue, const IssueContext& context) {
  const std::string place = issue.column < context.header.size()
                                ? "column " + in_quotes(context.header.name(issue.column))
                                : fmt::format("field {}", issue.column + 1);
  return {place + " has a quote that is not closed or not doubled inside quotes."};
}

Described describe_kind(const Issue& issue, const IssueContext& context) {
  switch (issue.kind) {
    case Issue::Kind::kMissing:
      return describe_missing(issue, context);
    case Issue::Kind::kInfinite:
      return describe_infinite(issue, context);
    case Issue::Kind::kText:
      return describe_text(issue, context);
    case Issue::Kind::kUnknownLevel:
      return describe_unknown_level(issue, context);
    case Issue::Kind::kNegativeWeight:
      return {fmt::format("column {} is {}", in_quotes(context.spec.weights), issue.text),
              "weights must be >= 0."};
    case Issue::Kind::kRagged:
      return {fmt::format("{}, the header has {}.", counted(issue.column, "field"),
                          with_commas(context.header.size()))};
    case Issue::Kind::kOther:
      return {issue.text};
    case Issue::Kind::kStrayQuote:
      break;
  }
  return describe_stray_quote(issue, context);
}

}  // namespace

Error describe(const Issue& issue, const IssueContext& context) {
  const Described described = describe_kind(issue, context);
  return {ErrorKind::kData, message("{}: {}", context.place, described.problem), described.remedy};
}

}  // namespace flymc::csv
