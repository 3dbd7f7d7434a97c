#include "run/run_config.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/table/formula.hpp"
#include "family/own_family.hpp"
#include "fit/parameters.hpp"
#include "fit/settings.hpp"
#include "fit/words.hpp"
#include "flymc/error.hpp"
#include "flymc/family/family.hpp"
#include "run/run_json.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

// Options that the file holds in a form of their own.
template <class Bool>
struct Negated {
  Bool& value;
};
template <class Bool>
Negated(Bool&) -> Negated<Bool>;  // clang 14 does not deduce it
template <class Optional>
struct OrNull {  // a number that has no "auto"
  Optional& value;
};
template <class Optional>
OrNull(Optional&) -> OrNull<Optional>;
template <class Text>
struct FamilyWord {
  Text& value;
};
template <class Text>
FamilyWord(Text&) -> FamilyWord<Text>;
// What is said of predictors by name, a list of "name ~ ...".
template <class ByName>
struct OfPredictors {
  ByName& value;
};
template <class ByName>
OfPredictors(ByName&) -> OfPredictors<ByName>;
using ByName = std::map<std::string, std::string>;
// One of a family's own: its default where it was not given, "auto" where the data choose, or null.
template <class Own>
struct OwnValue {
  const OwnSetting& setting;
  Own& own;
};
template <class Own>
OwnValue(const OwnSetting&, Own&) -> OwnValue<Own>;

// Calls visit(key, value) for every setting; `o` is const for writing.
template <class Options, class Visit>
void for_each_setting(Options& o, const Visit& visit) {
  visit("model", FamilyWord{o.family});
  visit("likelihood", o.likelihood);
  visit("predictors", o.predictors);
  visit("data-columns", o.data_columns);
  visit("order", o.order);
  visit("response", o.data.response);
  visit("formula", o.data.formula);
  visit("formulas", OfPredictors{o.data.formulas});
  visit("features", o.data.features);
  visit("drop", o.data.drop);
  visit("categorical", o.data.categorical);
  visit("date", o.data.dates);
  visit("reference", o.data.reference);
  visit("weights", o.data.weights);
  visit("offset", o.data.offset);
  visit("trials", o.data.trials);
  visit("censored", o.data.censored);
  visit("format", o.data.format);
  visit("header", o.data.header);
  visit("missing", o.data.missing);
  visit("missing-in", o.data.missing_in);
  visit("holdout", o.holdout);
  visit("levels", o.levels);
  visit("no-intercept", Negated{o.intercept});
  visit("prior", o.prior);
  visit("prior-intercept", o.prior_intercept);
  visit("prior-aux", OfPredictors{o.prior_aux});
  visit("prior-sd", OfPredictors{o.prior_sd});
  visit("select-prior", o.select_prior);
  for (const OwnSetting* setting : all_settings()) {
    visit(setting->name, OwnValue{*setting, o.own});
  }
  visit("engine", o.engine);
  visit("bound", o.bound);
  visit("xi", o.xi);
  visit("z", o.z);
  visit("q", o.q);
  visit("q-bright-to-dark", o.q_bright_to_dark);
  visit("z-fraction", o.z_fraction);
  visit("z-order", o.z_order);
  visit("kernel", o.kernel);
  visit("frame", o.frame);
  visit("init", o.init);
  visit("anchor", o.anchor);
  visit("chains", o.chains);
  visit("warmup", o.schedule.warmup);
  visit("draws", o.schedule.draws);
  visit("thin", o.schedule.thin);
  visit("ess", OrNull{o.ess});
  visit("seed", o.seed);
  visit("save-warmup", o.save_warmup);
}

struct Writer {
  Json& config;

  template <class T>
  void operator()(const char* key, const T& value) const {
    if constexpr (Worded<T>) {
      config[key] = name_of(value);
    } else {
      config[key] = value;
    }
  }
  template <class T>
  void operator()(const char* key, const std::optional<T>& value) const {
    if (value) {
      (*this)(key, *value);
    } else {
      config[key] = "auto";
    }
  }
  void operator()(const char* key, const PriorSpec& value) const { config[key] = to_text(value); }
  void operator()(const char* key, const Negated<const bool>& value) const {
    config[key] = !value.value;
  }
  void operator()(const char* key, const OrNull<const std::optional<double>>& value) const {
    config[key] = value.value ? Json(*value.value) : Json();
  }
  void operator()(const char* key, const FamilyWord<const std::string>& value) const {
    config[key] = value.value;
  }
  void operator()(const char* key, const OfPredictors<const ByName>& value) const {
    config[key] = Json::array();
    for (const auto& [name, text] : value.value) {
      // Of a formula, the name stands in it.
      config[key].push_back(name + " ~ " + trimmed(text.substr(text.find('~') + 1)));
    }
  }
  void operator()(const char* key, const OwnValue<const Settings>& value) const {
    if (value.own.contains(key) && std::isnan(value.own.at(key))) {
      config[key] = "infer";
    } else if (value.own.contains(key) && value.own.at(key) == kChoose) {
      config[key] = "auto";
    } else if (value.own.contains(key) || value.setting.absent == Absent::kDefault) {
      config[key] = value_of(value.setting, value.own);
    } else {
      config[key] = Json();
    }
  }
};

struct Reader {
  const nlohmann::json& config;

  // What is no count of this size is not cast into one.
  template <class T>
  static void require_count(const nlohmann::json& entry, const char* key) {
    if constexpr (std::unsigned_integral<T> && !std::is_same_v<T, bool>) {
      if (!entry.is_number_unsigned() ||
          entry.get<std::uint64_t>() > std::numeric_limits<T>::max()) {
        throw Error(ErrorKind::kData, std::string(key) + ": not a count");
      }
    }
  }

  template <class T>
  void operator()(const char* key, T& value) const {
    if (!config.contains(key)) {
      return;
    }
    const auto& entry = config.at(key);
    if constexpr (Worded<T>) {
      value = parse_word(entry.get<std::string>(), key, words_of(T{}));
    } else if constexpr (std::is_same_v<T, PriorSpec>) {
      value = parse_prior(entry.get<std::string>(), key);
    } else {
      require_count<T>(entry, key);
      entry.get_to(value);
    }
  }
  template <class T>
  void operator()(const char* key, std::optional<T>& value) const {
    if (config.contains(key) && config.at(key) != "auto" && !config.at(key).is_null()) {
      (*this)(key, value.emplace());
    }
  }
  void operator()(const char* key, Negated<bool> value) const {
    (*this)(key, value.value);
    value.value = !value.value;
  }
  void operator()(const char* key, OrNull<std::optional<double>> value) const {
    (*this)(key, value.value);
  }
  void operator()(const char* key, FamilyWord<std::string> value) const {
    (*this)(key, value.value);
    if (value.value != kOwnWord) {
      std::ignore = find_family(value.value, key);
    }
  }
  void operator()(const char* key, OfPredictors<ByName> value) const {
    std::vector<std::string> texts;
    (*this)(key, texts);
    for (const std::string& text : texts) {
      const std::size_t tilde = text.find(" ~ ");
      if (tilde == std::string::npos) {
        throw Error(ErrorKind::kData, std::string(key) + ": without a name");
      }
      const bool is_formula = std::string_view(key) == "formulas";
      value.value[text.substr(0, tilde)] = is_formula ? text : text.substr(tilde + 3);
    }
  }
  void operator()(const char* key, OwnValue<Settings> value) const {
    std::optional<double> given;
    if (value.setting.takes_infer() && config.contains(key) && config.at(key) == "infer") {
      given = kInfer;
    } else if (value.setting.absent == Absent::kDefault) {
      (*this)(key, given.emplace(value.setting.usual));  // a number, and no other word
    } else {
      (*this)(key, given);
    }
    if (given) {
      value.own[key] = *given;
    }
  }
};

// A setting that was chosen from the data is "auto" in a configuration, or not there; the value is
// with the family. A variant that samples it has none.
void read_choice(const nlohmann::json& config, FitSettings& options) {
  if (!options.likelihood.empty()) {
    return;
  }
  const OwnSetting* const setting = find_family(options.family).chosen_setting();
  if (setting == nullptr ||
      (config.contains(setting->name) && config.at(setting->name) != "auto")) {
    return;
  }
  Settings own = options.own;
  own[setting->name] = kChoose;
  if (find_family(options.family).with(own).chosen_setting() != nullptr) {
    options.own = std::move(own);
  }
}

RunOptions read_config(const nlohmann::json& config) {
  RunOptions options;
  options.intercept = false;  // read as its negation
  for_each_setting(options, Reader{config});
  read_choice(config, options);
  if (!has_intercept(options)) {
    options.prior_intercept.reset();
  }
  if (!options.data.formula.empty()) {
    options.groups = parse_formula(options.data.formula).groups;
  }
  return options;
}

}  // namespace

Json describe_config(const RunOptions& options) {
  RunOptions resolved = options;
  resolved.bound = options.chosen_bound();
  resolved.z = options.chosen_z();
  resolved.kernel = options.chosen_kernel();
  resolved.prior_intercept = options.prior_intercept.value_or(options.prior);
  if (named_format(options.data) == Format::kNpy) {  // whose columns are files of their own
    for (std::string* path :
         {&resolved.data.response, &resolved.data.weights, &resolved.data.offset,
          &resolved.data.trials, &resolved.data.censored}) {
      *path = path->empty() ? "" : std::filesystem::absolute(*path).string();
    }
  }
  Json config = Json::object();  // see describe_run
  for_each_setting(std::as_const(resolved), Writer{config});
  return config;
}

Settings StoredRun::settings() const {
  Settings settings = chosen;
  settings.insert(options.own.begin(), options.own.end());  // those that are not there
  return settings;
}

StoredRun read_stored_run(const std::filesystem::path& folder) {
  const nlohmann::json run = read_run_json(folder);
  try {
    StoredRun stored{.options = read_config(run.at("config").get<nlohmann::json::object_t>()),
                     .status = run.at("status"),
                     .version = run.value("version", ""),
                     .data_checksum = run.at("data").value("checksum", ""),
                     .files = {},
                     .columns = run.value("columns", std::vector<std::string>{}),
                     .labels = {},
                     .classes = run.value("classes", std::vector<std::string>{}),
                     .levels = run.value("levels", Levels{}),
                     .constants = run.value("constants", Constants{}),
                     .chosen = {}};
    auto& source = stored.data_checksum.empty() ? stored.options.source : stored.options.data.path;
    source = run.at("data").at("path");
    stored.options.out = folder.string();
    const FamilyType& family = family_type(stored.options);
    if (const OwnSetting* setting = family.chosen_setting();
        setting != nullptr && run.contains(family.key())) {
      stored.chosen[setting->name] = run.at(family.key()).at(setting->name).get<double>();
    }
    for (const auto& predictor : run.value("predictors", nlohmann::json::array())) {
      stored.options.columns[predictor.at("name")] = {
          predictor.at("columns"), predictor.at("intercept"),
          predictor.value("offsets", std::vector<std::string>{})};
    }
    for (const auto& file : run.at("data").value("files", nlohmann::json::array())) {
      stored.files.push_back({file.at("path"), file.at("checksum")});
    }
    bool has_levels = false;
    for (const auto& parameter : run.at("parameters")) {
      stored.labels.push_back(parameter.at("label"));
      has_levels = has_levels || is_of_level(parameter.at("column").get<std::string>());
    }
    const bool may_have = !std::ranges::all_of(stored.options.groups, &GroupTerm::is_smooth);
    if (stored.options.levels == LevelDraws::kAuto && may_have) {  // as it was decided at first
      stored.options.levels = has_levels ? LevelDraws::kAll : LevelDraws::kSummary;
    }
    return stored;
  } catch (const nlohmann::json::exception&) {
    fail_run_json(folder, "its content", "what flymc fit writes");
  } catch (const Error& error) {  // a word that no option takes
    fail_run_json(folder, message("'config' ({})", error.message()), "what flymc fit writes");
  }
}

}  // namespace flymc
