# Formulas of predictors beside the first: flymc(list(y ~ a, sigma ~ b), ...).
studies <- function() {
  data <- visits()
  set.seed(3)
  data$se <- round(runif(nrow(data), 0.5, 1.5), 3)
  data$lse <- round(log(data$se), 4)
  data
}

formulas <- function(...) as.vector(rbind("--formula", shQuote(c(...))))

test_that("formulas of several predictors draw what the command line draws", {
  data <- studies()
  fit <- quick(list(value ~ age, sigma ~ age + plan), data, family = gaussian())
  expect_same_draws(fit, draws_by_command(data[c("age", "plan", "value")], c(
    formulas("value ~ age", "sigma ~ age + plan"), "--categorical", "plan", "--model", "normal")))
  expect_identical(names(coef(fit)), c("(Intercept)", "age", "sigma: (Intercept)", "sigma: age",
                                       "sigma: planfree", "sigma: planpro"))
  expect_same_draws(
    quick(list(value ~ 1, sigma ~ hours), data, family = gaussian()),
    draws_by_command(data[c("hours", "value")],
                     c(formulas("value ~ 1", "sigma ~ hours"), "--model", "normal")))
  # Two of them, in whatever order they are given, and none of the second.
  two <- draws_by_command(data[c("age", "hours", "value")], c(
    formulas("value ~ age", "sigma ~ hours", "nu ~ 1"), "--model", "student-t", "--nu", "infer",
    "--scale", "infer"))
  expect_same_draws(quick(list(value ~ age, sigma ~ hours, nu ~ 1), data, family = "student-t",
                          settings = list(nu = "infer", scale = "infer")), two)
  expect_same_draws(quick(list(value ~ age, nu ~ 1, sigma ~ hours), data, family = "student-t",
                          settings = list(nu = "infer", scale = "infer")), two)
})

test_that("an offset belongs to the predictor whose formula has it", {
  data <- studies()
  known <- quick(list(value ~ age, sigma ~ 0 + offset(log(se))), data, family = gaussian())
  expect_same_draws(known, draws_by_command(data[c("age", "value", "se")], c(
    formulas("value ~ age", "sigma ~ 0 + offset(log(se))"), "--model", "normal")))
  expect_identical(names(coef(known)), c("(Intercept)", "age"))
  expect_equal(unname(posterior_linpred(known, data[5:6, ], dpar = "sigma")[1, ]), log(data$se[5:6]))
  both <- quick(list(value ~ age + offset(hours), sigma ~ offset(lse)), data, family = gaussian())
  expect_same_draws(both, draws_by_command(data[c("age", "value", "hours", "lse")], c(
    formulas("value ~ age + offset(hours)", "sigma ~ offset(lse)"), "--model", "normal")))
})

test_that("a likelihood of one's own has formulas, too", {
  data <- visits()[c("age", "hours", "clicks")]
  text <- "r = exp(size); lrising(r, y) + y*(mu - size) - (r + y)*softplus(mu - size)"
  fit <- quick(list(clicks ~ age, size ~ hours), data,
               likelihood = flymc_likelihood(text, c("mu", "size")))
  expect_same_draws(fit, draws_by_command(data, c(
    formulas("clicks ~ age", "size ~ hours"), "--likelihood", shQuote(text), "--predictors",
    "mu,size")))
})

test_that("what is asked of the fit hears every formula", {
  data <- studies()
  fit <- quick(list(value ~ poly(age, 2), sigma ~ age + plan), data, family = gaussian())
  draws <- as.matrix(fit)
  log_sigma <- draws[, "sigma: (Intercept)"] + draws[, "sigma: age"] %o% data$age +
    draws[, "sigma: planfree"] %o% (data$plan == "free") +
    draws[, "sigma: planpro"] %o% (data$plan == "pro")
  expect_equal(unname(posterior_linpred(fit, dpar = "sigma")), unname(log_sigma))
  known <- dnorm(rep(data$value, each = nrow(draws)), posterior_linpred(fit), exp(log_sigma),
                 log = TRUE)
  expect_equal(unname(log_lik(fit)), unname(matrix(known, nrow(draws))), tolerance = 1e-10)
  expect_equal(unname(log_lik(fit, rows = 7:9)), unname(log_lik(fit)[, 7:9]))
  expect_equal(unname(log_lik(fit, data[7:9, ])), unname(log_lik(fit)[, 7:9]))
  new <- data[1:4, c("age", "plan")]
  new$plan[2] <- NA
  answer <- predict(fit, new, interval = "prediction", seed = 1)
  expect_identical(is.na(answer[, "lwr"]), c(`1` = FALSE, `2` = TRUE, `3` = FALSE, `4` = FALSE))
  expect_identical(is.na(answer[, "fit"]), c(`1` = FALSE, `2` = FALSE, `3` = FALSE, `4` = FALSE))
  expect_output(print(fit), "value ~ poly(age, 2)\nsigma ~ age + plan", fixed = TRUE)
  expect_error(posterior_linpred(fit, dpar = "nu"), "this fit has sigma", class = "flymc_usage_error")
})

test_that("missing values, weights, contrasts and update mean what they mean of one formula", {
  data <- studies()
  data$plan[3] <- NA
  data$times <- rep(0:2, length.out = nrow(data))
  sums <- list(plan = "contr.sum")
  fit <- quick(list(value ~ age, sigma ~ plan), data, family = gaussian(), weights = times,
               contrasts = sums)
  expect_identical(nobs(fit), nrow(data) - 1L)
  expect_identical(names(coef(fit))[3:5], c("sigma: (Intercept)", "sigma: plan1", "sigma: plan2"))
  wider <- update(fit, . ~ . + hours)
  expect_identical(names(coef(wider))[2:3], c("age", "hours"))
  expect_identical(names(coef(wider))[4:6], names(coef(fit))[3:5])
  other <- update(fit, list(value ~ age, sigma ~ age))
  expect_identical(names(coef(other))[4], "sigma: age")
  file <- tempfile()
  saveRDS(fit, file)
  expect_identical(update(readRDS(file), iter = 350)$draws, update(fit, iter = 350)$draws)
})
