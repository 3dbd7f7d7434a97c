#include "fit/engine_run.hpp"

namespace flymc {

template EngineResult run_model<Softmax>(const Softmax&, const Problem&, const FitOptions&,
                                         const EngineHooks&);

}  // namespace flymc
