//! Statements. Calls of procedures become their bodies, with variables for parameters that are passed by value.

use system::source::SourceType;

use super::expressions::{is_scalar, literal, truth_value};
use super::scopes::Meaning;
use super::term::Term;
use super::{Covered, Frame, Printer};
use crate::syntax::tree::{Domain, Expr, ExprKind, Function, Name, Quantifier, Stmt, StmtKind};

impl<'a> Printer<'a> {
    /// The statements of a rule or procedure; a `return` at their end changes nothing.
    pub(super) fn body(&mut self, statements: &'a [Stmt]) -> Covered<Term> {
        match statements.split_last() {
            Some((Stmt { kind: StmtKind::Return(None), .. }, before)) => self.statements(before),
            Some(_) | None => self.statements(statements),
        }
    }

    pub(super) fn statements(&mut self, statements: &'a [Stmt]) -> Covered<Term> {
        let mut terms = Vec::new();
        for statement in statements {
            terms.extend(parts(self.statement(statement)?));
        }
        Ok(Term::Sequence(terms))
    }

    fn statement(&mut self, statement: &'a Stmt) -> Covered<Term> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Assign(place, value) => self.assign(place, value),
            StmtKind::If(branches, otherwise) => {
                let mut rest = self.statements(otherwise)?;
                for (condition, body) in branches.iter().rev() {
                    rest = Term::Call("If", vec![self.expression(condition)?, self.statements(body)?, rest]);
                }
                Ok(rest)
            }
            StmtKind::Switch(value, cases, otherwise) => self.switch(value, cases, otherwise),
            StmtKind::For(quantifiers, body) => self.for_loop(quantifiers, body),
            StmtKind::Alias(aliases, body) => self.aliases(aliases, |printer| printer.statements(body)),
            StmtKind::Call(name, arguments) => self.call(name, arguments),
            StmtKind::Clear(place) => Ok(Term::Call("Clear", vec![self.some_place(place)?.0])),
            StmtKind::Undefine(place) => Ok(Term::Call("Undefine", vec![self.some_place(place)?.0])),
            StmtKind::Assert(condition, _) => Ok(Term::Call("Assert", vec![self.expression(condition)?])),
            StmtKind::Error(_) => Ok(Term::Call("Assert", vec![truth_value(false)])),
            StmtKind::Put(_) | StmtKind::PutText(_) => Ok(Term::Sequence(Vec::new())),
            StmtKind::While(..) => self.refuse("`while`", span),
            StmtKind::Property(..) => self.refuse("`assume`, `cover` or `liveness` as a statement", span),
            StmtKind::Return(_) => self.refuse("`return` before the end", span),
            StmtKind::MultisetAdd(..) | StmtKind::MultisetRemove(..) | StmtKind::MultisetRemoveIf(..) => {
                self.refuse("multisets", span)
            }
        }
    }

    fn assign(&mut self, target: &'a Expr, value: &'a Expr) -> Covered<Term> {
        let (place, shape) = self.some_place(target)?;
        if matches!(value.kind, ExprKind::Undefined) {
            return Ok(Term::Call("Undefine", vec![place]));
        }
        self.store(place, &shape, value)
    }

    fn store(&mut self, place: Term, shape: &SourceType, value: &'a Expr) -> Covered<Term> {
        if let Some((from, _)) = self.place(value)? {
            return Ok(Term::infix(".:==", place, from));
        }
        if !is_scalar(shape) {
            return self.refuse("a record or array that is computed", value.span);
        }
        Ok(Term::infix(".:=", place, self.expression(value)?))
    }

    fn switch(&mut self, value: &'a Expr, cases: &'a [(Vec<Expr>, Vec<Stmt>)], otherwise: &'a [Stmt]) -> Covered<Term> {
        let value = self.expression(value)?;
        let name = self.scopes.bind("switch");
        let branches = self.cases(&name, cases, otherwise);
        self.scopes.unbind();
        Ok(Term::Call("Let", vec![value, Term::lambda(&name, branches?)]))
    }

    fn cases(&mut self, name: &str, cases: &'a [(Vec<Expr>, Vec<Stmt>)], otherwise: &'a [Stmt]) -> Covered<Term> {
        let mut rest = self.statements(otherwise)?;
        for (labels, body) in cases.iter().rev() {
            let mut condition = None;
            for label in labels.iter().rev() {
                let equal = Term::infix(".=", literal(Term::atom(name)), self.expression(label)?);
                condition = Some(match condition {
                    None => equal,
                    Some(others) => Term::infix(".|", equal, others),
                });
            }
            if let Some(condition) = condition {
                rest = Term::Call("If", vec![condition, self.statements(body)?, rest]);
            }
        }
        Ok(rest)
    }

    fn for_loop(&mut self, quantifiers: &'a [Quantifier], body: &'a [Stmt]) -> Covered<Term> {
        let Some((first, rest)) = quantifiers.split_first() else { return self.statements(body) };
        let mut head = match &first.over {
            Domain::Type(_) => vec![self.domain(first)?],
            Domain::Numbers(from, to, step) => {
                let (from, to) = (self.expression(from)?, self.expression(to)?);
                let step = match step {
                    Some(step) => self.expression(step)?,
                    None => super::expressions::number(Term::integer(1)),
                };
                vec![from, to, step]
            }
        };
        self.loops += 1;
        let inner = self.bound(&first.name, |printer| printer.for_loop(rest, body));
        self.loops -= 1;
        let (name, inner) = inner?;
        let word = if head.len() == 1 { "For" } else { "Loop" };
        head.push(Term::lambda(&name, inner));
        Ok(Term::Call(word, head))
    }

    /// Statements below aliases: each is evaluated once, before them.
    pub(super) fn aliases(
        &mut self,
        aliases: &'a [(Name, Expr)],
        inside: impl FnOnce(&mut Self) -> Covered<Term>,
    ) -> Covered<Term> {
        let mut heads = Vec::new();
        self.scopes.open();
        let body = (|| {
            for (name, value) in aliases {
                let (word, value, shape) = match self.place(value)? {
                    Some((place, shape)) => ("Alias", place, Some(shape)),
                    None => ("Let", self.expression(value)?, None),
                };
                let bound = self.scopes.bind(&name.text);
                let meaning = match shape {
                    Some(shape) => Meaning::Place(Term::atom(bound.clone()), shape),
                    None => Meaning::Bound(bound.clone()),
                };
                self.scopes.declare(&name.text, meaning);
                heads.push((word, value, bound));
            }
            inside(self)
        })();
        self.scopes.close();
        heads.iter().for_each(|_| self.scopes.unbind());
        let wrap = |body, (word, value, bound): (&'static str, Term, String)| {
            Term::Call(word, vec![value, Term::lambda(&bound, body)])
        };
        Ok(heads.into_iter().rev().fold(body?, wrap))
    }

    /// A call of a procedure: arguments are stored in its variables, and then its body is executed.
    fn call(&mut self, name: &'a Name, arguments: &'a [Expr]) -> Covered<Term> {
        let Some(function) = self.functions.get(name.text.as_str()).copied() else {
            return self.refuse("a procedure that is not declared", name.span);
        };
        if self.active.contains(&name.text.as_str()) {
            return self.refuse("recursion", name.span);
        }
        if function.result.is_some() {
            return self.refuse("a function with a result as a statement", name.span);
        }
        let frame = self.frame(function)?;
        let names = function.parameters.iter().flat_map(|parameter| &parameter.names);
        let (mut before, mut references) = (Vec::new(), Vec::new());
        let mut meanings = Vec::new();
        for ((name, own), argument) in names.zip(&frame.parameters).zip(arguments) {
            if let (Some(_), Some(bound)) = (own, self.stands_for(name, argument, &function.body)) {
                meanings.push((name, Meaning::Bound(bound)));
            } else if let Some((place, shape)) = own {
                before.push(self.passed(place.clone(), shape, argument)?);
                meanings.push((name, Meaning::Place(place.clone(), shape.clone())));
                if let Term::Atom(place) = place {
                    self.locals.insert(place.clone());
                }
            } else {
                let (place, shape) = self.some_place(argument)?;
                let bound = self.scopes.bind(&name.text);
                meanings.push((name, Meaning::Place(Term::atom(bound.clone()), shape)));
                references.push((place, bound));
            }
        }
        let body = self.inside(function, |printer| {
            for (name, meaning) in meanings {
                printer.scopes.declare(&name.text, meaning);
            }
            printer.procedure(function)
        });
        references.iter().for_each(|_| self.scopes.unbind());
        let wrap = |body, (place, bound): (Term, String)| Term::Call("Alias", vec![place, Term::lambda(&bound, body)]);
        before.push(references.into_iter().rev().fold(body?, wrap));
        Ok(flattened(before))
    }

    /// The bound variable that a parameter stands for in a loop: it is given that variable, and the procedure does not
    /// change it. The rounds of the loop then share no variable for it. What its type would refuse is only an error less.
    fn stands_for(&self, name: &Name, argument: &Expr, body: &[Stmt]) -> Option<String> {
        let ExprKind::Name(given) = &argument.kind else { return None };
        match self.scopes.find(given) {
            Some(Meaning::Bound(bound)) if self.loops > 0 && !may_write(body, &name.text) => Some(bound.clone()),
            Some(_) | None => None,
        }
    }

    fn passed(&mut self, place: Term, shape: &SourceType, argument: &'a Expr) -> Covered<Term> {
        if matches!(argument.kind, ExprKind::Undefined) {
            return Ok(Term::Call("Undefine", vec![place]));
        }
        self.store(place, shape, argument)
    }

    /// The variables of a procedure, which every call of it uses: it is never called while it is executed.
    fn frame(&mut self, function: &'a Function) -> Covered<Frame> {
        if let Some(frame) = self.frames.get(function.name.text.as_str()) {
            return Ok(frame.clone());
        }
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let (ty, shape) = self.inside(function, |printer| printer.type_expr(&parameter.ty))?;
            for name in &parameter.names {
                let variable = |printer: &mut Self| (printer.variable(&name.text, &ty, &shape), shape.clone());
                parameters.push((!parameter.reference).then(|| variable(self)));
            }
        }
        let frame = Frame { parameters };
        self.frames.insert(&function.name.text, frame.clone());
        Ok(frame)
    }

    /// The body of a procedure, whose local variables are undefined at first.
    fn procedure(&mut self, function: &'a Function) -> Covered<Term> {
        let known = self.program.variables.len();
        for declaration in &function.declarations {
            self.declaration(declaration, false)?;
        }
        let new = self.declared[known..].iter().filter_map(|declared| {
            let Term::Pair(place, _) = declared else { return None };
            Some(Term::Call("Undefine", vec![(**place).clone()]))
        });
        let mut terms: Vec<Term> = new.collect();
        terms.push(self.body(&function.body)?);
        Ok(flattened(terms))
    }
}

/// Whether statements may change a variable with this name: they store something in it, or pass it on.
fn may_write(statements: &[Stmt], name: &str) -> bool {
    let inside = |body: &[Stmt]| may_write(body, name);
    let is = |place: &Expr| matches!(&place.kind, ExprKind::Name(own) if own == name);
    statements.iter().any(|statement| match &statement.kind {
        StmtKind::Assign(place, _) | StmtKind::Clear(place) | StmtKind::Undefine(place) => is(place),
        StmtKind::If(branches, otherwise) => branches.iter().any(|(_, body)| inside(body)) || inside(otherwise),
        StmtKind::Switch(_, cases, otherwise) => cases.iter().any(|(_, body)| inside(body)) || inside(otherwise),
        StmtKind::For(_, body) | StmtKind::While(_, body) => inside(body),
        StmtKind::Alias(aliases, body) => aliases.iter().any(|(_, value)| is(value)) || inside(body),
        StmtKind::Call(_, arguments) => arguments.iter().any(is),
        StmtKind::Assert(..)
        | StmtKind::Property(..)
        | StmtKind::Error(_)
        | StmtKind::Put(_)
        | StmtKind::PutText(_)
        | StmtKind::Return(_)
        | StmtKind::MultisetAdd(..)
        | StmtKind::MultisetRemove(..)
        | StmtKind::MultisetRemoveIf(..) => false,
    })
}

fn flattened(terms: Vec<Term>) -> Term {
    Term::Sequence(terms.into_iter().flat_map(parts).collect())
}

/// The statements in a term.
fn parts(term: Term) -> Vec<Term> {
    if let Term::Sequence(parts) = term { parts } else { vec![term] }
}
