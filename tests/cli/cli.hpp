// Runs the real program, as a user's shell would, in a folder of its own: arguments go in as they
// are (no shell), what it prints and how it ends comes back.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/text.hpp"
#include "data/load_support.hpp"
#include "flymc/diagnose/draws.hpp"

namespace flymc::testing {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Empty for what is not a file: /dev/full has no end.
inline std::string read_bytes(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) {
    return {};
  }
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Words lines_of(const std::string& text) {
  Words lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// How a run of the program ended.
struct Outcome {
  int code = -1;         // exit code; -1 after a signal
  int signal = 0;        // that ended it: a crash
  bool in_time = true;   // false: killed after the limit
  std::string out, err;  // what it printed

  [[nodiscard]] bool says(const std::string& text) const {
    return err.find(text) != std::string::npos;
  }
  [[nodiscard]] bool shows(const std::string& text) const {
    return out.find(text) != std::string::npos;
  }
};

// What the program may not do.
struct Confined {
  bool unprivileged = false;                 // as nobody, where the test itself runs as root
  std::optional<rlim_t> largest_file{};      // bytes: a disk that is full
  std::optional<rlim_t> anonymous_memory{};  // bytes of its own; mapped files do not count
  bool no_threads = false;                   // their stacks would be larger than memory can be
};

// A program that was started and not yet waited for.
class Running {
 public:
  static constexpr int kCannotRun = 127;

  // `launcher`: a program and its first words, which starts ours; none: started as it is.
  Running(const std::string& folder, const std::string& log, const Words& words,
          const Confined& confined = {}, const Words& launcher = {})
      : out_(log + ".out"), err_(log + ".err") {
    const Words all = launcher + Words{FLYMC_BINARY} + words;
    std::vector<char*> arguments;
    for (const std::string& word : all) {
      arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
      redirect(out_, STDOUT_FILENO);
      redirect(err_, STDERR_FILENO);
      if (::chdir(folder.c_str()) == 0 && confine(confined)) {
        ::execvp(arguments[0], arguments.data());
      }
      ::_exit(kCannotRun);
    }
  }

  void send(int signal) const { ::kill(process_, signal); }
  [[nodiscard]] pid_t process() const noexcept { return process_; }

  [[nodiscard]] Outcome wait() const {
    constexpr auto kLimit = std::chrono::minutes(5);  // what takes longer hangs
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome;
    int status = 0;
    while (::waitpid(process_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() - start > kLimit) {
        outcome.in_time = false;
        send(SIGKILL);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.out = read_bytes(out_);
    outcome.err = read_bytes(err_);
    return outcome;
  }

 private:
  static bool confine(const Confined& confined) {
    const auto limit = [](auto resource, rlim_t most) {
      const rlimit both{most, most};
      return ::setrlimit(resource, &both) == 0;
    };
    return (!confined.largest_file || limit(RLIMIT_FSIZE, *confined.largest_file)) &&
           (!confined.anonymous_memory || limit(RLIMIT_DATA, *confined.anonymous_memory)) &&
           (!confined.no_threads || limit(RLIMIT_STACK, rlim_t{1} << 60)) &&
           (!confined.unprivileged || become_nobody());
  }

  static bool become_nobody() {
    constexpr unsigned kNobody = 65534;
    return ::geteuid() != 0 || (::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
  }

  static void redirect(const std::string& path, int descriptor) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, descriptor);
    ::close(file);
  }

  std::string out_, err_;
  pid_t process_ = -1;
};

// Every test has a folder of its own; the run of a fit goes to out/ in it.
class Cli : public ::testing::Test {
 protected:
  [[nodiscard]] Running start(const Words& words) const {
    return {dir_ / "", logs_ / std::to_string(count_++), words, {}};
  }
  [[nodiscard]] Running start_with(const Words& launcher, const Words& words) const {
    return {dir_ / "", logs_ / std::to_string(count_++), words, {}, launcher};
  }
  [[nodiscard]] Outcome run(const Words& words) const { return start(words).wait(); }
  [[nodiscard]] Outcome run_confined(const Words& words, const Confined& confined) const {
    return Running(dir_ / "", logs_ / std::to_string(count_++), words, confined).wait();
  }
  [[nodiscard]] Outcome run_unprivileged(const Words& words) const {
    return run_confined(words, {.unprivileged = true});
  }

  // `fit DATA --out out ...`, short unless the options say otherwise.
  [[nodiscard]] Outcome fit(const std::string& data, const Words& options) const {
    const auto has = [&](const char* name) { return std::ranges::count(options, name) > 0; };
    Words words{"fit", data, "--out", "out"};
    words = words + options;
    words = words + (has("--chains") ? Words{} : Words{"--chains", "2"});
    words = words + (has("--warmup") ? Words{} : Words{"--warmup", "100"});
    words = words + (has("--draws") ? Words{} : Words{"--draws", "100"});
    return run(words);
  }

  std::string write(const std::string& name, std::string_view bytes) const {
    dir_.write(name, bytes);
    return name;
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return dir_ / name; }
  [[nodiscard]] bool exists(const std::string& name) const {
    return std::filesystem::exists(std::filesystem::symlink_status(path(name)));
  }
  // Files that were being written lie hidden beside their places.
  [[nodiscard]] bool holds_half_written() const {
    const std::filesystem::directory_iterator all(path(""));
    return std::any_of(begin(all), end(all),
                       [](const auto& entry) { return entry.path().extension() == ".flymc"; });
  }
  [[nodiscard]] std::string bytes(const std::string& name) const { return read_bytes(path(name)); }
  [[nodiscard]] Json json(const std::string& name) const { return Json::parse(bytes(name)); }
  [[nodiscard]] ChainDraws draws(const std::string& name) const {
    return read_chain_csv(path(name));
  }

  // Mean of a column over the chains of out/.
  [[nodiscard]] double mean(const std::string& column) const {
    double sum = 0.0;
    double count = 0.0;
    for (int k = 1; exists("out/chain-" + std::to_string(k) + ".csv"); ++k) {
      const ChainDraws chain = draws("out/chain-" + std::to_string(k) + ".csv");
      for (const double value : chain.column(column)) {
        sum += value;
        count += 1.0;
      }
    }
    return sum / count;
  }

 private:
  TempDir dir_;
  TempDir logs_;
  mutable int count_ = 0;
};

// What the program prints may go to any terminal: valid UTF-8, no control bytes but newlines.
inline bool is_safe_text(const std::string& text) {
  std::string lines = text;
  std::erase(lines, '\n');
  return escaped(lines) == lines;
}

// The contract of a failure: this code, one error line (the last) that holds `text`, no crash.
inline void expect_error(const Outcome& outcome, int code, const std::string& text) {
  EXPECT_TRUE(outcome.in_time);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(is_safe_text(outcome.err));
  const Words lines = lines_of(outcome.err);
  EXPECT_EQ(std::ranges::count_if(lines, [](const auto& l) { return l.starts_with("flymc: "); }), 1)
      << outcome.err;
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(outcome.err.ends_with('\n'));
  EXPECT_TRUE(lines.back().starts_with("flymc: ")) << outcome.err;
  EXPECT_NE(lines.back().find(text), std::string::npos) << lines.back() << "\nlacks: " << text;
}

inline void expect_done(const Outcome& outcome) {
  EXPECT_TRUE(outcome.in_time);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_FALSE(outcome.says("flymc: ")) << outcome.err;
  EXPECT_TRUE(is_safe_text(outcome.err)) << outcome.err;
  EXPECT_TRUE(is_safe_text(outcome.out)) << outcome.out;
}

}  // namespace flymc::testing
