# Smooth terms of a formula, s(x, k): a straight line in x and k - 2 columns that bend it, made by
# the library. The call is read and never evaluated, so that an s() of another package is not met.

# list(name, x, word (of x in a model frame), knots).
curve_of <- function(e) {
  bad <- function(why) usage_error(paste(deparse(e), collapse = ""), ": ", why)
  parts <- as.list(e)[-1]
  named <- if (is.null(names(parts))) rep("", length(parts)) else names(parts)
  if (!length(parts) %in% 1:2 || named[1] != "" || any(!named[-1] %in% c("", "k"))) {
    bad("of s() a column and the number of knots are read: s(x), s(x, k = 10).")
  }
  x <- parts[[1]]
  sums <- c("+", "-", "*", "/", ":", "^", "%in%", "(", "|", "||", "~", "s")
  if (!is.symbol(x) && (!is.call(x) || operator_of(x) %in% sums)) {
    bad("in s() stands a column, or a function of columns such as log(a) or I(a / b).")
  }
  knots <- if (length(parts) == 2) parts[[2]] else 10
  if (!is.numeric(knots) || !(knots %in% 3:100)) {
    bad("the number of knots is a whole one from 3 to 100, written out.")
  }
  word <- function(backtick) {
    paste(deparse(x, width.cutoff = 500, backtick = backtick), collapse = " ")
  }
  list(name = paste0("s(", word(TRUE), ")"), x = x, word = word(is.call(x)),
       knots = as.double(knots))
}

# The sum with f(e) in the place of every call e of s().
replace_curves <- function(e, f) {
  operator <- operator_of(e)
  if (operator == "s") {
    return(f(e))
  }
  if (operator %in% c("+", "(")) {
    e[-1] <- lapply(as.list(e)[-1], replace_curves, f)
  } else if (operator == "-" && length(e) == 3) {
    e[[2]] <- replace_curves(e[[2]], f)
  }
  e
}

# Whether s is called; it may be the name of a column, too.
calls_s <- function(e) sum(all.names(e) == "s") > sum(all.names(e, functions = FALSE) == "s")

# What split_groups() gives of the formula with x in the place of s(x), and `curves`, where there
# are some: list(design, terms), the fixed part with a variable `s(x)` beside x, and the curves.
split_formula <- function(formula) {
  side <- length(formula)
  if (!calls_s(formula[[side]])) {
    return(split_groups(formula))
  }
  if ("." %in% all.names(formula[[side]])) {
    usage_error("the formula has a . and s(); name the columns.")
  }
  found <- list()
  line <- design <- formula
  line[[side]] <- replace_curves(formula[[side]], function(e) {
    curve <- curve_of(e)
    twin <- found[[curve$name]]
    if (!is.null(twin) && twin$knots != curve$knots) {
      usage_error(curve$name, " is there twice, with ", twin$knots, " and ", curve$knots, " knots.")
    }
    found[[curve$name]] <<- curve
    curve$x
  })
  if (calls_s(line[[side]])) {
    usage_error("a curve stands in the sum, outside of products and functions: y ~ a + s(x).")
  }
  design[[side]] <- replace_curves(formula[[side]], function(e) {
    curve <- curve_of(e)
    call("+", curve$x, as.name(curve$name))
  })
  parts <- split_groups(line, crossed = TRUE)
  parts$curves <- list(design = stats::terms(split_groups(design)$fixed), terms = unname(found))
  parts
}

curve_columns <- function(curve) paste0(curve$name, ".", seq_len(curve$knots - 2))

# The terms as the engine takes them.
curve_groups <- function(curves) {
  lapply(curves$terms, function(curve) {
    list(factor = curve$name, splines = curve_columns(curve))
  })
}

# The curves with what the rows of the fit say of them. Rows of weight 0 are no rows.
with_constants <- function(curves, frame) {
  weights <- stats::model.weights(frame)
  curves$terms <- lapply(curves$terms, function(curve) {
    values <- curve_values(curve, frame)
    require_finite(values, curve$name)
    if (!is.null(weights)) {
      values <- values[weights > 0]
    }
    different <- length(unique(values))
    if (different < curve$knots) {
      data_error(curve$name, ": there ", if (different == 1) "is only 1 value" else
                   paste("are only", different, "different values"), "; ",
                 if (different >= 3) paste0("give it at most so many knots, s(..., ", different,
                                            "), or "), "leave the curve out.")
    }
    curve$constants <- .Call(smooth_constants, values, curve$knots)
    curve
  })
  curves
}

curve_values <- function(curve, frame) {
  values <- frame[[curve$word]]
  if (!is.numeric(values) || is.matrix(values)) {
    data_error(curve$name, ": a curve is of one number a row, and ", curve$word, " is of class ",
               class(values)[1], ".")
  }
  as.double(values)
}

# R's model matrix, with the columns of curves where these stand in the formula.
design_matrix <- function(terms, curves, frame, contrasts) {
  if (is.null(curves)) {
    return(stats::model.matrix(stats::delete.response(terms), frame, contrasts))
  }
  for (curve in curves$terms) {
    frame[[curve$name]] <-
      .Call(smooth_values, curve_values(curve, frame), curve$knots, curve$constants)
  }
  design <- stats::delete.response(curves$design)
  x <- stats::model.matrix(design, frame, contrasts)
  variables <- as.list(attr(design, "variables"))[-1]
  for (curve in curves$terms) {
    row <- vapply(variables, identical, NA, as.name(curve$name))
    term <- which(attr(design, "factors")[row, ] > 0)
    colnames(x)[attr(x, "assign") == term] <- curve_columns(curve)
  }
  x
}
