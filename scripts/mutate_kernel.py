#!/usr/bin/env python3
"""Mutation testing of the checker's kernel, `certificate/src/kernel`.

    mutate_kernel.py --work DIR [--only REGEX]

`cargo mutants --list` names the mutants; cargo-mutants has to be installed. It would build and test each of them separately,
which takes hours. Here one program contains all of them: each function becomes a `match` on the number of the mutant, with the
original as the last arm. Mutants that do not compile are taken out until the rest does. The tests that need no search then run
once for each mutant, with the number in the environment.

A mutant is caught if a test fails, runs longer than TIMEOUT seconds, or needs too much memory. Survivors are printed and have to
be in `certificate/mutants.md`. DIR gets a copy of the tracked files, and the target folder.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

TIMEOUT = 40
MEMORY = 4 << 30
ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ["accept", "explicit", "kernel", "kinds", "negation", "numbers", "python", "shards", "tamper"]
# Each mutant that survives a stage goes to the next one, which takes longer.
STAGES = [["the_closure"], ["accept::", "kernel::", "kinds::", "negation::"], ["--skip", "python::"], ["python::"]]
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
        if name.endswith((".rs", ".toml", ".lock", ".py")) and (ROOT / name).is_file():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_bytes((ROOT / name).read_bytes())
    manifest = work / "certificate/Cargo.toml"
    lines = manifest.read_text().splitlines(keepends=True)
    manifest.write_text("".join(line for line in lines if not re.match(r"(murphi|invfinder)\.workspace", line)))
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


def offset(lines, place):
    """The position of a line and a column in the whole text."""
    return sum(map(len, lines[: place["line"] - 1])) + place["column"] - 1


def mutated(text, mutants):
    """The text with these numbered mutants of it in it, and for each line the number of the mutant that it belongs to."""
    lines = text.splitlines(keepends=True)
    functions = collections.defaultdict(list)
    for number, mutant in mutants:
        span = mutant["function"]["span"]
        functions[offset(lines, span["start"]), offset(lines, span["end"])].append((number, mutant))
    pieces, end = [], 0
    for (start, stop), own in sorted(functions.items()):
        brace = text.index("{", DECLARATION.match(text, start).end())
        pieces += [(0, text[end:brace] + "{ match crate::mutant() {\n")]
        for number, mutant in own:
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
        spans = [span for error in errors for span in error["spans"] if span["file_name"] in owners]
        new = {owners[span["file_name"]][span["line_start"] - 1] for span in spans if span["is_primary"]} - {0}
        if not new:
            sys.exit("\n".join(error["rendered"] for error in errors) or run.stderr.decode())
        unviable |= new


def passes(program, number, filters, environment):
    """Whether the tests pass, or how the mutant is caught."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        run = subprocess.run(
            [program, *filters],
            env={**environment, "MUTANT": str(number), "RUST_BACKTRACE": "0"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT,
            preexec_fn=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    return "survived" if run.returncode == 0 else "caught"


def main():
    parser = argparse.ArgumentParser(description="Mutation testing of the checker's kernel.")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    work = options.work.resolve()
    copy(work)
    command = ["cargo", "mutants", "--list", "--json", "-p", "certificate", "-f", "certificate/src/kernel/*.rs"]
    listed = json.loads(subprocess.run(command, cwd=work, capture_output=True, check=True).stdout)
    numbered = list(enumerate(listed, 1))
    mutants = [(number, mutant) for number, mutant in numbered if mutant["function"] and re.search(options.only, mutant["name"])]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(work / "target"), "CARGO_PROFILE_DEV_DEBUG": "0"}
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
