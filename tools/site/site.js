// The list of pages opens by itself where there is room for it; and a search over index.js.
(() => {
  const root = document.body.dataset.root;
  const list = document.querySelector(".nav");
  const wide = matchMedia("(min-width: 55.01rem)");
  const fit = () => { list.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();

  const box = document.getElementById("search");
  const found = document.getElementById("found");

  // Every word must occur; in a heading it counts more than in the text.
  function score(section, words) {
    let sum = 0;
    for (const word of words) {
      const heading = section.heading.toLowerCase();
      if (heading.includes(word)) sum += heading.startsWith(word) ? 12 : 8;
      else if (section.page.toLowerCase().includes(word)) sum += 4;
      else if (section.text.toLowerCase().includes(word)) sum += 1;
      else return 0;
    }
    return sum;
  }

  function entry(section, word) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = root + section.href;
    link.textContent = section.heading === section.page
      ? section.page : `${section.page}: ${section.heading}`;
    const at = Math.max(0, section.text.toLowerCase().indexOf(word) - 40);
    const around = document.createElement("span");
    around.textContent = (at > 0 ? "… " : "") + section.text.slice(at, at + 130) + " …";
    item.append(link, around);
    return item;
  }

  function search() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = words.length === 0 ? [] : window.flymcIndex
      .map((section) => ({ section, points: score(section, words) }))
      .filter((hit) => hit.points > 0)
      .sort((a, b) => b.points - a.points).slice(0, 12);
    found.replaceChildren(...hits.map((hit) => entry(hit.section, words[0])));
    if (words.length > 0 && hits.length === 0) {
      const none = document.createElement("li");
      none.textContent = "Nothing found.";
      found.append(none);
    }
    found.hidden = words.length === 0;
  }

  box.addEventListener("input", search);
  box.addEventListener("keydown", (event) => {
    const first = found.querySelector("a");
    if (event.key === "Enter" && first) first.click();
    if (event.key === "Escape") { box.value = ""; search(); }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) found.hidden = true;
  });
  found.addEventListener("click", () => { found.hidden = true; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
      event.preventDefault();
      box.focus();
    }
  });
})();
