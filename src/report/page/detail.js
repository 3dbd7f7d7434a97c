// One parameter in detail: trace, rank histograms, autocorrelation, growth of the ESS.
const mostStrips = 8;

// One strip a chain; the dashed lines hold a bar in 9 of 10 cases if draws were independent.
function rankStrips(width, entry) {
  const strips = entry.ranks.slice(0, mostStrips);
  const each = strips.length > 4 ? 34 : 46;
  const bins = run.detail.bins;
  const total = run.detail.draws;
  const expected = total / bins;
  const spread = 1.645 * Math.sqrt(expected * (1 - 1 / bins));
  const top = Math.max(expected + 2 * spread, ...strips.flat()) * 1.05;
  const height = strips.length * each + 42;
  const chart = new Chart({ width, height, left: 62, x: [0, 1], y: [0, strips.length * top],
    yTicks: [], xTitle: "rank among all draws", label: "Rank histogram of every chain" });
  strips.forEach((values, k) => {
    const base = (strips.length - 1 - k) * top;
    values.forEach((count, b) => chart.bar((b + 0.08) / bins, (b + 0.92) / bins, base,
      base + count, chainColour(k), 0.65));
    for (const level of [Math.max(0, expected - spread), expected + spread]) {
      chart.curve([0, 1], [base + level, base + level], "var(--ink)", 1,
        { "stroke-dasharray": "3 3", opacity: 0.6 });
    }
    chart.line([[chart.px(0), chart.py(base)], [chart.px(1), chart.py(base)]], "var(--line)", 1);
    chart.text(chart.px(0) - 6, chart.py(base) - 4, `chain ${k + 1}`, "end");
  });
  return chart.node;
}

function acfChart(width, entry) {
  const low = Math.min(-0.1, ...entry.acf);
  const chart = new Chart({ width, height: 190, x: [-0.7, Math.max(1, entry.acf.length - 0.3)],
    y: [low, 1.02], xTitle: "lag, in draws", label: "Autocorrelation by lag" });
  entry.acf.forEach((rho, lag) => chart.bar(lag - 0.32, lag + 0.32, 0, rho, "var(--c0)", 0.8));
  chart.line([[chart.box.left, chart.py(0)], [chart.box.right, chart.py(0)]], "var(--muted)", 1);
  return chart.node;
}

function growthChart(width, entry) {
  const { draws, bulk, tail: tails } = entry.growth;
  const chains = entry.ranks.length;
  const xs = draws.map((n) => n * chains);
  const top = Math.max(440, ...rangeOf([bulk, tails]));
  const chart = new Chart({ width, height: 190, left: 56, x: [0, xs[xs.length - 1]],
    y: [0, top], xTitle: "draws, all chains together", label: "Effective sample size by draws" });
  chart.line([[chart.px(0), chart.py(400)], [chart.box.right, chart.py(400)]], "var(--muted)", 1,
    { "stroke-dasharray": "5 4" });
  for (const [values, colour] of [[bulk, "var(--c0)"], [tails, "var(--c1)"]]) {
    chart.curve([0, ...xs], [0, ...values], colour, 2);
    xs.forEach((x, i) => values[i] !== null && chart.point(x, values[i], 2.6, colour));
  }
  return chart.node;
}

class Detail {
  constructor(rows) {
    this.entries = new Map(run.detail.entries.map((entry) => [entry.row, entry]));
    this.names = new Map(rows.map(({ row, label, column }) => [row, `${label}  (${column})`]));
    this.select = h("select", { class: "tool", on: { change: (event) =>
      this.onChoose(Number(event.target.value)) } },
      ...run.detail.entries.map(({ row }) => h("option", { value: row }, this.names.get(row))));
    this.plots = h("div", { class: "plots" });
    this.node = h("div", { id: "detail" }, h("div", { class: "tools keep" },
      h("label", {}, "Chains of ", this.select),
      h("span", { class: "muted" }, "the largest R-hat first, then the smallest ESS")), this.plots);
  }
  has(row) {
    return this.entries.has(row);
  }
  show(row) {
    const entry = this.entries.get(row);
    this.select.value = row;
    const shown = Math.min(mostStrips, entry.ranks.length);
    this.plots.replaceChildren(
      traceFigure({ title: "Trace", chains: entry.chains, draws: run.detail.draws, height: 200,
        caption: (run.detail.all ? "" : "Thinned: the smallest and largest of each stretch. ") +
                 traceHint }),
      figure("Rank histograms", "Level bars: the chains agree. Of independent draws 9 of 10 " +
        "bars end between the dashed lines" + (shown < entry.ranks.length
          ? `; the first ${shown} of ${entry.ranks.length} chains.` : "."),
        (width) => rankStrips(width, entry)),
      entry.acf.length ? figure("Autocorrelation", "Within chains, averaged over them. Below " +
        "zero is good: draws that alternate tell more than independent ones.",
        (width) => acfChart(width, entry)) : h("p", {}, "It never moves."),
      this.growth(entry));
  }
  growth(entry) {
    const node = figure("Effective draws", "They should grow in step with the draws; the dashed " +
      "line is 400.", (width) => growthChart(width, entry));
    node.querySelector("h3").after(key([["var(--c0)", "bulk"], ["var(--c1)", "tail"]]));
    return node;
  }
}
