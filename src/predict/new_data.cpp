#include "predict/new_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/csv/csv_fields.hpp"
#include "data/table/formula.hpp"
#include "fit/response.hpp"
#include "fit/settings.hpp"
#include "flymc/dataset.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kNamesShown = 8;

// The input columns behind the features: "city=Oslo", "city=Paris" are one, city. Names of features
// are distinct, so nothing else has such a name.
void name_columns(const std::vector<std::string>& features, const Levels& known, LoadSpec& spec) {
  std::map<std::string, std::string> column_of;
  for (const auto& [column, levels] : known) {
    for (std::size_t level = 1; level < levels.size(); ++level) {
      column_of[column + "=" + levels[level]] = column;
    }
  }
  for (const std::string& feature : features) {
    const auto found = column_of.find(feature);
    const std::string& column = found != column_of.end() ? found->second : feature;
    if (spec.features.empty() || spec.features.back() != column) {
      spec.features.push_back(column);
    }
    if (found != column_of.end() && !spec.levels.contains(column)) {
      spec.categorical.push_back(column);
      spec.levels[column] = known.at(column);
    }
  }
}

// Every name that a product of columns has in a table: one for each combination of indicators.
std::vector<std::string> names_of(const Formula::Product& product, const Levels& levels) {
  std::vector<std::string> names{""};
  for (const std::string& factor : product) {
    std::vector<std::string> columns{factor};
    if (const auto found = levels.find(factor); found != levels.end()) {
      columns.clear();
      for (std::size_t level = 1; level < found->second.size(); ++level) {
        columns.push_back(factor + "=" + found->second[level]);
      }
    }
    std::vector<std::string> longer;
    for (const std::string& name : names) {
      for (const std::string& column : columns) {
        longer.push_back(name.empty() ? column : name + ":" + column);
      }
    }
    names = std::move(longer);
  }
  return names;
}

// The formula of the fit without its response and its `.`: the main effects by name, as
// name_columns found them, then the products.
void name_products(const RunDraws& draws, const Formula& formula, LoadSpec& spec) {
  std::vector<std::string> main = draws.features;
  for (const Formula::Product& product : formula.products) {
    for (const std::string& name : names_of(product, draws.run.levels)) {
      std::erase(main, name);
    }
  }
  name_columns(main, draws.run.levels, spec);
  std::vector<std::string> terms;
  const auto quoted = [](const std::string& name) { return "`" + name + "`"; };
  for (const std::string& column : spec.features) {
    terms.push_back(quoted(column));
  }
  for (const Formula::Product& product : formula.products) {
    std::vector<std::string> factors;
    for (const std::string& factor : product) {
      factors.push_back(quoted(factor));
      if (draws.run.levels.contains(factor) && !spec.levels.contains(factor)) {
        spec.categorical.push_back(factor);
        spec.levels[factor] = draws.run.levels.at(factor);
      }
    }
    terms.push_back(fmt::format("{}", fmt::join(factors, ":")));
  }
  spec.features.clear();
  spec.formula = fmt::format("~ {}", fmt::join(terms, " + "));
}

// What the fit found constant it does not have.
void drop_what_the_fit_dropped(const std::vector<std::string>& kept, Table& table) {
  std::vector<std::size_t> others;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (std::ranges::find(kept, table.columns[j]) == kept.end()) {
      others.push_back(j);
    }
  }
  drop_columns(table, others);
}

bool is_npy(const LoadSpec& spec) { return named_format(spec) == Format::kNpy; }

// What was given, else the column of the fit; a file of the fit's has other rows and is no answer.
class PartNames {
 public:
  PartNames(const LoadSpec& fit, const LoadSpec& spec) : files_(is_npy(fit) || is_npy(spec)) {}

  [[nodiscard]] std::string name(const std::string& given, const std::string& in_fit) const {
    return !given.empty() || files_ ? given : in_fit;
  }
  // Of a part that the fit had and a prediction cannot do without.
  [[nodiscard]] std::string required(const std::string& given, const std::string& in_fit,
                                     const char* setting) const {
    const std::string found = name(given, in_fit);
    if (!in_fit.empty() && found.empty()) {
      throw Error(ErrorKind::kUsage, message("the fit had {}", Setting{setting, shortened(in_fit)}),
                  message("name that of the new rows with {}.", Setting{setting}));
    }
    return found;
  }

 private:
  bool files_;
};

// Not all classes are numbers.
bool has_names(const std::vector<std::string>& classes) {
  double ignored = 0.0;
  return std::ranges::any_of(classes, [&](const std::string& label) {
    return csv::read_number(label, ignored) != csv::Reading::kFinite;
  });
}

LoadSpec spec_for(const RunDraws& draws, const NewData& data) {
  const LoadSpec& fit = draws.run.options.data;
  LoadSpec spec;
  spec.path = data.path;
  spec.format = data.format;
  spec.missing = data.missing;
  spec.threads = data.threads;
  spec.matches_earlier = true;
  spec.text_response = has_names(draws.run.classes);
  const Formula formula = fit.formula.empty() ? Formula{} : parse_formula(fit.formula);
  if (formula.products.empty()) {
    name_columns(draws.features, draws.run.levels, spec);
  } else {
    name_products(draws, formula, spec);
  }
  const PartNames parts(fit, spec);
  spec.offset = parts.required(data.offset, fit.offset, "offset");
  if (data.with_response) {
    const bool npz = named_format(spec) == Format::kNpz;
    spec.response = parts.name(data.response, fit.response.empty() && npz ? "y" : fit.response);
    spec.trials = parts.required(data.trials, fit.trials, "trials");
  }
  return spec;
}

BlockLimits limits_for(const RunDraws& draws, const NewData& data) {
  constexpr std::size_t kBlockNumbers = std::size_t{1} << 20;  // 8 MiB
  const std::size_t by_width = kBlockNumbers / (draws.features.size() + 1) + 1;
  return {.rows = data.block_rows > 0 ? data.block_rows : by_width};
}

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
                    in_quotes(response), in_quotes(label), listed(classes, ", ", kNamesShown)));
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

void encode(Table& table, const RunDraws& draws, const NewData& data) {
  if (table.response.values.empty()) {
    throw Error(ErrorKind::kUsage,
                message("{}: {} has no response", Setting{"log_lik"}, escaped(data.path)),
                message("name it with {}.", Setting{"response"}));
  }
  if (draws.family->type().has_classes()) {
    encode_known_classes(table.response, draws.run);
  } else {
    (void)encode_response(table, draws.run.options);
  }
}

}  // namespace

NewRows::NewRows(const RunDraws& draws, const NewData& data)
    : draws_(draws), data_(data), blocks_(spec_for(draws, data), limits_for(draws, data)) {}

std::optional<Table> NewRows::next() {
  std::optional<Table> table = blocks_.next();
  if (!table) {
    return table;
  }
  if (!draws_.run.options.data.formula.empty()) {
    drop_what_the_fit_dropped(draws_.features, *table);
  }
  if (table->columns != draws_.features) {
    throw Error(ErrorKind::kData, "run.json: 'levels' and 'parameters' do not belong together",
                message("restore the file, or fit again with {}.", Setting{"overwrite"}));
  }
  if (data_.with_response) {
    encode(*table, draws_, data_);
  }
  return table;
}

}  // namespace flymc
