#include "flymc/engine_run.hpp"

namespace flymc::app {

template EngineResult run_model<Poisson>(const Poisson&, const Problem&, const FitOptions&,
                                         const EngineHooks&);
template EngineResult run_model<NegativeBinomial>(const NegativeBinomial&, const Problem&,
                                                  const FitOptions&, const EngineHooks&);

}  // namespace flymc::app
