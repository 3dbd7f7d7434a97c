"""Whatever is wrong is said in the words of Python: no message has an option of the command line."""
import re

import numpy as np
import pytest
from data import SHORT, simulate
from test_formula import SHORT as FORMULA_SHORT
from test_formula import by_command, table

import flymc

OPTION = re.compile(r"(^|[^a-z-])--[a-z]")


def by_formula(formula, family="poisson", data=None, **more):
    return flymc.fit(formula, table() if data is None else data, family, **{**FORMULA_SHORT, **more})


def with_column(name, values):
    return {**table(), name: values}


def with_hole(name):
    columns = table()
    values = np.array(columns[name], dtype=float)
    values[3] = np.nan
    return {**columns, name: values}


OWN = flymc.Likelihood

FORMULAS = {
    "no such column": lambda: by_formula("y ~ nothing"),
    "formula ends early": lambda: by_formula("y ~ x +"),
    "no response": lambda: by_formula("~ x"),
    "group terms in a product": lambda: by_formula("y ~ x*(1 | shop)"),
    "no such factor": lambda: by_formula("y ~ x + (1 | nobody)"),
    "a factor twice": lambda: by_formula("y ~ x + (1 | shop) + (1 | shop)"),
    "curve of text": lambda: by_formula("y ~ s(city)"),
    "curve of too many knots": lambda: by_formula("y ~ s(x, 2000)"),
    "family": lambda: by_formula("y ~ x", "gaussian"),
    "two classes": lambda: by_formula("city ~ x", "logistic"),
    "counts": lambda: by_formula("size ~ x"),
    "text for counts": lambda: by_formula("city ~ x"),
    "text for numbers": lambda: by_formula("city ~ x", "normal"),
    "shares": lambda: by_formula("size ~ x", "beta"),
    "positive": lambda: by_formula("size ~ x", "gamma"),
    "one class": lambda: by_formula("one ~ x", "logistic", with_column("one", ["a"] * 600)),
    "two ordered classes": lambda: by_formula("bought ~ x", "ordinal"),
    "ordered classes with groups": lambda: by_formula("city ~ x + (1 | shop)", "ordinal"),
    "softmax with groups": lambda: by_formula("city ~ x + (1 | shop)", "softmax"),
    "softmax with an offset": lambda: by_formula("city ~ x + offset(size)", "softmax"),
    "flat softmax": lambda: by_formula("city ~ x", "softmax", prior="flat"),
    "order of no class": lambda: by_formula("city ~ x", "ordinal", order=["Rome"]),
    "order of counts": lambda: by_formula("y ~ x", order=["1", "2"]),
    "missing value": lambda: by_formula("y ~ x", data=with_hole("x")),
    "missing word": lambda: by_formula("y ~ x", missing="no"),
    "infinite value": lambda: by_formula("y ~ x", data=with_column("x", np.full(600, np.inf))),
    "text for weights": lambda: by_formula("y ~ x", weights="city"),
    "negative weights": lambda: by_formula("y ~ x", weights="size"),
    "no such weights": lambda: by_formula("y ~ x", weights="nothing"),
    "trials of counts": lambda: by_formula("y ~ x", trials="y"),
    "no trials": lambda: by_formula("y ~ x", "binomial"),
    "too few trials": lambda: by_formula("y ~ x", "binomial", with_column("m", np.ones(600)),
                                         trials="m"),
    "censored counts": lambda: by_formula("y ~ x", censored="bought"),
    "formula of no parameter": lambda: by_formula("y ~ x", formulas={"sigma": "~ x"}),
    "formula of another": lambda: by_formula("size ~ x", "normal", formulas={"tau": "~ x"}),
    "formula with no column": lambda: by_formula("size ~ x", "normal", formulas={"sigma": "~ no"}),
    "groups beside sigma ~ x": lambda: by_formula("size ~ x + (1 | shop)", "normal",
                                                  formulas={"sigma": "~ x"}),
    "law of no parameter": lambda: by_formula("y ~ x", prior_aux={"sigma": "half_normal(1)"}),
    "no such law": lambda: by_formula("size ~ x", "normal", prior_aux={"sigma": "half_nromal(1)"}),
    "law of a negative scale": lambda: by_formula("size ~ x", "normal",
                                                  prior_aux={"sigma": "half_normal(-1)"}),
    "law of no group": lambda: by_formula("y ~ x", prior_sd={"shop": "half_normal(1)"}),
    "law of another group": lambda: by_formula("y ~ x + (1 | shop)",
                                               prior_sd={"city": "half_normal(1)"}),
    "prior": lambda: by_formula("y ~ x", prior="normal"),
    "prior of a negative scale": lambda: by_formula("y ~ x", prior="normal:-1"),
    "setting of another family": lambda: by_formula("y ~ x", settings={"sigma": 3}),
    "setting of no family": lambda: by_formula("y ~ x", settings={"sgima": 3}),
    "setting out of range": lambda: by_formula("size ~ x", "student-t", settings={"nu": -3}),
    "setting that cannot be sampled": lambda: by_formula("size ~ x", "normal",
                                                         settings={"size": "infer"}),
    "reference": lambda: by_formula("y ~ x + city", reference={"city": "Bonn"}),
    "reference of no factor": lambda: by_formula("y ~ x", reference={"city": "Rome"}),
    "date": lambda: by_formula("y ~ x", date="y"),
    "levels": lambda: by_formula("y ~ x + (1 | shop)", levels="some"),
    "engine": lambda: by_formula("y ~ x", engine="slow"),
    "chains": lambda: by_formula("y ~ x", chains=0),
    "draws": lambda: by_formula("y ~ x", draws=2.5),
    "seed": lambda: by_formula("y ~ x", random_state=-1),
    "time": lambda: by_formula("y ~ x", max_time=0),
    "holdout": lambda: by_formula("y ~ x", holdout=1.0),
    "class weights of counts": lambda: by_formula("y ~ x", class_weight="balanced"),
    "unknown function": lambda: by_formula("y ~ x", likelihood=OWN("y*mu - exq(mu)")),
    "predictor without a name": lambda: by_formula("y ~ x", likelihood=OWN("y*mu - exp(mu)", ["eta"])),
    "too many predictors": lambda: by_formula("y ~ x", likelihood=OWN("y*a", list("abcdefgh"))),
    "no bound": lambda: by_formula("y ~ x", likelihood=OWN("y*mu + exp(mu)")),
    "response of a likelihood": lambda: by_formula("y ~ x", likelihood=OWN("k*mu - exp(mu)",
                                                                           data=["k"])),
}


@pytest.mark.parametrize("what", list(FORMULAS))
def test_a_formula_that_cannot_be_fitted(what):
    with pytest.raises((ValueError, TypeError)) as caught:
        FORMULAS[what]()
    assert not OPTION.search(str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_proposed_are_parameters_of_fit():
    with pytest.raises(ValueError, match='did you mean family="softmax"'):
        by_formula("city ~ x", "logistic")
    with pytest.raises(ValueError, match='family="logistic" or "softmax"'):
        by_formula("city ~ x", "normal")
    with pytest.raises(ValueError, match='use family="logistic"'):
        by_formula("y ~ x", "binomial")
    with pytest.raises(ValueError, match='sigma: only normal or lognormal .* family="normal"'):
        by_formula("y ~ x", settings={"sigma": 3})
    with pytest.raises(ValueError, match="there is no response"):
        by_formula("~ x")


def test_a_column_that_is_not_there_is_looked_for_among_all():
    with pytest.raises(ValueError, match="'cty'; columns are x, city, shop, .*did you mean 'city'"):
        by_formula("y ~ x + cty")


X, Y, _ = simulate("logistic")

ARRAYS = {
    "prior": lambda: flymc.LogisticRegression(prior="normal").fit(X, Y),
    "kernel": lambda: flymc.LogisticRegression(kernel="hmcc").fit(X, Y),
    "bound": lambda: flymc.LogisticRegression(bound="none").fit(X, Y),
    "bound of a family": lambda: flymc.PoissonRegression(bound="map").fit(X, Y),
    "z": lambda: flymc.LogisticRegression(z="no").fit(X, Y),
    "engine": lambda: flymc.LogisticRegression(engine="slow").fit(X, Y),
    "chains": lambda: flymc.LogisticRegression(chains=0).fit(X, Y),
    "family": lambda: flymc.Regression("gaussian").fit(X, Y),
    "settings": lambda: flymc.Regression("poisson", settings={"nu": 3}).fit(X, Y),
    "three classes": lambda: flymc.LogisticRegression().fit(X, np.arange(len(Y)) % 3),
    "one class": lambda: flymc.LogisticRegression().fit(X, 0 * Y),
    "counts": lambda: flymc.PoissonRegression().fit(X, Y - 0.5),
    "no trials": lambda: flymc.BinomialRegression().fit(X, Y),
    "too few trials": lambda: flymc.BinomialRegression().fit(X, 3 * Y, trials=np.ones(len(Y))),
    "weights": lambda: flymc.LogisticRegression().fit(X, Y, sample_weight=-np.ones(len(Y))),
    "no weight": lambda: flymc.LogisticRegression().fit(X, Y, sample_weight=np.zeros(len(Y))),
    "short weights": lambda: flymc.LogisticRegression().fit(X, Y, sample_weight=[1.0]),
    "short offset": lambda: flymc.LogisticRegression().fit(X, Y, offset=[1.0]),
    "not a number": lambda: flymc.LogisticRegression().fit(np.where(X > 2, np.nan, X), Y),
    "huge numbers": lambda: flymc.LogisticRegression().fit(X * 1e200, Y),
    "flat": lambda: flymc.LogisticRegression(prior="flat").fit(X, X[:, 0] > 0),
    "jobs": lambda: flymc.LogisticRegression(n_jobs=0).fit(X, Y),
    "columns": lambda: flymc.LogisticRegression(**SHORT).fit(X, Y).predict(X[:, :2]),
}


@pytest.mark.parametrize("what", list(ARRAYS))
def test_arrays_that_cannot_be_fitted(what):
    with pytest.raises((ValueError, TypeError)) as caught:
        ARRAYS[what]()
    assert not OPTION.search(str(caught.value)), str(caught.value)


def test_what_cannot_be_asked_of_a_fit(tmp_path):
    columns = table()
    fit = by_formula("bought ~ x + (1 | shop)", "logistic")
    run = by_command(tmp_path, columns, "--formula", "bought ~ x")
    rows = {"x": [0.0], "shop": ["elsewhere"]}
    asked = [
        lambda: fit.predict({"x": [0.0]}), lambda: fit.predict(rows, interval=2),
        lambda: fit.predict(rows, new_levels="no"), lambda: fit.predict(rows, new_levels="error"),
        lambda: fit.predict({**rows, "x": ["text"]}), lambda: fit.log_likelihood(rows),
        lambda: fit.check(rows), lambda: fit.check(rows=-1), lambda: fit.effects("nothing"),
        lambda: fit.effects(columns, "x", data=columns), lambda: fit.summary(prob=2),
        lambda: fit.summary(contrast="x - nothing"), lambda: fit.summary(contrast="x -"),
        lambda: fit.summary(reference="yes"), lambda: fit["nothing"], lambda: fit.sample_more(0),
        lambda: run.check(), lambda: run.effects("nothing"), lambda: run.predict({"z": [1.0]}),
        lambda: flymc.compare(fit, by_formula("y ~ x")), lambda: flymc.compare(fit),
        lambda: flymc.load(tmp_path), lambda: flymc.load(tmp_path / "nowhere"),
    ]
    for number, call in enumerate(asked):
        try:
            call()
        except Exception as error:  # noqa: BLE001: its kind is the business of other tests
            assert not OPTION.search(str(error)), (number, str(error))
            assert isinstance(error, (ValueError, TypeError, KeyError, OSError)), (number, error)
