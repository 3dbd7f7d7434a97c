#include "run/export/run_export.hpp"

#include <utility>

#include "run/run_draws.hpp"
#include "run/run_folder.hpp"

namespace flymc {

ExportedRun read_for_export(const std::filesystem::path& folder) {
  StoredRun run = read_stored_run(folder);
  RunChains chains = read_run_chains(folder);
  require_same_parameters(run, chains, folder);
  if (run.status != "complete") {
    chains.notes.push_back(incomplete_note(run, chains));
  }
  return {std::move(run), std::move(chains.chains), std::move(chains.notes)};
}

}  // namespace flymc
