//! Formulas and values of the lowered system over the elements of the abstraction.
//!
//! An environment says whether each index variable is a shown element, a named element, or one of the others.
//! Everything that this decides is decided here. Nothing is approximated; the atoms may be about the state of elements
//! that are not shown.

use system::System;
use system::{Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, NamedId, Term, Value};

/// An element of an index type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Element {
    /// A named element; it is always shown.
    Named(NamedId),
    /// An element that is shown, called by the name of a parameter or bound variable. Two names may mean one element,
    /// and a name may mean a named element.
    Shown(String),
    /// One of the elements that are not shown. Different numbers are different elements.
    Other(IndexTypeId, u32),
    /// An element that is equal to none that anything else mentions.
    Generic,
}

impl Element {
    pub(crate) fn is_other(&self) -> bool {
        matches!(self, Self::Other(..))
    }
}

/// A term over elements of the abstraction.
pub(crate) type Datum = Term<Element>;

/// Whether it is the state of an element that is not shown.
pub(crate) fn is_hidden(datum: &Datum) -> bool {
    matches!(datum, Datum::Read(_, arguments) if arguments.iter().any(Element::is_other))
}

/// An equation or its negation. The left side is a read; an inequation with a value of a two-valued sort is written as
/// the equation with the other value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Equation {
    pub(crate) left: Datum,
    pub(crate) equal: bool,
    pub(crate) right: Datum,
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Known(bool),
    Equation(Equation),
    /// Two elements that are shown are, or are not, the same.
    Same(Element, bool, Element),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// For all elements of the type that are shown.
    Each(String, IndexTypeId, Box<Condition>),
}

/// The value that an update gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The variable keeps its value.
    Keep,
    /// The value of a term before the step.
    Datum(Datum),
    /// The variable becomes undefined.
    Arbitrary,
    If(Condition, Box<Outcome>, Box<Outcome>),
}

impl Condition {
    pub(crate) fn all(parts: Vec<Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::Known(true) => {}
                Self::Known(false) => return Self::Known(false),
                Self::All(more) => kept.extend(more),
                other => kept.push(other),
            }
        }
        match kept.pop() {
            None => Self::Known(true),
            Some(only) if kept.is_empty() => only,
            Some(last) => {
                kept.push(last);
                Self::All(kept)
            }
        }
    }

    pub(crate) fn any(parts: Vec<Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::Known(false) => {}
                Self::Known(true) => return Self::Known(true),
                Self::Any(more) => kept.extend(more),
                other => kept.push(other),
            }
        }
        match kept.pop() {
            None => Self::Known(false),
            Some(only) if kept.is_empty() => only,
            Some(last) => {
                kept.push(last);
                Self::Any(kept)
            }
        }
    }

    /// The parts of a conjunction.
    pub(crate) fn conjuncts(&self) -> Vec<&Self> {
        match self {
            Self::Known(true) => Vec::new(),
            Self::All(parts) => parts.iter().collect(),
            Self::Known(false) | Self::Equation(_) | Self::Same(..) | Self::Any(_) | Self::Each(..) => vec![self],
        }
    }

    /// Calls a function with each equation.
    pub(crate) fn visit<'c>(&'c self, see: &mut dyn FnMut(&'c Equation)) {
        match self {
            Self::Known(_) | Self::Same(..) => {}
            Self::Equation(equation) => see(equation),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.visit(see)),
            Self::Each(_, _, body) => body.visit(see),
        }
    }
}

impl Outcome {
    /// The value where the condition holds and the one where it does not; one of them where it is decided.
    fn choice(condition: Condition, yes: Self, no: Self) -> Self {
        match condition {
            Condition::Known(true) => yes,
            Condition::Known(false) => no,
            _ if yes == no => yes,
            open @ (Condition::Equation(_)
            | Condition::Same(..)
            | Condition::All(_)
            | Condition::Any(_)
            | Condition::Each(..)) => Self::If(open, Box::new(yes), Box::new(no)),
        }
    }
}

/// Turns pieces of the system into conditions. What a variable of the scope is, is in `elements`.
pub(crate) struct Resolver<'a> {
    pub(crate) system: &'a System,
    pub(crate) scope: &'a [IndexVariable],
    /// The names under which bound variables are shown.
    pub(crate) names: &'a [String],
    pub(crate) elements: Vec<Option<Element>>,
    /// The others that quantified variables are instantiated with.
    pub(crate) others: Vec<Element>,
}

impl Resolver<'_> {
    fn element(&self, term: IndexTerm) -> Element {
        match term {
            IndexTerm::Named(named) => Element::Named(named),
            IndexTerm::Variable(variable) => {
                let known = self.elements[variable.index()].clone();
                known.unwrap_or_else(|| Element::Shown(self.names[variable.index()].clone()))
            }
        }
    }

    pub(crate) fn datum(&self, term: &Term) -> Datum {
        term.map(&mut |element| self.element(*element))
    }

    /// The formula, or its negation.
    pub(crate) fn condition(&mut self, formula: &Formula, positive: bool) -> Condition {
        match (formula, positive) {
            (Formula::True, _) => Condition::Known(positive),
            (Formula::False, _) => Condition::Known(!positive),
            (Formula::Equal(left, right), _) => equation(self.system, self.datum(left), positive, self.datum(right)),
            (Formula::AtMost(..), _) => unreachable!("a protocol with numbers is refused"),
            (Formula::Not(part), _) => self.condition(part, !positive),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                Condition::all(parts.iter().map(|part| self.condition(part, positive)).collect())
            }
            (Formula::Or(parts), true) | (Formula::And(parts), false) => {
                Condition::any(parts.iter().map(|part| self.condition(part, positive)).collect())
            }
            (Formula::Forall(variable, body), true) | (Formula::Exists(variable, body), false) => {
                self.each(*variable, body, positive)
            }
            // Some element, shown or not, has the property: nothing follows for those that are shown.
            (Formula::Exists(..), true) | (Formula::Forall(..), false) => Condition::Known(true),
        }
    }

    /// For all elements: for those that are shown, and for those others that play a part in the rule.
    fn each(&mut self, variable: IndexVariableId, body: &Formula, positive: bool) -> Condition {
        let index_type = self.scope[variable.index()].index_type;
        let name = self.names[variable.index()].clone();
        self.elements[variable.index()] = Some(Element::Shown(name.clone()));
        let shown = self.condition(body, positive);
        let mut parts = match shown {
            Condition::Known(_) => vec![shown],
            open => vec![Condition::Each(name, index_type, Box::new(open))],
        };
        let others = self.others.clone();
        for other in others.iter().filter(|other| matches!(other, Element::Other(of, _) if *of == index_type)) {
            self.elements[variable.index()] = Some(other.clone());
            parts.push(self.condition(body, positive));
        }
        self.elements[variable.index()] = None;
        Condition::all(parts)
    }

    /// What an update gives to its variable at these arguments.
    pub(crate) fn outcome(&mut self, own: &Datum, value: &Value) -> Outcome {
        match value {
            Value::Arbitrary => Outcome::Arbitrary,
            Value::Sum(..) => unreachable!("a protocol with numbers is refused"),
            Value::Term(term) => {
                let datum = self.datum(term);
                if datum == *own { Outcome::Keep } else { Outcome::Datum(datum) }
            }
            Value::If(condition, yes, no) => {
                let condition = self.condition(condition, true);
                Outcome::choice(condition, self.outcome(own, yes), self.outcome(own, no))
            }
        }
    }
}

/// An equation between two terms, as far as it is not decided.
pub(crate) fn equation(system: &System, left: Datum, equal: bool, right: Datum) -> Condition {
    if left == right {
        return Condition::Known(equal);
    }
    let (left, right) = match (&left, &right) {
        (Datum::Read(..), Datum::Read(..)) if left > right => (right, left),
        (Datum::Constant(_) | Datum::Index(_), Datum::Read(..)) => (right, left),
        _ => (left, right),
    };
    match (&left, &right) {
        (Datum::Constant(_), _) | (Datum::Index(_), Datum::Constant(_)) => Condition::Known(!equal),
        (Datum::Index(one), Datum::Index(other)) => same(one, equal, other),
        (Datum::Index(_), Datum::Read(..)) => unreachable!("the read was put on the left"),
        (Datum::Zero, _) | (_, Datum::Zero) => unreachable!("a protocol with numbers is refused"),
        (Datum::Read(variable, _), Datum::Constant(constant)) => {
            let sort = system.sort_of(*variable);
            if !sort.constants.contains(constant) {
                return Condition::Known(!equal);
            }
            if let ([one, other], true, false) = (&sort.constants[..], sort.is_finite(), equal) {
                let value = if constant == one { *other } else { *one };
                return Condition::Equation(Equation { left, equal: true, right: Datum::Constant(value) });
            }
            Condition::Equation(Equation { left, equal, right })
        }
        (Datum::Read(..), Datum::Index(_) | Datum::Read(..)) => Condition::Equation(Equation { left, equal, right }),
    }
}

fn same(one: &Element, equal: bool, other: &Element) -> Condition {
    match (one, other) {
        (Element::Generic, _) | (_, Element::Generic) => Condition::Known(!equal),
        (Element::Named(_), Element::Named(_)) | (Element::Other(..), _) | (_, Element::Other(..)) => {
            Condition::Known((one == other) == equal)
        }
        (Element::Shown(_), _) | (_, Element::Shown(_)) => {
            let (one, other) = if one <= other { (other, one) } else { (one, other) };
            Condition::Same(one.clone(), equal, other.clone())
        }
    }
}
