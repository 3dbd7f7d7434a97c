// Everything a chain needs to go on, as bytes: a chain restored from them continues bit for bit,
// without a query, and its totals and its tally of bright rows go on counting.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "chain/bright_tally.hpp"
#include "chain/level_tally.hpp"
#include "flymc/chain/run_chain.hpp"

namespace flymc {

struct Checkpoint {
  std::uint64_t seed = 0;  // with `chain`: whose it is
  std::uint32_t chain = 0;
  bool regular = false;  // the engine that runs
  ChainState state;
  RunSummary summary;
  BrightTally tally;
  LevelTally levels{};     // of group terms, where no draws of them are kept
  std::uint64_t mark = 0;  // where the sink stood: so many bytes of draws are in its file
};

// A magic word, a version, the values (those of levels only where there are any), a CRC-32 of all
// that.
[[nodiscard]] std::string to_bytes(const Checkpoint& checkpoint);

// THROWS Error(kData), headed by `name`, where the bytes are damaged or of another version.
[[nodiscard]] Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name);

}  // namespace flymc
