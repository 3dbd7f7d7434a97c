"""Draws for ArviZ: alpha and beta with their dimensions, and how the sampler fared."""
from __future__ import annotations

from typing import Any

from ._posterior import Posterior

_STATISTICS = {
    "lp__": "lp",
    "accept_stat__": "acceptance_rate",
    "bright__": "bright",
    "queries__": "queries",
}


def to_inference_data(posterior: Posterior) -> Any:
    """InferenceData where ArviZ is installed, else {'posterior', 'sample_stats'} of xarray."""
    alpha, beta = posterior.split(posterior.draws)
    coords: dict[str, Any] = {"feature": posterior.layout["features"]}
    dims = {"beta": ["feature"]}
    if posterior.predictors > 1:
        coords["class"] = posterior.layout["classes"]
        dims = {"alpha": ["class"], "beta": ["class", "feature"]}
    else:
        alpha, beta = alpha[..., 0], beta[..., 0, :]
    variables = {"alpha": alpha, "beta": beta} if posterior.layout["intercept"] else {"beta": beta}
    for k, name in enumerate(reversed(posterior.auxiliaries), 1):
        variables[name] = posterior.draws[..., -k]
    statistics = {_STATISTICS[name]: values for name, values in posterior.statistics.items()}
    try:
        import arviz
    except ImportError:
        return _datasets(variables, statistics, coords, dims)
    return arviz.from_dict(
        posterior=variables, sample_stats=statistics, coords=coords, dims=dims
    )


def _datasets(
    variables: dict[str, Any],
    statistics: dict[str, Any],
    coords: dict[str, Any],
    dims: dict[str, list[str]],
) -> dict[str, Any]:
    try:
        import xarray
    except ImportError:
        raise ImportError(
            "to_inference_data() needs ArviZ or xarray; draws_ is a plain NumPy array."
        ) from None

    def dataset(values: dict[str, Any], with_coords: dict[str, Any]) -> Any:
        data = {k: (["chain", "draw", *dims.get(k, [])], v) for k, v in values.items()}
        return xarray.Dataset(data, coords=with_coords)

    return {"posterior": dataset(variables, coords), "sample_stats": dataset(statistics, {})}
