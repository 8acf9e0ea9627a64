"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const last = data.steps.length - 1;
  const bad = new Set(data.bad);
  // The state after each step, and what changes at all.
  const states = [];
  const varied = new Set(data.bad);
  data.steps.forEach((step, number) => {
    const state = new Map(states[number - 1]);
    for (const [variable, , after] of step.changes) {
      state.set(variable, after);
      if (number > 0) varied.add(variable);
    }
    states.push(state);
  });
  const table = (titles) => {
    const made = element("table", undefined, "plain");
    const head = element("thead");
    const row = element("tr");
    for (const title of titles) {
      const cell = element("th", title);
      cell.scope = "col";
      row.append(cell);
    }
    head.append(row);
    const body = element("tbody");
    made.append(head, body);
    return [made, body];
  };
  const line = (body, texts, className) => {
    const row = element("tr", undefined, className);
    for (const text of texts) {
      const cell = element("td");
      cell.append(element("code", text));
      row.append(cell);
    }
    body.append(row);
  };
  let now = 0;
  const show = (number) => {
    now = Math.min(Math.max(number, 0), last);
    const step = data.steps[now];
    by("step").value = String(now);
    by("back").disabled = now === 0;
    by("forward").disabled = now === last;
    by("now").textContent = `Step ${now} of ${last}: ${step.title}${step.line ? `, line ${step.line}` : ""}`;
    const changed = new Set(now === 0 ? [] : step.changes.map(([variable]) => variable));
    const mark = (variable) => (now === last && bad.has(variable) ? "bad" : changed.has(variable) ? "changed" : "");
    const changes = by("changes");
    changes.replaceChildren();
    if (now === 0) {
      changes.append(element("p", "The initial state."));
    } else if (step.changes.length === 0) {
      changes.append(element("p", "Nothing changes."));
    } else {
      const [made, body] = table(["state variable", "before", "after"]);
      for (const [variable, before, after] of step.changes) line(body, [variable, before, after], mark(variable));
      const scroll = element("div", undefined, "scroll");
      scroll.append(made);
      changes.append(scroll);
    }
    by("source").textContent = step.source || "The model's text is not known here.";
    const [made, body] = table(["state variable", "value"]);
    for (const [variable, value] of states[now]) {
      if (!by("only").checked || varied.has(variable)) line(body, [variable, value], mark(variable));
    }
    by("state").replaceChildren(made);
  };
  by("back").addEventListener("click", () => show(now - 1));
  by("forward").addEventListener("click", () => show(now + 1));
  by("step").addEventListener("input", () => show(Number(by("step").value)));
  by("only").addEventListener("input", () => show(now));
  document.addEventListener("keydown", (event) => {
    // In a field and in what scrolls, arrow keys have a meaning of their own.
    if (event.target.closest("input, [tabindex]")) return;
    if (event.key === "ArrowLeft") show(now - 1);
    if (event.key === "ArrowRight") show(now + 1);
  });
  show(0);
})();
