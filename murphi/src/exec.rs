//! The concrete meaning of a Murphi program: its states, and what its rules do to them.
//!
//! It is defined by a [`Machine`], which computes initial states, finds the rules enabled in a state, fires them, and
//! evaluates properties. All types must have fixed sizes. Exploration is not done here.
//!
//! The meaning is that of the Murphi reference manual, release 3.1, as CMurphi 5.4.9 implements it:
//! - every scalar starts undefined, except in variables that may have any value; reading an undefined scalar is an
//!   error, except that an assignment from a place copies it, as do `isundefined`, value parameters and copies of
//!   records and arrays;
//! - storing a value outside of the variable's type is an error, as is an index outside of an array;
//! - `&`, `|`, `->`, `?:` and quantifiers evaluate from left to right, and no further than needed;
//! - a `while` may run a thousand times; `for` bounds are evaluated once;
//! - an alias or reference parameter refers to the place as it is when the alias or call is reached;
//! - between rules a multiset has no order: elements are moved to the front and sorted.

mod code;
mod compile;
mod dispatch;
mod fault;
mod initial;
mod layout;
mod run;
#[cfg(test)]
mod tests;
mod values;

pub use dispatch::Dispatch;
pub(crate) use fault::assertion_name;
pub use fault::{BuildError, BuildFault, Fault, FaultKind};
pub use initial::Choice;
pub use layout::{Layout, PathPart, Scalar, ScalarKind, Step};
pub use values::{Domain, Segment, Values};

use code::{Block, Cond, Site, SiteInfo, Trap, What};
use layout::Slot;
use run::Run;

use std::collections::BTreeSet;

use crate::program::{Program, Span, TypeId, VarId};

/// A program that can be executed.
#[derive(Debug)]
pub struct Machine {
    program: Program,
    values: Values,
    layout: Layout,
    starts: Vec<StartInstance>,
    rules: Vec<RuleInstance>,
    properties: Vec<PropertyInstance>,
    sites: Vec<SiteInfo>,
    slots: Vec<Slot>,
    words: usize,
    registers: usize,
}

/// The value of a ruleset parameter, or the position chosen in a multiset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The variable.
    pub variable: VarId,
    /// Its type.
    pub ty: TypeId,
    /// The number of the value, see [`Values`].
    pub value: i64,
}

/// A startstate with values for its parameters.
#[derive(Debug)]
pub struct StartInstance {
    /// The position in [`Program::startstates`].
    pub start: usize,
    /// The parameters, outermost first.
    pub parameters: Vec<Parameter>,
    guard: Cond,
    body: Block,
}

/// A rule with values for its parameters.
#[derive(Debug)]
pub struct RuleInstance {
    /// The position in [`Program::rules`].
    pub rule: usize,
    /// The parameters, outermost first.
    pub parameters: Vec<Parameter>,
    guard: Cond,
    /// Whether evaluating the guard certainly leaves the state unchanged.
    pure: bool,
    body: Block,
}

/// A property with values for its parameters.
#[derive(Debug)]
pub struct PropertyInstance {
    /// The position in [`Program::properties`].
    pub property: usize,
    /// The parameters, outermost first.
    pub parameters: Vec<Parameter>,
    condition: Cond,
}

/// The memory of an execution: the current state, local variables and registers.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// The packed state, followed by local variables.
    memory: Vec<u64>,
    words: usize,
    registers: Vec<i64>,
    backup: Vec<u64>,
    covered: Vec<bool>,
    /// An error that occurs only in some orders of elements.
    ordered: Option<Site>,
}

impl Scratch {
    /// Returns the packed state.
    #[inline]
    #[must_use]
    pub fn state(&self) -> &[u64] {
        &self.memory[..self.words]
    }

    /// Returns the packed state for modification.
    #[inline]
    pub fn state_mut(&mut self) -> &mut [u64] {
        &mut self.memory[..self.words]
    }

    /// Returns, for each of [`Program::cover_statements`], whether an execution with this memory reached it while its
    /// condition held.
    #[must_use]
    pub fn covered(&self) -> &[bool] {
        &self.covered
    }

    /// Returns whether one element decided a quantifier over a watched type while another element leads to an error: in
    /// the state with the two elements swapped, that error ends the execution.
    #[inline]
    #[must_use]
    pub fn order_matters(&self) -> bool {
        self.ordered.is_some()
    }

    /// Loads a state as the current one.
    #[inline]
    pub fn load(&mut self, state: &[u64]) {
        self.state_mut().copy_from_slice(state);
    }
}

impl Machine {
    /// Compiles a program.
    ///
    /// # Errors
    /// Returns an error if the program does not fit into an instance, with the place in the source.
    pub fn new(program: &Program) -> Result<Self, BuildError> {
        Self::watching(program, &BTreeSet::new())
    }

    /// Compiles a program. Quantifiers over the given types look at all elements, to detect errors in elements that do
    /// not affect the result, see [`Scratch::order_matters`]. What their conditions evaluate must not write anything.
    ///
    /// # Errors
    /// Returns an error if the program does not fit into an instance, with the place in the source.
    pub fn watching(program: &Program, watched: &BTreeSet<TypeId>) -> Result<Self, BuildError> {
        let values = Values::new(program)?;
        let layout = Layout::new(program, &values)?;
        let compiled = compile::compile(program, &values, &layout, watched)?;
        Ok(Self {
            program: program.clone(),
            values,
            layout,
            starts: compiled.starts,
            rules: compiled.rules,
            properties: compiled.properties,
            sites: compiled.sites,
            slots: compiled.slots,
            words: compiled.words,
            registers: compiled.registers,
        })
    }

    /// Returns the program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the numbering of values.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns the layout of a state's scalars.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns all startstates with all their parameters.
    #[must_use]
    pub fn starts(&self) -> &[StartInstance] {
        &self.starts
    }

    /// Returns all rules with all their parameters, in source order, the last parameter changing fastest.
    #[must_use]
    pub fn rules(&self) -> &[RuleInstance] {
        &self.rules
    }

    /// Returns all properties with all their parameters.
    #[must_use]
    pub fn properties(&self) -> &[PropertyInstance] {
        &self.properties
    }

    /// Returns the index of guards to evaluate in a state.
    #[must_use]
    pub fn dispatch(&self) -> Dispatch {
        Dispatch::new(self)
    }

    /// Creates memory for executions.
    #[must_use]
    pub fn scratch(&self) -> Scratch {
        Scratch {
            memory: vec![0; self.words],
            words: self.layout.words(),
            registers: vec![0; self.registers],
            backup: vec![0; self.layout.words()],
            covered: vec![false; self.program.cover_statements().len()],
            ordered: None,
        }
    }

    /// Returns the place of the error that executions with this memory found in an element that did not affect a
    /// quantifier.
    #[must_use]
    pub fn not_needed(&self, scratch: &Scratch) -> Option<Span> {
        scratch.ordered.map(|site| self.sites[site as usize].span)
    }

    /// Computes the initial state of a startstate in which variables that may have any value have their first ones.
    /// Returns `false` if it has none, because it chooses from an empty multiset or an `assume` in it fails.
    ///
    /// # Errors
    /// Returns an error if the model has an error at run time.
    pub fn start(&self, scratch: &mut Scratch, start: usize) -> Result<bool, Fault> {
        self.start_with(scratch, start, &self.choice())
    }

    /// Computes the initial state of a startstate, as [`Machine::start`], with these values of variables that may have
    /// any.
    ///
    /// # Errors
    /// Returns an error if the model has an error at run time.
    pub fn start_with(&self, scratch: &mut Scratch, start: usize, choice: &Choice) -> Result<bool, Fault> {
        let start = &self.starts[start];
        scratch.memory.fill(0);
        self.choose(scratch, choice);
        if self.run(scratch, |run| run.holds(&start.guard))? != Some(true) {
            return Ok(false);
        }
        self.block(scratch, &start.body)
    }

    /// Returns whether a rule is enabled in the current state of the scratch memory.
    ///
    /// # Errors
    /// Returns an error if the model has an error at run time.
    #[inline]
    pub fn enabled(&self, scratch: &mut Scratch, rule: usize) -> Result<bool, Fault> {
        let rule = &self.rules[rule];
        if rule.pure {
            return Ok(self.run(scratch, |run| run.holds(&rule.guard))? == Some(true));
        }
        let words = scratch.words;
        scratch.backup.copy_from_slice(&scratch.memory[..words]);
        let enabled = self.run(scratch, |run| run.holds(&rule.guard));
        scratch.memory[..words].copy_from_slice(&scratch.backup);
        Ok(enabled? == Some(true))
    }

    /// Fires a rule, which must be enabled, and leaves the next state in the scratch memory. Returns `false` if an
    /// `assume` in it fails, so that there is no next state.
    ///
    /// # Errors
    /// Returns an error if the model has an error at run time.
    #[inline]
    pub fn fire(&self, scratch: &mut Scratch, rule: usize) -> Result<bool, Fault> {
        self.block(scratch, &self.rules[rule].body)
    }

    #[inline]
    fn block(&self, scratch: &mut Scratch, block: &Block) -> Result<bool, Fault> {
        let ended = self.run(scratch, |run| run.block(block))?.is_some();
        self.normalize(scratch.state_mut());
        Ok(ended)
    }

    /// Returns whether a property holds in the current state of the scratch memory.
    ///
    /// # Errors
    /// Returns an error if the model has an error at run time.
    #[inline]
    pub fn holds(&self, scratch: &mut Scratch, property: usize) -> Result<bool, Fault> {
        let property = &self.properties[property];
        Ok(self.run(scratch, |run| run.holds(&property.condition))? == Some(true))
    }

    /// Executes something; returns `None` if an `assume` fails.
    #[inline]
    fn run<T>(
        &self,
        scratch: &mut Scratch,
        execute: impl FnOnce(&mut Run<'_>) -> Result<T, Trap>,
    ) -> Result<Option<T>, Fault> {
        let mut run = Run {
            slots: &self.slots,
            memory: &mut scratch.memory,
            registers: &mut scratch.registers,
            covered: &mut scratch.covered,
            ordered: &mut scratch.ordered,
            detail: 0,
        };
        let result = execute(&mut run);
        let detail = run.detail;
        match result {
            Ok(result) => Ok(Some(result)),
            Err(trap) => self.fault(trap, detail).map_or(Ok(None), Err),
        }
    }

    /// Returns the error that stopped an execution, or `None` if an `assume` did.
    #[cold]
    fn fault(&self, trap: Trap, detail: i64) -> Option<Fault> {
        let site = &self.sites[trap.0 as usize];
        let text = || self.values.text(&self.program, crate::program::TypeId(u32::MAX), detail);
        let kind = match &site.what {
            What::Undefined => FaultKind::Undefined,
            What::Range => FaultKind::Range(text()),
            What::Index => FaultKind::Index(text()),
            What::Division => FaultKind::Division,
            What::Overflow => FaultKind::Overflow,
            What::Assumption => return None,
            What::Assertion(message) => FaultKind::Assertion(message.clone()),
            What::Error(message) => FaultKind::Error(message.clone()),
            What::Iterations => FaultKind::Iterations(run::MAX_ITERATIONS),
            What::Step => FaultKind::Step,
            What::MultisetFull => FaultKind::MultisetFull,
            What::MultisetPosition => FaultKind::MultisetPosition,
            What::NoReturn => FaultKind::NoReturn,
        };
        Some(Fault { kind, span: site.span })
    }

    /// Brings the elements of each multiset into canonical order: present elements first, sorted by their codes.
    pub fn normalize(&self, state: &mut [u64]) {
        for multiset in &self.layout.multisets {
            let flag = |position: usize| multiset.base + multiset.size * multiset.stride + position;
            let scalar = |position: usize, part: usize| multiset.base + position * multiset.stride + part;
            for end in 1..multiset.size {
                let mut at = end;
                while at > 0
                    && self.swapped(state, (flag(at - 1), flag(at)), multiset.stride, |position, part| {
                        scalar(at - 1 + position, part)
                    })
                {
                    let mut swap = |a: usize, b: usize| {
                        let (code, other) = (self.layout.code(state, a), self.layout.code(state, b));
                        self.layout.set_code(state, a, other);
                        self.layout.set_code(state, b, code);
                    };
                    for part in 0..multiset.stride {
                        swap(scalar(at - 1, part), scalar(at, part));
                    }
                    swap(flag(at - 1), flag(at));
                    at -= 1;
                }
            }
        }
    }

    /// Returns whether the second of two multiset elements must come before the first.
    fn swapped(
        &self,
        state: &[u64],
        flags: (usize, usize),
        stride: usize,
        scalar: impl Fn(usize, usize) -> usize,
    ) -> bool {
        let code = |at: usize| self.layout.code(state, at);
        match (code(flags.0) != 0, code(flags.1) != 0) {
            (first, second) if first != second => second,
            _ => (0..stride).map(|part| code(scalar(1, part))).lt((0..stride).map(|part| code(scalar(0, part)))),
        }
    }

    /// Returns the text of a scalar's value in a state, `Undefined` if it has none.
    #[must_use]
    pub fn scalar_text(&self, state: &[u64], scalar: usize) -> String {
        let code = self.layout.code(state, scalar);
        match &self.layout.scalars()[scalar].kind {
            ScalarKind::Present => (code != 0).to_string(),
            ScalarKind::Value(..) if code == 0 => "Undefined".to_owned(),
            ScalarKind::Value(ty, domain) => self.values.text(&self.program, *ty, domain.decode(code)),
        }
    }

    /// Returns the name of a parameter and the text of its value.
    #[must_use]
    pub fn parameter_text(&self, parameter: &Parameter) -> (String, String) {
        let name = self.program.variables[parameter.variable.index()].name.clone();
        (name, self.values.text(&self.program, parameter.ty, parameter.value))
    }

    /// Returns the name of a rule, or one derived from its line.
    #[must_use]
    pub fn rule_name(&self, rule: usize) -> String {
        let rule = &self.program.rules[rule];
        self.name_or_line(rule.name.as_deref(), "rule", rule.span)
    }

    /// Returns the name of a startstate, or one derived from its line.
    #[must_use]
    pub fn start_name(&self, start: usize) -> String {
        let start = &self.program.startstates[start];
        self.name_or_line(start.name.as_deref(), "startstate", start.span)
    }

    /// Returns the name of a property, or one derived from its line.
    #[must_use]
    pub fn property_name(&self, property: usize) -> String {
        let property = &self.program.properties[property];
        self.name_or_line(property.name.as_deref(), "property", property.span)
    }

    fn name_or_line(&self, name: Option<&str>, what: &str, span: Span) -> String {
        match name {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("{what} at line {}", self.program.origin(span).line),
        }
    }
}
