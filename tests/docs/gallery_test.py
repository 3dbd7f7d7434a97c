"""An analysis of the gallery, by the scripts of every language that is built: each runs, leaves its
figure, and says the same, word for word; numbers may differ by one in the last digit that is shown.
Python and R say the same of the check, too; the page shows lines of the scripts and what they say.

    gallery_test.py NAME ROWS FLYMC [--python PYTHON PACKAGES] [--r RSCRIPT LIBRARY]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "examples" / "gallery"
NUMBER = re.compile(r"\d[\d,]*\.?\d*")


def run(command, name, rows, folder, changes):
    script = GALLERY / name
    done = subprocess.run([*command, script, str(rows)], cwd=folder, env={**os.environ, **changes},
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{name} exits {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def words(text):
    return NUMBER.sub("#", text).split()


def says_the_same(one, other):
    """The same words, and numbers that differ by one in the last place at most (rounded twice)."""
    if words(one) != words(other):
        return False
    for left, right in zip(NUMBER.findall(one), NUMBER.findall(other)):
        left, right = left.replace(",", "").rstrip("."), right.replace(",", "").rstrip(".")
        places = len(left.partition(".")[2])
        if abs(float(left) - float(right)) > 1.01 * 10.0**-places:
            return False
    return True


def answers(text):
    return text.partition("\n\n")[0]


def section(name):
    """The part of the page that shows this analysis."""
    parts = (ROOT / "docs" / "howto" / "gallery.md").read_text(encoding="utf-8").split("\n## ")
    return next(part for part in parts if f"figures/gallery-{name}.png" in part)


def blocks(text, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def check_page(name, said):
    shown = section(name)
    for kind, ending in (("sh", "sh"), ("python", "py"), ("r", "R")):
        script = (GALLERY / f"{name}.{ending}").read_text(encoding="utf-8")
        (code,) = blocks(shown, kind)
        assert code in script, f"the page shows what {name}.{ending} does not have:\n{code}"
    (text,) = blocks(shown, "text")
    assert words(text) == words(said), f"the page shows\n{text}\nnot\n{said}"
    assert (ROOT / "docs" / "figures" / f"gallery-{name}.png").stat().st_size < 80_000


def check_comparison():
    """What must be seen as a difference is."""
    assert says_the_same("odds 1.31 (1.25 to 1.38).", "odds 1.31 (1.25 to 1.39).")
    assert not says_the_same("odds 1.31 (1.25 to 1.38).", "odds 1.33 (1.25 to 1.38).")
    assert not says_the_same("the best is c093", "the best is c094, perhaps")
    assert not says_the_same("1,047 draws", "1,049 draws")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("rows", type=int)
    parser.add_argument("flymc", type=Path)
    parser.add_argument("--python", nargs=2)
    parser.add_argument("--r", nargs=2)
    asked = parser.parse_args()
    check_comparison()
    name, said = asked.name, {}
    path = {"PATH": f"{asked.flymc.resolve().parent}{os.pathsep}{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        said["sh"] = run(["sh"], f"{name}.sh", asked.rows, folder, path)
        assert (made / f"{name}.html").stat().st_size > 10_000
        if asked.python:
            program, packages = asked.python
            has = lambda package: subprocess.run([program, "-c", f"import {package}"],
                                                 capture_output=True, check=False).returncode == 0
            if has("pandas"):
                said["py"] = run([program], f"{name}.py", asked.rows, folder,
                                 {"PYTHONPATH": packages})
                assert has("matplotlib") == (made / f"{name}.png").exists()
            else:
                print("no pandas: the Python script is not run")
        if asked.r:
            program, library = asked.r
            said["R"] = run([program, "--vanilla"], f"{name}.R", asked.rows, folder,
                            {"R_LIBS": library})
            assert (made / f"{name}-r.png").stat().st_size > 5_000
    for language, text in said.items():
        assert says_the_same(answers(said["sh"]), answers(text)), \
            f"the shell says\n{said['sh']}\nand {language}\n{text}"
    if "py" in said and "R" in said:
        assert says_the_same(said["py"], said["R"]), f"{said['py']}\nis not\n{said['R']}"
    if "py" in said or "R" in said:
        check_page(name, said.get("py", said.get("R")))
    print(f"{name}: {', '.join(said)} say the same")
    if len(said) < 3:
        print("a language is not built; the rest was compared")
        sys.exit(77)


main()
