//! A model with resolved names and types: what is executed, and what is lowered.
//!
//! Each transition and claim has a table of variables that denote processes, its *scope*. Parameters come first; the
//! variables of quantifiers and of array updates have positions of their own, so that no name hides another one.

use system::Origin;
use system::front_end::{Span, line_column};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) usize);
    };
}

id!(
    /// A position in [`Program::types`].
    TypeId
);
id!(
    /// A position in [`Program::variables`].
    VariableId
);
id!(
    /// A position in a scope.
    Local
);

/// The truth values.
pub(crate) const BOOL: TypeId = TypeId(0);
/// The processes.
pub(crate) const PROC: TypeId = TypeId(1);

/// A model.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) text: String,
    /// The first two are [`BOOL`] and [`PROC`].
    pub(crate) types: Vec<Type>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) init: Claim,
    pub(crate) unsafes: Vec<Claim>,
    pub(crate) candidates: Vec<Claim>,
    pub(crate) transitions: Vec<Transition>,
    /// The greatest `n` of all process constants `#n`, or 0.
    pub(crate) constants: u32,
    /// Whether a process variable may denote something that is no process: `init` says that one differs from all
    /// processes.
    pub(crate) has_outside: bool,
    /// The places of `number_procs`.
    pub(crate) hints: Vec<Span>,
    /// The first place where processes are compared by `<`.
    pub(crate) order: Option<Span>,
    pub(crate) mentioned: Mentioned,
}

#[derive(Clone, Debug)]
pub(crate) struct Type {
    pub(crate) name: String,
    pub(crate) values: Values,
    pub(crate) span: Span,
}

/// The values of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// These, by name.
    Named(Vec<String>),
    /// The processes.
    Processes,
    /// Any number of values that can only be copied and compared.
    Unknown,
    /// The integers.
    Integers,
    /// The real numbers.
    Reals,
}

impl Values {
    /// Returns whether the values are numbers.
    pub(crate) fn are_numbers(&self) -> bool {
        match self {
            Self::Integers | Self::Reals => true,
            Self::Named(_) | Self::Processes | Self::Unknown => false,
        }
    }

    /// Returns whether the number of values can be set.
    pub(crate) fn have_a_size(&self) -> bool {
        match self {
            Self::Processes | Self::Unknown => true,
            Self::Named(_) | Self::Integers | Self::Reals => false,
        }
    }
}

/// The numbers that a model mentions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentioned {
    /// Those that are values, each once for each time.
    pub(crate) values: Vec<(TypeId, i64)>,
    /// The greatest absolute value of those that are added to something.
    pub(crate) added: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) is_constant: bool,
    /// The number of indices, all of which are processes.
    pub(crate) indices: usize,
    pub(crate) ty: TypeId,
    pub(crate) span: Span,
}

/// A formula about all or some processes.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) scope: Vec<String>,
    /// The number of variables of the scope that are parameters.
    pub(crate) parameters: usize,
    /// As for [transitions](Transition::targets).
    pub(crate) targets: Vec<(Local, Term)>,
    pub(crate) formula: Formula,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) name: String,
    pub(crate) scope: Vec<String>,
    /// The number of variables of the scope that are parameters; they denote pairwise distinct processes.
    pub(crate) parameters: usize,
    /// The variables that become any element of an index type. The scope has a variable for each of these elements, behind
    /// the parameters, which only lowering uses.
    pub(crate) choices: Vec<VariableId>,
    /// The values of process variables that conjuncts compare by `<`, each with the variable of the scope that denotes the
    /// process it is. Only lowering uses these variables, which follow the parameters and choices.
    pub(crate) targets: Vec<(Local, Term)>,
    pub(crate) guard: Formula,
    pub(crate) updates: Vec<Update>,
    pub(crate) span: Span,
}

/// An update of one variable. All updates of a transition happen at once.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) variable: VariableId,
    pub(crate) value: Assigned,
}

#[derive(Clone, Debug)]
pub(crate) enum Assigned {
    /// Any value of the type.
    Any,
    /// For all processes that the formals denote, the value of the first case whose condition holds.
    Cases { formals: Vec<Local>, cases: Vec<(Formula, Term)>, default: Term },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Process {
    Local(Local),
    /// The process `#n`, counted from 0.
    Constant(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// A value of a type with named values.
    Value(TypeId, usize),
    Process(Process),
    Read(VariableId, Vec<Process>),
    /// A number.
    Number(TypeId, i64),
    /// A read of a number, and what is added to it.
    Sum(VariableId, Vec<Process>, Added),
}

/// What is added to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    /// A number that is not 0.
    Number(i64),
    /// The value of a constant, so many times, which is not 0.
    Constant(VariableId, i64),
}

impl Term {
    /// Returns the type, given all variables.
    pub(crate) fn type_in(&self, variables: &[Variable]) -> TypeId {
        match self {
            Self::Value(ty, _) => *ty,
            Self::Process(_) => PROC,
            Self::Number(ty, _) => *ty,
            Self::Read(variable, _) | Self::Sum(variable, _, _) => variables[variable.0].ty,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    Less,
    LessEqual,
}

#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Constant(bool),
    Compare(Term, Relation, Term, Span),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Quantified(Quantified),
}

/// A quantifier over processes.
#[derive(Clone, Debug)]
pub(crate) struct Quantified {
    pub(crate) is_universal: bool,
    /// They denote pairwise distinct processes.
    pub(crate) variables: Vec<Local>,
    /// Variables that denote other processes than those.
    pub(crate) apart_from: Vec<Local>,
    pub(crate) body: Box<Formula>,
    /// The keyword.
    pub(crate) keyword: &'static str,
    pub(crate) span: Span,
}

impl Program {
    /// Returns whether a term is a number.
    pub(crate) fn is_number(&self, term: &Term) -> bool {
        self.types[term.type_in(&self.variables).0].values.are_numbers()
    }

    /// Returns the least and the greatest number that an instance has by default: some more than the model mentions, and yet
    /// more if it adds to numbers, so that an execution can do so often.
    pub(crate) fn numbers(&self) -> (i64, i64) {
        let values = || self.mentioned.values.iter().map(|(_, number)| *number).chain([0]);
        let (least, greatest) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let more = if self.mentioned.added == 0 { 3 } else { 11 };
        (least - 1, greatest + more.max(self.mentioned.added))
    }

    /// Returns the place of a part of the text.
    pub(crate) fn origin(&self, span: Span) -> Origin {
        let (line, column) = line_column(&self.text, span.start);
        Origin { line, column, start: span.start, end: span.end }
    }

    /// Returns the name of an `unsafe`, which has none in the text.
    pub(crate) fn claim_name(&self, kind: &str, claims: &[Claim], position: usize) -> String {
        let line = |claim: &Claim| self.origin(claim.span).line;
        let own = line(&claims[position]);
        match claims[..position].iter().filter(|claim| line(claim) == own).count() {
            0 => format!("{kind} at line {own}"),
            before => format!("{kind} at line {own} ({})", before + 1),
        }
    }
}

/// Returns the process variable that a conjunct of `init` says to differ from all processes, and where it says so. It then
/// denotes something that is no process.
pub(crate) fn outside(conjunct: &Formula) -> Option<(VariableId, Span)> {
    let Formula::Not(inner) = conjunct else { return None };
    let Formula::Compare(left, Relation::Equal, right, span) = &**inner else { return None };
    match (left, right) {
        (Term::Read(variable, indices), Term::Process(process @ Process::Local(_)))
        | (Term::Process(process @ Process::Local(_)), Term::Read(variable, indices))
            if !indices.contains(process) =>
        {
            Some((*variable, *span))
        }
        _ => None,
    }
}

impl Update {
    /// Returns the conditions and the values, unless the update assigns any value.
    pub(crate) fn parts(&self) -> Option<(Vec<&Formula>, Vec<&Term>)> {
        match &self.value {
            Assigned::Any => None,
            Assigned::Cases { cases, default, .. } => {
                let values = cases.iter().map(|(_, value)| value).chain([default]);
                Some((cases.iter().map(|(condition, _)| condition).collect(), values.collect()))
            }
        }
    }
}

impl Formula {
    /// Visits all terms that are compared.
    pub(crate) fn visit_terms<'f>(&'f self, visit: &mut impl FnMut(&'f Term)) {
        match self {
            Self::Constant(_) => {}
            Self::Compare(left, _, right, _) => {
                visit(left);
                visit(right);
            }
            Self::Not(inner) => inner.visit_terms(visit),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.visit_terms(visit)),
            Self::Quantified(quantified) => quantified.body.visit_terms(visit),
        }
    }

    /// Returns a quantifier in the formula.
    pub(crate) fn quantifier(&self) -> Option<&Quantified> {
        match self {
            Self::Constant(_) | Self::Compare(..) => None,
            Self::Not(inner) => inner.quantifier(),
            Self::And(parts) | Self::Or(parts) => parts.iter().find_map(Self::quantifier),
            Self::Quantified(quantified) => Some(quantified),
        }
    }

    /// Returns the conjuncts; a formula that is no conjunction is its only one. Universal quantifiers without a condition
    /// on their variables are looked through.
    pub(crate) fn conjuncts(&self) -> Vec<&Self> {
        match self {
            Self::And(parts) => parts.iter().flat_map(Self::conjuncts).collect(),
            Self::Quantified(own) if own.is_universal && own.variables.len() == 1 && own.apart_from.is_empty() => {
                own.body.conjuncts()
            }
            Self::Constant(_) | Self::Compare(..) | Self::Not(_) | Self::Or(_) | Self::Quantified(_) => vec![self],
        }
    }
}
