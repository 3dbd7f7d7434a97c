#include "effects/average_effects.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

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
  Vector weights;  // of the rows that have a number
  std::vector<std::size_t> skipped;

  void operator+=(const Sums& other) {
    values += other.values;
    weights += other.weights;
    for (std::size_t i = 0; i < skipped.size(); ++i) {
      skipped[i] += other.skipped[i];
    }
  }
};

// The sums of one column.
class ColumnSums {
 public:
  ColumnSums(const Predictor& predictor, const NewRows& rows, const RowSample& sample,
             const InputColumn& column, bool with_curve)
      : predictor_(predictor), rows_(rows), sample_(sample), column_(column) {
    const bool number = column.kind == Kind::kNumber;
    effects_ = number ? 1 : column.levels.size() - 1;
    points_ = !with_curve ? 0 : number ? column.grid.size() : column.levels.size();
    const RunDraws& draws = predictor.draws();
    outcomes_ = draws.family->type().has_probabilities() ? draws.predictors() : 1;
  }

  [[nodiscard]] std::size_t effects() const noexcept { return effects_; }
  [[nodiscard]] std::size_t points() const noexcept { return points_; }
  [[nodiscard]] std::size_t outcomes() const noexcept { return outcomes_; }

  // In pieces that depend on the rows only.
  [[nodiscard]] Sums all(unsigned threads) const {
    const std::size_t total = sample_.raw.table.rows;
    const std::size_t step = predictor_.block_rows();
    const std::size_t blocks = (total + step - 1) / step;
    const std::size_t pieces = std::min(kMostPieces, blocks);
    std::vector<Sums> parts(pieces);
    parallel_for(pieces, threads, [&](std::size_t p) {
      parts[p] = empty();
      for (std::size_t b = p * blocks / pieces; b < (p + 1) * blocks / pieces; ++b) {
        add({b * step, std::min(total, (b + 1) * step)}, parts[p]);
      }
    });
    Sums sums = empty();
    for (const Sums& part : parts) {
      sums += part;
    }
    return sums;
  }

 private:
  [[nodiscard]] Sums empty() const {
    const auto columns = static_cast<Index>(effects_ + points_);
    const auto rows = static_cast<Index>(outcomes_ * predictor_.draws().draws());
    return {Matrix::Zero(rows, columns), Vector::Zero(columns),
            std::vector<std::size_t>(effects_ + points_)};
  }

  void add(RowRange range, Sums& sums) const {
    const Table block = rows_of(sample_.raw.table, range);
    if (column_.kind == Kind::kNumber) {
      add_number(block, sums);
    } else {
      add_levels(block, sums);
    }
  }

  void add_number(const Table& block, Sums& sums) const {
    std::vector<double> scale(block.rows);  // weight over the distance
    const std::vector<double> x = values_of(block, column_.first);
    const auto moved = [&](double sign) {
      return means(block, [&](Table& table) {
        for (std::size_t n = 0; n < x.size(); ++n) {
          const double at = x[n] + sign * step_at(x[n], column_.sd);
          table.x[n * table.columns.size() + column_.first] = at;
          scale[n] += sign * at;
        }
      });
    };
    Matrix difference = moved(1.0);
    difference -= moved(-1.0);
    for (std::size_t n = 0; n < x.size(); ++n) {
      scale[n] = weight(block, n) / scale[n];
    }
    add_rows(difference, block, scale, 0, sums);
    for (std::size_t i = 0; i < points_; ++i) {
      Matrix at = means(block, [&](Table& table) {
        for (std::size_t n = 0; n < table.rows; ++n) {
          table.x[n * table.columns.size() + column_.first] = column_.grid[i];
        }
      });
      add_rows(at, block, weights(block), effects_ + i, sums);
    }
  }

  void add_levels(const Table& block, Sums& sums) const {
    const std::vector<double> w = weights(block);
    Matrix reference;
    for (std::size_t level = 0; level < column_.levels.size(); ++level) {
      Matrix at = means(block, [&](Table& table) { set_level(table, column_, level); });
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

  // Of the rows after a change: draws x (outcomes x rows).
  [[nodiscard]] Matrix means(const Table& block, const std::function<void(Table&)>& change) const {
    TableRead changed;
    changed.table = rows_of(block, {0, block.rows});
    changed.features = sample_.raw.features;
    change(changed.table);
    rows_.make_columns(changed, 1);
    return predictor_.means(changed.table, {0, block.rows});
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
        sums.weights[column] += weight(block, static_cast<std::size_t>(n));
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

  [[nodiscard]] static double weight(const Table& block, std::size_t n) {
    return block.weights.empty() ? 1.0 : block.weights[n];
  }
  [[nodiscard]] static std::vector<double> weights(const Table& block) {
    return block.weights.empty() ? std::vector<double>(block.rows, 1.0) : block.weights;
  }

  const Predictor& predictor_;
  const NewRows& rows_;
  const RowSample& sample_;
  const InputColumn& column_;
  std::size_t effects_ = 0;
  std::size_t points_ = 0;
  std::size_t outcomes_ = 1;
};

DrawSummary summarise(std::span<const double> draws, double prob) {
  const auto positive = std::ranges::count_if(draws, [](double value) { return value > 0.0; });
  return {mean(draws), standard_deviation(draws), quantile(draws, 0.5 * (1.0 - prob)),
          quantile(draws, 0.5 * (1.0 + prob)),
          static_cast<double>(positive) / static_cast<double>(draws.size())};
}

// One summary an outcome.
std::vector<DrawSummary> summaries(const Sums& sums, std::size_t column, std::size_t outcomes,
                                   double prob) {
  const auto at = static_cast<Index>(column);
  const Vector averages = sums.values.col(at) / sums.weights[at];
  const std::size_t draws = static_cast<std::size_t>(averages.size()) / outcomes;
  std::vector<DrawSummary> result;
  for (std::size_t k = 0; k < outcomes; ++k) {
    result.push_back(summarise({averages.data() + k * draws, draws}, prob));
  }
  return result;
}

}  // namespace

std::size_t settings_of(const InputColumn& column, bool with_curve) {
  return column.kind == Kind::kNumber ? 2 + (with_curve ? column.grid.size() : 0)
                                      : column.levels.size();
}

ColumnEffects average_effects(const Predictor& predictor, const NewRows& rows,
                              const RowSample& sample, const InputColumn& column, bool with_curve,
                              const EffectsHow& how) {
  const ColumnSums work(predictor, rows, sample, column, with_curve);
  const Sums sums = work.all(how.threads);
  const bool number = column.kind == Kind::kNumber;
  ColumnEffects result;
  for (std::size_t i = 0; i < work.effects(); ++i) {
    result.effects.push_back({column.name, number ? "" : column.levels[i + 1],
                              number ? "" : column.levels[0], column.sd,
                              summaries(sums, i, work.outcomes(), how.prob), sums.skipped[i]});
  }
  result.curve.column = column.name;
  result.curve.has_levels = !number;
  for (std::size_t i = 0; i < work.points(); ++i) {
    const std::size_t at = work.effects() + i;
    result.curve.points.push_back({number ? column.grid[i] : static_cast<double>(i),
                                   number ? "" : column.levels[i],
                                   summaries(sums, at, work.outcomes(), how.prob)});
    result.curve.skipped = std::max(result.curve.skipped, sums.skipped[at]);
  }
  return result;
}

}  // namespace flymc
