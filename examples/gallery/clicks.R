# Clicks with group effects: what do device and place do, and how much do campaigns differ?
#     Rscript clicks.R [ROWS]     leaves tables and clicks-r.png here
library(flymc)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
stopifnot(system2("python3", c(file.path(here, "tables.py"), "clicks", commandArgs(TRUE))) == 0)
clicks <- read.csv("clicks.csv")
new <- read.csv("clicks-new.csv")

fit <- flymc(clicked ~ device + place + (1 | campaign), clicks)

ends <- function(draws, digits = 2) {
  paste(formatC(quantile(draws, c(0.025, 0.975)), digits, format = "f"), collapse = " to ")
}

# The answer, in words.
draws <- as.matrix(fit)
phone <- exp(draws[, "devicephone"])
place <- exp(draws[, "place"])
sd <- draws[, "sd.campaign"]
effects <- draws[, grep("^u.campaign", colnames(draws))]
names <- sub("u.campaign\\[(.*)\\]", "\\1", colnames(effects))
means <- colMeans(effects)
best <- which.max(means)
cat(sprintf("On a phone the odds of a click are %.2f times those on a desktop", median(phone)),
    sprintf("(95 %% interval %s).\n", ends(phone)))
cat(sprintf("A place further down makes them %.2f times as large", median(place)),
    sprintf("(%s).\n", ends(place)))
cat(sprintf("Campaigns differ by %.2f in the log odds", mean(sd)),
    sprintf("(standard deviation, %s).\n", ends(sd)))
cat(sprintf("The best is %s: %s times", names[best], ends(exp(effects[, best]), 1)),
    "the odds of a usual one.\n")

# Can it be trusted? On rows that it has not seen.
chance <- predict(fit, new)
likely <- chance >= quantile(chance, 0.9)
cat(sprintf("\nR-hat is at most %.3f, and the draws are worth %.0f independent ones or more.\n",
            max(fit$estimates[, "rhat"]), min(fit$estimates[, "ess_bulk"])))
cat(sprintf("Of the new rows' likeliest tenth %.1f%% were clicked; expected: %.1f%%.\n",
            100 * mean(new$clicked[likely]), 100 * mean(chance[likely])))

# The figure: what campaigns add. Their own rates scatter more: small ones are drawn to the rest.
shown <- tapply(clicks$clicked, clicks$campaign, length)
clicked <- tapply(clicks$clicked, clicks$campaign, sum)
expected <- tapply(predict(fit, draws = 400), clicks$campaign, sum)
raw <- log((clicked + 0.5) / (shown - clicked + 0.5)) - log(expected / (shown - expected))
order <- order(means)
own <- (means + raw[names])[order]
limits <- apply(effects, 2, quantile, c(0.025, 0.975))[, order]
png("clicks-r.png", 770, 400, pointsize = 14)
par(mar = c(2.5, 4, 0.5, 0.5), las = 1)
plot(NA, xlim = c(1, length(names)), ylim = range(own, limits), xaxt = "n", bty = "l", xlab = "",
     ylab = "log odds against a usual campaign")
title(xlab = "campaigns, in the order of their estimates", line = 1)
abline(h = 0, col = "grey70")
segments(seq_along(order), limits[1, ], y1 = limits[2, ], col = "#b5cae0", lwd = 1.5)
points(own, pch = 16, cex = 0.5, col = "#d9812e")
points(means[order], pch = 16, cex = 0.5, col = "#2b5c8f")
legend("topleft", c("its own rate alone", "estimate and 95 % interval"), pch = 16, bty = "n",
       col = c("#d9812e", "#2b5c8f"))
invisible(dev.off())
