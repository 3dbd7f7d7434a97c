# The variables that a formula makes columns of, as the data have them: what effects are of.

# Names of variables in calls, as formulas list them.
variables_in <- function(calls) unique(unlist(lapply(calls, all.vars)))

all_terms <- function(object) c(list(object$terms), lapply(object$predictors, `[[`, "terms"))

# The calls that the model matrices and offsets are made of.
calls_of <- function(object) {
  unlist(lapply(all_terms(object), function(terms) {
    as.list(attr(stats::delete.response(terms), "variables"))[-1]
  }))
}

variables_of <- function(object) variables_in(calls_of(object))

# What a model frame does not hold by itself: x of log(x). Nothing is copied where the frame has all
# rows of the data.
kept_inputs <- function(object, data) {
  frame <- object$model
  environment <- environment(object$terms)
  kept <- list()
  rows <- NULL
  for (name in setdiff(variables_of(object), names(frame))) {
    values <- if (name %in% names(data)) data[[name]] else get0(name, environment)
    if (!is.atomic(values) || NROW(values) < nrow(frame)) next  # a constant
    if (NROW(values) > nrow(frame)) {
      if (is.null(rows)) rows <- rows_in(frame, data)
      values <- some_of(values, rows)
    }
    kept[[name]] <- values
  }
  if (length(kept)) kept
}

# Where the rows of a frame are among those of the data.
rows_in <- function(frame, data) {
  names <- row.names(frame)
  if (is.data.frame(data)) match(names, row.names(data)) else as.integer(names)
}

# The variables of all rows, by name.
raw_variables <- function(object) {
  names <- variables_of(object)
  c(as.list(object$model)[intersect(names, names(object$model))], object$inputs)
}

# Whether numbers are names of levels: they stand in factor() and nowhere else.
stands_for_levels <- function(name, object) {
  found <- function(e, inside) {
    if (is.symbol(e)) return(if (identical(as.character(e), name)) inside)
    if (!is.call(e)) return(NULL)
    levels <- operator_of(e) %in% c("factor", "as.factor", "ordered", "as.ordered", "as.character")
    unlist(lapply(as.list(e)[-1], found, inside = inside || levels))
  }
  all(unlist(lapply(calls_of(object), found, inside = FALSE)))
}

# An input as list(name, values, levels, choices): numbers without the last two, or of a category its
# levels by label and by a value each, of the class that the data have.
input_of <- function(name, x, object) {
  category <- is.factor(x) || is.character(x) || is.logical(x) ||
    (is.numeric(x) && stands_for_levels(name, object))
  if (!category) {
    return(list(name = name, values = x))
  }
  labels <- if (is.factor(x)) levels(droplevels(x)) else sort(unique(x), method = "radix")
  words <- if (is.numeric(x)) format_numbers(labels) else as.character(labels)
  list(name = name, values = x, levels = words, choices = x[match(labels, x)])
}

# Those that effects can be of: one number or level a row.
inputs_of <- function(object) {
  raw <- raw_variables(object)
  names <- intersect(variables_of(object), names(raw))
  inputs <- lapply(names, function(name) input_of(name, raw[[name]], object))
  Filter(function(input) {
    varies <- is.null(dim(input$values)) && !anyNA(input$values) && length(input$levels) != 1
    varies && (is.numeric(unclass(input$values)) || !is.null(input$levels))
  }, inputs)
}

# As the library takes it: numbers, or places among the levels from 0.
coded_input <- function(input, rows) {
  values <- input$values[rows]
  if (is.null(input$levels)) {
    return(list(name = input$name, values = as.double(values)))
  }
  list(name = input$name, values = as.double(match(values, input$choices)) - 1,
       levels = input$levels)
}

# The other way round: values of the class that the data have.
decoded_input <- function(input, values) {
  if (!is.null(input$levels)) {
    return(input$choices[values + 1])
  }
  attributes(values) <- attributes(input$values)[c("class", "tzone", "units")]
  values
}
