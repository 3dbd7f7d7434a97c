"""scikit-learn's base classes where it is installed, small stand-ins where it is not."""
from __future__ import annotations

import inspect
from typing import Any

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.exceptions import DataConversionWarning, NotFittedError
except ImportError:

    class DataConversionWarning(UserWarning):  # type: ignore[no-redef]
        """Data were changed in a way the caller may not expect."""

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """An estimator was used before fit()."""

    class BaseEstimator:  # type: ignore[no-redef]
        """get_params() and set_params() from the names of the constructor's arguments."""

        @classmethod
        def _get_param_names(cls) -> list[str]:
            return sorted(p for p in inspect.signature(cls.__init__).parameters if p != "self")

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return {name: getattr(self, name) for name in self._get_param_names()}

        def set_params(self, **params: Any) -> "BaseEstimator":
            known = self._get_param_names()
            for name, value in params.items():
                if name not in known:
                    raise ValueError(f"no parameter {name!r}; there are {', '.join(known)}.")
                setattr(self, name, value)
            return self

        def __repr__(self) -> str:
            default = inspect.signature(type(self).__init__).parameters
            changed = [
                f"{name}={value!r}"
                for name, value in self.get_params().items()
                if value is not default[name].default and value != default[name].default
            ]
            return f"{type(self).__name__}({', '.join(changed)})"

    class ClassifierMixin:  # type: ignore[no-redef]
        """score() is the share of rows whose class is predicted."""

        _estimator_type = "classifier"

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            right = np.asarray(y).ravel() == self.predict(X)  # type: ignore[attr-defined]
            return float(np.average(right, weights=sample_weight))

    class RegressorMixin:  # type: ignore[no-redef]
        """score() is the coefficient of determination."""

        _estimator_type = "regressor"

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            y = np.asarray(y, dtype=float).ravel()
            rest = (y - self.predict(X)) ** 2  # type: ignore[attr-defined]
            total = (y - np.average(y, weights=sample_weight)) ** 2
            return float(
                1.0
                - np.average(rest, weights=sample_weight)
                / np.average(total, weights=sample_weight)
            )


__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "DataConversionWarning",
    "NotFittedError",
    "RegressorMixin",
]
