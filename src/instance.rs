//! Instances of a model, and their traces as the emitters take them.
//!
//! In: a typed program. Out: an instance with the symmetry that lowering found, and traces with names in place of numbers.

use murphi::exec::{BuildError, Fault, Machine};
use murphi::instance::{Ending, Instance, Outcome as Explored, Permuted, ReplayStep, Trace as Executed};
use murphi::lower::{LowerOptions, lower};
use murphi::program::{Program, Span, TypeId, TypeKind};
use proofgen::report::RuntimeError;
use proofgen::trace::{Change, Error, Step, Trace};

/// An instance; elements of the index types that lowering finds may be permuted, and of scalarsets where it finds none.
pub(crate) fn build(program: &Program, options: &LowerOptions) -> Result<Instance, BuildError> {
    let permuted = match lower(program, options) {
        Ok(lowered) => Permuted::lowered(&lowered),
        Err(_) => Permuted::scalarsets(program),
    };
    Instance::new(program, &permuted)
}

/// The types whose elements are not permuted since something depends on their order: the name of each, and the line where it
/// does.
pub(crate) fn ordered(program: &Program, options: &LowerOptions) -> Vec<(String, u32)> {
    let ordered: Vec<(TypeId, u32)> = match lower(program, options) {
        Ok(lowered) => lowered.ordered.into_iter().map(|(ty, origin)| (ty, origin.line)).collect(),
        Err(_) => {
            let all = murphi::order::ordered(program).into_iter();
            let scalarset = |ty: TypeId| matches!(program.types[ty.index()].kind, TypeKind::Scalarset(_));
            all.filter(|(ty, _)| scalarset(*ty)).map(|(ty, (_, span))| (ty, program.origin(span).line)).collect()
        }
    };
    let name =
        |ty: TypeId| program.types[ty.index()].name.clone().unwrap_or_else(|| "a type without a name".to_owned());
    let mut named: Vec<(String, u32)> = ordered.into_iter().map(|(ty, line)| (name(ty), line)).collect();
    named.dedup();
    named
}

/// An instance each of whose states counts for itself. Nothing has to be lowered for it.
pub(crate) fn without_symmetry(program: &Program) -> Result<Instance, BuildError> {
    Instance::new(program, &[])
}

/// A trace with names.
pub(crate) fn told(instance: &Instance, executed: &Executed) -> Trace {
    let machine = instance.machine();
    let program = machine.program();
    let names = machine.layout().names(program, machine.values());
    let start = &machine.starts()[executed.start];
    let mut steps = vec![Step {
        rule: machine.start_name(start.start),
        line: program.origin(program.startstates[start.start].span).line,
        parameters: start.parameters.iter().map(|parameter| machine.parameter_text(parameter)).collect(),
        changes: changes(machine, &names, None, &executed.initial),
    }];
    let mut before = &executed.initial;
    for step in &executed.steps {
        let rule = &machine.rules()[step.rule];
        steps.push(Step {
            rule: machine.rule_name(rule.rule),
            line: program.origin(program.rules[rule.rule].span).line,
            parameters: rule.parameters.iter().map(|parameter| machine.parameter_text(parameter)).collect(),
            changes: changes(machine, &names, Some(before), &step.state),
        });
        before = &step.state;
    }
    let error = instance.fault(executed).filter(|fault| fault.assertion(program).is_none()).map(|fault| {
        let origin = program.origin(fault.span);
        let (line, column, rule) = (origin.line, origin.column, ended(machine, executed.ending));
        Error { message: fault.kind.to_string(), line, column, rule }
    });
    let constants = program.constants.clone();
    Trace { constants, sizes: sizes(program), violates: violated(instance, executed), error, steps }
}

/// What an exploration came upon.
pub(crate) enum Wrong {
    /// A property does not hold, or an assertion fails.
    Property {
        /// Its name.
        name: String,
        /// Where it is.
        span: Span,
    },
    /// An error at run time, of which no property speaks; and where it is.
    Error(RuntimeError, Span),
}

/// What is wrong where an exploration has come upon something; the instance has these sizes.
pub(crate) fn wrong(instance: &Instance, outcome: &Explored, sizes: &[(String, u64)]) -> Option<Wrong> {
    let machine = instance.machine();
    let program = machine.program();
    let property = |position: usize| machine.properties()[position].property;
    let (rule, fault) = match outcome {
        Explored::Complete | Explored::Stopped(_) => return None,
        Explored::Violated { property: position, .. } => {
            let property = property(*position);
            return Some(Wrong::Property {
                name: machine.property_name(property),
                span: program.properties[property].span,
            });
        }
        Explored::PropertyFault { property: position, fault, .. } => {
            (machine.property_name(property(*position)), fault)
        }
        Explored::RuleFault { rule, fault, .. } => (machine.rule_name(machine.rules()[*rule].rule), fault),
        Explored::StartFault { start, fault } => (machine.start_name(machine.starts()[*start].start), fault),
    };
    if let Some(name) = fault.assertion(program) {
        return Some(Wrong::Property { name, span: fault.span });
    }
    let origin = program.origin(fault.span);
    let error = RuntimeError {
        message: fault.kind.to_string(),
        code: Fault::CODE,
        line: origin.line,
        column: origin.column,
        rule,
        sizes: sizes.to_vec(),
    };
    Some(Wrong::Error(error, fault.span))
}

/// The sizes of the named simple types that arrays are indexed by.
fn sizes(program: &Program) -> Vec<(String, u64)> {
    let indexed = |id: usize| {
        program.types.iter().any(|ty| matches!(ty.kind, TypeKind::Array { index, .. } if index.index() == id))
    };
    program
        .types
        .iter()
        .enumerate()
        .filter(|(id, _)| indexed(*id))
        .filter_map(|(_, ty)| {
            let size = match ty.kind {
                TypeKind::Scalarset(size) => size,
                TypeKind::Range(first, last) => last - first + 1,
                TypeKind::Boolean
                | TypeKind::Enum(_)
                | TypeKind::Union(_)
                | TypeKind::Record(_)
                | TypeKind::Array { .. }
                | TypeKind::Multiset { .. } => return None,
            };
            Some((ty.name.clone()?, u64::try_from(size).ok()?))
        })
        .collect()
}

/// The name of what is violated at the end: an assertion that fails there has the name that the property has which it is.
fn violated(instance: &Instance, executed: &Executed) -> String {
    let machine = instance.machine();
    if let Some(name) = instance.fault(executed).and_then(|fault| fault.assertion(machine.program())) {
        return name;
    }
    match executed.ending {
        Ending::Property(_) | Ending::None => ended(machine, executed.ending),
        Ending::Rule(_) | Ending::Start(_) => format!("an error in '{}'", ended(machine, executed.ending)),
    }
}

/// The name of what an execution ends in.
fn ended(machine: &Machine, ending: Ending) -> String {
    match ending {
        Ending::Property(property) => machine.property_name(machine.properties()[property].property),
        Ending::Rule(rule) => machine.rule_name(machine.rules()[rule].rule),
        Ending::Start(start) => machine.start_name(machine.starts()[start].start),
        Ending::None => String::new(),
    }
}

fn changes(machine: &Machine, names: &[String], before: Option<&Vec<u64>>, after: &[u64]) -> Vec<Change> {
    names
        .iter()
        .enumerate()
        .filter_map(|(scalar, name)| {
            let now = machine.scalar_text(after, scalar);
            let old = before.map(|state| machine.scalar_text(state, scalar)).unwrap_or_default();
            if before.is_some() && old == now {
                return None;
            }
            Some(Change { variable: name.clone(), elements: elements(name), before: old, after: now })
        })
        .collect()
}

/// The indices in the name of a scalar.
fn elements(name: &str) -> Vec<String> {
    name.split('[').skip(1).filter_map(|part| part.split(']').next()).map(str::to_owned).collect()
}

/// The steps of a told trace, to be executed again.
pub(crate) fn steps(trace: &Trace) -> Vec<ReplayStep> {
    trace
        .steps
        .iter()
        .map(|step| ReplayStep { rule: step.rule.clone(), line: step.line, parameters: step.parameters.clone() })
        .collect()
}
