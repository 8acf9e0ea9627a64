//! Declarations of constants, types and variables, and bound variables.

use super::constants::{Constant, evaluate, evaluate_number};
use super::fault::TypeFault;
use super::scopes::Entity;
use super::types::is_narrow;
use super::{Elaborator, INTEGER};
use crate::program::{
    Affine, Binder, ConstantSite, Expression, ExpressionKind, Over, Span, TypeId, TypeKind, VarId, VariableKind,
};
use crate::syntax::tree::{Domain, Expr, Item, Name, Quantifier, TypeExpr, TypeExprKind};

/// Whether the bounds of a bound variable may depend on the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounds {
    /// They may, in statements and expressions.
    Any,
    /// They may not, in rulesets.
    Constant,
}

impl<'a> Elaborator<'a> {
    /// Records the names that a global declaration of a constant or type introduces.
    pub(super) fn enter_waiting(&mut self, position: usize, item: &'a Item) {
        match item {
            Item::Constant(name, _) => {
                self.waiting.entry(&name.text).or_insert(position);
            }
            Item::Type(name, ty) => {
                self.waiting.entry(&name.text).or_insert(position);
                if let TypeExprKind::Enum(members) = &ty.kind {
                    for member in members {
                        self.waiting.entry(&member.text).or_insert(position);
                    }
                }
            }
            Item::Variables(..) | Item::Function(_) | Item::Rule(_) => {}
        }
    }

    /// Elaborates a global declaration, unless another one needed it earlier.
    pub(super) fn global_declaration(&mut self, position: usize, item: &'a Item) {
        match item {
            Item::Constant(name, _) | Item::Type(name, _) => {
                if self.waiting.get(name.text.as_str()) == Some(&position) {
                    self.read_waiting(&name.text, name.span);
                } else if self.scopes.find(&name.text).is_none() || !self.was_read(position, name) {
                    self.declaration(item, true);
                }
            }
            Item::Variables(..) => self.declaration(item, true),
            Item::Function(_) | Item::Rule(_) => {}
        }
    }

    /// Returns whether the name in scope is the one that the item at this position declares.
    fn was_read(&self, position: usize, name: &Name) -> bool {
        self.ast.items[..position].iter().all(|item| match item {
            Item::Constant(other, _) | Item::Type(other, _) => other.text != name.text,
            Item::Variables(..) | Item::Function(_) | Item::Rule(_) => true,
        })
    }

    /// Elaborates the global declaration of a name, if that has not happened yet.
    pub(super) fn read_waiting(&mut self, name: &str, span: Span) {
        let Some((&key, &position)) = self.waiting.get_key_value(name) else { return };
        if self.in_progress.contains(key) {
            self.error(&TypeFault::Circular { name: name.to_owned() }, span);
            self.waiting.remove(key);
            let place = Name { text: name.to_owned(), span };
            let inner = self.scopes.leave_global();
            self.bind(&place, Entity::Failed);
            self.scopes.restore(inner);
            return;
        }
        let ast = self.ast;
        let item = &ast.items[position];
        self.in_progress.insert(key);
        let inner = self.scopes.leave_global();
        self.declaration(item, true);
        self.scopes.restore(inner);
        self.in_progress.remove(key);
        self.waiting.retain(|_, waiting| *waiting != position);
    }

    pub(super) fn declaration(&mut self, item: &Item, global: bool) {
        match item {
            Item::Constant(name, value) => self.constant_declaration(name, value, global),
            Item::Type(name, ty) => self.type_declaration(name, ty, global),
            Item::Variables(names, ty) => self.variables(names, ty, global),
            // The parser puts neither into a block.
            Item::Function(_) | Item::Rule(_) => {}
        }
    }

    fn constant_declaration(&mut self, name: &Name, value: &Expr, global: bool) {
        let mentioned = self.program.constant_uses.len();
        let constant = self.constant(value);
        let mut form = match &constant {
            Some(Constant::Integer(number)) => self.affine(value, *number, mentioned),
            Some(Constant::Boolean(_) | Constant::Member(..)) | None => None,
        };
        // Another constant may have the name of a local one.
        let unique = if global { name.text.clone() } else { format!("{}@{}", name.text, name.span.start) };
        self.settle_mentions(mentioned, &ConstantSite::Constant(unique.clone()));
        let Some(mut constant) = constant else {
            if self.scopes.find(&name.text).is_none() || !global {
                self.bind(name, Entity::Failed);
            }
            return;
        };
        if global {
            constant = self.forced(name, constant);
        }
        match &constant {
            Constant::Integer(number) if global => self.program.constants.push((name.text.clone(), *number)),
            Constant::Boolean(truth) if global => self.program.truths.push((name.text.clone(), *truth)),
            Constant::Integer(_) | Constant::Boolean(_) | Constant::Member(..) => {}
        }
        // A constant that can be set, and does not just repeat other constants, is one that bounds are expressed in.
        let derived = form.as_ref().is_some_and(|form| !form.factors.is_empty());
        if global && (!derived || self.used_constants.contains(&name.text)) {
            form = Some(Affine::constant(&name.text));
        }
        self.program.forms.extend(form.clone().filter(|_| global).map(|form| (name.text.clone(), form)));
        self.bind(name, Entity::Constant(constant, form, unique));
    }

    /// Returns the value that the settings give a constant, if any.
    fn forced(&mut self, name: &Name, own: Constant) -> Constant {
        if matches!(own, Constant::Member(..)) {
            return own;
        }
        self.settable_constants.insert(name.text.clone());
        let Some(&forced) = self.options.constants.get(&name.text) else { return own };
        self.used_constants.insert(name.text.clone());
        let (wanted, example) = match (&own, self.options.truth_values.contains(&name.text)) {
            (Constant::Integer(_), false) => return Constant::Integer(forced),
            (Constant::Boolean(_), true) => return Constant::Boolean(forced != 0),
            (Constant::Integer(number), true) => ("a number", number.to_string()),
            (Constant::Boolean(truth), false) => ("a truth value", truth.to_string()),
            (Constant::Member(..), _) => return own,
        };
        let truth = self.options.truth_values.contains(&name.text);
        let given = if truth { (forced != 0).to_string() } else { forced.to_string() };
        let fault = TypeFault::WrongSetting { name: name.text.clone(), wanted, given };
        self.findings.push(fault.at(name.span).with_help(format!("write for example `-D {}={example}`", name.text)));
        own
    }

    fn type_declaration(&mut self, name: &Name, ty: &TypeExpr, global: bool) {
        let Some(id) = self.type_expression(ty) else {
            if self.scopes.find(&name.text).is_none() || !global {
                self.bind(name, Entity::Failed);
            }
            return;
        };
        if global {
            self.resize(&name.text, id);
        }
        let entry = &mut self.program.types[id.index()];
        if entry.name.is_none() {
            entry.name = Some(name.text.clone());
        }
        self.bind(name, Entity::Type(id));
    }

    /// Gives a named type the size that the settings ask for.
    fn resize(&mut self, name: &str, id: TypeId) {
        let Some(&size) = self.options.type_sizes.get(name) else { return };
        let (kind, first) = match self.kind(id) {
            TypeKind::Scalarset(_) => (TypeKind::Scalarset(i64::from(size)), 1),
            TypeKind::Range(first, _) => {
                (TypeKind::Range(*first, first.saturating_add(i64::from(size)).saturating_sub(1)), *first)
            }
            _ => return,
        };
        self.used_sizes.insert(name.to_owned());
        self.program.types[id.index()].kind = kind;
        // From here on, only the setting determines its size.
        let last =
            Affine::constant(name).plus(&Affine::number(first), 1).and_then(|sum| sum.plus(&Affine::number(1), -1));
        match last {
            Some(last) => self.program.bounds.insert(id, (Affine::number(first), last)),
            None => self.program.bounds.remove(&id),
        };
    }

    fn variables(&mut self, names: &[Name], ty: &TypeExpr, global: bool) {
        let Some(ty) = self.type_expression(ty) else {
            names.iter().for_each(|name| self.bind(name, Entity::Failed));
            return;
        };
        for name in names {
            let kind = if global { VariableKind::Global } else { VariableKind::Local };
            let id = self.declare(name, ty, kind);
            if global {
                self.program.globals.push(id);
            } else {
                self.locals.push(id);
            }
        }
    }

    /// Evaluates a constant expression that must be a number.
    pub(super) fn integer(&mut self, expr: &Expr) -> Option<i64> {
        match self.constant(expr)? {
            Constant::Integer(number) => Some(number),
            Constant::Boolean(_) => {
                self.error(&TypeFault::NeedsNumber { found: "a truth value".to_owned() }, expr.span);
                None
            }
            Constant::Member(name, _) => {
                self.error(&TypeFault::NeedsNumber { found: format!("`{name}`") }, expr.span);
                None
            }
        }
    }

    /// Evaluates a constant expression.
    fn constant(&mut self, expr: &Expr) -> Option<Constant> {
        let expression = self.expression(expr)?;
        let constant = evaluate(&expression);
        if constant.is_none() {
            self.error(&TypeFault::NeedsConstant, expr.span);
        }
        constant
    }

    /// Declares a bound variable in the innermost scope.
    pub(super) fn binder(&mut self, quantifier: &Quantifier, bounds: Bounds) -> Option<Binder> {
        let over = match &quantifier.over {
            Domain::Type(ty) => self.type_domain(quantifier, ty),
            Domain::Numbers(from, to, by) => self.number_domain(from, to, by.as_deref(), bounds, &quantifier.name),
        };
        let Some((over, ty)) = over else {
            self.bind(&quantifier.name, Entity::Failed);
            return None;
        };
        let variable = self.declare(&quantifier.name, ty, VariableKind::Bound);
        Some(Binder { variable, over })
    }

    fn type_domain(&mut self, quantifier: &Quantifier, ty: &TypeExpr) -> Option<(Over, TypeId)> {
        let id = self.type_expression(ty)?;
        if self.is_enumerable(id) {
            return Some((Over::Type(id), id));
        }
        let domain = self.type_name(id);
        self.error(&TypeFault::BadDomain { domain }, quantifier.name.span.to(ty.span));
        None
    }

    fn number_domain(
        &mut self,
        from: &Expr,
        to: &Expr,
        by: Option<&Expr>,
        bounds: Bounds,
        name: &Name,
    ) -> Option<(Over, TypeId)> {
        let start = self.program.constant_uses.len();
        let (from_expr, to_expr) = (from, to);
        let from = self.number(from);
        let middle = self.program.constant_uses.len();
        let to = self.number(to);
        let end = self.program.constant_uses.len();
        let step = match by {
            Some(by) => self.number(by),
            None => Some(Expression { kind: ExpressionKind::Integer(1), ty: INTEGER, span: name.span }),
        };
        let (from, to, step) = (from?, to?, step?);
        if evaluate_number(&step) == Some(0) {
            self.error(&TypeFault::ZeroStep, step.span);
            return None;
        }
        if bounds == Bounds::Constant {
            for bound in [&from, &to, &step] {
                if evaluate_number(bound).is_none() {
                    self.error(&TypeFault::NeedsConstant, bound.span);
                    return None;
                }
            }
        }
        let ty = match (evaluate_number(&from), evaluate_number(&to), evaluate_number(&step)) {
            (Some(a), Some(b), _) if !is_narrow(a.min(b), a.max(b)) => {
                self.error(&TypeFault::WideRange { first: a.min(b), last: a.max(b) }, name.span);
                return None;
            }
            // Only the two bounds determine its domain.
            (Some(a), Some(b), Some(1)) if a <= b && self.program.constant_uses.len() == end => {
                let lower = if middle == start { Some(Affine::number(a)) } else { self.affine(from_expr, a, start) };
                let bounds = lower.zip(self.affine(to_expr, b, middle));
                self.bounded(TypeKind::Range(a, b), name.span, start, bounds)
            }
            (Some(a), Some(b), _) => self.add_type(TypeKind::Range(a.min(b), a.max(b)), name.span),
            (None, _, _) | (_, None, _) => INTEGER,
        };
        if ty != INTEGER {
            self.program.domains.insert(ty);
        }
        Some((Over::Numbers { from: Box::new(from), to: Box::new(to), step: Box::new(step) }, ty))
    }

    /// Declares a bound position of a multiset in the innermost scope, and returns it with the multiset.
    pub(super) fn multiset_position(&mut self, name: &Name, place: &Expr) -> Option<(VarId, Expression)> {
        let Some(place) = self.multiset(place) else {
            self.bind(name, Entity::Failed);
            return None;
        };
        let TypeKind::Multiset { size, .. } = *self.kind(place.ty) else { return None };
        let ty = self.add_type(TypeKind::Range(0, size - 1), name.span);
        let variable = self.declare(name, ty, VariableKind::Bound);
        self.positions.insert(variable, place.ty);
        Some((variable, place))
    }

    /// Elaborates an expression that must be a multiset.
    pub(super) fn multiset(&mut self, place: &Expr) -> Option<Expression> {
        let place = self.expression(place)?;
        if matches!(self.kind(place.ty), TypeKind::Multiset { .. }) {
            return Some(place);
        }
        let found = self.type_name(place.ty);
        self.error(&TypeFault::NeedsMultiset { found }, place.span);
        None
    }
}
