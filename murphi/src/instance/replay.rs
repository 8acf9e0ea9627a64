//! Replays a trace from another source, given by names of rules and values of parameters.
//!
//! Every step of the resulting trace was enabled and executed. If the trace is not a run of the instance, the error
//! names the step that fails.

use crate::exec::{Choice, Machine, Parameter};

use crate::program::PropertyKind;
use system::front_end::ReplayError;

use super::Instance;
use super::trace::{Ending, Trace, TraceStep};

/// A startstate or rule as named in a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayStep {
    /// The name of the rule.
    pub rule: String,
    /// The line of the rule in the model, for names that are not unique; 0 if unknown.
    pub line: u32,
    /// The parameters with the text of their values.
    pub parameters: Vec<(String, String)>,
    /// For a startstate, parts of the initial state with the text of their values. They say which values variables have
    /// that may have any.
    pub initial: Vec<(String, String)>,
}

/// Executes the steps, the first of which is a startstate. Where several rules have the name and the parameters, the first
/// that is enabled is taken. No step leads to a state that an `assume` of the model excludes.
///
/// # Errors
/// Returns an error for the first step that is not possible.
pub fn replay(instance: &Instance, steps: &[ReplayStep]) -> Result<Trace, ReplayError> {
    let machine = instance.machine();
    let (first, rest) = steps.split_first().ok_or(ReplayError::Empty)?;
    let mut scratch = machine.scratch();
    let unknown = |step: usize, rule: &str| ReplayError::Unknown { step, rule: rule.to_owned() };
    let start = (0..machine.starts().len())
        .find(|&position| {
            let start = &machine.starts()[position];
            let span = machine.program().startstates[start.start].span;
            matches(machine, first, &machine.start_name(start.start), span, &start.parameters)
        })
        .ok_or_else(|| unknown(0, &first.rule))?;
    let choice = choice(machine, first)?;
    match machine.start_with(&mut scratch, start, &choice) {
        Ok(true) if instance.excludes(scratch.state()) => {
            return Err(ReplayError::NotEnabled { step: 0, rule: first.rule.clone() });
        }
        Ok(true) => {}
        Ok(false) => return Err(ReplayError::NotEnabled { step: 0, rule: first.rule.clone() }),
        Err(_) if rest.is_empty() => return Ok(instance.ended_start(start, &choice)),
        Err(fault) => {
            return Err(ReplayError::Fault { step: 0, rule: first.rule.clone(), message: fault.to_string() });
        }
    }
    let mut trace = Trace { start, initial: scratch.state().to_vec(), steps: Vec::new(), ending: Ending::None };
    for (position, step) in (1..).zip(rest) {
        let mut known = false;
        let mut taken = None;
        for rule in 0..machine.rules().len() {
            let declared = &machine.rules()[rule];
            let span = machine.program().rules[declared.rule].span;
            if !matches(machine, step, &machine.rule_name(declared.rule), span, &declared.parameters) {
                continue;
            }
            known = true;
            scratch.load(trace.last());
            if machine.enabled(&mut scratch, rule).unwrap_or(true) {
                taken = Some(rule);
                break;
            }
        }
        let rule = match (taken, known) {
            (Some(rule), _) => rule,
            (None, true) => return Err(ReplayError::NotEnabled { step: position, rule: step.rule.clone() }),
            (None, false) => return Err(unknown(position, &step.rule)),
        };
        scratch.load(trace.last());
        let fired = machine.enabled(&mut scratch, rule).and_then(|_| machine.fire(&mut scratch, rule));
        match fired {
            Ok(true) if instance.excludes(scratch.state()) => {
                return Err(ReplayError::NotEnabled { step: position, rule: step.rule.clone() });
            }
            Ok(true) => trace.steps.push(TraceStep { rule, state: scratch.state().to_vec() }),
            Ok(false) => return Err(ReplayError::NotEnabled { step: position, rule: step.rule.clone() }),
            Err(_) if position + 1 == steps.len() => {
                trace.ending = Ending::Rule(rule);
                return Ok(trace);
            }
            Err(fault) => {
                return Err(ReplayError::Fault { step: position, rule: step.rule.clone(), message: fault.to_string() });
            }
        }
    }
    trace.ending = instance.ending(&trace);
    Ok(trace)
}

impl Instance {
    /// Whether a state is left out because an `assume` of the model is false in it.
    fn excludes(&self, state: &[u64]) -> bool {
        let machine = self.machine();
        let kind = |property: usize| machine.program().properties[machine.properties()[property].property].kind;
        let mut scratch = machine.scratch();
        scratch.load(state);
        let mut assumed = (0..machine.properties().len()).filter(|&property| kind(property) == PropertyKind::Assume);
        assumed.any(|property| machine.holds(&mut scratch, property) == Ok(false))
    }
}

/// The values that variables have which may have any.
fn choice(machine: &Machine, first: &ReplayStep) -> Result<Choice, ReplayError> {
    let mut choice = machine.choice();
    if choice == Choice::default() {
        return Ok(choice);
    }
    let names = machine.layout().names(machine.program(), machine.values());
    for (name, value) in &first.initial {
        let scalar = names.iter().position(|own| own == name);
        if !scalar.is_some_and(|scalar| choice.choose(machine, scalar, value)) {
            return Err(ReplayError::NotEnabled { step: 0, rule: first.rule.clone() });
        }
    }
    Ok(choice)
}

fn matches(
    machine: &Machine,
    step: &ReplayStep,
    name: &str,
    span: crate::program::Span,
    parameters: &[Parameter],
) -> bool {
    step.rule == name
        && (step.line == 0 || step.line == machine.program().origin(span).line)
        && step.parameters.len() == parameters.len()
        && parameters
            .iter()
            .zip(&step.parameters)
            .all(|(parameter, wanted)| machine.parameter_text(parameter) == *wanted)
}
