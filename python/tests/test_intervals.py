"""Intervals of predictions are those of the draws of E[y]."""
import numpy as np
import pytest
from data import ESTIMATORS, SHORT, simulate

import flymc


def ends(draws, prob):
    return np.quantile(draws, [(1 - prob) / 2, (1 + prob) / 2], axis=0)


@pytest.mark.parametrize("model", ["poisson", "student-t"])
def test_numbers_have_an_interval(model):
    X, y, extra = simulate(model)
    fitted = ESTIMATORS[model].fit(X, y, **extra)
    draws = fitted.predict_draws(X[:7])
    got = fitted.predict(X[:7], interval=0.5)
    assert draws.shape == (240, 7) and got.shape == (7, 3)
    assert np.allclose(got[:, 0], draws.mean(axis=0)) and np.array_equal(
        got[:, 0], fitted.predict(X[:7]))
    assert np.allclose(got[:, 1:].T, ends(draws, 0.5), rtol=1e-6)


def test_two_classes_have_intervals_that_mirror_each_other():
    X, y, _ = simulate("logistic")
    fitted = ESTIMATORS["logistic"].fit(X, y)
    draws = fitted.predict_draws(X[:5])
    got = fitted.predict_proba(X[:5], interval=0.8)
    assert got.shape == (5, 2, 3)
    assert np.allclose(got[:, 1, 1:].T, ends(draws, 0.8), rtol=1e-6)
    assert np.allclose(got[:, 0], 1.0 - got[:, 1][:, [0, 2, 1]])
    assert np.array_equal(got[:, :, 0], fitted.predict_proba(X[:5]))


def test_every_class_has_an_interval():
    X, y, _ = simulate("softmax")
    fitted = ESTIMATORS["softmax"].fit(X, y)
    draws = fitted.predict_draws(X[:5])
    got = fitted.predict_proba(X[:5], interval=0.8)
    assert draws.shape == (240, 3, 5) and got.shape == (5, 3, 3)
    assert np.allclose(got[:, :, 0], draws.mean(axis=0).T)
    assert np.allclose(got[:, :, 1].T, ends(draws, 0.8)[0], rtol=1e-6)
    assert np.allclose(got[:, :, 0], fitted.predict_proba(X[:5]))


def test_new_responses_under_every_draw():
    X, y, _ = simulate("softmax")
    fitted = flymc.SoftmaxRegression(**SHORT).fit(X, np.array(["a", "b", "c"])[y])
    drawn = fitted.predict_draws(X[:5], predictive=True)
    assert drawn.shape == (240, 5) and set(drawn.ravel()) == {"a", "b", "c"}
    assert np.array_equal(drawn, fitted.predict_draws(X[:5], predictive=True))
    p = fitted.predict_proba(X[:5])
    shares = np.stack([(drawn == label).mean(axis=0) for label in fitted.classes_], axis=1)
    assert (np.abs(shares - p) < 4.5 * np.sqrt(p * (1 - p) / 240)).all()
    X, y, extra = simulate("binomial")
    binomial = flymc.BinomialRegression(**SHORT).fit(X, y, **extra)
    drawn = binomial.predict_draws(X[:5], predictive=True, trials=extra["trials"][:5])
    assert (drawn <= extra["trials"][:5]).all() and drawn.max() > 1
    assert binomial.predict_draws(X[:5], predictive=True).max() == 1
    with pytest.raises(ValueError, match="inconsistent numbers"):
        binomial.predict_draws(X[:5], predictive=True, trials=[1.0])


def test_any_family_by_its_word_has_them():
    X, y, _ = simulate("poisson")
    fitted = flymc.Regression("poisson", **SHORT).fit(X, y)
    assert fitted.predict(X[:3], interval=0.9).shape == (3, 3)
    X, y, _ = simulate("logistic")
    two = flymc.Regression("logistic", **SHORT).fit(X, y)
    assert two.predict_proba(X[:3], interval=0.9).shape == (3, 2, 3)
    with pytest.raises(ValueError, match="predict_proba"):
        two.predict(X[:3], interval=0.9)


@pytest.mark.parametrize("interval", [0, 1, -0.5, 95])
def test_an_interval_is_a_probability(interval):
    X, y, _ = simulate("poisson")
    fitted = ESTIMATORS["poisson"].fit(X, y)
    with pytest.raises(ValueError, match="between 0 and 1"):
        fitted.predict(X, interval=interval)
