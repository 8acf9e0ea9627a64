#!/usr/bin/env python3
"""A second checker of certificates, written from certificate/FORMAT.md alone. Section numbers refer to that page.

It shares nothing with the checker in the crate `certificate`, not even the language, and works differently where it can:
it walks branches depth first, and computes closures anew from all facts. It takes the lowered system that
`paraproof lint --json MODEL` prints, and uses the standard library only.

    check_certificate.py SYSTEM.json CERTIFICATE.json [--model MODEL.m] [--digest HEX] [--setting NAME=VALUE]...
    check_certificate.py SYSTEM.json --batch < certificates, each a JSON string on a line of its own

The certificate has to be for the model and for exactly these settings. Without model, digest and settings, it may be for
any. The output is `accepted` with what is proven, or `rejected` with the reasons. The exit code is 0 if the certificate is
accepted; 3 if it is accepted, but the model states something that it does not cover, or nothing at all; 4 if it is
rejected; 2 for wrong usage. With `--batch`, the output has one line for each file, a JSON list of all reasons, and the exit
code is 0.
"""

import argparse
import hashlib
import json
import sys

DEPTH = 128  # of JSON
SPLITS = 32  # nested
LIMIT = 2**32
SUMS = 2**40  # added to a side of a bound at most
REASONS = 100  # printed at most


class Bad(Exception):
    """A reason to reject."""


# ---------------------------------------------------------------------------------------------------------------------
# Section 1: the file.


def parse(data):
    """JSON without doubled keys, fractions, huge numbers, and deep nesting."""

    def pairs(items):
        result = dict(items)
        if len(result) != len(items):
            raise Bad("a key occurs twice")
        return result

    def whole(text):
        if text == "-0" or len(text) > 14 or abs(int(text)) > SUMS:
            raise Bad(f"a number out of range: {text[:20]}")
        return int(text)

    def fraction(text):
        raise Bad(f"not an integer: {text[:20]}")

    try:
        text = data.decode("utf-8")
        depth = deepest = 0
        inside = escaped = False
        for letter in text:
            if inside:
                if escaped:
                    escaped = False
                elif letter == "\\":
                    escaped = True
                elif letter == '"':
                    inside = False
            elif letter == '"':
                inside = True
            elif letter in "[{":
                depth += 1
                deepest = max(deepest, depth)
            elif letter in "]}":
                depth -= 1
        if deepest >= DEPTH:
            raise Bad("nested too deeply")
        value = json.loads(text, object_pairs_hook=pairs, parse_int=whole, parse_float=fraction, parse_constant=fraction)
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # Refuses lone surrogates.
        return value
    except (ValueError, RecursionError) as error:
        raise Bad(f"not JSON of the right form: {error}") from None


def keys(value, needed, optional=""):
    """The value, which has to be an object with these keys."""
    needed, optional = set(needed.split()), set(optional.split())
    if not isinstance(value, dict) or not needed <= set(value) <= needed | optional:
        raise Bad(f"an object with the keys {sorted(needed)} is expected: {json.dumps(value)[:80]}")
    return value


def same(a, b):
    """Equality of JSON values. In Python, True equals 1."""
    return type(a) is type(b) and json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def array(value, length=None):
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise Bad(f"an array is expected: {json.dumps(value)[:80]}")
    return value


def text(value):
    if not isinstance(value, str):
        raise Bad(f"a string is expected: {json.dumps(value)[:80]}")
    return value


def number(value):
    if not isinstance(value, int) or isinstance(value, bool):
        raise Bad(f"a number is expected: {json.dumps(value)[:80]}")
    if not 0 <= value < LIMIT:
        raise Bad(f"a number out of range: {value}")
    return value


def added(value):
    """A number that is added to a side of a bound."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Bad(f"a number is expected: {json.dumps(value)[:80]}")
    return value


# ---------------------------------------------------------------------------------------------------------------------
# Section 3: symbols, equations, facts.
#
# A symbol is (0, k), an index variable of the invariant; (1, k), a named element; or (2, k), another element. So tuples
# have the order of matches. A constant is (3, k), a read is (4, state variable, symbol, ...), and (5,) is the number 0. A
# fact is (read, relation, side), where the relation is True for equality, False for its negation, or ("<=", c) or (">=", c)
# for a bound: the read is at most, or at least, the side plus c. ANY stands for any value.

VARIABLE, NAMED, OTHER, CONSTANT, READ = range(5)
ZERO = (5,)
ANY = ("any",)


def negated(relation):
    """The relation that holds exactly if the other one does not."""
    if isinstance(relation, bool):
        return not relation
    sign, c = relation
    return (">=", c + 1) if sign == "<=" else ("<=", c - 1)


def mirrored(relation):
    """The relation of the sides in the opposite order."""
    if isinstance(relation, bool):
        return relation
    sign, c = relation
    return (">=" if sign == "<=" else "<=", -c)


class System:
    """Section 2: the tables, and the positions of names."""

    def __init__(self, tables):
        if "system" in tables and "rules" not in tables:
            tables = tables["system"]
        self.types = tables["index_types"]
        self.named = tables["named"]
        self.constants = tables["constants"]
        self.sorts = tables["sorts"]
        self.variables = tables["variables"]
        self.rules = tables["rules"]
        self.starts = tables["startstates"]
        self.properties = tables["properties"]
        self.axioms = tables.get("axioms", [])
        self.claim = tables["claim"]
        self.constant_at = positions([c["name"] for c in self.constants])
        self.variable_at = positions([v["name"] for v in self.variables])
        self.type_at = positions([t["name"] for t in self.types])
        self.named_at = positions([(n["index_type"], n["name"]) for n in self.named])
        sets = [(frozenset(s["constants"]), frozenset(s["index_types"]), bool(s.get("numbers"))) for s in self.sorts]
        self.sort_of = [sets[v["sort"]] for v in self.variables]
        for v in self.variables:
            constants, types, numbers = sets[v["sort"]]
            if bool(constants or types) == numbers:
                raise Bad("a sort has no value, or other values besides numbers")
        for rule in self.rules:
            well_formed_step(self, rule, "rule " + rule["name"])
        written = {u["variable"] for step in self.rules + self.starts for u in step["updates"]}
        self.parameters = parameters = set(range(len(self.variables))) - written
        for start in self.starts:
            well_formed_step(self, start, "startstate " + start["name"])
            if not parameters | {u["variable"] for u in start["updates"]} >= set(range(len(self.variables))):
                raise Bad("a startstate does not update each state variable that is no parameter")
            if reads(start["guard"]) or reads([u["value"] for u in start["updates"]]):
                raise Bad("a startstate reads a state variable")

    def is_size(self, variable):
        """Whether a state variable is a number that nothing changes, such as a constant of the model."""
        path = self.variables[variable]["path"]
        return variable in self.parameters and self.sort_of[variable][2] and len(path) == 1 and "global" in path[0]


def positions(names):
    result = {name: k for k, name in enumerate(names)}
    if len(result) != len(names):
        raise Bad("a name occurs twice")
    return result


class Elements:
    """The symbols of an obligation with their types."""

    def __init__(self, system, variables, others):
        self.system, self.variables, self.others = system, tuple(variables), tuple(others)

    def type_of(self, symbol):
        kind, k = symbol
        table = (self.variables, [n["index_type"] for n in self.system.named], self.others)[kind]
        return table[k] if k < len(table) else None

    def of_type(self, wanted):
        named = [n["index_type"] for n in self.system.named]
        tables = enumerate((self.variables, named, self.others))
        return [(kind, k) for kind, table in tables for k, own in enumerate(table) if own == wanted]

    def with_other(self, index_type):
        return Elements(self.system, self.variables, self.others + (index_type,)), (OTHER, len(self.others))

    def admits(self, read, datum):
        constants, types, _ = self.system.sort_of[read[1]]
        return datum[1] in constants if datum[0] == CONSTANT else datum != ZERO and self.type_of(datum) in types

    def compare(self, left, relation, right):
        """The normal form: True, False or a fact."""
        if isinstance(relation, bool):
            return self.equation(left, relation, right)
        if left == right:
            return relation[1] >= 0 if relation[0] == "<=" else relation[1] <= 0
        if left == ZERO or (right != ZERO and right < left):
            return (right, mirrored(relation), left)
        return (left, relation, right)

    def equation(self, left, equal, right):
        left, right = self.without_choice(left), self.without_choice(right)
        if left[0] != READ and right[0] != READ:
            return (left == right) == equal
        if left[0] == READ and right[0] == READ:
            if left == right:
                return equal
            a, b = self.system.sort_of[left[1]], self.system.sort_of[right[1]]
            if not a[0] & b[0] and not a[1] & b[1]:
                return not equal
            return (min(left, right), equal, max(left, right))
        read, datum = (left, right) if left[0] == READ else (right, left)
        if not self.admits(read, datum):
            return not equal
        constants, types, _ = self.system.sort_of[read[1]]
        if not equal and len(constants) == 2 and not types:
            (other,) = constants - {datum[1]}
            return (read, True, (CONSTANT, other))
        return (read, equal, datum)

    def without_choice(self, side):
        if side[0] == READ:
            constants, types, _ = self.system.sort_of[side[1]]
            if len(constants) == 1 and not types:
                return (CONSTANT, next(iter(constants)))
        return side

    def negation(self, fact):
        return self.compare(fact[0], negated(fact[1]), fact[2])

    def clash(self, a, b):
        if a[0] != b[0]:
            return False
        values = a[1] is True and b[1] is True and a[2][0] != READ and b[2][0] != READ
        return a[2] != b[2] if values else self.negation(a) == b


def side(term, symbols):
    """A term of the system under a map of index variables to symbols."""
    if term == "zero":
        return ZERO
    ((tag, content),) = term.items()
    if tag == "constant":
        return (CONSTANT, content)
    if tag == "index":
        return index(content, symbols)
    return (READ, content[0]) + tuple(index(argument, symbols) for argument in content[1])


def relation_of(comparison):
    """The relation of a literal of the system."""
    if isinstance(comparison, bool):
        return comparison
    ((tag, c),) = comparison.items()
    return ({"at_most": "<=", "at_least": ">="}[tag], c)


def index(term, symbols):
    ((tag, k),) = term.items()
    return (NAMED, k) if tag == "named" else symbols[k]


def substituted(term, substitution):
    """A side over the variables of a cube, with these symbols for them."""
    if term[0] == VARIABLE:
        return substitution[term[1]]
    if term[0] == READ:
        return term[:2] + tuple(substituted(argument, substitution) for argument in term[2:])
    return term


# ---------------------------------------------------------------------------------------------------------------------
# Section 2: what the check relies on.


def reads(part):
    """Whether a formula, a value or a list of them has a read."""
    if isinstance(part, dict):
        return "read" in part or any(reads(content) for content in part.values())
    return isinstance(part, list) and any(reads(content) for content in part)


def well_formed_step(system, step, name):
    scope = [v["index_type"] for v in step["scope"]]
    bound = frozenset(range(step["parameters"]))

    def need(condition, problem):
        if not condition:
            raise Bad(f"{name}: {problem}")

    def index_type(term, bound):
        ((tag, k),) = term.items()
        need(tag == "named" or k in bound, "an index variable is not bound")
        return system.named[k]["index_type"] if tag == "named" else scope[k]

    def term(one, bound):
        if one == "zero":
            return set(), set(), True
        ((tag, content),) = one.items()
        if tag == "constant":
            need(content < len(system.constants), "no such constant")
            return {content}, set(), False
        if tag == "index":
            return set(), {index_type(content, bound)}, False
        types = [index_type(argument, bound) for argument in content[1]]
        need(types == system.variables[content[0]]["arguments"], "arguments of the wrong number or types")
        return system.sort_of[content[0]]

    def formula(one, bound, quantifiers):
        if isinstance(one, str):
            return
        ((tag, content),) = one.items()
        if tag == "equal":
            left, right = term(content[0], bound), term(content[1], bound)
            need(left[0] & right[0] or left[1] & right[1], "two sides of an equation share no value")
        elif tag == "at_most":
            need(term(content[0], bound)[2] and term(content[1], bound)[2], "a bound of something that is not a number")
            need(abs(content[2]) <= SUMS, "a number is too great")
        elif tag == "not":
            need(not quantifiers or "equal" in content, "not in negation normal form")
            formula(content, bound, quantifiers)
        elif tag in ("and", "or"):
            for part in content:
                formula(part, bound, quantifiers)
        else:
            need(quantifiers and tag == "forall" and content[0] not in bound, "a quantifier where none is allowed")
            formula(content[1], bound | {content[0]}, quantifiers)

    def value(one, bound, sort):
        if one == "arbitrary":
            return
        ((tag, content),) = one.items()
        if tag == "term":
            constants, types, is_number = term(content, bound)
            fits = constants <= sort[0] and types <= sort[1] and is_number == sort[2]
            need(fits, "an update leaves the sort of its variable")
        elif tag == "sum":
            need(term(content[0], bound)[2] and sort[2], "a sum that is not a number")
            need(abs(content[1]) <= SUMS, "a number is too great")
        else:
            formula(content[0], bound, False)
            value(content[1], bound, sort), value(content[2], bound, sort)

    need(step["parameters"] <= len(scope), "more parameters than index variables")
    formula(step["guard"], bound, True)
    written = [update["variable"] for update in step["updates"]]
    need(written == sorted(set(written)), "updates are not ascending")
    for update in step["updates"]:
        variable, arguments = update["variable"], update["arguments"]
        need([scope[k] for k in arguments] == system.variables[variable]["arguments"], "wrong arguments of an update")
        need(len(set(arguments)) == len(arguments) and not bound & set(arguments), "a variable is bound twice")
        value(update["value"], bound | set(arguments), system.sort_of[variable])


def well_formed_cube(system, cube):
    """A cube is (types, literals, universal parts), with literals (left, relation, right) over (VARIABLE, k) and (NAMED, k).

    A universal part is (types, literals); its variables are numbered behind those of the cube."""
    types, literals, universals = cube
    if len(universals) > 32:
        raise Bad("too many universal parts")
    well_formed_literals(system, types, literals)
    for own, literals in universals:
        if not own or list(own) != sorted(own):
            raise Bad("a universal part has no variable, or its types are not ascending")
        well_formed_literals(system, types + own, literals)


def well_formed_literals(system, types, literals):
    if len(types) > 32 or len(literals) > 256:
        raise Bad("too many variables or literals")
    elements = Elements(system, types, ())
    for one in literals:
        for term in (one[0], one[2]):
            symbols = [term] if term[0] < CONSTANT else term[2:] if term[0] == READ else []
            own = [elements.type_of(symbol) for symbol in symbols]
            if None in own or (term[0] == READ and own != system.variables[term[1]]["arguments"]):
                raise Bad("a literal is not well-formed")
        if not isinstance(one[1], bool):
            numbers = [t == ZERO or (t[0] == READ and system.sort_of[t[1]][2]) for t in (one[0], one[2])]
            if not all(numbers) or abs(one[1][1]) > SUMS:
                raise Bad("a bound of something that is not a number, or with a number that is too great")
        if elements.compare(*one) != one:
            raise Bad("a literal is not in normal form")
    if len(set(literals)) != len(literals):
        raise Bad("a literal occurs twice")


# ---------------------------------------------------------------------------------------------------------------------
# Section 4: the list of obligations.


def matches(system, step, cube_types):
    """(b): all matches in order, with the types of the other elements."""
    found = [((), ())]
    for parameter in step["scope"][: step["parameters"]]:
        wanted = parameter["index_type"]
        found = [
            (match + (symbol,), others + ((wanted,) if symbol == (OTHER, len(others)) else ()))
            for match, others in found
            for symbol in Elements(system, cube_types, others).of_type(wanted) + [(OTHER, len(others))]
        ]
    return found


class Matched:
    """A rule or startstate under a match. A state is (facts, foralls)."""

    def __init__(self, elements, step, match):
        self.elements, self.step = elements, step
        self.symbols = dict(enumerate(match))
        self.updates = {update["variable"]: update for update in step["updates"]}

    def bound(self, read):
        update = self.updates[read[1]]
        return update["value"], {**self.symbols, **dict(zip(update["arguments"], read[2:]))}

    def compared(self, formula, symbols, positive=True):
        """The normal form of an equation or a bound, or of its negation."""
        return compared(self.elements, formula, symbols, positive)

    def truth(self, formula, symbols):
        """Three-valued: True, False or None."""
        if isinstance(formula, str):
            return formula == "true"
        ((tag, content),) = formula.items()
        if tag in ("equal", "at_most"):
            made = self.compared(formula, symbols)
            return made if isinstance(made, bool) else None
        if tag == "not":
            truth = self.truth(content, symbols)
            return None if truth is None else not truth
        return three_valued([self.truth(part, symbols) for part in content], tag == "and")

    def keeps(self, read):
        """(c)."""
        if read[0] != READ or read[1] not in self.updates:
            return True
        value, symbols = self.bound(read)
        while value != "arbitrary":
            if "term" in value:
                return side(value["term"], symbols) == read
            if "sum" in value:
                return False
            condition, then, otherwise = value["if"]
            truth = self.truth(condition, symbols)
            if truth is None:
                return False
            value = then if truth else otherwise
        return False

    def add(self, state, made):
        if made is True:
            yield state
        elif made is not False:
            facts, foralls = state
            if not any(self.elements.clash(fact, made) for fact in facts):
                yield facts | {made}, foralls

    def extend(self, state, formula, positive, symbols):
        """(d)."""
        if isinstance(formula, str):
            yield from self.add(state, (formula == "true") == positive)
            return
        ((tag, content),) = formula.items()
        if tag in ("equal", "at_most"):
            yield from self.add(state, self.compared(formula, symbols, positive))
        elif tag == "not":
            yield from self.extend(state, content, not positive, symbols)
        elif tag == "forall":
            yield state[0], state[1] + ((content[0], json.dumps(content[1])),)
        elif (tag == "and") == positive:
            yield from self.extend_all(state, content, positive, symbols)
        else:
            for part in content:
                yield from self.extend(state, part, positive, symbols)

    def extend_all(self, state, parts, positive, symbols):
        if not parts:
            yield state
        else:
            for next_state in self.extend(state, parts[0], positive, symbols):
                yield from self.extend_all(next_state, parts[1:], positive, symbols)

    def values(self, state, term):
        """Each value is ANY, or a side and a number that is added to it."""
        if term[0] != READ or term[1] not in self.updates:
            yield state, (term, 0)
        else:
            yield from self.leaves(state, *self.bound(term))

    def leaves(self, state, value, symbols):
        if value == "arbitrary":
            yield state, ANY
        elif "term" in value:
            yield state, (side(value["term"], symbols), 0)
        elif "sum" in value:
            yield state, (side(value["sum"][0], symbols), value["sum"][1])
        else:
            condition, then, otherwise = value["if"]
            for case, positive in ((then, True), (otherwise, False)):
                for next_state in self.extend(state, condition, positive, symbols):
                    yield from self.leaves(next_state, case, symbols)

    def after(self, state, one):
        left, relation, right = one
        for state1, new_left in self.values(state, left):
            if new_left is ANY:
                yield state1
                continue
            for state2, new_right in self.values(state1, right):
                made = True
                if new_right is not ANY:
                    (left1, less), (right1, more) = new_left, new_right
                    moved = relation if isinstance(relation, bool) else (relation[0], relation[1] + more - less)
                    made = self.elements.compare(left1, moved, right1)
                yield from self.add(state2, made)

    def after_all(self, state, literals):
        if not literals:
            yield state
        else:
            for next_state in self.after(state, literals[0]):
                yield from self.after_all(next_state, literals[1:])

    def branches(self, literals):
        found = {}
        for state in self.extend((frozenset(), ()), self.step["guard"], True, self.symbols):
            for branch in self.after_all(state, literals):
                found.setdefault(branch)
        return list(found)


def reads_of(literals):
    """The state variables in literals."""
    return {term[1] for one in literals for term in (one[0], one[2]) if term[0] == READ}


def three_valued(truths, conjunction):
    if (not conjunction) in truths:
        return not conjunction
    return None if None in truths else conjunction


def obligations(system, step, cube, start=False):
    """Match, branch, the kind if it is fixed, and what the obligation starts from: (matched, branch), None without a branch.

    For a startstate, neither (a) nor (c) applies."""
    types, literals, universals = cube
    written = {update["variable"] for update in step["updates"]}
    writes_others = any(reads_of(part) & written for _, part in universals)
    if not start and not writes_others and not reads_of(literals) & written:
        yield None, None, "unaffected", None
        return
    for match, others in matches(system, step, types):
        matched = Matched(Elements(system, types, others), step, match)
        if not start and not writes_others and all(matched.keeps(term) for one in literals for term in (one[0], one[2])):
            yield match, None, "unaffected", None
            continue
        branches = matched.branches(literals)
        if not branches:
            yield match, None, "holds_after", None
        for k, branch in enumerate(branches):
            yield match, k, None, (matched, branch)


# ---------------------------------------------------------------------------------------------------------------------
# Section 5: contexts.


def compared(elements, formula, symbols, positive):
    """The normal form of an equation or a bound under a map of index variables to symbols, or of its negation."""
    ((tag, (left, right, *c)),) = formula.items()
    relation = True if tag == "equal" else ("<=", c[0])
    return elements.compare(side(left, symbols), relation if positive else negated(relation), side(right, symbols))


class Bounds:
    """Bounds closed under addition: all shortest paths, by the algorithm of Floyd and Warshall."""

    def __init__(self, facts):
        numbers = {number for left, _, right in facts for number in (left, right)}
        # The least known c for which one number is at most another one plus c.
        self.least = {(number, number): 0 for number in numbers}
        for one in facts:
            left, right, c = self.edge(one)
            self.least[left, right] = min(c, self.least.get((left, right), c))
        for middle in numbers:
            for a in numbers:
                for b in numbers:
                    if (a, middle) in self.least and (middle, b) in self.least:
                        path = self.least[a, middle] + self.least[middle, b]
                        self.least[a, b] = min(path, self.least.get((a, b), path))
        self.contradiction = any(self.least[number, number] < 0 for number in numbers)

    @staticmethod
    def edge(one):
        left, (sign, c), right = one
        return (left, right, c) if sign == "<=" else (right, left, -c)

    def knows(self, one):
        """True, False or None."""
        left, right, c = self.edge(one)
        if (left, right) in self.least and self.least[left, right] <= c:
            return True
        return False if (right, left) in self.least and self.least[right, left] < -c else None


class Closure:
    """Facts closed under equality and addition, computed from all of them."""

    def __init__(self, elements, facts):
        self.bounds = Bounds([one for one in facts if not isinstance(one[1], bool)])
        self.leader, self.contradiction = {}, self.bounds.contradiction
        facts = [one for one in facts if isinstance(one[1], bool)]
        for read, equal, other in facts:
            self.leader.setdefault(read, read)
            if other[0] == READ:
                self.leader.setdefault(other, other)
                if equal:
                    self.leader[self.find(read)] = self.find(other)
        self.members, self.value, self.excluded, self.apart = {}, {}, {}, set()
        for read in self.leader:
            self.members.setdefault(self.find(read), []).append(read)
        self.excluded = {leader: set() for leader in self.members}
        for read, equal, other in facts:
            leader = self.find(read)
            if other[0] == READ:
                if not equal:
                    self.apart.add(frozenset((leader, self.find(other))))
            elif not equal:
                self.excluded[leader].add(other)
            elif self.value.setdefault(leader, other) != other:
                self.contradiction = True
        while not self.contradiction and self.step(elements):
            pass

    def find(self, read):
        while self.leader[read] != read:
            read = self.leader[read]
        return read

    def step(self, elements):
        for leader, members in self.members.items():
            if leader in self.value:
                value = self.value[leader]
                if value in self.excluded[leader] or not all(elements.admits(read, value) for read in members):
                    self.contradiction = True
                continue
            for read in members:
                constants, types, _ = elements.system.sort_of[read[1]]
                left = {(CONSTANT, c) for c in constants} - self.excluded[leader]
                if not types and len(left) <= 1:
                    if left:
                        self.value[leader] = left.pop()
                    else:
                        self.contradiction = True
                    return True
        for pair in self.apart:
            if len(pair) == 1:
                self.contradiction = True
                return True
            a, b = pair
            for one, other in ((a, b), (b, a)):
                if one in self.value and self.value[one] not in self.excluded[other]:
                    self.excluded[other].add(self.value[one])
                    return True
        return False

    def knows(self, made):
        """True, False or None."""
        if isinstance(made, bool):
            return made
        if not isinstance(made[1], bool):
            return self.bounds.knows(made)
        read, equal, other = made
        if read not in self.leader or (other[0] == READ and other not in self.leader):
            return None
        a = self.find(read)
        if other[0] != READ:
            if a in self.value:
                return (self.value[a] == other) == equal
            return (not equal) if other in self.excluded[a] else None
        b = self.find(other)
        if a == b:
            return equal
        if a in self.value and b in self.value:
            return (self.value[a] == self.value[b]) == equal
        apart = frozenset((a, b)) in self.apart
        apart = apart or self.value.get(a, ANY) in self.excluded[b] or self.value.get(b, ANY) in self.excluded[a]
        return (not equal) if apart else None


class Context:
    """The facts and foralls of a branch, and the cube whose universal parts hold after the step."""

    def __init__(self, elements, facts, matched=None, foralls=(), cube=((), (), ())):
        self.elements, self.matched, self.foralls, self.cube = elements, matched, foralls, cube
        self.facts = set(facts)
        scope = matched.step["scope"] if matched else []
        self.instances = [
            self.instance(json.loads(body), True, {**matched.symbols, k: symbol})
            for k, body in foralls
            for symbol in elements.of_type(scope[k]["index_type"])
        ]
        own = tuple((VARIABLE, k) for k in range(len(cube[0])))
        for types, literals in cube[2]:
            for chosen in choices(elements, types, own):
                self.instances.append(("or", [part for one in literals for part in self.after(one, chosen)]))
        self.close()

    def after(self, one, symbols):
        """The alternatives for a literal of a universal part to hold after the step, each a conjunction."""
        left, relation, right = substituted(one[0], symbols), one[1], substituted(one[2], symbols)
        if self.matched is None:
            return [self.elements.compare(left, relation, right)]
        step = Matched(self.elements, self.matched.step, ())
        step.symbols = self.matched.symbols
        states = dict.fromkeys(facts for facts, _ in step.after((frozenset(), ()), (left, relation, right)))
        return [("and", list(facts)) for facts in states]

    def instance(self, formula, positive, symbols):
        """A fact, True, False, or ("and" | "or", parts)."""
        if isinstance(formula, str):
            return (formula == "true") == positive
        ((tag, content),) = formula.items()
        if tag in ("equal", "at_most"):
            return compared(self.elements, formula, symbols, positive)
        if tag == "not":
            return self.instance(content, not positive, symbols)
        if tag == "forall":
            own = self.matched.step["scope"][content[0]]["index_type"]
            inner = [{**symbols, content[0]: symbol} for symbol in self.elements.of_type(own)]
            return ("and", [self.instance(content[1], True, symbols) for symbols in inner])
        conjunction = (tag == "and") == positive
        return ("and" if conjunction else "or", [self.instance(part, positive, symbols) for part in content])

    def close(self):
        while True:
            self.closure = Closure(self.elements, self.facts)
            self.contradiction = self.closure.contradiction
            if self.contradiction:
                return
            new = set()
            for instance in self.instances:
                if self.judge(instance) is False:
                    self.contradiction = True
                    return
                self.follow(instance, new)
            if new <= self.facts:
                return
            self.facts |= new

    def judge(self, instance):
        if isinstance(instance, tuple) and instance[0] in ("and", "or"):
            return three_valued([self.judge(part) for part in instance[1]], instance[0] == "and")
        return self.closure.knows(instance)

    def follow(self, instance, new):
        if self.judge(instance) is not None:
            return
        if instance[0] == "and":
            for part in instance[1]:
                self.follow(part, new)
        elif instance[0] == "or":
            possible = [part for part in instance[1] if self.judge(part) is not False]
            if len(possible) == 1:
                self.follow(possible[0], new)
        else:
            new.add(instance)

    def knows(self, made):
        return self.closure.knows(made)

    def with_fact(self, made, elements=None):
        """The context with an equation, and perhaps with more elements."""
        result = Context(elements or self.elements, self.facts, self.matched, self.foralls, self.cube)
        if made is False:
            result.contradiction = True
        elif made is not True and not result.contradiction:
            result.facts.add(made)
            result.close()
        return result


# ---------------------------------------------------------------------------------------------------------------------
# Section 7: arguments.


def replay(context, argument, invariants, depth=0):
    """Raises Bad unless the argument ends in a contradiction and nothing follows."""
    premises, split = argument
    for invariant, substitution in premises:
        if context.contradiction:
            raise Bad("a premise after the end of the argument")
        context = use(context, invariant, substitution, invariants)
    if split is None:
        if not context.contradiction:
            raise Bad("the argument ends without a contradiction")
        return
    if context.contradiction:
        raise Bad("a split after the end of the argument")
    if depth >= SPLITS:
        raise Bad("splits are nested too deeply")
    kind, read, cases = split
    if kind == "witness":
        due = witnesses(context, read, invariants)
        if len(due) != len(cases):
            raise Bad(f"a split has {len(cases)} cases, and there are {len(due)} for the witness")
        for (wider, made), case in zip(due, cases):
            one = context.with_fact(True, wider)
            for equation in made:
                one = one if one.contradiction else one.with_fact(equation)
            replay(one, case, invariants, depth + 1)
        return
    system, elements = context.elements.system, context.elements
    if kind == "bound":
        left, right, c = read
        for number in (left, right):
            if number != ZERO and not number_at_symbols(elements, number):
                raise Bad("a split on a bound of something that is not a number")
        if len(cases) != 2:
            raise Bad(f"a split on a bound has {len(cases)} cases")
        for relation, case in zip((("<=", c), negated(("<=", c))), cases):
            replay(context.with_fact(elements.compare(left, relation, right)), case, invariants, depth + 1)
        return
    if [elements.type_of(symbol) for symbol in read[2:]] != system.variables[read[1]]["arguments"]:
        raise Bad("a split with arguments of the wrong number or types")
    if system.sort_of[read[1]][2]:
        raise Bad("a split on the value of a number")
    sort = system.sorts[system.variables[read[1]]["sort"]]
    values = [((CONSTANT, c), elements) for c in sort["constants"]]
    for index_type in sort["index_types"]:
        values += [(symbol, elements) for symbol in elements.of_type(index_type)]
        wider, fresh = elements.with_other(index_type)
        values.append((fresh, wider))
    if len(values) != len(cases):
        raise Bad(f"a split has {len(cases)} cases, and the variable {len(values)} values")
    for (value, wider), case in zip(values, cases):
        replay(context.with_fact(wider.equation(read, True, value), wider), case, invariants, depth + 1)


def number_at_symbols(elements, read):
    """Whether a read is of a number, at symbols of the types of its arguments."""
    types = [elements.type_of(symbol) for symbol in read[2:]]
    return elements.system.sort_of[read[1]][2] and types == elements.system.variables[read[1]]["arguments"]


def choices(elements, types, taken):
    """All ways to choose different symbols of these types that are not named and not taken, each behind `taken`."""
    found = [tuple(taken)]
    for own in types:
        found = [
            chosen + (symbol,)
            for chosen in found
            for symbol in elements.of_type(own)
            if symbol[0] != NAMED and symbol not in chosen
        ]
    return found


def witnesses(context, instance, invariants):
    """The cases of a split on a witness: elements, and the negations of the literals of a universal part."""
    invariant, substitution = instance
    if remaining(context, invariant, substitution, invariants):
        raise Bad(f"a literal of the promise {invariant} is not known")
    if not invariants[invariant][2]:
        raise Bad(f"invariant {invariant} promises no witness")
    cases = []
    for types, literals in invariants[invariant][2]:
        found = [(context.elements, substitution)]
        for own in types:
            longer = []
            for elements, chosen in found:
                longer += [(elements, one) for one in choices(elements, (own,), chosen)]
                wider, fresh = elements.with_other(own)
                longer.append((wider, chosen + (fresh,)))
            found = longer
        for elements, chosen in found:
            made = [
                elements.compare(substituted(left, chosen), relation, substituted(right, chosen))
                for left, relation, right in literals
            ]
            cases.append((elements, [not one if isinstance(one, bool) else elements.negation(one) for one in made]))
    return cases


def remaining(context, invariant, substitution, invariants):
    """The literals of an instance that the context does not know."""
    if invariant >= len(invariants):
        raise Bad(f"there is no invariant {invariant}")
    types, literals, _ = invariants[invariant]
    own = [context.elements.type_of(symbol) for symbol in substitution]
    if own != list(types) or len(set(substitution)) != len(substitution):
        raise Bad(f"a wrong substitution into invariant {invariant}")
    if any(symbol[0] == NAMED for symbol in substitution):
        raise Bad(f"a named element in the substitution into invariant {invariant}")
    open_literals = []
    for left, relation, right in literals:
        sides = substituted(left, substitution), substituted(right, substitution)
        made = context.elements.compare(sides[0], relation, sides[1])
        if context.knows(made) is not True:
            open_literals.append(made)
    return open_literals


def use(context, invariant, substitution, invariants):
    """The context after a premise."""
    open_literals = remaining(context, invariant, substitution, invariants)
    if invariants[invariant][2]:
        raise Bad(f"invariant {invariant} promises a witness; it is no premise")
    if len(open_literals) > 1:
        raise Bad(f"{len(open_literals)} literals of premise {invariant} are not known")
    if open_literals and context.knows(open_literals[0]) is False:
        raise Bad(f"premise {invariant} adds nothing new")
    made = context.elements.negation(open_literals[0]) if open_literals else False
    return context.with_fact(made)


# ---------------------------------------------------------------------------------------------------------------------
# Sections 1 and 8: the certificate.


class Certificate:
    """The file with names resolved. Raises Bad."""

    def __init__(self, system, data):
        self.system = system
        file = parse(data)
        if not isinstance(file, dict) or file.get("format") != "paraproof-certificate":
            raise Bad("this is not a certificate")
        if number(file.get("version")) not in (2, 3, 4):
            raise Bad("a version that this checker does not know")
        names = "format version model claim index_types startstates rules properties counts invariants proofs initial relations"
        keys(file, names, "axioms")
        model = keys(file["model"], "sha256 settings")
        self.digest, self.settings = text(model["sha256"]), [text(s) for s in array(model["settings"])]
        self.claim(file["claim"])
        self.names(file)
        self.invariants = [self.invariant(k, one) for k, one in enumerate(array(file["invariants"]))]
        self.premises = [one[:3] for one in self.invariants]
        self.premises += [cube_of(bad) for axiom in system.axioms for bad in axiom["bad"]]
        self.proofs = [self.proof(one) for one in array(file["proofs"])]
        self.initial = [self.initial_entry(one) for one in array(file["initial"])]
        self.relations = []
        for group in array(file["relations"]):
            self.group(group)
        self.counts(file["counts"])

    def claim(self, found):
        """The claim of the file has to be that of the system."""
        claim = self.system.claim
        due = {
            "any_size": [{"name": t["name"], "least": self.least(k)} for k, t in enumerate(self.system.types)],
            "constants": [{"name": c["name"], "value": c["value"]} for c in claim["constants"]],
            "finite_types": [{"name": t["name"], "size": min(t["size"], LIMIT - 1)} for t in claim["finite_types"]],
            "assumptions": [a["origin"]["line"] for a in claim["assumptions"]],
            "left_out": [{key: one[key] for key in ("kind", "name", "code")} for one in claim["left_out"]],
        }
        keys(found, " ".join(due))
        for key, value in due.items():
            if not same(found[key], value):
                raise Bad(f"claim.{key} is not that of the system")

    def least(self, index_type):
        """The number of elements that the type has at least, because of its named elements or of an axiom."""
        inhabited = any(says_inhabited(axiom, index_type) for axiom in self.system.axioms)
        named = [n["position"] + 1 for n in self.system.named if n["index_type"] == index_type]
        return max(named, default=int(inhabited))

    def names(self, file):
        system = self.system
        for one in array(file["index_types"]):
            keys(one, "name named")
        types = [{"name": t["name"], "named": self.named_of(k)} for k, t in enumerate(system.types)]
        rules = [[rule["name"], rule["case"]] for rule in system.rules]
        starts, properties = [s["name"] for s in system.starts], [p["name"] for p in system.properties]
        due = {"index_types": types, "startstates": starts, "rules": rules, "properties": properties}
        due["axioms"] = [axiom["name"] for axiom in system.axioms]
        for key, names in due.items():
            if not same(file.get(key, []), names):
                raise Bad(f"{key} are not those of the system")

    def named_of(self, index_type):
        return [n["name"] for n in self.system.named if n["index_type"] == index_type]

    def counts(self, found):
        kinds = [entry[4] for entry in self.relations]
        due = {kind: kinds.count(kind) for kind in ("holds_after", "unaffected", "implied")}
        due |= {"invariants": len(self.invariants), "proofs": len(self.proofs), "initial": len(self.initial)}
        due["relations"] = len(self.relations)
        keys(found, " ".join(due))
        if {key: number(value) for key, value in found.items()} != due:
            raise Bad("the counts are wrong")

    def symbol(self, value, index_type):
        if isinstance(value, str):
            if value.startswith("@"):
                if (index_type, value[1:]) not in self.system.named_at:
                    raise Bad(f"there is no element {value} of the type")
                return (NAMED, self.system.named_at[index_type, value[1:]])
            digits = value[1:]
            if value.startswith("+") and digits.isascii() and digits.isdigit() and str(int(digits[:20])) == digits:
                if int(digits) < LIMIT:
                    return (OTHER, int(digits))
            raise Bad(f"not a symbol: {value}")
        return (VARIABLE, number(value))

    def symbols(self, values, types):
        types = list(types) + [None] * len(array(values))
        return tuple(self.symbol(value, index_type) for value, index_type in zip(values, types))

    def read(self, value):
        name = text((array(value) or [None])[0])
        if name not in self.system.variable_at:
            raise Bad(f"there is no state variable {name}")
        variable = self.system.variable_at[name]
        return (READ, variable) + self.symbols(value[1:], self.system.variables[variable]["arguments"])

    def number(self, value):
        """A read, or nothing, which is 0."""
        return ZERO if value is None else self.read(value)

    def right(self, value):
        if isinstance(value, list):
            return self.read(value)
        if isinstance(value, dict):
            keys(value, "element of")
            index_type = self.system.type_at.get(text(value["of"]))
            return self.symbol("@" + text(value["element"]), index_type)
        if isinstance(value, str):
            if value not in self.system.constant_at:
                raise Bad(f"there is no constant {value}")
            return (CONSTANT, self.system.constant_at[value])
        return (VARIABLE, number(value))

    def invariant(self, position, one):
        keys(one, "id variables literals origin", "universals")
        if number(one["id"]) != position:
            raise Bad(f"invariant {position} has another id")
        types, literals = self.part(one)
        universals = tuple(self.part(keys(part, "variables literals")) for part in array(one.get("universals", [])))
        origin = one["origin"]
        if isinstance(origin, dict) and "property" in origin:
            number(keys(origin, "property")["property"])
        else:
            number(keys(origin, "rule of")["rule"]), number(origin["of"])
        return types, literals, universals, origin

    def part(self, one):
        """The types and literals of a cube or of a universal part."""
        types, literals = [], []
        for name in array(one["variables"]):
            if text(name) not in self.system.type_at:
                raise Bad(f"there is no index type {name}")
            types.append(self.system.type_at[name])
        for literal in array(one["literals"]):
            left, sign, right, *c = array(literal) if len(array(literal)) > 2 else [None] * 3
            if sign in ("=", "!=") and not c:
                literals.append((self.read(left), sign == "=", self.right(right)))
            elif sign in ("<=", ">=") and len(c) == 1:
                literals.append((self.read(left), (sign, added(c[0])), self.number(right)))
            else:
                raise Bad("a literal has no sign, or a wrong number of parts")
        return tuple(types), tuple(literals)

    def instance(self, value):
        invariant, symbols = array(value, 2)
        known = number(invariant) < len(self.premises)
        return invariant, self.symbols(symbols, self.premises[invariant][0] if known else ())

    def argument(self, one):
        premises = [self.instance(value) for value in array(one["by"])]
        if "split" not in one:
            return premises, None
        split = keys(one["split"], "cases", "on witness bound")
        if len(split) != 2:
            raise Bad("a split has one of `on`, `witness` and `bound`")
        cases = [self.argument(keys(case, "by", "split")) for case in array(split["cases"])]
        if "on" in split:
            return premises, ("on", self.read(split["on"]), cases)
        if "bound" in split:
            left, right, c = array(split["bound"], 3)
            return premises, ("bound", (self.read(left), self.number(right), added(c)), cases)
        return premises, ("witness", self.instance(split["witness"]), cases)

    def proof(self, one):
        keys(one, "property name cube by", "split")
        known = number(one["property"]) < len(self.system.properties)
        if not known or self.system.properties[one["property"]]["name"] != text(one["name"]):
            raise Bad("the property of a proof has another name")
        return one["property"], number(one["cube"]), self.argument(one)

    def initial_entry(self, one):
        keys(one, "s i m")
        if number(one["s"]) >= len(self.system.starts):
            raise Bad("there is no such startstate")
        types = [v["index_type"] for v in self.system.starts[one["s"]]["scope"]]
        return one["s"], number(one["i"]), self.symbols(one["m"], types)

    def group(self, group):
        keys(group, "rule name case entries")
        if number(group["rule"]) >= len(self.system.rules):
            raise Bad("there is no such rule")
        rule = self.system.rules[group["rule"]]
        if (rule["name"], rule["case"]) != (text(group["name"]), text(group["case"])):
            raise Bad("a rule has another name")
        if not array(group["entries"]) or (self.relations and self.relations[-1][0] >= group["rule"]):
            raise Bad("a rule has no entries, or does not come after the rules before it")
        types = [v["index_type"] for v in rule["scope"]]
        for one in group["entries"]:
            keys(one, "i k", "m b by split")
            kind = text(one["k"])
            if kind not in ("holds_after", "unaffected", "implied") or ("by" in one) != (kind == "implied"):
                raise Bad("a wrong kind, or a misplaced `by`")
            if "split" in one and "by" not in one:
                raise Bad("`split` without `by`")
            match = self.symbols(one["m"], types) if "m" in one else None
            branch = number(one["b"]) if "b" in one else None
            argument = self.argument(one) if "by" in one else None
            self.relations.append((group["rule"], number(one["i"]), match, branch, kind, argument))


def reasons(system, data, digest=None, settings=None):
    """Everything that is wrong with a certificate."""
    try:
        certificate = Certificate(system, data)
    except Bad as bad:
        return [str(bad)]
    found = []

    def attempt(place, action, *arguments):
        try:
            action(*arguments)
        except Bad as bad:
            found.append(f"{place}: {bad}")

    if digest is not None and certificate.digest != digest:
        found.append("the certificate is for another model")
    if settings is not None and certificate.settings != settings:
        found.append("the certificate is for other settings")
    invariants = [one[:3] for one in certificate.invariants]
    for k, (*cube, origin) in enumerate(certificate.invariants):
        attempt(f"invariant {k}", well_formed_cube, system, cube)
        sizes = {"property": len(system.properties), "rule": len(system.rules), "of": len(invariants)}
        if any(value >= sizes[key] for key, value in origin.items()):
            found.append(f"invariant {k}: the origin does not exist")
    if any(reason.startswith("invariant") for reason in found):
        return found

    for axiom in system.axioms:
        for bad in axiom["bad"]:
            well_formed_cube(system, cube_of(bad))
    premises = certificate.premises
    due = [(p, k, bad) for p, one in enumerate(system.properties) for k, bad in enumerate(one["bad"])]
    compare(found, "property", [entry[:2] for entry in certificate.proofs], [one[:2] for one in due])
    proofs = {entry[:2]: entry[2] for entry in certificate.proofs}
    for p, k, bad in due:
        cube = cube_of(bad)
        well_formed_cube(system, cube)
        if (p, k) in proofs:
            context = Context(Elements(system, cube[0], ()), cube[1], cube=cube)
            attempt(f"property {p}, cube {k}", replay, context, proofs[p, k], premises)

    expected = []
    for s, start in enumerate(system.starts):
        for i, cube in enumerate(invariants):
            for match, branch, _, start_of in obligations(system, start, cube, start=True):
                if not expected or expected[-1] != (s, i, match):
                    expected.append((s, i, match))
                if start_of and not context_of(cube, start_of).contradiction:
                    found.append(f"startstate {s}, invariant {i}, match {match}: branch {branch} remains")
    compare(found, "initial", certificate.initial, expected)

    entries = {entry[:4]: entry[4:] for entry in certificate.relations}
    expected = []
    for r, rule in enumerate(system.rules):
        for i, cube in enumerate(invariants):
            for match, branch, kind, start_of in obligations(system, rule, cube):
                key = (r, i, match, branch)
                expected.append(key)
                if key in entries:
                    attempt(place(key), relation, cube, kind, start_of, entries[key], premises)
    compare(found, "relation", [entry[:4] for entry in certificate.relations], expected, place)
    return found


def relation(cube, kind, start_of, entry, invariants):
    """Section 6."""
    found_kind, argument = entry
    context = None
    if start_of:
        context = context_of(cube, start_of)
        written = set(start_of[0].updates)
        if context.contradiction:
            kind = "holds_after"
        elif all(context.knows(one) is True for one in cube[1]) and not any(reads_of(part) & written for _, part in cube[2]):
            kind = "unaffected"
        else:
            kind = "implied"
    if kind != found_kind:
        raise Bad(f"the relation is {kind}, not {found_kind}")
    if kind == "implied":
        replay(context, argument, invariants)


def context_of(cube, start_of):
    """Section 5: the context of a branch."""
    matched, (facts, foralls) = start_of
    return Context(matched.elements, facts, matched, foralls, cube)


def cube_of(cube):
    def part(one, count):
        symbols = [(VARIABLE, k) for k in range(count + len(one["variables"]))]
        literals = [
            (side(own["left"], symbols), relation_of(own["equal"]), side(own["right"], symbols)) for own in one["literals"]
        ]
        return tuple(one["variables"]), tuple(literals)

    universals = tuple(part(one, len(cube["variables"])) for one in cube.get("universals", []))
    return part(cube, 0) + (universals,)


def place(key):
    rule, invariant, match, branch = key
    return f"rule {rule}, invariant {invariant}, match {match}, branch {branch}"


def compare(found, what, entries, expected, place=None):
    """Exactly one entry for each obligation, in order."""
    if entries == expected:
        return
    place = place or (lambda key: f"{what} {key}")
    there, due = set(entries), set(expected)
    found += [f"{place(key)}: there is no entry" for key in expected if key not in there]
    found += [f"{place(key)}: there is no such obligation" for key in entries if key not in due]
    if len(there) != len(entries):
        found.append(f"{what}: an obligation has more than one entry")
    if there == due:
        found.append(f"{what}: entries are doubled or out of order")


def says_inhabited(axiom, index_type):
    """Whether an axiom says that a type has an element besides named ones, and nothing else."""
    return [cube_of(bad) for bad in axiom["bad"]] == [((), (), (((index_type,), ()),))]


def covered(system):
    """What an accepted certificate of the system covers, and what it leaves out, in lines."""
    claim, proven = system.claim, [one["name"] for one in system.properties]
    least = {k: [n["position"] + 1 for n in system.named if n["index_type"] == k] for k in range(len(system.types))}
    free = [t["name"] + (f" from {max(least[k])} on" if max(least[k], default=0) > 1 else "") for k, t in enumerate(system.types)]
    kept = [f"{c['name']} = {c['value']}" for c in claim["constants"]]
    kept += [f"{t['name']} of {t['size']} value{'' if t['size'] == 1 else 's'}" for t in claim["finite_types"]]
    lines = []
    if proven:
        lines += ["proven: " + ", ".join(proven)]
        values = [v["name"] for k, v in enumerate(system.variables) if system.is_size(k)]
        free = ["any number of " + ", ".join(free)] * bool(free) + ["any value of " + ", ".join(values)] * bool(values)
        lines += ["for " + " and ".join(free) if free else "for its sizes as they are"]
    elif not claim["left_out"]:
        lines += ["nothing is proven: the model states no property"]
    lines += ["as the model has it: " + ", ".join(kept)] if proven and kept else []
    lines += [f"assumed: the `assume` in line {a['origin']['line']} does not fail" for a in claim["assumptions"]]
    lines += [] if system.starts else ["no startstate is possible, so the claim is about no execution"]
    known = {a["origin"]["line"] for a in claim["assumptions"]}
    for axiom in system.axioms:
        listed = axiom["origin"]["line"] in known or any(says_inhabited(axiom, k) for k in least)
        lines += [] if listed else [f"assumed: {axiom['name']} (line {axiom['origin']['line']}) holds in every state"]
    for one in claim["left_out"]:
        lines.append(f"not proven: {one['kind']} \"{one['name']}\" (line {one['origin']['line']}): {one['code']}: {one['reason']}")
    return [" ".join(line.split()) for line in lines]


def contents(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        sys.exit(print(f"{path}: {error.strerror}", file=sys.stderr) or 2)


def main():
    parser = argparse.ArgumentParser(description="Checks a certificate of ParaProof.")
    parser.add_argument("system")
    parser.add_argument("certificate", nargs="?")
    parser.add_argument("--model")
    parser.add_argument("--digest")
    parser.add_argument("--setting", action="append")
    parser.add_argument("--batch", action="store_true")
    options = parser.parse_args()
    sys.setrecursionlimit(20_000)
    try:
        system = System(json.loads(contents(options.system)))
    except KeyError as error:
        sys.exit(print(f"{options.system}: the system has no {error}", file=sys.stderr) or 2)
    except (ValueError, Bad) as error:
        sys.exit(print(f"{options.system}: {error}", file=sys.stderr) or 2)
    digest = hashlib.sha256(contents(options.model)).hexdigest() if options.model else options.digest
    settings = sorted(options.setting) if options.setting else [] if options.model else None
    if options.batch:
        for line in sys.stdin:
            print(json.dumps(reasons(system, json.loads(line).encode("utf-8"), digest, settings)), flush=True)
        return
    if not options.certificate:
        parser.error("a certificate is required")
    found = reasons(system, contents(options.certificate), digest, settings)
    plural = "" if len(found) == 1 else "s"
    if found:
        print("\n".join([f"rejected, {len(found)} fault{plural}"] + found[:REASONS]))
        sys.exit(4)
    print("\n".join(["accepted"] + covered(system)))
    sys.exit(0 if system.properties and not system.claim["left_out"] else 3)


if __name__ == "__main__":
    main()
