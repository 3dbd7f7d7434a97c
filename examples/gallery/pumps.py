"""Survival with right censoring: how much longer do pumps with a steel seal last?

    pumps.py [ROWS]     leaves tables and, where matplotlib is installed, pumps.png here
"""
import subprocess
import sys
from pathlib import Path

import flymc
import numpy as np
import pandas as pd

tables = Path(__file__).with_name("tables.py")
subprocess.run([sys.executable, tables, "pumps", *sys.argv[1:]], check=True)
pumps, new = pd.read_csv("pumps.csv"), pd.read_csv("pumps-new.csv")

fit = flymc.fit("weeks ~ seal + load", pumps, "weibull", censored="censored")
naive = flymc.fit("weeks ~ seal + load", pumps, "weibull")  # as if all were broken


def ends(draws):
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{low:.2f} to {high:.2f}"


# The answer, in words.
steel, ten, shape = np.exp(fit["seal=steel"]), np.exp(10 * fit["load"]), fit["shape"]
print(f"With a steel seal a pump lasts {np.median(steel):.2f} times as long as with one of rubber"
      f" (95 % interval {ends(steel)}).")
print(f"Ten points more load: {np.median(ten):.2f} times as long ({ends(ten)}).")
print(f"They wear out: the shape is {shape.mean():.2f} ({ends(shape)}), above 1.")
print("Were those that still run taken for broken, steel would seem to last"
      f" {np.median(np.exp(naive['seal=steel'])):.2f} times as long.")


def surviving(rows, weeks):
    """The share of these pumps that the model expects to run for so many weeks: draw x week."""
    every = slice(None, None, 20)  # of the draws
    alpha, steel, load, shape = (fit[name].ravel()[every, None, None]
                                 for name in ("(intercept)", "seal=steel", "load", "shape"))
    loads, counts = np.unique(rows["load"], return_counts=True)
    log_scale = alpha + steel * (rows["seal"].iloc[0] == "steel") + load * loads[:, None]
    return np.average(np.exp(-((weeks / np.exp(log_scale)) ** shape)), axis=1, weights=counts)


def kaplan_meier(rows, weeks):
    """The same from the times alone."""
    times, broken = np.unique(rows["weeks"][rows["censored"] == 0], return_counts=True)
    at_risk = len(rows) - np.searchsorted(np.sort(rows["weeks"]), times)
    steps = np.concatenate([[1.0], np.cumprod(1 - broken / at_risk)])
    return steps[np.searchsorted(times, weeks, side="right")]


# Can it be trusted? On rows that it has not seen.
rhat = max(one["rhat"] for one in fit.summary())
ess = min(one["ess_bulk"] for one in fit.summary())
rubber = new[new["seal"] == "rubber"]
print()
print(f"R-hat is at most {rhat:.3f}, and the draws are worth {ess:.0f} independent ones or more.")
print(f"Of new pumps with rubber seals {kaplan_meier(rubber, 52):.0%} last a year (Kaplan-Meier);"
      f" expected: {surviving(rubber, np.array([52.0])).mean():.0%}.")

# The figure: shares that last, by the model and from the times alone.
try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit(0)

weeks = np.linspace(0.1, 150, 100)
figure, axes = plt.subplots(figsize=(7, 3.6))
for seal, colour in (("steel", "#2b5c8f"), ("rubber", "#d9812e")):
    rows = pumps[pumps["seal"] == seal]
    shares = surviving(rows, weeks)
    low, high = np.quantile(shares, [0.025, 0.975], axis=0)
    axes.fill_between(weeks, low, high, color=colour, alpha=0.3, linewidth=0)
    axes.plot(weeks, shares.mean(axis=0), color=colour, linewidth=1.5, label=f"{seal} seal")
    axes.step(weeks, kaplan_meier(rows, weeks), ":", color="0.2", linewidth=0.8, where="post")
axes.plot([], [], ":", color="0.2", linewidth=0.8, label="Kaplan-Meier")
axes.set(xlabel="weeks", ylabel="share of pumps that still run", xlim=(0, 150), ylim=(0, 1.02))
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False)
figure.tight_layout()
figure.savefig("pumps.png", dpi=110)
