sales <- function(rows = 600) {
  set.seed(2)
  shop <- sample(paste0("s", 1:15), rows, TRUE)
  town <- sample(c("Oslo", "Rome", "Bonn", "Lyon"), rows, TRUE)
  day <- sample(1:9, rows, TRUE)
  price <- round(rnorm(rows), 3)
  effect <- setNames(rnorm(15, 0, 0.8), paste0("s", 1:15))
  eta <- 0.3 - 0.5 * price + effect[shop] + 0.1 * day
  data.frame(shop, town, day, price, bought = ifelse(runif(rows) < plogis(eta), "yes", "no"),
             count = rpois(rows, exp(0.4 * eta)))
}

test_that("group terms draw what the command line draws", {
  data <- sales()
  cases <- list(
    list(bought ~ price + (1 | shop), "logistic"),
    list(bought ~ price + (1 + price | shop), "logistic"),
    list(count ~ price + (price || shop), "poisson"),
    list(count ~ price + (1 | shop) + (1 | day), "poisson"),
    list(count ~ 1 + (1 | town/day), "poisson"),
    list(count ~ price + (1 | town:day), "poisson")
  )
  for (case in cases) {
    text <- paste(deparse(case[[1]]), collapse = "")
    fit <- quick(case[[1]], data, family = case[[2]])
    expected <- draws_by_command(data, c("--formula", shQuote(text), "--model", case[[2]]))
    expect_identical(unname(fit$draws), unname(expected), info = text)
  }
})

test_that("effects of levels are there and used by predictions", {
  data <- sales()
  fit <- quick(bought ~ price + (1 + price | shop), data)
  effects <- ranef(fit)$shop
  expect_equal(dim(effects), c(15, 2))
  expect_equal(effects["s7", "price"], mean(fit$draws[, , "u.shop.price[s7]"]))
  expect_named(fixef(fit), c("(Intercept)", "price"))
  new <- data.frame(price = c(0.5, 0.5), shop = c("s7", "s8"))
  link <- posterior_linpred(fit, new)
  draws <- as.matrix(fit)
  by_hand <- draws[, "(Intercept)"] + draws[, "u.shop[s7]"] +
    0.5 * (draws[, "price"] + draws[, "u.shop.price[s7]"])
  expect_equal(unname(link[, 1]), unname(by_hand))
  expect_warning(wide <- posterior_linpred(fit, data.frame(price = 0.5, shop = "new")),
                 "1 level of shop", class = "flymc_warning")
  expect_gt(sd(wide), 1.5 * sd(link[, 1]))
  expect_true(is.na(predict(fit, data.frame(price = 0.5, shop = NA_character_))))
  expect_output(print(fit), "30 effects of levels")
  expect_equal(dim(log_lik(fit, rows = 1:5)), c(300, 5))
})

test_that("signed membership is a difference", {
  set.seed(3)
  players <- paste0("p", 1:8)
  data <- data.frame(a = sample(players, 400, TRUE), b = sample(players, 400, TRUE),
                     home = rbinom(400, 1, 0.5))
  data <- data[data$a != data$b, ]
  skill <- setNames(rnorm(8), players)
  data$won <- ifelse(runif(nrow(data)) < plogis(skill[data$a] - skill[data$b]), "yes", "no")
  fit <- quick(won ~ home + (1 | a - b), data)
  draws <- as.matrix(fit)
  link <- posterior_linpred(fit, data.frame(home = 0, a = "p1", b = "p2"))
  expect_equal(unname(link[, 1]), unname(draws[, "(Intercept)"] + draws[, "u.a-b[p1]"] -
                                           draws[, "u.a-b[p2]"]))
})

test_that("what cannot be is said in one line", {
  data <- sales()
  expect_error(flymc(bought ~ price + 1 | shop, data), "parentheses", class = "flymc_usage_error")
  expect_error(flymc(bought ~ price * (1 | shop), data), "sum", class = "flymc_usage_error")
  expect_error(flymc(bought ~ price + (0 | shop), data), "nothing varies",
               class = "flymc_usage_error")
  expect_error(flymc(bought ~ price + (1 | log(day)), data), "columns",
               class = "flymc_usage_error")
  expect_error(flymc(bought ~ . + (1 | shop), data), "name the columns",
               class = "flymc_usage_error")
  expect_error(flymc(bought ~ price + (day | shop), data), "day", class = "flymc_error")
  fit <- quick(bought ~ price + (1 | shop), data)
  expect_error(predict(fit, data.frame(price = 1)), "no column shop", class = "flymc_data_error")
})
