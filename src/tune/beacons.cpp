#include "tune/beacons.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "flymc/detail/posterior/baseline.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"
#include "tune/largest_rates.hpp"

namespace flymc {
namespace {

// Largest eigenvalue and its vector by power iteration from `v`; a few digits do.
double top_eigenvalue(const Matrix& a, Vector& v) {
  constexpr int kMostIterations = 300;
  double value = 0.0;
  Vector next(v.size());
  for (int i = 0; i < kMostIterations; ++i) {
    next.noalias() = a * v;
    const double norm = next.norm();
    v = next / norm;
    if (std::abs(norm - value) < 1e-5 * norm) {
      return norm;
    }
    value = norm;
  }
  return value;
}

// The state of the choice: candidates by how often they would be bright, the first ones chosen.
class Chooser {
 public:
  Chooser(const Prior& prior, const Dataset& data, const LocalPass& pass, const Anchor& anchor,
          const ExcessCurvature& excess)
      : data_(data),
        pass_(pass),
        excess_(excess),
        columns_(data.columns()),
        remote_rows_(data, pass.tangents, pass.rates) {
    const Eigen::LLT<Matrix> cholesky(anchor.precision);
    root_ = cholesky.matrixU().solve(
        Matrix::Identity(anchor.precision.rows(), anchor.precision.cols()));
    in_frame_ = root_.transpose() * gaussian_precision(prior, pass.sum) * root_;
    top_ = Vector::Ones(root_.rows()).normalized();
    cost_.parameters = static_cast<double>(root_.rows());
    find_top();
    const std::size_t first = data.shard().mine().first;
    const auto sums = sum_pieces(
        data.shard(), 2, 1,
        [&](RowRange rows, std::span<double> out) {
          for (std::size_t n = rows.first; n < rows.last; ++n) {
            const CoinRate rate(pass_.rates[n - first]);
            out[0] += pass_.expected_bright(rate);
            out[1] = std::max(out[1], rate.value());
          }
        },
        [](double* into, const double* next, std::size_t) {
          into[0] += next[0];
          into[1] = std::max(into[1], next[1]);
        });
    cost_.bright = sums[0];
    most_often_ = sums[1];
  }

  BeaconChoice run() {
    if (is_easy()) {
      return {{}, cost_, q_max_};
    }
    pick_candidates();
    first_q_max_ = q_max_;
    keep_best();
    take_often_bright();
    keep_best();
    const int most_steps = root_.rows() > kLarge ? 12 : 200;
    for (int i = 0; i < most_steps && q_max_ > kCalm && may_pay(); ++i) {
      if (!take_along_top()) {
        break;
      }
      keep_best();
    }
    chosen_.resize(best_count_);
    return {std::move(chosen_), best_, first_q_max_};
  }

 private:
  static constexpr double kCalm = 1.1;   // q_max
  static constexpr double kOften = 0.1;  // share of the time bright
  static constexpr Index kLarge = 300;   // parameters; a step costs their cube
  static constexpr std::size_t kMostCandidates = 40000;

  // The rows with the largest rates, in order, and what they would cost.
  void pick_candidates() {
    candidates_ = largest_rates(data_.shard(), pass_.rates, kMostCandidates);
    remote_rows_.fetch(candidates_);
    Vector scratch(columns_);
    for (const Datum n : candidates_) {
      const RemoteRow remote = remote_rows_.at(n, scratch.data());
      bright_.push_back(pass_.expected_bright(*remote.rate));
      queries_.push_back(beacon_queries(remote.reach(pass_.tangents)));
    }
    taken_.assign(candidates_.size(), false);
  }

  // No beacon could pay: no row is bright often, and one beacon costs more than all lag does. (A
  // row that is seldom bright saves less by leaving the coins than its own queries cost.)
  [[nodiscard]] bool is_easy() const {
    Cost one = cost_;
    one.beacon_queries += beacon_queries(0.0);
    one.lag = 1.0;
    return most_often_ <= kOften * pass_.kappa && one.total() >= cost_.total();
  }

  // However little lag will be left, an iteration's queries are paid.
  [[nodiscard]] bool may_pay() const noexcept { return cost_.queries() < best_.total(); }

  void keep_best() {
    if (best_count_ == kNone || cost_.total() < best_.total()) {
      best_ = cost_;
      best_count_ = chosen_.size();
    }
  }

  void count_beacon(std::size_t candidate) {
    taken_[candidate] = true;
    chosen_.push_back(candidates_[candidate]);
    cost_.bright = std::max(0.0, cost_.bright - bright_[candidate]);
    cost_.beacon_queries += queries_[candidate];
  }

  // Step (i): the prefix with the least cost, and at least all that are bright a tenth of the time.
  void take_often_bright() {
    Cost cost = cost_;
    double least = cost.total();
    std::size_t prefix = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      cost.bright = std::max(0.0, cost.bright - bright_[i]);
      cost.beacon_queries += queries_[i];
      if (cost.total() < least || bright_[i] > kOften) {
        least = std::min(least, cost.total());
        prefix = i + 1;
      }
    }
    for (std::size_t i = 0; i < prefix; ++i) {
      count_beacon(i);
    }
    best_count_ = kNone;  // from here on these belong to every choice
    downdate(0);
  }

  // Step (ii): the rows with the most excess curvature along the top direction.
  bool take_along_top() {
    const auto excess = excess_along(root_ * top_);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < excess.size(); ++i) {
      if (!taken_[i] && excess[i] > 0.0) {
        order.push_back(i);
      }
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(-excess[a], a) < std::pair(-excess[b], b);
    });
    constexpr double kShare = 0.3;
    double left = kShare * (q_max_ - 1.0);
    const std::size_t before = chosen_.size();
    for (std::size_t i = 0; i < order.size() && left > 0.0 && may_pay(); ++i) {
      count_beacon(order[i]);
      left -= excess[order[i]];
    }
    downdate(before);
    return chosen_.size() > before;
  }

  // Sum over pairs of excess_p (w_p . y)^2 for every candidate, w_p = (e_j - e_k) (x) x.
  [[nodiscard]] std::vector<double> excess_along(const Vector& y) const {
    const int k = pass_.tangents.predictors;
    std::vector<double> result(candidates_.size());
    std::vector<double> excess(static_cast<std::size_t>(pass_.tangents.pairs));
    Vector raw(columns_);
    Vector row(columns_);
    Vector u(k);
    Vector unused(k);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (taken_[i]) {
        continue;
      }
      const RemoteRow remote = remote_rows_.at(candidates_[i], raw.data());
      data_.standardise(remote.row.raw, row.data());
      u.setZero();
      data_.design().add_products(row.data(), y.data(), k, u.data());
      excess_(remote, excess.data());
      result[i] =
          2.0 * add_curvature(pass_.tangents.form, excess.data(), u.data(), k, unused.data());
    }
    return result;
  }

  // Takes the excess curvature of the newly chosen out of L' P L.
  void downdate(std::size_t first) {
    const auto fresh = std::span<const Datum>(chosen_).subspan(first);
    if (fresh.empty()) {
      return;
    }
    const Collapsed sum = sum_rows(data_, remote_rows_, fresh,
                                   [&](const RemoteRow& n, double* slopes, double* weights) {
                                     std::fill_n(slopes, pass_.tangents.predictors, 0.0);
                                     excess_(n, weights);
                                     return 0.0;
                                   });
    in_frame_ -= root_.transpose() * sum.precision() * root_;
    top_ = (top_ + 0.1 * Vector::Ones(top_.size()).normalized()).normalized();
    find_top();
  }

  void find_top() {
    q_max_ = top_eigenvalue(in_frame_, top_);
    cost_.lag = lag_of(q_max_);
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const Dataset& data_;
  const LocalPass& pass_;
  const ExcessCurvature& excess_;
  Index columns_;
  RemoteRows remote_rows_;
  Matrix root_;      // L
  Matrix in_frame_;  // L' P L
  Vector top_;       // eigenvector of q_max
  double q_max_ = 1.0;
  double first_q_max_ = 1.0;
  double most_often_ = 0.0;  // the largest rate
  std::vector<Datum> candidates_;
  std::vector<double> bright_;   // how often a candidate would be
  std::vector<double> queries_;  // what it costs as a beacon
  std::vector<bool> taken_;
  std::vector<Datum> chosen_;
  Cost cost_;
  Cost best_;
  std::size_t best_count_ = kNone;
};

}  // namespace

double slowest_lag(const Frame& frame) {
  const Matrix shares = frame.covariance_root().cwiseAbs2();
  const Vector lags = frame.squared_frequencies().unaryExpr([](double q) { return lag_of(q); });
  return (shares * lags).cwiseQuotient(shares.rowwise().sum()).maxCoeff();
}

Cost full_cost(const Dataset& data, const Tangents& tangents) {
  Cost cost;
  cost.beacon_queries = sum_pieces(data.shard(), 1, 1, [&](RowRange rows, std::span<double> sum) {
    for (std::size_t n = rows.first; n < rows.last; ++n) {
      sum[0] += beacon_queries(tangents.reach(n));
    }
  })[0];
  return cost;
}

BeaconChoice choose_beacons(const Prior& prior, const Dataset& data, const LocalPass& pass,
                            const Anchor& anchor, const ExcessCurvature& excess) {
  return Chooser(prior, data, pass, anchor, excess).run();
}

}  // namespace flymc
