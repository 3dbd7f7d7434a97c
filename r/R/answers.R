# What a fit answers beside its draws: effects, checks, comparison, report. Numbers and texts are the
# library's; rows are made for it as it asks (held_rows.R).

# The object with the draws that it shows in an engine: one that was read from a file has none, and
# that of a fit which went on since has more. Chains that start over draw the same.
with_engine <- function(object) {
  draws <- dim(object$draws)[1]
  if (!.Call(is_alive, object$run) || .Call(count_draws, object$run) != draws) {
    object$run <- NULL
    object$progress <- FALSE
    object <- suppressWarnings(advance(object, draws), classes = "flymc_warning")
  }
  object
}

require_fit <- function(fit) {
  if (!inherits(fit, "flymc")) {
    usage_error("a fit is made by flymc(), and this is of class ", class(fit)[1], ".")
  }
}

# 0 < prob < 1
probability_of <- function(prob) {
  if (!(is.numeric(prob) && length(prob) == 1 && isTRUE(prob > 0 && prob < 1))) {
    usage_error("prob = ", paste(deparse(prob), collapse = ""), ": must be between 0 and 1.")
  }
  as.double(prob)
}

as_table <- function(columns) as.data.frame(columns, stringsAsFactors = FALSE)

effects.flymc <- function(object, of = NULL, newdata = NULL, prob = 0.95, rows = NULL, draws = 1000,
                          cores = getOption("mc.cores", 0), ...) {
  if (!is.null(of) && !(is.character(of) && length(of) > 0 && !anyNA(of))) {
    usage_error("of must be names of variables, such as ", 'of = "age".')
  }
  asked <- list(of = of, rows = if (!is.null(rows)) count_of(rows, "rows", 0),
                draws = count_of(draws, "draws", 0), prob = probability_of(prob),
                cores = count_of(cores, "cores", 0))
  object <- with_engine(object)
  found <- .Call(fit_effects, object$run, held_rows(object, newdata, with_response = FALSE), asked)
  average <- as_table(found$effects[c("column", "level", "reference", "outcome", "mean", "sd",
                                      "lower", "upper", "prob_positive")])
  about <- found[c("text", "rows", "rows_of", "draws", "prob", "notes")]
  if (is.null(of)) {
    return(structure(average, about = about, class = c("flymc_effects", "data.frame")))
  }
  curves <- as_table(found$curves[c("column", "at", "level", "outcome", "mean", "sd", "lower",
                                    "upper")])
  structure(curves, about = about, effects = average, class = c("flymc_curves", "data.frame"))
}

print.flymc_effects <- function(x, ...) {
  cat(attr(x, "about")$text)
  invisible(x)
}
print.flymc_curves <- print.flymc_effects

# A part of either is a data frame like any other.
`[.flymc_effects` <- function(x, ...) {
  attr(x, "about") <- attr(x, "effects") <- NULL
  class(x) <- "data.frame"
  x[...]
}
`[.flymc_curves` <- `[.flymc_effects`

# Mean and interval of every outcome over the values of a variable, a panel each.
plot.flymc_curves <- function(x, ylab = NULL, ...) {
  prob <- attr(x, "about")$prob
  x <- x[]
  panels <- unique(x[c("column", "outcome")])
  width <- ceiling(sqrt(nrow(panels)))
  if (nrow(panels) > 1) {
    old <- graphics::par(mfrow = c(ceiling(nrow(panels) / width), width))
    on.exit(graphics::par(old))
  }
  for (i in seq_len(nrow(panels))) {
    one <- x[x$column == panels$column[i] & x$outcome == panels$outcome[i], ]
    label <- if (is.null(ylab)) panels$outcome[i] else ylab
    if (anyNA(one$at)) {
      plot_levels(one, xlab = panels$column[i], ylab = label, ...)
    } else {
      plot_curve(one, xlab = panels$column[i], ylab = label, ...)
    }
    graphics::mtext(paste0("with ", format(100 * prob), " % intervals"), cex = 0.8)
  }
  invisible(x)
}

plot_curve <- function(points, ylim = range(points$lower, points$upper), ...) {
  graphics::plot(points$at, points$mean, type = "n", ylim = ylim, ...)
  graphics::polygon(c(points$at, rev(points$at)), c(points$lower, rev(points$upper)),
                    col = "grey85", border = NA)
  graphics::lines(points$at, points$mean, lwd = 2)
}

plot_levels <- function(points, ylim = range(points$lower, points$upper), ...) {
  at <- seq_len(nrow(points))
  graphics::plot(at, points$mean, type = "n", xlim = range(at) + c(-0.5, 0.5), ylim = ylim,
                 xaxt = "n", ...)
  graphics::axis(1, at, points$level)
  graphics::segments(at, points$lower, at, points$upper, lwd = 2, col = "grey60")
  graphics::points(at, points$mean, pch = 19)
}

check_fit <- function(fit, newdata = NULL, prob = 0.95, rows = 50000, draws = 400,
                      cores = getOption("mc.cores", 0)) {
  require_fit(fit)
  asked <- list(rows = count_of(rows, "rows", 0), draws = count_of(draws, "draws", 0),
                prob = probability_of(prob), cores = count_of(cores, "cores", 0))
  fit <- with_engine(fit)
  found <- .Call(fit_check, fit$run, held_rows(fit, newdata), asked)
  found$scores <- as_table(found$scores)
  found$scores$without[is.nan(found$scores$without)] <- NA
  calibration <- as_table(found$calibration)
  counts <- as_table(found$counts)
  counts <- cbind(count = seq_len(nrow(counts)) - 1, counts)
  of_classes <- nrow(calibration) > 0
  found["calibration"] <- list(if (of_classes) calibration)
  found["residuals"] <- list(if (!of_classes) found$residuals)
  found["counts"] <- list(if (nrow(counts)) counts)
  structure(found, class = "flymc_check")
}

print.flymc_check <- function(x, ...) {
  cat(x$text)
  invisible(x)
}

# What each of the arguments is called: by its name, else as it is in the call, else by its place.
names_of_fits <- function(fits, calls) {
  words <- paste("fit", seq_along(fits))
  symbols <- vapply(calls, is.symbol, NA)
  words[symbols] <- vapply(calls[symbols], as.character, "")
  named <- if (is.null(names(fits))) rep(FALSE, length(fits)) else names(fits) != ""
  words[named] <- names(fits)[named]
  make.unique(words, " ")
}

compare_fits <- function(..., all = FALSE) {
  fits <- list(...)
  calls <- as.list(substitute(list(...)))[-1]
  if (length(fits) == 1 && is.list(fits[[1]]) && !inherits(fits[[1]], "flymc")) {
    fits <- fits[[1]]
    calls <- vector("list", length(fits))
  }
  if (length(fits) == 0) {
    usage_error("compare_fits() compares fits: compare_fits(fit1, fit2).")
  }
  if (!is.logical(all) || length(all) != 1 || is.na(all)) {
    usage_error("all must be TRUE or FALSE.")
  }
  for (fit in fits) {
    require_fit(fit)
  }
  words <- names_of_fits(fits, calls)
  fits <- lapply(fits, with_engine)
  given <- Map(function(fit, name) {
    list(name = name, run = fit$run, rows = held_rows(fit), missing_in = as.character(fit$missing_in))
  }, unname(fits), words)
  found <- .Call(compare_runs, unname(given), all)
  found$text <- gsub("(intercept)", "(Intercept)", found$text, fixed = TRUE)
  found$coefficients$parameter <-
    sub("(intercept)", "(Intercept)", found$coefficients$parameter, fixed = TRUE)
  structure(as_table(found$fits),
            about = list(text = found$text, coefficients = as_table(found$coefficients),
                         notes = found$notes),
            class = c("flymc_comparison", "data.frame"))
}

print.flymc_comparison <- print.flymc_effects
`[.flymc_comparison` <- `[.flymc_effects`

report_fit <- function(fit, file, newdata = NULL) {
  require_fit(fit)
  if (missing(file) || !(is.character(file) && length(file) == 1 && !is.na(file) && nzchar(file))) {
    usage_error('file must be the name of one file, such as "report.html".')
  }
  fit <- with_engine(fit)
  page <- .Call(fit_report, fit$run, held_rows(fit, newdata))
  written <- tryCatch(writeBin(charToRaw(page), file), error = identity, warning = identity)
  if (inherits(written, "condition")) {
    flymc_condition(paste0("the report cannot be written: ", conditionMessage(written)),
                    "flymc_io_error")
  }
  invisible(file)
}
