# Priors of the coefficients, under the names that rstanarm gives them.

new_prior <- function(kind, location, scale) {
  if (!identical(as.double(location), 0)) {
    usage_error("priors of flymc are centred at 0: location must be 0.")
  }
  if (!is.numeric(scale) || length(scale) != 1 || !is.finite(scale) || scale <= 0) {
    usage_error("scale of a prior must be one positive number.")
  }
  structure(list(kind = kind, scale = as.double(scale)), class = "flymc_prior")
}

normal <- function(location = 0, scale = 2.5) new_prior("normal", location, scale)

laplace <- function(location = 0, scale = 2.5) new_prior("laplace", location, scale)

flat <- function() new_prior("flat", 0, 1)

prior_of <- function(prior, name) {
  if (inherits(prior, "flymc_prior")) {
    return(prior)
  }
  if (identical(prior, "auto")) {
    return(new_prior("auto", 0, 1))
  }
  usage_error(name, ' must be "auto", normal(0, scale), laplace(0, scale) or flat().')
}

print.flymc_prior <- function(x, ...) {
  cat(if (x$kind == "flat") "flat()" else paste0(x$kind, "(0, ", format(x$scale), ")"), "\n", sep = "")
  invisible(x)
}

# Laws of other parameters by their names, as text: list(sigma = "half_normal(1)").
laws_of <- function(laws, name) {
  laws <- unlist(laws)
  if (length(laws) == 0) {
    return(character())
  }
  if (!is.character(laws) || is.null(names(laws)) || any(names(laws) == "")) {
    usage_error(name, ' must be a list of laws by name, such as list(sigma = "half_normal(1)").')
  }
  laws
}
