#include "diagnose/autocovariance.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <span>

#include "diagnose/moments.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc {
namespace {

using Complex = std::complex<double>;

// Without the infinity rules of std::complex, which would cost half of the time.
[[nodiscard]] Complex times(Complex a, Complex b) noexcept {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// A transform of 2^p points whose spectrum is left in bit-reversed order: enough to square it, and
// no permutation is needed on the way there or back.
class Fourier {
 public:
  explicit Fourier(std::size_t size) : roots_(size) {
    // roots_[half + k] = exp(-pi i k / half): each stage reads its own run of the table.
    for (std::size_t half = 1; half < size; half *= 2) {
      for (std::size_t k = 0; k < half; ++k) {
        roots_[half + k] =
            std::polar(1.0, -std::numbers::pi * static_cast<double>(k) / static_cast<double>(half));
      }
    }
  }

  // Natural to bit-reversed order (decimation in frequency).
  void forward(std::span<Complex> a) const noexcept {
    for (std::size_t half = a.size() / 2; half > 0; half /= 2) {
      for (std::size_t start = 0; start < a.size(); start += 2 * half) {
        for (std::size_t k = start; k < start + half; ++k) {
          const Complex difference = a[k] - a[k + half];
          a[k] += a[k + half];
          a[k + half] = times(difference, roots_[half + k - start]);
        }
      }
    }
  }

  // Bit-reversed to natural order (decimation in time), times the number of points.
  void backward(std::span<Complex> a) const noexcept {
    for (std::size_t half = 1; half < a.size(); half *= 2) {
      for (std::size_t start = 0; start < a.size(); start += 2 * half) {
        for (std::size_t k = start; k < start + half; ++k) {
          const Complex turned = times(a[k + half], std::conj(roots_[half + k - start]));
          a[k + half] = a[k] - turned;
          a[k] += turned;
        }
      }
    }
  }

 private:
  std::vector<Complex> roots_;
};

// Two chains share a transform: the autocovariance of x + iy has real part that of x plus that of
// y.
void load(const Chains& chains, std::size_t first, std::span<Complex> signal) {
  const auto x = chains[first];
  const double x_mean = mean(x);
  for (std::size_t t = 0; t < x.size(); ++t) {
    signal[t] = x[t] - x_mean;
  }
  if (first + 1 < chains.count()) {
    const auto y = chains[first + 1];
    const double y_mean = mean(y);
    for (std::size_t t = 0; t < y.size(); ++t) {
      signal[t].imag(y[t] - y_mean);
    }
  }
}

}  // namespace

std::vector<double> mean_autocovariance(const Chains& chains) {
  const std::size_t n = chains.length();
  const std::size_t size = std::bit_ceil(2 * n);  // room for the lags not to wrap around
  const Fourier fourier(size);
  std::vector<Complex> power(size);
  for (std::size_t first = 0; first < chains.count(); first += 2) {
    std::vector<Complex> signal(size);
    load(chains, first, signal);
    fourier.forward(signal);
    for (std::size_t k = 0; k < size; ++k) {
      power[k] += std::norm(signal[k]);
    }
  }
  fourier.backward(power);
  const double scale = static_cast<double>(size) * static_cast<double>(chains.values().size());
  std::vector<double> g(n);
  for (std::size_t lag = 0; lag < n; ++lag) {
    g[lag] = power[lag].real() / scale;
  }
  return g;
}

double lagged_product(std::span<const double> x, std::size_t lag) noexcept {
  const auto count = static_cast<Index>(x.size() - lag);
  return ConstVectorView(x.data(), count).dot(ConstVectorView(x.data() + lag, count));
}

MeanAutocovariance::MeanAutocovariance(const Chains& chains)
    : chains_(chains), centred_(chains.values().begin(), chains.values().end()) {
  const std::size_t n = chains.length();
  for (std::size_t k = 0; k < chains.count(); ++k) {
    const double centre = mean(chains[k]);
    for (double& x : std::span(centred_).subspan(k * n, n)) {
      x -= centre;
    }
  }
}

double MeanAutocovariance::operator[](std::size_t lag) {
  constexpr std::size_t kFew = 48;  // as long as a transform takes
  if (lag >= kFew && known_.size() < lags()) {
    known_ = mean_autocovariance(chains_);
  }
  const std::size_t n = chains_.length();
  while (known_.size() <= lag) {
    double sum = 0.0;
    for (std::size_t k = 0; k < chains_.count(); ++k) {
      sum += lagged_product(std::span(centred_).subspan(k * n, n), known_.size());
    }
    known_.push_back(sum / static_cast<double>(centred_.size()));
  }
  return known_[lag];
}

}  // namespace flymc
