"""A fit by a formula and a data frame: what `flymc fit --formula` does, without files."""
from __future__ import annotations

import html
import json
import warnings
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _flymc
from ._frame import as_frame, column_names, columns_of, date_columns, level_orders
from ._checks import class_weights
from ._inference_data import for_arviz
from ._options import count, interval_of, seconds, seed_of, setting_of, share_of, threads_of
from ._summary import Summary, questions, written


class Likelihood:
    """A likelihood of one's own: the log density of y as text, in the names of its predictors.

    The first predictor has the columns of the formula; the others are parameters of their own, or
    have formulas. Bounds are derived from the text and certified by the program. `data` names the
    columns that the text may read: the response, and one more.

    >>> from flymc import Likelihood
    >>> Likelihood("y*mu - exp(mu)")
    Likelihood('y*mu - exp(mu)', predictors=['mu'])
    >>> Likelihood("k*mu - m*softplus(mu)", data=["k", "m"])
    Likelihood('k*mu - m*softplus(mu)', predictors=['mu'], data=['k', 'm'])
    """

    def __init__(
        self, density: str, predictors: Sequence[str] = ("mu",), data: Sequence[str] = ()
    ) -> None:
        self.density = density
        self.predictors = [str(name) for name in predictors]
        self.data = [str(name) for name in data]

    def __repr__(self) -> str:
        data = f", data={self.data!r}" if self.data else ""
        return f"Likelihood({self.density!r}, predictors={self.predictors!r}{data})"

    def _second(self, formula: str, trials: str) -> str:
        """The column of the second number, as `trials` of the table."""
        response = _response_of(formula)
        if self.data and self.data[0] != response:
            raise ValueError(
                f"data={self.data!r} of the likelihood: the first must be the response, {response!r}."
            )
        if len(self.data) < 2:
            return trials
        if trials not in ("", self.data[1]):
            raise ValueError(
                f"data={self.data!r} of the likelihood and trials={trials!r} contradict each other; "
                "leave out trials."
            )
        return self.data[1]


def _cell(value: Optional[float]) -> str:
    return "" if value is None else f"{value:.4g}"


def _labelled(codes: NDArray[np.float64], classes: list[str]) -> NDArray[Any]:
    """The labels of codes from 0; a NaN stays one, or is None among text."""
    try:
        labels = np.array([*(float(label) for label in classes), np.nan])
    except ValueError:
        labels = np.array([*classes, None], dtype=object)
    return labels[np.where(np.isnan(codes), len(classes), codes).astype(int)]


class Draws:
    """Draws of named parameters, and what they say: of a fit, or of a run in a folder."""

    columns: list[str]  # names as chain files have them
    names: list[str]  # names as people read them

    def _predictor(self) -> _flymc.FramePredictor:
        raise NotImplementedError

    def _some_draws(self, at_most: int) -> _flymc.FramePredictor:
        """The same with at most so many draws, evenly spaced; 0: all."""
        raise NotImplementedError

    def _texts(self) -> Optional[list[str]]:
        """Formulas and columns that a prediction needs; None: not known, take all."""
        return None

    def _summed_up(self, asked: dict[str, Any]) -> dict[str, str]:
        """What the engine says of the draws."""
        raise NotImplementedError

    def _contrasts(self, reference: str) -> dict[str, Any]:
        """Of classes with coefficients of their own; else nothing."""
        raise NotImplementedError

    @property
    def draws(self) -> NDArray[np.float64]:
        """chain x draw x parameter, parameters in the order of `names`."""
        raise NotImplementedError

    def summary(
        self,
        prob: float = 0.95,
        exp: bool = False,
        per_sd: bool = False,
        contrast: Union[str, Sequence[str]] = (),
        reference: Optional[str] = None,
    ) -> Summary:
        """Intervals, probabilities, effective sample sizes, R-hat and checks, as `flymc summary`.

        `prob` of the intervals; `exp`: odds, rate or hazard ratios; `per_sd`: slopes per standard
        deviation of their column; `contrast`: linear expressions of coefficients, "city=Rome -
        city=Oslo"; `reference`: of softmax the class that others are compared with, the most
        frequent where none is named.
        """
        parts = self._summed_up(questions(prob, exp, per_sd, contrast, reference))
        return Summary(parts["text"], parts["json"])

    def contrasts(self, reference: Optional[str] = None) -> dict[str, NDArray[np.float64]]:
        """Of softmax every other class against the reference, chain x draw by "car vs bus: age".

        The most frequent class is the reference where none is named. No other family has any.
        """
        return by_label(self._contrasts("" if reference is None else str(reference)))

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """The draws of one parameter, or of one of contrasts(), chain x draw."""
        for names in (self.names, self.columns):
            if name in names:
                return self.draws[:, :, names.index(name)]
        compared = self.contrasts()
        if name in compared:
            return compared[name]
        raise KeyError(f"{name!r}; the parameters are {', '.join(self.names[:20])}")

    def __repr__(self) -> str:
        return str(self.summary())

    def _repr_html_(self) -> str:
        said = self.summary().to_dict()
        lines = said.get("class_contrasts") or said["parameters"]  # class against class
        keys = ("mean", "sd", "lower", "upper", "prob_positive")
        rows = "".join(
            "<tr><td style='text-align:left'>"
            + html.escape(one["label"])
            + "".join(f"</td><td>{_cell(one.get(key))}" for key in keys)
            + "</td></tr>"
            for one in lines[:50]
        )
        tail = 50.0 * (1.0 - said.get("prob", 0.95))
        titles = ("", "mean", "sd", f"{tail:.4g} %", f"{100.0 - tail:.4g} %", "P(>0)")
        head = "".join(f"<th>{text}</th>" for text in titles)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def to_frame(self, reference: Optional[str] = None) -> Any:
        """All draws as a frame of pandas, one column a parameter, with chain and draw.

        Of softmax the vectors of all classes, then contrasts(reference), which are what the data
        tell: as `flymc export` writes them.
        """
        return frame_of(self.names, self.draws, self.contrasts(reference))

    def _columns_for(self, data: Any) -> dict[str, Any]:
        return columns_of(data, self._texts())

    def _own_columns(self) -> Optional[dict[str, Any]]:
        """The columns of the fit, where they are at hand."""
        return None

    def _rows(self, data: Any, what: str) -> tuple[dict[str, Any], bool]:
        """The columns of these rows, or of the fit's own, and whether they are these."""
        if data is not None:
            return self._columns_for(data), False
        own = self._own_columns()
        if own is None:
            raise TypeError(f"{what} of a run in a folder needs data, a frame of rows.")
        return own, True

    def predict(
        self,
        data: Any,
        interval: Optional[float] = None,
        predictive: bool = False,
        new_levels: str = "draw",
        n_jobs: Optional[int] = -1,
    ) -> NDArray[np.float64]:
        """The posterior mean of E[y] for every row of a frame; NaN where a value is missing.

        With `interval=0.95` three columns: mean, lower and upper end. With `predictive=True` of a
        new response, not of its mean. Of three classes or more the probability of each, one column
        a class in the order of `classes`; with an interval row x class x 3. Their new responses:
        the share of each class; with an interval row x class x 2, the second 1 where the class is
        among those that hold so much (of ordered ones, between the ends). A level that the fit did
        not see is drawn from the distribution of levels, or with `new_levels="error"` refused.
        """
        how = {"prob": 0.9 if interval is None else interval_of(interval),
               "predictive": bool(predictive), "new_levels": new_levels,
               "threads": threads_of(n_jobs)}
        result = self._predictor().predict(self._columns_for(data), how)
        for text in result["warnings"]:
            warnings.warn(text, stacklevel=2)
        values = result["values"]
        if result["classes"]:
            if predictive:
                values = np.stack([values, result["in_set"]], axis=2)
            else:
                values = values.reshape(len(values), -1, 3)
            return values if interval is not None else values[:, :, 0]
        return values[:, [0, 2, 3]] if interval is not None else values[:, 0]

    @property
    def classes(self) -> list[str]:
        """The labels of a response of classes, in the order of their columns; else none."""
        return self._predictor().classes()

    def predict_draws(
        self,
        data: Any,
        new_levels: str = "draw",
        n_jobs: Optional[int] = -1,
        predictive: bool = False,
    ) -> NDArray[Any]:
        """E[y] under every draw: draw x row; of three classes or more draw x class x row.

        With `predictive=True` a new response under every draw, draw x row: of classes their labels
        (numbers where all are such). They are those that predict() sums up. NaN, of text None,
        where a value is missing.
        """
        columns = self._columns_for(data)
        how = {"prob": 0.9, "predictive": bool(predictive), "new_levels": new_levels,
               "threads": threads_of(n_jobs)}
        values = self._predictor().draws(columns, how)
        if predictive:
            return _labelled(values, self.classes) if self.classes else values
        first = next(iter(columns.values()))
        rows = len(first[0] if isinstance(first, tuple) else first)
        return values if values.shape[1] == rows else values.reshape(len(values), -1, rows)

    def check(
        self,
        data: Any = None,
        interval: float = 0.95,
        rows: int = 50_000,
        draws: int = 400,
        n_jobs: Optional[int] = -1,
    ) -> Printed:
        """Whether the draws predict what came in these rows: what `flymc check` prints.

        Without data the rows of the fit: those that it held out, if any. At most so many rows,
        taken at random, and draws, evenly spaced (0: all). Rows with a missing value are left out.
        to_dict() has the numbers.
        """
        columns, own = self._rows(data, "check()")
        how = {"prob": interval_of(interval), "predictive": False, "new_levels": "draw",
               "rows": count("rows", rows, 0), "threads": threads_of(n_jobs), "of_fit": own}
        predictor = self._some_draws(count("draws", draws, 0))
        return Printed(predictor.check(columns, how))

    def effects(
        self,
        *given: Any,
        of: Union[str, Sequence[str]] = (),
        data: Any = None,
        interval: float = 0.95,
        rows: Optional[int] = None,
        draws: int = 1000,
        n_jobs: Optional[int] = -1,
    ) -> Printed:
        """What each column does to E[y] on average over rows: what `flymc effects` prints.

        effects("age") and effects(of=["age", "plan"]) are of these columns, with their curves. The
        rows are those of the fit, with their weights; or those of another frame, effects(frame,
        "age") or data=frame, each of which counts once. At most `rows` of them, taken at random
        (0: all; None: 100,000, fewer where it takes long), and draws, evenly spaced (0: all).
        """
        names = [of] if isinstance(of, str) else [*of]
        if given and not isinstance(given[0], str):
            if data is not None:
                raise TypeError("effects() has data twice: as its first argument, and as data=.")
            data, *given = given  # type: ignore[assignment]
        how = {"of": [str(name) for name in (*given, *names)], "prob": interval_of(interval),
               "rows": None if rows is None else count("rows", rows, 0),
               "draws": count("draws", draws, 0), "threads": threads_of(n_jobs)}
        return Printed(self._effects(data, how))

    def _effects(self, data: Any, how: dict[str, Any]) -> dict[str, str]:
        columns, own = self._rows(data, "effects()")
        how = {**how, "predictive": False, "new_levels": "draw", "of_fit": own}
        return self._some_draws(how["draws"]).effects(columns, how)

    def log_likelihood(
        self, data: Any = None, n_jobs: Optional[int] = -1
    ) -> NDArray[np.float64]:
        """log p(y | draw) of every row of a frame, chain x draw x row; NaN where a value is missing.

        Without data of the rows of the fit, but for those that it left or held out. Made block by
        block: no more memory than what it returns.
        """
        columns, own = self._rows(data, "log_likelihood()")
        how = {"prob": 0.9, "predictive": False, "new_levels": "draw",
               "threads": threads_of(n_jobs), "of_fit": own}
        values = self._predictor().log_likelihood(columns, how)
        return values.reshape(self.draws.shape[0], self.draws.shape[1], -1)

    def to_inference_data(self, log_likelihood: Any = None, reference: Optional[str] = None) -> Any:
        """For ArviZ: InferenceData (a DataTree of ArviZ 1), one variable a parameter.

        Of softmax contrasts(reference), too. `log_likelihood`, for a group of its own: True of all
        rows of the fit, or that of some rows, as log_likelihood() gives it. Without ArviZ a dict of
        xarray datasets.
        """
        groups = {"posterior": {**{name: self.draws[:, :, i] for i, name in enumerate(self.names)},
                                **self.contrasts(reference)}}
        dims = {}
        if log_likelihood is not None and log_likelihood is not False:
            own = log_likelihood is True
            groups["log_likelihood"] = {"y": self.log_likelihood() if own else log_likelihood}
            dims["y"] = ["row"]
        return for_arviz(groups, {}, dims)


class Fit(Draws):
    """What fit() returns: the draws of a regression by formula, which can go on."""

    def __init__(
        self, run: _flymc.Run, texts: list[str], data: Any, weights: Mapping[str, Any]
    ) -> None:
        self._run = run
        self._needed = texts
        self._data = data  # a reference: what it holds when it is asked for
        self._weights = dict(weights)  # that are no column of the data
        self._read()

    def _read(self) -> None:
        facts = self._run.facts()
        self.columns = facts["columns"]
        self.names = facts["labels"]
        self.engine: str = facts["engine"]
        self.notes: list[str] = facts["notes"]
        self._draws: Optional[NDArray[np.float64]] = None
        self._all: Optional[_flymc.FramePredictor] = None

    @property
    def draws(self) -> NDArray[np.float64]:
        if self._draws is None:
            self._draws = self._run.draws()
        return self._draws

    def _summed_up(self, asked: dict[str, Any]) -> dict[str, str]:
        return self._run.summary(asked)

    def _contrasts(self, reference: str) -> dict[str, Any]:
        return self._run.contrasts(reference)

    def _own_columns(self) -> Optional[dict[str, Any]]:
        return {**self._columns_for(self._data), **self._weights}

    def _predictor(self) -> _flymc.FramePredictor:
        if self._all is None:
            self._all = self._run.predictor()
        return self._all

    def _some_draws(self, at_most: int) -> _flymc.FramePredictor:
        return self._run.predictor(at_most=at_most)

    def _texts(self) -> Optional[list[str]]:
        return self._needed

    def report(self, path: Any = None, data: Any = None) -> str:
        """The page of `flymc report`, self-contained HTML, written to `path` where one is given.

        Average effects and predictive checks are of the rows of the fit, or of `data`, others with
        responses.
        """
        columns, own = self._rows(data, "report()")
        return written(self._run.report(columns, {}, own), path)

    def _comparable(self, data: Any) -> tuple[Any, Any]:
        if not self._run.merged():
            return self._run, None
        columns = self._own_columns() if data is None else self._columns_for(data)
        return self._run, {**columns, **self._weights}

    def compare(self, *others: Any, data: Any = None) -> Printed:
        """This fit against others of the same data: leave-one-out, evidence, coefficients. `data`
        as compare() takes it."""
        return compare(self, *others, data=data)

    def sample_more(self, n: int, max_time: Optional[float] = None) -> Fit:
        """Goes on for n draws a chain: the same draws as one longer run, to the last bit."""
        limit = None if max_time is None else seconds("max_time", max_time)
        try:
            self._run.advance(self._run.draw_count() + count("n", n, 1), limit)
        finally:
            self._read()
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a fit cannot be pickled; its draws, names and summary() can.")


class FolderRun(Draws):
    """What load() returns: a run that `flymc fit` left in a folder."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._held = _flymc.Folder(folder)
        facts = self._held.facts()
        self.columns = facts["columns"]
        self.names = facts["labels"]
        self._all: Optional[_flymc.FramePredictor] = None

    @property
    def draws(self) -> NDArray[np.float64]:
        return self._held.draws()

    def _summed_up(self, asked: dict[str, Any]) -> dict[str, str]:
        return self._held.summary(asked)

    def _contrasts(self, reference: str) -> dict[str, Any]:
        return self._held.contrasts(reference)

    def _predictor(self) -> _flymc.FramePredictor:
        if self._all is None:
            self._all = _flymc.FramePredictor(self.folder)
        return self._all

    def _some_draws(self, at_most: int) -> _flymc.FramePredictor:
        return _flymc.FramePredictor(self.folder, at_most)

    def check(
        self,
        data: Any = None,
        interval: float = 0.95,
        rows: int = 50_000,
        draws: int = 400,
        n_jobs: Optional[int] = -1,
    ) -> Printed:
        """As of a fit; without data the rows of the run: those that it kept out, if any."""
        if data is not None:
            return super().check(data, interval, rows, draws, n_jobs)
        how = {"prob": interval_of(interval), "rows": count("rows", rows, 0),
               "draws": count("draws", draws, 0), "threads": threads_of(n_jobs)}
        return Printed(self._held.check(how))

    def report(self, path: Any = None) -> str:
        """The page of `flymc report`, self-contained HTML, written to `path` where one is given."""
        return written(self._held.report(), path)

    def _effects(self, data: Any, how: dict[str, Any]) -> dict[str, str]:
        return self._held.effects(how) if data is None else super()._effects(data, how)

    def _comparable(self, data: Any) -> tuple[Any, Any]:
        return self.folder, None

    def compare(self, *others: Any, data: Any = None) -> Printed:
        """This run against others of the same data: leave-one-out, evidence, coefficients."""
        return compare(self, *others, data=data)


class Printed:
    """What a command prints: a table when printed, to_dict() what it has as JSON."""

    def __init__(self, parts: dict[str, str]) -> None:
        self._text = parts["text"].rstrip("\n")
        self._json = parts["json"]

    def to_dict(self) -> Any:
        """A list of runs of compare(), a dict of effects() and check()."""
        return json.loads(self._json)

    def __repr__(self) -> str:
        return self._text


def load(folder: Any) -> FolderRun:
    """The run that `flymc fit --out folder` made; FileNotFoundError where there is none."""
    return FolderRun(str(folder))


def compare(*runs: Any, data: Any = None) -> Printed:
    """Fits, estimators and runs in folders, all of the same data; differences are to the first.

    A fit of data with equal rows holds each of them once, with a weight, but they are left out one
    by one: it looks them up in the frame that it was made of, which must not have changed, or in
    `data`, the same once more.
    """
    places = [run._comparable(data) if hasattr(run, "_comparable") else (str(run), None)
              for run in runs]
    return Printed(_flymc.compare([run for run, _ in places], [columns for _, columns in places]))


def by_label(found: dict[str, Any]) -> dict[str, NDArray[np.float64]]:
    """The draws of contrasts by their labels, chain x draw."""
    labels = found.get("labels", [])
    return {label: found["draws"][:, :, i - len(labels)] for i, label in enumerate(labels)}


def frame_of(
    names: list[str], draws: NDArray[np.float64], more: Mapping[str, NDArray[np.float64]]
) -> Any:
    """Draws as a frame of pandas: chain, draw, the parameters, and what else there is."""
    import pandas

    chains, length, parameters = draws.shape
    frame = pandas.DataFrame(draws.reshape(-1, parameters), columns=names)
    frame.insert(0, "chain", np.repeat(np.arange(chains), length))
    frame.insert(1, "draw", np.tile(np.arange(length), chains))
    added = pandas.DataFrame({label: values.ravel() for label, values in more.items()})
    return pandas.concat([frame, added], axis=1) if more else frame


def _class_weights(
    class_weight: Any, family: str, columns: dict[str, Any], response: str, weights: str
) -> dict[str, NDArray[np.float64]]:
    """The weights of rows by their classes, times those that they have, as a column by its name."""
    if class_weight is None:
        return {}
    if family not in _flymc.families() or _flymc.families()[family]["response"] not in (
            "two classes", "classes", "ordered"):
        raise ValueError(f"class_weight: {family} has no classes.")
    y = columns.get(response)
    if y is None or (weights and not isinstance(columns.get(weights), np.ndarray)):
        return {}  # the engine says what is wrong
    if isinstance(y, tuple):
        y, known = np.array([*y[1], ""], dtype=object)[y[0]], y[0] >= 0
    else:
        known = ~np.isnan(y)
    values = np.array(columns[weights]) if weights else np.ones(len(y))
    values[known] *= class_weights(class_weight, y[known])
    name = weights or "class_weight"
    while not weights and name in columns:
        name += "_"
    return {name: values}


def _response_of(formula: str) -> str:
    return formula.partition("~")[0].strip().strip("`")


def _order(
    order: Optional[Sequence[str]], formula: str, data: Any, family: str
) -> list[str]:
    """The classes of an ordered response from the lowest on; none: as they sort."""
    if order is not None or family != "ordinal":
        return [str(label) for label in order or []]
    name = _response_of(formula)
    dtype = getattr(data[name], "dtype", None) if name in column_names(data) else None
    return [str(one) for one in dtype.categories] if getattr(dtype, "ordered", False) else []


def fit(
    formula: str,
    data: Any,
    family: str = "logistic",
    *,
    likelihood: Union[Likelihood, str, None] = None,
    formulas: Optional[Mapping[str, str]] = None,
    settings: Optional[Mapping[str, Union[float, str]]] = None,
    reference: Optional[Mapping[str, str]] = None,
    date: Union[str, Sequence[str]] = (),
    order: Optional[Sequence[str]] = None,
    weights: str = "",
    offset: str = "",
    trials: str = "",
    censored: str = "",
    class_weight: Any = None,
    missing: str = "error",
    missing_in: Union[str, Sequence[str]] = (),
    holdout: float = 0.0,
    prior: str = "auto",
    prior_intercept: Optional[str] = None,
    prior_aux: Optional[Mapping[str, str]] = None,
    prior_sd: Optional[Mapping[str, str]] = None,
    levels: Optional[str] = None,
    engine: str = "auto",
    chains: int = 4,
    warmup: int = 1000,
    draws: int = 1000,
    thin: int = 1,
    random_state: Any = 1,
    n_jobs: Optional[int] = -1,
    max_time: Optional[float] = None,
    ess: Optional[float] = None,
    progress: bool = False,
) -> Fit:
    """Samples the posterior of a regression by an R-like formula on a data frame.

    The same draws as `flymc fit --formula` on the same table.

    Parameters
    ----------
    formula : "y ~ a*b + log(c) + (1 | g) + offset(d)"; text columns are factors.
    data : a frame of pandas, polars or Arrow, or a mapping of columns.
    family : a word of families(); or give a `likelihood` of your own.
    formulas : of other predictors by name, {"sigma": "~ a"}.
    settings : numbers that fix parameters of the family, {"nu": 4}; "infer" samples one, "auto"
        (student-t: "scale") is a plug-in, chosen once from the data.
    reference : the level of a factor that others are compared with, {"city": "Oslo"}; else the
        first as they sort, of a pandas categorical the first of its categories.
    date : columns of dates (ISO text: 2024-01-31) to count in days since the first; those of
        datetime64 are without being named, but where they name levels: (1 | day), factor(day).
    order : of ordered classes (family="ordinal"), the lowest first; that of a pandas ordered
        categorical where none is given.
    weights, offset, trials, censored : names of columns.
    class_weight : weights of classes by label, {"yes": 5}, or "balanced", as the classifiers have
        it: another posterior, of data that were not seen.
    missing : "error"; "drop" to leave out rows with a missing value; "indicator" to fill in the
        mean, with a 0/1 column `a_missing` (of a category a level NA), in predict(), too.
    missing_in : with missing="drop", columns that the formula need not use: rows that miss a value
        there are left out, so that compare() finds the same rows in models with and without them.
    holdout : share of the rows, taken at random, that the fit does not see; check() is of them.
    prior_aux : laws of auxiliary parameters, {"sigma": "half_normal(1)"}.
    prior_sd : laws of the standard deviations of group terms, {"g": "half_normal(1)"}.
    levels : "auto", "all" or "summary": whether draws of every level of a group are kept.

    >>> import flymc
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, city = rng.normal(size=900), rng.choice(["Oslo", "Rome"], 900)
    >>> y = rng.poisson(np.exp(0.5 * x + (city == "Rome")))
    >>> fit = flymc.fit("y ~ x + city", {"y": y, "x": x, "city": city}, "poisson", draws=300)
    >>> fit.names
    ['(intercept)', 'x', 'city=Rome']
    >>> bool(abs(fit["x"].mean() - 0.5) < 0.2)
    True
    >>> fit.predict({"x": [0.0], "city": ["Rome"]}, interval=0.95).shape
    (1, 3)
    """
    data = as_frame(data)
    own = Likelihood(likelihood) if isinstance(likelihood, str) else likelihood
    known = _flymc.families()
    if own is None and family not in known:
        raise ValueError(f"family must be one of {', '.join(known)}, got {family!r}.")
    names = _flymc.setting_names()
    for name in settings or {}:
        if name not in names:
            raise ValueError(f"settings: no family has {name!r}; they have {', '.join(names)}.")
    trials = trials if own is None else own._second(formula, trials)
    others = {str(name): str(text) for name, text in (formulas or {}).items()}
    seed = seed_of(random_state)
    options = {
        "model": family,
        "likelihood": None if own is None else own.density,
        "predictors": None if own is None else own.predictors,
        "data-columns": None if own is None else own.data,
        "order": _order(order, formula, data, family),
        "prior": prior,
        "prior-intercept": prior_intercept,
        "prior-aux": dict(prior_aux or {}),
        "prior-sd": dict(prior_sd or {}),
        "levels": levels,
        "engine": engine,
        "chains": count("chains", chains, 1),
        "warmup": count("warmup", warmup, 0),
        "draws": count("draws", draws, 1),
        "thin": count("thin", thin, 1),
        "seed": seed,
        "threads": threads_of(n_jobs),
        "ess": None if ess is None else float(ess),
        "progress": bool(progress),
        **{name: setting_of(name, value) for name, value in (settings or {}).items()},
    }
    dates = [date] if isinstance(date, str) else [str(name) for name in date]
    dates += [name for name in date_columns(data, [formula, *others.values()])
              if name not in dates]
    complete = [missing_in] if isinstance(missing_in, str) else [str(name) for name in missing_in]
    texts = [formula, *others.values(), weights, offset, trials, censored, *dates, *complete]
    columns = columns_of(data, texts)
    own_weights = _class_weights(class_weight, "own" if own else family, columns,
                                 _response_of(formula), weights)
    asked = {
        "formula": formula,
        "formulas": others,
        "reference": [f"{column}={level}" for column, level in (reference or {}).items()],
        "level-order": level_orders(data, columns),
        "holdout": share_of("holdout", holdout),
        "date": dates,
        "weights": next(iter(own_weights), weights),
        "offset": offset,
        "trials": trials,
        "censored": censored,
        "missing": missing,
        "missing-in": complete,
        "threads": options["threads"],
    }
    limit = None if max_time is None else seconds("max_time", max_time)
    try:
        run = _flymc.Run({**columns, **own_weights}, asked, options)
    except ValueError as error:
        if str(error).startswith("no column "):  # of all that there are, not of those that were read
            everything = {name: columns.get(name) for name in column_names(data)}
            _flymc.Run({**everything, **own_weights}, asked, options)
        raise
    try:
        run.advance(options["draws"], limit)
    except KeyboardInterrupt:
        if run.draw_count() == 0:
            raise
        warnings.warn(
            f"stopped at draw {run.draw_count()} of {options['draws']} a chain; sample_more() goes "
            "on.",
            stacklevel=2,
        )
    for text in run.facts()["warnings"]:
        warnings.warn(text, stacklevel=2)
    if run.draw_count() == 0:
        raise RuntimeError("max_time was over before the first draw; give it more.")
    return Fit(run, texts, data, own_weights)
