// Predictions from draws that Python holds: they need neither the data nor the run.
#pragma once

#include "arrays.hpp"
#include "predict/predictor.hpp"

namespace flymc::python {

class DrawsPredictor {
 public:
  // `layout` says what the parameters are: model (as --model has it), intercept, classes (of
  // softmax), features, the settings of the family. `draws` is draw x parameter, as in the chain
  // files.
  DrawsPredictor(const py::dict& layout, const Numbers& draws);

  // Row by row: mean, sd, 5 % and 95 % of E[y]; softmax: the mean probability of each class.
  // `offset` has one number a row, or is absent. Other Python threads go on meanwhile.
  [[nodiscard]] py::array_t<double> predict(const Numbers& x, const std::optional<Numbers>& offset,
                                            unsigned threads) const;

 private:
  Predictor predictor_;
};

}  // namespace flymc::python
