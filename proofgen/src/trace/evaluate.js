"use strict";
// Evaluates an expression in a state of the trace, in the notation of Murphi or of Cubicle. Operators, and how tightly they
// bind, are those of Murphi; `&&`, `||`, `<>` and `not` mean the same as there. Nothing is guessed: what has no value is a
// `Mistake`.
const evaluator = (() => {
  class Mistake extends Error {}
  const fail = (message) => {
    throw new Mistake(message);
  };
  const said = (value) => String(value);
  const list = (names) => names.slice(0, 8).join(", ") + (names.length > 8 ? ", …" : "");

  // How many letters have to be changed, for a proposal.
  const distance = (one, other) => {
    let row = Array.from({ length: other.length + 1 }, (_, position) => position);
    [...one].forEach((letter, number) => {
      const next = [number + 1];
      for (let at = 0; at < other.length; at += 1) {
        next.push(Math.min(next[at] + 1, row[at + 1] + 1, row[at] + (letter === other[at] ? 0 : 1)));
      }
      row = next;
    });
    return row[other.length];
  };
  const proposal = (name, known) => {
    const near = [...known].map((other) => [distance(name.toLowerCase(), other.toLowerCase()), other]);
    const best = near.sort((one, other) => one[0] - other[0])[0];
    return best && best[0] <= Math.max(1, name.length / 4) ? `; did you mean ${best[1]}?` : "";
  };

  const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*|#\d+)|(->|=>|:=|<=|>=|!=|<>|&&|\|\||\.\.|[-+*/%=<>!&|()[\].,:;?])|($)|(.))/uy;
  const tokens = (text) => {
    const found = [];
    TOKEN.lastIndex = 0;
    for (;;) {
      const [all, number, word, symbol, end, other] = TOKEN.exec(text);
      if (other !== undefined) fail(`${other} has no meaning in an expression`);
      const stop = TOKEN.lastIndex;
      const start = stop - all.trimStart().length;
      if (end !== undefined) return [...found, { kind: "end", text: "the end", start, stop }];
      const kind = number !== undefined ? "number" : word !== undefined ? "word" : "symbol";
      found.push({ kind, text: number ?? word ?? symbol, start, stop });
    }
  };

  const BINARY = {
    "->": 1, "=>": 1, "||": 2, or: 4, "&&": 3, and: 6, "|": 4, "&": 6,
    "=": 8, "!=": 8, "<>": 8, "<": 8, "<=": 8, ">": 8, ">=": 8, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
  };
  const NOT = 7;
  const SIGN = 12;

  // The tree of an expression. Each node knows its text.
  const parse = (text) => {
    const all = tokens(text);
    let at = 0;
    const peek = () => all[at];
    const is = (...words) => peek().kind !== "end" && words.includes(peek().text.toLowerCase());
    const take = (...words) => (is(...words) ? all[at++] : undefined);
    const expect = (...words) => take(...words) ?? fail(`expected ${words[0]} instead of ${peek().text}`);
    const node = (start, fields) => ({ ...fields, text: text.slice(start, all[at - 1].stop) });
    const name = () => (peek().kind === "word" ? all[at++].text : fail(`expected a value or a name instead of ${peek().text}`));
    const expression = () => {
      const start = peek().start;
      const condition = operators(1);
      if (!take("?")) return condition;
      const yes = expression();
      expect(":");
      return node(start, { kind: "choice", condition, yes, no: operators(1) });
    };
    const operators = (least) => {
      const start = peek().start;
      let left = prefixed();
      for (;;) {
        const operator = peek().kind === "end" ? "" : peek().text.toLowerCase();
        const strength = Object.hasOwn(BINARY, operator) ? BINARY[operator] : 0;
        if (strength < least || strength === 0) return left;
        at += 1;
        left = node(start, { kind: "binary", operator, left, right: operators(strength + 1) });
        const next = peek().kind === "end" ? 0 : BINARY[peek().text.toLowerCase()];
        if ((strength === 8 || strength === 1) && next === strength) fail(`${operator} does not chain; use parentheses`);
      }
    };
    const prefixed = () => {
      const start = peek().start;
      if (take("!", "not")) return node(start, { kind: "not", inner: operators(NOT) });
      if (take("-")) return node(start, { kind: "minus", inner: operators(SIGN) });
      return primary();
    };
    const primary = () => {
      const start = peek().start;
      if (take("(")) {
        const inner = expression();
        expect(")");
        return { ...inner, text: text.slice(start, all[at - 1].stop) };
      }
      if (peek().kind === "number") return node(start, { kind: "value", value: Number(all[at++].text) });
      if (is("forall", "exists")) return quantified(start);
      if (is("true", "false")) return node(start, { kind: "value", value: all[at++].text.toLowerCase() === "true" });
      if (take("isundefined")) {
        expect("(");
        const place = expression();
        expect(")");
        if (place.kind !== "place") fail(`isundefined takes a state variable, not ${place.text}`);
        return node(start, { kind: "undefined", place });
      }
      const root = name();
      if (is("(")) fail(`${root}(…): functions are not evaluated here`);
      const path = [];
      for (;;) {
        if (take(".")) {
          path.push({ field: name() });
        } else if (take("[")) {
          const indices = [expression()];
          while (take(",")) indices.push(expression());
          expect("]");
          path.push({ indices });
        } else {
          return node(start, { kind: "place", root, path });
        }
      }
    };
    const quantified = (start) => {
      const word = all[at++].text.toLowerCase();
      const bound = [];
      do {
        const names = [name()];
        while (take(",")) names.push(name());
        const over = domain();
        for (const one of names) bound.push({ name: one, over });
      } while (take(";"));
      expect("do", ".");
      const body = expression();
      // What follows the last quantifier need not be closed.
      if (peek().kind !== "end" && !is(")")) expect("end", "endforall", "endexists");
      return node(start, { kind: word, bound, body });
    };
    const domain = () => {
      if (take(":=")) {
        const from = operators(1);
        expect("to");
        return { from, to: operators(1) };
      }
      expect(":");
      if (peek().kind === "word" && all[at + 1].text !== "..") return { type: name() };
      const from = operators(1);
      expect("..");
      return { from, to: operators(1) };
    };
    const tree = expression();
    if (peek().kind !== "end") fail(`expected an operator instead of ${peek().text}`);
    return tree;
  };

  const NO_VALUES = ["Undefined", "?"];
  const valueOf = (text) => {
    if (/^(true|false)$/iu.test(text)) return text.toLowerCase() === "true";
    return /^-?\d+(\.\d+)?$/u.test(text) ? Number(text) : text;
  };
  const is = (node, value) => (node.text === said(value) ? `${node.text} is a value` : `${node.text} is ${said(value)}`);
  const truth = (value, node) => (typeof value === "boolean" ? value : fail(`${is(node, value)}, not true or false`));
  const number = (value, node) => (typeof value === "number" ? value : fail(`${is(node, value)}, not a number`));
  const whole = (value) => Math.trunc(value) || 0;
  const ARITHMETIC = {
    "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b,
    "/": (a, b) => (b === 0 ? fail("division by 0") : whole(a / b)), "%": (a, b) => (b === 0 ? fail("division by 0") : whole(a % b)),
    "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  };
  const MOST = 100_000;

  // What the page knows: values of constants, elements of types, the values of each state variable, and those in the
  // trace.
  return ({ constants, types, sorts, variables }, seen) => {
    const symbols = new Set([...Object.values(types), ...sorts, seen].flat().filter((value) => !NO_VALUES.includes(value)));
    const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
    const sortOf = (cell) => sorts[own(variables, cell.replaceAll(/\[[^\]]*\]/gu, "[]")) ?? own(variables, cell) ?? -1];

    return (text, state) => {
      const parts = [];
      let left = MOST;
      const cell = (node, bound) => {
        let found = node.root;
        for (const step of node.path) {
          if (step.field !== undefined) {
            found += `.${step.field}`;
            continue;
          }
          const indices = step.indices.map((index) => said(value(index, bound, undefined)));
          const together = `${found}[${indices.join(", ")}]`;
          const starts = (own) => own === together || own.startsWith(`${together}.`) || own.startsWith(`${together}[`);
          found = [...state.keys()].some(starts) ? together : `${found}[${indices.join("][")}]`;
        }
        return found;
      };
      const unknown = (node, name) => {
        const inside = [...state.keys()].filter((other) => other.startsWith(`${name}[`) || other.startsWith(`${name}.`));
        if (inside.length > 0) fail(`${name} is not one value; it has ${list(inside)}`);
        const known = node.path.length > 0 ? state.keys() : [...state.keys(), ...symbols, ...Object.keys(constants)];
        fail(`${name} is no ${node.path.length > 0 ? "state variable" : "state variable, constant or value"}${proposal(name, known)}`);
      };
      const place = (node, bound, told) => {
        if (node.path.length === 0 && bound.has(node.root)) return bound.get(node.root);
        const name = cell(node, bound);
        if (!state.has(name)) {
          if (node.path.length > 0) return unknown(node, name);
          const constant = own(constants, name);
          if (constant !== undefined) return constant;
          return symbols.has(name) ? name : unknown(node, name);
        }
        const written = state.get(name);
        told?.push([name, written === "?" ? "not known" : written]);
        if (NO_VALUES.includes(written)) fail(`${name} is ${written === "?" ? "not known" : "undefined"} in this state`);
        return valueOf(written);
      };
      // A value that a state variable never has is a slip.
      const possible = (one, other, wanted, bound) => {
        if (one.kind !== "place" || typeof wanted !== "string" || other.kind !== "place" || other.path.length > 0) return;
        const sort = state.has(other.root) || bound.has(other.root) ? undefined : sortOf(cell(one, bound));
        if (sort?.length > 0 && !sort.includes(wanted)) {
          fail(`${one.text} never is ${wanted}; its values are ${list(sort)}${proposal(wanted, sort)}`);
        }
      };
      const equal = (node, bound, told) => {
        const [one, other] = [value(node.left, bound, told), value(node.right, bound, told)];
        if ((typeof one === "boolean") !== (typeof other === "boolean")) {
          fail(`${is(node.left, one)} and ${is(node.right, other)}: these are not of one type`);
        }
        possible(node.left, node.right, other, bound);
        possible(node.right, node.left, one, bound);
        return one === other;
      };
      const binary = (node, bound, told) => {
        const half = (side) => truth(value(side, bound, told), side);
        switch (node.operator) {
          case "->":
          case "=>":
            return !half(node.left) || half(node.right);
          case "|":
          case "||":
          case "or":
            return half(node.left) || half(node.right);
          case "&":
          case "&&":
          case "and":
            return half(node.left) && half(node.right);
          case "=":
            return equal(node, bound, told);
          case "!=":
          case "<>":
            return !equal(node, bound, told);
          default: {
            const side = (one) => number(value(one, bound, told), one);
            return ARITHMETIC[node.operator](side(node.left), side(node.right));
          }
        }
      };
      const elements = (over, bound) => {
        if (over.type !== undefined) {
          if (/^bool(ean)?$/iu.test(over.type)) return [false, true];
          return own(types, over.type)?.map(valueOf) ?? fail(`${over.type} is no type with known elements${proposal(over.type, Object.keys(types))}`);
        }
        const [from, to] = [over.from, over.to].map((end) => number(value(end, bound, undefined), end));
        if (to - from >= MOST) fail(`${from}..${to} has too many numbers`);
        return Array.from({ length: Math.max(0, to - from + 1) }, (_, position) => from + position);
      };
      // The elements that decide, if some do, and what their instance reads.
      const deciding = (node, bound, told, position = 0) => {
        if (position === node.bound.length) {
          left -= 1;
          if (left < 0) fail(`there are more than ${MOST} cases`);
          const inner = [];
          try {
            const holds = truth(value(node.body, bound, inner), node.body);
            return holds === (node.kind === "exists") ? { bound, told: inner } : undefined;
          } catch (mistake) {
            told?.push(...inner);
            throw mistake;
          }
        }
        const { name, over } = node.bound[position];
        for (const element of elements(over, bound)) {
          const found = deciding(node, new Map([...bound, [name, element]]), told, position + 1);
          if (found) return found;
        }
        return undefined;
      };
      const quantified = (node, bound, told) => {
        const found = deciding(node, bound, told);
        const result = (node.kind === "exists") === Boolean(found);
        const chosen = found ? node.bound.map(({ name }) => `${name} = ${said(found.bound.get(name))}`).join(", ") : "";
        told?.push([node.text, said(result) + (found ? ` for ${chosen}` : "")], ...(found?.told ?? []));
        return result;
      };
      const value = (node, bound, told) => {
        const result = bare(node, bound, told);
        if (["binary", "not", "choice", "undefined"].includes(node.kind)) told?.push([node.text, said(result)]);
        return result;
      };
      const bare = (node, bound, told) => {
        switch (node.kind) {
          case "value":
            return node.value;
          case "place":
            return place(node, bound, told);
          case "undefined": {
            const name = cell(node.place, bound);
            return state.has(name) ? state.get(name) === "Undefined" : unknown(node.place, name);
          }
          case "not":
            return !truth(value(node.inner, bound, told), node.inner);
          case "minus":
            return -number(value(node.inner, bound, told), node.inner);
          case "choice":
            return truth(value(node.condition, bound, told), node.condition) ? value(node.yes, bound, told) : value(node.no, bound, told);
          case "forall":
          case "exists":
            return quantified(node, bound, told);
          default:
            return binary(node, bound, told);
        }
      };
      try {
        const result = value(parse(text), new Map(), parts);
        return { value: result, parts: unique(parts) };
      } catch (mistake) {
        if (!(mistake instanceof Mistake)) throw mistake;
        return { mistake: mistake.message, parts: unique(parts) };
      }
    };
  };

  function unique(parts) {
    const seen = new Map(parts.map((part) => [part[0], part]));
    return [...seen.values()];
  }
})();
