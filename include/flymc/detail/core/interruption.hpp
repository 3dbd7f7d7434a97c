// Giving up long work in the middle. While an Interruptible lives, the work of its thread, and of
// threads that parallel_for starts from there, looks at a flag between its steps (poll) and ends by
// an exception once that is set. Where none lives poll() does nothing: so whoever can put things
// right again after such an end, and nobody else, asks for it.
#pragma once

#include <atomic>

namespace flymc {

// Not an Error: nobody made a mistake, and no catch of errors shall take it for one.
struct Interrupted {};

// One inside another: the inner one counts. A null flag forbids what the outer one allows.
class Interruptible {
 public:
  explicit Interruptible(const std::atomic<bool>* stop) noexcept;
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  const std::atomic<bool>* outer_;
};

// The flag that polls of this thread look at; null: none. For threads started here.
[[nodiscard]] const std::atomic<bool>* interruption_flag() noexcept;

// THROWS Interrupted. A few nanoseconds: between blocks of rows or parts of a trajectory, not
// between rows.
void poll_interruption();

}  // namespace flymc
