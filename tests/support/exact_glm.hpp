// Small posteriors of the models that are not the paper's, and all models under one roof. Their
// likelihoods are written a second time, in textbook form.
#pragma once

#include <cmath>
#include <utility>

#include "flymc/family/binomial.hpp"
#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/family/probit.hpp"
#include "support/exact_problem.hpp"

namespace flymc::exact {

inline double log_likelihood_of(const Poisson& /*model*/, const double* eta, double response) {
  return response * *eta - std::exp(*eta);
}

inline double log_likelihood_of(const Probit& /*model*/, const double* eta, double response) {
  return std::log(0.5 * std::erfc(-response * *eta / std::sqrt(2.0)));
}

// y log p + (1 - y) log(1 - p); the trials are the weight.
inline double log_likelihood_of(const Binomial& /*model*/, const double* eta, double response) {
  const double p = 1.0 / (1.0 + std::exp(-*eta));
  return response * std::log(p) + (1.0 - response) * std::log1p(-p);
}

// Mean m: t log(m / (m + r)) + r log(r / (m + r)).
inline double log_likelihood_of(const NegativeBinomial& model, const double* eta, double response) {
  const double mean = std::exp(*eta);
  return response * std::log(mean / (mean + model.size())) -
         model.size() * std::log1p(mean / model.size());
}

inline double prior_scale(PriorKind kind) { return kind == PriorKind::kNormal ? 0.8 : 0.5; }

inline Problem<Poisson> poisson_problem(PriorKind kind) {
  Table table = table_of({0.9, -0.6, 1.4, 0.1, -1.1}, {2, 0, 5, 1, 1});
  table.weights = {1.0, 2.0, 0.6, 1.0, 1.5};
  table.offset = {0.3, -0.2, 0.0, 0.4, -0.1};
  return {Poisson{}, equal_prior(kind, 2, 0.1, prior_scale(kind)), Dataset(std::move(table), {}),
          0.0};
}

inline Problem<Probit> probit_problem(PriorKind kind) {
  Table table = table_of({1.4, -0.6, 2.1, 0.2, -1.3}, {1, -1, 1, 1, -1});
  table.weights = {1.0, 2.0, 0.5, 1.0, 1.5};
  table.offset = {0.3, -0.2, 0.0, 0.5, -0.4};
  return {Probit{}, equal_prior(kind, 2, 0.1, prior_scale(kind)), Dataset(std::move(table), {}),
          1.0};
}

inline Problem<Binomial> binomial_problem(PriorKind kind) {
  Table table = table_of({1.2, -0.7, 0.4, -1.6}, {0.75, 0.0, 0.5, 1.0 / 3.0});
  table.weights = {4.0, 2.0, 6.0, 3.0};
  table.offset = {0.2, 0.0, -0.3, 0.1};
  return {Binomial{}, equal_prior(kind, 2, 0.1, prior_scale(kind)), Dataset(std::move(table), {}),
          1.5};
}

inline Problem<NegativeBinomial> negative_binomial_problem(PriorKind kind) {
  Table table = table_of({0.9, -0.6, 1.4, 0.1, -1.1}, {3, 0, 6, 1, 0});
  table.weights = {1.0, 2.0, 0.6, 1.0, 1.5};
  table.offset = {0.3, -0.2, 0.0, 0.4, -0.1};
  return {NegativeBinomial(1.7), equal_prior(kind, 2, 0.1, prior_scale(kind)),
          Dataset(std::move(table), {}), 0.5};
}

template <class Visit>
void with_any_problem(ModelChoice model, PriorKind prior, Visit&& visit) {
  switch (model) {
    case ModelChoice::kPoisson:
      return visit(poisson_problem(prior));
    case ModelChoice::kProbit:
      return visit(probit_problem(prior));
    case ModelChoice::kBinomial:
      return visit(binomial_problem(prior));
    case ModelChoice::kNegativeBinomial:
      return visit(negative_binomial_problem(prior));
    default:
      return with_problem(model, prior, std::forward<Visit>(visit));
  }
}

// A column thirty times too large and data that a line nearly separates: rows whose predictor moves
// by many standard deviations, walls for an integrator, in a posterior that leans against them.
inline Problem<Logistic> wall_problem(PriorKind kind, double stretch) {
  Table table = table_of({0.4 * stretch, 0.1, 1.0 * stretch, -0.2, -0.1 * stretch, 0.7},
                         {1, -1, 1, 1, -1, 1});
  table.weights = {1.0, 1.0, 2.0, 0.5, 1.0, 1.0};
  table.offset = {0.0, 0.2, -0.3, 0.0, 0.1, 0.0};
  return {Logistic{}, equal_prior(kind, 2, 0.0, kind == PriorKind::kNormal ? 1.0 : 0.7),
          Dataset(std::move(table), {}), 1.5};
}

}  // namespace flymc::exact
