"""Counts with exposure and overdispersion: who has more claims in a year of insurance?

    claims.py [ROWS]     leaves tables and, where matplotlib is installed, claims.png here
"""
import subprocess
import sys
from pathlib import Path

import flymc
import numpy as np
import pandas as pd

tables = Path(__file__).with_name("tables.py")
subprocess.run([sys.executable, tables, "claims", *sys.argv[1:]], check=True)
claims, new = pd.read_csv("claims.csv"), pd.read_csv("claims-new.csv")

fit = flymc.fit("claims ~ area + age", claims, "negative-binomial", offset="log_years")


def ends(draws):
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{low:.2f} to {high:.2f}"


# The answer, in words.
town, decade, size = np.exp(fit["area=town"]), np.exp(10 * fit["age"]), fit["size"]
print(f"In town a year brings {np.median(town):.2f} times as many claims as in the country"
      f" (95 % interval {ends(town)}).")
print(f"Ten years of age more: {np.median(decade):.2f} times as many ({ends(decade)}).")
print(f"Counts scatter more than chance alone: size {size.mean():.2f} ({ends(size)}),"
      f" so that a mean of 1 has a variance of {1 + 1 / size.mean():.2f}.")


def expected(means, size, most=8):
    """How many rows should have 0, 1, ..., most events; a huge size is a Poisson."""
    chance = np.exp(-size * np.log1p(means / size))
    counts = []
    for count in range(most + 1):
        counts.append(chance.sum())
        chance = chance * (count + size) / (count + 1) * means / (means + size)
    return np.array(counts)


# Can it be trusted? On rows that it has not seen.
rhat = max(one["rhat"] for one in fit.summary())
ess = min(one["ess_bulk"] for one in fit.summary())
means = fit.predict(new)
none = (new["claims"] == 0).mean()
print()
print(f"R-hat is at most {rhat:.3f}, and the draws are worth {ess:.0f} independent ones or more.")
print(f"Of new policies {none:.1%} have no claim;"
      f" expected: {expected(means, size.mean())[0] / len(new):.1%},"
      f" by chance alone (Poisson) {expected(means, 1e9)[0] / len(new):.1%}.")

# The figure: how often each count came, and how often it should.
try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit(0)

means = fit.predict(claims)
at = np.arange(9)
came = np.array([(claims["claims"] == count).sum() for count in at])
figure, axes = plt.subplots(figsize=(7, 3.6))
axes.bar(at, came, color="#b5cae0", label="policies in the table")
axes.plot(at, expected(means, size.mean()), "o", color="#2b5c8f",
          label="expected, negative binomial")
axes.plot(at, expected(means, 1e9), "x", color="#d9812e", markeredgewidth=2,
          label="expected, Poisson of the same means")
axes.set(xlabel="claims of a policy", ylabel="policies (square roots)", xticks=at)
axes.set_yscale("function", functions=(lambda y: np.sqrt(np.maximum(y, 0)), np.square))
axes.set_ylim(0, 1.05 * came.max())
axes.yaxis.set_major_formatter("{x:,.0f}")
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False)
figure.tight_layout()
figure.savefig("claims.png", dpi=110)
