// From a table to a problem the engine can run: labels encoded, constant columns dropped, columns
// standardised where the prior is automatic, the prior really used, and what to tell the user.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/table/merge_rows.hpp"
#include "fit/parameters.hpp"
#include "fit/prior_setup.hpp"
#include "fit/settings.hpp"
#include "flymc/dataset.hpp"
#include "flymc/diagnose/summary.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/load.hpp"
#include "flymc/message.hpp"
#include "groups/group_scales.hpp"

namespace flymc {

// A row by its number as given, the first of so many equal ones.
struct GivenRow {
  std::size_t first = 0;
  std::size_t count = 1;
};

// Coefficients that vary by the levels of factors of the data.
struct ProblemGroups {
  std::vector<GroupTerm> terms;
  std::vector<std::size_t> levels;   // of each term
  std::vector<PriorTerm> sd_priors;  // of their standard deviations, one a coefficient
  bool keeps_levels = true;          // draws hold every level, not the scales alone
  SharedLaws shared{};

  [[nodiscard]] GroupScales scales() const {
    std::vector<Index> blocks;
    for (const GroupTerm& term : terms) {
      const std::size_t q = term.size();
      blocks.insert(blocks.end(), term.correlated ? 1 : q,
                    term.correlated ? static_cast<Index>(q) : 1);
    }
    return {sd_priors, std::move(blocks), shared};
  }
};

struct Problem {
  std::shared_ptr<const Family> family;
  Dataset data;
  std::size_t rows = 0;  // as given; equal ones may be merged in `data`
  Prior prior;
  std::string response;                   // its name
  std::vector<std::string> classes;       // labels in the order of their codes; empty: numbers
  double successes = 0.0;                 // where the response is such: in all rows together,
  double trials = 0.0;                    // of so many trials
  std::vector<PredictorDesign> designs;   // one a predictor
  std::vector<ParameterPlace> places;     // of the parameters, in the order of the chain files
  std::vector<ParameterName> parameters;  // their names
  PriorUsed prior_used;
  std::vector<Message> notes;
  std::vector<Message> warnings;
  Levels levels{};                          // of categorical columns
  Constants constants{};                    // of the formula
  std::vector<MergedRow> merged{};          // of data's rows held here; empty: they are as given
  std::size_t first_given = 0;              // number, as given, of the first row held here
  std::size_t left_out = 0;                 // rows of the input that are not among those given
  RowGaps gaps{};                           // which, as Table has them
  std::vector<FileChecksum> files{};        // that it came from, as Loaded has them; none: built in
  ColumnsOfPredictors columns{};            // as asked for, without constant ones
  double censored = 0.0;                    // rows whose response is -t, of a time beyond t
  std::vector<std::uint64_t> class_rows{};  // where every class has coefficients: rows of each
  bool noise_free = false;                  // an automatic scale found no noise
  std::optional<ProblemGroups> groups{};    // theta is then (fixed effects, levels, scales)

  [[nodiscard]] int predictors() const noexcept { return family->predictors(); }

  // The row of the data that this row as given is; none where it is not the first of those merged.
  [[nodiscard]] std::optional<std::size_t> find_row(std::size_t given) const;
};

// Whether a column varies so little that an intercept says the same.
[[nodiscard]] bool is_constant(const ColumnMoments& moments, Index column) noexcept;

// What Prior::log_density leaves out; of cut points also that they are restricted to their order.
[[nodiscard]] double log_prior_constant(const Problem& problem);

// THROWS Error(kData) for a response the model cannot use and for a posterior that is not proper.
[[nodiscard]] Problem prepare(Table table, const FitSettings& options);

}  // namespace flymc
