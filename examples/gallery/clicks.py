"""Clicks with group effects: what do device and place do, and how much do campaigns differ?

    clicks.py [ROWS]     leaves tables and, where matplotlib is installed, clicks.png here
"""
import subprocess
import sys
from pathlib import Path

import flymc
import numpy as np
import pandas as pd

tables = Path(__file__).with_name("tables.py")
subprocess.run([sys.executable, tables, "clicks", *sys.argv[1:]], check=True)
clicks, new = pd.read_csv("clicks.csv"), pd.read_csv("clicks-new.csv")

fit = flymc.fit("clicked ~ device + place + (1 | campaign)", clicks)


def ends(draws, digits=2):
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{low:.{digits}f} to {high:.{digits}f}"


# The answer, in words.
phone, place, sd = np.exp(fit["device=phone"]), np.exp(fit["place"]), fit["sd.campaign"]
names = sorted(clicks["campaign"].unique())
effects = np.stack([fit[f"u.campaign[{name}]"].ravel() for name in names])
means = effects.mean(axis=1)
best = means.argmax()
print(f"On a phone the odds of a click are {np.median(phone):.2f} times those on a desktop"
      f" (95 % interval {ends(phone)}).")
print(f"A place further down makes them {np.median(place):.2f} times as large ({ends(place)}).")
print(f"Campaigns differ by {sd.mean():.2f} in the log odds (standard deviation, {ends(sd)}).")
print(f"The best is {names[best]}: {ends(np.exp(effects[best]), 1)} times the odds of a usual one.")

# Can it be trusted? On rows that it has not seen.
rhat = max(one["rhat"] for one in fit.summary())
ess = min(one["ess_bulk"] for one in fit.summary())
chance = fit.predict(new)
likely = chance >= np.quantile(chance, 0.9)
print()
print(f"R-hat is at most {rhat:.3f}, and the draws are worth {ess:.0f} independent ones or more.")
print(f"Of the new rows' likeliest tenth {new['clicked'][likely].mean():.1%} were clicked;"
      f" expected: {chance[likely].mean():.1%}.")

# The figure: what campaigns add. Their own rates scatter more: small ones are drawn to the rest.
try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit(0)

group = clicks.assign(chance=fit.predict(clicks)).groupby("campaign")
shown, clicked, expected = group.size(), group["clicked"].sum(), group["chance"].sum()
raw = np.log((clicked + 0.5) / (shown - clicked + 0.5)) - np.log(expected / (shown - expected))
low, high = np.quantile(effects, [0.025, 0.975], axis=1)
order, at = means.argsort(), np.arange(len(names))
figure, axes = plt.subplots(figsize=(7, 3.6))
axes.axhline(0, color="0.7", linewidth=0.8)
axes.vlines(at, low[order], high[order], color="#b5cae0", linewidth=1.1)
axes.plot(at, (means + raw.to_numpy())[order], "o", color="#d9812e", markersize=2.2,
          label="its own rate alone")
axes.plot(at, means[order], "o", color="#2b5c8f", markersize=2.2,
          label="estimate and 95 % interval")
axes.set(xlabel="campaigns, in the order of their estimates", xticks=[],
         ylabel="log odds against a usual campaign")
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False, loc="upper left")
figure.tight_layout()
figure.savefig("clicks.png", dpi=110)
