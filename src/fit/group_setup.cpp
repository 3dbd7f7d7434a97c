#include "fit/group_setup.hpp"

#include <chrono>
#include <cmath>
#include <utility>

#include "core/message.hpp"
#include "data/table/group_terms.hpp"
#include "fit/family_engine.hpp"
#include "fit/words.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

std::unique_ptr<const ScalarModel> scalar_model(const Problem& problem) {
  const FamilyEngine& engine = engine_of(*problem.family);
  std::unique_ptr<const ScalarModel> model =
      engine.scalar_model != nullptr ? engine.scalar_model(*problem.family) : nullptr;
  if (model == nullptr) {
    throw Error(
        ErrorKind::kUsage,
        message("{}: {} has no group terms yet: they need a family of one linear "
                "predictor whose other parameters are fixed.",
                Setting{"formula", to_text(problem.groups->term)}, problem.family->type().word));
  }
  return model;
}

FixedPrior fixed_prior(const Prior& prior) {
  FixedPrior fixed{Vector::Zero(prior.dimension()), Vector::Zero(prior.dimension())};
  for (Index j = 0; j < prior.dimension(); ++j) {
    const PriorTerm& term = prior.terms()[static_cast<std::size_t>(j)];
    if (term.kind == PriorKind::kNormal) {
      fixed.mean[j] = term.location;
      fixed.precision[j] = 1.0 / (term.scale * term.scale);
    } else if (term.kind != PriorKind::kFlat) {
      throw Error(ErrorKind::kUsage,
                  message("{}: with group terms the prior of coefficients is normal or flat.",
                          Setting{"prior", "laplace"}));
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
    double counts = 0.0;
    double offsets = 0.0;
    for (std::size_t n = 0; n < data.rows(); ++n) {
      counts += data.response(n) / static_cast<double>(data.rows());
      offsets += data.offset(n) / static_cast<double>(data.rows());
    }
    beta[0] = std::log(counts + 0.5 / static_cast<double>(data.rows())) - offsets;
  }
  return beta;
}

}  // namespace

GroupSetup::GroupSetup(const Problem& problem, const FitSettings& options, EngineKind engine,
                       const std::atomic<bool>* stop)
    : EngineSetup(problem, options),
      model_(scalar_model(problem)),
      grouping_(problem.data, problem.data.factors().front(), problem.groups->term),
      prior_(fixed_prior(problem.prior)),
      scales_(problem.groups->sd_priors, problem.groups->term.correlated),
      group_problem_{problem.data, grouping_, *model_, prior_, scales_} {
  const auto start = std::chrono::steady_clock::now();
  const Interruptible from_here(stop);
  make_bounds(engine);
  setting_.emplace(GroupSetting{group_problem_, *bounds_});
  info_.regular = bounds_->beacons == problem.data.rows();
  info_.beacons = info_.regular ? 0 : bounds_->beacons;
  info_.expected_bright = bounds_->expected_bright;
  info_.passes = bounds_->passes;
  info_.queries = bounds_->queries;
  tuning_ = tune_groups(*setting_, options.seed, info_.queries);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  info_.wall_s = elapsed.count();
}

// Where most rows would be beacons, all are: their coins would not be worth throwing.
void GroupSetup::make_bounds(EngineKind engine) {
  GroupOptions how{.all_beacons = engine == EngineKind::kRegular, .threads = options_.threads};
  bounds_.emplace(make_group_bounds(group_problem_, start_of(problem_, prior_), how));
  if (engine == EngineKind::kAuto && 2 * bounds_->beacons > problem_.data.rows() &&
      bounds_->beacons < problem_.data.rows()) {
    how.all_beacons = true;
    bounds_.emplace(make_group_bounds(group_problem_, start_of(problem_, prior_), how));
  }
}

ChainParts GroupSetup::make_parts(Streams streams) const {
  return make_group_parts(*setting_, tuning_, streams);
}

WarmupChain GroupSetup::make_chain(std::uint32_t chain, std::uint64_t& /*queries*/) const {
  const Streams streams{options_.seed, chain};
  return {make_parts(streams),
          group_start(*setting_, tuning_, streams.at(1, Purpose::kInit)),
          {.adapt_q = false, .start = {}, .throw_coins = false}};
}

}  // namespace flymc
