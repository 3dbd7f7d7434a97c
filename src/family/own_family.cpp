#include "family/own_family.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "family/auto/typed_density.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

template <int P>
std::shared_ptr<const MatrixModel> model_of_text(Expression expression,
                                                 std::shared_ptr<const PairCodes> codes) {
  return std::make_shared<const MatrixModelOf<Typed<P>>>(
      Typed<P>(std::move(expression), std::move(codes)));
}

std::shared_ptr<const MatrixModel> model_of_text(Expression expression,
                                                 std::shared_ptr<const PairCodes> codes) {
  switch (expression.predictors().size()) {
    case 1:
      return model_of_text<1>(std::move(expression), std::move(codes));
    case 2:
      return model_of_text<2>(std::move(expression), std::move(codes));
    case 3:
      return model_of_text<3>(std::move(expression), std::move(codes));
    default:
      return model_of_text<4>(std::move(expression), std::move(codes));
  }
}

OpenSide no_open_side(double /*response*/) { return OpenSide::kNeither; }

std::shared_ptr<const Family> make_own(const FamilyType& type, const Settings& settings,
                                       std::size_t classes);

// Type, names and model live together.
struct OwnType : FamilyType {
  std::vector<std::string> names;
  std::vector<Auxiliary> others;
  std::shared_ptr<PairCodes> codes;  // null: y is the response
  std::shared_ptr<const MatrixModel> model;

  OwnType(const std::string& text, const std::vector<std::string>& predictors,
          const std::vector<std::string>& data)
      : FamilyType{.word = kOwnWord,
                   .response = ResponseKind::kNumbers,
                   .link = "own",
                   .log_concave = false,
                   .information_within_slope = false,
                   .has_global_bound = false,
                   .says_mean = false,
                   .takes_censored = false,
                   .leaves_out_constant = true,
                   .settings = {},
                   .auxiliaries = {},
                   .inferring = nullptr,
                   .settings_words = "",
                   .open_side = &no_open_side,
                   .make_of = &make_own,
                   .choose = nullptr},
        names(predictors),
        codes(data.size() > 1 ? std::make_shared<PairCodes>() : nullptr),
        model(model_of_text(
            Expression(text, predictors, data.empty() ? std::vector<std::string>{"y"} : data),
            codes)) {
    constexpr double kWide = 5.0;
    for (std::size_t k = 1; k < names.size(); ++k) {
      others.push_back({.name = names[k].c_str(),
                        .natural = Natural::kPredictor,
                        .prior = {.kind = PriorKind::kNormal, .scale = kWide}});
    }
    auxiliaries = others;
  }
};

class OwnFamily final : public RuntimeFamily {
 public:
  explicit OwnFamily(const OwnType& type) : RuntimeFamily(type, {}, type.model) {}

  void mean(std::span<double> /*eta*/) const override {}
  void means(DrawsView /*eta*/) const override {}
  void log_likelihoods(const DrawsView& eta, double response, double /*trials*/,
                       std::span<double> out) const override {
    std::vector<double> one(static_cast<std::size_t>(eta.cols()));
    for (std::size_t s = 0; s < out.size(); ++s) {
      for (std::size_t k = 0; k < one.size(); ++k) {
        one[k] = eta(static_cast<Index>(s), static_cast<Index>(k));
      }
      out[s] = model()->log_likelihood(one.data(), response, nullptr);
    }
  }
  [[nodiscard]] double log_constant(double /*response*/, double /*trials*/) const override {
    return 0.0;
  }
  [[nodiscard]] double observed(double response) const override {
    const PairCodes* const codes = pair_codes(type());
    return codes != nullptr ? codes->at(response)[0] : response;
  }
  [[nodiscard]] double predictor(double /*mean*/) const override { return std::nan(""); }
  [[nodiscard]] double spread(double /*mean*/, std::span<const double> /*eta*/,
                              double /*trials*/) const override {
    return std::nan("");
  }
  [[nodiscard]] double sample(Stream& /*stream*/, std::span<double> /*eta*/,
                              const Sampling& /*how*/) const override {
    throw Error(ErrorKind::kUsage,
                "a likelihood as text says how likely a response is, not how to "
                "draw one.");
  }
};

std::shared_ptr<const Family> make_own(const FamilyType& type, const Settings& /*settings*/,
                                       std::size_t /*classes*/) {
  return std::make_shared<const OwnFamily>(static_cast<const OwnType&>(type));
}

}  // namespace

std::shared_ptr<const MatrixModel> typed_model(const std::string& text,
                                               const std::vector<std::string>& predictors) {
  return model_of_text(Expression(text, predictors, {"y"}), nullptr);
}

const FamilyType& own_family_type(const std::string& text,
                                  const std::vector<std::string>& predictors,
                                  const std::vector<std::string>& data) {
  using Key = std::tuple<std::string, std::vector<std::string>, std::vector<std::string>>;
  static std::mutex mutex;
  static std::map<Key, std::unique_ptr<OwnType>> known;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<OwnType>& type = known[{text, predictors, data}];
  if (!type) {
    type = std::make_unique<OwnType>(text, predictors, data);
  }
  return *type;
}

PairCodes* pair_codes(const FamilyType& type) noexcept {
  return type.word == kOwnWord ? static_cast<const OwnType&>(type).codes.get() : nullptr;
}

std::shared_ptr<const MatrixModel> own_model(const Family& family) {
  return static_cast<const RuntimeFamily&>(family).model();
}

}  // namespace flymc
