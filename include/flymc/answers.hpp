// What a fit in memory answers beside its summary: what inputs do, whether it predicts, how it
// stands beside others of the same rows, and the page that says it all. For front ends whose
// columns are their own; numbers and texts are those of `flymc effects`, `check`, `compare` and
// `report`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "flymc/detail/check/checked_run.hpp"
#include "flymc/detail/compare/compared.hpp"
#include "flymc/detail/effects/effects.hpp"
#include "flymc/detail/predict/held_rows.hpp"
#include "flymc/fit.hpp"
#include "flymc/message.hpp"

namespace flymc {

struct EffectsQuestion {
  std::vector<std::string> of{};      // these inputs, with their curves; none: all, without
  std::optional<std::size_t> rows{};  // at most, 0: all; none: 100,000, fewer where it takes long
  std::size_t draws = 1000;           // at most, evenly spaced; 0: all
  double prob = 0.95;                 // of the intervals
  unsigned threads = 0;               // 0: all cores
};

struct CheckQuestion {
  std::size_t rows = 50'000;  // at most, taken at random; 0: all
  std::size_t draws = 400;    // at most, evenly spaced; 0: all
  double prob = 0.95;         // of the intervals
  unsigned threads = 0;       // 0: all cores
};

// REQUIRES of all below: fit.draws() > 0; rows that are those of the fit, or others with the same
// columns. THROWS Error: kUsage for an input that the model does not have, or a prob outside of
// (0, 1); kData for rows that the fit cannot be asked about.
[[nodiscard]] Effects effects_of(const Fit& fit, const HeldRows& rows,
                                 const EffectsQuestion& question);
// As text, for people.
[[nodiscard]] std::string effects_table(const Effects& effects);

// THROWS Error: kUsage, too, for a likelihood that does not say what to expect.
[[nodiscard]] CheckedRun check_of(const Fit& fit, const HeldRows& rows,
                                  const CheckQuestion& question);
[[nodiscard]] std::string check_table(const CheckedRun& run);
// "fitted", "held out" or "other".
[[nodiscard]] std::string name_of(CheckedRows which);

// A fit with the rows that it was made of.
struct HeldFit {
  std::string name;  // as texts call it
  const Fit* fit = nullptr;
  const HeldRows* rows = nullptr;
  // Inputs whose missing values left out rows, for fits that do not have the same; as texts call
  // them.
  std::vector<std::string> missing_in{};
};

struct ComparedFit {
  std::string name;
  std::string model;
  ComparedNumbers numbers{};
  std::vector<Coefficient> coefficients{};
  std::string why_not{};  // a number is not there; empty: all are
  std::vector<std::string> notes{};
};

struct ComparedFits {
  std::vector<ComparedFit> fits{};
  std::string text{};  // with at most 20 coefficients, or all
};

// THROWS Error(kData) where fits are not of the same rows and responses.
[[nodiscard]] ComparedFits compare_fits(const std::vector<HeldFit>& fits, bool all,
                                        const Wording& wording);

// The page of `flymc report`, one file that needs no other.
[[nodiscard]] std::string report_of(const Fit& fit, const HeldRows& rows, const Wording& wording);

}  // namespace flymc
