test_that("errors have a class and speak R", {
  data <- visits()
  three <- expect_error(quick(plan ~ age, data), class = "flymc_data_error")
  expect_match(conditionMessage(three), 'family = "softmax"', fixed = TRUE)
  expect_error(quick(value ~ age, data, family = "poisson"), 'family = "student-t"',
               class = "flymc_data_error", fixed = TRUE)
  expect_error(quick(bought ~ age, data, family = "logit"), class = "flymc_usage_error")
  expect_error(quick(bought ~ age, data, family = binomial("cauchit")), "binomial/cauchit",
               class = "flymc_usage_error")
  expect_error(quick(bought ~ age, data, settings = list(nu = 3)), "has no setting nu",
               class = "flymc_usage_error")
  expect_error(quick(bought ~ age, data, prior = "normal:1"), "normal(0, scale)",
               class = "flymc_usage_error", fixed = TRUE)
  expect_error(quick(clicks ~ age, data, family = "binomial"), "cbind(successes, failures)",
               class = "flymc_data_error", fixed = TRUE)
  expect_error(normal(1, 2), "location must be 0", class = "flymc_usage_error")
  expect_error(flymc(bought ~ age, data, chains = 0), "chains", class = "flymc_usage_error")
  expect_error(flymc(bought ~ age, data, iter = 10, warmup = 10), "no draw",
               class = "flymc_usage_error")
})

test_that("no message names an option of the command line", {
  data <- visits()
  calls <- list(
    quote(quick(plan ~ age, data)), quote(quick(value ~ age, data)),
    quote(quick(value ~ age, data, family = "beta")),
    quote(quick(bought ~ age, data, family = "student-t")),
    quote(quick(I(bought == "no") ~ age, data[data$bought == "no", ])),
    quote(quick(plan ~ age, data, family = "softmax", prior = flat()))
  )
  for (call in calls) {
    said <- tryCatch(eval(call), error = conditionMessage)
    expect_type(said, "character")
    expect_false(grepl("--", said, fixed = TRUE), info = said)
  }
})

test_that("separated classes are an error under a flat prior and a warning under a proper one", {
  x <- seq(-2, 2, length.out = 40)
  y <- x > 0
  expect_error(quick(y ~ x, prior = flat()), "no proper posterior", class = "flymc_data_error")
  expect_warning(flymc(y ~ x, iter = 200, chains = 1), "separable", class = "flymc_warning")
})

test_that("an interrupt keeps the draws, and update goes on from them", {
  skip_on_os("windows")
  data <- visits()
  pid <- Sys.getpid()
  system(paste0("(sleep 2; kill -INT ", pid, ")"), wait = FALSE)
  expect_warning(fit <- flymc(bought ~ age + plan, data, iter = 1e8, warmup = 150, chains = 2,
                              seed = 7, progress = FALSE),
                 "interrupted at draw", class = "flymc_warning")
  got <- dim(fit$draws)[1]
  expect_gt(got, 0)
  expect_length(coef(fit), 4)
  whole <- flymc(bought ~ age + plan, data, iter = 150 + 100, warmup = 150, chains = 2, seed = 7)
  expect_identical(fit$draws[1:100, , ], whole$draws)
})

test_that("a likelihood that cannot be used is one clear line", {
  data <- visits()
  expect_error(quick(clicks ~ age, data, likelihood = 3), "likelihood must be a text")
  expect_error(flymc_likelihood(c("a", "b")), "density must be one text")
  expect_error(flymc_likelihood("y*mu", character()), "predictors must be names")
  expect_error(quick(clicks ~ age, data, family = "poisson", likelihood = "y*mu - exp(mu)"),
               "family and likelihood contradict each other")
  expect_error(quick(clicks ~ age, data, likelihood = "y*mu - exp(mu)", settings = list(nu = 4)),
               "a likelihood of your own has none")
  expect_error(quick(clicks ~ age, data, likelihood = "y*mu - exq(mu)"), "no function 'exq'")
})
