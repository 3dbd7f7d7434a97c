// The draws of a run in the form in which rows are multiplied with them: for draw s, predictor k
// and row x,  eta_sk = constants(s, k) + slopes[k].row(s) . x; an offset among the columns of x
// adds 1 to its slope.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/family/family.hpp"
#include "run/group_draws.hpp"
#include "run/run_config.hpp"
#include "run/run_folder.hpp"

namespace flymc {

struct RunDraws {
  StoredRun run;
  std::shared_ptr<const Family> family;
  std::vector<std::string> features;  // columns of a row, indicators spelled out
  Matrix constants;                   // draws x predictors; 0 without an intercept
  std::vector<Matrix> slopes;         // draws x features; no numbers where it is a constant
  std::optional<GroupDraws> groups;   // coefficients that vary by level
  std::vector<std::string> notes;     // what a user should know of these draws

  [[nodiscard]] std::size_t draws() const noexcept {
    return static_cast<std::size_t>(constants.rows());
  }
  [[nodiscard]] std::size_t predictors() const noexcept {
    return static_cast<std::size_t>(constants.cols());
  }
};

// The columns of a row, indicators spelled out. THROWS Error(kData) where run.json has no such
// list.
[[nodiscard]] std::vector<std::string> feature_names(const StoredRun& run,
                                                     const std::filesystem::path& folder);

// THROWS Error(kData) where the chain files have other parameters than run.json says.
void require_same_parameters(const StoredRun& run, const RunChains& chains,
                             const std::filesystem::path& folder);

// What to say of the draws of a run that has not come to its end.
[[nodiscard]] std::string incomplete_note(const StoredRun& run, const RunChains& chains);

// The draws of a run that is in no folder, `at_most` as below. REQUIRES: chains with the parameters
// of such a run.
[[nodiscard]] RunDraws arrange_draws(StoredRun run, std::vector<std::string> features,
                                     const RunChains& chains, std::size_t at_most = 0);

// The draws of all chains; of more than `at_most` (0: no limit) that many, evenly spaced. A run
// that was interrupted or still goes on gives what it holds.
// THROWS Error as read_stored_run and read_run_chains; kData where the two do not belong together.
[[nodiscard]] RunDraws read_run_draws(const std::filesystem::path& folder, std::size_t at_most);

}  // namespace flymc
