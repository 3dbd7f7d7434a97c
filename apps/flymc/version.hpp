#pragma once

#include <string>

namespace flymc::app {

[[nodiscard]] std::string version();

}  // namespace flymc::app
