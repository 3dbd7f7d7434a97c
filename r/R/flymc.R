flymc <- function(formula, data, family = "logistic", prior = "auto", prior_intercept = NULL,
                  prior_aux = list(), prior_sd = list(),
                  weights, offset, subset, na.action, contrasts = NULL, settings = list(),
                  chains = 4, iter = 2000, warmup = floor(iter / 2), thin = 1, seed = 1,
                  cores = getOption("mc.cores", 0), select_prior = FALSE,
                  engine = c("auto", "fly", "regular"), ess = NULL, progress = interactive(),
                  likelihood = NULL, levels = c("auto", "all", "summary")) {
  call <- match.call()
  own <- own_likelihood(likelihood, !missing(family), settings)
  formulas <- split_list(formula)
  parts <- split_formula(formulas$first)
  # R reads the formula itself
  plain <- length(parts$terms) == 0 && is.null(parts$curves) && length(formulas$others) == 0
  frame_call <- call[c(1, match(c("formula", "data", "subset", "weights", "na.action", "offset"),
                                names(call), 0))]
  frame_call[[1]] <- quote(stats::model.frame)
  frame_call$drop.unused.levels <- TRUE
  if (!plain) {
    frame_call$formula <- with_variables(parts$frame, formulas$others)
  }
  frame <- eval(frame_call, parent.frame())
  if (nrow(frame) == 0) {
    data_error("no rows are left once those with missing values are dropped.")
  }
  missing_in <- missing_variables(frame, frame_call, parent.frame())
  terms <- if (!plain) fixed_terms(parts$fixed, frame) else attr(frame, "terms")
  if (attr(terms, "response") == 0) {
    usage_error("the formula has no response.")
  }
  word <- if (is.null(own)) family_word(family, is.matrix(stats::model.response(frame))) else "own"
  facts <- if (is.null(own)) family_facts(word) else list(link = "own", response = "numbers")
  iter <- count_of(iter, "iter", 1)  # before the default of warmup
  warmup <- count_of(warmup, "warmup", 0)
  asked <- list(
    family = word,
    likelihood = own$density,
    predictors = own$predictors,
    settings = if (is.null(own)) settings_of(settings, word) else double(),
    intercept = attr(terms, "intercept") == 1,
    prior = prior_of(prior, "prior"),
    prior_intercept = if (!is.null(prior_intercept)) prior_of(prior_intercept, "prior_intercept"),
    prior_aux = laws_of(prior_aux, "prior_aux"),
    prior_sd = laws_of(prior_sd, "prior_sd"),
    select_prior = isTRUE(select_prior),
    engine = match.arg(engine),
    chains = count_of(chains, "chains", 1),
    warmup = warmup,
    draws = draws_of(iter, warmup, thin),
    thin = count_of(thin, "thin", 1),
    seed = count_of(seed, "seed", 0),
    cores = count_of(cores, "cores", 0),
    ess = if (!is.null(ess)) as.double(ess),
    groups = c(parts$terms, curve_groups(parts$curves)),
    levels = match.arg(levels)
  )
  object <- structure(
    list(
      call = call,
      formula = if (plain) stats::formula(terms) else if (is.list(formula)) formula else
        stats::as.formula(formula),
      terms = terms, groups = parts$terms,
      curves = if (!is.null(parts$curves)) with_constants(parts$curves, frame), model = frame,
      xlevels = stats::.getXlevels(terms, frame),
      contrasts = if (plain) contrasts else own_contrasts(contrasts, terms),
      predictors = predictors_of(formulas$others, frame, contrasts),
      na.action = attr(frame, "na.action"), missing_in = missing_in, family = word, link = facts$link,
      response_kind = facts$response, asked = asked, progress = isTRUE(progress)
    ),
    class = "flymc"
  )
  object$inputs <- kept_inputs(object, if (missing(data)) NULL else data)
  advance(object, asked$draws)
}

# Kept draws a chain: iterations after warm-up, every thin-th.
draws_of <- function(iter, warmup, thin) {
  iter <- count_of(iter, "iter", 1)
  draws <- (iter - warmup) %/% count_of(thin, "thin", 1)
  if (draws < 1) {
    usage_error("iter = ", iter, " leaves no draw after warmup = ", warmup, ".")
  }
  draws
}

# The object with `draws` draws a chain: by the engine that it holds, or, where that is gone (a fit
# that was read from a file), by one that starts over, which draws the same.
advance <- function(object, draws) {
  run <- object$run
  if (is.null(run) || !.Call(is_alive, run)) {
    data <- engine_data(object)
    object$asked$columns <- data$predictors
    run <- .Call(make_fit, data, object$asked)
    labels <- data$labels
    if (is.null(labels) && object$response_kind %in% c("two classes", "classes", "ordered")) {
      labels <- format_numbers(sort(unique(data$y)))
    }
    object$classes <- labels
    object$contrasts <- data$contrasts
    object$groups <- with_labels(object$groups, data$factors)
    object$run <- run
  }
  interrupted <- .Call(advance_fit, run, draws, object$progress)
  if (.Call(count_draws, run) == 0) {
    flymc_condition("interrupted before the first draw.", "flymc_interrupted")
  }
  object <- publish(object, .Call(read_fit, run), draws)
  if (interrupted) {
    tell("interrupted at draw ", dim(object$draws)[1], " of ", draws,
         " a chain; the draws so far are kept, and update(fit, iter = ) goes on.")
  }
  object
}

format_numbers <- function(values) vapply(values, format, "", digits = 15)

# What draws say of every parameter, and how far they can be trusted.
estimates_of <- function(draws) {
  estimates <- t(.Call(estimate_draws, draws))
  dimnames(estimates) <- list(
    dimnames(draws)[[3]],
    c("mean", "sd", "mcse_mean", "q5", "q50", "q95", "ess_bulk", "ess_tail", "rhat")
  )
  estimates
}

# What the engine says, as parts of the object.
publish <- function(object, found, draws) {
  labels <- sub("(intercept)", "(Intercept)", found$labels, fixed = TRUE)
  kept <- seq_len(min(draws, dim(found$draws)[1]))  # the engine may have gone further
  object$draws <- found$draws[kept, , , drop = FALSE]
  dimnames(object$draws) <- list(NULL, NULL, labels)
  object$statistics <- found$statistics[kept, , , drop = FALSE]
  dimnames(object$statistics) <-
    list(NULL, NULL, c("lp__", "accept_stat__", "bright__", "queries__"))
  object$estimates <- estimates_of(object$draws)
  object$cost <- found$cost
  object[c("columns", "features", "auxiliaries", "settings", "notes", "warnings", "separated")] <-
    found[c("columns", "features", "auxiliaries", "settings", "notes", "warnings", "separated")]
  if (length(object$predictors)) {  # those of the first
    object$features <- intersect(object$features, object$asked$columns[[1]]$columns)
  }
  for (text in found$warnings) {
    tell(text)
  }
  if (found$separated) {
    tell("the classes are separable: only the prior keeps the coefficients finite.")
  }
  object
}
