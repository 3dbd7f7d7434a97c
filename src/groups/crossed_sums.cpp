#include "groups/crossed_sums.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/detail/core/interruption.hpp"
#include "groups/row_model.hpp"

namespace flymc {

CrossedSums::CrossedSums(const Dataset& data, const Memberships& memberships, Index shared)
    : xx_(data.columns(), data.columns()),
      lx_(static_cast<Index>(memberships.levels()), data.columns()),
      diagonal_(data.columns() + static_cast<Index>(memberships.levels())),
      b_(diagonal_.size()),
      t_(diagonal_.size(), shared),
      shared_slope_(shared),
      shared_bend_(shared, shared),
      starts_(memberships.levels() + 1, 0),
      above_(memberships.levels()) {
  MemberReader row(data, memberships);
  std::vector<std::uint32_t> met;
  for (std::size_t level = 0; level < memberships.levels(); ++level) {
    met.clear();
    for (const std::size_t n : memberships.rows(level)) {
      row.read(n);
      for (const Member& member : row.members()) {
        if (member.level != level) {
          met.push_back(member.level);
        }
      }
    }
    std::ranges::sort(met);
    met.erase(std::unique(met.begin(), met.end()), met.end());
    above_[level] = columns_.size() +
                    static_cast<std::size_t>(std::ranges::lower_bound(met, level) - met.begin());
    columns_.insert(columns_.end(), met.begin(), met.end());
    starts_[level + 1] = columns_.size();
  }
  values_.resize(columns_.size());
  clear();
}

void CrossedSums::clear() {
  xx_.setZero();
  lx_.setZero();
  diagonal_.setZero();
  b_.setZero();
  t_.setZero();
  shared_slope_.setZero();
  shared_bend_.setZero();
  std::ranges::fill(values_, 0.0);
}

std::size_t CrossedSums::place(std::size_t a, std::size_t b) const noexcept {
  const auto first = columns_.begin() + static_cast<std::ptrdiff_t>(starts_[a]);
  const auto last = columns_.begin() + static_cast<std::ptrdiff_t>(starts_[a + 1]);
  return static_cast<std::size_t>(std::lower_bound(first, last, static_cast<std::uint32_t>(b)) -
                                  columns_.begin());
}

void CrossedSums::add(double k, double s, std::span<const double> x,
                      std::span<const Member> members) {
  const auto p = static_cast<Index>(x.size());
  const ConstVectorView row(x.data(), p);
  for (Index j = 0; j < p; ++j) {
    xx_.col(j) += k * row[j] * row;
    diagonal_[j] += k * row[j] * row[j];
  }
  b_.head(p) += s * row;
  for (const Member& member : members) {
    const auto level = static_cast<Index>(member.level);
    lx_.row(level) += k * member.weight * row.transpose();
    diagonal_[p + level] += k * member.weight * member.weight;
    b_[p + level] += s * member.weight;
    for (const Member& other : members) {
      if (other.level > member.level) {
        values_[place(member.level, other.level)] += k * member.weight * other.weight;
      }
    }
  }
}

void CrossedSums::add_shared(double weight, const double* curvature, const double* slopes,
                             std::span<const double> x, std::span<const Member> members) {
  const auto p = static_cast<Index>(x.size());
  for (Index j = 0; j < t_.cols(); ++j) {
    const double* const bends = curvature + shared_curvature(static_cast<std::size_t>(j));
    const double with_predictor = weight * bends[0];
    t_.col(j).head(p) += with_predictor * ConstVectorView(x.data(), p);
    for (const Member& member : members) {
      t_(p + static_cast<Index>(member.level), j) += with_predictor * member.weight;
    }
    shared_slope_[j] += weight * slopes[1 + j];
    for (Index k = 0; k <= j; ++k) {
      shared_bend_(j, k) += weight * bends[1 + k];
    }
  }
}

void CrossedSums::complete() {
  shared_bend_.triangularView<Eigen::StrictlyUpper>() = shared_bend_.transpose();
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t level = 0; level < next.size(); ++level) {
    for (std::size_t i = above_[level]; i < starts_[level + 1]; ++i) {
      values_[next[columns_[i]]++] = values_[i];  // rows come in order: so do the columns of each
    }
  }
}

void CrossedSums::multiply(const Vector& d, Vector& out) const {
  const Index p = fixed();
  const auto du = d.tail(size() - p);
  out.resize(size());
  out.head(p).noalias() = xx_ * d.head(p);
  out.head(p).noalias() += lx_.transpose() * du;
  out.tail(size() - p).noalias() = lx_ * d.head(p);
  const double* const levels = d.data() + p;
  double* const to = out.data() + p;
  for (std::size_t level = 0; level + 1 < starts_.size(); ++level) {
    // the upper triangle alone, which is also the lower one: half of the memory is read
    const double here = levels[level];
    double sum = diagonal_[p + static_cast<Index>(level)] * here;
    for (std::size_t i = above_[level]; i < starts_[level + 1]; ++i) {
      sum += values_[i] * levels[columns_[i]];
      to[columns_[i]] += values_[i] * here;
    }
    to[level] += sum;
  }
}

void CrossedSums::add_level(std::size_t level, double size, Vector& out) const noexcept {
  const Index p = fixed();
  out.head(p) += size * lx_.row(static_cast<Index>(level)).transpose();
  double* const to = out.data() + p;
  to[level] += size * diagonal_[p + static_cast<Index>(level)];
  for (std::size_t i = starts_[level]; i < starts_[level + 1]; ++i) {
    to[columns_[i]] += size * values_[i];
  }
}

Vector solve(const CrossedSums& sums, const CrossedPrior& prior, Vector rhs,
             std::span<const char> held, double tolerance) {
  constexpr int kMost = 2000;
  const auto hold = [&](Vector& v) {
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (held[i] != 0) {
        v[static_cast<Index>(i)] = 0.0;
      }
    }
  };
  hold(rhs);
  const Vector inverse = (sums.diagonal() + prior.diagonal()).cwiseMax(1e-300).cwiseInverse();
  Vector x = Vector::Zero(rhs.size());
  Vector left = std::move(rhs);
  Vector scaled = inverse.cwiseProduct(left);
  Vector along = scaled;
  Vector product;
  double size = left.dot(scaled);
  const double enough = tolerance * tolerance * size;
  for (int i = 0; i < kMost && size > enough; ++i) {
    poll_interruption();
    sums.multiply(along, product);
    prior.add_product(along, product);
    hold(product);
    const double step = size / along.dot(product);
    if (!std::isfinite(step)) {
      break;
    }
    x += step * along;
    left -= step * product;
    scaled = inverse.cwiseProduct(left);
    const double next = left.dot(scaled);
    along = scaled + (next / size) * along;
    size = next;
  }
  return x;
}

}  // namespace flymc
