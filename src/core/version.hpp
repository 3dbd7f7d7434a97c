#pragma once

#include <string>

namespace flymc {

[[nodiscard]] std::string version();

}  // namespace flymc
