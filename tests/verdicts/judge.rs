//! Verdicts beside what is true.
//!
//! In: a model with its constants. Out: what the command says, and each way in which that is wrong. A proof is held against all
//! instances that it claims to cover, a violation against the instance that it names.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use murphi::program::{Program, TypeKind};
use murphi::{Options, read};

use super::command::{self, Claim, Said};
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
    /// It is violated in an instance that the constants do not give.
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
    read(text, &Options { constants: setting.clone(), ..Options::default() }).ok()
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
        Said::Violated { constants: there, error } => {
            let setting: Setting = own.keys().filter_map(|name| Some((name.clone(), *there.get(name)?))).collect();
            let truth = truth(text, &setting);
            judged.instances += usize::from(truth.as_ref().is_some_and(|truth| truth.complete));
            let kind = match truth {
                None => Some(Fault::NoSuchInstance),
                Some(_) if setting.len() != own.len() => Some(Fault::NoSuchInstance),
                Some(truth) if *error => (truth.complete && !truth.faults).then_some(Fault::Violated),
                Some(truth) => (truth.verdict() == Some(true)).then_some(Fault::Violated),
            };
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

/// Whether a proof speaks of an instance: the constants that are kept have their values there, the types that are kept their
/// sizes, and the others are as large as they have to be.
fn covers(claim: &Claim, program: &Program) -> bool {
    let has = |(name, value): (&String, &i64)| program.constants.iter().any(|own| own.0 == *name && own.1 == *value);
    let as_it_is = |(name, size): (&String, &i64)| size_of(program, name) == Some(*size);
    let enough = |(name, least): (&String, &i64)| size_of(program, name).unwrap_or(1) >= *least;
    claim.kept.iter().all(has) && claim.finite_types.iter().all(as_it_is) && claim.any_size.iter().all(enough)
}

/// The number of elements of a type that is called so. A range without a name is called by its bounds, which change.
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
            // A violation may be an error at run time.
            if settings(constants)
                .iter()
                .all(|setting| truth(text, setting).is_none_or(|t| t.verdict() == Some(true) && !t.faults)) =>
        {
            add(Fault::Beside, "`find` says violated, and it is true and without errors at all sizes".to_owned());
        }
        Ok(0) => {
            if let Err(text) = command::check(folder, "found.json") {
                add(Fault::Ending, text);
            }
        }
        Ok(_) => {}
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
