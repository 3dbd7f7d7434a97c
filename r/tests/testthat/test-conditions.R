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
  data$shop <- rep(c("a", "b", "c", "d"), length.out = nrow(data))
  data$none <- NA_real_
  data$one <- 1
  data$infinite <- c(Inf, data$age[-1])
  data$when <- as.Date("2024-01-01") + seq_len(nrow(data))
  fit <- quick(bought ~ age + (1 | shop), data)
  classes <- quick(plan ~ age, data, family = "softmax")
  calls <- expression(
    quick(plan ~ age, data), quick(value ~ age, data), quick(value ~ age, data, family = "beta"),
    quick(bought ~ age, data, family = "student-t"), quick(bought ~ age, data, family = "poisson"),
    quick(I(bought == "no") ~ age, data[data$bought == "no", ]),
    quick(plan ~ age, data, family = "softmax", prior = flat()),
    quick(share ~ age, data, family = "poisson"), quick(bought ~ age, data, family = "ordinal"),
    quick(I(-hours) ~ age, data, family = "gamma"), quick(I(-hours) ~ age, data, family = "weibull"),
    quick(I(0 * value) ~ age, data, family = gaussian()),
    quick(when ~ age, data, family = gaussian()), quick(bought ~ none, data),
    quick(bought ~ infinite, data), quick(bought ~ nowhere, data), quick(~ age, data),
    quick(cbind(clicks, hours) ~ age, data, family = "binomial"),
    quick(cbind(clicks, -clicks) ~ age, data, family = "binomial"),
    quick(cbind(clicks, hours, age) ~ age, data, family = "binomial"),
    quick(clicks ~ age, data, family = "beta-binomial"), quick(plan ~ offset(hours), data, family = "softmax"),
    quick(bought ~ age, data, weights = -hours), quick(bought ~ age, data, offset = infinite),
    quick(bought ~ age, data, family = "student"), quick(value ~ age, data, family = "student-t", settings = list(nu = -1)),
    quick(value ~ age, data, family = "student-t", settings = list(nu = "some")),
    quick(value ~ age, data, family = "student-t", settings = list(4)),
    quick(clicks ~ age, data, family = "negative-binomial", settings = list(size = 0)),
    quick(bought ~ age, data, settings = list(size = 2)), quick(bought ~ age, data, prior = "normal:1"),
    quick(bought ~ age, data, prior = normal(0, -1)), quick(bought ~ age, data, prior_aux = list(sigma = "half_normal(1)")),
    quick(value ~ age, data, family = gaussian(), prior_aux = list(sigma = "half_nromal(1)")),
    quick(value ~ age, data, family = gaussian(), prior_aux = list(sigma = "half_normal(-1)")),
    quick(bought ~ age, data, prior_sd = list(shop = "half_normal(1)")),
    quick(bought ~ age + (1 | shop), data, prior_sd = list(town = "half_normal(1)")),
    quick(bought ~ age + (1 | nowhere), data), quick(bought ~ age + (nowhere | shop), data),
    quick(bought ~ age + (1 | shop) + (1 | shop), data), quick(bought ~ age + 1 | shop, data),
    quick(bought ~ age + (1 | shop), data, select_prior = TRUE),
    quick(plan ~ age + (1 | shop), data, family = "ordinal"), quick(plan ~ age + (1 | shop), data, family = "softmax"),
    quick(bought ~ s(plan), data), quick(bought ~ s(age, 200), data), quick(bought ~ s(one), data),
    quick(bought ~ age, data, engine = "slow"), flymc(bought ~ age, data, chains = 1.5),
    flymc(bought ~ age, data, seed = -1), flymc(bought ~ age, data, thin = 0), flymc(bought ~ age, data, iter = "many"),
    quick(clicks ~ age, data, likelihood = "y*mu - exq(mu)"), quick(clicks ~ age, data, likelihood = "y*mu -"),
    quick(clicks ~ age, data, likelihood = flymc_likelihood("y*mu", c("a", "b", "c", "d", "e"))),
    quick(clicks ~ age, data, likelihood = flymc_likelihood("y*mu - exp(mu)", "eta")),
    quick(list(value ~ age, tau ~ age), data, family = gaussian()), quick(list(bought ~ age, sigma ~ age), data),
    quick(list(value ~ age, sigma ~ nowhere), data, family = gaussian()),
    quick(list(value ~ age, ~ plan), data, family = gaussian()), quick(list(value ~ age, "sigma"), data),
    quick(list(value ~ age, sigma ~ (1 | shop)), data, family = gaussian()),
    quick(list(value ~ age, sigma ~ age, sigma ~ plan), data, family = gaussian()),
    quick(list(value ~ age + (1 | shop), sigma ~ age), data, family = gaussian()),
    predict(fit, data.frame(age = 1)), predict(fit, data.frame(shop = "a")), predict(fit, level = 2),
    predict(fit, interval = "prediction", type = "link"), predict(classes, interval = "credible"),
    log_lik(fit, data.frame(age = 1, shop = "a")), summary(fit, prob = 2), summary(fit, reference = "yes"),
    summary(classes, reference = "gold"), plot(fit, "nothing"), posterior_linpred(fit, dpar = "sigma"),
    posterior_predict(fit, draws = 0), update(fit, iter = 0)
  )
  for (call in as.list(calls)) {
    said <- tryCatch(eval(call), error = identity)
    text <- paste(deparse(call), collapse = "")
    if (!inherits(said, "error")) {
      fail(paste("no error:", text))
      next
    }
    expect_false(grepl("(^|[^a-z-])--[a-z]", conditionMessage(said)), info = conditionMessage(said))
    # Of the formula and of newdata R itself speaks.
    if (!grepl("nowhere|none|data.frame|engine = \"slow\"|~age, data\\[", text)) {
      expect_s3_class(said, "flymc_error")
    }
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
