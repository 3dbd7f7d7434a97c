#include "fit/engine_run.hpp"

namespace flymc {

template EngineResult run_model<StudentT>(const StudentT&, const Problem&, const FitOptions&,
                                          const EngineHooks&);

}  // namespace flymc
