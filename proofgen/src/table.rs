//! Tables of what was proven, for reviewers.
//!
//! The tables list the invariants and the relations of a certificate that the checker has accepted, as Markdown, CSV,
//! JSON and LaTeX. Columns and keys are documented in `docs/tables.md` and keep their names and order. This module
//! decides nothing: every statement in a table is read off the certificate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use certificate::CheckedCertificate;
use certificate::kernel::ground::Read;
use certificate::proof::{
    Argument, Certificate, Instance, InvariantId, InvariantOrigin, PropertyEntry, Relation, RelationEntry, Split,
    SplitOn, Symbol, SymbolTypes,
};
use system::System;
use system::scope::Scope;
use system::{Comparison, Cube, IndexTypeId, NamedId, PropertyKind, RuleId, Term, VariableId};

use system::notation::{Expression, Language, Notation, Written};

mod csv;
mod json;
mod latex;
pub(crate) mod markdown;
mod naming;
mod situations;

pub(crate) use naming::rules as rule_names;
pub(crate) use situations::Situation;

/// Which invariants a table shows, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How invariants are grouped.
    pub group_by: GroupBy,
    /// Shows only invariants that mention a state variable with this text in its name, such as `Dir.Pending`.
    pub only: Option<String>,
    /// The language in whose signs invariants are written.
    pub notation: Language,
}

impl Options {
    /// Orders the invariants by their numbers.
    #[must_use]
    pub fn by_number(self) -> Self {
        Self { group_by: GroupBy::Number, ..self }
    }
}

/// How invariants are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupBy {
    /// By the state variable that they are about.
    #[default]
    Variable,
    /// By the property from which they originate.
    Property,
    /// Not grouped, but ordered by their numbers.
    Number,
}

/// The content of all tables of one certificate.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) model_digest: String,
    pub(crate) settings: Vec<String>,
    pub(crate) scope: Scope,
    pub(crate) notation: Language,
    pub(crate) properties: Vec<PropertyRow>,
    pub(crate) groups: Vec<Group>,
    /// Of what kind each obligation is.
    pub(crate) kinds: Vec<Kind>,
    /// The obligations, if they are to be shown.
    pub(crate) relations: Vec<RelationRow>,
    pub(crate) rules: Vec<RuleRow>,
    pub(crate) situations: Vec<Situation>,
}

#[derive(Clone, Debug)]
pub(crate) struct PropertyRow {
    pub(crate) name: String,
    pub(crate) kind: PropertyKind,
    pub(crate) line: u32,
    /// The invariants that imply the property.
    pub(crate) shown_by: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) title: String,
    pub(crate) invariants: Vec<InvariantRow>,
}

#[derive(Clone, Debug)]
pub(crate) struct InvariantRow {
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) formula: Written,
    /// Whether the language cannot say it: Murphi has no names for elements of a scalarset that stays finite, and in Cubicle's
    /// language an invariant is about processes, and has no part for all of them.
    pub(crate) unspeakable: bool,
    pub(crate) bad_states: Written,
    /// The index variables and their types.
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) origin: Origin,
    /// The rules that need this invariant as a premise, to preserve it or another invariant.
    pub(crate) rules: Vec<String>,
    /// The invariants that need this one.
    pub(crate) supports: Vec<u32>,
    /// The invariants that this one needs.
    pub(crate) relies_on: Vec<u32>,
    pub(crate) about: String,
    pub(crate) reads: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Property(String),
    PreImage { rule: String, of: u32 },
}

#[derive(Clone, Debug)]
pub(crate) struct RelationRow {
    pub(crate) rule: String,
    pub(crate) invariant: u32,
    /// The element of each parameter of the rule.
    pub(crate) matching: Option<Vec<(String, String)>>,
    pub(crate) branch: Option<u32>,
    pub(crate) kind: Kind,
    pub(crate) argument: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    HoldsAfter,
    Unaffected,
    Implied,
}

/// What an argument relies on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Premise {
    Invariant(u32),
    /// An assumption of the model, by its name.
    Assumption(String),
}

impl fmt::Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invariant(number) => number.fmt(f),
            Self::Assumption(name) => name.fmt(f),
        }
    }
}

/// One step of an argument.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Premise { premise: Premise, substitution: Vec<(String, String)> },
    Split { on: String, witness_of: Option<Premise>, cases: Vec<(String, Vec<Step>)> },
}

#[derive(Clone, Debug)]
pub(crate) struct RuleRow {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) holds_after: u32,
    pub(crate) unaffected: u32,
    pub(crate) implied: u32,
    pub(crate) relies_on: Vec<u32>,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::HoldsAfter => "holds_after",
            Self::Unaffected => "unaffected",
            Self::Implied => "implied",
        }
    }
}

impl Table {
    /// Reads the tables off a certificate.
    #[must_use]
    pub fn read(checked: &CheckedCertificate<'_>, options: &Options) -> Self {
        let reader = Reader::new(checked.system(), checked.certificate(), options.notation);
        let relations = checked.certificate().relations.iter().map(|entry| reader.relation(entry)).collect();
        Self { relations, ..Self::of(&reader, options) }
    }

    /// The tables without the rows of obligations.
    pub(crate) fn of(reader: &Reader<'_>, options: &Options) -> Self {
        let (system, certificate) = (reader.system, reader.certificate);
        let mut rows: Vec<InvariantRow> =
            (0..).map(InvariantId).take(certificate.invariants.len()).map(|id| reader.invariant(id)).collect();
        if let Some(only) = &options.only {
            rows.retain(|row| row.reads.iter().any(|name| name.contains(only.as_str())));
        }
        Self {
            model_digest: certificate.model_digest.clone(),
            settings: certificate.settings.clone(),
            scope: Scope::of(system),
            notation: options.notation,
            properties: reader.properties(),
            groups: reader.group(rows, options.group_by),
            kinds: certificate.relations.iter().map(|entry| kind_of(&entry.relation)).collect(),
            relations: Vec::new(),
            rules: reader.rules(),
            situations: situations::read(&reader.notation, certificate, &reader.names),
        }
    }

    pub(crate) fn invariants(&self) -> impl Iterator<Item = &InvariantRow> {
        self.groups.iter().flat_map(|group| &group.invariants)
    }

    pub(crate) fn count(&self, kind: Kind) -> usize {
        self.kinds.iter().filter(|own| **own == kind).count()
    }
}

/// Which invariants and rules need which invariants.
#[derive(Default)]
struct Support {
    /// For each invariant, those that it relies on.
    relies_on: BTreeMap<u32, BTreeSet<u32>>,
    /// For each invariant, those that rely on it.
    supports: BTreeMap<u32, BTreeSet<u32>>,
    /// For each invariant, the rules with an obligation that relies on it.
    rules: BTreeMap<u32, BTreeSet<RuleId>>,
    /// For each rule, the invariants that its obligations rely on.
    premises: BTreeMap<RuleId, BTreeSet<u32>>,
}

impl Support {
    fn of(certificate: &Certificate) -> Self {
        let mut support = Self::default();
        for entry in &certificate.relations {
            if let Relation::Implied(argument) = &entry.relation {
                for premise in premises(certificate, argument) {
                    // That an invariant held before the step, so that its witness existed, is no support from another.
                    if premise != entry.invariant.0 {
                        support.relies_on.entry(entry.invariant.0).or_default().insert(premise);
                        support.supports.entry(premise).or_default().insert(entry.invariant.0);
                    }
                    support.rules.entry(premise).or_default().insert(entry.rule);
                    support.premises.entry(entry.rule).or_default().insert(premise);
                }
            }
        }
        support
    }
}

/// The invariants that an argument uses, as premises or for a witness.
pub(crate) fn premises(certificate: &Certificate, argument: &Argument) -> BTreeSet<u32> {
    let mut found = used(argument);
    // What follows the invariants are axioms.
    found.retain(|number| number.index() < certificate.invariants.len());
    found.into_iter().map(|number| number.0).collect()
}

/// The invariants and axioms that an argument uses.
fn used(argument: &Argument) -> BTreeSet<InvariantId> {
    let mut found: BTreeSet<InvariantId> = argument.premises.iter().map(|premise| premise.invariant).collect();
    if let Some(split) = &argument.split {
        if let SplitOn::Witness(instance) = &split.on {
            found.insert(instance.invariant);
        }
        split.cases.iter().for_each(|case| found.extend(used(case)));
    }
    found
}

/// Turns the parts of a certificate into rows.
pub(crate) struct Reader<'a> {
    pub(crate) system: &'a System,
    pub(crate) certificate: &'a Certificate,
    pub(crate) notation: Notation<'a>,
    support: Support,
    pub(crate) rule_names: Vec<String>,
    /// The names of the index variables of each invariant.
    pub(crate) names: Vec<Vec<String>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(system: &'a System, certificate: &'a Certificate, language: Language) -> Self {
        let notation = Notation::new(system).in_language(language);
        let names = certificate.cubes(system).map(|cube| notation.names(&cube.variables)).collect();
        Self {
            system,
            certificate,
            notation,
            support: Support::of(certificate),
            rule_names: naming::rules(system),
            names,
        }
    }

    pub(crate) fn invariant(&self, id: InvariantId) -> InvariantRow {
        let invariant = &self.certificate.invariants[id.index()];
        let (cube, names) = (&invariant.cube, &self.names[id.index()]);
        let listed = |map: &BTreeMap<u32, BTreeSet<u32>>| {
            map.get(&id.0).map(|set| set.iter().copied().collect()).unwrap_or_default()
        };
        let type_name = |position: usize| self.system.index_types[cube.variables[position].index()].name.clone();
        let about = naming::about(&self.notation, cube);
        InvariantRow {
            number: id.0,
            name: naming::invariant(&self.notation, cube, names),
            formula: self.notation.written(self.notation.invariant(cube, names)),
            unspeakable: match self.notation.language() {
                Language::Murphi => !self.notation.can_say(cube),
                Language::Cubicle => !self.notation.is_a_candidate(cube),
            },
            bad_states: self.notation.written(self.notation.bad_states(cube, names)),
            variables: names.iter().enumerate().map(|(at, name)| (name.clone(), type_name(at))).collect(),
            origin: self.origin(invariant.origin),
            rules: self
                .support
                .rules
                .get(&id.0)
                .map(|rules| rules.iter().map(|rule| self.rule_names[rule.index()].clone()).collect())
                .unwrap_or_default(),
            supports: listed(&self.support.supports),
            relies_on: listed(&self.support.relies_on),
            about: about.map_or_else(String::new, |variable| variable_name(self.system, variable)),
            reads: reads(cube).into_iter().map(|variable| variable_name(self.system, variable)).collect(),
        }
    }

    fn origin(&self, origin: InvariantOrigin) -> Origin {
        match origin {
            InvariantOrigin::Property(property) => {
                Origin::Property(self.system.properties[property.index()].name.clone())
            }
            InvariantOrigin::PreImage { rule, of } => {
                Origin::PreImage { rule: self.rule_names[rule.index()].clone(), of: of.0 }
            }
        }
    }

    fn properties(&self) -> Vec<PropertyRow> {
        let row = |(number, property): (u32, &system::Property)| {
            let of_this = |entry: &&PropertyEntry| entry.property.0 == number;
            let mut shown_by = BTreeSet::new();
            for entry in self.certificate.properties.iter().filter(of_this) {
                shown_by.extend(premises(self.certificate, &entry.argument));
            }
            PropertyRow {
                name: property.name.clone(),
                kind: property.kind,
                line: property.origin.line,
                shown_by: shown_by.into_iter().collect(),
            }
        };
        (0..).zip(&self.system.properties).map(row).collect()
    }

    fn group(&self, rows: Vec<InvariantRow>, by: GroupBy) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for row in rows {
            let title = match by {
                GroupBy::Variable => row.about.clone(),
                GroupBy::Property => self.ancestor(row.number),
                GroupBy::Number => String::new(),
            };
            match groups.iter_mut().find(|group| group.title == title) {
                Some(group) => group.invariants.push(row),
                None => groups.push(Group { title, invariants: vec![row] }),
            }
        }
        groups
    }

    /// The property from which an invariant originates.
    fn ancestor(&self, number: u32) -> String {
        let mut id = InvariantId(number);
        // The search produces no cycle of origins, but the checker does not look at origins, so the loop is bounded.
        for _ in 0..self.certificate.invariants.len() {
            match self.certificate.invariants[id.index()].origin {
                InvariantOrigin::Property(property) => {
                    return self.system.properties[property.index()].name.clone();
                }
                InvariantOrigin::PreImage { of, .. } => id = of,
            }
        }
        String::new()
    }

    fn rules(&self) -> Vec<RuleRow> {
        let mut counts: BTreeMap<(RuleId, Kind), u32> = BTreeMap::new();
        for entry in &self.certificate.relations {
            *counts.entry((entry.rule, kind_of(&entry.relation))).or_default() += 1;
        }
        let row = |(number, rule): (u32, &system::Rule)| {
            let id = RuleId(number);
            let of_kind = |kind: Kind| counts.get(&(id, kind)).copied().unwrap_or_default();
            RuleRow {
                name: self.rule_names[id.index()].clone(),
                line: rule.origin.line,
                holds_after: of_kind(Kind::HoldsAfter),
                unaffected: of_kind(Kind::Unaffected),
                implied: of_kind(Kind::Implied),
                relies_on: self.support.premises.get(&id).map(|set| set.iter().copied().collect()).unwrap_or_default(),
            }
        };
        (0..).zip(&self.system.rules).map(row).collect()
    }

    pub(crate) fn relation(&self, entry: &RelationEntry) -> RelationRow {
        let names = &self.names[entry.invariant.index()];
        let argument = match &entry.relation {
            Relation::Implied(argument) => self.steps(argument, names, &self.elements(entry)),
            Relation::HoldsAfter | Relation::Unaffected => Vec::new(),
        };
        RelationRow {
            rule: self.rule_names[entry.rule.index()].clone(),
            invariant: entry.invariant.0,
            matching: self.matching(entry),
            branch: entry.branch,
            kind: kind_of(&entry.relation),
            argument,
        }
    }

    /// The element of each parameter of the rule, if the obligation is about some.
    pub(crate) fn matching(&self, entry: &RelationEntry) -> Option<Vec<(String, String)>> {
        let names = &self.names[entry.invariant.index()];
        let parameters = self.system.rules[entry.rule.index()].scope.iter().zip(&entry.matching.as_ref()?.0);
        Some(parameters.map(|(parameter, symbol)| (parameter.name.clone(), self.symbol(*symbol, names))).collect())
    }

    /// The types of the elements of an obligation.
    pub(crate) fn elements(&self, entry: &RelationEntry) -> SymbolTypes {
        let variables = self.certificate.invariants[entry.invariant.index()].cube.variables.clone();
        let mut elements = SymbolTypes { variables, others: Vec::new() };
        let symbols = entry.matching.iter().flat_map(|matching| &matching.0);
        for (parameter, symbol) in self.system.rules[entry.rule.index()].scope.iter().zip(symbols) {
            let next = Symbol::Other(u32::try_from(elements.others.len()).unwrap_or(u32::MAX));
            if *symbol == next {
                elements.others.push(parameter.index_type);
            }
        }
        elements
    }

    fn steps(&self, argument: &Argument, names: &[String], elements: &SymbolTypes) -> Vec<Step> {
        let mut steps: Vec<Step> = argument
            .premises
            .iter()
            .map(|premise| {
                let variables = self.names[premise.invariant.index()].iter().zip(&premise.substitution);
                let substitution = variables.map(|(name, symbol)| (name.clone(), self.symbol(*symbol, names)));
                Step::Premise { premise: self.premise(premise.invariant), substitution: substitution.collect() }
            })
            .collect();
        if let Some(split) = &argument.split {
            let (on, values) = self.split(split, names, elements);
            let cases = values.into_iter().zip(&split.cases);
            let cases = cases.map(|((value, elements), case)| (value, self.steps(case, names, &elements))).collect();
            let witness_of = match &split.on {
                SplitOn::Value(..) | SplitOn::Bound(..) => None,
                SplitOn::Witness(instance) => Some(self.premise(instance.invariant)),
            };
            steps.push(Step::Split { on, witness_of, cases });
        }
        steps
    }

    /// What a split is on, and the names of its cases, each with the elements that there are in it.
    pub(crate) fn split(
        &self,
        split: &Split,
        names: &[String],
        elements: &SymbolTypes,
    ) -> (String, Vec<(String, SymbolTypes)>) {
        match &split.on {
            SplitOn::Value(variable, arguments) => {
                let symbols = arguments.iter().map(|symbol| Expression::Name(self.symbol(*symbol, names)));
                let on = self.notation.read(*variable, &symbols.collect::<Vec<_>>());
                (self.notation.written(on).to_string(), self.values(*variable, names, elements))
            }
            SplitOn::Bound(left, right, sum) => {
                let read = |read: &Read| {
                    let symbols = read.arguments.iter().map(|symbol| Expression::Name(self.symbol(*symbol, names)));
                    self.notation.read(read.variable, &symbols.collect::<Vec<_>>())
                };
                let bound = Expression::comparison(read(left), Comparison::AtMost(*sum), right.as_ref().map(read));
                let cases = ["true", "false"].map(|truth| (truth.to_owned(), elements.clone()));
                (self.notation.written(bound).to_string(), cases.into())
            }
            SplitOn::Witness(instance) => {
                let source = match self.premise(instance.invariant) {
                    Premise::Invariant(number) => format!("invariant {number}"),
                    Premise::Assumption(name) => format!("'{name}'"),
                };
                let at: Vec<String> = instance.substitution.iter().map(|symbol| self.symbol(*symbol, names)).collect();
                let at = if at.is_empty() { String::new() } else { format!(" for {}", at.join(", ")) };
                (format!("the witness of {source}{at}"), self.choices(instance, names, elements))
            }
        }
    }

    /// The cases of a split on a value, in the order of [`SplitOn::Value`]: the last one of each index type has another element.
    fn values(&self, variable: VariableId, names: &[String], elements: &SymbolTypes) -> Vec<(String, SymbolTypes)> {
        let sort = self.system.sort_of(variable);
        let constants = sort.constants.iter().map(|constant| self.notation.constant(*constant));
        let mut all: Vec<_> = constants.map(|constant| (constant, elements.clone())).collect();
        for index_type in &sort.index_types {
            let symbols = self.symbols_of(*index_type, elements).into_iter();
            all.extend(symbols.map(|symbol| (self.symbol(symbol, names), elements.clone())));
            all.push(self.another(*index_type, names, elements).1);
        }
        all
    }

    /// An element that is none of those that there are, with its name and the elements with it.
    fn another(
        &self,
        index_type: IndexTypeId,
        names: &[String],
        elements: &SymbolTypes,
    ) -> (Symbol, (String, SymbolTypes)) {
        let fresh = Symbol::Other(u32::try_from(elements.others.len()).unwrap_or(u32::MAX));
        let mut wider = elements.clone();
        wider.others.push(index_type);
        (fresh, (format!("another element, {}", self.symbol(fresh, names)), wider))
    }

    /// The cases of a split on a witness, in the order of [`SplitOn::Witness`].
    fn choices(&self, instance: &Instance, names: &[String], elements: &SymbolTypes) -> Vec<(String, SymbolTypes)> {
        let Some(cube) = self.certificate.cube(self.system, instance.invariant) else { return Vec::new() };
        let mut all = Vec::new();
        for universal in &cube.universals {
            let mut chosen = vec![(Vec::new(), instance.substitution.clone(), elements.clone())];
            for index_type in &universal.variables {
                let mut longer = Vec::new();
                for (words, taken, elements) in chosen {
                    let free = self.symbols_of(*index_type, &elements).into_iter();
                    for symbol in free.filter(|symbol| !matches!(symbol, Symbol::Named(_)) && !taken.contains(symbol)) {
                        let words: Vec<String> = [words.as_slice(), &[self.symbol(symbol, names)]].concat();
                        longer.push((words, [taken.as_slice(), &[symbol]].concat(), elements.clone()));
                    }
                    let (fresh, (word, wider)) = self.another(*index_type, names, &elements);
                    longer.push(([words.as_slice(), &[word]].concat(), [taken.as_slice(), &[fresh]].concat(), wider));
                }
                chosen = longer;
            }
            all.extend(chosen.into_iter().map(|(words, _, elements)| (words.join(" and "), elements)));
        }
        all
    }

    /// The elements of a type, in the order of [`Symbol`].
    fn symbols_of(&self, index_type: IndexTypeId, elements: &SymbolTypes) -> Vec<Symbol> {
        let variables = (0..).map(Symbol::Variable).zip(elements.variables.iter().copied());
        let named = (0..).map(NamedId).map(Symbol::Named).zip(self.system.named.iter().map(|named| named.index_type));
        let others = (0..).map(Symbol::Other).zip(elements.others.iter().copied());
        let all = variables.chain(named).chain(others);
        all.filter(|(_, own)| *own == index_type).map(|(symbol, _)| symbol).collect()
    }

    /// What an argument relies on, each once.
    pub(crate) fn premises(&self, argument: &Argument) -> BTreeSet<Premise> {
        used(argument).into_iter().map(|number| self.premise(number)).collect()
    }

    /// What an argument relies on: an invariant, or an axiom, whose numbers follow those of the invariants.
    pub(crate) fn premise(&self, number: InvariantId) -> Premise {
        let mut axioms = self.system.axioms.iter().flat_map(|axiom| axiom.bad.iter().map(|_| &axiom.name));
        let behind = number.index().checked_sub(self.certificate.invariants.len());
        let name = behind.and_then(|position| axioms.nth(position));
        name.map_or(Premise::Invariant(number.0), |name| Premise::Assumption(name.clone()))
    }

    pub(crate) fn symbol(&self, symbol: Symbol, names: &[String]) -> String {
        match symbol {
            Symbol::Variable(variable) => usize::try_from(variable)
                .ok()
                .and_then(|variable| names.get(variable).cloned())
                .unwrap_or_else(|| format!("?{variable}")),
            Symbol::Named(named) => self.system.written_element(named),
            Symbol::Other(0) => "other".to_owned(),
            Symbol::Other(number) => format!("other{}", u64::from(number) + 1),
        }
    }
}

fn kind_of(relation: &Relation) -> Kind {
    match relation {
        Relation::HoldsAfter => Kind::HoldsAfter,
        Relation::Unaffected => Kind::Unaffected,
        Relation::Implied(_) => Kind::Implied,
    }
}

/// The path of a state variable without its index arguments.
pub(crate) fn variable_name(system: &System, variable: VariableId) -> String {
    system.variables[variable.index()].name.replace("[]", "")
}

/// Returns whether a state variable of the system has the given text in its name, as tables write it.
#[must_use]
pub fn names_a_variable(system: &System, part: &str) -> bool {
    (0..).map(VariableId).take(system.variables.len()).any(|variable| variable_name(system, variable).contains(part))
}

/// The state variables that a cube reads, each once, in order of their first occurrence.
fn reads(cube: &Cube) -> Vec<VariableId> {
    let mut variables = Vec::new();
    let literals = cube.literals.iter().chain(cube.universals.iter().flat_map(|universal| &universal.literals));
    for term in literals.flat_map(|literal| [&literal.left, &literal.right]) {
        if let Term::Read(variable, _) = term
            && !variables.contains(variable)
        {
            variables.push(*variable);
        }
    }
    variables
}

/// `name := element` for each, separated by commas.
pub(crate) fn assignments(pairs: &[(String, String)]) -> String {
    let mut text = String::new();
    assign(pairs, &mut text);
    text
}

fn assign(pairs: &[(String, String)], text: &mut String) {
    separated(pairs, ", ", text, |(name, value), text| text.extend([name.as_str(), " := ", value.as_str()]));
}

/// Writes each of a list, with a separator between them.
fn separated<T>(list: &[T], separator: &str, text: &mut String, write: impl Fn(&T, &mut String)) {
    for (position, part) in list.iter().enumerate() {
        if position > 0 {
            text.push_str(separator);
        }
        write(part, text);
    }
}

/// Numbers separated by spaces.
fn numbers(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// An argument on one line.
pub(crate) fn argument_text(steps: &[Step]) -> String {
    let mut text = String::new();
    argue(steps, &mut text);
    text
}

fn argue(steps: &[Step], text: &mut String) {
    separated(steps, "; ", text, |step, text| match step {
        Step::Premise { premise, substitution } => {
            text.push_str(&premise.to_string());
            if !substitution.is_empty() {
                text.push_str(" (");
                assign(substitution, text);
                text.push(')');
            }
        }
        Step::Split { on, witness_of: _, cases } => {
            text.extend(["cases of ", on, " {"]);
            separated(cases, " | ", text, |(value, steps), text| {
                text.extend([value, ": "]);
                argue(steps, text);
            });
            text.push('}');
        }
    });
}

pub(crate) fn property_kind(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assert => "assert",
        PropertyKind::Error => "error",
    }
}

#[cfg(test)]
pub(crate) mod tests;
