//! How many ways lead through a rule: what its obligations multiply with.
//!
//! Each disjunct of the guard, combined with each way to a value of an updated state variable, is a branch of some obligation.

use system::{Formula, Transition, Value};

/// Returns the number of disjuncts of the guard, times the largest number of ways to the value of one state variable.
pub(super) fn width(transition: &Transition) -> u64 {
    let update = transition.updates.iter().map(|update| of_value(&update.value)).max().unwrap_or(1);
    of_formula(&transition.guard, true).saturating_mul(update)
}

fn of_value(value: &Value) -> u64 {
    match value {
        Value::If(condition, yes, no) => {
            let yes = of_formula(condition, true).saturating_mul(of_value(yes));
            yes.saturating_add(of_formula(condition, false).saturating_mul(of_value(no)))
        }
        Value::Arbitrary | Value::Term(_) | Value::Sum(..) => 1,
    }
}

/// Returns the number of disjuncts of a formula or of its negation.
fn of_formula(formula: &Formula, positive: bool) -> u64 {
    let parts = |parts: &[Formula], conjunctive: bool| {
        let widths = parts.iter().map(|part| of_formula(part, positive));
        if conjunctive { widths.fold(1, u64::saturating_mul) } else { widths.fold(0, u64::saturating_add) }
    };
    match formula {
        Formula::True => u64::from(positive),
        Formula::False => u64::from(!positive),
        Formula::Equal(..) | Formula::AtMost(..) | Formula::Forall(..) | Formula::Exists(..) => 1,
        Formula::Not(inner) => of_formula(inner, !positive),
        Formula::And(all) => parts(all, positive),
        Formula::Or(any) => parts(any, !positive),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::{ConstantId, Term, Update, VariableId};

    #[test]
    fn ways_through_conjunctions_multiply_and_those_through_disjunctions_add_up() {
        let is = |constant| Formula::Equal(Term::Read(VariableId(0), Vec::new()), Term::Constant(ConstantId(constant)));
        let either = Formula::Or(vec![is(0), is(1), is(2)]);
        let value = |constant| Box::new(Value::Term(Term::Constant(ConstantId(constant))));
        let both = Formula::And(vec![either.clone(), Formula::Not(Box::new(either.clone()))]);
        assert_eq!((of_formula(&both, true), of_formula(&both, false)), (3, 4));
        let chosen = Value::If(either.clone(), value(0), Box::new(Value::If(is(3), value(1), value(2))));
        let update = Update { variable: VariableId(0), arguments: Vec::new(), value: chosen };
        let wide = Transition { guard: both, updates: vec![update], ..Transition::SKIP };
        // Three ways to the first value, and one to each of the others.
        assert_eq!(width(&wide), 3 * 5);
        assert_eq!(width(&Transition::SKIP), 1);
    }
}
