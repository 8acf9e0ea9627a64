//! Type checking: turns the syntax tree into the typed program.
//!
//! Names, constants and types are resolved, and settings may override constants and sizes. The result is a typed
//! program with warnings, or all errors. The typing rules are those of Murphi release 3.1 (Dill et al., annotated
//! reference manual, section 4) as CMurphi 5.4.9 applies them. Global declarations may come in any order: what a
//! declaration needs is elaborated first.

#![allow(clippy::wildcard_enum_match_arm, reason = "a type checker looks for one kind among many")]

mod affine;
mod arbitrary;
mod compatible;
mod constants;
mod declarations;
mod effects;
mod expressions;
mod fault;
mod functions;
mod operators;
mod recursion;
mod rules;
mod scopes;
mod statements;
mod structures;
mod types;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Diagnostic, Severity};
use crate::program::{ConstantSite, Program, Span, Type, TypeId, TypeKind, VarId};
use crate::syntax::tree::{Ast, Item};
use constants::Constant;
use fault::TypeFault;
use scopes::Scopes;
pub use scopes::closest;
use system::similar::{closest_name, did_you_mean};
pub(crate) use warnings::parameters_as_indices;

/// Settings that apply when a model is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Values for constants of the model; truth values are 0 and 1.
    pub constants: BTreeMap<String, i64>,
    /// The constants among them whose value is meant as a truth value.
    pub truth_values: BTreeSet<String>,
    /// Sizes for named scalarsets and ranges.
    pub type_sizes: BTreeMap<String, u32>,
    /// State variables that have any value in the initial states.
    pub arbitrary: BTreeSet<String>,
    /// Whether an undefined value is unequal to every value in a comparison with `=` or `!=`, matches no label of a `switch`, and is no
    /// member of a type. Otherwise it is an error to ask.
    pub undefined_is_unequal: bool,
}

/// Resolves the names and types of a tree.
///
/// # Errors
/// Returns all errors found; at least one diagnostic has [`Severity::Error`].
pub fn elaborate(ast: &Ast, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let mut elaborator = Elaborator::new(ast, options);
    elaborator.model();
    elaborator.findings.sort_by_key(|finding| finding.labels.first().map(|label| label.span.start));
    if elaborator.findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(elaborator.findings);
    }
    let mut program = elaborator.program;
    program.lines.clone_from(&ast.lines);
    program.constant_uses.sort_by_key(|mention| mention.span);
    program.constant_uses.dedup();
    program.warnings = elaborator.findings;
    Ok(program)
}

/// The type `boolean`, always the first type.
pub const BOOLEAN: TypeId = TypeId(0);
/// The type of plain numbers, always the second type.
pub const INTEGER: TypeId = TypeId(1);

/// An alias of a constant expression.
struct ConstantAlias {
    value: Constant,
    /// The constants that the expression mentions, and what a use of the alias is for each of them.
    mentions: Vec<(String, ConstantSite)>,
}

struct Elaborator<'a> {
    ast: &'a Ast,
    options: &'a Options,
    program: Program,
    scopes: Scopes,
    findings: Vec<Diagnostic>,
    /// Global constants and types that are not elaborated yet, by name, as positions in the tree.
    waiting: BTreeMap<&'a str, usize>,
    /// Those being elaborated.
    in_progress: BTreeSet<&'a str>,
    /// Variables declared in the current rule or function.
    locals: Vec<VarId>,
    /// Aliases of things that cannot be assigned to.
    read_only: BTreeSet<VarId>,
    /// The number of levels of each type.
    type_depths: Vec<u32>,
    /// The number of parts of a variable of each type, see [`Elaborator::parts_of`].
    type_parts: Vec<u64>,
    /// Aliases of constant expressions, which are themselves constant.
    constant_aliases: BTreeMap<VarId, ConstantAlias>,
    /// The multisets in which bound variables are positions.
    positions: BTreeMap<VarId, TypeId>,
    function: InFunction,
    used_constants: BTreeSet<String>,
    /// The global constants that are numbers or truth values.
    settable_constants: BTreeSet<String>,
    used_sizes: BTreeSet<String>,
}

/// What a `return` must return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InFunction {
    /// Nothing, in a rule, a startstate or a procedure.
    No,
    /// A value of this type.
    Returns(TypeId),
    /// A value whose type has an error.
    Unknown,
}

impl<'a> Elaborator<'a> {
    fn new(ast: &'a Ast, options: &'a Options) -> Self {
        let mut elaborator = Self {
            ast,
            options,
            program: Program::default(),
            scopes: Scopes::default(),
            findings: Vec::new(),
            waiting: BTreeMap::new(),
            in_progress: BTreeSet::new(),
            locals: Vec::new(),
            read_only: BTreeSet::new(),
            type_depths: Vec::new(),
            type_parts: Vec::new(),
            constant_aliases: BTreeMap::new(),
            positions: BTreeMap::new(),
            function: InFunction::No,
            used_constants: BTreeSet::new(),
            settable_constants: BTreeSet::new(),
            used_sizes: BTreeSet::new(),
        };
        let boolean = elaborator.add_type(TypeKind::Boolean, Span::default());
        elaborator.add_type(TypeKind::Range(i64::MIN, i64::MAX), Span::default());
        elaborator.program.types[boolean.index()].name = Some("boolean".to_owned());
        elaborator
    }

    fn model(&mut self) {
        let ast = self.ast;
        let items = &ast.items;
        for (position, item) in items.iter().enumerate() {
            self.enter_waiting(position, item);
        }
        for (position, item) in items.iter().enumerate() {
            self.global_declaration(position, item);
        }
        let mut functions = Vec::new();
        for item in items {
            if let Item::Function(function) = item {
                functions.push((self.signature(function), function));
            }
        }
        for (id, function) in functions {
            self.function_body(id, function);
        }
        for item in items {
            if let Item::Rule(rule) = item {
                self.rule_item(rule, &[]);
            }
        }
        self.refuse_recursion();
        self.refuse_side_effects();
        self.unused_settings(items);
        self.arbitrary();
        self.warn();
    }

    fn unused_settings(&mut self, items: &[Item]) {
        for name in self.options.constants.keys().filter(|name| !self.used_constants.contains(*name)) {
            let (meant, help) = self.settable(name);
            let declared = |constant: &str| {
                items.iter().find_map(|item| match item {
                    Item::Constant(own, _) => (own.text == constant).then_some(own.span),
                    Item::Type(..) | Item::Variables(..) | Item::Function(_) | Item::Rule(_) => None,
                })
            };
            let shown = meant.or_else(|| self.settable_constants.iter().next().map(String::as_str));
            let span = shown.and_then(declared).unwrap_or_default();
            let mut finding = TypeFault::UnusedConstant { name: name.clone() }.at(span);
            finding.help = Some(help);
            self.findings.push(finding);
        }
        for name in self.options.type_sizes.keys().filter(|name| !self.used_sizes.contains(*name)) {
            self.findings.push(TypeFault::UnusedSize { name: name.clone() }.at(Span::default()));
        }
    }

    /// Returns the constant that the author may have meant, and what helps. The name of a type is taken for that of its size.
    fn settable(&self, name: &str) -> (Option<&str>, String) {
        let known = || self.settable_constants.iter().map(String::as_str);
        let begins = |constant: &&str| {
            let (own, name) = (constant.to_lowercase(), name.to_lowercase());
            own.strip_prefix(&name).is_some_and(|rest| rest.starts_with('_'))
        };
        let meant = known().find(begins).or_else(|| closest_name(name, known()));
        let help = match meant {
            Some(meant) => did_you_mean(meant),
            None if self.settable_constants.is_empty() => "it has no constants".to_owned(),
            None => format!("its constants are {}", known().collect::<Vec<_>>().join(", ")),
        };
        (meant, help)
    }

    fn error(&mut self, fault: &TypeFault, span: Span) {
        self.findings.push(fault.at(span));
    }

    fn add_type(&mut self, kind: TypeKind, span: Span) -> TypeId {
        self.type_depths.push(self.depth_of(&kind));
        self.type_parts.push(self.parts_of(&kind));
        self.program.types.push(Type { kind, name: None, span });
        TypeId(u32::try_from(self.program.types.len() - 1).unwrap_or(u32::MAX))
    }

    fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.program.types[ty.index()].kind
    }
}
