"""A fit knows the rows it was made of: effects(), check(), report(), compare() without data."""
import copy
import sys
import types

import numpy as np
import pytest

import flymc
from data import ESTIMATORS, SHORT, simulate
from test_check import data_of
from test_formula import SHORT as FORMULA_SHORT
from test_formula import by_command, in_folders, table, unnamed


@pytest.mark.parametrize("formula, family, more, words", [
    ("bought ~ x + city", "logistic", {}, ["--categorical", "city"]),
    ("y ~ x", "poisson", {"weights": "w"}, ["--weights", "w"]),
    ("size ~ x + z", "normal", {"missing": "drop"}, ["--missing", "drop"]),
    ("size ~ x + z", "normal", {"missing": "indicator"}, ["--missing", "indicator"]),
    ("bought ~ x", "logistic", {"holdout": 0.3}, ["--holdout", "0.3"])])
def test_a_fit_says_of_its_rows_what_its_run_says(tmp_path, formula, family, more, words):
    columns = table()
    columns["w"] = 1.0 + np.arange(600) % 3
    holed = np.where(np.arange(600) % 7 == 0, np.nan, columns["y"])
    written = {**columns, "z": ["" if np.isnan(v) else v for v in holed]}
    run = by_command(tmp_path, written, "--formula", formula, "--model", family, *words)
    columns["z"] = holed
    fit = flymc.fit(formula, columns, family, **more, **FORMULA_SHORT)
    assert np.array_equal(fit.draws, run.draws)
    assert fit.effects().to_dict()["effects"] == run.effects().to_dict()["effects"] != []
    ours, theirs = fit.check().to_dict(), run.check().to_dict()
    assert ours["which"] == theirs["which"] == ("held out" if "holdout" in more else "fitted")
    assert ours["scores"] == theirs["scores"] and ours["rows"] == theirs["rows"]
    page, expected = data_of(fit.report()), data_of(run.report())
    assert page["effects"] == expected["effects"]
    assert page["check"]["panels"] == expected["check"]["panels"]
    assert unnamed(fit.compare()) == unnamed(run.compare())


def test_columns_are_named_in_either_way(tmp_path):
    columns = table()
    fit = flymc.fit("bought ~ x + size", columns, **FORMULA_SHORT)
    run = by_command(tmp_path, columns, "--formula", "bought ~ x + size")
    some = {name: values[:100] for name, values in columns.items()}
    for one in (fit, run):
        named = one.effects("x").to_dict()
        assert [curve["column"] for curve in named["curves"]] == ["x"]
        assert one.effects(of="x").to_dict() == one.effects(of=["x"]).to_dict() == named
        of_some = one.effects(some, "x").to_dict()
        assert of_some["rows"] == 100 and of_some != named
        assert one.effects(of="x", data=some).to_dict() == of_some
        few = one.effects(rows=50, draws=30).to_dict()
        assert few["rows"] == 50 and few["draws"] == 30
        with pytest.raises(TypeError, match="data twice"):
            one.effects(some, data=some)
    assert fit.effects("x").to_dict()["curves"] == run.effects("x").to_dict()["curves"]


def test_rows_are_referred_to_not_copied():
    columns = table()
    columns["x"] = np.round(columns["x"])
    fit = flymc.fit("y ~ x", columns, "poisson", **FORMULA_SHORT)
    columns["x"] += 1.0
    with pytest.raises(ValueError, match="the data are not those of fit 1"):
        fit.compare()
    columns["x"] -= 1.0
    assert fit.compare().to_dict()[0]["elpd_loo"] < 0.0


@pytest.mark.parametrize("family, more, words", [
    ("poisson", {}, []), ("poisson", {"weights": "w"}, ["--weights", "w"]),
    ("student-t", {"settings": {"nu": "infer"}}, ["--nu", "infer"]),
    ("poisson", {"holdout": 0.2}, ["--holdout", "0.2"])])
def test_merged_rows_are_looked_up(tmp_path, family, more, words):
    columns = table(900)
    columns["x"] = np.round(columns["x"])
    columns["w"] = 1.0 + np.arange(900) % 3
    formulas = ["y ~ x", "y ~ x + city"]
    runs = in_folders(tmp_path, columns, formulas, "--family", family, *words)
    fits = [flymc.fit(formula, columns, family, **more, **FORMULA_SHORT) for formula in formulas]
    assert any("distinct rows" in note for note in fits[0].notes)
    assert unnamed(fits[0].compare(fits[1])) == unnamed(flymc.compare(*runs))


def test_a_report_says_why_it_has_no_effects():
    columns = table()
    fit = flymc.fit("y ~ x + (1 | shop)", columns, "poisson", levels="summary", **FORMULA_SHORT)
    page = data_of(fit.report())
    assert "kept no draws of the levels of 'shop'" in page["effects"]["why_not"]
    with pytest.raises(ValueError, match="kept no draws of the levels"):
        fit.report(data=columns)


@pytest.mark.parametrize("model", sorted(ESTIMATORS))
def test_estimators_know_their_rows(model):
    X, y, extra = simulate(model)
    estimator = ESTIMATORS[model].fit(X, y, **extra)
    given = estimator.effects(X).to_dict()
    assert estimator.effects().to_dict()["effects"] == given["effects"] != []
    assert estimator.effects(of="x2").to_dict()["curves"][0]["column"] == "x2"
    assert estimator.effects(rows=60, draws=40).to_dict()["rows"] == 60
    own, same = estimator.check().to_dict(), estimator.check(X, y, **extra).to_dict()
    assert own["scores"] == same["scores"] and own["which"] == "fitted"
    page, expected = data_of(estimator.report()), data_of(estimator.report(None, X, y, **extra))
    assert page["effects"] == expected["effects"]
    assert np.array_equal(estimator.log_likelihood(), estimator.log_likelihood(X, y, **extra))
    frame = estimator.to_frame()
    assert list(frame.columns)[:3] == ["chain", "draw", estimator.parameter_names_[0]]
    assert np.array_equal(frame.iloc[:, 2], estimator.draws_[:, :, 0].ravel())
    with pytest.raises(RuntimeError, match="no data; call fit"):
        copy.deepcopy(estimator).effects()


def test_estimators_of_equal_rows_are_compared():
    columns = table()
    X = np.round(np.column_stack([columns["x"], columns["size"]]))
    weights = np.arange(600) % 3.0
    for given in ({}, {"sample_weight": weights}):
        merged = flymc.PoissonRegression(**FORMULA_SHORT).fit(X, columns["y"], **given)
        every = flymc.fit("y ~ x1 + x2", {"x1": X[:, 0], "x2": X[:, 1], "y": columns["y"],
                                          "w": weights}, "poisson", weights="w" if given else "",
                          **FORMULA_SHORT)
        assert merged.compare().to_dict()[0]["elpd_loo"] == every.compare().to_dict()[0]["elpd_loo"]


def test_the_likelihood_of_all_rows_joins_what_arviz_gets(monkeypatch):
    pytest.importorskip("xarray")
    columns = table()
    columns["x"][5] = np.nan
    fit = flymc.fit("size ~ x", columns, "normal", missing="drop", **FORMULA_SHORT)
    kept = {name: np.delete(values, 5) for name, values in columns.items()}
    data = fit.to_inference_data(log_likelihood=True)
    assert data["log_likelihood"]["y"].dims == ("chain", "draw", "row")
    assert np.array_equal(data["log_likelihood"]["y"].values, fit.log_likelihood(kept))
    assert "log_likelihood" not in fit.to_inference_data(log_likelihood=False)
    held = flymc.fit("size ~ x", kept, "normal", holdout=0.25, **FORMULA_SHORT)
    rows = held.log_likelihood().shape[2]
    assert rows + held.check().to_dict()["rows"] == 599 and rows == held.summary().to_dict()["n"]
    X, y, _ = simulate("logistic")
    model = flymc.LogisticRegression(**SHORT).fit(X, y)
    found = model.to_inference_data(log_likelihood=True)["log_likelihood"]["y"].values
    assert np.array_equal(found, model.log_likelihood(X, y))
    # ArviZ 0 takes the groups by name
    of_arviz = types.SimpleNamespace(__version__="0.17.0", from_dict=lambda **groups: groups)
    monkeypatch.setitem(sys.modules, "arviz", of_arviz)
    groups = fit.to_inference_data(log_likelihood=True)
    assert groups["log_likelihood"]["y"].shape == (2, 60, 599) and groups["dims"]["y"] == ["row"]


def test_a_holdout_is_a_share():
    for share in (1.0, -0.1, "a"):
        with pytest.raises(ValueError, match="holdout must be a share of the rows"):
            flymc.fit("bought ~ x", table(), holdout=share, **FORMULA_SHORT)


@pytest.mark.parametrize("given", ["balanced", {"yes": 3.0}])
def test_class_weights_are_weights_of_rows_in_fits(given):
    columns = table()
    share = {label: 600 / (2 * np.sum(columns["bought"] == label)) for label in ("no", "yes")}
    each = share if given == "balanced" else {"no": 1.0, "yes": 3.0}
    columns["w"] = 1.0 + np.arange(600) % 2
    by_class = np.array([each[label] for label in columns["bought"]])
    for weights in ("", "w"):
        own = {**columns, "v": by_class * (columns["w"] if weights else 1.0)}
        fit = flymc.fit("bought ~ x", columns, class_weight=given, weights=weights, **FORMULA_SHORT)
        same = flymc.fit("bought ~ x", own, weights="v", **FORMULA_SHORT)
        assert np.array_equal(fit.draws, same.draws)
        assert fit.effects().to_dict()["effects"] == same.effects().to_dict()["effects"]
        assert unnamed(fit.compare()) == unnamed(same.compare())
    with pytest.raises(ValueError, match="no column 'nothing'"):
        flymc.fit("bought ~ x", columns, class_weight=given, weights="nothing", **FORMULA_SHORT)
    with pytest.raises(ValueError, match="class_weight: poisson has no classes"):
        flymc.fit("y ~ x", columns, "poisson", class_weight="balanced", **FORMULA_SHORT)
