//! Compiles the typed program: one piece of code for each rule and each tuple of its parameters.
//!
//! Parameters become constants in the code, short loops are unrolled, calls are expanded in place (recursion is
//! refused), and constants are folded. The order of evaluation, and so the first error, is that of the source.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a compiler looks for one shape among many: constants to fold, known cells"
)]

mod calls;
mod conditions;
mod expressions;
mod multisets;
mod places;
mod statements;

use std::collections::{BTreeMap, BTreeSet};

use super::code::{AddressTerm, Block, Cond, Expr, Register, Site, SiteInfo, Stmt, What};
use super::layout::{Layout, Slot};
use super::values::Values;
use super::{BuildError, BuildFault, Parameter, PropertyInstance, RuleInstance, StartInstance};
use crate::program::{Around, Binder, Expression, FunctionId, Over, Program, Span, Statement, TypeId, VarId};

/// The largest number of instances of all rules together.
const MAX_INSTANCES: usize = 1 << 18;
/// Loops are unrolled while no statement inside is copied more often than this.
const MAX_UNROLLED: u64 = 128;

/// What a variable refers to at a point of the program.
#[derive(Clone, Debug)]
enum Binding {
    /// A known value.
    Value(i64),
    /// The value in a register.
    Register(Register),
    /// A place.
    Place(Place),
}

/// A place with its type.
#[derive(Clone, Debug)]
struct Place {
    /// The number of a scalar among those of the state and of all frames.
    base: u32,
    terms: Vec<AddressTerm>,
    ty: TypeId,
}

/// All compiled instances.
#[derive(Debug)]
pub(super) struct Compiled {
    pub starts: Vec<StartInstance>,
    pub rules: Vec<RuleInstance>,
    pub properties: Vec<PropertyInstance>,
    pub sites: Vec<SiteInfo>,
    /// The places of all scalars, those of the state first.
    pub slots: Vec<Slot>,
    /// The number of words of the state and of the largest frame.
    pub words: usize,
    pub registers: usize,
}

pub(super) struct Compiler<'p> {
    program: &'p Program,
    values: &'p Values,
    layout: &'p Layout,
    /// The types whose elements are permuted.
    watched: &'p BTreeSet<TypeId>,
    sites: Vec<SiteInfo>,
    known_sites: BTreeMap<(What, Span), Site>,
    bindings: BTreeMap<VarId, Binding>,
    /// The block being written.
    out: Vec<Stmt>,
    /// The places of all scalars, those of the state first.
    slots: Vec<Slot>,
    /// The first scalar for values of a type in a frame, by the first bit of the place.
    frames: BTreeMap<(usize, TypeId), u32>,
    /// The first unused bit of the frame.
    frame: usize,
    most_frame: usize,
    registers: u32,
    most_registers: u32,
    /// How often loops copy the current statement.
    copies: u64,
    /// The functions around the current statement, with the places of their results.
    calls: Vec<(FunctionId, Option<Place>)>,
    /// Whether a function was called.
    called: bool,
    /// The places of the `cover` statements.
    covers: Vec<Span>,
}

/// Compiles a whole program.
pub(super) fn compile(
    program: &Program,
    values: &Values,
    layout: &Layout,
    watched: &BTreeSet<TypeId>,
) -> Result<Compiled, BuildError> {
    let mut compiler = Compiler {
        program,
        values,
        layout,
        watched,
        sites: Vec::new(),
        known_sites: BTreeMap::new(),
        bindings: BTreeMap::new(),
        out: Vec::new(),
        slots: layout.slots.clone(),
        frames: BTreeMap::new(),
        frame: layout.words() * 64,
        most_frame: layout.words() * 64,
        registers: 0,
        most_registers: 0,
        copies: 1,
        calls: Vec::new(),
        called: false,
        covers: program.cover_statements().into_iter().map(|(_, span)| span).collect(),
    };
    let (mut starts, mut rules, mut properties) = (Vec::new(), Vec::new(), Vec::new());
    for (start, declaration) in program.startstates.iter().enumerate() {
        compiler.instances(&declaration.around, &mut Vec::new(), &mut |compiler, parameters| {
            let guard = compiler.guard(&declaration.around, None)?;
            let body = compiler.body(&declaration.around, &declaration.locals, &declaration.body)?;
            starts.push(StartInstance { start, parameters, guard, body });
            compiler.bounded(starts.len(), declaration.span)
        })?;
    }
    for (rule, declaration) in program.rules.iter().enumerate() {
        compiler.instances(&declaration.around, &mut Vec::new(), &mut |compiler, parameters| {
            let guard = compiler.guard(&declaration.around, Some(&declaration.guard))?;
            let pure = !std::mem::take(&mut compiler.called);
            let body = match guard {
                Cond::Const(false) => Block::default(),
                _ => compiler.body(&declaration.around, &declaration.locals, &declaration.body)?,
            };
            rules.push(RuleInstance { rule, parameters, guard, pure, body });
            compiler.bounded(rules.len(), declaration.span)
        })?;
    }
    for (property, declaration) in program.properties.iter().enumerate() {
        compiler.instances(&declaration.around, &mut Vec::new(), &mut |compiler, parameters| {
            let condition = compiler.guard(&declaration.around, Some(&declaration.condition))?;
            properties.push(PropertyInstance { property, parameters, condition });
            compiler.bounded(properties.len(), declaration.span)
        })?;
    }
    let (words, registers) = (compiler.most_frame.div_ceil(64), compiler.most_registers as usize);
    Ok(Compiled { starts, rules, properties, sites: compiler.sites, slots: compiler.slots, words, registers })
}

type Visit<'v, 'p> = &'v mut dyn FnMut(&mut Compiler<'p>, Vec<Parameter>) -> Result<(), BuildError>;

impl<'p> Compiler<'p> {
    fn bounded(&self, instances: usize, span: Span) -> Result<(), BuildError> {
        if instances > MAX_INSTANCES { Err(error(span, BuildFault::Instances(MAX_INSTANCES))) } else { Ok(()) }
    }

    /// Calls `visit` for each tuple of parameters, the last parameter changing fastest.
    fn instances(
        &mut self,
        around: &[Around],
        parameters: &mut Vec<Parameter>,
        visit: Visit<'_, 'p>,
    ) -> Result<(), BuildError> {
        let Some((first, rest)) = around.split_first() else {
            (self.frame, self.registers, self.called) = (self.layout.words() * 64, 0, false);
            return visit(self, parameters.clone());
        };
        let (variable, values) = match first {
            Around::Parameter(binder) => (binder.variable, self.parameter_values(binder)?),
            Around::Choose(variable, multiset) => (*variable, self.positions(multiset)?),
            Around::Alias(..) => return self.instances(rest, parameters, visit),
        };
        let ty = self.program.variables[variable.index()].ty;
        for value in values {
            self.bindings.insert(variable, Binding::Value(value));
            parameters.push(Parameter { variable, ty, value });
            self.instances(rest, parameters, visit)?;
            parameters.pop();
        }
        self.bindings.remove(&variable);
        Ok(())
    }

    fn parameter_values(&mut self, binder: &Binder) -> Result<Vec<i64>, BuildError> {
        let span = self.program.variables[binder.variable.index()].span;
        let values = match &binder.over {
            Over::Type(ty) => {
                let domain = self.domain(*ty, span)?;
                if domain.size() > MAX_INSTANCES as u64 {
                    return Err(error(span, BuildFault::Instances(MAX_INSTANCES)));
                }
                domain.values()
            }
            Over::Numbers { from, to, step } => {
                let (from, to, step) = (self.expression(from)?, self.expression(to)?, self.expression(step)?);
                constant_range(&from, &to, &step, MAX_INSTANCES as u64)
                    .ok_or_else(|| error(span, BuildFault::Bounds))?
            }
        };
        Ok(values)
    }

    /// Compiles the condition under which a rule is enabled; the aliases around it are evaluated first, in order.
    fn guard(&mut self, around: &[Around], guard: Option<&Expression>) -> Result<Cond, BuildError> {
        let outer = std::mem::take(&mut self.out);
        let mut parts = Vec::new();
        for item in around {
            match item {
                Around::Parameter(_) => {}
                Around::Alias(variable, value) => self.bind_alias(*variable, value)?,
                Around::Choose(variable, multiset) => {
                    let present = self.present(*variable, multiset)?;
                    parts.push(self.sequence(present));
                }
            }
        }
        if let Some(guard) = guard {
            let guard = self.condition(guard)?;
            parts.push(self.sequence(guard));
        }
        self.out = outer;
        Ok(conditions::conjunction(parts))
    }

    /// Compiles the condition together with the statements written so far, which are removed from the block.
    fn sequence(&mut self, condition: Cond) -> Cond {
        let before = std::mem::take(&mut self.out);
        if before.is_empty() { condition } else { Cond::Seq(Box::new((before.into_boxed_slice(), condition))) }
    }

    fn body(&mut self, around: &[Around], locals: &[VarId], body: &[Statement]) -> Result<Block, BuildError> {
        (self.frame, self.registers) = (self.layout.words() * 64, 0);
        let outer = std::mem::take(&mut self.out);
        for item in around {
            if let Around::Alias(variable, value) = item {
                self.bind_alias(*variable, value)?;
            }
        }
        self.declare(locals)?;
        self.statements(body)?;
        let block = std::mem::replace(&mut self.out, outer);
        Ok(block.into_boxed_slice())
    }

    /// Allocates local variables in the frame and makes them undefined.
    fn declare(&mut self, locals: &[VarId]) -> Result<(), BuildError> {
        for &local in locals {
            let variable = &self.program.variables[local.index()];
            let place = self.allocate(variable.ty, variable.span)?;
            self.bindings.insert(local, Binding::Place(place));
        }
        Ok(())
    }

    /// Allocates a new, undefined place in the frame.
    fn allocate(&mut self, ty: TypeId, span: Span) -> Result<Place, BuildError> {
        let count = narrow(self.layout.size_of(ty, span)?, span)?;
        // A value at the same bits of its words as a state variable of its type can be copied word by word.
        let alike = self.program.globals.iter().find(|global| self.program.variables[global.index()].ty == ty);
        let shift = alike.and_then(|global| self.layout.base(*global)).map(|base| self.slots.get(base));
        if let Some(Some(slot)) = shift
            && count > 1
        {
            self.frame += (64 + slot.shift as usize - self.frame % 64) % 64;
        }
        let base = match self.frames.get(&(self.frame, ty)) {
            Some(&base) => base,
            None => {
                let base = narrow(self.slots.len(), span)?;
                let bits = self.layout.bits_of(self.program, self.values, ty);
                super::layout::pack(bits, self.frame, &mut self.slots);
                self.frames.insert((self.frame, ty), base);
                base
            }
        };
        if let Some(last) = self.slots[base as usize..].get((count as usize).wrapping_sub(1)) {
            self.frame = last.word as usize * 64 + (last.shift + last.mask.count_ones()) as usize;
        }
        self.most_frame = self.most_frame.max(self.frame);
        self.forget(base, count);
        Ok(Place { base, terms: Vec::new(), ty })
    }

    fn register(&mut self) -> Register {
        let register = self.registers;
        self.registers += 1;
        self.most_registers = self.most_registers.max(self.registers);
        register
    }

    fn site(&mut self, what: What, span: Span) -> Site {
        let next = u32::try_from(self.sites.len()).unwrap_or(u32::MAX);
        let site = *self.known_sites.entry((what.clone(), span)).or_insert(next);
        if site == next {
            self.sites.push(SiteInfo { what, span });
        }
        site
    }

    /// Writes statements into a separate block.
    fn scoped<T>(&mut self, write: impl FnOnce(&mut Self) -> Result<T, BuildError>) -> Result<(T, Block), BuildError> {
        let outer = std::mem::take(&mut self.out);
        let result = write(self);
        let block = std::mem::replace(&mut self.out, outer);
        Ok((result?, block.into_boxed_slice()))
    }

    fn domain(&self, ty: TypeId, span: Span) -> Result<std::sync::Arc<super::values::Domain>, BuildError> {
        self.values.domain(ty).cloned().ok_or_else(|| error(span, BuildFault::Unbounded))
    }
}

fn error(span: Span, fault: BuildFault) -> BuildError {
    BuildError { span, fault }
}

fn narrow(number: usize, span: Span) -> Result<u32, BuildError> {
    u32::try_from(number).map_err(|_| error(span, BuildFault::Unbounded))
}

/// Returns the numbers of a range with constant bounds, if there are at most `most`.
fn constant_range(from: &Expr, to: &Expr, step: &Expr, most: u64) -> Option<Vec<i64>> {
    let (Expr::Const(from), Expr::Const(to), Expr::Const(step)) = (from, to, step) else { return None };
    if *step == 0 {
        return None;
    }
    let mut numbers = Vec::new();
    let mut at = *from;
    while if *step > 0 { at <= *to } else { at >= *to } {
        if numbers.len() as u64 >= most {
            return None;
        }
        numbers.push(at);
        match at.checked_add(*step) {
            Some(next) => at = next,
            None => break,
        }
    }
    Some(numbers)
}
