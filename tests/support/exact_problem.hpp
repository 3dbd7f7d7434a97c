// Posteriors small enough to integrate: three to five data, one to three parameters, with weights,
// offsets and standardised columns where the model takes them.
//
// Priors are tight: beyond the data a posterior falls like its prior, and independence proposals
// from the Laplace approximation need tails that are not much lighter than that.
#pragma once

#include <utility>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/error.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/family/softmax.hpp"
#include "flymc/family/student_t.hpp"

namespace flymc::exact {

enum class ModelChoice {
  kLogistic,
  kSoftmaxTwo,
  kSoftmaxThree,
  kStudentT,
  kPoisson,
  kProbit,
  kBinomial,
  kNegativeBinomial
};

template <class M>
struct Problem {
  M model;
  Prior prior;
  Dataset data;
  double untuned_xi;
};

inline Prior equal_prior(PriorKind kind, int dimension, double location, double scale) {
  return Prior(
      std::vector<PriorTerm>(static_cast<std::size_t>(dimension), {kind, location, scale}));
}

inline Table table_of(const std::vector<double>& x, const std::vector<double>& response) {
  Table table;
  table.rows = response.size();
  for (std::size_t j = 0; j < x.size() / response.size(); ++j) {
    table.columns.push_back("x" + std::to_string(j + 1));
  }
  table.x.assign(x.begin(), x.end());
  table.response.values = response;
  return table;
}

inline Problem<Logistic> logistic_problem(PriorKind kind) {
  Table table = table_of({1.4, -0.6, 2.1, 0.2, -1.3}, {1, -1, 1, 1, -1});
  table.weights = {1.0, 2.0, 0.5, 1.0, 1.5};
  table.offset = {0.3, -0.2, 0.0, 0.5, -0.4};
  Dataset::Options options;
  options.center = Vector::Constant(1, 0.3);
  options.scale = Vector::Constant(1, 1.2);
  const double scale = kind == PriorKind::kNormal ? 0.8 : 0.5;
  return {Logistic{}, equal_prior(kind, 2, 0.1, scale), Dataset(std::move(table), options), 1.5};
}

// One column and no intercept: one parameter a class. The offset is common to all classes, so it
// cancels: a posterior that depends on it is wrong.
inline Problem<Softmax> softmax_problem(int classes, PriorKind kind) {
  Table table = classes == 2 ? table_of({1.2, -0.7, 2.0, 0.6}, {1, 0, 1, 0})
                             : table_of({1.1, -0.9, 1.6, 0.4}, {2, 0, 1, 2});
  table.weights = {1.0, 1.5, 0.7, 1.0};
  table.offset = {0.4, 0.0, -0.3, 0.2};
  Dataset::Options options;
  options.intercept = false;
  const double scale = kind == PriorKind::kNormal ? 1.0 : 0.6;
  return {Softmax(classes), equal_prior(kind, classes, -0.1, scale),
          Dataset(std::move(table), options), 1.5};
}

// The third datum is an outlier: bound and likelihood part company there.
inline Problem<StudentT> student_t_problem(PriorKind kind) {
  Table table = table_of({0.9, -0.5, 0.3, -1.2, 1.6}, {1.1, -0.9, 4.5, -0.4, 2.2});
  table.weights = {1.0, 0.8, 1.0, 2.0, 1.0};
  table.offset = {0.1, 0.0, -0.3, 0.2, 0.0};
  const double scale = kind == PriorKind::kNormal ? 0.7 : 0.5;
  return {StudentT(4.0, 1.5), equal_prior(kind, 2, 0.0, scale), Dataset(std::move(table), {}), 0.4};
}

// Calls visit(problem) with the problem of a model's own type: the paper's models. The others are
// in exact_glm.hpp.
template <class Visit>
void with_problem(ModelChoice model, PriorKind prior, Visit&& visit) {
  switch (model) {
    case ModelChoice::kLogistic:
      return visit(logistic_problem(prior));
    case ModelChoice::kSoftmaxTwo:
      return visit(softmax_problem(2, prior));
    case ModelChoice::kSoftmaxThree:
      return visit(softmax_problem(3, prior));
    case ModelChoice::kStudentT:
      return visit(student_t_problem(prior));
    default:
      throw Error(ErrorKind::kInternal, "with_problem: not one of the paper's models.");
  }
}

}  // namespace flymc::exact
