// The models that `fit` knows, each once in three lists of the same order: its kind, its type, and
// its entry (in models.cpp). All that is chosen by model elsewhere is chosen by these.
#pragma once

#include <span>
#include <variant>

#include "flymc/family/binomial.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/family/probit.hpp"
#include "flymc/family/softmax.hpp"
#include "flymc/family/student_t.hpp"

namespace flymc {

enum class ModelKind {
  kLogistic,
  kSoftmax,
  kStudentT,
  kPoisson,
  kProbit,
  kBinomial,
  kNegativeBinomial,
};

using AnyModel =
    std::variant<Logistic, Softmax, StudentT, Poisson, Probit, Binomial, NegativeBinomial>;

// What a column of responses holds, and so how it is read and checked.
enum class ResponseKind { kTwoClasses, kClasses, kNumbers, kCounts, kSuccesses };

struct ModelEntry {
  ModelKind kind;
  const char* word;  // of --model
  ResponseKind response;
  bool has_global_bound;  // the paper's bounds exist
};

[[nodiscard]] std::span<const ModelEntry> all_models() noexcept;
[[nodiscard]] const ModelEntry& entry_of(ModelKind kind) noexcept;
[[nodiscard]] const char* name_of(ModelKind kind) noexcept;

}  // namespace flymc
