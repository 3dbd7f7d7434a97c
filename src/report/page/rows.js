// Rows worth a look: explained worst; and most often bright.
const firstColumns = "first columns of the data";

function rowTable(list, kind) {
  const table = plainTable(list, kind);
  if (kind) {
    for (const line of table.querySelectorAll("tr")) {
      list.titles.forEach((title, i) => line.children[i].classList.toggle("left",
        i === 0 || [firstColumns, "most unusual features"].includes(title)));
    }
  }
  return h("div", { class: list.rows.length > 15 ? "tall" : null }, table);
}

// With the first columns of the data, where the page has them.
function worstTable() {
  const { titles: [row, ...titles], rows } = run.worst;
  const cells = run.worst_columns;
  return rowTable(!cells ? run.worst : { titles: [row, firstColumns, ...titles],
    rows: rows.map(([number, ...more], i) => [number, cells[i], ...more]) }, "rows");
}

function showWorst() {
  if (!run.worst || run.worst.rows.length === 0) return;
  section("worst", "Rows explained worst",
    "Of the rows of the fit, those whose response surprises the model most: outliers, wrong " +
    "labels, rare cases. Worth a look. Rows are counted from 1, as in the data" +
    (run.run.rows_left_out ? ", those left out among them." : "."))
    .append(worstTable());
}

function showBright(node) {
  if (!run.rows) return;
  const kind = run.rows.titles.length > 2 ? "rows" : "";
  node.append(h("h3", {}, "Rows most often bright"), h("p", { class: "lead" },
    "The engine evaluates a row when the bound on its likelihood is not tight there. This says " +
    "where the bound is loose, not which rows are odd. Rows are counted from 1" +
    (kind || !run.run.rows_left_out ? ", as in the data." : " among those used.")));
  if (!kind) {
    node.append(h("p", { class: "small" }, "Their values need the data. ",
      run.check?.why_not ?? ""));
  }
  node.append(rowTable(run.rows, kind));
}
