# From R's model frame to what the engine takes, and back for new rows.

# The response as a table holds it: numbers, or codes from 0 with labels.
encode_response <- function(y, kind, name) {
  if (inherits(y, "Surv")) {
    if (kind != "positive" || !identical(attr(y, "type"), "right")) {
      data_error("response ", name, ": right censored times are for families of numbers > 0.")
    }
    return(list(y = as.double(y[, 1]), trials = 1 - as.double(y[, 2])))  # 1: censored
  }
  if (is.matrix(y)) {
    if (kind != "successes" || ncol(y) != 2) {
      data_error("response ", name, " has ", ncol(y), " columns; only a response of trials has ",
                 "two: cbind(successes, failures).")
    }
    return(list(y = as.double(y[, 1]), trials = as.double(rowSums(y))))
  }
  if (kind == "successes") {
    data_error("response ", name, ' must be cbind(successes, failures) for this family.')
  }
  if (is.numeric(y)) {
    return(list(y = as.double(y)))
  }
  if (!(is.factor(y) || is.character(y) || is.logical(y))) {
    data_error("response ", name, " is of class ", class(y)[1],
               "; it must hold numbers, a factor, text or logicals.")
  }
  y <- droplevels(as.factor(y))
  list(y = as.double(unclass(y)) - 1, labels = levels(y))
}

require_finite <- function(values, what) {
  if (!is.null(values) && !all(is.finite(values))) {
    data_error(what, " holds a value that is not finite; set it to NA, which na.action sees to.")
  }
}

# Of a model matrix: names the first column and row, and what leaves such rows out where a variable of
# the frame is that column.
require_finite_columns <- function(x, frame) {
  bad <- which(!is.finite(x), arr.ind = TRUE)
  if (nrow(bad) == 0) {
    return(invisible())
  }
  row <- bad[[1, 1]]
  name <- colnames(x)[bad[[1, 2]]]
  data_error("column '", name, "' is ", format(x[[row, bad[[1, 2]]]]), " in row ",
             row.names(frame)[row], "; leave such rows out",
             if (name %in% names(frame)) paste0(" (subset = is.finite(", name, "))"),
             ", or set them to NA, which na.action sees to.")
}

# Columns with slopes, without the intercept's, as doubles.
slopes_of <- function(x) {
  x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
  storage.mode(x) <- "double"
  x
}

in_words <- function(calls) {
  vapply(calls, function(call) paste(deparse(call), collapse = " "), "")
}

# Text of dates would be a category with a level for each day.
require_no_text_dates <- function(object) {
  frame <- object$model
  texts <- names(frame)[vapply(frame, is.character, NA)]
  for (name in intersect(in_words(calls_of(object)), texts)) {
    some <- unique(stats::na.omit(frame[[name]]))
    if (length(some) && all(grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}", some))) {
      data_error("column '", name, "' holds dates ('", some[[1]], "'); count days, as.numeric(",
                 "as.Date(", name, ")), or make each a level, factor(", name, ").")
    }
  }
}

# What make_fit() takes of an object that has no draws yet. Rows of weight 0 are no rows. New rows
# may come without a response.
engine_data <- function(object, with_response = TRUE) {
  frame <- object$model
  require_no_text_dates(object)
  x <- design_matrix(object$terms, object$curves, frame, object$contrasts)
  contrasts <- attr(x, "contrasts")
  x <- slopes_of(x)
  joined <- if (length(object$predictors)) {
    join_columns(x, object$asked$intercept, object$predictors, frame)
  }
  if (!is.null(joined)) {
    x <- joined$x
  }
  name <- paste(deparse(attr(object$terms, "variables")[[2]]), collapse = "")
  response <- if (with_response) {
    encode_response(stats::model.response(frame), object$response_kind, name)
  } else {
    list(y = rep(0, nrow(frame)))
  }
  weights <- stats::model.weights(frame)
  offset <- offset_of(object$terms, frame, argument = TRUE)
  require_finite_columns(x, frame)
  require_finite(response$y, paste("response", name))
  require_finite(weights, "weights")
  require_finite(offset, "offset")
  if (any(weights < 0)) {
    data_error("weights must not be negative.")
  }
  data <- list(x = x, columns = colnames(x), response = name, y = response$y,
               labels = response$labels, weights = as_numbers(weights),
               offset = as_numbers(offset), trials = response$trials, contrasts = contrasts,
               predictors = joined$columns, numbers = numbers_of_rows(object),
               factors = all_factors(object$groups, frame))
  if (!is.null(weights) && any(weights == 0)) keep_rows(data, weights > 0) else data
}

# The variables whose missing values left out rows of the frame, as expressions of the data; the call
# makes the frame once more where there are some.
missing_variables <- function(frame, call, where) {
  if (is.null(attr(frame, "na.action"))) {
    return(character())
  }
  call$na.action <- quote(stats::na.pass)
  whole <- eval(call, where)
  words <- in_words(as.list(attr(attr(whole, "terms"), "variables"))[-1])
  for (part in setdiff(names(whole), names(whole)[seq_along(words)])) {  # "(weights)", "(offset)"
    words <- c(words, in_words(list(call[[substr(part, 2, nchar(part) - 1)]])))
  }
  words[vapply(unname(as.list(whole)), anyNA, NA)]
}

# Where the rows of the model frame are in the data; NULL: they are all there, or R does not say.
numbers_of_rows <- function(object) {
  frame <- object$model
  if (!is.null(object$call$subset)) {
    numbers <- suppressWarnings(as.double(row.names(frame)))  # where the data have no names
    told <- !anyNA(numbers) && all(numbers >= 1) && !is.unsorted(numbers, strictly = TRUE)
    return(if (told) numbers)
  }
  left_out <- attr(frame, "na.action")
  if (length(left_out)) as.double(seq_len(nrow(frame) + length(left_out))[-left_out])
}

as_numbers <- function(values) if (is.null(values)) NULL else as.double(values)

keep_rows <- function(data, kept) {
  data$x <- data$x[kept, , drop = FALSE]
  if (is.null(data$numbers)) {
    data$numbers <- as.double(seq_along(kept))
  }
  for (part in c("y", "weights", "offset", "trials", "numbers")) {
    data[[part]] <- data[[part]][kept]
  }
  data$factors <- lapply(data$factors, function(factor) {
    factor$codes <- factor$codes[kept]
    factor
  })
  data
}

# Model matrix (features in the engine's order), offset and frame of the rows to predict.
rows_of <- function(object, newdata = NULL, with_response = FALSE) {
  if (is.null(newdata)) {
    frame <- object$model
    terms <- object$terms
    offset <- offset_of(terms, frame, argument = TRUE)
  } else {
    terms <- if (with_response) object$terms else stats::delete.response(object$terms)
    frame <- stats::model.frame(terms, newdata, na.action = stats::na.pass, xlev = object$xlevels)
    classes <- attr(stats::delete.response(object$terms), "dataClasses")
    if (!is.null(classes)) {
      stats::.checkMFClasses(classes, frame)
    }
    offset <- offset_of(terms, frame)
    if (!is.null(object$call$offset)) {
      own <- eval(object$call$offset, newdata, environment(object$terms))
      offset <- if (is.null(offset)) own else offset + own
    }
  }
  x <- design_matrix(terms, object$curves, frame, object$contrasts)
  x <- slopes_of(x)[, object$features, drop = FALSE]
  list(x = x, offset = if (is.null(offset)) rep(0, nrow(x)) else as.double(offset), frame = frame,
       levels = codes_of_rows(object, if (is.null(newdata)) frame else newdata),
       others = rows_of_others(object, newdata))
}

# Some of what rows_of() gives.
only_rows <- function(given, rows) {
  given$frame <- given$frame[rows, , drop = FALSE]
  given$x <- given$x[rows, , drop = FALSE]
  given$offset <- given$offset[rows]
  given$others <- lapply(given$others, function(other) {
    list(x = other$x[rows, , drop = FALSE], offset = other$offset[rows])
  })
  given$levels <- lapply(given$levels, function(levels) {
    levels$codes <- lapply(levels$codes, function(codes) codes[rows])
    levels
  })
  given
}

# The response of these rows as the likelihood codes it, and its trials.
coded_response <- function(object, frame) {
  y <- stats::model.response(frame)
  if (is.null(y)) {
    data_error("newdata has no response.")
  }
  kind <- object$response_kind
  if (kind == "successes") {
    trials <- as.double(rowSums(y))
    return(list(y = as.double(y[, 1]) / trials, trials = trials))
  }
  if (inherits(y, "Surv")) {  # -t: more than t
    return(list(y = ifelse(y[, 2] == 0, -y[, 1], y[, 1]), trials = rep(1, nrow(y))))
  }
  if (!is.null(object$classes)) {
    code <- match(as.character(y), object$classes) - 1
    if (anyNA(code)) {
      data_error("the response has a class that the fit has not seen.")
    }
    y <- if (kind == "two classes") 2 * code - 1 else code
  }
  list(y = as.double(y), trials = rep(1, length(y)))
}
