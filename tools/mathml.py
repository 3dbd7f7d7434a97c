"""What pandoc's MathML needs before browsers set it as TeX would.

Brackets stretch only around what is tall: pandoc marks all of them as stretchy. And letters of an
upright word, which come one by one and would be set in italics, become one word.
"""
import re
from xml.etree import ElementTree

SPACE = "http://www.w3.org/1998/Math/MathML"
TALL = {f"{{{SPACE}}}{name}" for name in
        ("mfrac", "munder", "munderover", "msqrt", "mtable")}
ElementTree.register_namespace("", SPACE)


def is_bracket(node, form):
    return node.tag == f"{{{SPACE}}}mo" and node.get("form") == form


def calm_brackets(tree):
    for row in tree.iter(f"{{{SPACE}}}mrow"):
        inside = list(row)
        if len(inside) < 2 or not is_bracket(inside[0], "prefix"):
            continue
        if not any(node.tag in TALL for node in row.iter()):
            for node in (inside[0], inside[-1]):
                if node.tag == f"{{{SPACE}}}mo":
                    node.set("stretchy", "false")


def join_words(tree):
    for style in tree.iter(f"{{{SPACE}}}mstyle"):
        if style.get("mathvariant") == "normal":
            word = "".join(style.itertext())
            for node in list(style):
                style.remove(node)
            ElementTree.SubElement(style, f"{{{SPACE}}}mi", mathvariant="normal").text = word


def as_browsers_want(found):
    tree = ElementTree.fromstring(found[0])
    calm_brackets(tree)
    join_words(tree)
    return ElementTree.tostring(tree, encoding="unicode")


def improve_math(page):
    return re.sub(r"<math .*?</math>", as_browsers_want, page, flags=re.S)
