#include "folder.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "answers.hpp"
#include "arrays.hpp"
#include "check/check.hpp"
#include "compare/comparison.hpp"
#include "effects/effects.hpp"
#include "frame.hpp"
#include "printed.hpp"
#include "report/check_text.hpp"
#include "report/compare_text.hpp"
#include "report/effects_text.hpp"
#include "report/page.hpp"
#include "report/run_page.hpp"
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

py::dict Folder::summary(const py::dict& asked) const {
  return printed(summarise(path_, to_questions(asked)));
}

py::dict Folder::contrasts(const std::string& reference) const {
  return class_contrasts(read_run_record(path_), chains_, reference);
}

py::dict Folder::effects(const py::dict& how) const {
  EffectsOptions options;
  options.folder = path_;
  options.of = how["of"].cast<std::vector<std::string>>();
  options.rows = how["rows"].cast<std::optional<std::size_t>>();
  options.draws = how["draws"].cast<std::size_t>();
  options.how.prob = how["prob"].cast<double>();
  options.how.threads = how["threads"].cast<unsigned>();
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

py::dict compare(const py::list& given, const py::list& columns) {
  std::deque<FrameArrays> frames;  // which stay where they are
  std::vector<RunPlace> places;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (py::isinstance<Run>(given[i])) {
      const Run& run = given[i].cast<const Run&>();
      FitInMemory held{.name = fmt::format("fit {}", i + 1),
                       .fit = &run.fit(),
                       .asked = run.asked(),
                       .table = run.table_again(),
                       .missing_in = run.missing_in()};
      if (!columns[i].is_none()) {
        held.rows = &frames.emplace_back(columns[i].cast<py::dict>()).frame();
      }
      places.emplace_back(std::move(held));
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
