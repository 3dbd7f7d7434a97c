# Methods of generics that live in other packages, registered when those are loaded.

# posterior: draws_array is draw x chain x variable, as we hold them.
as_draws.flymc <- function(x, ...) posterior::as_draws_array(x$draws)
as_draws_array.flymc <- as_draws.flymc
as_draws_df.flymc <- function(x, ...) posterior::as_draws_df(as_draws.flymc(x))
as_draws_matrix.flymc <- function(x, ...) posterior::as_draws_matrix(as_draws.flymc(x))
as_draws_rvars.flymc <- function(x, ...) posterior::as_draws_rvars(as_draws.flymc(x))
as_draws_list.flymc <- function(x, ...) posterior::as_draws_list(as_draws.flymc(x))

as.array.flymc <- function(x, ...) x$draws
as.matrix.flymc <- function(x, ...) draws_matrix(x)
as.data.frame.flymc <- function(x, ...) as.data.frame(draws_matrix(x), optional = TRUE)

# loo
loo.flymc <- function(x, cores = 1, ...) {
  values <- log_lik(x)
  chain <- rep(seq_len(dim(x$draws)[2]), each = dim(x$draws)[1])
  efficiency <- loo::relative_eff(exp(values), chain_id = chain, cores = cores)
  loo::loo(values, r_eff = efficiency, cores = cores, ...)
}

# That of loo, of fits one after another; compare_fits() needs no package and has the evidence, too.
loo_compare.flymc <- function(x, ...) loo::loo_compare(lapply(list(x, ...), loo.flymc))

# bayesplot: responses beside new ones of some draws. Some thousand rows, evenly spaced, show as
# much as all of a tall table.
pp_check.flymc <- function(object, type = NULL, ..., newdata = NULL, draws = 50, rows = 5000,
                           seed = NULL) {
  given <- rows_of(object, newdata, with_response = TRUE)
  if (inherits(stats::model.response(given$frame), "Surv")) {
    data_error("pp_check: a censored time is not a response that new ones can be compared with.")
  }
  if (is.null(type)) {
    type <- switch(object$response_kind, "two classes" = , classes = , ordered = "bars",
                   counts = "rootogram", "dens_overlay")
  }
  known <- sub("^ppc_", "", grep("^ppc_", getNamespaceExports("bayesplot"), value = TRUE))
  if (!type %in% known) {
    usage_error("type = \"", type, "\": bayesplot has no ppc_", type, "; it has ",
                paste(sort(known), collapse = ", "), ".")
  }
  count <- min(count_of(rows, "rows", 1), nrow(given$frame))
  kept <- floor((2 * seq_len(count) - 1) * nrow(given$frame) / (2 * count)) + 1
  new <- unname(draw_responses(object, newdata, draws, seed, kept))
  plot <- getExportedValue("bayesplot", paste0("ppc_", type))
  plot(drawn_scale(object, only_rows(given, kept)$frame), new, ...)
}

# The responses as draw_responses() draws them: codes from 0 of classes, counts of successes.
drawn_scale <- function(object, frame) {
  response <- coded_response(object, frame)
  switch(object$response_kind, "two classes" = (response$y + 1) / 2,
         successes = response$y * response$trials, response$y)
}

# generics, and with it broom
tidy.flymc <- function(x, conf.int = FALSE, conf.level = 0.9, ...) {
  result <- data.frame(
    term = rownames(x$estimates), estimate = x$estimates[, "mean"],
    std.error = x$estimates[, "sd"], row.names = NULL
  )
  if (conf.int) {
    limits <- confint.flymc(x, parm = result$term, level = conf.level)
    result$conf.low <- unname(limits[, 1])
    result$conf.high <- unname(limits[, 2])
  }
  result
}

glance.flymc <- function(x, ...) {
  data.frame(
    family = x$family, nobs = nrow(x$model), chains = dim(x$draws)[2], draws = dim(x$draws)[1],
    engine = x$cost$engine, max.rhat = max(x$estimates[, "rhat"]),
    min.ess.bulk = min(x$estimates[, "ess_bulk"])
  )
}
