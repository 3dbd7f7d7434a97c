#include "flymc/family/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/error.hpp"

namespace flymc {

const OwnSetting* FamilyType::chosen_setting() const noexcept {
  const auto found = std::ranges::find(settings, Absent::kChosen, &OwnSetting::absent);
  return found != settings.end() ? &*found : nullptr;
}

const FamilyType& FamilyType::with(const Settings& given) const noexcept {
  const bool inferred = std::ranges::any_of(settings, [&](const OwnSetting& setting) {
    const auto value = given.find(setting.name);
    return value == given.end() ? setting.absent == Absent::kInferred
                                : setting.may_be_inferred && std::isnan(value->second);
  });
  return inferred ? *inferring : *this;
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

std::vector<const OwnSetting*> all_settings() {
  std::vector<const OwnSetting*> all;
  for (const FamilyType* family : families()) {
    for (const OwnSetting& setting : family->settings) {
      const auto same = [&](const OwnSetting* other) {
        return std::string_view(other->name) == setting.name;
      };
      if (std::ranges::none_of(all, same)) {
        all.push_back(&setting);
      }
    }
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
