#include "fit/linear_setup.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "flymc/detail/core/interruption.hpp"
#include "linear/linear_chain.hpp"

namespace flymc {

bool is_linear(const Problem& problem, const FitSettings& options) {
  const FamilyType& type = problem.family->type();
  const bool asks_for_bounds =
      options.chosen_bound() != BoundKind::kLocal || options.chosen_z() != ZKind::kWeighted ||
      options.chosen_kernel() != KernelKind::kSplitHmc || options.frame != FrameKind::kWhitened ||
      options.init != InitKind::kLaplace || options.anchor != AnchorSearch::kNewton;
  if (type.gaussian == nullptr || problem.groups || asks_for_bounds) {
    return false;
  }
  const bool has_one_sigma = type.auxiliaries.empty() || problem.data.is_shared(1);
  const Index p = problem.data.design().size(0);
  const auto& terms = problem.prior.terms();
  return has_one_sigma && p > 0 &&
         std::all_of(terms.begin(), terms.begin() + p, [](const PriorTerm& term) {
           return term.kind == PriorKind::kNormal || term.kind == PriorKind::kFlat;
         });
}

LinearSetup::LinearSetup(const Problem& problem, const FitSettings& options,
                         const std::atomic<bool>* stop)
    : EngineSetup(problem, options) {
  const auto start = std::chrono::steady_clock::now();
  const Interruptible from_here(stop);
  const bool is_number = problem.family->type().auxiliaries.empty();
  law_.emplace(
      LinearProblem{.data = problem.data,
                    .family = *problem.family,
                    .prior = problem.prior,
                    .log_sigma = is_number ? std::log(problem.family->settings().at("sigma")) : 0.0,
                    .threads = options.threads});
  // the one engine is both: sums are the likelihood of all rows
  info_.regular = options.engine == EngineKind::kRegular;
  info_.passes = law_->passes();
  info_.queries = law_->queries();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  info_.wall_s = elapsed.count();
}

ChainParts LinearSetup::make_parts(Streams streams) const { return linear_parts(*law_, streams); }

WarmupChain LinearSetup::make_chain(std::uint32_t chain, std::uint64_t& /*queries*/) const {
  const Streams streams{options_.seed, chain};
  return {make_parts(streams),
          linear_start(*law_, streams.at(1, Purpose::kInit)),
          {.adapt_q = false, .start = {}, .throw_coins = false}};
}

std::optional<LogEvidence> LinearSetup::evidence(
    const std::function<RunChains()>& /*draws*/) const {
  if (problem_.prior.has_flat()) {
    return std::nullopt;
  }
  return LogEvidence{law_->log_evidence() + log_prior_constant(problem_), 0.0};
}

}  // namespace flymc
