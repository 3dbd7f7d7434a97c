#include "flymc/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "flymc/core/text.hpp"
#include "flymc/duration.hpp"

namespace flymc::app {

ProgressLine::ProgressLine(const FitOptions& options, const std::vector<ChainProgress>& chains)
    : chains_(chains),
      iterations_total_(chains.size() *
                        (options.schedule.warmup + options.schedule.draws * options.schedule.thin)),
      warmup_(options.schedule.warmup),
      terminal_(options.progress == ProgressKind::kAuto && isatty(STDERR_FILENO) == 1) {
  if (!options.quiet && options.progress != ProgressKind::kNone) {
    thread_ = std::thread([this] { loop(); });
  }
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
  if (printed_ && terminal_) {
    fmt::print(stderr, "\r\x1b[K");  // the result takes the line's place
  }
}

void ProgressLine::loop() {
  const auto start = std::chrono::steady_clock::now();
  const auto period = terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, period, [this] { return done_; })) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    print(elapsed.count());
  }
}

void ProgressLine::print(double elapsed_s) {
  std::uint64_t done = 0;
  std::uint64_t bright = 0;
  std::uint64_t queries = 0;
  std::uint64_t counted = 0;
  std::uint64_t started = 0;
  for (const auto& chain : chains_) {
    const std::uint64_t iterations = chain.iterations.load(std::memory_order_relaxed);
    done += iterations;
    started += iterations > 0 ? 1 : 0;
    counted += iterations - std::min(iterations, warmup_);
    bright += chain.bright.load(std::memory_order_relaxed);
    queries += chain.queries.load(std::memory_order_relaxed);
  }
  const double share = static_cast<double>(done) / static_cast<double>(iterations_total_);
  const double left_s = done > 0 ? elapsed_s * (1.0 - share) / share : 0.0;
  std::string text =
      fmt::format("{} {:3.0f} %  {} of {} iterations, {}/s, {} bright a chain",
                  counted > 0 ? "sampling" : "warm-up", 100.0 * share, with_commas(done),
                  with_commas(iterations_total_),
                  with_commas(static_cast<std::size_t>(static_cast<double>(done) / elapsed_s)),
                  with_commas(bright / std::max<std::uint64_t>(1, started)));
  if (counted > 0) {
    text += fmt::format(", {} queries an iteration", with_commas(queries / counted));
  }
  text += done > 0 ? fmt::format(", {} left", duration_text(left_s)) : "";
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", text, terminal_ ? "" : "\n");
  std::fflush(stderr);
  printed_ = true;
}

}  // namespace flymc::app
