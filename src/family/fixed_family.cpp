#include "family/fixed_family.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>

#include "family/own_family.hpp"

namespace flymc {
namespace {

std::shared_ptr<const Family> make_fixed(const FamilyType& type, const Settings& settings,
                                         std::size_t classes);

struct FixedType : FamilyType {
  Settings fixed;
  std::vector<Auxiliary> left;
  std::vector<OwnSetting> numbers;
  std::vector<double> etas{};  // of the base's predictors: NaN where it is not fixed
  std::shared_ptr<const Family> whole;
  std::shared_ptr<const MatrixModel> model;

  FixedType(const FamilyType& base, Settings values)
      : FamilyType(base), fixed(std::move(values)), whole(base.make({}, 0)) {
    std::string text;
    std::vector<std::string> predictors{"mu"};
    etas.push_back(std::nan(""));
    for (const Auxiliary& auxiliary : base.auxiliaries) {
      const auto value = fixed.find(auxiliary.name);
      if (value == fixed.end()) {
        left.push_back(auxiliary);
        predictors.emplace_back(auxiliary.name);
        etas.push_back(std::nan(""));
      } else {
        numbers.push_back(fixing(auxiliary));
        etas.push_back(to_predictor(auxiliary.natural, value->second));
        text += fmt::format("{} = {:.17g}; ", auxiliary.name, etas.back());
      }
    }
    model = typed_model(text + base.density(), predictors);
    auxiliaries = left;
    settings = numbers;
    make_of = &make_fixed;
    density = nullptr;
  }
};

// Answers by the whole family, the fixed predictors filled in.
class FixedFamily final : public RuntimeFamily {
 public:
  explicit FixedFamily(const FixedType& type)
      : RuntimeFamily(type, type.fixed, type.model), etas_(type.etas), whole_(type.whole) {}

  void mean(std::span<double> eta) const override {
    const auto width = static_cast<std::size_t>(predictors());
    for (std::size_t at = 0; at < eta.size(); at += width) {
      eta[at] = mean_of(filled(eta.subspan(at, width)));
    }
  }
  void means(DrawsView eta) const override {
    std::vector<double> one(static_cast<std::size_t>(predictors()));
    for (Index s = 0; s < eta.rows(); ++s) {
      eta(s, 0) = mean_of(filled(row_of(eta, s, one)));
    }
  }
  void log_likelihoods(const DrawsView& eta, double response, double trials,
                       std::span<double> out) const override {
    std::vector<double> one(static_cast<std::size_t>(predictors()));
    for (std::size_t s = 0; s < out.size(); ++s) {
      std::vector<double> all = filled(row_of(eta, static_cast<Index>(s), one));
      whole_->log_likelihoods(
          {all.data(), 1, static_cast<Index>(all.size()), Eigen::OuterStride<>(1)}, response,
          trials, out.subspan(s, 1));
    }
  }
  [[nodiscard]] double log_constant(double response, double trials) const override {
    return whole_->log_constant(response, trials);
  }
  // Means grow with the first predictor. REQUIRES: nothing else is sampled.
  [[nodiscard]] double predictor(double mean) const override {
    double low = -700.0;
    double high = 700.0;
    constexpr int kHalvings = 60;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      (mean_of(filled({&middle, 1})) < mean ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }
  [[nodiscard]] double spread(double mean, std::span<const double> eta,
                              double trials) const override {
    const double only = eta.empty() ? predictor(mean) : 0.0;
    return whole_->spread(mean, filled(eta.empty() ? std::span(&only, 1) : eta), trials);
  }
  [[nodiscard]] double sample(Stream& stream, std::span<double> eta,
                              const Sampling& how) const override {
    std::vector<double> all = filled(eta);
    return whole_->sample(stream, all, how);
  }

 private:
  static std::span<const double> row_of(const DrawsView& eta, Index draw,
                                        std::vector<double>& out) {
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = eta(draw, static_cast<Index>(k));
    }
    return out;
  }
  [[nodiscard]] std::vector<double> filled(std::span<const double> eta) const {
    std::vector<double> all = etas_;
    auto next = eta.begin();
    for (double& one : all) {
      one = std::isnan(one) ? *next++ : one;
    }
    return all;
  }
  [[nodiscard]] double mean_of(std::vector<double> all) const {
    whole_->mean(all);
    return all[0];
  }

  std::vector<double> etas_;
  std::shared_ptr<const Family> whole_;
};

std::shared_ptr<const Family> make_fixed(const FamilyType& type, const Settings& /*settings*/,
                                         std::size_t /*classes*/) {
  return std::make_shared<const FixedFamily>(static_cast<const FixedType&>(type));
}

}  // namespace

const FamilyType& fixed_family_type(const FamilyType& base, const Settings& fixed) {
  static std::mutex mutex;
  static std::map<std::pair<const FamilyType*, Settings>, std::unique_ptr<FixedType>> known;
  const std::scoped_lock lock(mutex);
  std::unique_ptr<FixedType>& type = known[{&base, fixed}];
  if (!type) {
    type = std::make_unique<FixedType>(base, fixed);
  }
  return *type;
}

}  // namespace flymc
