// Elements and numbers. Text of the run enters the page through textContent only.
"use strict";
const run = JSON.parse(document.getElementById("data").textContent);

// h("p", {class: "x"}, "text", node): text is text, never markup.
function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") {
      for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    } else if (value !== null && value !== false) {
      node.setAttribute(key, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

const svgNamespace = document.querySelector("header svg").namespaceURI;
function s(tag, attributes = {}, ...children) {
  const node = document.createElementNS(svgNamespace, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// 12214 -> "12,214".
const counts = (n) => Math.round(n).toLocaleString("en-US");
// A real minus before a number.
const minus = (text) => text.replace(/(^|[\s[])-(?=\d)/g, "$1\u2212");
// A cell of the table as a number: "12,214", "1.2e-09"; "-" is none.
const parsed = (cell) => (/\d/.test(cell) ? Number(cell.replaceAll(",", "")) : NaN);
const chainColour = (k) => `var(--c${k % 8})`;
// A colour of the style sheet for those who draw on canvas.
const colourNow = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A section with its entry in the list at the top.
function section(id, title, lead) {
  const node = h("section", { id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title), lead ? h("p", { class: "lead" }, lead) : null);
  document.getElementById("nav").append(h("a", { href: `#${id}` }, title));
  document.getElementById("main").append(node);
  return node;
}

// Calls draw(width) now and whenever the width of the node changes.
function whenSized(node, draw) {
  let last = 0;
  const redraw = () => {
    const width = Math.floor(node.clientWidth);
    if (width > 0 && width !== last) {
      last = width;
      draw(width);
    }
  };
  new ResizeObserver(redraw).observe(node);
  return () => {
    last = 0;
    redraw();
  };
}

// At most so many letters, cut in the middle: long names of one table often differ at the end only.
function middleCut(text, most) {
  const letters = [...text];
  if (letters.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${letters.slice(0, head).join("")}\u2026${letters.slice(head + 1 - most).join("")}`;
}

// A list of colours and names.
function key(entries) {
  return h("ul", { class: "key" }, ...entries.map(([colour, name]) =>
    h("li", {}, h("i", { style: `background:${colour}` }), name)));
}
