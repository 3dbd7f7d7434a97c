"""Small data for every model, and the command line run on the same."""
import os
import pathlib
import subprocess

import numpy as np

import flymc

SHORT = {"chains": 2, "warmup": 150, "draws": 120, "random_state": 7}

ESTIMATORS = {
    "logistic": flymc.LogisticRegression(**SHORT),
    "softmax": flymc.SoftmaxRegression(**SHORT),
    "student-t": flymc.RobustRegression(**SHORT),
    "poisson": flymc.PoissonRegression(**SHORT),
    "probit": flymc.ProbitRegression(**SHORT),
    "binomial": flymc.BinomialRegression(**SHORT),
    "negative-binomial": flymc.NegativeBinomialRegression(size=3.0, **SHORT),
}


def simulate(model, rows=400):
    """X, y and what else fit() takes."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(rows, 3))
    eta = 0.3 + X @ [0.5, -0.4, 0.2]
    extra = {}
    if model == "softmax":
        y = np.argmax(X + rng.gumbel(size=(rows, 3)), axis=1)
    elif model == "student-t":
        y = eta + rng.standard_t(4, size=rows)
    elif model in ("poisson", "negative-binomial"):
        y = rng.poisson(np.exp(eta))
    elif model == "binomial":
        extra["trials"] = rng.integers(1, 9, size=rows)
        y = rng.binomial(extra["trials"], 1 / (1 + np.exp(-eta)))
    else:
        y = (rng.logistic(size=rows) < eta).astype(int)
    return X, y, extra


def fit_by_command(folder, model, X, y, options=(), **parts):
    """Draws of `flymc fit`, chain x draw x parameter, read from its chain files."""
    folder = pathlib.Path(folder)
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y)
    command = [os.environ["FLYMC_BINARY"], "fit", folder / "X.npy", "--response", folder / "y.npy",
               "--model", model, "--chains", "2", "--warmup", "150", "--draws", "120",
               "--seed", "7", "--quiet", "--out", folder / "run", *options]
    for name, values in parts.items():
        np.save(folder / f"{name}.npy", values)
        command += [f"--{name}", folder / f"{name}.npy"]
    subprocess.run([str(word) for word in command], check=True, timeout=120)
    chains = []
    for path in sorted((folder / "run").glob("chain-*.csv")):
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        chains.append([[float(field) for field in line.split(",")] for line in lines[1:]])
    return np.array(chains)
