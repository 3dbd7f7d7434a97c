// Offsets of predictors beside the first: posteriors against integrals written down again here.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "fit/prepare.hpp"
#include "flymc/fit.hpp"
#include "flymc/predict.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

// y = 1 + e^(0.3 + c) normal, c from -1 to 1 and far from a mean of 0.
Table with_known_scales(std::size_t rows) {
  Table table;
  table.rows = rows;
  table.columns = {"c"};
  table.response.name = "y";
  Stream stream(5, 0, Purpose::kTest, 0);
  for (std::size_t n = 0; n < rows; ++n) {
    const double c = 2.0 * stream.uniform() - 0.6;
    table.x.push_back(c);
    table.response.values.push_back(1.0 + std::exp(0.3 + c) * stream.normal());
  }
  return table;
}

FitSettings normal_with(ColumnsOfPredictors columns) {
  FitSettings settings;
  settings.family = "normal";
  settings.columns = std::move(columns);
  settings.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = 3.0};
  settings.prior_aux = {{"sigma", "normal(0, 2)"}};
  settings.schedule = {.warmup = 500, .draws = 5000};
  settings.chains = 2;
  return settings;
}

struct PlaneMoments {
  double mean[2];
  double sd[2];
};

// Of a density on a plane, by sums over a grid that is fine beside its widths.
PlaneMoments integrate(const std::function<double(double, double)>& log_density, double low,
                       double high) {
  constexpr int kSteps = 600;
  const double step = (high - low) / kSteps;
  double top = -1e300;
  std::vector<double> logs;
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; j <= kSteps; ++j) {
      logs.push_back(log_density(low + i * step, low + j * step));
      top = std::max(top, logs.back());
    }
  }
  double mass = 0.0, first[2] = {0.0, 0.0}, second[2] = {0.0, 0.0};
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; j <= kSteps; ++j) {
      const double weight = std::exp(logs[static_cast<std::size_t>(i * (kSteps + 1) + j)] - top);
      const double at[2] = {low + i * step, low + j * step};
      mass += weight;
      for (int k = 0; k < 2; ++k) {
        first[k] += weight * at[k];
        second[k] += weight * at[k] * at[k];
      }
    }
  }
  PlaneMoments moments{};
  for (int k = 0; k < 2; ++k) {
    moments.mean[k] = first[k] / mass;
    moments.sd[k] = std::sqrt(second[k] / mass - moments.mean[k] * moments.mean[k]);
  }
  return moments;
}

PlaneMoments posterior_of(const Table& table) {
  return integrate(
      [&](double alpha, double sigma_alpha) {
        double sum = -alpha * alpha / 18.0 - sigma_alpha * sigma_alpha / 8.0;
        for (std::size_t n = 0; n < table.rows; ++n) {
          const double log_sigma = sigma_alpha + table.x[n];
          const double z = (table.response.values[n] - alpha) * std::exp(-log_sigma);
          sum -= log_sigma + 0.5 * z * z;
        }
        return sum;
      },
      -2.0, 3.0);
}

Summary summary_of(const Table& table, FitSettings settings, EngineKind engine) {
  settings.engine = engine;
  Fit fit(table, settings);
  fit.run();
  return fit.summary();
}

void expect_moments(const Estimate& estimate, double mean, double sd) {
  EXPECT_NEAR(estimate.mean, mean, 4.5 * estimate.mcse_mean);
  EXPECT_NEAR(estimate.sd / sd, 1.0, 4.5 / std::sqrt(estimate.ess_bulk));
}

TEST(OffsetsOfPredictors, AreInThePosterior) {
  const Table table = with_known_scales(80);
  const PlaneMoments exact = posterior_of(table);
  const FitSettings settings = normal_with({{"", {}}, {"sigma", {{}, true, {"c"}}}});
  for (const EngineKind engine : {EngineKind::kFly, EngineKind::kRegular}) {
    const Summary summary = summary_of(table, settings, engine);
    ASSERT_EQ(summary.parameters.size(), 2U);
    EXPECT_EQ(summary.parameters[1].column, "sigma_alpha");
    for (std::size_t k = 0; k < 2; ++k) {
      expect_moments(summary.parameters[k].estimate, exact.mean[k], exact.sd[k]);
    }
  }
}

// Moved by 5, with the prior: the intercept is 5 less, and nothing else is.
TEST(OffsetsOfPredictors, MoveTheInterceptTheOtherWay) {
  Table table = with_known_scales(80);
  const PlaneMoments exact = posterior_of(table);
  for (double& c : table.x) {
    c += 5.0;
  }
  FitSettings settings = normal_with({{"sigma", {{}, true, {"c"}}}});
  settings.prior_aux = {{"sigma", "normal(-5, 2)"}};
  const Summary summary = summary_of(table, settings, EngineKind::kFly);
  ASSERT_EQ(summary.parameters.size(), 2U);
  expect_moments(summary.parameters[0].estimate, exact.mean[0], exact.sd[0]);
  expect_moments(summary.parameters[1].estimate, exact.mean[1] - 5.0, exact.sd[1]);
}

// By itself the prior is of what is likely at the mean of the offset.
TEST(OffsetsOfPredictors, MoveThePriorThatIsTheirOwn) {
  Table table = with_known_scales(30);
  FitSettings settings = normal_with({{"sigma", {{}, true, {"c"}}}});
  settings.prior = {};
  settings.prior_aux.clear();
  const Summary here = summary_of(table, settings, EngineKind::kFly);
  for (double& c : table.x) {
    c -= 7.0;
  }
  const Summary there = summary_of(table, settings, EngineKind::kFly);
  for (std::size_t k = 0; k < 2; ++k) {
    const Estimate& one = here.parameters[k].estimate;
    const Estimate& other = there.parameters[k].estimate;
    EXPECT_NEAR(one.mean + (k == 1 ? 7.0 : 0.0), other.mean,
                4.5 * std::hypot(one.mcse_mean, other.mcse_mean));
    EXPECT_NEAR(one.sd / other.sd, 1.0, 4.5 * std::sqrt(1.0 / one.ess_bulk + 1.0 / other.ess_bulk));
  }
}

// Standard deviations that are known, row by row: what is left is a normal mean.
TEST(OffsetsOfPredictors, MayBeAllOfAPredictor) {
  const Table table = with_known_scales(60);
  double precision = 1.0 / 9.0, sum = 0.0;
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double weight = std::exp(-2.0 * table.x[n]);
    precision += weight;
    sum += weight * table.response.values[n];
  }
  const FitSettings settings = normal_with({{"", {}}, {"sigma", {{}, false, {"c"}}}});
  for (const EngineKind engine : {EngineKind::kFly, EngineKind::kRegular}) {
    const Summary summary = summary_of(table, settings, engine);
    ASSERT_EQ(summary.parameters.size(), 1U);
    expect_moments(summary.parameters[0].estimate, sum / precision, 1.0 / std::sqrt(precision));
  }
}

// The column is not dropped as one of no use: it is no coefficient's.
TEST(OffsetsOfPredictors, MayBeConstant) {
  Table table = with_known_scales(50);
  for (double& c : table.x) {
    c = 2.0;
  }
  const Problem problem = prepare(table, normal_with({{"", {}}, {"sigma", {{}, true, {"c"}}}}));
  EXPECT_TRUE(problem.warnings.empty());
  ASSERT_EQ(problem.data.raw_columns(), 1);
  std::vector<double> scratch(2), eta(2);
  const Matrix folded = Matrix::Zero(problem.data.folded_rows(), 2);
  problem.data.predict_row(7, folded, eta.data(), scratch.data());
  EXPECT_EQ(eta, (std::vector<double>{0.0, 2.0}));
  // A coefficient of it is dropped, the offset is not.
  const Problem both =
      prepare(table, normal_with({{"", {{"c"}}}, {"sigma", {{"c"}, true, {"c"}}}}));
  EXPECT_EQ(both.warnings.size(), 1U);
  EXPECT_EQ(both.parameters.size(), 2U);
  both.data.predict_row(7, folded, eta.data(), scratch.data());
  EXPECT_EQ(eta[1], 2.0);
}

TEST(OffsetsOfPredictors, KeepRowsApartThatAreEqualElse) {
  Table table;
  table.rows = 4;
  table.columns = {"c"};
  for (const double c : {0.0, 0.0, 1.0, 1.0}) {
    table.x.push_back(c);
    table.response.values.push_back(2.0);
  }
  table.response.values[3] = 3.0;
  FitSettings settings = normal_with({{"", {}}, {"sigma", {{}, true, {"c"}}}});
  settings.engine = EngineKind::kFly;
  ASSERT_TRUE(settings.merges_rows());
  EXPECT_EQ(prepare(table, settings).data.rows(), 3U);
}

TEST(OffsetsOfPredictors, AreRefusedWhereTheyCannotBe) {
  const auto refused = [](ColumnsOfPredictors columns) {
    try {
      Fit fit(with_known_scales(20), normal_with(std::move(columns)));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused({{"sigma", {{}, true, {"q"}}}}).find("no column 'q' for 'sigma'"),
            std::string::npos);
  EXPECT_NE(refused({{"", {{}, true, {"c"}}}}).find("its offset is that of the table"),
            std::string::npos);
}

}  // namespace
}  // namespace flymc
