#include "predict/fitted.hpp"

#include <algorithm>
#include <optional>

#include "core/parallel.hpp"
#include "run/group_draws.hpp"

namespace flymc {
namespace {

constexpr std::size_t kMostDraws = 200;
constexpr double kMostProducts = 4e9;  // a few seconds

// Coefficients of the raw columns of every chosen draw, K columns a draw: slopes, then constant.
Matrix folded_draws(const Problem& problem, const RunChains& run, std::size_t count) {
  const auto predictors = static_cast<std::size_t>(problem.predictors());
  const Index constant = problem.data.folded_rows() - 1;
  const std::size_t each = run.chains.front().draws();
  Matrix folded = Matrix::Zero(problem.data.folded_rows(), static_cast<Index>(count * predictors));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t draw = i * run.chains.size() * each / count;
    const ChainDraws& chain = run.chains[draw / each];
    for (const ParameterPlace& place : problem.places) {
      const Index row = place.column == ParameterPlace::kConstant ? constant : place.column;
      folded(row, static_cast<Index>(i * predictors) + place.predictor) =
          to_predictor(place.natural, chain.column(place.name.column)[draw % each]);
    }
  }
  return folded;
}

// The draws that folded_draws() takes.
std::vector<std::size_t> picked_draws(const RunChains& run, std::size_t count) {
  std::vector<std::size_t> picked;
  for (std::size_t i = 0; i < count; ++i) {
    picked.push_back(i * run.chains.size() * run.chains.front().draws() / count);
  }
  return picked;
}

std::optional<GroupDraws> group_draws(const Problem& problem, const RunChains& run,
                                      std::size_t count) {
  if (!problem.groups) {
    return std::nullopt;
  }
  std::vector<std::string> labels;
  for (const ParameterName& parameter : problem.parameters) {
    labels.push_back(parameter.label);
  }
  return arrange_groups({problem.groups->term}, labels, problem.data.names(), run,
                        picked_draws(run, count));
}

std::size_t draws_used(const RunChains& run) {
  return std::min(kMostDraws, run.chains.size() * run.chains.front().draws());
}

}  // namespace

std::vector<std::size_t> spaced_rows(const Problem& problem, std::size_t most) {
  const double width = static_cast<double>(problem.data.folded_rows() * problem.predictors());
  const auto affordable =
      static_cast<std::size_t>(kMostProducts / (static_cast<double>(kMostDraws) * width));
  const std::size_t total = problem.data.rows();
  const std::size_t count = std::min({total, most, std::max<std::size_t>(1000, affordable)});
  std::vector<std::size_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i] = i * total / count;
  }
  return rows;
}

Fitted fitted(const Problem& problem, const RunChains& run, std::vector<std::size_t> rows) {
  Fitted fit{std::move(rows), draws_used(run), {}};
  const int predictors = problem.predictors();
  const Matrix folded = folded_draws(problem, run, fit.draws);
  const std::optional<GroupDraws> groups = group_draws(problem, run, fit.draws);
  const auto count = static_cast<Index>(fit.rows.size());
  const bool has_auxiliaries = !problem.family->type().auxiliaries.empty();
  fit.mean = RowMatrix::Zero(count, has_auxiliaries ? 1 : predictors);
  fit.eta = RowMatrix::Zero(has_auxiliaries ? count : 0, predictors);
  const auto chunks = row_chunks(fit.rows.size(), 0);
  parallel_for(chunks.size(), 0, [&](std::size_t c) {
    RowMatrix eta(static_cast<Index>(fit.draws), predictors);
    Vector scratch(problem.data.columns());
    for (std::size_t i = chunks[c].first; i < chunks[c].last; ++i) {
      problem.data.predict_row(fit.rows[i], folded, eta.data(), scratch.data());
      if (groups) {
        groups->add(problem.data.factors().front().codes[fit.rows[i]],
                    problem.data.row(fit.rows[i], scratch.data()).raw, eta.data());
      }
      const auto row = static_cast<Index>(i);
      if (has_auxiliaries) {
        fit.eta.row(row) = eta.colwise().mean();
      }
      problem.family->mean({eta.data(), static_cast<std::size_t>(eta.size())});
      fit.mean.row(row) = eta.leftCols(fit.mean.cols()).colwise().mean();
    }
  });
  return fit;
}

}  // namespace flymc
