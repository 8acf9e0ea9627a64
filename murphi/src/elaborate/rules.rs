//! Rules, startstates and properties, each with the groups around it.

use super::constants::evaluate;
use super::declarations::Bounds;
use super::fault::TypeFault;
use super::{BOOLEAN, Elaborator};
use crate::program::{Around, ConstantSite, Expression, ExpressionKind, Property, Rule, Startstate, VariableKind};
use crate::syntax::tree::{Expr, Item, Name, RuleItem, Stmt};

impl Elaborator<'_> {
    pub(super) fn rule_item(&mut self, item: &RuleItem, around: &[Around]) {
        self.scopes.open();
        match item {
            RuleItem::Ruleset(quantifiers, rules, _) => {
                let mut around = around.to_vec();
                for quantifier in quantifiers {
                    around.extend(self.binder(quantifier, Bounds::Constant).map(Around::Parameter));
                }
                rules.iter().for_each(|rule| self.rule_item(rule, &around));
            }
            RuleItem::Alias(aliases, rules) => {
                let mut around = around.to_vec();
                for (name, place) in aliases {
                    around.extend(self.alias(name, place).map(|(variable, place)| Around::Alias(variable, place)));
                }
                rules.iter().for_each(|rule| self.rule_item(rule, &around));
            }
            RuleItem::Choose(name, place, rules) => {
                let mut around = around.to_vec();
                let chosen = self.multiset_position(name, place);
                around.extend(chosen.map(|(variable, place)| Around::Choose(variable, place)));
                rules.iter().for_each(|rule| self.rule_item(rule, &around));
            }
            RuleItem::Rule { .. } | RuleItem::Startstate { .. } | RuleItem::Property { .. } => {
                self.locals.clear();
                self.single_rule(item, around.to_vec());
            }
        }
        self.scopes.close();
    }

    fn single_rule(&mut self, item: &RuleItem, around: Vec<Around>) {
        match item {
            RuleItem::Rule { name, guard, declarations, body, span, priority } => {
                let priority = priority.as_ref().and_then(|priority| self.integer(priority)).unwrap_or(0);
                let guard = match guard {
                    Some(guard) => self.condition(guard),
                    None => Some(Expression { kind: ExpressionKind::Boolean(true), ty: BOOLEAN, span: *span }),
                };
                let body = self.block(declarations, body);
                let locals = std::mem::take(&mut self.locals);
                if let Some(guard) = guard {
                    let rule = Rule { name: name.clone(), around, guard, priority, locals, body, span: *span };
                    self.program.rules.push(rule);
                }
            }
            RuleItem::Startstate { name, declarations, body, span } => {
                let body = self.block(declarations, body);
                let locals = std::mem::take(&mut self.locals);
                self.program.startstates.push(Startstate { name: name.clone(), around, locals, body, span: *span });
            }
            RuleItem::Property { kind, name, condition, span } => {
                if let Some(condition) = self.condition(condition) {
                    let property = Property { name: name.clone(), kind: *kind, around, condition, span: *span };
                    self.program.properties.push(property);
                }
            }
            RuleItem::Ruleset(..) | RuleItem::Alias(..) | RuleItem::Choose(..) => {}
        }
    }

    fn block(&mut self, declarations: &[Item], body: &[Stmt]) -> Vec<crate::program::Statement> {
        declarations.iter().for_each(|declaration| self.declaration(declaration, false));
        self.statements(body)
    }

    /// Declares an alias in the innermost scope, and returns what it stands for.
    pub(super) fn alias(&mut self, name: &Name, place: &Expr) -> Option<(crate::program::VarId, Expression)> {
        let mentioned = self.program.constant_uses.len();
        let Some(place) = self.expression(place) else {
            self.bind(name, super::scopes::Entity::Failed);
            return None;
        };
        let assignable = self.assignable(&place).is_ok();
        let variable = self.declare(name, place.ty, VariableKind::Alias);
        if !assignable {
            self.read_only.insert(variable);
        }
        if let Some(value) = evaluate(&place) {
            let mentions = self.program.constant_uses[mentioned..].iter().map(|mention| {
                // What is the constant itself can be treated as such.
                let site = if mention.span == place.span { mention.site.clone() } else { ConstantSite::Alias };
                (mention.name.clone(), site)
            });
            self.constant_aliases.insert(variable, super::ConstantAlias { value, mentions: mentions.collect() });
        }
        if let ExpressionKind::Variable(original) = place.kind
            && let Some(&multiset) = self.positions.get(&original)
        {
            self.positions.insert(variable, multiset);
        }
        Some((variable, place))
    }

    /// Refuses a target that cannot be assigned to.
    pub(super) fn check_place(&mut self, place: &Expression) {
        if let Err(fault) = self.assignable(place) {
            self.error(&fault, place.span);
        }
    }

    fn assignable(&self, place: &Expression) -> Result<(), TypeFault> {
        let root = place.root().ok_or(TypeFault::NoPlace)?;
        let declaration = &self.program.variables[root.index()];
        let what = match declaration.kind {
            VariableKind::Value => "a parameter passed by value",
            VariableKind::Bound => "bound by a quantifier, `for` or ruleset",
            VariableKind::Alias if self.read_only.contains(&root) => "an alias of something that cannot be assigned to",
            VariableKind::Alias | VariableKind::Global | VariableKind::Local | VariableKind::Reference => return Ok(()),
        };
        Err(TypeFault::NotAssignable { name: declaration.name.clone(), what })
    }
}
