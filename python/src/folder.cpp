#include "folder.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "arrays.hpp"
#include "check/check.hpp"
#include "compare/comparison.hpp"
#include "effects/effects.hpp"
#include "frame.hpp"
#include "printed.hpp"
#include "report/answers.hpp"
#include "report/check_text.hpp"
#include "report/compare_text.hpp"
#include "report/effects_text.hpp"
#include "report/page.hpp"
#include "report/run_page.hpp"
#include "report/summary_text.hpp"
#include "run.hpp"
#include "run/run_config.hpp"
#include "run/run_folder.hpp"
#include "run/run_json.hpp"
#include "wording.hpp"

namespace flymc::python {

Folder::Folder(std::string path) : path_(std::move(path)) {
  (void)read_run_json(path_);  // says of what is no run that it is none
  chains_ = read_run_chains(path_);
}

py::dict Folder::facts() const {
  const std::vector<std::string>& all = chains_.chains.front().columns;
  const StoredRun run = read_stored_run(path_);
  const std::vector<std::string> columns(all.end() - static_cast<std::ptrdiff_t>(run.labels.size()),
                                         all.end());
  py::dict facts;
  facts["columns"] = columns;
  facts["labels"] = run.labels;
  return facts;
}

py::array_t<double> Folder::draws() const { return to_array(chains_); }

py::dict Folder::summary() const {
  const Summary summary = summarise(path_, Questions{});
  return printed(to_table(summary, parameter_wording()), to_json(summary));
}

py::dict Folder::effects(const std::vector<std::string>& of, double prob) const {
  EffectsOptions options;
  options.folder = path_;
  options.of = of;
  options.how.prob = prob;
  Effects found;
  {
    const py::gil_scoped_release release;
    found = effects_of(options);
  }
  return printed(effects_table(found), effects_json(found));
}

py::dict Folder::check(const py::dict& how) const {
  CheckOptions options;
  options.folder = path_;
  options.prob = how["prob"].cast<double>();
  options.rows = how["rows"].cast<std::size_t>();
  options.draws = how["draws"].cast<std::size_t>();
  options.threads = how["threads"].cast<unsigned>();
  CheckedRun found;
  {
    const py::gil_scoped_release release;
    found = check_run(options);
  }
  return printed(check_table(found), check_json(found));
}

std::string Folder::report() const {
  const py::gil_scoped_release release;
  nlohmann::ordered_json page = run_page(path_, parameter_wording());
  page["command"] = nullptr;
  return report_page(page);
}

py::dict compare(const py::list& given, const std::optional<py::dict>& columns) {
  std::optional<FrameArrays> arrays;
  if (columns) {
    arrays.emplace(*columns);
  }
  std::vector<RunPlace> places;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (py::isinstance<Run>(given[i])) {
      const Run& run = given[i].cast<const Run&>();
      places.emplace_back(FitInMemory{.name = fmt::format("fit {}", i + 1),
                                      .fit = &run.fit(),
                                      .data = run.data(),
                                      .rows = arrays ? &arrays->frame() : nullptr});
    } else {
      places.emplace_back(std::filesystem::path(given[i].cast<std::string>()));
    }
  }
  std::vector<ComparedRun> runs;
  {
    const py::gil_scoped_release release;
    runs = compare_runs(places, {});
  }
  return printed(compare_table(runs, parameter_wording(), false),
                 compare_json(runs, parameter_wording()));
}

}  // namespace flymc::python
