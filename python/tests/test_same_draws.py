"""The package and the command line are one engine: the same draws, to the last bit."""
import numpy as np
import pytest
from data import ESTIMATORS, SHORT, fit_by_command, simulate

import flymc

STATISTICS = 4


@pytest.mark.parametrize("model", list(ESTIMATORS))
def test_every_model_draws_what_the_command_line_draws(model, tmp_path):
    X, y, extra = simulate(model)
    options = ["--size", "3"] if model == "negative-binomial" else []
    expected = fit_by_command(tmp_path, model, X, y, options, **extra)
    fitted = ESTIMATORS[model].fit(X, y, **extra)
    assert np.array_equal(fitted.draws_, expected[:, :, STATISTICS:])


@pytest.mark.parametrize("name, value", [
    ("prior", "laplace:0.7"), ("kernel", "slice"), ("bound", "map"), ("z", "explicit"),
    ("engine", "regular"), ("engine", "fly"), ("thin", 3)])
def test_options_mean_the_same(name, value, tmp_path):
    X, y, _ = simulate("logistic")
    expected = fit_by_command(tmp_path, "logistic", X, y, [f"--{name}", str(value)])
    fitted = flymc.LogisticRegression(**SHORT, **{name: value}).fit(X, y)
    assert np.array_equal(fitted.draws_, expected[:, :, STATISTICS:])


@pytest.mark.parametrize("scale, words", [
    (None, ["--scale", "infer"]), ("infer", []), ("auto", ["--scale", "auto"]),
    (0.7, ["--scale", "0.7"])])
def test_the_scale_is_sampled_unless_something_else_is_asked(scale, words, tmp_path):
    X, y, _ = simulate("student-t")
    expected = fit_by_command(tmp_path, "student-t", X, y, words)[:, :, STATISTICS:]
    fitted = flymc.RobustRegression(scale=scale, **SHORT).fit(X, y)
    assert np.array_equal(fitted.draws_, expected)
    settings = {} if scale is None else {"scale": scale}
    other = flymc.Regression("student-t", settings=settings, **SHORT).fit(X, y)
    assert np.array_equal(other.draws_, expected)
    sampled = scale in (None, "infer")
    assert list(fitted.auxiliaries_) == (["sigma"] if sampled else [])
    assert sorted(other.settings_) == (["nu"] if sampled else ["nu", "scale"])
    assert fitted.scale_ == (fitted.auxiliaries_["sigma"] if sampled else other.settings_["scale"])
    assert scale != 0.7 or fitted.scale_ == 0.7


@pytest.mark.parametrize("scale", [float("nan"), float("-inf"), "wide", [1.0]])
def test_a_scale_is_a_number_or_a_word(scale):
    X, y, _ = simulate("student-t")
    with pytest.raises(ValueError, match='^scale must be a number, "infer" or "auto", got '):
        flymc.RobustRegression(scale=scale, **SHORT).fit(X, y)


def test_weights_and_offset_mean_the_same(tmp_path):
    X, y, _ = simulate("poisson")
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 3, size=len(y)).astype(float)  # some rows have none
    offset = rng.normal(size=len(y))
    expected = fit_by_command(tmp_path, "poisson", X, y, weights=weights, offset=offset)
    fitted = flymc.PoissonRegression(**SHORT).fit(X, y, sample_weight=weights, offset=offset)
    assert np.array_equal(fitted.draws_, expected[:, :, STATISTICS:])


def test_float32_no_intercept_and_the_selected_prior_mean_the_same(tmp_path):
    X, y, _ = simulate("logistic")
    X = X.astype(np.float32)
    expected = fit_by_command(tmp_path, "logistic", X, y, ["--no-intercept", "--select-prior"])
    fitted = flymc.LogisticRegression(fit_intercept=False, select_prior=True, **SHORT).fit(X, y)
    assert np.array_equal(fitted.draws_, expected[:, :, STATISTICS:])


def test_layout_threads_and_labels_change_nothing():
    X, y, _ = simulate("logistic")
    draws = flymc.LogisticRegression(**SHORT).fit(X, y).draws_
    wide = np.zeros((2 * len(X), 5))
    wide[::2, :3] = X
    for other in (np.asfortranarray(X), wide[::2, :3], X.tolist()):
        assert np.array_equal(flymc.LogisticRegression(**SHORT).fit(other, y).draws_, draws)
    named = flymc.LogisticRegression(n_jobs=1, **SHORT).fit(X, np.array(["a", "b"])[y])
    assert np.array_equal(named.draws_, draws)
    assert not np.array_equal(
        flymc.LogisticRegression(**{**SHORT, "random_state": 8}).fit(X, y).draws_, draws)


@pytest.mark.parametrize("model", list(ESTIMATORS))
def test_a_family_by_its_word_is_the_named_estimator(model):
    X, y, extra = simulate(model)
    named = ESTIMATORS[model].fit(X, y, **extra)
    settings = {"size": 3.0} if model == "negative-binomial" else None
    by_word = flymc.Regression(model, settings=settings, **SHORT).fit(X, y, **extra)
    assert np.array_equal(by_word.draws_, named.draws_)
    assert np.array_equal(by_word.predict(X[:9]), named.predict(X[:9]))
    assert np.array_equal(by_word.coef_, named.coef_)


@pytest.mark.parametrize("model", sorted(set(flymc.families()) - set(ESTIMATORS)))
def test_a_family_without_an_estimator_draws_what_the_command_line_draws(model, tmp_path):
    rng = np.random.default_rng(5)
    X, _, _ = simulate("poisson")
    mean = np.exp(0.3 * X[:, 0])
    y = {
        "normal": lambda: rng.normal(mean),
        "cloglog": lambda: rng.integers(0, 2, len(X)),
        "beta": lambda: rng.beta(2.0, 3.0 * mean),
        "zip": lambda: rng.poisson(mean) * rng.integers(0, 2, len(X)),
        "zinb": lambda: rng.poisson(9.0 * mean * rng.gamma(2.0, 0.5, len(X)))
        * rng.integers(0, 2, len(X)),
        "ordinal": lambda: np.digitize(np.log(mean) + rng.logistic(size=len(X)), [-1.0, 1.0]),
        "hurdle-poisson": lambda: (1 + rng.poisson(mean)) * rng.integers(0, 2, len(X)),
        "beta-binomial": lambda: rng.binomial(9, rng.beta(2.0, 3.0 * mean)),
    }.get(model, lambda: rng.gamma(2.0, mean))()
    extra = {"trials": np.full(len(X), 9.0)} if model == "beta-binomial" else {}
    expected = fit_by_command(tmp_path, model, X, y, **extra)
    fitted = flymc.Regression(model, **SHORT).fit(X, y, **extra)
    assert np.array_equal(fitted.draws_, expected[:, :, STATISTICS:])
    auxiliaries = len(fitted.auxiliaries_)
    assert fitted.coef_.shape[-1] == X.shape[1]
    assert list(fitted.auxiliaries_) == fitted.parameter_names_[len(fitted.parameter_names_) - auxiliaries:]
    assert np.isfinite(fitted.predict(X[:9])).all()


def test_ordered_classes_have_probabilities_and_cut_points_in_order():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(800, 2))
    y = np.digitize(X[:, 0] + rng.logistic(size=800), [-1.0, 0.5, 2.0])
    fitted = flymc.Regression("ordinal", **SHORT).fit(X, y)
    shares = fitted.predict_proba([[-3.0, 0.0], [3.0, 0.0]])
    assert shares.shape == (2, 4)
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert fitted.predict([[-6.0, 0.0], [6.0, 0.0]]).tolist() == [0, 3]
    assert fitted.coef_.shape == (1, 2)
    assert list(fitted.auxiliaries_) == ["cut.1", "cut.2", "cut.3"]
    assert (np.diff(fitted.draws_[:, :, 2:]) > 0).all()
    with pytest.raises(ValueError, match="needs 3 or more"):
        flymc.Regression("ordinal", **SHORT).fit(X, y > 1)


def test_an_ordered_categorical_says_the_order_of_its_classes():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(7)
    X = rng.normal(size=(300, 1))
    codes = np.digitize(2.0 * X[:, 0] + rng.logistic(size=300), [-1.0, 1.0])
    y = pandas.Series(pandas.Categorical.from_codes(codes, ["low", "mid", "high"], ordered=True))
    fitted = flymc.Regression("ordinal", **SHORT).fit(X, y)
    assert fitted.classes_.tolist() == ["low", "mid", "high"]
    assert np.array_equal(fitted.draws_, flymc.Regression("ordinal", **SHORT).fit(X, codes).draws_)
    assert fitted.predict([[-9.0], [9.0]]).tolist() == ["low", "high"]


def test_a_size_that_is_not_given_is_sampled():
    X, y, _ = simulate("negative-binomial")
    fitted = flymc.NegativeBinomialRegression(**SHORT).fit(X, y)
    assert fitted.auxiliaries_["size"] > 0
    assert fitted.draws_.shape[-1] == X.shape[1] + 2
