#include "cli/data_options.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "cli/choice.hpp"
#include "core/text.hpp"
#include "data/table/formula.hpp"

namespace flymc::cli {
Option add_data_options(const Subcommand& command, LoadSpec& data,
                        std::vector<std::string>* formulas) {
  const Option path = command.add_option(
      "DATA", data.path,
      "csv, tsv, libsvm (plain, gz or zst), parquet, X.npy, npz or fly; - reads standard input; a "
      "quoted pattern or a directory reads its files together");
  command.add_option("--response", data.response,
                     "response column; for X.npy the second file, for npz the array; libsvm and "
                     "fly have their own");
  command.add_list("--features", data.features, "columns to use, default all others");
  command.add_list("--drop", data.drop, "columns to leave out");
  const std::string help =
      "'y ~ a*b + log(c) + poly(d, 2) + bs(e, 5) + (1 + a | g)' in place of --response, --features "
      "and "
      "--drop; as in R";
  if (formulas == nullptr) {
    command.add_option("--formula", data.formula, help);
  } else {
    command.add_each(
        "--formula", [formulas](const std::string& text) { formulas->push_back(text); },
        help + "; again for an auxiliary parameter, 'sigma ~ a'");
  }
  command.add_list("--categorical", data.categorical,
                   "columns to encode as indicators; auto: text of at most 100 values");
  command.add_list("--date", data.dates,
                   "columns of dates (2024-01-31, 2024-01-31T12:00Z) to count in days since the "
                   "first");
  command.add_texts("--reference", data.reference,
                    "city=Oslo: compare the other levels with this one, default the first; again "
                    "for another column");
  command.add_option("--weights", data.weights, "column of row weights");
  command.add_option("--offset", data.offset,
                     "column added to the predictor, as offset(COL) in a formula");
  command.add_option("--trials", data.trials,
                     "binomial, beta-binomial: column of trials, response = successes");
  command.add_option("--censored", data.censored,
                     "of times: column that is 1 where the time is right censored, else 0");
  add_choice(command, "--missing", data.missing,
             "rows with missing values, default error; drop: leave them out, and those that a "
             "function of the formula has no number for; indicator: fill in the mean, and add a "
             "0/1 column COL_missing; of categories a level NA");
  command.add_list("--missing-in", data.missing_in,
                   "with --missing drop: also rows that miss a value in these columns, used or "
                   "not, so that compare finds the same rows in every model");
  add_choice(command, "--format", data.format, "of DATA, default by name and content");
  add_choice(command, "--header", data.header,
             "first line of csv and tsv; no: columns are x1, x2, ...; default auto");
  return path.required();
}

std::string to_words(const LoadSpec& data) {
  std::string words = shell_word(data.path);
  const bool told = !data.formula.empty() && !parse_formula(data.formula).response.empty();
  const std::string missing = data.missing == Missing::kDrop        ? "drop"
                              : data.missing == Missing::kIndicator ? "indicator"
                                                                    : "";
  const std::pair<const char*, std::string> options[] = {
      {"--response", told ? "" : data.response},
      {"--formula", data.formula},
      {"--features", fmt::format("{}", fmt::join(data.features, ","))},
      {"--drop", fmt::format("{}", fmt::join(data.drop, ","))},
      {"--categorical", fmt::format("{}", fmt::join(data.categorical, ","))},
      {"--weights", data.weights},
      {"--offset", data.offset},
      {"--trials", data.trials},
      {"--censored", data.censored},
      {"--date", fmt::format("{}", fmt::join(data.dates, ","))},
      {"--missing", missing},
      {"--missing-in", fmt::format("{}", fmt::join(data.missing_in, ","))},
      {"--format", data.format == Format::kAuto ? "" : std::string(name_of(data.format))},
      {"--header", data.header == HeaderLine::kAuto ? "" : name_of(data.header)}};
  for (const auto& [name, value] : options) {
    words += value.empty() ? "" : fmt::format(" {} {}", name, shell_word(value));
  }
  for (const auto& [name, formula] : data.formulas) {
    words += " --formula " + shell_word(formula);
  }
  for (const std::string& reference : data.reference) {
    words += " --reference " + shell_word(reference);
  }
  return words;
}

}  // namespace flymc::cli
