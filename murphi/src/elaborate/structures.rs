//! Comparison of records and arrays.
//!
//! rumur compares them by content; CMurphi does not compare them at all. A comparison is expanded into one of all
//! simple values inside, where two undefined values are equal, as in rumur. So nothing after the type checker has to
//! know about it.

use std::collections::BTreeMap;

use super::fault::TypeFault;
use super::operators::balanced;
use super::{BOOLEAN, Elaborator};
use crate::program::{
    Binary, Binder, Expression, ExpressionKind, Over, Span, TypeId, TypeKind, Unary, VarId, VariableDeclaration,
    VariableKind,
};

/// The largest number of simple values that a comparison may expand to.
const MAX_VALUES: u64 = 4096;

impl Elaborator<'_> {
    /// Returns the condition that two places of the same type have the same content.
    pub(super) fn structures_equal(&mut self, left: &Expression, right: &Expression, span: Span) -> Option<Expression> {
        let places = left.root().is_some() && right.root().is_some();
        let small = self.values_in(left.ty, &mut BTreeMap::new()).is_some_and(|values| values <= MAX_VALUES);
        if places && small && self.same(left.ty, right.ty) {
            return self.contents_equal(left, right, span);
        }
        let operand = self.type_name(left.ty);
        self.error(&TypeFault::CompositeCompared { operand }, span);
        None
    }

    /// Returns how many simple values must be compared, counting all elements of an array as one, or `None` if the type
    /// contains multisets.
    fn values_in(&self, ty: TypeId, known: &mut BTreeMap<TypeId, Option<u64>>) -> Option<u64> {
        if let Some(values) = known.get(&ty) {
            return *values;
        }
        let values = match self.kind(ty) {
            TypeKind::Multiset { .. } => None,
            TypeKind::Record(fields) => {
                fields.iter().try_fold(0u64, |sum, (_, field)| Some(sum.saturating_add(self.values_in(*field, known)?)))
            }
            TypeKind::Array { element, .. } => self.values_in(*element, known),
            _ => Some(1),
        };
        known.insert(ty, values);
        values
    }

    fn contents_equal(&mut self, left: &Expression, right: &Expression, span: Span) -> Option<Expression> {
        // The two types have the same structure, and each part has the type of its own side.
        match (self.kind(left.ty).clone(), self.kind(right.ty).clone()) {
            (TypeKind::Record(fields), TypeKind::Record(others)) => {
                let mut conditions = Vec::new();
                for ((name, ty), (_, other)) in fields.into_iter().zip(others) {
                    let part = |place: &Expression, ty| {
                        let kind = ExpressionKind::Field(Box::new(place.clone()), name.clone());
                        Expression { kind, ty, span: place.span }
                    };
                    conditions.push(self.contents_equal(&part(left, ty), &part(right, other), span)?);
                }
                let empty = Expression { kind: ExpressionKind::Boolean(true), ty: BOOLEAN, span };
                Some(balanced(Binary::And, BOOLEAN, conditions).unwrap_or(empty))
            }
            (TypeKind::Array { index, element }, TypeKind::Array { element: other, .. }) => {
                let variable = self.made_up_variable(index, span);
                let part = |place: &Expression, ty| {
                    let at = Expression { kind: ExpressionKind::Variable(variable), ty: index, span: place.span };
                    let kind = ExpressionKind::Element(Box::new(place.clone()), Box::new(at));
                    Expression { kind, ty, span: place.span }
                };
                let body = self.contents_equal(&part(left, element), &part(right, other), span)?;
                let binder = Binder { variable, over: Over::Type(index) };
                let kind = ExpressionKind::Forall(binder, Box::new(body));
                Some(Expression { kind, ty: BOOLEAN, span })
            }
            _ => Some(values_equal(left, right, span)),
        }
    }

    fn made_up_variable(&mut self, ty: TypeId, span: Span) -> VarId {
        let id = VarId(u32::try_from(self.program.variables.len()).unwrap_or(u32::MAX));
        let kind = VariableKind::Bound;
        self.program.variables.push(VariableDeclaration { name: "element".to_owned(), ty, kind, span });
        id
    }
}

/// `isundefined(left) ? isundefined(right) : !isundefined(right) & left = right`.
fn values_equal(left: &Expression, right: &Expression, span: Span) -> Expression {
    let condition = |kind| Expression { kind, ty: BOOLEAN, span };
    let undefined = |place: &Expression| condition(ExpressionKind::IsUndefined(Box::new(place.clone())));
    let defined = condition(ExpressionKind::Unary(Unary::Not, Box::new(undefined(right))));
    let equal = ExpressionKind::Binary(Binary::Equal, Box::new(left.clone()), Box::new(right.clone()));
    let both = ExpressionKind::Binary(Binary::And, Box::new(defined), Box::new(condition(equal)));
    condition(ExpressionKind::Conditional(
        Box::new(undefined(left)),
        Box::new(undefined(right)),
        Box::new(condition(both)),
    ))
}
