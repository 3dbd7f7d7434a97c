"""Data frames, and whatever looks like one, as columns of numbers and of text."""
from __future__ import annotations

import re
from typing import Any, Iterable, Optional

import numpy as np
from numpy.typing import NDArray

from . import _flymc

Columns = dict[str, Any]  # by name float64 numbers, or (int32 codes, labels) of text


class ArrowFrame:
    """A frame that speaks Arrow (polars, pyarrow, DuckDB) through its C stream interface: float64
    columns of one chunk are not copied. A stream is read once, columns when they are asked for."""

    def __init__(self, data: Any) -> None:
        self._table = _flymc.ArrowTable(data.__arrow_c_stream__())
        self.column_names = self._table.names()
        self._columns: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._columns:
            self._columns[name] = self._table.column(name)
        return self._columns[name]


def as_frame(data: Any) -> Any:
    """Data by columns. Those of pandas are NumPy arrays, and are taken as they are."""
    speaks_arrow = hasattr(data, "__arrow_c_stream__") and not hasattr(data, "iloc")
    return ArrowFrame(data) if speaks_arrow else data


def column_names(data: Any) -> list[str]:
    """Of a frame of pandas, polars or Arrow, a structured array or a mapping of arrays."""
    for names in ("column_names", "columns"):  # Arrow's columns are arrays
        found = getattr(data, names, None)
        if found is not None:
            return [str(name) for name in found]
    if getattr(data, "dtype", None) is not None and data.dtype.names:
        return list(data.dtype.names)
    if hasattr(data, "keys"):
        return [str(name) for name in data.keys()]
    raise TypeError(
        f"data must be a data frame or a mapping of columns, got {type(data).__name__}."
    )


def columns_of(data: Any, texts: Optional[Iterable[str]] = None) -> Columns:
    """The columns whose names occur in the texts, all of them without texts or with a '.' in one."""
    data = as_frame(data)
    wanted = None if texts is None else [text for text in texts if text]
    all_others = wanted is None or any(_has_dot(text) for text in wanted)
    names = column_names(data)
    used = [name for name in names if all_others or any(name in text for text in wanted or [])]
    # Of `y ~ 1` new rows need no column, but their number.
    columns: Columns = {name: _column(data[name], name) for name in used or names[:1]}
    lengths = {_length(values) for values in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"the columns of data have different lengths: {sorted(lengths)}.")
    return columns


def level_orders(data: Any, names: Iterable[str]) -> dict[str, list[str]]:
    """The categories of those columns that are categoricals of pandas, in their order."""
    found = {name: getattr(getattr(data[name], "dtype", None), "categories", None)
             for name in names if hasattr(data[name], "cat")}
    return {name: [str(one) for one in categories]
            for name, categories in found.items() if categories is not None}


def date_columns(data: Any, texts: Iterable[str]) -> list[str]:
    """The columns of datetime64 in the texts, but for those that name levels: (1 | day), factor(day)."""
    texts = [text for text in texts if text]
    levels = " ".join(found for text in texts for found in _LEVELS.findall(text))
    return [name for name in column_names(data)
            if name not in levels and any(name in text or _has_dot(text) for text in texts)
            and _is_datetime(data[name])]


_LEVELS = re.compile(r"\|[^)]*\)|factor\([^)]*\)")


def _is_datetime(values: Any) -> bool:
    dtype = getattr(values, "dtype", None)
    if getattr(dtype, "kind", "") == "M":  # NumPy and pandas
        return True
    arrow = str(getattr(values, "type", ""))
    return str(dtype).startswith("Date") or arrow.startswith(("date", "timestamp"))  # polars, Arrow


def _has_dot(text: str) -> bool:
    right = text.partition("~")[2]
    return any(word.strip() == "." for word in right.replace("-", "+").replace("*", "+").split("+"))


def _length(values: Any) -> int:
    return len(values[0] if isinstance(values, tuple) else values)


def _column(values: Any, name: str) -> Any:
    if isinstance(values, tuple):  # of Arrow: codes and labels
        return values
    dtype = getattr(values, "dtype", None)
    if hasattr(dtype, "categories") and hasattr(values, "cat"):  # pandas
        labels = [str(label) for label in dtype.categories]
        return np.asarray(values.cat.codes, dtype=np.int32), labels
    if getattr(dtype, "tz", None) is not None and hasattr(values, "dt"):  # pandas, to UTC
        values = values.dt.tz_convert(None)
    if hasattr(values, "to_numpy"):
        array = values.to_numpy()
    else:
        array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"column {name!r} must be one-dimensional, got shape {array.shape}.")
    if array.dtype.kind in "fiub":
        return np.ascontiguousarray(array, dtype=np.float64)
    if array.dtype.kind == "O":
        numbers = _numbers(array)
        if numbers is not None:
            return numbers
    return _text(array)


def _numbers(array: NDArray[Any]) -> Optional[NDArray[np.float64]]:
    """Objects that are all numbers, booleans or missing."""
    number = (int, float, np.number, np.bool_)
    if not all(isinstance(value, number) or _is_missing(value) for value in array):
        return None
    return np.array([np.nan if _is_missing(v) else float(v) for v in array])


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def _text(array: NDArray[Any]) -> tuple[NDArray[np.int32], list[str]]:
    missing = None
    if array.dtype.kind == "O":
        missing = np.array([_is_missing(v) for v in array])
    elif array.dtype.kind == "M":  # ISO dates as text, which have a day, and times minutes
        missing = np.isnat(array)
        unit = np.datetime_data(array.dtype)[0]
        array = array.astype({"Y": "M8[D]", "M": "M8[D]", "W": "M8[D]", "h": "M8[m]"}.get(
            unit, array.dtype))
    labels, codes = np.unique(array.astype(str), return_inverse=True)
    codes = codes.astype(np.int32)
    if missing is not None:
        codes[missing] = -1
    return codes, [str(label) for label in labels]
