// The words of R for what the library names: a setting is an argument of flymc().
#pragma once

#include "flymc/message.hpp"

namespace flymc::r {

// prior = normal:1 is prior = normal(0, 1), model = softmax is family = "softmax".
[[nodiscard]] const Wording& argument_wording() noexcept;

}  // namespace flymc::r
