#include <R_ext/Rdynload.h>

#include "answers.hpp"
#include "estimates.hpp"
#include "family.hpp"
#include "run.hpp"
#include "smooth.hpp"

namespace {

template <class Function>
DL_FUNC address_of(Function* function) {
  return reinterpret_cast<DL_FUNC>(function);
}

}  // namespace

extern "C" void R_init_flymc(DllInfo* library) {
  namespace r = flymc::r;
  static const R_CallMethodDef kCalls[] = {
      {"make_fit", address_of(&r::make_fit), 2},
      {"advance_fit", address_of(&r::advance_fit), 3},
      {"read_fit", address_of(&r::read_fit), 1},
      {"count_draws", address_of(&r::count_draws), 1},
      {"is_alive", address_of(&r::is_alive), 1},
      {"estimate_draws", address_of(&r::estimate_draws), 1},
      {"fit_effects", address_of(&r::fit_effects), 3},
      {"fit_check", address_of(&r::fit_check), 3},
      {"compare_runs", address_of(&r::compare_runs), 2},
      {"fit_report", address_of(&r::fit_report), 2},
      {"list_families", address_of(&r::list_families), 0},
      {"family_means", address_of(&r::family_means), 3},
      {"family_log_lik", address_of(&r::family_log_lik), 5},
      {"family_sample", address_of(&r::family_sample), 5},
      {"class_set", address_of(&r::class_set), 3},
      {"smooth_constants", address_of(&r::smooth_constants_of), 2},
      {"smooth_values", address_of(&r::smooth_values), 3},
      {nullptr, nullptr, 0}};
  R_registerRoutines(library, nullptr, kCalls, nullptr, nullptr);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
