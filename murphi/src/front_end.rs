//! Murphi as a front-end: what every later stage asks of a model, in terms of no language.

mod excluded;
mod repair;
mod told;
mod undefined;

use std::cell::OnceCell;
use std::collections::BTreeMap;

use system::Cube;
use system::front_end::{
    Declarations, DeclaredKind, DeclaredType, DeclaredTypeId, DeclaredVariable, ExcludedState, Executed, Exploration,
    ExplorationFigures, FrontEnd, InstanceError, InstanceSettings, Limits, Lowered, Note, ReplayError, Setting,
    Settings, Symmetric, Symmetry, Trace,
};
use system::notation::Language;
use system::source::{NotCovered, SourceProgram};

use crate::diagnostics::{Code, Diagnostic};
use crate::exec::BuildError;
use crate::hol::{self, SourceOptions};
use crate::instance::{self, Instance, Permuted, replay};
use crate::lint::lint;
use crate::lower::{self, LowerOptions, lower};
use crate::program::{Program, TypeId, TypeKind};
use crate::{Options, read};

/// A Murphi model that was read.
#[derive(Debug)]
pub struct Model {
    text: String,
    reading: Options,
    lowering: LowerOptions,
    program: Program,
    lowered: OnceCell<Result<lower::Lowered, Vec<Diagnostic>>>,
}

impl FrontEnd for Model {
    fn read(text: &str, settings: &Settings) -> Result<Self, Vec<Diagnostic>> {
        let reading = reading(settings);
        let lowering = LowerOptions {
            index_types: settings.index_types.clone(),
            finite_types: settings.finite_types.clone(),
            finite_numbers: settings.finite_numbers,
            deadlock: settings.deadlock,
            most_steps: None,
            split_branches: false,
            stop: settings.stop.clone(),
        };
        let program = read(text, &reading)?;
        Ok(Self { text: text.to_owned(), reading, lowering, program, lowered: OnceCell::new() })
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn language(&self) -> Language {
        Language::Murphi
    }

    fn type_names(&self) -> Vec<&str> {
        self.program.types.iter().filter_map(|ty| ty.name.as_deref()).collect()
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        let mut warnings: Vec<Diagnostic> = self.program.warnings.iter().cloned().chain(lint(&self.program)).collect();
        for warning in warnings.iter_mut().filter(|warning| warning.code == Code::StartstatePerValue.text()) {
            let parameter = warning.labels.first().map(|label| label.span);
            let repair = |parameter| repair::replacements(&self.text, &self.program, parameter);
            warning.replacements = parameter.map(repair).unwrap_or_default();
        }
        warnings
    }

    fn lower(&self) -> Result<Lowered<'_>, Vec<Diagnostic>> {
        let lowered = self.lowered()?;
        let notes = lowered.notes.iter();
        let notes = notes.map(|note| Note { origin: Some(note.origin.clone()), text: note.kind.to_string() });
        Ok(Lowered {
            system: &lowered.system,
            notes: notes.chain(self.priorities()).collect(),
            refused_properties: &lowered.refused_properties,
            free_numbers: lowered.free_numbers,
            candidates: &[],
        })
    }

    fn declarations(&self) -> Result<Declarations, Vec<Diagnostic>> {
        Ok(declarations(&self.program, self.lowered()?))
    }

    fn observations(&self, go_on: &dyn Fn() -> bool) -> Vec<Note> {
        crate::lint::observations(&self.program, go_on)
    }

    fn instance(
        &self,
        settings: &InstanceSettings,
    ) -> Result<Box<dyn system::front_end::Instance + '_>, InstanceError> {
        let other = match &settings.sizes {
            None => None,
            Some(sizes) => self.at_sizes(sizes)?,
        };
        let (instance, ordered) = match &settings.symmetry {
            Symmetry::Found => self.symmetric(other.as_ref())?,
            Symmetry::None => (Instance::new(other.as_ref().unwrap_or(&self.program), &[])?, Vec::new()),
            Symmetry::Given(symmetric) => {
                let program = other.as_ref().unwrap_or(&self.program);
                (Instance::new(program, &permuted(program, symmetric))?, Vec::new())
            }
        };
        let instance = instance.with_deadlock(self.lowering.deadlock);
        Ok(Box::new(Explored { instance, ordered, symmetry: settings.symmetry != Symmetry::None, last: None }))
    }

    fn replay(&self, trace: &Trace) -> Result<Executed, ReplayError> {
        // A trace says for which values of the constants it runs.
        let other = self.of_trace(&trace.constants);
        let instance = Instance::new(other.as_ref().unwrap_or(&self.program), &[]).map_err(InstanceError::from)?;
        let instance = instance.with_deadlock(self.lowering.deadlock);
        let executed = replay(&instance, &told::steps(trace))?;
        Ok(told::executed(&instance, &executed))
    }

    fn source_program(&self) -> Result<SourceProgram, NotCovered> {
        if let Some(variable) = self.program.arbitrary.first() {
            let declared = &self.program.variables[variable.index()];
            let what = format!("variables that start with any value, as `{}`", declared.name);
            return Err(NotCovered { what, origin: self.program.origin(declared.span) });
        }
        if self.reading.undefined_is_unequal {
            let what = "comparisons in which undefined is unequal to everything".to_owned();
            return Err(NotCovered { what, origin: system::Origin::default() });
        }
        let (ast, _) = crate::parse(&self.text);
        hol::program(&ast, &self.text, &SourceOptions { kept: self.kept(), numbers: self.constants() })
    }

    fn excluded_state(
        &self,
        invariants: &[&Cube],
        invariant: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<ExcludedState>, InstanceError> {
        match self.lowered() {
            Ok(lowered) => excluded::excluded_state(self, lowered, invariants, invariant, go_on),
            Err(_) => Ok(None),
        }
    }
}

impl Model {
    /// The typed program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The numbers of the constants of the lowered system.
    fn constants(&self) -> BTreeMap<String, u32> {
        let Ok(lowered) = self.lowered() else { return BTreeMap::new() };
        let constants = (0_u32..).zip(&lowered.system.constants);
        constants.map(|(number, constant)| (constant.name.clone(), number)).collect()
    }

    /// The constants whose values matter to what is proven, or all if the model cannot be lowered.
    fn kept(&self) -> BTreeMap<String, Setting> {
        let claim = self.lowered().ok().map(|lowered| &lowered.system.claim.constants);
        let matters = |name: &str| claim.is_none_or(|kept| kept.iter().any(|constant| constant.name == name));
        let numbers = self.program.constants.iter().filter(|(name, _)| matters(name));
        let truths = self.program.truths.iter().map(|(name, truth)| (name.clone(), Setting::Truth(*truth)));
        numbers.map(|(name, number)| (name.clone(), Setting::Number(*number))).chain(truths).collect()
    }

    fn lowered(&self) -> Result<&lower::Lowered, Vec<Diagnostic>> {
        self.lowered.get_or_init(|| lower(&self.program, &self.lowering)).as_ref().map_err(Clone::clone)
    }

    /// An instance whose elements may be permuted as lowering finds, and as scalarsets may where it finds nothing; and the types
    /// that are not permuted.
    fn symmetric(&self, other: Option<&Program>) -> Result<(Instance, Vec<(String, u32)>), BuildError> {
        let own;
        let (program, lowered) = match other {
            None => (&self.program, self.lowered().ok()),
            Some(program) => {
                own = lower(program, &self.lowering);
                (program, own.as_ref().ok())
            }
        };
        let permuted = lowered.map_or_else(|| Permuted::scalarsets(program), Permuted::lowered);
        Ok((Instance::new(program, &permuted)?, told::ordered(program, lowered)))
    }

    /// The program with constants for which the index types have at least these sizes, where it is another one than that which was
    /// read. A verdict is drawn from no instance whose sizes no constant of the model sets.
    fn at_sizes(&self, sizes: &[u64]) -> Result<Option<Program>, InstanceError> {
        let lowered = self.lowered().map_err(|_| InstanceError::NoSuchSizes)?;
        let constants = self.constants_at(lowered, sizes).ok_or(InstanceError::NoSuchSizes)?;
        if constants == self.reading.constants {
            return Ok(None);
        }
        self.with_constants(constants).map(Some).ok_or(InstanceError::NoSuchSizes)
    }

    /// The program with the constants of which an instance was made.
    fn of_trace(&self, constants: &[(String, i64)]) -> Option<Program> {
        let others = constants.iter().filter(|constant| !self.program.constants.contains(constant)).cloned();
        self.with_constants(self.reading.constants.clone().into_iter().chain(others).collect())
    }

    fn with_constants(&self, constants: BTreeMap<String, i64>) -> Option<Program> {
        read(&self.text, &Options { constants, ..self.reading.clone() }).ok()
    }

    /// The constants for which the index types have at least these sizes, with those that the user set.
    fn constants_at(&self, lowered: &lower::Lowered, sizes: &[u64]) -> Option<BTreeMap<String, i64>> {
        let mut wanted: BTreeMap<&str, i64> = BTreeMap::new();
        for ((over, sized), size) in lowered.system.index_types.iter().zip(&lowered.sizes).zip(sizes) {
            if u64::from(over.size) == *size {
                continue;
            }
            let (constant, value) = sized.reaching(i64::try_from(*size).ok()?)?;
            // A computed constant has no values but those that the computation gives, unless the user set it.
            if self.program.is_computed(constant) && !self.reading.constants.contains_key(constant) {
                return None;
            }
            // Of two types that one constant sizes the larger counts.
            wanted.entry(constant).and_modify(|known| *known = value.max(*known)).or_insert(value);
        }
        let mut constants = self.reading.constants.clone();
        constants.extend(wanted.into_iter().map(|(name, value)| (name.to_owned(), value)));
        Some(constants)
    }

    /// The program with invariants at its end, at other sizes; nothing where that is no program. Types that no constant
    /// sizes get theirs nevertheless, so that no verdict can be drawn from such an instance.
    fn with_invariants(&self, invariants: &str, lowered: &lower::Lowered, sizes: &[u64]) -> Option<Program> {
        let text = format!("{}\n{invariants}", self.text);
        if let Some(constants) = self.constants_at(lowered, sizes) {
            return read(&text, &Options { constants, ..self.reading.clone() }).ok();
        }
        let names = lowered.system.index_types.iter().map(|over| over.name.clone());
        let sizes = names.zip(sizes).map(|(name, size)| Some((name, u32::try_from(*size).ok()?)));
        let type_sizes = sizes.collect::<Option<BTreeMap<_, _>>>()?;
        read(&text, &Options { type_sizes, ..self.reading.clone() }).ok()
    }

    /// That priorities are not part of the system, where the model has some.
    fn priorities(&self) -> Option<Note> {
        let rules = &self.program.rules;
        let rule = rules.iter().find(|rule| rule.priority != rules[0].priority)?;
        let text = "priorities hold in an instance only: a proof lets every enabled rule fire, so that it holds for any priorities";
        Some(Note { origin: Some(self.program.origin(rule.span)), text: text.to_owned() })
    }
}

/// An instance, and what its last exploration found.
struct Explored {
    instance: Instance,
    ordered: Vec<(String, u32)>,
    symmetry: bool,
    last: Option<instance::Exploration>,
}

impl system::front_end::Instance for Explored {
    fn explore(&mut self, limits: &Limits, go_on: &mut dyn FnMut(&ExplorationFigures) -> bool) -> Exploration {
        let exploration = self.instance.explore(limits, self.symmetry, go_on);
        let told = told::exploration(&self.instance, &exploration);
        self.last = Some(exploration);
        told
    }

    fn trace(&self) -> Option<Executed> {
        let executed = self.instance.counterexample(self.last.as_ref()?)?;
        Some(told::executed(&self.instance, &executed))
    }

    fn ordered(&self) -> Vec<(String, u32)> {
        self.ordered.clone()
    }
}

impl From<BuildError> for InstanceError {
    fn from(error: BuildError) -> Self {
        Self::Refused(Diagnostic::error(BuildError::CODE, error.span, error.to_string()))
    }
}

/// The settings as the type checker takes them.
fn reading(settings: &Settings) -> Options {
    let mut options = Options {
        arbitrary: settings.arbitrary.iter().cloned().collect(),
        undefined_is_unequal: settings.undefined_is_unequal,
        ..Options::default()
    };
    for (name, setting) in &settings.constants {
        let value = match setting {
            Setting::Number(number) => *number,
            Setting::Truth(truth) => {
                options.truth_values.insert(name.clone());
                i64::from(*truth)
            }
        };
        options.constants.insert(name.clone(), value);
    }
    options
}

/// The types of these names.
fn permuted(program: &Program, symmetric: &[Symmetric]) -> Vec<Permuted> {
    let named = |wanted: &String| {
        let types = (0..).map(TypeId).zip(&program.types);
        types.into_iter().find(|(_, ty)| ty.name.as_ref() == Some(wanted)).map(|(id, _)| id)
    };
    let classes = symmetric.iter();
    classes
        .map(|class| Permuted { types: class.types.iter().filter_map(named).collect(), fixed: class.fixed.clone() })
        .collect()
}

/// The types and variables of a program that was lowered, with the index types that they became.
#[must_use]
pub fn declarations(program: &Program, lowered: &lower::Lowered) -> Declarations {
    let id = |ty: TypeId| DeclaredTypeId(ty.0);
    let kind = |kind: &TypeKind| match kind {
        TypeKind::Boolean => DeclaredKind::Boolean,
        TypeKind::Enum(members) => DeclaredKind::Enumeration(members.clone()),
        TypeKind::Range(first, last) => DeclaredKind::Range(*first, *last),
        TypeKind::Scalarset(size) => DeclaredKind::Symmetric(*size),
        TypeKind::Union(parts) => DeclaredKind::Union(parts.iter().copied().map(id).collect()),
        TypeKind::Record(fields) => {
            DeclaredKind::Record(fields.iter().map(|(name, ty)| (name.clone(), id(*ty))).collect())
        }
        TypeKind::Array { index, element } => DeclaredKind::Array { index: id(*index), element: id(*element) },
        TypeKind::Multiset { size, element } => DeclaredKind::Multiset { size: *size, element: id(*element) },
    };
    let types = (0..).map(TypeId).zip(&program.types);
    let variables = program.globals.iter().map(|global| {
        let variable = &program.variables[global.index()];
        let is_named_element = lowered.homes.contains_key(global);
        DeclaredVariable { name: variable.name.clone(), ty: id(variable.ty), is_named_element }
    });
    Declarations {
        types: types
            .map(|(own, ty)| DeclaredType {
                name: ty.name.clone(),
                kind: kind(&ty.kind),
                index_type: lowered.types.get(&own).copied(),
            })
            .collect(),
        variables: variables.collect(),
    }
}
