// The family as asked for, its settings taken from the data where they were not given.
#pragma once

#include <memory>
#include <string>

#include "fit/settings.hpp"
#include "flymc/dataset.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

struct MadeFamily {
  std::shared_ptr<const Family> family;
  Message note{};           // what was chosen; empty: nothing
  bool noise_free = false;  // as ChosenSettings has it
};

// THROWS Error(kData) where the data cannot tell a setting.
[[nodiscard]] MadeFamily make_family(const FitSettings& options, const Dataset& data,
                                     std::size_t classes);

}  // namespace flymc
