#include "family/auto/typed_density.hpp"

namespace flymc {

template <int P>
double Typed<P>::log_likelihood(const double* eta, double response, double* slopes) const noexcept {
  return model_.log_likelihood(eta, response, slopes);
}
template <int P>
void Typed<P>::information(const double* eta, double response, double* out) const noexcept {
  model_.information(eta, response, out);
}
template <int P>
bool Typed<P>::local_curvature(const double* anchor, double response, const PredictorRegion& region,
                               double* out) const noexcept {
  return model_.local_curvature(anchor, response, region, out);
}
template <int P>
double Typed<P>::remainder(const double* anchor, const double* u, double response,
                           double* slopes) const noexcept {
  return model_.remainder(anchor, u, response, slopes);
}

template class Typed<1>;
template class Typed<2>;
template class Typed<3>;
template class Typed<4>;

}  // namespace flymc
