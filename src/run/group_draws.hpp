// Draws of coefficients that vary by level, as rows are multiplied with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fit/prepare.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/diagnose/summary.hpp"
#include "flymc/table.hpp"

namespace flymc {

// How many of a run's parameters, its last ones, are those of group terms. `names`: their columns
// or labels.
[[nodiscard]] std::size_t group_parameters(const std::vector<GroupTerm>& terms,
                                           const std::vector<std::string>& names);

// Of one term.
struct TermDraws {
  GroupTerm term;
  std::uint32_t number = 0;  // of the term
  std::vector<std::string>
      labels;                   // of the levels, in the order of the draws; none were kept: none
  std::vector<Matrix> levels;   // one a coefficient: draws x levels
  std::vector<Matrix> factors;  // one a draw: lower Cholesky factor of their covariance
  std::vector<std::size_t> columns;  // of a row, whose slopes vary: positions among its features

  void add(std::uint32_t level, double sign, const double* row, double* eta) const;
};

struct GroupDraws {
  std::vector<TermDraws> terms;

  // Adds to the predictor of one row under every draw. A level beyond those that were kept is a new
  // one, drawn from the distribution of levels: the same for all rows that have it.
  void add(const std::vector<Factor>& of_table, std::size_t row, const double* x,
           double* eta) const;
};

// Of the picked draws, chains one after another. `labels`: of all parameters of the run.
[[nodiscard]] std::optional<GroupDraws> arrange_groups(const std::vector<GroupTerm>& terms,
                                                       const std::vector<std::string>& labels,
                                                       const std::vector<std::string>& features,
                                                       const RunChains& chains,
                                                       const std::vector<std::size_t>& picked);
// Of the problem's own rows; none where no coefficient varies by level.
[[nodiscard]] std::optional<GroupDraws> arrange_groups(const Problem& problem,
                                                       const RunChains& chains,
                                                       const std::vector<std::size_t>& picked);

}  // namespace flymc
