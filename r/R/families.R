# Families: the words of the engine, R's family objects, and a few names other packages use.

flymc_families <- function() {
  as.data.frame(.Call(list_families)[c("family", "response", "link", "settings")])
}

# family/link of stats::family, and words of rstanarm and brms.
family_words <- c(
  "binomial/logit" = "logistic", "binomial/probit" = "probit", "binomial/cloglog" = "cloglog",
  "poisson/log" = "poisson", "gaussian/identity" = "normal", "Gamma/log" = "gamma",
  "neg_binomial_2/log" = "negative-binomial",
  gaussian = "normal", bernoulli = "logistic", student = "student-t",
  negbinomial = "negative-binomial", neg_binomial_2 = "negative-binomial",
  categorical = "softmax", cumulative = "ordinal", zero_inflated_poisson = "zip",
  zero_inflated_negbinomial = "zinb", beta_binomial = "beta-binomial",
  hurdle_poisson = "hurdle-poisson"
)

# The engine's word. Successes and failures in two columns make a logistic model a binomial one.
family_word <- function(family, successes) {
  if (is.function(family)) {
    family <- family()
  }
  if (inherits(family, "family")) {
    asked <- paste0(family$family, "/", family$link)
    word <- unname(family_words[asked])
    if (is.na(word)) {
      known <- grep("/", names(family_words), value = TRUE)
      usage_error("family ", asked, " is not one of ", paste(known, collapse = ", "),
                  "; flymc_families() lists the others by name.")
    }
  } else if (is.character(family) && length(family) == 1) {
    known <- flymc_families()$family
    word <- if (family %in% known) family else unname(family_words[family])
    if (is.na(word)) {
      usage_error('family "', family, '" must be one of ', paste(known, collapse = ", "), ".")
    }
  } else {
    usage_error("family must be a name, or a family object such as poisson().")
  }
  if (successes && word == "logistic") "binomial" else word
}

family_facts <- function(word) {
  all <- as.data.frame(.Call(list_families))  # and parameters beside the coefficients
  as.list(all[all$family == word, ])
}

# Settings by name; to the engine "infer" is NA and "auto" -Inf. A number fixes a parameter that is
# sampled else.
settings_of <- function(settings, word) {
  settings <- as.list(settings)
  known <- unlist(strsplit(unlist(family_facts(word)[c("settings", "parameters")]), ", "))
  if (length(settings) > 0 && (is.null(names(settings)) || any(names(settings) == ""))) {
    usage_error("settings must be a list of numbers by name, such as list(nu = 4).")
  }
  for (name in names(settings)) {
    if (!name %in% known) {
      usage_error('family "', word, '" has no setting ', name, "; it has ",
                  if (length(known)) paste(known, collapse = ", ") else "none", ".")
    }
    value <- settings[[name]]
    number <- is.numeric(value) && length(value) == 1 && is.finite(value)
    if (!number && !identical(value, "infer") && !identical(value, "auto")) {
      usage_error("settings: ", name, ' must be one number, "infer" or "auto", not ',
                  paste(deparse(value), collapse = ""), ".")
    }
  }
  words <- list(infer = NA_real_, auto = -Inf)
  vapply(settings, function(value) if (is.character(value)) words[[value]] else as.double(value), 0)
}

# A likelihood of one's own: the log density of y as text, in the names of its predictors.
flymc_likelihood <- function(density, predictors = "mu") {
  if (!is.character(density) || length(density) != 1 || is.na(density)) {
    usage_error('density must be one text, such as "y*mu - exp(mu)".')
  }
  if (!is.character(predictors) || length(predictors) < 1 || anyNA(predictors)) {
    usage_error('predictors must be names, such as c("mu", "size").')
  }
  structure(list(density = density, predictors = predictors), class = "flymc_likelihood")
}

print.flymc_likelihood <- function(x, ...) {
  cat("log density of y in ", paste(x$predictors, collapse = ", "), ": ", x$density, "\n", sep = "")
  invisible(x)
}

own_likelihood <- function(likelihood, family_given, settings) {
  if (is.null(likelihood)) {
    return(NULL)
  }
  if (is.character(likelihood)) {
    likelihood <- flymc_likelihood(likelihood)
  }
  if (!inherits(likelihood, "flymc_likelihood")) {
    usage_error("likelihood must be a text, or made by flymc_likelihood().")
  }
  if (family_given) {
    usage_error("family and likelihood contradict each other; give one.")
  }
  if (length(settings)) {
    usage_error("settings: a likelihood of your own has none; write the numbers into it.")
  }
  likelihood
}
