#include "fit/make_family.hpp"

#include <utility>

namespace flymc {

MadeFamily make_family(const FitSettings& options, const Dataset& data, std::size_t classes) {
  const FamilyType& type = family_type(options);
  if (type.choose == nullptr) {
    return {type.make(options.own, classes)};
  }
  ChosenSettings chosen = type.choose(options.own, data, options.seed);
  return {type.make(chosen.settings, classes), std::move(chosen.note), chosen.noise_free};
}

}  // namespace flymc
