"""Examples in docstrings and the first script a newcomer runs."""
import doctest
import importlib
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("module", ["flymc", "flymc._formula", "flymc._models", "flymc._regression"])
def test_examples_in_docstrings_run(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0 and result.failed == 0


def test_the_first_fit_runs_as_written():
    done = subprocess.run([sys.executable, ROOT / "examples" / "first_fit.py"],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    for words in ("ess_bulk", "chance of default", "the same draws as one longer run: True"):
        assert words in done.stdout
