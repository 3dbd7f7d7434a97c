#include "groups/crossed_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"
#include "groups/mode_search.hpp"

namespace flymc {

CrossedPrior CrossedProblem::precision(const Vector& psi) const {
  const double variance = std::exp(2.0 * log_sigma(psi));
  GroupScales::Precision of_terms;
  scales.precision(psi, of_terms);
  Vector all = Vector::Zero(size());
  all.head(fixed()) = variance * prior.precision;
  const auto terms = static_cast<Index>(memberships.terms());
  for (Index t = 0; t < terms; ++t) {
    const auto [first, count] = memberships.coefficients(static_cast<std::size_t>(t));
    all.segment(first, count).setConstant(variance * of_terms.lambda(t, t));
  }
  CrossedPrior out(std::move(all));
  Index first = 0;
  for (const Index q : scales.blocks()) {
    for (Index t = first; t < first + q; ++t) {
      for (Index other = first; other < t; ++other) {
        out.couple(memberships.coefficients(static_cast<std::size_t>(t)),
                   memberships.coefficients(static_cast<std::size_t>(other)),
                   variance * of_terms.lambda(t, other));
      }
    }
    first += q;
  }
  return out;
}

Vector CrossedProblem::pull(const Vector& coefficients, const CrossedPrior& precision) const {
  Vector off = coefficients;
  off.head(fixed()) -= prior.mean;
  return precision.product(off);
}

Matrix CrossedProblem::products(const Vector& coefficients) const {
  const auto terms = static_cast<Index>(memberships.terms());
  const auto of = [&](Index term) {
    const auto [first, count] = memberships.coefficients(static_cast<std::size_t>(term));
    return coefficients.segment(first, count);
  };
  Matrix out = Matrix::Zero(terms, terms);
  Index first = 0;
  for (const Index q : scales.blocks()) {
    for (Index t = first; t < first + q; ++t) {
      for (Index other = first; other <= t; ++other) {
        out(t, other) = out(other, t) = of(t).dot(of(other));
      }
    }
    first += q;
  }
  return out;
}

double CrossedRegion::common_norm(const Vector& d) const {
  Vector of_common(static_cast<Index>(common.size()));
  for (std::size_t j = 0; j < common.size(); ++j) {
    of_common[static_cast<Index>(j)] = d[common[j]];
  }
  return (lower.triangularView<Eigen::Lower>().transpose() * of_common).norm();
}

double CrossedRegion::level_norm(std::size_t level, const Vector& d) const noexcept {
  const auto row = static_cast<Index>(level);
  double off = d[d.size() - sd.size() + row];
  const double* const x = tied.data() + row * tied.cols();
  for (std::size_t j = 0; j < common.size(); ++j) {
    off += x[j] * d[common[j]];
  }
  return std::abs(off) / sd[row];
}

CrossedBounds::CrossedBounds(const CrossedProblem& problem)
    : RowBounds(RowNumbers(problem.model.is_gaussian() ? 0 : problem.data.rows()),
                problem.model.curvatures()),
      anchor(Vector::Zero(problem.size())),
      sums(problem.data, problem.memberships, problem.shared()),
      has_region(problem.memberships.levels(), 0) {}

namespace {

class CrossedSearch {
 public:
  CrossedSearch(const CrossedProblem& problem, const Vector& beta, const CrossedOptions& options)
      : problem_(problem), options_(options), bounds_(problem), rows_(problem) {
    bounds_.anchor.head(beta.size()) = beta;
    bounds_.psi = problem.scales.start();
    bounds_.shared = bounds_.psi.tail(shared());
    choose_common();
  }

  CrossedBounds run() {
    if (problem_.model.is_gaussian()) {
      settle();
      make_region();
      make_maps();
      keep_nests();
      return std::move(bounds_);
    }
    climb();
    bounds_.level_radius = options_.rows.level_radius > 0.0
                               ? options_.rows.level_radius
                               : default_level_radius(problem_.data.rows(), 1.0);
    bounds_.fixed_radius = options_.rows.fixed_radius > 0.0
                               ? options_.rows.fixed_radius
                               : std::sqrt(static_cast<double>(common().size())) + 4.5;
    bool has_global = false;
    for (int round = 0; round == 0 || (round < 3 && has_global); ++round) {
      if (round > 0) {  // about the centre of the collapsed Gaussian
        move(bounds_.anchor, bounds_.shared, centre(bounds_.psi), shared_step(bounds_.psi), 1.0);
        std::ignore = information_pass(Bend::kOwn);
      }
      make_region();
      has_global = bounds_pass() && !options_.rows.all_beacons;
      improve_psi(2);
    }
    if (shared() > 0) {
      bounds_.shared_bent =
          bent_against(shared_factor_, bounds_.psi_spread.bottomRightCorner(shared(), shared()));
    }
    make_rates();
    make_maps();
    keep_nests();
    return std::move(bounds_);
  }

 private:
  [[nodiscard]] const std::vector<Index>& common() const noexcept { return bounds_.region.common; }
  [[nodiscard]] std::size_t levels() const noexcept { return problem_.memberships.levels(); }
  [[nodiscard]] Index shared() const noexcept { return problem_.shared(); }
  [[nodiscard]] Index at(std::size_t level) const noexcept {
    return problem_.fixed() + static_cast<Index>(level);
  }
  [[nodiscard]] bool is_free(std::size_t level) const noexcept {
    return bounds_.region.is_common[static_cast<std::size_t>(at(level))] == 0;
  }

  void choose_common() {
    CrossedRegion& region = bounds_.region;
    region.is_common.assign(static_cast<std::size_t>(problem_.size()), 0);
    std::fill_n(region.is_common.begin(), problem_.fixed(), char{1});
    std::size_t few = 0;
    std::size_t term = 0;
    for (const Index q : problem_.scales.blocks()) {  // all of a block, or none
      const std::size_t next = term + static_cast<std::size_t>(q);
      const std::size_t first = problem_.memberships.first(term);
      const std::size_t count = problem_.memberships.first(next) - first;
      if (few + count <= options_.few_levels) {
        few += count;
        std::fill_n(region.is_common.begin() + at(first), count, char{1});
      }
      term = next;
    }
    for (Index i = 0; i < problem_.size(); ++i) {
      if (region.is_common[static_cast<std::size_t>(i)] != 0) {
        region.common.push_back(i);
      }
    }
  }

  // The log likelihood of a row, or its tangent, about the anchor.
  struct Parabola {
    double value = 0.0;
    RowSlopes slopes{};
    RowCurvature bend{};
  };
  // Of all rows, with no number more than the model has.
  class Parabolas {
   public:
    explicit Parabolas(const CrossedProblem& problem)
        : slopes_(1 + problem.model.shared()),
          stride_(1 + slopes_ + problem.model.curvatures()),
          numbers_(problem.data.rows() * stride_) {}

    void set(std::size_t n, const Parabola& row) {
      double* const to = numbers_.data() + n * stride_;
      to[0] = row.value;
      std::copy_n(row.slopes.begin(), slopes_, to + 1);
      std::copy_n(row.bend.begin(), stride_ - 1 - slopes_, to + 1 + slopes_);
    }
    [[nodiscard]] Parabola of(std::size_t n) const {
      const double* const from = numbers_.data() + n * stride_;
      Parabola row{from[0], {}, {}};
      std::copy_n(from + 1, slopes_, row.slopes.begin());
      std::copy_n(from + 1 + slopes_, stride_ - 1 - slopes_, row.bend.begin());
      return row;
    }

   private:
    std::size_t slopes_;
    std::size_t stride_;
    Buffer<double> numbers_;
  };

  [[nodiscard]] double eta_at_anchor(std::size_t n, const MemberReader& row) const {
    return problem_.data.offset(n) + predict_row(row.x(), row.members(), bounds_.anchor.data());
  }
  [[nodiscard]] Parabola evaluate(std::size_t n, double eta) const {
    Parabola at;
    problem_.model.evaluate({1, &eta, problem_.data.responses(n), bounds_.shared.data()}, &at.value,
                            at.slopes.data(), at.bend.data());
    return at;
  }

  // Calls visit(row number, reader) for every row, many at a time; then sums the parabolas it
  // returned.
  template <class Visit>
  double pass(const Visit& visit) {
    poll_interruption();
    for_rows([&](std::size_t n, MemberReader& row) { rows_.set(n, visit(n, row)); });
    bounds_.sums.clear();
    MemberReader row(problem_.data, problem_.memberships);
    double value = 0.0;
    for (std::size_t n = 0; n < problem_.data.rows(); ++n) {
      const double weight = problem_.data.weight(n);
      const Parabola of_row = rows_.of(n);
      row.read(n);
      bounds_.sums.add(weight * of_row.bend[0], weight * of_row.slopes[0], row.x(), row.members());
      bounds_.sums.add_shared(weight, of_row.bend.data(), of_row.slopes.data(), row.x(),
                              row.members());
      value += weight * of_row.value;
    }
    bounds_.sums.complete();
    ++bounds_.passes;
    bounds_.queries += problem_.data.rows();
    return value;
  }
  template <class Visit>
  void for_rows(const Visit& visit) const {
    const auto chunks = row_chunks(problem_.data.rows(), 0);
    parallel_for(chunks.size(), options_.rows.threads, [&](std::size_t c) {
      MemberReader row(problem_.data, problem_.memberships);
      for (std::size_t n = chunks[c].first; n < chunks[c].last; ++n) {
        row.read(n);
        visit(n, row);
      }
    });
  }

  // Curvatures of the log likelihood at the anchor, in the predictor no way but down; or, for a
  // search that must climb where it is not concave, of its global tangents, which lie below it, and
  // no way but down in all it depends on.
  enum class Bend { kOwn, kBelow };
  double information_pass(Bend how) {
    const bool below = how == Bend::kBelow && !problem_.model.log_concave();
    return pass([&](std::size_t n, const MemberReader& row) {
      const double eta = eta_at_anchor(n, row);
      Parabola at = evaluate(n, eta);
      const double tangent =
          below ? problem_.model.global_curvature(eta, problem_.data.response(n)) : 0.0;
      if (below) {
        at.bend = downward(problem_.model, at.bend);
      }
      at.bend[0] = std::max({at.bend[0], 0.0, std::isfinite(tangent) ? tangent : 0.0});
      return at;
    });
  }

  // From the anchor.
  [[nodiscard]] Vector shared_step(const Vector& psi) const {
    return psi.tail(shared()) - bounds_.shared;
  }
  [[nodiscard]] Vector centre(const Vector& psi) const {
    const CrossedPrior precision = problem_.precision(psi);
    return solve(bounds_.sums, precision,
                 bounds_.sums.b() - bounds_.sums.with_shared() * shared_step(psi) -
                     problem_.pull(bounds_.anchor, precision));
  }
  void move(const Vector& from, const Vector& shared_from, const Vector& step,
            const Vector& shared_step, double share) {
    bounds_.anchor = from + share * step;
    bounds_.shared = shared_from + share * shared_step;
    bounds_.psi.tail(shared()) = bounds_.shared;
  }

  // How the centre moves with what rows share: -(S + Lambda)^-1 T.
  [[nodiscard]] Matrix shared_drift(const CrossedPrior& precision) const {
    Matrix drift(problem_.size(), shared());
    for (Index j = 0; j < shared(); ++j) {
      drift.col(j) = -solve(bounds_.sums, precision, bounds_.sums.with_shared().col(j));
    }
    return drift;
  }

  // What is shared under the parabolas and its prior, coefficients integrated out: sums bend by
  // sum k_aa - T'(S + Lambda)^-1 T.
  struct SharedMarginal {
    Vector step;  // of Newton, from here
    Matrix covariance;
  };
  [[nodiscard]] SharedMarginal shared_marginal(const Vector& psi) const {
    constexpr double kStep = 1e-3;
    constexpr double kLeastBend = 0.25;
    const CrossedSums& sums = bounds_.sums;
    const Matrix drift = shared_drift(problem_.precision(psi));
    const Vector at = psi.tail(shared());
    Vector slope = sums.shared_slope() - sums.shared_bend() * shared_step(psi) -
                   sums.with_shared().transpose() * centre(psi);
    Matrix bend = sums.shared_bend() + sums.with_shared().transpose() * drift;
    for (Index j = 0; j < shared(); ++j) {
      const Vector off = kStep * Vector::Unit(shared(), j);
      const double above = problem_.scales.log_prior_of_shared(at + off);
      const double below = problem_.scales.log_prior_of_shared(at - off);
      slope[j] += (above - below) / (2.0 * kStep);
      bend(j, j) +=
          (2.0 * problem_.scales.log_prior_of_shared(at) - above - below) / (kStep * kStep);
    }
    if (!bend.allFinite() || !slope.allFinite()) {
      return {Vector::Zero(shared()), Matrix::Identity(shared(), shared()) / kLeastBend};
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(0.5 * (bend + bend.transpose()));
    const Vector bends = solver.eigenvalues().cwiseMax(kLeastBend);
    const Matrix covariance = solver.eigenvectors() * bends.cwiseInverse().asDiagonal() *
                              solver.eigenvectors().transpose();
    return {covariance * slope, covariance};
  }

  // Variances of levels under S and these prior precisions: the diagonal and what paths over one
  // other level add. `among_free`: given what is common.
  [[nodiscard]] Vector variances(const CrossedPrior& precision, bool among_free) const {
    Vector out(static_cast<Index>(levels()));
    const Vector diagonal = bounds_.sums.diagonal() + precision.diagonal();
    for (std::size_t level = 0; level < levels(); ++level) {
      const auto met = bounds_.sums.met(level);
      const double own = diagonal[at(level)];
      double more = 0.0;
      for (std::size_t i = 0; i < met.levels.size(); ++i) {
        if (!among_free || is_free(met.levels[i])) {
          const double both = met.values[i] + precision.between(at(level), at(met.levels[i]));
          more += both * both / diagonal[at(met.levels[i])];
        }
      }
      out[static_cast<Index>(level)] = (1.0 + std::min(1.0, more / own)) / own;
    }
    return out;
  }

  // The share of its prior's variance that rows leave each coefficient of a term. Those of smooth
  // terms hang together through their columns: given the levels.
  [[nodiscard]] Vector left_to_prior(const Vector& psi) const {
    const CrossedPrior precision = problem_.precision(psi);
    Vector out(problem_.size());
    out.tail(static_cast<Index>(levels())) = variances(precision, false);
    const Memberships& memberships = problem_.memberships;
    const Index p = problem_.fixed();
    bool smooth = false;
    for (std::size_t term = 0; term < memberships.terms(); ++term) {
      smooth = smooth || memberships.coefficients(term).first < p;
    }
    out.head(p).setZero();
    if (smooth) {
      Matrix dense = bounds_.sums.among_fixed();
      dense.diagonal() += precision.diagonal().head(p);
      out.head(p) = dense.ldlt().solve(Matrix::Identity(p, p)).diagonal();
    }
    const double variance = std::exp(2.0 * problem_.log_sigma(psi));
    for (std::size_t term = 0; term < memberships.terms(); ++term) {
      const auto [first, count] = memberships.coefficients(term);
      out.segment(first, count) *= variance * std::exp(-2.0 * psi[static_cast<Index>(term)]);
    }
    return out.cwiseMax(0.0).cwiseMin(1.0);
  }

  // How many of a term's coefficients the rows decide, not its prior; at least a little. Of sigma:
  // rows that no coefficient takes up.
  [[nodiscard]] Vector decided(const Vector& psi) const {
    const Vector share = left_to_prior(psi);
    Vector out = Vector::Constant(psi.size(), 0.1);
    for (std::size_t term = 0; term < problem_.memberships.terms(); ++term) {
      const auto [first, count] = problem_.memberships.coefficients(term);
      out[static_cast<Index>(term)] +=
          static_cast<double>(count) - share.segment(first, count).sum();
    }
    Index first = 0;
    Index to = problem_.scales.coefficients();
    double taken = out.head(to).sum() + static_cast<double>(problem_.fixed());
    for (const Index q : problem_.scales.blocks()) {  // correlations: as the scale known least
      out.segment(to, q * (q - 1) / 2).setConstant(out.segment(first, q).minCoeff());
      to += q * (q - 1) / 2;
      first += q;
    }
    if (problem_.infers_sigma()) {
      out[psi.size() - 1] = std::max(bounds_.weight - taken, 0.05 * bounds_.weight);
    }
    return out;
  }

  // Towards the mode of the scales' Laplace marginal, whose slope is
  // sum u^2/tau^2 - (levels decided) + that of the prior; of sigma as much, with residuals.
  void improve_psi(int rounds) {
    constexpr double kFarthest = 0.7;
    constexpr double kStep = 1e-3;
    for (int round = 0; round < rounds; ++round) {
      Vector& psi = bounds_.psi;
      const Vector off_anchor = centre(psi);
      const Vector mode = bounds_.anchor + off_anchor;
      const Vector rows_decide = decided(psi);
      Vector squares = Vector::Zero(psi.size());
      for (std::size_t term = 0; term < problem_.memberships.terms(); ++term) {
        const auto [first, count] = problem_.memberships.coefficients(term);
        squares[static_cast<Index>(term)] = mode.segment(first, count).squaredNorm();
      }
      if (problem_.infers_sigma()) {
        Vector product;
        bounds_.sums.multiply(off_anchor, product);
        squares[psi.size() - 1] = bounds_.least + off_anchor.dot(product - 2.0 * bounds_.sums.b());
      }
      double moved = 0.0;
      const Vector from = psi;
      const double here = problem_.scales.log_prior(from);
      for (Index t = 0; t < psi.size(); ++t) {
        if (is_correlation(t) || t >= psi.size() - shared()) {
          continue;
        }
        Vector off = from;
        off[t] += kStep;
        const double above = problem_.scales.log_prior(off);
        off[t] -= 2.0 * kStep;
        const double below = problem_.scales.log_prior(off);
        const double slope = squares[t] * std::exp(-2.0 * from[t]) - rows_decide[t] +
                             (above - below) / (2.0 * kStep);
        const double bend = 2.0 * rows_decide[t] + 0.5 +
                            std::max(0.0, (2.0 * here - above - below) / (kStep * kStep));
        const double step = std::clamp(slope / bend, -kFarthest, kFarthest);
        psi[t] += std::isfinite(step) ? step : 0.0;
        moved = std::max(moved, std::abs(step));
      }
      set_correlations(mode);
      if (shared() > 0) {
        const Vector step = shared_marginal(psi).step.cwiseMax(-kFarthest).cwiseMin(kFarthest);
        psi.tail(shared()) += step;
        moved = std::max(moved, step.cwiseAbs().maxCoeff());
      }
      if (moved < 1e-3) {
        break;
      }
    }
    bounds_.psi_spread = (2.0 * decided(bounds_.psi)).cwiseInverse().cwiseMin(4.0).asDiagonal();
    if (shared() > 0) {
      bounds_.psi_spread.bottomRightCorner(shared(), shared()) =
          shared_marginal(bounds_.psi).covariance;
    }
  }

  [[nodiscard]] bool is_correlation(Index at) const noexcept {
    return at >= problem_.scales.coefficients() && at < problem_.scales.of_levels();
  }

  // Those of levels at the mode with what is not known of each, given all others.
  void set_correlations(const Vector& mode) {
    const CrossedPrior precision = problem_.precision(bounds_.psi);
    const Matrix products = problem_.products(mode);
    const double variance = std::exp(2.0 * problem_.log_sigma(bounds_.psi));
    Index first = 0;
    Index to = problem_.scales.coefficients();
    for (const Index q : problem_.scales.blocks()) {
      if (q > 1) {
        Matrix covariance = products.block(first, first, q, q);
        const std::size_t start = problem_.memberships.first(static_cast<std::size_t>(first));
        const std::size_t count = problem_.memberships.levels(static_cast<std::size_t>(first));
        Matrix own(q, q);
        for (std::size_t i = 0; i < count; ++i) {
          for (Index a = 0; a < q; ++a) {
            const std::size_t level = start + static_cast<std::size_t>(a) * count + i;
            own(a, a) = bounds_.sums.diagonal()[at(level)] + precision.diagonal()[at(level)];
            for (Index b = 0; b < a; ++b) {
              const std::size_t other = start + static_cast<std::size_t>(b) * count + i;
              own(a, b) = own(b, a) = bounds_.sums.between_or_zero(level, other) +
                                      precision.between(at(level), at(other));
            }
          }
          covariance += variance * own.inverse();
        }
        const Vector sd = covariance.diagonal().cwiseSqrt();
        const Matrix correlation =
            sd.cwiseInverse().asDiagonal() * covariance * sd.cwiseInverse().asDiagonal();
        bounds_.psi.segment(to, q * (q - 1) / 2) = GroupScales::unbounded(correlation);
      }
      to += q * (q - 1) / 2;
      first += q;
    }
  }

  [[nodiscard]] double log_prior() const {
    Vector off = bounds_.anchor;
    off.head(problem_.fixed()) -= problem_.prior.mean;
    const double of_coefficients = -0.5 * off.dot(problem_.precision(bounds_.psi).product(off));
    return of_coefficients +
           (shared() > 0 ? problem_.scales.log_prior_of_shared(bounds_.shared) : 0.0);
  }

  void climb() {
    Vector from;
    Vector shared_from;
    Vector step;
    Vector step_of_shared;
    const auto aim = [&] {
      improve_psi(3);
      from = bounds_.anchor;
      shared_from = bounds_.shared;
      step = centre(bounds_.psi);
      step_of_shared = shared_step(bounds_.psi);
      const double far = (bounds_.sums.diagonal() + problem_.precision(bounds_.psi).diagonal())
                             .cwiseSqrt()
                             .cwiseProduct(step)
                             .cwiseAbs()
                             .maxCoeff();
      const Vector sd = bounds_.psi_spread.diagonal().tail(shared()).cwiseSqrt();
      return shared() > 0 ? std::max(far, step_of_shared.cwiseQuotient(sd).cwiseAbs().maxCoeff())
                          : far;
    };
    climb_to_mode(
        bounds_.passes, aim,
        [&](double share) { move(from, shared_from, step, step_of_shared, share); },
        [&] { return information_pass(Bend::kBelow); }, [&] { return log_prior(); });
    std::ignore = information_pass(Bend::kOwn);
  }

  // The same for a normal response: the sums are its likelihood, wherever they were taken. Once
  // more about the mode, so that no digit is lost to where the search began.
  void settle() {
    constexpr int kRounds = 60;
    for (std::size_t n = 0; n < problem_.data.rows(); ++n) {
      bounds_.weight += problem_.data.weight(n);
    }
    bounds_.fixed_radius = std::numeric_limits<double>::infinity();
    bounds_.least = -2.0 * information_pass(Bend::kOwn);
    if (problem_.infers_sigma()) {
      bounds_.psi[bounds_.psi.size() - 1] =
          0.5 * std::log(std::max(bounds_.least, 1e-300) / bounds_.weight);
    }
    improve_psi(kRounds);
    bounds_.anchor += centre(bounds_.psi);
    const double most = std::exchange(bounds_.least, -2.0 * information_pass(Bend::kOwn));
    if (problem_.infers_sigma() && !(bounds_.least > 1e-11 * most)) {
      throw_no_noise();  // as far as conjugate gradients can tell
    }
    improve_psi(kRounds);
  }

  // REQUIRES: sums of the likelihood's own curvatures. Scales of which little is known are taken
  // large: small ones would leave levels no room.
  void make_region() {
    CrossedRegion& region = bounds_.region;
    const auto few = static_cast<Index>(common().size());
    Vector large = bounds_.psi + 2.0 * bounds_.psi_spread.diagonal().cwiseSqrt();
    large.segment(problem_.scales.coefficients(), problem_.scales.correlations()) =
        bounds_.psi.segment(problem_.scales.coefficients(), problem_.scales.correlations());
    const CrossedPrior precision = problem_.precision(large);
    region.tied.setZero(static_cast<Index>(levels()), few);
    region.lower.resize(few, few);
    std::vector<Vector> columns;
    for (Index j = 0; j < few; ++j) {
      const Vector one = Vector::Unit(problem_.size(), common()[static_cast<std::size_t>(j)]);
      Vector column;
      bounds_.sums.multiply(one, column);
      const Vector moved = solve(bounds_.sums, precision, column, region.is_common, 1e-6);
      region.tied.col(j) = moved.tail(static_cast<Index>(levels()));
      columns.push_back(std::move(column));
    }
    for (Index i = 0; i < few; ++i) {
      const Index row = common()[static_cast<std::size_t>(i)];
      for (Index j = 0; j < few; ++j) {
        region.lower(i, j) =
            columns[static_cast<std::size_t>(j)][row] - columns[static_cast<std::size_t>(i)]
                                                            .tail(static_cast<Index>(levels()))
                                                            .dot(region.tied.col(j));
      }
    }
    for (Index j = 0; j < few; ++j) {
      const Vector of_prior =
          precision.product(Vector::Unit(problem_.size(), common()[static_cast<std::size_t>(j)]));
      for (Index i = 0; i < few; ++i) {
        region.lower(i, j) += of_prior[common()[static_cast<std::size_t>(i)]];
      }
    }
    const Eigen::LLT<Matrix> llt(0.5 * (region.lower + region.lower.transpose()));
    if (llt.info() != Eigen::Success) {
      throw Error(ErrorKind::kData,
                  "the curvature of the log posterior is not positive definite where its mode "
                  "was searched; rescale the columns, or use a proper prior.");
    }
    const double sigma = std::exp(problem_.log_sigma(bounds_.psi));
    region.lower = Matrix(llt.matrixL()) / sigma;
    region.sd = sigma * variances(precision, true).cwiseSqrt();
    precision_ = precision;
    if (shared() > 0) {
      shared_factor_ = Eigen::LLT<Matrix>(shared_marginal(bounds_.psi).covariance).matrixL();
      bounds_.shared_region = shared_region_of(shared_factor_, options_.rows.fixed_radius);
    }
  }
  [[nodiscard]] SharedSpread spread_about(const Vector& mean) const noexcept {
    return {bounds_.shared.data(), bounds_.shared_region.data(), mean.data(),
            shared_factor_.data()};
  }

  struct Reach {
    double radius = 0.0;
    double sd = 0.0;
    std::size_t free = 0;  // levels
  };
  [[nodiscard]] Reach reach(const MemberReader& row) const {
    const CrossedRegion& region = bounds_.region;
    Vector off(static_cast<Index>(common().size()));
    double in_levels = 0.0, variance = 0.0;
    Reach out;
    off.head(problem_.fixed()) = ConstVectorView(row.x().data(), problem_.fixed());
    off.tail(off.size() - problem_.fixed()).setZero();
    for (const Member& member : row.members()) {
      if (!is_free(member.level)) {
        const auto found = std::ranges::lower_bound(common(), at(member.level));
        off[found - common().begin()] += member.weight;
        continue;
      }
      const double sd = region.sd[static_cast<Index>(member.level)];
      ++out.free;
      off -= member.weight * region.tied.row(static_cast<Index>(member.level)).transpose();
      in_levels += std::abs(member.weight) * sd;
      variance += member.weight * member.weight * sd * sd;
      for (const Member& other : row.members()) {  // to first order
        if (other.level != member.level && is_free(other.level)) {
          const double both = bounds_.sums.between(member.level, other.level) +
                              precision_.between(at(member.level), at(other.level));
          variance -= member.weight * other.weight * both /
                      (diagonal(member.level) * diagonal(other.level));
        }
      }
    }
    region.lower.triangularView<Eigen::Lower>().solveInPlace(off);
    out.radius = bounds_.level_radius * in_levels + bounds_.fixed_radius * off.norm();
    out.sd = std::sqrt(std::max(variance, 0.25 * in_levels * in_levels) + off.squaredNorm());
    return out;
  }
  [[nodiscard]] double diagonal(std::size_t level) const noexcept {
    return bounds_.sums.diagonal()[at(level)] + precision_.diagonal()[at(level)];
  }

  // Bounds, and their sums; whether any is global. REQUIRES: sums of the region.
  bool bounds_pass() {
    constexpr double kFarthest = 1.2;  // of a level, in units of the predictor
    constexpr double kMostBent = 1.0;
    const std::size_t rows = problem_.data.rows();
    const Vector at_touch = Vector::Zero(shared());
    const double unit = problem_.model.unit(bounds_.shared.data());
    Parabolas facts(problem_);  // of the log likelihood
    spread_.resize(rows);
    for_rows([&](std::size_t n, const MemberReader& row) {
      const double eta = eta_at_anchor(n, row);
      const Parabola at = evaluate(n, eta);
      const Reach far = reach(row);
      facts.set(n, at);
      spread_[n] = far.sd;
      if (options_.rows.all_beacons) {
        set_beacon(n, at, eta);
        return;
      }
      const double farthest =
          std::max<double>(1.0, static_cast<double>(far.free)) * kFarthest * unit;
      const bool near = !options_.rows.beacons || far.radius <= farthest;
      const RowTangent chosen = choose_bound(
          problem_.model, problem_.data.response(n), eta, far.sd,
          near ? far.radius : std::numeric_limits<double>::infinity(), spread_about(at_touch));
      if (chosen.kind == RowBound::kBeacon) {
        set_beacon(n, at, eta);
      } else {
        bounds_.set(n, chosen);
      }
    });
    if (options_.rows.beacons) {
      light_bent_levels(facts, kMostBent);
    }
    bounds_.beacons = static_cast<std::size_t>(std::ranges::count(bounds_.kind, RowBound::kBeacon));
    for (std::size_t level = 0; level < levels(); ++level) {
      bounds_.has_region[level] = static_cast<char>(
          is_free(level) &&
          std::ranges::any_of(problem_.memberships.rows(level),
                              [&](std::size_t n) { return bounds_.kind[n] == RowBound::kLocal; }));
    }
    std::ignore = pass([&](std::size_t n, const MemberReader& row) {
      // the tangent as a parabola about the anchor, which a global one may not touch
      const RowTangent tangent = bounds_.of(n);
      const double off = eta_at_anchor(n, row) - tangent.touch;
      Parabola about = off == 0.0 ? facts.of(n) : evaluate(n, tangent.touch);
      about.bend = tangent.curvature;
      about.slopes[0] -= tangent.curvature[0] * off;
      return about;
    });
    return std::ranges::find(bounds_.kind, RowBound::kGlobal) != bounds_.kind.end();
  }
  void set_beacon(std::size_t n, const Parabola& at, double eta) {
    bounds_.set(n, {RowBound::kBeacon, eta, downward(problem_.model, at.bend)});
  }
  // Rows of levels whose bounds bend so much more than their likelihoods that levels could only
  // creep between bright rows.
  void light_bent_levels(const Parabolas& facts, double most) {
    Vector bent = Vector::Zero(static_cast<Index>(levels()));
    MemberReader row(problem_.data, problem_.memberships);
    for (std::size_t n = 0; n < problem_.data.rows(); ++n) {
      row.read(n);
      const double more = problem_.data.weight(n) *
                          (bounds_.curvature_of(n)[0] - std::max(facts.of(n).bend[0], 0.0));
      for (const Member& member : row.members()) {
        bent[static_cast<Index>(member.level)] +=
            more * member.weight * member.weight / diagonal(member.level);
      }
    }
    for (std::size_t level = 0; level < levels(); ++level) {
      if (bent[static_cast<Index>(level)] > most) {
        for (const std::size_t n : problem_.memberships.rows(level)) {
          row.read(n);
          set_beacon(n, facts.of(n), eta_at_anchor(n, row));
        }
      }
    }
  }

  // Gaps that are expected about the centre of the collapsed Gaussian.
  void make_rates() {
    const Vector step = centre(bounds_.psi);
    const Vector step_of_shared = shared_step(bounds_.psi);
    Buffer<double> gaps(problem_.data.rows());
    for_rows([&](std::size_t n, const MemberReader& row) {
      const double off = eta_at_anchor(n, row) - bounds_.touch[n] +
                         predict_row(row.x(), row.members(), step.data());
      gaps[n] = problem_.data.weight(n) * expected_gap(problem_.model, bounds_.of(n),
                                                       problem_.data.response(n), off, spread_[n],
                                                       spread_about(step_of_shared));
    });
    bounds_.set_rates(std::move(gaps), options_.rows.threads);
    ++bounds_.passes;
  }

  // Levels of factors that have few move in a block already.
  void keep_nests() {
    bounds_.nests = find_nests(problem_.data, problem_.memberships);
    const auto block = [&](std::uint32_t level) {
      return problem_.scales.block_of(static_cast<Index>(problem_.memberships.term_of(level)));
    };
    std::erase_if(bounds_.nests, [&](const Nest& nest) {  // two of one block pull at each other
      return nest.inner.empty() || !is_free(nest.outer) || !is_free(nest.inner.front()) ||
             block(nest.outer) == block(nest.inner.front());
    });
  }

  void make_maps() {
    const CrossedPrior precision = problem_.precision(bounds_.psi);
    bounds_.centre = centre(bounds_.psi);
    const Vector mode = bounds_.anchor + bounds_.centre;
    bounds_.power = left_to_prior(bounds_.psi);
    for (std::size_t term = 0; term < problem_.memberships.terms(); ++term) {
      Vector force = Vector::Zero(problem_.size());
      const auto [first, count] = problem_.memberships.coefficients(term);
      force.segment(first, count) =
          2.0 * precision.diagonal().segment(first, count).cwiseProduct(mode.segment(first, count));
      bounds_.drift.push_back(solve(bounds_.sums, precision, force));
    }
    bounds_.shared_drift = shared_drift(precision);
  }

  const CrossedProblem& problem_;
  const CrossedOptions& options_;
  CrossedBounds bounds_;
  Parabolas rows_;
  Buffer<double> spread_;             // standard deviation of each row's predictor
  CrossedPrior precision_{Vector()};  // of the priors, of the region
  Matrix shared_factor_;              // of the covariance of what rows share, lower
};

}  // namespace

CrossedBounds make_crossed_bounds(const CrossedProblem& problem, const Vector& beta,
                                  const CrossedOptions& options) {
  return CrossedSearch(problem, beta, options).run();
}

}  // namespace flymc
