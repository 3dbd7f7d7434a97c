// Ctrl-C, SIGTERM and the end of the time allowed as a flag that long work looks at between its
// steps. A second signal ends the program at once.
#pragma once

#include <atomic>
#include <csignal>
#include <string>

#include "flymc/message.hpp"

namespace flymc {

// Catches both signals while it lives. One at a time: the flag is the program's.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  [[nodiscard]] std::atomic<bool>* flag() const noexcept;
  [[nodiscard]] bool asked() const noexcept { return flag()->load(); }
  void time_is_up() const noexcept;  // as if a signal had come, unless one has
  // What stopped this process, to tell other ranks, and what stopped another; empty: nothing has.
  [[nodiscard]] std::string word() const;
  void heard_of(const std::string& word) const noexcept;
  [[nodiscard]] int exit_code() const noexcept;  // 130, 143, or 75 for time
  [[nodiscard]] Message name() const;            // Ctrl-C, SIGTERM or the setting of the time

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
};

}  // namespace flymc
