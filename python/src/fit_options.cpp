#include "fit_options.hpp"

#include <optional>
#include <string>
#include <tuple>

#include "family/own_family.hpp"
#include "fit/settings.hpp"
#include "fit/words.hpp"
#include "flymc/family/family.hpp"

namespace flymc::python {
namespace {

namespace py = pybind11;

template <class T>
std::optional<T> given(const py::dict& asked, const char* key) {
  if (!asked.contains(key) || asked[key].is_none()) {
    return std::nullopt;
  }
  return asked[key].cast<T>();
}

template <class T>
void take(const py::dict& asked, const char* key, T& value) {
  value = given<T>(asked, key).value_or(value);
}

template <class T>
void take_number(const py::dict& asked, const char* key, std::optional<T>& value) {
  value = given<T>(asked, key);
}

// One of a few words, for a plain choice and for one that may be left open.
template <Worded T, class Value>
void take_word(const py::dict& asked, const char* key, Value& value) {
  if (const auto text = given<std::string>(asked, key)) {
    value = parse_word<T>(*text, key, words_of(T{}));
  }
}

// A number or a word in its place.
void take_setting(const py::dict& asked, const char* name, Settings& own) {
  if (!asked.contains(name) || asked[name].is_none()) {
    return;
  }
  if (py::isinstance<py::str>(asked[name])) {
    own[name] = asked[name].cast<std::string>() == "infer" ? kInfer : kChoose;
  } else {
    own[name] = asked[name].cast<double>();
  }
}

}  // namespace

FitSettings to_settings(const py::dict& asked) {
  FitSettings options;
  take(asked, "model", options.family);
  take(asked, "likelihood", options.likelihood);
  if (!options.likelihood.empty()) {
    options.family = kOwnWord;
  } else {
    std::ignore = find_family(options.family);
  }
  take(asked, "predictors", options.predictors);
  take(asked, "data-columns", options.data_columns);
  take(asked, "prior-aux", options.prior_aux);
  take(asked, "prior-sd", options.prior_sd);
  take(asked, "order", options.order);
  take_word<LevelDraws>(asked, "levels", options.levels);
  take(asked, "intercept", options.intercept);
  options.prior = parse_prior(given<std::string>(asked, "prior").value_or("auto"), "prior");
  if (const auto text = given<std::string>(asked, "prior-intercept")) {
    options.prior_intercept = parse_prior(*text, "prior_intercept");
  }
  take(asked, "select-prior", options.select_prior);
  for (const OwnSetting* setting : all_settings()) {
    take_setting(asked, setting->name, options.own);
  }
  take_word<EngineKind>(asked, "engine", options.engine);
  take_word<BoundKind>(asked, "bound", options.bound);
  take_word<ZKind>(asked, "z", options.z);
  take_word<KernelKind>(asked, "kernel", options.kernel);
  take(asked, "chains", options.chains);
  take(asked, "warmup", options.schedule.warmup);
  take(asked, "draws", options.schedule.draws);
  take(asked, "thin", options.schedule.thin);
  take(asked, "seed", options.seed);
  take(asked, "threads", options.threads);
  take_number(asked, "ess", options.ess);
  settle(options);
  return options;
}

TerminalSettings to_terminal(const py::dict& asked) {
  return {.quiet = !given<bool>(asked, "progress").value_or(false)};
}

}  // namespace flymc::python
