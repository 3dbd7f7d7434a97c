#!/usr/bin/env python3
"""Internal links of a folder of HTML pages: every file and every anchor must be there, and nothing
may be loaded from elsewhere.

    check_links.py FOLDER
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.repeated, self.links, self.loads = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            if attrs["id"] in self.ids:
                self.repeated.append(attrs["id"])
            self.ids.add(attrs["id"])
        if tag == "a" and "href" in attrs:
            self.links.append(attrs["href"])
        elif tag in ("img", "script", "link"):
            self.loads += [attrs[key] for key in ("src", "href") if key in attrs]


def problem(link, page, pages, folder):
    """What is wrong with a link on a page, or nothing."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file() or folder not in target.parents:
        return "no such file"
    if parts.fragment and unquote(parts.fragment) not in pages[target].ids:
        return "no such heading"
    return ""


def broken_links(folder):
    folder = Path(folder).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    found = []
    for path, page in sorted(pages.items()):
        name = path.relative_to(folder)
        for link in page.links + page.loads:
            wrong = problem(link, path, pages, folder)
            if wrong:
                found.append(f"{name}: {link}: {wrong}")
        found += [f"{name}: {load}: loaded from elsewhere" for load in page.loads
                  if urlsplit(load).scheme or urlsplit(load).netloc]
        found += [f"{name}: two headings have the anchor {name_}" for name_ in page.repeated]
    return found


if __name__ == "__main__":
    problems = broken_links(sys.argv[1])
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)
