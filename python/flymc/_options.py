"""Parameters of an estimator as the engine takes them."""
from __future__ import annotations

import numbers
import operator
import os
from typing import Any

import numpy as np


def count(name: str, value: Any, least: int) -> int:
    """A whole number of at least so many."""
    try:
        result = operator.index(value)
    except TypeError:
        result = least - 1
    if isinstance(value, (bool, np.bool_)) or not least <= result <= 1_000_000_000:
        raise ValueError(f"{name} must be a whole number >= {least}, got {value!r}.")
    return result


def setting_of(name: str, value: Any) -> Any:
    """A number of a family, a word in its place, or None for the default."""
    if value is None or (isinstance(value, str) and value in ("infer", "auto")):
        return value
    try:
        result = float(value)
    except (TypeError, ValueError):
        result = float("nan")
    if not np.isfinite(result):
        raise ValueError(f'{name} must be a number, "infer" or "auto", got {value!r}.')
    return result


def seed_of(random_state: Any) -> int:
    """An integer as it is; from a generator, or from the system for None, a new one."""
    if random_state is None:
        return int.from_bytes(os.urandom(4), "little")
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, numbers.Integral) and 0 <= int(random_state) < 2**64:
        return int(random_state)
    raise ValueError(
        "random_state must be a whole number >= 0, None or a NumPy generator, "
        f"got {random_state!r}."
    )


def interval_of(interval: Any) -> float:
    """The probability of an interval."""
    prob = float(interval)
    if not 0.0 < prob < 1.0:
        raise ValueError(f"interval must be between 0 and 1, got {interval!r}.")
    return prob


def share_of(name: str, value: Any) -> float:
    """Of all rows, and not all of them."""
    if not isinstance(value, numbers.Real) or not 0.0 <= float(value) < 1.0:
        raise ValueError(
            f"{name} must be a share of the rows, 0 or more and less than 1, got {value!r}."
        )
    return float(value)


def threads_of(n_jobs: Any) -> int:
    """0 means all cores, None one. The number of threads never changes a draw."""
    if n_jobs is None:
        return 1
    if n_jobs == -1:
        return 0
    jobs = operator.index(n_jobs)
    if jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning; None is one core, -1 all of them.")
    return min(jobs, 1024) if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs)


def seconds(name: str, value: Any) -> float:
    """A positive number."""
    if not isinstance(value, numbers.Real) or not float(value) > 0.0:
        raise ValueError(f"{name} must be a positive number of seconds, got {value!r}.")
    return float(value)
