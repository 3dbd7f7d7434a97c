// The model as asked for, its fixed numbers taken from the data where they were not given.
#pragma once

#include <string>

#include "fit/models.hpp"
#include "fit/options.hpp"
#include "flymc/dataset.hpp"
#include "flymc/message.hpp"

namespace flymc {

// REQUIRES: every fixed number of the model given, Student-t's scale too.
[[nodiscard]] AnyModel make_model(const FitOptions& options, std::size_t classes);

struct MadeModel {
  AnyModel model;
  Message note{};           // what was chosen; empty: nothing
  bool noise_free = false;  // Student-t: a scale was asked of rows that a fit explains to the digit
};

// THROWS Error(kData) where Student-t's scale is asked of responses that are all the same.
[[nodiscard]] MadeModel make_model(const FitOptions& options, const Dataset& data,
                                   std::size_t classes);

[[nodiscard]] int predictors_of(const AnyModel& model) noexcept;

}  // namespace flymc
