//! Models with multisets: the states that the lowered system reaches are those that executing the statements reaches.
//!
//! A multiset has no order, so both sides are compared by the elements that each multiset has, however they are stored.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it is a test")]

use std::collections::{BTreeMap, BTreeSet};

use murphi::Options;
use murphi::exec::Machine;
use murphi::lower::{LowerOptions, Lowered, lower};
use system::evaluator::{Choices, Concrete, Evaluator, State};
use system::front_end::Deadlock;
use system::{FALSE, PathStep, RuleId, StartstateId, System, VariableId};

/// States with more than this many of their kind are not compared.
const MOST_STATES: usize = 2_000;

/// The name of a number of elements, which is no part of the program.
const COUNT: &str = "#";

/// What a state is, whatever the order of elements in multisets: the variables, the elements of each multiset, and the
/// properties that do not hold.
type Seen = (BTreeMap<String, String>, BTreeMap<String, Vec<BTreeMap<String, String>>>, BTreeSet<String>);

/// A part of a multiset: its name, a position, and the field.
type Part = (String, usize, String);

/// The parts of a state, with their values.
#[derive(Default)]
struct Parts {
    plain: BTreeMap<String, String>,
    elements: BTreeMap<(String, usize), BTreeMap<String, String>>,
    used: BTreeSet<(String, usize)>,
    /// All multisets, those without elements as well.
    multisets: BTreeSet<String>,
}

impl Parts {
    fn seen(self, violated: BTreeSet<String>) -> Seen {
        let Self { plain, mut elements, used, multisets } = self;
        let mut all: BTreeMap<String, Vec<_>> = multisets.into_iter().map(|name| (name, Vec::new())).collect();
        for (name, position) in used {
            let element = elements.remove(&(name.clone(), position)).unwrap_or_default();
            all.entry(name).or_default().push(element);
        }
        all.values_mut().for_each(|elements| elements.sort());
        (plain, all, violated)
    }
}

/// All states that executing the statements reaches, up to a number.
fn executed(text: &str) -> Option<BTreeSet<Seen>> {
    let program = murphi::read(text, &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let machine = Machine::new(&program).unwrap();
    let names = machine.layout().names(&program, machine.values());
    let mut scratch = machine.scratch();
    let (mut states, mut open) = (BTreeMap::new(), Vec::new());
    for start in 0..machine.starts().len() {
        if matches!(machine.start(&mut scratch, start), Ok(true)) {
            open.push(scratch.state().to_vec());
        }
    }
    while let Some(state) = open.pop() {
        if states.contains_key(&state) {
            continue;
        }
        if states.len() == MOST_STATES {
            return None;
        }
        for rule in 0..machine.rules().len() {
            scratch.load(&state);
            // An error has no successor.
            let fires = machine.enabled(&mut scratch, rule).unwrap_or(false);
            if fires && machine.fire(&mut scratch, rule).unwrap_or(false) {
                open.push(scratch.state().to_vec());
            }
        }
        let mut violated = BTreeSet::new();
        for (number, property) in machine.properties().iter().enumerate() {
            scratch.load(&state);
            if !machine.holds(&mut scratch, number).unwrap() {
                violated.insert(machine.property_name(property.property));
            }
        }
        let mut parts = Parts::default();
        for (scalar, name) in names.iter().enumerate() {
            let value = machine.scalar_text(&state, scalar);
            let value = if value == "Undefined" { "undefined".to_owned() } else { value };
            let Some((multiset, rest)) = name.split_once('{') else {
                parts.plain.insert(name.clone(), value);
                continue;
            };
            let (position, field) = rest.split_once('}').unwrap();
            let at = (multiset.to_owned(), position.parse().unwrap());
            parts.multisets.insert(multiset.to_owned());
            if field == " present" {
                parts.used.extend((value == "true").then_some(at));
            } else {
                parts.elements.entry(at).or_default().insert(field.to_owned(), value);
            }
        }
        states.insert(state, parts.seen(violated));
    }
    Some(states.into_values().collect())
}

/// The lowered system with a size for each index type.
struct Instance<'a> {
    system: &'a System,
    evaluator: Evaluator<'a>,
    /// Of each value of a state: the multiset, the position and the field, or the variable that it is.
    names: Vec<Result<String, Part>>,
    /// The first value that each of them can have.
    least: Vec<Concrete>,
    /// For each value within a multiset, the value that says whether there is an element.
    flags: Vec<Option<usize>>,
}

impl<'a> Instance<'a> {
    fn new(system: &'a System, sizes: Vec<u32>) -> Self {
        let evaluator = Evaluator::new(system, sizes).unwrap();
        let mut names = vec![Ok(String::new()); evaluator.slots()];
        let mut least = vec![Concrete::Constant(FALSE); evaluator.slots()];
        for (id, variable) in (0..).map(VariableId).zip(&system.variables) {
            for elements in evaluator.elements(id) {
                let (mut name, mut inside) = (String::new(), None);
                for step in &variable.path {
                    match step {
                        PathStep::Global(global) => name.push_str(global),
                        PathStep::Field(field) => name.extend([".", field]),
                        PathStep::Element(constant) => {
                            name.push_str(&format!("[{}]", system.constants[constant.index()].name));
                        }
                        PathStep::Multiset => {}
                        // The number is compared with the set where it is used.
                        PathStep::Count(..) => name.push_str(COUNT),
                        PathStep::Rank
                        | PathStep::Number(_)
                        | PathStep::Holds(_)
                        | PathStep::Half(..)
                        | PathStep::Next(..) => {
                            panic!("the models have neither numbers nor an `exists` below a `forall` in a guard")
                        }
                        PathStep::Argument(at) => {
                            let over = &system.index_types[variable.arguments[*at as usize].index()].name;
                            let element = elements[*at as usize];
                            if over.ends_with("_slot") {
                                inside = Some((std::mem::take(&mut name), element as usize));
                            } else {
                                name.push_str(&format!("[{over}_{}]", element + 1));
                            }
                        }
                    }
                }
                let slot = evaluator.slot(id, &elements);
                least[slot] = *evaluator.values(variable.sort).first().unwrap();
                names[slot] = match inside {
                    Some((multiset, position)) => Err((multiset, position, name)),
                    None => Ok(name),
                };
            }
        }
        let flag = |part: &Result<String, Part>| {
            let (multiset, position, _) = part.as_ref().err()?;
            let of_it = |other: &Result<String, Part>| {
                other.as_ref().is_err_and(|(m, p, field)| (m, p, field.as_str()) == (multiset, position, ".used"))
            };
            names.iter().position(of_it)
        };
        let flags = names.iter().map(flag).collect();
        Self { system, evaluator, names, least, flags }
    }

    fn text(&self, value: Concrete) -> String {
        match value {
            Concrete::Constant(constant) => self.system.constants[constant.index()].name.clone(),
            Concrete::Element(over, at) => format!("{}_{}", self.system.index_types[over.index()].name, at + 1),
            Concrete::Number(number) => number.to_string(),
        }
    }

    /// The state; what a slot without an element holds does not matter.
    fn state(&self, choices: &Choices) -> State {
        let first = |at: usize| *choices.0[at].first().unwrap();
        let state = (0..choices.0.len()).map(|at| {
            let free = self.flags[at].is_some_and(|flag| flag != at && self.text(first(flag)) == "false");
            assert!(free || choices.0[at].len() == 1, "{:?} has several values", self.names[at]);
            if free { self.least[at] } else { first(at) }
        });
        State(state.collect())
    }

    fn seen(&self, state: &State) -> Seen {
        let mut parts = Parts::default();
        for (name, value) in self.names.iter().zip(&state.0) {
            let value = self.text(*value);
            match name {
                Ok(name) if name == COUNT => {}
                Ok(name) => {
                    parts.plain.insert(name.clone(), value);
                }
                Err((multiset, position, field)) => {
                    let at = (multiset.clone(), *position);
                    parts.multisets.insert(multiset.clone());
                    if field == ".used" {
                        parts.used.extend((value == "true").then_some(at));
                    } else {
                        parts.elements.entry(at).or_default().insert(field.clone(), value);
                    }
                }
            }
        }
        let properties = self.system.properties.iter();
        let violated =
            properties.filter(|property| property.bad.iter().any(|cube| self.evaluator.satisfies(cube, state)));
        parts.seen(violated.map(|property| property.name.clone()).collect())
    }

    /// All states that the system reaches, one for each way to see them: slots are alike.
    fn reached(&self) -> Option<BTreeSet<Seen>> {
        let (system, mut found, mut open) = (self.system, BTreeSet::new(), Vec::new());
        for id in (0..).map(StartstateId).take(system.startstates.len()) {
            for parameters in self.evaluator.startstate_parameters(id) {
                open.extend(self.evaluator.initial(id, &parameters));
            }
        }
        while let Some(choices) = open.pop() {
            let state = self.state(&choices);
            if !found.insert(self.seen(&state)) {
                continue;
            }
            if found.len() > MOST_STATES {
                return None;
            }
            for id in (0..).map(RuleId).take(system.rules.len()) {
                for parameters in self.evaluator.rule_parameters(id) {
                    open.extend(self.evaluator.successors(id, &parameters, &state));
                }
            }
        }
        Some(found)
    }
}

fn lowered(text: &str, split_branches: bool) -> Result<Lowered, Vec<&'static str>> {
    let program = murphi::read(text, &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let lowered = lower(&program, &LowerOptions { split_branches, ..LowerOptions::default() });
    let lowered = lowered.map_err(|errors| errors.iter().map(|error| error.code).collect::<Vec<_>>())?;
    assert!(lowered.refused_properties.is_empty(), "{:?}\n{text}", lowered.refused_properties);
    Ok(lowered)
}

/// The states that the lowered system reaches with so many slots in each multiset, and as many nodes as the model has.
fn reached(lowered: &Lowered, slots: Option<u32>) -> Option<BTreeSet<Seen>> {
    let over = lowered.system.index_types.iter();
    let size = |over: &system::IndexType| slots.filter(|_| over.name.ends_with("_slot")).unwrap_or(over.size);
    Instance::new(&lowered.system, over.map(size).collect()).reached()
}

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[usize::try_from(self.next()).unwrap_or(0) % items.len()]
    }
}

/// The declarations of all programs: a network, a box for each node, and a bag of nodes.
fn declarations(nodes: u64, capacity: u64) -> String {
    format!(
        "const N: {nodes}; S: {capacity};\ntype node: scalarset(N); kind: enum {{A, B}};\n\
         msg: record t: kind; who: node; end; st: enum {{I, W}};\n\
         var net: multiset [S] of msg; inbox: array [node] of multiset [S] of msg; bag: multiset [S] of node;\n\
         own: node; f: boolean; s: array [node] of st;\n\
         procedure send(k: kind; n: node); var m: msg; begin m.t := k; m.who := n; multisetadd(m, net); end;\n\
         procedure post(k: kind; n: node; aim: node); var m: msg; begin m.t := k; m.who := n; multisetadd(m, inbox[aim]); end;\n\
         ruleset p: node do startstate own := p; f := false; for i: node do s[i] := I; end; end; end;\n"
    )
}

/// A condition about a node `n`, and about the element of a multiset, if there is one.
fn condition(random: &mut Random, element: Option<&str>) -> String {
    let plain = ["f", "own = n", "own != n", "s[n] = W", "s[own] = I", "exists x: node do x != n & s[x] = W end"];
    let of_element = match element {
        Some("bag[i]") => ["bag[i] = n", "bag[i] = own", "s[bag[i]] = W", "bag[i] != n"],
        Some("net[i]") => ["net[i].t = A", "net[i].who = n", "s[net[i].who] = W", "net[i].t = B & net[i].who != own"],
        Some(_) => ["inbox[n][i].t = A", "inbox[n][i].who = n", "s[inbox[n][i].who] = I", "inbox[n][i].who != own"],
        None => return random.of(&plain).to_owned(),
    };
    if random.below(4) == 0 {
        format!("({} | {})", random.of(&of_element), random.of(&plain))
    } else {
        random.of(&of_element).to_owned()
    }
}

/// What generated models may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Multisets whose elements are counted and chosen.
    Plain,
    /// Loops that add as well.
    Loops,
    /// A bag that is a set: each value is added once, and none is chosen.
    Sets,
    /// As sets, and the number of elements is used as a number.
    Numbers,
}

impl Kind {
    fn has_sets(self) -> bool {
        matches!(self, Self::Sets | Self::Numbers)
    }
}

/// A condition on the number of elements of a multiset.
fn count(random: &mut Random, kind: Kind) -> String {
    if kind == Kind::Numbers && random.below(2) == 0 {
        let of = random.of(&["true", "true", "bag[i] = n", "bag[i] = own"]);
        let with = random.of(&["= 0", "!= 0", "> 1", ">= 2", "< 2", "= 1", "!= 2", "<= c", "= c", "> d", "= many()"]);
        return format!("multisetcount(i: bag, {of}) {with}");
    }
    if kind.has_sets() && random.below(2) == 0 {
        let of = if random.below(3) == 0 { "true".to_owned() } else { condition(random, Some("bag[i]")) };
        return format!("multisetcount(i: bag, {of}) {}", random.of(&["= 0", "!= 0", "> 0", ">= 1", "< 1", "<= 0"]));
    }
    let multiset = random.of(if kind.has_sets() { &["net", "inbox[n]"] } else { &["net", "bag", "inbox[n]"] });
    if random.below(4) == 0 {
        return format!("multisetcount(i: {multiset}, true) {} S", random.of(&["<", "=", "!=", ">="]));
    }
    let of = condition(random, Some(&format!("{multiset}[i]")));
    let of = if random.below(3) == 0 { "true".to_owned() } else { of };
    let with = random.of(&["= 0", "!= 0", "> 0", ">= 1", "< 1", "= 1", "> 1", "<= 1", "< 2"]);
    format!("multisetcount(i: {multiset}, {of}) {with}")
}

fn statement(random: &mut Random, kind: Kind) -> String {
    if kind == Kind::Numbers && random.below(3) == 0 {
        let numbers = [
            "c := multisetcount(i: bag, true);",
            "d := many();",
            "c := multisetcount(i: bag, bag[i] = n);",
            "if c > 0 then d := c - 1; end;",
            "if multisetcount(i: bag, true) = 0 then multisetadd(n, bag); c := many(); end;",
            "copy := bag; if multisetcount(i: copy, copy[i] = n) < 1 then multisetadd(n, copy); end; \
             d := multisetcount(i: copy, true);",
            "multisetremovepred(i: bag, bag[i] = n); multisetremovepred(i: bag, bag[i] = own); c := many();",
            "undefine bag; d := multisetcount(i: bag, true);",
        ];
        return random.of(&numbers).to_owned();
    }
    match random.below(if kind == Kind::Loops { 15 } else { 11 }) {
        0 => format!("send({}, {});", random.of(&["A", "B"]), random.of(&["n", "own"])),
        1 => format!("post({}, n, {});", random.of(&["A", "B"]), random.of(&["n", "own"])),
        2 => "if multisetcount(i: bag, bag[i] = n) = 0 then multisetadd(n, bag); end;".to_owned(),
        3 if kind.has_sets() => {
            "for x: node do if s[x] = W & multisetcount(i: bag, bag[i] = x) = 0 then multisetadd(x, bag); end; end;"
                .to_owned()
        }
        3 => "multisetadd(n, bag);".to_owned(),
        4 => format!("s[{}] := {};", random.of(&["n", "own"]), random.of(&["I", "W"])),
        5 => "own := n;".to_owned(),
        6 => "f := !f;".to_owned(),
        7 => {
            let multiset = random.of(&["net", "bag", "inbox[n]"]);
            format!("multisetremovepred(i: {multiset}, {});", condition(random, Some(&format!("{multiset}[i]"))))
        }
        8 => {
            format!("if {} then {} else {} end;", count(random, kind), statement(random, kind), statement(random, kind))
        }
        9 => format!("if {} then {} end;", condition(random, None), statement(random, kind)),
        10 => format!("undefine {};", random.of(&["net", "bag", "inbox", "inbox[n]"])),
        11 | 12 => format!("for x: node do post({}, n, x); end;", random.of(&["A", "B"])),
        _ => format!("for x: node do if x != n{} then post(B, x, x); end; end;", random.of(&["", " & s[x] = W"])),
    }
}

/// A model; its rules add, count, choose and remove.
fn model(random: &mut Random, nodes: u64, capacity: u64, kind: Kind) -> String {
    let mut text = declarations(nodes, capacity);
    if kind == Kind::Numbers {
        text.push_str(
            "type count: 0..3; bags: multiset [S] of node; var c: count; d: count;\n\
             function many(): count; begin return multisetcount(i: bag, true); end;\n",
        );
        text =
            text.replace("own := p;", "own := p; c := 0; d := 0;").replace("bag: multiset [S] of node;", "bag: bags;");
    }
    for number in 0..2 + random.below(3) {
        let guard = if random.below(2) == 0 { count(random, kind) } else { condition(random, None) };
        let body: String = (0..1 + random.below(2)).map(|_| statement(random, kind)).collect();
        let locals = if kind == Kind::Numbers { "var copy: bags; " } else { "" };
        text.push_str(&format!("ruleset n: node do rule \"r{number}\" {guard} ==> {locals}begin {body} end; end;\n"));
    }
    text.push_str("rule \"flip\" begin f := !f; end;\nruleset n: node do rule \"own\" f & s[n] = W ==> begin own := n; end; end;\n");
    let locals = if kind == Kind::Numbers { "var copy: bags; " } else { "" };
    for number in 0..1 + random.below(2) {
        let multiset = random.of(&["net", "inbox[n]"]);
        // A bag that nothing chooses from may be a set.
        let multiset = if !kind.has_sets() && number == 0 { "bag" } else { multiset };
        let element = format!("{multiset}[i]");
        let who = if multiset == "bag" { element.clone() } else { format!("{element}.who") };
        let body = match random.below(4) {
            0 => format!("own := {who}; multisetremove(i, {multiset});"),
            1 => format!("s[{who}] := W; {}", statement(random, kind)),
            2 => format!("multisetremove(i, {multiset}); {}", statement(random, kind)),
            _ => format!("if {} then multisetremove(i, {multiset}); end;", condition(random, Some(&element))),
        };
        text.push_str(&format!(
            "ruleset n: node do choose i: {multiset} do rule \"c{number}\" {} ==> {locals}begin {body} end; end; end;\n",
            condition(random, Some(&element))
        ));
    }
    let of = condition(random, Some("net[i]"));
    text.push_str(&format!(
        "ruleset n: node do invariant \"few\" multisetcount(i: net, {of}) {}; end;\n",
        random.of(&["= 0", "<= 1"])
    ));
    let of = condition(random, Some("inbox[n][i]"));
    text.push_str(&format!("invariant \"none\" forall n: node do multisetcount(i: inbox[n], {of}) = 0 end;\n"));
    text
}

/// How many models are tried; `PARAPROOF_MULTISETS` times as many if it is set.
fn seeds(number: u64) -> u64 {
    number * std::env::var("PARAPROOF_MULTISETS").map_or(1, |times| times.parse::<u64>().unwrap())
}

/// Both sides, with the model and the first state that only one of them has.
fn compare(seed: u64, text: &str, executed: &BTreeSet<Seen>, reached: &BTreeSet<Seen>) {
    let more: Vec<&Seen> = reached.difference(executed).take(1).collect();
    let less: Vec<&Seen> = executed.difference(reached).take(1).collect();
    assert!(more.is_empty() && less.is_empty(), "seed {seed}: only lowered {more:?}; only executed {less:?}\n{text}");
}

/// How many models were compared, the states of all, and why others were refused.
#[derive(Debug, Default)]
struct Done {
    models: usize,
    states: usize,
    refused: BTreeMap<&'static str, usize>,
}

/// Lowers generated models, and has them compared; `compare` returns the number of states.
fn each(
    number: u64,
    kind: Kind,
    capacity: impl Fn(u64) -> u64,
    compare: impl Fn(u64, &str, &Lowered) -> Option<usize>,
) -> Done {
    let mut done = Done::default();
    for seed in 0..seeds(number) {
        let mut random = Random(seed);
        let nodes = if kind == Kind::Loops { 2 } else { 2 + seed % 2 };
        let text = model(&mut random, nodes, capacity(seed), kind);
        let result = lowered(&text, false);
        if result.is_ok()
            && let Ok(lowered) = lowered(&text, true)
        {
            // Whether branches are cases of their own makes no difference to what is reached.
            compare(seed, &text, &lowered);
        }
        match result {
            Ok(lowered) => {
                if let Some(states) = compare(seed, &text, &lowered) {
                    (done.models, done.states) = (done.models + 1, done.states + states);
                }
            }
            Err(codes) => *done.refused.entry(codes[0]).or_insert(0) += 1,
        }
    }
    println!("{done:?}");
    done
}

#[test]
fn generated_models_reach_the_same_states() {
    let done = each(
        60,
        Kind::Plain,
        |seed| 1 + seed % 3,
        |seed, text, lowered| {
            let (executed, reached) = (executed(text)?, reached(lowered, None)?);
            compare(seed, text, &executed, &reached);
            Some(executed.len())
        },
    );
    assert!(done.models >= 40 && done.states > 3_000, "{done:?}");
}

/// All values fit, so that a set has the states of the multiset.
#[test]
fn generated_models_with_sets_reach_the_same_states() {
    let done = each(
        60,
        Kind::Sets,
        |_| 3,
        |seed, text, lowered| {
            assert!(lowered.system.index_types.iter().all(|over| over.name != "bag_slot"), "the bag is no set\n{text}");
            // A set has no order and no number of equal elements.
            let (executed, reached) = (executed(text)?, reached(lowered, None)?);
            let executed = executed.into_iter().map(of_set).collect();
            compare(seed, text, &executed, &reached);
            Some(executed.len())
        },
    );
    assert!(done.models >= 30 && done.states > 2_000, "{done:?}");
}

/// The number of elements is a number like others.
#[test]
fn generated_models_that_use_numbers_of_elements_reach_the_same_states() {
    let done = each(
        120,
        Kind::Numbers,
        |_| 3,
        |seed, text, lowered| {
            let (executed, reached) = (executed(text)?, reached(lowered, None)?);
            let is_set = lowered.system.index_types.iter().all(|over| over.name != "bags_slot");
            let executed = if is_set { executed.into_iter().map(of_set).collect() } else { executed };
            compare(seed, text, &executed, &reached);
            is_set.then_some(executed.len())
        },
    );
    assert!(done.models >= 50 && done.states > 3_000, "{done:?}");
}

/// An undefined value is compared with the elements that there are, and with none in an empty set.
#[test]
fn an_undefined_value_is_in_no_empty_set() {
    let text = "const N: 2; type node: scalarset(N);\n\
         var bag: multiset [2] of node; own: node; f: boolean; s: array [node] of boolean; c: 0..3;\n\
         startstate undefine own; f := false; c := 0; for n: node do s[n] := false; end; end;\n\
         ruleset n: node do rule \"own\" isundefined(own) ==> own := n; end; end;\n\
         ruleset n: node do rule \"add\" multisetcount(i: bag, bag[i] = n) = 0 ==> multisetadd(n, bag); end; end;\n\
         rule \"ask\" begin f := multisetcount(i: bag, bag[i] = own) = 0; end;\n\
         rule \"number\" begin c := multisetcount(i: bag, bag[i] = own); end;\n\
         rule \"all\" begin c := multisetcount(i: bag, true); end;\n\
         rule \"forget\" begin undefine own; end;\n\
         rule \"empty\" begin undefine bag; f := false; end;\n";
    for split_branches in [false, true] {
        let lowered = lowered(text, split_branches).unwrap();
        assert!(lowered.system.index_types.iter().all(|over| over.name != "bag_slot"));
        let executed: BTreeSet<Seen> = executed(text).unwrap().into_iter().map(of_set).collect();
        assert!(executed.len() > 30, "{}", executed.len());
        compare(0, text, &executed, &reached(&lowered, None).unwrap());
    }
}

/// A count that may be of equal elements is none of a set.
#[test]
fn a_number_of_elements_that_may_be_equal_is_refused() {
    let model = |add: &str| {
        format!(
            "const N: 2; type node: scalarset(N); var bag: multiset [3] of node; c: 0..3; startstate begin c := 0; end;\n\
             ruleset n: node do rule \"add\" begin {add} end; end;\n\
             rule \"count\" begin c := multisetcount(i: bag, true); end;\n"
        )
    };
    let once = "if multisetcount(i: bag, bag[i] = n) = 0 then multisetadd(n, bag); end;";
    assert!(lowered(&model(once), false).is_ok());
    for twice in [
        "multisetadd(n, bag);",
        "if multisetcount(i: bag, bag[i] = n) <= 1 then multisetadd(n, bag); end;",
        "if multisetcount(i: bag, bag[i] = n) = 0 then multisetadd(n, bag); multisetadd(n, bag); end;",
        "if multisetcount(i: bag, bag[i] = n) != 0 then multisetadd(n, bag); end;",
    ] {
        assert_eq!(lowered(&model(twice), false).err(), Some(vec!["L013"]), "{twice}");
    }
}

/// The state with a truth value for each node that is in the bag.
fn of_set((mut plain, mut multisets, violated): Seen) -> Seen {
    let bag: BTreeSet<String> = multisets.remove("bag").unwrap().into_iter().flat_map(BTreeMap::into_values).collect();
    let nodes: Vec<String> =
        plain.keys().filter_map(|name| name.strip_prefix("s[")?.strip_suffix(']').map(str::to_owned)).collect();
    for node in nodes {
        plain.insert(format!("bag[{node}]"), bag.contains(&node).to_string());
    }
    (plain, multisets, violated)
}

/// A loop takes the same slot of each multiset. There is one with more slots than elements; and whatever can be done with so many
/// slots can be done with so many elements.
/// An assertion that there is room says what the next addition demands, and is a property without one.
#[test]
fn an_assertion_that_there_is_room_is_a_property_where_nothing_is_added() {
    let model = |rule: &str| {
        format!(
            "type E : enum {{ a, b }}; M : record kind : E; end; var m : multiset [3] of M; x : M;\n\
             startstate undefine m; x.kind := a; end;\n\
             function drain() : E; begin undefine m; return a; end;\n\
             rule \"r\" begin {rule} end; choose i : m do rule \"s\" multisetremove(i, m); end; end;\n"
        )
    };
    let check = "assert multisetcount(i : m, true) < 3 \"room\";";
    for (rule, is_property) in [
        (format!("{check} multisetadd(x, m);"), false),
        (format!("{check} x.kind := b; multisetadd(x, m);"), false),
        (check.to_owned(), true),
        (format!("{check} if x.kind = a then multisetadd(x, m); end;"), true),
        (format!("multisetadd(x, m); {check}"), true),
        (format!("{check} x.kind := drain(); multisetadd(x, m);"), true),
        (format!("alias z : m do {check} multisetadd(x, z); end;"), true),
    ] {
        let lowered = lowered(&model(&rule), false).unwrap();
        assert_eq!(lowered.system.properties.len(), usize::from(is_property), "{rule}");
        assert_eq!(lowered.system.claim.assumptions.len(), usize::from(!is_property), "{rule}");
    }
}

/// Where a rule may fire or not in the same state, nothing is said of deadlocks.
#[test]
fn a_question_with_either_answer_is_no_rule_that_can_fire() {
    let text = "const N : 2; type P : scalarset(N); E : enum { a, b }; M : record kind : E; end;\n\
                var m : multiset [3] of M; all : array [P] of multiset [3] of M; x : M;\n\
                startstate undefine m; undefine all; x.kind := a; end;\n\
                rule \"loop\" x.kind = b ==> for i : P do multisetadd(x, all[i]); end; end;\n\
                rule \"ask\" multisetcount(i : m, true) < 3 ==> end;\n\
                rule \"add\" x.kind = a ==> multisetadd(x, m); end;\n\
                choose i : m do rule \"read\" m[i].kind = b ==> multisetremove(i, m); end; end;\n";
    let program = murphi::read(text, &Options::default()).unwrap();
    let options = LowerOptions { deadlock: Some(Deadlock::Stuck), ..LowerOptions::default() };
    let lowered = lower(&program, &options).unwrap();
    let refused: Vec<_> = lowered.refused_properties.iter().map(|refusal| refusal.code).collect();
    assert_eq!(refused, ["L026"]);
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_loops_that_add_are_covered_with_more_slots() {
    let done = each(
        24,
        Kind::Loops,
        |_| 1,
        |seed, text, lowered| {
            let slots = 3;
            let reached = reached(lowered, Some(slots))?;
            let few = executed(text)?;
            let less: Vec<&Seen> = few.difference(&reached).take(1).collect();
            assert!(less.is_empty(), "seed {seed}: only executed {less:?}\n{text}");
            // A comparison with the capacity has both answers.
            if !["< S", "= S"].iter().any(|compared| text.contains(compared)) {
                let many = executed(&text.replace("S: 1;", &format!("S: {slots};")))?;
                let more: Vec<&Seen> = reached.difference(&many).take(1).collect();
                assert!(more.is_empty(), "seed {seed}: only lowered {more:?}\n{text}");
            }
            Some(few.len())
        },
    );
    assert!(done.models >= 12 && done.states > 100, "{done:?}");
}
