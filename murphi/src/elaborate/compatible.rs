//! Type compatibility, and the names of types in messages.
//!
//! As in CMurphi, numbers of all ranges are compatible; an enumeration or scalarset is compatible with itself and with
//! unions that contain it; records, arrays and multisets are compatible with types of the same structure, so that one
//! can be copied to the other.

use std::collections::BTreeSet;

use super::Elaborator;
use crate::program::{TypeId, TypeKind};

/// Types with more values than this cannot be enumerated, and are refused where they would have to be.
pub(super) const MAX_SIZE: i64 = 1 << 24;

impl Elaborator<'_> {
    /// Returns whether values of the types can be assigned to each other and, if they are simple, compared.
    pub(super) fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Range(..), TypeKind::Range(..)) => true,
            (TypeKind::Union(members), _) if a != b => members.iter().any(|member| self.compatible(*member, b)),
            (_, TypeKind::Union(members)) if a != b => members.iter().any(|member| self.compatible(a, *member)),
            _ => self.same(a, b),
        }
    }

    /// Returns whether the types have the same values.
    pub(super) fn same(&self, a: TypeId, b: TypeId) -> bool {
        self.same_structure(a, b, &mut BTreeSet::new())
    }

    /// `known` holds the pairs already compared, so that shared parts are compared only once.
    fn same_structure(&self, a: TypeId, b: TypeId, known: &mut BTreeSet<(TypeId, TypeId)>) -> bool {
        if a == b || !known.insert((a, b)) {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Boolean, TypeKind::Boolean) => true,
            (TypeKind::Range(first, last), TypeKind::Range(other_first, other_last)) => {
                first == other_first && last == other_last
            }
            (TypeKind::Union(x), TypeKind::Union(y)) => {
                x.len() == y.len() && x.iter().all(|member| y.iter().any(|other| self.same(*member, *other)))
            }
            (TypeKind::Array { index: i, element: e }, TypeKind::Array { index: j, element: f }) => {
                self.same_structure(*i, *j, known) && self.same_structure(*e, *f, known)
            }
            (TypeKind::Record(x), TypeKind::Record(y)) => {
                x.len() == y.len()
                    && x.iter().zip(y).all(|((m, s), (n, t))| m == n && self.same_structure(*s, *t, known))
            }
            (TypeKind::Multiset { size: n, element: e }, TypeKind::Multiset { size: m, element: f }) => {
                n == m && self.same_structure(*e, *f, known)
            }
            _ => false,
        }
    }

    /// Returns whether a type has simple values that can be enumerated.
    pub(super) fn is_enumerable(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Range(first, last) => last.checked_sub(*first).is_some_and(|size| size <= MAX_SIZE),
            _ => self.is_simple(ty),
        }
    }

    /// Returns whether the type's values are simple.
    pub(super) fn is_simple(&self, ty: TypeId) -> bool {
        !matches!(self.kind(ty), TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. })
    }

    /// Returns the type that holds the values of both.
    pub(super) fn wider(&self, a: TypeId, b: TypeId) -> TypeId {
        if matches!(self.kind(b), TypeKind::Union(_)) || b == super::INTEGER { b } else { a }
    }

    /// Returns the type's name in messages.
    pub(super) fn type_name(&self, ty: TypeId) -> String {
        let entry = &self.program.types[ty.index()];
        match (&entry.name, &entry.kind) {
            (Some(name), _) => format!("`{name}`"),
            (None, TypeKind::Range(i64::MIN, i64::MAX)) => "a number".to_owned(),
            (None, TypeKind::Range(first, last)) => format!("the range {first}..{last}"),
            (None, TypeKind::Boolean) => "`boolean`".to_owned(),
            (None, TypeKind::Enum(_)) => "an enumeration".to_owned(),
            (None, TypeKind::Scalarset(_)) => "a scalarset".to_owned(),
            (None, TypeKind::Union(_)) => "a union".to_owned(),
            (None, TypeKind::Record(_)) => "a record".to_owned(),
            (None, TypeKind::Array { .. }) => "an array".to_owned(),
            (None, TypeKind::Multiset { .. }) => "a multiset".to_owned(),
        }
    }
}
