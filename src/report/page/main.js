// The page, from top to bottom.
function facts(list) {
  return h("dl", {}, ...list.flatMap(([title, words]) => [h("dt", {}, title),
    h("dd", {}, minus(words))]));
}

function showHead() {
  document.getElementById("name").textContent = run.facts[0][1];
  document.getElementById("kicker").textContent = `flymc report \u00b7 ${run.folder}`;
  const { passed, words, checks, next } = run.verdict;
  const main = document.getElementById("main");
  main.append(h("div", { class: passed ? "verdict" : "verdict failed", id: "verdict" },
    h("p", { class: "words" }, words),
    h("ul", {}, ...checks.map((check) => h("li", { class: check.passed ? null : "bad" },
      `${check.claim}: ${check.words}`))),
    next ? h("p", { class: "next" }, h("strong", {}, "Next step: "), next) : null));
  if (run.notes.length) main.append(h("ul", {}, ...run.notes.map((note) => h("li", {}, note))));
}

// What the answers are about: on a telephone they would stand below it.
function showModel() {
  section("model", "Model").append(facts(run.facts));
}

function copyButton(text) {
  const button = h("button", { class: "tool", type: "button", on: { click: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select the text to copy it";
    }
  } } }, "Copy");
  return h("div", { class: "tools" }, button);
}

// Lines break between words, never inside --an-option.
function commandWords() {
  const words = run.command.split(" ").map((word) => h("span", {}, word));
  return h("code", {}, ...words.flatMap((word, i) => (i ? [" ", word] : [word])));
}

function showAgain() {
  const node = section("again", "Make this run again");
  const { version, data, config } = run.run;
  if (run.command) {
    node.append(h("p", { class: "lead" }, "The same version with the same data gives the same " +
      "draws, on any number of threads."), h("pre", {}, commandWords()),
      copyButton(run.command));
  } else if (run.command === "") {  // null: the page was not asked for by a command line
    node.append(h("p", { class: "lead" }, "The data of this run were built in: no command reads " +
      "them from a file."));
  }
  const list = [["version", version], ["seed", config?.seed], ["data", data?.path],
                ["checksum", data?.checksum]].filter(([, value]) => value !== undefined);
  node.append(facts(list.map(([title, value]) => [title, String(value)])));
  if (config) {
    node.append(h("details", {}, h("summary", {}, "All settings"),
      h("pre", {}, h("code", {}, JSON.stringify(config, null, 2)))));
  }
}

showHead();
showAnswers();
showModel();
showEffects();
let detail = null;
const choose = (row) => {
  detail.show(row);
  table.mark(row);
};
showForest(tableRows());
showLevels();
showCheck();
showWorst();
const table = showTable((row) => choose(row), (row) => run.detail.entries
  .some((entry) => entry.row === row));
detail = new Detail(table.rows);
detail.onChoose = choose;
table.node.after(detail.node);
choose(run.detail.entries[0].row);
showTraces();
showEngine();
showAgain();
document.getElementById("footer").textContent =
  `Made by flymc ${run.program ?? ""}` + (canZoom ? "; traces by uPlot (MIT licence)." : ".");
