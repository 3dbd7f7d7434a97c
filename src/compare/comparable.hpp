// All that a comparison needs of a run, wherever the run lies: in a folder, or in memory.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/bridge.hpp"
#include "fit/prepare.hpp"
#include "flymc/diagnose/summary.hpp"
#include "flymc/fit.hpp"
#include "flymc/message.hpp"
#include "run/run_config.hpp"
#include "run/run_options.hpp"

namespace flymc {

struct ComparableRun {
  std::string name;  // as messages show it
  RunRecord record;
  RunChains chains;
  FitSettings settings;                    // as asked for
  std::shared_ptr<const Problem> problem;  // rows as given, none merged
  // What the run found on its way, less the constants of the likelihood.
  std::optional<LogEvidence> evidence{};
  std::vector<Message> notes{};  // what a user should know of its draws
  // Columns whose missing values left out rows.
  std::vector<std::string> missing_in{};
  std::size_t valueless = 0;  // rows that a function of the formula left out
};

// A fit in memory. Where equal rows were merged, each must be had again: `rows` is the data frame
// that `asked` made the fit's table of, or `table` makes that table once more.
struct FitInMemory {
  std::string name;
  const Fit* fit = nullptr;
  RunSettings asked{};
  const DataFrame* rows = nullptr;  // null: not at hand
  std::function<Table()> table{};   // empty: not at hand
  // Columns whose missing values left out rows, as messages name them.
  std::vector<std::string> missing_in{};
};

// THROWS Error: as read_run_chains; kData where the data of the run cannot be had.
[[nodiscard]] ComparableRun comparable(const std::filesystem::path& folder,
                                       const StoredRun& stored);
// REQUIRES: fit.draws() > 0; the fit outlives the result. THROWS Error: kUsage where rows were
// merged and the data are not at hand, kData where they are not those of the fit; as load().
[[nodiscard]] ComparableRun comparable(const FitInMemory& held);

}  // namespace flymc
