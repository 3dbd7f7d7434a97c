#include "cli/lost_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/mapped_files.hpp"
#include "core/standard_error.hpp"
#include "flymc/error.hpp"

namespace flymc::cli {
namespace {

std::atomic<const char*> lost_file_remedy{nullptr};
std::atomic_flag lost_file_said;

// One line, joined without an allocation; a name too long for it is cut.
class Line {
 public:
  void add(std::string_view text) noexcept {
    const std::size_t count = std::min(text.size(), bytes_.size() - 1 - size_);
    std::memcpy(bytes_.data() + size_, text.data(), count);
    size_ += count;
  }
  [[nodiscard]] std::string_view ended() noexcept {
    bytes_[size_++] = '\n';
    return {bytes_.data(), size_};
  }

 private:
  std::array<char, 8192> bytes_{};
  std::size_t size_ = 0;
};

// Async-signal-safe calls only.
extern "C" void on_bus_error(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const char* const name = mapped_file_at(info->si_addr);
  if (name == nullptr) {  // not of our making: the read fails again, and the program with it
    std::signal(SIGBUS, SIG_DFL);
    return;
  }
  if (lost_file_said.test_and_set()) {
    for (;;) {  // another thread says it, and ends us all
      ::pause();
    }
  }
  const char* const remedy = lost_file_remedy.load();
  Line line;
  line.add("flymc: ");
  line.add(name);
  line.add(" was cut short, or its disk failed, while it was being read; ");
  line.add(remedy == nullptr ? "put it back as it was, and start again." : remedy);
  print_error(line.ended());
  ::_exit(static_cast<int>(ErrorKind::kIo));
}

}  // namespace

void exit_on_lost_files() {
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

LostFileRemedy::LostFileRemedy(std::string remedy) : remedy_(std::move(remedy)) {
  lost_file_remedy.store(remedy_.c_str());
}

LostFileRemedy::~LostFileRemedy() { lost_file_remedy.store(nullptr); }

}  // namespace flymc::cli
