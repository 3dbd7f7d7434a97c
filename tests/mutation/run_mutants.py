#!/usr/bin/env python3
"""Checks that a probe passes on the engine and fails on every error planted for it.

The probe is exactness_probe.cpp in its parts, or a test of tests/<layer>/ (--probe), which is linked
with GoogleTest. The sources of the folders that mutants touch are compiled one by one, whatever the
library unites; linked before it, they win over its own copies (which a unit brings along that holds
something else the probe needs), and a mutated one takes the place of its own. A mutated header goes
into an overlay folder that precedes the include path, and the parts of the probe are compiled with
it. Parts, and the tests of a file, run one after the other until one is red. Exit status 1 where
the probe fails on the engine, a mutant survives, does not compile, or no longer matches the source.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from mutants import MUTANTS_OF

RUN_LIMIT_S = 120
PARTS = ["logistic", "student_t", "softmax", "poisson"]
# No mutant changes these: they are parsed once.
PRECOMPILED = ["Eigen/Dense", "algorithm", "filesystem", "functional", "memory", "optional", "span",
               "string", "variant", "vector"]


class Broken(Exception):
    """A mutant that cannot be tried."""


class Builder:
    """Compiles and runs probes with one compiler, set of flags and library."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.root = pathlib.Path(options.root).resolve()
        self.precompiled = folder / "precompiled.hpp"
        self.precompiled.write_text("".join(f"#include <{name}>\n" for name in PRECOMPILED))
        probe = self.root / options.probe
        self.is_test = probe.stem.endswith("_test")
        self.parts = ({"": probe} if self.is_test
                      else {part: probe.with_name(f"probe_{part}.cpp") for part in PARTS})
        touched = {(self.root / file).parent for _, file, _ in MUTANTS_OF[options.probe]
                   if file.startswith("src/")}
        sources = [probe, *self.parts.values(),
                   *(source for each in sorted(touched) for source in sorted(each.glob("*.cpp")))]
        self.probe = {source: folder / f"{source.parent.name}_{source.stem}.o"
                      for source in sources}

    def objects(self, source=None, mutant=None):
        """Of the whole probe. A mutant's in the place of a source's comes first: of what is inline
        in several the linker keeps the first copy."""
        others = [own for each, own in self.probe.items() if each != source]
        return [mutant, *others] if mutant else others

    def run_compiler(self, words):
        command = [self.options.compiler, "-std=c++20", "-O1", *self.options.flag, *map(str, words)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise Broken("does not compile:\n" + result.stderr[-2000:])

    def compile(self, source, target, overlay=None):
        includes = [f"-I{overlay}"] if overlay else []
        includes += [f"-I{self.root / folder}" for folder in ("include", "src", "tests")]
        self.run_compiler(["-include", self.precompiled, *includes, "-c", source, "-o", target])

    def compile_probe(self, pool):
        """The probe as it is; every mutant shares its objects."""
        self.run_compiler(["-x", "c++-header", self.precompiled, "-o", f"{self.precompiled}.gch"])
        jobs = [pool.submit(self.compile, *each) for each in self.probe.items()]
        for job in jobs:
            job.result()

    def link(self, objects, program):
        framework = ["-lgtest_main", "-lgtest"] if self.is_test else []
        command = [self.options.compiler, *map(str, objects), "-Wl,-z,muldefs",
                   self.options.library, *self.options.link, *framework, "-lpthread", "-o",
                   str(program)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise Broken("does not link:\n" + result.stderr[-2000:])

    def run(self, program, *arguments):
        try:
            result = subprocess.run([str(program), *arguments], capture_output=True, text=True,
                                    check=False, timeout=RUN_LIMIT_S)
        except subprocess.TimeoutExpired:
            return 1, "worst z inf: the probe did not end"
        return result.returncode, result.stdout.strip() or f"ended with {result.returncode}"

    def run_part(self, program, part):
        """A part of the probe; of a test all of it, until the first red."""
        return self.run(program, "--gtest_fail_fast" if self.is_test else part)


def mutated_text(root, file, edits):
    text = (root / file).read_text()
    for old, new in edits:
        count = text.count(old)
        if count != 1:
            raise Broken(f"no longer applies: {file} has {count} places that read\n    {old!r}")
        text = text.replace(old, new)
    return text


def edits_by_file(file, edits):
    result = {file: []}
    for old, new, *other in edits:
        result.setdefault(other[0] if other else file, []).append((old, new))
    return result


def try_mutant(builder, number, mutant):
    description, file, edits = mutant
    folder = builder.folder / f"mutant{number}"
    overlay = folder / "overlay"
    is_header = file.endswith(".hpp")
    for each, its_edits in edits_by_file(file, edits).items():
        if is_header:
            changed = overlay / pathlib.Path(each).relative_to(pathlib.Path(each).parts[0])
        else:
            changed = folder / pathlib.Path(each).name
        changed.parent.mkdir(parents=True, exist_ok=True)
        changed.write_text(mutated_text(builder.root, each, its_edits))
    mutant, program = folder / "mutant.o", folder / "probe"
    if not is_header:
        builder.compile(changed, mutant)
        builder.link(builder.objects(builder.root / file, mutant), program)
    status, output = 0, ""
    for part in sorted(builder.parts, key=lambda name: name not in file):  # a family's own first
        if is_header:
            source = builder.parts[part]
            builder.compile(source, mutant, overlay)
            builder.link(builder.objects(source, mutant), program)
        status, output = builder.run_part(program, part)
        if status != 0:
            break
    return status, output


def report(builder, number, mutant):
    """One line of verdict and whether the mutant was caught."""
    start = time.monotonic()
    try:
        status, output = try_mutant(builder, number, mutant)
    except Broken as reason:
        return False, f"ERROR    {mutant[0]}: {reason}"
    # Of a test, what failed; a crash is not a test that turned red.
    failed = re.findall(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)(?:, where .*)? \(\d+ ms\)", output, re.MULTILINE)
    caught = status == 1 and (bool(failed) or re.match(r"worst z (inf|\d)", output) is not None)
    verdict = "caught  " if caught else "SURVIVED"
    summary = ", ".join(failed) or output.splitlines()[-1]
    return caught, f"{verdict} {mutant[0]}: {summary} ({time.monotonic() - start:.0f} s)"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--root", default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--library", required=True, help="the static library libflymc.a")
    parser.add_argument("--flag", action="append", default=[], help="a compiler flag; repeatable")
    parser.add_argument("--link", action="append", default=[], help="a linker flag; repeatable")
    parser.add_argument("--probe", default="tests/mutation/exactness_probe.cpp")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="text that the description contains")
    return parser.parse_args()


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="flymc_mutants_") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        builder = Builder(options, pathlib.Path(folder))
        try:
            builder.compile_probe(pool)
            builder.link(builder.objects(), builder.folder / "unmutated")
            status, output = builder.run(builder.folder / "unmutated")
        except Broken as reason:
            print(f"the probe itself {reason}")
            return 1
        print(f"unmutated: {output.splitlines()[-1]}", flush=True)
        if status != 0:
            return 1
        chosen = [m for m in MUTANTS_OF[options.probe] if options.only in m[0]]
        good = 0
        jobs = [pool.submit(report, builder, i, m) for i, m in enumerate(chosen)]
        for job in jobs:
            caught, line = job.result()
            good += caught
            print(line, flush=True)
        print(f"{good} of {len(chosen)} mutants caught")
        return 0 if good == len(chosen) and chosen else 1


if __name__ == "__main__":
    sys.exit(main())
