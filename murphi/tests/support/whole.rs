//! Runs a generated program through the whole front-end. The fuzz target uses this file, too.
//!
//! Panics if the program is refused, is changed by printing, or is lowered to something that behaves differently.

use std::collections::BTreeSet;

use murphi::exec::Machine;
use murphi::lower::{LowerOptions, lower};
use murphi::program::Program;
use murphi::{Options, elaborate, lint, parse, print};

use super::agree::compare_both;
use super::generate::{Reader, program};
use super::shape::shape;

/// A number of lowering steps small enough to finish any program quickly.
const STEPS: u64 = 20_000;
/// The number of states of each program that are explored.
const STATES: usize = 60;

/// Runs the program that the bytes determine, and returns how far it got.
pub(crate) fn run(bytes: &[u8], reader: Reader) -> Reached {
    run_text(&program(bytes, reader))
}

/// Runs a program.
pub(crate) fn run_text(text: &str) -> Reached {
    let (ast, errors) = parse(text);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let printed = print(&ast);
    let (again, errors) = parse(&printed);
    assert!(errors.is_empty(), "{errors:?}\n{printed}");
    assert_eq!(shape(&again), shape(&ast), "{text}\n=>\n{printed}");
    let read = match elaborate(&ast, &Options::default()) {
        Ok(program) => program,
        Err(errors) => panic!("{errors:?}\n{text}"),
    };
    let _ = lint(&read);
    explore(&read, text);
    let options = LowerOptions { most_steps: Some(STEPS), ..LowerOptions::default() };
    let lowered = match lower(&read, &options) {
        Ok(lowered) => lowered,
        Err(refusals) => return Reached::Refused(refusals[0].code),
    };
    let Some(report) = compare_both(&read, &lowered, 1, 2) else { return Reached::Lowered };
    assert!(report.differences.is_empty(), "{:#?}\n{text}", report.differences);
    // Whether branches are cases of their own makes no difference.
    if let Ok(split) = lower(&read, &LowerOptions { split_branches: true, ..options })
        && let Some(report) = compare_both(&read, &split, 1, 1)
    {
        assert!(report.differences.is_empty(), "split: {:#?}\n{text}", report.differences);
    }
    Reached::Compared
}

/// How far a program got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reached {
    /// It was executed, and lowering refused it, with this code first.
    Refused(&'static str),
    /// It was lowered, but has no instance.
    Lowered,
    /// The lowered system was compared with the execution.
    Compared,
}

/// Executes the first states of a program. Faults are part of the language; panics are not.
fn explore(program: &Program, text: &str) {
    let machine = match Machine::new(program) {
        Ok(machine) => machine,
        Err(error) => panic!("{error}\n{text}"),
    };
    let mut scratch = machine.scratch();
    let mut states = Vec::new();
    let mut known = BTreeSet::new();
    for start in 0..machine.starts().len() {
        if machine.start(&mut scratch, start) == Ok(true) && known.insert(scratch.state().to_vec()) {
            states.push(scratch.state().to_vec());
        }
    }
    let mut next = 0;
    while next < states.len() && states.len() < STATES {
        for rule in 0..machine.rules().len() {
            scratch.load(&states[next]);
            let fires = machine.enabled(&mut scratch, rule) == Ok(true) && machine.fire(&mut scratch, rule) == Ok(true);
            if fires && known.insert(scratch.state().to_vec()) {
                states.push(scratch.state().to_vec());
            }
        }
        for property in 0..machine.properties().len() {
            scratch.load(&states[next]);
            let _ = machine.holds(&mut scratch, property);
        }
        next += 1;
    }
}
