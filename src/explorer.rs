//! Explores the finite models that an emitter asks about.
//!
//! In: Murphi text that was made here. Out: whether it satisfies its invariants, or a trace that was executed. Text that is
//! no Murphi is a fault of the emitter, and is reported as an answer that is not known.

use murphi::diagnostics::line_column;
use murphi::instance::{Instance, Limits, Outcome, Permuted};
use murphi::program::{Program, TypeId};
use proofgen::cmp;

use crate::instance::told;

/// Explores a model.
pub(crate) fn explore(asked: &cmp::Instance<'_>, limits: &Limits, go_on: &dyn Fn() -> bool) -> cmp::Verdict {
    let program = match murphi::read(asked.text, &murphi::Options::default()) {
        Ok(program) => program,
        Err(errors) => {
            let first = errors.first().map(|error| {
                let start = error.labels.first().map_or(0, |label| label.span.start);
                format!("{} in line {}", error.message, line_column(asked.text, start).0)
            });
            return cmp::Verdict::Unknown(format!("its text is refused: {}", first.unwrap_or_default()));
        }
    };
    let instance = match Instance::new(&program, &permuted(&program, asked.symmetric)) {
        Ok(instance) => instance,
        Err(error) => return cmp::Verdict::Unknown(error.to_string()),
    };
    let exploration = instance.explore(limits, true, &mut |_| go_on());
    match &exploration.outcome {
        Outcome::Complete => cmp::Verdict::Holds { states: exploration.states() },
        Outcome::Violated { .. }
        | Outcome::PropertyFault { .. }
        | Outcome::RuleFault { .. }
        | Outcome::StartFault { .. } => match instance.counterexample(&exploration) {
            Some(trace) => cmp::Verdict::Fails(told(&instance, &trace)),
            None => cmp::Verdict::Unknown("a startstate meets an error".to_owned()),
        },
        Outcome::Stopped(limit) => {
            cmp::Verdict::Unknown(format!("stopped after {} states ({limit:?})", exploration.states()))
        }
    }
}

fn permuted(program: &Program, symmetric: &[cmp::Symmetric]) -> Vec<Permuted> {
    let named = |wanted: &String| {
        let position = program.types.iter().position(|ty| ty.name.as_ref() == Some(wanted))?;
        Some(TypeId(u32::try_from(position).ok()?))
    };
    symmetric
        .iter()
        .map(|class| Permuted { types: class.types.iter().filter_map(named).collect(), fixed: class.fixed.clone() })
        .collect()
}
