// What targets of group models share, whichever way levels lie: coins of rows with RowBounds, and
// the gaps of rows, many at a time.
#pragma once

#include <cstdint>
#include <span>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/bright_set.hpp"
#include "flymc/detail/posterior/query.hpp"
#include "flymc/posterior/density.hpp"
#include "groups/row_bounds.hpp"

namespace flymc {

class RowTarget : public Density, public Brightable {
 public:
  // All outlive the target.
  RowTarget(const Dataset& data, const RowModel& model, const RowBounds& bounds,
            const double* shared_touch = nullptr);

  [[nodiscard]] std::uint64_t queries_total() const noexcept final { return counter_.total(); }
  [[nodiscard]] std::uint64_t evaluations_total() const noexcept final { return evaluations_; }

  [[nodiscard]] std::size_t rows() const noexcept final { return row_bounds_.rows(); }
  [[nodiscard]] std::size_t bright_count() const noexcept final { return set_.bright_count(); }
  [[nodiscard]] Datum bright_at(std::size_t slot) const noexcept final {
    return set_.bright_at(slot);
  }
  [[nodiscard]] bool is_bright(Datum datum) const noexcept final { return set_.is_bright(datum); }
  [[nodiscard]] std::size_t slot_of(Datum bright) const noexcept final {
    return set_.slot_of(bright);
  }
  void brighten(Point& current, std::size_t i) final;
  void darken(Point& current, std::size_t slot) final;
  void restore(std::span<const Datum> bright) final;
  void draw_hits(double scale, Stream& stream, Buffer<Datum>& hits) final;
  [[nodiscard]] double bright_rate(std::size_t slot) const noexcept override {
    return row_bounds_.rates.rate(set_.bright_at(slot));
  }
  [[nodiscard]] double queried_rate(std::size_t i) const noexcept override {
    return row_bounds_.rates.rate(probed_[i]);
  }
  [[nodiscard]] double rate_scale(const Point& /*current*/) final { return 1.0; }

  void count_evaluation() noexcept { ++evaluations_; }

  // Rows that are evaluated together: each at its u, one query each. What was found lives until the
  // next clear_rows().
  void clear_rows() noexcept;
  struct TouchingRow {
    double touch = 0.0;
    const double* curvature = nullptr;
    double response = 0.0;
    double weight = 1.0;
  };
  void push_row(const TouchingRow& row, double u);
  void push_row(std::size_t n, double u) {  // of the rows here
    push_row(
        {row_bounds_.touch[n], row_bounds_.curvature_of(n), data_.response(n), data_.weight(n)}, u);
  }
  // `shared`: of a model that has such, from the anchor.
  void run_gaps(const Vector& shared = {});
  [[nodiscard]] std::span<const double> gaps() const noexcept { return gap_; }
  [[nodiscard]] std::span<const double> slopes() const noexcept { return slope_; }  // in u

  // Sum of w log L over these rows, each at its predictor, one query each. REQUIRES: a model
  // without shared parameters.
  [[nodiscard]] double log_likelihood(RowRange range, const double* eta);

  // These coins are bright, in this order, and no others. What a point holds of the old ones is
  // stale.
  void relight(std::span<const Datum> bright);

  // What bright rows and all else that is evaluated add, from what the point holds.
  [[nodiscard]] static double residual(const Point& point) noexcept;

 protected:
  // Queries of the same evaluation that other ranks make.
  void count_elsewhere(std::size_t queries) noexcept { counter_.count_elsewhere(queries); }
  // These rows are about to be read.
  virtual void fetch(std::span<const Datum> /*data*/) {}
  // A row that turns bright, and one that turns dark: the last slot moves into the hole.
  virtual void append(Datum n) = 0;
  virtual void remove(std::size_t slot) = 0;

  // These rows are looked at, and have these factors.
  [[nodiscard]] Buffer<double>& probe(std::span<const Datum> data);
  // Not a number is nowhere.
  static void set_density(Point& point, double density) noexcept;

 private:
  const Dataset& data_;
  const RowModel& model_;
  const RowBounds& row_bounds_;
  const double* shared_touch_;
  BrightSet set_;
  QueryCounter counter_;
  std::uint64_t evaluations_ = 0;
  std::vector<Rates::Hit> hits_;
  Buffer<Datum> probed_;
  Buffer<double> probed_factors_;

  Buffer<double> touch_;
  Buffer<double> curvature_;
  Buffer<double> response_;
  Buffer<double> weight_;
  Buffer<double> u_;
  Buffer<double> gap_;
  Buffer<double> slope_;
};

}  // namespace flymc
