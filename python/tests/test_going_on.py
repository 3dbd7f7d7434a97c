"""More draws continue every chain; Ctrl-C and the time limit keep what was drawn."""
import copy
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
from data import ESTIMATORS, SHORT, simulate

import flymc


@pytest.mark.parametrize("model", list(ESTIMATORS))
def test_more_draws_equal_one_longer_run(model):
    X, y, extra = simulate(model)
    longer = copy.copy(ESTIMATORS[model]).set_params(draws=200).fit(X, y, **extra)
    parts = copy.copy(ESTIMATORS[model]).set_params(draws=50).fit(X, y, **extra)
    parts.sample_more(30).sample_more(120)
    assert np.array_equal(parts.draws_, longer.draws_)
    assert np.array_equal(parts.coef_, longer.coef_)
    assert parts.summary().parameters == longer.summary().parameters


@pytest.mark.parametrize("engine", ["fly", "regular"])
def test_more_draws_with_thinning_and_either_engine(engine):
    X, y, _ = simulate("logistic")
    options = {**SHORT, "engine": engine, "thin": 2}
    longer = flymc.LogisticRegression(**{**options, "draws": 90}).fit(X, y)
    parts = flymc.LogisticRegression(**{**options, "draws": 40}).fit(X, y).sample_more(50)
    assert np.array_equal(parts.draws_, longer.draws_)


def test_ctrl_c_raises_and_keeps_the_draws():
    X, y, _ = simulate("logistic", rows=2000)
    model = flymc.LogisticRegression(**{**SHORT, "draws": 5_000_000})
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    timer.join()
    got = model.draws_.shape[1]
    assert 0 < got < 5_000_000
    model.sample_more(25)
    assert model.draws_.shape[1] >= got + 25
    few = flymc.LogisticRegression(**{**SHORT, "draws": 100}).fit(X, y)
    assert np.array_equal(model.draws_[:, :100], few.draws_)


def test_other_threads_go_on_while_chains_run():
    X, y, _ = simulate("logistic", rows=2000)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    started = time.monotonic()
    with pytest.warns(UserWarning, match="max_time"):
        flymc.LogisticRegression(**{**SHORT, "draws": 5_000_000}, max_time=1.0).fit(X, y)
    ended = time.monotonic()
    done.set()
    thread.join()
    assert sum(started < t < ended for t in ticks) > 5


def test_max_time_stops_and_can_be_continued():
    X, y, _ = simulate("logistic")
    with pytest.warns(UserWarning, match="max_time was over at draw"):
        model = flymc.LogisticRegression(**{**SHORT, "draws": 5_000_000}, max_time=0.5).fit(X, y)
    got = model.draws_.shape[1]
    assert 0 < got < 5_000_000
    assert model.sample_more(10).draws_.shape[1] >= got + 10


def test_enough_effective_draws_end_a_run():
    X, y, _ = simulate("logistic")
    model = flymc.LogisticRegression(**{**SHORT, "draws": 50_000}, ess=100).fit(X, y)
    assert model.draws_.shape[1] < 50_000
    assert min(p["ess_bulk"] for p in model.summary()) >= 100


def test_a_pickle_predicts_and_summarises_but_cannot_go_on():
    X, y, _ = simulate("softmax")
    model = flymc.SoftmaxRegression(**SHORT).fit(X, y)
    read = pickle.loads(pickle.dumps(model))
    assert np.array_equal(read.predict_proba(X), model.predict_proba(X))
    assert str(read.summary()) == str(model.summary())
    with pytest.raises(RuntimeError, match="no data"):
        read.sample_more(5)
