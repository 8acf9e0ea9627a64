//! Type expressions.

use super::compatible::MAX_SIZE;
use super::fault::TypeFault;
use super::scopes::Entity;
use super::{BOOLEAN, Elaborator};
use crate::program::{Affine, ConstantSite, Span, TypeId, TypeKind};
use crate::syntax::MAX_DEPTH;
use crate::syntax::tree::{Expr, Name, TypeExpr, TypeExprKind};
use system::similar::did_you_mean;

/// The largest number of parts that a variable may have.
const MAX_PARTS: u64 = 1 << 16;

/// Returns whether the size of a range can be computed without overflow.
pub(super) fn is_narrow(first: i64, last: i64) -> bool {
    last.checked_sub(first).is_some_and(|size| size < 1 << 62)
}

impl Elaborator<'_> {
    pub(super) fn type_expression(&mut self, ty: &TypeExpr) -> Option<TypeId> {
        let mentioned = self.program.constant_uses.len();
        let mut bounds = None;
        let kind = match &ty.kind {
            TypeExprKind::Name(name) => return self.type_named(name, ty.span),
            TypeExprKind::Enum(members) => {
                let names = members.iter().map(|member| member.text.clone()).collect();
                let id = self.add_type(TypeKind::Enum(names), ty.span);
                for member in members {
                    if ["true", "false"].iter().any(|truth| member.text.eq_ignore_ascii_case(truth)) {
                        self.error(&TypeFault::TruthMember { name: member.text.clone() }, member.span);
                    }
                    self.bind(member, Entity::Member(id));
                }
                return Some(id);
            }
            TypeExprKind::Range(first, last) => return self.range(first, last, ty.span),
            TypeExprKind::Scalarset(size) => {
                let number = self.size("scalarset", 1, size)?;
                let bounds = Some(Affine::number(1)).zip(self.affine(size, number, mentioned));
                return Some(self.bounded(TypeKind::Scalarset(number), ty.span, mentioned, bounds));
            }
            TypeExprKind::Union(members) => self.union(members)?,
            TypeExprKind::Record(fields) => TypeKind::Record(self.fields(fields)?),
            TypeExprKind::Array(index, element) => self.array(index, element)?,
            TypeExprKind::Multiset(size, element) => {
                let number = self.size("multiset", 0, size);
                bounds = number
                    .and_then(|number| self.affine(size, number, mentioned))
                    .map(|last| (Affine::number(1), last));
                let element = self.type_expression(element);
                TypeKind::Multiset { size: number?, element: element? }
            }
        };
        if self.depth_of(&kind) > MAX_DEPTH {
            self.error(&TypeFault::TooDeep { limit: MAX_DEPTH }, ty.span);
            return None;
        }
        if self.parts_of(&kind) > MAX_PARTS {
            self.error(&TypeFault::TooLarge { limit: MAX_PARTS }, ty.span);
            return None;
        }
        let id = self.add_type(kind, ty.span);
        self.program.bounds.extend(bounds.map(|bounds| (id, bounds)));
        self.settle_mentions(mentioned, &ConstantSite::Type(id));
        Some(id)
    }

    /// Returns the number of levels of a type, so that no later pass needs a deeper stack than the parser did.
    pub(super) fn depth_of(&self, kind: &TypeKind) -> u32 {
        let depth = |ty: &TypeId| self.type_depths[ty.index()];
        1 + match kind {
            TypeKind::Boolean | TypeKind::Enum(_) | TypeKind::Range(..) | TypeKind::Scalarset(_) => 0,
            TypeKind::Union(members) => members.iter().map(depth).max().unwrap_or(0),
            TypeKind::Record(fields) => fields.iter().map(|(_, field)| depth(field)).max().unwrap_or(0),
            TypeKind::Array { index, element } => depth(index).max(depth(element)),
            TypeKind::Multiset { element, .. } => depth(element),
        }
    }

    /// Returns how many parts a variable of the type has, so that no later layout exhausts memory. An array over
    /// numbers or elements counts as a single part: it is one function if its index type may have any size, and
    /// otherwise its layout checks the size itself.
    pub(super) fn parts_of(&self, kind: &TypeKind) -> u64 {
        let parts = |ty: &TypeId| self.type_parts[ty.index()];
        match kind {
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Range(..)
            | TypeKind::Scalarset(_)
            | TypeKind::Union(_) => 1,
            TypeKind::Record(fields) => fields.iter().map(|(_, field)| parts(field)).fold(1, u64::saturating_add),
            TypeKind::Array { index, element } => {
                let count = match self.kind(*index) {
                    TypeKind::Boolean => 2,
                    TypeKind::Enum(members) => u64::try_from(members.len()).unwrap_or(u64::MAX),
                    _ => 1,
                };
                parts(element).saturating_mul(count)
            }
            TypeKind::Multiset { size, element } => {
                parts(element).saturating_add(1).saturating_mul(size.unsigned_abs())
            }
        }
    }

    fn type_named(&mut self, name: &str, span: Span) -> Option<TypeId> {
        match self.lookup(name, span) {
            Some(Entity::Type(id)) => Some(id),
            Some(Entity::Failed) => None,
            None if name.eq_ignore_ascii_case("boolean") => Some(BOOLEAN),
            Some(_) => {
                self.error(&TypeFault::NoType { name: name.to_owned() }, span);
                None
            }
            None => {
                let mut diagnostic = TypeFault::UnknownType { name: name.to_owned() }.at(span);
                let is_boolean = name.len() > 3 && "boolean".starts_with(&name.to_ascii_lowercase());
                diagnostic.help = if is_boolean { Some(did_you_mean("boolean")) } else { self.similar(name) };
                self.findings.push(diagnostic);
                None
            }
        }
    }

    fn range(&mut self, from: &Expr, to: &Expr, span: Span) -> Option<TypeId> {
        let start = self.program.constant_uses.len();
        let first = self.integer(from);
        let middle = self.program.constant_uses.len();
        let last = self.integer(to);
        let (first, last) = (first?, last?);
        if first > last {
            self.error(&TypeFault::EmptyRange { first, last }, span);
            return None;
        }
        if !is_narrow(first, last) {
            self.error(&TypeFault::WideRange { first, last }, span);
            return None;
        }
        let lower = if middle == start { Some(Affine::number(first)) } else { self.affine(from, first, start) };
        let bounds = lower.zip(self.affine(to, last, middle));
        Some(self.bounded(TypeKind::Range(first, last), span, start, bounds))
    }

    /// Adds a range or scalarset whose bounds use the constants mentioned since then.
    pub(super) fn bounded(
        &mut self,
        kind: TypeKind,
        span: Span,
        mentioned: usize,
        bounds: Option<(Affine, Affine)>,
    ) -> TypeId {
        let id = self.add_type(kind, span);
        self.settle_mentions(mentioned, &ConstantSite::Type(id));
        if let Some(bounds) = bounds {
            self.program.bounds.insert(id, bounds);
        }
        id
    }

    fn size(&mut self, what: &'static str, least: i64, size: &Expr) -> Option<i64> {
        let span = size.span;
        let size = self.integer(size)?;
        if (least..=MAX_SIZE).contains(&size) {
            return Some(size);
        }
        self.error(&TypeFault::BadSize { what, size }, span);
        None
    }

    /// A union of unions is the union of their members; repeated members count once.
    fn union(&mut self, members: &[TypeExpr]) -> Option<TypeKind> {
        let ids: Vec<_> = members.iter().map(|member| self.type_expression(member)).collect();
        let mut flat: Vec<TypeId> = Vec::new();
        for (member, id) in members.iter().zip(ids) {
            let id = id?;
            let parts = match self.kind(id) {
                TypeKind::Union(inner) => inner.clone(),
                TypeKind::Enum(_) | TypeKind::Scalarset(_) | TypeKind::Range(..) | TypeKind::Boolean => vec![id],
                TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. } => {
                    let found = self.type_name(id);
                    self.error(&TypeFault::BadUnion { member: found }, member.span);
                    return None;
                }
            };
            for part in parts {
                if flat.contains(&part) {
                    continue;
                }
                // A local enumeration may have a member with the name of a global one.
                let shared = self
                    .members_of(part)
                    .iter()
                    .find(|own| flat.iter().any(|other| self.members_of(*other).contains(own)));
                if let Some(name) = shared.cloned() {
                    self.error(&TypeFault::MemberTwice { name }, member.span);
                    return None;
                }
                flat.push(part);
            }
        }
        Some(TypeKind::Union(flat))
    }

    /// Returns the members of an enumeration; none of other types.
    fn members_of(&self, ty: TypeId) -> &[String] {
        if let TypeKind::Enum(members) = self.kind(ty) { members } else { &[] }
    }

    fn fields(&mut self, fields: &[(Vec<Name>, TypeExpr)]) -> Option<Vec<(String, TypeId)>> {
        let mut found: Vec<(&Name, TypeId)> = Vec::new();
        let mut complete = true;
        for (names, ty) in fields {
            let Some(ty) = self.type_expression(ty) else {
                complete = false;
                continue;
            };
            for name in names {
                if let Some((first, _)) = found.iter().find(|(other, _)| other.text == name.text) {
                    let fault = TypeFault::FieldTwice { name: name.text.clone() };
                    self.findings.push(fault.at(name.span).with_label(first.span, "the first declaration"));
                }
                found.push((name, ty));
            }
        }
        complete.then(|| found.into_iter().map(|(name, ty)| (name.text.clone(), ty)).collect())
    }

    fn array(&mut self, index: &TypeExpr, element: &TypeExpr) -> Option<TypeKind> {
        let span = index.span;
        let (index, element) = (self.type_expression(index), self.type_expression(element));
        let (index, element) = (index?, element?);
        if self.is_enumerable(index) {
            return Some(TypeKind::Array { index, element });
        }
        let index = self.type_name(index);
        self.error(&TypeFault::BadIndexType { index }, span);
        None
    }
}
