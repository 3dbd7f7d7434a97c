// What was made of the input's columns with numbers that all rows decide, in words.
#pragma once

#include <string>
#include <vector>

#include "flymc/table.hpp"

namespace flymc {

// "missing values of 'age', 'city' filled in", "'when' in days since 2024-01-31".
[[nodiscard]] std::vector<std::string> conversions(const Constants& constants);

}  // namespace flymc
