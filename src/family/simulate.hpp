// Data drawn from a model with known coefficients:
//   x_nj ~ N(0, 1),  eta_nk = alpha_k + x_n . beta_k,  |beta_k| = predictor_sd,
//   logistic: y = 1 with probability 1 / (1 + e^-eta); probit: with probability Phi(eta);
//   binomial: y successes in `trials` trials of the logistic's probability;
//   softmax: y = k with probability proportional to e^eta_k; Student-t: y = eta + scale t_nu;
//   Poisson: a count of mean e^eta; negative binomial: a count of mean e^eta g, g ~ Gamma of mean 1
//   and variance 1 / size.
// Columns have unit variance and are independent, so the sd of x . beta_k is |beta_k|: exactly
// predictor_sd (for softmax before its classes are centred, which changes no probability).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/random.hpp"
#include "flymc/table.hpp"

namespace flymc {

enum class SimulatedModel {
  kLogistic,
  kProbit,
  kBinomial,
  kSoftmax,
  kStudentT,
  kPoisson,
  kNegativeBinomial,
};

// The word of `--model`.
[[nodiscard]] const char* name_of(SimulatedModel model) noexcept;

// Unless asked for another: 2.5; 0.5 for counts, whose mean is e^eta and would soon be in the
// millions.
[[nodiscard]] constexpr double default_predictor_sd(SimulatedModel model) noexcept {
  const bool counts =
      model == SimulatedModel::kPoisson || model == SimulatedModel::kNegativeBinomial;
  return counts ? 0.5 : 2.5;
}

struct SimulateOptions {
  SimulatedModel model = SimulatedModel::kLogistic;
  std::size_t rows = 1000;
  std::size_t columns = 10;
  std::optional<double> predictor_sd{};  // none: default_predictor_sd(model)
  std::size_t classes = 3;               // softmax
  double nu = 4.0;                       // Student-t
  double scale = 1.0;                    // Student-t
  std::size_t trials = 10;               // binomial, the same for every row
  double size = 5.0;                     // negative binomial
  bool intercept = true;                 // false: alpha = 0; else alpha_k ~ N(0, 1)
  std::uint64_t seed = 1;
  unsigned threads = 0;  // 0: all cores; never changes the data

  // Hard shapes. Columns keep mean 0 and variance 1.
  std::size_t rare = 0;      // so many last columns are indicators of prevalence 1e-4 to 1e-2
  bool heavy_tails = false;  // the other columns are t_3 instead of normal
  bool separable = false;    // the class is the likeliest one, without chance

  [[nodiscard]] std::size_t predictors() const noexcept {
    return model == SimulatedModel::kSoftmax ? classes : 1;
  }
};

// Coefficients as `fit` reports them. Softmax probabilities do not change when all classes are
// shifted alike; a symmetric prior centres the posterior, so here classes sum to zero.
struct SimulatedTruth {
  Vector alpha;  // one a predictor
  Matrix beta;   // columns x predictors
};

// Any block of rows by itself: a block is a function of the options and its number alone, so blocks
// may be made in any order, on any thread, and written to disk without holding the table.
// Immutable; thread safe.
class Simulator {
 public:
  // THROWS Error(kUsage) naming the option, its value and what is wrong with it.
  explicit Simulator(const SimulateOptions& options);

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

 private:
  void draw_row(Stream& stream, std::span<double> row) const noexcept;
  [[nodiscard]] double draw_response(Stream& stream, std::span<double> eta) const;
  [[nodiscard]] double draw_successes(Stream& stream, double eta) const noexcept;
  [[nodiscard]] double draw_count(Stream& stream, double eta) const;
  [[nodiscard]] double draw_class(Stream& stream, std::span<double> eta) const noexcept;

  SimulateOptions options_;
  SimulatedTruth truth_;
  Vector prevalence_;  // of the rare columns
  std::size_t block_rows_;
};

// The whole table in memory: features x1 .. xd (no intercept column), response y; classes 0, 1, ...
// Weights stay empty; binomial responses are successes, of options.trials in every row.
[[nodiscard]] Table simulate(const SimulateOptions& options);

}  // namespace flymc
