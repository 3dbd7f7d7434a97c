# Survival with right censoring: how much longer do pumps with a steel seal last?
#     Rscript pumps.R [ROWS]     leaves tables and pumps-r.png here
library(flymc)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
stopifnot(system2("python3", c(file.path(here, "tables.py"), "pumps", commandArgs(TRUE))) == 0)
pumps <- read.csv("pumps.csv")
new <- read.csv("pumps-new.csv")

if (requireNamespace("survival", quietly = TRUE)) {
  Surv <- survival::Surv
} else {  # what it makes of right censored times
  Surv <- function(time, event) {
    structure(cbind(time, status = event), class = "Surv", type = "right")
  }
}
fit <- flymc(Surv(weeks, 1 - censored) ~ seal + load, pumps, family = "weibull")
naive <- flymc(weeks ~ seal + load, pumps, family = "weibull")  # as if all were broken

ends <- function(draws) {
  paste(formatC(quantile(draws, c(0.025, 0.975)), 2, format = "f"), collapse = " to ")
}

# The answer, in words.
draws <- as.matrix(fit)
steel <- exp(draws[, "sealsteel"])
ten <- exp(10 * draws[, "load"])
shape <- draws[, "shape"]
cat(sprintf("With a steel seal a pump lasts %.2f times as long", median(steel)),
    sprintf("as with one of rubber (95 %% interval %s).\n", ends(steel)))
cat(sprintf("Ten points more load: %.2f times as long (%s).\n", median(ten), ends(ten)))
cat(sprintf("They wear out: the shape is %.2f (%s), above 1.\n", mean(shape), ends(shape)))
cat("Were those that still run taken for broken, steel would seem to last",
    sprintf("%.2f times as long.\n", median(exp(as.matrix(naive)[, "sealsteel"]))))

# The share of these pumps that the model expects to run for so many weeks: draw x week.
surviving <- function(rows, weeks) {
  theta <- draws[seq(1, nrow(draws), 20), ]
  counts <- table(rows$load)
  shares <- 0
  for (load in names(counts)) {
    log_scale <- theta[, "(Intercept)"] + theta[, "sealsteel"] * (rows$seal[1] == "steel") +
      theta[, "load"] * as.numeric(load)
    each <- exp(-outer(exp(-log_scale), weeks)^theta[, "shape"])
    shares <- shares + each * counts[[load]] / sum(counts)
  }
  shares
}

# The same from the times alone.
kaplan_meier <- function(rows, weeks) {
  broken <- table(rows$weeks[rows$censored == 0])
  times <- as.numeric(names(broken))
  at_risk <- vapply(times, function(time) sum(rows$weeks >= time), 0)
  c(1, cumprod(1 - broken / at_risk))[findInterval(weeks, times) + 1]
}

# Can it be trusted? On rows that it has not seen.
rubber <- new[new$seal == "rubber", ]
cat(sprintf("\nR-hat is at most %.3f, and the draws are worth %.0f independent ones or more.\n",
            max(fit$estimates[, "rhat"]), min(fit$estimates[, "ess_bulk"])))
cat(sprintf("Of new pumps with rubber seals %.0f%% last a year (Kaplan-Meier); expected: %.0f%%.\n",
            100 * kaplan_meier(rubber, 52), 100 * mean(surviving(rubber, 52))))

# The figure: shares that last, by the model and from the times alone.
weeks <- seq(0.1, 150, length.out = 100)
colours <- c(steel = "#2b5c8f", rubber = "#d9812e")
png("pumps-r.png", 770, 400, pointsize = 14)
par(mar = c(4, 4, 0.5, 0.5), las = 1)
plot(NA, xlim = c(0, 150), ylim = c(0, 1), bty = "l", xlab = "weeks",
     ylab = "share of pumps that still run")
for (seal in names(colours)) {
  rows <- pumps[pumps$seal == seal, ]
  shares <- surviving(rows, weeks)
  band <- apply(shares, 2, quantile, c(0.025, 0.975))
  polygon(c(weeks, rev(weeks)), c(band[1, ], rev(band[2, ])), border = NA,
          col = adjustcolor(colours[seal], 0.3))
  lines(weeks, colMeans(shares), col = colours[seal], lwd = 2)
  lines(weeks, kaplan_meier(rows, weeks), type = "s", lty = 3)
}
legend("topright", c("steel seal", "rubber seal", "Kaplan-Meier"), bty = "n",
       col = c(colours, "black"), lwd = c(2, 2, 1), lty = c(1, 1, 3))
invisible(dev.off())
