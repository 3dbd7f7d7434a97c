test_that("subset, na.action and rows of weight 0 leave rows out", {
  data <- visits()
  data$age[3:7] <- NA
  fit <- quick(bought ~ age, data, subset = hours > 2)
  expect_equal(nobs(fit), sum(data$hours > 2 & !is.na(data$age)))
  expect_identical(fit$draws, quick(bought ~ age, data[data$hours > 2 & !is.na(data$age), ])$draws)
  expect_error(quick(bought ~ age, data, na.action = na.fail), "missing values")
  data <- visits()
  kept <- rep(c(1, 0), length.out = nrow(data))
  expect_identical(unname(quick(bought ~ age, data, weights = kept)$draws),
                   unname(quick(bought ~ age, data[kept > 0, ])$draws))
})

test_that("contrasts and transformations hold for new rows", {
  data <- visits()
  data$plan <- factor(data$plan)
  fit <- quick(bought ~ poly(age, 2) + plan, data, contrasts = list(plan = "contr.sum"))
  expect_named(coef(fit), c("(Intercept)", "poly(age, 2)1", "poly(age, 2)2", "plan1", "plan2"))
  expect_equal(predict(fit, data[5:9, ]), predict(fit)[5:9])
  expect_error(predict(fit, data.frame(age = 1, plan = "gold")), "new level")
})

test_that("a response is a factor, logical, text or number", {
  data <- visits()
  draws <- quick(bought ~ age, data)$draws
  expect_identical(quick(factor(bought, c("no", "yes")) ~ age, data)$draws, draws)
  expect_identical(quick(bought == "yes" ~ age, data)$draws, draws)
  expect_identical(quick(as.integer(bought == "yes") ~ age, data)$draws, draws)
  reversed <- quick(factor(bought, c("yes", "no")) ~ age, data)
  expect_lt(coef(reversed)[["age"]] * coef(quick(bought ~ age, data))[["age"]], 0)
})

test_that("a function without a number names its column and row, and what leaves it out", {
  data <- visits()
  data$hours[c(3, 7)] <- 0
  data$age[1] <- NA
  found <- tryCatch(quick(bought ~ age + log(hours), data, family = binomial()), error = identity)
  expect_s3_class(found, "flymc_data_error")
  expect_match(conditionMessage(found), fixed = TRUE, paste0(
    "column 'log(hours)' is -Inf in row 3; leave such rows out (subset = is.finite(log(hours))), ",
    "or set them to NA"))
  expect_error(quick(bought ~ plan:log(hours), data, family = binomial()),
               "is NaN in row 3; leave such rows out, or set|is -Inf in row 3; leave such rows out, or")
  fit <- quick(bought ~ age + log(hours), data, family = binomial(),
               subset = is.finite(log(hours)))
  expect_equal(nobs(fit), nrow(data) - 3)
})

test_that("text of dates is an error that says how to count days", {
  data <- visits()
  data$joined <- format(as.Date("2024-01-31") + seq_len(nrow(data)) %% 40)
  found <- tryCatch(quick(bought ~ age + joined, data, family = binomial()), error = identity)
  expect_s3_class(found, "flymc_data_error")
  expect_match(conditionMessage(found), fixed = TRUE, paste0(
    "column 'joined' holds dates ('2024-02-01'); count days, as.numeric(as.Date(joined)), or make ",
    "each a level, factor(joined)."))
  expect_named(coef(quick(bought ~ as.numeric(as.Date(joined)), data, family = binomial())),
               c("(Intercept)", "as.numeric(as.Date(joined))"))
  expect_length(coef(quick(bought ~ factor(joined), data, family = binomial())), 40)
  expect_s3_class(quick(bought ~ age + (1 | joined), data, family = binomial()), "flymc")
})
