#!/usr/bin/env python3
"""The pages of docs/ as a site that needs no network: pandoc makes HTML with MathML of each page,
this adds the frame, the command reference, the list of pages, the search index, and checks links.

    build_docs.py PROGRAM OUT
"""
import html
import json
import os
import re
import shutil
import string
import subprocess
import sys
from pathlib import Path

import check_links
import command_help
import mathml
import reference_page

REPO = Path(__file__).resolve().parent.parent
DOCS = REPO / "docs"
REFERENCE = DOCS / "reference.md"  # made, never written there
PAGES = {
    "": ["docs/README.md"],
    "Begin": ["docs/start.md"],
    "How to": [f"docs/howto/{name}.md" for name in (
        "install", "table", "gallery", "answers", "columns", "families", "resume", "larger", "ranks", "prior", "report",
        "predict", "python", "r", "r-python", "outliers", "own-likelihood", "groups")],
    "Look up": ["docs/reference.md", "docs/folder.md"],
    "Understand": ["docs/exact.md", "docs/method.md", "docs/method/paper.md", "docs/method/engine.md",
                   "docs/method/families.md", "docs/method/automatic.md", "docs/method/groups.md",
                   "docs/method/comparison.md",
                   "docs/performance.md",
                   "docs/tall.md", "docs/reproduction.md"],
    "Change": ["docs/design.md", "CONTRIBUTING.md", "CHANGELOG.md"],
}
NAMES = {"docs/README.md": "index.html"}
# Brackets and roots grow only with a font made for mathematics; readers may have none.
MATH_FONT = Path("/usr/share/fonts/opentype/stix-word/STIXMath-Regular.otf")


def site_path(source):
    """Where a file of the repository is in the site: pages as HTML, other text beside them."""
    name = source.relative_to(REPO).as_posix()
    if name in [page for group in PAGES.values() for page in group]:
        return NAMES.get(name, name.removeprefix("docs/").lower().removesuffix(".md") + ".html")
    if name.startswith("docs/figures/") and source.suffix in (".svg", ".png"):
        return name.removeprefix("docs/")
    return f"source/{name}.txt"


class Site:
    def __init__(self, program, out):
        self.out = out
        self.version = command_help.version(program)
        self.reference = reference_page.reference_page(*command_help.read_commands(program),
                                                       self.version)
        self.bodies, self.titles, self.headings, self.index = {}, {}, {}, []

    def text(self, page):
        return self.reference if page == REFERENCE else page.read_text(encoding="utf-8")

    def resolve(self, link, page):
        """A link of a page's Markdown as a link of its HTML; what it points to comes along."""
        path, mark, anchor = html.unescape(link).partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return link
        target = Path(os.path.normpath(page.parent / path))
        if target.is_dir():
            target = target / "README.md" if (target / "README.md").exists() else target
        if target != REFERENCE and not target.exists():
            return link  # the link check will say so
        if target.is_dir():
            return self.folder_page(target, page)
        there = site_path(target)
        if not there.endswith(".html"):
            self.copy(target, there)
        here = Path(site_path(page)).parent
        return html.escape(os.path.relpath(there, here) + mark + anchor)

    def folder_page(self, folder, page):
        """A link to a folder: a list of what is in it."""
        there = f"source/{folder.relative_to(REPO).as_posix()}.txt"
        names = "\n".join(sorted(path.name for path in folder.iterdir()))
        self.write(there, names + "\n")
        return os.path.relpath(there, Path(site_path(page)).parent)

    def copy(self, source, there):
        target = self.out / there
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)

    def write(self, there, text):
        target = self.out / there
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def convert(self, page):
        made = subprocess.run(
            ["pandoc", "--from=gfm+tex_math_dollars", "--to=html", "--mathml", "--no-highlight",
             "--wrap=preserve"], input=self.text(page), capture_output=True, text=True,
            encoding="utf-8", check=False)
        if made.returncode != 0 or made.stderr:
            raise SystemExit(f"{page.relative_to(REPO)}: pandoc: {made.stderr.strip()}")
        body = re.sub(r'(?<= )(href|src)="([^"]*)"',
                      lambda m: f'{m[1]}="{self.resolve(m[2], page)}"',
                      mathml.improve_math(made.stdout))
        body = re.sub(r"(<table>.*?</table>)", r'<div class="wide">\1</div>', body, flags=re.S)
        body = re.sub(r'(<math [^>]*display="block".*?</math>)', r'<span class="display">\1</span>',
                      body, flags=re.S)
        body = body.replace("<pre><code>", '<pre class="text"><code>')
        self.bodies[page] = re.sub(r'(<h[1-4] id="([^"]+)">)(.*?)(</h[1-4]>)',
                                   r'\1\3<a class="anchor" href="#\2" aria-label="Link to this '
                                   r'heading">#</a>\4', body, flags=re.S)
        self.add_to_index(page, body)

    def add_to_index(self, page, body):
        """One entry a section, for the search; and the headings, for the list of pages."""
        parts = re.split(r'<h([1-4]) id="([^"]+)">(.*?)</h\1>', body, flags=re.S)
        self.titles[page] = plain(parts[3])
        self.headings[page] = []
        for level, anchor, heading, text in zip(*(parts[i::4] for i in range(1, 5))):
            if level == "2":
                self.headings[page].append((anchor, plain(heading)))
            self.index.append({"page": self.titles[page], "heading": plain(heading),
                               "href": f"{site_path(page)}#{anchor}", "text": plain(text)})

    def nav(self, here):
        lines = []
        for group, names in PAGES.items():
            lines.append(f"<h2>{group}</h2>\n<ul>" if group else "<ul>")
            for name in names:
                page = REPO / name
                link = os.path.relpath(site_path(page), Path(site_path(here)).parent)
                title = html.escape("Overview" if name == "docs/README.md" else self.titles[page])
                if page != here:
                    lines.append(f'<li><a href="{link}">{title}</a></li>')
                    continue
                lines.append(f'<li><a href="{link}" aria-current="page">{title}</a><ul>')
                lines += [f'<li><a href="#{anchor}">{html.escape(heading)}</a></li>'
                          for anchor, heading in self.headings[page] if group]
                lines.append("</ul></li>")
            lines.append("</ul>")
        return "\n".join(lines).replace("<ul></ul>", "").replace("<ul>\n</ul>", "")

    def build(self):
        pages = [REPO / name for names in PAGES.values() for name in names]
        for page in pages:
            self.convert(page)
        frame = string.Template((REPO / "tools/site/page.html").read_text(encoding="utf-8"))
        for page in pages:
            there = site_path(page)
            title = self.titles[page]
            self.write(there, frame.substitute(
                root="../" * there.count("/"), body=self.bodies[page], nav=self.nav(page),
                version=self.version,
                title=html.escape(title if title == "flymc" else f"{title} · flymc")))
        style = (REPO / "src/report/page/base.css").read_text(encoding="utf-8")
        self.write("site.css", style + (REPO / "tools/site/site.css").read_text(encoding="utf-8"))
        self.copy(REPO / "tools/site/site.js", "site.js")
        if MATH_FONT.exists():
            self.copy(MATH_FONT, "math.otf")
        self.write("index.js", "window.flymcIndex = " +
                   json.dumps(self.index, ensure_ascii=False, separators=(",", ":")) + ";\n")


def plain(fragment):
    """Text of a piece of HTML; of a formula its symbols, without the TeX beside them."""
    text = re.sub(r"<annotation.*?</annotation>", "", fragment, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def main():
    program, out = sys.argv[1], Path(sys.argv[2])
    if shutil.which("pandoc") is None:
        raise SystemExit("pandoc is not installed: apt-get install pandoc, or `make docs`")
    shutil.rmtree(out, ignore_errors=True)
    site = Site(program, out)
    site.build()
    problems = check_links.broken_links(out)
    if problems:
        raise SystemExit("broken links:\n" + "\n".join(problems))
    print(f"made {out}/index.html ({len(site.bodies)} pages)")


if __name__ == "__main__":
    main()
