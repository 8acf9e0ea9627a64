//! The names of a Murphi model, from its syntax tree. A text with errors has the names of the parts that could be read.

use std::collections::BTreeMap;

use murphi::program::PropertyKind;
use murphi::syntax::tree::{
    Domain, Expr, ExprKind, Function, Item, Name, Parameter, Quantifier, RuleItem, Stmt, StmtKind, TypeExpr,
    TypeExprKind,
};
use system::front_end::Span;

use crate::names::{Entry, Kind, Names, Symbol, one_line};

/// Finds the names of a text.
pub(crate) fn names(text: &str) -> Names {
    let (tree, _) = murphi::parse(text);
    let mut walker = Walker {
        text,
        names: Names::default(),
        types: Vec::new(),
        scopes: vec![BTreeMap::new()],
        is_local: false,
        end: 0,
    };
    walker.items(&tree.items);
    walker.find_members();
    walker.names
}

struct Walker<'t> {
    text: &'t str,
    names: Names,
    /// What is known of each symbol's type.
    types: Vec<Option<&'t TypeExpr>>,
    scopes: Vec<BTreeMap<String, usize>>,
    /// Whether declarations are those of a rule or a function.
    is_local: bool,
    /// The end of what was walked through so far.
    end: u32,
}

/// The tree lives as long as the walk, which is shorter than the text does.
impl<'t> Walker<'t> {
    fn items(&mut self, items: &'t [Item]) {
        for item in items {
            match item {
                Item::Constant(name, value) => {
                    self.expression(value);
                    let declaration = format!("const {} : {}", name.text, self.slice(value.span));
                    self.global(name, Kind::Constant, declaration, None, value.span);
                }
                Item::Type(name, ty) => {
                    self.ty(ty);
                    let declaration = format!("type {} : {}", name.text, self.slice(ty.span));
                    self.global(name, Kind::Type, declaration, Some(ty), ty.span);
                }
                Item::Variables(names, ty) => {
                    self.ty(ty);
                    for name in names {
                        let declaration = format!("var {} : {}", name.text, self.slice(ty.span));
                        self.global(name, Kind::Variable, declaration, Some(ty), ty.span);
                    }
                }
                Item::Function(function) => self.function(function),
                Item::Rule(rule) => self.rule(rule),
            }
        }
    }

    fn slice(&self, span: Span) -> String {
        one_line(&self.text[span.within(self.text)])
    }

    /// Declares a name that is in the outline, unless it is one of a rule or function.
    fn global(&mut self, name: &Name, kind: Kind, declaration: String, ty: Option<&'t TypeExpr>, end: Span) {
        if !self.is_local {
            let entry = Entry { name: name.text.clone(), kind, place: name.span, whole: name.span.to(end) };
            self.names.outline.push(entry);
        }
        self.declare(name, kind, declaration, ty);
    }

    fn declare(&mut self, name: &Name, kind: Kind, declaration: String, ty: Option<&'t TypeExpr>) {
        self.walked(name.span);
        let number = self.names.declare(Symbol { name: name.text.clone(), kind, place: name.span, declaration });
        self.types.push(ty);
        if kind != Kind::Field
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.insert(name.text.clone(), number);
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    fn mention(&mut self, name: &str, span: Span) {
        if let Some(symbol) = self.find(name) {
            self.names.used(span, symbol);
        }
    }

    fn within(&mut self, walk: impl FnOnce(&mut Self)) {
        let was_local = std::mem::replace(&mut self.is_local, true);
        self.scopes.push(BTreeMap::new());
        walk(self);
        for number in self.scopes.pop().unwrap_or_default().into_values() {
            let start = self.names.symbols[number].place.start;
            self.names.locals.insert(number, Span { start, end: self.end });
        }
        self.is_local = was_local;
    }

    fn walked(&mut self, span: Span) {
        self.end = self.end.max(span.end);
    }

    /// Finds the fields of records and the values of enumerations that are types of symbols.
    fn find_members(&mut self) {
        for number in 0..self.types.len() {
            let members = self.types[number].map(|ty| self.members(ty)).unwrap_or_default();
            let members: Vec<usize> =
                members.iter().filter_map(|name| Some(self.names.at(name.span.start)?.1)).collect();
            if !members.is_empty() {
                self.names.members.insert(number, members);
            }
        }
    }

    /// The names that a type declares, or that the elements of an array have.
    fn members(&self, ty: &'t TypeExpr) -> Vec<&'t Name> {
        let mut ty = ty;
        for _ in 0..=self.types.len() {
            let Some(named) = self.named(ty) else { return Vec::new() };
            match &named.kind {
                TypeExprKind::Array(_, element) | TypeExprKind::Multiset(_, element) => ty = element,
                TypeExprKind::Record(fields) => return fields.iter().flat_map(|(names, _)| names).collect(),
                TypeExprKind::Enum(names) => return names.iter().collect(),
                TypeExprKind::Name(_)
                | TypeExprKind::Range(..)
                | TypeExprKind::Scalarset(_)
                | TypeExprKind::Union(_) => {
                    return Vec::new();
                }
            }
        }
        Vec::new()
    }

    fn ty(&mut self, ty: &'t TypeExpr) {
        self.walked(ty.span);
        match &ty.kind {
            TypeExprKind::Name(name) => self.mention(name, ty.span),
            TypeExprKind::Enum(names) => {
                let declaration = self.slice(ty.span);
                for name in names {
                    self.declare(name, Kind::Value, format!("{} of {declaration}", name.text), None);
                }
            }
            TypeExprKind::Range(first, last) => {
                self.expression(first);
                self.expression(last);
            }
            TypeExprKind::Scalarset(size) => self.expression(size),
            TypeExprKind::Union(parts) => parts.iter().for_each(|part| self.ty(part)),
            TypeExprKind::Record(fields) => {
                for (names, field) in fields {
                    self.ty(field);
                    for name in names {
                        let declaration = format!("{} : {}", name.text, self.slice(field.span));
                        self.declare(name, Kind::Field, declaration, Some(field));
                    }
                }
            }
            TypeExprKind::Array(index, element) => {
                self.ty(index);
                self.ty(element);
            }
            TypeExprKind::Multiset(size, element) => {
                self.expression(size);
                self.ty(element);
            }
        }
    }

    fn function(&mut self, function: &'t Function) {
        let Function { name, parameters, result, declarations, body } = function;
        let kind = if result.is_some() { "function" } else { "procedure" };
        let parameter = |own: &Parameter| {
            let names: Vec<&str> = own.names.iter().map(|name| name.text.as_str()).collect();
            let by = if own.reference { "var " } else { "" };
            format!("{by}{} : {}", names.join(", "), self.slice(own.ty.span))
        };
        let list: Vec<String> = parameters.iter().map(parameter).collect();
        let result_text = result.as_ref().map(|ty| format!(" : {}", self.slice(ty.span))).unwrap_or_default();
        let declaration = format!("{kind} {}({}){result_text}", name.text, list.join("; "));
        let end = body.last().map_or(name.span, |last| last.span);
        self.global(name, Kind::Function, declaration, result.as_ref(), end);
        self.within(|walker| {
            for own in parameters {
                walker.ty(&own.ty);
                for name in &own.names {
                    walker.local(name, &own.ty);
                }
            }
            result.iter().for_each(|ty| walker.ty(ty));
            walker.items(declarations);
            walker.statements(body);
        });
    }

    fn local(&mut self, name: &Name, ty: &'t TypeExpr) {
        let declaration = format!("{} : {}", name.text, self.slice(ty.span));
        self.declare(name, Kind::Local, declaration, Some(ty));
    }

    fn rule(&mut self, item: &'t RuleItem) {
        match item {
            RuleItem::Rule { name, priority, guard, declarations, body, span } => {
                self.entry(name.as_deref().unwrap_or("rule"), Kind::Rule, *span);
                self.within(|walker| {
                    priority.iter().chain(guard).for_each(|part| walker.expression(part));
                    walker.items(declarations);
                    walker.statements(body);
                });
            }
            RuleItem::Startstate { name, declarations, body, span } => {
                self.entry(name.as_deref().unwrap_or("startstate"), Kind::Startstate, *span);
                self.within(|walker| {
                    walker.items(declarations);
                    walker.statements(body);
                });
            }
            RuleItem::Property { kind, name, condition, span } => {
                let word = match kind {
                    PropertyKind::Invariant => "invariant",
                    PropertyKind::Assume => "assume",
                    PropertyKind::Cover => "cover",
                    PropertyKind::Liveness => "liveness",
                };
                self.entry(name.as_deref().unwrap_or(word), Kind::Property, *span);
                self.within(|walker| walker.expression(condition));
            }
            RuleItem::Ruleset(quantifiers, rules, span) => {
                self.names.folds.push((*span, true));
                self.within(|walker| {
                    walker.quantifiers(quantifiers);
                    rules.iter().for_each(|rule| walker.rule(rule));
                });
            }
            RuleItem::Alias(aliases, rules) => {
                self.within(|walker| {
                    walker.aliases(aliases);
                    rules.iter().for_each(|rule| walker.rule(rule));
                });
            }
            RuleItem::Choose(name, set, rules) => {
                self.within(|walker| {
                    walker.expression(set);
                    walker.position(name, set);
                    rules.iter().for_each(|rule| walker.rule(rule));
                });
            }
        }
    }

    fn entry(&mut self, name: &str, kind: Kind, whole: Span) {
        let text = &self.text[whole.within(self.text)];
        let line = text.lines().next().unwrap_or_default().trim_end().len();
        let end = whole.start.saturating_add(u32::try_from(line).unwrap_or(0)).min(whole.end);
        let place = Span { start: whole.start, end };
        self.names.outline.push(Entry { name: name.to_owned(), kind, place, whole });
    }

    fn quantifiers(&mut self, quantifiers: &'t [Quantifier]) {
        for Quantifier { name, over } in quantifiers {
            match over {
                Domain::Type(ty) => {
                    self.ty(ty);
                    self.local(name, ty);
                }
                Domain::Numbers(from, to, by) => {
                    [Some(from), Some(to), by.as_ref()].into_iter().flatten().for_each(|part| self.expression(part));
                    let declaration = format!("{} := {} to {}", name.text, self.slice(from.span), self.slice(to.span));
                    self.declare(name, Kind::Local, declaration, None);
                }
            }
        }
    }

    fn aliases(&mut self, aliases: &'t [(Name, Expr)]) {
        for (name, value) in aliases {
            self.expression(value);
            let declaration = format!("alias {} : {}", name.text, self.slice(value.span));
            self.declare(name, Kind::Local, declaration, self.type_of(value));
        }
    }

    /// A variable that ranges over the positions of a multiset.
    fn position(&mut self, name: &Name, set: &'t Expr) {
        let declaration = format!("{} : {}", name.text, self.slice(set.span));
        self.declare(name, Kind::Local, declaration, None);
    }

    fn statements(&mut self, statements: &'t [Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'t Stmt) {
        self.walked(statement.span);
        self.fold_statement(statement);
        match &statement.kind {
            StmtKind::Assign(a, b) | StmtKind::MultisetAdd(a, b) | StmtKind::MultisetRemove(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            StmtKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    self.expression(condition);
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StmtKind::Switch(value, cases, otherwise) => {
                self.expression(value);
                for (values, body) in cases {
                    values.iter().for_each(|value| self.expression(value));
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StmtKind::For(quantifiers, body) => self.within(|walker| {
                walker.quantifiers(quantifiers);
                walker.statements(body);
            }),
            StmtKind::While(condition, body) => {
                self.expression(condition);
                self.statements(body);
            }
            StmtKind::Alias(aliases, body) => self.within(|walker| {
                walker.aliases(aliases);
                walker.statements(body);
            }),
            StmtKind::Call(name, arguments) => {
                self.mention(&name.text, name.span);
                arguments.iter().for_each(|argument| self.expression(argument));
            }
            StmtKind::Clear(a)
            | StmtKind::Undefine(a)
            | StmtKind::Assert(a, _)
            | StmtKind::Property(_, a, _)
            | StmtKind::Put(a)
            | StmtKind::Return(Some(a)) => self.expression(a),
            StmtKind::Error(_) | StmtKind::PutText(_) | StmtKind::Return(None) => {}
            StmtKind::MultisetRemoveIf(name, set, condition) => self.counted(name, set, condition),
        }
    }

    /// Statements with parts can be folded; their last line has their `end`.
    fn fold_statement(&mut self, statement: &Stmt) {
        match statement.kind {
            StmtKind::If(..) | StmtKind::Switch(..) | StmtKind::For(..) | StmtKind::While(..) | StmtKind::Alias(..) => {
                self.names.folds.push((statement.span, true))
            }
            StmtKind::Assign(..)
            | StmtKind::MultisetAdd(..)
            | StmtKind::MultisetRemove(..)
            | StmtKind::MultisetRemoveIf(..)
            | StmtKind::Call(..)
            | StmtKind::Clear(_)
            | StmtKind::Undefine(_)
            | StmtKind::Assert(..)
            | StmtKind::Property(..)
            | StmtKind::Put(_)
            | StmtKind::PutText(_)
            | StmtKind::Error(_)
            | StmtKind::Return(_) => {}
        }
    }

    fn counted(&mut self, name: &Name, set: &'t Expr, condition: &'t Expr) {
        self.expression(set);
        self.within(|walker| {
            walker.position(name, set);
            walker.expression(condition);
        });
    }

    fn expression(&mut self, expression: &'t Expr) {
        self.walked(expression.span);
        match &expression.kind {
            ExprKind::Integer(_) | ExprKind::Undefined => {}
            ExprKind::Name(name) => self.mention(name, expression.span),
            ExprKind::Field(record, field) => {
                self.expression(record);
                if let Some(symbol) = self.field(record, &field.text).and_then(|(name, _)| self.names.at(name.start)) {
                    self.names.used(field.span, symbol.1);
                }
            }
            ExprKind::Call(name, arguments) => {
                self.mention(&name.text, name.span);
                arguments.iter().for_each(|argument| self.expression(argument));
            }
            ExprKind::Unary(_, a) | ExprKind::Plus(a) | ExprKind::Complement(a) | ExprKind::IsUndefined(a) => {
                self.expression(a);
            }
            ExprKind::Element(a, b) | ExprKind::Binary(_, a, b) => {
                self.expression(a);
                self.expression(b);
            }
            ExprKind::Chain(_, parts) => parts.iter().for_each(|part| self.expression(part)),
            ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| self.expression(part)),
            ExprKind::Forall(quantifiers, body) | ExprKind::Exists(quantifiers, body) => self.within(|walker| {
                walker.quantifiers(quantifiers);
                walker.expression(body);
            }),
            ExprKind::IsMember(value, ty) => {
                self.expression(value);
                self.ty(ty);
            }
            ExprKind::MultisetCount(name, set, condition) => self.counted(name, set, condition),
        }
    }

    /// The type of a place, where the declarations tell it.
    fn type_of(&self, place: &Expr) -> Option<&'t TypeExpr> {
        match &place.kind {
            ExprKind::Name(name) | ExprKind::Call(Name { text: name, .. }, _) => self.types[self.find(name)?],
            ExprKind::Field(record, field) => self.field(record, &field.text).map(|(_, ty)| ty),
            ExprKind::Element(whole, _) => match &self.named(self.type_of(whole)?)?.kind {
                TypeExprKind::Array(_, element) | TypeExprKind::Multiset(_, element) => Some(element),
                TypeExprKind::Name(_)
                | TypeExprKind::Enum(_)
                | TypeExprKind::Range(_, _)
                | TypeExprKind::Scalarset(_)
                | TypeExprKind::Union(_)
                | TypeExprKind::Record(_) => None,
            },
            ExprKind::Integer(_)
            | ExprKind::Undefined
            | ExprKind::Unary(_, _)
            | ExprKind::Plus(_)
            | ExprKind::Complement(_)
            | ExprKind::Binary(_, _, _)
            | ExprKind::Chain(_, _)
            | ExprKind::Conditional(_, _, _)
            | ExprKind::Forall(_, _)
            | ExprKind::Exists(_, _)
            | ExprKind::IsUndefined(_)
            | ExprKind::IsMember(_, _)
            | ExprKind::MultisetCount(_, _, _) => None,
        }
    }

    /// The type that a name stands for. A text with errors may have types that stand for themselves.
    fn named(&self, ty: &'t TypeExpr) -> Option<&'t TypeExpr> {
        let mut ty = ty;
        for _ in 0..self.types.len() {
            let TypeExprKind::Name(name) = &ty.kind else { return Some(ty) };
            ty = self.types[self.find(name)?]?;
        }
        (!matches!(ty.kind, TypeExprKind::Name(_))).then_some(ty)
    }

    /// The declaration of a field: the place of its name, and its type.
    fn field(&self, record: &Expr, field: &str) -> Option<(Span, &'t TypeExpr)> {
        let TypeExprKind::Record(fields) = &self.named(self.type_of(record)?)?.kind else { return None };
        fields.iter().find_map(|(names, ty)| {
            let name = names.iter().find(|name| name.text == field)?;
            Some((name.span, ty))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the name at the first occurrence of this text is declared, and all its places, as line numbers.
    fn lines(text: &str, at: &str) -> Vec<usize> {
        let names = names(text);
        let offset = u32::try_from(text.find(at).unwrap()).unwrap();
        let (_, symbol) = names.at(offset).unwrap();
        names.places(symbol).map(|place| text[..=place.start as usize].lines().count()).collect()
    }

    const TEXT: &str = "type NODE : scalarset(2);
  CELL : record state : enum { I, V }; next : NODE; end;
  OTHER : record state : boolean; end;
var cells : array [NODE] of CELL; other : OTHER; n : NODE;
function free(n : NODE) : boolean; begin return cells[n].state = I; end;
ruleset n : NODE do alias c : cells[n] do
rule \"go\" free(n) & other.state ==> c.state := V; end;
end; end;
startstate for i : NODE do cells[i].state := I; end; other.state := true; undefine n; end;
";

    #[test]
    fn names_are_found_in_their_scopes() {
        assert_eq!(lines(TEXT, "n : NODE;"), [4, 9]);
        assert_eq!(lines(TEXT, "n : NODE)"), [5, 5]);
        assert_eq!(lines(TEXT, "n : NODE do"), [6, 6, 7]);
        assert_eq!(lines(TEXT, "c : cells"), [6, 7]);
        assert_eq!(lines(TEXT, "NODE"), [1, 2, 4, 4, 5, 6, 9]);
        assert_eq!(lines(TEXT, "free"), [5, 7]);
    }

    #[test]
    fn a_text_with_errors_has_the_names_that_can_be_read() {
        assert_eq!(lines("var x : boolean; y : := 3;\nrule x ==> x := true; end;", "x"), [1, 2, 2]);
        for text in ["type T : T; var x : T; rule x.f.g ==> x[1].f := 2; end;", "\u{e9}", "function", "rule \"\u{e9}"] {
            names(text);
        }
    }

    #[test]
    fn fields_are_those_of_their_records() {
        assert_eq!(lines(TEXT, "state : enum"), [2, 5, 7, 9]);
        assert_eq!(lines(TEXT, "state : boolean"), [3, 7, 9]);
    }
}
