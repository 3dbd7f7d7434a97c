#include "answers.hpp"

#include <pybind11/stl.h>

#include <vector>

#include "arrays.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "diagnose/class_contrasts.hpp"
#include "flymc/error.hpp"
#include "printed.hpp"
#include "report/answers.hpp"
#include "report/summary_text.hpp"
#include "wording.hpp"

namespace flymc::python {
namespace {

template <class T>
void take_answer(const py::dict& asked, const char* key, T& value) {
  if (asked.contains(key)) {
    value = asked[key].cast<T>();
  }
}

}  // namespace

Questions to_questions(const py::dict& asked) {
  Questions questions;
  take_answer(asked, "prob", questions.prob);
  take_answer(asked, "exp", questions.exp);
  take_answer(asked, "per_sd", questions.per_sd);
  take_answer(asked, "contrast", questions.contrasts);
  take_answer(asked, "reference", questions.reference);
  return questions;
}

py::dict printed(const Summary& summary) {
  if (summary.questions.exp) {
    (void)ratio_name(summary.model);
  }
  return printed(to_table(summary, parameter_wording()), to_json(summary));
}

py::dict class_contrasts(const RunRecord& record, const RunChains& run,
                         const std::string& reference) {
  py::dict found;
  if (!has_class_vectors(record)) {
    if (!reference.empty()) {
      throw Error(ErrorKind::kUsage,
                  message("{}: the run has no classes with coefficients of their own.",
                          Setting{"reference", shortened(reference)}));
    }
    return found;
  }
  const ClassDifferences compared = compare_classes(record, run, reference);
  std::vector<std::string> labels;
  for (const ParameterName& difference : compared.record.parameters) {
    labels.push_back(difference.label);
  }
  found["reference"] = compared.reference;
  found["labels"] = labels;
  found["draws"] = to_array(compared.run);
  return found;
}

}  // namespace flymc::python
