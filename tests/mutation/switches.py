"""Many planted errors in one text, each behind a switch: what is compiled once can then be wrong in
every way, one at a time.

The innermost block of statements around an edit becomes

    { if (flymc_mutation::is(3)) { ...wrong... } else if (...) { ... } else { ...as it is... } }

and a constant or a literal outside of statements `is(3) ? wrong : right`. An edit that lies in none
of them is left out: it needs a text of its own. What is evaluated at compile time stays as it is.
"""

import os
import re

# Declares `is`, and `chosen`, which is there before any constant.
SWITCH = """#pragma once
#include <cstdlib>
#include <type_traits>
namespace flymc_mutation {
inline int chosen() {
  static const int number = [] {
    const char* word = std::getenv("FLYMC_MUTANT");
    return word != nullptr ? std::atoi(word) : -1;
  }();
  return number;
}
inline const int kChosen = chosen();
constexpr bool is(int number) { return !std::is_constant_evaluated() && kChosen == number; }
}  // namespace flymc_mutation
"""

LITERAL = r'"(?:\\.|[^"\\\n])*"'
LITERALS = re.compile(rf"{LITERAL}(?:\s+{LITERAL})*")
HIDDEN = re.compile(rf"//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|{LITERAL}"
                    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)
BEFORE_BODY = re.compile(r"(\)|\]|\belse|\bdo|\btry)\s*"
                         r"(\b(const|noexcept|override|final|mutable)\b\s*)*"
                         r"(&&?)?\s*(->[\w:<>&*,\s]+)?$")
CONSTANT = re.compile(r"(?:\b(?:inline|static)\s+)*\bconstexpr\s+([\w:<>,\s]*[\w>])\s+(k\w+)"
                      r"(?:\s*=\s*|(?=\{))([^;]+);")


def hide(text):
    """The same length, without comments and literals."""
    return HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def pairs_of(hidden):
    """(open, close) of every pair of braces, inner ones first."""
    opened, pairs = [], []
    for place in re.finditer(r"[{}]", hidden):
        if place.group() == "{":
            opened.append(place.start())
        else:
            pairs.append((opened.pop(), place.start()))
    return pairs


def is_of_switch(head):
    """Whether a head ends with the parentheses of a switch."""
    depth = 0
    for i in range(len(head) - 1, -1, -1):
        depth += (head[i] == ")") - (head[i] == "(")
        if depth == 0:
            return head[:i].rstrip().endswith("switch")
    return False


def is_block(hidden, start):
    """Whether the brace here opens statements: the body of a function, loop, branch or lambda."""
    head = hidden[:start].rstrip()
    return BEFORE_BODY.search(head[-200:]) is not None and not is_of_switch(head)


def block(choices, right):
    wrong = "".join(f"if (flymc_mutation::is({number})) {{{text}\n}} else "
                    for number, text in choices.items())
    return f"{wrong}{{{right}\n}}"


def constant(choices, right):
    kind, name, value = CONSTANT.fullmatch(right).groups()
    made = kind + value if value.startswith("{") else value
    for number, text in choices.items():
        wrong = CONSTANT.fullmatch(text).group(3)
        wrong = kind + wrong if wrong.startswith("{") else wrong
        made = f"flymc_mutation::chosen() == {number} ? {wrong} : {made}"
    return f"static inline const {kind} {name} = {made};"


def literal(choices, right):
    wrong = "".join(f"flymc_mutation::is({number}) ? {text} : " for number, text in choices.items())
    return f"({wrong}{right})"


def region_of(text, hidden, pairs, edit):
    """Where the text has to be there several times, and how: (first, last, form), or None."""
    start, end = edit[0], edit[0] + len(edit[1])
    for first, last in pairs:
        if first < start and end <= last and is_block(hidden, first):
            return first + 1, last, block
    for form, places in ((constant, CONSTANT.finditer(hidden)), (literal, LITERALS.finditer(text))):
        for found in places:
            if found.start() < start and end < found.end():
                return *found.span(), form
    return None


def least_edit(text, old, new):
    """(place, old, new) without what both begin and end with."""
    same = len(os.path.commonprefix([old, new]))
    at = text.index(old) + same
    old, new = old[same:], new[same:]
    same = len(os.path.commonprefix([old[::-1], new[::-1]]))
    return at, old[:len(old) - same], new[:len(new) - same]


def apply(text, first, last, edits):
    """A region of the text with those of the edits that lie in it."""
    for at, old, new in sorted(edits, reverse=True):
        if first <= at <= last and at + len(old) <= last:
            text = text[:at] + new + text[at + len(old):]
            last += len(new) - len(old)
    return text[first:last]


def with_switches(text, edits_of):
    """The text with a switch for each mutant. `edits_of`: by number its (old, new), every old text
    once in the text. Returns it and the numbers that it can be switched to."""
    hidden = hide(text)
    pairs = pairs_of(hidden)
    edits_of = {number: [least_edit(text, *edit) for edit in edits]
                for number, edits in edits_of.items()}
    regions_of = {number: [region_of(text, hidden, pairs, edit) for edit in edits]
                  for number, edits in edits_of.items()}
    regions_of = {number: regions for number, regions in regions_of.items() if None not in regions}
    regions = {region for its in regions_of.values() for region in its}
    outermost = [one for one in regions if not any(
        other is not one and other[0] <= one[0] and one[1] <= other[1] for other in regions)]
    result = text
    for first, last, form in sorted(outermost, key=lambda region: -region[0]):
        right = text[first:last]
        wrong = {number: apply(text, first, last, edits_of[number]) for number in regions_of}
        wrong = {number: each for number, each in wrong.items() if each != right}
        result = result[:first] + form(wrong, right) + result[last:]
    return result, set(regions_of)
