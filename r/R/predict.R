# What the draws say of rows. Rows go through in blocks: memory is that of a block and the result.

# Draws x parameters, chains one after another.
draws_matrix <- function(object, draws = NULL) {
  all <- object$draws
  dim(all) <- c(prod(dim(all)[1:2]), dim(all)[3])
  colnames(all) <- dimnames(object$draws)[[3]]
  if (is.null(draws)) {
    return(all)
  }
  draws <- min(count_of(draws, "draws", 1), nrow(all))
  all[floor((2 * seq_len(draws) - 1) * nrow(all) / (2 * draws)) + 1, , drop = FALSE]
}

# The family as the C++ side makes it: what was inferred stays so.
family_spec <- function(object) {
  inferred <- object$asked$settings[is.na(object$asked$settings)]
  list(family = object$family, likelihood = object$asked$likelihood,
       predictors = object$asked$predictors, settings = c(object$settings, inferred),
       classes = as.double(length(object$classes)))
}

class_count <- function(object) {
  if (object$response_kind %in% c("classes", "ordered")) length(object$classes) else 1
}

# Linear predictors of some rows, draws x rows (x classes). Ordered classes have one, and cut points
# in place of its intercept.
eta_of <- function(object, theta, x, offset) {
  ordered <- object$response_kind == "ordered"
  k <- if (ordered) 1 else class_count(object)
  intercepts <- if (object$asked$intercept && !ordered) k else 0
  width <- length(object$features)
  eta <- array(0, c(nrow(theta), nrow(x), k))
  for (class in seq_len(k)) {
    slopes <- theta[, intercepts + (class - 1) * width + seq_len(width), drop = FALSE]
    one <- tcrossprod(slopes, x)
    if (intercepts > 0) {
      one <- one + theta[, class]
    }
    eta[, , class] <- one + rep(offset, each = nrow(theta))
  }
  if (k == 1) dim(eta) <- dim(eta)[1:2]
  eta
}

# f(eta, auxiliaries, which rows) of block after block; results side by side.
in_blocks <- function(object, rows, theta, f) {
  size <- max(1, floor(2^20 / (nrow(theta) * class_count(object))))
  starts <- seq(1, max(1, nrow(rows$x)), by = size)
  effects <- Map(function(term, levels) level_effects(term, theta, levels$count),
                 object$groups, rows$levels)
  lapply(starts, function(start) {
    at <- start:min(nrow(rows$x), start + size - 1)
    eta <- eta_of(object, theta, rows$x[at, , drop = FALSE], rows$offset[at]) +
      group_eta(object, effects, rows, at)
    f(eta, auxiliaries_of(object, rows, theta, at), at)
  })
}

# Blocks of draws x rows (x classes) as one.
bind_rows <- function(blocks) {
  if (length(dim(blocks[[1]])) == 2) {
    return(do.call(cbind, blocks))
  }
  rows <- vapply(blocks, function(block) dim(block)[2], 0)
  all <- array(0, c(dim(blocks[[1]])[1], sum(rows), dim(blocks[[1]])[3]))
  for (i in seq_along(blocks)) {
    all[, sum(rows[seq_len(i - 1)]) + seq_len(rows[i]), ] <- blocks[[i]]
  }
  all
}

named_rows <- function(object, result, frame) {
  names <- list(NULL, rownames(frame))
  if (length(dim(result)) == 3) names[[3]] <- object$classes
  dimnames(result) <- names
  result
}

posterior_epred <- function(object, ...) UseMethod("posterior_epred")

posterior_epred.flymc <- function(object, newdata = NULL, draws = NULL, ...) {
  rows <- rows_of(object, newdata)
  spec <- family_spec(object)
  blocks <- in_blocks(object, rows, draws_matrix(object, draws), function(eta, auxiliaries, at) {
    .Call(family_means, spec, eta, auxiliaries)
  })
  named_rows(object, bind_rows(blocks), rows$frame)
}

posterior_linpred <- function(object, ...) UseMethod("posterior_linpred")

posterior_linpred.flymc <- function(object, newdata = NULL, draws = NULL, dpar = NULL, ...) {
  rows <- rows_of(object, newdata)
  with_formula <- setdiff(names(object$predictors), dimnames(object$draws)[[3]])
  if (!is.null(dpar) && !(length(dpar) == 1 && dpar %in% with_formula)) {
    usage_error("dpar = ", deparse(dpar), ": must be a parameter with a formula; this fit has ",
                if (length(with_formula)) paste(with_formula, collapse = ", ") else "none", ".")
  }
  blocks <- in_blocks(object, rows, draws_matrix(object, draws), function(eta, auxiliaries, at) {
    if (is.null(dpar)) eta else auxiliaries[[match(dpar, object$auxiliaries)]]
  })
  named_rows(object, bind_rows(blocks), rows$frame)
}

posterior_predict <- function(object, ...) UseMethod("posterior_predict")

# Of several classes their labels, as of rstanarm's ordered ones.
posterior_predict.flymc <- function(object, newdata = NULL, draws = NULL, seed = NULL, rows = NULL,
                                    ...) {
  new <- draw_responses(object, newdata, draws, seed, rows)
  if (class_count(object) == 1) {
    return(new)
  }
  array(object$classes[new + 1], dim(new), dimnames(new))
}

# The same with classes by their codes from 0.
draw_responses <- function(object, newdata, draws, seed, rows) {
  given <- rows_of(object, newdata)
  spec <- family_spec(object)
  trials <- trials_of(object, newdata)
  if (!is.null(rows)) {
    all_trials <- trials
    trials <- function(at) all_trials(rows[at])
    given <- only_rows(given, rows)
  }
  if (is.null(seed)) {
    seed <- sample.int(.Machine$integer.max, 1)  # set.seed() is heard
  }
  blocks <- in_blocks(object, given, draws_matrix(object, draws), function(eta, auxiliaries, at) {
    .Call(family_sample, spec, eta, auxiliaries, trials(at), c(seed, at[1] - 1))
  })
  named_rows(object, bind_rows(blocks), given$frame)
}

# The trials of some rows; 1 where new rows have no response.
trials_of <- function(object, newdata) {
  if (object$response_kind != "successes") {
    return(function(at) rep(1, length(at)))
  }
  frame <- object$model
  if (!is.null(newdata)) {
    needed <- all.vars(attr(object$terms, "variables")[[2]])
    if (!all(needed %in% names(newdata))) {
      return(function(at) rep(1, length(at)))
    }
    frame <- rows_of(object, newdata, with_response = TRUE)$frame
  }
  trials <- as.double(rowSums(stats::model.response(frame)))
  function(at) trials[at]
}

log_lik <- function(object, ...) UseMethod("log_lik")

log_lik.flymc <- function(object, newdata = NULL, draws = NULL, rows = NULL, ...) {
  given <- rows_of(object, newdata, with_response = TRUE)
  if (!is.null(rows)) {
    given <- only_rows(given, rows)
  }
  response <- coded_response(object, given$frame)
  weights <- if (is.null(newdata)) stats::model.weights(given$frame)
  spec <- family_spec(object)
  blocks <- in_blocks(object, given, draws_matrix(object, draws), function(eta, auxiliaries, at) {
    .Call(family_log_lik, spec, eta, auxiliaries, response$y[at], response$trials[at])
  })
  values <- do.call(cbind, blocks)
  if (!is.null(weights)) {
    values <- values * rep(weights, each = nrow(values))
  }
  named_rows(object, values, given$frame)
}

fitted.flymc <- function(object, ...) {
  stats::napredict(object$na.action, drop(stats::predict(object, ...)))
}

predict.flymc <- function(object, newdata = NULL, interval = c("none", "credible", "prediction"),
                          level = 0.9, type = c("response", "link"), draws = NULL, seed = NULL,
                          ...) {
  interval <- match.arg(interval)
  type <- match.arg(type)
  if (!is.numeric(level) || length(level) != 1 || !(level > 0 && level < 1)) {
    usage_error("level must be one number between 0 and 1.")
  }
  if (interval == "prediction" && type == "link") {
    usage_error('interval = "prediction" is of responses: type = "response".')
  }
  classes <- class_count(object) > 1
  if (classes && interval == "credible") {
    usage_error('interval = "credible": of several classes each has one, see posterior_epred(); ',
                'interval = "prediction" is of new responses.')
  }
  classes <- classes && !(type == "link" && object$response_kind == "ordered")
  rows <- rows_of(object, newdata)
  spec <- family_spec(object)
  theta <- draws_matrix(object, draws)
  trials <- if (interval == "prediction") trials_of(object, newdata)
  if (is.null(seed)) {
    seed <- if (interval == "prediction") sample.int(.Machine$integer.max, 1) else 0
  }
  ends <- c((1 - level) / 2, (1 + level) / 2)
  blocks <- in_blocks(object, rows, theta, function(eta, auxiliaries, at) {
    if (interval == "prediction") {
      new <- .Call(family_sample, spec, eta, auxiliaries, trials(at), c(seed, at[1] - 1))
      if (classes) {
        return(class_shares(object, new))
      }
    }
    means <- if (type == "link") eta else .Call(family_means, spec, eta, auxiliaries)
    if (classes) {
      return(apply(means, 2:3, mean))
    }
    fit <- colMeans(means)
    if (interval == "none") {
      return(cbind(fit))
    }
    limits <- apply(if (interval == "prediction") new else means, 2, function(values) {
      if (anyNA(values)) c(NA, NA) else stats::quantile(values, ends, names = FALSE)
    })
    cbind(fit, t(limits))
  })
  result <- do.call(rbind, blocks)
  rownames(result) <- rownames(rows$frame)
  if (classes) {
    colnames(result) <- object$classes
    if (interval == "prediction") {
      return(class_answers(object, result, level))
    }
  } else if (interval == "none") {
    result <- result[, 1]
  } else {
    colnames(result) <- c("fit", "lwr", "upr")
  }
  result
}

# How often each class was drawn, rows x classes.
class_shares <- function(object, codes) {
  do.call(cbind, lapply(seq_along(object$classes) - 1, function(code) colMeans(codes == code)))
}

# What to say of new responses that are classes: that drawn most often (`fit`), the fewest with
# `level` of the draws, the most frequent first (`set`), or of ordered ones the ends of an interval
# (`lwr`, `upr`), and the share of each. The command line says the same.
class_answers <- function(object, shares, level) {
  classes <- object$classes
  ordered <- object$response_kind == "ordered"
  as_class <- function(at) factor(classes[at], classes, ordered = ordered)
  sets <- lapply(seq_len(nrow(shares)), function(i) {
    if (anyNA(shares[i, ])) NA_integer_ else .Call(class_set, shares[i, ], (1 - level) / 2, ordered)
  })
  answer <- data.frame(fit = as_class(max.col(shares, "first")), row.names = rownames(shares))
  if (ordered) {
    answer$lwr <- as_class(vapply(sets, function(set) set[1], 0L))
    answer$upr <- as_class(vapply(sets, function(set) set[length(set)], 0L))
  } else {
    answer$set <- vapply(sets, function(set) {
      if (anyNA(set)) NA_character_ else paste(classes[set], collapse = "|")
    }, "")
  }
  answer$share <- shares
  answer
}
