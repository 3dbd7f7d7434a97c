// A family with some of its auxiliary parameters fixed: the same density with numbers in their
// place, as text, and so a bound of its own with fewer predictors.
#pragma once

#include "flymc/family/family.hpp"

namespace flymc {

// `fixed`: values on the natural scale by the names of auxiliaries. The same numbers are the same
// type, for as long as the program runs. REQUIRES: base.density, and one at least is fixed.
[[nodiscard]] const FamilyType& fixed_family_type(const FamilyType& base, const Settings& fixed);

}  // namespace flymc
