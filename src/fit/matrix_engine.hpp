// The engine of all models of several predictors, compiled once.
#pragma once

#include "family/matrix_model.hpp"
#include "fit/model_engine.hpp"

namespace flymc {

extern template std::unique_ptr<EngineSetup> make_setup<AnyMatrix>(AnyMatrix, const Problem&,
                                                                   const FitSettings&, EngineKind,
                                                                   const std::atomic<bool>*);
extern template double log_posterior<AnyMatrix>(const AnyMatrix&, const Problem&, const Vector&);
extern template double held_out_score<AnyMatrix>(const AnyMatrix&, const Prior&, const HeldOut&,
                                                 unsigned, Vector&);

}  // namespace flymc
