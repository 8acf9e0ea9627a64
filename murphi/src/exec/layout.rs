//! The layout of a state: which bits hold which scalars.
//!
//! Scalars are numbered in declaration order, such that the elements of an array are at equal distances, and each is
//! assigned bits within the words of a packed state.
//!
//! A multiset of `n` elements is laid out as `n` elements followed by `n` bits that say which of them are present.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::values::{Domain, Values};
use super::{BuildError, BuildFault};
use crate::program::{Program, Span, TypeId, TypeKind, VarId};

/// The largest number of scalars in a state.
const MAX_SCALARS: usize = 1 << 20;

/// Bits of a word of a packed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub word: u32,
    pub shift: u32,
    /// The mask of the bits before shifting.
    pub mask: u64,
}

impl Slot {
    #[inline]
    pub(super) fn get(self, state: &[u64]) -> u64 {
        (state[self.word as usize] >> self.shift) & self.mask
    }

    #[inline]
    pub(super) fn set(self, state: &mut [u64], code: u64) {
        let word = &mut state[self.word as usize];
        *word = *word & !(self.mask << self.shift) | code << self.shift;
    }
}

/// What a scalar holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScalarKind {
    /// A value of a type.
    Value(TypeId, Arc<Domain>),
    /// Whether a multiset element is present: the code is 0 or 1.
    Present,
}

/// A scalar of the state.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// What it holds.
    pub kind: ScalarKind,
    /// The state variable that it is part of.
    pub global: VarId,
}

impl Scalar {
    fn bits(&self) -> u32 {
        match &self.kind {
            ScalarKind::Value(_, domain) => domain.bits(),
            ScalarKind::Present => 1,
        }
    }
}

/// Assigns bits to scalars, in order, none across a word boundary. Returns the first free bit.
pub(super) fn pack(bits: Vec<u32>, start: usize, slots: &mut Vec<Slot>) -> usize {
    let mut at = start;
    for bits in bits {
        let room = 64 - at % 64;
        if room < bits as usize {
            at += room;
        }
        let shift = u32::try_from(at % 64).unwrap_or(0);
        let word = u32::try_from(at / 64).unwrap_or(u32::MAX);
        slots.push(Slot { word, shift, mask: (1 << bits) - 1 });
        at += bits as usize;
    }
    at
}

/// A multiset within the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MultisetPlace {
    /// The first scalar.
    pub base: usize,
    /// The number of elements.
    pub size: usize,
    /// The scalars per element.
    pub stride: usize,
}

/// A step of the path from a state variable to a scalar inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A state variable, by name.
    Global(String),
    /// A field of a record.
    Field(String),
    /// The array element at this value of the index type.
    Element(i64),
}

/// The scalars of a state.
#[derive(Clone, Debug)]
pub struct Layout {
    scalars: Vec<Scalar>,
    pub(super) slots: Vec<Slot>,
    pub(super) multisets: Vec<MultisetPlace>,
    bases: BTreeMap<VarId, usize>,
    sizes: Vec<Option<usize>>,
    words: usize,
    bits: usize,
}

impl Layout {
    pub(super) fn new(program: &Program, values: &Values) -> Result<Self, BuildError> {
        let mut layout = Self {
            scalars: Vec::new(),
            slots: Vec::new(),
            multisets: Vec::new(),
            bases: BTreeMap::new(),
            sizes: vec![None; program.types.len()],
            words: 0,
            bits: 0,
        };
        for position in 0..program.types.len() {
            let id = TypeId(u32::try_from(position).unwrap_or(u32::MAX));
            layout.sizes[position] = size_of(program, values, id, &layout.sizes);
        }
        for &global in &program.globals {
            let variable = &program.variables[global.index()];
            let size = layout.size_of(variable.ty, variable.span)?;
            if layout.scalars.len() + size > MAX_SCALARS {
                return Err(BuildError { span: variable.span, fault: BuildFault::Scalars(MAX_SCALARS) });
            }
            layout.bases.insert(global, layout.scalars.len());
            layout.place(program, values, global, variable.ty);
        }
        let bits = layout.scalars.iter().map(Scalar::bits).collect();
        layout.bits = pack(bits, 0, &mut layout.slots);
        layout.words = layout.bits.div_ceil(64).max(1);
        Ok(layout)
    }

    fn place(&mut self, program: &Program, values: &Values, global: VarId, ty: TypeId) {
        match &program.types[ty.index()].kind {
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Range(..)
            | TypeKind::Scalarset(_)
            | TypeKind::Union(_) => {
                if let Some(domain) = values.domain(ty) {
                    let kind = ScalarKind::Value(ty, Arc::clone(domain));
                    self.scalars.push(Scalar { kind, global });
                }
            }
            TypeKind::Record(fields) => {
                for (_, field) in fields {
                    self.place(program, values, global, *field);
                }
            }
            TypeKind::Array { index, element } => {
                let count = values.domain(*index).map_or(0, |domain| domain.size());
                for _ in 0..count {
                    self.place(program, values, global, *element);
                }
            }
            TypeKind::Multiset { size, element } => {
                let size = usize::try_from(*size).unwrap_or(0);
                let base = self.scalars.len();
                for _ in 0..size {
                    self.place(program, values, global, *element);
                }
                let stride = (self.scalars.len() - base).checked_div(size).unwrap_or(0);
                self.scalars.extend((0..size).map(|_| Scalar { kind: ScalarKind::Present, global }));
                self.multisets.push(MultisetPlace { base, size, stride });
            }
        }
    }

    /// Returns the bits that a scalar of a type needs.
    pub(super) fn bits_of(&self, program: &Program, values: &Values, ty: TypeId) -> Vec<u32> {
        let mut part = Self { scalars: Vec::new(), multisets: Vec::new(), ..self.clone() };
        part.place(program, values, VarId(0), ty);
        part.scalars.iter().map(Scalar::bits).collect()
    }

    /// Returns the number of words of a packed state.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Returns the number of bytes, from the first word on, that hold all bits of a packed state.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bits.div_ceil(8).max(1)
    }

    /// Returns the scalars.
    #[must_use]
    pub fn scalars(&self) -> &[Scalar] {
        &self.scalars
    }

    /// Returns the code of a scalar in a state; 0 means undefined.
    #[must_use]
    #[inline(always)]
    pub fn code(&self, state: &[u64], scalar: usize) -> u64 {
        self.slots[scalar].get(state)
    }

    /// Sets the code of a scalar; it must be 0 or the code of a value of its domain.
    #[inline(always)]
    pub fn set_code(&self, state: &mut [u64], scalar: usize, code: u64) {
        self.slots[scalar].set(state, code);
    }

    /// Returns the first scalar of a state variable.
    #[must_use]
    pub fn base(&self, global: VarId) -> Option<usize> {
        self.bases.get(&global).copied()
    }

    /// Returns the number of scalars in a value of the type.
    pub(super) fn size_of(&self, ty: TypeId, span: Span) -> Result<usize, BuildError> {
        self.sizes[ty.index()].ok_or(BuildError { span, fault: BuildFault::Unbounded })
    }

    /// Returns the scalar at the end of a path, or `None` if the path does not lead to one.
    #[must_use]
    pub fn find(&self, program: &Program, values: &Values, path: &[Step]) -> Option<usize> {
        let (Step::Global(name), rest) = path.split_first()? else { return None };
        let global = program.globals.iter().find(|global| program.variables[global.index()].name == *name)?;
        let (mut at, mut ty) = (self.base(*global)?, program.variables[global.index()].ty);
        for step in rest {
            match (step, &program.types[ty.index()].kind) {
                (Step::Field(name), TypeKind::Record(fields)) => {
                    let position = fields.iter().position(|(field, _)| field == name)?;
                    for (_, before) in &fields[..position] {
                        at += self.sizes[before.index()]?;
                    }
                    ty = fields[position].1;
                }
                (Step::Element(value), TypeKind::Array { index, element }) => {
                    let code = values.domain(*index)?.encode(*value)?;
                    at += usize::try_from(code - 1).ok()? * self.sizes[element.index()]?;
                    ty = *element;
                }
                _ => return None,
            }
        }
        values.domain(ty)?;
        Some(at)
    }

    /// Returns the path to each scalar.
    #[must_use]
    pub fn paths(&self, program: &Program, values: &Values) -> Vec<Vec<PathPart>> {
        let mut paths = Vec::new();
        for &global in &program.globals {
            let variable = &program.variables[global.index()];
            let mut walk = Walk { program, values, layout: self, paths: &mut paths, prefix: Vec::new() };
            walk.prefix.push(PathPart::Name(variable.name.clone()));
            walk.visit(variable.ty);
        }
        paths
    }

    /// Returns the text of the path to each scalar: `Cache[Node_1].State`.
    #[must_use]
    pub fn names(&self, program: &Program, values: &Values) -> Vec<String> {
        let text = |path: &[PathPart]| {
            let mut text = String::new();
            for (position, part) in path.iter().enumerate() {
                match part {
                    PathPart::Name(name) if position == 0 => text.push_str(name),
                    PathPart::Name(name) => text.extend([".", name]),
                    PathPart::Index { ty, value, .. } => {
                        text.extend(["[", &values.text(program, *ty, *value), "]"]);
                    }
                    PathPart::Position { position, .. } => text.push_str(&format!("{{{position}}}")),
                    PathPart::Present(position) => text.push_str(&format!("{{{position}}} present")),
                }
            }
            text
        };
        self.paths(program, values).iter().map(|path| text(path)).collect()
    }
}

/// A step of the path to a scalar.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathPart {
    /// A state variable, or a field of a record.
    Name(String),
    /// An element of an array.
    Index {
        /// The simple type of the index: a member, if the index type is a union.
        ty: TypeId,
        /// The index.
        value: i64,
        /// The number of scalars from this element to the next.
        stride: usize,
    },
    /// An element of a multiset.
    Position {
        /// The position.
        position: usize,
    },
    /// The flag that says whether the multiset has an element at this position.
    Present(usize),
}

struct Walk<'a> {
    program: &'a Program,
    values: &'a Values,
    layout: &'a Layout,
    paths: &'a mut Vec<Vec<PathPart>>,
    prefix: Vec<PathPart>,
}

impl Walk<'_> {
    fn visit(&mut self, ty: TypeId) {
        let program = self.program;
        match &program.types[ty.index()].kind {
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Range(..)
            | TypeKind::Scalarset(_)
            | TypeKind::Union(_) => self.paths.push(self.prefix.clone()),
            TypeKind::Record(fields) => {
                for (field, ty) in fields {
                    self.below(PathPart::Name(field.clone()), *ty);
                }
            }
            TypeKind::Array { index, element } => {
                let stride = self.layout.sizes[element.index()].unwrap_or(0);
                let Some(domain) = self.values.domain(*index) else { return };
                for segment in domain.segments() {
                    for offset in 0..segment.count {
                        let value = segment.first.saturating_add_unsigned(offset);
                        self.below(PathPart::Index { ty: segment.ty, value, stride }, *element);
                    }
                }
            }
            TypeKind::Multiset { size, element } => {
                let size = usize::try_from(*size).unwrap_or(0);
                for position in 0..size {
                    self.below(PathPart::Position { position }, *element);
                }
                for position in 0..size {
                    let mut path = self.prefix.clone();
                    path.push(PathPart::Present(position));
                    self.paths.push(path);
                }
            }
        }
    }

    fn below(&mut self, part: PathPart, ty: TypeId) {
        self.prefix.push(part);
        self.visit(ty);
        self.prefix.pop();
    }
}

/// Returns the number of scalars in a value of the type, or `None` if there are more than `most`.
fn size_of(program: &Program, values: &Values, ty: TypeId, known: &[Option<usize>]) -> Option<usize> {
    // Component types have smaller positions than the types that contain them.
    let part = |ty: &TypeId| known[ty.index()];
    let size = match &program.types[ty.index()].kind {
        TypeKind::Boolean | TypeKind::Enum(_) | TypeKind::Range(..) | TypeKind::Scalarset(_) | TypeKind::Union(_) => {
            values.domain(ty).map(|_| 1)
        }
        TypeKind::Record(fields) => fields.iter().try_fold(0_usize, |sum, (_, field)| sum.checked_add(part(field)?)),
        TypeKind::Array { index, element } => {
            let count = usize::try_from(values.domain(*index)?.size()).ok()?;
            count.checked_mul(part(element)?)
        }
        TypeKind::Multiset { size, element } => {
            usize::try_from(*size).ok()?.checked_mul(part(element)?.checked_add(1)?)
        }
    };
    size.filter(|&size| size <= MAX_SCALARS)
}
