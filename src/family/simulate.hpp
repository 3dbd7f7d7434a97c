// Data drawn from a family with known coefficients:
//   x_nj ~ N(0, 1),  eta_nk = alpha_k + x_n . beta_k,  |beta_k| = predictor_sd,  y_n by the family.
// Columns have unit variance and are independent, so the sd of x . beta_k is |beta_k|: exactly
// predictor_sd (for softmax before its classes are centred, which changes no probability).
// Factors: every row has one level of each, any with the same chance, and adds its intercept u to
// eta, u ~ N(0, group_sd^2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/family/family.hpp"
#include "flymc/random.hpp"
#include "flymc/table.hpp"

namespace flymc {

// Unless asked for another: 2.5; 0.5 for counts, whose mean is e^eta and would soon be in the
// millions.
[[nodiscard]] constexpr double default_predictor_sd(ResponseKind kind) noexcept {
  switch (kind) {
    case ResponseKind::kCounts:
    case ResponseKind::kPositive:
      return 0.5;
    case ResponseKind::kShares:
    case ResponseKind::kTallies:
      return 1.0;
    default:
      return 2.5;
  }
}

struct SimulateOptions {
  std::string family = "logistic";  // its word
  std::size_t rows = 1000;
  std::size_t columns = 10;
  std::optional<double> predictor_sd{};  // none: default_predictor_sd() of the response
  std::size_t classes = 3;               // where the response has so many
  std::size_t trials = 10;               // of successes, the same for every row
  Settings own{};                        // of the family; absent: the usual
  bool intercept = true;                 // false: alpha = 0; else alpha_k ~ N(0, 1)
  std::uint64_t seed = 1;
  unsigned threads = 0;  // 0: all cores; never changes the data

  // Hard shapes. Columns keep mean 0 and variance 1.
  std::size_t rare = 0;      // so many last columns are indicators of prevalence 1e-4 to 1e-2
  bool heavy_tails = false;  // the other columns are t_3 instead of normal
  bool separable = false;    // the class is the likeliest one, without chance

  std::vector<std::size_t> groups{};  // levels of each factor: g1, g2, ...
  double group_sd = 0.5;              // of their intercepts
};

// Coefficients as `fit` reports them. Softmax probabilities do not change when all classes are
// shifted alike; a symmetric prior centres the posterior, so here classes sum to zero.
struct SimulatedTruth {
  Vector alpha;                  // one a predictor
  Matrix beta;                   // columns x predictors
  std::vector<Vector> levels{};  // of each factor the intercepts
};

// Any block of rows by itself: a block is a function of the options and its number alone, so blocks
// may be made in any order, on any thread, and written to disk without holding the table.
// Immutable; thread safe.
class Simulator {
 public:
  // THROWS Error(kUsage) naming the option, its value and what is wrong with it.
  explicit Simulator(const SimulateOptions& options);

  [[nodiscard]] const Family& family() const noexcept { return *family_; }

  // As given, with predictor_sd filled in.
  [[nodiscard]] const SimulateOptions& options() const noexcept { return options_; }
  [[nodiscard]] const SimulatedTruth& truth() const noexcept { return truth_; }

  // All blocks have block_rows() rows but the last, which may have fewer.
  [[nodiscard]] std::size_t block_rows() const noexcept { return block_rows_; }
  [[nodiscard]] std::size_t blocks() const noexcept;
  [[nodiscard]] std::size_t rows_of(std::size_t block) const noexcept;

  // REQUIRES: block < blocks(), x of rows_of(block) * columns numbers, y of rows_of(block).
  // THROWS Error(kUsage) where a mean count is too great for a double to count exactly.
  void fill(std::size_t block, std::span<double> x, std::span<double> y) const;
  // The level of each row of the block, from 0. REQUIRES: a factor of options().groups.
  [[nodiscard]] std::vector<std::uint32_t> levels_of(std::size_t block, std::size_t factor) const;

 private:
  void draw_row(Stream& stream, std::span<double> row) const noexcept;
  [[nodiscard]] double draw_response(Stream& stream, std::span<double> eta) const;

  SimulateOptions options_;
  std::shared_ptr<const Family> family_;
  SimulatedTruth truth_;
  Vector prevalence_;  // of the rare columns
  std::size_t block_rows_;
};

// g1, g2, ...
[[nodiscard]] std::vector<std::string> factor_names(const SimulateOptions& options);

// The whole table in memory: features x1 .. xd (no intercept column), response y; classes 0, 1, ...
// Weights stay empty; binomial responses are successes, of options.trials in every row. Levels
// of factors are the numbers from 1.
[[nodiscard]] Table simulate(const SimulateOptions& options);

}  // namespace flymc
