# Rows as the library asks for them: some at a time, as they are and with other values of a variable.

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
  others <- lapply(unname(object$predictors), `[[`, "xlevels")
  levels <- c(object$xlevels, unlist(others, recursive = FALSE))
  levels <- levels[!duplicated(names(levels))]
  offset <- if (!is.null(object$call$offset)) {
    eval(object$call$offset, newdata, environment(object$terms))
  }
  if (!is.null(offset)) {
    newdata[["(offset)"]] <- offset
  }
  read <- intersect(c(needed, "(offset)"), names(newdata))
  newdata <- newdata[stats::complete.cases(newdata[read]), , drop = FALSE]
  if (nrow(newdata) == 0) {
    data_error("newdata has no row in which nothing is missing.")
  }
  frame <- tryCatch(stats::model.frame(terms, newdata, na.action = stats::na.pass, xlev = levels),
                    error = function(e) data_error("newdata: ", conditionMessage(e), "."))
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
  known <- NULL
  variables <- function() {
    if (is.null(known)) known <<- known_variables(fit, if (!of_fit) object)
    known
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
    inputs = function(rows) lapply(variables()$inputs, coded_input, rows = numbers(rows)),
    changed = function(rows, name, values) {
      rows <- numbers(rows)
      tryCatch(
        {
          if (!looked) require_own_columns(fit)
          looked <<- TRUE
          own <- variables_at(variables(), rows)
          input <- Find(function(input) input$name == name, variables()$inputs)
          own[[name]][seq_along(rows)] <- decoded_input(input, values)
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

# list(inputs, raw, of_levels): the inputs, all variables by name, and these once more of one row each
# level of the fit. New rows have the levels of the fit.
known_variables <- function(fit, new = NULL) {
  inputs <- inputs_of(fit)
  raw <- raw_variables(fit)
  levels <- unlist(lapply(inputs, function(input) match(input$choices, input$values)))
  of_levels <- lapply(raw, some_of, rows = levels)
  if (!is.null(new)) {
    raw <- raw_variables(new)
    for (i in seq_along(inputs)) {
      inputs[[i]]$values <- raw[[inputs[[i]]$name]] <- as_in_fit(raw[[inputs[[i]]$name]], inputs[[i]])
    }
  }
  list(inputs = inputs, raw = raw, of_levels = of_levels)
}

# Values of new rows, of the class that the fit has seen.
as_in_fit <- function(x, input) {
  if (is.null(input$levels)) {
    return(x)
  }
  at <- match(if (is.numeric(x)) format_numbers(x) else as.character(x), input$levels)
  if (anyNA(at)) {
    data_error("newdata: ", input$name, " is ", x[is.na(at)][1], ", a level that the fit did not see.")
  }
  input$choices[at]
}

# Some rows, and after them those of levels: functions of a formula such as factor() see all levels,
# whatever is asked of the rows.
variables_at <- function(variables, rows) {
  Map(function(x, levels) {
    x <- some_of(x, rows)
    if (is.matrix(x)) rbind(x, levels) else c(x, levels)
  }, variables$raw, variables$of_levels[names(variables$raw)])
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
    own <- rows_of_predictor(predictor, frame_of(predictor$terms, predictor$xlevels))
    x <- with_columns(x, name, own)
  }
  own <- offset_of(object$terms, frame)[kept]
  if (!is.null(own)) {
    offset <- if (is.null(offset)) own else own + offset
  }
  list(x = x[kept, , drop = FALSE], columns = colnames(x), offset = as_numbers(offset))
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
  alone <- changed_columns(object, variables_at(known_variables(object), rows), seq_along(rows),
                           object$model[["(offset)"]][rows])
  if (!isTRUE(all.equal(unname(alone$x), unname(known$x), check.attributes = FALSE)) ||
        !isTRUE(all.equal(alone$offset, known$offset))) {
    stop("what it makes of a row depends on the others, as x - mean(x) does; scale() and poly() ",
         "are known to R")
  }
}
