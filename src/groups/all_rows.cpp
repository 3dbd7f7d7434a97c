#include "groups/all_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"
#include "groups/bright_value.hpp"

namespace flymc {
namespace {

constexpr std::size_t kBlock = 1024;

}  // namespace

AllRows::AllRows(GroupTarget& target)
    : target_(target),
      problem_(target.setting().problem),
      bounds_(target.setting().bounds),
      folded_(problem_.data.folded_rows(), 1),
      w_(target.varying()),
      eta_(kBlock) {}

template <class Visit>
void AllRows::for_blocks(const Visit& visit) const {
  for (std::size_t first = 0; first < bounds_.rows(); first += kBlock) {
    poll_interruption();
    visit(RowRange{first, std::min(first + kBlock, bounds_.rows())});
  }
}

void AllRows::hold(const FixedEffects& fixed) {
  problem_.data.fold(bounds_.anchor.beta + fixed.beta, folded_);
  fixed_.resize(bounds_.rows());
  for_blocks([&](RowRange range) {
    problem_.data.predict(
        problem_.data.raw(range, raw_), folded_,
        RowMatrixView(fixed_.data() + range.first, static_cast<Index>(range.size()), 1));
  });
}

void AllRows::set_levels(const Buffer<double>& du) {
  u_.resize(du.size());
  for (std::size_t i = 0; i < du.size(); ++i) {
    u_[i] = bounds_.anchor.u[i] + du[i];
  }
}

void AllRows::predict(RowRange range) {
  const Grouping& grouping = problem_.grouping;
  if (grouping.is_intercept()) {
    for (std::size_t n = range.first; n < range.last; ++n) {
      eta_[n - range.first] = fixed_[n] + u_[grouping.level(n)];
    }
    return;
  }
  const Dataset::RawBlock block = problem_.data.raw(range, raw_);
  for (std::size_t i = 0; i < range.size(); ++i) {
    const std::size_t n = range.first + i;
    grouping.copy(block.x.row(static_cast<Index>(i)).data(), w_.data());
    eta_[i] = std::inner_product(w_.begin(), w_.end(), u_.data() + grouping.level(n) * w_.size(),
                                 fixed_[n]);
  }
}

double AllRows::log_likelihood(const Buffer<double>& du) {
  set_levels(du);
  target_.count_evaluation();
  double sum = 0.0;
  for_blocks([&](RowRange range) {
    predict(range);
    sum += target_.log_likelihood(range, eta_.data());
  });
  return sum;
}

std::span<const Datum> AllRows::throw_coins(const GroupCoefficients& at, Stream& stream) {
  set_levels(at.du);
  bright_.clear();
  double next = stream.exponential();  // where the process hits, from the start of a row
  for_blocks([&](RowRange range) {
    predict(range);
    hits_.clear();
    target_.clear_rows();
    for (std::size_t n = range.first; n < range.last; ++n) {
      if (bounds_.kind[n] == RowBound::kBeacon) {
        continue;
      }
      const double u = eta_[n - range.first] - bounds_.touch[n];
      const bool constant = at.outside[problem_.grouping.level(n)] != 0 && !bounds_.is_global(n);
      const double line = problem_.data.weight(n) * 0.5 * bounds_.curvature[n] * u * u;
      const double most = gap_with_slack(line, bounds_.slack(n), constant);
      if (!std::isfinite(most)) {
        throw Error(ErrorKind::kInternal, "AllRows: a predictor that is not finite.");
      }
      if (!(next <= most)) {
        next -= most;
        continue;
      }
      // Once, and a number of times in what is left of the row; then from the next row on.
      const auto more = static_cast<double>(stream.poisson(most - next));
      hits_.push_back({n, most, 1.0 + more, constant});
      target_.push_row(n, u);
      next = stream.exponential();
    }
    target_.run_gaps();
    for (std::size_t i = 0; i < hits_.size(); ++i) {
      const Hit& hit = hits_[i];
      const double h = gap_with_slack(target_.gaps()[i], bounds_.slack(hit.row), hit.constant);
      if (stream.uniform() >= std::pow(1.0 - std::clamp(h / hit.most, 0.0, 1.0), hit.times)) {
        bright_.push_back(hit.row);
      }
    }
  });
  return bright_;
}

}  // namespace flymc
