#include "effects/average_effects.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.hpp"
#include "data/table/table_rows.hpp"
#include "diagnose/moments.hpp"

namespace flymc {
namespace {

constexpr double kStep = 1e-4;          // of a standard deviation
constexpr double kNearZero = 0.1;       // standard deviations; nearer, the step shrinks with x,
constexpr double kStepNearZero = 1e-3;  // of which it is so much: log(x) ends at 0
constexpr std::size_t kMostPieces = 64;

using Kind = InputColumn::Kind;

// Half of what x is moved by.
double step_at(double x, double sd) {
  const double scale = sd > 0.0 ? sd : std::max(1.0, std::abs(x));
  if (x == 0.0) {
    return kStep * std::min(1.0, scale);
  }
  return std::abs(x) < kNearZero * scale ? kStepNearZero * std::abs(x) : kStep * scale;
}

// Weighted sums over rows, a column for each effect, then one for each point of the curve.
struct Sums {
  Matrix values;   // (draws x outcomes) x columns
  Vector weights;  // of the rows that have a number,
  Vector squared_weights;
  // Of w_n e_n, e_n the mean over draws: outcomes x columns.
  Matrix squares;
  Matrix weighted;  // times w_n
  std::vector<std::size_t> skipped;

  void operator+=(const Sums& other) {
    values += other.values;
    weights += other.weights;
    squared_weights += other.squared_weights;
    squares += other.squares;
    weighted += other.weighted;
    for (std::size_t i = 0; i < skipped.size(); ++i) {
      skipped[i] += other.skipped[i];
    }
  }
};

// The sums of one column.
class ColumnSums {
 public:
  ColumnSums(const Predictor& predictor, const InputRows& rows, const RowSample& sample,
             const InputColumn& column, bool with_curve)
      : predictor_(predictor), rows_(rows), sample_(sample), column_(column) {
    const bool number = column.kind == Kind::kNumber;
    effects_ = number ? 1 : column.levels.size() - 1;
    points_ = !with_curve ? 0 : number ? column.grid.size() : column.levels.size();
    const RunDraws& draws = predictor.draws();
    outcomes_ = draws.family->type().has_probabilities() ? draws.predictors() : 1;
    make_changes();
  }
  ColumnSums(const ColumnSums&) = delete;  // the changes refer to it
  ColumnSums& operator=(const ColumnSums&) = delete;

  [[nodiscard]] std::size_t effects() const noexcept { return effects_; }
  [[nodiscard]] std::size_t points() const noexcept { return points_; }
  [[nodiscard]] std::size_t outcomes() const noexcept { return outcomes_; }

  // In pieces that depend on the rows only, as many at a time as their columns are made for.
  [[nodiscard]] Sums all(unsigned threads) const {
    const std::size_t total = sample_.raw.table.rows;
    const std::size_t step = predictor_.block_rows();
    const std::size_t blocks = (total + step - 1) / step;
    const std::size_t pieces = std::min(kMostPieces, blocks);
    const std::size_t most = rows_.rows_at_once(changes_.size());
    const auto start = [&](std::size_t p) { return std::min(total, p * blocks / pieces * step); };
    Sums sums = empty();
    for (std::size_t first = 0, last = 0; first < pieces; first = last) {
      while (last == first || (last < pieces && start(last + 1) - start(first) <= most)) {
        ++last;
      }
      const ChangedRows changed =
          rows_.change(sample_, {start(first), start(last)}, column_, changes_);
      std::vector<Sums> parts(last - first);
      parallel_for(parts.size(), threads, [&](std::size_t i) {
        parts[i] = empty();
        for (std::size_t n = start(first + i); n < start(first + i + 1); n += step) {
          add({n, std::min(start(first + i + 1), n + step)}, changed, parts[i]);
        }
      });
      for (const Sums& part : parts) {
        sums += part;
      }
    }
    return sums;
  }

 private:
  // Of a number a little more, a little less, then the points; of others every level.
  void make_changes() {
    if (column_.kind != Kind::kNumber) {
      for (std::size_t level = 0; level < column_.levels.size(); ++level) {
        changes_.emplace_back([this, level](Table& table) { set_level(table, column_, level); });
      }
      return;
    }
    for (const double sign : {1.0, -1.0}) {
      changes_.emplace_back([this, sign](Table& table) {
        for (std::size_t n = 0; n < table.rows; ++n) {
          double& x = table.x[n * table.columns.size() + column_.first];
          x = moved(x, sign);
        }
      });
    }
    for (std::size_t i = 0; i < points_; ++i) {
      changes_.emplace_back([this, i](Table& table) {
        for (std::size_t n = 0; n < table.rows; ++n) {
          table.x[n * table.columns.size() + column_.first] = column_.grid[i];
        }
      });
    }
  }

  [[nodiscard]] double moved(double x, double sign) const {
    return x + sign * step_at(x, column_.sd);
  }

  [[nodiscard]] Sums empty() const {
    const auto columns = static_cast<Index>(effects_ + points_);
    const auto rows = static_cast<Index>(outcomes_ * predictor_.draws().draws());
    const auto outcomes = static_cast<Index>(outcomes_);
    return {Matrix::Zero(rows, columns),     Vector::Zero(columns),
            Vector::Zero(columns),           Matrix::Zero(outcomes, columns),
            Matrix::Zero(outcomes, columns), std::vector<std::size_t>(effects_ + points_)};
  }

  void add(RowRange range, const ChangedRows& changed, Sums& sums) const {
    const Table block = rows_of(sample_.raw.table, range);
    const auto means = [&](std::size_t change) {  // draws x (outcomes x rows)
      return predictor_.means(changed(change, range), {0, block.rows});
    };
    if (column_.kind == Kind::kNumber) {
      add_number(block, means, sums);
    } else {
      add_levels(block, means, sums);
    }
  }

  template <class Means>
  void add_number(const Table& block, const Means& means, Sums& sums) const {
    std::vector<double> scale(block.rows);  // weight over the distance
    const std::vector<double> x = values_of(block, column_.first);
    for (std::size_t n = 0; n < x.size(); ++n) {
      scale[n] = moved(x[n], 1.0) - moved(x[n], -1.0);
      scale[n] = weight(block, n) / scale[n];
    }
    Matrix difference = means(0);
    difference -= means(1);
    add_rows(difference, block, scale, 0, sums);
    for (std::size_t i = 0; i < points_; ++i) {
      Matrix at = means(2 + i);
      add_rows(at, block, weights(block), effects_ + i, sums);
    }
  }

  template <class Means>
  void add_levels(const Table& block, const Means& means, Sums& sums) const {
    const std::vector<double> w = weights(block);
    Matrix reference;
    for (std::size_t level = 0; level < column_.levels.size(); ++level) {
      Matrix at = means(level);
      if (points_ > 0) {
        Matrix point = at;
        add_rows(point, block, w, effects_ + level, sums);
      }
      if (level == 0) {
        reference = std::move(at);
        continue;
      }
      at -= reference;
      add_rows(at, block, w, level - 1, sums);
    }
  }

  // Column `to` of the sums += sum_n scale_n values_n; rows without a number do not count.
  void add_rows(Matrix& values, const Table& block, const std::vector<double>& scale,
                std::size_t to, Sums& sums) const {
    const auto rows = static_cast<Index>(block.rows);
    const auto column = static_cast<Index>(to);
    Vector factors = Eigen::Map<const Vector>(scale.data(), rows);
    for (Index n = 0; n < rows; ++n) {
      bool known = std::isfinite(factors[n]);
      for (Index k = 0; known && k < static_cast<Index>(outcomes_); ++k) {
        known = values.col(k * rows + n).allFinite();
      }
      if (known) {
        add_row(values, n, factors[n], weight(block, static_cast<std::size_t>(n)), column, sums);
        continue;
      }
      ++sums.skipped[to];
      factors[n] = 0.0;
      for (Index k = 0; k < static_cast<Index>(outcomes_); ++k) {
        values.col(k * rows + n).setZero();
      }
    }
    const Index draws = values.rows();
    for (Index k = 0; k < static_cast<Index>(outcomes_); ++k) {
      sums.values.col(column).segment(k * draws, draws).noalias() +=
          values.middleCols(k * rows, rows) * factors;
    }
  }

  void add_row(const Matrix& values, Index n, double factor, double weight, Index column,
               Sums& sums) const {
    const Index rows = values.cols() / static_cast<Index>(outcomes_);
    sums.weights[column] += weight;
    sums.squared_weights[column] += weight * weight;
    for (Index k = 0; k < static_cast<Index>(outcomes_); ++k) {
      const double part = factor * mean_of(values.col(k * rows + n));
      sums.squares(k, column) += part * part;
      sums.weighted(k, column) += weight * part;
    }
  }

  [[nodiscard]] static double weight(const Table& block, std::size_t n) {
    return block.weights.empty() ? 1.0 : block.weights[n];
  }
  [[nodiscard]] static std::vector<double> weights(const Table& block) {
    return block.weights.empty() ? std::vector<double>(block.rows, 1.0) : block.weights;
  }

  const Predictor& predictor_;
  const InputRows& rows_;
  const RowSample& sample_;
  const InputColumn& column_;
  std::size_t effects_ = 0;
  std::size_t points_ = 0;
  std::size_t outcomes_ = 1;
  std::vector<Change> changes_{};
};

// `error`: the standard deviation of what all draws are off by.
DrawSummary summarise(std::span<const double> draws, double error, double prob) {
  const CentralInterval interval = central_interval(draws, prob, error);
  double positive = 0.0;
  for (const double value : draws) {
    positive += error > 0.0   ? 0.5 * std::erfc(-value / (error * std::numbers::sqrt2))
                : value > 0.0 ? 1.0
                              : 0.0;
  }
  return {mean(draws), std::hypot(standard_deviation(draws), error), interval.lower, interval.upper,
          positive / static_cast<double>(draws.size())};
}

// Of the average of these rows for that of all they were drawn from.
double error_of_rows(const Sums& sums, Index column, Index outcome, double average,
                     const RowSample& sample) {
  const auto rows = static_cast<double>(sample.raw.table.rows);
  if (sample.of <= sample.raw.table.rows || rows < 2.0) {
    return 0.0;
  }
  const double squares = sums.squares(outcome, column) -
                         2.0 * average * sums.weighted(outcome, column) +
                         average * average * sums.squared_weights[column];
  const double left_out = 1.0 - rows / static_cast<double>(sample.of);
  return std::sqrt(std::max(0.0, left_out * rows / (rows - 1.0) * squares)) / sums.weights[column];
}

// One summary an outcome.
std::vector<DrawSummary> summaries(const Sums& sums, std::size_t column, std::size_t outcomes,
                                   const RowSample& sample, double prob) {
  const auto at = static_cast<Index>(column);
  const Vector averages = sums.values.col(at) / sums.weights[at];
  const std::size_t draws = static_cast<std::size_t>(averages.size()) / outcomes;
  std::vector<DrawSummary> result;
  for (std::size_t k = 0; k < outcomes; ++k) {
    const std::span<const double> of_outcome(averages.data() + k * draws, draws);
    const double error = error_of_rows(sums, at, static_cast<Index>(k), mean(of_outcome), sample);
    result.push_back(summarise(of_outcome, error, prob));
  }
  return result;
}

}  // namespace

std::size_t settings_of(const InputColumn& column, bool with_curve) {
  return column.kind == Kind::kNumber ? 2 + (with_curve ? column.grid.size() : 0)
                                      : column.levels.size();
}

ColumnEffects average_effects(const Predictor& predictor, const InputRows& rows,
                              const RowSample& sample, const InputColumn& column, bool with_curve,
                              const EffectsHow& how) {
  const ColumnSums work(predictor, rows, sample, column, with_curve);
  const Sums sums = work.all(how.threads);
  const bool number = column.kind == Kind::kNumber;
  ColumnEffects result;
  for (std::size_t i = 0; i < work.effects(); ++i) {
    result.effects.push_back(
        {column.name, number ? "" : column.levels[i + 1], number ? "" : column.levels[0], column.sd,
         summaries(sums, i, work.outcomes(), sample, how.prob), sums.skipped[i]});
  }
  result.curve.column = column.name;
  result.curve.has_levels = !number;
  for (std::size_t i = 0; i < work.points(); ++i) {
    const std::size_t at = work.effects() + i;
    result.curve.points.push_back({number ? column.grid[i] : static_cast<double>(i),
                                   number ? "" : column.levels[i],
                                   summaries(sums, at, work.outcomes(), sample, how.prob)});
    result.curve.skipped = std::max(result.curve.skipped, sums.skipped[at]);
  }
  return result;
}

}  // namespace flymc
