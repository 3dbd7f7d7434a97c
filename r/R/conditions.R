# Conditions with a class of their own, so that a caller can tell a wrong call from wrong data.

flymc_condition <- function(message, class) {
  stop(structure(
    class = c(class, "flymc_error", "error", "condition"),
    list(message = message, call = NULL)
  ))
}

usage_error <- function(...) flymc_condition(paste0(...), "flymc_usage_error")
data_error <- function(...) flymc_condition(paste0(...), "flymc_data_error")

tell <- function(...) {
  warning(structure(
    class = c("flymc_warning", "warning", "condition"),
    list(message = paste0(...), call = NULL)
  ))
}

# A whole number from `least` on, as the engine counts.
count_of <- function(value, name, least) {
  ok <- is.numeric(value) && length(value) == 1 && !is.na(value) && value == floor(value) &&
    value >= least && value < 2^53
  if (!ok) {
    usage_error(name, " must be one whole number, ", least, " or more, not ",
                paste(format(value), collapse = ", "), ".")
  }
  as.double(value)
}
