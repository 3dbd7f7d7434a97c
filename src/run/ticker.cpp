#include "run/ticker.hpp"

#include <algorithm>
#include <system_error>

#include "flymc/error.hpp"

namespace flymc {

Ticker::Ticker(const Options& options, std::vector<std::atomic<bool>>& due, const StopSignal& stop)
    : options_(options), due_(due), stop_(stop) {
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {
    throw Error(ErrorKind::kMemory, "the system starts no thread for the clock of the run",
                "raise the limit of processes (ulimit -u), or end others.");
  }
}

Ticker::~Ticker() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Ticker::loop() {
  const auto period =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.period_s));
  auto next = Clock::now() + period;
  auto deadline = options_.deadline;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_until(lock, deadline ? std::min(next, *deadline) : next,
                           [this] { return done_; })) {
    const auto now = Clock::now();
    if (deadline && now >= *deadline) {
      stop_.time_is_up();
      deadline.reset();
    }
    if (now >= next) {
      for (auto& due : due_) {
        due.store(true, std::memory_order_relaxed);
      }
      next = now + period;
    }
  }
}

}  // namespace flymc
