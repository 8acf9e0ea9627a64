//! Over-approximates which state variables may be undefined in an instance.
//!
//! The parameterized system has no undefined values (they are arbitrary there), but a Murphi checker stops when it
//! reads one. Text that is fed back to such a checker must therefore ask `isundefined` first.

use crate::{PathStep, System, Term, Value, VariableId};

/// Which state variables may be undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definedness(Vec<bool>);

impl Definedness {
    /// The least solution of: a variable may be undefined if some update makes it arbitrary, or gives it the value of a
    /// variable that may be undefined. A rank is a number in every instance, and so are half of a parameter and a number that
    /// rules choose. What says where a part of a guard holds is always one of the truth values.
    #[must_use]
    pub fn of(system: &System) -> Self {
        let mut undefined = vec![false; system.variables.len()];
        let is_own: Vec<bool> = system
            .variables
            .iter()
            .map(|variable| {
                matches!(variable.path[..], [PathStep::Rank | PathStep::Number(_) | PathStep::Half(..)])
                    || matches!(variable.path.first(), Some(PathStep::Holds(_)))
            })
            .collect();
        let updates: Vec<_> = system
            .rules
            .iter()
            .flat_map(|rule| &rule.updates)
            .chain(system.startstates.iter().flat_map(|start| &start.updates))
            .collect();
        let repeats: Vec<_> = (0..).map(VariableId).take(undefined.len()).map(|id| system.repeats(id)).collect();
        loop {
            let mut changed = false;
            for (at, repeated) in repeats.iter().enumerate() {
                if let Some((of, ..)) = repeated {
                    changed |= undefined[at] != undefined[of.index()];
                    undefined[at] = undefined[of.index()];
                }
            }
            for update in updates.iter().filter(|update| repeats[update.variable.index()].is_none()) {
                let target = update.variable.index();
                if !undefined[target] && !is_own[target] && gives_undefined(&update.value, &undefined) {
                    undefined[target] = true;
                    changed = true;
                }
            }
            if !changed {
                return Self(undefined);
            }
        }
    }

    /// Whether this variable may be undefined.
    #[must_use]
    pub fn may_be_undefined(&self, variable: VariableId) -> bool {
        self.0[variable.index()]
    }
}

fn gives_undefined(value: &Value, undefined: &[bool]) -> bool {
    value.leaves().into_iter().any(|leaf| match leaf {
        None => true,
        Some(Term::Read(variable, _)) => undefined[variable.index()],
        Some(Term::Constant(_) | Term::Index(_) | Term::Zero) => false,
    })
}
