//! The words for what the kernel finds.

use std::fmt;

use serde::{Serialize, Serializer};
use system::notation::Expression;
use system::{Cube, PathStep, System};

use crate::kernel::branches::BRANCH_LIMIT;
use crate::kernel::fault::{Kind, Place, Problem, Refusal, Step};
use crate::kernel::ground::{Datum, Equation, Ground, Read, Side, variables, well_formed};
use crate::kernel::obligations::MATCH_LIMIT;
use crate::kernel::proof::{Certificate, InvariantId, Match, Symbol, SymbolTypes};

impl Kind {
    /// The name in certificates.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HoldsAfter => "holds_after",
            Self::Unaffected => "unaffected",
            Self::Implied => "implied",
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyMatches => write!(f, "more than {MATCH_LIMIT} matches of the rule's parameters"),
            Self::TooManyBranches => write!(f, "more than {BRANCH_LIMIT} branches in one match"),
            Self::Malformed(what) => write!(f, "the system or the cube is not well-formed: {what}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest { due, found } => {
                write!(f, "the certificate is for another model: its digest is {found}, that of the model is {due}")
            }
            Self::Settings { due, found } => {
                write!(f, "the certificate is for other settings: {found:?}, where the model was read with {due:?}")
            }
            Self::System(what) => write!(f, "the lowered model is not well-formed: {what}"),
            Self::Cube(what) => write!(f, "the invariant is not well-formed: {what}"),
            Self::Origin => f.write_str("the origin of the invariant does not exist"),
            Self::Missing => f.write_str("there is no entry for this obligation"),
            Self::Extra => f.write_str("there is no such obligation"),
            Self::Doubled => f.write_str("there is more than one entry for this obligation"),
            Self::Disordered => {
                f.write_str("the entry is out of order: entries are ordered by rule, invariant, match and branch")
            }
            Self::Refused(refusal) => write!(f, "the obligations cannot be listed: {refusal}"),
            Self::InitialOpen => f.write_str("the startstate may have the bad state: a branch remains"),
            Self::Kind { due, found } => write!(f, "the relation is {}, not {}", due.name(), found.name()),
            Self::BehindEnd => f.write_str("the argument has ended already; nothing may follow"),
            Self::Unfinished => f.write_str("the argument ends without a contradiction"),
            Self::BadSplit { .. } => f.write_str(
                "the split is not on a state variable with the right arguments, or it is on the value of a number, or on a \
                 bound of something else",
            ),
            Self::Cases { due, found } => {
                write!(f, "the split has {} for {}", counted(*found, "case"), counted(*due, "value"))
            }
            Self::Interrupted => f.write_str("the check was interrupted here"),
            Self::TooDeep => f.write_str("the splits are nested too deeply"),
            Self::Within { .. } => {
                let (at, problem) = innermost(self);
                write!(f, "{}: {problem}", steps(&at))
            }
            Self::NoSuchInvariant(InvariantId(invariant)) => write!(f, "there is no invariant {invariant}"),
            Self::UnusableInvariant(InvariantId(invariant)) => {
                write!(f, "invariant {invariant} is not well-formed and proves nothing")
            }
            Self::Substitution { invariant: InvariantId(invariant), .. } => {
                let due = "each variable an element of its own, of its type and not named";
                write!(f, "the substitution into invariant {invariant} does not give {due}")
            }
            Self::Remaining { invariant: InvariantId(invariant), literals } => {
                write!(f, "{} literals of the premise, invariant {invariant}, are not known", literals.len())
            }
            Self::NoWitness { invariant: InvariantId(invariant), literals } if literals.is_empty() => {
                write!(f, "invariant {invariant} does not say that something exists")
            }
            Self::NoWitness { invariant: InvariantId(invariant), literals } => {
                write!(f, "{} literals of the promise, invariant {invariant}, are not known", literals.len())
            }
            Self::NeedsWitness { invariant: InvariantId(invariant) } => {
                write!(f, "invariant {invariant} says that something exists; only a split on its witness can use it")
            }
            Self::Useless { invariant: InvariantId(invariant) } => {
                write!(f, "the premise, invariant {invariant}, adds nothing new")
            }
        }
    }
}

impl std::error::Error for Problem {}

/// The steps that lead to a problem, and the problem.
fn innermost(mut problem: &Problem) -> (Vec<Step>, &Problem) {
    let mut steps = Vec::new();
    while let Problem::Within { at, problem: inner } = problem {
        steps.push(*at);
        problem = inner;
    }
    (steps, problem)
}

/// A number of things: `1 case`, `2 cases`.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn steps(at: &[Step]) -> String {
    let words: Vec<String> = at
        .iter()
        .map(|step| match step {
            Step::Case(number) => format!("case {number}"),
            Step::Premise(number) => format!("premise {number}"),
        })
        .collect();
    words.join(", ")
}

/// Text about a system. Symbols are shown as `i0` (a variable of the invariant), by name, or as `o0` (another element).
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) system: &'a System,
}

impl Names<'_> {
    pub(super) fn shown(self, place: &Place, certificate: &Certificate) -> String {
        let invariant = |invariant: InvariantId| certificate.invariants.get(invariant.index()).map(|own| &own.cube);
        match place {
            Place::System => "the lowered model is well-formed".to_owned(),
            Place::Header => "the certificate is about this model".to_owned(),
            Place::Invariant(_) => "the invariant is the negation of a well-formed cube".to_owned(),
            Place::Property { property, cube } => {
                let cubes = self.system.properties.get(property.index()).map(|property| &property.bad);
                let cube = cubes.zip(usize::try_from(*cube).ok()).and_then(|(cubes, cube)| cubes.get(cube));
                format!("no state that satisfies the invariants satisfies {}", self.cube(cube))
            }
            Place::Initial { invariant: own, .. } => {
                format!("no state of the startstate satisfies {}", self.cube(invariant(*own)))
            }
            Place::Relation { invariant: own, .. } => {
                format!("no state after the rule satisfies {}", self.cube(invariant(*own)))
            }
        }
    }

    /// The literals of a cube that exists and is well-formed.
    fn cube(self, cube: Option<&Cube>) -> String {
        let unknown = "the cube, which is not well-formed";
        let Some(cube) = cube.filter(|cube| well_formed(self.system, cube).is_ok()) else {
            return unknown.to_owned();
        };
        let symbols = SymbolTypes { variables: cube.variables.clone(), others: Vec::new() };
        let literals = Ground { system: self.system, symbols: &symbols }.literals(&cube.literals, &variables(cube));
        let literals =
            literals.map(|all| all.iter().map(|equation| self.equation(equation)).collect::<Vec<_>>().join(" & "));
        literals.map_or_else(|_| unknown.to_owned(), |text| if text.is_empty() { "true".to_owned() } else { text })
    }

    pub(super) fn found(self, problem: &Problem) -> String {
        if let Problem::Within { .. } = problem {
            let (at, problem) = innermost(problem);
            return format!("{}: {}", steps(&at), self.found(problem));
        }
        let mut text = problem.to_string();
        if let Problem::Remaining { literals, .. } | Problem::NoWitness { literals, .. } = problem
            && !literals.is_empty()
        {
            let literals: Vec<String> = literals.iter().map(|equation| self.equation(equation)).collect();
            text.push_str(": ");
            text.push_str(&literals.join(", "));
        }
        if let Problem::Substitution { symbols, .. } = problem {
            let symbols: Vec<String> = symbols.iter().map(|symbol| self.symbol(*symbol)).collect();
            text.push_str(&format!(": [{}]", symbols.join(", ")));
        }
        text
    }

    pub(super) fn matching(self, matching: &Match) -> Vec<String> {
        matching.0.iter().map(|symbol| self.symbol(*symbol)).collect()
    }

    pub(super) fn symbol(self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Variable(number) => format!("i{number}"),
            Symbol::Other(number) => format!("o{number}"),
            Symbol::Named(named) => {
                self.system.named.get(named.index()).map_or_else(|| "?".to_owned(), |named| named.name.clone())
            }
        }
    }

    pub(super) fn equation(self, equation: &Equation) -> String {
        match equation {
            Equation::True => "true".to_owned(),
            Equation::False => "false".to_owned(),
            Equation::Open(fact) => {
                let right = (fact.right != Side::Datum(Datum::Zero)).then(|| Expression::Name(self.side(&fact.right)));
                Expression::comparison(Expression::Name(self.read(&fact.left)), fact.comparison, right).to_string()
            }
        }
    }

    fn side(self, side: &Side) -> String {
        match side {
            Side::Read(read) => self.read(read),
            Side::Datum(Datum::Zero) => "0".to_owned(),
            Side::Datum(Datum::Element(symbol)) => self.symbol(*symbol),
            Side::Datum(Datum::Constant(constant)) => {
                self.system.constants.get(constant.index()).map_or_else(|| "?".to_owned(), |c| c.name.clone())
            }
        }
    }

    /// The path of the state variable with its arguments in place.
    pub(super) fn read(self, read: &Read) -> String {
        let Some(variable) = self.system.variables.get(read.variable.index()) else {
            return "?".to_owned();
        };
        // An element compares as its rank does.
        if let ([PathStep::Rank], [own]) = (&variable.path[..], &read.arguments[..]) {
            return self.symbol(*own);
        }
        let mut text = String::new();
        let mut arguments = read.arguments.iter();
        for (position, part) in variable.name.split("[]").enumerate() {
            if position > 0 {
                let argument = arguments.next().map_or_else(String::new, |symbol| self.symbol(*symbol));
                text.push('[');
                text.push_str(&argument);
                text.push(']');
            }
            text.push_str(part);
        }
        text
    }
}
