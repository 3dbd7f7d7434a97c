# Group terms of a formula, (1 + x | g), as the engine takes them.

is_bar <- function(e) is.call(e) && as.character(e[[1]])[1] %in% c("|", "||")

operator_of <- function(e) if (is.call(e)) as.character(e[[1]])[1] else ""

# Terms (x | g) that stand in the sum.
find_bars <- function(e) {
  if (operator_of(e) == "(" && is_bar(e[[2]])) {
    return(list(e[[2]]))
  }
  if (operator_of(e) == "+") {
    return(unlist(lapply(as.list(e)[-1], find_bars), recursive = FALSE))
  }
  list()
}

# The sum without them; NULL where nothing is left.
without_bars <- function(e) {
  if (operator_of(e) == "(" && is_bar(e[[2]])) {
    return(NULL)
  }
  if (operator_of(e) != "+" || length(e) < 3) {
    return(e)
  }
  left <- without_bars(e[[2]])
  right <- without_bars(e[[3]])
  if (is.null(left)) right else if (is.null(right)) left else call("+", left, right)
}

bad_group_term <- function(bar, why) {
  usage_error("the group term (", paste(deparse(bar), collapse = ""), "): ", why)
}

# "a:b" as c("a", "b").
columns_of_level <- function(e, bar) {
  if (is.symbol(e)) {
    return(as.character(e))
  }
  if (operator_of(e) == ":") {
    return(c(columns_of_level(e[[2]], bar), columns_of_level(e[[3]], bar)))
  }
  bad_group_term(bar, "levels are named by columns: g, g:h, g/h, a - b or a + b.")
}

# One set of levels, or for g/h two: each list(factor, columns (one vector a member), signs).
level_sets <- function(e, bar) {
  operator <- operator_of(e)
  if (operator == "(") {
    return(level_sets(e[[2]], bar))
  }
  if (operator == "/") {
    outer <- level_sets(e[[2]], bar)
    columns <- c(outer[[length(outer)]]$columns[[1]], columns_of_level(e[[3]], bar))
    return(c(outer, list(list(factor = paste(columns, collapse = ":"), columns = list(columns),
                              signs = 1))))
  }
  if (operator %in% c("+", "-") && length(e) == 3) {
    first <- level_sets(e[[2]], bar)[[1]]
    columns <- columns_of_level(e[[3]], bar)
    return(list(list(factor = paste0(first$factor, operator, paste(columns, collapse = ":")),
                     columns = c(first$columns, list(columns)),
                     signs = c(first$signs, if (operator == "+") 1 else -1))))
  }
  columns <- columns_of_level(e, bar)
  list(list(factor = paste(columns, collapse = ":"), columns = list(columns), signs = 1))
}

# What varies: list(intercept, slopes).
varying_of <- function(e, bar) {
  parts <- list()
  while (operator_of(e) == "+" && length(e) == 3) {
    parts <- c(list(e[[3]]), parts)
    e <- e[[2]]
  }
  parts <- c(list(e), parts)
  intercept <- TRUE
  slopes <- character()
  for (part in parts) {
    if (is.numeric(part) && part %in% c(0, 1)) {
      intercept <- part == 1
    } else {
      slopes <- union(slopes, paste(deparse(part), collapse = ""))
    }
  }
  if (!intercept && length(slopes) == 0) {
    bad_group_term(bar, "nothing varies.")
  }
  list(intercept = intercept, slopes = slopes)
}

terms_of_bar <- function(bar) {
  varying <- varying_of(bar[[2]], bar)
  lapply(level_sets(bar[[3]], bar), function(levels) {
    c(levels, varying, list(correlated = operator_of(bar) == "|"))
  })
}

# (x || g), where rows have several levels, is (1 | g) + (0 + x | g).
one_each <- function(term) {
  size <- term$intercept + length(term$slopes)
  if (term$correlated || size < 2) {
    term$correlated <- TRUE
    return(list(term))
  }
  with <- function(intercept, slopes) {
    term[c("intercept", "slopes", "correlated")] <- list(intercept, slopes, TRUE)
    term
  }
  c(if (term$intercept) list(with(TRUE, character())),
    lapply(term$slopes, function(slope) with(FALSE, slope)))
}

# list(fixed, frame, terms): the formula without group terms, the one whose variables the model
# frame holds, and the group terms, one scale each where rows have several levels or curves.
split_groups <- function(formula, crossed = FALSE) {
  side <- length(formula)
  bars <- find_bars(formula[[side]])
  if (length(bars) == 0) {
    if (any(c("|", "||") %in% all.names(formula[[side]]))) {
      usage_error("a group term stands in parentheses in the sum: y ~ x + (1 | g).")
    }
    return(list(fixed = formula, frame = formula, terms = list()))
  }
  if ("." %in% all.names(formula[[side]])) {
    usage_error("the formula has a . and group terms; name the columns.")
  }
  fixed <- formula
  rest <- without_bars(formula[[side]])
  fixed[[side]] <- if (is.null(rest)) 1 else rest
  if (any(c("|", "||") %in% all.names(fixed[[side]]))) {
    usage_error("group terms stand in the sum, each in parentheses: y ~ x + (1 | g).")
  }
  terms <- unlist(lapply(bars, terms_of_bar), recursive = FALSE)
  if (crossed || length(terms) > 1 || length(terms[[1]]$columns) > 1) {
    terms <- unlist(lapply(terms, one_each), recursive = FALSE)
  }
  frame <- fixed
  for (column in unique(unlist(lapply(terms, `[[`, "columns")))) {
    frame[[side]] <- call("+", frame[[side]], as.name(column))
  }
  list(fixed = fixed, frame = frame, terms = terms)
}

# The terms of the fixed part with what a frame of more variables knows of its own.
fixed_terms <- function(fixed, frame) {
  all <- attr(frame, "terms")
  if (identical(fixed, stats::formula(all))) {
    return(all)
  }
  terms <- stats::terms(fixed)
  words <- function(variables) {
    vapply(as.list(variables)[-1], function(v) paste(deparse(v), collapse = ""), "")
  }
  at <- match(words(attr(terms, "variables")), words(attr(all, "variables")))
  attr(terms, "predvars") <- attr(all, "predvars")[c(1, 1 + at)]
  attr(terms, "dataClasses") <- attr(all, "dataClasses")[words(attr(terms, "variables"))]
  terms
}

# The level of each row by its label, "a:b" of several columns; NA where one is missing.
labels_of <- function(values) {
  text <- lapply(values, function(v) {
    if (is.numeric(v)) ifelse(is.na(v), NA, format_numbers(v)) else as.character(v)
  })
  joined <- do.call(paste, c(text, sep = ":"))
  joined[Reduce(`|`, lapply(text, is.na))] <- NA
  joined
}

# In the order of the engine: numbers by size, text by bytes, pairs by the first, then the second.
sorted_labels <- function(values) {
  keys <- lapply(values, function(v) {
    if (is.numeric(v)) v else match(as.character(v), sort(unique(as.character(v)), method = "radix"))
  })
  labels <- unique(labels_of(values)[do.call(order, keys)])
  labels[!is.na(labels)]
}

# The factors of a term's members, one each, over one set of levels.
factors_of <- function(term, frame) {
  values <- lapply(term$columns, function(columns) unname(as.list(frame[columns])))
  labels <- unique(unlist(lapply(values, sorted_labels)))
  lapply(values, function(value) {
    list(name = term$factor, labels = labels, codes = match(labels_of(value), labels) - 1)
  })
}

all_factors <- function(terms, frame) {
  unlist(lapply(terms, factors_of, frame = frame), recursive = FALSE)
}

# The terms with the levels of their factors.
with_labels <- function(terms, factors) {
  at <- 1
  for (i in seq_along(terms)) {
    terms[[i]]$labels <- factors[[at]]$labels
    at <- at + length(terms[[i]]$columns)
  }
  terms
}

# Names of the coefficients that vary, as in sd.g and u.g[label].
varying_names <- function(term) {
  c(if (term$intercept) term$factor, if (length(term$slopes)) paste0(term$factor, ".", term$slopes))
}

# Parameters of group terms and curves: standard deviations, correlations, levels.
group_names <- function(object) {
  names <- dimnames(object$draws)[[3]]
  scales <- c(unlist(lapply(object$groups, varying_names)),
              vapply(object$curves$terms, `[[`, "", "name"))
  if (length(scales) == 0) {
    return(character())
  }
  names[match(paste0("sd.", scales[1]), names):length(names)]
}

# Those of levels.
level_names <- function(object) {
  own <- group_names(object)
  own[startsWith(own, "u.")]
}

# Coefficients of curves, which are among those of columns.
bend_names <- function(object) unlist(lapply(object$curves$terms, curve_columns))

# The level of every row among those of the fit; beyond them new ones, one a label.
codes_of_rows <- function(object, data) {
  lapply(object$groups, function(term) {
    labels <- term$labels
    codes <- list()
    for (columns in term$columns) {
      missing <- setdiff(columns, names(data))
      if (length(missing)) {
        data_error("newdata has no column ", missing[1], " to group by.")
      }
      own <- labels_of(unname(as.list(data[columns])))
      labels <- union(labels, own[!is.na(own)])
      codes <- c(codes, list(match(own, labels)))
    }
    list(codes = codes, count = length(labels))
  })
}

# Draws of the coefficients of all these levels, one matrix a coefficient: draws x levels. New ones
# are drawn from the distribution of levels.
level_effects <- function(term, theta, count) {
  names <- varying_names(term)
  draws <- nrow(theta)
  known <- lapply(names, function(name) {
    columns <- paste0("u.", name, "[", term$labels, "]")
    if (!all(columns %in% colnames(theta))) {
      usage_error("the fit kept no draws of the levels of ", term$factor, ": there are too many.")
    }
    theta[, columns, drop = FALSE]
  })
  fresh <- count - length(term$labels)
  if (fresh == 0) {
    return(known)
  }
  tell(fresh, if (fresh == 1) " level of " else " levels of ", term$factor,
       " that the fit has not seen: effects are drawn from the distribution of levels.")
  sds <- theta[, paste0("sd.", names), drop = FALSE]
  made <- lapply(names, function(name) matrix(0, draws, fresh))
  for (s in seq_len(draws)) {
    factor <- diag(sds[s, ], length(names))
    if (term$correlated && length(names) > 1) {
      correlation <- diag(length(names))
      for (i in 2:length(names)) {
        for (j in seq_len(i - 1)) {
          correlation[i, j] <- theta[s, paste0("cor.", term$factor, ".", j, ".", i)]
          correlation[j, i] <- correlation[i, j]
        }
      }
      factor <- factor %*% t(chol(correlation))
    }
    effects <- factor %*% matrix(stats::rnorm(length(names) * fresh), length(names))
    for (j in seq_along(names)) {
      made[[j]][s, ] <- effects[j, ]
    }
  }
  Map(cbind, known, made)
}

# What levels add to the predictor of some rows: draws x rows.
group_eta <- function(object, effects, rows, at) {
  total <- 0
  for (t in seq_along(object$groups)) {
    term <- object$groups[[t]]
    for (m in seq_along(term$columns)) {
      codes <- rows$levels[[t]]$codes[[m]][at]
      for (j in seq_along(effects[[t]])) {
        slope <- j - term$intercept
        x <- if (slope == 0) rep(1, length(at)) else rows$x[at, term$slopes[slope]]
        total <- total + term$signs[m] *
          effects[[t]][[j]][, codes, drop = FALSE] * rep(x, each = nrow(effects[[t]][[j]]))
      }
    }
  }
  total
}

fixef <- function(object, ...) UseMethod("fixef")

fixef.flymc <- function(object, ...) stats::coef(object)

ranef <- function(object, ...) UseMethod("ranef")

# Posterior means of what varies: by factor a data frame, a row each level; of a curve a row each
# of its columns.
ranef.flymc <- function(object, ...) {
  tables <- lapply(object$groups, function(term) {
    names <- varying_names(term)
    values <- lapply(names, function(name) {
      unname(object$estimates[paste0("u.", name, "[", term$labels, "]"), "mean"])
    })
    names(values) <- c(if (term$intercept) "(Intercept)", term$slopes)
    data.frame(values, row.names = term$labels, check.names = FALSE)
  })
  names(tables) <- vapply(object$groups, `[[`, "", "factor")
  for (curve in object$curves$terms) {
    columns <- curve_columns(curve)
    tables[[curve$name]] <-
      data.frame(coefficient = unname(object$estimates[columns, "mean"]), row.names = columns)
  }
  tables
}
