#include "fit/group_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "core/message.hpp"
#include "data/table/group_terms.hpp"
#include "fit/family_engine.hpp"
#include "fit/words.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"
#include "ranks/sums_along.hpp"

namespace flymc {
namespace {

std::unique_ptr<const RowModel> row_model(const Problem& problem) {
  const FamilyType& type = problem.family->type();
  const Setting formula{"formula", to_text(problem.groups->terms.front())};
  for (const PredictorDesign& design : problem.designs) {
    if (design.by_formula) {
      throw Error(ErrorKind::kUsage,
                  message("{}: with group terms {} is the same in every row", formula, design.name),
                  fmt::format("leave the formula of {} out.", design.name));
    }
  }
  const bool is_taken = problem.predictors() <= 1 + static_cast<int>(kMostShared) &&
                        type.response != ResponseKind::kOrdered;
  // Rows are read with all columns of the table; an intercept of another predictor is one of them.
  if (is_taken && problem.data.intercept() && !problem.data.has_intercept(0)) {
    throw Error(ErrorKind::kUsage,
                message("{}: with group terms and an unknown {} there is an intercept yet", formula,
                        problem.designs.back().name),
                fmt::format("leave '0 +' out of the formula, or fix {} by a number.",
                            problem.designs.back().name));
  }
  if (type.gaussian != nullptr) {
    return std::make_unique<GaussianModel>(type.gaussian);
  }
  std::unique_ptr<const RowModel> model =
      is_taken ? engine_of(*problem.family).row_model(*problem.family) : nullptr;
  if (model == nullptr) {
    throw Error(
        ErrorKind::kUsage,
        message("{}: {} has no group terms yet: they need a family of one linear predictor.",
                formula, type.word));
  }
  return model;
}

bool is_of_smooth(const Problem& problem, Index coefficient) {
  const Index column = coefficient - (problem.data.intercept() ? 1 : 0);
  return column >= 0 && std::ranges::any_of(problem.groups->terms, [&](const GroupTerm& term) {
           return std::ranges::find(term.splines,
                                    problem.data.names()[static_cast<std::size_t>(column)]) !=
                  term.splines.end();
         });
}

// Flat for coefficients of smooth terms, whose law has a scale that is unknown.
FixedPrior fixed_prior(const Problem& problem) {
  const Index size = problem.data.columns();
  FixedPrior fixed{Vector::Zero(size), Vector::Zero(size)};
  for (Index j = 0; j < size; ++j) {
    if (is_of_smooth(problem, j)) {
      continue;
    }
    const PriorTerm& term = problem.prior.terms()[static_cast<std::size_t>(j)];
    if (term.kind == PriorKind::kNormal) {
      fixed.mean[j] = term.location;
      fixed.precision[j] = 1.0 / (term.scale * term.scale);
    }
  }
  return fixed;
}

// Where the search begins: the prior's centre; of counts the logarithm of their mean, from where
// Newton's steps are short.
Vector start_of(const Problem& problem, const FixedPrior& prior) {
  Vector beta = prior.mean;
  const Dataset& data = problem.data;
  if (problem.family->type().response == ResponseKind::kCounts && data.has_intercept(0)) {
    const auto rows = static_cast<double>(data.rows());
    const RowRange here = data.shard().mine();
    const auto means = sums_along(data.shard().ranks(), 2, [&](std::span<double> sums) {
      for (std::size_t n = here.first; n < here.last; ++n) {
        sums[0] += data.response(n) / rows;
        sums[1] += data.offset(n) / rows;
      }
    });
    beta[0] = std::log(means[0] + 0.5 / rows) - means[1];
  }
  return beta;
}

}  // namespace

GroupSetup::GroupSetup(const Problem& problem, const FitSettings& options, EngineKind engine,
                       const std::atomic<bool>* stop)
    : EngineSetup(problem, options),
      model_(row_model(problem)),
      prior_(fixed_prior(problem)),
      scales_(problem.groups->scales()) {
  const auto start = std::chrono::steady_clock::now();
  const Interruptible from_here(stop);
  engine_ = make_group_engine(
      {problem.data, problem.groups->terms, *model_, prior_, scales_, start_of(problem, prior_)},
      {.all_beacons = engine == EngineKind::kRegular, .threads = options.threads},
      engine == EngineKind::kAuto, options.seed);
  const RowBounds& bounds = engine_->bounds();
  // of a normal response the one engine is both: the bound is the likelihood of all rows
  info_.regular = engine == EngineKind::kRegular || bounds.beacons == problem.data.rows();
  info_.beacons = info_.regular ? 0 : bounds.beacons;
  info_.expected_bright = bounds.expected_bright;
  info_.passes = bounds.passes;
  info_.queries = bounds.queries + engine_->pilot_queries();
  if (engine != EngineKind::kRegular && !model_->is_gaussian()) {
    const GroupTuning& pilot = engine_->tuning();
    info_.group_forecast = {
        info_.regular ? std::numeric_limits<double>::quiet_NaN() : pilot.queries,
        pilot.evaluations * static_cast<double>(problem.data.rows())};
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  info_.wall_s = elapsed.count();
}

ChainParts GroupSetup::make_parts(Streams streams) const { return engine_->make_parts(streams); }

WarmupChain GroupSetup::make_chain(std::uint32_t chain, std::uint64_t& /*queries*/) const {
  const Streams streams{options_.seed, chain};
  return {make_parts(streams),
          engine_->start(streams.at(1, Purpose::kInit)),
          {.adapt_q = false, .start = {}, .throw_coins = false}};
}

}  // namespace flymc
