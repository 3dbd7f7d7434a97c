fit <- quick(clicks ~ age + plan + offset(log(hours)), visits(), family = poisson())

test_that("coefficients, covariance and intervals are those of the draws", {
  draws <- as.matrix(fit)
  expect_equal(coef(fit), colMeans(draws))
  expect_equal(vcov(fit), cov(draws))
  expect_equal(confint(fit, "age", 0.5)[1, ], quantile(draws[, "age"], c(0.25, 0.75)))
  expect_equal(dim(as.array(fit)), c(150, 2, 4))
  expect_identical(formula(fit), clicks ~ age + plan + offset(log(hours)), ignore_attr = TRUE)
})

test_that("means, predictors and intervals agree with each other and with the formula", {
  data <- visits()[1:6, ]
  theta <- as.matrix(fit)
  x <- model.matrix(~ age + plan, visits())[1:6, ]
  eta <- theta %*% t(x) + rep(log(data$hours), each = nrow(theta))
  expect_equal(posterior_linpred(fit, data), eta, ignore_attr = TRUE)
  expect_equal(posterior_epred(fit, data), exp(eta), ignore_attr = TRUE)
  expect_equal(predict(fit, data), colMeans(exp(eta)), ignore_attr = TRUE)
  expect_equal(fitted(fit)[1:6], predict(fit, data))
  limits <- predict(fit, data, interval = "credible", level = 0.8)
  expect_equal(limits[, "lwr"], apply(exp(eta), 2, quantile, 0.1), ignore_attr = TRUE)
  wide <- predict(fit, data, interval = "prediction", seed = 1)
  expect_true(all(wide[, "upr"] - wide[, "lwr"] > limits[, "upr"] - limits[, "lwr"]))
})

test_that("log_lik is the log density of the responses, all at once or in blocks", {
  data <- visits()
  means <- posterior_epred(fit)
  expected <- t(apply(means, 1, function(mean) dpois(data$clicks, mean, log = TRUE)))
  expect_equal(log_lik(fit), expected, ignore_attr = TRUE)
  expect_equal(log_lik(fit, rows = 101:110), log_lik(fit)[, 101:110])
  expect_equal(log_lik(fit, newdata = data[3:4, ]), log_lik(fit)[, 3:4])
  expect_equal(nrow(log_lik(fit, rows = 1:2, draws = 17)), 17)
})

test_that("log_lik of classes, successes and auxiliary parameters is R's own density", {
  data <- visits()
  two <- quick(bought ~ age, data)
  expect_equal(log_lik(two, rows = 1:9),
               t(apply(posterior_epred(two)[, 1:9], 1, function(p) {
                 dbinom(data$bought[1:9] == "yes", 1, p, log = TRUE)
               })), ignore_attr = TRUE)
  data$failures <- 3
  trials <- quick(cbind(clicks, failures) ~ age, data, family = binomial())
  expect_equal(log_lik(trials, rows = 1:9),
               t(apply(posterior_epred(trials)[, 1:9], 1, function(p) {
                 dbinom(data$clicks[1:9], data$clicks[1:9] + 3, p, log = TRUE)
               })), ignore_attr = TRUE)
  numbers <- quick(value ~ age, data, family = gaussian())
  sigma <- as.matrix(numbers)[, "sigma"]
  expect_equal(log_lik(numbers, rows = 5)[, 1],
               dnorm(data$value[5], posterior_epred(numbers)[, 5], sigma, log = TRUE),
               ignore_attr = TRUE)
  classes <- quick(plan ~ age, data, family = "softmax")
  expect_equal(log_lik(classes, rows = 1)[, 1], log(posterior_epred(classes)[, 1, data$plan[1]]),
               ignore_attr = TRUE)
  expect_equal(rowSums(predict(classes)), rep(1, 400), ignore_attr = TRUE)
  expect_equal(dim(coef(classes)), c(3, 2))
})

test_that("new responses have the mean and variance that the draws say", {
  set.seed(3)
  drawn <- posterior_predict(fit)
  expect_true(all(drawn == round(drawn) & drawn >= 0))
  mean <- posterior_epred(fit)
  # Sums of independent counts: mean zero, variance the sum of the means.
  z <- sum(drawn - mean) / sqrt(sum(mean))
  expect_lt(abs(z), 4)
  set.seed(3)
  expect_identical(posterior_predict(fit), drawn)
})

test_that("update draws more of the same chains, also of a fit from a file", {
  data <- visits()
  short <- flymc(bought ~ age, data, iter = 300, warmup = 150, chains = 2, seed = 7)
  long <- flymc(bought ~ age, data, iter = 500, warmup = 150, chains = 2, seed = 7)
  expect_identical(update(short, iter = 500)$draws, long$draws)
  expect_identical(update(short, iter = 400)$draws, long$draws[1:250, , ])
  expect_identical(update(short, iter = 400)$estimates[, "mean"],
                   colMeans(matrix(long$draws[1:250, , ], ncol = 2)), ignore_attr = TRUE)
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(short, file)
  read <- readRDS(file)
  expect_equal(predict(read, data[1:3, ]), predict(short, data[1:3, ]))
  expect_identical(update(read, iter = 500)$draws, long$draws)
  expect_identical(update(short, . ~ . + hours)$formula, bought ~ age + hours, ignore_attr = TRUE)
})

test_that("estimates are those of posterior", {
  skip_if_not_installed("posterior")
  draws <- posterior::as_draws(fit)
  expect_equal(posterior::variables(draws), names(coef(fit)))
  theirs <- posterior::summarise_draws(draws, "mean", "sd", "rhat", "ess_bulk", "ess_tail")
  ours <- fit$estimates[, c("mean", "sd", "rhat", "ess_bulk", "ess_tail")]
  expect_equal(as.matrix(theirs[, -1]), ours, tolerance = 1e-8, ignore_attr = TRUE)
})

test_that("loo, rstantools and generics find their methods", {
  skip_if_not_installed("loo")
  expect_s3_class(suppressWarnings(loo::loo(fit)), "loo")
  skip_if_not_installed("rstantools")
  expect_identical(rstantools::log_lik(fit), log_lik(fit))
  skip_if_not_installed("generics")
  expect_equal(generics::tidy(fit, conf.int = TRUE)$estimate, unname(coef(fit)))
  expect_equal(generics::glance(fit)$nobs, 400)
})

test_that("print, summary and plot show every parameter", {
  expect_output(print(fit), "poisson regression \\(log link\\), 400 rows, 2 chains of 150 draws")
  expect_output(print(summary(fit)), "planpro.*likelihoods an iteration")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(fit), fit)
  expect_identical(plot(fit, "age", "density"), fit)
  expect_error(plot(fit, "Age"), "no parameter Age", class = "flymc_usage_error")
})

test_that("new responses of some rows have the trials, offsets and levels of these rows", {
  data <- visits()
  data$failures <- seq_len(nrow(data)) * 1000 - data$clicks  # row i has 1000 i trials
  fit <- quick(cbind(clicks, failures) ~ age, data, family = binomial())
  picked <- c(7, 400)
  drawn <- posterior_predict(fit, rows = picked, seed = 1)
  chance <- posterior_epred(fit)[, picked]
  expect_equal(colMeans(drawn), colMeans(chance) * 1000 * picked, tolerance = 0.2,
               ignore_attr = TRUE)
  hours <- quick(clicks ~ age + offset(log(hours)), data, family = poisson())
  rare <- order(data$hours)[1]
  often <- order(-data$hours)[1]
  means <- colMeans(posterior_predict(hours, rows = c(rare, often), seed = 1))
  expect_equal(means, colMeans(posterior_epred(hours)[, c(rare, often)]), tolerance = 0.2,
               ignore_attr = TRUE)
})

test_that("responses are on the scale on which new ones are drawn", {
  data <- visits()
  data$failures <- 3
  scale_of <- function(fit) flymc:::drawn_scale(fit, fit$model)
  two <- quick(bought ~ age, data)
  expect_equal(scale_of(two), as.numeric(data$bought == "yes"))
  expect_setequal(posterior_predict(two, rows = 1:20), 0:1)
  data$sign <- ifelse(data$bought == "yes", 1, -1)
  expect_equal(scale_of(quick(sign ~ age, data)), as.numeric(data$bought == "yes"))
  trials <- quick(cbind(clicks, failures) ~ age, data, family = binomial())
  expect_equal(scale_of(trials), data$clicks)
  expect_equal(scale_of(quick(clicks ~ age, data, family = poisson())), data$clicks)
  classes <- quick(plan ~ age, data, family = "softmax")
  expect_equal(scale_of(classes), match(data$plan, c("basic", "free", "pro")) - 1)
  expect_setequal(flymc:::draw_responses(classes, NULL, NULL, 1, 1:20), 0:2)
})

test_that("new responses of several classes are classes", {
  data <- visits()
  data$size <- factor(data$plan, c("free", "basic", "pro"), ordered = TRUE)
  new <- data[1:6, ]
  for (family in c("softmax", "ordinal")) {
    fit <- quick(if (family == "softmax") plan ~ age else size ~ age, data, family = family)
    drawn <- posterior_predict(fit, new, seed = 1)
    expect_equal(dim(drawn), c(300, 6))
    expect_setequal(drawn, fit$classes)
    answer <- predict(fit, new, interval = "prediction", level = 0.6, seed = 1)
    for (class in fit$classes) {
      expect_equal(answer$share[, class], colMeans(drawn == class))
    }
    # 300 draws of a share have a standard error of 0.03 at most.
    expect_lt(max(abs(answer$share - predict(fit, new))), 4 * 0.03)
    expect_identical(as.character(answer$fit), fit$classes[max.col(answer$share, "first")])
    one <- predict(fit, new[1, ], interval = "prediction", level = 0.6, seed = 1)
    expect_identical(one, answer[1, ])
    gone <- predict(fit, data.frame(age = c(0, NA)), interval = "prediction")
    expect_identical(is.na(gone$fit), c(FALSE, TRUE))
    expect_error(predict(fit, interval = "credible"), "posterior_epred",
                 class = "flymc_usage_error")
  }
})

test_that("classes of an answer hold the level that was asked for", {
  shares <- matrix(c(0.5, 0.2, 0.3), 1, dimnames = list("row", c("a", "b", "c")))
  object <- list(classes = c("a", "b", "c"), response_kind = "classes")
  sets <- vapply(c(0.4, 0.5, 0.51, 0.8, 0.9), function(level) {
    flymc:::class_answers(object, shares, level)$set
  }, "", USE.NAMES = FALSE)
  expect_identical(sets, c("a", "a", "a|c", "a|c", "a|c|b"))
  object$response_kind <- "ordered"
  half <- flymc:::class_answers(object, shares, 0.4)  # the quantiles at 30 % and 70 %
  expect_identical(c(as.character(half$lwr), as.character(half$upr)), c("a", "b"))
  wide <- flymc:::class_answers(object, shares, 0.8)
  expect_identical(c(as.character(wide$lwr), as.character(wide$upr)), c("a", "c"))
  expect_true(is.ordered(wide$fit) && wide$lwr < wide$upr)
})

test_that("rows with missing values are NA and leave the others alone", {
  data <- visits()
  new <- data.frame(age = c(0.5, NA))
  for (case in list(list(value ~ age, "normal"), list(clicks ~ age, "poisson"),
                    list(bought ~ age, "logistic"))) {
    fit <- quick(case[[1]], data, family = case[[2]])
    for (interval in c("credible", "prediction")) {
      both <- predict(fit, new, interval = interval, seed = 1)
      one <- predict(fit, new[1, , drop = FALSE], interval = interval, seed = 1)
      expect_identical(both[1, ], one[1, ])
      expect_true(all(is.na(both[2, ])))
    }
    expect_identical(is.na(posterior_predict(fit, new, draws = 1)), matrix(c(FALSE, TRUE), 1),
                     ignore_attr = TRUE)
  }
})

test_that("pp_check is bayesplot's, of responses and as many new ones as asked for", {
  skip_if_not_installed("bayesplot")
  data <- visits()
  numbers <- quick(value ~ age, data, family = gaussian())
  shown <- bayesplot::pp_check(numbers, draws = 7, rows = 50, seed = 1)
  expect_s3_class(shown, "ggplot")
  expect_equal(nrow(shown$data), 8 * 50)
  kept <- seq(5, 400, 8)  # every eighth row, from the middle of the first eight
  expect_equal(shown$data$value[shown$data$is_y], data$value[kept])
  counts <- quick(clicks ~ age, data, family = poisson())
  expect_s3_class(bayesplot::pp_check(counts, draws = 5), "ggplot")
  largest <- bayesplot::pp_check(counts, "stat", stat = "max", newdata = data[1:9, ])
  expect_s3_class(largest, "ggplot")
  expect_s3_class(bayesplot::pp_check(quick(bought ~ age, data), draws = 5), "ggplot")
  expect_error(bayesplot::pp_check(counts, "nothing"), "ppc_nothing", class = "flymc_usage_error")
})

test_that("classes are shown against the most frequent one, or another", {
  data <- visits()
  classes <- quick(plan ~ age, data, family = "softmax")
  most <- names(which.max(table(data$plan)))
  shown <- summary(classes)$estimates
  expect_equal(nrow(shown), 4)
  expect_true(all(grepl(paste0(" vs ", most, ": "), rownames(shown), fixed = TRUE)))
  other <- setdiff(levels(factor(data$plan)), most)[1]
  draws <- as.matrix(classes)
  name <- paste0(other, " vs ", most, ": age")
  expect_equal(shown[name, "mean"], mean(draws[, paste0(other, ": age")] - draws[, paste0(most, ": age")]))
  back <- summary(classes, reference = other)$estimates
  expect_equal(back[paste0(most, " vs ", other, ": age"), "mean"], -shown[name, "mean"])
  expect_output(print(classes), paste0(" vs ", most, ": age"), fixed = TRUE)
  expect_error(summary(classes, reference = "nosuch"), "there is no such class", class = "flymc_error")
  expect_error(summary(fit, reference = "a"), "softmax", class = "flymc_error")
})

test_that("summary has other intervals and ratios", {
  draws <- as.matrix(fit)
  name <- colnames(draws)[2]
  wide <- summary(fit, prob = 0.95, exp = TRUE)$estimates
  expect_equal(unname(wide[name, c("mean", "q2.5", "q97.5")]),
               unname(c(mean(exp(draws[, name])), quantile(exp(draws[, name]), c(0.025, 0.975)))))
  expect_error(summary(fit, prob = 2), "between 0 and 1", class = "flymc_error")
})
