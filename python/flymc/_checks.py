"""What fit() and predict() are given, checked as scikit-learn does and in its words."""
from __future__ import annotations

import warnings
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._compat import DataConversionWarning


def feature_names(X: Any) -> Optional[NDArray[Any]]:
    """The names of a data frame's columns; None where there are none, or they are no text."""
    columns = getattr(X, "columns", None)
    if columns is None or len(columns) == 0:
        return None
    names = np.asarray(columns, dtype=object)
    kinds = sorted({type(name).__name__ for name in names})
    if kinds == ["str"]:
        return names
    if "str" in kinds:
        raise TypeError(
            "Feature names are only supported if all input features have string names, "
            f"but your input has {kinds} as feature name / column name types."
        )
    return None


def require_same_names(name: str, fitted: Optional[NDArray[Any]], X: Any) -> None:
    """Warns or raises where the columns of X are not called as they were in fit()."""
    given = feature_names(X)
    if fitted is None and given is None:
        return
    if fitted is None:
        warnings.warn(f"X has feature names, but {name} was fitted without feature names")
        return
    if given is None:
        warnings.warn(
            f"X does not have valid feature names, but {name} was fitted with feature names"
        )
        return
    if len(fitted) == len(given) and np.all(fitted == given):
        return
    message = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(given) - set(fitted)), sorted(set(fitted) - set(given))
    for title, names in (
        ("Feature names unseen at fit time:\n", unseen),
        ("Feature names seen at fit time, yet now missing:\n", missing),
    ):
        if names:
            shown = names[:5] + (["..."] if len(names) > 5 else [])
            message += title + "".join(f"- {n}\n" for n in shown)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(message)


def _as_array(data: Any, what: str) -> NDArray[Any]:
    if hasattr(data, "tocsr") and hasattr(data, "toarray"):
        raise TypeError(
            f"{what}: a sparse matrix was passed, but dense data is required. "
            "Use .toarray() to convert to a dense numpy array."
        )
    array = np.asarray(data)
    if np.iscomplexobj(array):
        raise ValueError(f"Complex data not supported\n{what} holds complex numbers.")
    return array


def require_finite(array: NDArray[Any], what: str) -> None:
    """One pass without a copy; only where the sum is not finite is every number looked at."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum(dtype=np.float64)):
            return
    if np.isnan(array).any():
        raise ValueError(f"Input {what} contains NaN.")
    if not np.isfinite(array).all():
        raise ValueError(
            f"Input {what} contains infinity or a value too large for {array.dtype!r}."
        )


def check_rows(X: Any, least: int = 1) -> NDArray[Any]:
    """X as a matrix of finite float64 or float32 numbers, columns side by side.

    An array that is one already, of any number of bytes between rows, is not copied.
    """
    array = _as_array(X, "X")
    if array.ndim < 2:
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead:\narray={array}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single "
            "feature or array.reshape(1, -1) if it contains a single sample."
        )
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}. X expected <= 2.")
    for count, name, needed in ((array.shape[0], "sample", least), (array.shape[1], "feature", 1)):
        if count < needed:
            raise ValueError(
                f"Found array with {count} {name}(s) (shape={array.shape}) while a minimum of "
                f"{needed} is required."
            )
    if array.dtype.kind in "US":
        raise ValueError("X holds text; encode it as numbers first.")
    if array.dtype not in (np.dtype(np.float64), np.dtype(np.float32)):
        array = array.astype(np.float64)
    require_finite(array, "X")
    size = array.itemsize
    in_place = array.flags.aligned and array.strides[0] >= 0 and array.strides[0] % size == 0
    if not in_place or (array.shape[1] > 1 and array.strides[1] != size):
        array = np.array(array, order="C")  # Fortran order: rows are read one by one, often
    return array


def _column(data: Any, what: str, rows: int) -> NDArray[Any]:
    array = _as_array(data, what)
    if array.ndim == 2 and array.shape[1] == 1 and what == "y":
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape "
            "of y to (n_samples, ), for example using ravel().",
            DataConversionWarning,
            stacklevel=5,
        )
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(
            f"{what} should be a 1d array, got an array of shape {array.shape} instead."
        )
    if len(array) != rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {[rows, len(array)]}"
        )
    return array


def check_numbers(data: Any, what: str, rows: int) -> NDArray[np.float64]:
    """One finite number a row."""
    if data is None:
        raise ValueError("requires y to be passed, but the target y is None")
    array = np.ascontiguousarray(_column(data, what, rows), dtype=np.float64)
    require_finite(array, what)
    return array


def check_weights(data: Any, rows: int) -> NDArray[np.float64]:
    """Finite, not negative, not all zero."""
    weights = check_numbers(data, "sample_weight", rows)
    if (weights < 0).any():
        raise ValueError("sample_weight must be >= 0.")
    if not weights.any():
        raise ValueError("sample_weight is 0 in every row: nothing to learn.")
    return weights


def check_classes(data: Any, rows: int) -> NDArray[Any]:
    """One class a row: whole numbers, truth values or text."""
    if data is None:
        raise ValueError("requires y to be passed, but the target y is None")
    array = _column(data, "y", rows)
    if array.dtype.kind == "f":
        require_finite(array, "y")
        if (array != np.floor(array)).any():
            raise ValueError(
                "Unknown label type: 'continuous'. Classes are whole numbers or text; for numbers "
                "use RobustRegression."
            )
    elif array.dtype.kind == "O" and any(not isinstance(v, (str, int, float, bool, np.generic))
                                         for v in array):
        raise ValueError("Unknown label type: classes are whole numbers or text.")
    return array


def class_weights(class_weight: Any, y: NDArray[Any]) -> NDArray[np.float64]:
    """The weight of every row by its class, as scikit-learn means it."""
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight must be 'balanced' or a dict, got {class_weight!r}.")
        return (len(y) / (len(classes) * counts))[codes]
    if not hasattr(class_weight, "get"):
        raise ValueError(f"class_weight must be 'balanced' or a dict, got {class_weight!r}.")
    labels = classes.tolist()
    unknown = [label for label in class_weight if label not in labels]
    if unknown and any(label not in class_weight for label in labels):
        raise ValueError(f"class_weight has {unknown[0]!r}, which is no class of y: {labels}.")
    weights = [_class_weight(label, class_weight.get(label, 1.0)) for label in labels]
    if sum(weight > 0.0 for weight in weights) < 2:
        raise ValueError(f"class_weight leaves fewer than two classes of y, {labels}, with a weight "
                         "above 0: nothing to learn.")
    return np.array(weights)[codes]


def _class_weight(label: Any, weight: Any) -> float:
    try:
        number = float(weight)
    except (TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number < np.inf:
        raise ValueError(f"class_weight of {label!r} must be >= 0, a number, got {weight!r}.")
    return number
