#!/usr/bin/env python3
"""What a build of flymc does, written down: every file, message and exit code of some eighty commands.

    tools/golden_runs.py OLD/flymc old/   then, after a change that must change nothing,
    tools/golden_runs.py NEW/flymc new/   and  diff -r old/ new/

Both on one machine: the last digits of a draw depend on its processor. Times are masked.
"""
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys

MODELS = {
    "logistic": "", "probit": "", "softmax": "--classes 3", "student-t": "",
    "poisson": "", "negative-binomial": "--size 2", "binomial": "--trials 5",
}
OWN = {"student-t": "--scale auto", "negative-binomial": "--size 2", "binomial": "--trials {sim}/trials.npy"}
SHORT = "--chains 2 --warmup 150 --draws 100 --seed 3 --threads 1"
SETTINGS = {
    "default": "", "threads": "--threads 2", "regular": "--regular", "fly": "--engine fly",
    "hmc": "--kernel hmc", "mala": "--kernel mala", "rwmh": "--kernel rwmh",
    "slice": "--kernel slice", "elliptical": "--kernel elliptical",
    "independence": "--kernel independence", "map": "--bound map", "untuned": "--bound untuned",
    "implicit": "--engine fly --z implicit", "explicit": "--engine fly --z explicit",
    "plain": "--frame plain", "init-prior": "--init prior", "init-map": "--init map",
    "sgd": "--anchor sgd", "laplace": "--prior laplace:0.5",
    "normal": "--prior normal:1 --prior-intercept normal:5", "select": "--select-prior",
    "no-intercept": "--no-intercept", "regular-rwmh": "--regular --kernel rwmh",
    "thin": "--thin 3 --save-warmup",
}
FEW = ["default", "regular", "map", "implicit", "hmc", "laplace", "select"]  # for every family

CSV = "y,age,city,w,o,n\n" + "".join(
    f"{(i * 7919 % 101) % 3},{(i * 37 % 83) / 10},{'ABC'[i % 3]},{1 + i % 2},{i % 5 / 10},{3 + i % 4}\n"
    for i in range(400))

# Each runs in the folder of the recording; {sim} stands for a simulated table.
OTHER = [
    "inspect t.csv --response y", "inspect t.csv --response y --json",
    "fit t.csv --response y --model softmax --categorical city --weights w --offset o --drop n --out c1 " + SHORT,
    "fit t.csv --response y --model poisson --formula 'y ~ age + city + age:city' --categorical city --offset o --out c2 " + SHORT,
    "fit t.csv --response y --model binomial --trials n --features age --out c3 " + SHORT,
    "fit t.csv --response y --model student-t --features age --nu 3 --scale 0.5 --out c4 " + SHORT,
    "summary c1", "summary c1 --json", "summary c2 --all", "predict c1 t.csv --out p1.csv",
    "predict c2 t.csv --out p2.csv --log-lik", "predict c3 t.csv --out p3.csv", "predict c4 t.csv --out p4.csv",
    "report c1", "report c2", "report c3", "report c4", "export c1 --to npz --out e1.npz",
    "export c2 --to zarr --out e2.zarr", "convert t.csv t.fly --response y --categorical city",
    "fit t.fly --model softmax --out c5 " + SHORT, "fit --resume c4 --draws 150 --threads 1 --progress none",
    "fit --resume c4", "demo --out demo", "--help", "fit --help", "simulate --help", "--version",
    # errors, one of a kind
    "fit t.csv --response Y --out x", "fit t.csv --response y --out x", "fit t.csv --response y --model logistic --drop city --out x",
    "fit t.csv --response city --model student-t --scale auto --out x", "fit t.csv --response age --model poisson --drop city --out x",
    "fit t.csv --response y --model softmax --prior flat --drop city --out x", "fit none.csv --response y --out x",
    "fit t.csv --response y --draws -5 --out x", "fit t.csv --response y --modle logistic --out x",
    "fit t.csv --response y --model logistc --out x", "fit t.csv --response y --model negative-binomial --drop city --out x",
    "fit t.csv --response y --model student-t --nu -1 --drop city --out x", "fit t.csv --response y --model binomial --drop city --out x",
    "fit t.csv --response w --model logistic --features age --prior normal:x --out x", "fit --resume nowhere",
    "fit t.csv --response y --model softmax --categorical city --out c1", "fit t.csv --response w --model logistic --features age --kernel split-hmc --frame plain --out x",
    "fit t.csv --response w --model logistic --features age --prior flat --init prior --out x", "fit missing.csv --response y --out x",
    "fit ragged.csv --response y --out x", "fit inf.csv --response y --out x", "fit const.csv --response y --out x",
    "fit separable.csv --response y --prior flat --out x", "fit t.csv --response w --model logistic --features age --scale 3 --out x",
    "fit t.csv --response w --model logistic --features age --size 3 --out x", "fit t.csv --response w --model logistic --features age --xi 3 --out x",
    "fit t.csv --response w --model logistic --features age --bound local --frame plain --out x", "predict nowhere t.csv",
    "fit t.csv --response n --model poisson --bound map --features age --out x", "fit exact.csv --response y --model student-t --scale auto --out noise_free " + SHORT,
    "simulate --model logistic -n 0 -d 5 --out x", "simulate --model probit -n 10 -d 5 --classes 4 --out x", "report nowhere", "export c1 --to csv --out x",
]


def masked(text):
    text = re.sub(r"\b\d+(\.\d+)?(e[+-]?\d+)? ?(ms|us|µs|s|min|m|minutes|seconds)\b", "<time>", text)
    text = re.sub(r"[\d.,e+-]+( effective draws| ESS)?( (per|a)) second", "<rate> per second", text)
    text = re.sub(r'("[a-z_]*(seconds|_s|_per_second|wall)[a-z_]*": ?)[\d.e+-]+', r"\1<time>", text)
    return re.sub(r"ESS per second:? *[\d.,e+-]+|[\d.,e+-]+ per second", "<rate>", text)


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


class Recorder:
    def __init__(self, binary, out):
        self.binary, self.out = pathlib.Path(binary).resolve(), pathlib.Path(out).resolve()
        self.work = self.out.with_name(self.out.name + ".work")
        shutil.rmtree(self.out, ignore_errors=True)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def run(self, name, words):
        done = subprocess.run(f"{self.binary} {words}", shell=True, cwd=self.work, capture_output=True,
                              text=True, check=False, stdin=subprocess.DEVNULL)
        clean = [masked(text).replace(str(self.work), "<here>").replace(str(self.binary), "flymc")
                 for text in (done.stdout, done.stderr)]
        put(self.out / "said" / f"{name}.txt", f"$ flymc {words}\nexit {done.returncode}\n{clean[0]}--- stderr\n{clean[1]}")

    def keep_files(self):
        for path in sorted(self.work.rglob("*")):
            if path.is_file():
                raw = path.read_bytes()
                text = path.suffix in (".csv", ".json", ".html", ".svg", ".txt")
                target = self.out / "files" / path.relative_to(self.work)
                if text:
                    put(target, masked(raw.decode()).replace(str(self.work), "<here>"))
                elif path.suffix != ".npy":  # checkpoints hold times
                    put(target.with_name(target.name + ".size"), f"{len(raw)}\n")


def main(binary, out):
    recorder = Recorder(binary, out)
    for name, text in {"t": CSV, "missing": "y,a\n0,1\n1,\n0,3\n", "ragged": "y,a\n0,1\n1,2,3\n", "inf": "y,a\n0,1\n1,1e999\n",
                       "const": "y,a\n1,1\n1,2\n", "separable": "y,a\n0,1\n0,2\n1,3\n1,4\n",
                       "exact": "y,a\n" + "".join(f"{2 * i},{i}\n" for i in range(50))}.items():
        put(recorder.work / f"{name}.csv", text)
    fits = []
    for model, own in MODELS.items():
        recorder.run(f"simulate-{model}", f"simulate --model {model} -n 1500 -d 4 {own} --seed 5 --out sim-{model}")
        for setting in SETTINGS if model == "logistic" else FEW:
            if model == "poisson" and setting in ("map", "implicit"):
                continue
            fits.append((f"fit-{model}-{setting}",
                         f"fit sim-{model}/X.npy --response sim-{model}/y.npy --model {model} {OWN.get(model, '')} "
                         .format(sim=f"sim-{model}") + f"{SHORT} {SETTINGS[setting]} --progress none --out {model}-{setting}"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda fit: recorder.run(*fit), fits))
    for number, words in enumerate(OTHER):
        recorder.run(f"other-{number:02}", words)
    recorder.keep_files()
    print(json.dumps({"fits": len(fits), "others": len(OTHER), "at": str(out)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
