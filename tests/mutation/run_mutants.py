#!/usr/bin/env python3
"""Checks that a probe passes on the engine and fails on every error planted for it.

    run_mutants.py BUILD                                  does every error still have its place?
    run_mutants.py BUILD --units                          compile what all probes share, once
    run_mutants.py BUILD --probe tests/FOLDER/NAME.cpp    then each probe

A probe is a test of tests/<layer>/, or exactness_probe.cpp with its parts. All errors planted for
it are in one program, each behind a switch (switches.py) that the environment sets: FLYMC_MUTANT=12.

Of the library, the units that hold a planted error are compiled again as the library compiles them
(compile_commands.json says how; a unit is a file, or those that are united), so that what is inlined
within one is inlined with its error. Linked before the library they win over its own copies. A
header with errors lies in an overlay folder that precedes the include path, and the probe is
compiled with it; other probes are the objects of the layer's test program.

Tests run until one is red, those first that take the least time; a test has to pass in the same
program without an error before its red counts. Exit status 1 where it does not, where a mutant
survives, crashes, does not compile, or no longer matches the source.
"""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass

from mutants import MUTANTS_OF
from switches import SWITCH, with_switches

RUN_LIMIT_S = 120  # of processor time
HANG_LIMIT_S = 900  # by the clock: what waits uses no processor
QUICK_S = 0.1  # tests below it run together
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXACTNESS = "tests/mutation/exactness_probe.cpp"


class Broken(Exception):
    """A mutant that cannot be tried."""


@dataclass(frozen=True)
class Mutant:
    number: int
    probe: str
    description: str
    file: str
    edits: dict  # by file

    @property
    def in_header(self):
        return self.file.endswith(".hpp")


def number_mutants():
    result = []
    for probe, mutants in MUTANTS_OF.items():
        for description, file, edits in mutants:
            by_file = {}
            for old, new, *other in edits:
                by_file.setdefault(other[0] if other else file, []).append((old, new))
            result.append(Mutant(len(result), probe, description, file, by_file))
    return result


ALL = number_mutants()


def read_source(file, edits):
    text = (ROOT / file).read_text()
    for old, _ in edits:
        if text.count(old) != 1:
            raise Broken("no longer applies: "
                         f"{file} has {text.count(old)} places that read\n    {old!r}")
    return text


def edited(file, edits):
    text = read_source(file, edits)
    for old, new in edits:
        text = text.replace(old, new)
    return text


def switched(file, mutants):
    """A file with the mutants that touch it, and the numbers that it can be switched to."""
    edits_of = {m.number: m.edits[file] for m in mutants if file in m.edits}
    text = read_source(file, [edit for edits in edits_of.values() for edit in edits])
    return with_switches(text, edits_of)


@functools.cache
def switchable():
    """The numbers of mutants of which every edit can be behind a switch."""
    files = {file for mutant in ALL for file in mutant.edits}
    inside = {file: switched(file, ALL)[1] for file in files}
    return {m.number for m in ALL if all(m.number in inside[file] for file in m.edits)}


class Build:
    """How the build folder compiles its files; what is made of planted errors lies in it, too."""

    def __init__(self, folder, link):
        self.folder = folder.resolve()
        self.link_words = link
        self.own = self.folder / "tests/mutation"
        self.own.mkdir(parents=True, exist_ok=True)
        self.switch = self.own / "switch.hpp"
        self.commands = {}  # by unit: words without output and source, and the object
        for entry in json.loads((self.folder / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            at = words.index("-o")
            self.commands[pathlib.Path(entry["file"])] = (words[:at], self.folder / words[at + 1])

    def unit_of(self, file):
        """The unit of the library that a source is compiled in."""
        for unit, (_, target) in self.commands.items():
            if "CMakeFiles/flymc.dir" in str(target) and (unit == ROOT / file or (
                    "Unity" in unit.parts and f'"{ROOT / file}"' in unit.read_text())):
                return unit
        raise Broken(f"{file} is no source of the library")

    def object_of(self, unit):
        return self.own / "units" / (unit.stem + ".o")

    def test_objects(self, program):
        return [target for _, target in self.commands.values()
                if f"tests/CMakeFiles/test_{program}.dir" in str(target)]

    def compile(self, like, source, target, overlay=None):
        """As the unit `like` is compiled; a planted error may leave a name unused."""
        words = self.commands[like][0]
        target.parent.mkdir(parents=True, exist_ok=True)
        command = [words[0], *([f"-I{overlay}"] if overlay else []), *words[1:], "-w", "-include",
                   str(self.switch), "-c", str(source), "-o", str(target)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise Broken("does not compile:\n" + result.stderr[:2000])

    def compile_unit(self, unit, texts, target):
        """A unit of the library with other texts of some of its files."""
        text = unit.read_text()
        for file, other in texts.items():
            place = target.with_suffix("") / pathlib.Path(file).name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(other)
            text = (text.replace(f'"{ROOT / file}"', f'"{place}"') if "Unity" in unit.parts
                    else f'#include "{place}"\n')
        source = target.with_suffix(".cpp")
        source.write_text(text)
        self.compile(unit, source, target)

    def link(self, objects, program):
        compiler = next(iter(self.commands.values()))[0][0]
        command = [compiler, *map(str, objects), "-Wl,-z,muldefs", *self.link_words, "-lpthread",
                   "-o", str(program)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise Broken("does not link:\n" + result.stderr[-2000:])


def compile_shared_unit(build, unit, mutants):
    """Every error planted in a unit, behind its switch."""
    files = {file for mutant in mutants for file in mutant.edits}
    texts = {file: switched(file, [m for m in mutants if m.number in switchable()])[0]
             for file in files}
    build.compile_unit(unit, texts, build.object_of(unit))


def compile_units(build, jobs):
    """The units of the library that hold errors. Returns whether all compile."""
    build.switch.write_text(SWITCH)
    units = {}
    for mutant in ALL:
        if not mutant.in_header:
            units.setdefault(build.unit_of(mutant.file), []).append(mutant)
    (build.own / "units").mkdir(exist_ok=True)
    good = True
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        tasks = {unit: pool.submit(compile_shared_unit, build, unit, mutants)
                 for unit, mutants in units.items()}
        for unit, task in tasks.items():
            try:
                task.result()
            except Broken as reason:
                good = False
                print(f"{unit.name} with the errors planted in it {reason}")
    print(f"{len(units)} units of the library; {len(switchable())} of {len(ALL)} errors are switched")
    return good


class Probe:
    """The programs of one probe."""

    def __init__(self, build, source):
        self.build = build
        self.source = source
        self.folder = build.own / source.stem
        self.folder.mkdir(exist_ok=True)
        self.program = self.folder / "probe"
        self.name = str(source.relative_to(ROOT))
        self.mutants = [m for m in ALL if m.probe == self.name]
        self.units = {build.unit_of(m.file) for m in self.mutants if not m.in_header}
        self.sources = (sorted(source.parent.glob("*.cpp")) if self.name == EXACTNESS else [source])
        layer = "kernel" if self.name == EXACTNESS else source.parent.name
        own = source.stem.removesuffix("_test")  # a few tests are programs of their own
        self.objects = build.test_objects(own) or build.test_objects(layer)
        self.like = next(unit for unit, (_, target) in build.commands.items()
                         if target == self.objects[0])

    def compile(self, texts, folder):
        """The probe with other texts of headers."""
        for file, text in texts.items():
            place = folder / "overlay" / pathlib.Path(*pathlib.Path(file).parts[1:])
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        for source in self.sources:
            self.build.compile(self.like, source, folder / (source.stem + ".o"), folder / "overlay")
        return [folder / (source.stem + ".o") for source in self.sources]

    def make_all(self):
        """The program with every switch."""
        headers = {file for m in self.mutants if m.in_header for file in m.edits}
        texts = {file: switched(file, [m for m in self.mutants if m.number in switchable()])[0]
                 for file in headers}
        if headers:
            self.objects = self.compile(texts, self.folder)
        self.build.link([*self.objects, *map(self.build.object_of, self.units)], self.program)

    def make_one(self, mutant):
        """The program of a mutant that has no switch."""
        folder = self.folder / str(mutant.number)
        folder.mkdir(exist_ok=True)
        texts = {file: edited(file, edits) for file, edits in mutant.edits.items()}
        units = set(self.units)
        if mutant.in_header:
            objects = self.compile(texts, folder)
        else:
            own = self.build.unit_of(mutant.file)
            units.remove(own)
            self.build.compile_unit(own, texts, folder / "unit.o")
            objects = [*self.objects, folder / "unit.o"]
        self.build.link([*objects, *map(self.build.object_of, units)], folder / "probe")
        return folder / "probe"


def patterns_in(source):
    """The tests of a file, as GoogleTest names them."""
    kinds = {"TEST": "{}.{}", "TEST_F": "{}.{}", "TEST_P": "*/{}.{}/*", "TYPED_TEST": "{}/*.{}"}
    found = re.findall(rf"^({'|'.join(kinds)})\(\s*(\w+),\s*(\w+)\)", source.read_text(),
                       re.MULTILINE)
    return [kinds[kind].format(suite, name) for kind, suite, name in found]


def names_of(program, pattern):
    """The tests of a program that a pattern means."""
    lines = subprocess.run([str(program), "--gtest_list_tests", f"--gtest_filter={pattern}"],
                           capture_output=True, text=True, check=True).stdout.splitlines()
    names, suite = [], ""
    for line in lines:
        word = line.split("#")[0].strip()
        if line.startswith("  "):
            names.append(suite + word)
        elif word.endswith("."):
            suite = word
    if not names:
        raise Broken(f"has no test {pattern}")
    return names


def run_tests(program, names, number=None):
    """Processor seconds and the name of what is red: None where all pass."""
    environment = {**os.environ, "FLYMC_MUTANT": str(-1 if number is None else number)}
    command = [str(program), "--gtest_fail_fast", "--gtest_filter=" + ":".join(names)]
    # The clock would stop a test where others use the machine.
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (RUN_LIMIT_S, -1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        result = subprocess.run(command, env=environment, capture_output=True, text=True,
                                check=False, preexec_fn=limit, timeout=HANG_LIMIT_S)
    except subprocess.TimeoutExpired as late:  # hung or slow: no test has turned red
        raise Broken(f"has not ended after {HANG_LIMIT_S} s by the clock") from late
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if result.returncode == 0:
        return seconds, None
    if result.returncode == -signal.SIGXCPU:
        return seconds, "did not end"
    failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)(?:, where .*)? \(\d+ ms\)", result.stdout,
                        re.MULTILINE)
    if result.returncode != 1 or not failed:  # a crash is not a test that turned red
        raise Broken(f"crashes, with {result.returncode}")
    return seconds, ", ".join(failed)


class Tests:
    """The tests of a probe, each tried without an error before it is believed."""

    def __init__(self, program, names):
        self.program = program
        self.untried = list(names)
        self.seconds = {}

    def try_next(self):
        name = self.untried.pop(0)
        self.seconds[name], failed = run_tests(self.program, [name])
        if failed:
            raise Broken(f"fails without an error: {failed}")
        return name

    def stages(self):
        """Those that passed, quick ones together and the slowest last; then the others."""
        quick = [name for name, seconds in self.seconds.items() if seconds < QUICK_S]
        if quick:
            yield quick
        for name in sorted(set(self.seconds) - set(quick), key=self.seconds.get):
            yield [name]
        while self.untried:
            yield [self.try_next()]


def report(probe, tests, mutant):
    """One line of verdict and whether the mutant was caught."""
    used = 0.0
    try:
        program = probe.program if mutant.number in switchable() else probe.make_one(mutant)
        for stage in tests.stages():
            seconds, failed = run_tests(program, stage, mutant.number)
            used += seconds
            if failed:
                return True, f"caught   {mutant.description}: {failed} ({used:.1f} s)"
    except Broken as reason:
        return False, f"ERROR    {mutant.description}: {reason}"
    return False, f"SURVIVED {mutant.description} ({used:.1f} s)"


def try_probe(build, source, only):
    """Whether the probe passes as it is and fails with each error."""
    probe = Probe(build, source)
    try:
        probe.make_all()
        tests = Tests(probe.program, [name for pattern in patterns_in(source)
                                      for name in names_of(probe.program, pattern)])
        while tests.untried and probe.name == EXACTNESS:  # no other program has these
            tests.try_next()
    except Broken as reason:
        print(f"the probe with the errors planted for it {reason}")
        return False
    chosen = [m for m in probe.mutants if only in m.description]
    good = 0
    for mutant in chosen:
        caught, line = report(probe, tests, mutant)
        good += caught
        print(line, flush=True)
    print(f"{len(tests.seconds)} tests pass without an error")
    print(f"{good} of {len(chosen)} mutants caught")
    return good == len(chosen) and bool(chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="the build folder")
    parser.add_argument("--units", action="store_true", help="compile what all probes share")
    parser.add_argument("--probe", type=pathlib.Path, help="a file of tests/")
    parser.add_argument("--link", action="append", default=[], help="a word of the link; repeatable")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="text that the description contains")
    options = parser.parse_args()
    try:
        build = Build(options.build, options.link)
        switchable()  # or what no longer applies
        good = not options.units or compile_units(build, options.jobs)
        if good and options.probe:
            good = try_probe(build, ROOT / options.probe, options.only)
    except Broken as reason:
        print(reason)
        good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
