"""What all estimators share: parameters, fit, draws, summary, more draws."""
from __future__ import annotations

import warnings
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _flymc
from ._checks import (
    check_numbers,
    check_rows,
    check_weights,
    feature_names,
    require_same_names,
)
from ._compat import BaseEstimator, NotFittedError
from ._formula import Printed, by_label, compare, frame_of
from ._frame import columns_of
from ._inference_data import to_inference_data
from ._options import count, interval_of, seconds, seed_of, setting_of, threads_of
from ._posterior import Posterior
from ._summary import Summary, questions, written

_NOT_A_CLAIM = (
    "compares two fits of reordered or reweighted rows to 7 digits; these are two Monte Carlo "
    "estimates of one posterior mean"
)


class BayesianRegression(BaseEstimator):
    """A regression whose posterior is sampled by the engine of `flymc fit`."""

    _model: str  # as --model has it
    _fixed: tuple[str, ...] = ()  # settings of the family, each a parameter
    _least_rows = 1

    def __init__(
        self,
        *,
        prior: str = "auto",
        prior_intercept: Optional[str] = None,
        select_prior: bool = False,
        fit_intercept: bool = True,
        kernel: Optional[str] = None,
        bound: Optional[str] = None,
        z: Optional[str] = None,
        engine: str = "auto",
        chains: int = 4,
        warmup: int = 1000,
        draws: int = 1000,
        thin: int = 1,
        random_state: Any = 1,
        n_jobs: Optional[int] = None,
        max_time: Optional[float] = None,
        ess: Optional[float] = None,
        progress: bool = False,
    ) -> None:
        self.prior = prior
        self.prior_intercept = prior_intercept
        self.select_prior = select_prior
        self.fit_intercept = fit_intercept
        self.kernel = kernel
        self.bound = bound
        self.z = z
        self.engine = engine
        self.chains = chains
        self.warmup = warmup
        self.draws = draws
        self.thin = thin
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.ess = ess
        self.progress = progress

    def _options(self, seed: int) -> dict[str, Any]:
        return {
            "model": self._model,
            "prior": self.prior,
            "prior-intercept": self.prior_intercept,
            "select-prior": bool(self.select_prior),
            "intercept": bool(self.fit_intercept),
            "kernel": self.kernel,
            "bound": self.bound,
            "z": self.z,
            "engine": self.engine,
            "chains": count("chains", self.chains, 1),
            "warmup": count("warmup", self.warmup, 0),
            "draws": count("draws", self.draws, 1),
            "thin": count("thin", self.thin, 1),
            "seed": seed,
            "threads": threads_of(self.n_jobs),
            "ess": None if self.ess is None else float(self.ess),
            "progress": bool(self.progress),
            **{name: setting_of(name, value) for name, value in self._settings().items()},
        }

    def _settings(self) -> dict[str, Any]:
        """The settings of the family, by name."""
        return {name: getattr(self, name) for name in self._fixed}

    def _response(self, y: Any, rows: int) -> NDArray[Any]:
        """y, checked; classifiers give classes, all others numbers."""
        return check_numbers(y, "y", rows)

    def _codes(self, y: NDArray[Any]) -> tuple[NDArray[np.float64], list[str]]:
        """y as the engine takes it, and the labels of its codes."""
        return y, []

    def _weights(self, y: NDArray[Any], sample_weight: Any) -> Any:
        """The weights of rows; None: all are 1."""
        return sample_weight

    def _fit(self, X: Any, y: Any, sample_weight: Any, offset: Any, trials: Any = None) -> Any:
        names = feature_names(X)
        x = check_rows(X, self._least_rows)
        rows = x.shape[0]
        response = self._response(y, rows)
        weights = self._weights(response, sample_weight)
        parts: dict[str, Any] = {
            "y": response,
            "weights": None if weights is None else check_weights(weights, rows),
            "offset": None if offset is None else check_numbers(offset, "offset", rows),
            "trials": None if trials is None else check_numbers(trials, "trials", rows),
            "rows": None,
        }
        if parts["weights"] is not None and not parts["weights"].all():  # no row, to the engine
            kept = np.flatnonzero(parts["weights"])
            parts = {k: v if v is None else v[kept] for k, v in parts.items()}
            parts["rows"] = kept.astype(np.uint32)
        parts["x"] = x
        parts["names"] = [f"x{j + 1}" for j in range(x.shape[1])] if names is None else list(names)
        if len(set(parts["names"])) < x.shape[1]:
            raise ValueError("two columns of X have the same name; rename one.")
        parts["y"], parts["labels"] = self._codes(parts["y"])
        self._start(parts, names)
        return self

    def _start(self, parts: dict[str, Any], names: Optional[NDArray[Any]]) -> None:
        seed = seed_of(self.random_state)
        options = self._options(seed)
        options["offset"] = "" if parts["offset"] is None else "offset"
        options["trials"] = "" if parts["trials"] is None else "trials"
        limit = None if self.max_time is None else seconds("max_time", self.max_time)
        run = _flymc.Run(parts, options)
        layout = {**options, "classes": parts["labels"]}
        self.__dict__.pop("_posterior", None)
        self.n_features_in_ = parts["x"].shape[1]
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.seed_ = seed
        self._columns = {name: j for j, name in enumerate(parts["names"])}
        try:
            run.advance(options["draws"], limit)
        finally:  # Ctrl-C leaves what was drawn
            if run.draw_count() > 0:
                self._posterior = Posterior(run, layout, parts)
                self._publish()
        self._tell(run, options["draws"])

    def _tell(self, run: _flymc.Run, asked: int) -> None:
        facts, got = run.facts(), run.draw_count()
        for text in facts["warnings"]:
            warnings.warn(text, stacklevel=5)
        if facts["separated"]:
            warnings.warn(
                "the classes are separable: only the prior keeps the coefficients finite.",
                stacklevel=5,
            )
        if got == 0:
            raise RuntimeError("max_time was over before the first draw; give it more.")
        if got < asked and not facts["enough"]:
            warnings.warn(
                f"max_time was over at draw {got} of {asked} a chain; sample_more() goes on.",
                stacklevel=5,
            )

    def _publish(self) -> None:
        """The attributes that follow from the draws: posterior means, 0 for a dropped column."""
        posterior = self._posterior
        alpha, beta = posterior.split(posterior.draws.mean(axis=(0, 1)))
        coef = np.zeros((posterior.predictors, self.n_features_in_))
        coef[:, self._kept()] = beta
        self.coef_, self.intercept_ = self._shaped(coef, alpha)
        means = posterior.draws.mean(axis=(0, 1))[len(posterior.names) - len(posterior.auxiliaries):]
        self.auxiliaries_ = dict(zip(posterior.auxiliaries, means.tolist()))

    def _shaped(self, coef: NDArray[Any], intercept: NDArray[Any]) -> tuple[Any, Any]:
        return coef[0], float(intercept[0])

    def _kept(self) -> list[int]:
        return [self._columns[name] for name in self._posterior.layout["features"]]

    def _fitted(self) -> Posterior:
        if not hasattr(self, "_posterior"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )
        return self._posterior

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_posterior")

    def _new_rows(self, X: Any, offset: Any) -> tuple[NDArray[Any], Optional[NDArray[Any]]]:
        """The columns of X that have coefficients, and the offset."""
        self._fitted()
        require_same_names(type(self).__name__, getattr(self, "feature_names_in_", None), X)
        x = check_rows(X)
        if x.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {x.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        shift = None if offset is None else check_numbers(offset, "offset", x.shape[0])
        kept = self._kept()
        return x if len(kept) == x.shape[1] else x[:, kept], shift

    def _predicted(
        self, X: Any, offset: Any = None, interval: Optional[float] = None
    ) -> NDArray[np.float64]:
        """Mean, sd and ends of an interval of E[y]; of classes means, with ends where asked."""
        x, shift = self._new_rows(X, offset)
        prob = None if interval is None else interval_of(interval)
        return self._fitted().predictor().predict(x, shift, prob, threads_of(self.n_jobs))

    def predict_draws(
        self, X: Any, offset: Any = None, predictive: bool = False, trials: Any = None
    ) -> NDArray[Any]:
        """E[y] under every draw, draw x row; of three classes or more draw x class x row.

        Two classes: the probability of the second. With predictive=True a new response under every
        draw, draw x row: classes as in classes_, successes in `trials` (one a row without them).
        """
        x, shift = self._new_rows(X, offset)
        if predictive:
            tried = None if trials is None else check_numbers(trials, "trials", len(x))
            drawn = self._fitted().predictor().responses(x, shift, tried)
            return self.classes_[drawn.astype(int)] if hasattr(self, "classes_") else drawn
        values = self._fitted().predictor().draws(x, shift)
        return values if values.shape[1] == len(x) else values.reshape(len(values), -1, len(x))

    @property
    def draws_(self) -> NDArray[np.float64]:
        """Draws on the scale of the input columns, chain x draw x parameter."""
        return self._fitted().draws

    @property
    def parameter_names_(self) -> list[str]:
        """Names of the parameters of draws_: '(intercept)', then the columns of X."""
        return list(self._fitted().names)

    @property
    def engine_(self) -> str:
        """'fly', or 'regular': every row at every iteration, which a forecast found cheaper."""
        return self._fitted().engine

    def summary(
        self,
        prob: float = 0.95,
        exp: bool = False,
        per_sd: bool = False,
        contrast: Union[str, Sequence[str]] = (),
        reference: Optional[str] = None,
    ) -> Summary:
        """Mean, sd, Monte Carlo error, quantiles, effective sample sizes and R-hat.

        `prob` of the intervals; `exp`: odds, rate or hazard ratios; `per_sd`: slopes per standard
        deviation of their column; `contrast`: linear expressions of coefficients, "x2 - x1";
        `reference`: of softmax the class that others are compared with, the most frequent where
        none is named.
        """
        return self._fitted().summary(questions(prob, exp, per_sd, contrast, reference))

    def contrasts(self, reference: Any = None) -> dict[str, NDArray[np.float64]]:
        """Of softmax every other class against the reference, chain x draw by "2 vs 0: x1".

        The most frequent class is the reference where none is named. No other family has any.
        """
        return by_label(self._fitted().contrasts(reference))

    def to_frame(self, reference: Any = None) -> Any:
        """All draws as a frame of pandas, one column a parameter, with chain and draw.

        Of softmax the vectors of all classes, then contrasts(reference), which are what the data
        tell: as `flymc export` writes them.
        """
        return frame_of(self.parameter_names_, self.draws_, self.contrasts(reference))

    def sample_more(self, n: int, max_time: Optional[float] = None) -> Any:
        """Goes on for n draws a chain: the same draws as one longer run, to the last bit.

        Needs the data, which fit() left where they were: X must not have changed since. A copy or
        a pickle of an estimator has no data and cannot go on.
        """
        posterior = self._fitted()
        if posterior.run is None:
            raise RuntimeError("a copy or a pickle has draws but no data; call fit() again.")
        total = posterior.run.draw_count() + count("n", n, 1)
        limit = None if max_time is None else seconds("max_time", max_time)
        try:
            posterior.run.advance(total, limit)
        finally:
            posterior.read()
            self._publish()
        self._tell(posterior.run, total)
        return self

    def _rows(
        self, X: Any, y: Any, trials: Any, offset: Any, what: str
    ) -> tuple[dict[str, Any], dict[str, str], bool]:
        """A frame of these rows or of the fit's own, the names of its parts that are no features,
        and whether they are the fit's own."""
        if (X is None) != (y is None):
            raise ValueError(f"{what} needs both X and y, or neither.")
        if X is None:
            return (*self._rows_of_fit(), True)
        x, shift = self._new_rows(X, offset)
        response = self._response(y, len(x))
        if hasattr(self, "classes_"):  # by the words that the fit knows them by
            response = np.array([str(label) for label in response], dtype=object)
        tried = None if trials is None else check_numbers(trials, "trials", len(x))
        return (*self._framed(x, response=response, trials=tried, offset=shift), False)

    def _rows_of_fit(self) -> tuple[dict[str, Any], dict[str, str]]:
        """Those that fit() was given, which must not have changed since, but for weights of 0."""
        given = self._fitted().given
        if given is None:
            raise RuntimeError("a copy or a pickle has draws but no data; call fit() again.")
        x = given["x"] if given["rows"] is None else given["x"][given["rows"]]
        labels = np.array(given["labels"], dtype=object)
        response = labels[given["y"].astype(int)] if len(labels) else given["y"]
        parts = {name: given[name] for name in ("trials", "offset", "weights")}
        return self._framed(x[:, self._kept()], response=response, **parts)

    def _framed(self, x: NDArray[Any], **given: Any) -> tuple[dict[str, Any], dict[str, str]]:
        """The columns that have coefficients by their names, with what else rows have."""
        features = self._fitted().layout["features"]
        columns: dict[str, Any] = {name: np.ascontiguousarray(x[:, j], dtype=np.float64)
                                   for j, name in enumerate(features)}
        parts = {}
        for part, values in given.items():
            if values is not None:
                name = part
                while name in columns:
                    name += "_"
                parts[part] = name
                columns.update(columns_of({name: values}))
        return columns, parts

    def _run(self) -> _flymc.Run:
        return self._fitted().held_run()

    def _comparable(self, data: Any) -> tuple[Any, Any]:
        return self._run(), None

    def compare(self, *others: Any) -> Printed:
        """This fit against others of the same data: leave-one-out, evidence, coefficients."""
        return compare(self, *others)

    def check(
        self,
        X: Any = None,
        y: Any = None,
        trials: Any = None,
        offset: Any = None,
        interval: float = 0.95,
        rows: int = 50_000,
        draws: int = 400,
    ) -> Printed:
        """Whether the draws predict what came in these rows: what `flymc check` prints.

        Without X and y the rows of the fit. At most so many rows, taken at random, and draws,
        evenly spaced (0: all). to_dict() has the numbers.
        """
        columns, parts, own = self._rows(X, y, trials, offset, "check()")
        how = {"prob": interval_of(interval), "predictive": False, "new_levels": "draw",
               "rows": count("rows", rows, 0), "threads": threads_of(self.n_jobs), "of_fit": own}
        predictor = self._run().predictor(parts, count("draws", draws, 0))
        return Printed(predictor.check(columns, how))

    def effects(
        self,
        X: Any = None,
        of: Union[str, Sequence[str]] = (),
        offset: Any = None,
        interval: float = 0.95,
        rows: Optional[int] = None,
        draws: int = 1000,
    ) -> Printed:
        """What each column does to E[y] on average over rows: what `flymc effects` prints.

        Of the rows of the fit, with their weights, or of those of X, each of which counts once;
        `of`: of these columns, with their curves. At most `rows` of them, taken at random (0: all;
        None: 100,000, fewer where it takes long), and draws, evenly spaced (0: all).
        """
        if X is None:
            columns, parts = self._rows_of_fit()
        else:
            x, shift = self._new_rows(X, offset)
            columns, parts = self._framed(x, offset=shift)
            parts["response"] = "response"  # what it is called; there is none
        how = {"prob": interval_of(interval), "predictive": False, "new_levels": "draw",
               "of": [of] if isinstance(of, str) else [str(name) for name in of],
               "rows": None if rows is None else count("rows", rows, 0),
               "threads": threads_of(self.n_jobs), "of_fit": X is None}
        predictor = self._run().predictor(parts, count("draws", draws, 0))
        return Printed(predictor.effects(columns, how))

    def report(
        self, path: Any = None, X: Any = None, y: Any = None, trials: Any = None, offset: Any = None
    ) -> str:
        """The page of `flymc report`, self-contained HTML, written to `path` where one is given.

        Average effects and predictive checks are of the rows of the fit, or of others with their
        responses.
        """
        run = self._run()
        return written(run.report(*self._rows(X, y, trials, offset, "report()")), path)

    def log_likelihood(
        self, X: Any = None, y: Any = None, trials: Any = None, offset: Any = None
    ) -> NDArray[np.float64]:
        """log p(y | draw) of every row, chain x draw x row; without X and y of those of the fit.

        Made block by block: no more memory than what it returns.
        """
        columns, parts, own = self._rows(X, y, trials, offset, "log_likelihood()")
        how = {"prob": 0.9, "predictive": False, "new_levels": "draw",
               "threads": threads_of(self.n_jobs), "of_fit": own}
        values = self._run().predictor(parts).log_likelihood(columns, how)
        return values.reshape(*self.draws_.shape[:2], -1)

    def to_inference_data(self, log_likelihood: Any = None, reference: Any = None) -> Any:
        """For ArviZ: InferenceData (a DataTree of ArviZ 1); without it a dict of xarray datasets.

        Of softmax contrasts(reference), too, as alpha_contrast and beta_contrast. `log_likelihood`,
        for a group of its own: True of all rows of the fit, or that of some rows, as
        log_likelihood() gives it.
        """
        if log_likelihood is True:
            log_likelihood = self.log_likelihood()
        elif log_likelihood is False:
            log_likelihood = None
        return to_inference_data(self._fitted(), log_likelihood, reference)

    def _more_tags(self) -> dict[str, Any]:
        return {
            "requires_y": True,
            "_xfail_checks": {"check_sample_weights_invariance": _NOT_A_CLAIM},
        }
