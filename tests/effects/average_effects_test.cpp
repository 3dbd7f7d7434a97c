// Average effects against their closed forms, draw by draw: coefficients, p (1 - p) beta, contrasts
// of levels, softmax, curves; with weights, offsets, functions and products of columns.
#include "effects/average_effects.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "data/load_support.hpp"
#include "diagnose/moments.hpp"
#include "flymc/load.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr std::size_t kRows = 70;
constexpr std::size_t kDraws = 40;

struct Row {
  double x, z, flag, weight, offset;
  std::size_t g;
};

NewData rows_of_fit(std::size_t block_rows = 0) {
  NewData data;
  data.of_fit = true;
  data.block_rows = block_rows;
  return data;
}

// A run that was never made: a table, and draws of coefficients out of the air.
class Effects : public ::testing::Test {
 protected:
  Effects() {
    Stream stream(5, 0, Purpose::kTest, 1);
    std::string text = "x,z,flag,g,w,o,y\n";
    for (std::size_t n = 0; n < kRows; ++n) {
      const Row row{std::exp(stream.normal()), stream.normal(),       n % 3 == 0 ? 1.0 : 0.0,
                    0.2 + stream.uniform(),    0.4 * stream.normal(), n % 7 % 3};
      rows_.push_back(row);
      text += fmt::format("{},{},{},{},{},{},{}\n", row.x, row.z, row.flag,
                          std::array{"a", "b", "c"}[row.g], row.weight, row.offset, n % 2);
    }
    path_ = dir_.write("t.csv", text);
  }

  void make(const std::string& family, const std::string& formula, std::size_t classes = 2,
            bool weighted = false) {
    LoadSpec spec{.path = path_, .formula = formula, .categorical = {"g"}};
    if (formula.find("+ g") == std::string::npos) {
      spec.categorical.clear();
    }
    const Table table = load(spec).table;
    spec.response = "y";
    spec.weights = weighted ? "w" : "";
    spec.offset = weighted ? "o" : "";
    RunDraws draws;
    draws.run.options.data = spec;
    draws.run.options.family = family;
    draws.run.levels = table.levels;
    draws.run.constants = table.constants;
    for (std::size_t k = 0; k < classes; ++k) {
      draws.run.classes.push_back(fmt::format("{}", k));
    }
    const FamilyType& type = find_family(family);
    draws.family = type.make({}, classes);
    draws.features = table.columns;
    const auto predictors = static_cast<Index>(type.predictors(classes));
    Stream stream(6, 0, Purpose::kTest, 2);
    draws.constants.resize(kDraws, predictors);
    for (Index k = 0; k < predictors; ++k) {
      draws.slopes.emplace_back(kDraws, static_cast<Index>(table.columns.size()));
      for (Index s = 0; s < static_cast<Index>(kDraws); ++s) {
        draws.constants(s, k) = 0.3 * stream.normal();
        for (Index j = 0; j < draws.slopes.back().cols(); ++j) {
          draws.slopes.back()(s, j) = slope_sd_ * stream.normal();
        }
      }
    }
    predictor_.emplace(std::move(draws));
    new_rows_.emplace(predictor_->draws(), rows_of_fit());
    sample_ = sample_rows(*new_rows_, 0, 1);
    columns_ = input_columns(sample_.raw, 9);
  }

  [[nodiscard]] const InputColumn& column(const std::string& name) const {
    return *std::ranges::find(columns_, name, &InputColumn::name);
  }
  [[nodiscard]] ColumnEffects of(const std::string& name, bool with_curve = false) const {
    return average_effects(*predictor_, LoadedRows(*new_rows_), sample_, column(name), with_curve,
                           {.prob = 0.8, .threads = 2});
  }
  [[nodiscard]] double beta(std::size_t s, const std::string& feature, std::size_t k = 0) const {
    const auto& features = predictor_->draws().features;
    const auto at = std::ranges::find(features, feature) - features.begin();
    EXPECT_LT(static_cast<std::size_t>(at), features.size()) << feature;
    return predictor_->draws().slopes[k](static_cast<Index>(s), static_cast<Index>(at));
  }
  [[nodiscard]] double constant(std::size_t s, std::size_t k = 0) const {
    return predictor_->draws().constants(static_cast<Index>(s), static_cast<Index>(k));
  }
  // The average over rows for every draw, by the plainest loop.
  using OfRow = std::function<double(std::size_t s, const Row& row)>;
  [[nodiscard]] std::vector<double> averages(const OfRow& f, bool weighted = false) const {
    std::vector<double> values;
    for (std::size_t s = 0; s < kDraws; ++s) {
      double sum = 0.0;
      double weight = 0.0;
      for (const Row& row : rows_) {
        sum += (weighted ? row.weight : 1.0) * f(s, row);
        weight += weighted ? row.weight : 1.0;
      }
      values.push_back(sum / weight);
    }
    return values;
  }
  // The relative error of a difference quotient.
  static void expect_of_draws(const DrawSummary& found, const std::vector<double>& draws,
                              double tolerance = 1e-7) {
    const auto near = [&](double value, double expected) {
      EXPECT_NEAR(value, expected, tolerance * (0.01 + std::abs(expected)));
    };
    near(found.mean, mean(draws));
    near(found.sd, standard_deviation(draws));
    near(found.lower, quantile(draws, 0.1));
    near(found.upper, quantile(draws, 0.9));
    EXPECT_EQ(found.prob_positive,
              static_cast<double>(std::ranges::count_if(draws, [](double v) { return v > 0.0; })) /
                  static_cast<double>(draws.size()));
  }

  double slope_sd_ = 0.5;
  testing::TempDir dir_;
  std::string path_;
  std::vector<Row> rows_;
  std::optional<Predictor> predictor_;
  mutable std::optional<NewRows> new_rows_;  // sampling reads it
  RowSample sample_;
  std::vector<InputColumn> columns_;
};

double sigmoid_of(double eta) { return 1.0 / (1.0 + std::exp(-eta)); }

TEST_F(Effects, OfALinearMeanAreTheCoefficients) {
  make("normal", "y ~ x + z + flag + g");
  for (const char* name : {"x", "z"}) {
    const ColumnEffects found = of(name);
    ASSERT_EQ(found.effects.size(), 1U);
    EXPECT_EQ(found.effects[0].skipped, 0U);
    expect_of_draws(found.effects[0].outcomes[0],
                    averages([&](std::size_t s, const Row&) { return beta(s, name); }));
  }
  expect_of_draws(of("flag").effects[0].outcomes[0],
                  averages([&](std::size_t s, const Row&) { return beta(s, "flag"); }), 1e-10);
  const ColumnEffects levels = of("g");
  ASSERT_EQ(levels.effects.size(), 2U);
  EXPECT_EQ(levels.effects[1].level, "c");
  EXPECT_EQ(levels.effects[1].reference, "a");
  expect_of_draws(levels.effects[1].outcomes[0],
                  averages([&](std::size_t s, const Row&) { return beta(s, "g=c"); }), 1e-10);
}

TEST_F(Effects, OfALogisticMeanAreAveragesOfItsSlopeTimesTheCoefficient) {
  make("logistic", "y ~ x + z + g", 2, true);
  const auto eta = [&](std::size_t s, const Row& row, double x, std::size_t g) {
    return constant(s) + beta(s, "x") * x + beta(s, "z") * row.z + row.offset +
           (g == 1 ? beta(s, "g=b") : 0.0) + (g == 2 ? beta(s, "g=c") : 0.0);
  };
  expect_of_draws(of("x").effects[0].outcomes[0], averages(
                                                      [&](std::size_t s, const Row& row) {
                                                        const double p =
                                                            sigmoid_of(eta(s, row, row.x, row.g));
                                                        return p * (1.0 - p) * beta(s, "x");
                                                      },
                                                      true));
  const ColumnEffects levels = of("g", true);
  for (const std::size_t level : {1U, 2U}) {
    const auto contrast = [&](std::size_t s, const Row& row) {
      return sigmoid_of(eta(s, row, row.x, level)) - sigmoid_of(eta(s, row, row.x, 0));
    };
    expect_of_draws(levels.effects[level - 1].outcomes[0], averages(contrast, true), 1e-10);
  }
  ASSERT_EQ(levels.curve.points.size(), 3U);
  EXPECT_TRUE(levels.curve.has_levels);
  for (const std::size_t level : {0U, 1U, 2U}) {
    EXPECT_EQ(levels.curve.points[level].level, std::string(1, static_cast<char>('a' + level)));
    const auto at_level = [&](std::size_t s, const Row& row) {
      return sigmoid_of(eta(s, row, row.x, level));
    };
    expect_of_draws(levels.curve.points[level].outcomes[0], averages(at_level, true), 1e-10);
  }
  const EffectCurve curve = of("x", true).curve;
  ASSERT_EQ(curve.points.size(), 9U);
  for (const CurvePoint& point : curve.points) {
    const auto at_point = [&](std::size_t s, const Row& row) {
      return sigmoid_of(eta(s, row, point.at, row.g));
    };
    expect_of_draws(point.outcomes[0], averages(at_point, true), 1e-10);
  }
}

// The column of the input moves, and with it all that the formula makes of it.
TEST_F(Effects, CountFunctionsAndProductsOfAColumn) {
  make("poisson", "y ~ log(x) + x*z + I(z^2) + z:flag", 0);
  const auto mean_of = [&](std::size_t s, const Row& row) {
    return std::exp(constant(s) + beta(s, "log(x)") * std::log(row.x) + beta(s, "x") * row.x +
                    beta(s, "z") * row.z + beta(s, "I(z^2)") * row.z * row.z +
                    beta(s, "x:z") * row.x * row.z + beta(s, "z:flag") * row.z * row.flag);
  };
  expect_of_draws(of("x").effects[0].outcomes[0], averages([&](std::size_t s, const Row& row) {
                    return mean_of(s, row) *
                           (beta(s, "log(x)") / row.x + beta(s, "x") + beta(s, "x:z") * row.z);
                  }),
                  1e-6);
  expect_of_draws(of("z").effects[0].outcomes[0], averages([&](std::size_t s, const Row& row) {
                    return mean_of(s, row) *
                           (beta(s, "z") + 2.0 * beta(s, "I(z^2)") * row.z +
                            beta(s, "x:z") * row.x + beta(s, "z:flag") * row.flag);
                  }),
                  1e-6);
  expect_of_draws(of("flag").effects[0].outcomes[0], averages([&](std::size_t s, const Row& row) {
                    const Row off{row.x, row.z, 0.0, 1.0, 0.0, 0};
                    const Row on{row.x, row.z, 1.0, 1.0, 0.0, 0};
                    return mean_of(s, on) - mean_of(s, off);
                  }),
                  1e-10);
}

TEST_F(Effects, OfClassesAreThoseOfEachProbabilityAndSumToZero) {
  make("softmax", "y ~ x + z", 3);
  const auto probs = [&](std::size_t s, const Row& row) {
    std::array<double, 3> p{};
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      p[k] = std::exp(constant(s, k) + beta(s, "x", k) * row.x + beta(s, "z", k) * row.z);
      sum += p[k];
    }
    return std::array{p[0] / sum, p[1] / sum, p[2] / sum};
  };
  const ColumnEffects found = of("x", true);
  ASSERT_EQ(found.effects[0].outcomes.size(), 3U);
  double sum = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto slope = [&](std::size_t s, const Row& row) {
      const std::array<double, 3> p = probs(s, row);
      double centre = 0.0;
      for (std::size_t j = 0; j < 3; ++j) {
        centre += p[j] * beta(s, "x", j);
      }
      return p[k] * (beta(s, "x", k) - centre);
    };
    expect_of_draws(found.effects[0].outcomes[k], averages(slope), 1e-6);
    sum += found.effects[0].outcomes[k].mean;
    const CurvePoint& point = found.curve.points[4];
    const auto at_point = [&](std::size_t s, const Row& row) {
      return probs(s, {point.at, row.z, 0.0, 1.0, 0.0, 0})[k];
    };
    expect_of_draws(point.outcomes[k], averages(at_point), 1e-10);
  }
  EXPECT_NEAR(sum, 0.0, 1e-10);
}

// sigma scales a lognormal mean, exp(eta + sigma^2 / 2), whose effects it then scales too.
TEST_F(Effects, OfSeveralPredictorsAreOnTheMeanOfTheResponse) {
  slope_sd_ = 0.1;
  make("lognormal", "y ~ x", 0);
  const auto expected = [&](std::size_t s, const Row& row) {
    const double sigma = std::exp(constant(s, 1) + beta(s, "x", 1) * row.x);
    return std::exp(constant(s) + beta(s, "x") * row.x + 0.5 * sigma * sigma) *
           (beta(s, "x") + sigma * sigma * beta(s, "x", 1));
  };
  const DrawSummary found = of("x").effects[0].outcomes[0];
  const std::vector<double> draws = averages(expected);
  EXPECT_NEAR(found.upper, quantile(draws, 0.9), 1e-5 * std::abs(quantile(draws, 0.9)));
  EXPECT_NEAR(found.lower, quantile(draws, 0.1), 1e-5 * std::abs(quantile(draws, 0.1)));
}

TEST_F(Effects, LeaveOutRowsAtTheEdgeOfAFunction) {
  dir_.write("t.csv", "x,y\n0,1\n1,0\n4,1\n");
  rows_ = {{1.0, 0, 0, 1, 0, 0}, {4.0, 0, 0, 1, 0, 0}};
  make("normal", "y ~ sqrt(x)");
  const ColumnEffects found = of("x", true);
  EXPECT_EQ(found.effects[0].skipped, 1U);
  expect_of_draws(found.effects[0].outcomes[0], averages([&](std::size_t s, const Row& row) {
                    return beta(s, "sqrt(x)") * 0.5 / std::sqrt(row.x);
                  }),
                  1e-6);
  ASSERT_EQ(found.curve.points.size(), 3U);  // every value there is
  EXPECT_EQ(found.curve.points[2].at, 4.0);
  EXPECT_EQ(found.curve.skipped, 0U);
}

TEST_F(Effects, HaveAStepThatStaysOnItsSideOfZero) {
  dir_.write("t.csv", "x,y\n0.001,1\n1,0\n100,1\n");
  rows_ = {{0.001, 0, 0, 1, 0, 0}, {1.0, 0, 0, 1, 0, 0}, {100.0, 0, 0, 1, 0, 0}};
  make("normal", "y ~ log(x)");
  const AverageEffect found = of("x").effects[0];
  EXPECT_EQ(found.skipped, 0U);
  expect_of_draws(
      found.outcomes[0],
      averages([&](std::size_t s, const Row& row) { return beta(s, "log(x)") / row.x; }), 1e-6);
}

// How far averages of parts of the rows scatter is what their summaries say, beyond the draws.
TEST_F(Effects, KnowTheErrorOfAPartOfTheRows) {
  make("logistic", "y ~ x + z", 2, true);
  const RowSample all = sample_;
  const DrawSummary whole = of("x").effects[0].outcomes[0];
  constexpr std::size_t kParts = 400;
  double scatter = 0.0;
  double said = 0.0;
  std::size_t covered = 0;
  for (std::size_t part = 0; part < kParts; ++part) {
    sample_ = all;
    thin(sample_, all.of / 2, part + 1);
    const DrawSummary found = of("x").effects[0].outcomes[0];
    sample_.of = sample_.raw.table.rows;  // as if these were all
    const DrawSummary alone = of("x").effects[0].outcomes[0];
    const double error = std::sqrt(found.sd * found.sd - alone.sd * alone.sd);
    EXPECT_EQ(found.mean, alone.mean);
    EXPECT_LT(found.lower, alone.lower);
    EXPECT_GT(found.upper, alone.upper);
    scatter += (found.mean - whole.mean) * (found.mean - whole.mean);
    said += error * error;
    covered += std::abs(found.mean - whole.mean) < 1.2816 * error ? 1 : 0;  // 80 %
  }
  // A variance from 400 parts is known to 1 / sqrt(200), 7 %.
  EXPECT_NEAR(scatter / said, 1.0, 4.5 * 0.0707);
  EXPECT_NEAR(static_cast<double>(covered), 0.8 * kParts, 4.5 * std::sqrt(0.16 * kParts));
}

TEST_F(Effects, DoNotDependOnThreads) {
  make("logistic", "y ~ x + z");
  const auto with = [&](unsigned threads) {
    return average_effects(*predictor_, LoadedRows(*new_rows_), sample_, column("x"), false,
                           {.threads = threads})
        .effects[0]
        .outcomes[0]
        .mean;
  };
  EXPECT_EQ(with(1), with(3));
}

TEST_F(Effects, KnowWhatAColumnHolds) {
  make("normal", "y ~ x + flag + g");
  EXPECT_EQ(column("x").kind, InputColumn::Kind::kNumber);
  EXPECT_EQ(column("flag").kind, InputColumn::Kind::kFlag);
  EXPECT_EQ(column("g").kind, InputColumn::Kind::kCategory);
  std::vector<double> x;
  for (const Row& row : rows_) {
    x.push_back(row.x);
  }
  EXPECT_NEAR(column("x").grid.front(), quantile(x, 0.01), 1e-12);
  EXPECT_NEAR(column("x").grid.back(), quantile(x, 0.99), 1e-12);
  EXPECT_NEAR(column("x").sd, standard_deviation(x), 1e-12);
}

// Each of 70 rows is in a sample of 20 with probability 2/7, whatever its place in the file, read
// in blocks; and so is each in a part of that sample, with 1/7.
TEST_F(Effects, TakeEveryRowAsOftenAsAnyOther) {
  make("normal", "y ~ x");
  constexpr int kTimes = 400;
  std::array<double, kRows> taken{};
  std::array<double, kRows> kept{};
  const auto count = [&](const RowSample& sample, std::array<double, kRows>& of_row) {
    for (const double x : values_of(sample.raw.table, 0)) {
      const auto row = std::ranges::find(rows_, x, &Row::x);
      of_row[static_cast<std::size_t>(row - rows_.begin())] += 1.0;
    }
  };
  for (std::uint64_t seed = 0; seed < kTimes; ++seed) {
    NewRows rows(predictor_->draws(), rows_of_fit(16));
    RowSample sample = sample_rows(rows, 20, seed);
    EXPECT_EQ(sample.of, kRows);
    ASSERT_EQ(sample.raw.table.rows, 20U);
    count(sample, taken);
    thin(sample, 10, seed);
    ASSERT_EQ(sample.raw.table.rows, 10U);
    count(sample, kept);
  }
  const auto expect_share = [](const std::array<double, kRows>& of_row, double p) {
    for (const double times : of_row) {  // the largest of 70 lies beyond 4.5 in 1 of 2,000 cases
      EXPECT_NEAR(times / kTimes, p, 4.5 * std::sqrt(p * (1.0 - p) / kTimes));
    }
  };
  expect_share(taken, 2.0 / 7.0);
  expect_share(kept, 1.0 / 7.0);
}

// Who makes y ~ log(x) + z + flag + g by itself.
class OwnColumns final : public HeldRows {
 public:
  explicit OwnColumns(const std::vector<Row>& rows) : rows_(rows) {}

  [[nodiscard]] std::size_t size() const override { return rows_.size(); }
  [[nodiscard]] bool of_fit() const override { return true; }
  [[nodiscard]] Table table(std::span<const std::size_t> rows) const override {
    Table table;
    table.rows = rows.size();
    for (const std::size_t n : rows) {
      table.weights.push_back(rows_[n].weight);
    }
    return table;
  }
  [[nodiscard]] std::vector<InputVariable> inputs(
      std::span<const std::size_t> rows) const override {
    std::vector<InputVariable> all{{"x"}, {"z"}, {"flag"}, {"g", {}, {"a", "b", "c"}}};
    for (const std::size_t n : rows) {
      const Row& row = rows_[n];
      const std::array values{row.x, row.z, row.flag, static_cast<double>(row.g)};
      for (std::size_t i = 0; i < values.size(); ++i) {
        all[i].values.push_back(values[i]);
      }
    }
    return all;
  }
  [[nodiscard]] Table changed(std::span<const std::size_t> rows,
                              const InputVariable& input) const override {
    std::vector<InputVariable> now = inputs(rows);
    *std::ranges::find(now, input.name, &InputVariable::name) = input;
    Table table;
    table.rows = rows.size();
    table.columns = {"g=c", "g=b", "log(x)", "z", "flag"};  // in any order
    table.x = Buffer<double>(rows.size() * table.columns.size());
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const std::array row{now[3].values[n] == 2.0 ? 1.0 : 0.0, now[3].values[n] == 1.0 ? 1.0 : 0.0,
                           std::log(now[0].values[n]), now[1].values[n], now[2].values[n]};
      std::ranges::copy(row, table.x.data() + n * row.size());
      table.offset.push_back(rows_[rows[n]].offset);
    }
    return table;
  }

 private:
  const std::vector<Row>& rows_;
};

TEST_F(Effects, DoNotDependOnWhoMakesTheColumns) {
  make("logistic", "y ~ log(x) + z + flag + g", 2, true);
  const OwnColumns own(rows_);
  HeldInput held(own, predictor_->draws());
  for (const std::size_t most : {std::size_t{0}, std::size_t{25}}) {
    NewRows rows(predictor_->draws(), rows_of_fit(16));
    LoadedRows loaded(rows);
    const RowSample ours = loaded.sample(most, 3);
    const RowSample theirs = held.sample(most, 3);
    EXPECT_EQ(ours.of, theirs.of);
    for (const char* name : {"x", "z", "flag", "g"}) {
      const auto found = [&](const InputRows& from, const RowSample& sample) {
        const std::vector<InputColumn> columns = input_columns(sample.raw, 9);
        const auto column = std::ranges::find(columns, name, &InputColumn::name);
        return average_effects(*predictor_, from, sample, *column, true, {.threads = 2});
      };
      const ColumnEffects a = found(loaded, ours);
      const ColumnEffects b = found(held, theirs);
      ASSERT_EQ(a.effects.size(), b.effects.size());
      ASSERT_EQ(a.curve.points.size(), b.curve.points.size());
      for (std::size_t i = 0; i < a.effects.size(); ++i) {
        EXPECT_EQ(a.effects[i].level, b.effects[i].level);
        EXPECT_EQ(a.effects[i].outcomes[0].mean, b.effects[i].outcomes[0].mean) << name;
        EXPECT_EQ(a.effects[i].outcomes[0].sd, b.effects[i].outcomes[0].sd) << name;
      }
      for (std::size_t i = 0; i < a.curve.points.size(); ++i) {
        EXPECT_EQ(a.curve.points[i].at, b.curve.points[i].at);
        EXPECT_EQ(a.curve.points[i].outcomes[0].upper, b.curve.points[i].outcomes[0].upper) << name;
      }
    }
  }
}

}  // namespace
}  // namespace flymc
