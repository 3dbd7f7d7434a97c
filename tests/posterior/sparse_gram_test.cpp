#include "posterior/sparse_gram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "flymc/detail/posterior/pass.hpp"
#include "flymc/random.hpp"
#include "support/exact_wide.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using exact::levels_table;
using exact::standardised;

constexpr std::size_t kRows = 300;

Dataset::RawBlock all_rows(const Dataset& data, Buffer<double>& scratch) {
  return data.raw({0, data.rows()}, scratch);
}

TEST(DatasetEntries, AndTheBackgroundAreTheStandardisedRow) {
  Stream stream(1, 0, Purpose::kTest, 0);
  const Dataset data = standardised(levels_table(stream, kRows));
  Buffer<double> scratch;
  const Dataset::RawBlock raw = all_rows(data, scratch);
  const Vector background = data.background();
  EXPECT_LE(background.cwiseAbs().maxCoeff(), 1.0);
  EXPECT_EQ(background[0], 1.0);  // the intercept
  Vector expected(data.columns());
  std::vector<Dataset::Entry> entries;
  for (Index n = 0; n < raw.x.rows(); ++n) {
    entries.clear();
    data.append_entries(raw.x.row(n).data(), entries);
    EXPECT_LE(entries.size(), 4U);
    Vector row = background;
    for (const Dataset::Entry& entry : entries) {
      row[entry.column] += entry.value;
    }
    data.standardise(raw.x.row(n).data(), expected.data());
    EXPECT_LT((row - expected).cwiseAbs().maxCoeff(), 1e-13 * (1.0 + expected.norm()));
  }
}

// Against the sum as it is defined: each element by its own magnitude, weights of either sign.
TEST(SparseGram, IsTheSumOfWeightedSquaresOfStandardisedRows) {
  Stream stream(2, 0, Purpose::kTest, 0);
  const Dataset data = standardised(levels_table(stream, kRows));
  Buffer<double> scratch;
  const Dataset::RawBlock raw = all_rows(data, scratch);
  SparseGram sparse(data);
  ASSERT_TRUE(sparse.read(raw));
  const RowMatrix weights =
      RowMatrix::NullaryExpr(raw.x.rows(), 2, [&stream]() { return stream.uniform() - 0.1; });
  Matrix gram = Matrix::Zero(data.columns(), data.columns());
  sparse.add_to(gram, weights.col(1));
  sparse.add_to(gram, weights.col(1));  // adds, and reads its block again
  Matrix expected = Matrix::Zero(data.columns(), data.columns());
  Matrix size = expected;
  Vector row(data.columns());
  for (Index n = 0; n < raw.x.rows(); ++n) {
    data.standardise(raw.x.row(n).data(), row.data());
    expected += 2.0 * weights(n, 1) * row * row.transpose();
    const Vector longer = row.cwiseAbs().array() + 1.0;
    size += 2.0 * std::abs(weights(n, 1)) * longer * longer.transpose();
  }
  for (Index j = 0; j < data.columns(); ++j) {
    for (Index k = 0; k <= j; ++k) {
      ASSERT_NEAR(gram(j, k), expected(j, k), 1e-13 * size(j, k)) << j << " " << k;
    }
  }
}

TEST(SparseGram, LeavesDenseAndNarrowRowsToWholeProducts) {
  Stream stream(3, 0, Purpose::kTest, 0);
  Table dense = levels_table(stream, kRows);
  for (double& x : dense.x) {
    x = stream.normal();
  }
  Buffer<double> scratch;
  const Dataset all = standardised(std::move(dense));
  EXPECT_FALSE(SparseGram(all).read(all_rows(all, scratch)));
  for (const Index columns : {128, 127}) {
    Table table = levels_table(stream, kRows);
    std::vector<std::size_t> dropped;
    for (std::size_t first = 0;
         table.columns.size() + 1 - first > static_cast<std::size_t>(columns); ++first) {
      dropped.push_back(first);
    }
    drop_columns(table, dropped);
    const Dataset data = standardised(std::move(table));
    ASSERT_EQ(data.columns(), columns);
    EXPECT_EQ(SparseGram(data).read(all_rows(data, scratch)), columns == 128);
  }
}

// A pass by entries has the sums of one over the same rows whole: a row that is nowhere zero makes
// its block dense.
TEST(SparseGram, GivesAPassTheSumsOfWholeRows) {
  Stream stream(4, 0, Purpose::kTest, 0);
  const Table table = levels_table(stream, kRows);
  const Dataset sparse = standardised(table);
  Table shifted = table;  // the same standardised rows
  for (double& x : shifted.x) {
    x += 1.0;
  }
  const ColumnMoments moments = column_moments(table, 1);
  const Dataset dense(std::move(shifted), {true, moments.mean.array() + 1.0, moments.sd});
  const Vector theta = unit::normal_vector(stream, sparse.columns(), 0.1);
  const auto pass = [&](const Dataset& data) {
    return run_pass(data, theta, {.threads = 1}, [](PassBlock& block) {
      block.slopes = block.eta.array().sin();
      block.weights = 1.0 + block.eta.array().square();
      return block.eta.sum();
    });
  };
  const PassSums by_entries = pass(sparse);
  const PassSums whole = pass(dense);
  EXPECT_LT((by_entries.precision - whole.precision).norm(), 1e-11 * whole.precision.norm());
  EXPECT_LT((by_entries.gradient - whole.gradient).norm(), 1e-10 * whole.gradient.norm());
  EXPECT_EQ(by_entries.precision, by_entries.precision.transpose());
}

TEST(MarginalWide, TheJointOverAllBrightnessIsThePosterior) { EXPECT_LT(exact::wide_score(), 5.5); }

}  // namespace
}  // namespace flymc
