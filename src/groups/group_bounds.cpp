#include "groups/group_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/parallel.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"
#include "groups/arrow_pass.hpp"
#include "groups/group_rows.hpp"
#include "groups/level_quantiles.hpp"
#include "groups/mode_search.hpp"

namespace flymc {

GroupBounds::GroupBounds(const GroupProblem& problem)
    : RowBounds(problem.grouping.numbers(), problem.model.curvatures()),
      sums(problem.shape()),
      region(problem.shape()),
      level_radius(problem.grouping.levels()),
      level_kind(problem.grouping.levels()) {}

namespace {

class Search {
 public:
  Search(const GroupProblem& problem, const Vector& beta, const GroupOptions& options)
      : problem_(problem),
        options_(options),
        bounds_(problem),
        frame_(problem.shape()),
        scratch_(problem.shape()) {
    no_step_ = Vector::Zero(beta.size());
    bounds_.anchor.beta = beta;
    bounds_.anchor.u.assign(problem.grouping.levels() * static_cast<std::size_t>(q()), 0.0);
    bounds_.psi = problem.scales.start();
    bounds_.anchor.shared = bounds_.psi.tail(shared());
  }

  GroupBounds run() {
    find_anchor();
    set_radii();
    widen_region();
    bounds_pass();
    improve_psi(2);
    factor();
    bounds_.psi_spread = psi_covariance();
    if (shared() > 0) {
      bounds_.shared_bent =
          bent_against(shared_factor_, bounds_.psi_spread.bottomRightCorner(shared(), shared()));
    }
    make_rates();
    share_beacons(problem_, bounds_);
    return std::move(bounds_);
  }

 private:
  [[nodiscard]] Index q() const noexcept { return problem_.grouping.size(); }
  [[nodiscard]] Index shared() const noexcept { return problem_.scales.shared(); }
  [[nodiscard]] const double* u_hat(std::size_t level) const noexcept {
    return bounds_.anchor.u.data() + level * static_cast<std::size_t>(q());
  }

  // After one that sums, and evaluates every row so often.
  void end_pass(std::size_t evaluations) {
    bounds_.sums.centre(bounds_.anchor);
    ++bounds_.passes;
    bounds_.queries += evaluations * problem_.rows();
  }
  // Calls visit(n, level, row, sums) for every row.
  template <class Visit>
  [[nodiscard]] PieceSums each_row(const Visit& visit) {
    return sum_rows(problem_.data, problem_.grouping, options_.threads, bounds_.sums, visit);
  }

  struct AtAnchor {
    double eta = 0.0;
    double value = 0.0;
    RowSlopes slopes{};
    RowCurvature information{};
  };
  // Of the row that was read.
  [[nodiscard]] double eta_at_anchor(std::size_t n, std::size_t level,
                                     const GroupReader& row) const {
    return problem_.data.offset(n) + row.predict(bounds_.anchor.beta.data(), u_hat(level));
  }
  [[nodiscard]] AtAnchor evaluated(std::size_t n, double eta) const {
    AtAnchor at{.eta = eta};
    problem_.model.evaluate({1, &at.eta, problem_.data.responses(n), bounds_.anchor.shared.data()},
                            &at.value, at.slopes.data(), at.information.data());
    return at;
  }

  void add_parabola(double weight, const RowCurvature& bend, const RowSlopes& slopes,
                    const GroupReader& row, std::size_t level, PieceSums& piece) {
    add_row(weight * bend[0], weight * slopes[0], row, level, bounds_.sums, piece);
    add_shared(weight, bend.data(), slopes.data(), row, level, bounds_.sums, piece);
  }

  // Curvatures of the log likelihood at the anchor, in the predictor no way but down; or, for a
  // search that must climb where it is not concave, of its global tangents, which lie below it, and
  // no way but down in all it depends on.
  enum class Bend { kOwn, kBelow };
  [[nodiscard]] double information_pass(Bend how) {
    const bool below = how == Bend::kBelow && !problem_.model.log_concave();
    const PieceSums total =
        each_row([&](std::size_t n, std::size_t level, const GroupReader& row, PieceSums& piece) {
          const double weight = problem_.data.weight(n);
          const AtAnchor at = evaluated(n, eta_at_anchor(n, level, row));
          const double tangent =
              below ? problem_.model.global_curvature(at.eta, problem_.data.response(n)) : 0.0;
          RowCurvature bend = below ? downward(problem_.model, at.information) : at.information;
          bend[0] = std::max({bend[0], 0.0, std::isfinite(tangent) ? tangent : 0.0});
          piece.value += weight * at.value;
          add_parabola(weight, bend, at.slopes, row, level, piece);
        });
    end_pass(1);
    return total.value;
  }

  [[nodiscard]] double log_prior() const {
    const Vector off = bounds_.anchor.beta - problem_.prior.mean;
    double sum = problem_.prior.precision.dot(off.cwiseAbs2());
    for (std::size_t level = 0; level < problem_.grouping.levels(); ++level) {
      const ConstVectorView u(u_hat(level), q());
      sum += scales_.triangularView<Eigen::Lower>().solve(u).squaredNorm();
    }
    return -0.5 * sum + problem_.scales.log_prior_of_shared(bounds_.anchor.shared);
  }

  [[nodiscard]] bool try_factor(const Vector& psi, ArrowFrame& frame) {
    return frame.factor(bounds_.sums, problem_.prior, bounds_.anchor, problem_.scales.factor(psi),
                        shared_step(psi));
  }
  [[nodiscard]] Vector shared_step(const Vector& psi) const {
    return psi.tail(shared()) - bounds_.anchor.shared;
  }
  void factor() {
    scales_ = problem_.scales.factor(bounds_.psi);
    if (!try_factor(bounds_.psi, frame_)) {
      throw Error(ErrorKind::kData,
                  "the curvature of the log posterior is not positive definite where its mode "
                  "was searched; rescale the columns, or use a proper prior.");
    }
  }

  // The centre of the collapsed Gaussian, from the anchor.
  [[nodiscard]] GroupAnchor centre() const {
    const ArrowShape shape = problem_.shape();
    const Vector zeros = Vector::Zero(std::max(shape.fixed, shape.varying));
    GroupAnchor step{Vector(shape.fixed), Buffer<double>(bounds_.anchor.u.size()),
                     shared_step(bounds_.psi)};
    frame_.fixed_from(zeros.data(), step.beta);
    for (std::size_t level = 0; level < shape.levels; ++level) {
      frame_.level_from(level, zeros.data(), step.beta.data(),
                        step.u.data() + level * static_cast<std::size_t>(q()));
    }
    return step;
  }
  void move(const GroupAnchor& from, const GroupAnchor& step, double share) {
    bounds_.anchor.beta = from.beta + share * step.beta;
    for (std::size_t i = 0; i < from.u.size(); ++i) {
      bounds_.anchor.u[i] = from.u[i] + share * step.u[i];
    }
    bounds_.anchor.shared = from.shared + share * step.shared;
    bounds_.psi.tail(shared()) = bounds_.anchor.shared;
  }

  // Of a step, in standard deviations: the farthest that a level, the fixed effects or a shared
  // parameter would go.
  [[nodiscard]] double length(const GroupAnchor& step) {
    double longest = frame_.fixed_norm2(step.beta.data());
    if (shared() > 0) {
      const Vector sd = shared_sd();
      longest = std::max(longest, step.shared.cwiseQuotient(sd).cwiseAbs2().maxCoeff());
    }
    for (std::size_t level = 0; level < problem_.grouping.levels(); ++level) {
      const double* const du = step.u.data() + level * static_cast<std::size_t>(q());
      longest = std::max(longest, frame_.level_norm2(level, du, step.beta.data()));
    }
    return std::sqrt(longest);
  }

  void find_anchor() {
    climb();
    const GroupAnchor mode = bounds_.anchor;
    const Vector psi = bounds_.psi;
    if (!settle()) {
      bounds_.anchor = mode;
      bounds_.psi = psi;
      std::ignore = information_pass(Bend::kOwn);
    }
  }

  void climb() {
    GroupAnchor from;
    GroupAnchor step;
    const auto aim = [&] {
      improve_psi(3);
      factor();
      from = bounds_.anchor;
      step = centre();
      return length(step);
    };
    climb_to_mode(
        bounds_.passes, aim, [&](double share) { move(from, step, share); },
        [&] { return information_pass(Bend::kBelow); }, [&] { return log_prior(); });
  }

  // From the mode to where slopes vanish on average over what is left open of each level. The mode
  // of a level is off its mean, of most levels to the same side; fixed effects, of which all levels
  // tell, are then off by standard deviations of theirs. False where steps do not shrink.
  [[nodiscard]] bool settle() {
    constexpr double kNear = 0.3;
    double before = std::numeric_limits<double>::infinity();
    while (true) {
      average_pass();
      improve_psi(1);
      if (!try_factor(bounds_.psi, frame_)) {
        return false;
      }
      const GroupAnchor step = centre();
      const double far = length(step);
      if (far < kNear) {
        return true;
      }
      if (!(far < 0.5 * before)) {
        return false;
      }
      move(bounds_.anchor, step, 1.0);
      before = far;
    }
  }
  void average_pass() {
    std::ignore =
        each_row([&](std::size_t n, std::size_t level, const GroupReader& row, PieceSums& piece) {
          std::array<double, kMostVarying> pulled{};
          std::ranges::copy(row.w(), pulled.begin());
          frame_.pull_level(level, pulled.data());
          const double sd = ConstVectorView(pulled.data(), q()).norm();
          const AtAnchor at = average(n, eta_at_anchor(n, level, row), sd);
          RowCurvature bend = at.information;
          bend[0] = std::max(bend[0], 0.0);
          add_parabola(problem_.data.weight(n), bend, at.slopes, row, level, piece);
        });
    end_pass(3);
  }
  // Over a predictor that is normal about eta.
  [[nodiscard]] AtAnchor average(std::size_t n, double eta, double sd) const {
    AtAnchor mean{.eta = eta};
    const auto add = [&](double weight, double moved) {
      const AtAnchor at = evaluated(n, moved);
      for (std::size_t j = 0; j < at.slopes.size(); ++j) {
        mean.slopes[j] += weight * at.slopes[j];
      }
      for (std::size_t j = 0; j < at.information.size(); ++j) {
        mean.information[j] += weight * at.information[j];
      }
    };
    add(1.0 - 2.0 * kCubatureWeight, eta);
    add(kCubatureWeight, eta - kCubatureReach * sd);
    add(kCubatureWeight, eta + kCubatureReach * sd);
    return mean;
  }

  [[nodiscard]] double log_marginal(const Vector& psi) {
    return try_factor(psi, scratch_) ? scratch_.log_z() + problem_.scales.log_prior(psi)
                                     : -std::numeric_limits<double>::infinity();
  }

  // Newton's steps, one coordinate after the other, by differences.
  void improve_psi(int rounds) {
    constexpr double kStep = 0.05;
    constexpr double kFarthest = 0.7;
    for (int round = 0; round < rounds; ++round) {
      double moved = 0.0;
      for (Index j = 0; j < bounds_.psi.size(); ++j) {
        Vector at = bounds_.psi;
        const double here = log_marginal(at);
        at[j] += kStep;
        const double above = log_marginal(at);
        at[j] -= 2.0 * kStep;
        const double below = log_marginal(at);
        const double slope = (above - below) / (2.0 * kStep);
        const double bend = (above - 2.0 * here + below) / (kStep * kStep);
        double step = bend < -1e-6 ? -slope / bend : blind_step(slope);
        if (!std::isfinite(step)) {
          continue;
        }
        step = std::clamp(step, -kFarthest, kFarthest);
        bounds_.psi[j] += step;
        moved = std::max(moved, std::abs(step));
      }
      if (moved < 1e-3) {
        return;
      }
    }
  }

  // Of the scales' Laplace marginal; where it hardly bends, wide.
  [[nodiscard]] Matrix psi_covariance() {
    constexpr double kStep = 0.03;
    constexpr double kLeastBend = 0.25;
    const Index size = bounds_.psi.size();
    Matrix bend(size, size);
    const auto at = [&](Index i, double di, Index j, double dj) {
      Vector psi = bounds_.psi;
      psi[i] += di;
      psi[j] += dj;
      return log_marginal(psi);
    };
    const double here = log_marginal(bounds_.psi);
    for (Index i = 0; i < size; ++i) {
      bend(i, i) = -(at(i, kStep, i, 0.0) - 2.0 * here + at(i, -kStep, i, 0.0)) / (kStep * kStep);
      for (Index j = 0; j < i; ++j) {
        const double mixed = at(i, kStep, j, kStep) - at(i, kStep, j, -kStep) -
                             at(i, -kStep, j, kStep) + at(i, -kStep, j, -kStep);
        bend(i, j) = bend(j, i) = -mixed / (4.0 * kStep * kStep);
      }
    }
    if (!bend.allFinite()) {
      return Matrix::Identity(size, size) / kLeastBend;
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(bend);
    const Vector bends = solver.eigenvalues().cwiseMax(kLeastBend);
    return solver.eigenvectors() * bends.cwiseInverse().asDiagonal() *
           solver.eigenvectors().transpose();
  }

  [[nodiscard]] Vector shared_sd() {
    return psi_covariance().diagonal().tail(shared()).cwiseSqrt();
  }

  // As many standard deviations as one row in all leaves; what belongs to all rows costs little.
  void set_radii() {
    const double of_levels = options_.level_radius > 0.0
                                 ? options_.level_radius
                                 : default_level_radius(problem_.rows(), static_cast<double>(q()));
    std::ranges::fill(bounds_.level_radius, of_levels);
    bounds_.fixed_radius = options_.fixed_radius > 0.0
                               ? options_.fixed_radius
                               : std::sqrt(static_cast<double>(problem_.data.columns())) + 4.5;
  }

  // REQUIRES: sums of the likelihood's own curvatures. Scales of which little is known are taken
  // large: small ones would leave levels no room.
  void widen_region() {
    Vector wide = bounds_.psi;
    const Matrix covariance = psi_covariance();
    for (Index j = 0; j < q(); ++j) {
      wide[j] += 2.0 * std::sqrt(covariance(j, j));
    }
    shared_factor_ = Eigen::LLT<Matrix>(covariance.bottomRightCorner(shared(), shared())).matrixL();
    bounds_.shared_region = shared_region_of(shared_factor_, options_.fixed_radius);
    region_scales_ = problem_.scales.factor(wide);
    if (!try_factor(wide, bounds_.region)) {
      factor();
      region_scales_ = scales_;
      std::ignore = try_factor(bounds_.psi, bounds_.region);
    }
  }
  [[nodiscard]] SharedSpread spread_about(const Vector& mean) const noexcept {
    return {bounds_.anchor.shared.data(), bounds_.shared_region.data(), mean.data(),
            shared_factor_.data()};
  }

  struct Reach {
    double level = 0.0;  // |L_g^-1 w|
    double fixed = 0.0;
    [[nodiscard]] double sd() const noexcept { return std::hypot(level, fixed); }
  };
  // `scratch` holds p + q numbers.
  [[nodiscard]] Reach reach(const GroupReader& row, std::size_t level, double* scratch) const {
    double* const pulled = scratch;
    double* const tied = scratch + row.w().size();
    std::ranges::copy(row.w(), pulled);
    std::ranges::copy(row.x(), tied);
    bounds_.region.pull_level(level, pulled);
    bounds_.region.take_tied(level, pulled, tied);
    bounds_.region.pull_fixed(tied);
    return {ConstVectorView(pulled, static_cast<Index>(row.w().size())).norm(),
            ConstVectorView(tied, static_cast<Index>(row.x().size())).norm()};
  }

  [[nodiscard]] double radius_of(std::size_t level, const Reach& reach) const noexcept {
    return bounds_.level_radius[level] * reach.level + bounds_.fixed_radius * reach.fixed;
  }

  // Infinite: no bound that holds only nearby.
  [[nodiscard]] double local_radius(std::size_t level, const Reach& reach,
                                    bool may_be_local) const noexcept {
    constexpr double kFarthest = 5.0;
    const double radius = radius_of(level, reach);
    return !options_.beacons || (may_be_local && radius <= kFarthest * unit())
               ? radius
               : std::numeric_limits<double>::infinity();
  }

  // Bounds, and their sums.
  void bounds_pass() {
    const auto visit = [&](LevelRange range, GroupReader& row, PieceSums& piece) {
      Buffer<double> scratch(row.x().size() + row.w().size());
      std::vector<RowFacts> facts;
      LevelQuantiles quantiles(problem_.model, bounds_.anchor.shared.data());
      for (std::size_t level = range.first; level < range.last; ++level) {
        gather(level, row, scratch, facts);
        if (!bound_by_quantiles(level, row, facts, quantiles, piece)) {
          bound_level(level, facts);
        }
        if (bounds_.level_kind[level] == LevelBound::kBeacon) {
          piece.beacons += problem_.grouping.rows(level).size();
        }
        sum_level(level, facts, row, piece);
      }
    };
    const PieceSums total =
        sum_levels(problem_.data, problem_.grouping, options_.threads, bounds_.sums, visit);
    bounds_.beacons = total.beacons;
    bounds_.queries += total.queries;
    const LevelShard& shard = problem_.grouping.shard();
    share_levels(shard, bounds_.level_kind);
    share_levels(shard, bounds_.level_radius);
    share_levels(shard, bounds_.anchor.u);
    end_pass(1);
  }
  // What the bounds of a level's rows are made of, in the order of its rows.
  struct RowFacts {
    AtAnchor at;
    Reach far;
    double w = 0.0;  // of one that varies
  };
  void gather(std::size_t level, GroupReader& row, Buffer<double>& scratch,
              std::vector<RowFacts>& facts) const {
    facts.clear();
    for (const std::size_t n : problem_.grouping.rows(level)) {
      row.read(n);
      facts.push_back({evaluated(n, eta_at_anchor(n, level, row)),
                       reach(row, level, scratch.data()), row.w()[0]});
    }
  }

  // How far rows may be from their tangents, those that tell most of the level first, in units.
  [[nodiscard]] double mean_reach(std::size_t level, const std::vector<RowFacts>& facts) const {
    double told = 0.0;
    double reached = 0.0;
    const auto rows = problem_.grouping.rows(level);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& [at, far, w] = facts[i];
      const double tells =
          problem_.data.weight(rows[i]) * std::max(at.information[0], 0.0) * far.level * far.level;
      told += tells;
      reached += tells * radius_of(level, far);
    }
    return told == 0.0 ? 0.0 : reached / (told * unit());
  }

  // Whether rows tell more of a level at one end of its region than at the other.
  [[nodiscard]] bool leans(std::size_t level, const std::vector<RowFacts>& facts,
                           PieceSums& piece) const {
    constexpr double kStraight = 0.25;  // units
    constexpr double kLeast = 0.2;
    if (facts.empty() || !(mean_reach(level, facts) > kStraight)) {
      return false;
    }
    double below = 0.0;
    double above = 0.0;
    const auto rows = problem_.grouping.rows(level);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& [at, far, w] = facts[i];
      const double off = std::copysign(bounds_.level_radius[level] * far.level, w);
      const double tells = problem_.data.weight(rows[i]) * far.level * far.level;
      below += tells * std::max(0.0, evaluated(rows[i], at.eta - off).information[0]);
      above += tells * std::max(0.0, evaluated(rows[i], at.eta + off).information[0]);
    }
    piece.queries += 2 * rows.size();
    return !std::isfinite(below + above) || std::abs(above - below) > kLeast * (above + below);
  }

  // Where a level leans its region is what its own quantiles enclose, about their middle, where
  // tangents then touch: they bend less, and the mean of what they say is nearer to the level's.
  // False, and nothing has changed, where it does not lean, or would be a beacon still.
  [[nodiscard]] bool bound_by_quantiles(std::size_t level, GroupReader& row,
                                        std::vector<RowFacts>& facts, LevelQuantiles& quantiles,
                                        PieceSums& piece) {
    if (q() != 1 || options_.all_beacons || !leans(level, facts, piece)) {
      return false;
    }
    double& u = bounds_.anchor.u[level];
    double& radius = bounds_.level_radius[level];
    const double u_before = u;
    const double radius_before = radius;
    const double one = 1.0;
    const double per_sd = std::sqrt(bounds_.region.level_norm2(level, &one, no_step_.data()));
    const LevelInterval region =
        quantiles_of(level, facts, u, 1.0 / per_sd, radius_before, quantiles);
    piece.queries += LevelQuantiles::kPoints * facts.size();
    if (!(region.half() > 0.0)) {
      return false;
    }
    u += region.middle();
    radius = region.half() * per_sd;
    evaluate_at_anchor(level, row, facts, piece);
    bound_level(level, facts);
    if (bounds_.level_kind[level] != LevelBound::kBeacon) {
      return true;
    }
    u = u_before;
    radius = radius_before;
    evaluate_at_anchor(level, row, facts, piece);
    return false;
  }
  // Those that a normal has at +-radius.
  [[nodiscard]] LevelInterval quantiles_of(std::size_t level, const std::vector<RowFacts>& facts,
                                           double u, double sd, double radius,
                                           LevelQuantiles& quantiles) const {
    const double farthest = 1.25 * (radius + 3.0);  // in sds of a normal: some lean as far as that
    quantiles.begin(u, sd, region_scales_(0, 0), farthest);
    const auto rows = problem_.grouping.rows(level);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      quantiles.add_row(facts[i].at.eta, facts[i].w, problem_.data.response(rows[i]),
                        problem_.data.weight(rows[i]));
    }
    return quantiles.interval(0.5 * std::erfc(radius * std::numbers::sqrt2 / 2.0));
  }
  void evaluate_at_anchor(std::size_t level, GroupReader& row, std::vector<RowFacts>& facts,
                          PieceSums& piece) const {
    const auto rows = problem_.grouping.rows(level);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      row.read(rows[i]);
      facts[i].at = evaluated(rows[i], eta_at_anchor(rows[i], level, row));
    }
    piece.queries += rows.size();
  }

  [[nodiscard]] double unit() const { return problem_.model.unit(bounds_.anchor.shared.data()); }

  // Whether a level that comes to the end of its region, or leaves it, is soon back: the rows that
  // tell most of it stay near their tangents, or none is so likely to be bright there that it holds
  // the level. Else no bound is a choice that holds only nearby.
  [[nodiscard]] bool stays_near(std::size_t level, const std::vector<RowFacts>& facts) const {
    constexpr double kNear = 1.2;
    constexpr double kMostAtEnd = 0.5;
    if (mean_reach(level, facts) <= kNear) {
      return true;
    }
    const auto rows = problem_.grouping.rows(level);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double within = bounds_.level_radius[level] * facts[i].far.level;
      if (!(gap_at_end(rows[i], facts[i], radius_of(level, facts[i].far), within) <= kMostAtEnd)) {
        return false;
      }
    }
    return true;
  }
  // Of a tangent that holds for such a radius, the larger one that far `within`.
  [[nodiscard]] double gap_at_end(std::size_t n, const RowFacts& facts, double radius,
                                  double within) const {
    const RowSlopes at_touch{};
    const double response = problem_.data.response(n);
    RowCurvature curvature{};
    if (!problem_.model.local_curvature(
            {facts.at.eta, response, radius, bounds_.anchor.shared.data(),
             bounds_.shared_region.data()},
            curvature.data())) {
      return std::numeric_limits<double>::infinity();
    }
    const auto gap = [&](double u) {
      return problem_.model.gap({.touch = &facts.at.eta,
                                 .curvature = curvature.data(),
                                 .response = &response,
                                 .u = &u,
                                 .shared_touch = bounds_.anchor.shared.data(),
                                 .shared_u = at_touch.data()});
    };
    return problem_.data.weight(n) * std::max(gap(within), gap(-within));
  }

  // A level is a beacon where a row has no bound, or where the bounds of its rows bend so much more
  // than their likelihoods that levels could only creep between bright rows.
  void bound_level(std::size_t level, const std::vector<RowFacts>& facts) {
    constexpr double kMostBent = 2.0;
    const auto directions = static_cast<double>(q());
    bool has_local = false;
    bool beacon = options_.all_beacons;
    const bool may_be_local = !beacon && stays_near(level, facts);
    const Vector at_touch = Vector::Zero(shared());
    double bend = directions;  // of the precision of its coefficients, averaged over directions
    const auto rows = problem_.grouping.rows(level);
    for (std::size_t i = 0; i < rows.size() && !beacon; ++i) {
      const std::size_t n = rows[i];
      const auto& [at, far, w] = facts[i];
      const RowTangent chosen =
          choose_bound(problem_.model, problem_.data.response(n), at.eta, far.sd(),
                       local_radius(level, far, may_be_local), spread_about(at_touch));
      beacon = chosen.kind == RowBound::kBeacon;
      has_local = has_local || chosen.kind == RowBound::kLocal;
      bounds_.set(n, chosen);
      bend += problem_.data.weight(n) * (chosen.curvature[0] - std::max(at.information[0], 0.0)) *
              far.level * far.level;
    }
    beacon = beacon || (options_.beacons && bend > kMostBent * directions);
    bounds_.level_kind[level] = beacon      ? LevelBound::kBeacon
                                : has_local ? LevelBound::kRegion
                                            : LevelBound::kFree;
  }
  void sum_level(std::size_t level, const std::vector<RowFacts>& facts, GroupReader& row,
                 PieceSums& piece) {
    const bool beacon = bounds_.level_kind[level] == LevelBound::kBeacon;
    const auto rows = problem_.grouping.rows(level);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t n = rows[i];
      const double weight = problem_.data.weight(n);
      const AtAnchor& at = facts[i].at;
      row.read(n);
      if (beacon) {
        bounds_.set(n, {RowBound::kBeacon, at.eta, downward(problem_.model, at.information)});
      }
      const RowTangent tangent = bounds_.of(n);
      RowSlopes slopes = at.slopes;
      if (tangent.touch !=
          at.eta) {  // global: a parabola about the anchor, which it does not touch
        double value = 0.0;
        double information = 0.0;
        problem_.model.evaluate({1, &tangent.touch, problem_.data.responses(n)}, &value,
                                slopes.data(), &information);
        slopes[0] -= tangent.curvature[0] * (at.eta - tangent.touch);
      }
      add_parabola(weight, tangent.curvature, slopes, row, level, piece);
    }
  }

  // Gaps that are expected about the centre of the collapsed Gaussian.
  void make_rates() {
    const GroupAnchor centre = this->centre();
    Buffer<double> gaps(problem_.data.rows());
    const std::vector<RowRange> chunks = row_chunks(problem_.data.rows(), 0);
    parallel_for(chunks.size(), options_.threads, [&](std::size_t i) {
      GroupReader row(problem_.data, problem_.grouping);
      Buffer<double> scratch(row.x().size() + row.w().size());
      for (std::size_t n = chunks[i].first; n < chunks[i].last; ++n) {
        if (bounds_.kind[n] == RowBound::kBeacon) {
          continue;
        }
        const std::size_t level = problem_.grouping.level(n);
        const double* const du = centre.u.data() + level * static_cast<std::size_t>(q());
        row.read(n);
        const double eta = eta_at_anchor(n, level, row);
        const double off = eta - bounds_.touch[n] + row.predict(centre.beta.data(), du);
        const Reach far = reach(row, level, scratch.data());
        gaps[n] = problem_.data.weight(n) * expected_gap(problem_.model, bounds_.of(n),
                                                         problem_.data.response(n), off, far.sd(),
                                                         spread_about(centre.shared));
      }
    });
    bounds_.set_rates(std::move(gaps), options_.threads);
    ++bounds_.passes;
  }

  const GroupProblem& problem_;
  const GroupOptions& options_;
  GroupBounds bounds_;
  ArrowFrame frame_;
  ArrowFrame scratch_;
  Matrix scales_;         // of frame_
  Matrix region_scales_;  // of the region
  Vector no_step_;        // of fixed effects
  Matrix shared_factor_;  // of the covariance of shared parameters, lower
};

}  // namespace

GroupBounds make_group_bounds(const GroupProblem& problem, const Vector& beta,
                              const GroupOptions& options) {
  return Search(problem, beta, options).run();
}

}  // namespace flymc
