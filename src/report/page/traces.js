// Traces of all chains over draws: uPlot where the page has it, else a plain line.
const canZoom = typeof uPlot !== "undefined";
const traceHint = canZoom
  ? "Drag to zoom, double-click to see all; with the keyboard: + and \u2212, arrows, 0."
  : "";

// Draw numbers of the points: a thinned trace has two points a stretch.
function drawNumbers(points, draws) {
  return Array.from({ length: points }, (_, i) =>
    points === draws ? i + 1 : Math.floor(((i + 0.5) * draws) / points) + 1);
}

// uPlot scales the px of a font by its digits before the point alone: a whole number.
function uplotOptions(width, height, chains, range, sync) {
  const axis = { stroke: colourNow("--muted"), grid: { stroke: colourNow("--grid"), width: 1 },
                 ticks: { stroke: colourNow("--grid"), width: 1 }, font: "12px system-ui" };
  const shown = (plot, value) => (value === null || value === undefined ? "–" : tickText(value));
  return {
    width, height, scales: { x: { time: false, range: (plot, low, high) => [low, high] } },
    cursor: { sync: sync ? { key: sync } : undefined, drag: { x: true, y: false } },
    legend: { live: width > 500 },
    axes: [{ ...axis, size: 34 },
           { ...axis, size: (plot, values) => 14 + 7 * Math.max(3, ...(values ?? [])
               .map((text) => String(text).length)),
             values: (plot, ticks) => ticks.map(tickText) }],
    series: [{ label: "draw", value: shown }, ...chains.map((_, k) => ({
      label: `chain ${k + 1}`, stroke: colourNow(`--c${k % 8}`), width: 1, alpha: 0.85,
      points: { show: false }, value: shown }))],
  };
}

// Keys of a plot that has the focus; range is the whole run.
function zoomByKey(plot, range, event) {
  const { min, max } = plot.scales.x;
  const middle = (min + max) / 2;
  const half = (max - min) / 2;
  const to = (low, high) => plot.setScale("x", { min: Math.max(range[0], low),
                                                 max: Math.min(range[1], high) });
  const step = Math.min(half / 2, event.key === "ArrowLeft" ? min - range[0] : range[1] - max);
  const moves = {
    "+": () => to(middle - half / 2, middle + half / 2), "=": () => moves["+"](),
    "-": () => to(middle - 2 * half, middle + 2 * half), 0: () => to(...range),
    ArrowLeft: () => to(min - step, max - step), ArrowRight: () => to(min + step, max + step),
  };
  if (moves[event.key]) {
    moves[event.key]();
    event.preventDefault();
  }
}

function plainTrace(width, height, xs, chains, label) {
  const chart = new Chart({ width, height, x: rangeOf([xs]), y: rangeOf(chains), left: 66,
                            xTitle: "draw", label });
  chains.forEach((ys, k) => chart.curve(xs, ys, chainColour(k), 0.8, { opacity: 0.85 }));
  return chart.node;
}

const redraws = new Set();  // traces on canvas take new colours by being drawn again

// options: title, caption, chains, draws, height, sync
function traceFigure({ title, caption, chains, draws, height = 210, sync }) {
  const xs = drawNumbers(chains[0].length, draws);
  const range = [xs[0], xs[xs.length - 1]];
  const label = `${title}: trace of ${chains.length} chains over ${counts(draws)} draws`;
  const frame = h("div", { class: "trace", tabindex: canZoom ? 0 : null, role: "group",
                           "aria-label": label });
  let plot = null;
  const draw = (width) => {
    if (plot) plot.destroy();
    frame.replaceChildren();
    if (!canZoom) {
      frame.append(plainTrace(width, height, xs, chains, label));
      return;
    }
    plot = new uPlot(uplotOptions(width, height, chains, range, sync), [xs, ...chains], frame);
  };
  frame.addEventListener("keydown", (event) => plot && zoomByKey(plot, range, event));
  redraws.add(whenSized(frame, draw));
  return h("figure", {}, h("h3", {}, title), frame,
    caption ? h("figcaption", {}, caption) : null);
}

function recolourTraces() {
  for (const redraw of redraws) redraw();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolourTraces);
for (const [event, on] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => {
    document.documentElement.classList.toggle("on-paper", on);
    recolourTraces();
  });
}

const traceTitles = { lp__: "log density", bright__: "bright points" };

function showTraces() {
  const { series, draws, all } = run.traces;
  const node = section("traces", "Traces",
    "Good chains look alike and have no trend: a band of noise around the same level." +
    (all ? "" : ` Of ${counts(draws)} draws a chain the page keeps the smallest and the largest ` +
                "of each short stretch."));
  const plots = h("div", { class: "plots" });
  for (const { column, chains } of series) {
    const what = column === "lp__" ? "lp__, up to a constant" : "bright__, after each draw";
    plots.append(traceFigure({ title: traceTitles[column], caption: `${what}. ${traceHint}`,
                               chains, draws, sync: "run" }));
  }
  node.append(plots);
}
