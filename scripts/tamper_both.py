#!/usr/bin/env python3
"""Random changes of a good certificate, checked by both checkers.

In each round, one entry about each pair of a rule and an invariant is changed at random, all in one file. Both checkers
report all faults, and the faults about a pair depend only on the invariants and on the entries about the pair. So a change
is rejected if there is a fault about its pair. Both checkers have to report the same pairs.

    tamper_both.py MODEL.m CERTIFICATE.json --rounds 20 [--seed 1] [--paraproof target/release/paraproof]

Before the first round, each string and number of the file's `claim` is changed, and each element of its lists is removed,
one at a time. Both checkers have to reject every such file.

Prints counts after each round. If the checkers disagree, the exit code is 1, and the file is kept as `disagreement.json`.
"""

import argparse
import collections
import copy
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import check_certificate as second

KINDS = ["holds_after", "unaffected", "implied"]


def arguments(entry):
    """The argument of an entry, and those of the cases of its splits."""
    found, todo = [], [entry] if "by" in entry else []
    while todo:
        one = todo.pop()
        found.append(one)
        todo += one.get("split", {}).get("cases", [])
    return found


def changed_symbols(symbols, chance, named):
    result = list(symbols)
    ways = ["replace", "swap", "drop", "add"] if result else ["add"]
    way = chance.choice(ways)
    some = [0, 1, 2, "+0", "+1", "+2"] + named
    if way == "replace":
        result[chance.randrange(len(result))] = chance.choice(some)
    elif way == "swap":
        chance.shuffle(result)
    elif way == "drop":
        result.pop(chance.randrange(len(result)))
    else:
        result.append(chance.choice(some))
    return result


def change(entry, chance, certificate, named):
    """Makes one random change, and returns its kind."""
    invariants = len(certificate["invariants"])
    ways = ["kind", "branch", "match"]
    if "by" in entry:
        ways += ["invariant", "substitution", "premise"] * 3
    way = chance.choice(ways)
    if way == "kind":
        kind = chance.choice([kind for kind in KINDS if kind != entry["k"]])
        entry.pop("by", None)
        entry.pop("split", None)
        entry["k"] = kind
        if kind == "implied":
            entry["by"] = [[chance.randrange(invariants), [0]]] if chance.random() < 0.5 else []
    elif way == "branch":
        number = chance.choice([None, 0, 1, 2, 4294967295])
        entry.pop("b", None)
        if number is not None:
            entry["b"] = number
    elif way == "match":
        if "m" in entry and chance.random() < 0.1:
            del entry["m"]
        else:
            entry["m"] = changed_symbols(entry.get("m", []), chance, named)
    else:
        change_argument(chance.choice(arguments(entry)), way, chance, certificate, named)
    return way


def change_argument(argument, way, chance, certificate, named):
    by = argument["by"]
    invariants = certificate["invariants"]
    if way == "premise" or not by:
        new = chance.randrange(len(invariants))
        instance = [new, list(range(len(invariants[new]["variables"])))]
        ways = [lambda: by.insert(chance.randrange(len(by) + 1), instance)]
        if by:
            position = chance.randrange(len(by))
            ways += [lambda: by.pop(position), lambda: by.insert(0, copy.deepcopy(by[position])), lambda: chance.shuffle(by)]
        if "split" in argument:
            cases = argument["split"]["cases"]
            ways += [lambda: argument.pop("split"), lambda: chance.shuffle(cases), lambda: cases.pop()]
            if bound := argument["split"].get("bound"):
                near = bound[2] + chance.choice([-1, 1])
                ways += [lambda: bound.__setitem__(2, near), lambda: bound.__setitem__(1, None)]
        chance.choice(ways)()
    else:
        premise = chance.choice(by)
        if way == "invariant":
            premise[0] = chance.randrange(len(invariants) + 1)
        else:
            premise[1] = changed_symbols(premise[1], chance, named)


def recount(certificate):
    counts = collections.Counter(entry["k"] for group in certificate["relations"] for entry in group["entries"])
    certificate["counts"].update({kind: counts[kind] for kind in KINDS}, relations=sum(counts.values()))


def tampered(original, chance, is_good):
    """A certificate with a change about each rule and invariant, and the kinds of the changes."""
    certificate = copy.deepcopy(original)
    named = ["@" + name for one in certificate["index_types"] for name in one["named"]]
    ways = {}
    for group in certificate["relations"]:
        by_invariant = collections.defaultdict(list)
        for position, entry in enumerate(group["entries"]):
            by_invariant[entry["i"]].append(position)
        for invariant, positions in by_invariant.items():
            position = chance.choice(positions)
            entry = copy.deepcopy(group["entries"][position])
            way = change(entry, chance, certificate, named)
            if entry != group["entries"][position] and is_good(group, entry):
                group["entries"][position] = entry
                ways[group["rule"], invariant] = way
    recount(certificate)
    return certificate, ways


def ours(options, path):
    """The rules and invariants with faults, other than that an entry is out of order."""
    command = [options.paraproof, "check", path, "--model", options.model, "--json"]
    report = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
    faults = [fault for fault in report["faults"] if not fault["found"].startswith("the entry is out of order")]
    if any(fault["place"] != "relation" for fault in faults):
        sys.exit(f"a fault that is not about a relation: {faults[:3]}")
    return {(fault["number"], fault["invariant"]) for fault in faults}


def theirs(system, data):
    found = set()
    for reason in second.reasons(system, data):
        if reason.startswith("rule "):
            rule, invariant = reason.split(", ")[:2]
            found.add((int(rule.split()[1]), int(invariant.split()[1])))
        elif not reason.startswith("relation: "):
            sys.exit(f"a fault that is not about a relation: {reason}")
    return found


def claims(certificate):
    """The certificates with each change of the claim."""
    found = []

    def changed(change):
        other = copy.deepcopy(certificate)
        change(other["claim"])
        found.append(other)

    for key, elements in certificate["claim"].items():
        changed(lambda claim: claim.pop(key))
        changed(lambda claim: claim[key].append({"name": "NEW"} if key != "assumptions" else 1))
        for position, element in enumerate(elements):
            changed(lambda claim: claim[key].pop(position))
            for field, value in element.items() if isinstance(element, dict) else ():
                other = value + 1 if isinstance(value, int) else value + "x"
                changed(lambda claim: claim[key][position].update({field: other}))
            if isinstance(element, int):
                changed(lambda claim: claim[key].__setitem__(position, element + 1))
    return found


def both_reject(options, system, certificates):
    """Demands that both checkers reject these certificates, whose claims are wrong."""
    for certificate in certificates:
        data = json.dumps(certificate, separators=(",", ":")).encode()
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(data)
            file.flush()
            command = [options.paraproof, "check", file.name, "--model", options.model]
            ours = subprocess.run(command, capture_output=True, check=False).returncode == 4
        if not ours or not second.reasons(system, data):
            pathlib.Path("disagreement.json").write_bytes(data)
            sys.exit(f"a wrong claim is accepted: {certificate['claim']}")


def main():
    parser = argparse.ArgumentParser(description="Changes a certificate and runs both checkers.")
    parser.add_argument("model")
    parser.add_argument("certificate")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--paraproof", default="target/release/paraproof")
    options = parser.parse_args()
    sys.setrecursionlimit(20_000)
    lint = subprocess.run([options.paraproof, "lint", "--json", options.model], capture_output=True, check=True)
    system = second.System(json.loads(lint.stdout))
    original = json.loads(pathlib.Path(options.certificate).read_bytes())
    bare = second.Certificate(system, json.dumps({**original, "relations": [], "counts": empty(original)}).encode())

    def is_good(group, entry):
        """Whether the entry can be read. If not, the checkers would report nothing else."""
        bare.relations = []
        try:
            bare.group({**group, "entries": [entry]})
            return True
        except second.Bad:
            return False

    others = claims(original)
    both_reject(options, system, others)
    print(f"{len(others)} wrong claims, rejected by both", flush=True)
    chance = random.Random(options.seed)
    tried, rejected = collections.Counter(), collections.Counter()
    for number in range(1, options.rounds + 1):
        certificate, ways = tampered(original, chance, is_good)
        data = json.dumps(certificate, separators=(",", ":")).encode()
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(data)
            file.flush()
            first = ours(options, file.name)
        others = theirs(system, data)
        if first != others or not first <= set(ways):
            pathlib.Path("disagreement.json").write_bytes(data)
            sys.exit(f"round {number}: only ours {first - others}, only the second {others - first}, {first - set(ways)}")
        tried.update(ways.values())
        rejected.update(ways[pair] for pair in first)
        total, bad = sum(tried.values()), sum(rejected.values())
        harmless = {way: tried[way] - rejected[way] for way in tried if tried[way] != rejected[way]}
        print(f"{number} rounds: {total} changes, {bad} rejected, {total - bad} accepted by both: {harmless}", flush=True)


def empty(certificate):
    zero = dict.fromkeys(["relations", *KINDS], 0)
    return {**certificate["counts"], **zero}


if __name__ == "__main__":
    main()
