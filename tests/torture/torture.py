#!/usr/bin/env python3
"""Fails the n-th malloc, write, fsync, rename and mmap of each command, for every n (or a sample).

After each the command must have ended by itself, with a code of the contract and one line where it
is not 0; what it made is whole or is not there, and nothing else lies about; a run that was begun
can be resumed to the very bytes of one that nothing happened to. As SQLite tests itself.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

CALLS = ["malloc", "write", "fsync", "rename", "mmap"]
CODES = {  # beside 0
    "malloc": {71, 74},  # a stream of the standard library says no more than that it cannot read
    "write": {74},
    "fsync": {74},
    "rename": {73, 74},
    "mmap": {71, 74},
}
LIMIT_S = 30
FIT = ["--response", "y", "--warmup", "30", "--chains", "2", "--threads", "1", "--progress", "none"]


def words_of_fit(draws):
    return ["fit", "t.csv", *FIT, "--draws", str(draws), "--out", "out"]


# name: the command, what it makes, and what must lie there before (a table always does)
SCENARIOS = {
    "fit": (words_of_fit(30), None, []),
    "resume": (["fit", "--resume", "out", "--draws", "60", "--threads", "1", "--progress", "none"],
               None, [words_of_fit(30)]),
    "report": (["report", "out", "--out", "r.html"], "r.html", [words_of_fit(30)]),
    "predict": (["predict", "out", "t.csv", "--out", "p.csv"], "p.csv", [words_of_fit(30)]),
    "convert": (["convert", "t.csv", "t.fly", "--response", "y"], "t.fly", []),
    "export": (["export", "out", "--to", "npz", "--out", "o.npz"], "o.npz", [words_of_fit(30)]),
    "summary": (["summary", "out", "--json"], None, [words_of_fit(30)]),
}


def table():
    """Two columns and a response, the same in every run."""
    stream = random.Random(1)
    lines = ["a,b,y"]
    for _ in range(100):
        a, b = stream.gauss(0, 1), stream.gauss(0, 1)
        lines.append(f"{a},{b},{int(stream.random() < 1 / (1 + math.exp(-a)))}")
    return "\n".join(lines) + "\n"


def files_of(folder):
    """Every file by its path, but run.json, which tells the time it took, and checkpoints."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != "run.json" and path.suffix != ".ckpt"}


class Torturer:
    def __init__(self, flymc, shim, folder):
        self.flymc = flymc
        self.shim = shim
        self.folder = folder

    def run(self, words, place, torture=None):
        environment = dict(os.environ)
        if torture:
            environment |= {"LD_PRELOAD": self.shim, **torture}
        return subprocess.run([self.flymc, *words], cwd=place, env=environment, timeout=LIMIT_S,
                              capture_output=True, check=False)

    def prepare(self, name):
        """A folder before the command, one after it, what it printed, and how often it calls what."""
        words, _, earlier = SCENARIOS[name]
        before = self.folder / name / "before"
        before.mkdir(parents=True)
        (before / "t.csv").write_text(table())
        for first in earlier:
            assert self.run([*first, "--quiet"], before).returncode == 0
        after = self.folder / name / "after"
        shutil.copytree(before, after)
        printed = self.run(words, after)
        assert printed.returncode == 0, printed.stderr
        counts = {}
        for call in CALLS:
            place = self.folder / name / f"count-{call}"
            shutil.copytree(before, place)
            path = place / "count"
            self.run(words, place, {"TORTURE_CALL": call, "TORTURE_COUNT": str(path)})
            counts[call] = int(path.read_text())
        return before, after, printed.stdout, counts

    def complaint(self, name, state, call, n, persistent):
        """What is wrong after the n-th call has failed; empty: nothing."""
        words, made, _ = SCENARIOS[name]
        before, after, printed, _ = state
        place = self.folder / name / f"{call}-{n}-{int(persistent)}"
        shutil.copytree(before, place)
        torture = {"TORTURE_CALL": call, "TORTURE_N": str(n), "TORTURE_ON": str(int(persistent))}
        try:
            result = self.run(words, place, torture)
            wrong = self.judge(name, state, call, place, result)
        except subprocess.TimeoutExpired:
            wrong = "it does not end"
        if not wrong:
            shutil.rmtree(place)
        return wrong

    def judge(self, name, state, call, place, result):
        words, made, _ = SCENARIOS[name]
        before, after, printed, _ = state
        code = result.returncode
        if code not in CODES[call] | {0}:
            return f"code {code}: {result.stderr[-200:]!r}"
        if code == 0:
            if files_of(place) != files_of(after) and not self.says_what_is_missing(place, made):
                return "done, but not the same files"
            return "" if result.stdout == printed or made is None and name != "summary" else \
                "done, but another output"
        lines = result.stderr.decode(errors="replace").splitlines()
        if sum(line.startswith("flymc: ") for line in lines) != 1:
            return f"code {code}, but not one line: {result.stderr[-200:]!r}"
        if name in ("fit", "resume"):
            return self.judge_run(name, place, after)
        # Whole already, but not said; or ended at once, as by kill -9, with its temporary file left.
        left = {file: bytes_ for file, bytes_ in files_of(place).items()
                if file not in files_of(before) and files_of(after).get(file) != bytes_}
        temporary = {file for file in left if code == 71 and made in file and file != made}
        return "" if set(left) <= temporary else f"code {code}, and left behind {sorted(left)}"

    @staticmethod
    def says_what_is_missing(place, made):
        """A report does without the table where that cannot be read, and says so."""
        return made == "r.html" and b"The data cannot be read again" in (place / made).read_bytes()

    def judge_run(self, name, place, after):
        """Going on, or beginning again, ends with the bytes of a run that nothing happened to."""
        words = SCENARIOS["resume"][0] if name == "resume" else ["fit", "--resume", "out", "--quiet"]
        if name == "fit" and not (place / "out" / "run.json").exists():
            words = SCENARIOS["fit"][0]
        result = self.run(words, place)
        if result.returncode != 0:
            return f"cannot go on: {result.returncode} {result.stderr[-200:]!r}"
        return "" if files_of(place) == files_of(after) else "gone on to other files"


def numbers(count, sample):
    """Which calls to fail: all, or as many as asked for, spread evenly, first and last among them."""
    if sample == 0 or count <= sample:
        return range(1, count + 1)
    return sorted({1 + round(i * (count - 1) / (sample - 1)) for i in range(sample)})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("flymc")
    parser.add_argument("shim")
    parser.add_argument("--sample", type=int, default=0, help="calls a kind; 0: every one")
    parser.add_argument("--only", nargs="*", default=list(SCENARIOS))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tried = bad = 0
    with tempfile.TemporaryDirectory(prefix="flymc-torture-") as folder:
        torturer = Torturer(str(pathlib.Path(options.flymc).resolve()),
                            str(pathlib.Path(options.shim).resolve()), pathlib.Path(folder))
        for name in options.only:
            state = torturer.prepare(name)
            cases = [(call, n, persistent) for call in CALLS for persistent in (False, True)
                     for n in numbers(state[3][call], options.sample)]
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                wrongs = pool.map(lambda case: torturer.complaint(name, state, *case), cases)
                for (call, n, persistent), wrong in zip(cases, wrongs):
                    tried += 1
                    if wrong:
                        bad += 1
                        print(f"{name}: {call} {n} of {state[3][call]}"
                              f"{' and all after' if persistent else ''}: {wrong}", flush=True)
            print(f"{name}: {len(cases)} failures tried", flush=True)
    print(f"{tried} failures, {bad} badly taken")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
