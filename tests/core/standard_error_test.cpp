// Messages never decide over a run.
#include "core/standard_error.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <string>

namespace flymc {
namespace {

// Gives `work` another standard error, and brings back the old one.
void with_standard_error(int descriptor, const std::function<void()>& work) {
  const int kept = ::dup(STDERR_FILENO);
  ::dup2(descriptor, STDERR_FILENO);
  work();
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
}

TEST(StandardError, TakesTheTextAsItIs) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  with_standard_error(pipe[1], [] { print_error("one {}\ntwo"); });
  ::close(pipe[1]);
  std::string text(100, '\0');
  text.resize(static_cast<std::size_t>(::read(pipe[0], text.data(), text.size())));
  EXPECT_EQ(text, "one {}\ntwo");
  ::close(pipe[0]);
}

TEST(StandardError, SurvivesAReaderThatLeftAndLeavesNoSignalBehind) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  ::close(pipe[0]);
  const auto before = std::signal(SIGPIPE, SIG_DFL);  // would end this test
  with_standard_error(pipe[1], [] { print_error("nobody reads this"); });
  sigset_t waiting;
  sigpending(&waiting);
  EXPECT_EQ(sigismember(&waiting, SIGPIPE), 0);
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGPIPE), 0);
  std::signal(SIGPIPE, before);
  ::close(pipe[1]);
}

TEST(StandardError, SurvivesAFullDiskAndAClosedStream) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  with_standard_error(full, [] { print_error("lost"); });
  with_standard_error(full, [] {
    ::close(STDERR_FILENO);
    print_error("lost");
  });
  ::close(full);
}

TEST(StandardError, GivesUpOnAReaderThatNeverReads) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_NONBLOCK), 0);
  with_standard_error(pipe[1], [] { print_error(std::string(1 << 20, '.')); });
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace flymc
