// From a problem to everything its chains share: anchor, local bounds, beacons, and the forecast of
// what a draw will cost. Real posteriors are not Gaussian: where the forecast asks for it the
// anchor moves from the mode to the mean, once or twice, and then everything is frozen. Tangents
// touch at one mode: where several carry mass every row is a beacon, and chains jump between them.
// See docs/method/engine.md, Set-up.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "chain/pilot.hpp"
#include "flymc/detail/posterior/dark_target.hpp"
#include "flymc/posterior/local_bounds.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "kernel/split_hmc.hpp"
#include "tune/beacons.hpp"
#include "tune/modes.hpp"
#include "tune/separation.hpp"
#include "tune/surrogate.hpp"

namespace flymc {

struct SetUpOptions {
  AnchorOptions anchor;
  LocalOptions local;
  EngineKind engine = EngineKind::kAuto;
  int most_rounds = 2;                      // of re-anchoring
  bool use_beacons = true;                  // false: every datum keeps its coin, for experiments
  const std::atomic<bool>* stop = nullptr;  // true: no more re-anchoring
};

struct SetUp {
  ModeFacts mode;  // before the anchor moved on from there
  Anchor anchor;
  Bounds bounds;
  std::optional<Frame> frame;  // the oscillators of these bounds
  Forecast forecast;
  bool regular = false;  // every row is a beacon
  int passes = 0;        // over all rows
  std::uint64_t queries = 0;
  int rounds = 0;  // of re-anchoring
  double reanchor_s = 0.0;
  Modes modes;
};

namespace detail {

// One round's result: where the tangents touch, what the pass found, and which rows to keep lit.
struct Round {
  Anchor anchor;
  LocalPass pass;
  BeaconChoice choice;
};

template <BoundedLikelihood M>
void choose(const M& model, const Prior& prior, const Dataset& data, const SetUpOptions& options,
            Round& round) {
  if (options.use_beacons) {
    round.choice = choose_beacons(model, prior, data, round.pass, round.anchor);
  }
}

// True where the best mode is another than the anchor's, which then is that one.
[[nodiscard]] inline bool move_to_best(const Modes& modes, Anchor& anchor) {
  if (!modes.several() || modes.is_best(anchor.theta)) {
    return false;
  }
  anchor = modes.best().anchor;
  anchor.passes = 0;  // the modes count them
  anchor.queries = 0;
  return true;
}

// Climbs from the other side of rows that may hold a mode of their own.
template <BoundedLikelihood M>
[[nodiscard]] bool look_past_rows(const M& model, const Prior& prior, const Dataset& data,
                                  Round& round, const SetUpOptions& options, Modes& modes) {
  if constexpr (!M::kLogConcave && GlobalScalar<M>) {
    const auto starts = influential_starts(model, data, round.anchor, round.pass);
    if (!starts.empty()) {
      climb_all(model, prior, data, round.anchor.theta, starts, options.anchor.threads, modes);
      return move_to_best(modes, round.anchor);
    }
  }
  return false;
}

// Whether the curvature of a sample is that of all rows, by the parabola of the pass: a rare
// category may be missing from the sample.
[[nodiscard]] inline bool is_typical(const Prior& prior, const Round& round) {
  const Vector ratio = gaussian_precision(prior, round.pass.sum)
                           .diagonal()
                           .cwiseQuotient(round.anchor.precision.diagonal());
  return ratio.allFinite() && ratio.minCoeff() > 0.5 && ratio.maxCoeff() < 2.0;
}

// Where to look for the mode after a pass that is too far from it: on tall data at the top of the
// pass's own parabola, which costs another pass where a search on all rows costs several.
template <BoundedLikelihood M>
[[nodiscard]] Anchor nearer_anchor(const M& model, const Prior& prior, const Dataset& data,
                                   const Round& round, const SetUpOptions& options, bool may_move) {
  if (may_move) {
    if (auto top = gaussian_anchor(prior, round.pass.sum)) {
      top->sampled = true;  // how far it is the next pass will show
      return std::move(*top);
    }
  }
  AnchorOptions all_rows = options.anchor;
  all_rows.may_sample = false;
  return find_anchor(model, prior, data, all_rows);
}

// Finds the anchor and its local pass. After a sampled search the pass itself shows how far the
// mode is; further than a posterior standard deviation, the anchor moves to where the pass's own
// parabola has its top, and where that does not end the search begins again with all rows. The pass
// also shows which rows may hold a mode of their own: these are looked at once.
template <BoundedLikelihood M>
[[nodiscard]] Round first_round(const M& model, const Prior& prior, const Dataset& data,
                                const SetUpOptions& options, SetUp& out) {
  Round round{find_anchor(model, prior, data, options.anchor), {}, {}};
  Modes modes;
  int moves = 0;
  bool looked = M::kLogConcave;
  if constexpr (!M::kLogConcave) {
    modes = find_modes(model, prior, data, round.anchor.theta, options.anchor.threads);
    std::ignore = move_to_best(modes, round.anchor);
  }
  for (;;) {
    out.passes += round.anchor.passes + 1;
    round.pass = local_pass(model, data, round.anchor, options.local);
    out.mode.step = round.anchor.decrement;
    out.queries += round.anchor.queries + round.pass.queries;
    if (round.anchor.sampled) {
      round.anchor.decrement = distance_to_mode(prior, round.pass, round.anchor);
    }
    constexpr int kMostMoves = 2;
    const bool tall = is_tall(data.rows(), prior.dimension());
    const bool typical = !tall || is_typical(prior, round);
    if (round.anchor.sampled && (round.anchor.decrement >= 1.0 || !typical)) {
      round.anchor = nearer_anchor(model, prior, data, round, options,
                                   tall && typical && moves++ < kMostMoves);
    } else if (looked || !look_past_rows(model, prior, data, round, options, modes)) {
      choose(model, prior, data, options, round);
      out.passes += modes.passes();
      out.queries += modes.queries();
      out.modes = std::move(modes);
      return round;
    } else {
      looked = true;
    }
  }
}

// A pilot run on a surrogate with beacons.
template <BoundedLikelihood M>
[[nodiscard]] std::optional<Anchor> pilot_anchor(const M& model, const Prior& prior,
                                                 const Dataset& data, const Anchor& now,
                                                 const Surrogate& surrogate,
                                                 const SetUpOptions& options, int round) {
  const Frame frame = Frame::oscillator(now, gaussian_precision(prior, surrogate.gaussian));
  auto setting =
      std::make_shared<const DarkSetting<M>>(model, prior, data, surrogate.parts(), frame);
  constexpr std::uint32_t kPilot = 0xFFFF0000;  // no chain has this number
  ChainParts parts{std::make_unique<DarkTarget<M>>(std::move(setting)), nullptr,
                   std::make_unique<SplitHmc>(frame.dimension()), nullptr,
                   Streams{options.anchor.seed, kPilot + static_cast<std::uint32_t>(round)}};
  return run_pilot(std::move(parts), frame, options.stop);
}

// Mean and covariance of the surrogate: in closed form without beacons, else by a pilot run.
template <BoundedLikelihood M>
[[nodiscard]] std::optional<Anchor> better_anchor(const M& model, const Prior& prior,
                                                  const Dataset& data, const Anchor& now,
                                                  const Bounds& bounds, const SetUpOptions& options,
                                                  int round) {
  const Surrogate surrogate = make_surrogate(model, data, bounds, options.local.threads);
  std::optional<Anchor> anchor;
  if (surrogate.beacons.empty()) {
    anchor = gaussian_anchor(prior, surrogate.gaussian);
  } else if (M::kLogConcave || is_positive_definite(prior, surrogate.gaussian)) {
    anchor = pilot_anchor(model, prior, data, now, surrogate, options, round);
  }
  if (anchor) {
    anchor->queries += surrogate.queries;
  }
  return anchor;
}

// A move of the anchor costs two passes. Where so many draws, by the forecast at its darkest, cost
// less than these, it cannot pay; unless the mean is so far that the forecast speaks of elsewhere.
[[nodiscard]] inline bool may_pay(const Round& now, double shift, std::size_t rows) {
  constexpr double kDraws = 4000.0;
  constexpr double kElsewhere = 2.0;
  Cost cost = now.choice.cost;
  cost.lag = lag_of(now.choice.q_max);
  return shift > kElsewhere ||
         kDraws * cost.queries() / cost.draws() > 2.0 * static_cast<double>(rows);
}

// A pilot pays for its beacons at every step of a thousand iterations, alone, as chains would pay
// for all rows. With so many it costs minutes, and the forecast after it was no better.
[[nodiscard]] inline bool is_too_bright(const Round& now, std::size_t rows) {
  constexpr std::size_t kSome = 2'000;
  return now.choice.beacons.size() > std::max(kSome, rows / 4);
}

// Whether a new anchor is where the posterior is. A mean lies about D/2 below the top; as far below
// as no draw of a Gaussian is, its surrogate was none of this posterior.
[[nodiscard]] inline bool is_inside(const Prior& prior, const Dataset& data, const Round& before,
                                    const Round& next) {
  const double top = log_posterior(prior, data, before.pass);
  return log_posterior(prior, data, next.pass) >=
         top - static_cast<double>(prior.dimension()) - 20.0;
}

// Moves the anchor to the mean while the forecast asks for it: twice where there are beacons to be
// sampled with, once in closed form where there are none, and then only if it may pay and does no
// harm.
template <BoundedLikelihood M>
[[nodiscard]] Round reanchor(const M& model, const Prior& prior, const Dataset& data,
                             const SetUpOptions& options, Round now, SetUp& out) {
  while (options.use_beacons && out.rounds < options.most_rounds) {
    const double shift = smooth_shift(prior, now.pass, now.anchor);
    const bool skewed = out.rounds == 0 && (now.choice.q_max > 1.5 || shift > 0.7) &&
                        may_pay(now, shift, data.rows());
    const bool pilot = !now.choice.beacons.empty();
    if (pilot ? is_too_bright(now, data.rows()) : !skewed) {
      break;
    }
    const Bounds bounds =
        with_beacons(model, data, now.pass, now.choice.beacons, options.local.threads);
    auto anchor = better_anchor(model, prior, data, now.anchor, bounds, options, out.rounds);
    ++out.passes;
    if (!anchor) {
      break;
    }
    ++out.rounds;
    Round next{std::move(*anchor), {}, {}};
    next.pass = local_pass(model, data, next.anchor, options.local);
    ++out.passes;
    out.queries += next.anchor.queries + next.pass.queries;
    if (!is_inside(prior, data, now, next)) {
      break;
    }
    choose(model, prior, data, options, next);
    if (!pilot && next.choice.q_max > 2.0 * now.choice.q_max) {
      break;  // without beacons the mean of a surrogate may overshoot
    }
    now = std::move(next);
  }
  return now;
}

[[nodiscard]] inline std::vector<Datum> all_rows(std::size_t rows) {
  std::vector<Datum> all(rows);
  std::iota(all.begin(), all.end(), Datum{0});
  return all;
}

}  // namespace detail

template <BoundedLikelihood M>
[[nodiscard]] SetUp set_up(const M& model, const Prior& prior, const Dataset& data,
                           const SetUpOptions& options) {
  SetUp out;
  detail::Round round = detail::first_round(model, prior, data, options, out);
  out.mode =
      mode_facts(round.anchor, out.mode.step, round.pass.gradient, *round.pass.tangents.rows);
  const auto start = std::chrono::steady_clock::now();
  const bool multimodal =  // a mean between modes is no anchor
      out.modes.several() && out.modes.within(kNatsThatMatter).size() > 1;
  if (!multimodal) {
    round = detail::reanchor(model, prior, data, options, std::move(round), out);
  }
  out.reanchor_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto bind = [&](std::vector<Datum> beacons) {
    out.bounds = with_beacons(model, data, round.pass, std::move(beacons), options.local.threads);
    out.frame.emplace(
        Frame::oscillator(round.anchor, gaussian_precision(prior, out.bounds.gaussian)));
  };
  out.forecast.regular = full_cost(data, round.pass.tangents);
  bind(std::move(round.choice.beacons));
  out.forecast.fly = round.choice.cost;
  out.forecast.fly.lag = slowest_lag(*out.frame);
  out.regular = options.engine == EngineKind::kRegular ||
                (options.engine == EngineKind::kAuto && (multimodal || !out.forecast.fly_pays()));
  if (out.regular) {
    bind(detail::all_rows(data.rows()));
  }
  out.anchor = std::move(round.anchor);
  return out;
}

}  // namespace flymc
