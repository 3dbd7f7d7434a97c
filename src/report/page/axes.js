// Small charts in SVG: a scale in each direction, round ticks, lines, bars, points.

// About `many` round numbers (1, 2 or 5 times a power of ten apart) inside low .. high.
function roundTicks(low, high, many) {
  const raw = (high - low) / Math.max(1, many);
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= raw * 0.999);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}

function tickText(value) {
  const size = Math.abs(value);
  const plain = size === 0 || (size >= 1e-4 && size < 1e7);
  return minus(plain ? value.toLocaleString("en-US", { maximumFractionDigits: 6 })
                     : value.toExponential());
}

// Of the letters of a chart, in pixels: those of East Asia fill a square.
const letterWidth = (text) => (/[\u1100-\uffdc]/.test(text) ? 12.5 : 6.5);

class Chart {
  // options: width, height, x: [low, high], y: [low, high], xTitle, yTitle, label, xTicks, yTicks,
  // xText: what a tick says
  constructor(options) {
    const { width, height, x, y } = options;
    this.box = { left: options.left ?? 46, right: width - 26, top: 8, bottom: height - 34 };
    this.x = x;
    this.y = y[0] < y[1] ? y : [y[0] - 1, y[0] + 1];
    this.node = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
                           "aria-label": options.label });
    this.axes(options);
  }
  px(x) {
    const { left, right } = this.box;
    return left + ((right - left) * (x - this.x[0])) / (this.x[1] - this.x[0]);
  }
  py(y) {
    const { top, bottom } = this.box;
    return bottom - ((bottom - top) * (y - this.y[0])) / (this.y[1] - this.y[0]);
  }
  text(x, y, words, anchor = "middle", kind = "", all = words) {
    const node = s("text", { x, y, "text-anchor": anchor, class: kind }, words);
    if (all !== words) node.append(s("title", {}, all));
    this.node.append(node);
  }
  axes({ xTitle, yTitle, height, xTicks, yTicks, xText = tickText }) {
    const { left, right, top, bottom } = this.box;
    for (const y of yTicks ?? roundTicks(...this.y, Math.max(2, (bottom - top) / 32))) {
      this.line([[left, this.py(y)], [right, this.py(y)]], "var(--grid)", 1);
      this.text(left - 6, this.py(y) + 4, tickText(y), "end");
    }
    for (const x of xTicks ?? roundTicks(...this.x, Math.max(2, (right - left) / 75))) {
      this.line([[this.px(x), bottom], [this.px(x), bottom + 4]], "var(--line)", 1);
      this.text(this.px(x), bottom + 16, xText(x));
    }
    this.line([[left, bottom], [right, bottom]], "var(--line)", 1);
    const most = Math.floor((right - left) / letterWidth(xTitle));
    this.text((left + right) / 2, height - 4, middleCut(xTitle, most), "middle", "title", xTitle);
    if (yTitle) {
      const turned = `rotate(-90 14 ${(top + bottom) / 2})`;
      this.node.append(s("text", { x: 14, y: (top + bottom) / 2, transform: turned,
                                   "text-anchor": "middle", class: "title" }, yTitle));
    }
  }
  // Points in units of the page.
  line(points, stroke, width = 1.5, more = {}) {
    const path = points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`);
    this.node.append(s("path", { d: path.join(""), fill: "none", stroke, "stroke-width": width,
                                 ...more }));
  }
  // Points in units of the data; what is not a number is left out.
  curve(xs, ys, stroke, width = 1.5, more = {}) {
    const points = xs.map((x, i) => [this.px(x), ys[i] === null ? NaN : this.py(ys[i])]);
    this.line(points.filter(([, y]) => Number.isFinite(y)), stroke, width, more);
  }
  // Between two curves; points of which one is not a number are left out.
  band(xs, lows, highs, fill, opacity = 1) {
    const known = xs.map((_, i) => i).filter((i) => lows[i] !== null && highs[i] !== null);
    const at = (i, y) => `${this.px(xs[i]).toFixed(1)} ${this.py(y).toFixed(1)}`;
    const points = [...known.map((i) => at(i, lows[i])),
      ...known.toReversed().map((i) => at(i, highs[i]))];
    if (known.length > 0) this.node.append(s("path", { d: `M${points.join("L")}Z`, fill, opacity }));
  }
  bar(x0, x1, y0, y1, fill, opacity = 1) {
    const [left, right] = [this.px(x0), this.px(x1)];
    const [top, bottom] = [this.py(Math.max(y0, y1)), this.py(Math.min(y0, y1))];
    this.node.append(s("rect", { x: left.toFixed(1), y: top.toFixed(1), opacity, fill,
      width: Math.max(0.5, right - left).toFixed(1),
      height: Math.max(0, bottom - top).toFixed(1) }));
  }
  point(x, y, radius, fill, opacity = 1, title = "") {
    const dot = s("circle", { cx: this.px(x).toFixed(1), cy: this.py(y).toFixed(1), r: radius,
                              fill, opacity });
    if (title) dot.append(s("title", {}, title));
    this.node.append(dot);
  }
}

// A figure that draws itself again when its width changes: draw(width) gives the picture.
function figure(title, caption, draw) {
  const frame = h("div");
  const node = h("figure", {}, title ? h("h3", {}, title) : null, frame,
    caption ? h("figcaption", {}, caption) : null);
  whenSized(frame, (width) => frame.replaceChildren(draw(width)));
  return node;
}

// The smallest range that holds all numbers, a little wider; null and NaN do not count.
function rangeOf(lists) {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (const value of list) {
      if (value !== null && Number.isFinite(value)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
  }
  if (!(low <= high)) return [0, 1];
  const room = (high - low) * 0.04 || Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}
