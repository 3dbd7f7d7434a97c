#include "flymc/dataset.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "flymc/error.hpp"
#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using unit::Shape;

const Shape kShapes[] = {
    {},
    {.intercept = false, .standardise = false, .weights = false, .offset = false},
    {.intercept = false, .standardise = true},
    {.intercept = true, .standardise = false, .offset = false},
    {.columns = 0, .standardise = false},  // the intercept alone
};

struct Sample {
  explicit Sample(const Shape& a_shape)
      : shape(a_shape),
        table(unit::make_table<unit::LogisticCase>(shape, stream)),
        options(unit::scaling(shape)),
        data(table, options),
        x(Matrix::Ones(static_cast<Index>(shape.rows), data.columns())) {
    for (Index n = 0; n < x.rows(); ++n) {
      for (std::size_t j = 0; j < shape.columns; ++j) {
        const auto i = static_cast<Index>(j);
        const double center = options.center.size() > 0 ? options.center[i] : 0.0;
        const double scale = options.scale.size() > 0 ? options.scale[i] : 1.0;
        const double raw = table.x[static_cast<std::size_t>(n) * shape.columns + j];
        x(n, i + (shape.intercept ? 1 : 0)) = (raw - center) / scale;
      }
    }
  }

  Shape shape;
  Stream stream{1, 0, Purpose::kTest, 0};
  Table table;
  Dataset::Options options;
  Dataset data;
  Matrix x;  // the rows as the engine should see them
};

TEST(Dataset, CopiesTheStandardisedRow) {
  for (const Shape& shape : kShapes) {
    const Sample sample(shape);
    Vector row(sample.data.columns());
    for (std::size_t n = 0; n < shape.rows; ++n) {
      sample.data.copy_row(n, row.data());
      EXPECT_TRUE(row.transpose().isApprox(sample.x.row(static_cast<Index>(n)), 1e-15));
    }
  }
}

TEST(Dataset, KnowsResponseWeightAndOffset) {
  for (const Shape& shape : kShapes) {
    const Sample sample(shape);
    for (std::size_t n = 0; n < shape.rows; ++n) {
      EXPECT_EQ(sample.data.response(n), sample.table.response.values[n]);
      EXPECT_EQ(sample.data.weight(n), shape.weights ? sample.table.weights[n] : 1.0);
      EXPECT_EQ(sample.data.offset(n), shape.offset ? sample.table.offset[n] : 0.0);
    }
  }
}

TEST(Dataset, PredictsFromFoldedCoefficients) {
  for (const Shape& shape : kShapes) {
    Sample sample(shape);
    const Index k = 3;
    const Matrix theta =
        Matrix::NullaryExpr(sample.data.columns(), k, [&] { return sample.stream.normal(); });
    Matrix folded(sample.data.folded_rows(), k);
    sample.data.fold(Eigen::Map<const Vector>(theta.data(), theta.size()), folded);
    Matrix expected = sample.x * theta;
    for (std::size_t n = 0; shape.offset && n < shape.rows; ++n) {
      expected.row(static_cast<Index>(n)).array() += sample.table.offset[n];
    }
    const RowRange range{5, 19};
    RowMatrix out(14, k);
    Buffer<double> raw;
    sample.data.predict(sample.data.raw(range, raw), folded, RowMatrixView(out.data(), 14, k));
    EXPECT_LT((out - expected.middleRows(5, 14)).norm(), 1e-13);
    Vector one(k);
    Vector row(sample.data.columns());
    for (std::size_t n = 0; n < shape.rows; ++n) {
      sample.data.predict_row(n, folded, one.data(), row.data());
      EXPECT_LT((one.transpose() - expected.row(static_cast<Index>(n))).norm(), 1e-13);
    }
  }
}

TEST(Dataset, GradientsComeBackByTheTransposeOfTheFold) {
  for (const Shape& shape : kShapes) {
    Sample sample(shape);
    const Index k = 2;
    const RowMatrix slopes = RowMatrix::NullaryExpr(14, k, [&] { return sample.stream.normal(); });
    Matrix folded = Matrix::Zero(sample.data.folded_rows(), k);
    const ConstRowMatrixView view(slopes.data(), 14, k);
    Buffer<double> scratch;
    const Dataset::RawBlock block = sample.data.raw({5, 19}, scratch);
    Dataset::add_slopes(block, view, folded);
    Dataset::add_slopes(block, view, folded);  // adds
    Matrix gradient(sample.data.columns(), k);
    sample.data.unfold_gradient(folded, VectorView(gradient.data(), gradient.size()));
    const Matrix expected = 2.0 * sample.x.middleRows(5, 14).transpose() * slopes;
    EXPECT_LT((gradient - expected).norm(), 1e-12);
  }
}

TEST(Dataset, RefusesPartsThatDoNotFit) {
  const Sample sample({});
  Table shorter = sample.table;
  shorter.weights.pop_back();
  EXPECT_THROW(Dataset(shorter, sample.options), Error);
  shorter = sample.table;
  shorter.offset.pop_back();
  EXPECT_THROW(Dataset(shorter, sample.options), Error);
  shorter = sample.table;
  shorter.response.values.pop_back();
  EXPECT_THROW(Dataset(shorter, sample.options), Error);
  Dataset::Options centred = sample.options;
  centred.intercept = false;
  EXPECT_THROW(Dataset(sample.table, centred), Error);
  EXPECT_THROW(Dataset(Table{}, {}), Error);
}

TEST(ColumnMoments, AreThoseOfTheTextbookForAnyNumberOfThreads) {
  Sample sample({.rows = 3001, .columns = 4});
  const ConstRowMatrixView x(sample.table.x.data(), 3001, 4);
  const Vector mean = x.colwise().mean();
  const ColumnMoments one = column_moments(sample.table, 1);
  EXPECT_LT((one.mean - mean).norm(), 1e-13);
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(one.sd[j], std::sqrt((x.col(j).array() - mean[j]).square().sum() / 3000.0), 1e-12);
  }
  for (const unsigned threads : {2U, 4U}) {
    EXPECT_EQ(column_moments(sample.table, threads).mean, one.mean);
    EXPECT_EQ(column_moments(sample.table, threads).sd, one.sd);
  }
}

TEST(ColumnMoments, KeepTheirDigitsFarFromZero) {
  Sample sample({.rows = 2000, .columns = 1});
  for (std::size_t n = 0; n < 2000; ++n) {
    sample.table.x[n] = 1e9 + static_cast<double>(n % 2);
  }
  EXPECT_NEAR(column_moments(sample.table, 1).sd[0], std::sqrt(500.0 / 1999.0), 1e-9);
}

TEST(ColumnMoments, OfOneRowHaveNoSpread) {
  const Sample sample({.rows = 1, .columns = 2});
  EXPECT_EQ(column_moments(sample.table, 1).sd, Vector::Zero(2));
}

TEST(DropColumns, RemovesThemInPlace) {
  Table table;
  table.rows = 3;
  table.columns = {"a", "b", "c", "d"};
  table.x = {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
  drop_columns(table, {0, 2});
  EXPECT_EQ(table.columns, (std::vector<std::string>{"b", "d"}));
  EXPECT_EQ(table.x, (Buffer<double>{1, 3, 11, 13, 21, 23}));
  drop_columns(table, {});
  EXPECT_EQ(table.columns.size(), 2U);
  drop_columns(table, {0, 1});
  EXPECT_TRUE(table.columns.empty() && table.x.empty());
}

TEST(Dataset, ASampleHasTheSameRowsWithTheirWeightsMultiplied) {
  for (const Shape& shape : kShapes) {
    const Sample all(shape);
    const std::vector<std::size_t> rows{0, 3, 4, 20, 23};
    const Dataset some = all.data.sample(rows, 2.5, 2);
    ASSERT_EQ(some.rows(), rows.size());
    ASSERT_EQ(some.columns(), all.data.columns());
    EXPECT_EQ(some.names(), all.data.names());
    Vector row(some.columns());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      some.copy_row(i, row.data());
      EXPECT_TRUE(row.transpose().isApprox(all.x.row(static_cast<Index>(rows[i])), 1e-15));
      EXPECT_EQ(some.response(i), all.data.response(rows[i]));
      EXPECT_EQ(some.weight(i), 2.5 * all.data.weight(rows[i]));
      EXPECT_EQ(some.offset(i), all.data.offset(rows[i]));
    }
  }
}

TEST(RowChunks, CoverAllRowsOnceInOrder) {
  for (const std::size_t n : {0U, 1U, 511U, 512U, 513U, 3001U, 1000003U}) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 20, std::size_t{1} << 40}) {
      const auto chunks = row_chunks(n, bytes);
      std::size_t next = 0;
      for (const RowRange& chunk : chunks) {
        EXPECT_EQ(chunk.first, next);
        EXPECT_GE(chunk.last, chunk.first);
        next = chunk.last;
      }
      EXPECT_EQ(next, n);
      EXPECT_LE(chunks.size(), 64U);
    }
  }
}

}  // namespace
}  // namespace flymc
