# Stan's NUTS on a simulated logistic regression, for tools/bench_performance.py:
#   Rscript tools/bench_stan.R FOLDER CHAINS ITERATIONS
# FOLDER holds X.npy and y.npy of `flymc simulate`; prior normal(0, 1) as there. A gradient is N
# queries. Prints one line of JSON.
suppressMessages(library(rstan))
if (rstan_options("boost_lib") == "") {  # Debian's BH leaves the headers to libboost-dev
  rstan_options(boost_lib = "/usr/include")
}

read_npy <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  start <- readBin(file, "raw", 10)
  header <- rawToChar(readBin(file, "raw", as.integer(start[9]) + 256L * as.integer(start[10])))
  stopifnot(grepl("'<f8'", header), grepl("'fortran_order': False", header))
  shape <- regmatches(header, regexpr("\\([0-9, ]+\\)", header))
  shape <- as.integer(regmatches(shape, gregexpr("[0-9]+", shape))[[1]])
  values <- readBin(file, "double", prod(shape))
  if (length(shape) == 2) matrix(values, shape[1], shape[2], byrow = TRUE) else values
}

code <- "
data { int<lower=1> N; int<lower=1> D; matrix[N, D] x; int<lower=0, upper=1> y[N]; }
parameters { real alpha; vector[D] beta; }
model {
  alpha ~ normal(0, 1);
  beta ~ normal(0, 1);
  y ~ bernoulli_logit_glm(x, alpha, beta);
}"

arguments <- commandArgs(trailingOnly = TRUE)
chains <- as.integer(arguments[2])
iterations <- as.integer(arguments[3])
x <- read_npy(file.path(arguments[1], "X.npy"))
y <- as.integer(read_npy(file.path(arguments[1], "y.npy")))
data <- list(N = nrow(x), D = ncol(x), x = x, y = y)
model <- stan_model(model_code = code)
fit <- sampling(model, data = data, chains = chains, iter = 2 * iterations, warmup = iterations,
                cores = 1, seed = 1, refresh = 0)
draws <- as.array(fit)
ess <- apply(draws, 3, ess_bulk)
leapfrogs <- sapply(get_sampler_params(fit, inc_warmup = FALSE), function(p) mean(p[, "n_leapfrog__"]))
seconds <- max(get_elapsed_time(fit)[, "sample"])
cat(sprintf(paste0('{"version": "%s", "iterations": %d, "leapfrogs": %.6g, "ess": %.6g, ',
                   '"name": "%s", "chain_seconds": %.6g}\n'),
            as.character(packageVersion("rstan")), chains * iterations, mean(leapfrogs), min(ess),
            names(which.min(ess)), seconds))
