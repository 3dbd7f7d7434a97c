// Several sweeps of a z-kernel in a row, where an iteration costs more than its coins.
#pragma once

#include <memory>
#include <utility>

#include "flymc/kernel/z_kernel.hpp"

namespace flymc {

class Sweeps final : public ZKernel {
 public:
  Sweeps(std::unique_ptr<ZKernel> kernel, int count) : kernel_(std::move(kernel)), count_(count) {}

  [[nodiscard]] bool starts_dark() const noexcept override { return kernel_->starts_dark(); }

  ZInfo step(Brightable& target, Point& current, const Tuning& tuning, std::uint64_t iteration,
             Stream& stream) override {
    ZInfo all;
    for (int i = 0; i < count_; ++i) {
      const ZInfo info = kernel_->step(target, current, tuning, iteration, stream);
      all.brightened += info.brightened;
      all.darkened += info.darkened;
    }
    return all;
  }

 private:
  std::unique_ptr<ZKernel> kernel_;
  int count_;
};

}  // namespace flymc
