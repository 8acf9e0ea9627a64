//! What is wrong with a certificate.
//!
//! In: places and problems that the checker found. Out: data for a program, and a report for a reader, with the names of
//! the model and the line that it is about. It must not decide anything.

use serde::{Deserialize, Serialize};
use system::System;
use system::{Cube, Origin, PropertyId, RuleId, StartstateId, VariableId};
use thiserror::Error;

use crate::ground::{Datum, Ground, Made, Read, Side, variables, well_formed};
use crate::obligations::MATCH_LIMIT;
use crate::proof::{Certificate, InvariantId, Match, Relation, Symbol, SymbolTypes};

/// A fault: where it is and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The part of the certificate.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

/// A part of a certificate. The order is that of the parts in the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The system that the certificate speaks about.
    System,
    /// The header.
    Header,
    /// An invariant.
    Invariant(InvariantId),
    /// The argument for a cube of a property.
    Property {
        /// The property.
        property: PropertyId,
        /// The number of the cube.
        cube: u32,
    },
    /// Why an invariant holds in a startstate.
    Initial {
        /// The startstate.
        startstate: StartstateId,
        /// The invariant.
        invariant: InvariantId,
        /// The match.
        matching: Option<Match>,
    },
    /// A relation.
    Relation {
        /// The rule.
        rule: RuleId,
        /// The invariant.
        invariant: InvariantId,
        /// The match.
        matching: Option<Match>,
        /// The branch.
        branch: Option<u32>,
    },
}

impl Place {
    /// A fault there.
    pub(crate) fn fault(self, problem: Problem) -> Fault {
        Fault { place: self, problem }
    }

    /// The invariant that it is about.
    pub(crate) fn invariant(&self) -> Option<InvariantId> {
        match self {
            Self::System | Self::Header | Self::Property { .. } => None,
            Self::Invariant(invariant) | Self::Initial { invariant, .. } | Self::Relation { invariant, .. } => {
                Some(*invariant)
            }
        }
    }
}

/// Why obligations cannot be enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The matches are too many.
    #[error("more than {MATCH_LIMIT} matches of the rule's parameters")]
    TooManyMatches,
    /// The branches are too many.
    #[error("more than {} branches in one match", crate::branches::LIMIT)]
    TooManyBranches,
    /// The system or the cube breaks a rule that `system` states.
    #[error("the system or the cube is not well-formed: {0}")]
    Malformed(&'static str),
}

/// Which of the three relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Relation 1.
    HoldsAfter,
    /// Relation 2.
    Unaffected,
    /// Relation 3.
    Implied,
}

impl Kind {
    /// The kind of a relation.
    #[must_use]
    pub fn of(relation: &Relation) -> Self {
        match relation {
            Relation::HoldsAfter => Self::HoldsAfter,
            Relation::Unaffected => Self::Unaffected,
            Relation::Implied(_) => Self::Implied,
        }
    }

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

/// A step into an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A case of the split.
    Case(u32),
    /// A premise.
    Premise(u32),
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The certificate is for another model.
    #[error("the certificate is for another model: digest {found} where the model has {due}")]
    Digest {
        /// The digest of the model.
        due: String,
        /// The digest in the certificate.
        found: String,
    },
    /// The model was lowered with other settings.
    #[error("the certificate is for other settings: {found:?} where the model was read with {due:?}")]
    Settings {
        /// The settings of the model.
        due: Vec<String>,
        /// The settings in the certificate.
        found: Vec<String>,
    },
    /// The system breaks a promise of `system`.
    #[error("the lowered model is not well-formed: {0}")]
    System(String),
    /// The cube of an invariant is not well-formed.
    #[error("the invariant is not well-formed: {0}")]
    Cube(&'static str),
    /// The origin of an invariant does not exist.
    #[error("the origin of the invariant names what does not exist")]
    Origin,
    /// An obligation has no entry.
    #[error("there is no entry for this obligation")]
    Missing,
    /// An entry has no obligation.
    #[error("there is no such obligation")]
    Extra,
    /// An obligation has more than one entry.
    #[error("there is more than one entry for this obligation")]
    Doubled,
    /// An entry is not in its place.
    #[error("the entry is not in its place: entries are ordered by rule, invariant, match and branch")]
    Disordered,
    /// The obligations cannot be listed.
    #[error("the obligations cannot be listed: {0}")]
    Refused(Refusal),
    /// A branch of a startstate remains.
    #[error("the startstate may have the bad state: a branch remains")]
    InitialOpen,
    /// The relation is another.
    #[error("the relation is {}, not {}", due.name(), found.name())]
    Kind {
        /// What the checker finds.
        due: Kind,
        /// What the certificate says.
        found: Kind,
    },
    /// A premise or a split follows where the argument has ended already.
    #[error("the argument has ended already; nothing may follow")]
    BehindEnd,
    /// The argument stops short of a contradiction.
    #[error("the argument ends without a contradiction")]
    Unfinished,
    /// A premise names an invariant that does not exist.
    #[error("there is no invariant {}", .0.0)]
    NoSuchInvariant(InvariantId),
    /// A premise names an invariant that is not well-formed.
    #[error("invariant {} is not well-formed and proves nothing", .0.0)]
    UnusableInvariant(InvariantId),
    /// The number of symbols is not that of the cube's variables.
    #[error("the substitution into invariant {} has {found} symbols where there are {due} variables", invariant.0)]
    Arity {
        /// The invariant.
        invariant: InvariantId,
        /// The number of variables.
        due: usize,
        /// The number of symbols.
        found: usize,
    },
    /// A named element in a substitution.
    #[error("the substitution into invariant {} uses a named element", invariant.0)]
    NamedSymbol {
        /// The invariant.
        invariant: InvariantId,
        /// The symbol.
        symbol: Symbol,
    },
    /// A symbol that the obligation does not have.
    #[error("the substitution into invariant {} uses a symbol that the obligation does not have", invariant.0)]
    NoSuchSymbol {
        /// The invariant.
        invariant: InvariantId,
        /// The symbol.
        symbol: Symbol,
    },
    /// A symbol of another type.
    #[error("the substitution into invariant {} uses a symbol of another type", invariant.0)]
    WrongType {
        /// The invariant.
        invariant: InvariantId,
        /// The symbol.
        symbol: Symbol,
    },
    /// One symbol for two variables.
    #[error("the substitution into invariant {} uses one symbol for two variables", invariant.0)]
    NotInjective {
        /// The invariant.
        invariant: InvariantId,
        /// The symbol.
        symbol: Symbol,
    },
    /// More than one literal of a premise is not known.
    #[error("{} literals of the premise, invariant {}, are not known", literals.len(), invariant.0)]
    Remaining {
        /// The invariant.
        invariant: InvariantId,
        /// The literals.
        literals: Vec<Made>,
    },
    /// A premise says nothing new.
    #[error("the premise, invariant {}, says nothing new", invariant.0)]
    Useless {
        /// The invariant.
        invariant: InvariantId,
    },
    /// A split on something that is no state variable at symbols.
    #[error("the split is not on a state variable with the right arguments")]
    BadSplit {
        /// What stands for the state variable.
        variable: VariableId,
    },
    /// A split has another number of cases.
    #[error("the split has {found} cases where there are {due} values")]
    Cases {
        /// How many values there are.
        due: usize,
        /// How many cases there are.
        found: usize,
    },
    /// The check was interrupted.
    #[error("the check was interrupted here")]
    Interrupted,
    /// Splits are nested too deep.
    #[error("the splits are nested too deep")]
    TooDeep,
    /// A problem within an argument.
    #[error("{}: {problem}", show_steps(at))]
    Within {
        /// Where in the argument.
        at: Vec<Step>,
        /// The problem.
        problem: Box<Problem>,
    },
}

fn show_steps(at: &[Step]) -> String {
    let words: Vec<String> = at
        .iter()
        .map(|step| match step {
            Step::Case(number) => format!("case {number}"),
            Step::Premise(number) => format!("premise {number}"),
        })
        .collect();
    words.join(", ")
}

/// A part of a certificate, without saying which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The system that the certificate speaks about.
    System,
    /// The header.
    Header,
    /// An invariant.
    Invariant,
    /// The argument for a cube of a property.
    Property,
    /// Why an invariant holds in a startstate.
    Initial,
    /// A relation.
    Relation,
}

/// A fault with the names of the model, for people and for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultReport {
    /// What part of the certificate it is about.
    pub place: Part,
    /// The rule, startstate or property.
    pub name: Option<String>,
    /// What tells the cases of one Murphi rule apart.
    pub case: Option<String>,
    /// The number of the rule, startstate or property.
    pub number: Option<u32>,
    /// The number of the invariant, or of the cube of the property.
    pub invariant: Option<u32>,
    /// The match: for each parameter, what it is.
    #[serde(rename = "match")]
    pub matching: Option<Vec<String>>,
    /// The branch.
    pub branch: Option<u32>,
    /// What was to be shown.
    pub shown: String,
    /// What was found.
    pub found: String,
    /// The line in the model, where there is one.
    pub line: Option<u32>,
    /// The column in the model, where there is one.
    pub column: Option<u32>,
}

impl Fault {
    /// The report, about a system and the certificate that the fault is in.
    #[must_use]
    pub fn report(&self, system: &System, certificate: &Certificate) -> FaultReport {
        let names = Names { system };
        let mut report = FaultReport {
            place: Part::Header,
            name: None,
            case: None,
            number: None,
            invariant: None,
            matching: None,
            branch: None,
            shown: names.shown(&self.place, certificate),
            found: names.found(&self.problem),
            line: None,
            column: None,
        };
        match &self.place {
            Place::Header => {}
            Place::System => report.place = Part::System,
            Place::Invariant(invariant) => {
                report.place = Part::Invariant;
                report.invariant = Some(invariant.0);
            }
            Place::Property { property, cube } => {
                report.place = Part::Property;
                report.number = Some(property.0);
                report.invariant = Some(*cube);
                if let Some(property) = system.properties.get(property.index()) {
                    report.about(&property.name, &property.origin);
                }
            }
            Place::Initial { startstate, invariant, matching } => {
                report.place = Part::Initial;
                report.number = Some(startstate.0);
                report.invariant = Some(invariant.0);
                report.matching = matching.as_ref().map(|matching| names.matching(matching));
                if let Some(startstate) = system.startstates.get(startstate.index()) {
                    report.about(&startstate.name, &startstate.origin);
                }
            }
            Place::Relation { rule, invariant, matching, branch } => {
                report.place = Part::Relation;
                report.number = Some(rule.0);
                report.invariant = Some(invariant.0);
                report.matching = matching.as_ref().map(|matching| names.matching(matching));
                report.branch = *branch;
                if let Some(rule) = system.rules.get(rule.index()) {
                    report.about(&rule.name, &rule.origin);
                    report.case = (!rule.case.is_empty()).then(|| rule.case.clone());
                }
            }
        }
        report
    }
}

impl FaultReport {
    fn about(&mut self, name: &str, origin: &Origin) {
        self.name = Some(name.to_owned());
        self.line = Some(origin.line);
        self.column = Some(origin.column);
    }
}

impl std::fmt::Display for FaultReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.place {
            Part::System => "system",
            Part::Header => "header",
            Part::Invariant => "invariant",
            Part::Property => "property",
            Part::Initial => "startstate",
            Part::Relation => "rule",
        })?;
        if let Some(name) = &self.name {
            write!(f, " \"{name}\"")?;
        }
        if let Some(case) = &self.case {
            write!(f, " [{case}]")?;
        }
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        match (self.place, self.invariant) {
            (_, None) => {}
            (Part::Property, Some(cube)) => write!(f, ", cube {cube}")?,
            (Part::Invariant, Some(invariant)) => write!(f, " {invariant}")?,
            (_, Some(invariant)) => write!(f, ", invariant {invariant}")?,
        }
        if let Some(matching) = &self.matching {
            write!(f, ", match [{}]", matching.join(", "))?;
        }
        if let Some(branch) = self.branch {
            write!(f, ", branch {branch}")?;
        }
        write!(f, ": to show: {}; found: {}", self.shown, self.found)
    }
}

/// Text for things of a system. Symbols are shown as `i0` (a variable of the invariant), by their name, or `o0`.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub(crate) system: &'a System,
}

impl Names<'_> {
    fn shown(self, place: &Place, certificate: &Certificate) -> String {
        let invariant = |invariant: InvariantId| certificate.invariants.get(invariant.index()).map(|own| &own.cube);
        match place {
            Place::System => "the lowered model keeps the promises of its types".to_owned(),
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

    /// The literals of a cube, where there is one and it is well-formed.
    fn cube(self, cube: Option<&Cube>) -> String {
        let unknown = "the cube, which is not well-formed";
        let Some(cube) = cube.filter(|cube| well_formed(self.system, cube).is_ok()) else {
            return unknown.to_owned();
        };
        let symbols = SymbolTypes { variables: cube.variables.clone(), others: Vec::new() };
        let literals = Ground { system: self.system, symbols: &symbols }.instance(cube, &variables(cube));
        let literals = literals.map(|all| all.iter().map(|made| self.made(made)).collect::<Vec<_>>().join(" & "));
        literals.map_or_else(|_| unknown.to_owned(), |text| if text.is_empty() { "true".to_owned() } else { text })
    }

    pub(crate) fn found(self, problem: &Problem) -> String {
        if let Problem::Within { at, problem } = problem {
            return format!("{}: {}", show_steps(at), self.found(problem));
        }
        let mut text = problem.to_string();
        if let Problem::Remaining { literals, .. } = problem {
            let literals: Vec<String> = literals.iter().map(|made| self.made(made)).collect();
            text.push_str(": ");
            text.push_str(&literals.join(", "));
        }
        if let Problem::NamedSymbol { symbol, .. }
        | Problem::NoSuchSymbol { symbol, .. }
        | Problem::WrongType { symbol, .. }
        | Problem::NotInjective { symbol, .. } = problem
        {
            text.push_str(": ");
            text.push_str(&self.symbol(*symbol));
        }
        text
    }

    pub(crate) fn matching(self, matching: &Match) -> Vec<String> {
        matching.0.iter().map(|symbol| self.symbol(*symbol)).collect()
    }

    pub(crate) fn symbol(self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Variable(number) => format!("i{number}"),
            Symbol::Other(number) => format!("o{number}"),
            Symbol::Named(named) => {
                self.system.named.get(named.index()).map_or_else(|| "?".to_owned(), |named| named.name.clone())
            }
        }
    }

    pub(crate) fn made(self, made: &Made) -> String {
        match made {
            Made::True => "true".to_owned(),
            Made::False => "false".to_owned(),
            Made::Open(fact) => {
                let sign = if fact.equal { "=" } else { "!=" };
                format!("{} {sign} {}", self.read(&fact.left), self.side(&fact.right))
            }
        }
    }

    fn side(self, side: &Side) -> String {
        match side {
            Side::Read(read) => self.read(read),
            Side::Datum(Datum::Element(symbol)) => self.symbol(*symbol),
            Side::Datum(Datum::Constant(constant)) => {
                self.system.constants.get(constant.index()).map_or_else(|| "?".to_owned(), |c| c.name.clone())
            }
        }
    }

    /// The path with its arguments in place.
    pub(crate) fn read(self, read: &Read) -> String {
        let Some(variable) = self.system.variables.get(read.variable.index()) else {
            return "?".to_owned();
        };
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
