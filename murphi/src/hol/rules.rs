//! Rules, startstates and invariants, with the groups around them.

use system::source::{SourceDefinition, SourceInvariant, SourceRule, SourceType};

use super::expressions::truth_value;
use super::scopes::Meaning;
use super::term::Term;
use super::{Covered, Printer};
use crate::program::{PropertyKind, Span};
use crate::syntax::tree::{Expr, Item, Name, Quantifier, RuleItem, Stmt};

/// The lists of the program.
#[derive(Default)]
pub(super) struct Groups {
    pub(super) starts: Vec<Term>,
    pub(super) rules: Vec<Term>,
    pub(super) invariants: Vec<Term>,
}

/// What is around a rule.
pub(super) enum Around<'a> {
    Parameter(&'a Quantifier),
    Aliases(&'a [(Name, Expr)]),
}

/// The parts of a rule or startstate.
struct Parts<'a> {
    word: &'static str,
    name: &'a str,
    guard: Option<&'a Expr>,
    declarations: &'a [Item],
    body: &'a [Stmt],
    span: Span,
}

impl<'a> Printer<'a> {
    pub(super) fn rule_item(
        &mut self,
        item: &'a RuleItem,
        around: &mut Vec<Around<'a>>,
        groups: &mut Groups,
    ) -> Covered<()> {
        match item {
            RuleItem::Rule { name, priority: None, guard, declarations, body, span } => {
                let (name, guard) = (name.as_deref().unwrap_or("unnamed"), guard.as_ref());
                let parts = Parts { word: "rule_", name, guard, declarations, body, span: *span };
                let (rule, term) = self.rule(&parts, around)?;
                self.program.rules.push(rule);
                groups.rules.push(term);
            }
            RuleItem::Rule { span, .. } => return self.refuse("priorities", *span),
            RuleItem::Startstate { name, declarations, body, span } => {
                let name = name.as_deref().unwrap_or("unnamed");
                let parts = Parts { word: "start_", name, guard: None, declarations, body, span: *span };
                let (start, term) = self.rule(&parts, around)?;
                self.program.startstates.push(start);
                groups.starts.push(term);
            }
            RuleItem::Property { kind: PropertyKind::Invariant, name, condition, span } => {
                let name = name.as_deref().unwrap_or("unnamed");
                let invariant = self.invariant(name, condition, *span, around)?;
                groups.invariants.push(Term::atom(invariant.definition.name.clone()));
                self.program.invariants.push(invariant);
            }
            RuleItem::Property { span, .. } => {
                return self.refuse("`assume`, `cover` or `liveness` beside rules", *span);
            }
            RuleItem::Ruleset(quantifiers, items, _) => {
                let outer = around.len();
                around.extend(quantifiers.iter().map(Around::Parameter));
                items.iter().try_for_each(|item| self.rule_item(item, around, groups))?;
                around.truncate(outer);
            }
            RuleItem::Alias(aliases, items) => {
                around.push(Around::Aliases(aliases));
                items.iter().try_for_each(|item| self.rule_item(item, around, groups))?;
                around.pop();
            }
            RuleItem::Choose(name, ..) => return self.refuse("`choose`", name.span),
        }
        Ok(())
    }

    /// A rule, and its term in the list of the program.
    fn rule(&mut self, parts: &Parts<'a>, around: &[Around<'a>]) -> Covered<(SourceRule, Term)> {
        self.locals.clear();
        let (mut parameters, mut body) = (Vec::new(), None);
        let guard = self.below(around, &mut parameters, &mut |printer| {
            let guard = parts.guard.map_or_else(|| Ok(truth_value(true)), |guard| printer.expression(guard))?;
            body = Some(printer.rule_body(parts, around, 0)?);
            Ok(guard)
        })?;
        let Some(body) = body else { return self.refuse("a rule without a body", parts.span) };
        let name = self.scopes.fresh(parts.word, parts.name);
        let locals = self.locals.iter().map(Term::atom).collect();
        let arguments: Vec<String> = parameters.iter().map(|(bound, _, _)| bound.clone()).collect();
        let definition = SourceDefinition {
            name: name.clone(),
            signature: format!("{}mrule", "scalar \\<Rightarrow> ".repeat(arguments.len())),
            arguments: arguments.clone(),
            term: Term::Call("Rule", vec![Term::List(locals), guard, body]).text(2),
        };
        let (types, wraps): (Vec<_>, Vec<_>) =
            parameters.into_iter().map(|(bound, ty, shape)| (shape, (bound, ty))).unzip();
        let term = wraps.into_iter().rev().fold(Term::Instance(name, arguments), |inner, (bound, ty)| {
            Term::Call("Ruleset", vec![ty, Term::lambda(&bound, inner)])
        });
        let (text, origin) = (self.written(parts.span), self.origin(parts.span));
        Ok((SourceRule { definition, parameters: types, text, origin }, term))
    }

    /// The body, below the aliases around the rule, which are evaluated before it.
    fn rule_body(&mut self, parts: &Parts<'a>, around: &[Around<'a>], from: usize) -> Covered<Term> {
        let Some(group) = around.get(from) else {
            self.scopes.open();
            let declared = parts.declarations.iter().try_for_each(|item| self.declaration(item, false));
            let body = declared.and_then(|()| self.body(parts.body));
            self.scopes.close();
            return body;
        };
        match group {
            Around::Parameter(_) => self.rule_body(parts, around, from + 1),
            Around::Aliases(aliases) => self.aliases(aliases, |printer| printer.rule_body(parts, around, from + 1)),
        }
    }

    fn invariant(
        &mut self,
        name: &str,
        condition: &'a Expr,
        span: Span,
        around: &[Around<'a>],
    ) -> Covered<SourceInvariant> {
        let mut parameters = Vec::new();
        let condition = self.below(around, &mut parameters, &mut |printer| printer.expression(condition))?;
        let term = parameters
            .into_iter()
            .rev()
            .fold(condition, |inner, (bound, ty, _)| Term::Call("Forall", vec![ty, Term::lambda(&bound, inner)]));
        let definition = SourceDefinition {
            name: self.scopes.fresh("inv_", name),
            signature: "expr".to_owned(),
            arguments: Vec::new(),
            term: term.text(2),
        };
        Ok(SourceInvariant { definition, text: self.written(span), origin: self.origin(span) })
    }

    /// Something below groups, for which aliases are what they stand for. Adds the parameters.
    fn below<T>(
        &mut self,
        around: &[Around<'a>],
        parameters: &mut Vec<(String, Term, SourceType)>,
        inside: &mut dyn FnMut(&mut Self) -> Covered<T>,
    ) -> Covered<T> {
        let Some((first, rest)) = around.split_first() else { return inside(self) };
        match first {
            Around::Parameter(quantifier) => {
                let (ty, shape) = self.domain_type(quantifier)?;
                let bound = self.scopes.bind(&quantifier.name.text);
                parameters.push((bound.clone(), ty, shape));
                self.scopes.open();
                self.scopes.declare(&quantifier.name.text, Meaning::Bound(bound));
                let inner = self.below(rest, parameters, inside);
                self.scopes.close();
                self.scopes.unbind();
                inner
            }
            Around::Aliases(aliases) => {
                self.scopes.open();
                let inner = self.substituted(aliases).and_then(|()| self.below(rest, parameters, inside));
                self.scopes.close();
                inner
            }
        }
    }

    fn substituted(&mut self, aliases: &'a [(Name, Expr)]) -> Covered<()> {
        for (name, value) in aliases {
            let meaning = match self.place(value)? {
                Some((place, shape)) => Meaning::Place(place, shape),
                None => Meaning::Value(self.expression(value)?),
            };
            self.scopes.declare(&name.text, meaning);
        }
        Ok(())
    }
}
