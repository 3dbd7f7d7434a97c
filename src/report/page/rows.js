// The rows most often bright.
function showRows() {
  if (!run.rows) return;
  const node = section("rows", "Rows most often bright",
    "FlyMC evaluates a row when its bound does not describe it well enough. Rows that are bright " +
    "again and again are those the model finds hardest: outliers, wrong labels, rare cases. " +
    "Worth a look. Rows are counted from 1 among those used.");
  const kind = run.rows.titles.length > 2 ? "rows" : "";
  const table = plainTable(run.rows, kind);
  if (kind) {
    for (const line of table.querySelectorAll("tr")) {
      line.lastElementChild.classList.add("left");
    }
  } else {
    node.append(h("p", { class: "small" }, "Their values need the data. ",
      run.check?.why_not ?? ""));
  }
  node.append(h("div", { class: run.rows.rows.length > 15 ? "tall" : null }, table));
}
