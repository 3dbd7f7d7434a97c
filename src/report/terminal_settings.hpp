// What a terminal shows of a fit while it goes on.
#pragma once

#include <span>

#include "fit/words.hpp"

namespace flymc {

enum class ProgressKind { kAuto, kPlain, kJson, kNone };
[[nodiscard]] std::span<const Word<ProgressKind>> words_of(ProgressKind) noexcept;

struct TerminalSettings {
  bool quiet = false;
  ProgressKind progress = ProgressKind::kAuto;
};

}  // namespace flymc
