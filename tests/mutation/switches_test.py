#!/usr/bin/env python3
"""Texts with switches are C++ that says what its mutants say: compiled, and asked for each.

    switches_test.py COMPILER
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from switches import SWITCH, with_switches

TEXT = """
#include <cstdio>
constexpr double kOne = 1.0;  // a constant; {
struct Held {
  static constexpr int kInside = 2;
  Held() : word("first"
                " second") {}
  const char* word;
  int twice(int x) const noexcept { return 2 * x; }
};
const int table[] = {4, 5};
constexpr int constant(int x) { return x + 1; }
int sum(int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) {
    switch (i % 2) {
      case 0:
        total += i;
        break;
      default:
        total -= i;
    }
  }
  return total;
}
int main() {
  std::printf("%g %d %s %d %d %d %d", kOne, Held::kInside, Held().word, Held().twice(3), table[0],
              constant(7), sum(4));
}
"""
# By number the edits, and what the program then says; None: in no place for a switch.
MUTANTS = {
    1: ([("kOne = 1.0", "kOne = 1.5")], "1.5 2 first second 6 4 8 -2"),
    2: ([("kInside = 2", "kInside = 3")], "1 3 first second 6 4 8 -2"),
    3: ([(" second", " third")], "1 2 first third 6 4 8 -2"),
    4: ([("return 2 * x;", "return 3 * x;")], "1 2 first second 9 4 8 -2"),
    5: ([("{4, 5}", "{6, 5}")], None),
    6: ([("x + 1", "x + 2")], "1 2 first second 6 4 9 -2"),
    7: ([("total += i;", "total += 2 * i;")], "1 2 first second 6 4 8 0"),
    8: ([("total -= i;", "total -= 0;")], "1 2 first second 6 4 8 2"),
    9: ([("int total = 0;", "int total = 5;"), ("i < n", "i <= n")], "1 2 first second 6 4 8 7"),
}


def main(compiler):
    text, inside = with_switches(TEXT, {number: edits for number, (edits, _) in MUTANTS.items()})
    bad = [f"mutant {number}: a switch" for number, (_, said) in MUTANTS.items()
           if (number in inside) != (said is not None)]
    with tempfile.TemporaryDirectory(prefix="flymc_switches_") as folder:
        source, program = pathlib.Path(folder) / "text.cpp", pathlib.Path(folder) / "text"
        source.write_text(SWITCH.replace("#pragma once\n", "") + text)
        subprocess.run([compiler, "-std=c++20", str(source), "-o", str(program)], check=True)
        for number, expected in {0: "1 2 first second 6 4 8 -2",
                                 **{n: said for n, (_, said) in MUTANTS.items() if said}}.items():
            said = subprocess.run([str(program)], env={**os.environ, "FLYMC_MUTANT": str(number)},
                                  capture_output=True, text=True, check=True).stdout
            if said != expected:
                bad.append(f"mutant {number}: {said!r}, not {expected!r}")
    print("\n".join(bad) or f"{len(inside)} mutants in one program")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
