# A robust regression: what does a kilometre cost, when some fares have lost their decimal point?
#     Rscript rides.R [ROWS]     leaves tables and rides-r.png here
library(flymc)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
stopifnot(system2("python3", c(file.path(here, "tables.py"), "rides", commandArgs(TRUE))) == 0)
rides <- read.csv("rides.csv")
new <- read.csv("rides-new.csv")

fit <- flymc(fare ~ km + minutes, rides, family = "student-t",
             settings = list(scale = "infer", nu = "infer"))
normal <- flymc(fare ~ km + minutes, rides, family = gaussian())  # least squares

said <- function(draws, digits = 2, before = "(") {
  numbers <- formatC(c(mean(draws), quantile(draws, c(0.025, 0.975))), digits, format = "f")
  paste0(numbers[1], " ", before, numbers[2], " to ", numbers[3], ")")
}

# The answer, in words.
draws <- as.matrix(fit)
others <- as.matrix(normal)
cat(sprintf("A kilometre costs %s, a minute %s.\n", said(draws[, "km"], 3, "(95 % interval "),
            said(draws[, "minutes"], 3)))
cat(sprintf("Tails are heavy: %s.\n", said(draws[, "nu"], before = "degrees of freedom (")))
cat(sprintf("Least squares, which believes every row: %s and %s.\n", said(others[, "km"]),
            said(others[, "minutes"])))

# Can it be trusted? On rows that it has not seen.
held <- predict(fit, new, interval = "prediction", level = 0.95, seed = 1)
cat(sprintf("\nR-hat is at most %.3f, and the draws are worth %.0f independent ones or more.\n",
            max(fit$estimates[, "rhat"]), min(fit$estimates[, "ess_bulk"])))
inside <- new$fare >= held[, "lwr"] & new$fare <= held[, "upr"]
wild <- abs(new$fare - held[, "fit"]) > 50
cat(sprintf("95 %% intervals of new fares hold %.0f%% of them;", 100 * mean(inside)),
    sprintf("%d are off by more than 50: look at these rows.\n", sum(wild)))

# The figure: the rides, and both answers, for rides of average speed.
some <- rides[seq(1, nrow(rides), max(1, nrow(rides) %/% 3000)), ]
line <- data.frame(km = seq(0.5, 30, length.out = 60))
line$minutes <- predict(lm(minutes ~ km, rides), line)
png("rides-r.png", 770, 400, pointsize = 14)
layout(t(1:2), widths = c(1.5, 1))
par(mar = c(4, 4, 0.5, 0.5), las = 1)
plot(fare ~ km, some, pch = 16, cex = 0.3, col = "#9db8d6", log = "y", xlim = c(0, 30), bty = "l",
     ylab = "fare (logarithmic)")
lines(line$km, predict(fit, line), col = "#2b5c8f", lwd = 2)
lines(line$km, predict(normal, line), col = "#d9812e", lwd = 2, lty = 2)
legend("bottomright", c("Student-t", "least squares"), col = c("#2b5c8f", "#d9812e"), lwd = 2,
       lty = 1:2, bty = "n")
plot(others[, c("km", "minutes")], pch = 16, cex = 0.3, col = "#d9812e", bty = "l",
     xlab = "a km costs", ylab = "a minute costs", ylim = range(0.34, others[, "minutes"]))
points(draws[, c("km", "minutes")], pch = 16, cex = 0.3, col = "#2b5c8f")
points(1.1, 0.35, pch = 3, cex = 1.5)
text(1.1, 0.35, "truth", pos = 4)
invisible(dev.off())
