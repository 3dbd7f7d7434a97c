// Runs of the same data held against each other: what each would have said of rows it had not seen,
// its evidence, and the differences to the first.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compare/comparable.hpp"
#include "compare/evidence.hpp"
#include "compare/loo.hpp"
#include "flymc/detail/compare/compared.hpp"
#include "flymc/message.hpp"

namespace flymc {

struct ComparedRun {
  std::string name;  // as messages show it: of a folder its path
  std::string model;
  std::vector<Coefficient> coefficients;
  std::optional<PointwiseLoo> loo;
  Message why_no_loo{};  // as a sentence, where there is none
  Evidence evidence;
  std::vector<Message> notes{};  // what a user should know of its draws
};

struct CompareOptions {
  std::size_t exact_rows = 1000;  // that leave-one-out takes all draws for
};

// A run in a folder, or in memory.
using RunPlace = std::variant<std::filesystem::path, FitInMemory>;

// THROWS Error: as read_stored_run and comparable(); kData where runs are not of the same rows and
// responses.
[[nodiscard]] std::vector<ComparedRun> compare_runs(const std::vector<RunPlace>& places,
                                                    const CompareOptions& options);

// The largest k among the rows with all draws, and how many of them are beyond 0.7.
struct KhatFacts {
  double largest = 0.0;
  std::size_t high = 0;
};
inline constexpr double kHighKhat = 0.7;
[[nodiscard]] KhatFacts khat_facts(const PointwiseLoo& loo);

// Of a run beside the first, which may be itself.
[[nodiscard]] ComparedNumbers numbers_of(const ComparedRun& first, const ComparedRun& run);

}  // namespace flymc
