waves <- function(rows = 500) {
  set.seed(4)
  age <- round(runif(rows, 18, 80), 2)
  price <- round(rnorm(rows), 3)
  shop <- sample(paste0("s", 1:12), rows, TRUE)
  effect <- setNames(rnorm(12, 0, 0.6), paste0("s", 1:12))
  eta <- sin(age / 8) - 0.4 * price + effect[shop]
  data.frame(age, price, shop, bought = ifelse(runif(rows) < plogis(eta), "yes", "no"),
             count = rpois(rows, exp(0.5 * eta)), value = round(eta + rnorm(rows), 3))
}

test_that("curves draw what the command line draws", {
  data <- waves()
  cases <- list(
    list(bought ~ price + s(age), "logistic"),
    list(count ~ s(age, 6) + price + (1 | shop), "poisson"),
    list(value ~ age + price + s(age, k = 5) + s(price, 4), "normal"),
    list(bought ~ s(log(age)) + (price || shop) + price, "logistic"),
    list(count ~ (s(age, 5) + price) + age:price, "negative-binomial"),
    list(count ~ 0 + s(age, 5) + price, "poisson"),
    list(count ~ price + s(age, 5) - age, "poisson")
  )
  for (case in cases) {
    text <- paste(deparse(case[[1]]), collapse = "")
    fit <- quick(case[[1]], data, family = case[[2]])
    expected <- draws_by_command(data, c("--formula", shQuote(text), "--model", case[[2]]))
    expect_identical(unname(fit$draws), unname(expected), info = text)
  }
  narrow <- quick(count ~ s(age, 5), data, family = "poisson",
                  prior_sd = list("s(age)" = "half_normal(0.1)"))
  expect_same_draws(narrow, draws_by_command(data, c(
    "--formula", shQuote("count ~ s(age, 5)"), "--model", "poisson", "--prior-sd",
    shQuote("s(age) ~ half_normal(0.1)"))))
})

test_that("a curve is that of the rows of the fit", {
  data <- waves()
  data$age[3:7] <- NA
  data$times <- rep(0:2, length.out = nrow(data))
  fit <- quick(count ~ s(age, 5), data, family = "poisson", subset = price < 1, weights = times)
  kept <- data[!is.na(data$age) & data$price < 1 & data$times > 0, ]
  expect_identical(fit$draws,
                   quick(count ~ s(age, 5), kept, family = "poisson", weights = times)$draws)
  expect_same_draws(fit, draws_by_command(
    data[!is.na(data$age) & data$price < 1, c("age", "count", "times")],
    c("--formula", shQuote("count ~ s(age, 5)"), "--model", "poisson", "--weights", "times")))
})

test_that("new rows lie on the curve of the fit", {
  data <- waves()
  fit <- quick(bought ~ price + s(age) + (1 | shop), data)
  expect_equal(predict(fit, data[5:9, ]), predict(fit)[5:9])
  expect_equal(posterior_epred(fit, data[5:9, ]), plogis(posterior_linpred(fit)[, 5:9]))
  expect_equal(log_lik(fit, data[5:9, ]), log_lik(fit, rows = 5:9))
  # beyond both ends straight lines
  out <- data.frame(price = 0, shop = "s1", age = c(90, 100, 110, 0, 5, 10))
  link <- posterior_linpred(fit, out)
  expect_equal(link[, 1] + link[, 3], 2 * link[, 2])
  expect_equal(link[, 4] + link[, 6], 2 * link[, 5])
  expect_true(is.na(predict(fit, data.frame(price = 0, shop = "s1", age = NA_real_))))
  expect_error(predict(fit, data.frame(price = 0, shop = "s1", age = "old")), "age")
  # the truth is sin(age / 8)
  turns <- data.frame(price = 0, shop = "s1", age = 8 * pi * c(1.5, 2.5))
  ends <- predict(fit, turns, type = "link")
  expect_gt(ends[2] - ends[1], 1)
})

test_that("contrasts, products and offsets stand beside a curve", {
  data <- waves()
  data$shop <- factor(data$shop)
  data$hours <- rep(1:4, length.out = nrow(data))
  fit <- quick(count ~ poly(price, 2) + shop + s(age, 5) + age:price + offset(log(hours)), data,
               family = "poisson", contrasts = list(shop = "contr.sum"))
  expect_equal(predict(fit, data[5:9, ]), predict(fit)[5:9])
  draws <- as.matrix(fit)
  x <- model.matrix(~ poly(price, 2) + shop + age + age:price, data, list(shop = "contr.sum"))
  ours <- flymc:::design_matrix(fit$terms, fit$curves, fit$model, fit$contrasts)
  x <- cbind(x, ours[, paste0("s(age).", 1:3)])
  expect_equal(unname(posterior_linpred(fit)),
               unname(draws[, colnames(x)] %*% t(x) + rep(log(data$hours), each = nrow(draws))))
  expect_equal(unname(crossprod(cbind(1, data$age), x[, paste0("s(age).", 1:3)])), matrix(0, 2, 3))
})

test_that("what bends a curve is apart from coefficients", {
  data <- waves()
  fit <- quick(bought ~ price + s(age) + (1 | shop), data)
  expect_named(coef(fit), c("(Intercept)", "price", "age"))
  expect_equal(dim(vcov(fit)), c(3, 3))
  bends <- ranef(fit)$`s(age)`
  expect_identical(rownames(bends), paste0("s(age).", 1:8))
  expect_equal(bends["s(age).3", "coefficient"], mean(fit$draws[, , "s(age).3"]))
  expect_output(print(fit), "sd.s(age)", fixed = TRUE)
  expect_output(print(summary(fit)), "12 effects of levels, 8 coefficients of curves: ranef()",
                fixed = TRUE)
  expect_identical(rownames(summary(fit)$estimates),
                   c("(Intercept)", "price", "age", "sd.shop", "sd.s(age)"))
  expect_identical(deparse(formula(fit)), "bought ~ price + s(age) + (1 | shop)")
})

test_that("update goes on with curves, also of a fit from a file, and takes them away", {
  data <- waves()
  ask <- function(iter) {
    suppressWarnings(flymc(count ~ s(age, 5), data, family = "poisson", iter = iter, warmup = 150,
                           chains = 2, seed = 7))
  }
  short <- ask(300)
  long <- ask(400)
  expect_identical(update(short, iter = 400)$draws, long$draws)
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(short, file)
  read <- readRDS(file)
  expect_equal(predict(read, data[1:3, ]), predict(short, data[1:3, ]))
  expect_identical(update(read, iter = 400)$draws, long$draws)
  expect_identical(update(short, . ~ . + price, evaluate = FALSE)$formula,
                   count ~ s(age, 5) + price, ignore_attr = TRUE)
})

test_that("an s() of others is not called", {
  data <- waves()
  draws <- quick(count ~ s(age, 5), data, family = "poisson")$draws
  s <- function(...) stop("called")
  expect_identical(quick(count ~ s(age, 5), data, family = "poisson")$draws, draws)
  data$s <- data$price  # a column of that name is a column
  expect_true("s" %in% names(coef(quick(count ~ s + s(age, 5), data, family = "poisson"))))
  data$pair <- cbind(data$price, data$value)
  expect_length(coef(quick(count ~ s(age, 5) + pair[, 1], data, family = "poisson")), 3)
  expect_length(coef(quick(count ~ pair[, 1], data, family = "poisson")), 2)
  names(data)[1] <- "my age"
  odd <- quick(count ~ s(`my age`, 5), data, family = "poisson")
  expect_identical(unname(odd$draws), unname(draws))
  expect_equal(predict(odd, data[2:3, ]), predict(odd)[2:3])
})

test_that("what a curve cannot be is said in one line", {
  data <- waves()
  wrong <- function(formula, words, class = "flymc_usage_error") {
    expect_error(flymc(formula, data, family = "poisson"), words, class = class)
  }
  wrong(count ~ s(age) * price, "in the sum")
  wrong(count ~ price + log(s(age)), "in the sum")
  wrong(count ~ price + (s(age) | shop), "in the sum")
  wrong(count ~ price - s(age), "in the sum")
  wrong(count ~ s(age + price), "a function of columns")
  wrong(count ~ s(age, price), "from 3 to 100")
  wrong(count ~ s(age, 2), "from 3 to 100")
  wrong(count ~ s(age, bs = "cr"), "s\\(x, k = 10\\)")
  wrong(count ~ s(age, by = shop), "s\\(x, k = 10\\)")
  wrong(count ~ s(), "s\\(x, k = 10\\)")
  wrong(count ~ s(age, 5) + s(age, 6), "twice, with 5 and 6")
  wrong(count ~ . + s(age), "name the columns")
  wrong(count ~ s(shop), "of class character", "flymc_data_error")
  wrong(count ~ s(scale(age)), "of class matrix", "flymc_data_error")
  data$few <- rep(1:4, length.out = nrow(data))
  wrong(count ~ s(few), "only 4 different values; .*s\\(..., 4\\)", "flymc_data_error")
  data$age[1] <- Inf
  wrong(count ~ s(age), "not finite", "flymc_data_error")
  expect_error(flymc(shop ~ s(price), data, family = "softmax"), "softmax", class = "flymc_error")
})
