// The coefficients of several classes as people read them: each class against one of them.
//
// Softmax has a vector of coefficients for every class. A vector that is added to all of them
// changes no probability, so the data speak of differences alone, and where the vectors lie
// together only the prior says. beta_k - beta_r is the change of log(P(k) / P(r)) with a unit of
// the column.
#pragma once

#include <string>
#include <vector>

#include "diagnose/contrast.hpp"
#include "flymc/diagnose/summary.hpp"

namespace flymc {

// The parameters are of classes: alpha.1, alpha.2, ..., beta.1.1, ...
[[nodiscard]] bool has_class_vectors(const RunRecord& record);

// A run whose parameters are differences, under the columns "beta.2.1 - beta.1.1" and the labels
// "car vs bus: age", in the order of the classes without the reference; all else as it was.
struct ClassDifferences {
  std::string reference;
  RunRecord record;
  RunChains run;
};

// `reference`: a class; empty: the one with the most rows. THROWS Error kUsage where there is no
// such class. REQUIRES: has_class_vectors(record), and chains that have its columns.
[[nodiscard]] ClassDifferences compare_classes(const RunRecord& record, const RunChains& run,
                                               const std::string& reference);

// Every class against every other under such a label, as numbers of `record.parameters`.
[[nodiscard]] std::vector<Contrast> class_pairs(const RunRecord& record);

}  // namespace flymc
