//! Decides which guards to evaluate in a state.
//!
//! For each state, it returns a few rule instances, including all that are enabled and all whose guards lead to an
//! error. Each guard that starts with comparisons of single scalars with constants is indexed under one of these
//! comparisons, so that the codes of a few scalars determine which guards can hold.
//!
//! A comparison other than the first can only be used if those before it cannot read an undefined scalar. The scalars
//! that were undefined in some earlier state are remembered; if a state has a new one, the index is rebuilt.

use super::Machine;
use super::code::{Cond, Test};
use super::layout::{ScalarKind, Slot};

/// Scalars with more codes than this are not used for indexing.
const MAX_CODES: u64 = 1024;

/// Finds the guards to evaluate.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// For each word of the state, the bits below the top bits of its scalars, and these top bits; flags are left out.
    fields: Vec<(u64, u64)>,
    /// For each word, the top bits of scalars that were undefined in some state.
    undefined: Vec<u64>,
    keys: Vec<Key>,
    /// Guards that are always evaluated, as a bit set.
    always: Vec<u64>,
    /// The result, as a bit set.
    found: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Key {
    word: u32,
    shift: u32,
    mask: u64,
    /// For each code, the rule instances as a bit set by words: the position of each word and its bits.
    rules: Vec<Box<[(u32, u64)]>>,
}

impl Dispatch {
    pub(super) fn new(machine: &Machine) -> Self {
        let layout = machine.layout();
        let mut fields = vec![(0, 0); layout.words()];
        for (scalar, slot) in layout.scalars().iter().zip(&layout.slots) {
            if matches!(scalar.kind, ScalarKind::Value(..)) {
                let top = (slot.mask + 1) >> 1;
                let (below, tops): &mut (u64, u64) = &mut fields[slot.word as usize];
                *below |= (slot.mask ^ top) << slot.shift;
                *tops |= top << slot.shift;
            }
        }
        let words = machine.rules().len().div_ceil(64);
        let mut dispatch = Self {
            undefined: vec![0; fields.len()],
            fields,
            keys: Vec::new(),
            always: vec![0; words],
            found: vec![0; words],
        };
        dispatch.file(machine);
        dispatch
    }

    /// Selects the guards for a state.
    #[inline]
    pub fn find(&mut self, machine: &Machine, state: &[u64]) {
        self.look(machine, state);
        self.found.copy_from_slice(&self.always);
        for key in &self.keys {
            let code = (state[key.word as usize] >> key.shift) & key.mask;
            for &(word, bits) in &key.rules[usize::try_from(code).unwrap_or(0)] {
                self.found[word as usize] |= bits;
            }
        }
    }

    /// Returns the rule instances whose guards need evaluation in the last selected state, in ascending order.
    pub fn found(&self) -> impl Iterator<Item = usize> + '_ {
        self.found.iter().enumerate().flat_map(|(word, &bits)| Bits(bits).map(move |bit| word * 64 + bit))
    }

    /// Rebuilds the index if the state has an undefined scalar that was defined in all earlier states.
    #[inline]
    fn look(&mut self, machine: &Machine, state: &[u64]) {
        let mut new = 0;
        for ((&word, &(below, tops)), undefined) in state.iter().zip(&self.fields).zip(&mut self.undefined) {
            // The sum carries into the top bit of each nonzero field, and into no other field.
            let here = !(((word & below) + below) | word) & tops;
            new |= here & !*undefined;
            *undefined |= here;
        }
        if new != 0 {
            self.file(machine);
        }
    }

    fn file(&mut self, machine: &Machine) {
        let words = self.always.len();
        self.keys.clear();
        self.always.fill(0);
        let mut tables: Vec<(Test, Vec<Vec<u64>>)> = Vec::new();
        for (rule, instance) in machine.rules().iter().enumerate() {
            if matches!(instance.guard, Cond::Const(false)) {
                continue;
            }
            let Some(test) = self.key(&instance.guard) else {
                self.always[rule / 64] |= 1 << (rule % 64);
                continue;
            };
            let known = tables.iter().position(|(key, _)| (key.word, key.mask) == (test.word, test.mask));
            let at = known.unwrap_or_else(|| {
                let codes = usize::try_from(test.mask >> test.mask.trailing_zeros()).unwrap_or(0) + 1;
                tables.push((test, vec![vec![0; words]; codes]));
                tables.len() - 1
            });
            let wanted = usize::try_from(test.bits >> test.mask.trailing_zeros()).unwrap_or(0);
            for (code, rules) in tables[at].1.iter_mut().enumerate() {
                if code == 0 || (code == wanted) == test.equal {
                    rules[rule / 64] |= 1 << (rule % 64);
                }
            }
        }
        self.keys = tables.into_iter().map(|(test, rules)| Key::new(test, rules)).collect();
    }

    /// Returns the comparison that a guard is indexed under.
    fn key(&self, guard: &Cond) -> Option<Test> {
        let mut best: Option<Test> = None;
        let alone = std::slice::from_ref(guard);
        let parts = if let Cond::And(parts) = guard { parts } else { alone };
        for part in parts {
            let tests: &[Test] = if let Cond::Test(test) = part {
                std::slice::from_ref(test)
            } else if let Cond::Tests { all: true, tests } = part {
                tests
            } else if matches!(part, Cond::Slots { left, right, .. } if self.is_defined(*left) && self.is_defined(*right))
            {
                &[]
            } else {
                break;
            };
            for test in tests {
                let small =
                    (test.word as usize) < self.fields.len() && test.mask >> test.mask.trailing_zeros() <= MAX_CODES;
                let rank = |test: &Test| (test.equal, test.mask.count_ones());
                if small && best.as_ref().is_none_or(|best| rank(test) > rank(best)) {
                    best = Some(*test);
                }
                if !self.always_defined(test.word, test.mask) {
                    return best;
                }
            }
        }
        best
    }

    fn is_defined(&self, slot: Slot) -> bool {
        self.always_defined(slot.word, slot.mask << slot.shift)
    }

    /// Returns whether the scalar with these bits was defined in all states so far. Local variables never count as
    /// defined.
    fn always_defined(&self, word: u32, mask: u64) -> bool {
        self.undefined.get(word as usize).is_some_and(|undefined| undefined & mask == 0)
    }
}

/// Returns the positions of the set bits, in ascending order.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

impl Key {
    fn new(test: Test, rules: Vec<Vec<u64>>) -> Self {
        let sparse = |words: Vec<u64>| (0..).zip(words).filter(|(_, bits)| *bits != 0).collect();
        let shift = test.mask.trailing_zeros();
        Self { word: test.word, shift, mask: test.mask >> shift, rules: rules.into_iter().map(sparse).collect() }
    }
}
