#include "linear/linear_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "flymc/detail/core/interruption.hpp"

namespace flymc {
namespace {

void draw_normals(Vector& normals, Stream& stream) {
  for (double& normal : normals) {
    normal = stream.normal();
  }
}

}  // namespace

void LinearTarget::evaluate(Point& point, Order /*order*/) {
  ++evaluations_;
  point.gradient.setZero(dimension());
  const double density = law_.log_posterior(point.zeta);
  point.log_density = std::isnan(density) ? -std::numeric_limits<double>::infinity() : density;
}

ThetaInfo LinearKernel::step(Density& density, Point& current, const Tuning& /*tuning*/,
                             Stream& stream) {
  poll_interruption();
  const Index p = law_.coefficients();
  double log_sigma = law_.log_sigma(current.zeta);
  ThetaInfo info;
  if (law_.infers_sigma()) {
    info.accept_prob = move_sigma(log_sigma, stream);
    current.zeta[p] = log_sigma;
  }
  draw_normals(normals_, stream);
  law_.draw_coefficients(log_sigma, normals_, current.zeta.head(p));
  density.evaluate(current, Order::kValue);
  return info;
}

// Returns the mean acceptance. One proposal in eight is refused: after three the place before is
// as good as forgotten.
double LinearKernel::move_sigma(double& log_sigma, Stream& stream) const {
  constexpr int kSteps = 3;
  const ScalarLaw& proposal = law_.sigma();
  double here = law_.log_marginal(log_sigma) - proposal.log_proposal(log_sigma);
  double accepted = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double moved = proposal.propose(stream);
    const double there = law_.log_marginal(moved) - proposal.log_proposal(moved);
    const double accept_prob = std::exp(std::min(there - here, 0.0));
    accepted += accept_prob / kSteps;
    if (stream.uniform() < accept_prob) {
      log_sigma = moved;
      here = there;
    }
  }
  return accepted;
}

ChainParts linear_parts(const LinearLaw& law, Streams streams) {
  return {std::make_unique<LinearTarget>(law), nullptr, std::make_unique<LinearKernel>(law),
          nullptr, streams};
}

Vector linear_start(const LinearLaw& law, Stream stream) {
  Vector theta(law.dimension());
  Vector normals(law.coefficients());
  if (law.infers_sigma()) {
    theta[law.coefficients()] = law.sigma().propose(stream);
  }
  draw_normals(normals, stream);
  law.draw_coefficients(law.log_sigma(theta), normals, theta.head(law.coefficients()));
  return theta;
}

}  // namespace flymc
