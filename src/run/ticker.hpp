// The clock of a run, in a thread of its own so that no iteration looks at one: tells chains when
// to keep a checkpoint, and everybody when --max-time is over.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/stop_signal.hpp"

namespace flymc {

class Ticker {
 public:
  using Clock = std::chrono::steady_clock;
  struct Options {
    double period_s = 30.0;
    std::optional<Clock::time_point> deadline;
  };

  // THROWS Error kMemory where there is no room for a thread.
  Ticker(const Options& options, std::vector<std::atomic<bool>>& due, const StopSignal& stop);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  void loop();

  const Options options_;
  std::vector<std::atomic<bool>>& due_;
  const StopSignal& stop_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace flymc
