# Counts with exposure and overdispersion: who has more claims in a year of insurance?
#     Rscript claims.R [ROWS]     leaves tables and claims-r.png here
library(flymc)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
stopifnot(system2("python3", c(file.path(here, "tables.py"), "claims", commandArgs(TRUE))) == 0)
claims <- read.csv("claims.csv")
new <- read.csv("claims-new.csv")

fit <- flymc(claims ~ area + age + offset(log(years)), claims, family = "negative-binomial")

ends <- function(draws) {
  paste(formatC(quantile(draws, c(0.025, 0.975)), 2, format = "f"), collapse = " to ")
}

# The answer, in words.
draws <- as.matrix(fit)
town <- exp(draws[, "areatown"])
decade <- exp(10 * draws[, "age"])
size <- draws[, "size"]
cat(sprintf("In town a year brings %.2f times as many claims as in the country", median(town)),
    sprintf("(95 %% interval %s).\n", ends(town)))
cat(sprintf("Ten years of age more: %.2f times as many (%s).\n", median(decade), ends(decade)))
cat(sprintf("Counts scatter more than chance alone: size %.2f (%s),", mean(size), ends(size)),
    sprintf("so that a mean of 1 has a variance of %.2f.\n", 1 + 1 / mean(size)))

# Can it be trusted? On rows that it has not seen.
means <- predict(fit, new)
cat(sprintf("\nR-hat is at most %.3f, and the draws are worth %.0f independent ones or more.\n",
            max(fit$estimates[, "rhat"]), min(fit$estimates[, "ess_bulk"])))
cat(sprintf("Of new policies %.1f%% have no claim;", 100 * mean(new$claims == 0)),
    sprintf("expected: %.1f%%,", 100 * mean(dnbinom(0, mean(size), mu = means))),
    sprintf("by chance alone (Poisson) %.1f%%.\n", 100 * mean(dpois(0, means))))

# The figure: how often each count came, and how often it should.
means <- predict(fit, draws = 400)
at <- 0:8
came <- vapply(at, function(count) sum(claims$claims == count), 0)
should <- vapply(at, function(count) sum(dnbinom(count, mean(size), mu = means)), 0)
chance <- vapply(at, function(count) sum(dpois(count, means)), 0)
png("claims-r.png", 770, 400, pointsize = 14)
par(mar = c(4, 5, 0.5, 0.5), las = 1, mgp = c(3.6, 0.8, 0))
bars <- barplot(sqrt(came), names.arg = at, col = "#b5cae0", border = NA, yaxt = "n",
                ylim = c(0, 1.05 * sqrt(max(came))), ylab = "policies (square roots)")
title(xlab = "claims of a policy", line = 2.5)
ticks <- pretty(c(0, max(came)))
axis(2, sqrt(ticks), format(ticks, big.mark = ","), cex.axis = 0.8)
points(bars, sqrt(should), pch = 16, col = "#2b5c8f")
points(bars, sqrt(chance), pch = 4, lwd = 2, col = "#d9812e")
legend("topright", pch = c(15, 16, 4), col = c("#b5cae0", "#2b5c8f", "#d9812e"), bty = "n",
       legend = c("policies in the table", "expected, negative binomial",
                  "expected, Poisson of the same means"))
invisible(dev.off())
