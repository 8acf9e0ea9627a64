//! The language as a front-end: what every later stage asks of a model.

use std::cell::OnceCell;

use system::front_end::{
    Declarations, Diagnostic, Executed, FrontEnd, Instance, InstanceError, InstanceSettings, Lowered, ReplayError,
    Setting, Settings, Severity, Symmetry, Trace,
};
use system::notation::Language;

use crate::check::check;
use crate::fault::Fault;
use crate::instance::{Explored, Machine, Permutations, replay};
use crate::lower::{self, lower};
use crate::program::{Program, Values};
use crate::syntax::parse;

/// The largest number of processes, and of values without names, that can be set.
const LARGEST: u32 = 64;

/// A model in Cubicle's language that was read.
#[derive(Debug)]
pub struct Model {
    program: Program,
    /// The size of each type; that of a type with named values is not used.
    sizes: Vec<u32>,
    lowered: OnceCell<Result<lower::Lowered, Vec<Diagnostic>>>,
}

impl FrontEnd for Model {
    fn read(text: &str, settings: &Settings) -> Result<Self, Vec<Diagnostic>> {
        let (items, errors) = parse(text);
        if !errors.is_empty() {
            return Err(errors);
        }
        let program = check(text, &items)?;
        let sizes = sizes(&program, settings)?;
        Ok(Self { program, sizes, lowered: OnceCell::new() })
    }

    fn text(&self) -> &str {
        &self.program.text
    }

    fn language(&self) -> Language {
        Language::Cubicle
    }

    fn type_names(&self) -> Vec<&str> {
        self.program.types.iter().map(|ty| ty.name.as_str()).collect()
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        let hints = self.program.hints.iter().map(|span| Fault::Hint.at(*span));
        let lowered = self.lowered.get_or_init(|| lower(&self.program, &self.sizes));
        let left_out = lowered.iter().flat_map(|lowered| lowered.left_out.clone());
        hints.chain(left_out).map(|own| Diagnostic { severity: Severity::Warning, ..own }).collect()
    }

    fn lower(&self) -> Result<Lowered<'_>, Vec<Diagnostic>> {
        let lowered = self.lowered.get_or_init(|| lower(&self.program, &self.sizes));
        let lowered = lowered.as_ref().map_err(Clone::clone)?;
        Ok(Lowered {
            system: &lowered.system,
            notes: lowered.notes.clone(),
            refused_properties: &lowered.refused,
            free_numbers: false,
            candidates: &lowered.candidates,
        })
    }

    fn declarations(&self) -> Result<Declarations, Vec<Diagnostic>> {
        Err(vec![Fault::NoAbstractModel.at(self.program.init.span)])
    }

    fn instance(&self, settings: &InstanceSettings) -> Result<Box<dyn Instance + '_>, InstanceError> {
        let sizes = match &settings.sizes {
            None => self.sizes.clone(),
            Some(sizes) => self.at_sizes(sizes),
        };
        let machine = self.machine(&sizes)?;
        let permutations = match settings.symmetry {
            Symmetry::None => Permutations::none(),
            // Which elements are symmetric depends on the model alone.
            Symmetry::Found | Symmetry::Given(_) => Permutations::of(&machine),
        };
        Ok(Box::new(Explored::new(machine, permutations)))
    }

    fn replay(&self, trace: &Trace) -> Result<Executed, ReplayError> {
        let mut sizes = self.sizes.clone();
        for (ty, size) in self.program.types.iter().zip(&mut sizes) {
            if let Some((_, told)) = trace.sizes.iter().find(|(name, _)| *name == ty.name) {
                *size = u32::try_from(*told).unwrap_or(u32::MAX);
            }
        }
        replay(&self.machine(&sizes)?, trace)
    }
}

impl Model {
    /// The model with resolved names.
    #[cfg(test)]
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    fn machine(&self, sizes: &[u32]) -> Result<Machine<'_>, InstanceError> {
        let refused = |reason| InstanceError::Refused(Fault::Instance { reason }.at(self.program.init.span));
        if sizes[crate::program::PROC.0] < self.program.constants {
            return Err(refused("it lacks a process that a constant denotes"));
        }
        Machine::new(&self.program, sizes)
            .ok_or_else(|| refused("it has too many variables, or a type too many values"))
    }

    /// Returns the sizes of all types, given those of the index types.
    fn at_sizes(&self, index_sizes: &[u64]) -> Vec<u32> {
        let mut given = index_sizes.iter();
        let mut sizes = self.sizes.clone();
        for (ty, size) in self.program.types.iter().zip(&mut sizes) {
            if ty.values.have_a_size() {
                let least = if ty.values == Values::Processes { self.program.constants } else { 0 };
                *size = given.next().map_or(*size, |size| u32::try_from(*size).unwrap_or(u32::MAX)).max(least);
            }
        }
        sizes
    }
}

/// Returns the sizes of types that are set, or else small ones: enough processes for every `unsafe` and transition, and two
/// values. A setting without a use is a fault.
fn sizes(program: &Program, settings: &Settings) -> Result<Vec<u32>, Vec<Diagnostic>> {
    const MOST_BY_DEFAULT: usize = 4;
    let place = program.init.span;
    let unused = |name: &str, reason| vec![Fault::Setting { name: name.to_owned(), reason }.at(place)];
    let is_one =
        |name: &str, test: &dyn Fn(&Values) -> bool| program.types.iter().any(|ty| ty.name == name && test(&ty.values));
    let has_size = |name: &str| is_one(name, &Values::have_a_size);
    let is_used = |name: &&String| has_size(name) || is_one(name, &Values::are_numbers);
    if let Some(name) = settings.constants.keys().find(|name| !is_used(name)) {
        return Err(unused(name, "only `proc`, types without known values, `int` and `real` can be set"));
    }
    if let Some(name) = settings.finite_types.iter().find(|name| has_size(name)) {
        return Err(unused(name, "such a type may have any size"));
    }
    if settings.finite_numbers {
        return Err(unused("finite-numbers", "`int` and `real` have all values"));
    }
    if settings.deadlock.is_some() {
        return Err(unused("deadlock", "deadlock freedom is a property of Murphi models only"));
    }
    if let Some(name) = settings.arbitrary.first() {
        return Err(unused(name, "what `init` does not mention has any value already"));
    }
    let parameters = program.unsafes.iter().map(|claim| claim.parameters);
    let parameters = parameters.chain(program.transitions.iter().map(|transition| transition.parameters));
    let needed = parameters.max().unwrap_or(0).clamp(2, MOST_BY_DEFAULT);
    let processes = u32::try_from(needed).unwrap_or(2).max(program.constants);
    let mut sizes = Vec::new();
    let numbers = numbers(program, settings)?;
    for ty in &program.types {
        if ty.values.are_numbers() {
            sizes.push(numbers);
            continue;
        }
        let default = if ty.values == Values::Processes { processes } else { 2 };
        sizes.push(match settings.constants.get(&ty.name) {
            None => default,
            Some(Setting::Number(number)) => match u32::try_from(*number) {
                Ok(size) if size <= LARGEST => size,
                Ok(_) | Err(_) => return Err(unused(&ty.name, "a size is a number from 0 to 64")),
            },
            Some(Setting::Truth(_)) => return Err(unused(&ty.name, "a size is a number from 0 to 64")),
        });
    }
    Ok(sizes)
}

/// Returns the number of numbers that an instance has. What is set for `int` or `real` is the greatest number.
fn numbers(program: &Program, settings: &Settings) -> Result<u32, Vec<Diagnostic>> {
    let (least, greatest) = program.numbers();
    let set = settings.constants.get_key_value("int").into_iter().chain(settings.constants.get_key_value("real"));
    let mut chosen = greatest;
    for (name, setting) in set {
        chosen = match setting {
            Setting::Number(number) if *number >= least => *number,
            Setting::Number(_) | Setting::Truth(_) => {
                let reason = "it is the greatest number that an instance has";
                return Err(vec![Fault::Setting { name: name.clone(), reason }.at(program.init.span)]);
            }
        };
    }
    Ok(u32::try_from(chosen.saturating_sub(least).saturating_add(1)).unwrap_or(u32::MAX))
}
