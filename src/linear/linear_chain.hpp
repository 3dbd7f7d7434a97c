// A chain of a normal linear regression (linear_law.hpp). A point holds theta itself. An iteration
// is a few Metropolis steps of log sigma with beta integrated out, proposals independent of where
// it is, and a fresh draw of beta given sigma: an exact draw of all where sigma is a number, and
// nearly independent draws where it is not. No row is looked at: O(p^2), whatever their number.
#pragma once

#include <cstdint>

#include "flymc/chain/chain.hpp"
#include "linear/linear_law.hpp"

namespace flymc {

class LinearTarget final : public Density {
 public:
  explicit LinearTarget(const LinearLaw& law) : law_(law) {}

  [[nodiscard]] Index dimension() const noexcept override { return law_.dimension(); }
  void evaluate(Point& point, Order order) override;
  void to_theta(const Point& point, Vector& theta) const noexcept override { theta = point.zeta; }
  void from_theta(const Vector& theta, Point& point) const override { point.zeta = theta; }
  [[nodiscard]] std::uint64_t queries_total() const noexcept override { return 0; }
  [[nodiscard]] std::uint64_t evaluations_total() const noexcept override { return evaluations_; }

 private:
  const LinearLaw& law_;
  std::uint64_t evaluations_ = 0;
};

class LinearKernel final : public ThetaKernel {
 public:
  // `law` outlives it.
  explicit LinearKernel(const LinearLaw& law) : law_(law), normals_(law.coefficients()) {}

  [[nodiscard]] Adapts adapts() const noexcept override { return Adapts::kNothing; }
  [[nodiscard]] Order order() const noexcept override { return Order::kValue; }
  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  [[nodiscard]] double move_sigma(double& log_sigma, Stream& stream) const;

  const LinearLaw& law_;
  Vector normals_;
};

// REQUIRES: `law` outlives the parts.
[[nodiscard]] ChainParts linear_parts(const LinearLaw& law, Streams streams);
// A draw that is a little wider than the posterior's.
[[nodiscard]] Vector linear_start(const LinearLaw& law, Stream stream);

}  // namespace flymc
