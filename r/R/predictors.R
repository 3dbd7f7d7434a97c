# Formulas of predictors beside the first: flymc(list(y ~ a, sigma ~ b), ...), as brms' bf() has them.

# list(first, others): the formula of the response, and of the others each by its name, in the order
# in which the engine takes their columns.
split_list <- function(formula) {
  if (!is.list(formula)) {
    return(list(first = stats::as.formula(formula), others = list()))
  }
  if (length(formula) == 0 || !all(vapply(formula, inherits, NA, "formula"))) {
    usage_error("formula: a list holds formulas, that of the response first: ",
                "list(y ~ a, sigma ~ b).")
  }
  names <- vapply(formula[-1], name_of_predictor, "")
  if (anyDuplicated(names)) {
    usage_error("formula: ", names[duplicated(names)][1], " has two formulas.")
  }
  others <- formula[-1][order(names, method = "radix")]
  names(others) <- sort(names, method = "radix")
  list(first = formula[[1]], others = others)
}

name_of_predictor <- function(formula) {
  text <- paste(deparse(formula), collapse = "")
  if (length(formula) != 3 || !is.symbol(formula[[2]])) {
    usage_error("formula ", text, ": on its left stands the name of a predictor: sigma ~ b.")
  }
  side <- formula[[3]]
  if (any(c("|", "||") %in% all.names(side)) || calls_s(side)) {
    usage_error("formula ", text, ": group terms and curves stand in the formula of the response.")
  }
  if ("." %in% all.names(side)) {
    usage_error("formula ", text, ": name the columns in place of the dot.")
  }
  as.character(formula[[2]])
}

# The formula of a model frame that holds the variables of the others, too.
with_variables <- function(frame, others) {
  if (length(others) > 0 && "." %in% all.names(frame[[length(frame)]])) {
    usage_error("the formula has a . and others stand beside it; name the columns.")
  }
  side <- length(frame)
  for (formula in others) {
    for (variable in as.list(attr(stats::terms(formula[-2]), "variables"))[-1]) {
      frame[[side]] <- call("+", frame[[side]], variable)
    }
  }
  frame
}

# Those of factors in these terms: R warns of others.
own_contrasts <- function(contrasts, terms) {
  own <- contrasts[intersect(names(contrasts), names(attr(terms, "dataClasses")))]
  if (length(own)) own
}

# By name list(terms, xlevels, contrasts).
predictors_of <- function(others, frame, contrasts) {
  lapply(others, function(formula) {
    terms <- fixed_terms(formula[-2], frame)
    list(terms = terms, xlevels = stats::.getXlevels(terms, frame),
         contrasts = own_contrasts(contrasts, terms), intercept = attr(terms, "intercept") == 1)
  })
}

# The sum of the offsets in these terms, and of the argument where it is the first's; NULL: none.
offset_of <- function(terms, frame, argument = FALSE) {
  total <- if (argument) frame[["(offset)"]]
  variables <- as.list(attr(terms, "variables"))[-1]
  for (i in attr(terms, "offset")) {
    values <- frame[[paste(deparse(variables[[i]], width.cutoff = 500), collapse = " ")]]
    total <- if (is.null(total)) values else total + values
  }
  total
}

# Slopes' columns (without the intercept's) and offset of a predictor.
rows_of_predictor <- function(predictor, frame) {
  list(x = slopes_of(stats::model.matrix(predictor$terms, frame, predictor$contrasts)),
       offset = as_numbers(offset_of(predictor$terms, frame)))
}

offset_column <- function(name) paste0("offset(", name, ")")

# The columns of all predictors side by side, each once, and which are whose: list(x, columns).
join_columns <- function(x, intercept, predictors, frame) {
  columns <- list(list(name = "", columns = colnames(x), intercept = intercept,
                       offsets = character()))
  for (name in names(predictors)) {
    own <- rows_of_predictor(predictors[[name]], frame)
    require_finite(own$offset, paste("offset of", name))
    shared <- intersect(colnames(own$x), colnames(x))
    if (any(own$x[, shared] != x[, shared], na.rm = TRUE)) {
      usage_error("columns of ", name, " and of another predictor have the same name and other ",
                  "values: give the factor one kind of contrasts.")
    }
    columns <- c(columns, list(list(
      name = name, columns = colnames(own$x), intercept = predictors[[name]]$intercept,
      offsets = if (is.null(own$offset)) character() else offset_column(name))))
    x <- with_columns(x, name, own)
  }
  list(x = x, columns = columns)
}

# Columns, and those of another predictor that are not among them.
with_columns <- function(x, name, own) {
  x <- cbind(x, own$x[, setdiff(colnames(own$x), colnames(x)), drop = FALSE])
  if (is.null(own$offset)) x else cbind(x, matrix(own$offset, dimnames = list(NULL, offset_column(name))))
}

# What rows_of() gives of the other predictors: by name list(x, offset).
rows_of_others <- function(object, newdata) {
  lapply(object$predictors, function(predictor) {
    frame <- object$model
    if (!is.null(newdata)) {
      frame <- stats::model.frame(predictor$terms, newdata, na.action = stats::na.pass,
                                  xlev = predictor$xlevels)
    }
    rows_of_predictor(predictor, frame)
  })
}

# The linear predictor of that name for some rows: draws x rows.
eta_of_other <- function(name, given, theta, at) {
  slopes <- intersect(paste0(name, ": ", colnames(given$x)), colnames(theta))  # constant: dropped
  x <- given$x[at, substring(slopes, nchar(name) + 3), drop = FALSE]
  eta <- tcrossprod(theta[, slopes, drop = FALSE], x)
  constant <- paste0(name, ": (Intercept)")
  if (constant %in% colnames(theta)) {
    eta <- eta + theta[, constant]
  }
  if (!is.null(given$offset)) {
    eta <- eta + rep(given$offset[at], each = nrow(theta))
  }
  eta
}

# Of every auxiliary parameter its draws; where it has a formula its linear predictor, draws x rows.
auxiliaries_of <- function(object, rows, theta, at) {
  lapply(object$auxiliaries, function(name) {
    if (name %in% colnames(theta)) {
      return(unname(theta[, name]))
    }
    eta_of_other(name, rows$others[[name]], theta, at)
  })
}
