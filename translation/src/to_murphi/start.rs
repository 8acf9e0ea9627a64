//! The initial states as a startstate.
//!
//! A variable without an index that has no certain value gets a parameter of a ruleset around the startstate. An array of which
//! nothing is said starts as a copy of one that no rule writes, and that has any value since an `assume` mentions it.

use std::collections::{BTreeMap, BTreeSet};

use cubicle::syntax::tree::{Claim, Formula, FormulaKind, Name, Quantifier, Relation, Term, TermKind};
use murphi::program::{Binary, PropertyKind};
use murphi::syntax::tree::{Expr, ExprKind, Item, RuleItem, Stmt, StmtKind, TypeExprKind};
use system::front_end::Span;

use super::formulas::Scope;
use super::{Translator, build};

/// What `init` says.
#[derive(Default)]
struct Said {
    /// Variables without an index that are equal: each with another one of them.
    same_as: BTreeMap<String, String>,
    /// Values of variables without an index.
    values: BTreeMap<String, Expr>,
    /// Values of arrays, with the names of their indices.
    arrays: BTreeMap<String, (Vec<String>, Expr)>,
    /// Other conditions.
    conditions: Vec<Expr>,
    /// The numbers in conditions, by their names in Murphi. They are reported already.
    limited: BTreeSet<String>,
}

impl Said {
    /// Returns the variable that stands for all that are equal to this one.
    fn representative(&self, name: &str) -> String {
        let mut name = name;
        while let Some(next) = self.same_as.get(name) {
            name = next;
        }
        name.to_owned()
    }
}

impl Translator<'_> {
    /// Translates `init`: what has to be declared, and the startstate.
    pub(super) fn start(&mut self, claim: &Claim) -> (Vec<Item>, Item) {
        let mut scope = Scope::default();
        let mut said = Said::default();
        for name in &claim.parameters {
            self.process(&mut scope, &name.text);
        }
        self.say(&scope, &claim.formula, &mut said);
        self.unify(&mut said, claim.span);
        let choices = self.choices(&mut said, &mut scope, claim.span);
        let wanted: Vec<&str> =
            claim.parameters.iter().map(|name| name.text.as_str()).chain(["p", "q", "r", "s"]).collect();
        let chosen = choices.iter().map(|(name, _)| name.clone()).collect();
        let (declared, mut body) = self.values(&said, (&wanted, chosen), claim.span);
        if !said.conditions.is_empty() {
            let values: Vec<(String, Expr)> = self.scalars().map(|name| self.value_of(&said, &name)).collect();
            let condition = build::substituted(&build::and(said.conditions.clone()), &values);
            body.insert(0, build::statement(StmtKind::Property(PropertyKind::Assume, condition, None)));
        }
        let start = RuleItem::Startstate { name: None, declarations: Vec::new(), body, span: Span::default() };
        (declared, Item::Rule(super::in_ruleset(choices, vec![start])))
    }

    /// Collects what a formula says.
    fn say(&mut self, scope: &Scope, formula: &Formula, said: &mut Said) {
        match &formula.kind {
            FormulaKind::Constant(true) => {}
            FormulaKind::And(parts) => parts.iter().for_each(|part| self.say(scope, part, said)),
            FormulaKind::Quantified(Quantifier::Forall, names, body) if names.len() == 1 => {
                let mut inner = scope.clone();
                self.process(&mut inner, &names[0].text);
                self.say(&inner, body, said);
            }
            FormulaKind::Call(name, arguments) => {
                if let Some((inner, body)) = self.unfolded(scope, name, arguments) {
                    self.say(&inner, &body, said);
                }
            }
            FormulaKind::Compare(left, relation, right) => {
                let known = self.equation(scope, left, *relation, right, said)
                    || self.equation(scope, right, *relation, left, said);
                if !known {
                    self.condition(scope, formula, said);
                }
            }
            FormulaKind::Constant(false)
            | FormulaKind::Not(_)
            | FormulaKind::Or(_)
            | FormulaKind::Implies(..)
            | FormulaKind::Equivalent(..)
            | FormulaKind::If(..)
            | FormulaKind::Quantified(..)
            | FormulaKind::Term(_) => self.condition(scope, formula, said),
        }
    }

    /// Records what an equation says about its left side, if that is a variable which gets a value. Returns whether it is.
    fn equation(&mut self, scope: &Scope, left: &Term, relation: Relation, right: &Term, said: &mut Said) -> bool {
        let (value, ty) = self.term(scope, right);
        let is_equal = match relation {
            Relation::Equal => true,
            Relation::Different => false,
            Relation::Less | Relation::LessEqual | Relation::Greater | Relation::GreaterEqual => return false,
        };
        let value = match (is_equal, ty.as_str(), &right.kind) {
            (true, ..) => value,
            (false, "bool", TermKind::Name(_)) if is_constant(&value) => build::not(value),
            (false, ..) => return self.says_outside(scope, left, right, said),
        };
        let is_process_of_init = |term: &Term| matches!(&term.kind, TermKind::Name(name) if self.is_process(name));
        match &left.kind {
            TermKind::Access(array, indices) if !matches!(right.kind, TermKind::Access(..)) => {
                let formals: Vec<String> = indices.iter().map(|index| self.index(scope, index)).collect();
                let is_index = |at: usize| !formals[at].is_empty() && !formals[..at].contains(&formals[at]);
                let distinct = (0..formals.len()).all(is_index);
                let own = !is_process_of_init(right) || indices.iter().any(|index| is_name(right, &index.text));
                let is_new = !said.arrays.contains_key(&array.text);
                if distinct && own && is_new {
                    said.arrays.insert(array.text.clone(), (formals, value));
                }
                distinct && own && is_new
            }
            TermKind::Name(name) if self.is_variable(name) && !is_process_of_init(right) => match &right.kind {
                TermKind::Name(other) if self.is_variable(other) => {
                    let (left, right) = (said.representative(name), said.representative(other));
                    if left != right {
                        said.same_as.insert(left, right);
                    }
                    true
                }
                TermKind::Access(..) => false,
                TermKind::Name(_) | TermKind::Number(_) | TermKind::Sum(_) => match said.values.get(name) {
                    Some(known) => build::same(known, &value),
                    None => said.values.insert(name.clone(), value).is_none(),
                },
            },
            TermKind::Access(..) | TermKind::Name(_) | TermKind::Number(_) | TermKind::Sum(_) => false,
        }
    }

    /// Records that a variable differs from all processes, if an inequality says so.
    fn says_outside(&self, scope: &Scope, left: &Term, right: &Term, said: &mut Said) -> bool {
        let (TermKind::Name(variable), TermKind::Name(process)) = (&left.kind, &right.kind) else { return false };
        let Some(outside) = self.outside.as_ref() else { return false };
        let is_so = self.is_variable(variable)
            && self.is_process(process)
            && !process.starts_with('#')
            && matches!(self.named(scope, process).0.kind, ExprKind::Name(_));
        if is_so {
            said.values.insert(variable.clone(), build::name(&outside.value));
        }
        is_so
    }

    fn index(&self, scope: &Scope, index: &Name) -> String {
        // A process constant is no name, and makes the equation one about a certain element.
        build::name_of(&self.named(scope, &index.text).0).unwrap_or_default().to_owned()
    }

    /// Records a condition, which must be about variables without an index.
    fn condition(&mut self, scope: &Scope, formula: &Formula, said: &mut Said) {
        let condition = self.formula(scope, formula);
        let (mut has_element, mut numbers) = (false, BTreeSet::new());
        build::replaced(&condition, &mut |part| {
            has_element |= matches!(part.kind, ExprKind::Element(..) | ExprKind::Forall(..) | ExprKind::Exists(..));
            if let Some(name) = build::name_of(part) {
                has_element |= scope.in_sight().contains(name);
                numbers.extend(self.numbers.get(name).cloned());
            }
            None
        });
        if !numbers.is_empty() {
            said.limited.extend(numbers);
            let help = "give every number a value in `init`";
            self.refuse("initial numbers within limits", help, formula.span);
        } else if has_element {
            let help = "say in `init` which value each array has";
            self.refuse("this condition on the elements of arrays", help, formula.span);
        } else {
            said.conditions.push(condition);
        }
    }

    /// Gives the value of one of several equal variables to all of them.
    fn unify(&mut self, said: &mut Said, span: Span) {
        let mut values: BTreeMap<String, Expr> = BTreeMap::new();
        for (name, value) in &said.values {
            let representative = said.representative(name);
            if values.get(&representative).is_some_and(|known| !build::same(known, value)) {
                self.refuse("no initial states", "give each variable one value", span);
            }
            values.insert(representative, value.clone());
        }
        said.values = values;
    }

    /// Chooses the values that `init` leaves open, and returns the types that they are chosen from.
    fn choices(&mut self, said: &mut Said, scope: &mut Scope, span: Span) -> Vec<(String, String)> {
        let mut choices = Vec::new();
        for name in self.scalars() {
            let representative = said.representative(&name);
            if said.values.contains_key(&representative) {
                continue;
            }
            if self.type_of(&name) == "int" && !said.limited.contains(&self.names.global(&name)) {
                self.refuse("a number that has any value", "give the number a value in `init`", span);
            }
            let choice = self.names.local(&format!("any_{}", self.names.global(&name)), scope.in_sight());
            scope.see(&choice);
            choices.push((choice.clone(), self.value_type(&self.type_of(&name))));
            said.values.insert(representative, build::name(&choice));
        }
        choices
    }

    /// Returns the name of a variable without an index and its initial value.
    fn value_of(&self, said: &Said, name: &str) -> (String, Expr) {
        let value = said.values.get(&said.representative(name)).cloned();
        (self.names.global(name), value.unwrap_or_else(|| build::name(name)))
    }

    /// Returns the statements of the startstate, and what they need.
    fn values(
        &mut self,
        said: &Said,
        (wanted, mut in_sight): (&[&str], BTreeSet<String>),
        span: Span,
    ) -> (Vec<Item>, Vec<Stmt>) {
        let scalars: Vec<(String, Expr)> = self.scalars().map(|name| self.value_of(said, &name)).collect();
        let mut body: Vec<Stmt> =
            scalars.iter().map(|(name, value)| build::assign(build::name(name), value.clone())).collect();
        let mut declared = Vec::new();
        let arrays: Vec<(String, usize)> = self.arrays().collect();
        let most = arrays.iter().map(|(_, dimensions)| *dimensions).max().unwrap_or(0);
        let mut formals = Vec::new();
        for wanted in wanted.iter().cycle().take(most) {
            let own = self.names.local(wanted, &in_sight);
            in_sight.insert(own.clone());
            formals.push(own);
        }
        for dimensions in 1..=most {
            let formals = &formals[..dimensions];
            let mut loop_body = Vec::new();
            for (array, _) in arrays.iter().filter(|(_, own)| *own == dimensions) {
                let at = |name: &str| build::element(build::name(name), formals.iter().map(|own| build::name(own)));
                let value = match said.arrays.get(array) {
                    Some((indices, value)) => {
                        let indices = indices.iter().cloned().zip(formals.iter().map(|own| build::name(own)));
                        let all: Vec<(String, Expr)> = indices.chain(scalars.iter().cloned()).collect();
                        build::substituted(value, &all)
                    }
                    None => {
                        let name = self.anything(array, formals, &mut declared, span);
                        if name == self.names.global(array) {
                            continue;
                        }
                        at(&name)
                    }
                };
                loop_body.push(build::assign(at(&self.names.global(array)), value));
            }
            body.extend(build::loop_over(formals, &self.proc, loop_body));
        }
        (declared, body)
    }

    /// Returns an array with any values that nothing writes: this one, or a new one.
    fn anything(&mut self, array: &str, formals: &[String], declared: &mut Vec<Item>, span: Span) -> String {
        let ty = self.type_of(array);
        if ty == "int" {
            self.refuse("a number that has any value", "give the number a value in `init`", span);
        }
        let own = self.names.global(array);
        let name = if self.assigned.contains(array) { self.names.add(&format!("Initial_{own}")) } else { own };
        if self.assigned.contains(array) {
            let element = build::named_type(&self.value_type(&ty));
            let array = build::array_of(&self.proc, formals.len(), element);
            declared.push(Item::Variables(vec![build::named(&name)], array));
        }
        let at = build::element(build::name(&name), formals.iter().map(|own| build::name(own)));
        let condition = build::forall(formals, &self.proc, build::binary(Binary::Equal, at.clone(), at));
        declared.push(Item::Rule(RuleItem::Property {
            kind: PropertyKind::Assume,
            name: Some(format!("{name} has any value")),
            condition,
            span: Span::default(),
        }));
        name
    }

    /// Declares the union of the processes and of what is no process.
    pub(super) fn outside_type(&self) -> Option<Item> {
        let outside = self.outside.as_ref()?;
        let value = build::type_of(TypeExprKind::Enum(vec![build::named(&outside.value)]));
        let members = vec![build::named_type(&self.proc), value];
        Some(Item::Type(build::named(&outside.ty), build::type_of(TypeExprKind::Union(members))))
    }
}

fn is_constant(value: &Expr) -> bool {
    build::is_truth(value, true) || build::is_truth(value, false)
}

fn is_name(term: &Term, name: &str) -> bool {
    matches!(&term.kind, TermKind::Name(own) if own == name)
}
