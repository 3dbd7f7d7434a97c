// Levels of group terms: where each lies, what few rows do to it, and how far levels differ.
const levelsInList = 30;  // so few are shown by name; of more the lowest and the highest
const levelsAtEnds = 6;

// Levels as lines of a forest, in the order of their means.
function levelRows(term) {
  return term.labels.map((label, i) => {
    const [mean, low, high] = [term.mean[i], term.lower[i], term.upper[i]];
    return { i, label, mean, low, high, none: 0, rows: term.rows?.[i],
      words: `${digits(mean)}  [${digits(low)}, ${digits(high)}]` };
  });
}

// Intervals side by side in one path, and their means as dots of another: thousands are drawn at
// once. `marked`: those that were searched for.
function caterpillar(width, term, rows, marked) {
  const chart = new Chart({ width, height: 280, x: [-1, rows.length], left: 52, xTicks: [],
    y: rangeOf([[0], term.lower, term.upper]), xTitle: "levels by their mean",
    label: `${term.name}: ${counts(rows.length)} levels, mean and 95 % interval, by mean` });
  const each = (chart.box.right - chart.box.left) / rows.length;
  const paths = (some) => some.reduce(([bars, dots], { i, mean, low, high }) => {
    const x = chart.px(i).toFixed(2);
    return [`${bars}M${x} ${chart.py(low).toFixed(1)}V${chart.py(high).toFixed(1)}`,
            `${dots}M${x} ${chart.py(mean).toFixed(1)}h0`];
  }, ["", ""]);
  // Mixed with the paper, not transparent: thousands would add up to a solid block.
  const draw = (some, colour, thick, share) => {
    const [bars, dots] = paths(some);
    const light = `color-mix(in srgb, ${colour} ${share}%, var(--paper))`;
    chart.node.append(
      s("path", { d: bars, style: `stroke:${light}`, "stroke-width": thick, fill: "none" }),
      s("path", { d: dots, stroke: colour, "stroke-width": Math.max(2, 2 * thick), fill: "none",
                  "stroke-linecap": "round" }));
  };
  draw(rows, "var(--c0)", Math.min(2, Math.max(0.6, each / 2)), each < 2 ? 30 : 50);
  chart.curve(chart.x, [0, 0], "var(--muted)", 1, { "stroke-dasharray": "4 3" });
  if (marked.length) draw(marked, "var(--c1)", 2, 100);
  return chart;
}

// Posterior means over the logarithm of the number of rows.
function shrinkage(width, term, rows) {
  const logs = term.rows.map(Math.log10);
  const x = rangeOf([logs]);
  const ticks = [1, 2, 5].flatMap((m) => Array.from({ length: 10 }, (_, e) => m * 10 ** e))
    .map(Math.log10).filter((t) => t >= x[0] && t <= x[1]);
  const few = ticks.filter((t) => Number.isInteger(t));
  const round = roundTicks(10 ** x[0], 10 ** x[1], 4).map(Math.log10);
  const chart = new Chart({ width, height: 240, x, left: 52, xTitle: "rows of the level",
    xTicks: few.length > 2 ? few : ticks.length > 2 ? ticks : round, xText: (t) => counts(10 ** t),
    y: rangeOf([term.mean, [term.sd, -term.sd]]),
    label: `${term.name}: posterior means of levels over their rows` });
  for (const y of [-term.sd, 0, term.sd]) {
    chart.curve(x, [y, y], "var(--muted)", 1, { "stroke-dasharray": y === 0 ? "4 3" : "1 4" });
  }
  const dots = rows.map(({ i, mean }) =>
    `M${chart.px(logs[i]).toFixed(1)} ${chart.py(mean).toFixed(1)}h0`);
  chart.node.append(s("path", { d: dots.join(""), stroke: "var(--c0)", fill: "none",
    "stroke-width": rows.length > 500 ? 2.5 : 6, "stroke-linecap": "round",
    opacity: rows.length > 500 ? 0.4 : 0.6 }));
  return chart.node;
}

// The caterpillar with what lies under the pointer in words.
function caterpillarFigure(term, rows, state) {
  const frame = h("div");
  const under = h("figcaption", { "aria-hidden": "true" }, "\u00a0");
  const draw = (width) => {
    const chart = caterpillar(width, term, rows, state.marked);
    chart.node.addEventListener("pointermove", (event) => {
      const { left, width: shown } = chart.node.getBoundingClientRect();
      const x = ((event.clientX - left) * width) / shown;
      const at = chart.x[0] + ((x - chart.box.left) * (chart.x[1] - chart.x[0])) /
        (chart.box.right - chart.box.left);
      const r = rows[Math.min(rows.length - 1, Math.max(0, Math.round(at)))];
      under.replaceChildren(h("bdi", {}, r.label), `: ${r.words}`,
        r.rows === undefined ? "" : `, ${counts(r.rows)} rows`);
    });
    frame.replaceChildren(chart.node);
  };
  state.redraw = whenSized(frame, draw);
  return h("figure", {}, h("h3", {}, "Every level"), frame, under);
}

// Of few levels all; else those found, or the ends.
function levelList(node, rows, state, hasSearch) {
  const grid = h("div", { class: "forest" });
  const status = h("span", { class: "muted", role: "status", "aria-live": "polite" });
  const show = (words) => {
    const found = words === "" ? null
      : rows.filter(({ label }) => label.toLowerCase().includes(words));
    const ends = rows.filter(({ i }) => i < levelsAtEnds || i >= rows.length - levelsAtEnds);
    const shown = (found ?? (hasSearch ? ends : rows)).slice(0, levelsInList);
    drawForest(grid, shown);
    state.marked = found ?? [];
    state.redraw();
    status.textContent = found
      ? `${counts(found.length)} of ${counts(rows.length)}` +
        (found.length > shown.length ? `, the first ${shown.length} in the list` : "")
      : `the ${levelsAtEnds} lowest and the ${levelsAtEnds} highest of ${counts(rows.length)}`;
  };
  const search = h("input", { class: "tool", type: "search", autocomplete: "off",
    spellcheck: "false", placeholder: "name of a level",
    on: { input: (event) => show(event.target.value.trim().toLowerCase()) } });
  if (hasSearch) {
    node.append(h("div", { class: "tools" }, h("label", {}, "Find ", search), status));
  }
  node.append(grid);
  show("");
}

function showTerm(node, term) {
  const rows = levelRows(term);
  const many = rows.length > levelsInList;
  const state = { marked: [], redraw: () => {} };
  node.append(h("h3", { class: "term" }, h("bdi", {}, term.name),
    h("span", { class: "muted" }, ` \u00b7 ${counts(term.levels)} levels`)));
  if (term.every > 1) {
    node.append(h("p", { class: "small" }, `By mean, every ${counts(term.every)}th is here.`));
  }
  const plots = h("div", { class: "plots" });
  if (many) plots.append(caterpillarFigure(term, rows, state));
  const differ = term.rows && 1.5 * Math.min(...term.rows) < Math.max(...term.rows);
  if (differ) {
    plots.append(figure("Means over rows", "Levels of few rows are drawn towards 0, what is " +
      "usual. Dotted: one standard deviation of levels.", (width) => shrinkage(width, term, rows)));
  }
  if (many) node.append(plots);
  levelList(node, rows, state, many);
  if (!many) node.append(plots);
}

function scaleFigure({ label, x, y }) {
  return figure(label, null, (width) => {
    const chart = new Chart({ width, height: 150, x: [x[0], x.at(-1)], left: 16, yTicks: [],
      y: [0, Math.max(...y) * 1.05], xTitle: "", label: `density of ${label}` });
    chart.band(x, x.map(() => 0), y, "var(--c0)", 0.2);
    chart.curve(x, y, "var(--c0)", 1.8);
    return chart.node;
  });
}

function showLevels() {
  if (!run.levels) return;
  const node = section("levels", "Levels",
    "What is a level's own, as a difference from what is usual: posterior mean and 95 % interval " +
    "(2.5 % to 97.5 %). Below, how far levels differ: posterior densities of their standard " +
    "deviations and correlations.");
  for (const term of run.levels.terms) showTerm(node, term);
  const moving = run.levels.scales.filter(({ x }) => x.length > 0);
  node.append(h("h3", { class: "term" }, "How far levels differ"),
    h("div", { class: "plots narrow" }, ...moving.map(scaleFigure)));
}
