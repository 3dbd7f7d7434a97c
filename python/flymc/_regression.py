"""A regression of any family by its word, for those that have no estimator of their own."""
from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np
from numpy.typing import NDArray

from . import _flymc
from ._docs import document
from ._estimator import BayesianRegression
from ._kinds import Classifier, Regressor, TwoClasses


def families() -> dict[str, dict[str, Any]]:
    """Every family by its word: its response, its link and the names of its settings.

    >>> import flymc
    >>> flymc.families()["student-t"]
    {'response': 'numbers', 'link': 'identity', 'settings': ['nu', 'scale']}
    """
    return _flymc.families()


@document(
    fixed="""
    model : the word of a family, one of families().
    settings : the numbers of the family by name, or "infer" to sample one; those that are left out
        have their default. "auto" (student-t: "scale") is a plug-in, chosen once from the data.""",
    classes="\n    classes_ : the classes in their order, where the response has any.\n"
    "    settings_ : the settings of the family that are fixed, as used; see auxiliaries_.",
)
class Regression(BayesianRegression):
    """A regression of the family `model`, whatever it is.

    Examples
    --------
    >>> import numpy as np
    >>> from flymc import Regression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(1000, 1))
    >>> y = 3.0 * X[:, 0] + rng.standard_t(4, size=1000)
    >>> model = Regression("student-t", settings={"nu": 4}, draws=200).fit(X, y)
    >>> bool(abs(model.predict([[1.0]])[0] - 3.0) < 0.2), sorted(model.settings_)
    (True, ['nu'])
    """

    def __init__(
        self,
        model: str = "logistic",
        *,
        settings: Optional[Mapping[str, Any]] = None,
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
        super().__init__(
            prior=prior, prior_intercept=prior_intercept, select_prior=select_prior,
            fit_intercept=fit_intercept, kernel=kernel, bound=bound, z=z, engine=engine,
            chains=chains, warmup=warmup, draws=draws, thin=thin, random_state=random_state,
            n_jobs=n_jobs, max_time=max_time, ess=ess, progress=progress,
        )
        self.model = model
        self.settings = settings

    @property
    def _model(self) -> str:  # type: ignore[override]
        if self.model not in families():
            raise ValueError(f"model must be one of {', '.join(families())}, got {self.model!r}.")
        return self.model

    def _settings(self) -> dict[str, Any]:
        known = families()[self._model]["settings"]
        for name in self.settings or {}:
            if name not in known:
                raise ValueError(f"{self.model} has no setting {name!r}; it has {known}.")
        return dict(self.settings or {})

    def _kind(self) -> Any:
        """The estimator whose manner the response asks for."""
        kinds = {"two classes": TwoClasses, "classes": Classifier, "ordered": Classifier}
        return kinds.get(families()[self._model]["response"], Regressor)

    def fit(
        self, X: Any, y: Any, trials: Any = None, sample_weight: Any = None, offset: Any = None
    ) -> Any:
        """Samples the posterior; `trials` where y counts successes in them.

        Ordered classes are in sort order, or in that of a pandas ordered categorical.
        """
        dtype = getattr(y, "dtype", None)
        self._order = list(dtype.categories) if getattr(dtype, "ordered", False) else None
        return self._fit(X, y, sample_weight, offset, trials)

    def predict(self, X: Any, offset: Any = None, interval: Optional[float] = None) -> NDArray[Any]:
        """The posterior mean of E[y] for every row, or the class of the highest probability.

        With interval=0.95 three columns of a number: mean, lower and upper end.
        """
        if issubclass(self._kind(), Classifier):
            if interval is not None:
                raise ValueError("interval: classes have none; predict_proba has.")
            return self._kind().predict(self, X, offset)
        return self._kind().predict(self, X, offset, interval)

    def predict_proba(
        self, X: Any, offset: Any = None, interval: Optional[float] = None
    ) -> NDArray[np.float64]:
        """The posterior mean probability of every class; row x class x 3 with an interval."""
        if not hasattr(self._kind(), "predict_proba"):
            raise AttributeError(f"{self.model} has no classes.")
        return self._kind().predict_proba(self, X, offset, interval)

    def predict_summary(self, X: Any, offset: Any = None) -> NDArray[np.float64]:
        """Mean, sd, 5 % and 95 % of E[y], four columns a row; of several classes their means."""
        if self._fitted().predictors > 1:
            return self.predict_proba(X, offset)
        return self._predicted(X, offset)

    @property
    def settings_(self) -> dict[str, float]:
        """The settings of the family that are fixed, as used."""
        layout = self._fitted().layout
        return {name: layout[name] for name in families()[self._model]["settings"]
                if isinstance(layout.get(name), float)}

    def _response(self, y: Any, rows: int) -> NDArray[Any]:
        return self._kind()._response(self, y, rows)

    def _codes(self, y: NDArray[Any]) -> tuple[NDArray[np.float64], list[str]]:
        codes, labels = self._kind()._codes(self, y)
        if self._order is None or families()[self._model]["response"] != "ordered":
            return codes, labels
        rank = np.argsort([self._order.index(label) for label in self.classes_.tolist()])
        self.classes_ = self.classes_[rank]
        return np.argsort(rank)[codes.astype(int)].astype(np.float64), [labels[k] for k in rank]

    def _require_classes(self, number: int) -> None:
        self._kind()._require_classes(self, number)

    def _shaped(self, coef: NDArray[Any], intercept: NDArray[Any]) -> tuple[Any, Any]:
        return self._kind()._shaped(self, coef, intercept)
