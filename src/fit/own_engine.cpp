#include "family/own_family.hpp"
#include "fit/family_engine.hpp"
#include "fit/matrix_engine.hpp"

namespace flymc {
namespace {

AnyMatrix own_engine_model(const Family& family) { return AnyMatrix(own_model(family)); }

}  // namespace

const FamilyEngine& own_engine() noexcept { return engine_with<&own_engine_model>(); }

}  // namespace flymc
