"""The part of a docstring that all estimators have."""
from __future__ import annotations

from typing import Any

_COMMON = """
    Parameters
    ----------
    prior : "auto", "normal:S", "laplace:S" or "flat"
        "auto" is normal(0, 2.5) a standardised column. An explicit prior applies to the
        coefficients as reported.
    prior_intercept : as prior, for the intercept; None: as prior. Needs an explicit prior.
    select_prior : choose the scale of the prior on held-out rows.
    fit_intercept : whether there is an intercept.{fixed}
    kernel, bound, z, engine : as --kernel, --bound, --z and --engine of the command line.
    chains, warmup, draws, thin : chains, iterations of warm-up, kept draws a chain, and iterations
        a kept draw.
    random_state : a seed >= 0 (same seed, same draws), None for a new one, or a NumPy generator.
    n_jobs : threads; None is one, -1 all cores. It never changes a draw.
    max_time : seconds after which sampling stops; sample_more() goes on.
    ess : stop when every parameter has this bulk effective sample size; draws is then the most.
    progress : tell on stderr what is being done.

    Attributes
    ----------
    coef_, intercept_ : posterior means; a constant column, which is left out, has 0.
    auxiliaries_ : posterior means of what the family has beside, by name: sigma, size, shape.
    draws_ : draws, chain x draw x parameter, with parameter_names_.{classes}
    n_features_in_, feature_names_in_ : number of columns of X, and their names where X had some.
    engine_, seed_ : what ran.
"""


def document(fixed: str = "", classes: str = "") -> Any:
    """Puts the parameters that all estimators have after the first lines of a docstring."""

    def complete(cls: type) -> type:
        head, _, examples = (cls.__doc__ or "").partition("    Examples")
        common = _COMMON.format(fixed=fixed, classes=classes)
        cls.__doc__ = f"{head.rstrip()}\n{common}\n    Examples{examples}"
        return cls

    return complete
