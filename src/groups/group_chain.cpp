#include "groups/group_chain.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <memory>
#include <utility>

#include "flymc/detail/core/interruption.hpp"
#include "kernel/sweeps.hpp"

namespace flymc {
namespace {

constexpr int kSweeps = 3;
constexpr std::uint32_t kPilotChain = 0xFFFFFFFF;  // no chain of a run has its streams

Matrix lower_factor(const Matrix& covariance) {
  const Eigen::LLT<Matrix> llt(covariance);
  return llt.matrixL();
}

// Mean and covariance of what it is shown.
class ScaleMoments {
 public:
  explicit ScaleMoments(Index size)
      : mean_(Vector::Zero(size)), squares_(Matrix::Zero(size, size)) {}

  void add(const Vector& psi) {
    count_ += 1.0;
    const Vector off = psi - mean_;
    mean_ += off / count_;
    squares_ += off * (psi - mean_).transpose();
  }
  [[nodiscard]] const Vector& mean() const noexcept { return mean_; }
  // No narrower than `least` along any coordinate: a slow chain has seen too little. Correlations
  // are shrunk a little.
  [[nodiscard]] Matrix covariance(const Matrix& least) const {
    Matrix spread = 0.9 * squares_ / (count_ - 1.0);
    spread.diagonal() /= 0.9;
    const Vector widen =
        (least.diagonal().array() / spread.diagonal().array().max(1e-300)).max(1.0).sqrt().min(1e6);
    spread = widen.asDiagonal() * spread * widen.asDiagonal();
    spread.diagonal() *= 1.05;
    return spread.allFinite() && Eigen::LLT<Matrix>(spread).info() == Eigen::Success ? spread
                                                                                     : least;
  }

 private:
  double count_ = 0.0;
  Vector mean_;
  Matrix squares_;
};

template <class Target>
ChainParts assemble(std::unique_ptr<Target> target, std::unique_ptr<ThetaKernel> kernel,
                    const RowBounds& bounds, int sweeps_of_coins, Streams streams) {
  if constexpr (std::derived_from<Target, Brightable>) {
    if (bounds.beacons < bounds.rows()) {
      auto sweeps =
          std::make_unique<Sweeps>(make_z_kernel({.kind = ZKind::kWeighted}), sweeps_of_coins);
      return firefly_parts(std::move(target), std::move(kernel), std::move(sweeps), streams);
    }
  }
  return {std::move(target), nullptr, std::move(kernel), nullptr, streams};
}

// Whether scales are to move with the coins summed out: where levels have so few rows that coins
// hold scales back, and all rows cost about what an iteration costs without them
// (docs/method/groups.md, Coins summed out). Rows of other ranks cost a message.
bool pays_to_sum_out(const GroupSetting& setting) {
  constexpr std::size_t kRowsALevel = 15;
  const GroupProblem& problem = setting.problem;
  return !problem.grouping.shard().is_split() &&
         setting.bounds.rows() <= kRowsALevel * problem.grouping.levels() &&
         setting.bounds.beacons < setting.bounds.rows() && problem.model.log_concave() &&
         problem.model.shared() == 0;
}
template <class Other>
bool pays_to_sum_out(const Other& /*setting*/) {
  return false;
}

Vector draw_scales(const GroupTuning& tuning, const Vector& normals, double spread) {
  return tuning.psi_mean + tuning.psi_factor.triangularView<Eigen::Lower>() * (spread * normals);
}

// Nearer to the anchor until it is inside: from outside, where every row is looked at, some chains
// would be slow to come back.
void bring_inside(const RowBounds& bounds, const Vector& anchor, Eigen::Ref<Vector> shared) {
  while (bounds.leaves_shared(shared - anchor)) {
    shared = 0.5 * (shared + anchor);
  }
}

// Where a point holds normals, then scales; amend(psi) may change these.
template <class Target, class Amend>
Vector framed_start(const Target& target, const GroupTuning& tuning, Stream& stream, double spread,
                    const Amend& amend) {
  Point point(target.dimension());
  for (double& zeta : point.zeta) {
    zeta = stream.normal();
  }
  auto psi = point.zeta.tail(tuning.psi_mean.size());
  psi = draw_scales(tuning, psi, spread);
  amend(psi);
  Vector theta;
  target.to_theta(point, theta);
  return theta;
}

template <class Setting>
GroupTuning tune(const Setting& setting, std::uint64_t seed, std::uint64_t& queries) {
  constexpr int kSegments = 3;
  constexpr int kMostKicks = 10;
  const Matrix& least = setting.bounds.psi_spread;
  GroupTuning tuning{.psi_mean = setting.bounds.psi, .psi_factor = lower_factor(least)};
  const Streams streams{seed, kPilotChain};
  ChainParts parts = make_group_parts(setting, tuning, streams);
  const auto& moves = static_cast<const GroupKernel&>(*parts.theta_kernel);
  const Density& target = *parts.density;
  Vector theta = group_start(setting, tuning, streams.at(1, Purpose::kInit), 0.0);
  const std::size_t cost = setting.bounds.beacons + static_cast<std::size_t>(theta.size());
  const int iterations = cost > 20'000 ? 40 : 100;
  ChainCore chain(std::move(parts), theta);
  const Index size = tuning.psi_mean.size();
  for (int segment = 0; segment < kSegments; ++segment) {
    ScaleMoments moments(size);
    GroupKernel::Accepted mean{0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < iterations; ++i) {
      poll_interruption();
      std::ignore = chain.iterate({});
      moments.add(chain.current().zeta.tail(size));
      mean.levels += moves.accepted().levels / iterations;
      mean.fixed += moves.accepted().fixed / iterations;
      mean.held += moves.accepted().held / iterations;
    }
    if (segment > 0) {
      tuning.psi_mean = moments.mean();
      tuning.psi_factor = lower_factor(moments.covariance(least));
    }
    const auto more_kicks = [&](int kicks, double accepted) {
      return std::min(kMostKicks, kicks + (accepted < 0.6 ? 2 : accepted < 0.85 ? 1 : 0));
    };
    constexpr double kBestOfWalks = 0.35;
    if (!tuning.sums_out) {
      tuning.held_step *= std::clamp(std::exp(3.0 * (mean.held - kBestOfWalks)), 0.4, 2.5);
      tuning.sums_out = segment > 0 && pays_to_sum_out(setting);
    }
    tuning.level_kicks = more_kicks(tuning.level_kicks, mean.levels);
    tuning.fixed_kicks = more_kicks(tuning.fixed_kicks, mean.fixed);
  }
  const auto an_iteration = [&](std::uint64_t all) {
    return static_cast<double>(all) / (kSegments * iterations);
  };
  tuning.queries = an_iteration(target.queries_total());
  tuning.evaluations = an_iteration(target.evaluations_total());
  queries += target.queries_total();
  return tuning;
}

}  // namespace

ChainParts make_group_parts(const GroupSetting& setting, const GroupTuning& tuning, Streams streams,
                            GroupMoveSet moves) {
  auto target = std::make_unique<GroupTarget>(setting);
  auto kernel = std::make_unique<GroupMoves>(*target, tuning, moves);
  // Coins that are thrown anew with the scales need no sweeps.
  const int sweeps = moves.sums_out(tuning) ? 0 : kSweeps;
  return assemble(std::move(target), std::move(kernel), setting.bounds, sweeps, streams);
}

ChainParts make_group_parts(const CrossedSetting& setting, const GroupTuning& tuning,
                            Streams streams, CrossedMoveSet moves) {
  auto target = std::make_unique<CrossedTarget>(setting);
  auto kernel = std::make_unique<CrossedMoves>(*target, tuning, moves);
  return assemble(std::move(target), std::move(kernel), setting.bounds, kSweeps, streams);
}

ChainParts make_group_parts(const NormalSetting& setting, const GroupTuning& tuning,
                            Streams streams, NormalMoveSet moves) {
  auto target = std::make_unique<NormalTarget>(setting);
  auto kernel = std::make_unique<NormalMoves>(*target, tuning, moves);
  return assemble(std::move(target), std::move(kernel), setting.bounds, kSweeps, streams);
}

Vector group_start(const GroupSetting& setting, const GroupTuning& tuning, Stream stream,
                   double spread) {
  const Vector& anchor = setting.bounds.anchor.shared;
  return framed_start(GroupTarget(setting), tuning, stream, spread, [&](auto& psi) {
    bring_inside(setting.bounds, anchor, psi.tail(anchor.size()));
  });
}

Vector group_start(const NormalSetting& setting, const GroupTuning& tuning, Stream stream,
                   double spread) {
  return framed_start(NormalTarget(setting), tuning, stream, spread, [](auto& /*psi*/) {});
}

Vector group_start(const CrossedSetting& setting, const GroupTuning& tuning, Stream stream,
                   double spread) {
  const CrossedRegion& region = setting.bounds.region;
  const Index size = setting.problem.size();
  Vector theta(size + tuning.psi_mean.size());
  for (double& value : theta) {
    value = stream.normal();
  }
  theta.tail(tuning.psi_mean.size()) =
      draw_scales(tuning, theta.tail(tuning.psi_mean.size()), spread);
  const Index shared = setting.problem.shared();
  bring_inside(setting.bounds, setting.bounds.shared, theta.tail(shared));
  Vector common(static_cast<Index>(region.common.size()));
  for (Index j = 0; j < common.size(); ++j) {
    common[j] = theta[region.common[static_cast<std::size_t>(j)]];
  }
  region.lower.triangularView<Eigen::Lower>().transpose().solveInPlace(common);
  auto levels = theta.segment(size - region.sd.size(), region.sd.size());
  levels = (levels.cwiseProduct(region.sd) - region.tied * common).eval();
  for (Index j = 0; j < common.size(); ++j) {
    theta[region.common[static_cast<std::size_t>(j)]] = common[j];
  }
  theta.head(size) += setting.bounds.anchor + setting.bounds.centre;
  theta.head(size) +=
      setting.bounds.shared_drift * (theta.tail(shared) - setting.bounds.psi.tail(shared));
  return theta;
}

GroupTuning tune_groups(const GroupSetting& setting, std::uint64_t seed, std::uint64_t& queries) {
  return tune(setting, seed, queries);
}

GroupTuning tune_groups(const CrossedSetting& setting, std::uint64_t seed, std::uint64_t& queries) {
  return tune(setting, seed, queries);
}

GroupTuning tune_groups(const NormalSetting& setting, std::uint64_t seed, std::uint64_t& queries) {
  return tune(setting, seed, queries);
}

}  // namespace flymc
