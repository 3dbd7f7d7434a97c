// What a user sees while chains run: one line in place on a terminal, a plain line every ten
// seconds otherwise. Runs in a thread of its own and only reads counters: it cannot change a draw.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "flymc/chain/run_chain.hpp"
#include "flymc/options.hpp"

namespace flymc::app {

class ProgressLine {
 public:
  ProgressLine(const FitOptions& options, const std::vector<ChainProgress>& chains);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void loop();
  void print(double elapsed_s);

  const std::vector<ChainProgress>& chains_;
  std::uint64_t iterations_total_;
  std::uint64_t warmup_;
  bool terminal_;
  bool printed_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace flymc::app
