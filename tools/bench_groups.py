#!/usr/bin/env python3
"""Group effects as rows and levels grow, and where groups are hard: `make bench-groups` runs this.

Every row of a table is one fit, on one thread, of the engine with coins and, where all rows can be
paid for, of the same moves with every row; effective draws a second are the fewest of fixed
effects, scales, log density and 2,000 levels (of several factors: all). Writes markdown tables;
with --page, between the marks of that page. Standard library only.
"""
import argparse
import json
import math
import pathlib
import random
import tempfile

from bench_performance import Bench, note, number, run, table, write_page

BEGIN, END = "<!-- groups: begin -->", "<!-- groups: end -->"
MOST_LEVELS = 2000  # among which the fewest effective draws are looked for


class Groups(Bench):
    def fit_groups(self, data, formula, words, most_levels=MOST_LEVELS):
        """Facts of a run, with the seconds of one iteration of one chain."""
        out = self.folder / "run"
        run([self.flymc, "fit", data, "--formula", formula, "--out", out, "--overwrite",
             "--threads", 1, "--progress", "none", *words.split()], limit=3600)
        summary = json.loads(run([self.flymc, "summary", out, "--json"]))
        levels = [p for p in summary["parameters"] if p["column"].startswith("u.")]
        others = [p for p in summary["parameters"] if not p["column"].startswith("u.")]
        summary["parameters"] = others + levels[:most_levels]
        facts = self.facts(json.loads((out / "run.json").read_text()), summary)
        said = run([self.flymc, "summary", out])
        checks = next(line for line in said.splitlines() if line.startswith("checks"))
        facts["checks"] = "pass" if "all passed" in checks else "fail, said"
        facts["per_second"] = 1e6 * facts["draws"] / facts["iteration_us"]
        return facts

    def simulated(self, rows, columns, levels):
        """A .fly file of logistic rows with one factor."""
        words = f"--rows {rows} --columns {columns} --groups {levels} --predictor-sd 1 --fly"
        return self.simulate(words) / "data.fly"


def rows_of(draw, levels, per_level, eta, respond):
    """CSV lines of levels with so many rows each; `per_level` may be a function of the level."""
    lines = ["y,x,g"]
    for level in range(levels):
        u = eta(level)
        for _ in range(per_level(level) if callable(per_level) else per_level):
            x = draw.gauss(0, 1)
            lines.append(f"{respond(level, u + 0.3 * x)},{x:.5f},g{level}")
    return "\n".join(lines) + "\n"


def hard_shapes():
    """Name, model, and the text of a table."""
    draw = random.Random(23)

    def coin(_, eta):
        return int(draw.random() < 1 / (1 + math.exp(-eta)))

    def count(_, eta):
        left, mean, k = draw.expovariate(1), math.exp(eta), 0
        while left < mean:
            left += draw.expovariate(1)
            k += 1
        return k

    half = lambda _: draw.gauss(0, 0.5)
    yield ("five Poisson rows a level, 2,000 levels", "poisson",
           rows_of(draw, 2000, 5, half, count))
    yield ("intercept -4, 100 rows a level, 200 levels", "logistic",
           rows_of(draw, 200, 100, lambda _: draw.gauss(-4, 0.5), coin))
    yield ("one Poisson row a level, 5,000 levels", "poisson",
           rows_of(draw, 5000, 1, half, count))  # of yes and no such levels are refused
    yield ("Zipf: 500 levels of 10,000/k rows", "logistic",
           rows_of(draw, 500, lambda level: max(1, 10000 // (level + 1)), half, coin))
    yield ("a level that separates, of 50 with 100 rows", "logistic",
           rows_of(draw, 50, 100, half, lambda level, eta: 1 if level == 0 else coin(level, eta)))
    yield ("scale near zero, 5 levels of 2,000 rows", "logistic",
           rows_of(draw, 5, 2000, lambda _: 0.0, coin))


def matches(players, games):
    """CSV lines of games between two players each, whose strengths are normal(0, 0.8)."""
    draw = random.Random(29)
    strength = [draw.gauss(0, 0.8) for _ in range(players)]
    lines = ["y,a,b"]
    for _ in range(games):
        a, b = draw.sample(range(players), 2)
        won = draw.random() < 1 / (1 + math.exp(-0.2 - strength[a] + strength[b]))
        lines.append(f"{int(won)},p{a},p{b}")
    return "\n".join(lines) + "\n"


def crossed_table(bench):
    def row(name, data, formula):
        note(name)
        facts = bench.fit_groups(data, formula, "--draws 2500 --levels summary", most_levels=None)
        return [name, number(facts["setup_s"]), number(facts["bright"]), number(facts["queries"]),
                number(facts["iteration_us"] / 1000), f"{number(facts['ess'])} ({facts['slowest']})",
                number(facts["per_second"]), facts["checks"]]

    games = bench.folder / "games.csv"
    games.write_text(matches(5000, 160_000))
    ratings = bench.simulate("--rows 1000000 --columns 2 --groups 5000,5000 --predictor-sd 1 --fly")
    rows = [row("`(1 \\| a - b)`, 5,000 players, 160,000 matches", games, "y ~ 1 + (1 | a - b)"),
            row("`(1 \\| g1) + (1 \\| g2)`, 5,000 x 5,000 levels, 10^6 rows", ratings / "data.fly",
                "y ~ x1 + x2 + (1 | g1) + (1 | g2)")]
    return table(["logistic", "set-up, s", "bright", "queries an iteration", "an iteration, ms",
                  "fewest effective of 10,000", "effective draws a second", "checks"], rows)


def growth_table(bench, sizes):
    columns = " + ".join(f"x{j}" for j in range(1, 11))
    rows = []
    for n, levels, draws, regular in sizes:
        note(f"{n} rows, {levels} levels")
        data = bench.simulated(n, 10, levels)
        words = f"--draws {draws} --levels summary"
        fly = bench.fit_groups(data, f"y ~ {columns} + (1 | g1)", words + " --engine fly")
        row = [f"{n:,} rows, {levels:,} levels", number(fly["setup_s"]), number(fly["bright"]),
               number(fly["queries"]), number(fly["iteration_us"] / 1000), number(fly["draws"]),
               number(fly["per_second"])]
        if regular:
            all_rows = bench.fit_groups(data, f"y ~ {columns} + (1 | g1)",
                                        f"--draws {regular} --warmup 50 --levels summary --engine regular")
            row.append(number(fly["per_second"] / all_rows["per_second"]))
        else:
            row.append("")
        rows.append(row)
    return table(["logistic, p = 10", "set-up, s", "bright", "queries an iteration",
                  "an iteration, ms", "effective, of all draws", "effective draws a second",
                  "times those of all rows"], rows)


def hard_table(bench):
    rows = []
    for name, model, text in hard_shapes():
        note(name)
        data = bench.folder / "hard.csv"
        data.write_text(text)
        words = f"--model {model} --levels summary --engine"
        auto = bench.fit_groups(data, "y ~ x + (1 | g)", f"{words} auto")
        all_rows = bench.fit_groups(data, "y ~ x + (1 | g)",
                                    f"{words} regular --warmup 300 --draws 500")
        rows.append([name, auto["engine"], number(auto["queries"]), number(all_rows["queries"]),
                     f"{number(auto['ess'])} ({auto['slowest']})", auto["checks"],
                     number(auto["per_second"]),
                     number(auto["per_second"] / all_rows["per_second"])])
    return table(["shape", "engine chosen", "queries an iteration", "of all rows",
                  "fewest effective of 4,000", "checks", "effective draws a second",
                  "times those of all rows"],
                 rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--page", type=pathlib.Path, help="write between the marks of this page")
    parser.add_argument("--quick", action="store_true", help="small tables only")
    parser.add_argument("--only", choices=["growth", "hard", "crossed"])
    options = parser.parse_args()
    options.threads = 1
    # Rows, levels, draws a chain: the fewest effective draws of a thousand levels are those of the
    # estimate's noise where chains are short. Draws of all rows' moves, or none.
    sizes = [(10**5, 1000, 5000, 200), (10**6, 1000, 5000, 0), (10**7, 1000, 5000, 0),
             (10**6, 10**5, 500, 0)]
    with tempfile.TemporaryDirectory() as folder:
        bench = Groups(options, pathlib.Path(folder))
        lines = []
        if options.only in (None, "growth"):
            lines += growth_table(bench, sizes[:1] if options.quick else sizes)
        if options.only in (None, "hard"):
            lines += hard_table(bench)
        if options.only in (None, "crossed") and not options.quick:
            lines += crossed_table(bench)
    if options.page is None:
        print("\n".join(lines))
        return
    write_page(options.page, lines, BEGIN, END)


if __name__ == "__main__":
    main()
