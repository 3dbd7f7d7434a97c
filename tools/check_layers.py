#!/usr/bin/env python3
"""Fails where an include points up: the layers of docs/design.md, kept by the build.

A file's layer is its folder below src/ or include/flymc/ (detail/ apart), apps/, python/ or r/.
Fails, too, where the library speaks the language of a layer above it: a string in src/ or include/
that names a flag of the command line. The library names settings (flymc/message.hpp). And where
anything but src/core/standard_error.cpp writes to standard error: a message must not end a run.
"""
import pathlib
import re
import sys

# A layer may include itself and what stands beside its name.
BELOW_FIT = ["core", "ranks", "data/table", "data/input", "data/csv", "data/format", "data/load",
             "diagnose", "family", "posterior", "tune", "kernel", "chain", "groups", "linear"]
ALLOWED = {
    "core": [],
    "ranks": ["core"],
    "data/table": ["core", "ranks"],
    "data/input": ["core", "ranks", "data/table"],
    "data/csv": ["core", "ranks", "data/table", "data/input"],
    "data/format": ["core", "ranks", "data/table", "data/input", "data/csv"],
    "data/load": ["core", "ranks", "data/table", "data/input", "data/csv", "data/format"],
    "diagnose": ["core"],
    "family": ["core", "ranks", "data/table"],
    "posterior": ["core", "ranks", "data/table", "family"],
    "tune": ["core", "ranks", "data/table", "family", "posterior"],
    "kernel": ["core", "posterior"],
    "chain": ["core", "ranks", "data/table", "diagnose", "family", "posterior", "tune", "kernel"],
    "groups": ["core", "ranks", "data/table", "family", "posterior", "tune", "kernel", "chain"],
    "linear": ["core", "ranks", "data/table", "family", "posterior", "tune", "kernel", "chain"],
    "fit": BELOW_FIT,
    "run": [*BELOW_FIT, "fit"],
    "predict": [*BELOW_FIT, "fit", "run"],
    "compare": [*BELOW_FIT, "fit", "run"],
    "effects": [*BELOW_FIT, "fit", "run", "predict"],
    "check": [*BELOW_FIT, "fit", "run", "predict"],
    "report": [*BELOW_FIT, "fit", "run", "predict", "compare", "effects", "check"],
}
LIBRARY = list(ALLOWED)
ALLOWED |= {
    "cli": [*LIBRARY, "paper"],
    "paper": [*LIBRARY, "cli"],  # a command of its own, with the options of fit
    "python": LIBRARY,
    "r": ["core", "data/table", "diagnose", "family", "fit", "predict", "compare", "effects", "check",
          "report"],  # by public headers alone
}
# Headers that stand in include/flymc itself; flymc.hpp, the umbrella, is everybody's.
AT_THE_TOP = {"error": "core", "message": "core", "random": "core", "ranks": "ranks", "table": "data/table",
              "dataset": "data/table", "load_spec": "data/table",
              "load": "data/load",
              "fit": "fit", "predict": "predict", "answers": "report", "flymc": "report"}
INCLUDE = re.compile(r'#include "([^"]+)"')
TOKEN = re.compile(r'//.*|"((?:[^"\\]|\\.)*)"')  # a comment, or a string
FLAG = re.compile("--[a-z]")
STDERR = re.compile(r"\b(stderr|cerr)\b")
ROOTS = ["include/flymc", "src", "apps", "python/src", "r/src"]


def layer_of(parts):
    """The layer of a path below include/flymc, src or apps; None: a file beside its includer."""
    parts = [part for part in parts if part != "detail"]
    if len(parts) == 1:
        return AT_THE_TOP.get(pathlib.Path(parts[0]).stem)
    folder = parts[0]
    return f"{folder}/{parts[1]}" if folder == "data" else folder


def own_layer(root, base, path):
    if base in ("python/src", "r/src"):
        return base.split("/")[0]
    return layer_of(path.relative_to(root / base).parts)


def names_flag(line: str) -> bool:
    """Whether a string of this line names one."""
    return any(FLAG.search(token[1] or "") for token in TOKEN.finditer(line))


def uses_stderr(line: str) -> bool:
    """Outside of comments and strings."""
    return STDERR.search(TOKEN.sub("", line)) is not None


def main(root: pathlib.Path) -> int:
    bad = 0
    for base in ROOTS:
        is_library = base in ("include/flymc", "src")
        for path in sorted((root / base).rglob("*.[ch]pp")):
            layer = own_layer(root, base, path)
            if layer not in ALLOWED:
                print(f"{path}: in no layer that tools/check_layers.py knows")
                bad += 1
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if is_library and names_flag(line):
                    print(f"{path}:{number}: a flag in a string of the library; name the setting")
                    bad += 1
                if uses_stderr(line):
                    print(f"{path}:{number}: messages go through print_error (core/standard_error.hpp)")
                    bad += 1
                match = INCLUDE.match(line)
                if not match:
                    continue
                name = match[1].removeprefix("flymc/")
                other = layer_of(name.split("/"))
                if other and other != layer and other not in ALLOWED[layer]:
                    print(f"{path}:{number}: layer '{layer}' may not include '{match[1]}'")
                    bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
