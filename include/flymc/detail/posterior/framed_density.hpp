// What every target of ours shares: it lives in a frame and counts its queries and evaluations.
#pragma once

#include "flymc/detail/posterior/query.hpp"
#include "flymc/posterior/density.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

class FramedDensity : public Density {
 public:
  explicit FramedDensity(const Frame& frame) : frame_(frame) {}

  [[nodiscard]] Index dimension() const noexcept override { return frame_.dimension(); }
  [[nodiscard]] std::uint64_t queries_total() const noexcept override { return counter_.total(); }
  [[nodiscard]] std::uint64_t evaluations_total() const noexcept override { return evaluations_; }

  void to_theta(const Point& point, Vector& theta) const noexcept override {
    frame_.to_theta(point.zeta, theta);
  }
  void from_theta(const Vector& theta, Point& point) const override {
    point.zeta = frame_.from_theta(theta);
  }

 protected:
  const Frame& frame_;
  QueryCounter counter_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace flymc
