"""The draws of a fit with what they mean: all that predictions and summaries need."""
from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np
from numpy.typing import NDArray

from . import _flymc
from ._summary import Summary, questions

_USUAL = questions(0.95, False, False, (), None)


class Posterior:
    """Draws in the units of the input. Copies and pickles leave the run, and so the data, behind.

    `layout` is what the engine's predictor is told: model, intercept, classes, features, and the
    settings of the family; `given` what the run was made of.
    """

    def __init__(
        self, run: _flymc.Run, layout: dict[str, Any], given: Mapping[str, Any]
    ) -> None:
        facts = run.facts()
        self.run: Optional[_flymc.Run] = run
        self.given: Optional[Mapping[str, Any]] = given
        self.layout = dict(layout, features=facts["features"])
        self.layout.update(facts["settings"], intercept=facts["intercept"])
        self.predictors: int = facts["predictors"]  # coefficient vectors: one a class, or one
        self.auxiliaries: list[str] = facts["auxiliaries"]  # last among the parameters
        self.names: list[str] = facts["labels"]
        self.columns: list[str] = facts["columns"]
        self.engine: str = facts["engine"]
        self.read()

    def read(self) -> None:
        """Takes over what the run holds now."""
        assert self.run is not None
        self.draws = self.run.draws()
        self.statistics = self.run.statistics()
        self._summary: Optional[Summary] = None
        self._contrasts: Optional[dict[str, Any]] = None
        self._predictor: Optional[_flymc.Predictor] = None

    def held_run(self) -> _flymc.Run:
        """The run, which a copy has not."""
        if self.run is None:
            raise RuntimeError("a copy or a pickle has draws but no run; call fit() again.")
        return self.run

    def summary(self, asked: Optional[dict[str, Any]] = None) -> Summary:
        """Of what was asked; what everybody asks a copy knows, too."""
        if asked is not None and asked != _USUAL:
            parts = self.held_run().summary(asked)
            return Summary(parts["text"], parts["json"])
        if self._summary is None:
            parts = self.held_run().summary()
            self._summary = Summary(parts["text"], parts["json"])
        return self._summary

    def contrasts(self, reference: Optional[str] = None) -> dict[str, Any]:
        """{"reference", "labels", "draws"} of classes with coefficients of their own, or nothing."""
        if reference is not None:
            return self.held_run().contrasts(str(reference))
        if self._contrasts is None:
            self._contrasts = self.held_run().contrasts()
        return self._contrasts

    def split(self, values: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Parameters (last axis) as intercepts (..., predictor) and slopes (..., predictor, j)."""
        k = self.predictors
        first = k if self.layout["intercept"] else 0
        alpha = values[..., :first] if first else np.zeros(values.shape[:-1] + (k,))
        shape = values.shape[:-1] + (k, len(self.layout["features"]))
        last = values.shape[-1] - len(self.auxiliaries)
        return alpha, values[..., first:last].reshape(shape)

    def predictor(self) -> _flymc.Predictor:
        """Of rows that have the features of the layout."""
        if self._predictor is None:
            flat = self.draws.reshape(-1, self.draws.shape[-1])
            self._predictor = _flymc.Predictor(self.layout, flat)
        return self._predictor

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__, run=None, given=None, _predictor=None)
        state["_summary"] = self.summary()
        state["_contrasts"] = self.contrasts()
        return state
