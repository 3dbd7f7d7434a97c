#!/usr/bin/env python3
"""Fails where an include points up: the layers of docs/design.md, kept by the build."""
import pathlib
import re
import sys

# A layer may include itself and what stands beside its name.
ALLOWED = {
    "core": set(),
    "data": {"core"},
    "model": {"data", "core"},
    "target": {"model", "data", "core"},
    "kernel": {"target", "core"},
    "chain": {"kernel", "tune", "target", "model", "data", "diagnose", "core"},
    "tune": {"target", "model", "data", "core"},
    "diagnose": {"core"},
    "report": {"diagnose", "core"},
}
INCLUDE = re.compile(r'#include "flymc/(\w+)/')


def main(root: pathlib.Path) -> int:
    bad = 0
    for folder in (root / "include/flymc", root / "src"):
        for path in sorted(folder.rglob("*.[ch]pp")):
            layer = path.relative_to(folder).parts[0]
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if match and match[1] != layer and match[1] not in ALLOWED[layer]:
                    print(f"{path}:{number}: layer '{layer}' may not include '{match[1]}'")
                    bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
