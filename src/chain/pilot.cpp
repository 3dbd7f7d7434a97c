#include "chain/pilot.hpp"

#include <algorithm>
#include <utility>

#include "diagnose/rank_ess.hpp"
#include "flymc/chain/run_chain.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "tune/shrinkage.hpp"

namespace flymc {
namespace {

// Effective sample sizes of the columns: the smallest and the mean.
struct Effective {
  double smallest = 0.0;
  double mean = 0.0;
};

Effective effective_draws(const Matrix& draws) {
  Effective result{.smallest = static_cast<double>(draws.rows())};
  for (Index j = 0; j < draws.cols(); ++j) {
    const std::span<const double> column(draws.col(j).data(),
                                         static_cast<std::size_t>(draws.rows()));
    const double ess = std::min(ess_mean(Chains(column, 1)), static_cast<double>(draws.rows()));
    result.smallest = std::min(result.smallest, ess);
    result.mean += ess / static_cast<double>(draws.cols());
  }
  return result;
}

// Appends `batch` draws; false when asked to stop.
bool draw_more(Chain& chain, Index batch, const RunControl& control, Matrix& draws) {
  const Interruptible in_a_trajectory(control.stop);
  const Index before = draws.rows();
  draws.conservativeResize(before + batch, draws.cols());
  for (Index i = before; i < draws.rows(); ++i) {
    try {
      poll_interruption();
      std::ignore = chain.step();
    } catch (const Interrupted&) {
      return false;
    }
    draws.row(i) = chain.zeta().transpose();
  }
  return true;
}

Anchor anchor_of(const Matrix& draws, double effective, const Frame& frame) {
  const Vector mean = draws.colwise().mean();
  const Matrix covariance = shrunk_covariance(draws, effective);
  const Matrix map = frame.covariance_root();
  Anchor anchor;
  anchor.theta.resize(frame.dimension());
  frame.to_theta(mean, anchor.theta);
  const Matrix in_theta = map * covariance * map.transpose();
  anchor.precision = in_theta.llt().solve(Matrix::Identity(map.rows(), map.cols()));
  anchor.precision = 0.5 * (anchor.precision + anchor.precision.transpose()).eval();
  return anchor;
}

// Draws of a surrogate that is hardly proper may have left the numbers.
bool is_sound(const Anchor& anchor) {
  return anchor.theta.allFinite() && anchor.precision.allFinite() &&
         Eigen::LLT<Matrix>(anchor.precision).info() == Eigen::Success;
}

}  // namespace

std::optional<Anchor> run_pilot(ChainParts parts, const Frame& frame,
                                const std::atomic<bool>* stop) {
  constexpr std::uint64_t kWarmup = 300;
  constexpr double kEnough = 100.0;
  constexpr int kMostRounds = 8;
  const RunControl control{.stop = stop};
  RunSummary summary;
  WarmupChain warmup(std::move(parts), frame.anchor(), {});
  Chain chain = warm_up(std::move(warmup), {.warmup = kWarmup}, control, summary, nullptr);
  const Index batch = std::max<Index>(800, 12 * frame.dimension());
  Matrix draws(0, frame.dimension());
  Effective effective;
  for (int round = 0; round < kMostRounds && effective.smallest < kEnough; ++round) {
    if (!draw_more(chain, batch, control, draws)) {
      return std::nullopt;
    }
    effective = effective_draws(draws);
  }
  Anchor anchor = anchor_of(draws, effective.mean, frame);
  if (!is_sound(anchor)) {
    return std::nullopt;
  }
  anchor.queries = chain.queries_total();
  return anchor;
}

}  // namespace flymc
