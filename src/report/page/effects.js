// What a column does on average: a line for each change, and the average prediction over its range.
const effectsFirst = 20;

// A band and a line over numbers; a bar and a dot for each level.
function curveChart(width, { column, levels, at, outcomes }, titles) {
  const range = rangeOf(outcomes.flatMap(({ lower, upper }) => [lower, upper]));
  const byLevel = levels.length > 0;
  const x = byLevel ? [-0.5, levels.length - 0.5] : rangeOf([at]);
  const chart = new Chart({ width, height: 240, left: 62, x, y: range,
    xTitle: byLevel ? "" : column, xTicks: byLevel ? [] : undefined,
    label: `Average prediction by ${column}` });
  outcomes.forEach(({ mean, lower, upper }, k) => {
    const colour = chainColour(k);
    if (byLevel) {
      const shift = (k - (outcomes.length - 1) / 2) * Math.min(0.12, 0.7 / outcomes.length);
      mean.forEach((value, i) => {
        if (value === null) return;
        chart.line([[chart.px(i + shift), chart.py(lower[i])],
          [chart.px(i + shift), chart.py(upper[i])]], colour, 3);
        chart.point(i + shift, value, 4, colour, 1, `${levels[i]}: ${titles[k]} ` +
          value.toPrecision(3));
      });
      return;
    }
    chart.band(at, lower, upper, colour, 0.22);
    chart.curve(at, mean, colour, 2);
  });
  if (byLevel) levelNames(chart, levels, width);
  return chart.node;
}

// As many as there is room for, cut to it.
function levelNames(chart, levels, width) {
  const room = (chart.box.right - chart.box.left) / levels.length;
  const letters = Math.max(3, Math.floor(room / letterWidth(levels.join(""))));
  const step = room < 26 ? Math.ceil(26 / room) : 1;
  levels.forEach((level, i) => {
    if (i % step > 0) return;
    chart.text(chart.px(i), chart.box.bottom + 16, middleCut(level, letters * step), "middle", "",
      level);
  });
}

function effectTable(lines, several) {
  const titles = several ? ["change", "of", "effect", "interval"] : ["change", "effect", "interval"];
  return plainTable({ titles, rows: lines.map(([change, outcome, effect, interval]) =>
    (several ? [change, outcome, effect, interval] : [change, effect, interval])) },
  "rows effects");
}

function showEffects() {
  const effects = run.effects;
  if (!effects || (effects.effects && effects.effects.length === 0)) return;
  const node = section("effects", "Average effects", effects.why_not ? null : effects.words);
  if (effects.why_not) {
    node.append(h("p", {}, "Effects are not shown. ", effects.why_not));
    return;
  }
  const several = effects.outcomes.length > 1;
  const frame = h("div");
  const all = effects.effects;
  const more = h("button", { class: "tool", type: "button", on: { click: () => draw(Infinity) } },
    `Show all ${counts(all.length)}`);
  const draw = (most) => {
    frame.replaceChildren(effectTable(all.slice(0, most), several));
    more.hidden = all.length <= most;
  };
  draw(effectsFirst);
  node.append(frame, h("div", { class: "tools" }, more));
  if (several) {
    node.append(h("p", {}, ...effects.outcomes.flatMap((title, k) =>
      [h("span", { style: `color: ${chainColour(k)}` }, "\u25cf"), ` ${title}  `])));
  }
  const what = effects.what.replace(/^the /, "");
  node.append(h("div", { class: "plots" }, ...effects.curves.map((curve) =>
    figure(curve.column, h("span", {}, `${what[0].toUpperCase()}${what.slice(1)} on average, were `,
      h("bdi", {}, curve.column), " the same in every row."),
      (width) => curveChart(width, curve, effects.outcomes)))));
  for (const note of effects.notes) node.append(h("p", { class: "small muted" }, note));
}
