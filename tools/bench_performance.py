#!/usr/bin/env python3
"""What a draw costs, measured: `make bench` runs this after the micro-benchmarks.

Simulates tables, fits them with the default settings (and, to compare, with regular kernels and
Stan where rstan is installed) and writes markdown tables; with --page, between the two marks of
that page. Nothing but the standard library. --quick: the small tables only, about a minute.
"""
import argparse
import json
import math
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

# name, options of simulate, options of fit
MODELS = [
    ("Student-t, 57 columns", "--model student-t -n 100000 -d 57",
     "--model student-t --scale auto"),
    ("softmax, K = 3, 20 columns", "--model softmax -n 200000 -d 20", "--model softmax"),
    ("Poisson, 20 columns", "--model poisson -n 100000 -d 20", "--model poisson"),
    ("probit, 20 columns", "--model probit -n 100000 -d 20", "--model probit"),
    ("binomial, 20 columns", "--model binomial -n 100000 -d 20", "--model binomial"),
    ("negative binomial, 20 columns", "--model negative-binomial -n 100000 -d 20",
     "--model negative-binomial --size 5"),
]
HARD = [
    ("30 of 50 columns rare", "-n 100000 -d 50 --rare 30", ""),
    ("50 columns with tails of t_3", "-n 100000 -d 50 --heavy-tails", ""),
    ("separable, 20 columns", "-n 20000 -d 20 --separable", ""),
]
FAMILIES = [  # and what is inferred beside; 6 parameters of the first predictor
    ("logistic", ""), ("probit", ""), ("cloglog", ""), ("softmax", ""), ("ordinal", ""),
    ("binomial", ""), ("beta-binomial", ""), ("poisson", ""), ("negative-binomial", "--size 5"),
    ("negative-binomial", ""), ("zip", ""), ("zinb", ""), ("hurdle-poisson", ""),
    ("normal", "--formula sigma~x1+x2"), ("student-t", "--scale 1"),  # sigma~1 has no coins
    ("student-t", "--scale infer"), ("student-t", "--nu infer"), ("gamma", ""),
    ("exponential", ""), ("weibull", ""), ("log-logistic", ""), ("beta", ""),
]
WIDE = ("500 columns", "-n 20000 -d 500", "")
KERNELS = [
    ("split HMC, fly (the default)", ""),
    ("split HMC, regular", "--regular"),
    ("HMC, regular", "--regular --kernel hmc"),
    ("independence, regular", "--regular --kernel independence"),
    ("random walk, regular", "--regular --kernel rwmh --warmup 2000 --draws 10000"),
]


def run(command, limit=900):
    """Standard output of a command; its error where it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=limit)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip()[-500:]}")
    return done.stdout


def note(text):
    print(text, file=sys.stderr, flush=True)


class Bench:
    def __init__(self, options, folder):
        self.flymc = options.build / "flymc"
        self.floors_program = options.build / "bench" / "flymc_floors"
        self.threads = options.threads
        self.quick = options.quick
        self.folder = folder

    def simulate(self, words):
        run([self.flymc, "simulate", *words.split(), "--out", self.folder / "data", "--overwrite"])
        return self.folder / "data"

    def item_responses(self):
        """A file of 30,012 answers of 400 persons to 100 items: logit p = 0.5 + ability - difficulty."""
        draw = random.Random(15)
        ability = [draw.gauss(0, 1) for _ in range(400)]
        difficulty = [draw.gauss(0, 1) for _ in range(100)]
        lines = ["person,item,y"]
        for cell in draw.sample(range(40000), 30012):
            person, item = divmod(cell, 100)
            p = 1 / (1 + math.exp(difficulty[item] - ability[person] - 0.5))
            lines.append(f"p{person},i{item},{int(draw.random() < p)}")
        path = self.folder / "answers.csv"
        path.write_text("\n".join(lines) + "\n")
        return path

    def fit(self, data, words):
        """Facts of a run with 4 chains: cost per draw, as measured and as forecast."""
        out = self.folder / "run"
        has_trials = {"binomial", "beta-binomial"} & set(words.split())
        trials = ["--trials", data / "trials.npy"] if has_trials else []
        source = ([data, "--response", "y"] if data.suffix == ".csv"
                  else [data / "X.npy", "--response", data / "y.npy"])
        command = [self.flymc, "fit", *source, "--out", out, "--overwrite", "--threads", 1,
                   "--progress", "none"]
        run(command + trials + words.split())
        summary = json.loads(run([self.flymc, "summary", out, "--json"]))
        return self.facts(json.loads((out / "run.json").read_text()), summary)

    def facts(self, record, summary):
        setup, sampling = record["setup"], record["sampling"]
        queries = sampling["queries_theta"] + sampling["queries_z"]
        slowest = min(summary["parameters"] + [summary["lp__"]], key=lambda p: p["ess_bulk"])
        ess = slowest["ess_bulk"]
        chains = len(sampling["tuning"])
        forecast = record.get("forecast", {}).get(record["engine"], {})
        return {
            "engine": record["engine"], "rows": record["n"],
            "setup_s": setup["seconds"] + setup["reanchor_seconds"], "beacons": setup["beacons"],
            "queries": queries / sampling["iterations"], "bright": sampling["mean_bright"],
            "ess": ess, "slowest": slowest["column"], "draws": ess / sampling["iterations"],
            "per_1000": 1000.0 * ess / queries, "cost": queries / ess,
            "forecast": forecast.get("queries_per_effective_draw"),
            "iteration_us": 1e6 * sampling["seconds"] * chains / sampling["iterations"],
        }

    def floors(self, rows, columns):
        return json.loads(run([self.floors_program, rows, columns, self.threads]))


def number(value):
    """Three figures, as a reader writes them."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 1e-3 else f"{value:.1e}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def cost_columns(fact):
    ratio = None if fact["forecast"] is None else fact["forecast"] / fact["cost"]
    return [number(fact["queries"]), number(fact["bright"]), number(fact["beacons"]),
            f"{number(fact['per_1000'])} ({fact['slowest']})", number(fact["cost"]),
            number(fact["forecast"]), number(ratio)]


COST_HEAD = ["queries per iteration", "mean bright", "beacons", "effective draws per 1,000 queries",
             "queries per effective draw", "forecast", "forecast / measured"]


def clock_ratio(floor, threads):
    """Set-up over evaluation by the clock, only where every thread had a core of its own."""
    cores = min(floor["evaluation"]["cores"], floor["setup"]["cores"])
    if cores < 0.9 * threads:
        return f"not measured ({cores:.1f} cores)"
    return number(floor["setup"]["wall_s"] / floor["evaluation"]["wall_s"])


def tall_tables(bench, sizes):
    """Logistic, 51 parameters: the draw's cost, then times against one full evaluation."""
    costs, times, memory = [], [], []
    for rows in sizes:
        note(f"logistic, {rows:,} rows")
        fact = bench.fit(bench.simulate(f"-n {rows} -d 50"), "--prior normal:1")
        floor = bench.floors(rows, 50)
        cpu = {name: floor[name]["cpu_s"] for name in floor if isinstance(floor[name], dict)}
        costs.append([f"{rows:,}"] + cost_columns(fact))
        times.append([f"{rows:,}", number(1e3 * cpu["evaluation_one_thread"]),
                      number(cpu["setup"] / cpu["evaluation_one_thread"]),
                      clock_ratio(floor, bench.threads),
                      number(1e6 * cpu["iteration"]),
                      f"1/{number(cpu['evaluation_one_thread'] / cpu['iteration'])}",
                      number(fact["iteration_us"])])
        memory.append([f"{rows:,}", number(floor["shared_bytes_per_row"]),
                       number(floor["chain_bytes_per_row"])])
    threads = f"{bench.threads} threads"
    return (["### Logistic, 51 parameters, as the data grow", ""]
            + table(["N"] + COST_HEAD, costs)
            + table(["N", "one evaluation, ms", "set-up / evaluation",
                     f"the same by the clock, {threads}", "iteration, us", "iteration / evaluation",
                     "with CSV (`flymc fit`), us"], times)
            + table(["N", "bytes a row, shared", "bytes a row, each chain"], memory))


def model_table(bench, title, cases):
    rows = []
    for name, simulate, fit in cases:
        note(name)
        data = simulate if isinstance(simulate, pathlib.Path) else bench.simulate(simulate)
        fact = bench.fit(data, fit)
        rows.append([f"{name}, N = {fact['rows']:,}"] + cost_columns(fact)
                    + [number(fact["iteration_us"]), number(fact["setup_s"]), fact["engine"]])
    head = ["data"] + COST_HEAD + ["us per iteration, with CSV", "set-up, s", "engine"]
    return [f"### {title}", ""] + table(head, rows)


def family_table(bench, sizes):
    """Mean bright of every family as the data grow: it should fall as 1/sqrt(N)."""
    rows = []
    for family, words in FAMILIES:
        facts = []
        for size in sizes:
            data = bench.simulate(f"--model {family} -n {size} -d 5")
            facts.append(bench.fit(data, f"--model {family} {words} --engine fly --draws 5000"))
            note(f"{family} {words}, {size:,} rows: {number(facts[-1]['bright'])} bright, "
                 f"{number(facts[-1]['queries'])} queries an iteration")
        bright = [fact["bright"] for fact in facts]
        ratios = [few / many for few, many in zip(bright, bright[1:])]
        rows.append([f"{family} {words}".strip()] + [number(b) for b in bright]
                    + [f"{r:.1f}" for r in ratios] + [number(fact["queries"]) for fact in facts]
                    + [number(facts[0]["beacons"])])
    powers = [f"10^{round(math.log10(size))}" for size in sizes]
    head = (["family"] + [f"bright, {n}" for n in powers]
            + [f"{few} / {many}" for few, many in zip(powers, powers[1:])]
            + [f"queries an iteration, {n}" for n in powers] + [f"beacons, {powers[0]}"])
    return ["### Every family, 5 columns, as the data grow", ""] + table(head, rows)


def stan_row(bench, data):
    """Stan's NUTS in the same units, where rstan is installed; else a row that says so."""
    script = pathlib.Path(__file__).with_name("bench_stan.R")
    name = "Stan, NUTS"
    try:
        run(["Rscript", "-e", "library(rstan)"], 60)
    except (OSError, RuntimeError, subprocess.TimeoutExpired):
        return [f"{name} (rstan is not installed: not run)", "", "", "", "", ""]
    note("Stan (compiles first)")
    try:
        stan = json.loads(run(["Rscript", script, data, 4, 100 if bench.quick else 500], 1200)
                          .splitlines()[-1])
    except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
        note(f"Stan: {error}")
        return [f"{name} (failed)", "", "", "", "", ""]
    queries = 12214 * stan["leapfrogs"]
    draws = stan["ess"] / stan["iterations"]
    seconds = stan["chain_seconds"] * 4 / stan["iterations"]
    return [f"{name} (rstan {stan['version']})", number(queries), number(draws),
            f"{number(1e3 * draws / queries)} ({stan['name']})", number(1e6 * seconds),
            number(draws / seconds)]


def kernel_table(bench, with_stan):
    data = bench.simulate("-n 12214 -d 50")
    rows = []
    for name, words in KERNELS[:4] if bench.quick else KERNELS:
        note(name)
        fact = bench.fit(data, "--prior normal:1 " + words)
        rows.append([name, number(fact["queries"]), number(fact["draws"]),
                     f"{number(fact['per_1000'])} ({fact['slowest']})",
                     number(fact["iteration_us"]),
                     number(fact["draws"] / fact["iteration_us"] * 1e6)])
    if with_stan:
        rows.append(stan_row(bench, data))
    head = ["kernel", "queries per iteration", "effective draws per iteration",
            "effective draws per 1,000 queries", "us per iteration",
            "effective draws per second, a chain"]
    title = "### Peers: logistic, N = 12,214, 51 parameters, normal(0, 1) prior"
    return [title, ""] + table(head, rows)


def measure(options, folder):
    bench = Bench(options, folder)
    sizes = [10**4, 10**5, 10**6]
    if options.families:
        return family_table(bench, sizes)
    lines = tall_tables(bench, [12214, 100000] if options.quick else [12214, 100000, 1000000])
    lines += model_table(bench, "Other models", MODELS[2:4] if options.quick else MODELS)
    lines += model_table(bench, "Hard shapes, logistic", HARD[2:] if options.quick else HARD)
    if not options.quick:
        answers = ("400 persons, 100 items", bench.item_responses(), "--categorical person item")
        lines += model_table(bench, "Wide tables, logistic", [WIDE, answers])
        lines += family_table(bench, sizes)
    lines += kernel_table(bench, not options.quick or options.stan)
    if options.codes is not None:
        cases = [("the folder of --codes, softmax", options.codes, "--model softmax")]
        lines += model_table(bench, "Real data, not part of the repository", cases)
    return lines


def write_page(path, lines, begin=BEGIN, end=END):
    text = path.read_text()
    if begin not in text or end not in text:
        sys.exit(f"{path}: the marks {begin} and {end} are missing.")
    before, after = text.split(begin)[0], text.split(end)[1]
    path.write_text(before + begin + "\n\n" + "\n".join(lines) + "\n" + end + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build-bench"))
    parser.add_argument("--page", type=pathlib.Path, help="write between the marks of this page")
    parser.add_argument("--threads", type=int, default=2, help="of set-up; fits are timed on one")
    parser.add_argument("--quick", action="store_true", help="small tables only, about a minute")
    parser.add_argument("--families", action="store_true", help="the table of families only")
    parser.add_argument("--stan", action="store_true", help="Stan even with --quick")
    parser.add_argument("--codes", type=pathlib.Path, help="folder of real X.npy, y.npy: classes")
    options = parser.parse_args()
    if options.families and options.page is not None:
        parser.error("--families prints its table, --page would lose the others")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="flymc-bench-"))
    try:
        lines = measure(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if options.page is not None:
        write_page(options.page, lines)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
