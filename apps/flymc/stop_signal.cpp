#include "flymc/stop_signal.hpp"

namespace flymc::app {
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

const std::atomic<bool>* StopSignal::flag() const noexcept { return &stop_asked; }

int StopSignal::exit_code() const noexcept { return 128 + stop_signal.load(); }

const char* StopSignal::name() const noexcept {
  return stop_signal.load() == SIGINT ? "Ctrl-C" : "SIGTERM";
}

}  // namespace flymc::app
