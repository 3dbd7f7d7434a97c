// The paper's implicit update. With Lt = L/B - 1, each datum is visited once a sweep:
//   dark -> bright: proposed with probability q (geometric skips over the rows, never N coins),
//                   accepted with probability min(1, Lt q_bd / q);
//   bright -> dark: proposed with probability q_bd,
//                   accepted with probability min(1, q / (Lt q_bd));
// the bright values are those the theta-update cached: no query. (The paper prints the first
// comparison the wrong way round; with that sign theta is biased.)
// See docs/method/paper.md, Implicit.
#pragma once

#include "flymc/detail/core/buffer.hpp"
#include "flymc/kernel/z_kernel.hpp"

namespace flymc {

class ImplicitZ final : public ZKernel {
 public:
  struct Options {
    double bright_to_dark = 1.0;  // q_bd in (0, 1]
  };

  explicit ImplicitZ(const Options& options);  // throws where q_bd is out of range

  ZInfo step(Brightable& target, Point& current, const Tuning& tuning, std::uint64_t iteration,
             Stream& stream) override;

 private:
  void choose_dark(const Brightable& target, double q, Stream& stream);

  Options options_;
  Buffer<Datum> candidates_;
};

}  // namespace flymc
