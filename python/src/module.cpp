// The module flymc._flymc: what the estimators in Python stand on. The only catch-all of this
// package is the translator below, which turns our errors into Python's.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "arrow.hpp"
#include "core/version.hpp"
#include "flymc/error.hpp"
#include "flymc/family/family.hpp"
#include "folder.hpp"
#include "predict.hpp"
#include "run.hpp"
#include "wording.hpp"

namespace {

namespace py = pybind11;
using flymc::python::DrawsPredictor;
using flymc::python::FitArrays;
using flymc::python::FramePredictor;
using flymc::python::Numbers;
using flymc::python::Run;

const char* name_of(flymc::ResponseKind kind) {
  switch (kind) {
    case flymc::ResponseKind::kTwoClasses:
      return "two classes";
    case flymc::ResponseKind::kSuccesses:
    case flymc::ResponseKind::kTallies:
      return "successes";
    case flymc::ResponseKind::kClasses:
      return "classes";
    case flymc::ResponseKind::kOrdered:
      return "ordered";
    case flymc::ResponseKind::kNumbers:
    case flymc::ResponseKind::kPositive:
    case flymc::ResponseKind::kShares:
      return "numbers";
    default:
      return "counts";
  }
}

py::dict describe_families() {
  py::dict all;
  for (const flymc::FamilyType* family : flymc::families()) {
    py::list settings;
    for (const flymc::OwnSetting& setting : family->settings) {
      settings.append(setting.name);
    }
    py::dict described;
    described["response"] = name_of(family->response);
    described["link"] = family->link;
    described["settings"] = settings;
    all[family->word] = described;
  }
  return all;
}

PyObject* exception_for(flymc::ErrorKind kind) {
  switch (kind) {
    case flymc::ErrorKind::kUsage:
    case flymc::ErrorKind::kData:
      return PyExc_ValueError;
    case flymc::ErrorKind::kMemory:
      return PyExc_MemoryError;
    case flymc::ErrorKind::kNoInput:
      return PyExc_FileNotFoundError;
    default:
      return PyExc_RuntimeError;
  }
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const flymc::Error& error) {
    const std::string words = error.message().in(flymc::python::parameter_wording());
    PyErr_SetString(exception_for(error.kind()), words.c_str());
  }
}

template <class T>
std::optional<T> optional_part(const py::dict& parts, const char* key) {
  return parts[key].is_none() ? std::nullopt : std::optional(parts[key].cast<T>());
}

FitArrays to_fit_arrays(const py::dict& parts) {
  return {.x = parts["x"].cast<py::array>(),
          .names = parts["names"].cast<std::vector<std::string>>(),
          .y = parts["y"].cast<Numbers>(),
          .labels = parts["labels"].cast<std::vector<std::string>>(),
          .weights = optional_part<Numbers>(parts, "weights"),
          .offset = optional_part<Numbers>(parts, "offset"),
          .trials = optional_part<Numbers>(parts, "trials"),
          .rows = optional_part<std::vector<std::uint32_t>>(parts, "rows")};
}

}  // namespace

PYBIND11_MODULE(_flymc, module) {
  module.doc() = "The engine of flymc; use the estimators of the package flymc.";
  module.attr("__version__") = flymc::version();
  module.attr("estimators") = flymc::python::estimator_names();
  py::register_exception_translator(&translate);
  module.def("families", &describe_families);
  module.def("setting_names", [] {
    std::vector<std::string> names;
    for (const flymc::OwnSetting* setting : flymc::all_settings()) {
      names.emplace_back(setting->name);
    }
    return names;
  });

  py::class_<Run>(module, "Run")
      .def(py::init([](const py::dict& parts, const py::dict& options) {
             return std::make_unique<Run>(to_fit_arrays(parts), options);
           }),
           py::arg("parts"), py::arg("options"))
      .def(py::init<const py::dict&, const py::dict&, const py::dict&>(), py::arg("columns"),
           py::arg("asked"), py::arg("options"))
      .def("predictor", &Run::predictor, py::arg("parts") = py::dict(), py::arg("at_most") = 0)
      .def("advance", &Run::advance, py::arg("draws"), py::arg("max_time_s") = py::none())
      .def("draws", &Run::draws)
      .def("statistics", &Run::statistics)
      .def("facts", &Run::facts)
      .def("summary", &Run::summary, py::arg("asked") = py::dict())
      .def("contrasts", &Run::contrasts, py::arg("reference") = "")
      .def("merged", &Run::merged)
      .def("report", &Run::report, py::arg("columns"), py::arg("parts"), py::arg("of_fit"))
      .def("draw_count", &Run::draw_count);

  py::class_<flymc::python::Folder>(module, "Folder")
      .def(py::init<std::string>(), py::arg("path"))
      .def("facts", &flymc::python::Folder::facts)
      .def("draws", &flymc::python::Folder::draws)
      .def("summary", &flymc::python::Folder::summary, py::arg("asked") = py::dict())
      .def("contrasts", &flymc::python::Folder::contrasts, py::arg("reference") = "")
      .def("effects", &flymc::python::Folder::effects, py::arg("how"))
      .def("check", &flymc::python::Folder::check, py::arg("how"))
      .def("report", &flymc::python::Folder::report);
  module.def("compare", &flymc::python::compare, py::arg("runs"), py::arg("columns"));
  py::class_<flymc::python::ArrowTable>(module, "ArrowTable")
      .def(py::init<const py::capsule&>(), py::arg("stream"))
      .def("names", &flymc::python::ArrowTable::names)
      .def("column", &flymc::python::ArrowTable::column, py::arg("name"));

  py::class_<FramePredictor>(module, "FramePredictor")
      .def(py::init<const std::string&, std::size_t>(), py::arg("folder"), py::arg("at_most") = 0)
      .def("check", &FramePredictor::check, py::arg("columns"), py::arg("how"))
      .def("effects", &FramePredictor::effects, py::arg("columns"), py::arg("how"))
      .def("log_likelihood", &FramePredictor::log_likelihood, py::arg("columns"), py::arg("how"))
      .def("predict", &FramePredictor::predict, py::arg("columns"), py::arg("how"))
      .def("draws", &FramePredictor::draws, py::arg("columns"), py::arg("how"))
      .def("classes", &FramePredictor::classes);

  py::class_<DrawsPredictor>(module, "Predictor")
      .def(py::init<const py::dict&, const Numbers&>(), py::arg("layout"), py::arg("draws"))
      .def("predict", &DrawsPredictor::predict, py::arg("x"), py::arg("offset"), py::arg("prob"),
           py::arg("threads"))
      .def("draws", &DrawsPredictor::draws, py::arg("x"), py::arg("offset"))
      .def("responses", &DrawsPredictor::responses, py::arg("x"), py::arg("offset"),
           py::arg("trials"));
}
