//! Types and variables as a model declares them.
//!
//! A [`System`](crate::System) has flat state variables. What writes a model again, as the CMP abstraction does, also
//! needs the types by which the model declares them.

use crate::IndexTypeId;

/// Position in [`Declarations::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclaredTypeId(pub u32);

impl DeclaredTypeId {
    /// The position in the table that this id points into.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The types and variables of a model, in the order of their declaration.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// All types, those without a name included.
    pub types: Vec<DeclaredType>,
    /// The state variables.
    pub variables: Vec<DeclaredVariable>,
}

/// A type.
#[derive(Clone, Debug)]
pub struct DeclaredType {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// What its values are.
    pub kind: DeclaredKind,
    /// The index type of the system that it became, where it became one.
    pub index_type: Option<IndexTypeId>,
}

/// What the values of a type are.
#[derive(Clone, Debug)]
pub enum DeclaredKind {
    /// Truth values.
    Boolean,
    /// One of these names.
    Enumeration(Vec<String>),
    /// The numbers from the first to the last.
    Range(i64, i64),
    /// So many elements without an order.
    Symmetric(i64),
    /// A value of one of these types.
    Union(Vec<DeclaredTypeId>),
    /// Fields.
    Record(Vec<(String, DeclaredTypeId)>),
    /// An element for each index.
    Array {
        /// The type of the index.
        index: DeclaredTypeId,
        /// The type of the elements.
        element: DeclaredTypeId,
    },
    /// At most so many elements without an order.
    Multiset {
        /// How many.
        size: i64,
        /// The type of the elements.
        element: DeclaredTypeId,
    },
}

/// A variable.
#[derive(Clone, Debug)]
pub struct DeclaredVariable {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: DeclaredTypeId,
    /// Whether it became a named element of the system, so that no state variable stands for it.
    pub is_named_element: bool,
}
