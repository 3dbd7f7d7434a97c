#include "flymc/detail/core/interruption.hpp"

namespace flymc {
namespace {

// A parameter of every loop over rows, in every layer, if it were passed.
thread_local const std::atomic<bool>* flag_of_thread = nullptr;

}  // namespace

Interruptible::Interruptible(const std::atomic<bool>* stop) noexcept : outer_(flag_of_thread) {
  flag_of_thread = stop;
}

Interruptible::~Interruptible() { flag_of_thread = outer_; }

const std::atomic<bool>* interruption_flag() noexcept { return flag_of_thread; }

void poll_interruption() {
  if (flag_of_thread != nullptr && flag_of_thread->load(std::memory_order_relaxed)) {
    throw Interrupted{};
  }
}

}  // namespace flymc
