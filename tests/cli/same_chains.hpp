// Whether runs have drawn the same, to the last byte of every chain.
#pragma once

#include <fmt/format.h>

#include "cli/cli.hpp"

namespace flymc::testing {

inline void expect_same_chains(const std::filesystem::path& one,
                               const std::filesystem::path& other) {
  const auto chain = [](const std::filesystem::path& run, int number) {
    return run / fmt::format("chain-{}.csv", number);
  };
  int chains = 0;
  while (exists(chain(one, chains + 1)) || exists(chain(other, chains + 1))) {
    ++chains;
    EXPECT_TRUE(read_bytes(chain(one, chains)) == read_bytes(chain(other, chains)))
        << "chain " << chains << " of " << other;
  }
  EXPECT_GT(chains, 0) << "no chains in " << one;
}

}  // namespace flymc::testing
