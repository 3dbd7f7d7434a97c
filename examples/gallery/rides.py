"""A robust regression: what does a kilometre cost, when some fares have lost their decimal point?

    rides.py [ROWS]     leaves tables and, where matplotlib is installed, rides.png here
"""
import subprocess
import sys
from pathlib import Path

import flymc
import numpy as np
import pandas as pd

tables = Path(__file__).with_name("tables.py")
subprocess.run([sys.executable, tables, "rides", *sys.argv[1:]], check=True)
rides, new = pd.read_csv("rides.csv"), pd.read_csv("rides-new.csv")

fit = flymc.fit("fare ~ km + minutes", rides, "student-t",
                settings={"scale": "infer", "nu": "infer"})
normal = flymc.fit("fare ~ km + minutes", rides, "normal")  # least squares


def said(draws, digits=2, before="("):
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{draws.mean():.{digits}f} {before}{low:.{digits}f} to {high:.{digits}f})"


# The answer, in words.
print(f"A kilometre costs {said(fit['km'], 3, '(95 % interval ')},"
      f" a minute {said(fit['minutes'], 3)}.")
print(f"Tails are heavy: {said(fit['nu'], before='degrees of freedom (')}.")
print("Least squares, which believes every row:"
      f" {said(normal['km'])} and {said(normal['minutes'])}.")

# Can it be trusted? On rows that it has not seen.
rhat = max(one["rhat"] for one in fit.summary())
ess = min(one["ess_bulk"] for one in fit.summary())
mean, low, high = fit.predict(new, interval=0.95, predictive=True).T
wild = abs(new["fare"] - mean) > 50
print()
print(f"R-hat is at most {rhat:.3f}, and the draws are worth {ess:.0f} independent ones or more.")
print(f"95 % intervals of new fares hold {new['fare'].between(low, high).mean():.0%} of them;"
      f" {wild.sum()} are off by more than 50: look at these rows.")

# The figure: the rides, and both answers, for rides of average speed.
try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit(0)

some = rides[:: max(1, len(rides) // 3000)]
speed = np.polyfit(rides["km"], rides["minutes"], 1)
line = pd.DataFrame({"km": np.linspace(0.5, 30, 60)})
line["minutes"] = np.polyval(speed, line["km"])
figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.6), width_ratios=[1.5, 1])
left.plot(some["km"], some["fare"], ".", markersize=2.5, color="#9db8d6")
left.plot(line["km"], fit.predict(line), color="#2b5c8f", label="Student-t")
left.plot(line["km"], normal.predict(line), color="#d9812e", linestyle="--", label="least squares")
left.set(xlabel="km", ylabel="fare (logarithmic)", yscale="log", xlim=(0, 30))
left.set_yticks([5, 10, 20, 50, 100, 200, 500], [5, 10, 20, 50, 100, 200, 500])
left.minorticks_off()
left.legend(frameon=False, loc="lower right")
for model, colour in ((fit, "#2b5c8f"), (normal, "#d9812e")):
    right.plot(model["km"][:, ::4].ravel(), model["minutes"][:, ::4].ravel(), ".", markersize=2,
               color=colour)
right.plot(1.1, 0.35, "+", color="black", markersize=10)
right.set(xlabel="a km costs", ylabel="a minute costs")
right.annotate("truth", (1.1, 0.35), (6, 6), textcoords="offset points")
for axes in (left, right):
    axes.spines[["top", "right"]].set_visible(False)
figure.tight_layout()
figure.savefig("rides.png", dpi=110)
