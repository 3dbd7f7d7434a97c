// From the class of a family to what is known of it at run time.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

template <class M>
inline constexpr bool kHasSettings = requires {
  M::kSettings;
};

// Some direction may only make it more likely: of classes, or successes of trials.
template <class M>
inline constexpr bool kMaySeparate =
    M::kResponse == ResponseKind::kTwoClasses || M::kResponse == ResponseKind::kSuccesses ||
    M::kResponse == ResponseKind::kClasses;

// Of a response there are probabilities of its classes, no mean.
template <class M>
inline constexpr bool kHasProbabilities =
    M::kResponse == ResponseKind::kClasses || M::kResponse == ResponseKind::kOrdered;

// What a listed family has beside its bounded likelihood. Where data may be separable, also whether
// -phi'' <= |phi'| at every predictor of a row with an open side (src/tune/separation.hpp).
// Optional:
//   means(ArrayView)               mean() of many draws at once
//   spread(mean)                   of a number or a count, of successes spread(mean, trials); these
//                                  must have it
//   predictor(mean)                the link; a family of counts must have it
//   log_constant(response, trials) where the likelihood leaves something out
//   kSettings                      in the order of the constructor's arguments; with them
//   kSettingsWords                 the same as a sentence, {} for each number, and
//   choose(given, data, seed)      where one is chosen from the data
//   Inferring                      the variant that samples a setting of Absent::kInferred; it has
//                                  the same word and is listed in families.txt too
//   kTakesCensored                 of numbers > 0: the likelihood of -t is that of more than t
//   kDensity                       its log density as text (FamilyType::density)
//   kAuxiliaries                   of a model whose predictors have columns of their own; not of
//                                  ordered classes, whose number the data say
template <class M>
concept FamilyDefinition = BoundedLikelihood<M> &&
    requires(const M& model, double eta, double* several, Stream& stream, const Sampling& how) {
  { M::kWord } -> std::convertible_to<const char*>;
  { M::kResponse } -> std::convertible_to<ResponseKind>;
  { M::kLink } -> std::convertible_to<const char*>;
  { M::open_side(eta) } -> std::same_as<OpenSide>;
  requires !kMaySeparate<M> || requires {
    { M::kInformationWithinSlope } -> std::convertible_to<bool>;
  };
  requires requires {
    { model.mean(eta) } -> std::same_as<double>;
    { model.sample(stream, eta, how) } -> std::same_as<double>;
  } || requires(const double* predictors) {
    { model.mean(predictors) } -> std::same_as<double>;
    { model.sample(stream, predictors, how) } -> std::same_as<double>;
  } || requires {
    model.mean(several);
    { model.sample(stream, several, how) } -> std::same_as<double>;
  };
};

namespace detail {

template <class M>
[[nodiscard]] constexpr std::span<const OwnSetting> settings_of() noexcept {
  if constexpr (kHasSettings<M>) {
    return M::kSettings;
  } else {
    return {};
  }
}

template <class M>
[[nodiscard]] constexpr std::span<const Auxiliary> auxiliaries_of() noexcept {
  if constexpr (MatrixLikelihood<M> && M::kResponse != ResponseKind::kOrdered) {
    static_assert(std::size(M::kAuxiliaries) + 1 == static_cast<std::size_t>(M::kPredictors));
    return M::kAuxiliaries;
  } else {
    return {};
  }
}

template <class M>
[[nodiscard]] constexpr const FamilyType* inferring_of() noexcept;

template <class M>
[[nodiscard]] constexpr bool information_within_slope() noexcept {
  if constexpr (kMaySeparate<M>) {
    return M::kInformationWithinSlope;
  }
  return false;
}

template <class M>
[[nodiscard]] constexpr bool takes_censored() noexcept {
  if constexpr (requires { M::kTakesCensored; }) {
    return M::kTakesCensored;
  }
  return false;
}

template <class M>
[[nodiscard]] constexpr const char* settings_words_of() noexcept {
  if constexpr (requires { M::kSettingsWords; }) {
    return M::kSettingsWords;
  } else {
    return "";
  }
}

template <class M>
[[nodiscard]] M make_model(const Settings& settings, [[maybe_unused]] std::size_t classes) {
  if constexpr (kHasSettings<M>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return M(value_of(M::kSettings[I], settings)...);
    }
    (std::make_index_sequence<std::size(M::kSettings)>{});
  } else if constexpr (VectorLikelihood<M> && kHasProbabilities<M>) {
    return M(static_cast<int>(classes));
  } else {
    return M{};
  }
}

// Every setting with its value.
template <class M>
[[nodiscard]] Settings complete(const Settings& given) {
  Settings settings;
  for (const OwnSetting& setting : settings_of<M>()) {
    settings[setting.name] = value_of(setting, given);
  }
  return settings;
}

}  // namespace detail

template <FamilyDefinition M>
class FamilyOf final : public Family {
 public:
  FamilyOf(const FamilyType& type, const Settings& given, std::size_t classes)
      : Family(type, detail::complete<M>(given), static_cast<int>(type.predictors(classes))),
        model_(detail::make_model<M>(given, classes)) {}

  [[nodiscard]] const M& model() const noexcept { return model_; }

  void mean(std::span<double> eta) const override {
    if constexpr (MatrixLikelihood<M> && !kHasProbabilities<M>) {
      for (std::size_t at = 0; at < eta.size(); at += M::kPredictors) {
        eta[at] = model_.mean(&std::as_const(eta[at]));
      }
    } else if constexpr (VectorLikelihood<M>) {
      const auto width = static_cast<std::size_t>(predictors());
      for (std::size_t at = 0; at < eta.size(); at += width) {
        model_.mean(&eta[at]);
      }
    } else {
      for (double& one : eta) {
        one = model_.mean(one);
      }
    }
  }

  void means(DrawsView eta) const override {
    if constexpr (MatrixLikelihood<M> && !kHasProbabilities<M>) {
      std::array<double, M::kPredictors> one;
      for (Index s = 0; s < eta.rows(); ++s) {
        for (std::size_t k = 0; k < one.size(); ++k) {
          one[k] = eta(s, static_cast<Index>(k));
        }
        eta(s, 0) = model_.mean(std::as_const(one).data());
      }
    } else if constexpr (VectorLikelihood<M>) {
      in_blocks(eta, [&](DrawsView block) { model_.means(block); });
    } else if constexpr (requires(ArrayView draws) { model_.means(draws); }) {
      in_blocks(eta, [&](DrawsView block) { model_.means(ArrayView(block.data(), block.rows())); });
    } else {
      mean({eta.data(), static_cast<std::size_t>(eta.rows())});
    }
  }

  void log_likelihoods(const DrawsView& eta, double response, [[maybe_unused]] double trials,
                       std::span<double> out) const override {
    if constexpr (VectorLikelihood<M>) {
      std::vector<double> one(static_cast<std::size_t>(eta.cols()));
      for (std::size_t s = 0; s < out.size(); ++s) {
        for (std::size_t k = 0; k < one.size(); ++k) {
          one[k] = eta(static_cast<Index>(s), static_cast<Index>(k));
        }
        out[s] = model_.log_likelihood(one.data(), response, nullptr);
      }
    } else {
      const double* const draws = eta.data();
      for (std::size_t s = 0; s < out.size(); ++s) {
        out[s] = trials * model_.log_likelihood(draws[s], response);
      }
    }
  }

  [[nodiscard]] double log_constant([[maybe_unused]] double response,
                                    [[maybe_unused]] double trials) const override {
    if constexpr (requires { model_.log_constant(response, trials); }) {
      return model_.log_constant(response, trials);
    } else {
      return 0.0;
    }
  }

  [[nodiscard]] double predictor([[maybe_unused]] double mean) const override {
    if constexpr (requires { model_.predictor(mean); }) {
      return model_.predictor(mean);
    } else {
      static_assert(M::kResponse != ResponseKind::kCounts || MatrixLikelihood<M>,
                    "a family of counts needs predictor(mean), the link");
      return std::nan("");
    }
  }

  [[nodiscard]] double spread([[maybe_unused]] double mean,
                              [[maybe_unused]] std::span<const double> eta,
                              [[maybe_unused]] double trials) const override {
    if constexpr (requires { model_.spread(eta.data(), trials); }) {
      return model_.spread(eta.data(), trials);
    } else if constexpr (requires { model_.spread(mean, trials); }) {
      return model_.spread(mean, trials);
    } else if constexpr (requires { model_.spread(eta.data()); }) {
      return model_.spread(eta.data());
    } else if constexpr (requires { model_.spread(mean); }) {
      return model_.spread(mean);
    } else {
      static_assert(!are_numbers(M::kResponse), "a family of numbers or counts needs spread(mean)");
      return std::nan("");
    }
  }

  [[nodiscard]] double sample(Stream& stream, std::span<double> eta,
                              const Sampling& how) const override {
    if constexpr (VectorLikelihood<M>) {
      return model_.sample(stream, eta.data(), how);
    } else {
      return model_.sample(stream, eta[0], how);
    }
  }

 private:
  // Blocks of one shape and alignment: where a draw lies in memory must not change its digits, as
  // it does where some are treated in registers and the last few one by one.
  template <class Change>
  static void in_blocks(DrawsView eta, const Change& change) {
    constexpr int kTogether = 64;
    Eigen::Array<double, kTogether, Eigen::Dynamic> block(kTogether, eta.cols());
    for (Index first = 0; first < eta.rows(); first += kTogether) {
      const Index count = std::min<Index>(kTogether, eta.rows() - first);
      block.bottomRows(kTogether - count).setZero();
      block.topRows(count) = eta.middleRows(first, count);
      change(DrawsView(block.data(), kTogether, eta.cols(), Eigen::OuterStride<>(kTogether)));
      eta.middleRows(first, count) = block.topRows(count);
    }
  }

  M model_;
};

namespace detail {

template <class M>
[[nodiscard]] std::shared_ptr<const Family> make_family(const FamilyType& type,
                                                        const Settings& settings,
                                                        std::size_t classes);

template <class M>
[[nodiscard]] constexpr auto choose_of() noexcept
    -> ChosenSettings (*)(const Settings&, const Dataset&, std::uint64_t) {
  if constexpr (requires { &M::choose; }) {
    return &M::choose;
  } else {
    return nullptr;
  }
}

// Of a model made of text, or one that says what its text would be.
template <class M>
[[nodiscard]] constexpr auto density_of() noexcept -> std::string (*)() {
  if constexpr (requires(const M& model) { model.expression(); }) {
    return +[] { return M{}.expression().text(); };
  } else if constexpr (requires { M::kDensity; }) {
    return +[] { return std::string(M::kDensity); };
  } else {
    return nullptr;
  }
}

template <class M>
[[nodiscard]] constexpr auto gaussian_of() noexcept -> double (*)(double) {
  if constexpr (requires { &M::gaussian; }) {
    return &M::gaussian;
  } else {
    return nullptr;
  }
}

template <class M>
inline constexpr bool kLeavesOutConstant = requires(const M& model) {
  model.log_constant(0.0, 1.0);
};

}  // namespace detail

template <FamilyDefinition M>
inline constexpr FamilyType kFamilyType{
    .word = M::kWord,
    .response = M::kResponse,
    .link = M::kLink,
    .log_concave = M::kLogConcave,
    .information_within_slope = detail::information_within_slope<M>(),
    .has_global_bound = kHasGlobalBound<M>,
    .says_mean = true,
    .takes_censored = detail::takes_censored<M>(),
    .leaves_out_constant = detail::kLeavesOutConstant<M>,
    .settings = detail::settings_of<M>(),
    .auxiliaries = detail::auxiliaries_of<M>(),
    .inferring = detail::inferring_of<M>(),
    .settings_words = detail::settings_words_of<M>(),
    .open_side = &M::open_side,
    .make_of = &detail::make_family<M>,
    .choose = detail::choose_of<M>(),
    .density = detail::density_of<M>(),
    .gaussian = detail::gaussian_of<M>()};

template <class M>
constexpr const FamilyType* detail::inferring_of() noexcept {
  if constexpr (requires { typename M::Inferring; }) {
    return &kFamilyType<typename M::Inferring>;
  } else {
    return nullptr;
  }
}

template <class M>
std::shared_ptr<const Family> detail::make_family(const FamilyType& type, const Settings& settings,
                                                  std::size_t classes) {
  return std::make_shared<const FamilyOf<M>>(type, settings, classes);
}

// REQUIRES: the family is one of these.
template <FamilyDefinition M>
[[nodiscard]] const M& model_of(const Family& family) noexcept {
  return static_cast<const FamilyOf<M>&>(family).model();
}

}  // namespace flymc
