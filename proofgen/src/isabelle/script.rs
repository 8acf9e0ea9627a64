//! The steps of a proof as methods of Isabelle.
//!
//! A tree of [`Step`]s becomes the text of a proof. The proof is one compound method, which Isabelle can check in
//! parallel with the rest of its theory, unless it has to fix a variable.

use std::collections::BTreeSet;

use system::{Comparison, FALSE, IndexTypeId, TRUE, VariableId};

use super::ground::{Ground, GroundLiteral, Place};
use super::invariants::Invariants;
use super::print::{self, WIDTH};
use certificate::proof::InvariantId;

use super::replay::{Fact, Step};
use super::term::{Infix, Term};
use super::{Source, text, translate};

/// An instance of a formula that holds before the rule.
pub(super) fn instance(name: &str, at: &[String]) -> String {
    instance_of(name, "before", at)
}

/// A variable of a theorem. The digits at the end of a name are an index where none is written.
fn schematic(name: &str) -> String {
    if name.ends_with(|end: char| end.is_ascii_digit()) { format!("?{name}.0") } else { name.to_owned() }
}

/// An instance of a formula that holds by a fact.
pub(super) fn instance_of(name: &str, fact: &str, at: &[String]) -> String {
    if at.is_empty() { format!("{name}[OF {fact}]") } else { format!("{name}[OF {fact}, of {}]", at.join(" ")) }
}

/// A proof under construction: a sequence of methods, each for the first remaining goal.
#[derive(Default)]
struct Script {
    lines: Vec<Line>,
    /// The number of cases assumed to hold, by which lines are indented.
    depth: usize,
}

enum Line {
    Method(String),
    /// The start of a part in which a variable is fixed.
    Open(String),
    Close,
}

impl Script {
    fn method(&mut self, method: &str) {
        let indent = format!("\n{:1$}", "", 2 * self.depth);
        self.lines.push(Line::Method(format!("{:1$}{2}", "", 2 * self.depth, method.replace('\n', &indent))));
    }

    fn open(&mut self, variable: &str) {
        self.lines.push(Line::Open(variable.to_owned()));
    }

    fn close(&mut self) {
        self.lines.push(Line::Close);
    }

    /// Returns one compound method if no variable is fixed: Isabelle can check it in parallel with the rest of the
    /// theory.
    fn finish(&self) -> String {
        let methods = self.lines.iter().map(|line| match line {
            Line::Method(method) => Some(method.as_str()),
            Line::Open(_) | Line::Close => None,
        });
        match methods.collect::<Option<Vec<_>>>() {
            Some(methods) => format!("by ({})", methods.join(",\n      ")),
            None => self.steps(),
        }
    }

    fn steps(&self) -> String {
        let mut text = String::new();
        let mut indent = 2;
        for line in &self.lines {
            match line {
                Line::Method(method) => text.push_str(&format!("apply ({})\n{:indent$}", method.trim_start(), "")),
                Line::Open(variable) => {
                    indent += 2;
                    text.push_str(&format!("subgoal for {variable}\n{:indent$}", ""));
                }
                Line::Close => {
                    indent -= 2;
                    text.push_str(&format!("done\n{:indent$}", ""));
                }
            }
        }
        text + "done"
    }
}

/// A proof by contradiction whose assumptions have names, since those about all elements are used at named ones.
pub(super) struct Absurd<'a> {
    /// The negation of the proposition.
    pub(super) negation: &'a Term,
    /// The definition to unfold in it, if any.
    pub(super) unfold: &'a str,
    /// What follows from it: the propositions, with the name of each group.
    pub(super) assumed: &'a [(&'a str, Vec<Term>)],
}

impl Absurd<'_> {
    /// The proof, with the proof of `False` from the assumptions.
    pub(super) fn proof(&self, script: &str) -> String {
        let groups = self.assumed.iter().filter(|(_, propositions)| !propositions.is_empty());
        let groups = groups.map(|(name, propositions)| {
            let lines = propositions.iter().map(|proposition| format!("\n        {}", text::quoted(proposition, 8)));
            format!("{name}:{}", lines.collect::<String>())
        });
        let groups = groups.collect::<Vec<_>>().join("\n      and ");
        let unfold = if self.unfold.is_empty() { String::new() } else { format!("unfolding {} ", self.unfold) };
        format!(
            "proof (rule ccontr)\n    assume {}\n    then have {groups}\n      {unfold}by blast+\n    show False\n      \
             {}\n  qed",
            text::quoted(self.negation, 11),
            script.replace('\n', "\n    ")
        )
    }
}

/// Returns the method that closes a case with facts.
pub(super) fn close(method: &str, facts: &[String], simplifying: &str) -> String {
    if facts.is_empty() {
        format!("{method} {simplifying}")
    } else {
        let line = format!("use {} in \\<open>{method} {simplifying}\\<close>", facts.join(" "));
        if print::width(&line) <= WIDTH - 10 {
            return line;
        }
        let facts = text::facts(facts.iter().cloned(), 10);
        format!("use {facts}\n        in \\<open>{method} {simplifying}\\<close>")
    }
}

/// The name of the lemma that excludes a cube of a property.
pub(super) fn cube_name(property: &str, position: usize) -> String {
    format!("{property}_cube{}", position + 1)
}

/// The facts known before the rule, by name.
#[derive(Clone, Copy)]
pub(super) enum Known<'a> {
    /// The invariants.
    Invariants(&'a Invariants<'a>),
    /// The lemmas about the cubes of the property with this name.
    Cubes(&'a str),
}

/// The context in which the steps of a lemma become text.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    /// The system and the certificate.
    pub(super) source: Source<'a>,
    /// The facts of which instances are used.
    pub(super) known: Known<'a>,
    /// The name of the fact that all formulas hold before.
    pub(super) all_hold: &'a str,
    /// The names of the facts from which those about the assumptions follow.
    pub(super) assumed: &'a str,
    /// The name of the facts that the guard gives.
    pub(super) guard: &'a str,
    /// For each of them, whether it has a quantifier inside other connectives, so that no instance of it can be named.
    pub(super) nested: &'a [bool],
    /// The facts that every simplification needs.
    pub(super) simplifying: &'a str,
}

/// The steps of a lemma as methods.
pub(super) struct Steps<'a> {
    setting: Setting<'a>,
    elements: Vec<String>,
    kinds: Vec<IndexTypeId>,
}

impl<'a> Steps<'a> {
    /// Creates the steps for elements with the given names; the named elements follow them.
    pub(super) fn new(setting: Setting<'a>, elements: Vec<(String, IndexTypeId)>) -> Self {
        let named = setting.source.words.named.iter().cloned();
        let named = named.zip(setting.source.system.named.iter().map(|named| named.index_type));
        let (elements, kinds) = elements.into_iter().chain(named).unzip();
        Self { setting, elements, kinds }
    }

    /// Returns the proof that starts with a method, if there is one.
    pub(super) fn script(mut self, first: &str, step: &Step) -> String {
        let mut script = Script::default();
        if !first.is_empty() {
            script.method(first);
        }
        self.append(step, &mut script);
        script.finish()
    }

    fn append(&mut self, step: &Step, script: &mut Script) {
        match step {
            Step::Elements(left, right, equal, differ) => {
                let equation = Term::equal(self.element(*left.max(right)), self.element(*left.min(right)));
                self.split(&equation, [equal, differ], script);
            }
            Step::Literal(literal, holds, fails) => {
                let (positive, cases) = if literal.comparison != Comparison::Different {
                    (literal.clone(), [holds, fails])
                } else {
                    (literal.negated(), [fails, holds])
                };
                // A false truth value reads as a negation; the split is on what it negates.
                let proposition = self.literal(&positive);
                if let Term::Not(inner) = proposition {
                    self.split(&inner, [cases[1], cases[0]], script);
                } else {
                    self.split(&proposition, [cases[0], cases[1]], script);
                }
            }
            Step::Fresh(variable, places, rest) => self.fresh(*variable, places, rest, script),
            Step::Witness(cube, places, promise, cases) => {
                self.witness(*cube, places, promise.as_deref(), cases, script);
            }
            Step::Close(facts) => self.close(facts, script),
        }
    }

    fn split(&mut self, proposition: &Term, cases: [&Step; 2], script: &mut Script) {
        script.method(&format!("cases {}", text::quoted(proposition, 12)));
        script.depth += 1;
        self.append(cases[0], script);
        script.depth -= 1;
        self.append(cases[1], script);
    }

    fn close(&self, facts: &[Fact], script: &mut Script) {
        let typed = facts.iter().filter_map(|fact| match fact {
            Fact::Type(variable, _) => Some(self.setting.source.system.variables[variable.index()].sort),
            Fact::Guard(_) | Fact::Instance(..) | Fact::Others(..) | Fact::Invariant(..) => None,
        });
        let sorts = typed.collect::<BTreeSet<_>>().into_iter();
        let sorts = sorts.map(|sort| format!(" {}_def", self.setting.source.words.sorts[sort.index()]));
        let simplifying = format!("{}{}", self.setting.simplifying, sorts.collect::<String>());
        // The certificate does not name elements for a quantifier inside a guard: only here does a method search for
        // them.
        let search = if facts.iter().any(|fact| self.is_nested(fact)) { "; auto" } else { "" };
        let simplifying = format!("{simplifying}{search}");
        script.method(&close("simp add:", &facts.iter().map(|fact| self.fact(fact)).collect::<Vec<_>>(), &simplifying));
    }

    fn is_nested(&self, fact: &Fact) -> bool {
        match fact {
            Fact::Guard(position) | Fact::Instance(position, _) => self.setting.nested.get(*position) == Some(&true),
            Fact::Others(..) | Fact::Invariant(..) | Fact::Type(..) => false,
        }
    }

    /// Appends the case in which the value of a state variable is an element without a name so far.
    fn fresh(&mut self, variable: VariableId, places: &[Place], rest: &Step, script: &mut Script) {
        let system = self.setting.source.system;
        let kind = system.sort_of(variable).index_types[0];
        let size = &self.setting.source.words.sizes[kind.index()];
        let read = self.ground(&Ground::Read(variable, places.to_vec()));
        script.method(&format!("rule elementsE[of {} {} {size}]", text::quoted(&read, 12), kind.0));
        // The splits before have excluded the constants of the sort.
        self.close(&[Fact::Type(variable, places.to_vec())], script);
        let name = self.setting.source.words.variable("k", &self.elements);
        script.open(&name);
        self.elements.push(name);
        self.kinds.push(kind);
        self.append(rest, script);
        self.elements.pop();
        self.kinds.pop();
        script.close();
    }

    /// Appends the cases of elements that violate the universal parts of an instance.
    fn witness(
        &mut self,
        cube: InvariantId,
        places: &[Place],
        promise: Option<&[Fact]>,
        cases: &[(Vec<IndexTypeId>, Step)],
        script: &mut Script,
    ) {
        script.method(&format!("rule {}", self.excluded(cube, "_witness", places)));
        if let Some(facts) = promise {
            self.close(facts, script);
        }
        for (types, step) in cases {
            let known = self.elements.len();
            for (letter, kind) in ["k", "l", "m", "n"].iter().cycle().zip(types) {
                self.elements.push(self.setting.source.words.variable(letter, &self.elements));
                self.kinds.push(*kind);
            }
            script.open(&self.elements[known..].join(" "));
            self.append(step, script);
            self.elements.truncate(known);
            self.kinds.truncate(known);
            script.close();
        }
    }

    /// An instance of the fact that a cube is excluded, or of a lemma about it whose name has an ending.
    fn excluded(&self, cube: InvariantId, end: &str, places: &[Place]) -> String {
        let (name, by) = match self.setting.known {
            Known::Invariants(invariants) => match invariants.invariants.get(cube.index()) {
                Some(formula) => (formula.name.clone(), "before"),
                None => match &invariants.assumed[cube.index() - invariants.invariants.len()] {
                    (name, false) => (name.clone(), self.setting.assumed),
                    (name, true) => return self.about_ranks(name, &invariants.cubes[cube.index()].variables, places),
                },
            },
            Known::Cubes(property) => (cube_name(property, cube.index()), "before"),
        };
        instance_of(&format!("{name}{end}"), by, &self.names(places))
    }

    /// An instance of a lemma about the ranks of elements of these types. No fact about the state says which sizes and
    /// which state it is about.
    fn about_ranks(&self, name: &str, types: &[IndexTypeId], places: &[Place]) -> String {
        let words = self.setting.source.words;
        let sizes = types.iter().collect::<BTreeSet<_>>().into_iter().map(|kind| words.sizes[kind.index()].clone());
        let same = sizes.chain(["s".to_owned()]).map(|name| (name.clone(), name));
        let elements = words.invariant_variables(types, &[]).into_iter().zip(self.names(places));
        let all = same.chain(elements).map(|(variable, value)| format!("{} = {value}", schematic(&variable)));
        format!("{name}[where {}]", all.collect::<Vec<_>>().join(" and "))
    }

    fn element(&self, place: Place) -> Term {
        Term::name(&self.elements[place])
    }

    fn names(&self, places: &[Place]) -> Vec<String> {
        places.iter().map(|place| self.elements[*place].clone()).collect()
    }

    fn fact(&self, fact: &Fact) -> String {
        match fact {
            Fact::Guard(position) => format!("{}({})", self.setting.guard, position + 1),
            Fact::Instance(position, places) => self.at_all(self.setting.guard, *position, places),
            Fact::Others(position, places) => self.at_all("others", *position, places),
            Fact::Invariant(invariant, places) => self.excluded(*invariant, "", places),
            Fact::Type(variable, places) => {
                let name = &self.setting.source.words.variables[variable.index()];
                instance_of(&format!("type_{name}"), self.setting.all_hold, &self.names(places))
            }
        }
    }

    /// An instance of one of several facts about all elements.
    fn at_all(&self, facts: &str, position: usize, places: &[Place]) -> String {
        let of = places.iter().map(|place| format!("THEN bspec, of {}", self.elements[*place])).collect::<Vec<_>>();
        let of = if of.is_empty() { String::new() } else { format!("[{}]", of.join(", ")) };
        format!("{facts}({}){of}", position + 1)
    }

    fn literal(&self, literal: &GroundLiteral) -> Term {
        let system = self.setting.source.system;
        let truth = |term: &Ground| match term {
            Ground::Read(variable, _) if translate::is_truth_value(system, *variable) => Some(self.ground(term)),
            Ground::Constant(constant) if *constant == TRUE => Some(Term::name("True")),
            Ground::Constant(constant) if *constant == FALSE => Some(Term::name("False")),
            Ground::Constant(_) | Ground::Index(_) | Ground::Read(..) | Ground::Zero => None,
        };
        let equation = |left: &Ground, right: &Ground| match (truth(left), truth(right)) {
            (Some(left), Some(Term::Name(word))) if word == "True" => left,
            (Some(left), Some(Term::Name(word))) if word == "False" => Term::negation(left),
            (Some(left), Some(right)) => Term::infix(Infix::Iff, left, right),
            _ => Term::equal(self.ground(left), self.ground(right)),
        };
        let number = |term: &Ground| (*term != Ground::Zero).then(|| self.ground(term));
        translate::comparison((&literal.left, literal.comparison, &literal.right), equation, number)
    }

    fn ground(&self, term: &Ground) -> Term {
        let words = self.setting.source.words;
        match term {
            Ground::Constant(constant) => Term::name(&words.constants[constant.index()]),
            Ground::Zero => Term::Number(0),
            Ground::Index(place) => {
                let kind = self.index_type(*place);
                Term::call(&words.elements[kind], vec![self.element(*place)])
            }
            Ground::Read(variable, places) => {
                let arguments = places.iter().map(|place| self.element(*place));
                let arguments = std::iter::once(Term::name("s")).chain(arguments).collect();
                Term::call(&words.variables[variable.index()], arguments)
            }
        }
    }

    fn index_type(&self, place: Place) -> usize {
        self.kinds[place].index()
    }
}
