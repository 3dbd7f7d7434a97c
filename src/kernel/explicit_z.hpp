// The paper's explicit update: draw z_n ~ Bernoulli(1 - B_n/L_n) for ceil(fraction N) data, a Gibbs
// step each. Which data: drawn with replacement; drawn without (a random permutation that is never
// stored); or consecutive blocks in the order of the rows, one block an iteration, for data
// streamed from disk (not reversible, but every block step keeps the joint invariant).
// See docs/method/paper.md, Explicit.
#pragma once

#include "flymc/detail/core/buffer.hpp"
#include "flymc/kernel/z_kernel.hpp"

namespace flymc {

class ExplicitZ final : public ZKernel {
 public:
  struct Options {
    double fraction = 0.1;  // in (0, 1]
    ZOrder order = ZOrder::kRandom;
  };

  explicit ExplicitZ(const Options& options);  // throws where the fraction is out of range

  ZInfo step(Brightable& target, Point& current, const Tuning& tuning, std::uint64_t iteration,
             Stream& stream) override;

 private:
  void choose(std::size_t rows, std::uint64_t iteration, Stream& stream);
  [[nodiscard]] ZInfo visit_bright(Brightable& target, Point& current, Stream& stream);
  [[nodiscard]] ZInfo visit_dark(Brightable& target, Point& current, Stream& stream);

  Options options_;
  Buffer<Datum> chosen_;
  Buffer<Datum> dark_;
};

}  // namespace flymc
