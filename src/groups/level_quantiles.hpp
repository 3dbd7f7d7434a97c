// Where a level of one coefficient is, given all else: quantiles of its own posterior, by
// quadrature over its rows. Where rows are few this leans to one side, further than a normal about
// its mean.
#pragma once

#include <array>
#include <vector>

#include "groups/row_model.hpp"

namespace flymc {

// From where the level is now.
struct LevelInterval {
  double lower = 0.0;
  double upper = 0.0;
  [[nodiscard]] double middle() const noexcept { return 0.5 * (lower + upper); }
  [[nodiscard]] double half() const noexcept { return 0.5 * (upper - lower); }
};

// One instance a thread.
class LevelQuantiles {
 public:
  // `shared`: parameters of the model that all rows share.
  LevelQuantiles(const RowModel& model, const double* shared);

  // A level at u, of about this standard deviation, whose prior is normal(0, scale); to `farthest`
  // standard deviations on both sides.
  void begin(double u, double sd, double scale, double farthest);
  // A row of it that has the predictor eta there, and moves by w.
  void add_row(double eta, double w, double response, double weight);
  // Leaves so much on either side; not a number where that is not found.
  [[nodiscard]] LevelInterval interval(double tail) const;

  static constexpr std::size_t kPoints = 33;  // at which every row is evaluated

 private:
  const RowModel& model_;
  const double* shared_;
  std::array<double, kPoints> off_{};
  std::array<double, kPoints> log_density_{};
  std::array<double, kPoints> eta_{};
  std::array<double, kPoints> response_{};
  std::array<double, kPoints> value_{};
  std::vector<double> slopes_;
  std::vector<double> information_;
};

}  // namespace flymc
