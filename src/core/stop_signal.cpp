#include "core/stop_signal.hpp"

#include <cstdlib>

#include "flymc/error.hpp"

namespace flymc {
namespace {

// The only globals: a signal handler can reach nothing else.
std::atomic<bool> stop_asked{false};
std::atomic<int> stop_signal{0};

extern "C" void on_signal(int signal) {
  stop_signal.store(signal);
  stop_asked.store(true);
}

}  // namespace

StopSignal::StopSignal() {
  stop_asked.store(false);
  stop_signal.store(0);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

StopSignal::~StopSignal() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

std::atomic<bool>* StopSignal::flag() const noexcept { return &stop_asked; }

void StopSignal::time_is_up() const noexcept { stop_asked.store(true); }

std::string StopSignal::word() const {
  return asked() ? std::to_string(stop_signal.load()) : std::string();
}

void StopSignal::heard_of(const std::string& word) const noexcept {
  const int signal = std::atoi(word.c_str());
  if (signal != 0) {
    stop_signal.store(signal);
  }
  stop_asked.store(true);
}

int StopSignal::exit_code() const noexcept {
  const int signal = stop_signal.load();
  return signal == 0 ? static_cast<int>(ErrorKind::kStopped) : 128 + signal;
}

Message StopSignal::name() const {
  const int signal = stop_signal.load();
  return signal == 0 ? Message(Setting{"max_time"}) : signal == SIGINT ? "Ctrl-C" : "SIGTERM";
}

}  // namespace flymc
