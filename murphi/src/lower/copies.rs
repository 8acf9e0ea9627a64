//! Copies of variables that may be undefined.
//!
//! An undefined variable has an arbitrary value of its type, and a copy of it gets the same one. In a type that does not
//! have all of these values, the copy of another value is an error, but that of an undefined variable is not: it is
//! undefined, too. So where a variable may be undefined, and is copied into such a type, a value that does not fit becomes
//! an arbitrary one. Where it is never undefined, such a value is an error.
//!
//! Which variables may be undefined is known after all rules and startstates are lowered: those in which one of them stores
//! something undefined, and those to which such a variable is copied. If one of these was taken for defined, lowering
//! starts again. Of types that `isundefined` is used on, nothing of this is needed.

use std::collections::BTreeSet;

use super::universe::{Slot, Universe};
use system::{IndexVariableId, Term, Value, VariableId};

/// What is stored in state variables, and copied from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    /// State variables that an earlier attempt to lower the program found to be undefined at times.
    pub(super) undefined: BTreeSet<VariableId>,
    /// Those that were taken for defined.
    defined: BTreeSet<VariableId>,
    /// Those in which something undefined is stored.
    stored: BTreeSet<VariableId>,
    /// The pairs of state variables of which the first gets the value of the second.
    copied: BTreeSet<(VariableId, VariableId)>,
}

impl Copies {
    /// Returns whether values of the state variable that do not fit into a type may stand for an undefined one.
    pub(super) fn may_be_undefined(&mut self, variable: VariableId) -> bool {
        let undefined = self.undefined.contains(&variable);
        if !undefined {
            self.defined.insert(variable);
        }
        undefined
    }

    /// Returns the state variables that were taken for defined and may be undefined.
    pub(super) fn missed(&self) -> BTreeSet<VariableId> {
        let mut found = self.stored.clone();
        let mut known = 0;
        while found.len() > known {
            known = found.len();
            let reached = self.copied.iter().filter(|(_, from)| found.contains(from)).map(|(to, _)| *to);
            let reached: Vec<VariableId> = reached.collect();
            found.extend(reached);
        }
        self.defined.intersection(&found).copied().collect()
    }
}

impl Universe {
    /// Records what the updates of a rule or startstate leave in the state variables. The contents of slots are recorded where they
    /// are written: what is in a free slot is not undefined, although it may be anything.
    pub(super) fn note_results(&mut self, updates: &[(VariableId, Vec<IndexVariableId>, Value)]) {
        for (cell, _, value) in updates {
            if self.cells[cell.index()].slot != Slot::Content && self.repeated_by(*cell) == *cell {
                self.note_value(*cell, value);
            }
        }
    }

    /// Returns the state variable that one repeats at neighbours, or itself if it repeats none.
    pub(super) fn repeated_by(&self, variable: VariableId) -> VariableId {
        let of = self.repeats.iter().find(|(_, repeat)| **repeat == variable);
        of.map_or(variable, |((of, ..), _)| *of)
    }

    /// Records a value that is stored in the content of a slot.
    pub(super) fn note_content(&mut self, cell: VariableId, value: &Value) {
        if self.cells[cell.index()].slot == Slot::Content {
            self.note_value(cell, value);
        }
    }

    fn note_value(&mut self, cell: VariableId, value: &Value) {
        if cell.index() >= self.state_variables || self.is_parameter(cell) || self.chosen.contains(&cell) {
            return;
        }
        match value {
            Value::Arbitrary => {
                self.copies.stored.insert(cell);
            }
            // What a loop has left in a variable may be undefined.
            Value::Term(Term::Read(from, _)) if from.index() >= self.state_variables => {
                self.copies.stored.insert(cell);
            }
            Value::Term(Term::Read(from, _)) if self.repeated_by(*from) != cell => {
                let from = self.repeated_by(*from);
                self.copies.copied.insert((cell, from));
            }
            // A sum is computed, and what is computed is defined.
            Value::Term(_) | Value::Sum(..) => {}
            Value::If(_, yes, no) => {
                self.note_value(cell, yes);
                self.note_value(cell, no);
            }
        }
    }
}
