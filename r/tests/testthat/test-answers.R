# effects(), check_fit(), compare_fits() and report_fit() against `flymc effects` and the others on
# runs with the same draws.
cases <- function() {
  data <- visits()
  set.seed(4)
  data$shop <- sample(paste0("s", 1:12), nrow(data), TRUE)
  data$times <- rep(1:3, length.out = nrow(data))
  data$lh <- round(log(data$hours), 4)
  data$failures <- data$clicks + 1
  data$trials <- data$clicks + data$failures
  formula <- function(...) as.vector(rbind("--formula", shQuote(c(...))))
  plan <- c("--categorical", "plan")
  list(
    factors = list(quote(quick(bought ~ age + plan, data)), data,
                   c(formula("bought ~ age + plan"), plan)),
    weights = list(quote(quick(clicks ~ age + offset(lh), data, family = poisson(), weights = times)),
                   data, c(formula("clicks ~ age + offset(lh)"), "--weights", "times", "--model", "poisson")),
    functions = list(quote(quick(bought ~ log(hours) + age * plan + I(age^2), data)), data,
                     c(formula("bought ~ log(hours) + age*plan + I(age^2)"), plan)),
    groups = list(quote(quick(clicks ~ age + plan + (1 + age | shop), data, family = "poisson")), data,
                  c(formula("clicks ~ age + plan + (1 + age | shop)"), plan, "--model", "poisson")),
    curves = list(quote(quick(value ~ s(hours, 6) + plan, data, family = gaussian())), data,
                  c(formula("value ~ s(hours, 6) + plan"), plan, "--model", "normal")),
    spread = list(quote(quick(list(value ~ age, sigma ~ hours + plan), data, family = gaussian())), data,
                  c(formula("value ~ age", "sigma ~ hours + plan"), plan, "--model", "normal")),
    classes = list(quote(quick(plan ~ age + hours, data, family = "softmax")), data,
                   c(formula("plan ~ age + hours"), "--model", "softmax")),
    ordered = list(quote(quick(plan ~ age + hours, data, family = "ordinal")), data,
                   c(formula("plan ~ age + hours"), "--model", "ordinal")),
    successes = list(quote(quick(cbind(clicks, failures) ~ age + hours, data, family = binomial())), data,
                     c(formula("clicks ~ age + hours"), "--trials", "trials", "--model", "binomial"))
  )
}

has <- function(file, words) any(grepl(words, readLines(file, warn = FALSE), fixed = TRUE))

test_that("effects, curves and checks are those of the command line", {
  all <- cases()
  for (name in names(all)) {
    data <- all[[name]][[2]]
    fit <- eval(all[[name]][[1]])
    run_by_command(data, all[[name]][[3]], function(run) {
      found <- effects(fit)
      json <- said_by_command("effects", run, "--json")
      for (part in c("mean", "sd", "lower", "upper", "prob_positive")) {
        expect_equal(found[[part]], numbers_in(json, part), tolerance = 1e-12, info = paste(name, part))
      }
      text <- capture.output(print(found))
      expect_identical(text[-1], said_by_command("effects", run)[-1], info = name)
      variable <- found$column[1]
      curve <- effects(fit, of = variable)
      json <- said_by_command("effects", run, "--of", variable, "--json")
      expect_equal(c(attr(curve, "effects")$mean, curve$mean), numbers_in(json, "mean"),
                   tolerance = 1e-12, info = name)
      expect_equal(curve$at[!is.na(curve$at)], numbers_in(json, "at"), info = name)
      checked <- check_fit(fit)
      expect_identical(capture.output(print(checked))[-1], said_by_command("check", run)[-1],
                       info = name)
      json <- said_by_command("check", run, "--json")
      expect_equal(checked$scores$mean, numbers_in(json, "mean"), tolerance = 1e-9, info = name)
      expect_equal(checked$residuals$distance,
                   if (!is.null(checked$residuals)) numbers_in(json, "distance"), info = name)
    })
  }
})

test_that("rows taken at random are those of the command line", {
  data <- visits()
  fit <- quick(bought ~ age + plan, data)
  run_by_command(data, c("--formula", shQuote("bought ~ age + plan"), "--categorical", "plan"),
                 function(run) {
    some <- effects(fit, rows = 90, draws = 70, prob = 0.8)
    json <- said_by_command("effects", run, "--rows", 90, "--draws", 70, "--prob", 0.8, "--json")
    expect_equal(some$lower, numbers_in(json, "lower"), tolerance = 1e-12)
    expect_identical(attr(some, "about")$rows_of, 400)
    checked <- check_fit(fit, rows = 200, draws = 50, prob = 0.5)
    json <- said_by_command("check", run, "--rows", 200, "--draws", 50, "--prob", 0.5, "--json")
    expect_equal(checked$scores$upper, numbers_in(json, "upper"), tolerance = 1e-12)
    expect_equal(checked$calibration$share, numbers_in(json, "share"), tolerance = 1e-12)
  })
})

test_that("compared fits are compared runs", {
  data <- visits()
  data$times <- rep(1:2, length.out = nrow(data))
  fits <- list(quick(clicks ~ age + plan, data, family = poisson(), weights = times),
               quick(clicks ~ age, data, family = "negative-binomial", weights = times))
  words <- list(c("--formula", shQuote("clicks ~ age + plan"), "--categorical", "plan", "--model",
                  "poisson", "--weights", "times"),
                c("--formula", shQuote("clicks ~ age"), "--model", "negative-binomial",
                  "--weights", "times"))
  both <- compare_fits(big = fits[[1]], small = fits[[2]])
  run_by_command(data, words[[1]], function(first) {
    second <- file.path(dirname(first), "second")
    expect_identical(system2(Sys.getenv("FLYMC_BINARY"), c(
      "fit", file.path(dirname(first), "t.csv"), words[[2]], "--draws", 150, "--warmup", 150,
      "--chains", 2, "--seed", 7, "--quiet", "--out", second)), 0L)
    json <- said_by_command("compare", first, second, "--json")
    for (part in setdiff(names(both), c("fit", "family", "why_not"))) {
      expect_equal(both[[part]], numbers_in(json, part), tolerance = 1e-9, info = part)
    }
  })
  expect_identical(both$fit, c("big", "small"))
  expect_output(print(both), "differences to big")
  expect_output(print(both), "(Intercept)", fixed = TRUE)
  expect_s3_class(both[1, ], "data.frame", exact = TRUE)
  whole <- attr(both, "about")$coefficients
  expect_identical(whole$parameter[whole$fit == "small"][1], "(Intercept)")
})

test_that("fits are called as they are in the call", {
  data <- visits()
  one <- quick(bought ~ age, data)
  two <- quick(bought ~ age + hours, data)
  expect_identical(compare_fits(one, two)$fit, c("one", "two"))
  expect_identical(compare_fits(list(one, two))$fit, c("fit 1", "fit 2"))
  expect_identical(compare_fits(list(a = one, b = two))$fit, c("a", "b"))
  expect_identical(compare_fits(one, b = two, update(one, . ~ 1))$fit, c("one", "b", "fit 3"))
  expect_identical(compare_fits(one, one)$elpd_diff, c(0, 0))
  # Equal rows are merged; compared row by row all the same.
  merged <- data[c(1:200, 1:200), ]
  again <- compare_fits(quick(bought ~ plan, merged), quick(bought ~ 1, merged))
  expect_true(all(is.finite(again$elpd_loo)))
})

test_that("evidence of group effects is there", {
  set.seed(6)
  data <- visits()
  data$shop <- sample(paste0("s", 1:12), nrow(data), TRUE)
  with <- quick(clicks ~ age + (1 | shop), data, family = poisson())
  without <- quick(clicks ~ age, data, family = poisson())
  both <- compare_fits(with, without)
  expect_true(all(is.finite(both$log_evidence)))
  expect_false("u.shop[s1]" %in% attr(both, "about")$coefficients$parameter)
})

test_that("effects are of variables, whatever a formula makes of them", {
  data <- visits()
  data$late <- data$hours > 3
  data$day <- rep(1:4, length.out = nrow(data))
  data$since <- as.Date("2024-01-01") + seq_len(nrow(data))
  fit <- quick(value ~ poly(age, 2) + factor(day) + late + log(hours) + since, data, family = gaussian())
  found <- effects(fit)
  expect_identical(found$column, c("age", rep("day", 3), "late", "hours", "since"))
  expect_identical(found$level, c(NA, "2", "3", "4", "TRUE", NA, NA))
  # By hand, of one draw: a derivative over the rows, and a contrast.
  moved <- function(by) {
    new <- data
    new$age <- data$age + by
    rowMeans(posterior_epred(fit, new))
  }
  slope <- (moved(1e-4) - moved(-1e-4)) / 2e-4
  expect_equal(found$mean[1], mean(slope), tolerance = 1e-6)
  expect_equal(found$sd[1], sd(slope), tolerance = 1e-6)
  set <- function(day) {
    new <- data
    new$day <- day
    rowMeans(posterior_epred(fit, new))
  }
  expect_equal(found$mean[3], mean(set(3) - set(1)))
  # With contrasts of one's own a level is still compared with the first.
  sums <- quick(value ~ plan, transform(data, plan = factor(plan)), family = gaussian(),
                contrasts = list(plan = "contr.sum"))
  plain <- effects(sums)
  draws <- as.matrix(sums)
  expect_equal(plain$mean[1], mean(draws[, "plan2"] - draws[, "plan1"]))
  expect_identical(plain$reference, c("basic", "basic"))
})

test_that("functions of levels see all of them, and a step has an effect of its own", {
  expect_output(print(effects(quick(mpg ~ 1, mtcars, family = gaussian()))), "no columns")
  releveled <- effects(quick(mpg ~ relevel(factor(gear), "4"), mtcars, family = gaussian()))
  plain <- effects(quick(mpg ~ factor(gear), mtcars, family = gaussian()))
  expect_identical(releveled[c("level", "reference")], plain[c("level", "reference")])
  # What R cannot make of other values is said, and leaves the rest of the page.
  cut <- quick(mpg ~ wt + cut(hp, 3), mtcars, family = gaussian())
  expect_error(effects(cut, of = "hp"), "cannot be made: .*new levels", class = "flymc_usage_error")
  file <- tempfile(fileext = ".html")
  report_fit(cut, file)
  expect_true(has(file, "columns of other values cannot be made"))
  expect_error(effects(quick(mpg ~ I(wt - mean(wt)), mtcars, family = gaussian())),
               "depends on the others", class = "flymc_usage_error")
  centred <- effects(quick(mpg ~ scale(wt) + splines::ns(hp, 3), mtcars, family = gaussian()))
  expect_identical(centred$column, c("wt", "hp"))
})

test_that("variables are those of the rows that the fit has", {
  data <- visits()
  data$hours[c(3, 50)] <- NA
  data$age[7] <- NA
  data$times <- rep(0:2, length.out = nrow(data))
  some <- quick(clicks ~ log(hours) + age, data, family = poisson(), subset = plan != "pro",
                weights = times)
  rows <- subset(data, plan != "pro" & times > 0 & !is.na(hours) & !is.na(age))
  same <- quick(clicks ~ log(hours) + age, rows, family = poisson(), weights = times)
  expect_identical(effects(some)$mean, effects(same)$mean)
  expect_identical(attr(effects(some), "about")$rows, as.double(nrow(rows)))
  expect_identical(check_fit(some)$scores, check_fit(same)$scores)
  # Nothing is kept twice, and of data without gaps nothing is copied.
  expect_null(quick(bought ~ age + plan, data)$inputs)
  hours <- visits()$hours
  age <- visits()$age
  free <- quick(hours ~ log(age + 10), family = "gamma")
  expect_identical(effects(free)$column, "age")
})

test_that("other rows can be asked about", {
  data <- visits()
  fit <- quick(clicks ~ log(hours) + plan, data, family = poisson())
  new <- data[1:100, ]
  new$hours[5] <- NA
  found <- effects(fit, newdata = new[c("hours", "plan")])
  expect_identical(attr(found, "about")$rows, 99)
  expect_identical(check_fit(fit, newdata = new)$which, "other")
  expect_identical(check_fit(fit, newdata = new)$rows, 99)
  expect_error(check_fit(fit, newdata = new[c("hours", "plan")]), "no column clicks",
               class = "flymc_data_error")
  expect_error(effects(fit, newdata = new["plan"]), "no column hours", class = "flymc_data_error")
  expect_error(effects(fit, newdata = 1:3), "data frame", class = "flymc_usage_error")
  # Levels are those of the fit, whatever occurs.
  pros <- transform(subset(data, plan == "pro"), plan = factor(plan))
  expect_identical(effects(fit, newdata = pros)[c("level", "reference")],
                   effects(fit)[c("level", "reference")])
  expect_identical(check_fit(fit, newdata = pros)$rows, as.double(nrow(pros)))
  expect_error(effects(fit, newdata = transform(pros, plan = "gold")), "gold",
               class = "flymc_data_error")
  run_by_command(data, c("--formula", shQuote("clicks ~ log(hours) + plan"), "--categorical", "plan",
                         "--model", "poisson"), function(run) {
    file <- file.path(dirname(run), "pros.csv")
    utils::write.csv(pros, file, row.names = FALSE, quote = FALSE)
    expect_equal(effects(fit, newdata = pros)$mean,
                 numbers_in(said_by_command("effects", run, "--data", file, "--json"), "mean"),
                 tolerance = 1e-12)
    expect_equal(check_fit(fit, newdata = pros)$scores$lower,
                 numbers_in(said_by_command("check", run, "--data", file, "--json"), "lower"),
                 tolerance = 1e-12)
  })
  data$shop <- rep(c("a", "b", "c", "d"), length.out = nrow(data))
  grouped <- quick(clicks ~ age + (1 | shop), data, family = poisson())
  new <- transform(data[1:50, ], shop = "new")
  expect_match(attr(effects(grouped, newdata = new), "about")$notes, "1 level of 'shop'", all = FALSE)
  expect_match(check_fit(grouped, newdata = new)$notes, "1 level of 'shop'", all = FALSE)
})

test_that("answers are of the draws that the object shows", {
  data <- visits()
  fit <- quick(bought ~ age, data)
  before <- effects(fit)
  longer <- update(fit, iter = 600)
  expect_identical(effects(fit)$mean, before$mean)
  expect_false(identical(effects(longer)$mean, before$mean))
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(effects(readRDS(file))$mean, before$mean)
  expect_identical(effects(fit, cores = 1)$mean, before$mean)
})

test_that("curves are drawn", {
  data <- visits()
  fit <- quick(plan ~ age + hours, data, family = "softmax")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  curves <- effects(fit, of = c("hours", "age"))
  expect_s3_class(curves, "flymc_curves")
  expect_identical(unique(curves$column), c("hours", "age"))
  expect_silent(plot(curves))
  expect_silent(plot(effects(quick(bought ~ plan, data), of = "plan"), ylab = "P", main = "plan"))
})

test_that("the report is one page", {
  data <- visits()
  data$shop <- rep(c("a", "b", "c", "d"), length.out = nrow(data))
  fit <- quick(clicks ~ s(hours, 5) + age + (1 | shop), data, family = poisson())
  file <- tempfile(fileext = ".html")
  expect_identical(report_fit(fit, file), file)
  expect_true(has(file, "<!DOCTYPE html>"))
  expect_true(has(file, "What changes in the expected clicks, on average over 400 rows"))
  expect_false(has(file, "why_not\":\""))
  # A likelihood as text has a page without what it does not say.
  own <- quick(clicks ~ age, data, likelihood = "y*mu - exp(mu)")
  report_fit(own, file)
  expect_true(has(file, "does not say what a response"))
  # Rows are called by their numbers in the data.
  data$value[20] <- 1000
  data$age[1:5] <- NA
  report_fit(quick(value ~ age, data, family = gaussian()), file)
  expect_true(has(file, '"numbers":[20'))
})

test_that("fits of other rows name the variable that misses values", {
  data <- visits()
  data$`the hours` <- ifelse(seq_len(nrow(data)) %% 10 == 3, NA, 1)
  data$w <- c(NA, rep(1, nrow(data) - 1))
  base <- quick(clicks ~ age, data, family = poisson())
  full <- quick(clicks ~ age + offset(log(`the hours`, 2)), data, family = poisson(), weights = w)
  found <- tryCatch(compare_fits(base, full), error = identity)
  expect_s3_class(found, "flymc_data_error")
  expect_match(conditionMessage(found), fixed = TRUE, paste0(
    "values are missing in offset(log(`the hours`, 2)), w: fit every model with subset = ",
    "!is.na(offset(log(`the hours`, 2))) & !is.na(w), which leaves these rows out of all."))
  same <- quick(clicks ~ age, data, family = poisson(),
                subset = !is.na(offset(log(`the hours`, 2))) & !is.na(w))
  expect_s3_class(compare_fits(same, full), "flymc_comparison")
})

test_that("what cannot be asked is said in R's words", {
  data <- visits()
  data$shop <- rep(c("a", "b", "c", "d"), length.out = nrow(data))
  fit <- quick(bought ~ age + (1 | shop), data)
  other <- quick(bought ~ age, data[1:300, ])
  own <- quick(clicks ~ age, data, likelihood = "y*mu - exp(mu)")
  none <- quick(clicks ~ age + (1 | shop), data, family = poisson(), levels = "summary")
  calls <- list(
    list(quote(effects(fit, of = "ages")), "its columns are age", "usage"),
    list(quote(effects(fit, of = "shop")), "ranef()", "usage"),
    list(quote(effects(fit, of = 3)), "names of variables", "usage"),
    list(quote(effects(fit, prob = 2)), "between 0 and 1", "usage"),
    list(quote(effects(fit, rows = -1)), "rows must be", "usage"),
    list(quote(check_fit(fit, draws = "all")), "draws must be", "usage"),
    list(quote(check_fit(lm(value ~ age, data))), "class lm", "usage"),
    list(quote(check_fit(own)), "does not say what a response should be", "usage"),
    list(quote(check_fit(none)), 'levels = "all"', "usage"),
    list(quote(effects(none)), 'levels = "all"', "usage"),
    list(quote(compare_fits()), "compare_fits(fit1, fit2)", "usage"),
    list(quote(compare_fits(fit, data)), "class data.frame", "usage"),
    list(quote(compare_fits(fit, other)), "fit and other do not have the same rows", "data"),
    list(quote(report_fit(fit)), "report.html", "usage"),
    list(quote(report_fit(fit, file.path(tempdir(), "no", "where.html"))), "cannot be written", "io")
  )
  for (one in calls) {
    found <- tryCatch(eval(one[[1]]), error = identity)
    expect_s3_class(found, paste0("flymc_", one[[3]], "_error"))
    expect_match(conditionMessage(found), one[[2]], fixed = TRUE)
    expect_no_match(conditionMessage(found), "--[a-z]")
  }
  expect_match(compare_fits(none)$why_not, 'levels = "all"', fixed = TRUE)
  whole <- quick(clicks ~ age + (1 | shop), data, family = poisson(), levels = "all")
  expect_s3_class(check_fit(whole), "flymc_check")
})
