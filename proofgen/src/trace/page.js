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
  const evaluate = evaluator(data, states.flatMap((state) => [...state.values()]));
  // Steps with this answer, as `0, 3–5`.
  const stepsWith = (answers, wanted) => {
    const runs = [];
    answers.forEach((answer, number) => {
      if (answer !== wanted) return;
      const run = runs.at(-1);
      if (run?.[1] === number - 1) run[1] = number;
      else runs.push([number, number]);
    });
    return runs.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(", ");
  };
  const answer = () => {
    const [field, box] = [by("expression"), by("answer")];
    const text = field.value.trim();
    box.replaceChildren();
    field.removeAttribute("aria-invalid");
    if (text === "") return;
    const { value, mistake, parts } = evaluate(text, states[now]);
    const said = element("p", mistake === undefined ? "Value: " : `There is no value: ${mistake}${mistake.endsWith("?") ? "" : "."}`);
    if (mistake === undefined) {
      said.append(element("strong", String(value)));
      if (typeof value === "boolean") {
        const answers = states.map((state) => evaluate(text, state).value);
        const steps = [[true, "true"], [false, "false"], [undefined, "without a value"]].map(([wanted, words]) => {
          const which = stepsWith(answers, wanted);
          return which && `${words} after step ${which}`;
        });
        said.append(`. It is ${steps.filter((part) => part).join("; ")}`);
      }
      said.append(".");
    } else {
      field.setAttribute("aria-invalid", "true");
      said.className = "mistake";
    }
    box.append(said);
    if (parts.length === 0) return;
    const [made, body] = table(["part", "value"]);
    for (const part of parts) line(body, part);
    const scroll = element("div", undefined, "scroll");
    scroll.append(made);
    box.append(scroll);
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
    answer();
  };
  by("back").addEventListener("click", () => show(now - 1));
  by("forward").addEventListener("click", () => show(now + 1));
  by("step").addEventListener("input", () => show(Number(by("step").value)));
  by("expression").addEventListener("input", answer);
  by("only").addEventListener("input", () => show(now));
  document.addEventListener("keydown", (event) => {
    // In a field and in what scrolls, arrow keys have a meaning of their own.
    if (event.target.closest("input, [tabindex]")) return;
    if (event.key === "ArrowLeft") show(now - 1);
    if (event.key === "ArrowRight") show(now + 1);
  });
  show(0);
})();
