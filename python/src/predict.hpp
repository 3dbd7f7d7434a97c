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

  // Row by row: mean, sd and the ends of the interval of E[y], 90 % where `prob` is absent;
  // softmax: the mean probability of each class, followed by its ends where `prob` is there.
  // `offset` has one number a row, or is absent. Other Python threads go on meanwhile.
  [[nodiscard]] py::array_t<double> predict(const Numbers& x, const std::optional<Numbers>& offset,
                                            std::optional<double> prob, unsigned threads) const;
  // E[y] of every draw: draw x row; softmax: draw x (class x row).
  [[nodiscard]] py::array_t<double> draws(const Numbers& x,
                                          const std::optional<Numbers>& offset) const;
  // A new response of every draw: draw x row; classes by their codes, successes in `trials`, of
  // which one a row where they are absent.
  [[nodiscard]] py::array_t<double> responses(const Numbers& x,
                                              const std::optional<Numbers>& offset,
                                              const std::optional<Numbers>& trials) const;

 private:
  [[nodiscard]] Table table_of(const Numbers& x, const std::optional<Numbers>& offset) const;

  Predictor predictor_;
};

}  // namespace flymc::python
