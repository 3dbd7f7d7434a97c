# A table that the command line and R read alike: numbers with few digits, levels in sort order.
visits <- function(rows = 400) {
  set.seed(1)
  age <- round(rnorm(rows), 3)
  plan <- sample(c("basic", "free", "pro"), rows, TRUE)
  hours <- round(runif(rows, 1, 5), 2)
  data.frame(
    age = age, plan = plan, hours = hours,
    bought = ifelse(runif(rows) < plogis(age - (plan == "free")), "yes", "no"),
    clicks = rpois(rows, hours * exp(0.3 * age)),
    value = round(2 * age + rt(rows, 4), 4),
    share = pmin(pmax(round(rbeta(rows, 2, 3), 4), 0.001), 0.999)
  )
}

# The call itself is changed: weights and subset are evaluated where it stands.
quick <- function(...) {
  call <- sys.call()
  call[[1]] <- quote(flymc)
  call[c("iter", "warmup", "chains", "seed")] <- c(300, 150, 2, 7)
  suppressWarnings(eval(call, parent.frame()))
}

# f(the run folder) of `flymc fit` with the settings of quick().
run_by_command <- function(data, words, f) {
  program <- Sys.getenv("FLYMC_BINARY")
  testthat::skip_if(program == "", "no FLYMC_BINARY to compare with")
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  table <- file.path(folder, "t.csv")
  utils::write.csv(data, table, row.names = FALSE, quote = FALSE)
  code <- system2(program, c("fit", table, words, "--draws", 150, "--warmup", 150, "--chains", 2,
                             "--seed", 7, "--quiet", "--out", file.path(folder, "run")))
  stopifnot(code == 0)
  f(file.path(folder, "run"))
}

# Draws of `flymc fit`: draw x chain x parameter.
draws_by_command <- function(data, words) {
  run_by_command(data, words, function(run) {
    chains <- lapply(1:2, function(k) {
      file <- file.path(run, paste0("chain-", k, ".csv"))
      as.matrix(utils::read.csv(file, comment.char = "#")[, -(1:4)])
    })
    array(unlist(lapply(seq_len(ncol(chains[[1]])), function(p) {
      cbind(chains[[1]][, p], chains[[2]][, p])
    })), c(150, 2, ncol(chains[[1]])))
  })
}

# Lines that a command prints.
said_by_command <- function(...) {
  suppressWarnings(system2(Sys.getenv("FLYMC_BINARY"), c(...), stdout = TRUE))
}

# All numbers of that name in JSON, NA for null.
numbers_in <- function(json, name) {
  lines <- grep(paste0('^ *"', name, '": '), json, value = TRUE)
  text <- sub(",$", "", sub(paste0('^ *"', name, '": '), "", lines))
  suppressWarnings(as.numeric(text))
}

# Equal to the last bit, whatever the parameters are called.
expect_same_draws <- function(fit, expected) {
  expect_identical(unname(fit$draws), unname(expected))
}
