#include "run.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <utility>

#include "answers.hpp"
#include "diagnose/class_contrasts.hpp"
#include "fit/draw_values.hpp"
#include "fit/engine.hpp"
#include "fit/prepare.hpp"
#include "fit_options.hpp"
#include "flymc/load.hpp"
#include "frame.hpp"
#include "report/page.hpp"
#include "report/run_page.hpp"
#include "run/holdout.hpp"
#include "run/stored_data.hpp"
#include "wording.hpp"

namespace flymc::python {
namespace {

using Clock = std::chrono::steady_clock;

// Whether a signal handler raised; what it raised is put into `error`.
bool signal_raised(std::optional<py::error_already_set>& error) {
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() == 0) {
    return false;
  }
  error.emplace();  // takes the exception over from the interpreter
  return true;
}

std::vector<std::string> in_words(const std::vector<Message>& messages, const Wording& wording) {
  std::vector<std::string> words;
  for (const Message& message : messages) {
    words.push_back(message.in(wording));
  }
  return words;
}

constexpr std::size_t kStatistics = std::size(kStatisticColumns);

}  // namespace

template <class Work>
auto Run::in_own_words(const Work& work) const {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), error.message().in(*wording_));
  }
}

Run::Run(const FitArrays& arrays, const py::dict& options)
    : arrays_(arrays), wording_(&parameter_wording()) {
  Table table = to_table(arrays);
  const FitSettings settings = to_settings(options);
  const TerminalSettings terminal = to_terminal(options);
  const py::gil_scoped_release release;
  start(std::move(table), settings, terminal);
}

Run::Run(const py::dict& columns, const py::dict& asked, const py::dict& options)
    : wording_(&formula_wording()) {
  in_own_words([&] {
    asked_.data = to_spec(asked);
    asked_.holdout = asked["holdout"].cast<double>();
    const FrameArrays arrays(columns);
    FitSettings settings = to_settings(options);
    const TerminalSettings terminal = to_terminal(options);
    const py::gil_scoped_release release;
    adopt_formula(asked_.data, settings);
    LoadSpec spec = asked_.data;
    spec.frame = &arrays.frame();
    Loaded loaded = load(spec);
    missing_in_ = missing_columns(loaded, spec);
    settings.columns = std::move(loaded.predictors);
    (void)hold_out(RunOptions{settings, asked_}, loaded.table);
    start(std::move(loaded.table), settings, terminal);
  });
}

void Run::start(Table table, const FitSettings& settings, const TerminalSettings& terminal) {
  observer_ = std::make_unique<TerminalObserver>(terminal, *wording_);
  run_ = std::make_unique<Fit>(std::move(table), settings, observer_.get());
}

bool Run::merged() const noexcept { return !run_->problem().merged.empty(); }

std::function<Table()> Run::table_again() const {
  if (!arrays_) {
    return {};
  }
  return [this] {
    const py::gil_scoped_acquire gil;
    return to_table(*arrays_);
  };
}

RunSettings Run::asked_with(const py::dict& parts) const {
  RunSettings asked = asked_;
  LoadSpec& spec = asked.data;
  const std::pair<const char*, std::string*> names[] = {{"response", &spec.response},
                                                        {"offset", &spec.offset},
                                                        {"trials", &spec.trials},
                                                        {"weights", &spec.weights}};
  for (const auto& [part, name] : names) {
    *name = parts.contains(part) ? parts[part].cast<std::string>() : *name;
  }
  return asked;
}

std::unique_ptr<FramePredictor> Run::predictor(const py::dict& parts, std::size_t at_most) const {
  const RunSettings asked = asked_with(parts);
  const py::gil_scoped_release release;
  return std::make_unique<FramePredictor>(draws_of(*run_, asked, at_most));
}

void Run::advance(std::uint64_t draws, std::optional<double> max_time_s) {
  const auto started = Clock::now();
  std::optional<py::error_already_set> raised;
  {
    const py::gil_scoped_release release;
    std::atomic<bool> stop{false};
    std::future<void> work = std::async(std::launch::async, [&] { run_->advance(draws, stop); });
    while (work.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
      const std::chrono::duration<double> elapsed = Clock::now() - started;
      if ((!raised && signal_raised(raised)) || (max_time_s && elapsed.count() >= *max_time_s)) {
        stop.store(true);
      }
    }
    in_own_words([&] { work.get(); });
  }
  if (raised) {
    throw std::move(*raised);
  }
}

py::array_t<double> Run::draws() const { return to_array(run_->chains()); }

py::dict Run::statistics() const {
  const RunChains run = run_->chains();
  py::dict result;
  for (std::size_t i = 0; i < kStatistics; ++i) {
    py::array_t<double> values({run.chains.size(), static_cast<std::size_t>(run_->draws())});
    double* out = values.mutable_data();
    for (const ChainDraws& chain : run.chains) {
      out = std::copy(chain.values[i].begin(), chain.values[i].end(), out);
    }
    result[kStatisticColumns[i]] = values;
  }
  return result;
}

py::dict Run::facts() const {
  const Problem& problem = run_->problem();
  std::vector<std::string> columns;
  std::vector<std::string> labels;
  for (const ParameterName& parameter : problem.parameters) {
    columns.push_back(parameter.column);
    labels.push_back(parameter.label);
  }
  py::dict facts;
  facts["columns"] = columns;
  facts["labels"] = labels;
  facts["features"] = problem.data.names();
  facts["notes"] = in_words(problem.notes, *wording_);
  facts["warnings"] = in_words(problem.warnings, *wording_);
  facts["engine"] = run_->result().setup.regular ? "regular" : "fly";
  facts["separated"] = run_->result().setup.separated;
  facts["enough"] = run_->enough();
  facts["most_draws"] = run_->most_draws();
  std::vector<std::string> auxiliaries;
  for (const Auxiliary& auxiliary : problem.family->type().auxiliaries) {
    auxiliaries.emplace_back(auxiliary.name);
  }
  facts["predictors"] = problem.predictors() - static_cast<int>(auxiliaries.size());
  facts["auxiliaries"] = auxiliaries;
  facts["intercept"] = problem.designs.front().intercept;
  facts["settings"] = problem.family->settings();
  return facts;
}

py::dict Run::summary(const py::dict& asked) const {
  return printed(summarise(run_->record(), run_->chains(), "this run", to_questions(asked)));
}

py::dict Run::contrasts(const std::string& reference) const {
  const RunRecord record = run_->record();
  return class_contrasts(record, has_class_vectors(record) ? run_->chains() : RunChains{},
                         reference);
}

std::string Run::report(const py::dict& columns, const py::dict& parts, bool of_fit) const {
  const RunSettings asked = asked_with(parts);
  const FrameArrays arrays(columns);
  const py::gil_scoped_release release;
  NewData input;
  input.path = "data";
  input.frame = &arrays.frame();
  input.of_fit = of_fit;
  nlohmann::ordered_json page = run_page(*run_, asked, *wording_, input);
  page["command"] = nullptr;
  return report_page(page);
}

}  // namespace flymc::python
