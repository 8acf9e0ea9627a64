#!/usr/bin/env python3
"""Mutation testing of the checker's kernel, `certificate/src/kernel`.

    mutate_kernel.py --work DIR [--only REGEX]

`cargo mutants --list` names some of the mutants; cargo-mutants has to be installed. `small_changes` adds those that it does not
know: a statement, a condition or an adapter of an iterator that is left out, a number that is one more or less, a name that is
another one. cargo-mutants would build and test each of them separately, which takes hours. Here one program contains all of them: each function becomes a `match` on the number of the mutant, with the
original as the last arm. Mutants that do not compile are taken out until the rest does. The tests that need no search then run
once for each mutant, with the number in the environment.

A mutant is caught if a test fails, needs more than TIMEOUT seconds of CPU time, or too much memory. Survivors are printed and have to
be in `certificate/mutants.md`. DIR gets a copy of the tracked files, and the target folder.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys

TIMEOUT = 60
MEMORY = 4 << 30
ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ["accept", "explicit", "kernel", "kinds", "negation", "numbers", "python", "shards", "tamper"]
# Each mutant that survives a stage goes to the next one, which takes longer.
STAGES = [["accept::", "kernel::", "kinds::", "negation::", "--skip", "random"], ["numbers::", "--skip", "random"], ["--skip", "python::"], ["python::"]]
# Comments and attributes, and the beginning of a function.
DECLARATION = re.compile(r"(?:\s*(?://|#\[).*\n)*.*\bfn \w+")
SWITCH = """
/// The number of the mutant that runs.
pub(crate) fn mutant() -> u32 {
    static NUMBER: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *NUMBER.get_or_init(|| std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0))
}
"""


def copy(work):
    """A copy of the tracked files, without the tests that need the search or the front-end."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    for name in files:
        if name.endswith((".rs", ".toml", ".lock", ".py", "FORMAT.md")) and (ROOT / name).is_file():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_bytes((ROOT / name).read_bytes())
    manifest = work / "certificate/Cargo.toml"
    lines = manifest.read_text().splitlines(keepends=True)
    manifest.write_text("".join(line for line in lines if not re.match(r"(murphi|invfinder)\b", line)))
    tests = work / "certificate/tests"
    support = tests / "support/mod.rs"
    support.write_text(re.sub(r"pub\(crate\) mod (models|together);\n", "", support.read_text()))
    for path in tests.glob("*.rs"):
        if path.stem in TESTS:
            text = re.sub(r"^//!.*\n", "", path.read_text(), flags=re.M)
            path.write_text(re.sub(r"^#!\[(?:.|\n)*?\)\]\n", "", text).replace("mod support;", "use crate::support;"))
        else:
            path.unlink()
    modules = "".join(f"mod {name};\n" for name in TESTS)
    (tests / "mutants").mkdir(exist_ok=True)
    for name in TESTS:
        (tests / f"{name}.rs").rename(tests / f"mutants/{name}.rs")
    (tests / "mutants/main.rs").write_text(f'#[path = "../support/mod.rs"]\nmod support;\n{modules}')

# Names and operators that are replaced by others. Both directions are listed.
SWAPS = [
    ("true", "false"), ("any", "all"), ("min", "max"), ("is_some", "is_none"), ("is_ok", "is_err"), ("left", "right"),
    ("then", "otherwise"), ("AtMost", "AtLeast"), ("Equal", "Different"), ("Equation::True", "Equation::False"),
    ("saturating_add", "saturating_sub"), ("first", "last"), ("before", "behind"), ("from", "to"), ("kept", "gone"), ("a", "b"),
    ("Clause::All", "Clause::Any"), ("Clause::Each", "Clause::Some"), ("push_back", "push_front"), ("||", "&&"),
    ("Some(true)", "Some(false)"), ("Some(true)", "None"), ("Some(false)", "None"), ("symbols", "others"), ("==", "!="),
    ("checked_add", "checked_sub"), ("&&", "||"),
]  # fmt: skip
# Calls that are left out, with their arguments, and calls whose argument alone is left out.
DROPPED = ["filter", "chain", "rev", "take", "negated", "mirrored", "saturating_neg", "cloned", "filter_map", "skip", "copied"]
WITHOUT_CONDITION = {"is_some_and": "is_some", "is_ok_and": "is_ok", "is_none_or": "is_none"}
FUNCTION = re.compile(r"^ *(?:pub(?:\([a-z]+\))? )?fn (\w+)", re.M)


def close(text, start, ends, step=1):
    """The first position from `start`, outside of brackets that open there, at which one of the ends is."""
    depth, position = 0, start
    opening, closing = ("([{", ")]}") if step > 0 else (")]}", "([{")
    while 0 <= position < len(text):
        if depth == 0 and any(text.startswith(end, position) for end in ends):
            return position
        depth += (text[position] in opening) - (text[position] in closing)
        if depth < 0:
            return position
        position += step
    return position


def operand_starts(text, position):
    """Where the left operand of the operator at a position begins."""
    stop = close(text, position - 1, ["&&", "||", "=> ", "= ", "if ", "{", ";", ", ", "| ", "return ", "and(", "any(", "all("], -1)
    for word in ["&&", "||", "=> ", "= ", "if ", ", ", "| ", "return "]:
        if text.startswith(word, stop):
            return stop + len(word)
    return stop + 1


def replacements(body):
    """Changes of the text of a function: begin, end, and what is there instead."""
    for found in re.finditer(r"(?<![\w.\"])(\d+)(?![\w\"])", body):
        number = int(found[1])
        yield from ((found.start(), found.end(), str(other)) for other in (number + 1, number - 1) if other >= 0)
    for pair in SWAPS:
        for one, other in (pair, pair[::-1]):
            edges = (r"\b" if one[0].isalpha() else " ", r"(?!\w)" if one[-1].isalpha() else "")
            for found in re.finditer(edges[0] + re.escape(one) + edges[1], body):
                yield found.end() - len(one), found.end(), other
    for found in re.finditer(r"\.(\w+)\(", body):
        end = close(body, found.end(), []) + 1
        if found[1] in DROPPED:
            yield found.start(), end, ""
        if found[1] in WITHOUT_CONDITION:
            yield found.start(), end, f".{WITHOUT_CONDITION[found[1]]}()"
    for found in re.finditer(r" (&&|\|\|) ", body):
        right = close(body, found.end(), ["&&", "||", " {", "=>", ",", ";", "\n"])
        yield found.start(), right, " "
        yield operand_starts(body, found.start()), found.end(), " "
    for found in re.finditer(r"\bif ", body):
        end = close(body, found.end(), [" {", "\n", " =>"])
        condition = body[found.end() : end]
        if "let " in condition:
            yield end, end, " && false"
        else:
            yield from ((found.end(), end, value) for value in ("true", "false"))
    for found in re.finditer(r"\b(?:vec!\[|Err\()", body):
        end = close(body, found.end(), []) + 1
        yield found.start(), end, "Vec::new()" if body[found.start()] == "v" else "Ok(Default::default())"
        yield found.start(), end, "None" if body[found.start()] == "v" else "Ok(())"
    for found in re.finditer(r"(?<=[{;}])\n *(?=[a-z*(\[])(?!let |if |for |while |match |fn )", body):
        end = close(body, found.end(), [";"])
        if end < len(body) and body[end] == ";":
            yield found.end(), end + 1, ""


def place(text, position):
    """The line and the column of a position."""
    return {"line": text.count("\n", 0, position) + 1, "column": position - text.rfind("\n", 0, position)}


def small_changes(name):
    """Mutants of a file in the form of those of cargo-mutants."""
    text = (ROOT / name).read_text()
    for found in FUNCTION.finditer(text):
        brace = close(text, found.end(), ["{", ";"])
        if brace == len(text) or text[brace] != "{":
            continue
        end = close(text, brace + 1, []) + 1
        function = {"function_name": found[1], "span": {"start": place(text, found.start()), "end": place(text, end)}}
        body = re.sub(r"//.*|\"[^\"\n]*\"", lambda quoted: "~" * len(quoted[0]), text[brace:end])
        for first, last, replacement in sorted(set(replacements(body))):
            span = {"start": place(text, brace + first), "end": place(text, brace + last)}
            line, old = span["start"]["line"], " ".join(text[brace + first : brace + last].split())
            what = f"{name}:{line}:{span['start']['column']}: replace {old!r} by {replacement!r} in {found[1]}"
            yield {"name": what, "file": name, "function": function, "span": span, "replacement": replacement}


def offset(lines, place):
    """The position of a line and a column in the whole text."""
    return sum(map(len, lines[: place["line"] - 1])) + place["column"] - 1


def mutated(text, mutants):
    """The text with these numbered mutants of it in it, and for each line the number of the mutant that it belongs to."""
    lines = text.splitlines(keepends=True)
    functions = collections.defaultdict(list)
    for number, mutant in mutants:
        span = mutant["function"]["span"]
        functions[offset(lines, span["end"])].append((offset(lines, span["start"]), number, mutant))
    pieces, end = [], 0
    for stop, own in sorted(functions.items()):
        # Some begin with the comments on the function, and some behind them.
        brace = text.index("{", DECLARATION.match(text, max(start for start, _, _ in own)).end())
        pieces += [(0, text[end:brace] + "{ match crate::mutant() {\n")]
        for _, number, mutant in own:
            first, last = (offset(lines, mutant["span"][key]) for key in ("start", "end"))
            body = text[brace:first] + mutant["replacement"] + text[last:stop]
            pieces += [(number, f"{number} => {body}\n")]
        pieces += [(0, f"_ => {text[brace:stop]} }} }}")]
        end = stop
    pieces.append((0, text[end:]))
    owners = []
    for number, piece in pieces:
        owners += [number] * piece.count("\n")
    return "".join(piece for _, piece in pieces), owners


def build(work, mutants, environment):
    """The test program with all mutants that compile, and those that do not."""
    originals = {name: (ROOT / name).read_text() for name in {mutant["file"] for _, mutant in mutants}}
    library = work / "certificate/src/lib.rs"
    library.write_text("#![allow(warnings, clippy::all)]\n" + library.read_text() + SWITCH)
    unviable = set()
    while True:
        owners = {}
        for name, text in originals.items():
            viable = [(n, mutant) for n, mutant in mutants if mutant["file"] == name and n not in unviable]
            text, owners[name] = mutated(text, viable)
            (work / name).write_text(text)
        command = ["cargo", "test", "-p", "certificate", "--test", "mutants", "--no-run", "--message-format", "json"]
        run = subprocess.run(command, cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        messages = [json.loads(line) for line in run.stdout.splitlines() if line.startswith(b"{")]
        if run.returncode == 0:
            return [one["executable"] for one in messages if one.get("executable")][-1], unviable
        errors = [one["message"] for one in messages if one.get("message", {}).get("level") == "error"]
        spans = [span for error in errors for span in error["spans"] if span["is_primary"]]
        # What is wrong in a macro is wrong where it is used.
        while inner := [span for span in spans if span["file_name"] not in owners and span["expansion"]]:
            spans = [span for span in spans if span not in inner] + [span["expansion"]["span"] for span in inner]
        spans = [span for span in spans if span["file_name"] in owners]
        new = {owners[span["file_name"]][span["line_start"] - 1] for span in spans} - {0}
        if not new:
            sys.exit("\n".join(error["rendered"] for error in errors) or run.stderr.decode())
        unviable |= new


def passes(program, number, filters, environment):
    """Whether the tests pass, or how the mutant is caught."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT, TIMEOUT))

    try:
        run = subprocess.run(
            [program, *filters],
            env={**environment, "MUTANT": str(number), "RUST_BACKTRACE": "0"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=20 * TIMEOUT,
            preexec_fn=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    stopped = run.returncode in (-signal.SIGKILL, -signal.SIGXCPU)
    return "survived" if run.returncode == 0 else "timeout" if stopped else "caught"


def main():
    parser = argparse.ArgumentParser(description="Mutation testing of the checker's kernel.")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    work = options.work.resolve()
    copy(work)
    command = ["cargo", "mutants", "--list", "--json", "-p", "certificate", "-f", "certificate/src/kernel/*.rs"]
    listed = json.loads(subprocess.run(command, cwd=work, capture_output=True, check=True).stdout)
    for name in sorted({mutant["file"] for mutant in listed} | {"certificate/src/kernel/bounds.rs"}):
        listed.extend(small_changes(name))
    numbered = list(enumerate(listed, 1))
    mutants = [(number, mutant) for number, mutant in numbered if mutant["function"] and re.search(options.only, mutant["name"])]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(work / "target"), "CARGO_PROFILE_DEV_DEBUG": "0"}
    environment |= {"PARAPROOF_RULES": "300", "PARAPROOF_NUMBER_CHANGES": "120"}
    program, unviable = build(work, mutants, environment)
    if passes(program, 0, [], environment) != "survived":
        sys.exit("the tests fail without a mutant")
    counts = collections.Counter(unviable=len(unviable))
    for number, mutant in mutants:
        if number in unviable:
            continue
        outcomes = (passes(program, number, filters, environment) for filters in STAGES)
        outcome = next((outcome for outcome in outcomes if outcome != "survived"), "survived")
        counts[outcome] += 1
        if outcome != "caught":
            print(f"{outcome}: {mutant['name']}", flush=True)
    print(f"{len(listed)} mutants, {len(mutants)} tried: {dict(counts)}")


if __name__ == "__main__":
    main()
