//! The set of visited states, exact and compact.
//!
//! Each packed state gets a position, in insertion order. States are stored consecutively in chunks of bytes, so that
//! growing copies nothing; an open-addressing table of 32-bit entries finds them. The bits of an entry that its
//! position does not need hold a part of the hash, so that most mismatches are detected without reading the state. No
//! state is ever lost, and no two states are confused.

use std::hint::black_box;

/// The number of states in a chunk.
const CHUNK: usize = 1 << 14;
/// The table grows when more than this many of 8 entries are taken.
const LOAD: usize = 6;
/// The number of states that are reinserted together.
const TOGETHER: usize = 128;
/// The smallest number of entries.
const LEAST: usize = 1 << 12;

/// A state's position.
pub(super) type StateId = u32;

#[derive(Debug)]
pub(super) struct Store {
    words: usize,
    bytes: usize,
    last: u64,
    chunks: Vec<Box<[u8]>>,
    len: usize,
    table: Vec<u32>,
    /// The number of low bits of an entry that hold the position plus one.
    id_bits: u32,
}

impl Store {
    /// Creates a set of states with the given number of words, of which only the given number of leading bytes matter.
    pub(super) fn new(words: usize, bytes: usize) -> Self {
        let rest = bytes - 8 * (words - 1);
        let last = if rest >= 8 { u64::MAX } else { (1 << (8 * rest)) - 1 };
        let mut store = Self { words, bytes, last, chunks: Vec::new(), len: 0, table: Vec::new(), id_bits: 0 };
        store.resize(LEAST);
        store
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of bytes used by the states and the table.
    pub(super) fn memory(&self) -> usize {
        self.chunks.len() * (CHUNK * self.bytes + 8) + self.table.len() * 4
    }

    /// Returns whether there is room for another state.
    pub(super) fn is_full(&self) -> bool {
        self.len >= (1 << 31)
    }

    pub(super) fn hash(state: &[u64]) -> u64 {
        let mut hash = 0x9E37_79B9_7F4A_7C15_u64;
        for &word in state {
            hash = folded(hash ^ word, 0xD6E8_FEB8_6659_FD93);
        }
        folded(hash, 0xA076_1D64_78BD_642F)
    }

    /// Returns the entry where the search for a state with this hash begins; reading it early brings it into the cache.
    #[inline]
    pub(super) fn first_entry(&self, hash: u64) -> u32 {
        self.table[self.slot(hash)]
    }

    /// Returns a byte of an entry's state; reading it early brings it into the cache.
    #[inline]
    pub(super) fn touch(&self, entry: u32, hash: u64) -> u8 {
        let id = (entry & self.id_mask()) as usize;
        if id == 0 || entry >> self.id_bits != self.tag(hash) {
            return 0;
        }
        self.chunks[(id - 1) / CHUNK][(id - 1) % CHUNK * self.bytes]
    }

    /// Inserts a state; returns its position, and whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, state: &[u64], hash: u64) -> (StateId, bool) {
        let tag = self.tag(hash);
        let mask = self.table.len() - 1;
        let mut at = self.slot(hash);
        loop {
            let entry = self.table[at];
            if entry == 0 {
                break;
            }
            let id = (entry & self.id_mask()) - 1;
            if entry >> self.id_bits == tag && self.is(id, state) {
                return (id, false);
            }
            at = (at + 1) & mask;
        }
        let id = u32::try_from(self.len).unwrap_or(u32::MAX);
        self.table[at] = if self.id_bits == 32 { id + 1 } else { tag << self.id_bits | (id + 1) };
        self.push(state);
        if self.len * 8 > self.table.len() * LOAD {
            self.resize(self.table.len() * 2);
        }
        (id, true)
    }

    /// Returns the position of a state, if it is in the set.
    pub(super) fn find(&self, state: &[u64]) -> Option<StateId> {
        let hash = Self::hash(state);
        let tag = self.tag(hash);
        let mut at = self.slot(hash);
        loop {
            let entry = self.table[at];
            if entry == 0 {
                return None;
            }
            let id = (entry & self.id_mask()) - 1;
            if entry >> self.id_bits == tag && self.is(id, state) {
                return Some(id);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    /// Unpacks a state.
    #[inline]
    pub(super) fn load(&self, id: StateId, state: &mut [u64]) {
        let (chunk, start) = self.place(id);
        for (word, at) in state.iter_mut().zip((start..).step_by(8)) {
            *word = word_at(chunk, at);
        }
        state[self.words - 1] &= self.last;
    }

    fn is(&self, id: StateId, state: &[u64]) -> bool {
        let (chunk, start) = self.place(id);
        let (last, front) = match state.split_last() {
            Some(parts) => parts,
            None => return true,
        };
        front.iter().zip((start..).step_by(8)).all(|(word, at)| *word == word_at(chunk, at))
            && *last == word_at(chunk, start + 8 * front.len()) & self.last
    }

    fn place(&self, id: StateId) -> (&[u8], usize) {
        let id = id as usize;
        (&self.chunks[id / CHUNK], id % CHUNK * self.bytes)
    }

    fn push(&mut self, state: &[u64]) {
        if self.len.is_multiple_of(CHUNK) {
            // Eight extra bytes allow reading the last state word by word.
            self.chunks.push(vec![0; CHUNK * self.bytes + 8].into_boxed_slice());
        }
        let start = self.len % CHUNK * self.bytes;
        if let Some(chunk) = self.chunks.last_mut() {
            let target = &mut chunk[start..start + self.bytes];
            for (bytes, word) in target.chunks_mut(8).zip(state) {
                bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
            }
        }
        self.len += 1;
    }

    fn resize(&mut self, entries: usize) {
        self.id_bits = entries.trailing_zeros().min(32);
        self.table = Vec::new();
        self.table = vec![0; entries];
        let mut state = vec![0; self.words];
        let mut hashes = Vec::with_capacity(TOGETHER);
        for first in (0..self.len).step_by(TOGETHER) {
            hashes.clear();
            let mut seen = 0;
            for id in first..self.len.min(first + TOGETHER) {
                self.load(u32::try_from(id).unwrap_or(u32::MAX), &mut state);
                let hash = Self::hash(&state);
                // Reading these entries together brings them into the cache.
                seen ^= self.table[self.slot(hash)];
                hashes.push(hash);
            }
            black_box(seen);
            for (id, &hash) in (first..).zip(&hashes) {
                self.place_entry(u32::try_from(id).unwrap_or(u32::MAX), hash);
            }
        }
    }

    fn place_entry(&mut self, id: StateId, hash: u64) {
        let mask = self.table.len() - 1;
        let mut at = self.slot(hash);
        while self.table[at] != 0 {
            at = (at + 1) & mask;
        }
        self.table[at] = if self.id_bits == 32 { id + 1 } else { self.tag(hash) << self.id_bits | (id + 1) };
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        usize::try_from(hash & (self.table.len() as u64 - 1)).unwrap_or(0)
    }

    #[inline]
    fn id_mask(&self) -> u32 {
        u32::MAX >> (32 - self.id_bits)
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        u32::try_from((hash >> 32) >> self.id_bits).unwrap_or(0)
    }
}

#[inline]
fn word_at(chunk: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&chunk[at..at + 8]);
    u64::from_le_bytes(bytes)
}

/// Multiplies two words and adds the halves of the product without carry.
#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let low = u64::try_from(product & u128::from(u64::MAX)).unwrap_or(0);
    let high = u64::try_from(product >> 64).unwrap_or(0);
    low ^ high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_gets_one_position_and_comes_back_as_it_was() {
        for (words, bytes) in [(1, 3), (2, 9), (2, 16), (3, 20)] {
            let mut store = Store::new(words, bytes);
            let state = |number: u64| {
                let mut state = vec![0; words];
                if words > 1 {
                    state[words - 1] = number % 251;
                }
                state[0] = number & 0xFF_FFFF;
                state
            };
            for round in 0..2 {
                for number in 0..20_000_u64 {
                    let words = state(number);
                    let (id, new) = store.insert(&words, Store::hash(&words));
                    assert_eq!(new, round == 0, "words {words:?}");
                    assert_eq!(u64::from(id), number);
                    assert_eq!(store.find(&words), Some(id));
                }
            }
            let mut back = vec![0; words];
            for number in 0..20_000_u32 {
                store.load(number, &mut back);
                assert_eq!(back, state(u64::from(number)));
            }
            assert_eq!(store.find(&state(20_001)), None);
            assert_eq!(store.len(), 20_000);
        }
    }
}
