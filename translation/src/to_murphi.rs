//! A model in Cubicle's language as Murphi.
//!
//! Names, the order of the transitions, and comments between declarations stay.
//! Parameters of a transition, which denote different processes, get guards that say so; `unsafe`s become invariants; and updates,
//! which happen at once, become statements in an order in which each reads what it would read at once.

mod build;
mod formulas;
mod names;
mod start;
mod transitions;

use std::collections::{BTreeMap, BTreeSet};

use cubicle::syntax::parse_placed;
use cubicle::syntax::tree::{
    Claim, Formula, FormulaKind, Item, Predicate, Relation, Summand, Term, TermKind, Transition, Variable,
};
use murphi::program::{PropertyKind, Unary};
use murphi::syntax::tree::{self as murphi_tree, Ast, Expr, ExprKind, RuleItem, TypeExprKind};
use system::front_end::{Diagnostic, FrontEnd, Settings, Span, line_column};

use crate::Fault;
use formulas::Scope;
use names::Names;

/// Translates a model in Cubicle's language to Murphi.
///
/// # Errors
/// Returns what is wrong with the text, or all places without a counterpart in Murphi.
pub fn to_murphi(text: &str) -> Result<String, Vec<Diagnostic>> {
    cubicle::Model::read(text, &Settings::default())?;
    let (items, errors) = parse_placed(text);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut translator = Translator::new(&items);
    let sections = translator.sections(text, &items);
    if translator.faults.is_empty() { Ok(sections.text()) } else { Err(translator.faults) }
}

/// What is no process: the value, and the type of variables that can hold it.
#[derive(Debug)]
struct Outside {
    value: String,
    ty: String,
}

/// A model while it is translated.
struct Translator<'i> {
    names: Names,
    variables: Vec<&'i Variable>,
    /// The values of enumerations, with their types.
    values: BTreeMap<String, String>,
    predicates: BTreeMap<String, &'i Predicate>,
    /// The variables that transitions assign to.
    assigned: BTreeSet<String>,
    /// The numbers, by their names in Murphi.
    numbers: BTreeSet<String>,
    /// The type of the processes.
    proc: String,
    /// Whether the processes have an order or numbers.
    is_ordered: bool,
    outside: Option<Outside>,
    /// The constants that limit numbers.
    least: String,
    greatest: String,
    faults: Vec<Diagnostic>,
}

/// Items with the comments before them.
type Commented = (Vec<String>, Vec<murphi_tree::Item>);

/// The parts of a Murphi model, in the order that other tools ask for.
#[derive(Default)]
struct Sections {
    head: Vec<String>,
    constants: Vec<Commented>,
    types: Vec<Commented>,
    variables: Vec<Commented>,
    rules: Vec<Commented>,
}

impl Sections {
    fn text(self) -> String {
        let mut text = String::new();
        let comments = |lines: &[String], text: &mut String| {
            for line in lines {
                text.push_str(format!("-- {line}").trim_end());
                text.push('\n');
            }
        };
        comments(&self.head, &mut text);
        for section in [self.constants, self.types, self.variables, self.rules] {
            for (lines, items) in section {
                let is_rule = items.iter().any(|item| matches!(item, murphi_tree::Item::Rule(_)));
                if (is_rule || !lines.is_empty()) && !text.is_empty() {
                    text.push('\n');
                }
                comments(&lines, &mut text);
                text.push_str(&murphi::print(&Ast { items, ..Ast::default() }));
            }
        }
        text
    }
}

impl<'i> Translator<'i> {
    fn new(items: &'i [(Item, Span)]) -> Self {
        let all: Vec<&Item> = items.iter().map(|(item, _)| item).collect();
        let mut names = Names::of(&all);
        let proc = names.global("proc");
        let (least, greatest) = (names.add("INT_MIN"), names.add("INT_MAX"));
        let mut translator = Self {
            names,
            variables: Vec::new(),
            values: BTreeMap::new(),
            predicates: BTreeMap::new(),
            assigned: BTreeSet::new(),
            numbers: BTreeSet::new(),
            proc,
            is_ordered: false,
            outside: None,
            least,
            greatest,
            faults: Vec::new(),
        };
        for item in all {
            translator.declare(item);
        }
        let mut walk = Walk::default();
        items.iter().for_each(|(item, _)| translator.look(item, &mut walk));
        translator.is_ordered = walk.is_ordered;
        if walk.has_outside {
            let (value, ty) = (translator.names.add("No_process"), translator.names.add("process"));
            translator.outside = Some(Outside { value, ty });
        }
        translator
    }

    fn declare(&mut self, item: &'i Item) {
        match item {
            Item::Type { name, values } => {
                let values = values.iter().flatten();
                self.values.extend(values.map(|value| (value.text.clone(), name.text.clone())));
            }
            Item::Variable(variable) => {
                self.variables.push(variable);
                if variable.ty.text == "int" {
                    self.numbers.insert(self.names.global(&variable.name.text));
                }
            }
            Item::Predicate(predicate) => drop(self.predicates.insert(predicate.name.text.clone(), predicate)),
            Item::Transition(transition) => {
                self.assigned.extend(transition.assignments.iter().map(|own| own.target.text.clone()));
            }
            Item::Processes(_) | Item::Init(_) | Item::Invariant(_) | Item::Unsafe(_) => {}
        }
    }

    fn refuse(&mut self, what: &'static str, help: &'static str, span: Span) {
        self.faults.push(Fault::Murphi { what, help }.at(span));
    }

    /// Records a refusal, and returns an expression in place of what is refused.
    fn refused(&mut self, what: &'static str, help: &'static str, span: Span) -> Expr {
        self.refuse(what, help, span);
        build::name("true")
    }

    /// Returns the type of a variable or value.
    fn type_of(&self, name: &str) -> String {
        let variable = self.variables.iter().find(|variable| variable.name.text == name);
        let of_value = || self.values.get(name).cloned().unwrap_or_else(|| "bool".to_owned());
        variable.map_or_else(of_value, |variable| variable.ty.text.clone())
    }

    /// Returns the Murphi type of the values of a type.
    fn value_type(&self, ty: &str) -> String {
        match (&self.outside, ty) {
            (Some(outside), "proc") => outside.ty.clone(),
            (Some(_) | None, _) => self.names.global(ty),
        }
    }

    /// Whether a name denotes a variable without an index.
    fn is_variable(&self, name: &str) -> bool {
        self.variables.iter().any(|variable| variable.name.text == name && variable.dimensions.is_empty())
    }

    /// Whether a name denotes a process.
    fn is_process(&self, name: &str) -> bool {
        name.starts_with(|first: char| first.is_ascii_lowercase() || first == '#')
    }

    /// The variables without an index.
    fn scalars(&self) -> impl Iterator<Item = String> + use<> {
        let own = self.variables.iter().filter(|variable| variable.dimensions.is_empty());
        own.map(|variable| variable.name.text.clone()).collect::<Vec<_>>().into_iter()
    }

    /// The arrays, with the numbers of their indices.
    fn arrays(&self) -> impl Iterator<Item = (String, usize)> + use<> {
        let own = self.variables.iter().filter(|variable| !variable.dimensions.is_empty());
        own.map(|variable| (variable.name.text.clone(), variable.dimensions.len())).collect::<Vec<_>>().into_iter()
    }

    fn sections(&mut self, text: &str, items: &[(Item, Span)]) -> Sections {
        let mut sections = Sections::default();
        self.processes_type(items, &mut sections);
        let mut end = 0;
        for (number, (item, span)) in items.iter().enumerate() {
            let gap = text.get(end as usize..span.start as usize).unwrap_or_default();
            let mut lines = comments(gap);
            if number == 0 {
                sections.head = std::mem::take(&mut lines);
            }
            self.item(text, item, *span, lines, &mut sections);
            end = span.end;
        }
        let rest = comments(text.get(end as usize..).unwrap_or_default());
        sections.rules.push((rest, Vec::new()));
        sections
    }

    fn item(&mut self, text: &str, item: &Item, span: Span, lines: Vec<String>, sections: &mut Sections) {
        match item {
            Item::Processes(_) | Item::Predicate(_) => {}
            Item::Type { name, values } => {
                let own = self.names.global(&name.text);
                let kind = match values {
                    Some(values) => {
                        let members = values.iter().map(|value| build::named(&self.names.global(&value.text)));
                        TypeExprKind::Enum(members.collect())
                    }
                    None => {
                        let size = self.names.add(&format!("{}_NUM", name.text.to_ascii_uppercase()));
                        let constant = murphi_tree::Item::Constant(build::named(&size), build::number(2));
                        sections.constants.push((Vec::new(), vec![constant]));
                        TypeExprKind::Scalarset(Box::new(build::name(&size)))
                    }
                };
                let ty = murphi_tree::Item::Type(build::named(&own), build::type_of(kind));
                sections.types.push((lines, vec![ty]));
            }
            Item::Variable(variable) => {
                let declared = self.variable(variable);
                sections.variables.push((lines, vec![declared]));
            }
            Item::Init(claim) => {
                let (declared, start) = self.start(claim);
                sections.rules.push((Vec::new(), declared));
                sections.rules.push((lines, vec![start]));
            }
            Item::Invariant(_) => {
                let mut lines = lines;
                lines.push("A candidate in Cubicle's language, which is no claim:".to_owned());
                lines.extend(text[span.start as usize..span.end as usize].lines().map(|line| line.trim().to_owned()));
                sections.rules.push((lines, Vec::new()));
            }
            Item::Unsafe(claim) => {
                let property = self.property(text, claim, sections);
                sections.rules.push((lines, vec![property]));
            }
            Item::Transition(transition) => {
                let rule = self.transition(transition);
                sections.rules.push((lines, vec![murphi_tree::Item::Rule(rule)]));
            }
        }
    }

    fn variable(&mut self, variable: &Variable) -> murphi_tree::Item {
        match variable.ty.text.as_str() {
            "real" => self.refuse("real numbers", "use `int` if whole numbers suffice", variable.ty.span),
            "int" if variable.is_constant => {
                self.refuse("a number that is only known to be a constant", "write its value", variable.ty.span);
            }
            _ => {}
        }
        let own = self.names.global(&variable.name.text);
        let element = build::named_type(&self.value_type(&variable.ty.text));
        let ty = build::array_of(&self.proc, variable.dimensions.len(), element);
        murphi_tree::Item::Variables(vec![build::named(&own)], ty)
    }

    /// Declares the types of processes and numbers.
    fn processes_type(&mut self, items: &[(Item, Span)], sections: &mut Sections) {
        let parameters = items.iter().map(|(item, _)| match item {
            Item::Unsafe(claim) => claim.parameters.len(),
            Item::Transition(transition) => transition.parameters.len(),
            Item::Processes(_)
            | Item::Type { .. }
            | Item::Variable(_)
            | Item::Predicate(_)
            | Item::Init(_)
            | Item::Invariant(_) => 0,
        });
        let needed = i64::try_from(parameters.max().unwrap_or(0)).unwrap_or(2).clamp(2, 4);
        let mut walk = Walk::default();
        items.iter().for_each(|(item, _)| self.look(item, &mut walk));
        let size = self.names.add("PROC_NUM");
        let number = build::number(needed.max(walk.constant));
        sections.constants.push((Vec::new(), vec![murphi_tree::Item::Constant(build::named(&size), number)]));
        let kind = if self.is_ordered {
            TypeExprKind::Range(Box::new(build::number(1)), Box::new(build::name(&size)))
        } else {
            TypeExprKind::Scalarset(Box::new(build::name(&size)))
        };
        let ty = murphi_tree::Item::Type(build::named(&self.proc), build::type_of(kind));
        sections.types.push((Vec::new(), vec![ty]));
        sections.types.extend(self.outside_type().map(|own| (Vec::new(), vec![own])));
        if !self.numbers.is_empty() {
            self.numbers_type(&walk, sections);
        }
    }

    fn numbers_type(&mut self, walk: &Walk, sections: &mut Sections) {
        let (least, greatest) = (walk.numbers.iter().min(), walk.numbers.iter().max());
        let more = if walk.has_sums { 11 } else { 3 };
        let mut constant = |name: &str, number: i64| {
            let constant = murphi_tree::Item::Constant(build::named(name), signed(number));
            sections.constants.push((Vec::new(), vec![constant]));
        };
        constant(&self.greatest, greatest.map_or(0, |own| *own).max(0).saturating_add(more));
        let least = least.map_or(0, |own| *own).min(0).saturating_sub(1);
        let low = if walk.decreases {
            constant(&self.least, least);
            build::name(&self.least)
        } else {
            signed(least)
        };
        let range = TypeExprKind::Range(Box::new(low), Box::new(build::name(&self.greatest)));
        let ty = murphi_tree::Item::Type(build::named(&self.names.global("int")), build::type_of(range));
        sections.types.push((Vec::new(), vec![ty]));
    }

    /// Translates an `unsafe`, which gets the name that reports about the original use.
    fn property(&mut self, text: &str, claim: &Claim, sections: &Sections) -> murphi_tree::Item {
        let mut scope = Scope::default();
        let different = self.parameters(&mut scope, &claim.parameters);
        let bad = self.formula(&scope, &claim.formula);
        let condition =
            build::forall(&different.names, &self.proc, build::implies(different.conditions, build::not(bad)));
        let line = line_column(text, claim.span.start).0;
        let name = format!("unsafe at line {line}");
        let earlier = sections.rules.iter().flat_map(|(_, items)| items).filter(|item| {
            matches!(item, murphi_tree::Item::Rule(RuleItem::Property { name: Some(own), .. })
                if *own == name || own.starts_with(&format!("{name} (")))
        });
        let name = match earlier.count() {
            0 => name,
            before => format!("{name} ({})", before + 1),
        };
        murphi_tree::Item::Rule(RuleItem::Property {
            kind: PropertyKind::Invariant,
            name: Some(name),
            condition,
            span: Span::default(),
        })
    }

    /// Looks at the terms of an item.
    fn look(&self, item: &Item, walk: &mut Walk) {
        match item {
            Item::Processes(_) | Item::Type { .. } | Item::Variable(_) => {}
            Item::Predicate(predicate) => walk.formula(self, &predicate.body),
            Item::Init(claim) => {
                walk.in_init = true;
                walk.formula(self, &claim.formula);
                walk.in_init = false;
            }
            Item::Invariant(_) => {}
            Item::Unsafe(claim) => walk.formula(self, &claim.formula),
            Item::Transition(transition) => walk.transition(self, transition),
        }
    }
}

/// What a model uses.
#[derive(Default)]
struct Walk {
    in_init: bool,
    is_ordered: bool,
    has_outside: bool,
    /// The greatest process constant.
    constant: i64,
    numbers: Vec<i64>,
    has_sums: bool,
    decreases: bool,
}

impl Walk {
    fn transition(&mut self, of: &Translator<'_>, transition: &Transition) {
        use cubicle::syntax::tree::Assigned;
        transition.guard.iter().for_each(|guard| self.formula(of, guard));
        // What a `let` names may be assigned.
        transition.lets.iter().for_each(|(_, term)| self.assigned(term, true));
        for assignment in &transition.assignments {
            let is_number = of.type_of(&assignment.target.text) == "int";
            assignment.indices.iter().for_each(|index| self.name(&index.text));
            match &assignment.value {
                Assigned::Any => {}
                Assigned::Term(term) => self.assigned(term, is_number),
                Assigned::Case(cases) => {
                    for (condition, term) in cases {
                        condition.iter().for_each(|condition| self.formula(of, condition));
                        self.assigned(term, is_number);
                    }
                }
            }
        }
    }

    fn assigned(&mut self, term: &Term, is_number: bool) {
        self.term(term);
        if let (TermKind::Sum(summands), true) = (&term.kind, is_number) {
            self.has_sums = true;
            let is_number = |own: &Summand| own.factors.iter().all(|own| matches!(own.kind, TermKind::Number(_)));
            self.decreases |= summands.iter().any(|own| own.is_negative && is_number(own));
        }
    }

    fn formula(&mut self, of: &Translator<'_>, formula: &Formula) {
        match &formula.kind {
            FormulaKind::Constant(_) => {}
            FormulaKind::Compare(left, relation, right) => {
                let is_process = |term: &Term| match &term.kind {
                    TermKind::Name(name) => of.is_process(name) || of.type_of(name) == "proc",
                    TermKind::Access(array, _) => of.type_of(&array.text) == "proc",
                    TermKind::Number(_) | TermKind::Sum(_) => false,
                };
                // A parameter of a predicate may stand for a process, and then the other side does as well.
                self.is_ordered |= relation.is_order() && is_process(left) && is_process(right);
                self.has_outside |= self.in_init && *relation == Relation::Different && of.differs(left, right);
                self.term(left);
                self.term(right);
            }
            FormulaKind::Not(inner) | FormulaKind::Quantified(_, _, inner) => self.formula(of, inner),
            FormulaKind::And(parts) | FormulaKind::Or(parts) | FormulaKind::Call(_, parts) => {
                parts.iter().for_each(|part| self.formula(of, part));
            }
            FormulaKind::Implies(left, right) | FormulaKind::Equivalent(left, right) => {
                self.formula(of, left);
                self.formula(of, right);
            }
            FormulaKind::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.formula(of, part));
            }
            FormulaKind::Term(term) => self.term(term),
        }
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Name(name) => self.name(name),
            TermKind::Access(_, indices) => indices.iter().for_each(|index| self.name(&index.text)),
            TermKind::Number(text) => self.numbers.extend(text.parse::<i64>()),
            TermKind::Sum(summands) => {
                for summand in summands {
                    summand.factors.iter().for_each(|factor| self.term(factor));
                    if let ([Term { kind: TermKind::Number(text), .. }], true) =
                        (&summand.factors[..], summand.is_negative)
                    {
                        self.numbers.extend(text.parse::<i64>().map(i64::saturating_neg));
                    }
                }
            }
        }
    }

    fn name(&mut self, name: &str) {
        if let Some(number) = name.strip_prefix('#') {
            self.is_ordered = true;
            self.constant = self.constant.max(number.parse().unwrap_or(1));
        }
    }
}

impl Translator<'_> {
    /// Whether an inequality in `init` says that a variable is no process.
    fn differs(&self, left: &Term, right: &Term) -> bool {
        let is_variable = |term: &Term| matches!(&term.kind, TermKind::Name(name) if self.is_variable(name));
        let is_process =
            |term: &Term| matches!(&term.kind, TermKind::Name(name) if self.is_process(name) && !name.starts_with('#'));
        is_variable(left) && is_process(right) || is_variable(right) && is_process(left)
    }
}

/// Puts rules into a ruleset, unless it has no parameters.
fn in_ruleset(parameters: Vec<(String, String)>, mut rules: Vec<RuleItem>) -> RuleItem {
    let quantifiers: Vec<_> = parameters.into_iter().flat_map(|(name, ty)| build::over(&[name], &ty)).collect();
    match rules.pop() {
        Some(only) if quantifiers.is_empty() && rules.is_empty() => only,
        last => {
            rules.extend(last);
            RuleItem::Ruleset(quantifiers, rules, Span::default())
        }
    }
}

fn signed(number: i64) -> Expr {
    if number < 0 {
        let positive = Box::new(build::number(number.saturating_neg()));
        Expr::new(ExprKind::Unary(Unary::Minus, positive), Span::default())
    } else {
        build::number(number)
    }
}

/// Returns the lines of the comments in a text that has nothing else.
fn comments(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut comment: Option<String> = None;
    let (mut depth, mut rest) = (0_usize, text);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("(*") {
            depth += 1;
            2
        } else if rest.starts_with("*)") {
            depth = depth.saturating_sub(1);
            2
        } else {
            first.len_utf8()
        };
        let (piece, tail) = rest.split_at(length);
        rest = tail;
        match &mut comment {
            None if depth > 0 => comment = Some(String::new()),
            None => {}
            Some(_) if depth == 0 => {
                let own = comment.take().unwrap_or_default();
                let own: Vec<&str> = own.lines().map(str::trim).collect();
                let is_text = |line: &&str| !line.is_empty();
                let start = own.iter().position(is_text).unwrap_or(own.len());
                let end = own.iter().rposition(is_text).map_or(start, |last| last + 1);
                lines.extend(own[start..end].iter().map(|line| (*line).to_owned()));
            }
            Some(own) => own.push_str(piece),
        }
    }
    lines
}
