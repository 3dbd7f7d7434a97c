// A summary of a run that went well.
#pragma once

#include "flymc/diagnose/summary.hpp"

namespace flymc {

[[nodiscard]] inline Summary made_up_summary() {
  Summary s;
  s.folder = "run/";
  s.model = "logistic";
  s.engine = "fly";
  s.status = "complete";
  s.exact = true;
  s.n = 1'000'000;
  s.d = 2;
  s.chains = 4;
  s.draws = 1000;
  s.warmup = 1000.0;
  s.cost = {.seconds_setup = 3.21,
            .passes_setup = 14.0,
            .seconds_sampling = 8.0,
            .queries_total = 6.3e6,
            .queries_per_iteration = 1575.0,
            .regular_queries_per_iteration = 1e7,
            .mean_bright = 1834.2,
            .max_bright = 1982.0};
  const Estimate alpha = {.mean = 1.20345,
                          .sd = 0.2561,
                          .mcse_mean = 0.0041,
                          .q5 = 0.7812,
                          .q50 = 1.2,
                          .q95 = 1.6251,
                          .ess_bulk = 3902.4,
                          .ess_tail = 3100.0,
                          .ess_coda = 4011.6,
                          .rhat = 1.0004};
  const Estimate beta = {.mean = -0.0512,
                         .sd = 0.0314,
                         .mcse_mean = 0.00062,
                         .q5 = -0.1029,
                         .q50 = -0.0513,
                         .q95 = 0.00021,
                         .ess_bulk = 2565.0,
                         .ess_tail = 2800.0,
                         .ess_coda = 2600.0,
                         .rhat = 1.003};
  s.parameters = {{.column = "alpha", .label = "(intercept)", .estimate = alpha},
                  {.column = "beta.1", .label = "age", .estimate = beta}};
  s.log_density = {.column = "lp__", .label = "log density", .estimate = beta};
  s.log_density.estimate.ess_bulk = 1260.0;
  return s;
}

}  // namespace flymc
