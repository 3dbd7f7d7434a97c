#include "tune/separation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "flymc/detail/core/bytes.hpp"
#include "flymc/error.hpp"
#include "flymc/family/binomial.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/family/softmax.hpp"
#include "flymc/tune/find_anchor.hpp"

namespace flymc {
namespace {

struct Margins {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
};

using Sides = std::span<const OpenSide>;

// Each number's largest over all ranks.
Vector largest_of_ranks(const Dataset& data, const Vector& here) {
  ByteWriter mine;
  mine.put_all(here);
  Vector result = here;
  Vector one;
  for (const std::string& bytes : data.shard().ranks().gather(mine.bytes())) {
    ByteReader(bytes).get_all(one);
    result = result.cwiseMax(one);
  }
  return result;
}

// Range over all rows of how far x_n.direction is on the open side, offsets left out; a row without
// one has no way to go but the wrong one.
Margins margins(const Dataset& data, Sides sides, const Vector& direction) {
  Matrix folded(data.folded_rows(), 1);
  data.fold(direction, folded);
  Vector row(data.columns());
  const RowRange held = data.shard().mine();
  Vector most = Vector::Constant(2, -std::numeric_limits<double>::infinity());
  for (std::size_t n = held.first; n < held.last; ++n) {
    double eta = 0.0;
    data.predict_row(n, folded, &eta, row.data());
    eta -= data.offset(n);
    const OpenSide side = sides[n - held.first];
    const double margin =
        side == OpenSide::kNeither ? -std::abs(eta) : static_cast<double>(side) * eta;
    most = most.cwiseMax(Eigen::Vector2d(-margin, margin));
  }
  most = largest_of_ranks(data, most);
  return {-most[0], most[1]};
}

constexpr double kMoves = 0.1;
constexpr double kRounding = 1e-6;

bool is_separating(const Dataset& data, Sides sides, const Vector& direction) {
  const Margins range = margins(data, sides, direction);
  return range.largest > kMoves && range.smallest > -kRounding * range.largest;
}

// What each column adds to a predictor, at most.
Vector reach_of(const Dataset& data, const Vector& direction) {
  Vector row(data.columns());
  Vector reach = Vector::Zero(data.columns());
  const RowRange held = data.shard().mine();
  for (std::size_t n = held.first; n < held.last; ++n) {
    data.copy_row(n, row.data());
    reach = reach.cwiseMax(row.cwiseProduct(direction).cwiseAbs());
  }
  return largest_of_ranks(data, reach);
}

// The columns a separating direction cannot do without, tried from the least to the most.
std::vector<std::size_t> needed_columns(const Dataset& data, Sides sides, Vector direction) {
  const Vector reach = reach_of(data, direction);
  std::vector<Index> order;
  for (Index j = data.intercept() ? 1 : 0; j < reach.size(); ++j) {
    order.push_back(j);
  }
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return reach[a] < reach[b]; });
  std::vector<std::size_t> result;
  for (const Index j : order) {
    const double entry = std::exchange(direction[j], 0.0);
    if (!is_separating(data, sides, direction)) {
      direction[j] = entry;
      result.push_back(static_cast<std::size_t>(j));
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

std::vector<std::size_t> separating_columns(const Dataset& data, Sides sides,
                                            const LikelihoodPass& pass) {
  const Prior flat(
      std::vector<PriorTerm>(static_cast<std::size_t>(data.columns()), {.kind = PriorKind::kFlat}));
  Vector direction;
  try {
    // Every further Newton step moves separated rows by about one and the others hardly at all.
    direction = newton(flat, pass, flat.location(), {.extra_steps = 6}).last_step;
  } catch (const Error&) {
    return {};  // no mode and no direction either: the search itself reports what it finds
  }
  return is_separating(data, sides, direction) ? needed_columns(data, sides, direction)
                                               : std::vector<std::size_t>{};
}

namespace {

// Range over the other classes of how far a row's own is above them.
Margins class_margins(const ClassTable& table, double response, const double* eta) {
  if (table.predictors == 1) {
    const double centre = table.kind == ResponseKind::kSuccesses ? 0.5 : 0.0;
    const bool open = table.kind != ResponseKind::kSuccesses || response == 0.0 || response == 1.0;
    const double margin = open ? (response > centre ? eta[0] : -eta[0]) : -std::abs(eta[0]);
    return {margin, margin};
  }
  Margins range;
  const int own = static_cast<int>(response);
  for (int k = 0; k < table.predictors; ++k) {
    if (k != own) {
      range.smallest = std::min(range.smallest, eta[own] - eta[k]);
      range.largest = std::max(range.largest, eta[own] - eta[k]);
    }
  }
  return range;
}

// A row and how far a direction moves it to the wrong side.
struct Broken {
  double by = 0.0;
  std::size_t row = 0;
};

// All rows against a direction; `broken` receives those that it moves to the wrong side.
bool separates_all(const ClassTable& table, const Vector& direction, std::vector<Broken>* broken) {
  const Dataset& data = table.data;
  const auto k = static_cast<Index>(table.predictors);
  Matrix folded(data.folded_rows(), k);
  data.fold(direction, folded);
  Vector row(data.columns());
  Vector eta(k);
  const RowRange held = data.shard().mine();
  Vector most = Vector::Constant(2, -std::numeric_limits<double>::infinity());
  for (std::size_t n = held.first; n < held.last; ++n) {
    if (data.weight(n) == 0.0) {
      continue;
    }
    data.predict_row(n, folded, eta.data(), row.data());
    eta.array() -= data.offset(n);
    const Margins range = class_margins(table, data.response(n), eta.data());
    most = most.cwiseMax(Eigen::Vector2d(-range.smallest, range.largest));
    if (broken != nullptr && range.smallest < 0.0) {
      broken->push_back({-range.smallest, n});
    }
  }
  most = largest_of_ranks(data, most);
  return most[1] > kMoves && most[0] < kRounding * most[1];
}

// The numbers of the rows to begin with, ascending: all where they are few; else half of them those
// of the greatest leverage, which the rows of a separated direction have, half spread evenly.
std::vector<std::size_t> first_rows(const ClassTable& table, const Tangents* tangents,
                                    std::size_t most) {
  const std::size_t rows = table.data.rows();
  std::vector<std::size_t> chosen;
  const std::size_t step = rows <= most ? 1 : 2 * rows / most;
  for (std::size_t n = 0; n < rows; n += step) {
    chosen.push_back(n);
  }
  if (step > 1 && tangents != nullptr && !table.data.shard().is_split()) {
    std::vector<std::size_t> all(rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::nth_element(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most / 2), all.end(),
        [&](std::size_t a, std::size_t b) { return tangents->reach(a) > tangents->reach(b); });
    chosen.insert(chosen.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most / 2));
    std::ranges::sort(chosen);
    chosen.erase(std::ranges::unique(chosen).begin(), chosen.end());
  }
  return chosen;
}

// Of this width in units of the columns; it keeps those in which these rows do not differ at rest.
Prior wide_prior(const Dataset& some, int predictors, double width) {
  Vector row(some.columns());
  Vector squares = Vector::Zero(some.columns());
  const RowRange held = some.shard().mine();
  for (std::size_t n = held.first; n < held.last; ++n) {
    some.copy_row(n, row.data());
    squares = squares.cwiseMax(row.cwiseAbs2());
  }
  squares = largest_of_ranks(some, squares);
  std::vector<PriorTerm> terms;
  for (int k = 0; k < predictors; ++k) {
    for (const double square : squares) {
      const double size = square > 0.0 ? std::sqrt(square) : 1.0;
      terms.push_back({.kind = PriorKind::kNormal, .location = 0.0, .scale = width / size});
    }
  }
  return Prior(std::move(terms));
}

// What is left of a far mode when its parts that move a row or class which stays (one that moved by
// less than one on the way from the near mode) are taken out: rows close to the boundary, whom the
// way itself may break, it has on their side.
Vector without_what_stays(const ClassTable& part, const Vector& near, const Vector& far) {
  const Dataset& data = part.data;
  const Index columns = data.columns();
  const auto k = static_cast<Index>(part.predictors);
  const Eigen::Map<const Matrix> from(near.data(), columns, k);
  const Eigen::Map<const Matrix> to(far.data(), columns, k);
  Matrix gram = Matrix::Zero(far.size(), far.size());
  Vector row(columns);
  for (std::size_t n = 0; n < data.rows(); ++n) {
    data.copy_row(n, row.data());
    const Vector moves = (to - from).transpose() * row;
    const auto own = k == 1 ? Index{0} : static_cast<Index>(data.response(n));
    for (Index other = 0; other < k; ++other) {
      if ((k > 1 && other == own) ||
          std::abs(k == 1 ? moves[0] : moves[own] - moves[other]) > 1.0) {
        continue;
      }
      Vector stays = Vector::Zero(far.size());
      stays.segment(own * columns, columns) = row;
      if (k > 1) {
        stays.segment(other * columns, columns) = -row;
      }
      gram.selfadjointView<Eigen::Lower>().rankUpdate(stays);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> parts(gram);
  Vector left = far;
  for (Index j = 0; j < left.size(); ++j) {
    constexpr double kNone = 1e-12;
    if (parts.eigenvalues()[j] > kNone * parts.eigenvalues()[left.size() - 1]) {
      left -= parts.eigenvectors().col(j) * parts.eigenvectors().col(j).dot(far);
    }
  }
  return left;
}

// Where the mode goes as a prior that hardly matters becomes a hundred times wider: along a
// direction that separates these rows it moves by several units, elsewhere not at all.
Vector search_among(const ClassTable& table, const Dataset& some) {
  const auto run = [&](const auto& model) {
    const auto mode = [&](double width, const Vector& start) {
      return newton(wide_prior(some, table.predictors, width),
                    likelihood_pass(model, some, table.threads), start, {.tolerance = 1e-4})
          .anchor.theta;
    };
    const Vector near = mode(1e3, Vector::Zero(some.columns() * table.predictors));
    const Vector far = mode(1e5, near);
    constexpr Index kMostForParts = 500;
    const ClassTable part{some, table.kind, table.predictors, table.threads};
    return far.size() > kMostForParts || some.shard().is_split() ||
                   separates_all(part, far - near, nullptr)
               ? Vector(far - near)
               : without_what_stays(part, near, far);
  };
  return table.predictors > 1                     ? run(Softmax(table.predictors))
         : table.kind == ResponseKind::kSuccesses ? run(Binomial{})
                                                  : run(Logistic{});
}

// False where no direction separates the rows, or the search finds none that does.
bool search_for_direction(const ClassTable& table, const Tangents* tangents) {
  const auto parameters =
      static_cast<std::size_t>(table.data.columns()) * static_cast<std::size_t>(table.predictors);
  const std::size_t most = std::max<std::size_t>(20'000, 10 * parameters);
  constexpr int kRounds = 8;
  std::vector<std::size_t> rows = first_rows(table, tangents, most);
  for (int round = 0; round < kRounds; ++round) {
    const Dataset some = table.data.sample(rows, 1.0, table.threads).bare();
    const ClassTable part{some, table.kind, table.predictors, table.threads};
    const Vector direction = search_among(table, some);
    if (!separates_all(part, direction, nullptr)) {
      return false;
    }
    std::vector<Broken> broken;
    if (separates_all(table, direction, &broken)) {
      return true;
    }
    if (table.data.shard().is_split() || broken.empty()) {
      return false;
    }
    const std::size_t added = std::min(broken.size(), most / 4);
    std::ranges::partial_sort(broken, broken.begin() + static_cast<std::ptrdiff_t>(added),
                              std::greater<>(), &Broken::by);
    for (std::size_t i = 0; i < added; ++i) {
      rows.push_back(broken[i].row);
    }
    std::ranges::sort(rows);
    rows.erase(std::ranges::unique(rows).begin(), rows.end());
  }
  return false;
}

}  // namespace

ModeFacts mode_facts(const Anchor& mode, double step, const Vector& gradient,
                     const TouchRows& rows) {
  ModeFacts facts{mode.precision, step, gradient};
  for (const double leverage : rows.leverage) {
    facts.leverage = std::max(facts.leverage, leverage);
  }
  for (const double point : rows.points) {
    facts.predictor = std::max(facts.predictor, std::abs(point));
  }
  return facts;
}

bool separates_at_touch(const ClassTable& table, const Tangents& tangents) {
  const Dataset& data = table.data;
  const RowRange held = data.shard().mine();
  bool separates = true;
  Vector eta(table.predictors);
  for (std::size_t n = held.first; separates && n < held.last; ++n) {
    eta = ConstVectorView(tangents.touch_point(n), table.predictors);
    eta.array() -= data.offset(n);
    separates =
        data.weight(n) == 0.0 || class_margins(table, data.response(n), eta.data()).smallest > 0.0;
  }
  return holds_everywhere(data.shard().ranks(), separates);
}

namespace {

// The prior's largest share of the precision in any direction d, d'Pd / d'Hd. Of several predictors
// a shift of all of them, which changes no likelihood, is left out: there the share is 1.
double prior_share(const ClassTable& table, const Prior& prior, const Matrix& precision) {
  Vector root = Vector::Zero(precision.rows());
  for (Index j = 0; j < root.size(); ++j) {
    const PriorTerm& term = prior.terms()[static_cast<std::size_t>(j)];
    if (term.kind == PriorKind::kNormal) {
      root[j] = 1.0 / term.scale;
    } else if (term.kind == PriorKind::kLaplace) {  // as smooth as the search took it, or less
      root[j] = std::sqrt(std::max(1.0 / term.scale, std::sqrt(precision(j, j))) / term.scale);
    }
  }
  const Eigen::LLT<Matrix> factor(precision);
  if (factor.info() != Eigen::Success) {
    return std::numeric_limits<double>::infinity();
  }
  const Matrix half = factor.matrixL().solve(Matrix(root.asDiagonal()));
  const Eigen::SelfAdjointEigenSolver<Matrix> shares(Matrix(half * half.transpose()),
                                                     Eigen::EigenvaluesOnly);
  const Index shifts = table.predictors > 1 ? table.data.columns() : 0;
  return shares.eigenvalues()[root.size() - 1 - shifts];
}

}  // namespace

bool excludes_separation(const ClassTable& table, const Prior& prior, const ModeFacts& mode,
                         bool grows) {
  const Vector most = largest_of_ranks(table.data, Eigen::Vector2d(mode.leverage, mode.predictor));
  Vector step;
  if (!solve_scaled(mode.precision, mode.gradient, step)) {
    return false;
  }
  const double slope = std::sqrt(std::max(0.0, mode.gradient.dot(step)));
  const double bend = (grows ? 1.0 + most[1] : 1.0) * std::exp(most[0] * mode.step);
  return most[0] * slope * bend < 0.5 &&  // before a decomposition
         most[0] * slope * bend + prior_share(table, prior, mode.precision) < 0.5;
}

bool is_separable_table(const ClassTable& table, const Tangents* tangents) {
  constexpr Index kMostParameters = 2000;  // beyond, the search would cost more than the fit
  if (table.data.columns() * table.predictors > kMostParameters) {
    return false;
  }
  try {
    return search_for_direction(table, tangents);
  } catch (const Error&) {
    return false;  // a warning must not end a fit
  }
}

}  // namespace flymc
