// The report page as people use it: report_page.mjs FLYMC.
import assert from "node:assert/strict";
import { resolve } from "node:path";

import { hostile, longNames, makeClassReport, makeLevelReport, makeLongReport, makeReport,
  openBrowser, openPage } from "./page.mjs";

const labels = (page) => page.$$eval("table.numbers tbody tr", (lines) =>
  lines.map((line) => line.querySelector("th").firstChild.textContent));
const column = (page, title) => page.$$eval("table.numbers", ([table], wanted) => {
  const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
  return [...table.querySelectorAll("tbody tr")].map((line) =>
    Number(line.children[heads.indexOf(wanted)].textContent.replace("\u2212", "-")
      .replaceAll(",", "")));
}, title);
const sortOf = (page, title) => page.$eval(`thead th:has(button:text-is("${title}"))`,
  (head) => head.getAttribute("aria-sort"));
const isSorted = (values, down) => values.every((value, i) => i === 0 ||
  (down ? values[i - 1] >= value : values[i - 1] <= value));

// How many pixels of a canvas are painted.
const painted = (page) => page.$$eval("canvas", (all) => all.map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
  return count;
}));

const tests = {
  async "loads without an error or a request, and every plot is drawn"({ page, troubles }) {
    assert.deepEqual(troubles, []);
    const canvases = await painted(page);
    assert.ok(canvases.length >= 3, `${canvases.length} canvases`);
    assert.ok(canvases.every((count) => count > 1000), `painted: ${canvases}`);
    for (const id of ["detail", "fit"]) {
      assert.ok(await page.$$eval(`#${id} svg rect`, (all) => all.length) > 10, id);
    }
    assert.ok(await page.$$eval(".forest .dot", (all) => all.length) === 6);
  },
  async "shows what each column does, and curves of it"({ page }) {
    const lines = await page.$$eval("#effects tbody tr", (all) => all.map((l) => l.textContent));
    assert.ok(lines.length >= 5, `${lines}`);
    assert.ok(lines.some((line) => line.startsWith("b: one more")), `${lines}`);
    assert.equal(await page.$$eval("#effects figure svg", (all) => all.length), 6);
    assert.ok(await page.$$eval("#effects figure svg path", (all) => all.length) > 12);
  },
  async "shades the density of every coefficient, on every scale"({ page }) {
    const scales = await page.$$eval("#coefficients select", ([scale]) =>
      [...scale.options].map((option) => option.textContent));
    assert.equal(scales.length, 4, `${scales}`);
    for (const scale of scales) {
      await page.selectOption("#coefficients select >> nth=0", scale);
      const shown = await page.$$eval("#coefficients .bar", (bars) => bars.map((bar) => {
        const shape = bar.querySelector(".density path").getBoundingClientRect();
        const dot = bar.querySelector(".dot").getBoundingClientRect();
        return shape.left < dot.right && dot.left < shape.right && shape.height > 10;
      }));
      assert.ok(shown.length > 0 && shown.every(Boolean), `${scale}: ${shown}`);
    }
  },
  async "keeps hostile names as text"({ page }) {
    assert.equal(await page.evaluate(() => window.broken), undefined);
    const shown = await labels(page);
    for (const name of hostile) assert.ok(shown.includes(name), name);
    assert.equal(await page.$("#main img"), null);
    assert.ok((await page.textContent("#fit")).includes("<i>yes</i>"));
  },
  async "sorts by click and by keyboard"({ page }) {
    await page.click('thead button:text-is("mean")');
    assert.equal(await sortOf(page, "mean"), "descending");
    const means = (await column(page, "mean")).slice(0, -1);  // lp__ has none and comes last
    assert.ok(isSorted(means, true), `${means}`);
    await page.focus('thead button:text-is("rhat")');
    await page.keyboard.press("Enter");
    assert.ok(isSorted(await column(page, "rhat"), true));
    await page.keyboard.press("Space");
    assert.equal(await sortOf(page, "rhat"), "ascending");
    assert.equal(await sortOf(page, "mean"), "none");
    assert.ok(isSorted(await column(page, "rhat"), false));
    await page.click('thead button:text-is("parameter")');
    assert.equal((await labels(page))[0], "(intercept)");
  },
  async "calls the rows explained worst by what the data call them"({ page }) {
    const lines = await page.$$eval("#worst tr", (all) => all.map((line) =>
      [...line.children].slice(0, 2).map((cell) => cell.textContent)));
    assert.deepEqual(lines[0], ["row", "first columns of the data"]);
    assert.match(lines[1][1], /^a \S+, b \S+, c \S+$/);
  },
  async "filters by the search field"({ page }) {
    await page.fill("#search", "ALPHA");
    assert.deepEqual(await labels(page), ["(intercept)"]);
    await page.fill("#search", "");
    assert.equal((await labels(page)).length, 8);
  },
  async "shows the chains of the parameter chosen"({ page }) {
    await page.click('table.numbers tbody button:text-is("b")');
    const shown = await page.$eval("#detail select option:checked", (option) => option.textContent);
    assert.match(shown, /beta\.2/);
    assert.equal(await page.$eval("tr[aria-current] code", (code) => code.textContent), "beta.2");
    await page.focus('table.numbers tbody button:text-is("c")');
    await page.keyboard.press("Enter");
    assert.equal(await page.$eval("tr[aria-current] code", (code) => code.textContent), "beta.3");
  },
  async "zooms a trace by keyboard and shows all again"({ page }) {
    const image = () => page.$eval("#traces canvas", (canvas) => canvas.toDataURL());
    await page.focus("#traces .trace");
    const before = await image();
    await page.keyboard.press("+");
    await page.waitForTimeout(100);
    assert.notEqual(await image(), before);
    await page.keyboard.press("0");
    await page.waitForTimeout(100);
    assert.equal(await image(), before);
  },
  async "shows where the focus is"({ page }) {
    await page.focus("#search");
    assert.match(await page.$eval("#search", (node) => getComputedStyle(node).outlineStyle),
      /solid/);
  },
};

const levelTests = {
  async "draws every level, and lists the ends of many or all of few"({ page }) {
    const drawn = await page.$$eval("#levels figure path", (all) => all.map((path) =>
      path.getAttribute("d").split("M").length - 1));
    assert.ok(drawn.filter((count) => count === 300).length >= 3, `${drawn}`);
    const lists = await page.$$eval("#levels .forest", (all) => all.map((list) =>
      list.querySelectorAll(".dot").length));
    assert.deepEqual(lists, [12, 8]);
    assert.equal(await page.$$eval("#levels .narrow svg", (all) => all.length), 2);
  },
  async "finds a level by its name and marks it"({ page }) {
    await page.fill("#levels input", "17");
    const names = await page.$$eval("#levels .forest", ([list]) =>
      [...list.querySelectorAll("bdi")].map((name) => name.textContent));
    assert.equal(names.length, 13);  // 17, 117, 170 .. 179, 217
    assert.ok(names.every((name) => name.includes("17")), `${names}`);
    assert.match(await page.textContent("#levels [role=status]"), /13 of 300/);
    await page.fill("#levels input", "no such level");
    assert.match(await page.textContent("#levels [role=status]"), /0 of 300/);
  },
};

// What sticks out of its cell, or of its chart.
const sticking = (page) => page.evaluate(() => {
  const out = [];
  const look = (node, frame) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const [inner, outer] = [range.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (inner.width > 0 && (inner.right > outer.right + 1 || inner.left < outer.left - 1)) {
      out.push(node.textContent);
    }
  };
  for (const cell of document.querySelectorAll("th, td")) look(cell, cell);
  for (const text of document.querySelectorAll("#main svg text")) {
    look(text, text.ownerSVGElement);
  }
  return out;
});

const longTests = {
  async "long names stay in their cells and charts"({ page }) {
    assert.deepEqual(await sticking(page), []);
    const cut = await page.$$eval("#effects svg text.title", (all) =>
      all.map((text) => [text.firstChild.textContent, text.querySelector("title")?.textContent]));
    for (const [shown, all] of cut.filter(([, whole]) => whole)) {
      assert.ok(longNames.includes(all), all);
      assert.ok(shown.includes("\u2026") && shown.endsWith(all.slice(-3)), shown);
    }
  },
};

const flymc = resolve(process.argv[2]);
const browser = await openBrowser();
const report = makeReport(flymc);
const levels = makeLevelReport(flymc);
const long = makeLongReport(flymc);
const classes = makeClassReport(flymc);
let failures = 0;
async function attempt(name, options, test, url = report.url) {
  const opened = await openPage(browser, url, options);
  try {
    await test(opened);
    assert.deepEqual(opened.troubles, []);
    console.log(`ok   ${name}`);
  } catch (error) {
    ++failures;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
  await opened.page.context().close();
}

const desktop = { viewport: { width: 1400, height: 900 }, colorScheme: "light" };
for (const [name, test] of Object.entries(tests)) await attempt(name, desktop, test);
for (const [name, test] of Object.entries(levelTests)) {
  await attempt(name, desktop, test, levels.url);
}
const background = (page) => page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
await attempt("is light", desktop, async ({ page }) =>
  assert.equal(await background(page), "rgb(255, 255, 255)"));
await attempt("is dark where the system is", { ...desktop, colorScheme: "dark" },
  async ({ page }) => {
    assert.equal(await background(page), "rgb(22, 24, 28)");
    const dark = await page.$eval("#traces canvas", (canvas) => canvas.toDataURL());
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForTimeout(200);
    assert.notEqual(await page.$eval("#traces canvas", (canvas) => canvas.toDataURL()), dark);
  });
for (const width of [390, 1400]) {
  for (const [name, test] of Object.entries(longTests)) {
    await attempt(`${name} at ${width} px`, { viewport: { width, height: 844 } }, test, long.url);
  }
}
const telephone = { viewport: { width: 390, height: 844 } };
await attempt("answers on the first screen of a telephone", telephone,
  async ({ page }) => {
    const first = await page.$eval(".answers li", (line) => line.getBoundingClientRect().bottom);
    assert.ok(first < 844, `the first interval at ${first} px`);
    const facts = await page.$eval("dl", (list) => list.getBoundingClientRect().top);
    assert.ok(first < facts, `the facts at ${facts} px, above it`);
    const seen = await page.$$eval("#coefficients .value", (all) => all.slice(0, -1)
      .map((value) => value.getBoundingClientRect().width));
    assert.ok(seen.length === 6 && seen.every((width) => width > 50), `numbers: ${seen}`);
    const narrow = await page.$$eval("#coefficients .bar", (bars) => bars.filter((bar) =>
      bar.querySelector(".dot").getBoundingClientRect().width >=
      bar.querySelector(".range").getBoundingClientRect().width).length);
    assert.equal(narrow, 0, "a mean covers its interval");
  });
for (const width of [360, 390]) {
  for (const { url } of [report, classes]) {
    await attempt(`intervals of effects are seen at ${width} px`,
      { viewport: { width, height: 844 } }, async ({ page }) => {
        const right = await page.$$eval("table.effects td:last-child", (cells) =>
          cells.map((cell) => cell.getBoundingClientRect().right));
        assert.ok(right.length > 3 && right.every((end) => end <= width), `they end at ${right}`);
        const lines = await page.$$eval("table.effects td:nth-last-child(2)", (cells) =>
          cells.map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getClientRects().length;
          }));
        assert.ok(lines.every((count) => count === 1), `a number that wraps: ${lines}`);
      }, url);
  }
}
for (const { url } of [report, levels, long, classes]) {
  for (const width of [360, 390, 768, 1400]) {
    await attempt(`fits ${width} px`, { viewport: { width, height: 800 } }, async ({ page }) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} px wide`);
      const ticks = await page.$$eval(".forest .axis span", (all) => all.map((tick) =>
        tick.getClientRects()[0].height));
      assert.ok(ticks.every((height) => height < 30), `${ticks}: a number that wraps`);
    }, url);
  }
}
await browser.close();
report.remove();
levels.remove();
long.remove();
classes.remove();
process.exit(failures === 0 ? 0 : 1);
