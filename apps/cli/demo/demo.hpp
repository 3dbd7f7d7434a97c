// `flymc demo`: the paper's toy problem end to end, with nothing to install, download or choose.
#pragma once

#include <cstdint>
#include <string>

namespace flymc::cli {

struct DemoOptions {
  std::string out = "flymc-demo";
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

struct DemoResult {
  std::string story;  // for the terminal
  int exit_code = 0;  // as a fit's: 130 or 143 where it was interrupted, the story being empty
};

// Fits, draws firefly.svg into the run folder and tells the story. Replaces an earlier demo in the
// folder, no other file. THROWS Error: kCannotCreate (where the folder holds a run or a picture
// that no demo made, too), kPermission, kIo.
[[nodiscard]] DemoResult run_demo(const DemoOptions& options);

}  // namespace flymc::cli
