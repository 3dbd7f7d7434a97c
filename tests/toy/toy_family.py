"""The package, built with one family more: it is there, it fits and it predicts.

    toy_family.py FOLDER_OF_THE_PACKAGE
"""
import sys

sys.path.insert(0, sys.argv[1])

import numpy as np

import flymc

assert flymc.families()["toy"] == {"response": "numbers", "link": "identity",
                                   "settings": ["width"]}
rng = np.random.default_rng(3)
X = rng.normal(size=(1000, 2))
y = 1.0 + X @ [2.0, -1.0] + 0.4 * rng.logistic(size=1000)
toy = flymc.Regression("toy", settings={"width": 0.4}, draws=200, chains=2).fit(X, y)
assert toy.settings_ == {"width": 0.4}
assert np.all(np.abs(toy.coef_ - [2.0, -1.0]) < 0.2), toy.coef_
assert abs(toy.predict([[0.0, 0.0]])[0] - 1.0) < 0.2
assert toy.predict_summary(X[:5]).shape == (5, 4)
try:
    flymc.Regression("toy", settings={"length": 1.0}).fit(X, y)
except ValueError as error:
    assert "length" in str(error)
else:
    raise AssertionError("a setting that toy does not have was taken")
print("toy: a file and a line are all it takes")
