// A family of ordered classes, the number of which the data say: its cut points.
#pragma once

#include <cstddef>

#include "flymc/family/family.hpp"

namespace flymc {

// With K - 1 auxiliary parameters cut.1 .. cut.K-1, on the scale of the predictor. The same number
// is the same type, for as long as the program runs. `classes` < 2: no cut points.
[[nodiscard]] const FamilyType& ordered_family_type(const FamilyType& base, std::size_t classes);

}  // namespace flymc
