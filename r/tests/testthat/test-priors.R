test_that("priors of other parameters are the command line's", {
  data <- visits()[c("age", "plan", "value", "clicks")]
  expect_same_draws(
    quick(value ~ age, data, family = gaussian(), prior_aux = list(sigma = "half_normal(0.5)")),
    draws_by_command(data, c("--formula", shQuote("value ~ age"), "--model", "normal", "--prior-aux",
                             shQuote("sigma ~ half_normal(0.5)")))
  )
  expect_same_draws(
    quick(clicks ~ age + (1 | plan), data, family = poisson(),
          prior_sd = list(plan = "half_normal(0.3)")),
    draws_by_command(data, c("--formula", shQuote("clicks ~ age + (1 | plan)"), "--model", "poisson",
                             "--prior-sd", shQuote("plan ~ half_normal(0.3)")))
  )
  expect_error(flymc(value ~ age, data, family = "normal", prior_aux = "half_normal(1)"), "by name",
               class = "flymc_usage_error")
  expect_error(flymc(value ~ age, data, family = "normal", prior_aux = list(tau = "flat")), "tau",
               class = "flymc_usage_error")
})

# As survival makes them, which need not be installed.
Surv <- function(time, event) {
  structure(cbind(time = time, status = event), class = "Surv", type = "right")
}

test_that("right censored times are Surv's", {
  set.seed(4)
  data <- data.frame(x = round(rnorm(300), 3))
  time <- round(rweibull(300, 1.5, exp(0.5 + 0.4 * data$x)) + 0.001, 4)
  limit <- round(runif(300, 0.5, 4), 4)
  data$time <- pmin(time, limit)
  data$event <- as.numeric(time <= limit)
  fit <- quick(Surv(time, event) ~ x, data, family = "weibull")
  expect_same_draws(fit, draws_by_command(
    transform(data[c("x", "time")], censored = 1 - data$event),
    c("--response", "time", "--model", "weibull", "--censored", "censored")
  ))
  expect_true(all(is.finite(log_lik(fit))))
  expect_error(flymc:::pp_check.flymc(fit), "censored time", class = "flymc_data_error")
})
