//! Compares verdicts with the truth.
//!
//! A model with its constants is given to the command, and every way in which the answer is wrong is reported. A proof
//! is compared with all instances that it claims to cover, a violation with the instance that it names.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use murphi::program::{Program, TypeKind};
use murphi::{Options, read};

use super::command::{self, Claim, Found, Said, Violation};
use super::model::Constant;
use super::truth::{Truth, explore};

/// Values of constants.
pub(crate) type Setting = BTreeMap<String, i64>;

/// The sizes at which a claim is tested.
const SIZES: std::ops::RangeInclusive<i64> = 1..=5;
/// Instances with more states than this are explored only in part.
const STATES: usize = 12_000;

/// A wrong answer.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    pub(crate) kind: Fault,
    pub(crate) text: String,
}

/// Kinds of wrong answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// Proven, but violated at the model's own sizes.
    ProvenAsItIs,
    /// Proven, but violated at other sizes that the proof covers.
    ProvenForOthers,
    /// Reported as violated, but true.
    Violated,
    /// Violated in an instance that the constants do not give.
    NoSuchInstance,
    /// `find` reports a violation, or `simulate` with symmetry disagrees with the exploration of all states.
    Beside,
    /// The command ended in a way that it must not.
    Ending,
    /// rumur disagrees with the exploration of all states.
    Peer,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.text)
    }
}

/// A model that was judged.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// The answer, or `None` if there was no verdict at all.
    pub(crate) said: Option<Said>,
    pub(crate) wrong: Vec<Wrong>,
    /// The number of instances covered by the verdict that were explored completely.
    pub(crate) instances: usize,
}

/// How much to ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The time limit of a search in seconds.
    pub(crate) seconds: u32,
    /// Whether to run `find`, `check` and `simulate` as well.
    pub(crate) beside: bool,
}

/// Returns the text as a program with these constants, or `None` if it is not one.
pub(crate) fn program(text: &str, setting: &Setting) -> Option<Program> {
    read(text, &Options { constants: setting.clone(), ..Options::default() }).ok()
}

pub(crate) fn own(constants: &[Constant]) -> Setting {
    constants.iter().map(|constant| (constant.name.to_owned(), constant.value)).collect()
}

/// Returns the model's own setting, and those with another value for one of its constants.
pub(crate) fn settings(constants: &[Constant]) -> Vec<Setting> {
    let own = own(constants);
    let mut settings = vec![own.clone()];
    for constant in constants {
        for value in SIZES.filter(|value| *value != constant.value) {
            let mut setting = own.clone();
            setting.insert(constant.name.to_owned(), value);
            settings.push(setting);
        }
    }
    settings
}

pub(crate) fn truth(text: &str, setting: &Setting) -> Option<Truth> {
    explore(&program(text, setting)?, STATES)
}

/// Runs the command on a model in its own folder, and compares its answers with the truth.
pub(crate) fn judge(text: &str, constants: &[Constant], folder: &Path, effort: Effort) -> Judged {
    command::write(folder, text);
    let out = effort.beside.then_some("out");
    let mut judged = Judged { said: None, wrong: Vec::new(), instances: 0 };
    let mut wrong = |kind, text| judged.wrong.push(Wrong { kind, text });
    let said = match command::verify(folder, effort.seconds, out) {
        Ok(said) => said,
        Err(text) => {
            wrong(Fault::Ending, text);
            return judged;
        }
    };
    let own = own(constants);
    let at_home = truth(text, &own);
    match &said {
        Said::Proven(claim) => {
            for setting in settings(constants) {
                let Some(program) = program(text, &setting).filter(|program| covers(claim, program)) else { continue };
                let Some(truth) = explore(&program, STATES) else { continue };
                judged.instances += usize::from(truth.complete);
                if truth.is_violated() {
                    let kind = if setting == own { Fault::ProvenAsItIs } else { Fault::ProvenForOthers };
                    judged.wrong.push(Wrong { kind, text: format!("{said:?}, violated at {setting:?}") });
                }
            }
        }
        Said::Violated(violation) => {
            let (kind, complete) = refuted(text, &own, violation);
            judged.instances += usize::from(complete);
            judged.wrong.extend(kind.map(|kind| Wrong { kind, text: format!("{said:?}") }));
        }
        Said::Inconclusive(_) | Said::Refused(_) => {}
    }
    if effort.beside {
        judged.wrong.extend(beside(text, constants, folder, effort, &said, at_home.as_ref()));
    }
    judged.said = Some(said);
    judged
}

/// Returns what is wrong with a violation, if anything, and whether the instance of its trace was explored completely.
fn refuted(text: &str, own: &Setting, violation: &Violation) -> (Option<Fault>, bool) {
    let there = |name: &String| Some((name.clone(), *violation.constants.get(name)?));
    let setting: Setting = own.keys().filter_map(there).collect();
    let truth = truth(text, &setting);
    let complete = truth.as_ref().is_some_and(|truth| truth.complete);
    let kind = match truth {
        None => Some(Fault::NoSuchInstance),
        Some(_) if setting.len() != own.len() => Some(Fault::NoSuchInstance),
        Some(truth) if violation.error => (truth.complete && !truth.faults).then_some(Fault::Violated),
        Some(truth) => (truth.verdict() == Some(true)).then_some(Fault::Violated),
    };
    (kind, complete)
}

/// Returns whether a proof covers an instance: the kept constants have their values there, the kept types their sizes,
/// and the other types are large enough.
fn covers(claim: &Claim, program: &Program) -> bool {
    let numbers = program.constants.iter().map(|(name, value)| (name, *value));
    let truths = program.truths.iter().map(|(name, truth)| (name, i64::from(*truth)));
    let constants: BTreeMap<&String, i64> = numbers.chain(truths).collect();
    let has = |(name, value): (&String, &i64)| constants.get(name) == Some(value);
    let as_it_is = |(name, size): (&String, &i64)| size_of(program, name) == Some(*size);
    let enough = |(name, least): (&String, &i64)| size_of(program, name).unwrap_or(1) >= *least;
    claim.kept.iter().all(has) && claim.finite_types.iter().all(as_it_is) && claim.any_size.iter().all(enough)
}

/// Returns the number of elements of a type with this name. The name of an anonymous range is its bounds, which change.
fn size_of(program: &Program, name: &str) -> Option<i64> {
    program.types.iter().find_map(|ty| {
        let (size, bounds) = match ty.kind {
            TypeKind::Scalarset(size) => (size, None),
            TypeKind::Range(first, last) => (last.saturating_sub(first).saturating_add(1), Some((first, last))),
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Union(_)
            | TypeKind::Record(_)
            | TypeKind::Array { .. }
            | TypeKind::Multiset { .. } => return None,
        };
        let named = ty.name.as_deref() == Some(name);
        let by_bounds = ty.name.is_none() && bounds.is_some_and(|(first, last)| format!("{first}..{last}") == name);
        (named || by_bounds).then_some(size)
    })
}

/// Compares the answers of `find`, `check` and `simulate`.
fn beside(
    text: &str,
    constants: &[Constant],
    folder: &Path,
    effort: Effort,
    said: &Said,
    at_home: Option<&Truth>,
) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let mut add = |kind, text| wrong.push(Wrong { kind, text });
    match command::find(folder, effort.seconds) {
        Ok(Found::Violated(violation)) => {
            if let (Some(kind), _) = refuted(text, &own(constants), &violation) {
                add(kind, format!("`find` says {violation:?}"));
            }
        }
        Ok(Found::Invariants) => {
            if let Err(text) = command::check(folder, "found.json") {
                add(Fault::Ending, text);
            }
        }
        Ok(Found::Nothing) => {}
        Err(text) => add(Fault::Ending, text),
    }
    if let Said::Proven(claim) = said {
        match command::check(folder, "out/certificate.json") {
            Ok(object) if command::claim(&object) != *claim => {
                add(Fault::Beside, format!("`check` claims {:?}, `verify` {claim:?}", command::claim(&object)));
            }
            Ok(_) => {}
            Err(text) => add(Fault::Ending, text),
        }
    }
    let _ = std::fs::remove_dir_all(folder.join("out"));
    let Some(truth) = at_home.filter(|truth| truth.complete) else { return wrong };
    match command::simulate(folder, 4 * STATES) {
        Ok(verdict) => {
            let right = match verdict.as_str() {
                "holds" => !truth.is_violated() && !truth.faults,
                "violated" => truth.is_violated(),
                "error" => truth.faults || truth.asserted,
                _ => false,
            };
            if !right {
                add(Fault::Beside, format!("`simulate` with symmetry says {verdict}, all states say {truth:?}"));
            }
        }
        Err(text) => add(Fault::Ending, text),
    }
    wrong
}
