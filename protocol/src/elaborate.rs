//! From the syntax tree to the typed program: names, constants, types.
//!
//! In: a tree, and settings that override constants and sizes. Out: a typed program, or all errors. The rules of typing are
//! those of Murphi release 3.1 (Dill et al., annotated reference manual, section 4): ranges mix with one another; an
//! enumeration or scalarset only with itself and with unions that contain it; records and arrays only with their own type.

#![allow(clippy::wildcard_enum_match_arm, reason = "a type checker asks for one kind among many")]

mod declarations;
mod expressions;
mod recursion;
mod statements;

use std::collections::BTreeMap;

use crate::diagnostics::{Diagnostic, Severity};
use crate::program::{
    Around, Expression, ExpressionKind, FunctionId, Program, Property, Rule, Span, Startstate, Type, TypeId, TypeKind,
    VarId, VariableDeclaration, VariableKind,
};
use crate::syntax::tree::{Ast, Item, Name, RuleItem};

/// Settings of a reading of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Values for constants of the model; booleans are 0 and 1.
    pub constants: BTreeMap<String, i64>,
    /// Numbers of elements for named scalarsets and ranges.
    pub type_sizes: BTreeMap<String, u32>,
}

/// Gives names and types to a tree.
///
/// # Errors
/// All errors that were found; there is at least one with [`Severity::Error`].
pub fn elaborate(ast: &Ast, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let mut elaborator = Elaborator::new(options);
    elaborator.model(ast);
    elaborator.unused_settings();
    if elaborator.errors.iter().any(|error| error.severity == Severity::Error) {
        return Err(elaborator.errors);
    }
    let mut program = elaborator.program;
    program.lines.clone_from(&ast.lines);
    program.constant_uses.sort_by_key(|mention| mention.span);
    program.constant_uses.dedup();
    program.warnings = elaborator.errors;
    Ok(program)
}

/// The type `boolean`, always the first.
pub const BOOLEAN: TypeId = TypeId(0);
/// The type of plain numbers, always the second.
pub const INTEGER: TypeId = TypeId(1);

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum Entity {
    Integer(i64),
    Boolean(bool),
    Type(TypeId),
    Variable(VarId),
    Function(FunctionId),
    Member(TypeId),
}

struct Elaborator<'o> {
    options: &'o Options,
    program: Program,
    scopes: Vec<BTreeMap<String, (Entity, Span)>>,
    errors: Vec<Diagnostic>,
    /// Variables declared in the rule or function at hand.
    locals: Vec<VarId>,
    /// The result of the function at hand; `None` outside of functions and in procedures.
    result: Option<TypeId>,
    in_function: bool,
    used_constants: Vec<String>,
    used_sizes: Vec<String>,
}

impl<'o> Elaborator<'o> {
    fn new(options: &'o Options) -> Self {
        let mut elaborator = Self {
            options,
            program: Program::default(),
            scopes: vec![BTreeMap::new()],
            errors: Vec::new(),
            locals: Vec::new(),
            result: None,
            in_function: false,
            used_constants: Vec::new(),
            used_sizes: Vec::new(),
        };
        let boolean = elaborator.add_type(TypeKind::Boolean, Span::default());
        elaborator.add_type(TypeKind::Range(i64::MIN, i64::MAX), Span::default());
        elaborator.program.types[boolean.index()].name = Some("boolean".to_owned());
        elaborator
    }

    fn model(&mut self, ast: &Ast) {
        let mut functions = Vec::new();
        for item in &ast.items {
            match item {
                Item::Constant(..) | Item::Type(..) | Item::Variables(..) => self.declaration(item, true),
                Item::Function(function) => functions.push((self.signature(function), function)),
                Item::Rule(_) => {}
            }
        }
        for (id, function) in functions {
            self.function_body(id, function);
        }
        for item in &ast.items {
            if let Item::Rule(rule) = item {
                self.rule_item(rule, &[]);
            }
        }
        self.refuse_recursion();
    }

    fn unused_settings(&mut self) {
        let unused = self
            .options
            .constants
            .keys()
            .filter(|name| !self.used_constants.contains(name))
            .map(|name| format!("the model has no constant `{name}` that could be set"))
            .chain(
                self.options
                    .type_sizes
                    .keys()
                    .filter(|name| !self.used_sizes.contains(name))
                    .map(|name| format!("the model has no scalarset or range `{name}` that could be resized")),
            )
            .collect::<Vec<_>>();
        for message in unused {
            self.errors.push(Diagnostic::error("E001", Span::default(), message));
        }
    }

    fn rule_item(&mut self, item: &RuleItem, around: &[Around]) {
        match item {
            RuleItem::Ruleset(quantifiers, rules) => {
                self.scopes.push(BTreeMap::new());
                let mut around = around.to_vec();
                for quantifier in quantifiers {
                    if let Some(binder) = self.binder(quantifier) {
                        around.push(Around::Parameter(binder));
                    }
                }
                rules.iter().for_each(|rule| self.rule_item(rule, &around));
                self.scopes.pop();
            }
            RuleItem::Alias(aliases, rules) => {
                self.scopes.push(BTreeMap::new());
                let mut around = around.to_vec();
                for (name, place) in aliases {
                    if let Some(place) = self.expression(place) {
                        let variable = self.declare(name, place.ty, VariableKind::Alias);
                        around.push(Around::Alias(variable, place));
                    }
                }
                rules.iter().for_each(|rule| self.rule_item(rule, &around));
                self.scopes.pop();
            }
            RuleItem::Choose(name, place, rules) => {
                self.scopes.push(BTreeMap::new());
                let mut around = around.to_vec();
                if let Some((variable, place)) = self.multiset_position(name, place) {
                    around.push(Around::Choose(variable, place));
                }
                rules.iter().for_each(|rule| self.rule_item(rule, &around));
                self.scopes.pop();
            }
            RuleItem::Rule { .. } | RuleItem::Startstate { .. } | RuleItem::Property { .. } => {
                self.scopes.push(BTreeMap::new());
                self.locals.clear();
                self.single_rule(item, around);
                self.scopes.pop();
            }
        }
    }

    fn single_rule(&mut self, item: &RuleItem, around: &[Around]) {
        let around = around.to_vec();
        match item {
            RuleItem::Rule { name, guard, declarations, body, span, priority } => {
                let priority = priority.as_ref().and_then(|priority| self.integer(priority)).unwrap_or(0);
                let guard = match guard {
                    Some(guard) => self.condition(guard),
                    None => Some(Expression { kind: ExpressionKind::Boolean(true), ty: BOOLEAN, span: *span }),
                };
                declarations.iter().for_each(|declaration| self.declaration(declaration, false));
                let body = self.statements(body);
                let locals = std::mem::take(&mut self.locals);
                if let Some(guard) = guard {
                    let rule = Rule { name: name.clone(), around, guard, priority, locals, body, span: *span };
                    self.program.rules.push(rule);
                }
            }
            RuleItem::Startstate { name, declarations, body, span } => {
                declarations.iter().for_each(|declaration| self.declaration(declaration, false));
                let body = self.statements(body);
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

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(code, span, message));
    }

    fn add_type(&mut self, kind: TypeKind, span: Span) -> TypeId {
        self.program.types.push(Type { kind, name: None, span });
        TypeId(u32::try_from(self.program.types.len() - 1).unwrap_or(u32::MAX))
    }

    fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.program.types[ty.index()].kind
    }

    /// Declares a variable in the innermost scope.
    fn declare(&mut self, name: &Name, ty: TypeId, kind: VariableKind) -> VarId {
        let id = VarId(u32::try_from(self.program.variables.len()).unwrap_or(u32::MAX));
        self.program.variables.push(VariableDeclaration { name: name.text.clone(), ty, kind, span: name.span });
        self.bind(name, Entity::Variable(id));
        id
    }

    fn bind(&mut self, name: &Name, entity: Entity) {
        let Some(scope) = self.scopes.last_mut() else { return };
        if let Some((_, first)) = scope.get(&name.text) {
            let diagnostic =
                Diagnostic::error("E002", name.span, format!("`{}` is declared twice in this scope", name.text))
                    .with_label(*first, "the first declaration");
            self.errors.push(diagnostic);
            return;
        }
        scope.insert(name.text.clone(), (entity, name.span));
    }

    fn lookup(&self, name: &str) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).map(|(entity, _)| *entity)
    }

    /// How a type is called in messages.
    fn type_name(&self, ty: TypeId) -> String {
        let entry = &self.program.types[ty.index()];
        match (&entry.name, &entry.kind) {
            (Some(name), _) => format!("`{name}`"),
            (None, TypeKind::Range(i64::MIN, i64::MAX)) => "a number".to_owned(),
            (None, TypeKind::Range(first, last)) => format!("the range {first}..{last}"),
            (None, TypeKind::Boolean) => "`boolean`".to_owned(),
            (None, TypeKind::Enum(_)) => "an enumeration".to_owned(),
            (None, TypeKind::Scalarset(_)) => "a scalarset".to_owned(),
            (None, TypeKind::Union(_)) => "a union".to_owned(),
            (None, TypeKind::Record(_)) => "a record".to_owned(),
            (None, TypeKind::Array { .. }) => "an array".to_owned(),
            (None, TypeKind::Multiset { .. }) => "a multiset".to_owned(),
        }
    }

    /// Whether values of the types can be compared and assigned.
    fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Range(..), TypeKind::Range(..)) | (TypeKind::Boolean, TypeKind::Boolean) => true,
            (TypeKind::Enum(x), TypeKind::Enum(y)) => x == y,
            (TypeKind::Union(members), _) => members.iter().any(|member| self.compatible(*member, b)),
            (_, TypeKind::Union(members)) => members.iter().any(|member| self.compatible(a, *member)),
            (TypeKind::Array { index: i, element: e }, TypeKind::Array { index: j, element: f }) => {
                self.compatible(*i, *j) && self.compatible(*e, *f)
            }
            (TypeKind::Record(x), TypeKind::Record(y)) => {
                x.len() == y.len() && x.iter().zip(y).all(|((m, s), (n, t))| m == n && self.compatible(*s, *t))
            }
            _ => false,
        }
    }
}
