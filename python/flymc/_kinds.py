"""Estimators of numbers, of classes, and of two classes."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._checks import check_classes, check_weights, class_weights
from ._compat import ClassifierMixin, RegressorMixin
from ._estimator import BayesianRegression


class Regressor(RegressorMixin, BayesianRegression):
    """predict() gives numbers."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Any:
        """Samples the posterior.

        float64 and float32 arrays with columns side by side (C order, row slices of it) are used
        where they lie and must not change while the estimator is used; others are copied.
        """
        return self._fit(X, y, sample_weight, offset)

    def predict(
        self, X: Any, offset: Any = None, interval: Optional[float] = None
    ) -> NDArray[np.float64]:
        """The posterior mean of E[y] for every row; with interval=0.95 its ends, too.

        Three columns then: mean, lower and upper end.
        """
        predicted = self._predicted(X, offset, interval)
        return predicted[:, 0] if interval is None else predicted[:, [0, 2, 3]]

    def predict_summary(self, X: Any, offset: Any = None) -> NDArray[np.float64]:
        """Mean, sd, 5 % and 95 % of E[y] under the posterior, four columns a row."""
        return self._predicted(X, offset)


class Classifier(ClassifierMixin, BayesianRegression):
    """predict() gives classes, predict_proba() their probabilities."""

    def __init__(
        self,
        *,
        class_weight: Any = None,
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
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Any:
        """Samples the posterior.

        float64 and float32 arrays with columns side by side (C order, row slices of it) are used
        where they lie and must not change while the estimator is used; others are copied.
        """
        return self._fit(X, y, sample_weight, offset)

    def _response(self, y: Any, rows: int) -> NDArray[Any]:
        return check_classes(y, rows)

    def _weights(self, y: NDArray[Any], sample_weight: Any) -> Any:
        if self.class_weight is None:
            return sample_weight
        weights = class_weights(self.class_weight, y)
        if sample_weight is None:
            return weights
        return weights * check_weights(sample_weight, len(y))

    def _codes(self, y: NDArray[Any]) -> tuple[NDArray[np.float64], list[str]]:
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"y has one class, {classes[0]!r}: nothing to learn.")
        self._require_classes(len(classes))
        self.classes_ = classes
        return codes.astype(np.float64), [str(label) for label in classes]

    def _require_classes(self, number: int) -> None:
        """Any number will do."""

    def _shaped(self, coef: NDArray[Any], intercept: NDArray[Any]) -> tuple[Any, Any]:
        return coef, intercept

    def predict_proba(
        self, X: Any, offset: Any = None, interval: Optional[float] = None
    ) -> NDArray[np.float64]:
        """The posterior mean probability of every class, one column each as in classes_.

        With interval=0.95 row x class x 3: mean, lower and upper end.
        """
        predicted = self._predicted(X, offset, interval)
        if self._fitted().predictors > 1 or len(self.classes_) > 2:
            return predicted if interval is None else predicted.reshape(len(predicted), -1, 3)
        second = predicted[:, [0, 2, 3]]
        each = np.stack([1.0 - second[:, [0, 2, 1]], second], axis=1)
        return each[:, :, 0] if interval is None else each

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """The class of the highest probability."""
        best = self.predict_proba(X, offset).argmax(axis=1)
        return self.classes_[best]


class TwoClasses(Classifier):
    """Refuses a third class."""

    def _require_classes(self, number: int) -> None:
        if number > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass. "
                f"y has {number} classes: use SoftmaxRegression."
            )

    def _more_tags(self) -> dict[str, Any]:
        return {"binary_only": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
