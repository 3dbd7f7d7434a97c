"""What fit() takes, refuses and leaves alone."""
import subprocess
import sys
import warnings

import numpy as np
import pytest
from data import SHORT, simulate

import flymc


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_in_c_order_are_not_copied(dtype):
    X, y, _ = simulate("logistic")
    X = X.astype(dtype)
    before = sys.getrefcount(X)
    model = flymc.LogisticRegression(**SHORT).fit(X, y)
    assert sys.getrefcount(X) > before  # the run refers to it
    del model
    assert sys.getrefcount(X) == before
    kept = flymc.LogisticRegression(**SHORT).fit(np.asfortranarray(X), y)
    assert sys.getrefcount(X) == before
    assert kept.draws_.shape == (2, 120, 4)


def test_more_draws_outlive_the_callers_array():
    X, y, _ = simulate("logistic")
    expected = flymc.LogisticRegression(**{**SHORT, "draws": 200}).fit(X, y).draws_
    model = flymc.LogisticRegression(**SHORT).fit(X.copy(), y.copy())
    assert np.array_equal(model.sample_more(80).draws_, expected)


def test_a_constant_column_is_left_out_with_a_warning():
    X, y, _ = simulate("student-t")
    X[:, 1] = 5.0
    with pytest.warns(UserWarning, match="'x2' is constant"):
        model = flymc.RobustRegression(scale="auto", **SHORT).fit(X, y)
    assert model.parameter_names_ == ["(intercept)", "x1", "x3"]
    assert model.coef_[1] == 0.0 and model.coef_[0] != 0.0 and model.coef_[2] != 0.0
    assert np.allclose(model.predict(X), X @ model.coef_ + model.intercept_)


def test_predictions_follow_from_the_draws():
    X, y, extra = simulate("binomial")
    model = flymc.BinomialRegression(**SHORT).fit(X, y, **extra)
    flat = model.draws_.reshape(-1, 4)
    eta = flat[:, :1] + flat[:, 1:] @ X.T + 0.5
    probability = 1 / (1 + np.exp(-eta))
    rows = model.predict_summary(X, offset=np.full(len(X), 0.5))
    assert np.allclose(rows[:, 0], probability.mean(axis=0))
    assert np.allclose(rows[:, 1], probability.std(axis=0, ddof=1))
    assert np.allclose(rows[:, 2:].T, np.quantile(probability, [0.05, 0.95], axis=0))


def test_softmax_probabilities_follow_from_the_draws():
    X, y, _ = simulate("softmax")
    model = flymc.SoftmaxRegression(**SHORT).fit(X, y)
    flat = model.draws_.reshape(-1, 12)
    eta = flat[:, None, :3] + np.einsum("nj,skj->snk", X, flat[:, 3:].reshape(-1, 3, 3))
    odds = np.exp(eta)
    expected = (odds / odds.sum(axis=2, keepdims=True)).mean(axis=0)
    assert np.allclose(model.predict_proba(X), expected)
    assert np.allclose(model.coef_, flat[:, 3:].mean(axis=0).reshape(3, 3))


def test_names_come_from_a_data_frame():
    pandas = pytest.importorskip("pandas")
    X, y, _ = simulate("logistic")
    frame = pandas.DataFrame(X, columns=["age", "height", "<b>"])
    model = flymc.LogisticRegression(**SHORT).fit(frame, y)
    assert model.feature_names_in_.tolist() == ["age", "height", "<b>"]
    assert model.parameter_names_ == ["(intercept)", "age", "height", "<b>"]
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[["height", "age", "<b>"]])
    frame.columns = ["a", "a", "b"]
    with pytest.raises(ValueError, match="same name"):
        model.fit(frame, y)


@pytest.mark.parametrize("estimator, message", [
    (flymc.LogisticRegression(prior="norml:1"), "^prior norml:1: must be auto, flat"),
    (flymc.LogisticRegression(prior_intercept="flat"), "prior_intercept needs an explicit prior"),
    (flymc.LogisticRegression(kernel="nuts"), "^kernel nuts: must be one of elliptical"),
    (flymc.LogisticRegression(draws=0), "^draws must be a whole number >= 1, got 0"),
    (flymc.LogisticRegression(chains=2.5), "^chains must be a whole number"),
    (flymc.LogisticRegression(random_state=-1), "^random_state must be"),
    (flymc.LogisticRegression(max_time=0), "^max_time must be a positive"),
    (flymc.LogisticRegression(n_jobs=0), "n_jobs == 0"),
    (flymc.SoftmaxRegression(prior="flat"), "flat prior"),
    (flymc.RobustRegression(nu=-1), "^nu -1: must be positive"),
    (flymc.NegativeBinomialRegression(size=-1), "^size -1: must be positive"),
    (flymc.BinomialRegression(), "^trials is missing"),
])
def test_bad_parameters_are_named_as_python_names_them(estimator, message):
    X, y, _ = simulate("logistic")
    with pytest.raises(ValueError, match=message) as caught:
        estimator.fit(X, y)
    assert "--" not in str(caught.value)


def test_bad_responses_say_which_estimator_to_use():
    X, y, _ = simulate("softmax")
    with pytest.raises(ValueError, match="use SoftmaxRegression"):
        flymc.LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match="did you mean RobustRegression"):
        flymc.PoissonRegression().fit(X, y + 0.5)
    with pytest.raises(ValueError, match="sample_weight must be >= 0"):
        flymc.PoissonRegression().fit(X, y, sample_weight=-np.ones(len(y)))


def test_remedies_are_python_that_can_be_typed():
    X, y, _ = simulate("logistic")
    with pytest.raises(ValueError, match='use prior="auto", "normal:S" or "laplace:S"'):
        flymc.LogisticRegression(prior="flat", select_prior=True).fit(X, y)
    with pytest.raises(ValueError, match="prior_intercept and fit_intercept=False contradict"):
        flymc.LogisticRegression(prior="normal:1", prior_intercept="flat",
                                 fit_intercept=False).fit(X, y)
    with pytest.raises(ValueError, match='^bound="map": poisson .*; use bound="local"'):
        flymc.PoissonRegression(bound="map").fit(X, (y == y[0]).astype(float))
    with pytest.raises(ValueError, match="^kernel nuts: must be one of "):
        flymc.LogisticRegression(kernel="nuts").fit(X, y)


def test_messages_know_every_estimator():
    classes = [getattr(flymc, name) for name in flymc.__all__ if name.endswith("Regression")]
    classes.remove(flymc.Regression)  # any family, by its word
    assert flymc._flymc.estimators == {c._model: c.__name__ for c in classes}


def test_a_summary_says_what_to_do_next_in_python():
    X, y, _ = simulate("logistic")
    text = str(flymc.LogisticRegression(draws=20, warmup=200).fit(X, y).summary())
    assert "--" not in text
    assert "or go on with sample_more(n)" in text or "warmup=400" in text


def test_draws_for_arviz_have_names_and_dimensions():
    pytest.importorskip("xarray")
    X, y, _ = simulate("softmax")
    model = flymc.SoftmaxRegression(**SHORT).fit(X, y)
    data = model.to_inference_data()
    posterior = data["posterior"]
    assert posterior["beta"].dims == ("chain", "draw", "class", "feature")
    assert posterior["beta"].shape == (2, 120, 3, 3)
    assert np.array_equal(posterior["beta"].values.reshape(2, 120, 9), model.draws_[:, :, 3:])
    assert data["sample_stats"]["lp"].shape == (2, 120)
    assert list(posterior.coords["chain"].values) == [0, 1]
    assert posterior.coords["draw"].values[-1] == 119
    assert [str(name) for name in posterior.coords["class"].values] == list(map(str, model.classes_))


def test_it_works_without_scikit_learn():
    code = (
        "import sys; sys.modules['sklearn'] = sys.modules['sklearn.base'] = None\n"
        "import numpy as np, flymc\n"
        "X = np.random.default_rng(0).normal(size=(200, 2)); y = X[:, 0] > 0.1\n"
        "m = flymc.LogisticRegression(draws=50, warmup=100, prior='normal:1').fit(X, y)\n"
        "assert m.score(X, y) > 0.9 and m.get_params()['draws'] == 50\n"
        "r = flymc.RobustRegression(draws=50, warmup=100)\n"
        "r.set_params(nu=3.0).fit(X, X[:, 1]  + np.sin(9 * X[:, 0]))\n"
        "assert r.score(X, X[:, 1]) > 0.9, r.score(X, X[:, 1])\n"
        "print(repr(r))\n"
        "try: flymc.LogisticRegression().predict(X)\n"
        "except ValueError as e: assert 'not fitted' in str(e)\n"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "RobustRegression(draws=50, nu=3.0, warmup=100)"


def test_a_good_fit_does_not_warn():
    X, y, _ = simulate("logistic")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        flymc.LogisticRegression(**SHORT).fit(X, y)
