//! Compiles conditions.

use super::{Binding, Compiler, constant_range};
use crate::exec::BuildError;
use crate::exec::code::{Cell, Compare, Cond, Expr, Range, Site, Test, Watched, What};
use crate::exec::layout::Slot;
use crate::exec::run::compare;
use crate::program::{Binary, Binder, Expression, ExpressionKind, Over, Unary};

impl Compiler<'_> {
    /// Compiles an expression as a condition, if no statements have to run before it.
    pub(super) fn condition(&mut self, expression: &Expression) -> Result<Cond, BuildError> {
        match &expression.kind {
            ExpressionKind::Boolean(truth) => Ok(Cond::Const(*truth)),
            ExpressionKind::Unary(Unary::Not, inner) => self.condition(inner).map(negation),
            ExpressionKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ExpressionKind::Forall(binder, body) => self.quantified(true, binder, body),
            ExpressionKind::Exists(binder, body) => self.quantified(false, binder, body),
            ExpressionKind::IsUndefined(place) => self.undefined(place),
            ExpressionKind::IsMember(value, ty) => {
                let domain = self.domain(*ty, expression.span)?;
                Ok(match self.expression(value)? {
                    Expr::Const(value) => Cond::Const(domain.encode(value).is_some()),
                    value => Cond::Member(Box::new(value), domain),
                })
            }
            ExpressionKind::Call(function, arguments) => {
                let condition = self.call_as_condition(*function, arguments, expression.span)?;
                condition.map_or_else(|| self.value_as_condition(expression), Ok)
            }
            _ => self.value_as_condition(expression),
        }
    }

    fn value_as_condition(&mut self, expression: &Expression) -> Result<Cond, BuildError> {
        Ok(match self.expression(expression)? {
            Expr::Const(value) => Cond::Const(value != 0),
            Expr::Truth(condition) => *condition,
            value => truth_of(value),
        })
    }

    fn undefined(&mut self, place: &Expression) -> Result<Cond, BuildError> {
        let (binding, before) = self.scoped(|compiler| compiler.designator(place))?;
        let condition = match binding {
            Some(Binding::Place(place)) => Cond::Undefined(Box::new(self.cell(&place))),
            _ => Cond::Const(false),
        };
        Ok(if before.is_empty() { condition } else { Cond::Seq(Box::new((before, condition))) })
    }

    fn binary(&mut self, operator: Binary, left: &Expression, right: &Expression) -> Result<Cond, BuildError> {
        let compare = match operator {
            Binary::And => return Ok(conjunction(vec![self.condition(left)?, self.condition(right)?])),
            Binary::Or => return Ok(disjunction(vec![self.condition(left)?, self.condition(right)?])),
            Binary::Implies => {
                return Ok(disjunction(vec![negation(self.condition(left)?), self.condition(right)?]));
            }
            Binary::Equal => Compare::Equal,
            Binary::Unequal => Compare::Unequal,
            Binary::Less => Compare::Less,
            Binary::LessEqual => Compare::LessEqual,
            Binary::Greater => Compare::Greater,
            Binary::GreaterEqual => Compare::GreaterEqual,
            Binary::Add
            | Binary::Subtract
            | Binary::Multiply
            | Binary::Divide
            | Binary::Modulo
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor
            | Binary::ShiftLeft
            | Binary::ShiftRight => Compare::Unequal,
        };
        if self.is_composite(left) {
            let same = self.same(left, right)?;
            return Ok(if compare == Compare::Equal { same } else { negation(same) });
        }
        let (left, right) = (self.expression(left)?, self.expression(right)?);
        Ok(comparison(compare, left, right))
    }

    /// Records and arrays are compared by content, as in rumur.
    fn same(&mut self, left: &Expression, right: &Expression) -> Result<Cond, BuildError> {
        let span = left.span;
        let (condition, before) = self.scoped(|compiler| {
            let (left, right) = (compiler.place(left)?, compiler.place(right)?);
            let scalars = compiler.conversions(left.ty, right.ty, span)?.into_boxed_slice();
            Ok(Cond::Same { left: Box::new(left.address()), right: Box::new(right.address()), scalars })
        })?;
        Ok(if before.is_empty() { condition } else { Cond::Seq(Box::new((before, condition))) })
    }

    fn is_composite(&self, expression: &Expression) -> bool {
        use crate::program::TypeKind;
        matches!(
            self.program.types[expression.ty.index()].kind,
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. }
        )
    }

    fn quantified(&mut self, all: bool, binder: &Binder, body: &Expression) -> Result<Cond, BuildError> {
        let range = self.range(binder)?;
        let over = match &binder.over {
            Over::Type(ty) => *ty,
            Over::Numbers { .. } => self.program.variables[binder.variable.index()].ty,
        };
        let watched = self.watched.contains(&over);
        if let Some(values) = self.unrolled(&range) {
            let factor = values.len().max(1) as u64;
            self.copies *= factor;
            let mut parts = Vec::new();
            for value in values {
                self.bindings.insert(binder.variable, Binding::Value(value));
                parts.push(self.condition(body)?);
            }
            self.copies /= factor;
            self.bindings.remove(&binder.variable);
            let kept = if watched { parts.clone().into_boxed_slice() } else { Box::default() };
            let whole = if all { conjunction(parts) } else { disjunction(parts) };
            return Ok(match whole {
                Cond::Const(truth) => Cond::Const(truth),
                whole if watched => Cond::Watched(Box::new(Watched { all, whole, parts: kept })),
                whole => whole,
            });
        }
        let register = self.register();
        self.bindings.insert(binder.variable, Binding::Register(register));
        let body = Box::new(self.condition(body)?);
        self.bindings.remove(&binder.variable);
        Ok(Cond::Quantified { all, register, range: Box::new(range), body, watched })
    }

    /// Returns the range of a bound variable.
    pub(super) fn range(&mut self, binder: &Binder) -> Result<Range, BuildError> {
        let span = self.program.variables[binder.variable.index()].span;
        Ok(match &binder.over {
            Over::Type(ty) => Range::Values(self.domain(*ty, span)?),
            Over::Numbers { from, to, step } => {
                let (from, to, step) = (self.expression(from)?, self.expression(to)?, self.expression(step)?);
                Range::Numbers { from, to, step, site: self.site(What::Step, span) }
            }
        })
    }

    /// Returns the values of a range, if they are known and few enough to copy the code for each.
    pub(super) fn unrolled(&self, range: &Range) -> Option<Vec<i64>> {
        let most = super::MAX_UNROLLED / self.copies;
        match range {
            Range::Values(domain) => (domain.size() <= most).then(|| domain.values()),
            Range::Numbers { from, to, step, .. } => constant_range(from, to, step, most),
        }
    }
}

/// Compares two values.
pub(super) fn comparison(operator: Compare, left: Expr, right: Expr) -> Cond {
    if let (Expr::Const(a), Expr::Const(b)) = (&left, &right) {
        return Cond::Const(compare(operator, *a, *b));
    }
    let equal = match operator {
        Compare::Equal => true,
        Compare::Unequal => false,
        Compare::Less | Compare::LessEqual | Compare::Greater | Compare::GreaterEqual => {
            return Cond::Compare(operator, Box::new((left, right)));
        }
    };
    match (&left, &right) {
        (Expr::Slot { slot, before, site }, Expr::Const(value))
        | (Expr::Const(value), Expr::Slot { slot, before, site })
            if fits(*slot, *before, *value) =>
        {
            Cond::Test(test(*slot, value.wrapping_sub(*before).cast_unsigned(), equal, *site))
        }
        (Expr::Read(read, site), Expr::Const(value)) | (Expr::Const(value), Expr::Read(read, site)) => {
            match (&read.0, read.1.encode(*value)) {
                (Cell::Slot(slot), Some(code)) => Cond::Test(test(*slot, code, equal, *site)),
                (Cell::At(at), Some(code)) => Cond::Code { at: at.clone(), code, equal, site: *site },
                (_, None) => Cond::Compare(operator, Box::new((left, right))),
            }
        }
        (Expr::Slot { slot: a, before: i, site: first }, Expr::Slot { slot: b, before: j, site: second }) if i == j => {
            Cond::Slots { left: *a, right: *b, equal, sites: (*first, *second) }
        }
        (Expr::Truth(condition), Expr::Const(truth)) | (Expr::Const(truth), Expr::Truth(condition)) => {
            if (*truth != 0) == equal { (**condition).clone() } else { negation((**condition).clone()) }
        }
        _ => Cond::Compare(operator, Box::new((left, right))),
    }
}

fn test(slot: Slot, code: u64, equal: bool, site: Site) -> Test {
    Test { word: slot.word, site, mask: slot.mask << slot.shift, bits: code << slot.shift, equal }
}

/// Returns whether the code of a value fits a slot and is not that of the undefined value.
fn fits(slot: Slot, before: i64, value: i64) -> bool {
    value > before && value.wrapping_sub(before).cast_unsigned() <= slot.mask
}

/// Turns a boolean value into a condition.
fn truth_of(value: Expr) -> Cond {
    match value {
        Expr::Slot { slot, before, site } => {
            let code = 1_i64.wrapping_sub(before).cast_unsigned();
            Cond::Test(test(slot, code, true, site))
        }
        Expr::Read(read, site) if matches!(read.0, Cell::At(_)) && read.1.encode(1).is_some() => {
            comparison(Compare::Equal, Expr::Read(read, site), Expr::Const(1))
        }
        value => Cond::Value(Box::new(value)),
    }
}

/// Negates a condition.
pub(super) fn negation(condition: Cond) -> Cond {
    match condition {
        Cond::Const(truth) => Cond::Const(!truth),
        Cond::Test(test) => Cond::Test(Test { equal: !test.equal, ..test }),
        Cond::Code { at, code, equal, site } => Cond::Code { at, code, equal: !equal, site },
        Cond::Tests { all, tests } => {
            let tests = tests.into_iter().map(|test| Test { equal: !test.equal, ..test }).collect();
            Cond::Tests { all: !all, tests }
        }
        Cond::Slots { left, right, equal, sites } => Cond::Slots { left, right, equal: !equal, sites },
        Cond::Not(inner) => *inner,
        Cond::And(parts) => disjunction(parts.into_vec().into_iter().map(negation).collect()),
        Cond::Or(parts) => conjunction(parts.into_vec().into_iter().map(negation).collect()),
        other => Cond::Not(Box::new(other)),
    }
}

/// Returns the conjunction of the parts, evaluated from left to right until one is false.
pub(super) fn conjunction(parts: Vec<Cond>) -> Cond {
    joined(parts, false)
}

/// Returns the disjunction of the parts, evaluated from left to right until one is true.
pub(super) fn disjunction(parts: Vec<Cond>) -> Cond {
    joined(parts, true)
}

/// Combines the parts; the first one with the truth value `end` decides.
fn joined(parts: Vec<Cond>, end: bool) -> Cond {
    let mut flat = Vec::new();
    let mut open: Vec<Cond> = parts.into_iter().rev().collect();
    while let Some(part) = open.pop() {
        match (part, end) {
            (Cond::And(inner), false) | (Cond::Or(inner), true) => open.extend(inner.into_iter().rev()),
            (Cond::Tests { all, tests }, end) if all != end => flat.extend(tests.into_iter().map(Cond::Test)),
            (part, _) => flat.push(part),
        }
    }
    let mut kept = Vec::new();
    for part in flat {
        match part {
            Cond::Const(truth) if truth == end => {
                kept.push(Cond::Const(truth));
                break;
            }
            Cond::Const(_) => {}
            part => kept.push(part),
        }
    }
    match kept.len() {
        0 => Cond::Const(!end),
        1 => kept.swap_remove(0),
        _ => grouped(kept, !end),
    }
}

/// Builds a conjunction, or a disjunction if `all` is false, grouping consecutive tests.
fn grouped(parts: Vec<Cond>, all: bool) -> Cond {
    let mut groups: Vec<Cond> = Vec::new();
    let mut tests = Vec::new();
    let close = |tests: &mut Vec<Test>, groups: &mut Vec<Cond>| match tests.as_slice() {
        [] => {}
        [only] => groups.push(Cond::Test(*only)),
        several => groups.push(Cond::Tests { all, tests: several.into() }),
    };
    for part in parts {
        match part {
            Cond::Test(test) => tests.push(test),
            part => {
                close(&mut tests, &mut groups);
                tests.clear();
                groups.push(part);
            }
        }
    }
    close(&mut tests, &mut groups);
    match (groups.len(), all) {
        (1, _) => groups.swap_remove(0),
        (_, true) => Cond::And(groups.into_boxed_slice()),
        (_, false) => Cond::Or(groups.into_boxed_slice()),
    }
}
