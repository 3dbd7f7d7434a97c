// Runs that are killed at given moments and go on, to be compared with one that was left alone.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <tuple>
#include <vector>

#include "cli/same_chains.hpp"

namespace flymc::testing {

// whole/ is the run that was left alone, out/ the one that was not.
class Resumed : public Cli {
 protected:
  [[nodiscard]] Outcome resume(const Words& more = {}) const {
    return run(Words{"fit", "--resume", "out", "--quiet"} + more);
  }

  void expect_same_run() const {
    expect_same_chains(path("whole"), path("out"));
    EXPECT_EQ(json("out/run.json")["status"], "complete");
  }

  // Starts, kills so long after the start, resumes each time; the last resume is left alone.
  // `often`: how often checkpoints are written, as in `first`.
  void kill_often(const Words& first, const std::vector<double>& moments_s,
                  const Words& often) const {
    const Words next = Words{"fit", "--resume", "out", "--quiet"} + often;
    const auto has_begun = [&] { return exists("out/run.json"); };
    for (const double moment_s : moments_s) {
      const Running running = start(has_begun() ? next : first);
      std::this_thread::sleep_for(std::chrono::duration<double>(moment_s));
      running.send(SIGKILL);
      std::ignore = running.wait();
    }
    const Outcome outcome = has_begun() ? resume() : run(first);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
};

}  // namespace flymc::testing
