#!/usr/bin/env python3
"""Fails where packaging/ or r/ names another version than CMakeLists.txt, or has an error of syntax.

Jinja and YAML are looked at where Python has them; the formula is Ruby's to check (ruby -c).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSTRUCTIONS = {"FROM", "COPY", "RUN", "WORKDIR", "ENTRYPOINT", "CMD", "ARG", "ENV", "USER", "LABEL"}


def versions():
    """The version as each file has it."""
    places = {
        "CMakeLists.txt": r"^project\(flymc VERSION (\S+)",
        "r/DESCRIPTION": r"^Version: (\S+)",
        "packaging/conda/meta.yaml": r'set version = "([^"]+)"',
        "packaging/homebrew/flymc.rb": r"flymc-([0-9.]+)\.tar\.gz",
    }
    return {name: re.search(pattern, (ROOT / name).read_text(), re.M)[1]
            for name, pattern in places.items()}


def check_recipe():
    try:
        import jinja2
        import yaml
    except ImportError:
        print("conda/meta.yaml: not parsed, Python has no jinja2 or yaml here")
        return []
    text = (ROOT / "packaging/conda/meta.yaml").read_text()
    recipe = yaml.safe_load(jinja2.Template(text).render(compiler=lambda name: name))
    return [f"conda/meta.yaml has no {key}" for key in ("package", "build", "requirements", "about")
            if key not in recipe]


def check_containerfile():
    text = (ROOT / "packaging/Containerfile").read_text().replace("\\\n", " ")
    words = [line.split()[0] for line in text.splitlines() if line.strip() and line[0] != "#"]
    return [f"Containerfile: {word} is no instruction" for word in words if word not in INSTRUCTIONS]


def main():
    found = versions()
    wrong = [f"{name} has version {version}, not {found['CMakeLists.txt']}"
             for name, version in found.items() if version != found["CMakeLists.txt"]]
    wrong += check_recipe() + check_containerfile()
    print("\n".join(wrong) or "packaging: one version, no error of syntax")
    sys.exit(1 if wrong else 0)


main()
