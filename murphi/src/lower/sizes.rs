//! Finds where the value of a constant matters.
//!
//! A proof for any number of nodes covers all values of the constant that gives their number. That is only valid if
//! nothing else depends on the constant: no expression, no bound of a type that stays finite, and no other constant
//! that is used in such a way.

use std::collections::{BTreeMap, BTreeSet};

use super::multisets::capacities;
use crate::program::{ConstantSite, ExpressionKind, Program, Span, TypeId, TypeKind, VarId};

/// The uses of a program's constants.
pub(super) struct ConstantUses<'p> {
    program: &'p Program,
    /// The types of variables and results, and the domains of bound variables.
    used: BTreeSet<TypeId>,
    /// The types of variables that run over numbers which are all indices of arrays over one type, with that type.
    parts: BTreeMap<TypeId, TypeId>,
    /// Where the number of elements of a multiset is compared with its capacity: that is a condition on its slots.
    capacities: BTreeSet<Span>,
}

impl<'p> ConstantUses<'p> {
    /// `run_over` holds the types that a loop, ruleset or quantifier runs over, and `parts` the variables that run over numbers which
    /// are all indices of arrays over one type.
    pub(super) fn new(
        program: &'p Program,
        run_over: impl IntoIterator<Item = TypeId>,
        parts: &BTreeMap<VarId, TypeId>,
    ) -> Self {
        let parts = parts.iter().map(|(variable, over)| (program.variables[variable.index()].ty, *over)).collect();
        let mut uses = Self { program, used: BTreeSet::new(), parts, capacities: capacities(program) };
        let results = program.functions.iter().filter_map(|function| function.result);
        let variables = program.variables.iter().map(|variable| variable.ty);
        variables.chain(results).chain(run_over).for_each(|ty| uses.mark(ty));
        program.each_expression(&mut |expression| {
            if let ExpressionKind::IsMember(_, ty) = expression.kind {
                uses.mark(ty);
            }
        });
        uses
    }

    fn mark(&mut self, ty: TypeId) {
        if !self.used.insert(ty) {
            return;
        }
        match &self.program.types[ty.index()].kind {
            TypeKind::Boolean | TypeKind::Enum(_) | TypeKind::Range(..) | TypeKind::Scalarset(_) => {}
            TypeKind::Union(parts) => parts.iter().for_each(|part| self.mark(*part)),
            TypeKind::Record(fields) => fields.iter().for_each(|(_, field)| self.mark(*field)),
            TypeKind::Array { index, element } => {
                self.mark(*index);
                self.mark(*element);
            }
            TypeKind::Multiset { element, .. } => self.mark(*element),
        }
    }

    /// Returns the first place where the value of the constant matters, if types for which `is_free` holds may have any
    /// size.
    pub(super) fn value(&self, constant: &str, is_free: &impl Fn(TypeId) -> bool) -> Option<Span> {
        self.value_but(constant, is_free, true, &mut BTreeSet::new())
    }

    /// As [`ConstantUses::value`], for other places than expressions.
    pub(super) fn besides_expressions(&self, constant: &str, is_free: &impl Fn(TypeId) -> bool) -> Option<Span> {
        self.value_but(constant, is_free, false, &mut BTreeSet::new())
    }

    /// Returns the constant and those that are computed from it, with the places where expressions mention them.
    pub(super) fn mentions<'a>(&'a self, constant: &'a str) -> BTreeMap<&'a str, Vec<Span>> {
        let mut found: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
        let mut names = vec![constant];
        while let Some(name) = names.pop() {
            let mut places = Vec::new();
            for mention in self.program.constant_uses.iter().filter(|mention| mention.name == name) {
                match &mention.site {
                    ConstantSite::Expression if self.capacities.contains(&mention.span) => {}
                    ConstantSite::Expression | ConstantSite::Alias => places.push(mention.span),
                    ConstantSite::Constant(other) if !found.contains_key(other.as_str()) => names.push(other),
                    ConstantSite::Constant(_) | ConstantSite::Type(_) => {}
                }
            }
            found.insert(name, places);
        }
        found
    }

    /// `seen` holds the constants already examined; `expressions` says whether expressions count.
    fn value_but<'a>(
        &'a self,
        constant: &'a str,
        is_free: &impl Fn(TypeId) -> bool,
        expressions: bool,
        seen: &mut BTreeSet<&'a str>,
    ) -> Option<Span> {
        if !seen.insert(constant) {
            return None;
        }
        let uses = self.program.constant_uses.iter().filter(|mention| mention.name == constant);
        let mut places = uses.filter_map(|mention| match &mention.site {
            ConstantSite::Expression if !expressions || self.capacities.contains(&mention.span) => None,
            ConstantSite::Expression | ConstantSite::Alias => Some(mention.span),
            ConstantSite::Type(ty) if !self.used.contains(ty) => None,
            // Where the type is free, lowering reads these bounds as numbers, or refuses them.
            ConstantSite::Type(ty) if is_free(*self.parts.get(ty).unwrap_or(ty)) => None,
            ConstantSite::Type(_) => Some(mention.span),
            ConstantSite::Constant(other) => self.value_but(other, is_free, expressions, seen).map(|_| mention.span),
        });
        places.next()
    }
}
