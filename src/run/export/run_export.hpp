// `export`: the draws of a run for other programs. The same run gives the same bytes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "flymc/diagnose/draws.hpp"
#include "run/level_file.hpp"
#include "run/run_config.hpp"

namespace flymc {

// What is exported: all chains, of the same length. Where classes have a vector of coefficients
// each, columns behind the parameters are their differences to those of one class.
struct ExportedRun {
  StoredRun run;
  std::vector<ChainDraws> chains;
  std::vector<std::string> notes;
  std::string reference{};               // that class; empty: there are no differences
  std::vector<std::string> contrasts{};  // "car vs bus: age", one a column
  std::vector<StreamedLevel> levels{};   // that no draws are kept of

  [[nodiscard]] std::size_t draws() const noexcept { return chains.front().draws(); }
};

// `reference`: as in compare_classes(). THROWS Error as read_stored_run and read_run_chains; kUsage
// for a reference where there is no such class.
[[nodiscard]] ExportedRun read_for_export(const std::filesystem::path& folder,
                                          const std::string& reference = {});

// One NumPy archive: draws (chain, draw, parameter), names (as in the chain files), parameters (as
// the input calls them), and (chain, draw) each lp__, accept_stat__, bright__, queries__; of
// classes also contrasts (chain, draw, contrast), contrast_names and reference_class; of levels
// without draws: levels (their names), level_columns, level_values (level, column).
// THROWS Error: kCannotCreate where the file is there and overwrite is off (or it is no archive),
// kPermission, kIo.
void export_npz(const ExportedRun& run, const std::filesystem::path& out, bool overwrite);

// A Zarr version 2 directory in the layout of ArviZ's InferenceData: groups posterior (alpha, beta;
// of classes alpha_contrast, beta_contrast; of group terms group_sd, group_cor, group_u) and
// sample_stats; no levels without draws. THROWS as export_npz; a folder with anything that was not
// exported is kept.
void export_zarr(const ExportedRun& run, const std::filesystem::path& out, bool overwrite);

}  // namespace flymc
