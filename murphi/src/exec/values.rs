//! Values as numbers, and their codes within scalars.
//!
//! Each value gets a number, such that values of comparable types have the same number exactly if they are equal. Each
//! scalar type gets a [`Domain`], which numbers its values from 1 so that 0 is left for the undefined value (as in
//! CMurphi).
//!
//! Numbers represent themselves, `false` and `true` are 0 and 1, and members of enumerations and elements of scalarsets
//! get distinct numbers far away from those that a model computes with.

use std::collections::BTreeMap;

use super::{BuildError, BuildFault};
use crate::program::{Program, TypeId, TypeKind};

/// The first number that represents a member of an enumeration or an element of a scalarset.
const FIRST_SYMBOL: i64 = 1 << 40;
/// The largest number of values of a scalar.
const MAX_VALUES: u64 = 1 << 48;

/// Consecutive numbers that belong to a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The smallest number.
    pub first: i64,
    /// How many numbers there are.
    pub count: u64,
    /// The simple type (boolean, range, enumeration, scalarset) that they belong to.
    pub ty: TypeId,
}

/// The values of a scalar, numbered from 1 in the order of their types; 0 means undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    first: i64,
    size: u64,
    /// Empty if `first` and `size` describe the only segment.
    several: Vec<Segment>,
    /// The type of the only segment; meaningless if there are several.
    ty: TypeId,
}

impl Domain {
    pub(super) fn new(segments: Vec<Segment>) -> Self {
        let size = segments.iter().map(|segment| segment.count).sum();
        match segments.as_slice() {
            [only] => Self { first: only.first, size, several: Vec::new(), ty: only.ty },
            _ => Self { first: 0, size, several: segments, ty: TypeId(0) },
        }
    }

    /// Returns the number of values.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the segments, in the order of their codes.
    #[must_use]
    pub fn segments(&self) -> Vec<Segment> {
        if self.several.is_empty() {
            vec![Segment { first: self.first, count: self.size, ty: self.ty }]
        } else {
            self.several.clone()
        }
    }

    /// Returns whether every code represents the same value in both domains.
    #[must_use]
    pub fn same_codes(&self, other: &Self) -> bool {
        let pairs = |domain: &Self| -> Vec<(i64, u64)> {
            domain.segments().iter().map(|segment| (segment.first, segment.count)).collect()
        };
        pairs(self) == pairs(other)
    }

    /// Returns the value with code 1, if codes and values differ by a constant.
    pub(super) fn simple_first(&self) -> Option<i64> {
        self.several.is_empty().then_some(self.first)
    }

    /// Returns the code of a value, or `None` if it is not in the domain.
    #[inline]
    #[must_use]
    pub fn encode(&self, value: i64) -> Option<u64> {
        if self.several.is_empty() {
            let offset = value.wrapping_sub(self.first).cast_unsigned();
            return (value >= self.first && offset < self.size).then(|| offset + 1);
        }
        let mut before = 0;
        for segment in &self.several {
            let offset = value.wrapping_sub(segment.first).cast_unsigned();
            if value >= segment.first && offset < segment.count {
                return Some(before + offset + 1);
            }
            before += segment.count;
        }
        None
    }

    /// Returns the value with a code between 1 and the size.
    #[inline]
    #[must_use]
    pub fn decode(&self, code: u64) -> i64 {
        let mut offset = code.wrapping_sub(1);
        if self.several.is_empty() {
            return self.first.wrapping_add_unsigned(offset);
        }
        for segment in &self.several {
            if offset < segment.count {
                return segment.first.wrapping_add_unsigned(offset);
            }
            offset -= segment.count;
        }
        self.first
    }

    /// Returns all values in the order of their codes.
    #[must_use]
    pub fn values(&self) -> Vec<i64> {
        (1..=self.size).map(|code| self.decode(code)).collect()
    }

    /// Returns the number of bits needed to hold a code.
    pub(super) fn bits(&self) -> u32 {
        (u64::BITS - self.size.leading_zeros()).max(1)
    }
}

/// The numbering of all values of a program.
#[derive(Clone, Debug)]
pub struct Values {
    domains: Vec<Option<std::sync::Arc<Domain>>>,
    members: BTreeMap<String, i64>,
    /// The first number and the name of each symbol range, in ascending order.
    symbols: Vec<(i64, Symbols)>,
}

#[derive(Clone, Debug)]
enum Symbols {
    Members(Vec<String>),
    Elements(String),
}

impl Values {
    pub(super) fn new(program: &Program) -> Result<Self, BuildError> {
        let mut values = Self { domains: Vec::new(), members: BTreeMap::new(), symbols: Vec::new() };
        let mut next = FIRST_SYMBOL;
        for (position, ty) in program.types.iter().enumerate() {
            let id = TypeId(u32::try_from(position).unwrap_or(u32::MAX));
            let segments = match &ty.kind {
                TypeKind::Boolean => vec![Segment { first: 0, count: 2, ty: id }],
                TypeKind::Range(first, last) => {
                    let count = last.checked_sub(*first).and_then(|count| u64::try_from(count).ok());
                    match count.and_then(|count| count.checked_add(1)).filter(|&count| count <= MAX_VALUES) {
                        Some(count) => vec![Segment { first: *first, count, ty: id }],
                        None => Vec::new(),
                    }
                }
                TypeKind::Enum(members) => vec![values.enumeration(members, &mut next, id)],
                TypeKind::Scalarset(size) => {
                    let name = ty.name.clone().unwrap_or_else(|| format!("scalarset{position}"));
                    values.symbols.push((next, Symbols::Elements(name)));
                    let first = next;
                    next += size;
                    vec![Segment { first, count: u64::try_from(*size).unwrap_or(0), ty: id }]
                }
                TypeKind::Union(parts) => values.union(program, parts, position)?,
                TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. } => Vec::new(),
            };
            let domain = (!segments.is_empty()).then(|| std::sync::Arc::new(Domain::new(segments)));
            values.domains.push(domain);
        }
        Ok(values)
    }

    fn enumeration(&mut self, members: &[String], next: &mut i64, ty: TypeId) -> Segment {
        let count = u64::try_from(members.len()).unwrap_or(u64::MAX);
        if let Some(&first) = members.first().and_then(|member| self.members.get(member)) {
            return Segment { first, count, ty };
        }
        let first = *next;
        self.symbols.push((first, Symbols::Members(members.to_vec())));
        for member in members {
            self.members.insert(member.clone(), *next);
            *next += 1;
        }
        Segment { first, count, ty }
    }

    fn union(&self, program: &Program, parts: &[TypeId], position: usize) -> Result<Vec<Segment>, BuildError> {
        let mut segments = Vec::new();
        for part in parts {
            let Some(domain) = self.domains.get(part.index()).and_then(Option::as_ref) else {
                return Err(BuildError { span: program.types[position].span, fault: BuildFault::Union });
            };
            segments.extend(domain.segments());
        }
        let overlap = segments.iter().enumerate().any(|(at, a)| {
            segments[..at].iter().any(|b| {
                let ends = |s: &Segment| s.first.saturating_add_unsigned(s.count);
                a.first < ends(b) && b.first < ends(a)
            })
        });
        if overlap {
            return Err(BuildError { span: program.types[position].span, fault: BuildFault::Union });
        }
        Ok(segments)
    }

    /// Returns the values of a scalar type, or `None` for records, arrays, multisets and plain numbers.
    #[must_use]
    pub fn domain(&self, ty: TypeId) -> Option<&std::sync::Arc<Domain>> {
        self.domains[ty.index()].as_ref()
    }

    /// Returns the number of a member of an enumeration.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<i64> {
        self.members.get(name).copied()
    }

    /// Returns the text of a value of a type: `true`, `-3`, `Shared`, `Node_1`.
    #[must_use]
    pub fn text(&self, program: &Program, ty: TypeId, value: i64) -> String {
        if program.types.get(ty.index()).is_some_and(|ty| matches!(ty.kind, TypeKind::Boolean)) {
            return if value == 0 { "false" } else { "true" }.to_owned();
        }
        if value < FIRST_SYMBOL {
            return value.to_string();
        }
        let at = self.symbols.partition_point(|(first, _)| *first <= value);
        let Some((first, symbols)) = at.checked_sub(1).and_then(|at| self.symbols.get(at)) else {
            return value.to_string();
        };
        let position = usize::try_from(value - first).unwrap_or(usize::MAX);
        match symbols {
            Symbols::Members(members) => members.get(position).cloned().unwrap_or_else(|| value.to_string()),
            Symbols::Elements(name) => format!("{name}_{}", position + 1),
        }
    }
}
