//! Types, and numbers that are known before an execution.

use system::source::SourceType;

use super::scopes::Meaning;
use super::term::Term;
use super::{Covered, Printer};
use crate::program::{Binary, Unary};
use crate::syntax::tree::{Expr, ExprKind, Name, TypeExpr, TypeExprKind};

impl Printer<'_> {
    pub(super) fn type_expr(&mut self, ty: &TypeExpr) -> Covered<(Term, SourceType)> {
        match &ty.kind {
            TypeExprKind::Name(name) => match self.scopes.find(name) {
                Some(Meaning::Type(term, shape)) => Ok((term.clone(), shape.clone())),
                None if name.eq_ignore_ascii_case("boolean") => Ok((Term::atom("Boolean"), SourceType::Boolean)),
                None | Some(_) => self.refuse("a type that is used before its declaration", ty.span),
            },
            TypeExprKind::Enum(members) => Ok((self.enumeration(members), SourceType::Enum)),
            TypeExprKind::Range(from, to) => {
                let (from, to) = (self.integer(from)?, self.integer(to)?);
                let shape = SourceType::Range(from.flat(), to.flat());
                Ok((Term::Call("Range", vec![from, to]), shape))
            }
            TypeExprKind::Scalarset(size) => {
                let (size, number) = (self.integer(size)?, self.scalarsets);
                self.scalarsets += 1;
                let size = natural(size);
                let shape = SourceType::Scalarset(number, size.flat());
                Ok((Term::Call("Scalarset", vec![Term::atom(number.to_string()), size]), shape))
            }
            TypeExprKind::Union(members) => {
                let members = members.iter().map(|member| self.type_expr(member)).collect::<Covered<Vec<_>>>()?;
                let (terms, shapes) = members.into_iter().unzip();
                Ok((Term::Call("Union", vec![Term::List(terms)]), SourceType::Union(shapes)))
            }
            TypeExprKind::Record(fields) => self.record(fields),
            TypeExprKind::Array(index, element) => {
                let ((index, index_shape), (element, shape)) = (self.type_expr(index)?, self.type_expr(element)?);
                let shape = SourceType::Array(Box::new(index_shape), Box::new(shape));
                Ok((Term::Call("Array", vec![index, element]), shape))
            }
            TypeExprKind::Multiset(..) => self.refuse("multisets", ty.span),
        }
    }

    fn enumeration(&mut self, members: &[Name]) -> Term {
        let members = members.iter().map(|member| {
            let number = self.member_number(&member.text);
            self.program.members.push((member.text.clone(), number));
            let value = Term::Call("Member", vec![Term::Atom(number.to_string())]);
            let name = self.abbreviation("m_", &member.text, "scalar", &value);
            if let Term::Atom(name) = &name {
                self.scopes.declare(&member.text, Meaning::Member(name.clone()));
            }
            name
        });
        let members = members.collect();
        Term::Call("Enum", vec![Term::List(members)])
    }

    /// The number that the options wish for, or one that is above all others. No other member has it.
    fn member_number(&self, name: &str) -> u32 {
        let known = || self.program.members.iter().map(|(_, number)| *number);
        let wish = self.options.numbers.get(name).filter(|wish| known().all(|number| number != **wish));
        let last = self.options.numbers.values().copied().chain(known()).max();
        wish.copied().unwrap_or_else(|| last.map_or(0, |last| last.saturating_add(1)))
    }

    fn record(&mut self, fields: &[(Vec<Name>, TypeExpr)]) -> Covered<(Term, SourceType)> {
        let (mut terms, mut shapes) = (Vec::new(), Vec::new());
        for (names, ty) in fields {
            let (ty, shape) = self.type_expr(ty)?;
            for name in names {
                let (number, field) = self.field(&name.text);
                terms.push(Term::Pair(Box::new(Term::Atom(field)), Box::new(ty.clone())));
                shapes.push((number, shape.clone()));
            }
        }
        Ok((Term::Call("Record", vec![Term::List(terms)]), SourceType::Record(shapes)))
    }

    /// The number and the name of a field. Fields of the same name in several records share both.
    pub(super) fn field(&mut self, name: &str) -> (u32, String) {
        if let Some(known) = self.fields.get(name) {
            return known.clone();
        }
        let number = u32::try_from(self.fields.len()).unwrap_or(u32::MAX);
        let term = self.abbreviation("f_", name, "nat", &Term::Atom(number.to_string()));
        let known = (number, term.flat());
        self.program.fields.push((name.to_owned(), number));
        self.fields.insert(name.to_owned(), known.clone());
        known
    }

    /// A constant number as a term of the type `int`.
    pub(super) fn integer(&self, expr: &Expr) -> Covered<Term> {
        match &expr.kind {
            ExprKind::Integer(number) => Ok(Term::integer(*number)),
            ExprKind::Plus(number) => self.integer(number),
            ExprKind::Unary(Unary::Minus, number) => Ok(Term::Call("uminus", vec![self.integer(number)?])),
            ExprKind::Binary(operator, left, right) => {
                let operator = match operator {
                    Binary::Add => "+",
                    Binary::Subtract => "-",
                    Binary::Multiply => "*",
                    Binary::And
                    | Binary::Or
                    | Binary::Implies
                    | Binary::Equal
                    | Binary::Unequal
                    | Binary::Less
                    | Binary::LessEqual
                    | Binary::Greater
                    | Binary::GreaterEqual
                    | Binary::Divide
                    | Binary::Modulo
                    | Binary::BitAnd
                    | Binary::BitOr
                    | Binary::BitXor
                    | Binary::ShiftLeft
                    | Binary::ShiftRight => return self.refuse("this operator in a constant", expr.span),
                };
                Ok(Term::infix(operator, self.integer(left)?, self.integer(right)?))
            }
            ExprKind::Name(name) => match self.scopes.find(name) {
                Some(Meaning::Number(term)) => Ok(term.clone()),
                Some(_) | None => self.refuse("this constant", expr.span),
            },
            ExprKind::Undefined
            | ExprKind::Field(..)
            | ExprKind::Element(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(Unary::Not, _)
            | ExprKind::Complement(_)
            | ExprKind::Chain(..)
            | ExprKind::Conditional(..)
            | ExprKind::Forall(..)
            | ExprKind::Exists(..)
            | ExprKind::IsUndefined(_)
            | ExprKind::IsMember(..)
            | ExprKind::MultisetCount(..) => self.refuse("this constant", expr.span),
        }
    }

    /// A constant that is a truth value.
    pub(super) fn truth_constant(&self, expr: &Expr) -> Option<bool> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        match self.scopes.find(name) {
            Some(Meaning::Truth(truth)) => Some(*truth),
            Some(_) => None,
            None => truth(name),
        }
    }
}

/// The truth value with this name.
pub(super) fn truth(name: &str) -> Option<bool> {
    [("true", true), ("false", false)].iter().find(|(word, _)| name.eq_ignore_ascii_case(word)).map(|(_, truth)| *truth)
}

/// A number of the type `int` as one of the type `nat`.
fn natural(number: Term) -> Term {
    if let Term::Call("int", arguments) = &number
        && let [size] = arguments.as_slice()
    {
        return size.clone();
    }
    if matches!(number, Term::Atom(_)) { number } else { Term::Call("nat", vec![number]) }
}
