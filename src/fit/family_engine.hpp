// What a fit does with a family, its type known: the doors from the run-time Family to templates.
// One file a family instantiates them (cmake/families.cmake), so that families compile side by
// side.
#pragma once

#include <atomic>
#include <memory>

#include "fit/engine_setup.hpp"
#include "flymc/family/family.hpp"
#include "groups/row_model.hpp"
#include "tune/held_out.hpp"

namespace flymc {

struct FamilyEngine {
  std::unique_ptr<EngineSetup> (*set_up)(const Problem& problem, const FitSettings& options,
                                         EngineKind engine, const std::atomic<bool>* stop);
  // For groups; null of a family that has several predictors.
  std::unique_ptr<const RowModel> (*row_model)(const Family& family);
  double (*log_posterior)(const Problem& problem, const Vector& theta);
  // As held_out_score().
  double (*held_out_score)(const Family& family, const Prior& prior, const HeldOut& data,
                           unsigned threads, Vector& theta);
};

template <class M>
[[nodiscard]] const FamilyEngine& family_engine() noexcept;

// Of a likelihood as text.
[[nodiscard]] const FamilyEngine& own_engine() noexcept;

[[nodiscard]] const FamilyEngine& engine_of(const Family& family) noexcept;

}  // namespace flymc
