#include "core/standard_error.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace flymc {
namespace {

// Holds SIGPIPE back from this thread: a handler would be the whole program's, and a library must
// not change that.
class PipeSignalHeld {
 public:
  PipeSignalHeld() noexcept {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t waiting;
    was_waiting_ = sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~PipeSignalHeld() {
    if (!was_waiting_) {  // one that we raised ourselves is taken back
      constexpr timespec kNow{};
      while (sigtimedwait(&pipe_, nullptr, &kNow) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;

 private:
  sigset_t pipe_{}, before_{};
  bool was_waiting_ = false;
};

// A descriptor shared with a program that made it non-blocking; a slow reader gets a second.
bool becomes_writable() noexcept {
  constexpr int kPatienceMs = 1000;
  pollfd descriptor{STDERR_FILENO, POLLOUT, 0};
  return ::poll(&descriptor, 1, kPatienceMs) > 0;
}

}  // namespace

void print_error(std::string_view text) noexcept {
  const PipeSignalHeld held;
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0 || (errno != EINTR && (errno != EAGAIN || !becomes_writable()))) {
      return;
    }
  }
}

}  // namespace flymc
