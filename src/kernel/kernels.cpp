// Kernels by name.
#include "kernel/elliptical.hpp"
#include "kernel/explicit_z.hpp"
#include "kernel/hmc.hpp"
#include "kernel/implicit_z.hpp"
#include "kernel/independence.hpp"
#include "kernel/mala.hpp"
#include "kernel/random_walk.hpp"
#include "kernel/slice.hpp"
#include "kernel/split_hmc.hpp"
#include "kernel/weighted_z.hpp"

namespace flymc {

std::unique_ptr<ThetaKernel> make_theta_kernel(KernelKind kind, const Frame& frame) {
  constexpr double kQuarterPeriod = 1.1 * 1.5707963267948966;
  switch (kind) {
    case KernelKind::kSplitHmc:
      return std::make_unique<SplitHmc>(frame.dimension());
    case KernelKind::kHmc:
      return std::make_unique<Hmc>(
          frame.dimension(), Hmc::Options{.path_length = kQuarterPeriod * frame.length_scale()});
    case KernelKind::kMala:
      return std::make_unique<Mala>(frame.dimension());
    case KernelKind::kRandomWalk:
      return std::make_unique<RandomWalk>(frame.dimension());
    case KernelKind::kSlice:
      return std::make_unique<Slice>(frame.dimension());
    case KernelKind::kElliptical:
      return std::make_unique<Elliptical>(frame);
    default:
      return std::make_unique<Independence>(frame);
  }
}

std::unique_ptr<ZKernel> make_z_kernel(const ZSettings& settings) {
  switch (settings.kind) {
    case ZKind::kWeighted:
      return std::make_unique<WeightedZ>();
    case ZKind::kExplicit:
      return std::make_unique<ExplicitZ>(
          ExplicitZ::Options{.fraction = settings.fraction, .order = settings.order});
    default:
      return std::make_unique<ImplicitZ>(
          ImplicitZ::Options{.bright_to_dark = settings.bright_to_dark});
  }
}

}  // namespace flymc
