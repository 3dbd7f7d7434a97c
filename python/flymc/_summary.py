"""What the draws say about every parameter, for people and for programs."""
from __future__ import annotations

import json
from typing import Any, Iterator


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


def written(page: str, path: Any) -> str:
    """The page, which lies at the path from now on where one is given."""
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
    return page
