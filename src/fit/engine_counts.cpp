#include "fit/engine_run.hpp"

namespace flymc {

template EngineResult run_model<Poisson>(const Poisson&, const Problem&, const FitOptions&,
                                         const EngineHooks&);
template EngineResult run_model<NegativeBinomial>(const NegativeBinomial&, const Problem&,
                                                  const FitOptions&, const EngineHooks&);

}  // namespace flymc
