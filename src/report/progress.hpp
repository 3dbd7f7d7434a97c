// What a user sees while a model is set up and while chains run: a line a chain in place on a
// terminal, one plain line every ten seconds otherwise, or a JSON object a second. Runs in a thread
// of its own and only reads: it cannot change a draw.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "diagnose/running_rhat.hpp"
#include "flymc/chain/run_chain.hpp"
#include "report/progress_text.hpp"
#include "report/terminal_settings.hpp"

namespace flymc {

class Progress {
 public:
  // Set-up begins. `chains` is what the chains publish; `parameters` the number that each draw has.
  Progress(const TerminalSettings& terminal, const Schedule& schedule,
           const std::vector<ChainProgress>& chains, std::size_t parameters);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // A sink that looks at the draws of a chain, for R-hat, and passes everything on to `draws`;
  // `draws` itself where nothing is shown.
  [[nodiscard]] Sink* watched(std::uint32_t chain, Sink* draws);
  // Set-up is done, which say() says, and chains run from now on.
  void start(const std::function<void()>& say);

 private:
  class Watcher;

  void loop();
  void show();
  void try_to_show() noexcept;
  void erase() noexcept;
  [[nodiscard]] ProgressView look();

  const Schedule schedule_;
  const std::vector<ChainProgress>& chains_;
  bool shown_;
  ProgressKind kind_;
  std::vector<std::unique_ptr<Watcher>> watchers_;
  std::vector<std::uint64_t> first_draws_;  // of a resumed run
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  bool in_setup_ = true;
  std::size_t lines_ = 0;  // on the terminal, to be written over
  std::mutex mutex_;       // of all that changes
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace flymc
