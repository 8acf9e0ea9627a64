//! Evaluates expressions over the abstract state in the states of a trace.
//!
//! The result is a truth value, or that the expression reads something undefined. It only guides the choice of
//! strengthenings; the chosen ones are checked by exploration.

use std::collections::BTreeMap;

use super::space::Space;
use system::notation::{Expression, Quantifier};

/// A state, by the names of its scalars.
pub(crate) type State = BTreeMap<String, String>;

/// Evaluates in one state.
pub(crate) struct Evaluator<'a> {
    state: &'a State,
    /// Parameters, bound variables, and names of elements.
    names: BTreeMap<String, String>,
    domains: BTreeMap<String, Vec<String>>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(space: &Space<'_>, state: &'a State, parameters: &[(String, String)]) -> Self {
        let mut names: BTreeMap<String, String> = parameters.iter().cloned().collect();
        let mut domains = BTreeMap::new();
        for (index_type, shown) in space.system.index_types.iter().zip(&space.types) {
            for (number, name) in (shown.first..).zip(&shown.named) {
                names.insert(name.clone(), number.to_string());
            }
            let last = if shown.abstracted {
                names.insert(shown.other.clone(), shown.other_number().to_string());
                if let Some(nobody) = &shown.nobody {
                    names.insert(nobody.clone(), shown.nobody_number().to_string());
                }
                shown.other_number()
            } else {
                shown.first + i64::from(index_type.size)
            };
            let values = (shown.first..last).map(|number| number.to_string());
            domains.insert(shown.name.clone(), values.collect());
        }
        Self { state, names, domains }
    }

    /// The truth of an expression; none where something undefined or unknown is asked for.
    pub(crate) fn holds(&mut self, expression: &Expression) -> Option<bool> {
        match expression {
            Expression::Equal(left, right) => self.equal(left, right),
            Expression::Unequal(left, right) => self.equal(left, right).map(|equal| !equal),
            Expression::Not(part) => self.holds(part).map(|truth| !truth),
            Expression::And(parts) => {
                for part in parts {
                    if !self.holds(part)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Expression::Or(parts) => {
                for part in parts {
                    if self.holds(part)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Expression::Implies(left, right) => {
                if self.holds(left)? {
                    self.holds(right)
                } else {
                    Some(true)
                }
            }
            Expression::Quantified(quantifier, variable, over, body) => {
                let wanted = *quantifier == Quantifier::Exists;
                let before = self.names.get(variable).cloned();
                let mut result = Some(!wanted);
                for value in self.domains.get(over).cloned()? {
                    self.names.insert(variable.clone(), value);
                    let truth = self.holds(body);
                    if truth != Some(!wanted) {
                        result = truth;
                        break;
                    }
                }
                match before {
                    Some(value) => self.names.insert(variable.clone(), value),
                    None => self.names.remove(variable),
                };
                result
            }
            Expression::IsUndefined(part) => Some(self.text(part)? == UNDEFINED),
            // A protocol with numbers is refused.
            Expression::Ordered(..) | Expression::Sum(..) => None,
            Expression::Name(_) | Expression::Field(..) | Expression::Element(..) => {
                Some(self.text(expression)? == "true")
            }
        }
    }

    fn equal(&self, left: &Expression, right: &Expression) -> Option<bool> {
        let (left, right) = (self.text(left)?, self.text(right)?);
        (left != UNDEFINED && right != UNDEFINED).then_some(left == right)
    }

    /// The text of a value.
    fn text(&self, expression: &Expression) -> Option<String> {
        if let Expression::Name(name) = expression {
            let known = self.names.get(name).or_else(|| self.state.get(name));
            return Some(known.unwrap_or(name).clone());
        }
        self.state.get(&self.path(expression)?).cloned()
    }

    fn path(&self, expression: &Expression) -> Option<String> {
        match expression {
            Expression::Name(name) => Some(name.clone()),
            Expression::Field(record, field) => Some(format!("{}.{field}", self.path(record)?)),
            Expression::Element(array, index) => Some(format!("{}[{}]", self.path(array)?, self.text(index)?)),
            Expression::IsUndefined(_)
            | Expression::Equal(..)
            | Expression::Unequal(..)
            | Expression::Ordered(..)
            | Expression::Sum(..)
            | Expression::Not(_)
            | Expression::And(_)
            | Expression::Or(_)
            | Expression::Implies(..)
            | Expression::Quantified(..) => None,
        }
    }
}

/// How traces show that a scalar is undefined.
const UNDEFINED: &str = "Undefined";
