// A browser, a run folder and one page of it, for tests: what a person would do by hand.
import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

// ctest takes this code for a test that was skipped.
function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

// The first of these programs on the PATH.
function program(names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // the next one
      }
    }
  }
  return null;
}

function loadPlaywright() {
  const require = createRequire(new URL("../../web/package.json", import.meta.url));
  try {
    return require("playwright-core");
  } catch {
    return skip("no playwright-core; run npm ci in web/");
  }
}

export async function openBrowser() {
  const playwright = loadPlaywright();
  const path = program(["chromium", "chromium-browser", "google-chrome"]);
  if (!path) skip("no chromium; install it");
  return playwright.chromium.launch({ executablePath: path });
}

// Names that would break a page that takes text for markup.
export const hostile = ["</script><script>window.broken=1</script>",
                        "\u2028line\u2029 '\"<b>&amp;", "<img src=x onerror=window.broken=1>"];

// A folder to call the program in, whose report of run/ is the page.
function makeFolder(flymc) {
  const folder = mkdtempSync(join(tmpdir(), "flymc-browser-"));
  return { folder, call: (...words) => execFileSync(flymc, words, { cwd: folder, stdio: "pipe" }),
           url: pathToFileURL(join(folder, "run", "report.html")).href,
           remove: () => rmSync(folder, { recursive: true }) };
}

// A table of 400 rows: six numbers, three of them under hostile names, and classes that depend on
// the first; fitted and reported by the real program.
export function makeReport(flymc) {
  const report = makeFolder(flymc);
  const quoted = (name) => `"${name.replaceAll('"', '""')}"`;
  let state = 12345;
  const random = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  const lines = [["a", "b", "c", ...hostile, "y"].map(quoted).join(",")];
  for (let n = 0; n < 400; ++n) {
    const x = Array.from({ length: 6 }, () => random() - 0.5);
    const positive = random() < 1 / (1 + Math.exp(-6 * x[0]));
    lines.push([...x, positive ? "<i>yes</i>" : "no"].join(","));
  }
  writeFileSync(join(report.folder, "d.csv"), lines.join("\n") + "\n");
  report.call("fit", "d.csv", "--response", "y", "--out", "run", "--quiet", "--engine", "fly");
  report.call("report", "run");
  return report;
}

// Names of 26 letters, and of 70 that differ at their ends alone; a category with such levels.
export const longNames = ["feature_with_long_name_177", ...["one", "two"].map((end) =>
  `support_calls_of_the_last_thirty_days_before_the_contract_ended_line_${end}`)];

export function makeLongReport(flymc) {
  const report = makeFolder(flymc);
  const lines = [[...longNames, "plan", "y"].join(",")];
  for (let n = 0; n < 200; ++n) {
    const x = longNames.map((_, k) => Math.sin(7 * n * (k + 1) + k).toFixed(3));
    lines.push([...x, `the plan that people of this street have number ${n % 3}`,
                Math.sin(n * n) + Number(x[0]) > 0 ? 1 : 0].join(","));
  }
  writeFileSync(join(report.folder, "d.csv"), lines.join("\n") + "\n");
  report.call("fit", "d.csv", "--response", "y", "--out", "run", "--draws", "200", "--quiet",
    "--model", "logistic", "--categorical", "plan");
  report.call("report", "run");
  return report;
}

// Three classes, which effects have a line of each.
export function makeClassReport(flymc) {
  const report = makeFolder(flymc);
  const lines = ["age,city,price,mode"];
  for (let n = 0; n < 300; ++n) {
    const age = 40 + 20 * Math.sin(7 * n);
    const mode = Math.sin(n * n) + age / 60;
    lines.push([age.toFixed(2), ["Aachen", "Bonn", "K\u00F6ln"][n % 3], (n * 37) % 50,
                mode > 1.2 ? "car" : mode > 0.4 ? "bus" : "bike"].join(","));
  }
  writeFileSync(join(report.folder, "d.csv"), lines.join("\n") + "\n");
  report.call("fit", "d.csv", "--response", "mode", "--out", "run", "--draws", "200", "--quiet",
    "--model", "softmax", "--categorical", "city");
  report.call("report", "run");
  return report;
}

// Two factors, of 300 levels and of 8.
export function makeLevelReport(flymc) {
  const report = makeFolder(flymc);
  report.call("simulate", "-n", "4000", "-d", "2", "--groups", "300,8", "--out", "sim");
  report.call("fit", "sim/data.csv", "--formula", "y ~ . + (1 | g1) + (1 | g2)", "--out", "run",
    "--draws", "200", "--quiet");
  report.call("report", "run");
  return report;
}

// A page with what went wrong on it: messages of the console and requests beyond the file.
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("request", (request) => {
    const harmless = request.url() === url || request.url().startsWith("data:");
    if (!harmless) troubles.push(`request of ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector("#footer:not(:empty)", { state: "attached" });
  return { page, troubles };
}
