//! Why a property fails in the last state of a trace: which elements and which values violate it.
//!
//! These are the literals of the negated property that hold in the last state, with their values. The trace and the lowered system
//! of its model are connected by names. Where that finds nothing, nothing is said.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use system::front_end::Trace;
use system::notation::Notation;
use system::{Comparison, Cube, IndexTerm, IndexTypeId, Literal, NamedId, System, Term, VariableId};

/// Why the last state is bad.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Why {
    /// The line of the property or error; 0 if it is not known.
    pub line: u32,
    /// The property as the model states it, or as the system does; the line of the error.
    pub statement: String,
    /// The elements of the variables of the negated property.
    pub elements: Vec<(String, String)>,
    /// The literals that hold, with the elements in place of variables.
    pub literals: Vec<String>,
    /// The state variables that they read, with their values.
    pub cells: Vec<(String, String)>,
}

/// Values of state variables that are none.
const NO_VALUES: [&str; 2] = ["Undefined", "?"];

impl Why {
    /// Finds why a trace of a model with this text ends where it does.
    #[must_use]
    pub fn of(trace: &Trace, system: &System, text: &str) -> Self {
        if let Some(error) = &trace.error {
            let at = usize::try_from(error.line).unwrap_or(usize::MAX).saturating_sub(1);
            let statement = text.lines().nth(at).unwrap_or_default().trim().to_owned();
            return Self { line: error.line, statement, ..Self::default() };
        }
        let Some(property) = system.properties.iter().find(|own| own.name == trace.violates) else {
            return Self::default();
        };
        let notation = Notation::new(system);
        let slice = usize::try_from(property.origin.start).ok().zip(usize::try_from(property.origin.end).ok());
        let stated = slice.and_then(|(start, end)| text.get(start..end)).map(str::trim).unwrap_or_default();
        let statement = if stated.is_empty() {
            let (names, types): (Vec<String>, Vec<_>) =
                property.scope.iter().map(|variable| (variable.name.clone(), variable.index_type)).unzip();
            notation.formula(&property.formula, &names, &types).to_string()
        } else {
            stated.to_owned()
        };
        let last = Last::new(trace, &notation);
        let found = property.bad.iter().find_map(|cube| last.satisfying(cube).map(|elements| (cube, elements)));
        let why = Self { line: property.origin.line, statement, ..Self::default() };
        match found {
            Some((cube, elements)) => last.tell(cube, &elements, why),
            None => why,
        }
    }

    /// The names of the state variables that violate the property.
    #[must_use]
    pub fn variables(&self) -> BTreeSet<String> {
        self.cells.iter().map(|(variable, _)| variable.clone()).collect()
    }
}

/// The elements of each index type at which a trace has state variables.
pub(super) fn elements(trace: &Trace, system: &System) -> BTreeMap<IndexTypeId, BTreeSet<String>> {
    let notation = Notation::new(system);
    let (mut seen, mut elements) = (BTreeSet::new(), BTreeMap::<IndexTypeId, BTreeSet<String>>::new());
    for change in trace.steps.iter().flat_map(|step| &step.changes) {
        let fits = |(id, own): &(VariableId, &system::Variable)| {
            own.arguments.len() == change.elements.len()
                && notation.read_at(*id, &change.elements).to_string() == change.variable
        };
        let is_first = seen.insert(change.variable.as_str());
        let own = if is_first { (0..).map(VariableId).zip(&system.variables).find(fits) } else { None };
        let types = own.map(|(_, own)| own.arguments.as_slice()).unwrap_or_default();
        for (index_type, element) in types.iter().zip(&change.elements) {
            elements.entry(*index_type).or_default().insert(element.clone());
        }
    }
    elements
}

/// The last state of a trace.
struct Last<'a> {
    notation: &'a Notation<'a>,
    /// Each state variable with its value.
    values: BTreeMap<String, String>,
    /// The elements of each index type that occur.
    elements: BTreeMap<IndexTypeId, BTreeSet<String>>,
}

impl<'a> Last<'a> {
    fn new(trace: &Trace, notation: &'a Notation<'a>) -> Self {
        let changes = trace.steps.iter().flat_map(|step| &step.changes);
        let values = changes.map(|change| (change.variable.clone(), change.after.clone())).collect();
        Self { notation, values, elements: elements(trace, notation.system()) }
    }

    /// The element that has a name in the system. Where the model keeps it in a state variable, that one tells.
    fn named(&self, id: NamedId) -> &str {
        let name = self.notation.system().named[id.index()].name.as_str();
        self.values.get(name).map_or(name, String::as_str)
    }

    /// Elements for the variables of a cube for which its literals hold.
    fn satisfying(&self, cube: &Cube) -> Option<Vec<String>> {
        if !cube.universals.is_empty() {
            return None;
        }
        let mut chosen = Vec::new();
        self.choose(cube, &mut chosen).then_some(chosen)
    }

    fn choose(&self, cube: &Cube, chosen: &mut Vec<String>) -> bool {
        let Some(index_type) = cube.variables.get(chosen.len()) else {
            return cube.literals.iter().all(|literal| self.holds(literal, chosen));
        };
        let named = self.notation.system().named.iter().zip(0..).filter(|(own, _)| own.index_type == *index_type);
        let named: BTreeSet<&str> = named.map(|(_, number)| self.named(NamedId(number))).collect();
        for element in self.elements.get(index_type).into_iter().flatten() {
            let taken = chosen.iter().zip(&cube.variables).any(|(other, of)| of == index_type && other == element);
            if taken || named.contains(element.as_str()) {
                continue;
            }
            chosen.push(element.clone());
            if self.choose(cube, chosen) {
                return true;
            }
            chosen.pop();
        }
        false
    }

    fn element(&self, term: IndexTerm, chosen: &[String]) -> String {
        match term {
            IndexTerm::Variable(variable) => chosen[variable.index()].clone(),
            IndexTerm::Named(named) => self.named(named).to_owned(),
        }
    }

    /// The name of a state variable at elements.
    fn cell(&self, term: &Term, chosen: &[String]) -> Option<String> {
        let Term::Read(variable, arguments) = term else { return None };
        let elements: Vec<String> = arguments.iter().map(|argument| self.element(*argument, chosen)).collect();
        Some(self.notation.read_at(*variable, &elements).to_string())
    }

    fn value(&self, term: &Term, chosen: &[String]) -> Option<String> {
        let value = match term {
            Term::Constant(constant) => self.notation.system().constants[constant.index()].name.clone(),
            Term::Index(index) => self.element(*index, chosen),
            Term::Zero => "0".to_owned(),
            Term::Read(..) => self.values.get(&self.cell(term, chosen)?)?.clone(),
        };
        (!NO_VALUES.contains(&value.as_str())).then_some(value)
    }

    fn holds(&self, literal: &Literal, chosen: &[String]) -> bool {
        let values = self.value(&literal.left, chosen).zip(self.value(&literal.right, chosen));
        let Some((left, right)) = values else { return false };
        let difference = || left.parse::<i64>().ok()?.checked_sub(right.parse().ok()?);
        match literal.comparison {
            Comparison::Equal => left.eq_ignore_ascii_case(&right),
            Comparison::Different => !left.eq_ignore_ascii_case(&right),
            Comparison::AtMost(_) | Comparison::AtLeast(_) => {
                difference().is_some_and(|difference| literal.comparison.holds_of_numbers(difference))
            }
        }
    }

    fn tell(&self, cube: &Cube, chosen: &[String], why: Why) -> Why {
        let names = self.notation.names(&cube.variables);
        let mut cells: Vec<(String, String)> = Vec::new();
        for term in cube.literals.iter().flat_map(|literal| [&literal.left, &literal.right]) {
            let cell = self.cell(term, chosen).and_then(|cell| Some((cell.clone(), self.values.get(&cell)?.clone())));
            cells.extend(cell.filter(|cell| !cells.contains(cell)));
        }
        Why {
            elements: names.into_iter().zip(chosen.iter().cloned()).collect(),
            literals: cube.literals.iter().map(|own| self.notation.literal(own, chosen).to_string()).collect(),
            cells,
            ..why
        }
    }
}
