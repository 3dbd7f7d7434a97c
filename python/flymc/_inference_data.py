"""Draws for ArviZ: alpha and beta with their dimensions, and how the sampler fared."""
from __future__ import annotations

from typing import Any, Optional

from ._posterior import Posterior

Groups = dict[str, dict[str, Any]]  # variables by the name of their group, chain x draw x ...

_STATISTICS = {
    "lp__": "lp",
    "accept_stat__": "acceptance_rate",
    "bright__": "bright",
    "queries__": "queries",
}


def to_inference_data(
    posterior: Posterior, log_likelihood: Any = None, reference: Optional[str] = None
) -> Any:
    """InferenceData where ArviZ is installed, else {'posterior', 'sample_stats'} of xarray.

    Of softmax alpha_contrast and beta_contrast, too, as `flymc export --to zarr` has them.
    """
    alpha, beta = posterior.split(posterior.draws)
    coords: dict[str, Any] = {"feature": posterior.layout["features"]}
    dims = {"beta": ["feature"]}
    if posterior.predictors > 1:
        coords["class"] = posterior.layout["classes"]
        dims = {"alpha": ["class"], "beta": ["class", "feature"]}
    else:
        alpha, beta = alpha[..., 0], beta[..., 0, :]
    variables = {"alpha": alpha, "beta": beta} if posterior.layout["intercept"] else {"beta": beta}
    compared = posterior.contrasts(reference)
    if compared:
        classes = [f"{label} vs {compared['reference']}" for label in posterior.layout["classes"]
                   if label != compared["reference"]]
        coords["class_contrast"] = classes
        dims.update(alpha_contrast=["class_contrast"], beta_contrast=["class_contrast", "feature"])
        first = posterior.draws.shape[-1]
        if "alpha" in variables:
            variables["alpha_contrast"] = compared["draws"][..., first:first + len(classes)]
            first += len(classes)
        shape = (*beta.shape[:2], len(classes), beta.shape[-1])
        variables["beta_contrast"] = compared["draws"][..., first:].reshape(shape)
    for k, name in enumerate(reversed(posterior.auxiliaries), 1):
        variables[name] = posterior.draws[..., -k]
    statistics = {_STATISTICS[name]: values for name, values in posterior.statistics.items()}
    groups = {"posterior": variables, "sample_stats": statistics}
    if log_likelihood is not None:
        groups["log_likelihood"] = {"y": log_likelihood}
        dims["y"] = ["row"]
    return for_arviz(groups, coords, dims)


def for_arviz(groups: Groups, coords: dict[str, Any], dims: dict[str, list[str]]) -> Any:
    """InferenceData of ArviZ 0, a DataTree of ArviZ 1, else a dict of xarray datasets."""
    try:
        import arviz
    except ImportError:
        return _datasets(groups, coords, dims)
    if arviz.__version__.startswith("0."):
        return arviz.from_dict(**groups, coords=coords, dims=dims)
    import xarray

    return xarray.DataTree.from_dict(_datasets(groups, coords, dims))


def _datasets(
    groups: Groups, coords: dict[str, Any], dims: dict[str, list[str]]
) -> dict[str, Any]:
    try:
        import xarray
    except ImportError:
        raise ImportError(
            "to_inference_data() needs ArviZ or xarray; the draws are a plain NumPy array."
        ) from None

    def dataset(variables: dict[str, Any]) -> Any:
        data = {k: (["chain", "draw", *dims.get(k, [])], v) for k, v in variables.items()}
        made = xarray.Dataset(data)  # a dimension without names counts from 0, as ArviZ has it
        return made.assign_coords({k: coords.get(k, range(n)) for k, n in made.sizes.items()})

    return {name: dataset(variables) for name, variables in groups.items()}
