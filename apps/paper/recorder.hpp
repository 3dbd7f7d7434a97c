// What the paper's table and figure need of one chain, kept in memory while it runs: all kept draws
// after warm-up, and some waypoints of the whole way from the start.
#pragma once

#include <cstddef>
#include <vector>

#include "flymc/chain/run_chain.hpp"

namespace flymc::paper {

// Where a chain was, and what an iteration cost since the waypoint before.
struct Waypoint {
  double iteration = 0.0;
  Vector theta;
  double queries = 0.0;
};

class PaperRecorder {
 public:
  explicit PaperRecorder(const Schedule& schedule);
  PaperRecorder(const PaperRecorder&) = delete;  // its sinks point back to it
  PaperRecorder& operator=(const PaperRecorder&) = delete;

  [[nodiscard]] Sink& warmup() noexcept { return warmup_; }
  [[nodiscard]] Sink& draws() noexcept { return draws_; }

  // Kept draws by rows, parameters by columns.
  [[nodiscard]] const Matrix& kept() const noexcept { return kept_; }
  [[nodiscard]] const std::vector<Waypoint>& way() const noexcept { return way_; }

 private:
  // One phase of the chain; a draw stands for `iterations` of them.
  class Phase final : public Sink {
   public:
    Phase(PaperRecorder& owner, std::size_t iterations, bool keeps)
        : owner_(owner), iterations_(iterations), keeps_(keeps) {}
    void accept(const Draw& draw) override { owner_.take(draw, iterations_, keeps_); }

   private:
    PaperRecorder& owner_;
    std::size_t iterations_;
    bool keeps_;
  };

  void take(const Draw& draw, std::size_t iterations, bool keeps);

  Phase warmup_;
  Phase draws_;
  std::size_t capacity_;
  std::size_t every_;  // iterations between waypoints, once the start is past
  std::size_t next_ = 1;
  std::size_t iteration_ = 0;
  double queries_ = 0.0;  // since the last waypoint, at iteration `last_`
  std::size_t last_ = 0;
  Index count_ = 0;
  Matrix kept_;
  std::vector<Waypoint> way_;
};

}  // namespace flymc::paper
