# What a fit answers beside its draws: effects of inputs, checks, comparison, report. The library has
# the numbers and the texts; here rows are made for it, some at a time.

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

# The object with other rows in the place of its own: those of newdata that miss nothing.
with_newdata <- function(object, newdata, with_response) {
  if (!is.data.frame(newdata)) {
    usage_error("newdata must be a data frame, and is of class ", class(newdata)[1], ".")
  }
  terms <- attr(object$model, "terms")
  needed <- union(variables_in(as.list(attr(stats::delete.response(terms), "variables"))[-1]),
                  if (with_response) all.vars(attr(terms, "variables")[[2]]))
  own <- c(names(object$model), names(object$inputs), all.vars(attr(terms, "variables")[[2]]))
  absent <- setdiff(intersect(needed, own), names(newdata))
  if (length(absent)) {
    data_error("newdata has no column ", absent[1], ".")
  }
  if (!with_response) {
    terms <- stats::delete.response(terms)
  }
  levels <- c(object$xlevels, unlist(unname(lapply(object$predictors, `[[`, "xlevels")), recursive = FALSE))
  levels <- levels[!duplicated(names(levels))]
  offset <- if (!is.null(object$call$offset)) {
    eval(object$call$offset, newdata, environment(object$terms))
  }
  if (!is.null(offset)) {
    newdata[["(offset)"]] <- offset
  }
  newdata <- newdata[stats::complete.cases(newdata[intersect(c(needed, "(offset)"), names(newdata))]), ,
                     drop = FALSE]
  if (nrow(newdata) == 0) {
    data_error("newdata has no row in which nothing is missing.")
  }
  frame <- stats::model.frame(terms, newdata, na.action = stats::na.pass, xlev = levels)
  if (!is.null(offset)) {
    frame[["(offset)"]] <- newdata[["(offset)"]]
  }
  object$model <- frame
  object$inputs <- as.list(newdata)[setdiff(intersect(needed, names(newdata)), names(frame))]
  object
}

# Rows as the library asks for them (src/answers.hpp).
held_rows <- function(object, newdata = NULL, with_response = TRUE) {
  of_fit <- is.null(newdata)
  fit <- object
  looked <- FALSE
  if (!of_fit) {
    object <- with_newdata(object, newdata, with_response)
  }
  weights <- if (of_fit) stats::model.weights(object$model)
  kept <- if (!is.null(weights) && any(weights == 0)) which(weights > 0)  # others are no rows
  numbers <- function(rows) if (is.null(kept)) rows else kept[rows]
  inputs <- NULL
  all_inputs <- function() {
    if (is.null(inputs)) inputs <<- inputs_of(object)
    inputs
  }
  list(
    count = as.double(if (is.null(kept)) nrow(object$model) else length(kept)),
    of_fit = of_fit,
    table = function(rows) {
      object$model <- frame_rows(object, numbers(rows))
      data <- engine_data(object, with_response)
      data$numbers <- NULL
      data
    },
    inputs = function(rows) lapply(all_inputs(), coded_input, rows = numbers(rows)),
    changed = function(rows, name, values) {
      rows <- numbers(rows)
      own <- variables_at(object, all_inputs(), rows)
      input <- Find(function(input) input$name == name, all_inputs())
      own[[name]][seq_along(rows)] <- decoded_input(input, values)
      tryCatch(
        {
          if (!looked) require_own_columns(fit)
          looked <<- TRUE
          changed_columns(object, own, seq_along(rows), object$model[["(offset)"]][rows])
        },
        error = function(e) list(why_not = paste0(
          "columns of other values cannot be made: ", conditionMessage(e), "; make what the formula ",
          "makes a column of the data."))
      )
    }
  )
}

some_of <- function(x, rows) if (is.matrix(x)) x[rows, , drop = FALSE] else x[rows]

# Some rows of the model frame, whose text has all levels of the fit.
frame_rows <- function(object, rows) {
  frame <- object$model[rows, , drop = FALSE]
  for (terms in c(list(object), object$predictors)) {
    for (name in names(terms$xlevels)) {
      if (is.character(frame[[name]])) {
        frame[[name]] <- factor(frame[[name]], levels = terms$xlevels[[name]])
      }
    }
  }
  frame
}

# The variables of some rows, and after them of one row each level: functions of a formula such as
# factor() see all levels, whatever is asked of the rows.
variables_at <- function(object, inputs, rows) {
  levels <- unlist(lapply(inputs, function(input) match(input$choices, input$values)))
  lapply(raw_variables(object), some_of, rows = c(rows, levels))
}

# The columns of the engine, and the offset, of the rows that are `kept` of these; `offset` is what
# the argument gave.
changed_columns <- function(object, variables, kept, offset) {
  data <- structure(variables, row.names = .set_row_names(NROW(variables[[1]])),
                    class = "data.frame")
  frame_of <- function(terms, levels) {
    terms <- stats::delete.response(terms)
    stats::model.frame(terms, data, na.action = stats::na.pass, xlev = levels)
  }
  frame <- frame_of(object$terms, object$xlevels)
  x <- slopes_of(design_matrix(object$terms, object$curves, frame, object$contrasts))
  for (name in names(object$predictors)) {
    predictor <- object$predictors[[name]]
    x <- with_columns(x, name, rows_of_predictor(predictor, frame_of(predictor$terms, predictor$xlevels)))
  }
  own <- offset_of(object$terms, frame)[kept]
  list(x = x[kept, , drop = FALSE], columns = colnames(x),
       offset = as_numbers(if (is.null(own)) offset else if (is.null(offset)) own else own + offset))
}

# Of some rows alone the columns must be what they are among all: those of x - mean(x) are not, and
# would not change with x.
require_own_columns <- function(object) {
  all <- nrow(object$model)
  rows <- seq(1, all, length.out = min(50, ceiling(all / 2)))
  weights <- stats::model.weights(object$model)
  rows <- if (is.null(weights)) floor(rows) else floor(rows)[weights[floor(rows)] > 0]
  part <- object
  part$model <- frame_rows(object, rows)
  known <- engine_data(part, with_response = FALSE)
  alone <- changed_columns(object, variables_at(object, inputs_of(object), rows), seq_along(rows),
                           object$model[["(offset)"]][rows])
  if (!isTRUE(all.equal(unname(alone$x), unname(known$x), check.attributes = FALSE)) ||
        !isTRUE(all.equal(alone$offset, known$offset))) {
    stop("what it makes of a row depends on the others, as x - mean(x) does; scale() and poly() ",
         "are known to R")
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
  curves <- as_table(found$curves[c("column", "at", "level", "outcome", "mean", "sd", "lower", "upper")])
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

compare_fits <- function(..., all = FALSE) {
  fits <- list(...)
  words <- vapply(as.list(substitute(list(...)))[-1], function(e) paste(deparse(e), collapse = ""), "")
  if (length(fits) == 1 && is.list(fits[[1]]) && !inherits(fits[[1]], "flymc")) {
    fits <- fits[[1]]
    words <- paste("fit", seq_along(fits))
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
  if (!is.null(names(fits))) {
    words[names(fits) != ""] <- names(fits)[names(fits) != ""]
  }
  words <- make.unique(ifelse(nchar(words) > 40, paste("fit", seq_along(fits)), words), " ")
  fits <- lapply(fits, with_engine)
  given <- Map(function(fit, name) list(name = name, run = fit$run, rows = held_rows(fit)),
               unname(fits), words)
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
    flymc_condition(paste0("the report cannot be written: ", conditionMessage(written)), "flymc_io_error")
  }
  invisible(file)
}
