//! Expressions and places. A record or an array is no value of an expression here; statements copy them.

use system::source::SourceType;

use super::scopes::Meaning;
use super::term::Term;
use super::types::truth;
use super::{Covered, Printer};
use crate::program::{Binary, Span, Unary};
use crate::syntax::tree::{Domain, Expr, ExprKind, Function, Name, Quantifier, Stmt, StmtKind};

/// The expression with a fixed value.
pub(super) fn literal(value: Term) -> Term {
    Term::Call("Lit", vec![value])
}

pub(super) fn number(value: Term) -> Term {
    literal(Term::Call("Number", vec![value]))
}

pub(super) fn truth_value(value: bool) -> Term {
    literal(Term::Call("Truth", vec![Term::atom(if value { "True" } else { "False" })]))
}

pub(super) fn is_scalar(shape: &SourceType) -> bool {
    match shape {
        SourceType::Boolean
        | SourceType::Enum
        | SourceType::Range(..)
        | SourceType::Scalarset(..)
        | SourceType::Union(_) => true,
        SourceType::Record(_) | SourceType::Array(..) => false,
    }
}

impl<'a> Printer<'a> {
    /// A place and its type; nothing if the expression is none.
    pub(super) fn place(&mut self, expr: &'a Expr) -> Covered<Option<(Term, SourceType)>> {
        Ok(match &expr.kind {
            ExprKind::Name(name) => match self.scopes.find(name) {
                Some(Meaning::Place(term, shape)) => Some((term.clone(), shape.clone())),
                Some(_) | None => None,
            },
            ExprKind::Field(inner, field) => {
                let Some((term, SourceType::Record(fields))) = self.place(inner)? else {
                    return self.refuse("a field of what is no place", expr.span);
                };
                let (number, name) = self.field(&field.text);
                let Some((_, shape)) = fields.into_iter().find(|(own, _)| *own == number) else {
                    return self.refuse("a field that the record does not have", expr.span);
                };
                Some((Term::Field(Box::new(term), name), shape))
            }
            ExprKind::Element(inner, index) => {
                let Some((term, SourceType::Array(_, shape))) = self.place(inner)? else {
                    return self.refuse("an element of what is no place", expr.span);
                };
                let index = self.expression(index)?;
                Some((Term::Element(Box::new(term), Box::new(index)), *shape))
            }
            ExprKind::Integer(_)
            | ExprKind::Undefined
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Plus(_)
            | ExprKind::Complement(_)
            | ExprKind::Binary(..)
            | ExprKind::Chain(..)
            | ExprKind::Conditional(..)
            | ExprKind::Forall(..)
            | ExprKind::Exists(..)
            | ExprKind::IsUndefined(_)
            | ExprKind::IsMember(..)
            | ExprKind::MultisetCount(..) => None,
        })
    }

    /// A place, where the model must have one.
    pub(super) fn some_place(&mut self, expr: &'a Expr) -> Covered<(Term, SourceType)> {
        match self.place(expr)? {
            Some(place) => Ok(place),
            None => self.refuse("a place that is none", expr.span),
        }
    }

    pub(super) fn expression(&mut self, expr: &'a Expr) -> Covered<Term> {
        if let Some((place, shape)) = self.place(expr)? {
            if !is_scalar(&shape) {
                return self.refuse("a record or array as a value", expr.span);
            }
            return Ok(Term::Call("Read", vec![place]));
        }
        match &expr.kind {
            ExprKind::Integer(value) => Ok(number(Term::integer(*value))),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Call(name, arguments) => self.function(name, arguments),
            ExprKind::Unary(Unary::Not, inner) => Ok(Term::Call("Not", vec![self.expression(inner)?])),
            ExprKind::Unary(Unary::Minus, inner) => self.minus(inner),
            ExprKind::Plus(inner) => self.expression(inner),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                self.binary(*operator, left, right, expr.span)
            }
            ExprKind::Chain(operator, operands) => {
                let operands = operands.iter().map(|operand| self.expression(operand)).collect::<Covered<Vec<_>>>()?;
                let mut operands = operands.into_iter().rev();
                let Some(last) = operands.next() else { return self.refuse("a chain of nothing", expr.span) };
                operands.try_fold(last, |rest, operand| self.binary(*operator, operand, rest, expr.span))
            }
            ExprKind::Conditional(condition, yes, no) => {
                let parts = [condition, yes, no].map(|part| self.expression(part));
                Ok(Term::Call("Cond", parts.into_iter().collect::<Covered<Vec<_>>>()?))
            }
            ExprKind::Forall(quantifiers, body) => self.quantified("Forall", quantifiers, body),
            ExprKind::Exists(quantifiers, body) => self.quantified("Exists", quantifiers, body),
            ExprKind::IsUndefined(place) => {
                let (term, shape) = self.some_place(place)?;
                if !is_scalar(&shape) {
                    return self.refuse("`isundefined` of a record or array", expr.span);
                }
                Ok(Term::Call("IsUndefined", vec![term]))
            }
            ExprKind::IsMember(value, ty) => {
                let (value, (ty, _)) = (self.expression(value)?, self.type_expr(ty)?);
                let name = self.scopes.bind("member");
                self.scopes.unbind();
                let equal = Term::infix(".=", literal(Term::atom(name.clone())), value);
                Ok(Term::Call("Exists", vec![ty, Term::lambda(&name, equal)]))
            }
            ExprKind::Undefined => self.refuse("`undefined` as a value", expr.span),
            ExprKind::Complement(_) => self.refuse("operators on bits", expr.span),
            ExprKind::MultisetCount(..) => self.refuse("multisets", expr.span),
            ExprKind::Field(..) | ExprKind::Element(..) => self.refuse("a part of what is no place", expr.span),
        }
    }

    fn name(&self, name: &str, span: Span) -> Covered<Term> {
        match self.scopes.find(name) {
            Some(Meaning::Number(value)) => Ok(number(value.clone())),
            Some(Meaning::Truth(value)) => Ok(truth_value(*value)),
            Some(Meaning::Member(member)) => Ok(literal(Term::atom(member.clone()))),
            Some(Meaning::Bound(bound)) => Ok(literal(Term::atom(bound.clone()))),
            Some(Meaning::Value(value)) => Ok(value.clone()),
            Some(Meaning::Type(..) | Meaning::Place(..)) => self.refuse("this name as a value", span),
            None => match truth(name) {
                Some(value) => Ok(truth_value(value)),
                None => self.refuse("a name that is used before its declaration", span),
            },
        }
    }

    fn minus(&mut self, inner: &'a Expr) -> Covered<Term> {
        if let ExprKind::Integer(value) = &inner.kind {
            return Ok(number(Term::Call("uminus", vec![Term::integer(*value)])));
        }
        Ok(Term::Call("Arith", vec![Term::atom("subtract"), number(Term::integer(0)), self.expression(inner)?]))
    }

    fn binary(&self, operator: Binary, left: Term, right: Term, span: Span) -> Covered<Term> {
        let not = |term| Term::Call("Not", vec![term]);
        let arith = |name, left, right| Term::Call("Arith", vec![Term::atom(name), left, right]);
        Ok(match operator {
            Binary::And => Term::infix(".&", left, right),
            Binary::Or => Term::infix(".|", left, right),
            Binary::Implies => Term::infix(".->", left, right),
            Binary::Equal => Term::infix(".=", left, right),
            Binary::Unequal => not(Term::infix(".=", left, right)),
            Binary::Less => Term::infix(".<", left, right),
            Binary::LessEqual => not(Term::infix(".<", right, left)),
            Binary::Greater => Term::infix(".<", right, left),
            Binary::GreaterEqual => not(Term::infix(".<", left, right)),
            Binary::Add => arith("add", left, right),
            Binary::Subtract => arith("subtract", left, right),
            Binary::Multiply => arith("multiply", left, right),
            Binary::Divide => arith("quo", left, right),
            Binary::Modulo => arith("rem", left, right),
            Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::ShiftLeft | Binary::ShiftRight => {
                return self.refuse("operators on bits", span);
            }
        })
    }

    fn quantified(&mut self, word: &'static str, quantifiers: &'a [Quantifier], body: &'a Expr) -> Covered<Term> {
        let Some((first, rest)) = quantifiers.split_first() else { return self.expression(body) };
        let domain = self.domain(first)?;
        let (name, body) = self.bound(&first.name, |printer| printer.quantified(word, rest, body))?;
        Ok(Term::Call(word, vec![domain, Term::lambda(&name, body)]))
    }

    /// The type whose values a bound variable has.
    pub(super) fn domain(&mut self, quantifier: &Quantifier) -> Covered<Term> {
        Ok(self.domain_type(quantifier)?.0)
    }

    pub(super) fn domain_type(&mut self, quantifier: &Quantifier) -> Covered<(Term, SourceType)> {
        match &quantifier.over {
            Domain::Type(ty) => self.type_expr(ty),
            Domain::Numbers(from, to, None) => {
                let (from, to) = (self.integer(from)?, self.integer(to)?);
                let shape = SourceType::Range(from.flat(), to.flat());
                Ok((Term::Call("Range", vec![from, to]), shape))
            }
            Domain::Numbers(_, _, Some(_)) => self.refuse("a step other than in a loop", quantifier.name.span),
        }
    }

    /// Something below a bound variable, and the name of the variable in HOL.
    pub(super) fn bound<T>(
        &mut self,
        name: &Name,
        inside: impl FnOnce(&mut Self) -> Covered<T>,
    ) -> Covered<(String, T)> {
        let bound = self.scopes.bind(&name.text);
        self.scopes.open();
        self.scopes.declare(&name.text, Meaning::Bound(bound.clone()));
        let inner = inside(self);
        self.scopes.close();
        self.scopes.unbind();
        Ok((bound, inner?))
    }

    /// A call of a function that computes its result from its arguments and the state, without statements of its own. Its
    /// arguments stand for its parameters: what a parameter's type would refuse is only an error less.
    fn function(&mut self, name: &'a Name, arguments: &'a [Expr]) -> Covered<Term> {
        let Some(function) = self.functions.get(name.text.as_str()).copied() else {
            return self.refuse("a function that is not declared", name.span);
        };
        if self.active.contains(&name.text.as_str()) {
            return self.refuse("recursion", name.span);
        }
        if !function.declarations.is_empty() {
            return self.refuse("a function with declarations in an expression", name.span);
        }
        let mut meanings = Vec::new();
        for argument in arguments {
            meanings.push(match self.place(argument)? {
                Some((term, shape)) => Meaning::Place(term, shape),
                None => Meaning::Value(self.expression(argument)?),
            });
        }
        let names: Vec<&Name> = function.parameters.iter().flat_map(|parameter| &parameter.names).collect();
        if names.len() != meanings.len() {
            return self.refuse("a call with a wrong number of arguments", name.span);
        }
        self.inside(function, |printer| {
            for (name, meaning) in names.iter().zip(meanings) {
                printer.scopes.declare(&name.text, meaning);
            }
            printer.result(&function.body, function.name.span)
        })
    }

    /// Something inside of the body of a function, which sees its own names and those of the whole model.
    pub(super) fn inside<T>(
        &mut self,
        function: &'a Function,
        body: impl FnOnce(&mut Self) -> Covered<T>,
    ) -> Covered<T> {
        let outer = self.scopes.leave_global();
        self.active.push(&function.name.text);
        self.scopes.open();
        let result = body(self);
        self.scopes.close();
        self.active.pop();
        self.scopes.restore(outer);
        result
    }

    /// The result of statements that are a `return`, or an `if` between such statements.
    fn result(&mut self, body: &'a [Stmt], span: Span) -> Covered<Term> {
        let Some((first, rest)) = body.split_first() else {
            return self.refuse("a function without a result at its end, in an expression", span);
        };
        match &first.kind {
            StmtKind::Return(Some(value)) => self.expression(value),
            StmtKind::If(branches, otherwise) => {
                let mut result =
                    if otherwise.is_empty() { self.result(rest, span)? } else { self.result(otherwise, span)? };
                for (condition, body) in branches.iter().rev() {
                    let parts = vec![self.expression(condition)?, self.result(body, span)?, result];
                    result = Term::Call("Cond", parts);
                }
                Ok(result)
            }
            StmtKind::Assign(..)
            | StmtKind::Switch(..)
            | StmtKind::For(..)
            | StmtKind::While(..)
            | StmtKind::Alias(..)
            | StmtKind::Call(..)
            | StmtKind::Clear(_)
            | StmtKind::Undefine(_)
            | StmtKind::Assert(..)
            | StmtKind::Property(..)
            | StmtKind::Error(_)
            | StmtKind::Put(_)
            | StmtKind::PutText(_)
            | StmtKind::Return(None)
            | StmtKind::MultisetAdd(..)
            | StmtKind::MultisetRemove(..)
            | StmtKind::MultisetRemoveIf(..) => {
                self.refuse("a function with statements other than `return` and `if` in an expression", first.span)
            }
        }
    }
}
