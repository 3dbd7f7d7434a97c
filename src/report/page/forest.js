// Means and 90 % intervals of the coefficients on one scale.
const forestFirst = 30;
const forestOrders = {
  "farthest from zero, |mean / sd|": (r) => -Math.abs(r.mean / r.sd),
  "largest |mean|": (r) => -Math.abs(r.mean),
  "as in the input": (r) => r.row,
};

function forestRows(rows) {
  const [mean, sd, q5, q95] = ["mean", "sd", "q5", "q95"].map(columnOf);
  return rows.filter(({ column }) => column.startsWith("beta"))
    .map(({ row, label, cells, values }) => ({
      row, label, mean: values[mean], sd: values[sd], q5: values[q5], q95: values[q95],
      words: `${minus(cells[mean])}  [${minus(cells[q5])}, ${minus(cells[q95])}]` }))
    .filter((r) => [r.mean, r.q5, r.q95].every(Number.isFinite));
}

function forestScale(shown) {
  const [low, high] = rangeOf([[0], ...shown.map((r) => [r.q5, r.q95])]);
  return { low, high, at: (x) => `${(100 * (x - low)) / (high - low)}%` };
}

function forestLine(r, scale) {
  const left = scale.at(r.q5);
  const width = `${(100 * (r.q95 - r.q5)) / (scale.high - scale.low)}%`;
  return [h("div", {}, r.label),
    h("div", { class: "bar", role: "img", "aria-label": r.words, title: r.words },
      h("i", { class: "zero", style: `left:${scale.at(0)}` }),
      h("i", { class: "range", style: `left:${left};width:${width}` }),
      h("i", { class: "dot", style: `left:${scale.at(r.mean)}` })),
    h("div", { class: "value" }, r.words)];
}

function showForest(rows) {
  const all = forestRows(rows);
  if (all.length === 0) return;
  const node = section("coefficients", "Coefficients",
    "Posterior mean and 90 % interval (5 % to 95 %), per unit of the input column; the intercept " +
    "is left out.");
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
    const shown = [...all].sort((a, b) => by(a) - by(b)).slice(0, most);
    const scale = forestScale(shown);
    const axis = h("div", { class: "axis" }, ...roundTicks(scale.low, scale.high, 4).map((x) =>
      h("span", { style: `left:${scale.at(x)}` }, tickText(x))));
    grid.replaceChildren(...shown.flatMap((r) => forestLine(r, scale)), h("div"), axis,
      h("div", { class: "value" }));
    more.hidden = all.length <= most;
  };
  draw();
  node.append(h("div", { class: "tools" }, h("label", {}, "Order ", order)), grid,
    h("div", { class: "tools" }, more));
}
