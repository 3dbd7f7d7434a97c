#!/usr/bin/env python3
"""Draw bound-cartoon.svg: a likelihood split into bound and remainder, and P(bright) of two anchors.

Left:  L(y) = 1/(1 + exp(-y)) and its Jaakkola-Jordan bound touching at y = -xi and y = +xi.
Right: P(bright) = -expm1(-gap(y)) with the untuned anchor xi = 1.5 and an anchor tuned to y = 4.

Usage: python3 make_bound_cartoon.py        (Python 3, standard library only)
"""
import math
from pathlib import Path

XI_UNTUNED, XI_TUNED, SPREAD = 1.5, 4.0, 0.7
BLUE, VERMILLION, GREEN, ORANGE = "#0072B2", "#D55E00", "#007A5A", "#E69F00"  # Okabe-Ito (green darkened)
INK, MUTED, GRID = "#1a1a1a", "#595959", "#e3e3e3"
WIDTH, HEIGHT, TOP, PANEL_W, PANEL_H = 960, 412, 66, 380, 280
SAMPLES = 240


def likelihood(y):
    return 1.0 / (1.0 + math.exp(-y))


def log_even_part(y):
    """g(y^2) = -log(2 cosh(y/2)): log L(y) = y/2 + g(y^2)."""
    return -math.log(2.0 * math.cosh(0.5 * y))


def gap(y, xi):
    """log L(y) - log B(y) for the bound that touches at -xi and +xi."""
    slope = -math.tanh(0.5 * xi) / (4.0 * xi)
    return max(0.0, log_even_part(y) - log_even_part(xi) - slope * (y * y - xi * xi))


def bright_prob(y, xi):
    return -math.expm1(-gap(y, xi))


class Panel:
    def __init__(self, left, x_range, title):
        self.left, self.x_range, self.title = left, x_range, title

    def px(self, x):
        low, high = self.x_range
        return self.left + PANEL_W * (x - low) / (high - low)

    def py(self, y):
        return TOP + PANEL_H * (1.0 - y)

    def points(self, f, low=None, high=None):
        low = self.x_range[0] if low is None else low
        high = self.x_range[1] if high is None else high
        xs = [low + (high - low) * i / SAMPLES for i in range(SAMPLES + 1)]
        return [(self.px(x), self.py(f(x))) for x in xs]

    def axes(self, ticks):
        bottom, right = TOP + PANEL_H, self.left + PANEL_W
        out = [text(self.left, TOP - 26, self.title, INK, weight="600", size=16)]
        for y in (0.0, 0.5, 1.0):
            out.append(line(self.left, self.py(y), right, self.py(y), GRID))
            out.append(text(self.left - 9, self.py(y) + 5, f"{y:g}", MUTED, anchor="end"))
        for x in ticks:
            out.append(line(self.px(x), bottom, self.px(x), bottom + 5, MUTED))
            out.append(text(self.px(x), bottom + 21, f"{x:g}".replace("-", "\u2212"), MUTED, anchor="middle"))
        out.append(line(self.left, bottom, right, bottom, MUTED))
        label = "signed predictor y = t\u2009\u00b7\u2009\u03b7"
        out.append(text((self.left + right) / 2, bottom + 46, label, INK, anchor="middle"))
        return out


def text(x, y, content, fill, anchor="start", weight="400", size=14):
    return (f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" text-anchor="{anchor}" '
            f'font-weight="{weight}" font-size="{size}">{content}</text>')


def line(x1, y1, x2, y2, stroke, dash="", width=1.0):
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{stroke}" stroke-width="{width}"{dashes}/>')


def path(points, stroke, dash=""):
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path d="{d}" fill="none" stroke="{stroke}" stroke-width="2.5" stroke-linejoin="round"{dashes}/>'


def area(points, fill):
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
    return f'<path d="{d}" fill="{fill}" fill-opacity="0.35"/>'


def dot(x, y, fill):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{fill}" stroke="#ffffff" stroke-width="1.5"/>'


def left_panel():
    p = Panel(56, (-6.0, 6.0), "A likelihood = bound + remainder")

    def bound(y):
        return likelihood(y) * math.exp(-gap(y, XI_UNTUNED))

    out = p.axes(range(-6, 7, 2))
    upper, lower = p.points(likelihood), p.points(bound)
    out.append(area(upper + lower[::-1], ORANGE))
    out += [path(lower, BLUE, "7 4"), path(upper, INK)]
    for y in (-XI_UNTUNED, XI_UNTUNED):
        out.append(line(p.px(y), p.py(likelihood(y)), p.px(y), p.py(0.0), MUTED, "2 3"))
        out.append(dot(p.px(y), p.py(likelihood(y)), BLUE))
    out.append(text(p.px(-1.5) + 7, p.py(0.06), "\u2212\u03be", BLUE))
    out.append(text(p.px(1.5) + 7, p.py(0.06), "\u03be = 1.5", BLUE))
    out.append(text(p.px(1.55), p.py(0.93), "L(y)", INK, anchor="end", weight="600"))
    out.append(text(p.px(3.6), p.py(0.62), "B(y)", BLUE, anchor="end", weight="600"))
    out.append(text(p.px(4.75), p.py(0.835), "L \u2212 B", "#7A4B00", anchor="middle", weight="600"))
    out.append(text(p.px(-5.8), p.py(0.72), "dark: weight B", BLUE))
    out.append(text(p.px(-5.8), p.py(0.64), "bright: weight L \u2212 B", "#7A4B00"))
    return out


def right_panel():
    p = Panel(532, (-2.0, 8.0), "P(bright) = (L \u2212 B) / L = 1 \u2212 exp(\u2212gap)")
    out = []
    x0, x1 = p.px(XI_TUNED - SPREAD), p.px(XI_TUNED + SPREAD)
    out.append(f'<rect x="{x0:.1f}" y="{TOP}" width="{x1 - x0:.1f}" height="{PANEL_H}" fill="{GREEN}" '
               'fill-opacity="0.13"/>')
    out += p.axes(range(-2, 9, 2))
    untuned = p.points(lambda y: bright_prob(y, XI_UNTUNED))
    tuned = p.points(lambda y: bright_prob(y, XI_TUNED))
    out += [path(untuned, BLUE, "7 4"), path(tuned, VERMILLION)]
    out.append(dot(p.px(XI_TUNED), p.py(0.0), VERMILLION))
    out.append(dot(p.px(XI_UNTUNED), p.py(0.0), BLUE))
    middle = p.px(XI_TUNED)
    out.append(text(middle, p.py(0.905), "where the posterior", GREEN, anchor="middle"))
    out.append(text(middle, p.py(0.84), "keeps this datum", GREEN, anchor="middle"))
    out.append(text(p.px(3.2), p.py(0.56), "untuned, \u03be = 1.5", BLUE, anchor="end", weight="600"))
    out.append(text(p.px(0.0), p.py(0.335), "MAP-tuned, a = 4", VERMILLION, anchor="middle", weight="600"))
    out.append(line(p.px(3.25), p.py(0.55), p.px(4.80), p.py(0.52), BLUE))
    return out


def main():
    body = left_panel() + right_panel()
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
           f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
           'font-family="Helvetica, Arial, \'DejaVu Sans\', sans-serif">',
           "<title>A likelihood split into bound and remainder, and the probability of being bright</title>",
           "<desc>Left: the logistic likelihood and its Jaakkola-Jordan lower bound, which touch at minus xi "
           "and plus xi; the shaded remainder between them is the weight of a bright datum. Right: the "
           "probability of being bright against the predictor, for the untuned anchor 1.5 and for an anchor "
           "tuned to the posterior mode.</desc>",
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>', *body, "</svg>"]
    target = Path(__file__).with_name("bound-cartoon.svg")
    target.write_text("\n".join(svg) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
