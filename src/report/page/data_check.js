// What the model says of the data it was fitted to, beside what they are.
function calibrationChart(width, { bins }) {
  const top = Math.min(1, 1.08 * Math.max(...bins.flatMap((b) => [b.p, b.share, b.high])));
  const side = top > 0.5 ? 1 : top;
  const chart = new Chart({ width, height: Math.min(380, width), x: [0, side], y: [0, side],
    xTitle: "probability the model gives", yTitle: "share observed",
    label: "Calibration: observed share by predicted probability" });
  chart.curve([0, side], [0, side], "var(--muted)", 1, { "stroke-dasharray": "5 4" });
  const half = side / 110;
  for (const { p, share, low, high, n } of bins) {
    const outside = share < low || share > high;
    chart.bar(p - half, p + half, low, high, "var(--band)");
    chart.point(p, share, 4, outside ? "var(--c1)" : "var(--c0)", 1,
      `given ${p.toPrecision(3)}, observed ${share.toPrecision(3)}, weight ${counts(n)}`);
  }
  return chart.node;
}

// The same, less what the model gives: with many rows the dots above hide what there is to see.
function differenceChart(width, { bins }) {
  const reach = 1.15 * Math.max(...bins.flatMap(({ p, share, low, high }) =>
    [share, low, high].map((value) => Math.abs(value - p))));
  const side = Math.max(...bins.map(({ p }) => p)) > 0.5 ? 1 : rangeOf([bins.map((b) => b.p)])[1];
  const chart = new Chart({ width, height: Math.min(380, width), left: 62, x: [0, side],
    y: [-reach, reach], xTitle: "probability the model gives",
    label: "Observed share less predicted probability" });
  chart.curve([0, side], [0, 0], "var(--muted)", 1, { "stroke-dasharray": "5 4" });
  for (const { p, share, low, high } of bins) {
    const outside = share < low || share > high;
    chart.bar(p - side / 110, p + side / 110, low - p, high - p, "var(--band)");
    chart.point(p, share - p, 4, outside ? "var(--c1)" : "var(--c0)");
  }
  return chart.node;
}

function calibrationCaption({ bins }) {
  const outside = bins.filter(({ share, low, high }) => share < low || share > high).length;
  return "Posterior predictive check: the grey bar is where the share falls in 9 of 10 cases if " +
    `the probabilities are right; ${outside} of ${bins.length} dots lie outside` +
    (outside > 0 ? ", in orange." : ".");
}

function histogramChart(width, { low, high, observed, expected, x_title: xTitle }) {
  const step = (high - low) / observed.length;
  const chart = new Chart({ width, height: 260, left: 62, x: [low, high], xTitle,
    y: [0, 1.06 * Math.max(...observed, ...expected)], label: "Observed and expected" });
  observed.forEach((value, b) => chart.bar(low + (b + 0.06) * step, low + (b + 0.94) * step, 0,
    value, "var(--c0)", 0.55));
  chart.curve(expected.map((_, b) => low + (b + 0.5) * step), expected, "var(--c1)", 2);
  return chart.node;
}

function residualChart(width, { bins, band }) {
  const level = 1 / bins.length;
  const chart = new Chart({ width, height: 260, left: 62, x: [0, 1], xTitle: "quantile",
    y: [0, 1.15 * Math.max(level + band, ...bins)], label: "Histogram of quantile residuals" });
  chart.bar(0, 1, Math.max(0, level - band), level + band, "var(--band)");
  bins.forEach((share, b) => chart.bar((b + 0.06) * level, (b + 0.94) * level, 0, share,
    Math.abs(share - level) > band ? "var(--c1)" : "var(--c0)", 0.6));
  return chart.node;
}

function scatterChart(width, { x, y, bins, x_title: xTitle, y_title: yTitle }) {
  // The view holds the bins and most points; those far outside sit at the edge.
  const sizes = y.map(Math.abs).sort((a, b) => a - b);
  const reach = Math.max(sizes[Math.floor(0.99 * (sizes.length - 1))],
    ...bins.flatMap((b) => [Math.abs(b[1]), Math.abs(b[3])])) * 1.3 || 1;
  const chart = new Chart({ width, height: 260, left: 56, x: rangeOf([x]), y: [-reach, reach],
    xTitle, yTitle, label: "Residuals by fitted mean" });
  x.forEach((value, i) => {
    const held = Math.max(-reach, Math.min(reach, y[i]));
    chart.point(value, held, 1.7, held === y[i] ? "var(--c6)" : "var(--c1)", 0.5);
  });
  chart.line([[chart.box.left, chart.py(0)], [chart.box.right, chart.py(0)]], "var(--muted)", 1);
  const xs = bins.map((b) => b[0]);
  chart.curve(xs, bins.map((b) => b[2]), "var(--c0)", 2.5);
  for (const side of [1, 3]) {
    chart.curve(xs, bins.map((b) => b[side]), "var(--c0)", 1.5, { "stroke-dasharray": "4 3" });
  }
  return chart.node;
}

function plainTable({ titles, rows }, kind = "rows") {
  return h("div", { class: "wide" }, h("table", { class: kind },
    h("thead", {}, h("tr", {}, ...titles.map((title, i) =>
      h("th", { scope: "col", class: i === 0 ? "left" : null }, title)))),
    h("tbody", {}, ...rows.map(([first, ...cells]) => h("tr", {},
      h("th", { scope: "row" }, first), ...cells.map((cell) => h("td", {}, minus(cell))))))));
}

const panelKinds = {
  calibration: (panel) => [
    figure("Calibration", "Rows in bins of like probability: dots on the line say that what is " +
      "given 30 % happens in 30 of 100 rows.", (width) => calibrationChart(width, panel)),
    figure("Observed less given", calibrationCaption(panel),
      (width) => differenceChart(width, panel))],
  histogram: (panel) => [figure("Observed and expected", "Bars: the data. Line: what the model " +
    "expects. " + (panel.low < -1 ? "What lies beyond the ends is counted in the last bar." : ""),
    (width) => histogramChart(width, panel))],
  scatter: (panel) => [figure("Residuals", `${counts(panel.points)} of ${counts(panel.rows)} ` +
    "rows as points, in orange those beyond the edge; lines: 5 %, 50 % and 95 % of all rows with " +
    "like fitted mean. A bend or a funnel is something the columns do not explain.",
    (width) => scatterChart(width, panel))],
  residuals: (panel) => [figure("Quantile residuals", "Where each response falls among new ones " +
    "that the model draws for its row: level bars where the model is right. A hump in the middle: " +
    "responses vary less than it says; high ends: more. The grey band holds 99 of 100 bars.",
    (width) => residualChart(width, panel))],
  table: (panel) => [h("div", {}, h("h3", {}, "Classes"), plainTable(panel))],
};

// Its title says which rows it is of, where they are not all of one kind.
function panelNodes(panel) {
  const nodes = panelKinds[panel.kind](panel);
  for (const node of nodes) node.querySelector("h3").append(panel.of ?? "");
  return nodes;
}

function showCheck() {
  const check = run.check;
  if (!check) return;
  const node = section("fit", "Fit to the data", check.why_not ? null : check.words +
    (check.held_out ? " Figures of rows held out are of rows that the fit has not seen."
      : " These are the rows the model was fitted to, so new rows will do a little worse."));
  if (check.why_not) {
    node.append(h("p", {}, "Calibration and residuals are not shown. ", check.why_not));
    return;
  }
  node.append(facts(check.numbers), h("div", { class: "plots" },
    ...check.panels.flatMap(panelNodes)));
}
