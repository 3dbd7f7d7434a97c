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
