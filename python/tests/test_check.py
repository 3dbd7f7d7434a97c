"""check(), log_likelihood(), class weights, missing values and dates: the command line's numbers."""
import json
import os
import subprocess
import sys
import types

import numpy as np
import pytest

import flymc
from data import ESTIMATORS, SHORT, simulate
from test_formula import SHORT as FORMULA_SHORT
from test_formula import by_command, table, write


def checked_by_command(folder, data):
    command = [os.environ["FLYMC_BINARY"], "check", "run", "--data", data, "--json"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("formula, family", [
    ("bought ~ x + city", "logistic"), ("y ~ x + (1 | shop)", "poisson"), ("size ~ x", "normal")])
def test_check_has_the_numbers_of_the_command(tmp_path, formula, family):
    columns = table()
    text = ["--categorical", "city"] if "city" in formula else []
    run = by_command(tmp_path, columns, "--formula", formula, "--model", family, *text)
    fit = flymc.fit(formula, columns, family, **FORMULA_SHORT)
    expected = checked_by_command(tmp_path, "d.csv")
    for found in (fit.check(columns), run.check(columns)):
        found = found.to_dict()
        assert found["scores"] == expected["scores"]
        assert found["verdict"] == expected["verdict"]
        assert found["rows"] == expected["rows"] and found["draws"] == expected["draws"]
    of_run = run.check().to_dict()
    assert of_run["which"] == "fitted" and of_run["scores"] == expected["scores"]
    assert "score" in repr(run.check()) or "quantile" in repr(run.check())


def data_of(page):
    start = page.index("{", page.index('type="application/json"'))
    return json.loads(page[start:page.index("</script>", start)])


def test_the_report_of_a_run_is_that_of_the_command(tmp_path, monkeypatch):
    by_command(tmp_path, table(), "--formula", "bought ~ x")
    monkeypatch.chdir(tmp_path)  # a page says where its run is
    run = flymc.load("run")
    subprocess.run([os.environ["FLYMC_BINARY"], "report", "run", "--out", "command.html"],
                   cwd=tmp_path, check=True, capture_output=True)

    page = run.report(tmp_path / "python.html")
    assert page == (tmp_path / "python.html").read_text(encoding="utf-8")
    ours, theirs = data_of(page), data_of((tmp_path / "command.html").read_text(encoding="utf-8"))
    assert ours.pop("command") is None and theirs.pop("command").startswith("flymc fit")
    assert "sample_more" in ours["verdict"].pop("next")  # the same, in other words
    assert "--draws" in theirs["verdict"].pop("next")
    assert ours["table"].pop("all") != theirs["table"].pop("all")
    assert ours == theirs


@pytest.mark.parametrize("formula, family, more", [
    ("bought ~ x + city", "logistic", ["--categorical", "city"]),
    ("size ~ bs(x, 4)", "normal", []),
    ("y ~ x + (1 | shop)", "poisson", []),
    ("city ~ x", "softmax", [])])
def test_the_report_of_a_fit_has_what_that_of_its_run_has(tmp_path, formula, family, more):
    columns = table()
    run = data_of(by_command(tmp_path, columns, "--formula", formula, "--model", family,
                             *more).report())
    path = tmp_path / "fit.html"
    page = flymc.fit(formula, columns, family, **FORMULA_SHORT).report(path)
    assert page == path.read_text(encoding="utf-8")
    fit = data_of(page)
    assert fit.keys() == run.keys()
    for same in ("answers", "scales", "traces", "detail", "table", "levels", "worst", "facts"):
        assert fit.get(same) == run.get(same), same
    assert fit["check"]["panels"] == [panel for panel in run["check"]["panels"]
                                      if panel in fit["check"]["panels"]] != []
    assert fit["effects"] == run["effects"] and "in memory" in fit["run"]["data"]["path"]
    assert fit["run"]["config"]["formula"] == run["run"]["config"]["formula"]


@pytest.mark.parametrize("formula, family, more", [
    ("bought ~ x + city", "logistic", ["--categorical", "city"]),
    ("size ~ bs(x, 4)", "normal", []),
    ("y ~ x + (1 | shop)", "poisson", []),
    ("city ~ x", "softmax", [])])
def test_given_its_data_a_fit_says_what_columns_do(tmp_path, formula, family, more):
    columns = table()
    run = by_command(tmp_path, columns, "--formula", formula, "--model", family, *more)
    fit = flymc.fit(formula, columns, family, **FORMULA_SHORT)
    ours, theirs = fit.effects(columns).to_dict(), run.effects().to_dict()
    assert ours["effects"] == theirs["effects"] != []
    assert fit.effects(columns, "x").to_dict()["curves"] == run.effects("x").to_dict()["curves"]
    page, expected = data_of(fit.report(data=columns)), data_of(run.report())
    assert page["effects"] == expected["effects"]
    assert page["check"]["panels"] == expected["check"]["panels"]
    with pytest.raises(ValueError, match="nothing"):
        fit.effects(columns, "nothing")
    with pytest.raises(ValueError, match="no column 'x'"):
        fit.report(data={key: value for key, value in columns.items() if key != "x"})


def test_classes_are_shown_against_one_of_them():
    columns = table()
    shown = flymc.fit("city ~ x", columns, "softmax", **FORMULA_SHORT)._repr_html_()
    assert " vs " in shown and "P(&gt;0)" not in shown and "P(>0)" in shown


def test_what_is_no_run_says_so(tmp_path):
    with pytest.raises(FileNotFoundError, match="no run folder"):
        flymc.load(tmp_path / "nowhere")


def test_check_takes_fewer_rows_and_draws():
    columns = table()
    fit = flymc.fit("bought ~ x", columns, **FORMULA_SHORT)
    found = fit.check(columns, rows=100, draws=50).to_dict()
    assert (found["rows"], found["rows_of"], found["draws"]) == (100, 600, 50)
    with pytest.raises(ValueError, match="rows"):
        fit.check(columns, rows=-1)
    with pytest.raises(ValueError, match="no column 'bought'"):
        fit.check({"x": columns["x"]})


@pytest.mark.parametrize("model", sorted(ESTIMATORS))
def test_estimators_check_and_tell_the_likelihood(model):
    X, y, extra = simulate(model)
    estimator = ESTIMATORS[model].fit(X, y, **extra)
    assert estimator.check(X, y, **extra).to_dict()["rows"] == len(X)
    assert len(data_of(estimator.report())["check"]["panels"]) > 0
    page = data_of(estimator.report(None, X, y, **extra))
    assert len({line[0] for line in page["effects"]["effects"]}) == X.shape[1]
    with pytest.raises(ValueError, match="both X and y"):
        estimator.report(None, X)
    values = estimator.log_likelihood(X[:7], y[:7], **{k: v[:7] for k, v in extra.items()})
    assert values.shape == (2, 120, 7) and np.isfinite(values).all()
    first = estimator.log_likelihood(X[:1], y[:1], **{k: v[:1] for k, v in extra.items()})
    np.testing.assert_allclose(first[:, :, 0], values[:, :, 0], rtol=1e-12)


def test_the_likelihood_of_two_classes_is_bernoulli():
    X, y, _ = simulate("logistic")
    model = flymc.LogisticRegression(**SHORT).fit(X, y)
    eta = np.einsum("cdp,np->cdn", model.draws_, np.c_[np.ones(9), X[:9]])
    expected = -np.log1p(np.exp(-np.where(y[:9] == 1, 1, -1) * eta))
    np.testing.assert_allclose(model.log_likelihood(X[:9], y[:9]), expected, rtol=1e-12)


def test_the_likelihood_of_successes_counts_their_trials():
    X, y, extra = simulate("binomial")
    model = flymc.BinomialRegression(**SHORT).fit(X, y, **extra)
    trials = extra["trials"][:9]
    eta = np.einsum("cdp,np->cdn", model.draws_, np.c_[np.ones(9), X[:9]])
    from math import comb
    ways = np.array([comb(int(n), int(k)) for n, k in zip(trials, y[:9])])
    expected = np.log(ways) + y[:9] * eta - trials * np.log1p(np.exp(eta))
    found = model.log_likelihood(X[:9], y[:9], trials=trials)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


def test_the_likelihood_joins_what_arviz_gets(monkeypatch):
    xarray = pytest.importorskip("xarray")
    columns = table()
    fit = flymc.fit("size ~ x", columns, "normal", **FORMULA_SHORT)
    some = {name: values[:5] for name, values in columns.items()}
    data = fit.to_inference_data(log_likelihood=fit.log_likelihood(some))
    assert data["log_likelihood"]["y"].dims == ("chain", "draw", "row")
    level = fit["(intercept)"][:, :, None] + fit["x"][:, :, None] * some["x"]
    sigma = fit["sigma"][:, :, None]
    normal = -0.5 * ((some["size"] - level) / sigma) ** 2 - np.log(sigma * np.sqrt(2 * np.pi))
    np.testing.assert_allclose(data["log_likelihood"]["y"].values, normal, rtol=1e-9)
    assert "log_likelihood" not in fit.to_inference_data()

    class Tree:  # what ArviZ 1 takes
        @staticmethod
        def from_dict(groups):
            return "tree", sorted(groups)

    monkeypatch.setitem(sys.modules, "arviz", types.SimpleNamespace(__version__="1.0.0"))
    monkeypatch.setattr(xarray, "DataTree", Tree, raising=False)
    assert fit.to_inference_data() == ("tree", ["posterior"])
    X, y, _ = simulate("logistic")
    model = flymc.LogisticRegression(**SHORT).fit(X, y)
    assert model.to_inference_data()[1] == ["posterior", "sample_stats"]


def test_class_weights_are_weights_of_rows():
    X, y, _ = simulate("softmax")
    given = flymc.SoftmaxRegression(class_weight={0: 2.0, 2: 0.5}, **SHORT).fit(X, y)
    rows = np.array([2.0, 1.0, 0.5])[y]
    assert np.array_equal(given.draws_, flymc.SoftmaxRegression(**SHORT).fit(X, y, rows).draws_)
    counts = np.bincount(y)
    balanced = flymc.SoftmaxRegression(class_weight="balanced", **SHORT).fit(X, y, rows)
    both = rows * (len(y) / (3 * counts))[y]
    assert np.array_equal(balanced.draws_, flymc.SoftmaxRegression(**SHORT).fit(X, y, both).draws_)


@pytest.mark.parametrize("weight, message", [
    ("even", "must be 'balanced' or a dict"), ([1, 2], "must be 'balanced' or a dict"),
    ({0: 1.0, 5: 2.0}, "has 5, which is no class of y"), ({0: -1.0}, "must be >= 0")])
def test_class_weights_that_are_none(weight, message):
    X, y, _ = simulate("logistic")
    with pytest.raises(ValueError, match=message):
        flymc.LogisticRegression(class_weight=weight, **SHORT).fit(X, y)


def test_missing_values_and_dates_are_those_of_the_command(tmp_path):
    columns = table()
    x = columns["x"].copy()
    x[::4] = np.nan
    days = np.datetime64("2024-02-01") + np.arange(600) % 90
    words = ["" if np.isnan(v) else str(v) for v in x]
    write({"x": words, "day": days.astype(str), "bought": columns["bought"]}, tmp_path / "d.csv")
    subprocess.run(
        [os.environ["FLYMC_BINARY"], "fit", "d.csv", "--formula", "bought ~ x + day", "--missing",
         "indicator", "--date", "day", "--out", "run", "--chains", "2", "--warmup", "200",
         "--draws", "60", "--seed", "7", "--quiet"],
        cwd=tmp_path, check=True, capture_output=True)
    data = {"x": x, "day": days, "bought": columns["bought"]}
    fit = flymc.fit("bought ~ x + day", data, missing="indicator", date="day", **FORMULA_SHORT)
    assert fit.names == ["(intercept)", "x", "day", "x_missing"]
    assert np.array_equal(fit.draws, flymc.load(tmp_path / "run").draws)
    new = {"x": [np.nan], "day": np.array(["2024-02-11"], dtype="datetime64[D]")}
    eta = fit["(intercept)"] + np.nanmean(x) * fit["x"] + 10 * fit["day"] + fit["x_missing"]
    np.testing.assert_allclose(fit.predict(new), [(1 / (1 + np.exp(-eta))).mean()], rtol=1e-10)
    assert "'day' in days since 2024-02-01" in str(fit.summary())


def test_what_is_no_date_or_no_word_is_refused():
    columns = table()
    with pytest.raises(ValueError, match="no date"):
        flymc.fit("y ~ x + city", columns, "poisson", date=["city"], **FORMULA_SHORT)
    with pytest.raises(ValueError, match="missing mean: must be one of"):
        flymc.fit("y ~ x", columns, "poisson", missing="mean", **FORMULA_SHORT)


@pytest.mark.parametrize("of", [bool, float, int, str])
def test_classes_are_known_by_the_fits_own_words(of):
    X = np.linspace(-2, 2, 60)[:, None]
    y = np.array([of(k % 3 > 0) for k in range(60)])
    model = flymc.LogisticRegression(**SHORT).fit(X, y)
    found = model.log_likelihood(X[:4], y[:4])
    eta = model.draws_[..., :1] + model.draws_[..., 1:] * X[:4, 0]
    sign = np.where(y[:4] == model.classes_[1], 1.0, -1.0)
    np.testing.assert_allclose(found, -np.log1p(np.exp(-sign * eta)), rtol=1e-9, atol=1e-12)
    assert "AUC" in str(model.check(X, y))


def test_rows_of_trials_need_them():
    X = np.linspace(-2, 2, 60)[:, None]
    model = flymc.BinomialRegression(**SHORT).fit(X, np.full(60, 2.0), trials=np.full(60, 5.0))
    with pytest.raises(ValueError, match="trials"):
        model.log_likelihood(X, np.full(60, 2.0))


def test_a_column_may_be_called_y():
    pytest.importorskip("xarray")
    columns = table()
    columns["y"] = columns.pop("x")
    data = flymc.fit("size ~ y", columns, "normal", **FORMULA_SHORT).to_inference_data()
    assert data["posterior"]["y"].dims == ("chain", "draw")


def test_a_size_may_be_said_to_be_inferred():
    columns = {"x": np.linspace(-1, 1, 80), "k": np.arange(80.0) % 5}
    one, other = (flymc.fit("k ~ x", columns, "negative-binomial", settings=settings, **FORMULA_SHORT)
                  for settings in ({}, {"size": "infer"}))
    np.testing.assert_array_equal(one.draws, other.draws)


def test_a_row_without_a_response_has_no_likelihood():
    columns = table()
    fit = flymc.fit("bought ~ x", columns, **FORMULA_SHORT)
    some = {"x": np.array(columns["x"][:5], dtype=float), "bought": list(columns["bought"][:5])}
    assert fit.log_likelihood(some).shape[-1] == 5
    some["bought"][3] = None
    with pytest.raises(ValueError) as raised:
        fit.log_likelihood(some)
    assert str(raised.value) == ("data: row 4: column 'bought' is empty; a row without a response "
                                 "has no likelihood; leave such rows out of data.")


@pytest.mark.parametrize("weights, words", [
    ({0: -1, 1: 1}, "class_weight of 0 must be >= 0, a number, got -1."),
    ({0: "many", 1: 1}, "class_weight of 0 must be >= 0, a number, got 'many'."),
    ({0: np.nan, 1: 1}, "class_weight of 0 must be >= 0, a number, got nan."),
    ({0: 0, 1: 1}, "class_weight leaves fewer than two classes of y, [0, 1], with a weight above "
                   "0: nothing to learn.")])
def test_class_weights_are_refused_by_their_name(weights, words):
    X, y, _ = simulate("logistic")
    model = flymc.LogisticRegression(class_weight=weights)
    with pytest.raises(ValueError) as raised:
        model.fit(X, (y == y.max()).astype(int))
    assert str(raised.value) == words


@pytest.mark.parametrize("unit", ["D", "h", "m", "ns", "W"])
def test_datetimes_are_days_without_being_named(unit):
    columns = table()
    start = np.datetime64("2024-03-01")
    days = (start + 7 * (np.arange(len(columns["x"])) % 60)).astype(f"datetime64[{unit}]")
    text = {**columns, "day": days.astype("datetime64[D]").astype(str)}
    named = flymc.fit("bought ~ x + day", text, date="day", **FORMULA_SHORT)
    fit = flymc.fit("bought ~ x + day", {**columns, "day": days}, **FORMULA_SHORT)
    assert fit.names == ["(intercept)", "x", "day"]
    assert np.array_equal(fit.draws, named.draws)
    some = {"x": columns["x"][:4], "day": days[:4]}
    assert np.array_equal(fit.predict(some), named.predict({**some, "day": text["day"][:4]}))


def test_dates_as_text_are_no_category_by_themselves():
    pandas = pytest.importorskip("pandas")
    columns = table()
    days = np.datetime64("2024-03-01") + np.arange(len(columns["x"])) % 6
    columns["day"] = days.astype(str)
    with pytest.raises(ValueError) as caught:
        flymc.fit("bought ~ x + day", columns, **FORMULA_SHORT)
    assert str(caught.value) == (
        "column 'day' holds dates ('2024-03-01'); count them in days (date=\"day\"), or make every "
        "one a level: factor(day).")
    asked = flymc.fit("bought ~ x + factor(day)", columns, **FORMULA_SHORT)
    assert asked.names[2] == "day=2024-03-02"
    frame = pandas.DataFrame(columns)
    frame["day"] = frame["day"].astype("category")
    assert flymc.fit("bought ~ x + day", frame, **FORMULA_SHORT).names == asked.names


def test_datetimes_may_name_levels():
    columns = table()
    columns["day"] = np.datetime64("2024-03-01") + np.arange(len(columns["x"])) % 6
    fit = flymc.fit("bought ~ x + (1 | day)", columns, **FORMULA_SHORT)
    assert fit.names[3] == "u.day[2024-03-01]"
    fit = flymc.fit("bought ~ x + factor(day)", columns, **FORMULA_SHORT)
    assert fit.names[2] == "day=2024-03-02"
