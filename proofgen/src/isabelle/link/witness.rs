//! A state after a transition, which shows that the relation between the states before and after is satisfiable.

use system::{Transition, Update, Value};

use super::super::definitions::code;
use super::super::print;
use super::super::term::{Binder, Infix, Term};
use super::super::translate::{self, Reader};
use super::Link;

impl Link<'_> {
    /// A state after a transition: the base, with the updated variables.
    pub(super) fn witness(&self, base: String, transition: &Transition) -> String {
        let names = self.source.words.scope(&transition.scope);
        let (system, words) = (self.source.system, self.source.words);
        let reader = Reader { system, words, scope: &transition.scope, names: &names, state: "s" };
        let updates = transition.updates.iter().map(|update| {
            let value = self.some_value(update, &update.value, reader);
            let value = if translate::is_truth_value(system, update.variable) {
                Term::call("truth_val", vec![value])
            } else {
                value
            };
            let bound = update.arguments.iter().map(|bound| names[bound.index()].clone()).collect::<Vec<_>>();
            let function = format!("at{}", bound.len());
            let value = if bound.is_empty() { value } else { Term::bind(Binder::Lambda, bound, value) };
            let term = Term::call(function, vec![value]);
            format!("{} := {}", print::term(&code(update.variable), 0, 0), print::term(&term, 0, 0))
        });
        let updates = updates.collect::<Vec<_>>();
        if updates.is_empty() { base } else { format!("{base}({})", updates.join(",\n      ")) }
    }

    /// A value that an update may assign.
    fn some_value(&self, update: &Update, value: &Value, reader: Reader<'_>) -> Term {
        match value {
            Value::If(condition, yes, no) => Term::conditional(
                reader.formula(condition),
                self.some_value(update, yes, reader),
                self.some_value(update, no, reader),
            ),
            Value::Arbitrary => {
                let sort = self.source.system.sort_of(update.variable);
                match (translate::is_boolean(sort), sort.index_types.first(), sort.constants.first()) {
                    (true, _, _) => Term::name("True"),
                    (false, Some(kind), _) => {
                        let element = &self.source.words.elements[kind.index()];
                        Term::call(element, vec![Term::Number(1)])
                    }
                    (false, None, Some(constant)) => Term::name(&self.source.words.constants[constant.index()]),
                    (false, None, None) => Term::name("true"),
                }
            }
            Value::Term(_) | Value::Sum(..) => {
                let target = Term::name("s");
                let assigned = reader.has_value(update.variable, &target, value);
                if let Term::Infix(Infix::Equal | Infix::Iff, _, value) = assigned { *value } else { assigned }
            }
        }
    }
}

/// Whether an update may leave any value.
pub(super) fn is_arbitrary(value: &Value) -> bool {
    match value {
        Value::Arbitrary => true,
        Value::If(_, yes, no) => is_arbitrary(yes) || is_arbitrary(no),
        Value::Term(_) | Value::Sum(..) => false,
    }
}
