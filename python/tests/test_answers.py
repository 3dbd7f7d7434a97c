"""summary(), contrasts and frames of draws answer what `flymc summary` and `flymc export` do."""
import copy
import json
import os
import subprocess

import numpy as np
import pytest

import flymc
from data import SHORT, simulate
from test_formula import SHORT as FORMULA_SHORT
from test_formula import by_command, table


def summed_up(folder, *words):
    command = [os.environ["FLYMC_BINARY"], "summary", "run", "--json", *words]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("asked, words", [
    ({"prob": 0.8}, ["--prob", "0.8"]), ({"exp": True}, ["--exp"]),
    ({"per_sd": True}, ["--per-sd"]),
    ({"contrast": "city=Rome - city=Oslo"}, ["--contrast", "city=Rome - city=Oslo"]),
    ({"contrast": ["x", "2*x"]}, ["--contrast", "x", "--contrast", "2*x"])])
def test_questions_are_those_of_the_command(tmp_path, asked, words):
    columns = table()
    run = by_command(tmp_path, columns, "--formula", "bought ~ x + city", "--categorical", "city")
    fit = flymc.fit("bought ~ x + city", columns, **FORMULA_SHORT)
    expected = summed_up(tmp_path, *words)
    assert run.summary(**asked).to_dict() == expected
    for same in ("parameters", "contrasts", "prob"):
        assert fit.summary(**asked).to_dict()[same] == expected[same]
    assert fit.summary(**asked).to_dict() != fit.summary().to_dict()


def test_questions_that_make_no_sense_are_refused():
    columns = table()
    fit = flymc.fit("size ~ x", columns, "normal", **FORMULA_SHORT)
    for asked, words in (({"prob": 1.0}, "prob must be between 0 and 1, got 1.0"),
                         ({"exp": True}, "exp: the coefficients of a normal regression"),
                         ({"contrast": "nothing - x"}, "nothing"),
                         ({"reference": "Rome"}, "one vector of coefficients")):
        with pytest.raises(ValueError, match=words):
            fit.summary(**asked)
    with pytest.raises(ValueError, match="no classes with coefficients of their own"):
        fit.contrasts("Rome")
    assert fit.contrasts() == {}


def test_estimators_answer_the_same():
    X, y, _ = simulate("logistic")
    model = flymc.LogisticRegression(**SHORT).fit(X, y)
    lines = model.summary(prob=0.5, contrast="x1 - x2").to_dict()
    difference = model.draws_[:, :, 1] - model.draws_[:, :, 2]
    assert np.isclose(lines["contrasts"][0]["mean"], difference.mean())
    assert "odds ratio" in str(model.summary(exp=True))
    kept = copy.deepcopy(model)
    assert kept.summary().to_dict() == model.summary().to_dict()
    with pytest.raises(RuntimeError, match="no run; call fit"):
        kept.summary(prob=0.5)


def test_classes_are_compared_as_export_does(tmp_path):
    columns = table()
    run = by_command(tmp_path, columns, "--formula", "city ~ x", "--model", "softmax")
    fit = flymc.fit("city ~ x", columns, "softmax", **FORMULA_SHORT)
    for reference, words in ((None, []), ("Oslo", ["--reference", "Oslo"])):
        subprocess.run([os.environ["FLYMC_BINARY"], "export", "run", "--to", "npz", "--out",
                        f"{reference}.npz", *words], cwd=tmp_path, check=True, capture_output=True)
        exported = np.load(tmp_path / f"{reference}.npz")
        names = [str(name) for name in exported["contrast_names"]]
        for one in (fit, run):
            assert list(one.contrasts(reference)) == names
            frame = one.to_frame(reference)
            assert list(frame.columns) == ["chain", "draw", *one.names, *names]
            found = frame[names].to_numpy().reshape(2, 60, -1)
            assert np.array_equal(found, exported["contrasts"])
        if reference is not None:
            assert str(exported["reference_class"][0]) == reference
            shown = fit.summary(reference=reference).to_dict()["class_contrasts"]
            assert [one["label"] for one in shown] == names
    name = next(iter(fit.contrasts()))
    assert np.array_equal(fit[name], fit.contrasts()[name])
    with pytest.raises(ValueError, match="there is no such class"):
        fit.contrasts("Bonn")


def test_contrasts_of_estimators_are_those_of_zarr():
    pytest.importorskip("xarray")
    X, y, _ = simulate("softmax")
    model = flymc.SoftmaxRegression(**SHORT).fit(X, y)
    for one in (model, copy.deepcopy(model)):
        data = one.to_inference_data()["posterior"]
        base = int(np.argmax(np.bincount(y)))
        others = [k for k in range(3) if k != base]
        assert list(data["class_contrast"].values) == [f"{k} vs {base}" for k in others]
        beta, alpha = data["beta"].values, data["alpha"].values
        assert np.array_equal(data["beta_contrast"].values,
                              beta[:, :, others] - beta[:, :, [base]])
        assert np.array_equal(data["alpha_contrast"].values,
                              alpha[:, :, others] - alpha[:, :, [base]])
        assert data["beta_contrast"].dims == ("chain", "draw", "class_contrast", "feature")
        name = f"{others[0]} vs {base}: x1"
        assert np.array_equal(one.contrasts()[name], one.to_frame()[name].to_numpy().reshape(2, -1))
    other = f"{base} vs {others[0]}: x1"
    assert np.array_equal(model.contrasts(others[0])[other], -model.contrasts()[name])
