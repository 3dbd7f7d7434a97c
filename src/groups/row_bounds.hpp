// The bounds of rows that belong to levels: what one row's bound is, whichever way levels lie, and
// how often its coin is thrown.
//   local    the tangent at the anchor that holds while the row's levels stay in their regions,
//            and L e^-slack where they do not;
//   global   a tangent that holds everywhere, where it expects the smaller gap. It may touch
//            elsewhere: for logistic rows at xi^2 = E eta^2;
//   beacon   none: always evaluated, against its parabola at the anchor.
// See docs/method/groups.md, A region for each level.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/posterior/rates.hpp"
#include "groups/row_model.hpp"
#include "groups/row_numbers.hpp"

namespace flymc {

enum class RowBound : std::uint8_t { kLocal, kGlobal, kBeacon };

struct GroupOptions {
  double level_radius = 0.0;  // 0: by the number of rows
  double fixed_radius = 0.0;  // 0: by the number of fixed effects
  bool all_beacons = false;   // regular MCMC
  bool beacons = true;        // levels may be made beacons
  unsigned threads = 1;
};

struct RowTangent {
  RowBound kind = RowBound::kLocal;
  double touch = 0.0;
  RowCurvature curvature{};
};

struct RowBounds {
  // Of the rows here.
  explicit RowBounds(RowNumbers of, std::size_t a_row = 1)
      : numbers(std::move(of)),
        touch(numbers.here()),
        curvature(numbers.here() * a_row),
        kind(numbers.here()),
        curvatures(a_row) {}

  [[nodiscard]] double rate(std::size_t n) const noexcept {
    return numbers.is_split() ? CoinRate(rates_here[n]).value() : rates.rate(n);
  }
  [[nodiscard]] double slack(std::size_t n) const noexcept { return slack_of(rate(n)); }
  [[nodiscard]] double slack_of(double rate) const noexcept { return slack_per_rate * rate; }
  [[nodiscard]] bool is_global(std::size_t n) const noexcept {
    return kind[n] == RowBound::kGlobal;
  }
  [[nodiscard]] std::size_t rows() const noexcept { return numbers.rows(); }  // of all ranks
  [[nodiscard]] const double* curvature_of(std::size_t n) const noexcept {
    return curvature.data() + n * curvatures;
  }
  [[nodiscard]] RowTangent of(std::size_t n) const {
    RowTangent bound{kind[n], touch[n], {}};
    std::copy_n(curvature_of(n), curvatures, bound.curvature.begin());
    return bound;
  }
  void set(std::size_t n, const RowTangent& bound) {
    kind[n] = bound.kind;
    touch[n] = bound.touch;
    std::copy_n(bound.curvature.begin(), curvatures, curvature.data() + n * curvatures);
  }

  // Whether what rows share, d from the anchor, is outside of its region.
  [[nodiscard]] bool leaves_shared(const Vector& d) const {
    return d.size() > 0 &&
           !(shared_region.triangularView<Eigen::Lower>().solve(d).cwiseAbs().maxCoeff() <= 1.0);
  }

  // Throws coins in proportion to the gaps that are expected; REQUIRES: kinds are known. None of
  // nothing: a scale near zero would freeze its rows. Collective.
  void set_rates(Buffer<double> expected_gaps, unsigned threads);

  RowNumbers numbers;
  Buffer<double> touch;
  Buffer<double> curvature;
  Buffer<RowBound> kind;
  std::size_t curvatures;    // numbers of one
  Rates rates;               // by the rows' numbers
  Buffer<float> rates_here;  // of the rows here, where these are others
  double slack_per_rate = 0.0;
  double expected_bright = 0.0;
  // What rows share stays d from the anchor's while all |(L^-1 d)_j| <= 1: this is L.
  Matrix shared_region;
  // How many times as much tangents bend along what rows share as the likelihood does: given coins,
  // that moves by as much less than all it could.
  double shared_bent = 1.0;
  std::size_t beacons = 0;  // rows, of all ranks
  int passes = 0;
  std::uint64_t queries = 0;
};

// Shared parameters: where tangents touch, how far a local one holds, where they are expected, from
// there, and the lower Cholesky factor of their covariance, by columns. No numbers where a model
// has none.
struct SharedSpread {
  const double* touch = nullptr;
  const double* region = nullptr;
  const double* mean = nullptr;
  const double* factor = nullptr;
};

// E gap of a tangent (its kind is of no matter), the predictor normal about `mean` from where it
// touches independent of what is shared: three points along each, the one in the middle in common.
[[nodiscard]] double expected_gap(const RowModel& model, const RowTangent& bound, double response,
                                  double mean, double sd, const SharedSpread& shared = {});

// The bound that expects the smaller gap of a row whose predictor is about eta, with this standard
// deviation, and within `radius` of it inside of its regions (infinite: no local bound is wanted).
[[nodiscard]] RowTangent choose_bound(const RowModel& model, double response, double eta, double sd,
                                      double radius, const SharedSpread& shared = {});

// What tangents say of shared parameters, coefficients held: slope.d - d' bend d/2, of d from the
// anchor.
struct SharedParabola {
  Vector slope;
  Matrix bend;

  [[nodiscard]] double at(const Vector& d) const { return slope.dot(d) - 0.5 * d.dot(bend * d); }
};

// A region of shared parameters whose covariance has this factor, so many standard deviations wide
// (0: by their number).
[[nodiscard]] Matrix shared_region_of(const Matrix& factor, double radius);
// How many times as much `covariance` has shrunk, where it shrank most.
[[nodiscard]] double bent_against(const Matrix& factor, const Matrix& covariance);
// A root of 2.4^2/m times the inverse of how much tangents bend along what rows share, for steps of
// a random walk; of their region where that is no width.
[[nodiscard]] Matrix shared_walk(const Matrix& bend, const Matrix& region);

// How the log likelihood bends, and no way but down.
[[nodiscard]] RowCurvature downward(const RowModel& model, const RowCurvature& information);

// Of a normal response: sigma would go to zero.
[[noreturn]] void throw_no_noise();

// The standard deviations that one row in all leaves, of q coordinates at a time.
[[nodiscard]] double default_level_radius(std::size_t rows, double coordinates);

}  // namespace flymc
