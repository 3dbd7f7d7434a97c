#include "frame.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "data/table/formula.hpp"
#include "fit/settings.hpp"
#include "fit/words.hpp"

namespace flymc::python {

FrameArrays::FrameArrays(const py::dict& columns) {
  using Codes = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>;
  for (const auto& [name, values] : columns) {
    FrameColumn& column = frame_.columns.emplace_back();
    column.name = name.cast<std::string>();
    if (values.is_none()) {  // a name for messages
      continue;
    }
    if (py::isinstance<py::tuple>(values)) {
      const auto [codes, labels] = values.cast<std::pair<Codes, std::vector<std::string>>>();
      column.codes = codes.data();
      column.labels = labels;
      frame_.rows = static_cast<std::size_t>(codes.size());
      held_.push_back(codes);
    } else {
      const auto numbers = values.cast<Numbers>();
      column.numbers = numbers.data();
      frame_.rows = static_cast<std::size_t>(numbers.size());
      held_.push_back(numbers);
    }
  }
}

LoadSpec to_spec(const py::dict& asked) {
  LoadSpec spec;
  spec.path = "data";
  spec.formula = asked["formula"].cast<std::string>();
  spec.formulas = asked["formulas"].cast<std::map<std::string, std::string>>();
  spec.reference = asked["reference"].cast<std::vector<std::string>>();
  spec.level_order = asked["level-order"].cast<Levels>();
  spec.dates = asked["date"].cast<std::vector<std::string>>();
  spec.weights = asked["weights"].cast<std::string>();
  spec.offset = asked["offset"].cast<std::string>();
  spec.trials = asked["trials"].cast<std::string>();
  spec.censored = asked["censored"].cast<std::string>();
  spec.missing = parse_word(asked["missing"].cast<std::string>(), "missing", words_of(Missing{}));
  spec.missing_in = asked["missing-in"].cast<std::vector<std::string>>();
  spec.threads = asked["threads"].cast<unsigned>();
  return spec;
}

void adopt_formula(LoadSpec& spec, FitSettings& settings) {
  const Formula formula = parse_formula(spec.formula);
  spec.response = resolve_formula(spec, formula).response;
  settings.intercept = formula.intercept;
  settings.groups = formula.groups;
  for (const auto& [name, text] : spec.formulas) {
    (void)parse_predictor(text);
  }
  validate(settings, parts_of(spec));
}

}  // namespace flymc::python
