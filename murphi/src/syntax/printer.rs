//! Prints a tree as text that parses to the same tree, apart from places.
//!
//! Operands that are themselves operators are put in parentheses; comments are not preserved.

use std::fmt::Write;

use super::tree::{
    Ast, Domain, Expr, ExprKind, Function, Item, Name, Quantifier, RuleItem, Stmt, StmtKind, TypeExpr, TypeExprKind,
};
use crate::program::{Binary, PropertyKind, Unary};

/// Returns the text of a model.
#[must_use]
pub fn print(ast: &Ast) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    printer.items(&ast.items);
    printer.out
}

struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn indented(&mut self, part: impl FnOnce(&mut Self)) {
        self.indent += 1;
        part(self);
        self.indent -= 1;
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Constant(name, value) => self.line(&format!("const {} : {};", name.text, expr(value))),
                Item::Type(name, ty) => self.line(&format!("type {} : {};", name.text, type_expr(ty))),
                Item::Variables(names, ty) => self.line(&format!("var {} : {};", list(names), type_expr(ty))),
                Item::Function(function) => self.function(function),
                Item::Rule(rule) => self.rule(rule),
            }
        }
    }

    fn function(&mut self, function: &Function) {
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|parameter| {
                let reference = if parameter.reference { "var " } else { "" };
                format!("{reference}{} : {}", list(&parameter.names), type_expr(&parameter.ty))
            })
            .collect();
        let name = &function.name.text;
        let parameters = parameters.join("; ");
        match &function.result {
            Some(result) => self.line(&format!("function {name}({parameters}) : {};", type_expr(result))),
            None => self.line(&format!("procedure {name}({parameters});")),
        }
        self.block(&function.declarations, &function.body);
        self.line("end;");
    }

    fn block(&mut self, declarations: &[Item], body: &[Stmt]) {
        self.items(declarations);
        self.line("begin");
        self.indented(|printer| printer.statements(body));
    }

    fn rule(&mut self, item: &RuleItem) {
        match item {
            RuleItem::Rule { name, priority, guard, declarations, body, .. } => {
                let priority = priority.as_ref().map_or(String::new(), |p| format!(" {}", expr(p)));
                self.line(&format!("rule{priority}{}", quoted(name.as_ref())));
                if let Some(guard) = guard {
                    // The parentheses keep a sign from being read as an operator after the priority.
                    self.line(&format!("  ({})", expr(guard)));
                    self.line("==>");
                }
                self.block(declarations, body);
                self.line("end;");
            }
            RuleItem::Startstate { name, declarations, body, .. } => {
                self.line(&format!("startstate{}", quoted(name.as_ref())));
                self.block(declarations, body);
                self.line("end;");
            }
            RuleItem::Property { kind, name, condition, .. } => {
                let keyword = property_word(*kind);
                self.line(&format!("{keyword}{} {};", quoted(name.as_ref()), expr(condition)));
            }
            RuleItem::Ruleset(quantifiers, rules, _) => {
                self.line(&format!("ruleset {} do", quantifier_list(quantifiers)));
                self.rules(rules);
            }
            RuleItem::Alias(aliases, rules) => {
                self.line(&format!("alias {} do", alias_list(aliases)));
                self.rules(rules);
            }
            RuleItem::Choose(name, place, rules) => {
                self.line(&format!("choose {} : {} do", name.text, expr(place)));
                self.rules(rules);
            }
        }
    }

    fn rules(&mut self, rules: &[RuleItem]) {
        self.indented(|printer| rules.iter().for_each(|rule| printer.rule(rule)));
        self.line("end;");
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn body(&mut self, statements: &[Stmt]) {
        self.indented(|printer| printer.statements(statements));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign(place, value) => self.line(&format!("{} := {};", expr(place), expr(value))),
            StmtKind::If(branches, otherwise) => {
                for (number, (condition, body)) in branches.iter().enumerate() {
                    let keyword = if number == 0 { "if" } else { "elsif" };
                    self.line(&format!("{keyword} {} then", expr(condition)));
                    self.body(body);
                }
                self.otherwise(otherwise);
            }
            StmtKind::Switch(value, cases, otherwise) => {
                self.line(&format!("switch {}", expr(value)));
                for (labels, body) in cases {
                    self.line(&format!("case {}:", exprs(labels)));
                    self.body(body);
                }
                self.otherwise(otherwise);
            }
            StmtKind::For(quantifiers, body) => self.group(&format!("for {} do", quantifier_list(quantifiers)), body),
            StmtKind::While(condition, body) => self.group(&format!("while {} do", expr(condition)), body),
            StmtKind::Alias(aliases, body) => self.group(&format!("alias {} do", alias_list(aliases)), body),
            StmtKind::Call(name, arguments) => self.line(&format!("{}({});", name.text, exprs(arguments))),
            StmtKind::Clear(place) => self.line(&format!("clear {};", expr(place))),
            StmtKind::Undefine(place) => self.line(&format!("undefine {};", expr(place))),
            StmtKind::Assert(condition, text) => {
                self.line(&format!("assert {}{};", expr(condition), quoted(text.as_ref())));
            }
            StmtKind::Property(kind, condition, text) => {
                self.line(&format!("{}{} ({});", property_word(*kind), quoted(text.as_ref()), expr(condition)));
            }
            StmtKind::Error(text) => self.line(&format!("error \"{text}\";")),
            StmtKind::PutText(text) => self.line(&format!("put \"{text}\";")),
            StmtKind::Put(value) => self.line(&format!("put {};", expr(value))),
            StmtKind::Return(None) => self.line("return;"),
            StmtKind::Return(Some(value)) => self.line(&format!("return {};", expr(value))),
            StmtKind::MultisetAdd(value, place) => {
                self.line(&format!("multisetadd({}, {});", expr(value), expr(place)));
            }
            StmtKind::MultisetRemove(position, place) => {
                self.line(&format!("multisetremove({}, {});", expr(position), expr(place)));
            }
            StmtKind::MultisetRemoveIf(name, place, condition) => {
                self.line(&format!("multisetremovepred({} : {}, {});", name.text, expr(place), expr(condition)));
            }
        }
    }

    fn otherwise(&mut self, otherwise: &[Stmt]) {
        if !otherwise.is_empty() {
            self.line("else");
            self.body(otherwise);
        }
        self.line("end;");
    }

    fn group(&mut self, head: &str, body: &[Stmt]) {
        self.line(head);
        self.body(body);
        self.line("end;");
    }
}

fn property_word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assume => "assume",
        PropertyKind::Cover => "cover",
        PropertyKind::Liveness => "liveness",
    }
}

fn quoted(name: Option<&String>) -> String {
    name.map_or(String::new(), |name| format!(" \"{name}\""))
}

fn list(names: &[Name]) -> String {
    names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn alias_list(aliases: &[(Name, Expr)]) -> String {
    aliases.iter().map(|(name, place)| format!("{} : {}", name.text, expr(place))).collect::<Vec<_>>().join("; ")
}

fn quantifier_list(quantifiers: &[Quantifier]) -> String {
    quantifiers.iter().map(quantifier).collect::<Vec<_>>().join("; ")
}

fn quantifier(quantifier: &Quantifier) -> String {
    let name = &quantifier.name.text;
    match &quantifier.over {
        Domain::Type(ty) => format!("{name} : {}", type_expr(ty)),
        Domain::Numbers(from, to, None) => format!("{name} := {} to {}", expr(from), expr(to)),
        Domain::Numbers(from, to, Some(by)) => format!("{name} := {} to {} by {}", expr(from), expr(to), expr(by)),
    }
}

fn type_expr(ty: &TypeExpr) -> String {
    match &ty.kind {
        TypeExprKind::Name(name) => name.clone(),
        TypeExprKind::Enum(members) => format!("enum {{ {} }}", list(members)),
        TypeExprKind::Range(first, last) => format!("{} .. {}", operand(first), operand(last)),
        TypeExprKind::Scalarset(size) => format!("scalarset({})", expr(size)),
        TypeExprKind::Union(members) => {
            format!("union {{ {} }}", members.iter().map(type_expr).collect::<Vec<_>>().join(", "))
        }
        TypeExprKind::Record(fields) => {
            let mut text = String::from("record ");
            for (names, ty) in fields {
                let _ = write!(text, "{} : {}; ", list(names), type_expr(ty));
            }
            text + "end"
        }
        TypeExprKind::Array(index, element) => format!("array [{}] of {}", type_expr(index), type_expr(element)),
        TypeExprKind::Multiset(size, element) => format!("multiset [{}] of {}", expr(size), type_expr(element)),
    }
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn expr(expression: &Expr) -> String {
    match &expression.kind {
        ExprKind::Integer(number) => number.to_string(),
        ExprKind::Undefined => "undefined".to_owned(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Field(place, field) => format!("{}.{}", operand(place), field.text),
        ExprKind::Element(place, index) => format!("{}[{}]", operand(place), expr(index)),
        ExprKind::Call(name, arguments) => format!("{}({})", name.text, exprs(arguments)),
        ExprKind::Unary(Unary::Not, inner) => format!("!{}", operand(inner)),
        ExprKind::Unary(Unary::Minus, inner) => format!("-{}", operand(inner)),
        ExprKind::Plus(inner) => format!("+{}", operand(inner)),
        ExprKind::Complement(inner) => format!("~{}", operand(inner)),
        ExprKind::Binary(operator, left, right) => {
            format!("{} {} {}", operand(left), binary(*operator), operand(right))
        }
        ExprKind::Chain(operator, operands) => {
            operands.iter().map(operand).collect::<Vec<_>>().join(&format!(" {} ", binary(*operator)))
        }
        ExprKind::Conditional(condition, yes, no) => {
            format!("{} ? {} : {}", operand(condition), operand(yes), operand(no))
        }
        ExprKind::Forall(quantifiers, body) => format!("forall {} do {} end", quantifier_list(quantifiers), expr(body)),
        ExprKind::Exists(quantifiers, body) => format!("exists {} do {} end", quantifier_list(quantifiers), expr(body)),
        ExprKind::IsUndefined(place) => format!("isundefined({})", expr(place)),
        ExprKind::IsMember(value, ty) => format!("ismember({}, {})", expr(value), type_expr(ty)),
        ExprKind::MultisetCount(name, place, condition) => {
            format!("multisetcount({} : {}, {})", name.text, expr(place), expr(condition))
        }
    }
}

/// Prints an expression as an operand: in parentheses if it is an operator.
fn operand(expression: &Expr) -> String {
    let text = expr(expression);
    match expression.kind {
        ExprKind::Unary(..)
        | ExprKind::Plus(_)
        | ExprKind::Complement(_)
        | ExprKind::Binary(..)
        | ExprKind::Chain(..)
        | ExprKind::Conditional(..) => format!("({text})"),
        ExprKind::Integer(_)
        | ExprKind::Undefined
        | ExprKind::Name(_)
        | ExprKind::Field(..)
        | ExprKind::Element(..)
        | ExprKind::Call(..)
        | ExprKind::Forall(..)
        | ExprKind::Exists(..)
        | ExprKind::IsUndefined(_)
        | ExprKind::IsMember(..)
        | ExprKind::MultisetCount(..) => text,
    }
}

fn binary(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Implies => "->",
        Binary::Equal => "=",
        Binary::Unequal => "!=",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Modulo => "%",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
    }
}
