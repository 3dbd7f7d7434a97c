// The engine of one family.
#pragma once

#include <memory>

#include "family/matrix_model.hpp"
#include "fit/family_engine.hpp"
#include "fit/matrix_engine.hpp"
#include "flymc/detail/family/family_of.hpp"

namespace flymc {

template <FamilyDefinition M>
[[nodiscard]] auto engine_model(const Family& family) {
  if constexpr (MatrixLikelihood<M>) {
    return AnyMatrix(std::make_shared<const MatrixModelOf<M>>(model_of<M>(family)));
  } else {
    return model_of<M>(family);
  }
}

template <class M>
const FamilyEngine& family_engine() noexcept {
  return engine_with<&engine_model<M>>();
}

}  // namespace flymc
