"""Exact Bayesian regression on tall data by Firefly Monte Carlo.

Estimators in the manner of scikit-learn, on the engine of the command line: the same seed gives
the same draws, to the last bit.

>>> import numpy as np
>>> from flymc import LogisticRegression
>>> rng = np.random.default_rng(1)
>>> X = rng.normal(size=(2000, 3))
>>> y = rng.random(2000) < 1 / (1 + np.exp(-X @ [1.0, -2.0, 0.0]))
>>> model = LogisticRegression(draws=500).fit(X, y)
>>> model.draws_.shape  # chain x draw x parameter
(4, 500, 4)
>>> bool(abs(model.coef_[0, 1] + 2.0) < 0.4)
True
"""
from ._flymc import __version__
from ._formula import Draws, Fit, FolderRun, Likelihood, Printed, compare, fit, load
from ._models import (
    BinomialRegression,
    LogisticRegression,
    NegativeBinomialRegression,
    PoissonRegression,
    ProbitRegression,
    RobustRegression,
    SoftmaxRegression,
)
from ._regression import Regression, families
from ._summary import Summary

__all__ = [
    "BinomialRegression",
    "Draws",
    "Fit",
    "FolderRun",
    "Likelihood",
    "LogisticRegression",
    "NegativeBinomialRegression",
    "PoissonRegression",
    "Printed",
    "ProbitRegression",
    "Regression",
    "RobustRegression",
    "SoftmaxRegression",
    "Summary",
    "__version__",
    "compare",
    "families",
    "fit",
    "load",
]
