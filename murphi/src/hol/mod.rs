//! A model as a term of HOL, for the theory `ParaProof_Murphi`.
//!
//! The syntax tree and the constants that stay symbolic become a [`SourceProgram`], unless the theory does not cover
//! a form in the model. This module must not depend on lowering or on the typed program: a theorem about its result is about the
//! text, whatever those make of it.

mod expressions;
mod rules;
mod scopes;
mod statements;
mod term;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use system::Origin;
use system::front_end::{Setting, Span};
use system::source::{NotCovered, SourceDefinition, SourceProgram, SourceSize, SourceType, SourceVariable};

use self::scopes::{Meaning, Scopes};
use self::term::Term;
use crate::syntax::tree::{Ast, Function, Item};

/// Which constants the program has, and which of them stay symbolic.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// The values of constants that differ from those in the text, or that the theorem is about as they are.
    pub kept: BTreeMap<String, Setting>,
    /// Wishes for the numbers of members of enumerations, which mean nothing as long as different members have
    /// different ones. The numbers of lowering's constants spare proofs a translation.
    pub numbers: BTreeMap<String, u32>,
}

/// Returns the program in HOL.
///
/// # Errors
/// Returns the first form that the theory does not cover.
pub fn program(ast: &Ast, text: &str, options: &SourceOptions) -> Result<SourceProgram, NotCovered> {
    let mut printer = Printer {
        text,
        lines: &ast.lines,
        options,
        scopes: Scopes::default(),
        functions: BTreeMap::new(),
        frames: BTreeMap::new(),
        active: Vec::new(),
        loops: 0,
        locals: BTreeSet::new(),
        fields: BTreeMap::new(),
        scalarsets: 0,
        program: SourceProgram::default(),
        declared: Vec::new(),
    };
    printer.model(ast)?;
    Ok(printer.program)
}

type Covered<T> = Result<T, NotCovered>;

/// The variables of a function for its parameters that are passed by value, and its local ones.
#[derive(Clone, Debug)]
struct Frame {
    parameters: Vec<Option<(Term, SourceType)>>,
}

struct Printer<'a> {
    text: &'a str,
    lines: &'a [u32],
    options: &'a SourceOptions,
    scopes: Scopes,
    functions: BTreeMap<&'a str, &'a Function>,
    /// The functions that were called as procedures.
    frames: BTreeMap<&'a str, Frame>,
    /// The functions whose bodies are around the current place.
    active: Vec<&'a str>,
    /// The number of loops around the current place.
    loops: u32,
    /// The local variables that the current rule may write.
    locals: BTreeSet<String>,
    /// The number and the name of each field.
    fields: BTreeMap<String, (u32, String)>,
    scalarsets: u32,
    program: SourceProgram,
    /// The variables and their types.
    declared: Vec<Term>,
}

impl<'a> Printer<'a> {
    fn model(&mut self, ast: &'a Ast) -> Covered<()> {
        let functions = ast.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some((function.name.text.as_str(), function)),
            Item::Constant(..) | Item::Type(..) | Item::Variables(..) | Item::Rule(_) => None,
        });
        self.functions = functions.collect();
        for item in &ast.items {
            self.declaration(item, true)?;
        }
        let mut groups = rules::Groups::default();
        for item in &ast.items {
            if let Item::Rule(rule) = item {
                self.rule_item(rule, &mut Vec::new(), &mut groups)?;
            }
        }
        let types = Term::List(std::mem::take(&mut self.declared));
        let lists = [types, Term::List(groups.starts), Term::List(groups.rules), Term::List(groups.invariants)];
        self.program.program = SourceDefinition {
            name: "program".to_owned(),
            signature: "program".to_owned(),
            arguments: Vec::new(),
            term: Term::Call("Program", lists.to_vec()).text(2),
        };
        Ok(())
    }

    /// A declaration; rules are left for later.
    fn declaration(&mut self, item: &'a Item, global: bool) -> Covered<()> {
        match item {
            Item::Constant(name, value) => {
                let meaning = self.constant(&name.text, value, global)?;
                self.scopes.declare(&name.text, meaning);
            }
            Item::Type(name, ty) => {
                let (term, shape) = self.type_expr(ty)?;
                let term = if global { self.abbreviation("t_", &name.text, "mtype", &term) } else { term };
                self.scopes.declare(&name.text, Meaning::Type(term, shape));
            }
            Item::Variables(names, ty) => {
                let (term, shape) = self.type_expr(ty)?;
                for name in names {
                    let place = self.variable(&name.text, &term, &shape);
                    if let (false, Term::Atom(place)) = (global, &place) {
                        self.locals.insert(place.clone());
                    }
                    self.scopes.declare(&name.text, Meaning::Place(place, shape.clone()));
                }
            }
            Item::Function(_) | Item::Rule(_) => {}
        }
        Ok(())
    }

    /// A new variable of the program.
    fn variable(&mut self, name: &str, ty: &Term, shape: &SourceType) -> Term {
        let number = self.program.variables.len().to_string();
        self.program.variables.push(SourceVariable { name: name.to_owned(), ty: shape.clone() });
        let place = self.abbreviation("v_", name, "place", &Term::Call("Variable", vec![Term::Atom(number)]));
        self.declared.push(Term::Pair(Box::new(place.clone()), Box::new(ty.clone())));
        place
    }

    /// A name for a term.
    fn abbreviation(&mut self, prefix: &str, name: &str, signature: &str, term: &Term) -> Term {
        let name = self.scopes.fresh(prefix, name);
        self.program.names.push(SourceDefinition {
            name: name.clone(),
            signature: signature.to_owned(),
            arguments: Vec::new(),
            term: term.text(2),
        });
        Term::Atom(name)
    }

    /// A constant of the whole model that is written as a number is symbolic unless it is kept.
    fn constant(&mut self, name: &str, value: &crate::syntax::tree::Expr, global: bool) -> Covered<Meaning> {
        use crate::syntax::tree::ExprKind;
        if let (true, Some(kept)) = (global, self.options.kept.get(name)) {
            return Ok(match kept {
                Setting::Number(number) => Meaning::Number(Term::integer(*number)),
                Setting::Truth(truth) => Meaning::Truth(*truth),
            });
        }
        if let (true, ExprKind::Integer(_)) = (global, &value.kind) {
            let size = self.scopes.fresh("c_", name);
            self.program.sizes.push(SourceSize { constant: name.to_owned(), name: size.clone() });
            return Ok(Meaning::Number(Term::Call("int", vec![Term::Atom(size)])));
        }
        match self.truth_constant(value) {
            Some(truth) => Ok(Meaning::Truth(truth)),
            None => Ok(Meaning::Number(self.integer(value)?)),
        }
    }

    fn origin(&self, span: Span) -> Origin {
        let line = self.lines.partition_point(|&start| start <= span.start).max(1);
        let line_start = self.lines.get(line - 1).copied().unwrap_or(0);
        Origin {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: span.start.saturating_sub(line_start) + 1,
            start: span.start,
            end: span.end,
        }
    }

    fn refuse<T>(&self, what: &str, span: Span) -> Covered<T> {
        Err(NotCovered { what: what.to_owned(), origin: self.origin(span) })
    }

    fn written(&self, span: Span) -> String {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default().to_owned()
    }
}
