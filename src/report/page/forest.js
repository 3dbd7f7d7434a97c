// Means and 90 % intervals of the coefficients on one scale, which is chosen: a standard deviation
// of its column for each, a unit, or a unit as a ratio.
const forestFirst = 30;
const forestOrders = {
  "farthest from zero, |mean / sd|": (r) => -Math.abs(r.mean / r.sd),
  "largest |mean|": (r) => -Math.abs(r.mean),
  "as in the input": (r) => r.row,
};

function forestRows(rows) {
  const [mean, sd, q5, q95] = ["mean", "sd", "q5", "q95"].map(columnOf);
  return rows.filter(({ column }) => column.startsWith("beta"))
    .map(({ row, column, label, cells, values }) => ({
      row, column, label, mean: values[mean], sd: values[sd], low: values[q5], high: values[q95],
      words: `${minus(cells[mean])}  [${minus(cells[q5])}, ${minus(cells[q95])}]` }))
    .filter((r) => [r.mean, r.low, r.high].every(Number.isFinite));
}

const perSd = "per standard deviation of the column";
const perUnit = "per unit of the column";
const digits = (x) => minus(String(Number(x.toPrecision(3))));
function forestScales() {
  const ratio = run.scales.ratio ? [`${run.scales.ratio}, per unit`] : [];
  return [...(Object.keys(run.scales.spread).length ? [perSd] : []), perUnit, ...ratio];
}

// The rows on a scale; `none`: where nothing changes.
function forestOn(rows, scale) {
  if (scale === perUnit) return rows.map((r) => ({ ...r, none: 0 }));
  return rows.map((r) => {
    const by = run.scales.spread[r.column] ?? 1;
    const [mean, low, high] = [r.mean, r.low, r.high].map((x) =>
      (scale === perSd ? x * by : Math.exp(x)));
    return { ...r, mean, low, high, none: scale === perSd ? 0 : 1,
      words: `${digits(mean)}  [${digits(low)}, ${digits(high)}]` };
  });
}

function forestScale(shown) {
  const [low, high] = rangeOf([[shown[0].none], ...shown.map((r) => [r.low, r.high])]);
  return { low, high, at: (x) => `${(100 * (x - low)) / (high - low)}%` };
}

function forestLine(r, scale) {
  const left = scale.at(r.low);
  const width = `${(100 * (r.high - r.low)) / (scale.high - scale.low)}%`;
  return [h("div", {}, h("bdi", {}, r.label)),
    h("div", { class: "bar", role: "img", "aria-label": r.words, title: r.words },
      h("i", { class: "zero", style: `left:${scale.at(r.none)}` }),
      h("i", { class: "range", style: `left:${left};width:${width}` }),
      h("i", { class: "dot", style: `left:${scale.at(r.mean)}` })),
    h("div", { class: "value" }, r.words)];
}

// Rows of {label, mean, low, high, none, words} in the grid, an axis below.
function drawForest(grid, shown) {
  if (shown.length === 0) {
    grid.replaceChildren();
    return;
  }
  const scale = forestScale(shown);
  const axis = h("div", { class: "axis" }, ...roundTicks(scale.low, scale.high, 4).map((x) =>
    h("span", { style: `left:${scale.at(x)}` }, tickText(x))));
  grid.replaceChildren(...shown.flatMap((r) => forestLine(r, scale)), h("div"), axis,
    h("div", { class: "value" }));
}

function showForest(rows) {
  const all = forestRows(rows);
  if (all.length === 0) return;
  const node = section("coefficients", "Coefficients",
    "Posterior mean and 90 % interval (5 % to 95 %); the intercept is left out. A category is " +
    "compared with the level that is not shown.");
  const scales = h("select", { class: "tool", on: { change: () => draw() } },
    ...forestScales().map((name) => h("option", {}, name)));
  const order = h("select", { class: "tool", on: { change: () => draw() } },
    ...Object.keys(forestOrders).map((name) => h("option", {}, name)));
  const grid = h("div", { class: "forest" });
  const more = h("button", { class: "tool", type: "button", on: { click: () => {
    most = Infinity;
    draw();
  } } }, `Show all ${counts(all.length)}`);
  let most = forestFirst;
  const draw = () => {
    const by = forestOrders[order.value];
    drawForest(grid,
      forestOn([...all].sort((a, b) => by(a) - by(b)).slice(0, most), scales.value));
    more.hidden = all.length <= most;
  };
  draw();
  node.append(h("div", { class: "tools" }, h("label", {}, "Scale ", scales),
    h("label", {}, "Order ", order)), grid,
    h("div", { class: "tools" }, more));
}
