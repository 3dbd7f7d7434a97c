// Monte Carlo means with standard errors by batch means, and the threshold of the whole suite.
#pragma once

#include <cmath>
#include <cstddef>

namespace flymc::exact {

// Two-sided. The suites of tests/kernel and tests/chain make about 6,500 comparisons with a
// reference. The z-scores follow Student's t with kBatches - 1 degrees of freedom, for which
// P(|t| > 5.5) = 2.1e-7: by Bonferroni all of them stay below with probability 1 - 1.4e-3.
inline constexpr double kZThreshold = 5.5;
inline constexpr std::size_t kBatches = 125;

// The mean of a stationary series of known length, cut into kBatches consecutive batches that are
// long against its autocorrelation time.
class BatchMean {
 public:
  explicit BatchMean(std::size_t draws) : batch_size_(draws / kBatches) {}

  void add(double x) {
    sum_ += x;
    if (++count_ == batch_size_) {
      const double mean = sum_ / static_cast<double>(batch_size_);
      ++batches_;
      const double shift = mean - mean_;
      mean_ += shift / static_cast<double>(batches_);
      squares_ += shift * (mean - mean_);
      sum_ = 0.0;
      count_ = 0;
    }
  }

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double standard_error() const {
    const auto n = static_cast<double>(batches_);
    return std::sqrt(squares_ / (n - 1.0) / n);
  }
  // A series that never moved has no error: equal or infinitely wrong.
  [[nodiscard]] double z_score(double expected) const {
    const double error = mean_ - expected;
    return error == 0.0 ? 0.0 : error / standard_error();
  }

 private:
  std::size_t batch_size_;
  std::size_t count_ = 0;
  std::size_t batches_ = 0;
  double sum_ = 0.0;
  double mean_ = 0.0;
  double squares_ = 0.0;
};

}  // namespace flymc::exact
