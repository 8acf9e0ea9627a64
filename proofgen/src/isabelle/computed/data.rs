//! The lowered system, the invariants and the hints as terms of the checker's datatypes.
//!
//! This module makes the theory `P_Data.thy`, and `P_Rules_1.thy` and so on if rules are evaluated one by one. Elements
//! are positions in an environment: 0 is no element, then come the named elements, then the parameters or the variables
//! of a cube, then bound variables in the order in which they are bound. This module must not simplify anything except
//! negations, which move to the equations.

use std::collections::BTreeSet;

use certificate::proof::InvariantId;
use minijinja::{Value as Json, context};
use system::{
    Comparison, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Literal, NamedId, Rule, Sort,
    Startstate, System, Term as Side, Universal, Update, Value, Variable, VariableId,
};

use super::super::definitions::{self, code};
use super::super::properties::{self, Part};
use super::super::term::{Infix, Term};
use super::super::{Evaluate, Fault, File, Source};
use super::super::{print, text, translate};
use super::hints::{self, Counts, Cuts, Hint, SplitAt};
use super::{is_extended, name, numbered, prefix};

/// The positions of a scope's variables in an environment.
#[derive(Clone)]
pub(super) struct Environment<'a> {
    system: &'a System,
    scope: &'a [IndexVariable],
    /// The variables at the positions after the named elements.
    bound: Vec<IndexVariableId>,
}

impl<'a> Environment<'a> {
    /// Creates an environment in which the first variables of the scope follow the named elements.
    pub(super) fn new(system: &'a System, scope: &'a [IndexVariable], parameters: u32) -> Self {
        Self { system, scope, bound: (0..parameters).map(IndexVariableId).collect() }
    }

    /// Creates an environment in which the given variables follow the named elements.
    pub(super) fn of(system: &'a System, scope: &'a [IndexVariable], bound: Vec<IndexVariableId>) -> Self {
        Self { system, scope, bound }
    }

    fn with(&self, bound: &[IndexVariableId]) -> Self {
        let mut with = self.clone();
        with.bound.extend(bound);
        with
    }

    fn index(&self, index: IndexTerm) -> (IndexTypeId, usize) {
        match index {
            IndexTerm::Named(named) => (self.system.named[named.index()].index_type, 1 + named.index()),
            IndexTerm::Variable(variable) => {
                let place = self.bound.iter().position(|bound| *bound == variable);
                // Lowering uses no variable outside its binder; the fallback is one past the end and matches nothing.
                let place = place.unwrap_or(self.bound.len());
                (self.scope[variable.index()].index_type, 1 + self.system.named.len() + place)
            }
        }
    }

    fn side(&self, side: &Side) -> Term {
        match side {
            Side::Constant(constant) => Term::call("Cn", vec![Term::Number(u64::from(constant.0))]),
            Side::Zero => Term::call("Cn", vec![Term::Number(0)]),
            Side::Index(index) => {
                let (kind, position) = self.index(*index);
                Term::call("Ix", vec![index_type(kind), number(position)])
            }
            Side::Read(variable, arguments) => {
                let positions = arguments.iter().map(|argument| number(self.index(*argument).1));
                Term::call("Rd", vec![code(*variable), Term::List(positions.collect())])
            }
        }
    }

    /// A number as a term and an integer that is added to it: the rank of an element is its place and a constant.
    fn sum(&self, side: &Side) -> (Term, i64) {
        if let Side::Read(variable, arguments) = side
            && let Some(index_type) = translate::rank_of(self.system, *variable)
            && let [element] = arguments.as_slice()
        {
            let first = self.system.index_types[index_type.index()].first;
            return (self.side(&Side::Index(*element)), first.saturating_sub(1));
        }
        (self.side(side), 0)
    }

    /// That a number is at most another one plus an integer.
    fn at_most(&self, left: &Side, right: &Side, sum: i64) -> Term {
        let ((left, less), (right, more)) = (self.sum(left), self.sum(right));
        // No number of a well-formed system or cube is so great that a sum of three saturates.
        Term::call("Le", vec![left, right, Term::integer(sum.saturating_add(more).saturating_sub(less))])
    }

    /// A number plus an integer.
    fn plus(&self, side: &Side, added: i64) -> Term {
        let (side, more) = self.sum(side);
        Term::call("Tm", vec![Term::call("Pl", vec![side, Term::integer(added.saturating_add(more))])])
    }

    /// A formula, or its negation.
    fn formula(&self, formula: &Formula, positive: bool) -> Term {
        match (formula, positive) {
            (Formula::True, true) | (Formula::False, false) => Term::name("T"),
            (Formula::False, true) | (Formula::True, false) => Term::name("F"),
            (Formula::Equal(left, right), _) => self.equation(left, Comparison::equal_if(positive), right),
            (Formula::AtMost(left, right, sum), true) => self.at_most(left, right, *sum),
            (Formula::AtMost(left, right, sum), false) => self.at_most(right, left, sum.saturating_neg() - 1),
            (Formula::Not(inner), _) => self.formula(inner, !positive),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => self.chain("And", "T", parts, positive),
            (Formula::Or(parts), true) | (Formula::And(parts), false) => self.chain("Or", "F", parts, positive),
            (Formula::Forall(variable, body), true) | (Formula::Exists(variable, body), false) => {
                self.quantified("All", *variable, body, positive)
            }
            (Formula::Exists(variable, body), true) | (Formula::Forall(variable, body), false) => {
                self.quantified("Exi", *variable, body, positive)
            }
        }
    }

    fn quantified(&self, quantifier: &str, variable: IndexVariableId, body: &Formula, positive: bool) -> Term {
        let kind = self.scope[variable.index()].index_type;
        Term::call(quantifier, vec![index_type(kind), self.with(&[variable]).formula(body, positive)])
    }

    fn equation(&self, left: &Side, comparison: Comparison, right: &Side) -> Term {
        let word = match comparison {
            Comparison::Equal => "Eq",
            Comparison::Different => "Ne",
            Comparison::AtMost(sum) => return self.at_most(left, right, sum),
            Comparison::AtLeast(sum) => return self.at_most(right, left, sum.saturating_neg()),
        };
        Term::call(word, vec![self.side(left), self.side(right)])
    }

    fn literal(&self, literal: &Literal) -> Term {
        self.equation(&literal.left, literal.comparison, &literal.right)
    }

    fn chain(&self, operator: &str, empty: &str, parts: &[Formula], positive: bool) -> Term {
        chain(operator, empty, parts.iter().map(|part| self.formula(part, positive)).collect())
    }

    /// A value of a number, or of another state variable.
    fn value(&self, value: &Value, is_number: bool) -> Term {
        match value {
            Value::Term(side) if is_number => self.plus(side, 0),
            Value::Term(side) => Term::call("Tm", vec![self.side(side)]),
            Value::Arbitrary => Term::name(if is_number { "Free_num" } else { "Any" }),
            Value::Sum(side, added) => self.plus(side, *added),
            Value::If(condition, yes, no) => {
                let (yes, no) = (self.value(yes, is_number), self.value(no, is_number));
                Term::call("If", vec![self.formula(condition, true), yes, no])
            }
        }
    }

    fn update(&self, update: &Update) -> Term {
        let is_number = translate::is_number(self.system, update.variable);
        pair(code(update.variable), self.with(&update.arguments).value(&update.value, is_number))
    }
}

fn chain(operator: &str, empty: &str, parts: Vec<Term>) -> Term {
    let parts = parts.into_iter().rev();
    parts.reduce(|rest, first| Term::call(operator, vec![first, rest])).unwrap_or_else(|| Term::name(empty))
}

fn number(number: usize) -> Term {
    Term::Number(u64::try_from(number).unwrap_or(u64::MAX))
}

fn index_type(kind: IndexTypeId) -> Term {
    Term::Number(u64::from(kind.0))
}

fn types(kinds: impl Iterator<Item = IndexTypeId>) -> Term {
    Term::List(kinds.map(index_type).collect())
}

fn pair(left: Term, right: Term) -> Term {
    Term::Pair(Box::new(left), Box::new(right))
}

fn triple(first: Term, second: Term, third: Term) -> Term {
    pair(first, pair(second, third))
}

fn sort(sort: &Sort) -> Term {
    let constants = sort.constants.iter().map(|constant| Term::Number(u64::from(constant.0)));
    pair(types(sort.index_types.iter().copied()), Term::List(constants.collect()))
}

/// The types of a state variable's arguments, and its sort.
pub(super) fn kind(system: &System, variable: &Variable) -> Term {
    pair(types(variable.arguments.iter().copied()), sort(&system.sorts[variable.sort.index()]))
}

/// The state variables that the data have: all but the ranks, which are elements in the data.
pub(super) fn read_variables(system: &System) -> impl Iterator<Item = VariableId> {
    let variables = (0_u32..).map(VariableId).take(system.variables.len());
    variables.filter(|id| translate::rank_of(system, *id).is_none())
}

/// The cubes that no state satisfies under the assumptions: those of the axioms, and of bounds on which arguments split.
pub(super) fn all_excluded(source: Source<'_>, cuts: &Cuts) -> Vec<Cube> {
    let axioms = source.system.axioms.iter().flat_map(|axiom| &axiom.bad).cloned();
    axioms.chain(cuts.cubes(source.system)).collect()
}

fn parameters(scope: &[IndexVariable], count: u32) -> Term {
    types(scope.iter().zip(0..count).map(|(variable, _)| variable.index_type))
}

fn rule(system: &System, rule: &Rule) -> Term {
    let environment = Environment::new(system, &rule.scope, rule.parameters);
    let updates = rule.updates.iter().map(|update| environment.update(update)).collect();
    triple(parameters(&rule.scope, rule.parameters), environment.formula(&rule.guard, true), Term::List(updates))
}

fn startstate(system: &System, start: &Startstate) -> Term {
    let environment = Environment::new(system, &start.scope, start.parameters);
    let updates = start.updates.iter().map(|update| environment.update(update)).collect();
    triple(parameters(&start.scope, start.parameters), environment.formula(&start.guard, true), Term::List(updates))
}

fn cube(system: &System, cube: &Cube) -> Term {
    let scope = unnamed(&cube.variables);
    let bound = (0_u32..).map(IndexVariableId).take(scope.len()).collect();
    let environment = Environment::of(system, &scope, bound);
    let literals = cube.literals.iter().map(|literal| environment.literal(literal));
    let universals = cube.universals.iter().map(|part| universal(system, cube, part));
    pair(types(cube.variables.iter().copied()), chain("And", "T", literals.chain(universals).collect()))
}

/// A universal part: each choice of elements has a literal that holds, or is not of elements that are pairwise distinct
/// and distinct from those of the cube and from named ones.
fn universal(system: &System, cube: &Cube, part: &Universal) -> Term {
    let scope = unnamed(&[cube.variables.as_slice(), &part.variables].concat());
    let all = (0_u32..).map(IndexVariableId).take(scope.len()).collect::<Vec<_>>();
    let environment = Environment::of(system, &scope, all.clone());
    let named = (0_u32..).map(NamedId).take(system.named.len()).map(IndexTerm::Named);
    let mut earlier = named.chain(all.iter().map(|id| IndexTerm::Variable(*id))).collect::<Vec<_>>();
    let mut own = earlier.split_off(earlier.len() - part.variables.len());
    let mut parts = Vec::new();
    for variable in own.clone() {
        let alike = earlier.iter().filter(|other| environment.index(**other).0 == environment.index(variable).0);
        let equal =
            |other: &IndexTerm| environment.equation(&Side::Index(variable), Comparison::Equal, &Side::Index(*other));
        parts.extend(alike.map(equal));
        earlier.push(variable);
    }
    parts.extend(part.literals.iter().map(|literal| environment.literal(literal)));
    let body = chain("Or", "F", parts);
    own.reverse();
    own.into_iter()
        .fold(body, |body, variable| Term::call("All", vec![index_type(environment.index(variable).0), body]))
}

fn unnamed(kinds: &[IndexTypeId]) -> Vec<IndexVariable> {
    definitions::scope_of(kinds, &vec![String::new(); kinds.len()])
}

/// A part of a property: the types of its variables, and its body.
fn part(source: Source<'_>, scope: &[IndexVariable], part: &Part) -> Term {
    let (bound, body) = part;
    let kinds = types(bound.iter().map(|id| scope[id.index()].index_type));
    pair(kinds, Environment::of(source.system, scope, bound.clone()).formula(body, true))
}

fn positions(positions: &[usize]) -> Term {
    Term::List(positions.iter().map(|position| number(*position)).collect())
}

/// What to split on: a state variable, or, with a minus, the cube of an invariant.
fn split(on: SplitAt) -> Term {
    match on {
        SplitAt::Value(variable) => code(variable),
        SplitAt::Witness(invariant) => Term::integer(-1 - i64::from(invariant.0)),
    }
}

fn hint(hint: &Hint) -> Term {
    let splits = hint.splits.iter().map(|(on, symbols)| pair(split(*on), positions(symbols)));
    let premises = hint.premises.iter().map(|(invariant, at)| pair(number(invariant.index() + 1), positions(at)));
    pair(Term::List(splits.collect()), Term::List(premises.collect()))
}

fn all_hints(source: Source<'_>, position: usize, cuts: &Cuts) -> Vec<(InvariantId, hints::Matches)> {
    let entries = source.certificate.relations.iter().filter(|entry| entry.rule.index() == position);
    let entries = entries.cloned().collect::<Vec<_>>();
    let counts = |invariant: InvariantId| {
        let cube = &source.certificate.invariants[invariant.index()].cube;
        Counts { named: source.system.named.len(), variables: cube.variables.len() }
    };
    hints::of_rule(&entries, counts, cuts)
}

fn hints_term(hints: Vec<(InvariantId, hints::Matches)>) -> Term {
    let hints = hints.into_iter().map(|(invariant, matches)| {
        let matches = matches.iter().map(|(matching, found)| pair(positions(matching), hint(found)));
        pair(number(invariant.index() + 1), Term::List(matches.collect()))
    });
    Term::List(hints.collect())
}

fn names(source: Source<'_>, part: &str, count: usize) -> Vec<Term> {
    (0..count).map(|position| Term::name(numbered(source, part, position))).collect()
}

/// A definition.
fn define(name: &str, kind: &str, body: Term) -> String {
    text::definition(&definitions::Definition {
        name: name.to_owned(),
        signature: kind.to_owned(),
        equation: Term::infix(Infix::Equal, Term::name(name), body),
    })
}

/// The parts of all properties, each with the positions of the property and of the part.
pub(super) fn all_parts(source: Source<'_>) -> Vec<(usize, usize, Part)> {
    let properties = source.system.properties.iter().enumerate();
    let parts = properties.flat_map(|(number, property)| {
        let parts = properties::parts(&property.formula).into_iter().enumerate();
        parts.map(move |(position, part)| (number, position, part))
    });
    parts.collect()
}

/// The name of a property's part.
pub(super) fn part_name(source: Source<'_>, property: usize, position: usize) -> String {
    name(source, &format!("property_{}_part_{}", property + 1, position + 1))
}

/// The most premises that the rules of one theory should have, so that theories can be evaluated in parallel.
const PREMISES: usize = 200;

/// The theories with the data and their evaluations. If rules are evaluated one by one, they are in theories of their
/// own.
pub(super) fn theories(source: Source<'_>, evaluate: Evaluate) -> Result<Vec<File>, Fault> {
    let protocol = &source.words.protocol;
    let file = format!("{protocol}_Data");
    if evaluate.together() {
        let rules = rules(source).into_iter().map(|(_, rule)| rule).collect();
        return Ok(vec![(file, data(source, evaluate, rules)?)]);
    }
    let mut theories = vec![(file, data(source, evaluate, Vec::new())?)];
    let parts = text::in_parts(rules(source), PREMISES);
    let count = parts.len();
    for (part, rules) in (1_usize..).zip(parts) {
        let context = context! {
            protocol, part, parts => count, rules, prefix => prefix(source), method => evaluate.method(),
            extended => is_extended(source)
        };
        theories.push((format!("{protocol}_Rules_{part}"), text::render("evaluated", context)?));
    }
    Ok(theories)
}

/// What the templates need for each rule, with the number of its premises.
fn rules(source: Source<'_>) -> Vec<(usize, Json)> {
    let cuts = Cuts::of(source);
    let item = |(position, own)| {
        let hints = all_hints(source, position, &cuts);
        let premises = hints.iter().flat_map(|(_, matches)| matches).map(|(_, hint)| hint.premises.len()).sum();
        let texts = context! {
            name => numbered(source, "rule", position),
            hints_name => numbered(source, "hints", position),
            comment => definitions::rule_comment(own),
            definition => define(&numbered(source, "rule", position), "drule", rule(source.system, own)),
            hints => define(&numbered(source, "hints", position), "hints", hints_term(hints)),
        };
        (premises, texts)
    };
    source.system.rules.iter().enumerate().map(item).collect()
}

/// The list of all rules with their hints.
pub(super) fn rule_list(source: Source<'_>) -> String {
    let count = source.system.rules.len();
    let pairs = names(source, "rule", count).into_iter().zip(names(source, "hints", count));
    let pairs = pairs.map(|(rule, hints)| pair(rule, hints)).collect();
    define(&name(source, "rules"), "hinted_rules", Term::List(pairs))
}

/// The theory with the data, including the rules that it evaluates.
fn data(source: Source<'_>, evaluate: Evaluate, rules: Vec<Json>) -> Result<String, Fault> {
    let (system, certificate) = (source.system, source.certificate);
    let cuts = Cuts::of(source);
    let variables = |numbers| {
        let chosen = read_variables(system).filter(move |id| translate::is_number(system, *id) == numbers);
        Term::List(chosen.map(|id| pair(code(id), kind(system, &system.variables[id.index()]))).collect())
    };
    let named = types(system.named.iter().map(|named| named.index_type));
    let cubes = certificate.invariants.iter().enumerate().map(|(position, invariant)| {
        define(&numbered(source, "cube", position), "cube", cube(system, &invariant.cube))
    });
    let cube_list = names(source, "cube", certificate.invariants.len()).into_iter().zip(1_u64..);
    let cube_list = cube_list.map(|(cube, number)| pair(Term::Number(number), cube)).collect();
    let excluded = all_excluded(source, &cuts);
    let axioms = excluded
        .iter()
        .enumerate()
        .map(|(position, own)| define(&numbered(source, "axiom", position), "cube", cube(system, own)));
    let numbers = (certificate.invariants.len()..).skip(1);
    let axiom_list = names(source, "axiom", excluded.len()).into_iter().zip(numbers);
    let axiom_list = axiom_list.map(|(cube, at)| pair(number(at), cube)).collect();
    let starts = system.startstates.iter().enumerate().map(|(position, start)| {
        let comment = format!("Startstate \"{}\", line {}.", text::prose(&start.name), start.origin.line);
        let definition = define(&numbered(source, "start", position), "drule", startstate(system, start));
        context! { comment, definition }
    });
    let parts = all_parts(source).into_iter().map(|(number, position, own)| {
        let property = &system.properties[number];
        let name = part_name(source, number, position);
        context! {
            comment => format!("Property \"{}\", line {}.", text::prose(&property.name), property.origin.line),
            definition => define(&name, "part", part(source, &property.scope, &own)),
            premises => shown(&premises(source, number, &cuts)),
            name,
        }
    });
    let text = text::render(
        "data",
        context! {
            protocol => source.words.protocol,
            prefix => prefix(source),
            checker => evaluate.theory(),
            method => evaluate.method(),
            together => evaluate.together(),
            extended => is_extended(source),
            variables => define(&name(source, "vars"), "vars", variables(false)),
            numbers => define(&name(source, "numbers"), "vars", variables(true)),
            axioms => axioms.collect::<Vec<_>>(),
            axiom_list => define(&name(source, "axioms"), "cubes", Term::List(axiom_list)),
            named => define(&name(source, "named"), "nat list", named),
            cubes => cubes.collect::<Vec<_>>(),
            cube_list => define(&name(source, "cubes"), "cubes", Term::List(cube_list)),
            starts => starts.collect::<Vec<_>>(),
            start_list => define(&name(source, "starts"), "drule list", Term::List(names(source, "start", system.startstates.len()))),
            rules,
            rule_list => evaluate.together().then(|| rule_list(source)),
            parts => parts.collect::<Vec<_>>(),
            part_list => part_list(source, &cuts),
        },
    )?;
    Ok(text)
}

/// The parts of all properties, each with its premises.
fn part_list(source: Source<'_>, cuts: &Cuts) -> String {
    let parts = all_parts(source).into_iter().map(|(number, position, _)| {
        pair(Term::name(part_name(source, number, position)), premises(source, number, cuts))
    });
    define(&name(source, "parts"), "(part × part_hint) list", Term::List(parts.collect()))
}

/// The certificate's hints for a property: what to split on, in order, and the invariants that imply it.
fn premises(source: Source<'_>, property: usize, cuts: &Cuts) -> Term {
    let entries = source.certificate.properties.iter().filter(|entry| entry.property.index() == property);
    let (mut splits, mut used) = (Vec::new(), BTreeSet::new());
    for entry in entries {
        let (split, premises) = hints::names(&entry.argument, cuts);
        split.into_iter().for_each(|on| hints::push_new(&mut splits, on));
        used.extend(premises);
    }
    let used = used.into_iter().map(|used| number(used.index() + 1));
    pair(Term::List(splits.into_iter().map(split).collect()), Term::List(used.collect()))
}

/// A short term as text.
pub(super) fn shown(term: &Term) -> String {
    print::term(term, 0, 0)
}
