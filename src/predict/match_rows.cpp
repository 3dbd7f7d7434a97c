#include "predict/match_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/csv/csv_fields.hpp"
#include "fit/response.hpp"
#include "fit/settings.hpp"
#include "flymc/dataset.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kClassesShown = 8;

// The text of a class as the fit wrote it: numbers without what does not matter ("1.0", "+1").
std::string class_text(const std::string& label) {
  double value = 0.0;
  return csv::read_number(label, value) == csv::Reading::kFinite ? fmt::format("{}", value) : label;
}

std::size_t class_of(const std::string& label, const std::vector<std::string>& classes,
                     const std::string& response) {
  auto found = std::ranges::find(classes, label);
  if (found == classes.end()) {
    found = std::ranges::find(classes, class_text(label));
  }
  if (found == classes.end()) {
    throw Error(
        ErrorKind::kData,
        fmt::format("response {} is {}, a class that the fit did not see; its classes are "
                    "{}.",
                    in_quotes(response), in_quotes(label), listed(classes, ", ", kClassesShown)));
  }
  return static_cast<std::size_t>(found - classes.begin());
}

void encode_known_classes(Response& response, const StoredRun& run) {
  std::vector<double> codes;  // of the labels
  const bool two = family_type(run.options).response == ResponseKind::kTwoClasses;
  const auto code = [&](const std::string& label) {
    const std::size_t k = class_of(label, run.classes, response.name);
    return two ? (k == 0 ? -1.0 : 1.0) : static_cast<double>(k);
  };
  for (const std::string& label : response.labels) {
    codes.push_back(code(label));
  }
  for (double& value : response.values) {
    value = response.labels.empty() ? code(fmt::format("{}", value))
                                    : codes[static_cast<std::size_t>(value)];
  }
}

void match_levels(NewLevels new_levels, LabelSet& seen, Factor& factor) {
  std::vector<std::uint32_t> codes;
  for (const std::string& label : factor.labels) {
    if (new_levels == NewLevels::kError && !seen.has(label)) {
      throw Error(
          ErrorKind::kData,
          message("{} is {}, a level that the fit did not see; leave out {} to draw its "
                  "effect from the distribution of levels.",
                  in_quotes(factor.name), in_quotes(label), Setting{"new_levels", "error"}));
    }
    codes.push_back(static_cast<std::uint32_t>(seen.code_of(label)));
  }
  for (std::uint32_t& code : factor.codes) {
    code = code == Factor::kNone ? code : codes[code];
  }
  factor.labels.clear();
}

}  // namespace

void arrange_columns(const std::vector<std::string>& features, Table& table) {
  std::vector<std::size_t> columns;
  for (const std::string& name : features) {
    const auto found = std::ranges::find(table.columns, name);
    if (found == table.columns.end()) {
      return;  // the caller sees it
    }
    columns.push_back(static_cast<std::size_t>(found - table.columns.begin()));
  }
  keep_columns(table, columns);
}

LevelCodes::LevelCodes(const RunDraws& draws) : draws_(draws) {
  if (!draws.groups) {
    return;
  }
  for (const TermDraws& term : draws.groups->terms) {
    if (term.labels.empty()) {
      throw Error(ErrorKind::kUsage,
                  message("the run kept no draws of the levels of {}; fit again with {}.",
                          in_quotes(term.term.factor), Setting{"levels", "all"}));
    }
    seen_.emplace_back(term.labels);
  }
}

void LevelCodes::match(std::vector<Factor>& factors, NewLevels new_levels) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const std::size_t members = draws_.groups->terms[i].term.all_members().size();
    for (const std::size_t last = at + members; at < last; ++at) {
      match_levels(new_levels, seen_[i], factors[at]);
    }
  }
}

std::vector<std::string> LevelCodes::warnings() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const TermDraws& term = draws_.groups->terms[i];
    if (const std::size_t seen = seen_[i].names().size(); seen > term.labels.size()) {
      all.push_back(fmt::format(
          "{} of {} that the fit did not see: their effects are drawn from the distribution of "
          "levels.",
          counted(seen - term.labels.size(), "level"), in_quotes(term.term.factor)));
    }
  }
  return all;
}

void encode_known_response(Table& table, const RunDraws& draws) {
  if (draws.family->type().has_classes()) {
    encode_known_classes(table.response, draws.run);
  } else {
    (void)encode_response(table, draws.run.options);
  }
}

}  // namespace flymc
