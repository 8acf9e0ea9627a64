//! Obligations as formulas of Z3.
//!
//! Every value is an integer: constants are their positions, and the elements of each index type have an interval of
//! their own. A read at symbols is an integer variable in the domain of its sort. Different symbols are different
//! numbers, so no congruence axioms are needed.

use std::collections::BTreeMap;

use certificate::proof::{Argument, Certificate, InvariantId, Match, SplitOn, Symbol};
use system::System;
use system::{
    Comparison, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Literal, Rule, Startstate, Term,
    Transition, Value, VariableId,
};
use z3::ast::{Bool, Int};
use z3::{SatResult, Solver};

use super::{matches, symbol_order};

/// The answer of Z3 for an obligation.
pub(super) enum Answer {
    Closed,
    Open(Vec<String>),
    Unknown,
}

/// The size of the interval for the elements of one index type.
const INTERVAL: u64 = 1 << 32;

/// An element in an obligation.
#[derive(Clone)]
enum Element {
    Symbol(Symbol, IndexTypeId),
    /// The value of a read if it is none of the symbols, with a number of its own.
    Fresh(u32, Int),
}

/// The elements of the index variables of a scope.
type Scope = BTreeMap<IndexVariableId, Element>;

/// Encodes the obligations about one system in one solver.
pub(super) struct Encoder<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    solver: Solver,
    reads: BTreeMap<String, (Int, VariableId)>,
    fresh: u32,
    arbitrary: u32,
}

/// The symbols of the current obligation by type.
struct Symbols<'t> {
    variables: Vec<IndexTypeId>,
    others: Vec<IndexTypeId>,
    /// The guard with its scope, if the obligation is about a transition.
    guard: Option<(&'t Transition, Scope)>,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(system: &'a System, certificate: &'a Certificate) -> Self {
        Self { system, certificate, solver: Solver::new(), reads: BTreeMap::new(), fresh: 0, arbitrary: 0 }
    }

    /// Checks that the rule preserves the invariant in this match, given what the certificate names.
    pub(super) fn rule(&mut self, rule: &Rule, of: InvariantId, matching: &Match, named: &[&Argument]) -> Answer {
        let cube = &self.certificate.invariants[of.index()].cube;
        let (symbols, mut facts) = self.violated_after(rule, cube, matching);
        facts.push(!self.cube(cube, &identity(cube)));
        for argument in named {
            self.premises(argument, &symbols, &BTreeMap::new(), &[], &mut facts);
        }
        self.ask(&facts)
    }

    /// Checks that the invariant holds after the startstate in this match.
    pub(super) fn startstate(&mut self, start: &Startstate, of: InvariantId, matching: &Match) -> Answer {
        let cube = &self.certificate.invariants[of.index()].cube;
        let (_, facts) = self.violated_after(start, cube, matching);
        self.ask(&facts)
    }

    /// Asserts that the transition is enabled and leads into the cube.
    fn violated_after<'t>(
        &mut self,
        transition: &'t Transition,
        cube: &Cube,
        matching: &Match,
    ) -> (Symbols<'t>, Vec<Bool>) {
        let others = matches::others(&transition.scope, matching);
        let scope = parameters(&transition.scope, matching);
        let guard = Some((transition, scope.clone()));
        let symbols = Symbols { variables: cube.variables.clone(), others, guard };
        let mut facts = vec![self.formula(&transition.guard, &scope, &transition.scope, &symbols)];
        facts.extend(self.after(cube, transition, &scope, &symbols));
        (symbols, facts)
    }

    /// Checks that the named invariants exclude the cube.
    pub(super) fn property(&mut self, cube: &Cube, named: Option<&Argument>) -> Answer {
        let symbols = Symbols { variables: cube.variables.clone(), others: Vec::new(), guard: None };
        let mut facts = vec![self.cube(cube, &identity(cube))];
        if let Some(argument) = named {
            self.premises(argument, &symbols, &BTreeMap::new(), &[], &mut facts);
        }
        self.ask(&facts)
    }

    /// Returns the cube after a transition.
    fn after(&mut self, cube: &Cube, transition: &Transition, scope: &Scope, symbols: &Symbols<'_>) -> Vec<Bool> {
        let elements = identity(cube);
        cube.literals
            .iter()
            .map(|literal| {
                let mut side = |term: &Term| match term {
                    Term::Read(variable, arguments) => {
                        let arguments: Vec<Element> =
                            arguments.iter().map(|argument| self.element(*argument, &elements)).collect();
                        self.updated(*variable, &arguments, transition, scope, symbols)
                    }
                    Term::Constant(_) | Term::Index(_) | Term::Zero => self.term(term, &elements),
                };
                let (left, right) = (side(&literal.left), side(&literal.right));
                comparison(&left, literal.comparison, &right)
            })
            .collect()
    }

    fn updated(
        &mut self,
        variable: VariableId,
        arguments: &[Element],
        transition: &Transition,
        scope: &Scope,
        symbols: &Symbols<'_>,
    ) -> Int {
        let Some((value, bound)) = transition.value_at(variable, arguments) else {
            return self.read(variable, arguments);
        };
        let mut scope = scope.clone();
        scope.extend(bound.map(|(variable, element)| (variable, element.clone())));
        self.value(value, variable, &scope, &transition.scope, symbols)
    }

    fn value(
        &mut self,
        value: &Value,
        of: VariableId,
        scope: &Scope,
        types: &[IndexVariable],
        symbols: &Symbols<'_>,
    ) -> Int {
        match value {
            Value::Term(term) => self.term(term, scope),
            Value::Sum(term, number) => self.term(term, scope) + Int::from_i64(*number),
            Value::Arbitrary => {
                self.arbitrary += 1;
                let name = format!("arbitrary {}", self.arbitrary);
                let value = Int::new_const(name.clone());
                self.reads.insert(name, (value.clone(), of));
                value
            }
            Value::If(condition, then, otherwise) => {
                let condition = self.formula(condition, scope, types, symbols);
                let then = self.value(then, of, scope, types, symbols);
                let otherwise = self.value(otherwise, of, scope, types, symbols);
                condition.ite(&then, &otherwise)
            }
        }
    }

    /// Returns the formula with its universal quantifiers instantiated over the symbols. Since there may be more
    /// elements than instances, the result is weaker than the guard, so whatever follows from it follows from the
    /// guard.
    fn formula(&mut self, formula: &Formula, scope: &Scope, types: &[IndexVariable], symbols: &Symbols<'_>) -> Bool {
        match formula {
            Formula::True => Bool::from_bool(true),
            Formula::False => Bool::from_bool(false),
            Formula::Equal(left, right) => {
                let (left, right) = (self.term(left, scope), self.term(right, scope));
                left.eq(&right)
            }
            Formula::AtMost(left, right, sum) => {
                let (left, right) = (self.term(left, scope), self.term(right, scope));
                comparison(&left, Comparison::AtMost(*sum), &right)
            }
            Formula::Not(part) => !self.formula(part, scope, types, symbols),
            Formula::And(parts) => Bool::and(&self.formulas(parts, scope, types, symbols)),
            Formula::Or(parts) => Bool::or(&self.formulas(parts, scope, types, symbols)),
            Formula::Forall(variable, body) => {
                let over = types[variable.index()].index_type;
                let instances: Vec<Bool> =
                    matches::symbols_of_type(self.system, &symbols.variables, &symbols.others, over)
                        .into_iter()
                        .map(|symbol| {
                            let mut scope = scope.clone();
                            scope.insert(*variable, Element::Symbol(symbol, over));
                            self.formula(body, &scope, types, symbols)
                        })
                        .collect();
                Bool::and(&instances)
            }
            // A guard in normal form has no `exists`. The existence of an element says nothing about the symbols.
            Formula::Exists(..) => Bool::from_bool(true),
        }
    }

    fn formulas(
        &mut self,
        parts: &[Formula],
        scope: &Scope,
        types: &[IndexVariable],
        symbols: &Symbols<'_>,
    ) -> Vec<Bool> {
        parts.iter().map(|part| self.formula(part, scope, types, symbols)).collect()
    }

    /// Asserts the instances that an argument names, each as a fact. `others` are the elements of cases of splits, and
    /// `conditions` is what is assumed about them.
    fn premises(
        &mut self,
        argument: &Argument,
        symbols: &Symbols<'_>,
        others: &BTreeMap<u32, Element>,
        conditions: &[Bool],
        facts: &mut Vec<Bool>,
    ) {
        let resolve = |(symbol, over): (&Symbol, &IndexTypeId)| match symbol {
            Symbol::Other(number) if others.contains_key(number) => others[number].clone(),
            Symbol::Variable(_) | Symbol::Named(_) | Symbol::Other(_) => Element::Symbol(*symbol, *over),
        };
        for premise in &argument.premises {
            let Some(cube) = self.certificate.cube(self.system, premise.invariant) else { continue };
            let elements = premise.substitution.iter().zip(&cube.variables).map(resolve);
            let scope: Scope = (0..).map(IndexVariableId).zip(elements).collect();
            let excluded = !self.cube(cube, &scope);
            facts.push(Bool::and(conditions).implies(excluded));
        }
        let Some(split) = &argument.split else { return };
        let (variable, arguments) = match &split.on {
            SplitOn::Value(variable, arguments) => (variable, arguments),
            // The premises of both cases are facts.
            SplitOn::Bound(..) => {
                split.cases.iter().for_each(|case| self.premises(case, symbols, others, conditions, facts));
                return;
            }
            // A witness comes from universal parts, and a certificate with these is not encoded.
            SplitOn::Witness(_) => return,
        };
        let types = &self.system.variables[variable.index()].arguments;
        let arguments: Vec<Element> = arguments.iter().zip(types).map(resolve).collect();
        let value = self.read(*variable, &arguments);
        let sort = self.system.sort_of(*variable);
        let mut cases = split.cases.iter();
        for case in cases.by_ref().take(sort.constants.len()) {
            self.premises(case, symbols, others, conditions, facts);
        }
        for &over in &sort.index_types {
            let known = self.known(symbols, others, over);
            for case in cases.by_ref().take(known.len()) {
                self.premises(case, symbols, others, conditions, facts);
            }
            let Some(case) = cases.next() else { return };
            self.fresh += 1;
            let next = symbols.others.len() + others.len();
            let mut others = others.clone();
            others.insert(u32::try_from(next).expect("few"), Element::Fresh(self.fresh, value.clone()));
            let mut conditions = conditions.to_vec();
            conditions.push(self.in_interval(&value, over));
            conditions.extend(known.iter().map(|other| value.ne(other)));
            if let Some((transition, scope)) = &symbols.guard {
                let element = Element::Fresh(self.fresh, value.clone());
                let there = self.guard_at(&transition.guard, scope, &transition.scope, symbols, (&element, over));
                facts.push(Bool::and(&conditions).implies(there));
            }
            self.premises(case, symbols, &others, &conditions, facts);
        }
    }

    /// Returns what a guard in normal form says with its universal parts at this element only: it follows from the guard.
    fn guard_at(
        &mut self,
        guard: &Formula,
        scope: &Scope,
        types: &[IndexVariable],
        symbols: &Symbols<'_>,
        at: (&Element, IndexTypeId),
    ) -> Bool {
        let mut parts = |parts: &[Formula]| -> Vec<Bool> {
            parts.iter().map(|part| self.guard_at(part, scope, types, symbols, at)).collect()
        };
        match guard {
            Formula::And(all) => Bool::and(&parts(all)),
            Formula::Or(any) => Bool::or(&parts(any)),
            Formula::Forall(variable, body) if types[variable.index()].index_type == at.1 => {
                let mut scope = scope.clone();
                scope.insert(*variable, at.0.clone());
                self.formula(body, &scope, types, symbols)
            }
            Formula::Forall(..) | Formula::Exists(..) => Bool::from_bool(true),
            Formula::True | Formula::False | Formula::Equal(..) | Formula::AtMost(..) | Formula::Not(_) => {
                self.formula(guard, scope, types, symbols)
            }
        }
    }

    /// Returns the elements of a type that are known in a case of a split.
    fn known(&self, symbols: &Symbols<'_>, others: &BTreeMap<u32, Element>, over: IndexTypeId) -> Vec<Int> {
        let symbols = matches::symbols_of_type(self.system, &symbols.variables, &symbols.others, over);
        let fresh = others.values().filter_map(|element| match element {
            // An element of another type differs anyway.
            Element::Fresh(_, value) => Some(value.clone()),
            Element::Symbol(..) => None,
        });
        symbols.into_iter().map(|symbol| self.code(symbol, over)).chain(fresh).collect()
    }

    fn cube(&mut self, cube: &Cube, scope: &Scope) -> Bool {
        let literals: Vec<Bool> = cube.literals.iter().map(|literal| self.literal(literal, scope)).collect();
        Bool::and(&literals)
    }

    fn literal(&mut self, literal: &Literal, scope: &Scope) -> Bool {
        let (left, right) = (self.term(&literal.left, scope), self.term(&literal.right, scope));
        comparison(&left, literal.comparison, &right)
    }

    fn term(&mut self, term: &Term, scope: &Scope) -> Int {
        match term {
            Term::Constant(constant) => Int::from_u64(u64::from(constant.0)),
            Term::Zero => Int::from_u64(0),
            Term::Index(index) => match self.element(*index, scope) {
                Element::Fresh(_, value) => value,
                Element::Symbol(symbol, over) => self.code(symbol, over),
            },
            Term::Read(variable, arguments) => {
                let arguments: Vec<Element> = arguments.iter().map(|argument| self.element(*argument, scope)).collect();
                self.read(*variable, &arguments)
            }
        }
    }

    fn element(&self, term: IndexTerm, scope: &Scope) -> Element {
        match term {
            IndexTerm::Named(named) => {
                Element::Symbol(Symbol::Named(named), self.system.named[named.index()].index_type)
            }
            IndexTerm::Variable(variable) => {
                scope.get(&variable).cloned().expect("the scope has all variables that are free in its formulas")
            }
        }
    }

    fn read(&mut self, variable: VariableId, arguments: &[Element]) -> Int {
        let parts: Vec<String> = arguments
            .iter()
            .map(|argument| match argument {
                Element::Symbol(Symbol::Variable(number), _) => format!("v{number}"),
                Element::Symbol(Symbol::Named(named), _) => self.system.named[named.index()].name.clone(),
                Element::Symbol(Symbol::Other(number), _) => format!("o{number}"),
                Element::Fresh(number, _) => format!("f{number}"),
            })
            .collect();
        let name = format!("{}({})", self.system.variables[variable.index()].name, parts.join(","));
        let entry = self.reads.entry(name).or_insert_with_key(|name| (Int::new_const(name.clone()), variable));
        entry.0.clone()
    }

    fn ask(&mut self, facts: &[Bool]) -> Answer {
        self.solver.push();
        let reads = std::mem::take(&mut self.reads);
        for (value, variable) in reads.values() {
            let domain = self.domain(value, *variable);
            self.solver.assert(&domain);
        }
        for fact in facts {
            self.solver.assert(fact);
        }
        let answer = match self.solver.check() {
            SatResult::Unsat => Answer::Closed,
            SatResult::Sat => Answer::Open(self.values(&reads)),
            SatResult::Unknown => Answer::Unknown,
        };
        self.solver.pop(1);
        answer
    }

    fn values(&self, reads: &BTreeMap<String, (Int, VariableId)>) -> Vec<String> {
        let Some(model) = self.solver.get_model() else { return Vec::new() };
        let shown = reads.iter().filter_map(|(name, (value, variable))| {
            let value = model.eval(value, true)?;
            if self.system.sort_of(*variable).numbers.is_some() {
                return Some(format!("{name} = {}", value.as_i64()?));
            }
            let number = value.as_u64()?;
            let constant = usize::try_from(number).ok().and_then(|number| self.system.constants.get(number));
            let value = constant.map_or_else(|| format!("element {number}"), |constant| constant.name.clone());
            Some(format!("{name} = {value}"))
        });
        shown.collect()
    }

    fn domain(&self, value: &Int, variable: VariableId) -> Bool {
        let sort = self.system.sort_of(variable);
        if sort.numbers.is_some() {
            return Bool::from_bool(true);
        }
        let constants = sort.constants.iter().map(|constant| value.eq(number(u64::from(constant.0))));
        let elements = sort.index_types.iter().map(|&over| self.in_interval(value, over));
        Bool::or(&constants.chain(elements).collect::<Vec<_>>())
    }

    fn in_interval(&self, value: &Int, over: IndexTypeId) -> Bool {
        let first = self.first(over);
        Bool::and(&[value.ge(number(first)), value.lt(number(first + INTERVAL))])
    }

    fn first(&self, over: IndexTypeId) -> u64 {
        INTERVAL * (u64::from(over.0) + 1) + self.system.constants.len() as u64
    }

    /// Returns the number of a symbol.
    fn code(&self, symbol: Symbol, over: IndexTypeId) -> Int {
        let (kind, position) = symbol_order(symbol);
        number(self.first(over) + (u64::from(kind) << 24) + u64::from(position))
    }
}

fn parameters(scope: &[IndexVariable], matching: &Match) -> Scope {
    let elements =
        matching.0.iter().zip(scope).map(|(symbol, parameter)| Element::Symbol(*symbol, parameter.index_type));
    (0..).map(IndexVariableId).zip(elements).collect()
}

/// Maps each variable of a cube to itself as a symbol.
fn identity(cube: &Cube) -> Scope {
    let symbol = |(position, over): (u32, &IndexTypeId)| {
        (IndexVariableId(position), Element::Symbol(Symbol::Variable(position), *over))
    };
    (0..).zip(&cube.variables).map(symbol).collect()
}

fn number(value: u64) -> Int {
    Int::from_u64(value)
}

fn comparison(left: &Int, comparison: Comparison, right: &Int) -> Bool {
    match comparison {
        Comparison::AtMost(sum) => left.le(right + Int::from_i64(sum)),
        Comparison::AtLeast(sum) => left.ge(right + Int::from_i64(sum)),
        Comparison::Equal => left.eq(right),
        Comparison::Different => left.ne(right),
    }
}
