"""The estimators, one a model of the command line."""
from __future__ import annotations

from typing import Any, Optional, Union

from ._docs import document
from ._kinds import Classifier, Regressor, TwoClasses

_CLASSES = "\n    classes_ : the classes in sort order."
_CLASS_WEIGHT = """
    class_weight : weights of classes by label, {"yes": 5}, or "balanced": n / (classes * rows of
        the class). Each is the weight of its class's rows, as if they had come that often: another
        posterior, of data that were not seen. Probabilities and intervals are then not those of
        the table; use it for decisions only, or better, move the threshold of predict_proba()."""


@document(fixed=_CLASS_WEIGHT, classes=_CLASSES)
class LogisticRegression(TwoClasses):
    """Two classes: P(y = second class) = 1 / (1 + exp(-(alpha + x beta))).

    Examples
    --------
    >>> import numpy as np
    >>> from flymc import LogisticRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(1000, 2))
    >>> y = np.where(X[:, 0] + rng.logistic(size=1000) > 0, "yes", "no")
    >>> model = LogisticRegression(draws=200, warmup=300).fit(X, y)
    >>> model.classes_.tolist(), model.parameter_names_
    (['no', 'yes'], ['(intercept)', 'x1', 'x2'])
    >>> model.predict([[2.0, 0.0]]).tolist()
    ['yes']
    >>> model.sample_more(100).draws_.shape
    (4, 300, 3)
    """

    _model = "logistic"


@document(fixed=_CLASS_WEIGHT, classes=_CLASSES)
class ProbitRegression(TwoClasses):
    """Two classes: P(y = second class) = Phi(alpha + x beta), Phi the normal distribution.

    Examples
    --------
    >>> import numpy as np
    >>> from flymc import ProbitRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(1000, 1))
    >>> model = ProbitRegression(draws=200).fit(X, X[:, 0] + rng.normal(size=1000) > 0)
    >>> model.predict([[2.0]]).tolist()
    [True]
    """

    _model = "probit"


@document(fixed=_CLASS_WEIGHT, classes=_CLASSES)
class SoftmaxRegression(Classifier):
    """Two or more classes: P(y = k) proportional to exp(alpha_k + x beta_k), one vector a class.

    Examples
    --------
    >>> import numpy as np
    >>> from flymc import SoftmaxRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(600, 2))
    >>> y = np.argmax(X @ [[3, 0, -3], [0, 3, -3]] + rng.gumbel(size=(600, 3)), axis=1)
    >>> model = SoftmaxRegression(draws=200).fit(X, y)
    >>> model.coef_.shape, model.predict([[-3.0, -3.0]]).tolist()
    ((3, 2), [2])
    """

    _model = "softmax"


@document(
    fixed="""
    nu : degrees of freedom of the noise.
    scale : of the noise, a number. None: it is sampled, as sigma (auxiliaries_). "auto": a plug-in,
        chosen once from the data; intervals do not know that it was.""",
    classes="\n    scale_ : the scale of the noise as used; where it is sampled its posterior mean.",
)
class RobustRegression(Regressor):
    """Numbers with outliers: y = alpha + x beta + noise, the noise Student-t.

    Examples
    --------
    >>> import numpy as np
    >>> from flymc import RobustRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(1000, 1))
    >>> model = RobustRegression(draws=200).fit(X, 3.0 * X[:, 0] + rng.standard_t(4, size=1000))
    >>> bool(abs(model.coef_[0] - 3.0) < 0.2)
    True
    >>> print(model.summary().parameters[1]["label"], sorted(model.auxiliaries_))
    x1 ['sigma']
    """

    _model = "student-t"
    _fixed = ("nu", "scale")
    _least_rows = 2  # one tells no scale

    def __init__(
        self,
        *,
        nu: Union[float, str] = 4.0,
        scale: Union[float, str, None] = None,
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
        self.nu = nu
        self.scale = scale

    @property
    def scale_(self) -> float:
        """The scale of the noise as used; where it is sampled its posterior mean."""
        fixed = self._fitted().layout["scale"]
        return float(self.auxiliaries_["sigma"] if fixed in (None, "infer") else fixed)


@document()
class PoissonRegression(Regressor):
    """Counts: E[y] = exp(alpha + x beta + offset), the offset a log exposure.

    Examples
    --------
    >>> import numpy as np
    >>> from flymc import PoissonRegression
    >>> rng = np.random.default_rng(0)
    >>> X, hours = rng.normal(size=(1000, 1)), rng.uniform(1, 5, size=1000)
    >>> y = rng.poisson(hours * np.exp(0.5 * X[:, 0]))
    >>> model = PoissonRegression(draws=200).fit(X, y, offset=np.log(hours))
    >>> bool(abs(model.coef_[0] - 0.5) < 0.1)
    True
    """

    _model = "poisson"


@document()
class BinomialRegression(Regressor):
    """Successes in trials: each succeeds with probability 1 / (1 + exp(-(alpha + x beta))).

    predict() gives the probability of one trial.

    Examples
    --------
    >>> import numpy as np
    >>> from flymc import BinomialRegression
    >>> rng = np.random.default_rng(0)
    >>> X, trials = rng.normal(size=(500, 1)), rng.integers(1, 20, size=500)
    >>> y = rng.binomial(trials, 1 / (1 + np.exp(-X[:, 0])))
    >>> model = BinomialRegression(draws=200).fit(X, y, trials=trials)
    >>> bool(abs(model.predict([[0.0]])[0] - 0.5) < 0.05)
    True
    """

    _model = "binomial"

    def fit(  # type: ignore[override]
        self, X: Any, y: Any, trials: Any = None, sample_weight: Any = None, offset: Any = None
    ) -> Any:
        """Samples the posterior; as the other estimators, with the trials of every row."""
        return self._fit(X, y, sample_weight, offset, trials)


@document(
    fixed="""
    size : the variance is mean + mean^2 / size. None: it is sampled, see auxiliaries_."""
)
class NegativeBinomialRegression(Regressor):
    """Counts that vary more than Poisson's: E[y] = exp(alpha + x beta + offset).

    Examples
    --------
    >>> import numpy as np
    >>> from flymc import NegativeBinomialRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(1000, 1))
    >>> y = rng.poisson(np.exp(1 + 0.5 * X[:, 0]) * rng.gamma(5, 1 / 5, size=1000))
    >>> model = NegativeBinomialRegression(size=5, draws=200).fit(X, y)
    >>> bool(abs(model.coef_[0] - 0.5) < 0.15)
    True
    """

    _model = "negative-binomial"
    _fixed = ("size",)

    def __init__(
        self,
        *,
        size: Optional[float] = None,
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
        self.size = size
