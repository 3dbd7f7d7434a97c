// Small regression problems of every model, with the joint density and the posterior written
// naively in quad precision from the raw numbers.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/posterior/density.hpp"
#include "flymc/posterior/global_bounds.hpp"
#include "flymc/posterior/local_bounds.hpp"
#include "flymc/random.hpp"
#include "support/unit_reference.hpp"

namespace flymc::unit {

struct Shape {
  std::size_t rows = 24;
  std::size_t columns = 3;
  bool intercept = true;
  bool standardise = true;  // centring only with an intercept
  bool weights = true;
  bool offset = true;
  double sharpness = 1.0;  // of the anchor's precision: divides squared leverages
};

struct LogisticCase {
  using Model = Logistic;
  static Model model() { return {}; }
  static double response(Stream& stream) { return stream.uniform() < 0.6 ? 1.0 : -1.0; }
};
struct StudentTCase {
  using Model = StudentT;
  static Model model() { return StudentT(3.0, 0.8); }
  static double response(Stream& stream) { return 1.0 + 2.0 * stream.normal(); }
};
struct SoftmaxCase {
  using Model = Softmax;
  static Model model() { return Softmax(3); }
  static double response(Stream& stream) { return static_cast<double>(stream.below(3)); }
};

struct SoftmaxPairCase {  // one pair
  using Model = Softmax;
  static Model model() { return Softmax(2); }
  static double response(Stream& stream) { return static_cast<double>(stream.below(2)); }
};

struct PoissonCase {
  using Model = Poisson;
  static Model model() { return {}; }
  static double response(Stream& stream) { return static_cast<double>(stream.poisson(1.5)); }
};
struct ProbitCase {
  using Model = Probit;
  static Model model() { return {}; }
  static double response(Stream& stream) { return stream.uniform() < 0.6 ? 1.0 : -1.0; }
};
struct BinomialCase {
  using Model = Binomial;
  static Model model() { return {}; }
  static double response(Stream& stream) { return static_cast<double>(stream.below(6)) / 5.0; }
};
// Predictors with columns of their own; a standard deviation for all, or one that varies.
struct NormalScaleCase {
  using Model = Automatic<NormalScale>;
  static Model model() { return Model{}; }
  static double response(Stream& stream) { return 1.0 + 1.5 * stream.normal(); }
  static std::vector<std::vector<Index>> predictors(Index columns) {
    std::vector<Index> all(static_cast<std::size_t>(columns));
    std::iota(all.begin(), all.end(), Index{0});
    return {all, {0}};
  }
};
struct NormalVaryingScaleCase : NormalScaleCase {
  static std::vector<std::vector<Index>> predictors(Index columns) {
    return {NormalScaleCase::predictors(columns)[0], {0, columns - 1}};
  }
};
struct NegativeBinomialCase {
  using Model = NegativeBinomial;
  static Model model() { return NegativeBinomial(1.7); }
  static double response(Stream& stream) { return static_cast<double>(stream.poisson(1.5)); }
};

[[nodiscard]] inline Vector normal_vector(Stream& stream, Index size, double spread = 1.0) {
  Vector v(size);
  for (double& x : v) {
    x = spread * stream.normal();
  }
  return v;
}

// Columns of different scale and location, so that a forgotten centre or scale is seen.
template <class Case>
[[nodiscard]] Table make_table(const Shape& shape, Stream& stream) {
  Table table;
  table.rows = shape.rows;
  for (std::size_t j = 0; j < shape.columns; ++j) {
    table.columns.push_back("x" + std::to_string(j));
  }
  for (std::size_t n = 0; n < shape.rows; ++n) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      const auto level = static_cast<double>(j);
      table.x.push_back(level - 1.0 + (1.0 + level) * stream.normal());
    }
    table.response.values.push_back(Case::response(stream));
    if (shape.weights) {
      table.weights.push_back(0.5 + 2.0 * stream.uniform());
    }
    if (shape.offset) {
      table.offset.push_back(0.5 * stream.normal());
    }
  }
  return table;
}

[[nodiscard]] inline Dataset::Options scaling(const Shape& shape) {
  Dataset::Options options{.intercept = shape.intercept, .center = {}, .scale = {}};
  if (shape.standardise) {
    const auto d = static_cast<Index>(shape.columns);
    options.scale = Vector::LinSpaced(d, 0.7, 2.2);
    options.center = shape.intercept ? Vector(Vector::LinSpaced(d, -1.3, 0.9)) : Vector();
  }
  return options;
}

[[nodiscard]] inline Prior normal_prior(Index size, double scale = 1.5) {
  std::vector<PriorTerm> terms(static_cast<std::size_t>(size), {PriorKind::kNormal, 0.0, scale});
  terms[0].location = 0.4;
  return Prior(std::move(terms));
}

[[nodiscard]] inline Prior laplace_prior(Index size, double scale = 0.8) {
  std::vector<PriorTerm> terms(static_cast<std::size_t>(size), {PriorKind::kLaplace, 0.0, scale});
  terms[0] = {PriorKind::kNormal, 0.4, 1.5};
  return Prior(std::move(terms));
}

// Any positive definite matrix will do: bounds and frames are exact at every anchor.
[[nodiscard]] inline Anchor random_anchor(Stream& stream, Index size, double sharpness = 1.0) {
  Anchor anchor;
  anchor.theta = normal_vector(stream, size, 0.4);
  const Matrix factor = Matrix::NullaryExpr(size, size, [&] { return stream.normal(); });
  anchor.precision = sharpness * (factor * factor.transpose() + 3.0 * Matrix::Identity(size, size));
  return anchor;
}

// Bounds of any kind that the model has.
template <BoundedLikelihood M>
[[nodiscard]] Bounds bounds_of(const M& model, const Dataset& data, const Anchor& anchor,
                               BoundKind kind, unsigned threads = 1) {
  if constexpr (kHasGlobalBound<M>) {
    if (kind != BoundKind::kLocal) {
      return make_bounds(model, data, anchor,
                         {.kind = kind, .xi = M::kUntunedXi + 0.3, .threads = threads});
    }
  }
  return make_local_bounds(model, data, anchor, {.threads = threads});
}

template <class Case>
struct Problem {
  using Model = typename Case::Model;

  Problem(const Shape& a_shape, BoundKind kind, std::uint64_t seed = 1)
      : shape(a_shape),
        stream(seed, 0, Purpose::kTest, 0),
        model(Case::model()),
        table(make_table<Case>(shape, stream)),
        options(scaling_of(shape)),
        data(table, options),
        prior(normal_prior(size())),
        anchor(random_anchor(stream, size(), shape.sharpness)),
        bounds(bounds_of(model, data, anchor, kind)) {}
  // How much sharper a posterior has to be: a derived bound that moves a log scale by several units
  // bends so much that sums lose digits, or is none.
  static constexpr double kSharper = MatrixLikelihood<typename Case::Model> ? 100.0 : 1.0;

  Problem(const Problem&) = delete;  // bounds refer to model and data
  Problem& operator=(const Problem&) = delete;

  [[nodiscard]] static Dataset::Options scaling_of(const Shape& shape) {
    Dataset::Options result = scaling(shape);
    if constexpr (MatrixLikelihood<Model>) {
      result.predictors =
          Case::predictors(static_cast<Index>(shape.columns) + (shape.intercept ? 1 : 0));
    }
    return result;
  }

  // Local bounds of the same problem, with these beacons.
  void set_beacons(const std::vector<Datum>& beacons, const LocalOptions& options_of_bounds) {
    bounds =
        with_beacons(model, data, local_pass(model, data, anchor, options_of_bounds), beacons, 1);
  }

  [[nodiscard]] Index size() const { return data.design().parameters(predictor_count(model)); }

  // Predictors of row n from the raw numbers.
  [[nodiscard]] Reals eta(std::size_t n, const Reals& theta) const {
    const auto predictors = static_cast<std::size_t>(predictor_count(model));
    Reals result(predictors, shape.offset ? table.offset[n] : 0.0L);
    std::size_t at = 0;
    for (std::size_t k = 0; k < predictors; ++k) {
      if (k > 0 && !options.predictors.empty()) {
        result[k] = 0.0L;  // the offset is the first one's
      }
      for (Index column = 0; column < data.columns(); ++column) {
        if (!options.predictors.empty() && std::ranges::count(options.predictors[k], column) == 0) {
          continue;
        }
        const Index i = column - (shape.intercept ? 1 : 0);
        if (i < 0) {
          result[k] += theta[at++];
          continue;
        }
        const auto j = static_cast<std::size_t>(i);
        const Real center = options.center.size() > 0 ? options.center[i] : 0.0;
        const Real scale = options.scale.size() > 0 ? options.scale[i] : 1.0;
        result[k] += theta[at++] * (Real{table.x[n * shape.columns + j]} - center) / scale;
      }
    }
    return result;
  }
  [[nodiscard]] Real weight(std::size_t n) const { return shape.weights ? table.weights[n] : 1.0; }
  [[nodiscard]] double response(std::size_t n) const { return table.response.values[n]; }
  [[nodiscard]] std::vector<double> curvature(std::size_t n, int shell = 0) const {
    const auto pairs = static_cast<std::size_t>(bounds.tangents.pairs);
    std::vector<double> scratch(pairs);
    std::vector<double> result(pairs);
    shell_curvature(model, bounds.tangents, bounds.tangents.touch(n, response(n)), shell,
                    scratch.data(), result.data());
    return result;
  }

  [[nodiscard]] Real log_likelihood(std::size_t n, const Reals& theta) const {
    return weight(n) * likely(model, eta(n, theta), response(n)).value;
  }
  [[nodiscard]] Real log_bound_in(int shell, std::size_t n, const Reals& theta) const {
    const Real slack = bounds.coins.slack(static_cast<Datum>(n));
    if (bounds.tangents.shells.is_exact(shell)) {
      return log_likelihood(n, theta) - slack;
    }
    const std::vector<double> bend = curvature(n, shell);
    const Tangent tangent{bounds.tangents.touch_point(n), bend.data(), response(n)};
    return weight(n) * log_bound(model, tangent, eta(n, theta)).value - slack;
  }
  // The shell by its definition, |theta - theta_hat| in the anchor's precision.
  [[nodiscard]] int shell_at(const Reals& theta) const {
    Real square = 0;
    for (Index i = 0; i < size(); ++i) {
      for (Index j = 0; j < size(); ++j) {
        const Real di = theta[static_cast<std::size_t>(i)] - anchor.theta[i];
        const Real dj = theta[static_cast<std::size_t>(j)] - anchor.theta[j];
        square += di * dj * anchor.precision(i, j);
      }
    }
    const Real norm = sqrt(square);
    const Shells& shells = bounds.tangents.shells;
    int shell = 0;
    while (shell < shells.outermost() &&
           (norm > shells.radius(shell) || shared(theta) > shells.shared_radius(shell))) {
      ++shell;
    }
    return shell;
  }
  // Posterior deviations of a predictor that is an intercept alone; none: zero.
  [[nodiscard]] Real shared(const Reals& theta) const {
    const Index last = size() - 1;
    if (options.predictors.empty() || options.predictors.back().size() > 1) {
      return 0.0L;
    }
    const Matrix covariance = anchor.precision.inverse();
    return abs(theta.back() - Real{anchor.theta[last]}) / sqrt(Real{covariance(last, last)});
  }
  [[nodiscard]] Real log_bound_of(std::size_t n, const Reals& theta) const {
    return log_bound_in(shell_at(theta), n, theta);
  }
  [[nodiscard]] Real log_prior(const Reals& theta) const {
    Real sum = 0;
    for (std::size_t j = 0; j < theta.size(); ++j) {
      const PriorTerm& term = prior.terms()[j];
      const Real t = (theta[j] - term.location) / term.scale;
      sum -= term.kind == PriorKind::kNormal ? t * t / 2
                                             : (term.kind == PriorKind::kLaplace ? abs(t) : 0);
    }
    return sum;
  }

  [[nodiscard]] Real log_posterior(const Reals& theta) const {
    Real sum = log_prior(theta);
    for (std::size_t n = 0; n < shape.rows; ++n) {
      sum += log_likelihood(n, theta);
    }
    return sum;
  }
  [[nodiscard]] bool is_beacon(std::size_t n) const {
    return std::ranges::count(bounds.beacons.rows, n) > 0;
  }
  // The bounds of all data that can go dark.
  [[nodiscard]] Real log_bounds_in(int shell, const Reals& theta) const {
    Real sum = 0;
    for (std::size_t n = 0; n < shape.rows; ++n) {
      sum += is_beacon(n) ? 0.0L : log_bound_in(shell, n, theta);
    }
    return sum;
  }
  [[nodiscard]] Real log_bounds(const Reals& theta) const {
    return log_bounds_in(shell_at(theta), theta);
  }
  [[nodiscard]] Real log_joint(const Reals& theta, const std::vector<Datum>& bright) const {
    Real sum = log_prior(theta) + log_bounds(theta);
    for (const Datum n : bounds.beacons.rows) {
      sum += log_likelihood(n, theta);
    }
    for (const Datum n : bright) {
      sum += log(expm1(log_likelihood(n, theta) - log_bound_of(n, theta)));
    }
    return sum;
  }

  Shape shape;
  Stream stream;
  Model model;
  Table table;
  Dataset::Options options;
  Dataset data;
  Prior prior;
  Anchor anchor;
  Bounds bounds;
};

[[nodiscard]] inline Reals as_reals(const Vector& v) { return {v.data(), v.data() + v.size()}; }

// Central differences of a quad precision function of theta.
template <class F>
[[nodiscard]] Vector finite_difference(const F& f, const Vector& theta, Real step = 1e-6L) {
  Vector gradient(theta.size());
  for (Index j = 0; j < theta.size(); ++j) {
    Reals above = as_reals(theta);
    Reals below = above;
    above[static_cast<std::size_t>(j)] += step;
    below[static_cast<std::size_t>(j)] -= step;
    gradient[j] = static_cast<double>((f(above) - f(below)) / (2 * step));
  }
  return gradient;
}

}  // namespace flymc::unit
