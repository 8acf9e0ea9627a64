//! Murphi's syntax trees, built without places.

use murphi::program::{Binary, Unary};
use murphi::syntax::tree::{Domain, Expr, ExprKind, Name, Quantifier, Stmt, StmtKind, TypeExpr, TypeExprKind};
use system::front_end::Span;

pub(super) fn named(text: &str) -> Name {
    Name { text: text.to_owned(), span: Span::default() }
}

fn expr(kind: ExprKind) -> Expr {
    Expr::new(kind, Span::default())
}

pub(super) fn name(text: &str) -> Expr {
    expr(ExprKind::Name(text.to_owned()))
}

pub(super) fn number(number: i64) -> Expr {
    expr(ExprKind::Integer(number))
}

/// Returns an element of an array of arrays.
pub(super) fn element(array: Expr, indices: impl IntoIterator<Item = Expr>) -> Expr {
    indices.into_iter().fold(array, |place, index| expr(ExprKind::Element(Box::new(place), Box::new(index))))
}

pub(super) fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

pub(super) fn not(inner: Expr) -> Expr {
    if is_truth(&inner, true) || is_truth(&inner, false) {
        return name(if is_truth(&inner, true) { "false" } else { "true" });
    }
    if let ExprKind::Unary(Unary::Not, negated) = &inner.kind {
        return (**negated).clone();
    }
    if let ExprKind::Binary(operator @ (Binary::Equal | Binary::Unequal), left, right) = &inner.kind {
        let opposite = if *operator == Binary::Equal { Binary::Unequal } else { Binary::Equal };
        return binary(opposite, (**left).clone(), (**right).clone());
    }
    expr(ExprKind::Unary(Unary::Not, Box::new(inner)))
}

/// Whether an expression is this truth value.
pub(super) fn is_truth(expression: &Expr, truth: bool) -> bool {
    matches!(&expression.kind, ExprKind::Name(name) if name == if truth { "true" } else { "false" })
}

pub(super) fn and(parts: Vec<Expr>) -> Expr {
    chain(Binary::And, parts)
}

pub(super) fn or(parts: Vec<Expr>) -> Expr {
    chain(Binary::Or, parts)
}

fn chain(operator: Binary, parts: Vec<Expr>) -> Expr {
    let neutral = operator == Binary::And;
    let mut all = Vec::new();
    for part in parts {
        if let ExprKind::Chain(own, inner) = &part.kind
            && *own == operator
        {
            all.extend(inner.iter().cloned());
        } else if !is_truth(&part, neutral) {
            all.push(part);
        }
    }
    match all.len() {
        0 => name(if neutral { "true" } else { "false" }),
        1 => all.remove(0),
        _ => expr(ExprKind::Chain(operator, all)),
    }
}

/// Returns the conjuncts of a condition.
pub(super) fn conjuncts(condition: Expr) -> Vec<Expr> {
    if let ExprKind::Chain(Binary::And, parts) = condition.kind {
        return parts;
    }
    if is_truth(&condition, true) { Vec::new() } else { vec![condition] }
}

pub(super) fn implies(conditions: Vec<Expr>, conclusion: Expr) -> Expr {
    if conditions.is_empty() { conclusion } else { binary(Binary::Implies, and(conditions), conclusion) }
}

/// Returns a list of variables of one type.
pub(super) fn over(names: &[String], ty: &str) -> Vec<Quantifier> {
    let over = || Domain::Type(named_type(ty));
    names.iter().map(|own| Quantifier { name: named(own), over: over() }).collect()
}

/// Returns a universal quantifier. Other tools take one variable for each.
pub(super) fn forall(names: &[String], ty: &str, body: Expr) -> Expr {
    let one = |body: Expr, name: &String| expr(ExprKind::Forall(over(std::slice::from_ref(name), ty), Box::new(body)));
    names.iter().rev().fold(body, one)
}

/// Returns an existential quantifier.
pub(super) fn exists(names: &[String], ty: &str, body: Expr) -> Expr {
    let one = |body: Expr, name: &String| expr(ExprKind::Exists(over(std::slice::from_ref(name), ty), Box::new(body)));
    names.iter().rev().fold(body, one)
}

/// Returns that names denote pairwise different elements.
pub(super) fn distinct(names: &[String]) -> Vec<Expr> {
    let pairs =
        names.iter().enumerate().flat_map(|(place, right)| names[..place].iter().map(move |left| (left, right)));
    pairs.map(|(left, right)| binary(Binary::Unequal, name(left), name(right))).collect()
}

pub(super) fn named_type(text: &str) -> TypeExpr {
    type_of(TypeExprKind::Name(text.to_owned()))
}

pub(super) fn type_of(kind: TypeExprKind) -> TypeExpr {
    TypeExpr { kind, span: Span::default() }
}

/// Returns the type of an array with so many indices.
pub(super) fn array_of(index: &str, dimensions: usize, element: TypeExpr) -> TypeExpr {
    let array = |element| type_of(TypeExprKind::Array(Box::new(named_type(index)), Box::new(element)));
    (0..dimensions).fold(element, |element, _| array(element))
}

pub(super) fn statement(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

pub(super) fn assign(place: Expr, value: Expr) -> Stmt {
    statement(StmtKind::Assign(place, value))
}

/// Returns a loop, or its body if there is nothing to loop over.
pub(super) fn loop_over(names: &[String], ty: &str, body: Vec<Stmt>) -> Vec<Stmt> {
    if body.is_empty() {
        return body;
    }
    let one =
        |body: Vec<Stmt>, name: &String| vec![statement(StmtKind::For(over(std::slice::from_ref(name), ty), body))];
    names.iter().rev().fold(body, one)
}

/// Returns the name that an expression is.
pub(super) fn name_of(expression: &Expr) -> Option<&str> {
    if let ExprKind::Name(name) = &expression.kind { Some(name) } else { None }
}

/// Returns the variable that a place is a part of.
pub(super) fn root(place: &Expr) -> Option<&str> {
    let mut place = place;
    while let ExprKind::Element(array, _) = &place.kind {
        place = array;
    }
    name_of(place)
}

/// Replaces the parts of an expression for which the function returns something, outermost first.
pub(super) fn replaced(expression: &Expr, by: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Expr {
    if let Some(new) = by(expression) {
        return new;
    }
    let mut inner = |part: &Expr| replaced(part, by);
    let kind = match &expression.kind {
        ExprKind::Element(array, index) => ExprKind::Element(Box::new(inner(array)), Box::new(inner(index))),
        ExprKind::Unary(operator, part) => ExprKind::Unary(*operator, Box::new(inner(part))),
        ExprKind::Binary(operator, left, right) => {
            ExprKind::Binary(*operator, Box::new(inner(left)), Box::new(inner(right)))
        }
        ExprKind::Chain(operator, parts) => ExprKind::Chain(*operator, parts.iter().map(inner).collect()),
        ExprKind::Forall(variables, body) => ExprKind::Forall(variables.clone(), Box::new(inner(body))),
        ExprKind::Exists(variables, body) => ExprKind::Exists(variables.clone(), Box::new(inner(body))),
        // These are leaves, or are not built here.
        ExprKind::Integer(_)
        | ExprKind::Undefined
        | ExprKind::Name(_)
        | ExprKind::Field(..)
        | ExprKind::Call(..)
        | ExprKind::Plus(_)
        | ExprKind::Complement(_)
        | ExprKind::Conditional(..)
        | ExprKind::IsUndefined(_)
        | ExprKind::IsMember(..)
        | ExprKind::MultisetCount(..) => expression.kind.clone(),
    };
    expr(kind)
}

/// Replaces names by expressions.
pub(super) fn substituted(expression: &Expr, names: &[(String, Expr)]) -> Expr {
    replaced(expression, &mut |part| {
        let own = name_of(part)?;
        names.iter().find(|(name, _)| name == own).map(|(_, value)| value.clone())
    })
}

/// Whether two expressions are the same text.
pub(super) fn same(left: &Expr, right: &Expr) -> bool {
    match (&left.kind, &right.kind) {
        (ExprKind::Name(left), ExprKind::Name(right)) => left == right,
        (ExprKind::Integer(left), ExprKind::Integer(right)) => left == right,
        (ExprKind::Element(left, at), ExprKind::Element(right, other)) => same(left, right) && same(at, other),
        _ => false,
    }
}
