// The words of the command line for what the library names: a setting is an option.
#pragma once

#include "flymc/message.hpp"

namespace flymc::cli {

// prior = normal:1 is --prior normal:1.
[[nodiscard]] const Wording& option_wording() noexcept;

}  // namespace flymc::cli
