#include "fit_options.hpp"

#include <optional>
#include <string>

#include "flymc/words.hpp"

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
template <app::Worded T, class Value>
void take_word(const py::dict& asked, const char* key, Value& value) {
  if (const auto text = given<std::string>(asked, key)) {
    value = app::parse_word<T>(*text, std::string("--") + key, app::words_of(T{}));
  }
}

}  // namespace

app::FitOptions to_options(const py::dict& asked) {
  app::FitOptions options;
  take_word<app::ModelKind>(asked, "model", options.model);
  take(asked, "intercept", options.intercept);
  options.prior = app::parse_prior(given<std::string>(asked, "prior").value_or("auto"), "--prior");
  if (const auto text = given<std::string>(asked, "prior-intercept")) {
    options.prior_intercept = app::parse_prior(*text, "--prior-intercept");
  }
  take(asked, "select-prior", options.select_prior);
  take(asked, "nu", options.nu);
  take_number(asked, "scale", options.scale);
  take_number(asked, "size", options.size);
  take_word<EngineKind>(asked, "engine", options.engine);
  take_word<BoundKind>(asked, "bound", options.bound);
  take_word<app::ZKind>(asked, "z", options.z);
  take_word<app::KernelKind>(asked, "kernel", options.kernel);
  take(asked, "chains", options.chains);
  take(asked, "warmup", options.schedule.warmup);
  take(asked, "draws", options.schedule.draws);
  take(asked, "thin", options.schedule.thin);
  take(asked, "seed", options.seed);
  take(asked, "threads", options.threads);
  take_number(asked, "ess", options.ess);
  take(asked, "offset", options.data.offset);
  take(asked, "trials", options.data.trials);
  options.quiet = !given<bool>(asked, "progress").value_or(false);
  app::settle_engine(options);
  return options;
}

}  // namespace flymc::python
