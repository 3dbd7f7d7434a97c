"""What the draws say about every parameter, for people and for programs."""
from __future__ import annotations

import json
from typing import Any, Iterator, Optional, Sequence, Union


class Summary:
    """A table when printed; a list of dicts when iterated; to_dict() has all of it.

    Each dict has column, label, mean, sd, mcse_mean, q5, q50, q95, ess_bulk, ess_tail, ess_coda
    and rhat.
    """

    def __init__(self, text: str, as_json: str) -> None:
        self._text = text.rstrip("\n")
        self._dict: dict[str, Any] = json.loads(as_json)

    def to_dict(self) -> dict[str, Any]:
        """As `flymc summary --json` prints it; a number that is not defined is None."""
        return json.loads(json.dumps(self._dict))

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """One dict a parameter."""
        return self.to_dict()["parameters"]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self._dict["parameters"])

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


def questions(
    prob: float,
    exp: bool,
    per_sd: bool,
    contrast: Union[str, Sequence[str]],
    reference: Optional[str],
) -> dict[str, Any]:
    """What summary() is asked, as the engine takes it."""
    if not 0.0 < float(prob) < 1.0:
        raise ValueError(f"prob must be between 0 and 1, got {prob!r}.")
    return {
        "prob": float(prob),
        "exp": bool(exp),
        "per_sd": bool(per_sd),
        "contrast": [contrast] if isinstance(contrast, str) else [str(one) for one in contrast],
        "reference": "" if reference is None else str(reference),
    }


def written(page: str, path: Any) -> str:
    """The page, which lies at the path from now on where one is given."""
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
    return page
