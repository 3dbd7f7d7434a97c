// Ordered classes: a density, its derivatives, and a bound below it wherever predictors may go.
#include "family/ordinal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "family/ordered_family.hpp"
#include "flymc/random.hpp"
#include "support/real.hpp"

namespace flymc {
namespace {

using smooth::packed;
using unit::Real;

// Increasing cut points after mu, some of them close.
std::vector<double> random_eta(std::size_t classes, Stream& stream) {
  std::vector<double> eta{1.5 * stream.normal(), -2.0 + stream.normal()};
  while (eta.size() < classes) {
    eta.push_back(eta.back() + unit::exp(-0.5 + 1.2 * stream.normal()));
  }
  return eta;
}

// As the model is defined, a difference of probabilities: of lower tails where these are small,
// else of upper ones.
Real textbook(const std::vector<Real>& eta, std::size_t k) {
  const auto tail = [&](std::size_t cut, Real side) {
    if (cut == 0 || cut == eta.size()) {
      return (cut == 0) == (side > 0) ? Real{0} : Real{1};
    }
    return 1 / (1 + unit::exp(side * (eta[0] - eta[cut])));
  };
  const std::size_t inner = k + 1 < eta.size() ? k + 1 : k;
  return eta[inner] < eta[0] && k + 1 < eta.size() ? unit::log(tail(k + 1, 1) - tail(k, 1))
                                                   : unit::log(tail(k, -1) - tail(k + 1, -1));
}
Real textbook(const std::vector<double>& eta, std::size_t k) {
  return textbook(std::vector<Real>(eta.begin(), eta.end()), k);
}

TEST(Ordinal, ClassesHaveTheirShareOfOne) {
  Stream stream(91, 0, Purpose::kTest, 0);
  for (const std::size_t classes : {3U, 5U, 8U}) {
    const Ordinal model(static_cast<int>(classes));
    for (int trial = 0; trial < 500; ++trial) {
      std::vector<double> eta = random_eta(classes, stream);
      double sum = 0.0;
      for (std::size_t k = 0; k < classes; ++k) {
        const double value = model.log_likelihood(eta.data(), static_cast<double>(k), nullptr);
        EXPECT_NEAR(value, static_cast<double>(textbook(eta, k)), 1e-10 * (1.0 + unit::abs(value)));
        sum += unit::exp(value);
      }
      EXPECT_NEAR(sum, 1.0, 1e-13);
      std::vector<double> shares = eta;
      model.mean(shares.data());
      for (std::size_t k = 0; k < classes; ++k) {
        EXPECT_NEAR(unit::log(shares[k]), static_cast<double>(textbook(eta, k)), 1e-13);
      }
    }
  }
}

TEST(Ordinal, SharesKeepTheirDigitsFarOutAndVanishWhereCutPointsCross) {
  const Ordinal model(4);
  for (const double predictor : {-300.0, -40.0, 40.0, 300.0}) {
    const std::vector<double> eta{predictor, -1.0, -0.999999, 2.0};
    std::vector<double> shares = eta;
    model.mean(shares.data());
    for (std::size_t k = 0; k < 4; ++k) {
      const auto expected = static_cast<double>(textbook(eta, k));
      EXPECT_NEAR(unit::log(shares[k]), expected, 1e-9) << predictor << " " << k;
    }
  }
  std::vector<double> crossed{0.3, 0.5, 0.4, 2.0};
  model.mean(crossed.data());
  EXPECT_EQ(crossed[1], 0.0);
}

TEST(Ordinal, HasTheSlopesAndTheInformationOfItsDensity) {
  Stream stream(92, 0, Purpose::kTest, 0);
  constexpr double kStep = 1e-5;
  for (const std::size_t classes : {3U, 5U}) {
    const Ordinal model(static_cast<int>(classes));
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> eta = random_eta(classes, stream);
      const auto k = static_cast<double>(
          static_cast<std::size_t>(stream.uniform() * static_cast<double>(classes)));
      std::vector<double> slopes(classes);
      std::vector<double> above(classes);
      std::vector<double> below(classes);
      std::vector<double> information(classes * (classes + 1) / 2);
      const double value = model.log_likelihood(eta.data(), k, slopes.data());
      EXPECT_EQ(value, model.log_likelihood(eta.data(), k, nullptr));
      model.information(eta.data(), k, information.data());
      for (std::size_t j = 0; j < classes; ++j) {
        const double at = eta[j];
        eta[j] = at + kStep;
        const double up = model.log_likelihood(eta.data(), k, above.data());
        eta[j] = at - kStep;
        const double down = model.log_likelihood(eta.data(), k, below.data());
        eta[j] = at;
        const double size = 1.0 + *std::max_element(information.begin(), information.end());
        EXPECT_NEAR(slopes[j], (up - down) / (2.0 * kStep), 1e-7 * size * size);
        for (std::size_t i = j; i < classes; ++i) {
          EXPECT_NEAR(-information[packed(i, j)], (above[i] - below[i]) / (2.0 * kStep),
                      1e-6 * size * size);
        }
      }
    }
  }
}

TEST(Ordinal, CutPointsOutOfOrderAreImpossible) {
  const Ordinal model(4);
  const double low = -std::numeric_limits<double>::infinity();
  const double anchor[] = {0.3, -1.0, 0.5, 2.0};
  const double crossed[] = {0.3, -1.0, -1.2, 2.0};
  const double met[] = {0.3, -1.0, -1.0, 2.0};
  EXPECT_TRUE(model.is_possible(anchor));
  double slopes[4];
  for (const double* eta : {crossed, met}) {
    EXPECT_FALSE(model.is_possible(eta));
    EXPECT_EQ(model.log_likelihood(eta, 1.0, nullptr), low);
    EXPECT_EQ(model.log_likelihood(eta, 1.0, slopes), low);
    EXPECT_TRUE(std::isnan(slopes[1]));  // no search goes on from there
    double u[4];
    std::transform(eta, eta + 4, anchor, u, std::minus{});
    EXPECT_EQ(model.remainder(anchor, u, 1.0, slopes), low);
  }
  const double covariance[] = {1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  const bool shared[] = {false, true, true, true};
  double curvature[10];
  EXPECT_FALSE(model.local_curvature(anchor, 1.0, {covariance, 4.0, shared, 3.0}, curvature))
      << "a region that holds impossible cut points has no bound";
}

// A region of predictors and points of it: the covariance of all, whitened with what is shared
// first, in its order.
class CutRegion {
 public:
  CutRegion(std::size_t classes, Stream& stream) : classes_(classes), shared_(classes) {
    const double scale = 0.15 * std::pow(10.0, -2.0 * stream.uniform());
    const double mixing = stream.uniform() < 0.5 ? 0.0 : stream.normal();
    std::vector<std::vector<double>> a(classes, std::vector<double>(classes));
    for (std::size_t i = 0; i < classes; ++i) {
      const double size = scale * unit::exp(0.5 * stream.normal());
      for (std::size_t j = 0; j < classes; ++j) {
        a[i][j] = size * (i == j ? 1.0 : mixing * stream.normal());
      }
    }
    for (std::size_t i = 0; i < classes; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0.0;
        for (std::size_t l = 0; l < classes; ++l) {
          sum += a[i][l] * a[j][l];
        }
        covariance_.push_back(sum);
      }
    }
    const bool all_alike = stream.uniform() < 0.2;
    for (std::size_t k = 0; k < classes; ++k) {
      shared_[k] = k > 0 && !all_alike;
      order_.push_back((k + 1) % classes);
    }
    radius_ = 3.0 + 8.0 * stream.uniform();
    shared_radius_ = 1.0 + 3.0 * stream.uniform();
    root_.assign(classes, std::vector<double>(classes));
    for (std::size_t i = 0; i < classes; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double rest =
            covariance_[packed(std::max(order_[i], order_[j]), std::min(order_[i], order_[j]))];
        for (std::size_t l = 0; l < j; ++l) {
          rest -= root_[i][l] * root_[j][l];
        }
        root_[i][j] = i == j ? std::sqrt(std::max(rest, 0.0)) : rest / root_[j][j];
      }
    }
  }

  [[nodiscard]] PredictorRegion region() const {
    std::copy(shared_.begin(), shared_.end(), flags_);
    return {covariance_.data(), radius_, flags_, shared_radius_};
  }
  // |w| <= radius and |w_c| <= shared_radius, at the corners of the latter often.
  [[nodiscard]] std::vector<double> point(Stream& stream) const {
    std::vector<double> w(classes_);
    const bool corner = stream.uniform() < 0.5;
    double norm = 0.0;
    for (std::size_t i = 0; i < classes_; ++i) {
      const double most = shared_[order_[i]] ? shared_radius_ : radius_;
      w[i] = corner ? std::copysign(most, stream.normal()) : most * stream.normal();
      w[i] = std::clamp(w[i], -most, most) * (i + 1 < classes_ ? 1.0 : stream.uniform());
      norm += w[i] * w[i];
    }
    const double shorter = std::min(1.0, radius_ / std::sqrt(norm));
    std::vector<double> u(classes_);
    for (std::size_t i = 0; i < classes_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        u[order_[i]] += root_[i][j] * w[j] * shorter;
      }
    }
    return u;
  }

 private:
  std::size_t classes_;
  std::vector<double> covariance_;
  std::vector<bool> shared_;
  mutable bool flags_[kMostPredictors];
  std::vector<std::size_t> order_;  // cut points, then mu
  std::vector<std::vector<double>> root_;
  double radius_ = 0.0;
  double shared_radius_ = 0.0;
};

double parabola(const std::vector<double>& w, const std::vector<double>& u) {
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      sum += (i == j ? 0.5 : 1.0) * w[packed(i, j)] * u[i] * u[j];
    }
  }
  return sum;
}

TEST(Ordinal, HasABoundBelowEveryClassInEveryRegion) {
  Stream stream(93, 0, Purpose::kTest, 0);
  for (const std::size_t classes : {3U, 5U, 8U}) {
    const Ordinal model(static_cast<int>(classes));
    std::vector<int> bounded(classes);
    constexpr int kTrials = 3000;
    for (int trial = 0; trial < kTrials; ++trial) {
      const std::vector<double> anchor = random_eta(classes, stream);
      const CutRegion where(classes, stream);
      for (std::size_t k = 0; k < classes; ++k) {
        const auto y = static_cast<double>(k);
        std::vector<double> w(classes * (classes + 1) / 2);
        if (!model.local_curvature(anchor.data(), y, where.region(), w.data())) {
          continue;
        }
        ++bounded[k];
        std::vector<double> slopes(classes);
        const double value = model.log_likelihood(anchor.data(), y, slopes.data());
        for (int point = 0; point < 6; ++point) {
          const std::vector<double> u = where.point(stream);
          std::vector<double> change(classes);
          const double rest = model.remainder(anchor.data(), u.data(), y, change.data());
          ASSERT_GE(rest + parabola(w, u), 0.0)
              << "class " << k << " of " << classes << ", trial " << trial;
          // The remainder is what is left of the density.
          std::vector<Real> moved(anchor.begin(), anchor.end());
          Real line = value;
          Real size = 1 + unit::abs(value);
          for (std::size_t j = 0; j < classes; ++j) {
            moved[j] += u[j];
            line += static_cast<Real>(slopes[j]) * u[j];
            size += unit::abs(static_cast<Real>(slopes[j]) * u[j]);
          }
          ASSERT_NEAR(static_cast<double>(textbook(moved, k) - line), rest,
                      static_cast<double>(1e-11 * size));
        }
      }
    }
    for (std::size_t k = 0; k < classes; ++k) {
      EXPECT_GT(bounded[k], kTrials / 3) << "class " << k << " of " << classes;
    }
  }
}

// As the region shrinks a bound needs no more than the density's own bend.
TEST(Ordinal, BoundsOfSmallRegionsBendAsTheDensityDoes) {
  Stream stream(94, 0, Purpose::kTest, 0);
  const Ordinal model(5);
  const std::vector<double> anchor{0.4, -1.5, -0.3, 0.9, 2.0};
  std::vector<double> covariance(15);
  for (std::size_t k = 0; k < 5; ++k) {
    covariance[packed(k, k)] = 1e-10;
  }
  const bool shared[] = {false, true, true, true, true};
  for (int k = 0; k < 5; ++k) {
    std::vector<double> w(15);
    std::vector<double> information(15);
    ASSERT_TRUE(
        model.local_curvature(anchor.data(), k, {covariance.data(), 5.0, shared, 4.0}, w.data()));
    model.information(anchor.data(), k, information.data());
    for (std::size_t p = 0; p < w.size(); ++p) {
      EXPECT_NEAR(w[p], information[p], 1e-3);
    }
  }
}

TEST(Ordinal, SamplesClassesByTheirShares) {
  const Ordinal model(4);
  const std::vector<double> eta{0.4, -1.0, 0.2, 1.5};
  std::vector<double> shares = eta;
  model.mean(shares.data());
  Stream stream(95, 0, Purpose::kTest, 0);
  constexpr int kDraws = 40'000;
  std::vector<double> seen(4);
  for (int i = 0; i < kDraws; ++i) {
    std::vector<double> predictors = eta;
    seen[static_cast<std::size_t>(model.sample(stream, predictors.data(), {}))] += 1.0 / kDraws;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(seen[k], shares[k], 4.5 * std::sqrt(shares[k] * (1.0 - shares[k]) / kDraws));
  }
  std::vector<double> likeliest = eta;
  EXPECT_EQ(model.sample(stream, likeliest.data(), {.certain = true}),
            static_cast<double>(std::max_element(shares.begin(), shares.end()) - shares.begin()));
}

TEST(Ordinal, TypesHaveTheCutPointsOfTheirClasses) {
  const FamilyType& family = find_family("ordinal");
  EXPECT_TRUE(family.auxiliaries.empty());
  const FamilyType& five = family.of_classes(5);
  ASSERT_EQ(five.auxiliaries.size(), 4U);
  EXPECT_STREQ(five.auxiliaries[3].name, "cut.4");
  EXPECT_EQ(five.auxiliaries[3].law(), "cut");
  EXPECT_EQ(&family.of_classes(5), &five);
  EXPECT_EQ(&five.of_classes(5), &five);
  EXPECT_EQ(family.make({}, 5)->predictors(), 5);
  EXPECT_EQ(&family.make({}, 5)->type(), &five);
}

}  // namespace
}  // namespace flymc
