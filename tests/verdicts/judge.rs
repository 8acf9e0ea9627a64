//! Verdicts beside what is true.
//!
//! In: a model with its constants. Out: what the command says, and each way in which that is wrong. A proof is held against all
//! instances that it claims to cover, a violation against the instance that it names.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use protocol::program::{Program, TypeKind};
use protocol::{Options, read};

use super::command::{self, Said};
use super::model::Constant;
use super::truth::{Truth, explore};

/// Values of constants.
pub(crate) type Setting = BTreeMap<String, i64>;

/// The sizes at which a claim is tried.
const SIZES: std::ops::RangeInclusive<i64> = 1..=5;
/// Instances with more states than this are seen in part.
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
    /// It is proven, and violated at the model's own sizes.
    ProvenAsItIs,
    /// It is proven, and violated at other sizes that the proof speaks of.
    ProvenForOthers,
    /// It is violated, and true.
    Violated,
    /// It is violated, and all that is wrong is that an execution meets an error.
    ErrorOnly,
    /// It is violated at sizes that the constants do not give.
    NoSuchInstance,
    /// `find` says violated, or `simulate` with symmetry says something else than all states say.
    Beside,
    /// It ends as it must not.
    Ending,
    /// rumur says something else than all states say.
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
    /// None where there was no verdict at all.
    pub(crate) said: Option<Said>,
    pub(crate) wrong: Vec<Wrong>,
    /// How many instances that the verdict speaks of were explored as a whole.
    pub(crate) instances: usize,
}

/// How much is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Seconds for a search.
    pub(crate) seconds: u32,
    /// Whether `find`, `check` and `simulate` are asked, too.
    pub(crate) beside: bool,
}

/// The text as a program with these constants; none where that is none.
pub(crate) fn program(text: &str, setting: &Setting) -> Option<Program> {
    read(text, &Options { constants: setting.clone(), type_sizes: BTreeMap::new() }).ok()
}

pub(crate) fn own(constants: &[Constant]) -> Setting {
    constants.iter().map(|constant| (constant.name.to_owned(), constant.value)).collect()
}

/// The model's own setting, and those with another value for one of its constants.
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

/// Asks the command about a model, in a folder of its own, and holds its answers against what is true.
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
        Said::Proven { any_size, kept } => {
            for setting in settings(constants) {
                if setting != own && !covers((any_size, kept), text, constants, &setting) {
                    continue;
                }
                let Some(truth) = truth(text, &setting) else { continue };
                judged.instances += usize::from(truth.complete);
                if truth.is_violated() {
                    let kind = if setting == own { Fault::ProvenAsItIs } else { Fault::ProvenForOthers };
                    judged.wrong.push(Wrong { kind, text: format!("{said:?}, violated at {setting:?}") });
                }
            }
        }
        Said::Violated { sizes } => {
            judged.instances += usize::from(at_home.as_ref().is_some_and(|truth| truth.complete));
            if at_home.as_ref().is_some_and(|truth| !truth.is_violated())
                && let Some((kind, why)) = false_alarm(text, constants, sizes)
            {
                judged.wrong.push(Wrong { kind, text: format!("{said:?}, {why}") });
            }
        }
        Said::Inconclusive(_) | Said::Refused(_) => {}
    }
    if effort.beside {
        judged.wrong.extend(beside(text, constants, folder, effort, &said, at_home.as_ref()));
    }
    judged.said = Some(said);
    judged
}

/// Whether a proof speaks of a setting: each constant that differs gives a type of any size its size, and is not kept.
fn covers(claim: (&[String], &Setting), text: &str, constants: &[Constant], setting: &Setting) -> bool {
    let (any_size, kept) = claim;
    let own = own(constants);
    let Some(home) = program(text, &own) else { return false };
    setting.iter().filter(|(name, value)| own.get(*name) != Some(value)).all(|(name, value)| {
        let Some(program) = program(text, setting) else { return false };
        let grows = |ty: &String| size_of(&home, ty) != size_of(&program, ty);
        kept.get(name).is_none_or(|kept| kept == value) && any_size.iter().any(grows)
    })
}

/// The number of elements of a type that is called so. A range without a name is called by its bounds, which change, so
/// that it is found by being away.
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

/// Why a violation that the model's own instance does not have is wrong, if it is.
fn false_alarm(text: &str, constants: &[Constant], sizes: &[(String, i64)]) -> Option<(Fault, String)> {
    let mut candidates = settings(constants);
    for constant in constants {
        for value in 6..=8 {
            let mut setting = own(constants);
            setting.insert(constant.name.to_owned(), value);
            candidates.push(setting);
        }
    }
    let (mut holds, mut faults) = (None, false);
    for setting in candidates {
        let Some(program) = program(text, &setting) else { continue };
        if sizes.iter().any(|(name, size)| size_of(&program, name) != Some(*size)) {
            continue;
        }
        let Some(truth) = explore(&program, STATES) else { continue };
        match truth.verdict() {
            Some(true) => holds = Some(setting),
            Some(false) | None => return None,
        }
        faults |= truth.faults;
    }
    Some(match holds {
        Some(setting) if faults => (Fault::ErrorOnly, format!("an error, and true at {setting:?}")),
        Some(setting) => (Fault::Violated, format!("true at {setting:?}")),
        None => (Fault::NoSuchInstance, "no constants give such an instance".to_owned()),
    })
}

/// What `find`, `check` and `simulate` say.
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
        Ok(1)
            if settings(constants)
                .iter()
                .all(|setting| truth(text, setting).is_none_or(|t| t.verdict() == Some(true))) =>
        {
            add(Fault::Beside, "`find` says violated, and it is true at all sizes".to_owned());
        }
        Ok(0) => {
            if let Err(text) = command::check(folder, "found.json") {
                add(Fault::Ending, text);
            }
        }
        Ok(_) => {}
        Err(text) => add(Fault::Ending, text),
    }
    if let Said::Proven { any_size, .. } = said {
        match command::check(folder, "out/certificate.json") {
            Ok(object) => {
                let names =
                    object["any_size"].as_array().map(|names| names.iter().filter_map(|n| n.as_str()).collect());
                if names.is_some_and(|names: Vec<&str>| names != *any_size) {
                    add(Fault::Beside, format!("`check` speaks of {}, `verify` of {any_size:?}", object["any_size"]));
                }
            }
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
