#!/usr/bin/env python3
"""What pages and comments cite must be there, and be what it is cited for.

A page cites a test by its file and, in brackets behind it, what to look for in that file:

    `tests/kernel/z_visits_test.cpp` (`ZVisits.LeavesNoDatumFrozen`, `kShuffled`: all orders)

`Suite.Name` has to be a test of the file, any other words in backticks have to occur in it. Besides:
paths of the repository that pages name exist, and so do the pages and sections that sources point
to ("docs/method/engine.md, Local bounds.").

    check_citations.py REPOSITORY
"""
import re
import sys
from pathlib import Path

TEST_FILE = r"tests/[\w/]+_test\.(?:cpp|py)|tests/mutation/mutants\.py"
# The file in backticks, or as the target of a link; then the brackets, where there are any.
CITATION = re.compile(rf"(?:`({TEST_FILE})`|\]\((?:\.\./)*({TEST_FILE})\))(?:\s*\(([^()]*)\))?")
TEST_NAME = re.compile(r"[A-Z]\w*\.[A-Z]\w*")
SPAN = re.compile(r"`([^`]+)`")
TOP_FOLDERS = "apps|bench|cmake|docs|examples|include|python|src|tests|tools"
NAMED_PATH = re.compile(rf"(?:{TOP_FOLDERS})/[\w./*-]*")
MADE_PAGE = "docs/reference.md"
SOURCES = ("apps", "bench", "examples", "include", "python", "src", "tests", "tools")
SUFFIXES = (".cpp", ".hpp", ".py", ".txt", ".cmake")
POINTER = re.compile(r"(docs/[\w/-]+\.md)(?:, ([A-Z][\w ,'&-]*))?")


def pages(root):
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("tests/**/*.md")])


def without_code_blocks(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def words(text):
    return " ".join(text.split())


def has_test(text, name):
    suite, test = name.split(".")
    return re.search(rf"\b(?:TYPED_)?TEST(?:_[FP])?\(\s*{suite},\s*{test}\)", text) is not None


def missing_evidence(file, brackets):
    """What is wrong with a citation of this file for what stands in its brackets."""
    if not file.is_file():
        return ["no such file"]
    evidence = [words(span) for span in SPAN.findall(brackets or "")]
    if not evidence:
        return ["cited without saying for what: (`Suite.Name`) or (`words of the file`)"]
    text = file.read_text(encoding="utf-8")
    found = []
    for item in evidence:
        if TEST_NAME.fullmatch(item):
            if not has_test(text, item):
                found.append(f"has no test {item}")
        elif item not in words(text):
            found.append(f"does not say '{item}'")
    return found


def wrong_in_page(root, text):
    text = without_code_blocks(text)
    for match in CITATION.finditer(text):
        file = match[1] or match[2]
        yield from (f"{file}: {wrong}" for wrong in missing_evidence(root / file, match[3]))
    for span in SPAN.findall(CITATION.sub("", text)):
        if TEST_NAME.fullmatch(span):
            yield f"{span}: a test is named without its file"
        if NAMED_PATH.fullmatch(span) and span != MADE_PAGE and not list(root.glob(span)):
            yield f"{span}: no such file"


def headings(page):
    text = without_code_blocks(page.read_text(encoding="utf-8"))
    return {words(line.lstrip("# ")) for line in text.splitlines() if line.startswith("#")}


def wrong_in_source(root, text):
    joined = words(re.sub(r"\n\s*(?://|#)?", " ", text))  # a comment may break anywhere
    for page, section in POINTER.findall(joined):
        if page == MADE_PAGE:
            continue
        if not (root / page).is_file():
            yield f"{page}: no such page"
        elif section and section.strip() not in headings(root / page):
            yield f"{page}: no section '{section.strip()}'"


def broken_citations(root):
    found = []
    for page in pages(root):
        for wrong in wrong_in_page(root, page.read_text(encoding="utf-8")):
            found.append(f"{page.relative_to(root)}: {wrong}")
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and "citations" not in path.name:
                for wrong in wrong_in_source(root, path.read_text(encoding="utf-8")):
                    found.append(f"{path.relative_to(root)}: {wrong}")
    return found


if __name__ == "__main__":
    problems = broken_citations(Path(sys.argv[1]).resolve())
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)
