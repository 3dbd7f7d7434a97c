// The bright data's term of the joint density,
//   sum over bright n of log(L_n/B_n - 1),
// over rows gathered in slot order. A point keeps every factor and its slopes, so that the z-update
// changes the sum without a query.
#pragma once

#include <algorithm>
#include <cstddef>

#include "flymc/detail/posterior/bright_factor.hpp"
#include "flymc/detail/posterior/bright_rows.hpp"
#include "flymc/detail/posterior/joint_setting.hpp"
#include "flymc/detail/posterior/query.hpp"
#include "flymc/detail/posterior/row_products.hpp"

namespace flymc {

template <BoundedLikelihood M>
class BrightTerm {
 public:
  explicit BrightTerm(const JointSetting<M>& setting)
      : setting_(setting),
        model_(setting.dark.model),
        tangents_(setting.bounds.tangents),
        rows_(setting.dark.gatherer.row_shape(tangents_.shells.tangent_count())),
        products_(setting.dark.frame, setting.dark.data.design()),
        row_(setting.dark.data.columns()),
        framed_row_(setting.dark.frame.dimension()),
        scratch_(static_cast<std::size_t>(tangents_.pairs)) {}

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  [[nodiscard]] double rate(std::size_t slot) const noexcept { return rows_.rate(slot); }

  // A datum's row enters the frame when it turns bright, with its curvature in every shell.
  void append(Datum datum, const RemoteRow& n) {
    const BrightRows::Slot slot = rows_.append(setting_.facts(n));
    setting_.dark.gatherer.fill_touch(n, slot);
    if (const double* const kept = setting_.framed_rows.find(datum)) {
      std::copy_n(kept, row_.size(), slot.row);
    } else {
      setting_.dark.gatherer.fill_row(n, slot, row_, framed_row_);
      setting_.framed_rows.keep(datum, slot.row);
    }
    for (int shell = 0; shell < tangents_.shells.tangent_count(); ++shell) {
      shell_curvature(model_, tangents_, n.touch(), shell, scratch_.data(),
                      slot.curvature + shell * tangents_.pairs);
    }
  }

  // The last slot moves into the hole, here and in the point's caches.
  void remove(Point& current, std::size_t slot) noexcept {
    rows_.remove(slot);
    remove_slot(current.log_factors, slot, 1);
    remove_slot(current.slopes, slot, width());
  }

  void evaluate(Point& point, int shell, Order order, QueryCounter& counter) {
    point.log_factors.resize(size());
    point.slopes.resize(size() * width());
    if (tangents_.shells.is_exact(shell)) {
      evaluate_exact(point);
    } else if (order == Order::kGradient) {
      evaluate_shell<Order::kGradient>(point, shell, counter);
    } else {
      evaluate_shell<Order::kValue>(point, shell, counter);
    }
    sum(point, order);
  }

  // From the factors and slopes that the point holds: no query.
  void sum(Point& point, Order order) noexcept {
    double sum = 0.0;
    for (const double factor : point.log_factors) {
      sum += factor;
    }
    point.parts[kBrightPart] = sum;
    if (order == Order::kGradient) {
      products_.force(rows_, {0, size()}, point.slopes.data(), point.forces.col(kBrightPart));
    }
  }

 private:
  [[nodiscard]] std::size_t width() const noexcept {
    return static_cast<std::size_t>(tangents_.predictors);
  }

  template <Order order>
  void evaluate_shell(Point& point, int shell, QueryCounter& counter) {
    const double* const all_u = products_.predict(rows_, {0, size()}, point.zeta);
    counter.query(size(), [&](std::size_t slot) {
      const BrightRows::Facts facts{0.0, rows_.weight(slot), rows_.memo(slot), rows_.slack(slot)};
      const double* u = all_u + slot * width();
      double* slopes = point.slopes.data() + slot * width();
      point.log_factors[slot] =
          bright_factor<order>(model_, rows_.tangent(slot, shell), facts, u, slopes);
    });
  }

  // B = L e^-slack: nothing to evaluate.
  void evaluate_exact(Point& point) const noexcept {
    for (std::size_t slot = 0; slot < size(); ++slot) {
      point.log_factors[slot] = log_expm1(rows_.slack(slot)).value;
    }
    std::fill(point.slopes.begin(), point.slopes.end(), 0.0);
  }

  const JointSetting<M>& setting_;
  const M& model_;
  const Tangents& tangents_;
  BrightRows rows_;
  RowProducts products_;
  Vector row_;
  Vector framed_row_;
  Buffer<double> scratch_;
};

}  // namespace flymc
