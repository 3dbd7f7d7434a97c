"""Every line of Python that the pages show runs, and prints what the page says: the same words in
the same places. Digits may differ with the processor."""
import contextlib
import io
import pathlib
import re
import subprocess
import sys
import warnings

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
NUMBER = re.compile(r"-?\d[\d,.]*(e-?\d+)?")


def blocks(page):
    """(code, what it prints) in the order of the page."""
    found = re.findall(r"^```(\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    pairs = []
    before = ""
    for kind, text in found:
        if kind == "python":
            pairs.append([text, ""])
        elif before == "python":
            pairs[-1][1] = text
        before = kind
    return pairs


def words(text):
    return [NUMBER.sub("#", line).replace("[ ", "[").split() for line in text.splitlines()]


@pytest.mark.parametrize("page", ["README.md", "howto/python.md"])
def test_the_page_runs_as_written(page, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, DOCS / "howto" / "tables.py"], check=True)
    names = {}
    for code, expected in blocks((DOCS / page).read_text(encoding="utf-8")):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(code, page, "exec"), names)
        assert words(printed.getvalue()) == words(expected)
