test_that("factors, an offset and weights draw what the command line draws", {
  data <- visits()
  expect_same_draws(
    quick(bought ~ age + plan, data),
    draws_by_command(data[c("age", "plan", "bought")],
                     c("--response", "bought", "--categorical", "plan"))
  )
  data$log_hours <- log(data$hours)
  data$times <- rep(0:3, length.out = nrow(data))
  expect_same_draws(
    quick(clicks ~ age + offset(log_hours), data, family = poisson(), weights = times),
    draws_by_command(
      transform(data[c("age", "clicks", "times")], log_hours = sprintf("%.17g", data$log_hours)),
      c("--response", "clicks", "--model", "poisson", "--weights", "times", "--offset", "log_hours")
    )
  )
})

test_that("priors, engines and settings mean the same", {
  data <- visits()[c("age", "hours", "value")]
  expect_same_draws(
    quick(value ~ age + hours, data, family = "student-t", settings = list(nu = 5, scale = "infer"),
          prior = laplace(0, 0.7), prior_intercept = normal(0, 3), engine = "regular"),
    draws_by_command(data, c("--response", "value", "--model", "student-t", "--nu", 5, "--scale",
                             "infer", "--prior", "laplace:0.7", "--prior-intercept", "normal:3",
                             "--engine", "regular"))
  )
  expect_same_draws(
    quick(value ~ 0 + age + hours, data, family = gaussian(), prior = normal(0, 10)),
    draws_by_command(data, c("--response", "value", "--model", "normal", "--no-intercept",
                             "--prior", "normal:10"))
  )
})

test_that("the scale of student-t is sampled unless something else is asked", {
  data <- visits()[c("age", "value")]
  for (scale in list(NULL, "infer", "auto", 0.7)) {
    fit <- quick(value ~ age, data, family = "student-t", settings = c(scale = scale))
    asked <- c("--scale", if (is.null(scale)) "infer" else scale)
    expect_same_draws(fit, draws_by_command(data, c("--response", "value", "--model", "student-t",
                                                    asked)))
    expect_length(predict(fit), nrow(data))
  }
})

test_that("a number fixes a parameter that is sampled else", {
  data <- visits()[c("age", "value")]
  fit <- quick(value ~ age, data, family = gaussian(), settings = list(sigma = 0.7))
  expect_same_draws(fit, draws_by_command(data, c("--response", "value", "--model", "normal",
                                                  "--sigma", 0.7)))
  known <- dnorm(data$value, posterior_linpred(fit)[3, ], 0.7, log = TRUE)
  expect_equal(unname(log_lik(fit)[3, ]), unname(known), tolerance = 1e-10)
})

test_that("every family of one response column draws what the command line draws", {
  data <- visits()
  responses <- c("two classes" = "bought", classes = "plan", ordered = "plan", numbers = "value",
                 positive = "hours", shares = "share", counts = "clicks")
  for (row in which(flymc_families()$response != "successes")) {
    family <- flymc_families()[row, ]
    response <- responses[[family$response]]
    fit <- quick(stats::reformulate("age", response), data, family = family$family)
    expected <- draws_by_command(data[c("age", response)],
                                 c("--response", response, "--model", family$family))
    expect_identical(unname(fit$draws), unname(expected), info = family$family)
  }
})

test_that("an intercept alone draws what the command line draws", {
  data <- visits()
  for (one in list(c("clicks", "poisson"), c("value", "normal"), c("plan", "ordinal"))) {
    fit <- quick(stats::reformulate("1", one[1]), data, family = one[2])
    expected <- draws_by_command(data[one[1]],
                                 c("--formula", paste0(one[1], "~1"), "--model", one[2]))
    expect_identical(unname(fit$draws), unname(expected), info = one[2])
    expect_identical(NROW(unique(predict(fit, data[1:4, ]))), 1L)
  }
})

test_that("ordered classes are in the order of their levels", {
  data <- visits()
  data$plan <- factor(data$plan, rev(sort(unique(as.character(data$plan)))), ordered = TRUE)
  fit <- quick(plan ~ age, data, family = "cumulative")
  expect_same_draws(
    fit,
    draws_by_command(data[c("age", "plan")],
                     c("--response", "plan", "--model", "ordinal", "--order",
                       paste(levels(data$plan), collapse = ",")))
  )
  shares <- predict(fit, data[1:5, ])
  expect_identical(colnames(shares), levels(data$plan))
  expect_equal(unname(rowSums(shares)), rep(1, 5))
  expect_length(predict(fit, data[1:5, ], type = "link"), 5)
})

test_that("successes and failures are successes and trials", {
  data <- visits()
  data$failures <- data$clicks + 1
  data$trials <- data$clicks + data$failures
  expect_same_draws(
    quick(cbind(clicks, failures) ~ age, data, family = binomial()),
    draws_by_command(data[c("age", "clicks", "trials")],
                     c("--response", "clicks", "--model", "binomial", "--trials", "trials"))
  )
})

test_that("draws do not depend on cores", {
  data <- visits()
  expect_identical(quick(bought ~ age, data, cores = 1)$draws,
                   quick(bought ~ age, data, cores = 2)$draws)
})

test_that("a likelihood as text draws what the command line draws", {
  data <- visits()[c("age", "hours", "clicks")]
  text <- "r = exp(size); lrising(r, y) + y*(mu - size) - (r + y)*softplus(mu - size)"
  own <- flymc_likelihood(text, c("mu", "size"))
  fit <- quick(clicks ~ age + hours, data, likelihood = own, prior_aux = list(size = "normal(1, 2)"))
  expect_same_draws(fit, draws_by_command(data, c(
    "--response", "clicks", "--likelihood", shQuote(text), "--predictors", "mu,size",
    "--prior-aux", shQuote("size ~ normal(1, 2)"))))
  expect_identical(dimnames(fit$draws)[[3]], c("(Intercept)", "age", "hours", "size"))
  expect_identical(posterior_epred(fit, data[1:3, ]), posterior_linpred(fit, data[1:3, ]))
  expect_equal(dim(log_lik(fit)), c(300, nrow(data)))
  expect_error(posterior_predict(fit), "not how to draw one")
  expect_output(print(own), "log density of y in mu, size")
  one <- quick(clicks ~ age, data, likelihood = "y*mu - exp(mu)", prior = normal(0, 1))
  expect_same_draws(one, draws_by_command(data[c("age", "clicks")], c(
    "--response", "clicks", "--likelihood", shQuote("y*mu - exp(mu)"), "--predictors", "mu",
    "--prior", "normal:1")))
})

test_that("a beta-binomial takes successes and failures", {
  data <- visits()
  data$m <- rep(5:8, length.out = nrow(data))
  set.seed(2)
  data$k <- rbinom(nrow(data), data$m, rbeta(nrow(data), 2, 3))
  fit <- quick(cbind(k, m - k) ~ age, data, family = "beta_binomial")
  expect_same_draws(fit, draws_by_command(data[c("age", "k", "m")], c(
    "--response", "k", "--trials", "m", "--model", "beta-binomial")))
  chance <- plogis(posterior_linpred(fit)[5, ])
  phi <- as.matrix(fit)[5, "phi"]
  known <- lchoose(data$m, data$k) + lbeta(data$k + chance * phi, data$m - data$k + (1 - chance) * phi) -
    lbeta(chance * phi, (1 - chance) * phi)
  expect_equal(unname(log_lik(fit)[5, ]), unname(known), tolerance = 1e-10)
  expect_true(all(posterior_predict(fit, draws = 4) <= rep(data$m, each = 4)))
})
