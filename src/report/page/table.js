// The summary table: sorted by its heads, filtered by the search field, a row chosen for detail.
const tableHints = {
  parameter: "name in the input, column in the chain files",
  q5: "5 % of the draws are smaller", q50: "the median", q95: "95 % of the draws are smaller",
  sd: "posterior standard deviation", mcse_mean: "Monte Carlo error of the mean",
  ess_bulk: "effective draws for the mean and the bulk",
  ess_tail: "effective draws for 5 % and 95 %",
  rhat: "1 where the chains agree",
};
const tableNames = { q5: "5 %", q50: "50 %", q95: "95 %" };
const firstRows = 100;

// Rows as {row, column, label, cells, values, interval}; `row` counts parameters.
function tableRows() {
  return run.table.rows.map(([row, column, label, ...cells], i) =>
    ({ row, column, label, cells, values: cells.map(parsed),
       interval: run.table.intervals[i] ?? ["", ""] }));
}
const numberTitles = run.table.titles.slice(2);
const columnOf = (title) => numberTitles.indexOf(title);

function isBad(title, value) {
  return (title === "rhat" && !(value < 1.01)) || (title === "ess_bulk" && !(value > 400));
}

// Digits after the point, so that hidden zeros can put the points one below the other.
function tail(cell) {
  const point = cell.indexOf(".");
  return point < 0 || cell.includes("e") ? "" : cell.slice(point);
}

class SummaryTable {
  constructor(choose, hasDetail) {
    this.rows = tableRows();
    this.choose = choose;
    this.hasDetail = hasDetail;
    this.sort = { by: -1, down: false };  // -1: as in the input
    this.words = "";
    this.most = firstRows;
    this.chosen = null;
    this.widest = numberTitles.map((_, c) =>
      this.rows.reduce((most, { cells }) => (tail(cells[c]).length > most.length
        ? tail(cells[c]) : most), ""));
    this.heads = ["parameter", ...numberTitles].map((title, i) => this.head(title, i - 1));
    this.body = h("tbody");
    this.status = h("span", { class: "muted", role: "status", "aria-live": "polite" });
    this.more = h("button", { class: "tool", type: "button", on: { click: () => {
      this.most = Infinity;
      this.show();
    } } });
    this.node = this.frame();
    this.show();
  }
  frame() {
    const search = h("input", { class: "tool", type: "search", id: "search", autocomplete: "off",
      spellcheck: "false", placeholder: "name or column", on: { input: (event) => {
        this.words = event.target.value.toLowerCase();
        this.show();
      } } });
    const table = h("table", { class: "numbers" },
      h("thead", {}, h("tr", {}, ...this.heads)), this.body);
    return h("div", {},
      h("div", { class: "tools" }, h("label", {}, "Search ", search), this.status),
      h("div", { class: "wide tall", tabindex: 0, role: "region",
                 "aria-label": "Summary of the parameters" }, table),
      h("div", { class: "tools" }, this.more));
  }
  head(title, by) {
    const button = h("button", { type: "button", title: tableHints[title] ?? null,
      on: { click: () => this.sortBy(by) } }, tableNames[title] ?? title);
    return h("th", { scope: "col", "aria-sort": by === -1 ? "ascending" : "none" }, button);
  }
  // Names start with the first, numbers with the largest.
  sortBy(by) {
    this.sort = { by, down: by === this.sort.by ? !this.sort.down : by >= 0 };
    this.heads.forEach((head, i) => head.setAttribute("aria-sort",
      i - 1 !== by ? "none" : this.sort.down ? "descending" : "ascending"));
    this.show();
  }
  ordered() {
    const { by, down } = this.sort;
    const found = this.rows.filter(({ label, column }) => !this.words ||
      label.toLowerCase().includes(this.words) || column.toLowerCase().includes(this.words));
    const valueOf = (entry) => (by < 0 ? entry.row : entry.values[by]);
    return found.sort((a, b) => {
      const [x, y] = [valueOf(a), valueOf(b)];
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
      return (down ? y - x : x - y) || a.row - b.row;
    });
  }
  show() {
    const found = this.ordered();
    this.body.replaceChildren(...found.slice(0, this.most).map((entry) => this.line(entry)));
    const all = run.table.parameters;
    this.status.textContent = this.words
      ? `${counts(found.length)} found`
      : this.rows.length > all ? `${counts(all)} parameters and the log density`
      : `${counts(this.rows.length - 1)} of ${counts(all)} parameters are on this page; ` +
        `${run.table.all} shows every one`;
    this.more.hidden = found.length <= this.most;
    this.more.textContent = `Show all ${counts(found.length)} rows`;
  }
  line(entry) {
    const opens = this.hasDetail(entry.row);
    const name = opens ? h("button", { type: "button", title: "show its chains" }, entry.label)
                       : h("bdi", {}, entry.label);
    const cells = entry.cells.map((cell, c) => {
      const pad = cell ? this.widest[c].slice(tail(cell).length) : "";
      const bad = isBad(numberTitles[c], entry.values[c]) && entry.column !== "lp__";
      return h("td", { class: bad ? "bad" : null,
                       "data-pad": pad && !cell.includes("e") ? pad : null }, minus(cell));
    });
    return h("tr", { class: opens ? "pick" : null, "data-row": entry.row,
      "aria-current": entry.row === this.chosen ? "true" : null,
      on: opens ? { click: () => this.choose(entry.row) } : {} },
      h("th", { scope: "row" }, name, h("code", {}, entry.column)), ...cells);
  }
  mark(row) {
    this.chosen = row;
    for (const line of this.body.children) {
      const current = Number(line.dataset.row) === row;
      if (current) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
  }
}

function showTable(choose, hasDetail) {
  const some = run.detail.entries.length < run.table.parameters + 1;
  const node = section("parameters", "Parameters",
    "As many digits as the Monte Carlo error supports; 5 %, 50 % and 95 % are quantiles. " +
    "Choose a name to see its chains below." +
    (some ? ` To keep the page small, ${counts(run.detail.entries.length - 1)} of ` +
            `${counts(run.table.parameters)} have that: those with the largest R-hat, the ` +
            "smallest ESS, and the largest |mean/sd|." : ""));
  const table = new SummaryTable(choose, hasDetail);
  node.append(table.node);
  return table;
}
