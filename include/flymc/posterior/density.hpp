// What kernels see. The seam is crossed once per density evaluation, so it is virtual: kernels and
// chains are compiled once; the loops over data below it are templates on the model.
#pragma once

#include <cstdint>
#include <span>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/posterior/point.hpp"
#include "flymc/detail/posterior/split_density.hpp"
#include "flymc/random.hpp"

namespace flymc {

// A log density on R^dimension. One instance a chain: not thread safe.
class Density {
 public:
  virtual ~Density() = default;

  [[nodiscard]] virtual Index dimension() const noexcept = 0;

  // Fills log_density (minus infinity where the density is zero or not a number), what is cached
  // with it, and with Order::kGradient the gradient. Throws nothing but std::bad_alloc, when more
  // data are bright than ever before: that ends a run in exit code 71, not in std::terminate; and
  // Interrupted, where that is asked for (interruption.hpp).
  virtual void evaluate(Point& point, Order order) = 0;

  // Null where the density has no Gaussian part that is diagonal in these coordinates.
  [[nodiscard]] virtual SplitDensity* split() noexcept { return nullptr; }

  virtual void to_theta(const Point& point, Vector& theta) const noexcept = 0;
  virtual void from_theta(const Vector& theta, Point& point) const = 0;

  [[nodiscard]] virtual std::uint64_t queries_total() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t evaluations_total() const noexcept = 0;
};

using Datum = std::size_t;  // the number of a row, over all ranks

// A density over (theta, z): what z-kernels see. All but `query` are O(1) in the number of data,
// but for the first visit to a wider shell, which builds its sums. `current` is always the chain's
// position; its caches follow every change of z.
class Brightable {
 public:
  virtual ~Brightable() = default;

  [[nodiscard]] virtual std::size_t rows() const noexcept = 0;
  [[nodiscard]] virtual std::size_t bright_count() const noexcept = 0;
  [[nodiscard]] virtual Datum bright_at(std::size_t slot) const noexcept = 0;
  [[nodiscard]] virtual bool is_bright(Datum datum) const noexcept = 0;
  [[nodiscard]] virtual std::size_t slot_of(Datum bright) const noexcept = 0;

  // log(L/B - 1) of dark data at the current position: data.size() queries. Minus infinity where
  // the bound touches. The result lives until the next query.
  [[nodiscard]] virtual std::span<const double> query(const Point& current,
                                                      std::span<const Datum> data) = 0;

  // Lights datum number `i` of the last query; darkens the datum in a slot (the last slot moves
  // into the hole). The log density and gradient of `current` are stale until refresh().
  virtual void brighten(Point& current, std::size_t i) = 0;
  virtual void darken(Point& current, std::size_t slot) = 0;

  // Lights these data in this order without a query; for a point that already holds their factors.
  // REQUIRES: all dark.
  virtual void restore(std::span<const Datum> bright) = 0;

  // The weighted z-update: a sweep's hits, Poisson(scale * sum of rates) draws of data with
  // probability in proportion to their rates, in the order drawn.
  virtual void draw_hits(double scale, Stream& stream, Buffer<Datum>& hits) = 0;
  // Rates of a bright datum, and of number `i` of the last query.
  [[nodiscard]] virtual double bright_rate(std::size_t slot) const noexcept = 0;
  [[nodiscard]] virtual double queried_rate(std::size_t i) const noexcept = 0;
  // What to multiply rates with here: s >= 1 may depend on theta, which a sweep leaves alone.
  [[nodiscard]] virtual double rate_scale(const Point& current) = 0;

  // Recomputes log density and gradient from the cached values: no query. REQUIRES: `current` was
  // evaluated with this order.
  virtual void refresh(Point& current, Order order) = 0;
};

}  // namespace flymc
