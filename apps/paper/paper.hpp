// `flymc paper`: an experiment of Maclaurin & Adams (2014) run again, and our own rows beside it.
#pragma once

#include <cstdint>
#include <string>

#include "core/stop_signal.hpp"
#include "paper/data.hpp"
#include "paper/plan.hpp"
#include "paper/result.hpp"

namespace flymc::paper {

struct PaperOptions {
  std::string data;  // folder with mnist/, cifar3/, qm9gap/; empty: simulated tables
  std::uint32_t runs = 5;
  PaperSize size = PaperSize::kTable;
  std::string out;
  bool overwrite = false;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  bool quiet = false;
};

// Runs every algorithm `runs` times, one chain each, into OUT/NAME-ALGORITHM-RUN/, then writes
// OUT/NAME.json, NAME.svg and NAME.html. Messages go to stderr. After Ctrl-C it returns what is
// whole, without files of its own.
[[nodiscard]] PaperResult run_experiment(Experiment experiment, const PaperOptions& options,
                                         const StopSignal& stop);

}  // namespace flymc::paper
