#include "flymc/engine_run.hpp"

namespace flymc::app {

template EngineResult run_model<StudentT>(const StudentT&, const Problem&, const FitOptions&,
                                          const EngineHooks&);

}  // namespace flymc::app
