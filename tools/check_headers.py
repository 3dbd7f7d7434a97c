#!/usr/bin/env python3
"""Fails where a header does not compile alone: precompiled headers would hide what it forgot.

    tools/check_headers.py BUILD_FOLDER [--all]

takes compiler and flags from the folder's compile_commands.json. Without --all: the headers that
are installed. A private header is the first include of its own source, so preset dev, which has no
precompiled headers, checks those as well.

Most headers include linalg.hpp, and with it Eigen, by some way. Compiled alone they see all of it
before their own first line, so that it can be parsed once for all of them and hides nothing.
"""
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "apps"]  # of the include path
LINALG = ROOT / "include/flymc/detail/core/linalg.hpp"


def flags_of(build):
    """Compiler and flags of a file that sees every include path, less what makes it that file."""
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    entry = next(c for c in commands if c["file"].endswith("apps/cli/main.cpp"))
    words = [word for word in shlex.split(entry["command"]) if "ccache" not in word]
    keep, skip = [], False
    for word in words:
        if skip or word in ("-o", "-c", "-include", "-MT", "-MF"):
            skip = not skip
        elif word not in ("-MD", "-Winvalid-pch") and not word.startswith("-O"):
            keep.append(word)
    return keep


@functools.cache
def includes_linalg(header):
    """Whether any way of includes of our own leads from a header to linalg.hpp."""
    for name in re.findall(r'^#include "(.+)"', header.read_text(), re.MULTILINE):
        found = next((path for path in (ROOT / folder / name for folder in FOLDERS)
                      if path.exists()), None)
        if found == LINALG or (found and includes_linalg(found)):
            return True
    return False


def precompile_linalg(flags, folder):
    """A header that includes linalg.hpp alone, precompiled in this folder."""
    header = pathlib.Path(folder) / "linalg.hpp"
    header.write_text(f'#include "{LINALG}"\n')
    subprocess.run([*flags, "-O0", "-x", "c++-header", str(header), "-o", f"{header}.gch"],
                   check=True)
    return header


def complaint(flags, linalg, header):
    """What the compiler says of a file that includes this header and nothing else, twice."""
    source = f'#include "{header}"\n#include "{header}"\n'
    before = ["-include", str(linalg)] if includes_linalg(header) else []
    done = subprocess.run([*flags, "-O0", "-fsyntax-only", *before, "-x", "c++", "-"],
                          input=source, capture_output=True, text=True, check=False)
    return f"{header} does not compile alone:\n{done.stderr[:2000]}" if done.returncode else ""


def main(build, *options):
    flags = flags_of(build)
    folders = FOLDERS if "--all" in options else ["include"]
    headers = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.hpp"))
    with tempfile.TemporaryDirectory(prefix="flymc_headers_") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        linalg = precompile_linalg(flags, folder)
        bad = [text for text in pool.map(lambda h: complaint(flags, linalg, h), headers) if text]
    print("\n".join(bad) or f"{len(headers)} headers compile alone")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
