"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  // A link to a part that is folded opens it.
  const unfold = (target) => {
    for (let around = target; around; around = around.parentElement) {
      if (around.matches("details")) around.open = true;
    }
  };
  const kinds = { u: "unaffected", h: "holds after", i: "implied" };
  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // The list of invariants: search and filter.
  const search = document.getElementById("search");
  const about = document.getElementById("about");
  const origin = document.getElementById("origin");
  const needed = document.getElementById("needed");
  const shown = document.getElementById("shown");
  const articles = [...document.querySelectorAll("article[data-text]")];
  const titles = [...new Set(articles.map((article) => article.dataset.about))].sort();
  for (const title of titles) about.append(element("option", title, { value: title }));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const article of articles) {
      const text = article.dataset.text.toLowerCase();
      const fits = words.every((word) => text.includes(word))
        && (about.value === "" || article.dataset.about === about.value)
        && (needed.value === "" || article.dataset.needed.includes(` ${needed.value} `))
        && (origin.value === "" || article.dataset.origin === origin.value);
      article.hidden = !fits;
      if (fits) count += 1;
    }
    for (const section of document.querySelectorAll("section[data-group]")) {
      section.hidden = !section.querySelector("article:not([hidden])");
    }
    shown.textContent = `${count} of ${articles.length} shown`;
  };
  for (const control of [search, about, needed, origin]) control.addEventListener("input", filter);
  filter();

  // Following a link to an invariant that the filter hides shows it again.
  window.addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    if (target.matches("article[hidden]")) {
      search.value = about.value = needed.value = origin.value = "";
      filter();
    }
    unfold(target);
    const inner = target.querySelector(":scope > details");
    if (inner) inner.open = true;
    target.scrollIntoView();
    if (target.matches("details")) target.querySelector("summary").focus();
  });

  // On paper everything is open, and the matrix is split into parts as wide as a page.
  const fitting = 24;
  const perPage = Math.ceil(data.invariants.length / Math.ceil(data.invariants.length / fitting));
  const paper = document.getElementById("paper");
  const part = (from) => {
    const made = element("table");
    const numbers = element("tr");
    numbers.append(element("th", "rule", { scope: "col" }));
    for (const number of data.invariants.slice(from, from + perPage)) numbers.append(element("th", String(number), { scope: "col" }));
    made.append(numbers);
    data.matrix.forEach((letters, line) => {
      const row = element("tr");
      row.append(element("th", data.rules[line], { scope: "row" }));
      for (const letter of letters.slice(from, from + perPage)) {
        row.append(element("td", letter, letter === " " ? {} : { "data-k": letter }));
      }
      made.append(row);
    });
    return made;
  };
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const one of closed) one.open = true;
    paper.replaceChildren();
    for (let from = 0; from < data.invariants.length; from += perPage) paper.append(part(from));
  });
  window.addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
    paper.replaceChildren();
  });

  // The matrix, with one cell in the tab order, as in a grid.
  const table = element("table", undefined, { role: "grid", "aria-label": "Rules by invariants" });
  const head = element("tr");
  head.append(element("th", "rule"));
  data.invariants.forEach((number, column) => {
    const cell = element("th", undefined, { scope: "col", title: data.names[column] });
    cell.append(element("a", String(number), { href: `#invariant-${number}`, tabindex: "-1" }));
    head.append(cell);
  });
  const top = element("thead");
  top.append(head);
  const body = element("tbody");
  data.matrix.forEach((letters, line) => {
    const row = element("tr");
    row.append(element("th", data.rules[line], { scope: "row", title: data.rules[line] }));
    [...letters].forEach((letter, column) => {
      const cell = element("td", letter === " " ? "" : letter, { tabindex: line + column === 0 ? "0" : "-1" });
      if (letter !== " ") cell.dataset.k = letter;
      cell.dataset.at = `${line},${column}`;
      cell.setAttribute("aria-label", `${data.rules[line]}, invariant ${data.invariants[column]}: ${kinds[letter] || "not touched"}`);
      row.append(cell);
    });
    body.append(row);
  });
  table.append(top, body);
  document.getElementById("matrix").append(table);

  // The sentences of `paraproof explain`. More cases than these are counted where nothing is to be said about each.
  const many = 6;
  const sentences = {
    u: "it does not change what the invariant reads",
    h: "the invariant holds afterwards, whatever held before",
  };
  const linked = (text) => {
    const made = element("span", undefined, { class: "deep" });
    made.style.paddingLeft = `${(text.length - text.trimStart().length) * 0.6}rem`;
    const [, number, rest] = /^Invariant (\d+)( .*)$/.exec(text.trim()) || [];
    if (number === undefined) made.append(text.trim());
    else made.append(element("a", `Invariant ${number}`, { href: `#invariant-${number}` }), rest);
    return made;
  };
  const reasons = (entries) => {
    const list = element("ul", undefined, { class: "why" });
    if (entries.length === 0) list.append(element("li", "It writes nothing that the invariant reads."));
    const count = (kind) => entries.filter((entry) => entry[0] === kind).length;
    for (const [kind, place, argument] of entries) {
      if (kind !== "i" && count(kind) > many) continue;
      const item = element("li");
      if (kind === "i") {
        item.append(`${data.texts[place]}: the rule could break the invariant only from states that other invariants exclude.`);
        for (const text of data.texts[argument].split("\n").filter(Boolean)) item.append(linked(text));
      } else {
        item.append(`${data.texts[place]}: ${sentences[kind]}.`);
      }
      list.append(item);
    }
    for (const kind of ["u", "h"]) {
      if (count(kind) > many) list.append(element("li", `in ${count(kind)} cases, ${sentences[kind]}.`));
    }
    return list;
  };
  const panel = document.getElementById("argument");
  let opened = null;
  const show = (cell) => {
    opened = cell;
    const [line, column] = cell.dataset.at.split(",").map(Number);
    const number = data.invariants[column];
    panel.replaceChildren();
    const title = element("h3");
    title.append("Why ", element("a", data.rules[line], { href: `#rule-${line}` }), " keeps ",
      element("a", `invariant ${number}`, { href: `#invariant-${number}` }));
    const columns = element("div", undefined, { class: "columns" });
    const left = element("div");
    left.append(element("pre", data.formulas[column]), reasons(data.cells[cell.dataset.at] || []));
    const right = element("div");
    const source = data.texts[data.sources[line]];
    right.append(element("p", `The rule, line ${data.lines[line]}:`));
    if (source) right.append(element("pre", source));
    columns.append(left, right);
    panel.append(title, columns);
    panel.hidden = false;
    panel.focus();
  };
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && opened) {
      panel.hidden = true;
      opened.focus();
    }
  });
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td");
    if (cell) show(cell);
  });
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  table.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td");
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      show(cell);
      return;
    }
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const [line, column] = cell.dataset.at.split(",").map(Number);
    const next = table.querySelector(`td[data-at="${line + step[0]},${column + step[1]}"]`);
    if (next) {
      cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
  });

  // The graph of one property, or of one invariant: what it relies on, as far as wanted.
  const graph = document.getElementById("graph");
  const root = document.getElementById("root");
  const far = document.getElementById("far");
  const drawn = document.getElementById("drawn");
  const columnOf = new Map(data.invariants.map((number, column) => [number, column]));
  const reliesOn = (number) => data.relies_on[columnOf.get(number)].filter((other) => other !== number && columnOf.has(other));
  const layers = () => {
    const first = root.value.startsWith("p") ? data.properties[Number(root.value.slice(1))].shown_by : [Number(root.value)];
    const found = [first.filter((number) => columnOf.has(number))];
    const seen = new Set(found[0]);
    while (found.length <= Number(far.value)) {
      const next = [];
      for (const number of found[found.length - 1]) {
        for (const other of reliesOn(number)) {
          if (!seen.has(other)) {
            seen.add(other);
            next.push(other);
          }
        }
      }
      if (next.length === 0) break;
      found.push(next);
    }
    return found;
  };
  const svg = (name, attributes = {}) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const draw = () => {
    const [wide, high, radius, perRow] = [52, 84, 16, 20];
    const rows = layers().flatMap((layer, depth) => {
      const parts = [];
      for (let from = 0; from < layer.length; from += perRow) parts.push({ depth, numbers: layer.slice(from, from + perRow) });
      return parts;
    });
    const widest = Math.max(1, ...rows.map((row) => row.numbers.length));
    const place = new Map();
    rows.forEach((row, down) => row.numbers.forEach((number, across) => {
      const indent = (widest - row.numbers.length) * wide / 2;
      place.set(number, [indent + across * wide + wide / 2, down * high + high / 2]);
    }));
    const [width, height] = [widest * wide, Math.max(1, rows.length) * high];
    const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Which invariant relies on which" });
    for (const [number, [x, y]] of place) {
      for (const other of reliesOn(number)) {
        if (!place.has(other)) continue;
        const [toX, toY] = place.get(other);
        const middle = (y + toY) / 2;
        const path = svg("path", { d: `M${x} ${y} C${x} ${middle} ${toX} ${middle} ${toX} ${toY}` });
        path.dataset.from = number;
        path.dataset.to = other;
        picture.append(path);
      }
    }
    const first = new Set(rows.filter((row) => row.depth === 0).flatMap((row) => row.numbers));
    for (const [number, [x, y]] of place) {
      const name = data.names[columnOf.get(number)];
      const node = svg("a", { href: `#invariant-${number}`, class: first.has(number) ? "first" : "", "aria-label": `${number}. ${name}` });
      node.dataset.number = number;
      const title = svg("title");
      title.textContent = `${number}. ${name}`;
      const text = svg("text", { x, y });
      text.textContent = String(number);
      node.append(title, svg("circle", { cx: x, cy: y, r: radius }), text);
      for (const event of ["mouseenter", "focus"]) node.addEventListener(event, () => near(String(number)));
      for (const event of ["mouseleave", "blur"]) node.addEventListener(event, () => near(null));
      node.addEventListener("click", (event) => {
        event.preventDefault();
        let own = [...root.options].find((option) => option.value === String(number));
        if (!own) {
          own = element("option", `invariant ${number}`, { value: String(number) });
          root.append(own);
        }
        root.value = own.value;
        draw();
      });
      picture.append(node);
    }
    graph.replaceChildren(picture);
    const lines = [...place.keys()].map((number) => {
      const item = element("li");
      item.append(element("a", String(number), { href: `#invariant-${number}` }), ` ${data.names[columnOf.get(number)]}`);
      return item;
    });
    drawn.replaceChildren(...lines);
  };
  const near = (number) => {
    for (const path of graph.querySelectorAll("path")) {
      path.classList.toggle("near", number !== null && (path.dataset.from === number || path.dataset.to === number));
    }
    const neighbours = new Set([...graph.querySelectorAll("path.near")].flatMap((path) => [path.dataset.from, path.dataset.to]));
    for (const node of graph.querySelectorAll("a")) node.classList.toggle("near", neighbours.has(node.dataset.number));
  };
  for (const control of [root, far]) control.addEventListener("input", draw);
  draw();
})();
