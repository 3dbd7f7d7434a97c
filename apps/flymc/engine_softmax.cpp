#include "flymc/engine_run.hpp"

namespace flymc::app {

template EngineResult run_model<Softmax>(const Softmax&, const Problem&, const FitOptions&,
                                         const EngineHooks&);

}  // namespace flymc::app
