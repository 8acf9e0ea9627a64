"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
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
  const shown = document.getElementById("shown");
  const articles = [...document.querySelectorAll("article[data-text]")];
  const titles = [...new Set(articles.map((article) => article.dataset.group))].sort();
  for (const title of titles) about.append(element("option", title, { value: title }));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const article of articles) {
      const text = article.dataset.text.toLowerCase();
      const fits = words.every((word) => text.includes(word))
        && (about.value === "" || article.dataset.group === about.value)
        && (origin.value === "" || article.dataset.origin === origin.value);
      article.hidden = !fits;
      if (fits) count += 1;
    }
    for (const section of document.querySelectorAll("section[data-group]")) {
      section.hidden = !section.querySelector("article:not([hidden])");
    }
    shown.textContent = `${count} of ${articles.length} shown`;
  };
  for (const control of [search, about, origin]) control.addEventListener("input", filter);
  filter();

  // Following a link to an invariant that the filter hides shows it again.
  window.addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.matches("article[hidden]")) {
      search.value = about.value = origin.value = "";
      filter();
      target.scrollIntoView();
    }
    if (target && target.matches("details")) {
      target.open = true;
      target.querySelector("summary").focus();
    }
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

  const panel = document.getElementById("argument");
  let opened = null;
  const show = (cell) => {
    opened = cell;
    const [line, column] = cell.dataset.at.split(",").map(Number);
    const number = data.invariants[column];
    panel.replaceChildren();
    const title = element("p");
    title.append(`Rule ${data.rules[line]}, `, element("a", `invariant ${number}`, { href: `#invariant-${number}` }),
      `: ${data.names[column]}`);
    panel.append(title);
    const entries = data.cells[cell.dataset.at];
    if (!entries) {
      panel.append(element("p", "The rule writes nothing that the invariant reads."));
    } else {
      const list = element("table", undefined, { class: "plain" });
      const heading = element("tr");
      for (const name of ["match", "branch", "kind", "premises"]) heading.append(element("th", name, { scope: "col" }));
      list.append(heading);
      for (const [kind, matching, branch, argument] of entries) {
        const row = element("tr");
        const cells = { match: data.texts[matching] || "no parameters", branch: branch === null ? "" : String(branch),
          kind: kinds[kind], premises: data.texts[argument] };
        for (const [name, text] of Object.entries(cells)) row.append(element("td", text, { "data-name": name }));
        list.append(row);
      }
      const scroll = element("div", undefined, { class: "scroll" });
      scroll.append(list);
      panel.append(scroll);
    }
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

  // The graph: highlights the neighbours of the selected node.
  const graph = document.getElementById("graph");
  const near = (number) => {
    for (const path of graph.querySelectorAll("path")) {
      path.classList.toggle("near", number !== null && (path.dataset.from === number || path.dataset.to === number));
    }
    const neighbours = new Set([...graph.querySelectorAll("path.near")].flatMap((path) => [path.dataset.from, path.dataset.to]));
    for (const node of graph.querySelectorAll("a")) node.classList.toggle("near", neighbours.has(node.dataset.number));
  };
  for (const node of graph.querySelectorAll("a")) {
    for (const event of ["mouseenter", "focus"]) node.addEventListener(event, () => near(node.dataset.number));
    for (const event of ["mouseleave", "blur"]) node.addEventListener(event, () => near(null));
  }
})();
