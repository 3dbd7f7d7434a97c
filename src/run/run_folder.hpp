// What a run left behind, read back: run.json and the chain files.
#pragma once

#include <filesystem>
#include <string>

#include "flymc/diagnose/summary.hpp"

namespace flymc {

// The path as messages and commands show it: escaped, with one slash at the end.
[[nodiscard]] std::string shown_folder(const std::filesystem::path& folder);

// Throws Error: kNoInput if the folder or its run.json is not there, kData if that is not ours.
[[nodiscard]] RunRecord read_run_record(const std::filesystem::path& folder);

// Reads chain-1.csv, chain-2.csv, ... of a run at any moment of its life. Chains that have less
// than half the draws of the longest are left out, the others cut to the shortest of them; of a
// complete run every chain must have all its draws.
// Throws Error: kNoInput if no chain has a draw yet, kData if the columns differ or a complete run
// lacks some of its draws, and as read_chain_csv.
[[nodiscard]] RunChains read_run_chains(const std::filesystem::path& folder);

// The summary of the run: a run that is not complete is summarised as far as it got. What run.json
// does not record yet is worked out from the chain files. Uses all cores, one parameter each.
[[nodiscard]] Summary summarise(const std::filesystem::path& run_folder,
                                const Questions& questions = {});

}  // namespace flymc
