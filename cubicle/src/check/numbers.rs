//! Numbers and sums of them.
//!
//! A sum is a number, or the value of one variable to which a number or a multiple of a constant is added.

use system::NUMBER_LIMIT;
use system::front_end::Span;

use super::{Checked, Checker, Fault, Scope};
use crate::program::{Added, Process, Term, TypeId, Values, VariableId};
use crate::syntax::tree::{self, Summand, TermKind};

/// A sum of multiples of variables, and a number.
#[derive(Default)]
struct Linear {
    terms: Vec<(VariableId, Vec<Process>, i64)>,
    number: i64,
    is_real: bool,
}

impl Checker<'_> {
    /// Returns the type with this name, if it is one of numbers. Its first use declares it.
    pub(super) fn number_type(&mut self, name: &str) -> Option<TypeId> {
        let values = match name {
            "int" => Values::Integers,
            "real" => Values::Reals,
            _ => return None,
        };
        let known = self.type_ids.get(name).copied();
        Some(known.unwrap_or_else(|| self.add_type(name, values, Span::default())))
    }

    /// Checks a number that stands for itself.
    pub(super) fn literal(&mut self, text: &str, span: Span) -> Checked<Term> {
        let (number, is_real) = self.parsed(text, span)?;
        self.value_of(number, is_real)
    }

    fn value_of(&mut self, number: i64, is_real: bool) -> Checked<Term> {
        let ty = self.number_type(if is_real { "real" } else { "int" }).ok_or(super::Recorded)?;
        self.mentioned.values.push((ty, number));
        Ok(Term::Number(ty, number))
    }

    /// Returns the value of digits, and whether they have a fraction, which must be 0.
    fn parsed(&mut self, text: &str, span: Span) -> Checked<(i64, bool)> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if fraction.bytes().any(|digit| digit != b'0') {
            return self.fault(&Fault::Number { reason: "a real number has to be whole" }, span);
        }
        match whole.parse::<i64>() {
            Ok(number) if number <= NUMBER_LIMIT => Ok((number, text.contains('.'))),
            Ok(_) | Err(_) => self.fault(&Fault::Number { reason: "it is too large" }, span),
        }
    }

    pub(super) fn sum(&mut self, scope: &Scope, summands: &[Summand], span: Span) -> Checked<Term> {
        let mut sum = Linear::default();
        for summand in summands {
            self.add(scope, summand, &mut sum)?;
        }
        let too_large = sum.terms.iter().map(|(_, _, times)| *times).chain([sum.number]);
        if too_large.map(i64::unsigned_abs).any(|number| number > NUMBER_LIMIT.unsigned_abs()) {
            return self.fault(&Fault::Number { reason: "it is too large" }, span);
        }
        sum.terms.retain(|(_, _, times)| *times != 0);
        // What is added is a constant.
        sum.terms.sort_by_key(|(variable, _, times)| (self.all_variables[variable.0].is_constant, *times != 1));
        if let [(one, ..), (other, ..)] = &sum.terms[..] {
            let [left, right] = [one, other].map(|own| Term::Read(*own, Vec::new()));
            self.same_type(&left, &right, span)?;
        }
        match &sum.terms[..] {
            [] => self.value_of(sum.number, sum.is_real),
            [(variable, indices, 1)] if sum.number == 0 => Ok(Term::Read(*variable, indices.clone())),
            [(variable, indices, 1)] => {
                self.mentioned.added = self.mentioned.added.max(sum.number.abs());
                Ok(Term::Sum(*variable, indices.clone(), Added::Number(sum.number)))
            }
            [(variable, indices, 1), (constant, _, times)]
                if sum.number == 0 && self.all_variables[constant.0].is_constant =>
            {
                self.mentioned.added = self.mentioned.added.max(times.abs());
                Ok(Term::Sum(*variable, indices.clone(), Added::Constant(*constant, *times)))
            }
            _ => {
                let reason = "a sum is a variable, and a number or a multiple of a constant that is added to it";
                self.fault(&Fault::Number { reason }, span)
            }
        }
    }

    /// Adds a product to a sum.
    fn add(&mut self, scope: &Scope, summand: &Summand, sum: &mut Linear) -> Checked<()> {
        let mut times = if summand.is_negative { -1_i64 } else { 1 };
        let mut variable: Option<(&tree::Term, Term)> = None;
        for factor in &summand.factors {
            if let TermKind::Number(text) = &factor.kind {
                let (number, is_real) = self.parsed(text, factor.span)?;
                sum.is_real |= is_real;
                times = times.saturating_mul(number);
                continue;
            }
            let term = self.term(scope, factor)?;
            if variable.replace((factor, term)).is_some() {
                return self.fault(&Fault::Number { reason: "a product has at most one variable" }, factor.span);
            }
        }
        let mut read = |variable: VariableId, indices: &Vec<Process>, times: i64| match sum
            .terms
            .iter_mut()
            .find(|(own, at, _)| *own == variable && at == indices)
        {
            Some((_, _, known)) => *known = known.saturating_add(times),
            None => sum.terms.push((variable, indices.clone(), times)),
        };
        match variable {
            None => sum.number = sum.number.saturating_add(times),
            Some((_, Term::Number(ty, number))) => {
                sum.is_real |= self.types[ty.0].values == Values::Reals;
                sum.number = sum.number.saturating_add(times.saturating_mul(number));
            }
            Some((_, Term::Sum(variable, indices, added))) => {
                read(variable, &indices, times);
                match added {
                    Added::Number(number) => sum.number = sum.number.saturating_add(times.saturating_mul(number)),
                    Added::Constant(constant, own) => read(constant, &Vec::new(), times.saturating_mul(own)),
                }
            }
            Some((_, Term::Read(variable, indices)))
                if self.types[self.all_variables[variable.0].ty.0].values.are_numbers() =>
            {
                read(variable, &indices, times);
            }
            Some((factor, Term::Value(..) | Term::Process(_) | Term::Read(..))) => {
                return self.fault(&Fault::Number { reason: "only numbers are added" }, factor.span);
            }
        }
        Ok(())
    }
}
