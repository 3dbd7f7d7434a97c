// A fit as a terminal shows it: notes as they come, then progress.
#pragma once

#include <memory>

#include "fit/memory_run.hpp"
#include "report/fit_notes.hpp"
#include "report/progress.hpp"

namespace flymc {

class TerminalObserver final : public FitObserver {
 public:
  // The wording outlives the observer.
  TerminalObserver(const FitOptions& options, const Wording& wording)
      : options_(options), wording_(wording) {}

  void prepared(const Problem& problem) override {
    parameters_ = problem.parameters.size();
    say_what_was_prepared(options_, problem, wording_);
  }
  void started(const std::vector<ChainProgress>& chains) override {
    progress_ = std::make_unique<Progress>(options_, chains, parameters_);
  }
  [[nodiscard]] Sink* watched(std::uint32_t chain, Sink* draws) override {
    return progress_->watched(chain, draws);
  }
  void set_up(const SetupInfo& setup) override {
    say_setup(options_, setup);
    progress_->start();
  }
  void finished() noexcept override { progress_.reset(); }

 private:
  FitOptions options_;
  const Wording& wording_;
  std::size_t parameters_ = 0;
  std::unique_ptr<Progress> progress_;
};

}  // namespace flymc
