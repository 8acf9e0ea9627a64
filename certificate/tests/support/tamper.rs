//! Every change of one field of a certificate, in every way that its type allows (within small ranges of numbers).

use certificate::kernel::ground::Read;
use certificate::proof::{
    Argument, Certificate, InitialEntry, Instance, InvariantId, InvariantOrigin, Match, PropertyEntry, Relation,
    RelationEntry, Split, SplitOn, Symbol,
};
use serde_json::Value;
use system::System;
use system::{
    Comparison, ConstantId, Cube, IndexTerm, IndexTypeId, IndexVariableId, Literal, NUMBER_LIMIT, NamedId, PropertyId,
    RuleId, StartstateId, Term, Universal, VariableId,
};

/// What kind of field was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Header,
    Cube,
    Invariants,
    Origin,
    Key,
    Kind,
    Premise,
    Split,
    Entries,
}

/// A changed certificate.
pub(crate) struct Tampered {
    pub(crate) field: Field,
    pub(crate) what: String,
    pub(crate) certificate: Certificate,
}

/// A change of a certificate.
pub(crate) struct Change {
    pub(crate) field: Field,
    pub(crate) what: String,
    pub(crate) changed: Changed,
}

/// The result of a change.
pub(crate) enum Changed {
    /// One entry of the relations, at its position, became another one.
    Relation(usize, RelationEntry),
    /// The certificate became another one.
    Certificate(Box<Certificate>),
}

impl Change {
    /// The certificate after the change of `original`.
    pub(crate) fn certificate(self, original: &Certificate) -> Certificate {
        match self.changed {
            Changed::Certificate(certificate) => *certificate,
            Changed::Relation(position, entry) => {
                let mut certificate = original.clone();
                certificate.relations[position] = entry;
                certificate
            }
        }
    }
}

/// All changes.
pub(crate) fn all_changes(system: &System, certificate: &Certificate) -> Vec<Tampered> {
    let mut all = Vec::new();
    each_change(system, certificate, &mut |_| true, &mut |change| {
        let (field, what) = (change.field, change.what.clone());
        all.push(Tampered { field, what, certificate: change.certificate(certificate) });
    });
    all
}

/// Texts of a certificate with another claim, and what was changed: each element of each list removed or doubled, each
/// list removed, and each string and number replaced by another one, or by something else.
pub(crate) fn claim_changes(text: &str) -> Vec<(String, String)> {
    let file: Value = serde_json::from_str(text).unwrap();
    let mut all = Vec::new();
    let mut push = |what: String, change: &dyn Fn(&mut Value)| {
        let mut file = file.clone();
        change(&mut file["claim"]);
        all.push((what, file.to_string()));
    };
    push("no claim".into(), &|claim| *claim = Value::Null);
    push("another key".into(), &|claim| claim["colour"] = Value::from("red"));
    for (key, list) in file["claim"].as_object().unwrap() {
        push(format!("no {key}"), &|claim| {
            claim.as_object_mut().unwrap().remove(key);
        });
        push(format!("{key} is null"), &|claim| claim[key] = Value::Null);
        for (position, element) in list.as_array().unwrap().iter().enumerate() {
            let place = format!("{key}[{position}]");
            push(format!("{place} taken away"), &|claim| {
                claim[key].as_array_mut().unwrap().remove(position);
            });
            push(format!("{place} twice"), &|claim| claim[key].as_array_mut().unwrap().push(element.clone()));
            for (field, value) in element.as_object().into_iter().flatten() {
                for other in others(value) {
                    push(format!("{place}.{field} is {other}"), &|claim| {
                        claim[key][position][field] = other.clone();
                    });
                }
            }
            if element.is_number() {
                for other in others(element) {
                    push(format!("{place} is {other}"), &|claim| claim[key][position] = other.clone());
                }
            }
        }
    }
    all
}

/// Values that differ from a string or a number.
fn others(value: &Value) -> Vec<Value> {
    match (value.as_str(), value.as_u64()) {
        (Some(text), _) => vec![format!("{text} ").into(), "".into(), 0.into(), Value::Null],
        (None, Some(number)) => vec![(number ^ 1).into(), (number == 1).into(), number.to_string().into()],
        (None, None) => Vec::new(),
    }
}

/// Calls the function with each change that `wanted` selects; its argument is whether the change is of an entry of the
/// relations.
pub(crate) fn each_change(
    system: &System,
    certificate: &Certificate,
    wanted: &mut dyn FnMut(bool) -> bool,
    visit: &mut dyn FnMut(Change),
) {
    let mut changes = Changes { system, original: certificate, wanted, visit };
    changes.header();
    changes.invariants();
    changes.properties();
    changes.initial();
    changes.relations();
}

struct Changes<'a> {
    system: &'a System,
    original: &'a Certificate,
    wanted: &'a mut dyn FnMut(bool) -> bool,
    visit: &'a mut dyn FnMut(Change),
}

impl Changes<'_> {
    fn push(&mut self, field: Field, what: String, change: impl FnOnce(&mut Certificate)) {
        if !(self.wanted)(false) {
            return;
        }
        let mut certificate = self.original.clone();
        change(&mut certificate);
        if certificate != *self.original {
            (self.visit)(Change { field, what, changed: Changed::Certificate(Box::new(certificate)) });
        }
    }

    fn push_relation(&mut self, field: Field, what: String, position: usize, entry: RelationEntry) {
        if (self.wanted)(true) && entry != self.original.relations[position] {
            (self.visit)(Change { field, what, changed: Changed::Relation(position, entry) });
        }
    }

    fn header(&mut self) {
        self.push(Field::Header, "digest".into(), |c| c.model_digest = "11".repeat(32));
        self.push(Field::Header, "digest cut".into(), |c| c.model_digest.truncate(10));
        self.push(Field::Header, "setting dropped".into(), |c| c.settings.clear());
        self.push(Field::Header, "setting added".into(), |c| c.settings.push("M=1".into()));
        self.push(Field::Header, "setting changed".into(), |c| {
            if let Some(first) = c.settings.first_mut() {
                *first = "N=4".into();
            }
        });
    }

    fn invariants(&mut self) {
        let original = self.original;
        for position in 0..original.invariants.len() {
            self.table(position, original.invariants.len(), Field::Invariants, |c| &mut c.invariants);
            for (what, cube) in self.cubes(&original.invariants[position].cube) {
                self.push(Field::Cube, format!("invariant {position}: {what}"), |c| c.invariants[position].cube = cube);
            }
            let mut origins: Vec<InvariantOrigin> =
                (0..3).map(|number| InvariantOrigin::Property(PropertyId(number))).collect();
            for (rule, of) in [(0, 0), (0, 99), (99, 0)] {
                origins.push(InvariantOrigin::PreImage { rule: RuleId(rule), of: InvariantId(of) });
            }
            for origin in origins {
                let what = format!("invariant {position}: {origin:?}");
                self.push(Field::Origin, what, |c| c.invariants[position].origin = origin);
            }
        }
    }

    /// Removes, doubles, and exchanges elements of a table.
    fn table<T: Clone>(
        &mut self,
        position: usize,
        len: usize,
        field: Field,
        table: impl Fn(&mut Certificate) -> &mut Vec<T>,
    ) {
        self.push(field, format!("{position} removed"), |c| {
            table(c).remove(position);
        });
        self.push(field, format!("{position} doubled"), |c| {
            let element = table(c)[position].clone();
            table(c).insert(position, element);
        });
        self.push(field, format!("{position} doubled at the end"), |c| {
            let element = table(c)[position].clone();
            table(c).push(element);
        });
        for other in [position + 1, len - 1] {
            if position < other && other < len {
                self.push(field, format!("{position} and {other} exchanged"), |c| table(c).swap(position, other));
            }
        }
    }

    fn cubes(&self, cube: &Cube) -> Vec<(String, Cube)> {
        let mut all = Vec::new();
        let types = u32::try_from(self.system.index_types.len()).unwrap();
        let mut push = |what: String, change: &dyn Fn(&mut Cube)| {
            let mut changed = cube.clone();
            change(&mut changed);
            all.push((what, changed));
        };
        for index_type in (0..=types).map(IndexTypeId) {
            push(format!("variable of {index_type:?} added"), &|cube| cube.variables.push(index_type));
            for position in 0..cube.variables.len() {
                push(format!("variable {position}: {index_type:?}"), &|cube| cube.variables[position] = index_type);
            }
        }
        push("variable dropped".into(), &|cube| {
            cube.variables.pop();
        });
        for position in 0..cube.literals.len() {
            push(format!("literal {position} dropped"), &|cube| {
                cube.literals.remove(position);
            });
            push(format!("literal {position} doubled"), &|cube| cube.literals.push(cube.literals[position].clone()));
            push(format!("literal {position} moved"), &|cube| {
                let literal = cube.literals.remove(position);
                cube.literals.push(literal);
            });
            for literal in self.literals(&cube.literals[position]) {
                push(format!("literal {position}: {literal:?}"), &|cube| cube.literals[position] = literal.clone());
            }
        }
        for other in &self.original.invariants {
            for literal in &other.cube.literals {
                push(format!("literal added: {literal:?}"), &|cube| cube.literals.push(literal.clone()));
            }
            push("another cube".into(), &|cube| *cube = other.cube.clone());
        }
        for (position, universal) in cube.universals.iter().enumerate() {
            push(format!("universal part {position} dropped"), &|cube| {
                cube.universals.remove(position);
            });
            push(format!("universal part {position} doubled"), &|cube| cube.universals.push(universal.clone()));
            push(format!("universal part {position} moved"), &|cube| {
                let universal = cube.universals.remove(position);
                cube.universals.push(universal);
            });
            push(format!("universal part {position} becomes literals"), &|cube| {
                let universal = cube.universals.remove(position);
                cube.variables.extend(universal.variables);
                cube.literals.extend(universal.literals);
            });
            // The variables and literals of a part are changed like those of a cube.
            let Universal { variables, literals } = universal.clone();
            for (what, changed) in self.cubes(&Cube { variables, literals, universals: Vec::new() }) {
                let Cube { variables, literals, .. } = changed;
                push(format!("universal part {position}: {what}"), &|cube| {
                    cube.universals[position] = Universal { variables: variables.clone(), literals: literals.clone() };
                });
            }
        }
        for universal in self.original.invariants.iter().flat_map(|other| &other.cube.universals) {
            push("universal part added".into(), &|cube| cube.universals.push(universal.clone()));
        }
        let nothing = Universal { variables: vec![IndexTypeId(0)], literals: Vec::new() };
        push("universal part without literals added".into(), &|cube| cube.universals.push(nothing.clone()));
        all
    }

    fn literals(&self, literal: &Literal) -> Vec<Literal> {
        let Literal { left, comparison, right } = literal.clone();
        let mut all = vec![Literal { left: right.clone(), comparison, right: left.clone() }];
        all.extend(comparisons(comparison).into_iter().map(|comparison| Literal {
            left: left.clone(),
            comparison,
            right: right.clone(),
        }));
        all.extend(self.terms(&left).into_iter().map(|left| Literal { left, comparison, right: right.clone() }));
        all.extend(self.terms(&right).into_iter().map(|right| Literal { left: left.clone(), comparison, right }));
        all
    }

    /// Terms that differ in one place, and all constants and elements.
    fn terms(&self, term: &Term) -> Vec<Term> {
        let mut all: Vec<Term> =
            (0..=self.system.constants.len()).map(|number| Term::Constant(ConstantId(word(number)))).collect();
        all.extend(self.index_terms().into_iter().map(Term::Index));
        all.push(Term::Zero);
        if let Term::Read(variable, arguments) = term {
            for number in 0..=self.system.variables.len() {
                all.push(Term::Read(VariableId(word(number)), arguments.clone()));
            }
            for position in 0..arguments.len() {
                for other in self.index_terms() {
                    let mut arguments = arguments.clone();
                    arguments[position] = other;
                    all.push(Term::Read(*variable, arguments));
                }
            }
            all.push(Term::Read(*variable, [arguments.clone(), self.index_terms()[..1].to_vec()].concat()));
            all.push(Term::Read(*variable, arguments.iter().skip(1).copied().collect()));
        }
        all.retain(|other| other != term);
        all
    }

    fn index_terms(&self) -> Vec<IndexTerm> {
        let variables = (0..3).map(|number| IndexTerm::Variable(IndexVariableId(number)));
        let named = (0..=self.system.named.len()).map(|number| IndexTerm::Named(NamedId(word(number))));
        variables.chain(named).collect()
    }

    fn properties(&mut self) {
        let original = self.original;
        for (position, entry) in original.properties.iter().enumerate() {
            self.table(position, original.properties.len(), Field::Entries, |c| &mut c.properties);
            for number in 0..=word(self.system.properties.len()) {
                self.push(Field::Key, format!("proof {position}: property {number}"), |c| {
                    c.properties[position].property = PropertyId(number);
                });
                self.push(Field::Key, format!("proof {position}: cube {number}"), |c| {
                    c.properties[position].cube = number;
                });
            }
            for (field, what, argument) in self.arguments(&entry.argument) {
                self.push(field, format!("proof {position}: {what}"), |c| c.properties[position].argument = argument);
            }
        }
        let argument = Argument { premises: vec![], split: None };
        let extra = PropertyEntry { property: PropertyId(0), cube: 7, argument };
        self.push(Field::Entries, "a proof of no cube".into(), |c| c.properties.push(extra));
    }

    fn initial(&mut self) {
        let original = self.original;
        for (position, entry) in original.initial.iter().enumerate() {
            self.table(position, original.initial.len(), Field::Entries, |c| &mut c.initial);
            for number in 0..=word(self.system.startstates.len()) {
                self.push(Field::Key, format!("initial {position}: startstate {number}"), |c| {
                    c.initial[position].startstate = StartstateId(number);
                });
            }
            for number in 0..=word(original.invariants.len()) {
                self.push(Field::Key, format!("initial {position}: invariant {number}"), |c| {
                    c.initial[position].invariant = InvariantId(number);
                });
            }
            for matching in self.symbol_lists(&entry.matching.0) {
                self.push(Field::Key, format!("initial {position}: match {matching:?}"), |c| {
                    c.initial[position].matching = Match(matching);
                });
            }
        }
        let extra = InitialEntry { startstate: StartstateId(0), invariant: InvariantId(99), matching: Match(vec![]) };
        self.push(Field::Entries, "an initial entry of no invariant".into(), |c| c.initial.push(extra));
    }

    fn relations(&mut self) {
        let original = self.original;
        for (position, entry) in original.relations.iter().enumerate() {
            self.table(position, original.relations.len(), Field::Entries, |c| &mut c.relations);
            for (what, changed) in self.keys(entry) {
                self.push_relation(Field::Key, format!("relation {position}: {what}"), position, changed);
            }
            let nothing = Argument { premises: vec![], split: None };
            for relation in [Relation::HoldsAfter, Relation::Unaffected, Relation::Implied(nothing)] {
                if std::mem::discriminant(&relation) != std::mem::discriminant(&entry.relation) {
                    let what = format!("relation {position}: {relation:?}");
                    self.push_relation(Field::Kind, what, position, RelationEntry { relation, ..entry.clone() });
                }
            }
            if let Relation::Implied(argument) = &entry.relation {
                for (field, what, argument) in self.arguments(argument) {
                    let changed = RelationEntry { relation: Relation::Implied(argument), ..entry.clone() };
                    self.push_relation(field, format!("relation {position}: {what}"), position, changed);
                }
            }
        }
    }

    fn keys(&self, entry: &RelationEntry) -> Vec<(String, RelationEntry)> {
        let mut all = Vec::new();
        let mut push = |what: String, change: &dyn Fn(&mut RelationEntry)| {
            let mut changed = entry.clone();
            change(&mut changed);
            all.push((what, changed));
        };
        for number in 0..=word(self.system.rules.len()) {
            push(format!("rule {number}"), &|entry| entry.rule = RuleId(number));
        }
        for number in 0..=word(self.original.invariants.len()) {
            push(format!("invariant {number}"), &|entry| entry.invariant = InvariantId(number));
        }
        for branch in [None, Some(0), Some(1), Some(2), Some(u32::MAX)] {
            push(format!("branch {branch:?}"), &|entry| entry.branch = branch);
        }
        match &entry.matching {
            None => push("match []".into(), &|entry| entry.matching = Some(Match(vec![]))),
            Some(matching) => {
                push("no match".into(), &|entry| entry.matching = None);
                for symbols in self.symbol_lists(&matching.0) {
                    push(format!("match {symbols:?}"), &|entry| entry.matching = Some(Match(symbols.clone())));
                }
            }
        }
        all
    }

    /// Lists that differ in one symbol, or have one more or one less.
    fn symbol_lists(&self, symbols: &[Symbol]) -> Vec<Vec<Symbol>> {
        let mut all = Vec::new();
        for position in 0..symbols.len() {
            for symbol in self.symbols() {
                let mut changed = symbols.to_vec();
                changed[position] = symbol;
                all.push(changed);
            }
            for other in position + 1..symbols.len() {
                let mut changed = symbols.to_vec();
                changed.swap(position, other);
                all.push(changed);
            }
        }
        all.push(symbols.iter().skip(1).copied().collect());
        all.push([symbols, &[Symbol::Variable(0)]].concat());
        all.push([symbols, &[Symbol::Other(0)]].concat());
        all.retain(|changed| changed != symbols);
        all
    }

    fn symbols(&self) -> Vec<Symbol> {
        let variables = (0..3).map(Symbol::Variable);
        let named = (0..=self.system.named.len()).map(|number| Symbol::Named(NamedId(word(number))));
        let others = [0, 1, 2, u32::MAX].into_iter().map(Symbol::Other);
        variables.chain(named).chain(others).collect()
    }

    fn arguments(&self, argument: &Argument) -> Vec<(Field, String, Argument)> {
        let mut all = Vec::new();
        let mut push = |field: Field, what: String, change: &dyn Fn(&mut Argument)| {
            let mut changed = argument.clone();
            change(&mut changed);
            all.push((field, what, changed));
        };
        for (position, premise) in argument.premises.iter().enumerate() {
            push(Field::Premise, format!("premise {position} removed"), &|a| {
                a.premises.remove(position);
            });
            push(Field::Premise, format!("premise {position} doubled"), &|a| {
                a.premises.insert(position, a.premises[position].clone());
            });
            push(Field::Premise, format!("premise {position} moved to the end"), &|a| {
                let premise = a.premises.remove(position);
                a.premises.push(premise);
            });
            for number in 0..=word(self.original.invariants.len()) {
                push(Field::Premise, format!("premise {position}: invariant {number}"), &|a| {
                    a.premises[position].invariant = InvariantId(number);
                });
            }
            for symbols in self.symbol_lists(&premise.substitution) {
                push(Field::Premise, format!("premise {position}: {symbols:?}"), &|a| {
                    a.premises[position].substitution = symbols.clone();
                });
            }
        }
        for number in 0..word(self.original.invariants.len()) {
            let arity = self.original.invariants[number as usize].cube.variables.len();
            let substitution: Vec<Symbol> = (0..word(arity)).map(Symbol::Variable).collect();
            let extra = Instance { invariant: InvariantId(number), substitution };
            push(Field::Premise, format!("premise {number} added"), &|a| a.premises.push(extra.clone()));
            push(Field::Premise, format!("premise {number} put first"), &|a| a.premises.insert(0, extra.clone()));
        }
        match &argument.split {
            None => {
                let split = Split { on: SplitOn::Value(VariableId(0), vec![]), cases: vec![] };
                push(Field::Split, "split added".into(), &|a| a.split = Some(Box::new(split.clone())));
                let numbers = (0..).map(VariableId).zip(&self.system.variables);
                let number = numbers.map(|(id, _)| id).find(|id| self.system.sort_of(*id).numbers.is_some());
                if let Some(variable) = number {
                    let arguments =
                        self.system.variables[variable.index()].arguments.iter().map(|_| Symbol::Variable(0));
                    let read = Read { variable, arguments: arguments.collect() };
                    let rest = Argument { premises: argument.premises.clone(), split: None };
                    let on = SplitOn::Bound(read, None, 0);
                    let split = Split { on, cases: vec![rest.clone(), rest] };
                    push(Field::Split, "split on a bound put first".into(), &|a| {
                        a.premises.clear();
                        a.split = Some(Box::new(split.clone()));
                    });
                }
                if let Some(last) = argument.premises.last() {
                    let split = Split { on: SplitOn::Witness(last.clone()), cases: vec![] };
                    push(Field::Split, "last premise as a witness".into(), &|a| {
                        a.premises.pop();
                        a.split = Some(Box::new(split.clone()));
                    });
                }
            }
            Some(split) => {
                push(Field::Split, "split removed".into(), &|a| a.split = None);
                if let SplitOn::Witness(instance) = &split.on {
                    push(Field::Split, "the witness as a premise".into(), &|a| a.premises.push(instance.clone()));
                    push(Field::Split, "the witness as the last premise".into(), &|a| {
                        a.premises.push(instance.clone());
                        a.split = None;
                    });
                }
                for changed in self.splits(split) {
                    push(Field::Split, format!("{changed:?}"), &|a| a.split = Some(Box::new(changed.clone())));
                }
            }
        }
        all
    }

    /// Reads that differ in one place.
    fn reads(&self, read: &Read) -> Vec<Read> {
        let variables = (0..=self.system.variables.len()).map(|number| VariableId(word(number)));
        let arguments = self.symbol_lists(&read.arguments).into_iter();
        let mut all: Vec<Read> = variables.map(|variable| Read { variable, ..read.clone() }).collect();
        all.extend(arguments.map(|arguments| Read { arguments, ..read.clone() }));
        all
    }

    fn splits(&self, split: &Split) -> Vec<Split> {
        let mut all = Vec::new();
        let mut push = |change: &dyn Fn(&mut Split)| {
            let mut changed = split.clone();
            change(&mut changed);
            all.push(changed);
        };
        match &split.on {
            SplitOn::Value(variable, arguments) => {
                for number in 0..=word(self.system.variables.len()) {
                    push(&|split| split.on = SplitOn::Value(VariableId(number), arguments.clone()));
                }
                for other in self.symbol_lists(arguments) {
                    push(&|split| split.on = SplitOn::Value(*variable, other.clone()));
                }
            }
            SplitOn::Witness(instance) => {
                for number in 0..=word(self.original.invariants.len()) {
                    let changed = Instance { invariant: InvariantId(number), ..instance.clone() };
                    push(&|split| split.on = SplitOn::Witness(changed.clone()));
                }
                for substitution in self.symbol_lists(&instance.substitution) {
                    let changed = Instance { substitution, ..instance.clone() };
                    push(&|split| split.on = SplitOn::Witness(changed.clone()));
                }
            }
            SplitOn::Bound(left, right, sum) => {
                for sum in sums(*sum) {
                    push(&|split| split.on = SplitOn::Bound(left.clone(), right.clone(), sum));
                }
                for read in self.reads(left) {
                    push(&|split| split.on = SplitOn::Bound(read.clone(), right.clone(), *sum));
                    push(&|split| split.on = SplitOn::Value(read.variable, read.arguments.clone()));
                }
                push(&|split| split.on = SplitOn::Value(left.variable, left.arguments.clone()));
                push(&|split| split.on = SplitOn::Bound(left.clone(), None, *sum));
                push(&|split| split.on = SplitOn::Bound(left.clone(), Some(left.clone()), *sum));
                if let Some(right) = right {
                    push(&|split| split.on = SplitOn::Bound(right.clone(), Some(left.clone()), *sum));
                    for read in self.reads(right) {
                        push(&|split| split.on = SplitOn::Bound(left.clone(), Some(read.clone()), *sum));
                    }
                }
            }
        }
        for position in 0..split.cases.len() {
            push(&|split| {
                split.cases.remove(position);
            });
            push(&|split| split.cases.insert(position, split.cases[position].clone()));
            push(&|split| {
                let last = split.cases.len() - 1;
                split.cases.swap(position, last);
            });
            for (_, _, argument) in self.arguments(&split.cases[position]) {
                push(&|split| split.cases[position] = argument.clone());
            }
        }
        all
    }
}

/// Numbers near this one, and too great ones.
fn sums(sum: i64) -> Vec<i64> {
    let great = [NUMBER_LIMIT, NUMBER_LIMIT + 1, i64::MAX, -NUMBER_LIMIT, -NUMBER_LIMIT - 1, i64::MIN];
    let sum = sum.clamp(-NUMBER_LIMIT, NUMBER_LIMIT);
    [sum - 1, sum + 1, -sum, 0].into_iter().chain(great).collect()
}

/// Other comparisons: the opposite, the other direction, and other numbers.
fn comparisons(comparison: Comparison) -> Vec<Comparison> {
    use Comparison::{AtLeast, AtMost, Different, Equal};
    let (sum, near): (i64, fn(i64) -> Comparison) = match comparison {
        Different | Equal => (0, AtMost),
        AtMost(sum) => (sum, AtMost),
        AtLeast(sum) => (sum, AtLeast),
    };
    // Some numbers have no negation that fits.
    let negated = (sum != i64::MAX && sum != i64::MIN).then(|| comparison.negated());
    let others = [Different, Equal, AtMost(sum), AtLeast(sum)].into_iter().chain(negated);
    others.chain(sums(sum).into_iter().map(near)).filter(|other| *other != comparison).collect()
}

fn word(number: usize) -> u32 {
    u32::try_from(number).unwrap()
}
