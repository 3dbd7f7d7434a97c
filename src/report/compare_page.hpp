// Compared runs as one self-contained page.
#pragma once

#include <span>
#include <string>

#include "compare/comparison.hpp"
#include "flymc/message.hpp"

namespace flymc {

// REQUIRES: at least one run.
[[nodiscard]] std::string compare_page(std::span<const ComparedRun> runs, const Wording& wording);

}  // namespace flymc
