#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "data/table/principal_components.hpp"
#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "paper/data.hpp"

namespace flymc::paper {
namespace {

TEST(SimulatedExperiment, HasTheShapeOfTheRealOne) {
  const PaperData mnist = load_experiment(Experiment::kMnist, "", {});
  EXPECT_TRUE(mnist.simulated);
  EXPECT_NE(mnist.source.find("simulated"), std::string::npos);
  EXPECT_EQ(mnist.table.rows, 12214U);
  EXPECT_EQ(mnist.table.columns.size(), 50U);
  EXPECT_EQ(mnist.table.response.labels.size(), 2U);
  const ColumnMoments components = column_moments(mnist.table, 1);
  EXPECT_GT(components.sd[0], 3.0 * components.sd[49]);
  const PaperData cifar = load_experiment(Experiment::kCifar, "", {});
  EXPECT_EQ(cifar.table.x.size(), 18000U * 256U);
  for (const double k : {0.0, 1.0, 2.0}) {
    const auto& classes = cifar.table.response.values;
    EXPECT_GT(std::count(classes.begin(), classes.end(), k), 4500);
  }
  EXPECT_TRUE(std::all_of(cifar.table.x.begin(), cifar.table.x.end(),
                          [](double x) { return x == 0.0 || x == 1.0; }));
  const PaperData opv = load_experiment(Experiment::kOpv, "", {});
  EXPECT_EQ(opv.table.rows, 125061U);
  EXPECT_EQ(opv.table.x.size(), 125061U * 57U);
  const Covariance covariance = covariance_of({opv.table.x.data(), 125061, 57}, 0);
  EXPECT_NEAR(covariance.matrix(20, 20), 1.0, 1e-10);
  EXPECT_NEAR(covariance.matrix(20, 21), 0.9, 0.01);
}

TEST(SimulatedExperiment, DependsOnTheSeedAndNeverOnThreads) {
  for (const Experiment experiment : {Experiment::kMnist, Experiment::kCifar, Experiment::kOpv}) {
    const auto draw = [&](std::uint64_t seed, unsigned threads) {
      return load_experiment(experiment, "", {.rows = 3000, .seed = seed, .threads = threads});
    };
    const PaperData one = draw(1, 1);
    const PaperData three = draw(1, 3);
    EXPECT_EQ(one.table.x, three.table.x);
    EXPECT_EQ(one.table.response.values, three.table.response.values);
    EXPECT_NE(one.table.x, draw(2, 1).table.x);
  }
}

TEST(EnlargedOpv, KeepsMeansCovarianceLineAndResiduals) {
  const PaperData opv = load_experiment(Experiment::kOpv, "", {.rows = 5000});
  const PaperData large = enlarge(opv, {.rows = 40000, .seed = 3, .threads = 2});
  EXPECT_TRUE(large.simulated);
  EXPECT_EQ(large.table.columns, opv.table.columns);
  EXPECT_EQ(large.table.x, enlarge(opv, {.rows = 40000, .seed = 3, .threads = 1}).table.x);
  const auto joint = [](const Table& table) {
    const auto n = static_cast<Index>(table.rows);
    RowMatrix all(n, 58);
    all << ConstRowMatrixView(table.x.data(), n, 57),
        ConstVectorView(table.response.values.data(), n);
    return covariance_of({all.data(), n, 58}, 1);
  };
  // Standard error of a covariance of unit normals: at most sqrt(2 / n); 6 of them for 1711
  // numbers.
  const double tolerance = 6.0 * std::sqrt(2.0 / 40000.0);
  const Covariance small_law = joint(opv.table);
  const Covariance large_law = joint(large.table);
  EXPECT_LT((small_law.mean - large_law.mean).cwiseAbs().maxCoeff(), 2.0 * tolerance);
  EXPECT_LT((small_law.matrix - large_law.matrix).topLeftCorner(57, 57).cwiseAbs().maxCoeff(),
            tolerance);
  const auto slopes = [](const Covariance& law) -> Vector {
    return law.matrix.topLeftCorner(57, 57).llt().solve(law.matrix.col(57).head(57));
  };
  // Residual sd about 0.5, columns' own news sd 0.3: standard error of a slope about 0.01.
  EXPECT_LT((slopes(small_law) - slopes(large_law)).cwiseAbs().maxCoeff(), 0.06);
  EXPECT_NEAR(large_law.matrix(57, 57) / small_law.matrix(57, 57), 1.0, 0.1);
}

}  // namespace
}  // namespace flymc::paper
