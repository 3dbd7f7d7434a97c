#include "fit/matrix_engine.hpp"

namespace flymc {

template std::unique_ptr<EngineSetup> make_setup<AnyMatrix>(AnyMatrix, const Problem&,
                                                            const FitSettings&, EngineKind,
                                                            const std::atomic<bool>*);
template double log_posterior<AnyMatrix>(const AnyMatrix&, const Problem&, const Vector&);
template double held_out_score<AnyMatrix>(const AnyMatrix&, const Prior&, const HeldOut&, unsigned,
                                          Vector&);

}  // namespace flymc
