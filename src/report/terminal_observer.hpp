// A fit as a terminal shows it: notes as they come, then progress.
#pragma once

#include <memory>

#include "fit/prepare.hpp"
#include "flymc/fit.hpp"
#include "report/fit_notes.hpp"
#include "report/progress.hpp"

namespace flymc {

class TerminalObserver final : public FitObserver {
 public:
  // The wording outlives the observer.
  TerminalObserver(const TerminalSettings& terminal, const Wording& wording)
      : terminal_(terminal), wording_(wording) {}

  void prepared(const Problem& problem) override {
    parameters_ = problem.parameters.size();
    say_what_was_prepared(terminal_, problem, wording_);
  }
  void started(const std::vector<ChainProgress>& chains, const Schedule& schedule) override {
    progress_ = std::make_unique<Progress>(terminal_, schedule, chains, parameters_);
  }
  [[nodiscard]] Sink* watched(std::uint32_t chain, Sink* draws) override {
    return progress_->watched(chain, draws);
  }
  void set_up(const SetupInfo& setup) override {
    progress_->start([&] { say_setup(terminal_, setup); });
  }
  void finished() noexcept override { progress_.reset(); }

 private:
  TerminalSettings terminal_;
  const Wording& wording_;
  std::size_t parameters_ = 0;
  std::unique_ptr<Progress> progress_;
};

}  // namespace flymc
