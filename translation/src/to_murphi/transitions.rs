//! Transitions as rules.
//!
//! All updates of a transition read the state before it, and statements run one after the other. So an update of a variable comes
//! after those that read it. Where that is impossible, local variables keep the values that are read.

use cubicle::syntax::tree::{Assigned, Assignment, Transition};
use murphi::program::Binary;
use murphi::syntax::tree::{Expr, ExprKind, Item, RuleItem, Stmt, StmtKind};
use system::front_end::Span;

use super::formulas::Scope;
use super::{Translator, build};

/// An update of the elements of a variable that the formals denote.
#[derive(Clone, Debug)]
struct Update {
    /// The variable, by its name in Murphi.
    variable: String,
    ty: String,
    formals: Vec<String>,
    place: Expr,
    /// The conditions in the order in which they are tried, with the values.
    branches: Vec<(Expr, Expr)>,
    /// The value where no condition holds, unless nothing changes there.
    default: Option<Expr>,
}

/// Formals, each with the element that it denotes.
type Elements = Vec<(String, Expr)>;

/// A rule while it is made.
#[derive(Default)]
struct Rule {
    scope: Scope,
    /// What is chosen, with the types.
    choices: Vec<(String, String)>,
    declarations: Vec<Item>,
    /// Statements that keep values.
    kept: Vec<(Expr, String)>,
    body: Vec<Stmt>,
}

impl Translator<'_> {
    pub(super) fn transition(&mut self, transition: &Transition) -> RuleItem {
        let mut rule = Rule::default();
        let parameters = self.parameters(&mut rule.scope, &transition.parameters);
        let mut guard = parameters.conditions;
        if let Some(own) = &transition.guard {
            guard.extend(build::conjuncts(self.formula(&rule.scope, own)));
        }
        for (name, term) in &transition.lets {
            let (value, ty) = self.term(&rule.scope, term);
            rule.scope.bind(&name.text, value, &ty);
        }
        let updates: Vec<Update> =
            transition.assignments.iter().map(|assignment| self.update(&mut rule, assignment)).collect();
        guard.extend(updates.iter().flat_map(|update| self.limits(update)));
        self.statements(&mut rule, updates);
        let keep = rule.kept.iter().map(|(value, name)| build::assign(build::name(name), value.clone()));
        let body = keep.chain(rule.body).collect();
        let own = RuleItem::Rule {
            name: Some(transition.name.text.clone()),
            priority: None,
            guard: if guard.is_empty() { None } else { Some(build::and(guard)) },
            declarations: rule.declarations,
            body,
            span: Span::default(),
        };
        let processes = parameters.names.into_iter().map(|name| (name, self.proc.clone()));
        super::in_ruleset(processes.chain(rule.choices).collect(), vec![own])
    }

    fn update(&mut self, rule: &mut Rule, assignment: &Assignment) -> Update {
        let variable = self.names.global(&assignment.target.text);
        let ty = self.type_of(&assignment.target.text);
        let mut scope = rule.scope.clone();
        let is_case = matches!(assignment.value, Assigned::Case(_));
        let formals = if is_case { self.processes(&mut scope, &assignment.indices).names } else { Vec::new() };
        let indices = assignment.indices.iter().map(|index| self.named(&scope, &index.text).0);
        let place = build::element(build::name(&variable), indices);
        let mut branches = Vec::new();
        let mut default = None;
        match &assignment.value {
            Assigned::Term(term) => default = Some(self.term(&scope, term).0),
            Assigned::Any => default = Some(self.chosen(rule, &variable, &ty, assignment.span)),
            Assigned::Case(cases) => {
                for (condition, term) in cases {
                    let value = self.term(&scope, term).0;
                    match condition {
                        Some(condition) => branches.push((self.formula(&scope, condition), value)),
                        None => default = Some(value),
                    }
                }
            }
        }
        let default = default.filter(|value| !build::same(value, &place));
        at_one_element(Update { variable, ty, formals, place, branches, default })
    }

    /// Returns any value of a type: a further parameter of the rule.
    fn chosen(&mut self, rule: &mut Rule, variable: &str, ty: &str, span: Span) -> Expr {
        if ty == "int" {
            return self.refused("a choice among all numbers", "choose among the values of an enumeration", span);
        }
        let name = self.names.local(&format!("any_{variable}"), rule.scope.in_sight());
        rule.scope.see(&name);
        rule.choices.push((name.clone(), self.value_type(ty)));
        build::name(&name)
    }

    /// Returns that the numbers which an update assigns are within the limits of their type.
    fn limits(&self, update: &Update) -> Vec<Expr> {
        let own = update.branches.iter().map(|(condition, value)| (vec![condition.clone()], value));
        let default = update.default.iter().map(|value| (Vec::new(), value));
        let limits = own.chain(default).filter_map(|(conditions, value)| {
            let ExprKind::Binary(operator, ..) = value.kind else { return None };
            // No other operator makes a number.
            let limit = if operator == Binary::Add {
                build::binary(Binary::LessEqual, value.clone(), build::name(&self.greatest))
            } else if operator == Binary::Subtract {
                build::binary(Binary::LessEqual, build::name(&self.least), value.clone())
            } else {
                return None;
            };
            Some(build::forall(&update.formals, &self.proc, build::implies(conditions, limit)))
        });
        limits.collect()
    }

    /// Puts the updates in an order in which each reads the state before all of them.
    fn statements(&self, rule: &mut Rule, mut updates: Vec<Update>) {
        while !updates.is_empty() {
            let is_free = |at: &usize| {
                let is_read = |other: &usize| other != at && updates[*other].reads(&updates[*at].variable);
                !(0..updates.len()).any(|other| is_read(&other))
            };
            let next = (0..updates.len()).find(is_free).unwrap_or(0);
            let mut update = updates.remove(next);
            for other in &mut updates {
                self.keep(rule, other, &update.variable.clone(), &update.ty);
            }
            let (variable, ty) = (update.variable.clone(), update.ty.clone());
            if !update.formals.is_empty() {
                self.keep(rule, &mut update, &variable, &ty);
            }
            rule.body.extend(update.statements(&self.proc));
        }
    }

    /// Lets an update read kept values of a variable instead of the variable itself. What the update changes itself before it
    /// reads it need not be kept: the element that it assigns to.
    fn keep(&self, rule: &mut Rule, update: &mut Update, variable: &str, ty: &str) {
        let (formals, place) = (update.formals.clone(), update.place.clone());
        let mut needed: Vec<Expr> = Vec::new();
        update.map(&mut |part| {
            let is_read = build::root(part) == Some(variable);
            if is_read && !build::same(part, &place) && !needed.iter().any(|known| build::same(known, part)) {
                needed.push(part.clone());
            }
            is_read.then(|| part.clone())
        });
        for read in needed {
            let depends = formals.iter().any(|formal| mentions(&read, formal));
            let new = if depends { self.copied(rule, variable, ty, &read) } else { self.kept(rule, ty, &read) };
            update.map(&mut |part| build::same(part, &read).then(|| new.clone()));
        }
    }

    /// Returns a local variable with the value of a term in the state before the rule.
    fn kept(&self, rule: &mut Rule, ty: &str, read: &Expr) -> Expr {
        if let Some((_, name)) = rule.kept.iter().find(|(known, _)| build::same(known, read)) {
            return build::name(name);
        }
        let name = self.names.local("old", rule.scope.in_sight());
        rule.scope.see(&name);
        let ty = build::named_type(&self.value_type(ty));
        rule.declarations.push(Item::Variables(vec![build::named(&name)], ty));
        rule.kept.push((read.clone(), name.clone()));
        build::name(&name)
    }

    /// Returns an element of a local copy of an array in the state before the rule.
    fn copied(&self, rule: &mut Rule, variable: &str, ty: &str, read: &Expr) -> Expr {
        let whole = build::name(variable);
        let known = rule.kept.iter().find(|(known, _)| build::same(known, &whole)).map(|(_, name)| name.clone());
        let copy = known.unwrap_or_else(|| {
            let name = self.names.local("old", rule.scope.in_sight());
            rule.scope.see(&name);
            let array = build::array_of(&self.proc, depth(read), build::named_type(&self.value_type(ty)));
            rule.declarations.push(Item::Variables(vec![build::named(&name)], array));
            rule.kept.push((whole, name.clone()));
            name
        });
        build::substituted(read, &[(variable.to_owned(), build::name(&copy))])
    }
}

impl Update {
    /// Changes the expressions that are read.
    fn map(&mut self, by: &mut dyn FnMut(&Expr) -> Option<Expr>) {
        for (condition, value) in &mut self.branches {
            *condition = build::replaced(condition, by);
            *value = build::replaced(value, by);
        }
        self.default = self.default.as_ref().map(|value| build::replaced(value, by));
    }

    fn reads(&self, variable: &str) -> bool {
        let own = self.branches.iter().flat_map(|(condition, value)| [condition, value]);
        own.chain(&self.default).any(|expression| mentions(expression, variable))
    }

    fn statements(&self, proc: &str) -> Vec<Stmt> {
        let assign = |value: &Expr| {
            if build::same(value, &self.place) {
                Vec::new()
            } else {
                vec![build::assign(self.place.clone(), value.clone())]
            }
        };
        let otherwise: Vec<Stmt> = self.default.iter().flat_map(assign).collect();
        if self.branches.is_empty() {
            return build::loop_over(&self.formals, proc, otherwise);
        }
        let branches = self.branches.iter().map(|(condition, value)| (condition.clone(), assign(value)));
        let choice = build::statement(StmtKind::If(branches.collect(), otherwise));
        build::loop_over(&self.formals, proc, vec![choice])
    }
}

/// Makes an update that changes one element only one without formals.
fn at_one_element(update: Update) -> Update {
    if update.formals.is_empty() || update.default.is_some() || update.branches.is_empty() {
        return update;
    }
    let mut at: Option<Elements> = None;
    let mut branches = Vec::new();
    let mut default = None;
    for (condition, value) in &update.branches {
        let Some((own, rest)) = split(condition, &update.formals) else { return update };
        let is_same = |known: &Elements| known.iter().zip(&own).all(|(a, b)| build::same(&a.1, &b.1));
        if !at.as_ref().is_none_or(is_same) {
            return update;
        }
        let value = build::substituted(value, &own);
        if default.is_none() {
            if rest.is_empty() {
                default = Some(value);
            } else {
                branches.push((build::substituted(&build::and(rest), &own), value));
            }
        }
        at = Some(own);
    }
    let Some(at) = at else { return update };
    let place = build::substituted(&update.place, &at);
    let default = default.filter(|value| !build::same(value, &place));
    Update { formals: Vec::new(), place, branches, default, ..update }
}

/// Splits a condition into the elements that the formals equal, in the order of the formals, and the rest.
fn split(condition: &Expr, formals: &[String]) -> Option<(Elements, Vec<Expr>)> {
    let mut rest = build::conjuncts(condition.clone());
    let mut found = Vec::new();
    for formal in formals {
        let element = |part: &Expr| {
            let ExprKind::Binary(Binary::Equal, left, right) = &part.kind else { return None };
            let is_formal = |side: &Expr| build::name_of(side) == Some(formal.as_str());
            let other = if is_formal(left) {
                right
            } else if is_formal(right) {
                left
            } else {
                return None;
            };
            // A variable may change before it is read again, so it cannot take the place of a formal.
            let is_parameter = |name: &str| name.starts_with(|first: char| first.is_ascii_lowercase());
            let is_fixed =
                matches!(other.kind, ExprKind::Integer(_)) || build::name_of(other).is_some_and(is_parameter);
            (is_fixed && !formals.iter().any(|formal| mentions(other, formal))).then(|| (**other).clone())
        };
        let place = rest.iter().position(|part| element(part).is_some())?;
        found.push((formal.clone(), element(&rest.remove(place))?));
    }
    Some((found, rest))
}

/// Whether a name occurs in an expression.
fn mentions(expression: &Expr, name: &str) -> bool {
    let mut found = false;
    build::replaced(expression, &mut |part| {
        found |= build::name_of(part) == Some(name);
        None
    });
    found
}

/// Returns the number of indices of an element.
fn depth(place: &Expr) -> usize {
    if let ExprKind::Element(array, _) = &place.kind { 1 + depth(array) } else { 0 }
}
