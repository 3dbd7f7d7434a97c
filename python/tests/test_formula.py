"""A formula on a data frame: the same draws and predictions as the command line's on its file."""
import csv
import json
import os
import subprocess

import numpy as np
import pytest

import flymc

SHORT = {"chains": 2, "warmup": 200, "draws": 60, "random_state": 7}
STATISTICS = 4


def table(rows=600):
    rng = np.random.default_rng(3)
    x = rng.normal(size=rows).round(4)
    city = rng.choice(["Köln", "Oslo", "Rome"], rows)
    shop = rng.integers(0, 12, rows)
    level = 0.3 + 0.6 * x + 0.5 * (city == "Rome") + 0.4 * rng.normal(size=12)[shop]
    return {
        "x": x,
        "city": city,
        "shop": np.array([f"s{s}" for s in shop]),
        "y": rng.poisson(np.exp(level)),
        "bought": np.where(rng.random(rows) < 1 / (1 + np.exp(-level)), "yes", "no"),
        "size": (level + 0.7 * rng.normal(size=rows)).round(4),
    }


def write(columns, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(columns)
        lines.writerows(zip(*columns.values()))


def by_command(folder, columns, *words):
    write(columns, folder / "d.csv")
    command = [os.environ["FLYMC_BINARY"], "fit", "d.csv", "--out", "run", "--chains", "2",
               "--warmup", "200", "--draws", "60", "--seed", "7", "--quiet", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return flymc.load(folder / "run")


@pytest.mark.parametrize("formula, family, more, words", [
    ("y ~ x + city", "poisson", {}, []),
    ("y ~ city*x + log(x + 9) + poly(x, 2)", "poisson", {"reference": {"city": "Rome"}},
     ["--reference", "city=Rome"]),
    ("y ~ bs(x, 5) + city", "poisson", {}, []),
    ("y ~ 1", "poisson", {}, []),
    ("size ~ 1", "normal", {"formulas": {"sigma": "~ x"}}, ["--formula", "sigma ~ x"]),
    ("bought ~ x + city - 1", "logistic", {"prior": "normal:1"}, ["--prior", "normal:1"]),
    ("bought ~ x + (1 | shop)", "logistic", {}, []),
    ("y ~ x + (1 | shop) + (1 | city)", "poisson", {}, []),
    ("size ~ x", "normal", {"formulas": {"sigma": "~ x"}}, ["--formula", "sigma ~ x"]),
    ("size ~ x", "normal", {"prior_aux": {"sigma": "half_normal(2)"}},
     ["--prior-aux", "sigma ~ half_normal(2)"]),
    ("size ~ x", "student-t", {"settings": {"nu": 5}}, ["--nu", "5", "--scale", "infer"]),
    ("size ~ x", "student-t", {"settings": {"scale": "auto"}}, ["--scale", "auto"]),
    ("size ~ x", "normal", {"settings": {"sigma": 0.7}}, ["--sigma", "0.7"]),
    ("size ~ x", "student-t", {"settings": {"nu": "infer"}}, ["--nu", "infer"]),
    ("y ~ city + offset(log(x + 9))", "poisson", {}, []),
    ("size ~ x + offset(I(x/2))", "normal", {"formulas": {"sigma": "~ offset(x)"}},
     ["--formula", "sigma ~ offset(x)"]),
    ("y ~ x + (1 | shop)", "poisson", {"prior_sd": {"shop": "half_normal(0.2)"}},
     ["--prior-sd", "shop ~ half_normal(0.2)"]),
])
def test_a_frame_is_what_its_file_is(formula, family, more, words, tmp_path):
    columns = table()
    categories = ["--categorical", "city"] if "city" in formula and "| city" not in formula else []
    run = by_command(tmp_path, columns, "--family", family, "--formula", formula, *categories,
                     *words)
    fit = flymc.fit(formula, columns, family, **more, **SHORT)
    assert fit.names == run.names
    assert np.array_equal(fit.draws, run.draws)
    some = {name: values[:9] for name, values in columns.items()}
    assert np.array_equal(fit.predict(some, interval=0.8), run.predict(some, interval=0.8))
    assert fit.predict_draws(some).shape == (120, 9)
    assert np.allclose(fit.predict_draws(some).mean(axis=0), fit.predict(some))


def test_an_offset_is_a_column_or_a_term():
    columns = table()
    by_name = flymc.fit("y ~ city", columns, "poisson", offset="x", **SHORT)
    by_term = flymc.fit("y ~ city + offset(x)", columns, "poisson", **SHORT)
    assert np.array_equal(by_name.draws, by_term.draws)
    some = {"city": columns["city"][:5], "x": columns["x"][:5]}
    assert np.array_equal(by_name.predict(some), by_term.predict(some))
    with pytest.raises(ValueError, match="second offset"):
        flymc.fit("y ~ city + offset(log(size + 9))", columns, "poisson", offset="x", **SHORT)
    with pytest.raises(ValueError, match="'city' is a category, and offset"):
        flymc.fit("y ~ x + offset(city)", columns, "poisson", **SHORT)
    with pytest.raises(ValueError, match="no column 'x'"):
        by_term.predict({"city": columns["city"][:5]})


def test_ordered_classes_need_no_columns(tmp_path):
    columns = table()
    run = by_command(tmp_path, columns, "--family", "ordinal", "--formula", "city ~ 1")
    fit = flymc.fit("city ~ 1", columns, "ordinal", **SHORT)
    assert fit.names == run.names == ["cut.1", "cut.2"]
    assert np.array_equal(fit.draws, run.draws)
    shares = fit.predict({"x": columns["x"][:3]})
    assert np.allclose(shares, shares[0]) and np.allclose(shares.sum(axis=1), 1)


def test_a_likelihood_of_ones_own_is_the_command_lines(tmp_path):
    columns = table()
    text = "y*mu - exp(mu)"
    run = by_command(tmp_path, columns, "--likelihood", text, "--predictors", "mu", "--formula",
                     "y ~ x")
    own = flymc.fit("y ~ x", columns, likelihood=flymc.Likelihood(text), **SHORT)
    assert np.array_equal(own.draws, run.draws)
    with pytest.raises(ValueError, match="character"):
        flymc.fit("y ~ x", columns, likelihood="y*mu - exp(", **SHORT)


def test_a_likelihood_of_ones_own_reads_two_columns(tmp_path):
    columns = table()
    columns = {"y": np.minimum(columns["y"], 9), "x": columns["x"],
               "m": 9 + np.arange(len(columns["x"])) % 4}
    text = "y*mu - m*softplus(mu)"
    run = by_command(tmp_path, columns, "--likelihood", text, "--predictors", "mu", "--formula",
                     "y ~ x", "--data-columns", "y,m")
    own = flymc.Likelihood(text, data=["y", "m"])
    fitted = flymc.fit("y ~ x", columns, likelihood=own, **SHORT)
    assert np.array_equal(fitted.draws, run.draws)
    assert np.isfinite(fitted.log_likelihood(columns)).all()
    with pytest.raises(ValueError, match="the first must be the response"):
        flymc.fit("y ~ x", columns, likelihood=flymc.Likelihood(text, data=["m", "y"]), **SHORT)
    with pytest.raises(ValueError, match="contradict each other"):
        flymc.fit("y ~ x", columns, likelihood=own, trials="x", **SHORT)
    with pytest.raises(ValueError, match="and one more column at most"):
        flymc.fit("y ~ x", columns, likelihood=flymc.Likelihood(text, data=["y", "m", "x"]), **SHORT)


def test_predictions_are_the_command_lines(tmp_path):
    columns = table()
    run = by_command(tmp_path, columns, "--family", "poisson", "--formula", "y ~ x + (1 | shop)")
    new = {"x": np.array([0.1, np.nan, -1.0]), "shop": np.array(["s1", "s2", "s99"])}
    write({"x": [0.1, "NA", -1.0], "shop": new["shop"]}, tmp_path / "new.csv")
    words = [os.environ["FLYMC_BINARY"], "predict", "run", "new.csv", "--prob", "0.9"]
    printed = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True)
    expected = [line.split(",") for line in printed.stdout.splitlines()[1:]]
    with pytest.warns(UserWarning, match="1 level of 'shop'"):
        got = run.predict(new, interval=0.9)
    assert np.isnan(got[1]).all() and set(expected[1]) == {"NA"}
    for i in (0, 2):
        mean, _, low, high = map(float, expected[i])
        assert np.allclose(got[i], [mean, low, high], rtol=1e-5)
    with pytest.raises(ValueError, match="s99"):
        run.predict(new, new_levels="error")
    wider = run.predict({"x": [0.1], "shop": ["s1"]}, interval=0.9, predictive=True)
    assert wider[0, 2] - wider[0, 1] > got[0, 2] - got[0, 1]


@pytest.mark.parametrize("family, words", [
    ("softmax", []), ("ordinal", ["--order", "low,mid,high"])])
def test_new_classes_are_the_command_lines(family, words, tmp_path):
    columns = table()
    columns["mood"] = np.array(["low", "mid", "high"])[np.digitize(columns["size"], [0.0, 0.8])]
    by_command(tmp_path, columns, "--family", family, "--formula", "mood ~ x", *words)
    order = ["low", "mid", "high"] if words else None
    fit = flymc.fit("mood ~ x", columns, family, order=order, **SHORT)
    new = {"x": np.array([0.1, np.nan, -1.0, 0.7])}
    write({"x": [0.1, "NA", -1.0, 0.7]}, tmp_path / "new.csv")
    command = [os.environ["FLYMC_BINARY"], "predict", "run", "new.csv", "--predictive", "--prob",
               "0.7"]
    printed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    head, *expected = [line.split(",") for line in printed.stdout.splitlines()]
    ends = 3 if words else 2
    assert head[ends:] == fit.classes and head[0] == "class"
    drawn = fit.predict_draws(new, predictive=True)
    assert drawn.shape == (120, 4) and set(drawn[:, 1]) == {None}
    got = fit.predict(new, interval=0.7, predictive=True)
    assert got.shape == (4, 3, 2) and np.isnan(got[1]).all()
    assert np.array_equal(fit.predict(new, predictive=True)[0], got[0, :, 0])
    for i in (0, 2, 3):
        shares = [float(field) for field in expected[i][ends:]]
        assert np.allclose(got[i, :, 0], shares, rtol=0, atol=1e-12)
        assert np.allclose([(drawn[:, i] == label).mean() for label in fit.classes], shares)
        held = [fit.classes[k] for k in np.flatnonzero(got[i, :, 1])]
        if words:
            assert [held[0], held[-1]] == expected[i][1:3]
        else:
            assert set(held) == set(expected[i][1].split("|"))


def test_new_responses_under_every_draw():
    columns = table()
    fit = flymc.fit("bought ~ x", columns, **SHORT)
    drawn = fit.predict_draws({"x": [0.1, 2.0]}, predictive=True)
    assert fit.classes == ["no", "yes"] and set(drawn.ravel()) == {"no", "yes"}
    assert np.allclose((drawn == "yes").mean(axis=0),
                       fit.predict({"x": [0.1, 2.0]}, predictive=True))
    coded = flymc.fit("y ~ x", {"x": columns["x"], "y": columns["bought"] == "yes"}, **SHORT)
    assert len(set(coded.predict_draws({"x": [0.1]}, predictive=True).ravel())) == 2
    counts = flymc.fit("y ~ x", columns, "poisson", **SHORT)
    drawn = counts.predict_draws({"x": [0.1, np.nan]}, predictive=True)
    summary = counts.predict({"x": [0.1, np.nan]}, interval=0.9, predictive=True)
    assert counts.classes == [] and np.isnan(drawn[:, 1]).all()
    assert np.allclose(summary[0], [drawn[:, 0].mean(), *np.quantile(drawn[:, 0], [0.05, 0.95])])
    own = flymc.fit("y ~ x", columns, likelihood="y*mu - exp(mu)", **SHORT)
    with pytest.raises(ValueError, match="not how to draw one"):
        own.predict_draws({"x": [0.1]}, predictive=True)


def test_frames_of_all_kinds_are_one_table():
    columns = table()
    expected = flymc.fit("y ~ x + city", columns, "poisson", **SHORT).draws
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(columns)
    frame["unused"] = pandas.Timestamp("2024-01-31")
    assert np.array_equal(flymc.fit("y ~ x + city", frame, "poisson", **SHORT).draws, expected)
    frame["city"] = frame["city"].astype("category")
    fit = flymc.fit("y ~ x + city", frame, "poisson", **SHORT)
    assert np.array_equal(fit.draws, expected)
    assert list(fit.to_frame().columns) == ["chain", "draw", *fit.names]
    assert "<table" in fit._repr_html_()


def test_categories_have_an_order():
    pandas = pytest.importorskip("pandas")
    columns = table()
    frame = pandas.DataFrame(columns)
    order = ["never", "Rome", "Oslo", "Köln"]
    frame["city"] = pandas.Categorical(frame["city"], order)
    fit = flymc.fit("y ~ x + city", frame, "poisson", **SHORT)
    assert fit.names[2:] == ["city=Oslo", "city=Köln"]
    told = flymc.fit("y ~ x + city", columns, "poisson", reference={"city": "Rome"}, **SHORT)
    assert sorted(fit.names) == sorted(told.names)
    sd = max(fit["city=Oslo"].std(), told["city=Oslo"].std())
    assert abs(fit["city=Oslo"].mean() - told["city=Oslo"].mean()) < sd  # of 120 draws each
    assert np.allclose(fit.predict(frame[:5]), fit.predict({k: v[:5] for k, v in columns.items()}))
    other = flymc.fit("y ~ x + city", frame, "poisson", reference={"city": "Köln"}, **SHORT)
    assert other.names[2:] == ["city=Rome", "city=Oslo"]
    frame["size_of"] = pandas.Categorical(np.arange(len(frame)) % 3 + 9)
    assert flymc.fit("y ~ size_of", frame, "poisson", **SHORT).names[1:] == [
        "size_of=10", "size_of=11"]
    holed = frame.assign(city=frame["city"].where(frame.index % 9 > 0))
    filled = flymc.fit("y ~ city", holed, "poisson", missing="indicator", **SHORT)
    assert filled.names[1:] == ["city=Oslo", "city=Köln", "city=NA"]


def test_classes_have_an_order(tmp_path):
    columns = table()
    level = np.digitize(columns["size"], [0.0, 0.8])
    columns["mood"] = np.array(["low", "mid", "high"])[level]
    run = by_command(tmp_path, columns, "--family", "ordinal", "--formula", "mood ~ x", "--order",
                     "low,mid,high")
    fit = flymc.fit("mood ~ x", columns, "ordinal", order=["low", "mid", "high"], **SHORT)
    assert fit.names == run.names and np.array_equal(fit.draws, run.draws)
    shares = fit.predict({"x": [0.0, 1.0]})
    assert shares.shape == (2, 3) and np.allclose(shares.sum(axis=1), 1.0)
    assert fit.predict({"x": [0.0]}, interval=0.9).shape == (1, 3, 3)
    assert fit.predict_draws({"x": [0.0, 1.0]}).shape == (120, 3, 2)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(columns)
    frame["mood"] = pandas.Categorical(frame["mood"], ["low", "mid", "high"], ordered=True)
    assert np.array_equal(flymc.fit("mood ~ x", frame, "ordinal", **SHORT).draws, run.draws)


def test_missing_values_are_an_error_or_left_out():
    columns = table()
    holed = {name: values[:500].copy() for name, values in columns.items()}
    holed["x"][3] = np.nan
    with pytest.raises(ValueError, match="row 4"):
        flymc.fit("y ~ x", holed, "poisson", **SHORT)
    kept = {name: np.delete(values[:500], 3) for name, values in columns.items()}
    assert np.array_equal(
        flymc.fit("y ~ x", holed, "poisson", missing="drop", **SHORT).draws,
        flymc.fit("y ~ x", kept, "poisson", **SHORT).draws)


def test_models_with_and_without_a_column_can_have_the_same_rows():
    columns = table()
    columns["z"] = np.where(np.arange(600) % 7 == 3, np.nan, columns["x"] ** 2)
    both = flymc.fit("y ~ x + z", columns, "poisson", missing="drop", **SHORT)
    one = flymc.fit("y ~ x", columns, "poisson", missing="drop", **SHORT)
    with pytest.raises(ValueError, match="600 rows and 514 rows"):
        flymc.compare(one, both)
    same = flymc.fit("y ~ x", columns, "poisson", missing="drop", missing_in="z", **SHORT)
    assert len(flymc.compare(same, both).to_dict()) == 2
    assert len(same.predict({"x": [0.0]})) == 1
    with pytest.raises(ValueError, match='add missing="drop"'):
        flymc.fit("y ~ x", columns, "poisson", missing_in="z", **SHORT)


def page_of(text):
    start = text.index('id="data">') + len('id="data">')
    return json.loads(text[start:text.index("</script>", start)])


def test_reports_count_rows_as_the_data_do():
    columns = table()
    columns["x"][[3, 40, 41]] = np.nan
    columns["y"][71] = 900
    fit = flymc.fit("y ~ x", columns, "poisson", missing="drop", **SHORT)
    assert page_of(fit.report())["worst"]["rows"][0][0] == "72"
    X, weights = np.nan_to_num(columns["x"]).reshape(-1, 1), np.ones(600)
    weights[[3, 40, 41]] = 0.0
    model = flymc.PoissonRegression(**SHORT).fit(X, columns["y"], sample_weight=weights)
    assert page_of(model.report())["worst"]["rows"][0][0] == "72"


def test_a_fit_goes_on_and_answers():
    columns = table()
    whole = flymc.fit("y ~ x", columns, "poisson", **SHORT)
    part = flymc.fit("y ~ x", columns, "poisson", **{**SHORT, "draws": 20}).sample_more(40)
    assert np.array_equal(whole.draws, part.draws)
    assert np.array_equal(whole["x"], whole["beta.1"])
    assert "x" in str(whole.summary())
    with pytest.raises(KeyError, match="intercept"):
        whole["z"]


def test_runs_in_folders_are_compared(tmp_path):
    columns = table()
    for name in "ab":
        (tmp_path / name).mkdir()
    one = by_command(tmp_path / "a", columns, "--family", "poisson", "--formula", "y ~ x")
    two = by_command(tmp_path / "b", columns, "--family", "poisson", "--formula", "y ~ 1 + x",
                     "--prior", "normal:3")
    rows = one.compare(two).to_dict()
    assert len(rows) >= 2 and rows[0]["elpd_loo"] < 0.0
    assert "elpd" in repr(flymc.compare(tmp_path / "a" / "run"))


def unnamed(compared):
    return [{key: value for key, value in one.items() if key != "run"}
            for one in compared.to_dict()]


def in_folders(folder, columns, formulas, *words):
    runs = []
    for name, formula in zip("abc", formulas):
        (folder / name).mkdir()
        text = ["--categorical", "city"] if "city" in formula else []
        runs.append(by_command(folder / name, columns, "--formula", formula, *words, *text))
    return runs


def test_fits_are_compared_as_their_runs_in_folders(tmp_path):
    columns = table(1500)  # more than have all draws
    columns["x"] += np.arange(1500) * 1e-7  # no two rows are equal
    formulas = ["y ~ x", "y ~ x + city"]
    runs = in_folders(tmp_path, columns, formulas, "--family", "poisson")
    fits = [flymc.fit(formula, columns, "poisson", **SHORT) for formula in formulas]
    compared = flymc.compare(*fits)
    assert [one["run"] for one in compared.to_dict()] == ["fit 1", "fit 2"]
    assert unnamed(compared) == unnamed(flymc.compare(*runs))
    assert unnamed(fits[0].compare(fits[1], data=columns)) == unnamed(compared)
    assert unnamed(fits[0].compare(runs[1])) == unnamed(compared)
    assert unnamed(runs[0].compare(fits[1])) == unnamed(compared)
    with pytest.raises(ValueError, match="fit 1 and fit 2 do not have the same rows"):
        flymc.compare(fits[0], flymc.fit("size ~ x", columns, "normal", **SHORT))


def test_fits_of_other_rows_name_the_column_that_misses_values(tmp_path):
    columns = table(300)
    columns["z"] = np.where(np.arange(300) % 10 == 3, np.nan, np.arange(300.0))
    full = flymc.fit("y ~ x + z", columns, "poisson", missing="drop", **SHORT)
    base = flymc.fit("y ~ x", columns, "poisson", missing="drop", **SHORT)
    with pytest.raises(ValueError, match="300 rows and 270 rows; values are missing in z: fit every "
                                         'model with missing="drop", missing_in="z"'):
        flymc.compare(base, full)
    same = flymc.fit("y ~ x", columns, "poisson", missing="drop", missing_in="z", **SHORT)
    assert len(flymc.compare(same, full).to_dict()) == 2


@pytest.mark.parametrize("family, more, words", [
    ("poisson", {}, []),
    ("poisson", {"weights": "w"}, ["--weights", "w"]),
    ("student-t", {"settings": {"nu": "infer"}}, ["--nu", "infer"]),
])
def test_rows_that_were_merged_are_left_out_one_by_one(family, more, words, tmp_path):
    columns = table(1500)
    columns["x"] = np.round(columns["x"])
    columns["w"] = 1.0 + np.arange(1500) % 3
    formulas = ["y ~ x", "y ~ x + city"]
    runs = in_folders(tmp_path, columns, formulas, "--family", family, *words)
    fits = [flymc.fit(formula, columns, family, **more, **SHORT) for formula in formulas]
    assert any("distinct rows of 1,500" in note for note in fits[0].notes)
    assert unnamed(flymc.compare(*fits, data=columns)) == unnamed(flymc.compare(*runs))
    assert unnamed(flymc.compare(*fits)) == unnamed(flymc.compare(*runs))
    other = {name: values[::-1].copy() for name, values in columns.items()}
    with pytest.raises(ValueError, match="the data are not those of fit 1"):
        flymc.compare(*fits, data=other)
    every = flymc.fit("y ~ x", columns, family, engine="regular", **more, **SHORT)
    assert every.compare().to_dict()[0]["elpd_loo"] < 0.0


def test_estimators_are_compared_too(tmp_path):
    columns = table()
    columns["x"] += np.arange(600) * 1e-7
    X = np.column_stack([columns["x"], columns["size"]])
    fits = [flymc.fit(formula, columns, "poisson", **SHORT) for formula in ("y ~ x", "y ~ x + size")]
    models = [flymc.PoissonRegression(**SHORT).fit(x, columns["y"]) for x in (X[:, :1], X)]
    expected = flymc.compare(*fits).to_dict()
    for one, same in zip(flymc.compare(*models).to_dict(), expected):
        assert all(one[key] == same[key] for key in one if key not in ("run", "parameters"))


def test_a_run_in_a_folder_says_what_columns_do(tmp_path):
    columns = table()
    run = by_command(tmp_path, columns, "--family", "poisson", "--formula", "y ~ x + city",
                     "--categorical", "city")
    effects = run.effects()
    assert {one["column"] for one in effects.to_dict()["effects"]} == {"x", "city"}
    slope = next(one for one in effects.to_dict()["effects"] if one["column"] == "x")
    draws = run.predict_draws(columns).mean(axis=1) * run["x"].ravel()  # dE[y]/dx = b E[y]
    assert np.isclose(slope["mean"], draws.mean(), rtol=1e-3)
    assert "x" in repr(effects)
    assert run.effects("x").to_dict()["curves"][0]["column"] == "x"
    with pytest.raises(ValueError, match="nothing"):
        run.effects("nothing")


@pytest.mark.parametrize("formula, more, match", [
    ("y ~ nothing", {}, "nothing"),
    ("y ~ x +", {}, "character"),
    ("y ~ x", {"family": "gaussian"}, "family must be"),
    ("y ~ x", {"missing": "no"}, "missing"),
    ("y ~ x", {"formulas": {"sigma": "~ x"}, "family": "poisson"}, "sigma"),
    ("y ~ x", {"prior_aux": {"sigma": "half_normal(1)"}, "family": "poisson"}, "sigma"),
    ("city ~ x", {"family": "poisson"}, "text"),
    ("y ~ x", {"reference": {"city": "Bonn"}, "family": "poisson"}, "city"),
    ("y ~ x + (1 | nobody)", {"family": "poisson"}, "nobody"),
])
def test_bad_input_is_one_clear_line(formula, more, match):
    with pytest.raises(ValueError, match=match) as caught:
        flymc.fit(formula, table(), **{**SHORT, **more})
    assert "\n" not in str(caught.value)


def test_data_that_are_no_frame_say_so():
    with pytest.raises(TypeError, match="data frame"):
        flymc.fit("y ~ x", 3, "poisson")
    with pytest.raises(ValueError, match="lengths"):
        flymc.fit("y ~ x", {"y": [1, 2], "x": [1.0]}, "poisson")
