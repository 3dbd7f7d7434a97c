// The words of Python for what the library names: a setting is a parameter of an estimator, or of
// fit().
#pragma once

#include <map>
#include <string>

#include "flymc/message.hpp"

namespace flymc::python {

// The class of every model.
[[nodiscard]] std::map<std::string, std::string> estimator_names();

// prior = normal:1 is prior="normal:1", model = softmax is SoftmaxRegression.
[[nodiscard]] const Wording& parameter_wording() noexcept;

// The same for flymc.fit(): model = softmax is family="softmax", and columns have names.
[[nodiscard]] const Wording& formula_wording() noexcept;

}  // namespace flymc::python
