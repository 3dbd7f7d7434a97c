#include "flymc/family/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/message.hpp"
#include "core/text.hpp"
#include "family/fixed_family.hpp"
#include "family/ordered_family.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/error.hpp"

namespace flymc {

const OwnSetting* FamilyType::chosen_setting() const noexcept {
  const auto found = std::ranges::find(settings, true, &OwnSetting::may_be_chosen);
  return found != settings.end() ? &*found : nullptr;
}

const FamilyType& FamilyType::with(const Settings& given) const {
  const bool inferred = std::ranges::any_of(settings, [&](const OwnSetting& setting) {
    const auto value = given.find(setting.name);
    const bool unless_given = setting.absent == Absent::kInferred;
    return value == given.end()
               ? unless_given
               : (setting.may_be_inferred || unless_given) && std::isnan(value->second);
  });
  if (inferred) {
    return inferring->with(given);  // which may have a variant that samples more
  }
  Settings fixed;
  for (const Auxiliary& auxiliary : auxiliaries) {
    const auto value = given.find(auxiliary.name);
    if (value != given.end() && fixing(auxiliary).holds(value->second)) {  // else it is refused
      fixed.insert(*value);
    }
  }
  return fixed.empty() || density == nullptr ? *this : fixed_family_type(*this, fixed);
}

const FamilyType& FamilyType::of_classes(std::size_t classes) const {
  return is_ordered() && auxiliaries.size() + 1 != classes ? ordered_family_type(*this, classes)
                                                           : *this;
}

std::string FamilyType::key() const {
  std::string key = word;
  std::ranges::replace(key, '-', '_');
  return key;
}

std::vector<std::string> families_of(ResponseKind kind) {
  std::vector<std::string> words;
  for (const FamilyType* family : families()) {
    if (family->response == kind) {
      words.emplace_back(family->word);
    }
  }
  return words;
}

namespace {

void add_once(const OwnSetting& setting, std::vector<const OwnSetting*>& all) {
  if (std::ranges::none_of(all, [&](const OwnSetting* other) {
        return std::string_view(other->name) == setting.name;
      })) {
    all.push_back(&setting);
  }
}

// Of parameters that are sampled unless a number fixes them.
const std::vector<OwnSetting>& fixing_settings() {
  static const std::vector<OwnSetting> settings = [] {
    std::vector<OwnSetting> made;
    for (const FamilyType* family : families()) {
      for (const Auxiliary& auxiliary : family->auxiliaries) {
        made.push_back(fixing(auxiliary));
      }
    }
    return made;
  }();
  return settings;
}

}  // namespace

std::vector<const OwnSetting*> all_settings() {
  std::vector<const OwnSetting*> all;
  for (const FamilyType* family : families()) {
    for (const OwnSetting& setting : family->settings) {
      add_once(setting, all);
    }
  }
  for (const OwnSetting& setting : fixing_settings()) {
    add_once(setting, all);
  }
  return all;
}

const FamilyType& find_family(std::string_view word, const Message& setting) {
  std::set<std::string> listed;
  for (const FamilyType* family : families()) {
    if (word == family->word) {
      return *family;
    }
    listed.insert(family->word);
  }
  throw Error(ErrorKind::kUsage, message("{} {}: must be one of {}.", setting, shortened(word),
                                         fmt::format("{}", fmt::join(listed, ", "))));
}

double value_of(const OwnSetting& setting, const Settings& given) {
  const auto found = given.find(setting.name);
  return found != given.end() ? found->second : setting.usual;
}

double Family::log_density(std::span<const double> eta, double response) const {
  double value = 0.0;
  std::vector<double> one(eta.begin(), eta.end());
  log_likelihoods({one.data(), 1, static_cast<Index>(one.size()), Eigen::OuterStride<>(1)},
                  response, 1.0, {&value, 1});
  return value + log_constant(response, 1.0);
}

double to_natural(Natural scale, double predictor) noexcept {
  switch (scale) {
    case Natural::kPositive:
      return std::exp(predictor);
    case Natural::kShare:
      return sigmoid(predictor);
    default:
      return predictor;
  }
}
double to_predictor(Natural scale, double value) noexcept {
  switch (scale) {
    case Natural::kPositive:
      return std::log(value);
    case Natural::kShare:
      return std::log(value / (1.0 - value));
    default:
      return value;
  }
}

}  // namespace flymc
