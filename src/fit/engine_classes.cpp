#include "fit/engine_run.hpp"

namespace flymc {

template EngineResult run_model<Logistic>(const Logistic&, const Problem&, const FitOptions&,
                                          const EngineHooks&);
template EngineResult run_model<Probit>(const Probit&, const Problem&, const FitOptions&,
                                        const EngineHooks&);
template EngineResult run_model<Binomial>(const Binomial&, const Problem&, const FitOptions&,
                                          const EngineHooks&);

}  // namespace flymc
