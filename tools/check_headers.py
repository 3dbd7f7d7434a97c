#!/usr/bin/env python3
"""Fails where a header does not compile alone: precompiled headers would hide what it forgot.

    tools/check_headers.py BUILD_FOLDER [--all]

takes compiler and flags from the folder's compile_commands.json. Without --all: the headers that
are installed. A private header is the first include of its own source, so preset dev, which has no
precompiled headers, checks those as well.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


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


def complaint(flags, header):
    """What the compiler says of a file that includes this header and nothing else, twice."""
    source = f'#include "{header}"\n#include "{header}"\n'
    done = subprocess.run([*flags, "-O0", "-fsyntax-only", "-x", "c++", "-"], input=source,
                          capture_output=True, text=True, check=False)
    return f"{header} does not compile alone:\n{done.stderr[:2000]}" if done.returncode else ""


def main(build, *options):
    flags = flags_of(build)
    folders = ["include", "src", "apps"] if "--all" in options else ["include"]
    headers = sorted(str(path) for folder in folders for path in (ROOT / folder).rglob("*.hpp"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [text for text in pool.map(lambda h: complaint(flags, h), headers) if text]
    print("\n".join(bad) or f"{len(headers)} headers compile alone")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
