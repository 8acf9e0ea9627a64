//! Checks the invariants of a system that the types of [the crate](crate) cannot express.
//!
//! Ids are in range, names are unique, index variables are bound exactly once and used only where they are bound,
//! arguments have the right number and types, guards and conditions have the required form, updates are ascending and
//! stay within the sorts of their variables, and startstates read no state variable. The certificate checker runs these
//! checks before anything else and relies on them. This module does not judge whether a system means what its Murphi
//! text means, and does not depend on how the lowering works.

use crate::{
    Axiom, Comparison, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, Literal, Sort, Term,
    Update, Value, VariableId,
};
use crate::{NUMBER_LIMIT, System};

/// Formulas and values that are nested more deeply are rejected, which bounds recursion over them.
pub const DEPTH_LIMIT: usize = 400;

type Checked = Result<(), &'static str>;

/// Returns a description of every violation; the list is empty if the system is well-formed.
///
/// A fault in one of the tables that everything else refers to is reported alone.
#[must_use]
pub fn problems(system: &System) -> Vec<String> {
    if let Err(problem) = tables(system) {
        return vec![problem.to_owned()];
    }
    let mut problems = Vec::new();
    let mut note = |what: String, checked: Checked| {
        if let Err(problem) = checked {
            problems.push(format!("{what}: {problem}"));
        }
    };
    for rule in &system.rules {
        let scope = Scope::new(system, &rule.scope, rule.parameters);
        let checked = scope.and_then(|scope| scope.rule(&rule.guard, &rule.updates));
        note(format!("rule \"{}\" (line {})", rule.name, rule.origin.line), checked);
    }
    for start in &system.startstates {
        let scope = Scope::new(system, &start.scope, start.parameters);
        let checked = scope.and_then(|scope| scope.startstate(&start.guard, &start.updates));
        note(format!("startstate \"{}\" (line {})", start.name, start.origin.line), checked);
    }
    for property in &system.properties {
        for (number, bad) in property.bad.iter().enumerate() {
            note(format!("property \"{}\", cube {number}", property.name), cube(system, bad));
        }
        let what = format!("property \"{}\" (line {})", property.name, property.origin.line);
        note(what, closed_and_typed(system, &property.scope, &property.formula));
    }
    for axiom in &system.axioms {
        for (number, bad) in axiom.bad.iter().enumerate() {
            note(format!("assumption \"{}\", cube {number}", axiom.name), cube(system, bad));
        }
        let what = format!("assumption \"{}\" (line {})", axiom.name, axiom.origin.line);
        let checked = closed_and_typed(system, &axiom.scope, &axiom.formula);
        note(what, checked.and_then(|()| immutability(system, axiom)));
    }
    problems
}

/// Checks that the literals and universal parts of a cube are well-typed, but not that they are in normal form.
///
/// # Errors
/// Returns a description of the first fault.
pub fn cube(system: &System, cube: &Cube) -> Result<(), &'static str> {
    literals(system, &cube.variables, &cube.literals)?;
    cube.universals.iter().try_for_each(|universal| {
        if !universal.variables.is_sorted() {
            return Err("the types of a universal part are not ascending");
        }
        if universal.variables.is_empty() {
            return Err("a universal part has no variable");
        }
        literals(system, &[&cube.variables[..], &universal.variables].concat(), &universal.literals)
    })
}

fn literals(system: &System, variables: &[IndexTypeId], literals: &[Literal]) -> Checked {
    if !variables.iter().all(|index_type| index_type.index() < system.index_types.len()) {
        return Err("a variable has a type that does not exist");
    }
    let scope = Scope { system, types: variables.to_vec(), bound: vec![true; variables.len()] };
    literals.iter().try_for_each(|literal| {
        scope.term(&literal.left)?;
        scope.term(&literal.right)?;
        match literal.comparison {
            Comparison::AtMost(sum) | Comparison::AtLeast(sum) => {
                return scope.bound(&literal.left, &literal.right, sum);
            }
            Comparison::Equal | Comparison::Different => {}
        }
        if scope.shares_a_value(&literal.left, &literal.right) {
            Ok(())
        } else {
            Err("two sides of a literal share no value")
        }
    })
}

/// Checks that the formula of a property or assumption is closed and well-typed. It may have quantifiers anywhere.
fn closed_and_typed(system: &System, scope: &[IndexVariable], formula: &Formula) -> Checked {
    Scope::new(system, scope, 0)?.formula(formula, Form::Any, DEPTH_LIMIT)
}

fn immutability(system: &System, axiom: &Axiom) -> Checked {
    if axiom.immutable == system.is_immutable(&axiom.formula) {
        Ok(())
    } else {
        Err("whether a rule writes what an assumption reads is wrong")
    }
}

fn tables(system: &System) -> Checked {
    unique(system.index_types.iter().map(|own| &own.name), "two index types have the same name")?;
    unique(system.constants.iter().map(|own| &own.name), "two constants have the same name")?;
    unique(system.variables.iter().map(|own| &own.name), "two state variables have the same name")?;
    let named = system.named.iter().map(|own| (own.index_type, &own.name));
    unique(named, "two named elements of one type have the same name")?;
    let types = system.index_types.len();
    let known = |index_type: &IndexTypeId| index_type.index() < types;
    if !system.named.iter().all(|named| known(&named.index_type)) {
        return Err("a named element has a type that does not exist");
    }
    for sort in &system.sorts {
        let ascending = sort.index_types.windows(2).all(|pair| pair[0] < pair[1]);
        let mut constants = sort.constants.clone();
        constants.sort_unstable();
        let distinct = constants.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || !distinct || !sort.index_types.iter().all(known) {
            return Err("the types or constants of a sort do not exist, or occur twice");
        }
        if !sort.constants.iter().all(|constant| constant.index() < system.constants.len()) {
            return Err("a constant of a sort does not exist");
        }
        match (sort.numbers, sort.constants.is_empty() && sort.index_types.is_empty()) {
            (None, true) => return Err("a sort has no value"),
            (Some(_), false) => return Err("a sort of numbers has other values"),
            (Some(numbers), true) if numbers.low > numbers.high => return Err("a sort of numbers has no number"),
            (Some(numbers), true) if !within_limit(numbers.low) || !within_limit(numbers.high) => {
                return Err("a number is too great");
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    for variable in &system.variables {
        if variable.sort.index() >= system.sorts.len() || !variable.arguments.iter().all(known) {
            return Err("a state variable has a sort or an argument type that does not exist");
        }
    }
    Ok(())
}

fn within_limit(number: i64) -> bool {
    (-NUMBER_LIMIT..=NUMBER_LIMIT).contains(&number)
}

/// Checks that names are unique, since certificates refer to these things by name.
fn unique<T: Ord>(names: impl Iterator<Item = T>, problem: &'static str) -> Checked {
    let mut names: Vec<T> = names.collect();
    names.sort();
    if names.windows(2).all(|pair| pair[0] < pair[1]) { Ok(()) } else { Err(problem) }
}

/// The index variables that may be used.
#[derive(Clone)]
struct Scope<'a> {
    system: &'a System,
    types: Vec<IndexTypeId>,
    bound: Vec<bool>,
}

/// The form that a formula must have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A guard: only equations are negated, and there is no `exists`.
    Guard,
    /// A condition: there is no quantifier.
    Condition,
    /// A property: there is no restriction.
    Any,
}

impl<'a> Scope<'a> {
    fn new(system: &'a System, scope: &[IndexVariable], parameters: u32) -> Result<Self, &'static str> {
        let types: Vec<IndexTypeId> = scope.iter().map(|variable| variable.index_type).collect();
        if !types.iter().all(|index_type| index_type.index() < system.index_types.len()) {
            return Err("an index variable has a type that does not exist");
        }
        match usize::try_from(parameters) {
            Ok(count) if count <= scope.len() => {
                Ok(Self { system, types, bound: (0..scope.len()).map(|position| position < count).collect() })
            }
            _ => Err("more parameters than index variables"),
        }
    }

    fn rule(&self, guard: &Formula, updates: &[Update]) -> Checked {
        self.formula(guard, Form::Guard, DEPTH_LIMIT)?;
        if !updates.windows(2).all(|pair| pair[0].variable < pair[1].variable) {
            return Err("updates are not ascending by state variable");
        }
        updates.iter().try_for_each(|update| self.update(update))
    }

    fn startstate(&self, guard: &Formula, updates: &[Update]) -> Checked {
        self.rule(guard, updates)?;
        let mut ids = (0..).map(VariableId).take(self.system.variables.len());
        let is_given = |id: VariableId| {
            updates.binary_search_by_key(&id, |update| update.variable).is_ok() || self.system.is_parameter(id)
        };
        if !ids.all(is_given) {
            return Err("a startstate does not update a state variable that is no parameter");
        }
        if reads_in_formula(guard) || updates.iter().any(|update| reads_in_value(&update.value)) {
            return Err("a startstate reads a state variable");
        }
        Ok(())
    }

    fn update(&self, update: &Update) -> Checked {
        let variable = self.system.variables.get(update.variable.index()).ok_or("an unknown variable is updated")?;
        let mut inner = self.clone();
        for argument in &update.arguments {
            inner.bind(*argument)?;
        }
        let types: Option<Vec<IndexTypeId>> =
            update.arguments.iter().map(|argument| self.types.get(argument.index()).copied()).collect();
        if types.as_ref() != Some(&variable.arguments) {
            return Err("the arguments of an update do not have the types that the state variable requires");
        }
        let sort = self.system.sort_of(update.variable);
        inner.value(&update.value, sort, DEPTH_LIMIT)
    }

    fn value(&self, value: &Value, sort: &Sort, depth: usize) -> Checked {
        let depth = depth.checked_sub(1).ok_or("a value is nested too deeply")?;
        match value {
            Value::Arbitrary => Ok(()),
            Value::Term(term) => {
                self.term(term)?;
                if self.stays_within(term, sort) { Ok(()) } else { Err("an update leaves the sort of its variable") }
            }
            Value::Sum(term, number) => {
                self.term(term)?;
                if !self.is_number(term) || sort.numbers.is_none() {
                    return Err("a sum is not a number, or its variable has no numbers");
                }
                if within_limit(*number) { Ok(()) } else { Err("a number is too great") }
            }
            Value::If(condition, then, otherwise) => {
                self.formula(condition, Form::Condition, depth)?;
                self.value(then, sort, depth)?;
                self.value(otherwise, sort, depth)
            }
        }
    }

    /// Returns whether all values of a well-formed term belong to the sort.
    fn stays_within(&self, term: &Term, sort: &Sort) -> bool {
        match term {
            Term::Constant(constant) => sort.constants.contains(constant),
            Term::Index(index) => self.type_of(*index).is_ok_and(|own| sort.index_types.contains(&own)),
            Term::Read(variable, _) => {
                let own = self.system.sort_of(*variable);
                own.index_types.iter().all(|index_type| sort.index_types.contains(index_type))
                    && own.constants.iter().all(|constant| sort.constants.contains(constant))
                    && own.numbers.is_some() == sort.numbers.is_some()
            }
            Term::Zero => sort.numbers.is_some(),
        }
    }

    /// Returns whether a well-formed term is a number.
    fn is_number(&self, term: &Term) -> bool {
        match term {
            Term::Zero => true,
            Term::Read(variable, _) => self.system.sort_of(*variable).numbers.is_some(),
            Term::Constant(_) | Term::Index(_) => false,
        }
    }

    fn bound(&self, left: &Term, right: &Term, sum: i64) -> Checked {
        if !self.is_number(left) || !self.is_number(right) {
            return Err("a bound compares something that is not a number");
        }
        if within_limit(sum) { Ok(()) } else { Err("a number is too great") }
    }

    /// Returns whether the sorts of two well-formed terms allow them to be equal. An equation that no state satisfies
    /// must not be written as an equation.
    fn shares_a_value(&self, left: &Term, right: &Term) -> bool {
        match (left, right) {
            (Term::Constant(one), Term::Constant(other)) => one == other,
            (Term::Index(one), Term::Index(other)) => self.type_of(*one) == self.type_of(*other),
            (Term::Constant(_), Term::Index(_)) | (Term::Index(_), Term::Constant(_)) => false,
            // Numbers are compared by bounds.
            (Term::Zero, _) | (_, Term::Zero) => false,
            (Term::Read(variable, _), Term::Read(other, _)) => {
                let (one, other) = (self.system.sort_of(*variable), self.system.sort_of(*other));
                one.index_types.iter().any(|index_type| other.index_types.contains(index_type))
                    || one.constants.iter().any(|constant| other.constants.contains(constant))
            }
            (Term::Read(variable, _), value) | (value, Term::Read(variable, _)) => {
                self.stays_within(value, self.system.sort_of(*variable))
            }
        }
    }

    fn formula(&self, formula: &Formula, form: Form, depth: usize) -> Checked {
        let depth = depth.checked_sub(1).ok_or("a formula is nested too deeply")?;
        match formula {
            Formula::True | Formula::False => Ok(()),
            Formula::Equal(left, right) => {
                self.term(left)?;
                self.term(right)?;
                if self.shares_a_value(left, right) { Ok(()) } else { Err("two sides of an equation share no value") }
            }
            Formula::AtMost(left, right, sum) => {
                self.term(left)?;
                self.term(right)?;
                self.bound(left, right, *sum)
            }
            Formula::Not(inner) => {
                if form == Form::Guard && !matches!(**inner, Formula::Equal(..)) {
                    return Err("a guard is not in negation normal form");
                }
                self.formula(inner, form, depth)
            }
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().try_for_each(|part| self.formula(part, form, depth))
            }
            Formula::Forall(variable, body) | Formula::Exists(variable, body)
                if form == Form::Any || (form == Form::Guard && matches!(formula, Formula::Forall(..))) =>
            {
                let mut inner = self.clone();
                inner.bind(*variable)?;
                inner.formula(body, form, depth)
            }
            Formula::Forall(..) | Formula::Exists(..) => Err("a quantifier where none is allowed"),
        }
    }

    fn bind(&mut self, variable: IndexVariableId) -> Checked {
        match self.bound.get_mut(variable.index()) {
            None => Err("a bound variable that is not in the scope"),
            Some(bound) if *bound => Err("a variable is bound twice"),
            Some(bound) => {
                *bound = true;
                Ok(())
            }
        }
    }

    fn term(&self, term: &Term) -> Checked {
        match term {
            Term::Constant(constant) if constant.index() < self.system.constants.len() => Ok(()),
            Term::Constant(_) => Err("a constant that does not exist"),
            Term::Zero => Ok(()),
            Term::Index(index) => self.type_of(*index).map(|_| ()),
            Term::Read(variable, arguments) => {
                let variable =
                    self.system.variables.get(variable.index()).ok_or("a state variable that does not exist")?;
                let types = arguments.iter().map(|index| self.type_of(*index)).collect::<Result<Vec<_>, _>>()?;
                if types == variable.arguments { Ok(()) } else { Err("arguments of the wrong number or types") }
            }
        }
    }

    fn type_of(&self, index: IndexTerm) -> Result<IndexTypeId, &'static str> {
        match index {
            IndexTerm::Named(named) => {
                let named = self.system.named.get(named.index()).ok_or("a named element that does not exist")?;
                Ok(named.index_type)
            }
            IndexTerm::Variable(variable) => match self.bound.get(variable.index()) {
                Some(true) => self.types.get(variable.index()).copied().ok_or("an index variable without a type"),
                _ => Err("an index variable is used outside its quantifier"),
            },
        }
    }
}

fn is_read(term: &Term) -> bool {
    matches!(term, Term::Read(..))
}

fn reads_in_formula(formula: &Formula) -> bool {
    match formula {
        Formula::True | Formula::False => false,
        Formula::Equal(left, right) | Formula::AtMost(left, right, _) => is_read(left) || is_read(right),
        Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => reads_in_formula(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(reads_in_formula),
    }
}

fn reads_in_value(value: &Value) -> bool {
    match value {
        Value::Arbitrary => false,
        Value::Term(term) | Value::Sum(term, _) => is_read(term),
        Value::If(condition, then, otherwise) => {
            reads_in_formula(condition) || reads_in_value(then) || reads_in_value(otherwise)
        }
    }
}
