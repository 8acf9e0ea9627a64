//! Lowers a model to a parameterized transition system.
//!
//! The [`System`] has the same reachable states as the [`Program`] for every number of processes. Whatever it cannot express is
//! refused with its place, and all such places are reported. Only some sums and real numbers are expressed by a system with more
//! executions; see [`numbers`].
//!
//! Processes become an index type, and so does every type without known values. The parameters of a transition denote
//! different processes, which becomes part of its guard. A value that `init` declares not to be a process becomes a constant
//! beside the processes.

mod formulas;
mod init;
mod numbers;
mod order;
mod properties;

use std::collections::BTreeSet;

use system::front_end::{Diagnostic, Note, Span};
use system::{
    Constant, ConstantId, Cube, IndexTerm, IndexType, IndexTypeId, IndexVariable, IndexVariableId, NamedElement,
    NamedId, Numbers, Origin, PathStep, Role, Rule, Sort, SortId, System, Term, Transition, Update, Value,
};

use crate::fault::Fault;
use crate::program::{self, Assigned, BOOL, Local, PROC, Process, Program, TypeId, Values};
use formulas::{Allowed, all_different, conditional, conjunction};
use numbers::Extra;

/// A rule with more parameters is refused: the ways in which they can coincide are too many for the checker.
const MOST_PARAMETERS: usize = 9;

/// A fault with its place.
type Refusal = (Fault, Span);

/// What lowering makes of a model.
#[derive(Clone, Debug)]
pub(crate) struct Lowered {
    pub(crate) system: System,
    pub(crate) notes: Vec<Note>,
    /// The `unsafe`s that could not be lowered.
    pub(crate) refused: Vec<Diagnostic>,
    /// The negations of the candidates.
    pub(crate) candidates: Vec<Cube>,
    /// The candidates that could not be lowered.
    pub(crate) left_out: Vec<Diagnostic>,
}

/// Lowers a model whose types have these sizes.
pub(crate) fn lower(program: &Program, sizes: &[u32]) -> Result<Lowered, Vec<Diagnostic>> {
    let lowering = Lowering::new(program);
    let mut system = lowering.declarations(sizes);
    let mut errors: Vec<Diagnostic> = Vec::new();
    for (source, transition) in (0..).zip(&program.transitions) {
        match lowering.rule(transition, source) {
            Ok(rule) => system.rules.push(rule),
            Err((fault, span)) => errors.push(fault.at(span)),
        }
    }
    let initially = init::initially(&lowering).unwrap_or_else(|(fault, span)| {
        errors.push(fault.at(span));
        init::Initially::default()
    });
    if !errors.is_empty() {
        return Err(errors);
    }
    system.startstates = initially.startstates;
    init::add_growth(&lowering, &initially.growing, &mut system);
    numbers::leave_out_parameters(&mut system);
    order::add_axioms(&lowering, &mut system);
    numbers::add_axioms(&lowering, &mut system);
    for (literal, span) in &initially.axioms {
        let (start, end) = (span.start as usize, span.end as usize);
        let text = program.text.get(start..end).unwrap_or_default();
        let axiom = numbers::axiom(&system, text.to_owned(), literal, program.origin(*span));
        system.axioms.push(axiom);
    }
    let refused = properties::add(&lowering, &mut system);
    let (candidates, left_out) = properties::candidates(&lowering, &system);
    system.make_parameters();
    system::counts::add(&mut system);
    Ok(Lowered { system, notes: lowering.notes(), refused, candidates, left_out })
}

/// A model and how its parts are numbered in the system.
struct Lowering<'p> {
    program: &'p Program,
    /// The index type that each type becomes.
    index_types: Vec<Option<IndexTypeId>>,
    /// The first constant of each type with named values.
    first_constants: Vec<u32>,
    /// The constant that stands for what is no process, if there may be such a thing.
    outside: Option<ConstantId>,
    extra: Extra,
}

impl<'p> Lowering<'p> {
    fn new(program: &'p Program) -> Self {
        let (mut index_types, mut first_constants) = (Vec::new(), Vec::new());
        let extra = Extra::new(program);
        let (mut next_type, mut next_constant) = (0, 0);
        for ty in &program.types {
            first_constants.push(next_constant);
            index_types.push(match &ty.values {
                Values::Named(names) => {
                    next_constant += number(names.len());
                    None
                }
                Values::Integers | Values::Reals => None,
                Values::Processes | Values::Unknown => {
                    next_type += 1;
                    Some(IndexTypeId(next_type - 1))
                }
            });
        }
        let outside = program.has_outside.then_some(ConstantId(next_constant));
        Self { program, index_types, first_constants, outside, extra }
    }

    /// Returns the system without rules, startstates and properties.
    fn declarations(&self, sizes: &[u32]) -> System {
        let program = self.program;
        let proc = IndexTypeId(0);
        let named = (0..program.constants).map(|position| {
            let name = format!("#{}", position + 1);
            NamedElement { name, index_type: proc, position, anonymous: false, chosen: false }
        });
        let variables = program.variables.iter().map(|variable| self.variable(variable));
        System {
            index_types: self.index_types(sizes),
            named: named.collect(),
            constants: self.constants(),
            sorts: (0..program.types.len()).map(|ty| self.sort(TypeId(ty), sizes)).collect(),
            variables: variables.chain(self.order()).chain(self.extra_variables()).collect(),
            rules: Vec::new(),
            startstates: Vec::new(),
            properties: Vec::new(),
            axioms: Vec::new(),
            sizes: Vec::new(),
            claim: system::Claim::default(),
        }
    }

    fn index_types(&self, sizes: &[u32]) -> Vec<IndexType> {
        let all = self.program.types.iter().zip(&self.index_types).zip(sizes);
        let index_types = all.filter(|((_, index_type), _)| index_type.is_some());
        let first = |((ty, _), size): ((&program::Type, _), &u32)| IndexType {
            name: ty.name.clone(),
            anonymous: false,
            size: *size,
            first: 1,
            origin: self.declared(ty),
        };
        index_types.map(first).collect()
    }

    /// Returns where a type is declared. Processes are not: the first variable that has to do with them counts.
    fn declared(&self, ty: &program::Type) -> Origin {
        let variables = &self.program.variables;
        let place = match ty.values {
            Values::Processes => variables.iter().find(|own| own.indices > 0 || own.ty == PROC).map(|own| own.span),
            Values::Named(_) | Values::Unknown | Values::Integers | Values::Reals => Some(ty.span),
        };
        place.map(|span| self.program.origin(span)).unwrap_or_default()
    }

    fn constants(&self) -> Vec<Constant> {
        let constant = |name: &str| Constant { name: name.to_owned(), scalarset: None };
        let mut constants = vec![constant("false"), constant("true")];
        for ty in self.program.types.iter().skip(BOOL.0 + 1) {
            if let Values::Named(names) = &ty.values {
                constants.extend(names.iter().map(|name| constant(name)));
            }
        }
        if self.outside.is_some() {
            constants.push(constant(&self.outside_name()));
        }
        constants
    }

    /// Returns a name for what is no process. Values of the model start with a capital letter.
    fn outside_name(&self) -> String {
        "no_process".to_owned()
    }

    fn sort(&self, ty: TypeId, sizes: &[u32]) -> Sort {
        let declared = &self.program.types[ty.0];
        let (low, _) = self.program.numbers();
        let numbers =
            declared.values.are_numbers().then(|| Numbers { low, high: low + i64::from(sizes[ty.0]).max(1) - 1 });
        let index_types = self.index_types[ty.0].into_iter().collect();
        Sort { name: declared.name.clone(), index_types, constants: self.constants_of(ty), numbers }
    }

    /// Returns the constants that a variable of this type can have.
    fn constants_of(&self, ty: TypeId) -> Vec<ConstantId> {
        let first = self.first_constants[ty.0];
        match &self.program.types[ty.0].values {
            Values::Named(names) => (first..first + number(names.len())).map(ConstantId).collect(),
            Values::Processes => self.outside.into_iter().collect(),
            Values::Unknown | Values::Integers | Values::Reals => Vec::new(),
        }
    }

    fn variable(&self, variable: &program::Variable) -> system::Variable {
        let global = PathStep::Global(variable.name.clone());
        let arguments = (0..number(variable.indices)).map(PathStep::Argument);
        system::Variable {
            name: format!("{}{}", variable.name, "[]".repeat(variable.indices)),
            arguments: vec![IndexTypeId(0); variable.indices],
            sort: SortId(number(variable.ty.0)),
            path: std::iter::once(global).chain(arguments).collect(),
            origin: self.program.origin(variable.span),
        }
    }

    fn rule(&self, transition: &program::Transition, source: u32) -> Result<Rule, Refusal> {
        if transition.parameters > MOST_PARAMETERS {
            let (count, limit) = (transition.parameters, MOST_PARAMETERS);
            return Err((Fault::TooMany { count, what: "parameters", limit }, transition.span));
        }
        let parameters: Vec<Local> = (0..transition.parameters).map(Local).collect();
        let mut guard = all_different(&parameters, &[]);
        guard.push(self.formula(
            &order::with_targets(&transition.guard, &transition.targets, transition.span),
            true,
            Allowed::Universal,
        )?);
        let mut updates: Vec<Update> =
            transition.updates.iter().map(|update| self.update(transition, update)).collect::<Result<_, _>>()?;
        let (chosen, chosen_anew) = self.chosen_numbers(transition)?;
        guard.extend(chosen);
        updates.extend(chosen_anew);
        let mut scope = scope(&transition.scope, transition.parameters);
        for (choice, variable) in scope[transition.parameters..].iter_mut().zip(&transition.choices) {
            choice.role = Role::Choice;
            choice.index_type = self.chosen(*variable).unwrap_or(choice.index_type);
        }
        let parameters = transition.parameters + transition.choices.len() + transition.targets.len();
        for target in &mut scope[parameters - transition.targets.len()..parameters] {
            target.role = Role::Target;
        }
        Ok(Rule {
            transition: Transition {
                name: transition.name.clone(),
                scope,
                parameters: number(parameters),
                guard: conjunction(guard),
                updates,
                origin: self.program.origin(transition.span),
            },
            case: String::new(),
            source,
        })
    }

    /// Returns the index type whose elements are all values of a variable. A parameter of that type then is any value,
    /// which the search explores better than an arbitrary one.
    fn chosen(&self, variable: program::VariableId) -> Option<IndexTypeId> {
        let ty = self.program.variables[variable.0].ty;
        self.index_types[ty.0].filter(|_| ty != PROC || self.outside.is_none())
    }

    fn update(&self, transition: &program::Transition, update: &program::Update) -> Result<Update, Refusal> {
        let variable = system::VariableId(number(update.variable.0));
        let (arguments, value) = match &update.value {
            Assigned::Any => {
                let position = transition.choices.iter().position(|variable| *variable == update.variable);
                let choice = position.map(|position| variable_of(Local(transition.parameters + position)));
                let value = choice.map(|choice| Value::Term(Term::Index(IndexTerm::Variable(choice))));
                (Vec::new(), value.unwrap_or(Value::Arbitrary))
            }
            Assigned::Cases { formals, cases, default } => {
                let mut value = self.value(transition, default)?;
                for (condition, term) in cases.iter().rev() {
                    let then = self.value(transition, term)?;
                    value = conditional(self.formula(condition, true, Allowed::None)?, then, value);
                }
                (formals.iter().map(|formal| variable_of(*formal)).collect(), value)
            }
        };
        Ok(Update { variable, arguments, value })
    }

    fn constant(&self, ty: TypeId, position: usize) -> ConstantId {
        ConstantId(self.first_constants[ty.0] + number(position))
    }

    /// Returns what a user should know about how the model was read.
    fn notes(&self) -> Vec<Note> {
        let program = self.program;
        let note = |span: &Span, text: &str| Note { origin: Some(program.origin(*span)), text: text.to_owned() };
        let outside = program.init.formula.conjuncts().into_iter().find_map(|conjunct| {
            let (variable, span) = program::outside(conjunct)?;
            let name = &program.variables[variable.0].name;
            Some(note(
                &span,
                &format!("`{name}` differs from every process, so it denotes something outside of `proc`"),
            ))
        });
        outside.into_iter().chain(self.notes_about_numbers()).collect()
    }
}

/// Returns a scope with these names, of which the first are parameters. Names that occur again get numbers.
fn scope(names: &[String], parameters: usize) -> Vec<IndexVariable> {
    let mut used = BTreeSet::new();
    let unique = |name: &String| {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        let free = candidates.find(|candidate| used.insert(candidate.clone()));
        free.unwrap_or_else(|| name.clone())
    };
    let names: Vec<String> = names.iter().map(unique).collect();
    let role = |position: usize| if position < parameters { Role::Parameter } else { Role::Bound };
    let variable = |(position, name)| IndexVariable { name, index_type: IndexTypeId(0), role: role(position) };
    names.into_iter().enumerate().map(variable).collect()
}

fn element(process: Process) -> IndexTerm {
    match process {
        Process::Local(local) => IndexTerm::Variable(variable_of(local)),
        Process::Constant(position) => IndexTerm::Named(NamedId(position)),
    }
}

fn variable_of(local: Local) -> IndexVariableId {
    IndexVariableId(number(local.0))
}

/// Returns a position as ids have it. No text is so long that this is too large.
fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
