#include "run/export/run_export.hpp"

#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "diagnose/class_contrasts.hpp"
#include "flymc/error.hpp"
#include "run/run_draws.hpp"
#include "run/run_folder.hpp"

namespace flymc {

ExportedRun read_for_export(const std::filesystem::path& folder, const std::string& reference) {
  StoredRun run = read_stored_run(folder);
  RunChains chains = read_run_chains(folder);
  require_same_parameters(run, chains, folder);
  if (run.status != "complete") {
    chains.notes.push_back(incomplete_note(run, chains));
  }
  const RunRecord record = read_run_record(folder);
  if (!has_class_vectors(record)) {
    if (!reference.empty()) {
      throw Error(ErrorKind::kUsage,
                  message("{}: the run has no classes with coefficients of their own.",
                          Setting{"reference", shortened(reference)}));
    }
    return {.run = std::move(run),
            .chains = std::move(chains.chains),
            .notes = std::move(chains.notes),
            .levels = read_level_file(folder)};
  }
  ClassDifferences compared = compare_classes(record, chains, reference);
  std::vector<std::string> contrasts;
  for (const ParameterName& difference : compared.record.parameters) {
    contrasts.push_back(difference.label);
  }
  return {std::move(run), std::move(compared.run.chains), std::move(compared.run.notes),
          std::move(compared.reference), std::move(contrasts)};
}

}  // namespace flymc
