# The methods that models have in R.

# Names of coefficients: all parameters but the auxiliary ones and those of groups and curves.
coefficient_names <- function(object) {
  setdiff(dimnames(object$draws)[[3]],
          c(object$auxiliaries, group_names(object), bend_names(object)))
}

# Draws of what tables show: not of levels, of which there may be thousands, nor of what bends curves.
shown_draws <- function(object, reference = NULL) {
  if (object$response_kind == "classes") {
    return(class_contrasts(object, reference))
  }
  if (!is.null(reference)) {
    usage_error("reference: a class of a softmax model; this is ", object$family, ".")
  }
  names <- dimnames(object$draws)[[3]]
  object$draws[, , setdiff(names, c(level_names(object), bend_names(object))), drop = FALSE]
}

# Of classes each against a reference, the most frequent one where none is named: of differences the
# data tell; of one class alone only the prior does.
class_contrasts <- function(object, reference = NULL) {
  classes <- object$classes
  if (is.null(reference)) {
    y <- stats::model.response(object$model)
    labels <- if (is.numeric(y)) format_numbers(y) else as.character(y)
    reference <- names(which.max(table(factor(labels, levels = classes))))
  } else if (!(length(reference) == 1 && reference %in% classes)) {
    usage_error("reference = ", deparse(reference), ": there is no such class; classes are ",
                paste(classes, collapse = ", "), ".")
  }
  k <- length(classes)
  names <- dimnames(object$draws)[[3]]
  intercepts <- if (object$asked$intercept) k else 0
  width <- length(object$features)
  # Intercepts of all classes, then the slopes of one class after another.
  at <- function(i) c(if (intercepts > 0) i, intercepts + (i - 1) * width + seq_len(width))
  base <- match(reference, classes)
  parts <- lapply(setdiff(seq_len(k), base), function(i) {
    part <- object$draws[, , at(i), drop = FALSE] - object$draws[, , at(base), drop = FALSE]
    dimnames(part)[[3]] <- paste0(classes[i], " vs ", reference,
                                  substring(names[at(i)], nchar(classes[i]) + 1))
    part
  })
  joined <- array(unlist(parts), c(dim(object$draws)[1:2], sum(vapply(parts, function(p) dim(p)[3], 1))))
  dimnames(joined) <- list(NULL, NULL, unlist(lapply(parts, function(p) dimnames(p)[[3]])))
  joined
}

shown_estimates <- function(object) {
  if (object$response_kind == "classes") {
    return(estimates_of(class_contrasts(object)))
  }
  object$estimates[dimnames(shown_draws(object))[[3]], , drop = FALSE]
}

# "and 40 effects of levels, 8 coefficients of curves: ranef()"
levels_text <- function(object) {
  levels <- length(level_names(object))
  bends <- length(bend_names(object))
  counts <- c(if (levels > 0) paste(levels, "effects of levels"),
              if (bends > 0) paste(bends, "coefficients of curves"))
  if (length(counts)) paste0("and ", paste(counts, collapse = ", "), ": ranef()")
}

coef.flymc <- function(object, ...) {
  means <- object$estimates[coefficient_names(object), "mean"]
  if (object$response_kind != "classes") {
    return(means)
  }
  k <- length(object$classes)
  intercepts <- if (object$asked$intercept) k else 0
  width <- length(object$features)
  slopes <- matrix(means[intercepts + seq_len(k * width)], k, width, byrow = TRUE)
  all <- if (intercepts > 0) cbind(means[seq_len(k)], slopes) else slopes
  dimnames(all) <- list(object$classes, c(if (intercepts > 0) "(Intercept)", object$features))
  all
}

vcov.flymc <- function(object, ...) {
  stats::cov(draws_matrix(object)[, coefficient_names(object), drop = FALSE])
}

confint.flymc <- function(object, parm = coefficient_names(object), level = 0.9, ...) {
  ends <- c((1 - level) / 2, (1 + level) / 2)
  draws <- draws_matrix(object)[, parm, drop = FALSE]
  t(apply(draws, 2, stats::quantile, probs = ends))
}

nobs.flymc <- function(object, ...) nrow(object$model)

model.frame.flymc <- function(formula, ...) formula$model

formula.flymc <- function(x, ...) x$formula

terms.flymc <- function(x, ...) x$terms

# "4 chains of 1000 draws"
run_text <- function(object) {
  shape <- dim(object$draws)
  paste0(shape[2], if (shape[2] == 1) " chain of " else " chains of ", shape[1],
         if (shape[1] == 1) " draw" else " draws")
}

heading <- function(object) {
  paste0(object$family, " regression (", object$link, " link), ", nrow(object$model), " rows, ",
         run_text(object), ", exact, engine ", object$cost$engine)
}

# One formula a line.
formula_text <- function(formula) {
  paste(unlist(lapply(if (is.list(formula)) formula else list(formula), deparse)), collapse = "\n")
}

print.flymc <- function(x, digits = 3, ...) {
  cat(heading(x), "\n", formula_text(x$formula), "\n\n", sep = "")
  print(signif(shown_estimates(x)[, c("mean", "sd"), drop = FALSE], digits))
  if (!is.null(levels_text(x))) cat(levels_text(x), "\n", sep = "")
  invisible(x)
}

summary.flymc <- function(object, prob = 0.9, exp = FALSE, reference = NULL, ...) {
  if (!(is.numeric(prob) && length(prob) == 1 && isTRUE(prob > 0 && prob < 1))) {
    usage_error("prob = ", deparse(prob), ": must be between 0 and 1.")
  }
  draws <- shown_draws(object, reference)
  trusted <- estimates_of(draws)
  estimates <- trusted
  if (isTRUE(exp)) {  # odds, rates, ratios of them; not of what is no coefficient
    names <- dimnames(draws)[[3]]
    if (object$response_kind != "classes") names <- intersect(names, coefficient_names(object))
    draws[, , names] <- base::exp(draws[, , names])
    estimates <- estimates_of(draws)
  }
  if (prob != 0.9) {
    tails <- c(1 - prob, 1 + prob) / 2
    ends <- apply(draws, 3, stats::quantile, tails, names = FALSE)
    estimates[, c("q5", "q95")] <- t(ends)
    colnames(estimates)[match(c("q5", "q95"), colnames(estimates))] <- paste0("q", format_numbers(100 * tails))
  }
  structure(
    list(call = object$call, heading = heading(object), formula = object$formula,
         estimates = estimates, levels = levels_text(object), cost = object$cost,
         notes = object$notes,
         advice = advice_for(if (object$response_kind == "classes") trusted else object$estimates)),
    class = "summary.flymc"
  )
}

# What to do where draws cannot be trusted; nothing where they can.
advice_for <- function(worst) {
  rhat <- max(worst[, "rhat"], na.rm = TRUE)
  ess <- min(worst[, "ess_bulk"], na.rm = TRUE)
  c(
    if (rhat > 1.01) paste0("R-hat is ", format(rhat, digits = 4), ": run longer chains, update(fit, iter = )."),
    if (ess < 400) paste0("bulk ESS is ", round(ess), ": draw more, update(fit, iter = ).")
  )
}

print.summary.flymc <- function(x, digits = 3, ...) {
  cat(x$heading, "\n", formula_text(x$formula), "\n\n", sep = "")
  table <- signif(x$estimates, digits)
  table[, c("ess_bulk", "ess_tail")] <- round(x$estimates[, c("ess_bulk", "ess_tail")])
  table[, "rhat"] <- round(x$estimates[, "rhat"], 3)
  print(table)
  if (!is.null(x$levels)) cat(x$levels, "\n", sep = "")
  cat("\n", format(x$cost$queries_per_iteration, digits = 3),
      " likelihoods an iteration; sampling took ", format(x$cost$seconds_sampling, digits = 3),
      " s, set-up ", format(x$cost$seconds_setup, digits = 3), " s.\n", sep = "")
  if (length(x$advice)) cat(x$advice, sep = "\n") else cat("R-hat < 1.01 and bulk ESS > 400 for every parameter.\n")
  invisible(x)
}

plot.flymc <- function(x, parameters = NULL, type = c("trace", "density"), ...) {
  type <- match.arg(type)
  names <- dimnames(x$draws)[[3]]
  if (is.null(parameters)) parameters <- names
  unknown <- setdiff(parameters, names)
  if (length(unknown)) {
    usage_error("no parameter ", unknown[1], "; parameters are ", paste(names, collapse = ", "), ".")
  }
  columns <- ceiling(sqrt(length(parameters)))
  old <- graphics::par(mfrow = c(ceiling(length(parameters) / columns), columns),
                       mar = c(2.5, 2.5, 2, 0.5))
  on.exit(graphics::par(old))
  for (name in parameters) {
    chains <- x$draws[, , name]
    dim(chains) <- dim(x$draws)[1:2]
    if (type == "trace") {
      graphics::matplot(chains, type = "l", lty = 1, xlab = "", ylab = "", main = name, ...)
    } else {
      graphics::plot(stats::density(chains), xlab = "", ylab = "", main = name, ...)
    }
  }
  invisible(x)
}

# A list takes the place of all formulas; one formula changes that of the response.
updated_formula <- function(old, new) {
  if (is.list(new)) {
    return(new)
  }
  if (!is.list(old)) {
    return(stats::update.formula(old, new))
  }
  c(list(stats::update.formula(old[[1]], new)), old[-1])
}

update.flymc <- function(object, formula., ..., iter, evaluate = TRUE) {
  if (missing(formula.) && ...length() == 0 && !missing(iter)) {
    asked <- object$asked
    draws <- draws_of(iter, asked$warmup, asked$thin)
    if (draws >= dim(object$draws)[1]) {
      return(advance(object, draws))
    }
  }
  call <- object$call
  changes <- match.call(expand.dots = FALSE)$...
  if (!missing(formula.)) call$formula <- updated_formula(object$formula, formula.)
  if (!missing(iter)) changes$iter <- iter
  for (name in names(changes)) call[[name]] <- changes[[name]]
  if (evaluate) eval(call, parent.frame()) else call
}
