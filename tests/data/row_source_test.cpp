// Rows that somebody else owns give the same numbers as a copy of them would, however they lie.
#include "flymc/detail/data/table/row_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "data/table/merge_rows.hpp"
#include "flymc/dataset.hpp"

namespace flymc {
namespace {

using ::testing::ElementsAre;

std::vector<double> all(const RowSource& source) {
  std::vector<double> scratch(source.rows() * source.columns());
  const double* const x = source.block({0, source.rows()}, scratch.data());
  return {x, x + scratch.size()};
}

const std::vector<double> kNumbers{1, 2, 3, 4, 5, 6};

TEST(RowSource, UsesRowsWhereTheyLie) {
  const RowSource source(kNumbers.data(), {3, 2, 2}, nullptr);
  EXPECT_TRUE(source.in_place());
  EXPECT_EQ(source.block({1, 3}, nullptr), kNumbers.data() + 2);
  EXPECT_FALSE(source.empty());
  EXPECT_TRUE(RowSource().empty());
}

TEST(RowSource, ReadsAnyStride) {
  const RowSource fortran(kNumbers.data(), {3, 2, 1, 3}, nullptr);
  EXPECT_FALSE(fortran.in_place());
  EXPECT_THAT(all(fortran), ElementsAre(1, 4, 2, 5, 3, 6));
  const RowSource backwards(kNumbers.data() + 4, {3, 2, -2}, nullptr);
  EXPECT_THAT(all(backwards), ElementsAre(5, 6, 3, 4, 1, 2));
  const RowSource wide(kNumbers.data(), {2, 2, 3}, nullptr);
  EXPECT_THAT(all(wide), ElementsAre(1, 2, 4, 5));
}

TEST(RowSource, WidensFloats) {
  const std::vector<float> floats{0.1F, 2.0F, -3.5F, 4.0F};
  const RowSource source(floats.data(), {2, 2, 2}, nullptr);
  EXPECT_THAT(all(source), ElementsAre(static_cast<double>(0.1F), 2, -3.5, 4));
  EXPECT_TRUE(source.is_float32());
}

TEST(RowSource, SelectionsFollowOneAnother) {
  RowSource source(kNumbers.data(), {2, 3, 3}, nullptr);
  source.keep_columns(std::vector<std::size_t>{2, 0, 1});
  EXPECT_THAT(all(source), ElementsAre(3, 1, 2, 6, 4, 5));
  source.keep_columns(std::vector<std::size_t>{0, 2});
  EXPECT_THAT(all(source), ElementsAre(3, 2, 6, 5));
  source.keep_rows({1, 0, 1});
  EXPECT_THAT(all(source), ElementsAre(6, 5, 3, 2, 6, 5));
  source.keep_rows({2});
  EXPECT_THAT(all(source), ElementsAre(6, 5));
}

TEST(RowSource, KeepsItsOwnerAlive) {
  auto owner = std::make_shared<const std::vector<double>>(kNumbers);
  const std::weak_ptr<const std::vector<double>> watch = owner;
  {
    const double* const first = owner->data();
    const RowSource source(first, {3, 2, 2}, std::move(owner));
    const RowSource copy = source;
    EXPECT_FALSE(watch.expired());
    EXPECT_THAT(all(copy), ElementsAre(1, 2, 3, 4, 5, 6));
  }
  EXPECT_TRUE(watch.expired());
}

// A table that owns its rows and one that points to the same numbers.
struct Twins {
  explicit Twins(std::vector<double> values) : numbers(std::move(values)) {
    own.rows = numbers.size() / 3;
    own.columns = {"a", "b", "c"};
    own.response.values.resize(own.rows);
    for (std::size_t n = 0; n < own.rows; ++n) {
      own.response.values[n] = static_cast<double>(n % 2);
    }
    lent = own;
    own.x.assign(numbers.begin(), numbers.end());
    lent.source = RowSource(numbers.data(), {own.rows, 3, 3}, nullptr);
  }
  std::vector<double> numbers;
  Table own, lent;
};

void expect_same(const Table& own, const Table& lent) {
  EXPECT_EQ(own.rows, lent.rows);
  EXPECT_EQ(own.columns, lent.columns);
  EXPECT_EQ(own.response.values, lent.response.values);
  EXPECT_EQ(own.weights, lent.weights);
  const std::vector<double> x = all(lent.source);
  EXPECT_TRUE(std::ranges::equal(own.x, x));
}

TEST(RowSource, TablesDropAndMergeBySelection) {
  std::vector<double> numbers;
  for (int n = 0; n < 200'000; ++n) {  // equal rows 2 and more apart, in three blocks
    for (const int value : {n % 7, 5, n % 3}) {
      numbers.push_back(value);
    }
  }
  Twins twins(std::move(numbers));
  const ColumnMoments own = column_moments(twins.own, 2);
  const ColumnMoments lent = column_moments(twins.lent, 1);
  EXPECT_EQ(own.mean, lent.mean);
  EXPECT_EQ(own.sd, lent.sd);
  drop_columns(twins.own, {1});
  drop_columns(twins.lent, {1});
  expect_same(twins.own, twins.lent);
  const std::size_t before = twins.own.rows;
  const std::vector<MergedRow> merged = merge_equal_rows(twins.own, 1);
  EXPECT_GT(before - twins.own.rows, 199'000U);
  EXPECT_TRUE(merge_equal_rows(twins.lent, 2) == merged);
  expect_same(twins.own, twins.lent);
  EXPECT_TRUE(twins.lent.x.empty());
  const Table some = copy_rows(twins.lent, {3, 1, 4}, 2.0, 1);
  EXPECT_EQ(some.x, copy_rows(twins.own, {3, 1, 4}, 2.0, 1).x);
}

TEST(RowSource, DatasetsComputeTheSameToTheLastBit) {
  std::vector<double> numbers;
  for (int i = 0; i < 3000; ++i) {
    numbers.push_back(0.37 * (i * i % 101) - 7.0);
  }
  Twins twins(std::move(numbers));
  drop_columns(twins.own, {1});
  drop_columns(twins.lent, {1});
  const ColumnMoments moments = column_moments(twins.own, 1);
  const Dataset own(twins.own, {true, moments.mean, moments.sd});
  const Dataset lent(twins.lent, {true, moments.mean, moments.sd});
  const Matrix folded = Vector::LinSpaced(3, -1.0, 2.0);
  RowMatrix eta(100, 1);
  RowMatrix other(100, 1);
  Buffer<double> scratch;
  own.predict(own.raw({7, 107}, scratch), folded, {eta.data(), 100, 1});
  lent.predict(lent.raw({7, 107}, scratch), folded, {other.data(), 100, 1});
  EXPECT_EQ(eta, other);
  Matrix gradient = Matrix::Zero(3, 1);
  Matrix other_gradient = gradient;
  Dataset::add_slopes(own.raw({7, 107}, scratch), {eta.data(), 100, 1}, gradient);
  Dataset::add_slopes(lent.raw({7, 107}, scratch), {eta.data(), 100, 1}, other_gradient);
  EXPECT_EQ(gradient, other_gradient);
  Vector row(3);
  Vector other_row(3);
  for (const std::size_t n : {0U, 13U, 999U}) {
    own.copy_row(n, row.data());
    lent.copy_row(n, other_row.data());
    EXPECT_EQ(row, other_row);
    double a = 0.0;
    double b = 1.0;
    own.predict_row(n, folded, &a, row.data());
    lent.predict_row(n, folded, &b, row.data());
    EXPECT_EQ(a, b);
  }
}

TEST(RowSource, DatasetsRefuseRowsOfAnotherShape) {
  Twins twins(std::vector<double>(12, 1.0));
  twins.lent.columns.pop_back();
  EXPECT_THROW(Dataset(twins.lent, {}), std::exception);
}

}  // namespace
}  // namespace flymc
