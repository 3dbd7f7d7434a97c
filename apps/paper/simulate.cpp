// Tables in the shape of the paper's data, and OPV enlarged to the paper's number of rows.
#include "family/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/table/columns.hpp"
#include "data/table/principal_components.hpp"
#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/random.hpp"
#include "paper/data.hpp"

namespace flymc::paper {
namespace {

// Rows are drawn in blocks, each from a stream of its own: iteration 1 + block of the table's
// number (simulate() draws from number 0); iteration 0 is for coefficients.
constexpr std::uint32_t kCifarTable = 1;
constexpr std::uint32_t kLargeTable = 2;
constexpr std::size_t kBlockRows = 1024;

template <class Work>
void for_each_block(std::size_t rows, unsigned threads, const Work& work) {
  parallel_for((rows + kBlockRows - 1) / kBlockRows, threads, [&](std::size_t block) {
    work(RowRange{block * kBlockRows, std::min(rows, (block + 1) * kBlockRows)}, 1 + block);
  });
}

Table empty_table(std::size_t rows, std::size_t columns) {
  Table table;
  table.rows = rows;
  table.columns = numbered_names(columns);
  table.x.resize(rows * columns);
  table.response.values.resize(rows);
  return table;
}

// Columns scaled like principal components: the predictor, and so the response, stays what it was.
Table mnist_like(std::size_t rows, const PaperDataOptions& options) {
  constexpr std::size_t kComponents = 50;
  Table table = simulate({.family = "logistic",
                          .rows = rows,
                          .columns = kComponents,
                          .predictor_sd = 4.0,
                          .seed = options.seed,
                          .threads = options.threads});
  for (std::size_t j = 0; j < kComponents; ++j) {
    table.columns[j] = fmt::format("pc{}", j + 1);
  }
  // Close to the standard deviations of the real components, in pixels / 255.
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    table.x[i] *= 7.0 * std::pow(static_cast<double>(i % kComponents + 1) + 3.0, -0.8);
  }
  table.response.name = "digit";
  table.response.labels = {"7", "9"};
  return table;
}

// x_j ~ Bernoulli(p_j), p_j ~ U(0.3, 0.7) as of the real codes; softmax predictors beta_k . (x - p)
// of one sd.
struct CifarTruth {
  static constexpr Index kCodes = 256;
  static constexpr Index kClasses = 3;
  static constexpr double kPredictorSd = 1.5;

  explicit CifarTruth(std::uint64_t seed) : prevalence(kCodes), beta(kCodes, kClasses) {
    Stream stream(seed, kCifarTable, Purpose::kSimulate, 0);
    for (Index j = 0; j < kCodes; ++j) {
      prevalence[j] = 0.3 + 0.4 * stream.uniform();
      for (Index k = 0; k < kClasses; ++k) {
        beta(j, k) = stream.normal();
      }
    }
    const Vector variance = prevalence.array() * (1.0 - prevalence.array());
    for (Index k = 0; k < kClasses; ++k) {
      beta.col(k) *= kPredictorSd / std::sqrt(variance.dot(beta.col(k).cwiseAbs2()));
    }
  }

  // The class is where eta_k + Gumbel noise is largest: of probability proportional to e^eta_k.
  [[nodiscard]] double draw(Stream& stream, VectorView x) const {
    for (Index j = 0; j < kCodes; ++j) {
      x[j] = stream.uniform() < prevalence[j] ? 1.0 : 0.0;
    }
    Vector eta = beta.transpose() * (x - prevalence);
    for (double& value : eta) {
      value -= std::log(stream.exponential());
    }
    Index drawn = 0;
    eta.maxCoeff(&drawn);
    return static_cast<double>(drawn);
  }

  Vector prevalence;
  Matrix beta;
};

Table cifar_like(std::size_t rows, const PaperDataOptions& options) {
  const CifarTruth truth(options.seed);
  Table table = empty_table(rows, CifarTruth::kCodes);
  for_each_block(rows, options.threads, [&](RowRange range, std::uint64_t iteration) {
    Stream stream(options.seed, kCifarTable, Purpose::kSimulate, iteration);
    for (std::size_t n = range.first; n < range.last; ++n) {
      double* const x = table.x.data() + n * table.columns.size();
      table.response.values[n] = truth.draw(stream, VectorView(x, CifarTruth::kCodes));
    }
  });
  table.response.name = "class";
  return table;
}

// Correlation rho^|i - j| between columns: each is rho times the one before and news of its own, so
// a linear predictor of independent columns stays one of these.
Table opv_like(std::size_t rows, const PaperDataOptions& options) {
  constexpr std::size_t kColumns = 57;
  constexpr double kRho = 0.9;
  // Predictor and noise as least squares finds them on the QM9 gaps, in eV.
  Table table = simulate({.family = "student-t",
                          .rows = rows,
                          .columns = kColumns,
                          .predictor_sd = 1.15,
                          .own = {{"nu", 4.0}, {"scale", 0.36}},
                          .seed = options.seed,
                          .threads = options.threads});
  for (std::size_t n = 0; n < rows; ++n) {
    double* const x = table.x.data() + n * kColumns;
    for (std::size_t j = 1; j < kColumns; ++j) {
      x[j] = kRho * x[j - 1] + std::sqrt(1.0 - kRho * kRho) * x[j];
    }
  }
  standardise(table, options.threads);
  table.response.name = "gap";
  return table;
}

// A table's columns as a normal law, x = mean + root z, and its response as a line and residuals.
struct LinearLaw {
  Vector mean;
  Matrix root;  // root root' = covariance, singular or not
  double alpha = 0.0;
  Vector beta;
  Vector residuals;
};

LinearLaw fit_law(const Table& table, unsigned threads) {
  const auto n = static_cast<Index>(table.rows);
  const auto d = static_cast<Index>(table.columns.size());
  const ConstRowMatrixView x(table.x.data(), n, d);
  const ConstVectorView y(table.response.values.data(), n);
  RowMatrix joint(n, d + 1);
  joint << x, y;
  const Covariance covariance = covariance_of({joint.data(), n, d + 1}, threads);
  const Matrix own = covariance.matrix.topLeftCorner(d, d);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(own);
  const Vector sd = eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  LinearLaw law;
  law.mean = covariance.mean.head(d);
  law.root = eigen.eigenvectors() * sd.asDiagonal();
  // The shortest solution: columns that depend on each other leave no eigenvalue but rounding.
  const double smallest = 1e-12 * eigen.eigenvalues().maxCoeff();
  const Vector inverse =
      (eigen.eigenvalues().array() > smallest).select(eigen.eigenvalues().cwiseInverse(), 0.0);
  law.beta = eigen.eigenvectors() * inverse.cwiseProduct(eigen.eigenvectors().transpose() *
                                                         covariance.matrix.col(d).head(d));
  law.alpha = covariance.mean[d] - law.mean.dot(law.beta);
  law.residuals.resize(n);
  for (Index i = 0; i < n; ++i) {
    law.residuals[i] = y[i] - law.alpha - joint.row(i).head(d).dot(law.beta);
  }
  return law;
}

}  // namespace

PaperData simulate_experiment(Experiment experiment, const PaperDataOptions& options) {
  const auto rows_or = [&](std::size_t all) { return options.rows > 0 ? options.rows : all; };
  const auto simulated = [](Table table, const char* shape) {
    return PaperData{std::move(table),
                     fmt::format("simulated in the shape of {} (no --data)", shape), true};
  };
  switch (experiment) {
    case Experiment::kMnist:
      return simulated(mnist_like(rows_or(12214), options), "MNIST 7 v 9");
    case Experiment::kCifar:
      return simulated(cifar_like(rows_or(18000), options), "CIFAR-10 with 3 classes");
    case Experiment::kOpv:
      break;
  }
  return simulated(opv_like(rows_or(125061), options), "the QM9 gaps that stand in for OPV");
}

PaperData enlarge(const PaperData& opv, const PaperDataOptions& options) {
  constexpr std::size_t kPaperRows = 1800000;
  const std::size_t rows = options.rows > 0 ? options.rows : kPaperRows;
  const LinearLaw law = fit_law(opv.table, options.threads);
  Table table = empty_table(rows, opv.table.columns.size());
  table.columns = opv.table.columns;
  table.response.name = opv.table.response.name;
  const Index d = law.mean.size();
  for_each_block(rows, options.threads, [&](RowRange range, std::uint64_t iteration) {
    Stream stream(options.seed, kLargeTable, Purpose::kSimulate, iteration);
    RowMatrix z(static_cast<Index>(range.size()), d);
    std::generate_n(z.data(), z.size(), [&] { return stream.normal(); });
    RowMatrixView x(table.x.data() + range.first * table.columns.size(), z.rows(), d);
    x.noalias() = z * law.root.transpose();
    x.rowwise() += law.mean.transpose();
    for (std::size_t i = 0; i < range.size(); ++i) {
      const auto drawn = stream.below(static_cast<std::uint64_t>(law.residuals.size()));
      table.response.values[range.first + i] = law.alpha +
                                               x.row(static_cast<Index>(i)).dot(law.beta) +
                                               law.residuals[static_cast<Index>(drawn)];
    }
  });
  return {
      std::move(table),
      fmt::format("{} rows drawn from a normal law fitted to: {}", with_commas(rows), opv.source),
      true};
}

}  // namespace flymc::paper
