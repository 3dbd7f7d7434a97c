#include "paper/measure.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/parallel.hpp"
#include "diagnose/autocovariance.hpp"
#include "diagnose/coda_ess.hpp"
#include "fit/log_posterior.hpp"
#include "fit/words.hpp"

namespace flymc::paper {
namespace {

std::span<const double> column(const Matrix& draws, Index j) {
  return {draws.col(j).data(), static_cast<std::size_t>(draws.rows())};
}

// Effective draws, parameters by rows, runs by columns.
Matrix effective_draws(const std::vector<PaperRun>& runs, unsigned threads) {
  const Index parameters = runs[0].recorder->kept().cols();
  Matrix ess(parameters, static_cast<Index>(runs.size()));
  parallel_for(runs.size(), threads, [&](std::size_t run) {
    for (Index j = 0; j < parameters; ++j) {
      ess(j, static_cast<Index>(run)) = coda_ess(column(runs[run].recorder->kept(), j));
    }
  });
  return ess;
}

// The error is the larger of two estimates: from the effective draws within chains, which a chain
// of a few autocorrelation times overstates, and from the spread of the runs' means, which five
// runs know only roughly.
PaperMeans posterior_means(const std::vector<PaperRun>& runs, const Vector& ess) {
  const auto count = static_cast<Index>(runs.size());
  Matrix means(ess.size(), count);
  Vector variance = Vector::Zero(ess.size());
  for (Index run = 0; run < count; ++run) {
    const Matrix& kept = runs[static_cast<std::size_t>(run)].recorder->kept();
    means.col(run) = kept.colwise().mean();
    variance += (kept.rowwise() - means.col(run).transpose()).colwise().squaredNorm().transpose() /
                static_cast<double>((kept.rows() - 1) * count);
  }
  PaperMeans result{means.rowwise().mean(), variance.cwiseQuotient(ess)};
  if (count > 1) {
    const Vector between = (means.colwise() - result.mean).rowwise().squaredNorm() /
                           static_cast<double>(count * (count - 1));
    result.error_square = result.error_square.cwiseMax(between);
  }
  return result;
}

// Mean and standard deviation over runs, `values` having a column for each.
PaperCurve curve(std::vector<double> x, const Matrix& values) {
  PaperCurve result{std::move(x), {}, {}};
  const auto runs = static_cast<double>(values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    const double mean = values.row(i).mean();
    const double square = (values.row(i).array() - mean).square().sum();
    result.mean.push_back(mean);
    result.sd.push_back(runs > 1.0 ? std::sqrt(square / (runs - 1.0)) : 0.0);
  }
  return result;
}

// Log posterior and queries an iteration along the way; runs of one schedule share waypoints.
void trace(const Problem& problem, const std::vector<PaperRun>& runs, unsigned threads,
           PaperRow& row) {
  std::vector<double> x;
  for (const Waypoint& point : runs[0].recorder->way()) {
    x.push_back(point.iteration);
  }
  Matrix density(static_cast<Index>(x.size()), static_cast<Index>(runs.size()));
  Matrix queries = density;
  parallel_for(runs.size(), threads, [&](std::size_t run) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Waypoint& point = runs[run].recorder->way()[i];
      density(static_cast<Index>(i), static_cast<Index>(run)) = log_posterior(problem, point.theta);
      queries(static_cast<Index>(i), static_cast<Index>(run)) = point.queries;
    }
  });
  row.log_posterior = curve(x, density);
  row.queries = curve(std::move(x), queries);
}

// Of at most 60 parameters spread over all, up to a lag of a tenth of the draws.
PaperCurve autocorrelation(const std::vector<PaperRun>& runs, std::size_t thin, unsigned threads) {
  const Matrix& first = runs[0].recorder->kept();
  const Index stride = (first.cols() + 59) / 60;
  const Index lags = std::min<Index>(first.rows() / 10, 200) + 1;
  Matrix values = Matrix::Zero(lags, static_cast<Index>(runs.size()));
  parallel_for(runs.size(), threads, [&](std::size_t run) {
    double count = 0.0;
    auto mean = values.col(static_cast<Index>(run));
    for (Index j = 0; j < first.cols(); j += stride) {
      const auto covariance = mean_autocovariance(Chains(column(runs[run].recorder->kept(), j), 1));
      if (covariance[0] > 0.0) {
        mean += Eigen::Map<const Vector>(covariance.data(), lags) / covariance[0];
        count += 1.0;
      }
    }
    mean /= std::max(count, 1.0);
  });
  std::vector<double> x;
  for (Index lag = 0; lag < lags; ++lag) {
    x.push_back(static_cast<double>(lag) * static_cast<double>(thin));
  }
  return curve(std::move(x), values);
}

void add_costs(const std::vector<PaperRun>& runs, PaperRow& row, double effective) {
  double iterations = 0.0;
  double set_up_s = 0.0;
  double sampling_s = 0.0;
  for (const PaperRun& run : runs) {
    const RunSummary& chain = run.engine.chains[0];
    iterations += static_cast<double>(chain.iterations);
    row.queries_theta += static_cast<double>(chain.queries_theta);
    row.queries_z += static_cast<double>(chain.queries_z);
    row.mean_bright += chain.mean_bright / static_cast<double>(runs.size());
    sampling_s += chain.wall_s;
    set_up_s += run.engine.setup.wall_s + run.engine.setup.reanchor_s;
  }
  row.queries_theta /= iterations;
  row.queries_z /= iterations;
  row.seconds = set_up_s / static_cast<double>(runs.size()) + 1000.0 * sampling_s / effective;
}

}  // namespace

MeasuredRow measure(const PaperAlgorithm& algorithm, const Problem& problem,
                    const std::vector<PaperRun>& runs, unsigned threads) {
  const Schedule& schedule = algorithm.options.schedule;
  PaperRow row;
  row.algorithm = algorithm.name;
  row.kernel = name_of(algorithm.options.chosen_kernel());
  row.warmup = schedule.warmup;
  row.iterations = schedule.draws * schedule.thin;
  const Matrix ess = effective_draws(runs, threads);
  const Vector by_parameter = ess.rowwise().mean();  // of one run
  const double per_1000 = 1000.0 / static_cast<double>(row.iterations);
  row.ess_per_1000 = per_1000 * by_parameter.mean();
  row.ess_min_per_1000 = per_1000 * by_parameter.minCoeff();
  add_costs(runs, row, ess.colwise().mean().sum());
  trace(problem, runs, threads, row);
  row.autocorrelation = autocorrelation(runs, schedule.thin, threads);
  return {std::move(row), posterior_means(runs, ess.rowwise().sum())};
}

double largest_z(const PaperMeans& a, const PaperMeans& b) {
  const Vector error = (a.error_square + b.error_square).cwiseSqrt();
  return ((a.mean - b.mean).cwiseAbs().cwiseQuotient(error)).maxCoeff();
}

}  // namespace flymc::paper
