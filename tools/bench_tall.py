#!/usr/bin/env python3
"""Tables as large as the disk allows, and ranks against one process: `make bench-tall` runs this.

Simulates .fly files of float32 straight to disk, fits each, and measures what grows; then set-up
and memory of one and two ranks. Writes markdown tables; with --page, between the marks of that
page. Standard library only. 10^8 rows of 10 columns need 5 GB of disk and memory for the cache.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from bench_performance import note, number, run, table, write_page

SECTION_ROWS = 65536  # go to one rank together
MOST_LEVELS = 2000  # among which the fewest effective draws are looked for


def read_once(path):
    """Seconds to read a file from front to back into one buffer."""
    buffer = bytearray(1 << 22)
    begin = time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        while file.readinto(buffer):
            pass
    return time.perf_counter() - begin


def anonymous_bytes(pid):
    """Memory of a process that is no page of a file."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    return 0


def processes_called(name):
    """Numbers of the processes of that name."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "comm").read_text().strip() == name:
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


class MemoryWatch(threading.Thread):
    """Largest anonymous memory of any flymc process while it runs."""

    def __init__(self, every=0.002):
        super().__init__(daemon=True)
        self.every = every  # seconds
        self.peak = 0
        self.ended = threading.Event()

    def run(self):
        looks = 0
        while not self.ended.wait(self.every):
            if looks % 50 == 0:  # a look at all processes takes longer
                found = processes_called("flymc")
            looks += 1
            self.peak = max([self.peak] + [anonymous_bytes(pid) for pid in found])

    def end(self):
        self.ended.set()
        self.join()
        return self.peak


class Tall:
    def __init__(self, options):
        self.flymc = options.build / "flymc"
        self.mpirun = options.mpirun
        self.folder = options.folder

    def data(self, rows, columns=10, levels=0):
        """A simulated .fly of that shape; one that is there is taken."""
        folder = self.folder / (f"{rows}x{columns}" + f"x{levels}" * (levels > 0))
        if not (folder / "data.fly").exists():
            note(f"simulating {rows:,} x {columns}")
            groups = ["--groups", levels, "--predictor-sd", 1] if levels else []
            run([self.flymc, "simulate", "--fly", "--float32", "-n", rows, "-d", columns, *groups,
                 "--out", folder], 3600)
        return folder / "data.fly"

    def fit(self, data, *words, ranks=0):
        """Seconds of the command, and its record."""
        out = self.folder / "run"
        launcher = [self.mpirun, "-n", ranks, "--oversubscribe"] if ranks else []
        if ranks and os.geteuid() == 0:
            launcher.append("--allow-run-as-root")
        begin = time.perf_counter()
        run([*launcher, self.flymc, "fit", data, "--out", out, "--overwrite", "--progress", "none",
             *words], 3600)
        seconds = time.perf_counter() - begin
        return seconds, json.loads((out / "run.json").read_text())

    def memory(self, data, *words, ranks=0):
        """Largest anonymous memory of a process of such a fit, which being watched slows down."""
        watch = MemoryWatch()
        watch.start()
        self.fit(data, *words, ranks=ranks)
        return watch.end()

    def smallest_ess(self):
        """Among the first levels of a factor: of 100,000 estimates one is always far too low."""
        summary = json.loads(run([self.flymc, "summary", self.folder / "run", "--json"]))
        levels = [p for p in summary["parameters"] if p["column"].startswith("u.")]
        others = [p for p in summary["parameters"] if not p["column"].startswith("u.")]
        return min(p["ess_bulk"] for p in others + levels[:MOST_LEVELS] + [summary["lp__"]])


def growth_tables(tall, sizes):
    """One process, default settings but for the threads."""
    costs, draws = [], []
    for rows in sizes:
        path = tall.data(rows)
        read_once(path)  # into the cache
        plain = [read_once(path)]
        note(f"fitting {rows:,} rows")
        wall, record = tall.fit(path, "--threads", 2)
        plain.append(read_once(path))
        ess = tall.smallest_ess()
        memory = tall.memory(path, "--threads", 2)
        setup, sampling = record["setup"], record["sampling"]
        setup_s = setup["seconds"] + setup["reanchor_seconds"]
        floor = statistics.mean(plain)
        before = wall - setup_s - sampling["seconds"]
        a_pass = setup_s / setup["passes"]
        queries = sampling["queries_theta"] + sampling["queries_z"]
        costs.append([f"{rows:,}", number(path.stat().st_size / 1e9), number(floor),
                      number(before), f"{setup['passes']}", number(a_pass), number(a_pass / floor),
                      number(setup_s), number(memory / rows)])
        draws.append([f"{rows:,}", number(setup["expected_bright"]),
                      number(sampling["mean_bright"]), number(queries / sampling["iterations"]),
                      number(1000 * ess / queries), number(ess), number(sampling["seconds"]),
                      number(ess / sampling["seconds"]), number(ess / wall)])
    return (["### One process, two threads: what comes before the first draw", ""]
            + table(["N", "file, GB", "a plain read of it, s", "check, scale, merge rows, s",
                     "passes of set-up", "s a pass", "a pass / a plain read", "set-up, s",
                     "peak memory, bytes a row"], costs)
            + ["### The draws: 4 chains of 1,000", ""]
            + table(["N", "bright, forecast", "mean bright", "queries per iteration",
                     "effective draws per 1,000 queries", "effective draws", "sampling, s a chain",
                     "effective draws a second, a core a chain", "of the whole command"], draws))


POINT_FITS = {
    "scikit-learn, LogisticRegression(solver=\"lbfgs\")": [sys.executable, "-c", """
import sys, time, numpy
from sklearn.linear_model import LogisticRegression
x, y = (numpy.load(path) for path in sys.argv[1:])
begin = time.process_time()
LogisticRegression(solver="lbfgs").fit(x, y)
print(time.process_time() - begin)
"""],
    "R, glm.fit(family = binomial())": ["Rscript", "-e", """
read_npy <- function(path) {
  file <- file(path, "rb")
  size <- readBin(file, "raw", 10)
  header <- readChar(file, as.integer(size[9]) + 256 * as.integer(size[10]))
  shape <- as.integer(strsplit(gsub(".*\\\\(|\\\\).*", "", header), ",")[[1]])
  t(array(readBin(file, "double", prod(shape, na.rm = TRUE)), rev(shape[!is.na(shape)])))
}
paths <- commandArgs(TRUE)
x <- cbind(1, read_npy(paths[1]))
y <- as.vector(read_npy(paths[2]))
cat(sum(system.time(glm.fit(x, y, family = binomial()))[1:2]))
"""],
}


def processor_seconds(command):
    """Of a command and all that it starts."""
    before = os.times()
    run(command, 3600)
    after = os.times()
    return (after.children_user + after.children_system
            - before.children_user - before.children_system)


def point_fit_table(tall, rows, columns, repeats=3):
    """The whole command against estimates from arrays that are in memory already, in turns."""
    folder = tall.folder / f"{rows}x{columns}-npy"
    if not (folder / "y.npy").exists():
        run([tall.flymc, "simulate", "-n", rows, "-d", columns, "--out", folder], 3600)
    arrays = [folder / "X.npy", folder / "y.npy"]
    fit = [tall.flymc, "fit", arrays[0], "--response", arrays[1], "--out", tall.folder / "run",
           "--overwrite", "--quiet", "--threads", 1]
    os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    times = {name: [] for name in ["flymc", *POINT_FITS]}
    for turn in range(repeats):
        note(f"point fits of {rows:,} x {columns}, turn {turn + 1}")
        times["flymc"].append(processor_seconds(fit))
        for name, command in POINT_FITS.items():
            try:
                times[name].append(float(run([*command, *arrays], 3600)))
            except (OSError, RuntimeError) as error:
                note(f"{name}: {error}")
    flymc = statistics.median(times.pop("flymc"))
    lines = [["flymc fit, the whole command: 4 x 1,000 draws", number(flymc), "1"]]
    for name, seconds in times.items():
        lines.append([name, *([number(statistics.median(seconds)),
                               number(statistics.median(seconds) / flymc)]
                              if seconds else ["not installed: not run", ""])])
    return ([f"### A point estimate and the posterior: {rows:,} x {columns}, one thread", ""]
            + table(["", "processor time, s", "of flymc's"], lines))


def group_table(tall, sizes, levels=10**5):
    """An intercept for each of many levels; memory watched in the same fit."""
    lines = []
    for rows in sizes:
        path = tall.data(rows, levels=levels)
        read_once(path)  # into the cache
        note(f"fitting {rows:,} rows in {levels:,} levels")
        watch = MemoryWatch(0.1)
        watch.start()
        wall, record = tall.fit(path, "--formula", "y ~ . + (1 | g1)", "--levels", "summary",
                                "--warmup", 100, "--draws", 250, "--threads", 2)
        memory = watch.end()
        setup, sampling = record["setup"], record["sampling"]
        queries = sampling["queries_theta"] + sampling["queries_z"]
        ess = tall.smallest_ess()
        lines.append([f"{rows:,}", number(path.stat().st_size / 1e9), f"{setup['passes']}",
                      number(setup["seconds"]), number(memory / rows),
                      number(sampling["mean_bright"]), number(queries / sampling["iterations"]),
                      number(4000 * sampling["seconds"] / sampling["iterations"]),
                      number(ess / 1000), number(ess / sampling["seconds"]), number(wall)])
    return table(["N", "file, GB", "passes", "set-up, s", "peak memory, bytes a row", "mean bright",
                  "queries per iteration", "an iteration, ms", "effective, of all draws",
                  "effective draws a second, a core a chain", "the whole command, s"], lines)


def rank_row(tall, rows, columns, repeats=5):
    """Set-up of single-threaded ranks, taken in turns; memory of the one with more rows."""
    data = tall.data(rows, columns)
    words = ["--threads", 1, "--warmup", 50, "--draws", 50]
    seconds = {1: [], 2: []}
    for turn in range(repeats + 1):
        for ranks in (1, 2):
            note(f"set-up of {rows:,} rows, {ranks} rank{'s' * (ranks > 1)}, turn {turn}")
            _, record = tall.fit(data, *words, ranks=ranks)
            if turn > 0:  # the first fills the cache
                seconds[ranks].append(record["setup"]["seconds"])
    one, two = (statistics.median(seconds[ranks]) for ranks in (1, 2))
    memory = tall.memory(data, *words, ranks=2)
    sections = -(-rows // SECTION_ROWS)
    share = (sections - sections // 2) * SECTION_ROWS
    return [f"{rows:,}", f"{columns}", number(one), number(two), number(one / two),
            number(memory / 1e6), number(memory / share)]


def rank_table(tall, shapes):
    return (["### Ranks: set-up on one and two, a thread each", ""]
            + table(["N", "columns", "one rank, s", "two ranks, s", "times as fast",
                     "peak memory of a rank, MB", "bytes a row of its share"],
                    [rank_row(tall, *shape) for shape in shapes]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--page", type=pathlib.Path, help="write between the marks of this page")
    parser.add_argument("--folder", type=pathlib.Path, help="keep the files here; else a new one")
    parser.add_argument("--most", type=int, default=10**8, help="rows of the largest table")
    parser.add_argument("--what", choices=["rows", "groups"], default="rows",
                        help="tables of the page, or one of many levels, which is printed alone")
    parser.add_argument("--mpirun", default="mpirun.openmpi", help="Open MPI's launcher")
    options = parser.parse_args()
    options.build = options.build.resolve()
    keep = options.folder is not None
    options.folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="flymc-tall-"))
    options.folder.mkdir(exist_ok=True)
    tall = Tall(options)
    sizes = [n for n in (10**6, 10**7, 10**8) if n <= options.most]
    parts = []
    try:
        if options.what == "rows":
            ranks = shutil.which(options.mpirun) is not None
            shapes = [(n, d) for n, d in ((10**6, 50), (10**7, 10)) if n <= options.most]
            lines = rank_table(tall, shapes) if ranks else []
            lines = point_fit_table(tall, min(10**6, options.most), 50) + lines
            parts.append(growth_tables(tall, sizes) + lines)
        else:
            parts.append(group_table(tall, [n for n in sizes if n > 10**6]))
    finally:
        if not keep:
            shutil.rmtree(options.folder, ignore_errors=True)
    for lines in parts:
        if options.page is not None and options.what == "rows":
            write_page(options.page, lines)
        print("\n".join(lines))


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        sys.exit(f"bench_tall: {error}")
