#include "predict/fitted.hpp"

#include <algorithm>
#include <optional>

#include "core/parallel.hpp"
#include "run/group_draws.hpp"

namespace flymc {
namespace {

constexpr std::size_t kMostDraws = 200;
constexpr double kMostProducts = 4e9;  // a few seconds

// Evenly spaced over all chains, one after another.
std::vector<std::size_t> picked_draws(const RunChains& run, std::size_t count) {
  std::vector<std::size_t> picked;
  for (std::size_t i = 0; i < count; ++i) {
    picked.push_back(i * run.chains.size() * run.chains.front().draws() / count);
  }
  return picked;
}

// Coefficients of the raw columns of every picked draw, K columns a draw: slopes, then constant.
Matrix folded_draws(const Problem& problem, const RunChains& run,
                    const std::vector<std::size_t>& picked) {
  const auto predictors = static_cast<std::size_t>(problem.predictors());
  const Index constant = problem.data.folded_rows() - 1;
  const std::size_t each = run.chains.front().draws();
  Matrix folded =
      Matrix::Zero(problem.data.folded_rows(), static_cast<Index>(picked.size() * predictors));
  for (std::size_t i = 0; i < picked.size(); ++i) {
    const ChainDraws& chain = run.chains[picked[i] / each];
    for (const ParameterPlace& place : problem.places) {
      const Index row = place.column == ParameterPlace::kConstant ? constant : place.column;
      folded(row, static_cast<Index>(i * predictors) + place.predictor) =
          to_predictor(place.natural, chain.column(place.name.column)[picked[i] % each]);
    }
  }
  return folded;
}

std::size_t draws_used(const RunChains& run) {
  return std::min(kMostDraws, run.chains.size() * run.chains.front().draws());
}

// Whose response is not censored; empty where none is.
std::vector<std::size_t> seen_rows(const Problem& problem) {
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; problem.censored > 0.0 && n < problem.data.rows(); ++n) {
    if (problem.data.response(n) > 0.0) {
      rows.push_back(n);
    }
  }
  return rows;
}

}  // namespace

std::vector<std::size_t> spaced_rows(const Problem& problem, std::size_t most) {
  const double width = static_cast<double>(problem.data.folded_rows() * problem.predictors());
  const auto affordable =
      static_cast<std::size_t>(kMostProducts / (static_cast<double>(kMostDraws) * width));
  const std::vector<std::size_t> seen = seen_rows(problem);
  const std::size_t total = problem.censored > 0.0 ? seen.size() : problem.data.rows();
  const std::size_t count = std::min({total, most, std::max<std::size_t>(1000, affordable)});
  std::vector<std::size_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i] = problem.censored > 0.0 ? seen[i * total / count] : i * total / count;
  }
  return rows;
}

Fitted fitted(const Problem& problem, const RunChains& run, std::vector<std::size_t> rows) {
  Fitted fit{std::move(rows), draws_used(run), {}};
  const int predictors = problem.predictors();
  const std::vector<std::size_t> picked = picked_draws(run, fit.draws);
  const Matrix folded = folded_draws(problem, run, picked);
  const std::optional<GroupDraws> groups = arrange_groups(problem, run, picked);
  const auto count = static_cast<Index>(fit.rows.size());
  const FamilyType& family = problem.family->type();
  const bool keeps_eta = !family.auxiliaries.empty() || family.response == ResponseKind::kPositive;
  const bool one = !family.auxiliaries.empty() && !family.has_probabilities();
  fit.mean = RowMatrix::Zero(count, one ? 1 : predictors);
  fit.eta = RowMatrix::Zero(keeps_eta ? count : 0, predictors);
  const auto chunks = row_chunks(fit.rows.size(), 0);
  parallel_for(chunks.size(), 0, [&](std::size_t c) {
    RowMatrix eta(static_cast<Index>(fit.draws), predictors);
    Vector scratch(problem.data.columns());
    Vector first(eta.rows());
    for (std::size_t i = chunks[c].first; i < chunks[c].last; ++i) {
      problem.data.predict_row(fit.rows[i], folded, eta.data(), scratch.data());
      if (groups) {  // the first predictor alone has them
        first = eta.col(0);
        groups->add(problem.data.factors(), fit.rows[i],
                    problem.data.row(fit.rows[i], scratch.data()).raw, first.data());
        eta.col(0) = first;
      }
      const auto row = static_cast<Index>(i);
      if (keeps_eta) {
        fit.eta.row(row) = eta.colwise().mean();
      }
      problem.family->mean({eta.data(), static_cast<std::size_t>(eta.size())});
      fit.mean.row(row) = eta.leftCols(fit.mean.cols()).colwise().mean();
    }
  });
  return fit;
}

}  // namespace flymc
