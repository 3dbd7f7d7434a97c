// Means, intervals and densities of the coefficients on one scale, which is chosen: a standard
// deviation of its column for each, or a unit; as it is or as a ratio.
const forestFirst = 30;
const forestOrders = {
  "farthest from zero, |mean / sd|": (r) => -Math.abs(r.mean / r.sd),
  "largest |mean|": (r) => -Math.abs(r.mean),
  "as in the input": (r) => r.row,
};

function forestRows(rows) {
  const [mean, sd] = ["mean", "sd"].map(columnOf);
  const densities = new Map(run.detail.entries.map((entry) => [entry.row, entry.density]));
  return rows.filter(({ column }) => column.startsWith("beta"))
    .map(({ row, column, label, cells, values, interval: [low, high] }) => ({
      row, column, label, mean: values[mean], sd: values[sd], low: parsed(low), high: parsed(high),
      curve: curvePoints(densities.get(row)),
      words: `${minus(cells[mean])}  [${minus(low)}, ${minus(high)}]` }))
    .filter((r) => [r.mean, r.low, r.high].every(Number.isFinite));
}

// [[place, height]], the largest height 1.
function curvePoints(density) {
  if (!density) return [];
  const step = (density.high - density.low) / (density.y.length - 1);
  return density.y.map((y, i) => [density.low + i * step, y]);
}

const perSd = "per standard deviation of the column";
const perUnit = "per unit of the column";
const largestRatio = 1e4;  // beyond it no two rows are a unit apart
const digits = (x) => minus(String(Number(x.toPrecision(3))));
// Names of scales with what they do: a factor for each column, and whether it is a ratio.
function forestScales() {
  const known = Object.keys(run.scales.spread).length > 0;
  const bySd = (r) => run.scales.spread[r.column] ?? 1;
  const { ratio } = run.scales;
  return { ...(known ? { [perSd]: { by: bySd } } : {}), [perUnit]: { by: () => 1 },
    ...(ratio && known ? { [`${ratio}, per standard deviation`]: { by: bySd, ratio } } : {}),
    ...(ratio ? { [`${ratio}, per unit`]: { by: () => 1, ratio } } : {}) };
}

// The rows on a scale; `none`: where nothing changes. Of ratios those that people can read.
function forestOn(rows, { by, ratio }, asWritten) {
  if (asWritten) return rows.map((r) => ({ ...r, none: 0 }));
  return rows.map((r) => {
    const to = (x) => (ratio ? Math.exp(x * by(r)) : x * by(r));
    const [mean, low, high] = [r.mean, r.low, r.high].map(to);
    const curve = r.curve.map(([x, y]) => [to(x), ratio ? y / to(x) : y]);  // dx / d exp(x)
    const top = Math.max(...curve.map(([, y]) => y));
    return { ...r, mean, low, high, none: ratio ? 1 : 0, curve: curve.map(([x, y]) => [x, y / top]),
      words: `${digits(mean)}  [${digits(low)}, ${digits(high)}]` };
  }).filter((r) => !ratio || (r.high <= largestRatio && r.low >= 1 / largestRatio));
}

function forestScale(shown) {
  const ends = (r) => (r.curve ?? []).filter(([, y]) => y > 0.02).map(([x]) => x);
  const [low, high] = rangeOf([[shown[0].none], ...shown.map((r) => [r.low, r.high, ...ends(r)])]);
  return { low, high, at: (x) => `${(100 * (x - low)) / (high - low)}%` };
}

// The density above the line of its row, over all of the bar; what is beyond the scale is cut off.
function densityShape(curve, scale) {
  const shape = s("svg", { class: "density", viewBox: "0 0 100 1", preserveAspectRatio: "none",
                           "aria-hidden": "true" });
  if (curve.length) {
    const at = ([x]) => ((100 * (x - scale.low)) / (scale.high - scale.low)).toFixed(2);
    const points = curve.map((point) => `${at(point)} ${(1 - 0.95 * point[1]).toFixed(3)}`);
    shape.append(s("path",
      { d: `M${at(curve[0])} 1L${points.join("L")}L${at(curve[curve.length - 1])} 1Z` }));
  }
  return shape;
}

function forestLine(r, scale) {
  const left = scale.at(r.low);
  const width = `${(100 * (r.high - r.low)) / (scale.high - scale.low)}%`;
  return h("div", { class: "line" }, h("div", { class: "name" }, h("bdi", {}, r.label)),
    h("div", { class: "bar", role: "img", "aria-label": r.words, title: r.words },
      densityShape(r.curve ?? [], scale),
      h("i", { class: "zero", style: `left:${scale.at(r.none)}` }),
      h("i", { class: "range", style: `left:${left};width:${width}` }),
      h("i", { class: "dot", style: `left:${scale.at(r.mean)}` })),
    h("div", { class: "value" }, r.words));
}

// Rows of {label, mean, low, high, none, words} in the grid, an axis below.
function drawForest(grid, shown) {
  if (shown.length === 0) {
    grid.replaceChildren();
    return;
  }
  const scale = forestScale(shown);
  const ticks = [4, 6, 9].map((many) => roundTicks(scale.low, scale.high, many))
    .find((some, i) => some.length >= 3 || i === 2);
  const axis = h("div", { class: "axis" }, ...ticks.map((x) =>
    h("span", { style: `left:${scale.at(x)}` }, tickText(x))));
  grid.replaceChildren(...shown.map((r) => forestLine(r, scale)),
    h("div", { class: "line" }, h("div", { class: "name" }), axis, h("div", { class: "value" })));
}

function showForest(rows) {
  const all = forestRows(rows);
  if (all.length === 0) return;
  const node = section("coefficients", "Coefficients",
    `Posterior mean, ${run.prob} % interval and, shaded, density; the intercept is left out. ` +
    "A category is compared with the level that is not shown.");
  const scaleOf = forestScales();
  const scales = h("select", { class: "tool", on: { change: () => draw() } },
    ...Object.keys(scaleOf).map((name) => h("option", {}, name)));
  const order = h("select", { class: "tool", on: { change: () => draw() } },
    ...Object.keys(forestOrders).map((name) => h("option", {}, name)));
  const grid = h("div", { class: "forest" });
  const more = h("button", { class: "tool", type: "button", on: { click: () => {
    most = Infinity;
    draw();
  } } }, `Show all ${counts(all.length)}`);
  const beyond = h("p", { class: "small muted", role: "status" });
  let most = forestFirst;
  const draw = () => {
    const by = forestOrders[order.value];
    const some = [...all].sort((a, b) => by(a) - by(b)).slice(0, most);
    const shown = forestOn(some, scaleOf[scales.value], scales.value === perUnit);
    drawForest(grid, shown);
    const left = some.length - shown.length;
    beyond.textContent = left === 0 ? "" : `${counts(left)} not shown: no two rows are a unit of ` +
      "the column apart, so that its ratio says nothing.";
    more.hidden = all.length <= most;
  };
  draw();
  node.append(h("div", { class: "tools" }, h("label", {}, "Scale ", scales),
    h("label", {}, "Order ", order)), grid, beyond,
    h("div", { class: "tools" }, more));
}
