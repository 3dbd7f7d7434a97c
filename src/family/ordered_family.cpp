#include "family/ordered_family.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace flymc {
namespace {

// Type and names live together.
struct OrderedType : FamilyType {
  std::vector<std::string> names;
  std::vector<Auxiliary> cuts;

  OrderedType(const FamilyType& base, std::size_t classes) : FamilyType(base) {
    constexpr double kWide = 10.0;
    constexpr double kSimulated = 2.0;  // about the spread of predictor and noise together
    for (std::size_t k = 1; k < classes; ++k) {
      names.push_back(fmt::format("cut.{}", k));
    }
    for (std::size_t k = 1; k < classes; ++k) {
      const double odds = static_cast<double>(k) / static_cast<double>(classes - k);
      cuts.push_back({.name = names[k - 1].c_str(),
                      .natural = Natural::kPredictor,
                      .usual = kSimulated * std::log(odds),
                      .prior = {.kind = PriorKind::kNormal, .scale = kWide}});
    }
    auxiliaries = cuts;
  }
};

}  // namespace

const FamilyType& ordered_family_type(const FamilyType& base, std::size_t classes) {
  static std::mutex mutex;
  static std::map<std::pair<const char*, std::size_t>, std::unique_ptr<OrderedType>> known;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<OrderedType>& type = known[{base.word, classes}];
  if (!type) {
    type = std::make_unique<OrderedType>(base, classes);
  }
  return *type;
}

}  // namespace flymc
