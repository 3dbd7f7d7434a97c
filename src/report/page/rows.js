// Rows worth a look: explained worst; and most often bright.
function rowTable(list, kind) {
  const table = plainTable(list, kind);
  if (kind) {
    for (const line of table.querySelectorAll("tr")) {
      line.lastElementChild.classList.add("left");
    }
  }
  return h("div", { class: list.rows.length > 15 ? "tall" : null }, table);
}

function showWorst() {
  if (!run.worst || run.worst.rows.length === 0) return;
  section("worst", "Rows explained worst",
    "Of the rows of the fit, those whose response surprises the model most: outliers, wrong " +
    "labels, rare cases. Worth a look. Rows are counted from 1, as in the data" +
    (run.run.rows_left_out ? ", those left out among them." : "."))
    .append(rowTable(run.worst, "rows"));
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
