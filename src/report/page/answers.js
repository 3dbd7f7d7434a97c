// What was found, in sentences.
const answersFirst = 20;

function showAnswers() {
  const all = run.answers;
  if (!all || all.length === 0) return;
  const fact = (name) => run.facts.find(([title]) => title === name)?.[1];
  const [positive, order] = [fact("positive class"), fact("order of classes")];
  const node = section("answers", "Answers",
    (positive ? `What is modelled is the probability of ${positive}. ` : "") +
    (order ? `Classes in their order: ${order}. ` : "") +
    `Estimate and ${run.prob} % interval for each column, the others held fixed; those farthest ` +
    "from zero first.");
  const list = h("ul", { class: "answers" });
  const more = h("button", { class: "tool", type: "button", on: { click: () => draw(Infinity) } },
    `Show all ${counts(all.length)}`);
  const draw = (most) => {
    list.replaceChildren(...all.slice(0, most).map(([about, words]) =>
      h("li", {}, h("strong", {}, h("bdi", {}, about)), `: ${minus(words)}`)));
    more.hidden = all.length <= most;
  };
  draw(answersFirst);
  node.append(list, h("div", { class: "tools" }, more));
}

// What the draws cost, for those who wonder how.
function showEngine() {
  const node = section("engine", "Engine");
  node.append(facts(run.engine));
  showBright(node);
}
