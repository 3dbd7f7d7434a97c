// What a run keeps of one chain: its draws as Stan CSV, the tallies of bright rows and of levels
// that have no draws, and the checkpoint from which all go on.
//
// Order of writes: draws first, then the checkpoint that counts them, each safe before the next. So
// a checkpoint never promises draws that are not there; rows after its mark are cut on resuming.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "chain/checkpoint.hpp"
#include "fit/draw_values.hpp"
#include "run/chain_csv.hpp"

namespace flymc {

class ChainRecord final : public Sink {
 public:
  struct Files {
    std::filesystem::path csv;
    std::filesystem::path checkpoint;
  };
  // `start` is where the chain stands: one with a mark goes on with its files, one without makes
  // them anew.
  ChainRecord(Files files, const Problem& problem, const std::string& head, Checkpoint start);

  void accept(const Draw& draw) override;
  void finish() override { csv_.finish(); }
  void keep(const ChainState& state, const RunSummary& summary) override;

  [[nodiscard]] const BrightTally& tally() const noexcept { return now_.tally; }
  [[nodiscard]] const LevelTally& levels() const noexcept { return now_.levels; }

 private:
  std::filesystem::path path_;  // of the checkpoint
  Checkpoint now_;
  ChainCsv csv_;
  std::optional<DrawValues> levels_;  // that no draws are kept of
};

}  // namespace flymc
