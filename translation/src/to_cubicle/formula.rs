//! Formulas as disjunctions of conjunctions of literals in Cubicle's language.
//!
//! The disjunctive normal form decides comparisons of processes. A quantifier over all processes becomes a conjunction
//! over the parameters and a `forall_other`, since the parameters of a transition are pairwise distinct in this
//! language.

use std::collections::{BTreeMap, BTreeSet};

use system::{ConstantId, Formula, IndexTerm, IndexVariable, IndexVariableId, Term, VariableId};

use super::Refusal;
use super::names::{Kind, Names};

/// What an index variable denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// A parameter of the transition, different from all others.
    Parameter(String),
    /// A process that is not a parameter.
    Other(String),
    /// A value of an abstract type, held by this variable.
    Value(Kind, String),
}

/// What the index variables of a scope denote.
#[derive(Clone)]
pub(super) struct Meaning<'a> {
    pub(super) names: &'a Names<'a>,
    pub(super) scope: &'a [IndexVariable],
    /// The parameters of the transition.
    pub(super) parameters: Vec<String>,
    pub(super) elements: BTreeMap<IndexVariableId, Element>,
}

/// A conjunct.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    Literal {
        left: String,
        equal: bool,
        right: Word,
    },
    /// For all processes other than the parameters, one of the conjunctions holds.
    Others(String, Vec<Conjunction>),
}

/// The right-hand side of a literal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    Constant(String),
    Text(String),
}

/// A conjunction; the empty one is true.
pub(super) type Conjunction = BTreeSet<Atom>;

/// A side of an equation.
enum Side {
    Constant(ConstantId),
    Element(Element),
    Read(Kind, String),
}

/// An equation, decided or open.
enum Equation {
    Decided(bool),
    Open(Atom),
}

impl Meaning<'_> {
    pub(super) fn with(&self, variable: IndexVariableId, element: Element) -> Self {
        let mut meaning = self.clone();
        meaning.elements.insert(variable, element);
        meaning
    }

    pub(super) fn element(&self, term: IndexTerm) -> Result<&Element, Refusal> {
        match term {
            IndexTerm::Variable(variable) => self
                .elements
                .get(&variable)
                .ok_or_else(|| Refusal(format!("a value for {}", self.scope[variable.index()].name))),
            IndexTerm::Named(_) => Err(Refusal("a named element".to_owned())),
        }
    }

    /// Returns the text of a state variable at its arguments.
    pub(super) fn read(&self, variable: VariableId, arguments: &[IndexTerm]) -> Result<String, Refusal> {
        let arguments = arguments
            .iter()
            .map(|argument| match self.element(*argument)? {
                Element::Parameter(name) | Element::Other(name) => Ok(name.clone()),
                Element::Value(..) => Err(Refusal("an index that is no process".to_owned())),
            })
            .collect::<Result<Vec<String>, Refusal>>()?;
        let name = self.names.variable(variable);
        Ok(if arguments.is_empty() { name } else { format!("{name}[{}]", arguments.join(", ")) })
    }

    /// Returns the text of a term as a value of a kind.
    pub(super) fn term(&self, term: &Term, kind: &Kind) -> Result<String, Refusal> {
        let wrong = || Refusal("an assignment between different types".to_owned());
        match self.side(term)? {
            Side::Constant(constant) => self.names.constant(kind, constant).ok_or_else(wrong),
            Side::Element(Element::Parameter(name) | Element::Other(name)) if *kind == Kind::Process => Ok(name),
            Side::Element(Element::Value(of, name)) | Side::Read(of, name) if of == *kind => Ok(name),
            Side::Element(_) | Side::Read(..) => Err(wrong()),
        }
    }

    fn side(&self, term: &Term) -> Result<Side, Refusal> {
        Ok(match term {
            Term::Zero => return Err(Refusal("a number".to_owned())),
            Term::Constant(constant) => Side::Constant(*constant),
            Term::Index(index) => Side::Element(self.element(*index)?.clone()),
            Term::Read(variable, arguments) => {
                Side::Read(self.names.kind(*variable).clone(), self.read(*variable, arguments)?)
            }
        })
    }

    fn equation(&self, left: &Term, equal: bool, right: &Term) -> Result<Equation, Refusal> {
        let (left, right) = (self.side(left)?, self.side(right)?);
        Ok(match (left, right) {
            (Side::Constant(a), Side::Constant(b)) => Equation::Decided((a == b) == equal),
            (Side::Element(a), Side::Element(b)) => elements(&a, equal, &b),
            (Side::Read(kind, read), Side::Constant(constant)) | (Side::Constant(constant), Side::Read(kind, read)) => {
                self.valued(&kind, read, equal, constant)
            }
            (Side::Read(kind, read), Side::Element(element)) | (Side::Element(element), Side::Read(kind, read)) => {
                match element {
                    Element::Parameter(name) | Element::Other(name) if kind == Kind::Process => {
                        literal(read, equal, Word::Text(name))
                    }
                    Element::Value(of, name) if of == kind => literal(read, equal, Word::Text(name)),
                    Element::Parameter(_) | Element::Other(_) | Element::Value(..) => Equation::Decided(!equal),
                }
            }
            (Side::Read(a, left), Side::Read(b, right)) if a == b => {
                let (left, right) = if left <= right { (left, right) } else { (right, left) };
                if left == right { Equation::Decided(equal) } else { literal(left, equal, Word::Text(right)) }
            }
            (Side::Read(..), Side::Read(..)) => {
                return Err(Refusal("a comparison of variables of different types".to_owned()));
            }
            (Side::Constant(_), Side::Element(_)) | (Side::Element(_), Side::Constant(_)) => Equation::Decided(!equal),
        })
    }

    fn valued(&self, kind: &Kind, read: String, equal: bool, constant: ConstantId) -> Equation {
        let Some(value) = self.names.constant(kind, constant) else { return Equation::Decided(!equal) };
        if *kind == Kind::Boolean && !equal {
            let other = if value == "True" { "False" } else { "True" };
            return literal(read, true, Word::Constant(other.to_owned()));
        }
        literal(read, equal, Word::Constant(value))
    }

    /// Returns the disjunctive normal form of a formula or of its negation.
    pub(super) fn dnf(&self, formula: &Formula, positive: bool) -> Result<Vec<Conjunction>, Refusal> {
        let truth = |holds: bool| if holds { vec![Conjunction::new()] } else { Vec::new() };
        match (formula, positive) {
            (Formula::True, _) => Ok(truth(positive)),
            (Formula::False, _) => Ok(truth(!positive)),
            (Formula::Equal(left, right), _) => Ok(match self.equation(left, positive, right)? {
                Equation::Decided(holds) => truth(holds),
                Equation::Open(atom) => vec![Conjunction::from([atom])],
            }),
            (Formula::AtMost(..), _) => Err(Refusal("a comparison of numbers".to_owned())),
            (Formula::Not(inner), _) => self.dnf(inner, !positive),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                let parts = parts.iter().map(|part| self.dnf(part, positive)).collect::<Result<Vec<_>, _>>()?;
                Ok(parts.into_iter().fold(truth(true), |whole, part| product(&whole, &part)))
            }
            (Formula::Or(parts), true) | (Formula::And(parts), false) => {
                let parts = parts.iter().map(|part| self.dnf(part, positive)).collect::<Result<Vec<_>, _>>()?;
                Ok(reduced(parts.concat()))
            }
            (Formula::Forall(variable, body), true) | (Formula::Exists(variable, body), false) => {
                self.everywhere(*variable, body, positive)
            }
            (Formula::Exists(..), true) | (Formula::Forall(..), false) => {
                Err(Refusal("an existential quantifier in a guard".to_owned()))
            }
        }
    }

    fn everywhere(
        &self,
        variable: IndexVariableId,
        body: &Formula,
        positive: bool,
    ) -> Result<Vec<Conjunction>, Refusal> {
        if self.names.elements(self.scope[variable.index()].index_type) != Kind::Process {
            return Err(Refusal("a quantifier over data".to_owned()));
        }
        if self.elements.values().any(|element| matches!(element, Element::Other(_))) {
            return Err(Refusal("nested quantifiers in a guard".to_owned()));
        }
        let mut whole = vec![Conjunction::new()];
        for parameter in &self.parameters {
            let part = self.with(variable, Element::Parameter(parameter.clone())).dnf(body, positive)?;
            whole = product(&whole, &part);
        }
        let name = self.names.parameter(&self.scope[variable.index()].name, &self.parameters);
        let others = self.with(variable, Element::Other(name.clone())).dnf(body, positive)?;
        if others.is_empty() {
            return Err(Refusal("a guard that holds only where there is no other process".to_owned()));
        }
        if others.iter().any(Conjunction::is_empty) {
            return Ok(whole);
        }
        Ok(product(&whole, &[Conjunction::from([Atom::Others(name, others)])]))
    }
}

fn literal(left: String, equal: bool, right: Word) -> Equation {
    Equation::Open(Atom::Literal { left, equal, right })
}

fn elements(a: &Element, equal: bool, b: &Element) -> Equation {
    match (a, b) {
        _ if a == b => Equation::Decided(equal),
        (Element::Other(a), Element::Other(b)) | (Element::Value(_, a), Element::Value(_, b)) => {
            literal(a.clone(), equal, Word::Text(b.clone()))
        }
        (Element::Value(Kind::Process, value), Element::Parameter(name) | Element::Other(name))
        | (Element::Parameter(name) | Element::Other(name), Element::Value(Kind::Process, value)) => {
            literal(value.clone(), equal, Word::Text(name.clone()))
        }
        _ => Equation::Decided(!equal),
    }
}

/// Returns the conjunction of two disjunctions of conjunctions.
fn product(left: &[Conjunction], right: &[Conjunction]) -> Vec<Conjunction> {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| a | b));
    reduced(pairs.filter(|conjunction| !contradictory(conjunction)).collect())
}

/// Removes the conjunctions that another one includes.
fn reduced(conjunctions: Vec<Conjunction>) -> Vec<Conjunction> {
    let mut kept: Vec<Conjunction> = Vec::new();
    for conjunction in conjunctions {
        if kept.iter().any(|other| other.is_subset(&conjunction)) {
            continue;
        }
        kept.retain(|other| !conjunction.is_subset(other));
        kept.push(conjunction);
    }
    kept
}

/// Returns whether the form of two atoms shows that they cannot both hold.
pub(super) fn exclude(a: &Atom, b: &Atom) -> bool {
    let (Atom::Literal { left, equal, right }, Atom::Literal { left: left_b, equal: equal_b, right: right_b }) = (a, b)
    else {
        return false;
    };
    if left != left_b {
        return false;
    }
    match (right, right_b) {
        (Word::Constant(_), Word::Constant(_)) if *equal && *equal_b => right != right_b,
        _ => right == right_b && equal != equal_b,
    }
}

pub(super) fn contradictory(conjunction: &Conjunction) -> bool {
    conjunction.iter().any(|a| conjunction.iter().any(|b| exclude(a, b)))
}

/// Returns the text of a nonempty conjunction.
pub(super) fn text(conjunction: &Conjunction) -> String {
    let atoms: Vec<String> = conjunction.iter().map(atom_text).collect();
    atoms.join(" && ")
}

fn atom_text(atom: &Atom) -> String {
    match atom {
        Atom::Literal { left, equal, right: Word::Constant(right) | Word::Text(right) } => {
            format!("{left} {} {right}", if *equal { "=" } else { "<>" })
        }
        Atom::Others(name, cases) => {
            let cases: Vec<String> = cases.iter().map(|case| format!("({})", text(case))).collect();
            format!("(forall_other {name}. ({}))", cases.join(" || "))
        }
    }
}
