// Two sinks in the place of one.
#pragma once

#include "flymc/chain/run_chain.hpp"

namespace flymc {

// Passes every draw on to a file and to one who watches.
class Tee final : public Sink {
 public:
  Tee(Sink* file, Sink& watcher) : file_(file), watcher_(watcher) {}
  void accept(const Draw& draw) override {
    if (file_ != nullptr) {
      file_->accept(draw);
    }
    watcher_.accept(draw);
  }
  void finish() override {
    if (file_ != nullptr) {
      file_->finish();
    }
    watcher_.finish();
  }
  void keep(const ChainState& state, const RunSummary& summary) override {
    if (file_ != nullptr) {
      file_->keep(state, summary);
    }
  }

 private:
  Sink* file_;  // may be null
  Sink& watcher_;
};

}  // namespace flymc
