//! Permutations of the elements of symmetric types, and the choice of one representative per orbit of states.
//!
//! A state has the same representative as its permutations.
//!
//! Each element gets a *signature*, a sum of hashes over the scalars that are indexed by it or point to it, in which
//! other elements count as just 'another one'. Permuting the state permutes the signatures. So elements are sorted by
//! signature, and only elements with equal signatures are tried in all orders; the least state is the representative
//! (Ip and Dill, "Better verification through symmetry", 1996, section 5). Elements that can be swapped without any
//! effect are not tried. A hash collision costs time but never gives a wrong result.

use std::collections::{BTreeMap, BTreeSet};

use crate::exec::{Machine, PathPart, ScalarKind};
use crate::lower::Lowered;
use crate::order;
use crate::program::{Program, TypeId, TypeKind};
use system::{IndexTypeId, NamedId};

use super::store::Store;

/// The number of orders tried for one state; if there are more, its orbit may keep several representatives.
const MAX_ORDERS: usize = 5040;
/// Scalars with more values than this do not contribute to signatures.
const MAX_TABLE: u64 = 1024;

/// Types whose elements may be permuted together, except for some that keep their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permuted {
    /// The types; a value denotes the same element in each of them.
    pub types: Vec<TypeId>,
    /// The numbers of the elements that stay in place, see [`crate::exec::Values`].
    pub fixed: Vec<i64>,
}

impl Permuted {
    /// Returns all scalarsets of a program, except those whose order may matter to it: an instance runs a loop in one
    /// order, so that its effect on a permuted state may differ from the permutation of its effect.
    #[must_use]
    pub fn scalarsets(program: &Program) -> Vec<Self> {
        let ordered = order::ordered(program);
        let types = (0..).map(TypeId).zip(&program.types);
        types
            .filter(|(id, ty)| matches!(ty.kind, TypeKind::Scalarset(_)) && !ordered.contains_key(id))
            .map(|(id, _)| Self { types: vec![id], fixed: Vec::new() })
            .collect()
    }

    /// Returns the index types that lowering found, scalarsets and ranges, with the elements written as numbers fixed.
    /// Types whose order matters are left out.
    #[must_use]
    pub fn lowered(lowered: &Lowered) -> Vec<Self> {
        let homes: BTreeSet<NamedId> = lowered.homes.values().copied().collect();
        (0..)
            .map(IndexTypeId)
            .zip(&lowered.system.index_types)
            .filter(|(id, _)| lowered.system.rank(*id).is_none())
            .filter(|(id, _)| !lowered.ordered.keys().any(|ty| lowered.types.get(ty) == Some(id)))
            .map(|(id, index_type)| {
                let types = lowered.types.iter().filter(|(_, of)| **of == id).map(|(ty, _)| *ty).collect();
                let named = (0..).map(NamedId).zip(&lowered.system.named);
                let fixed = named
                    .filter(|(named, element)| element.index_type == id && !homes.contains(named))
                    .map(|(_, element)| index_type.first + i64::from(element.position))
                    .collect();
                Self { types, fixed }
            })
            .collect()
    }
}

/// Everything about permutations that does not depend on a state.
#[derive(Debug)]
pub(super) struct Symmetry {
    /// The movable elements, class by class, by their numbers.
    elements: Vec<i64>,
    /// The range of `elements` for each class.
    classes: Vec<std::ops::Range<usize>>,
    /// The scalars that a permutation moves or changes.
    moved: Vec<Moved>,
    /// For each entry of `moved` and each code, the position of its contributions to signatures.
    spans: Vec<(u32, u32)>,
    contributions: Vec<(u32, u64)>,
    pointers: Vec<Pointer>,
}

#[derive(Debug)]
struct Moved {
    scalar: usize,
    /// The elements among the indices, each with the distance between consecutive elements.
    indices: Vec<(u32, i64)>,
    /// A position in `pointers`, if the values are elements.
    pointer: Option<u32>,
    /// The first of its entries in `spans`, or `None` if it does not contribute.
    first_span: Option<u32>,
}

/// How a domain encodes elements.
#[derive(Debug)]
struct Pointer {
    /// For each code the element, or `NONE`.
    element: Vec<u32>,
    /// For each element its code, or 0.
    code: Vec<u64>,
}

const NONE: u32 = u32::MAX;

/// Memory for canonicalization.
#[derive(Debug)]
pub(super) struct Workspace {
    signatures: Vec<u64>,
    order: Vec<u32>,
    map: Vec<u32>,
    base: Vec<u64>,
    attempt: Vec<u64>,
    best: Vec<u64>,
}

/// The largest domain for which there is a table of elements: that of a scalarset is never larger.
const MAX_POINTER: u64 = 1 << 25;

/// Returns whether there are tables for all variables that hold elements of these types. An unordered type in a union
/// with a range of billions of values has none, and is not permuted.
fn has_tables(machine: &Machine, class: &Permuted) -> bool {
    machine.layout().scalars().iter().all(|scalar| match &scalar.kind {
        ScalarKind::Present => true,
        ScalarKind::Value(_, domain) => {
            domain.size() <= MAX_POINTER || !domain.segments().iter().any(|segment| class.types.contains(&segment.ty))
        }
    })
}

impl Symmetry {
    pub(super) fn new(machine: &Machine, permuted: &[Permuted]) -> Self {
        let mut symmetry = Self {
            elements: Vec::new(),
            classes: Vec::new(),
            moved: Vec::new(),
            spans: Vec::new(),
            contributions: Vec::new(),
            pointers: Vec::new(),
        };
        let element_of = symmetry.find_elements(machine, permuted);
        symmetry.find_moved(machine, &element_of);
        symmetry.find_contributions(machine);
        symmetry
    }

    /// Lists the movable elements; returns the element for each type and value.
    fn find_elements(&mut self, machine: &Machine, permuted: &[Permuted]) -> BTreeMap<(TypeId, i64), u32> {
        let mut element_of = BTreeMap::new();
        for class in permuted.iter().filter(|class| has_tables(machine, class)) {
            let first = self.elements.len();
            let domains = class.types.iter().filter_map(|ty| machine.values().domain(*ty));
            let values: BTreeSet<i64> = domains.flat_map(|domain| domain.values()).collect();
            self.elements.extend(values.into_iter().filter(|value| !class.fixed.contains(value)));
            for (position, &value) in self.elements.iter().enumerate().skip(first) {
                for &ty in &class.types {
                    element_of.insert((ty, value), u32::try_from(position).unwrap_or(NONE));
                }
            }
            self.classes.push(first..self.elements.len());
        }
        element_of
    }

    fn find_moved(&mut self, machine: &Machine, element_of: &BTreeMap<(TypeId, i64), u32>) {
        let layout = machine.layout();
        let paths = layout.paths(machine.program(), machine.values());
        let mut known_pointers: BTreeMap<TypeId, Option<u32>> = BTreeMap::new();
        for (scalar, path) in paths.iter().enumerate() {
            let mut indices = Vec::new();
            for part in path {
                if let PathPart::Index { ty, value, stride } = part
                    && let Some(&element) = element_of.get(&(*ty, *value))
                {
                    indices.push((element, i64::try_from(*stride).unwrap_or(0)));
                }
            }
            let pointer = match &layout.scalars()[scalar].kind {
                ScalarKind::Present => None,
                ScalarKind::Value(ty, _) => {
                    *known_pointers.entry(*ty).or_insert_with(|| self.pointer(machine, *ty, element_of))
                }
            };
            if !indices.is_empty() || pointer.is_some() {
                self.moved.push(Moved { scalar, indices, pointer, first_span: None });
            }
        }
    }

    fn pointer(&mut self, machine: &Machine, ty: TypeId, element_of: &BTreeMap<(TypeId, i64), u32>) -> Option<u32> {
        let domain = machine.values().domain(ty)?;
        let has_element = |ty: TypeId| element_of.range((ty, i64::MIN)..=(ty, i64::MAX)).next().is_some();
        if !domain.segments().iter().any(|segment| has_element(segment.ty)) {
            return None;
        }
        let mut pointer = Pointer { element: vec![NONE], code: vec![0; self.elements.len()] };
        let mut code = 0;
        for segment in domain.segments() {
            for offset in 0..segment.count {
                code += 1;
                let value = segment.first.saturating_add_unsigned(offset);
                let element = element_of.get(&(segment.ty, value)).copied().unwrap_or(NONE);
                pointer.element.push(element);
                if element != NONE {
                    pointer.code[element as usize] = code;
                }
            }
        }
        self.pointers.push(pointer);
        u32::try_from(self.pointers.len() - 1).ok()
    }

    /// Computes the contribution of each value of each scalar to the signatures of elements.
    fn find_contributions(&mut self, machine: &Machine) {
        let layout = machine.layout();
        let paths = layout.paths(machine.program(), machine.values());
        let mut groups: BTreeMap<Vec<PathPart>, u64> = BTreeMap::new();
        for position in 0..self.moved.len() {
            let scalar = self.moved[position].scalar;
            let next = groups.len() as u64;
            let group = *groups.entry(self.abstracted(&paths[scalar])).or_insert(next);
            let size = match &layout.scalars()[scalar].kind {
                ScalarKind::Present => 1,
                ScalarKind::Value(_, domain) => domain.size(),
            };
            if size > MAX_TABLE {
                continue;
            }
            self.moved[position].first_span = u32::try_from(self.spans.len()).ok();
            for code in 0..=size {
                let start = u32::try_from(self.contributions.len()).unwrap_or(NONE);
                self.contribute(position, group, code);
                self.spans.push((start, u32::try_from(self.contributions.len()).unwrap_or(NONE)));
            }
        }
    }

    /// Returns the path without movable elements and multiset positions.
    fn abstracted(&self, path: &[PathPart]) -> Vec<PathPart> {
        path.iter()
            .map(|part| match part {
                PathPart::Index { ty, value, .. } if self.elements.contains(value) => {
                    PathPart::Index { ty: *ty, value: 0, stride: usize::MAX }
                }
                PathPart::Position { .. } => PathPart::Position { position: 0 },
                PathPart::Present(_) => PathPart::Present(0),
                PathPart::Index { .. } | PathPart::Name(_) => part.clone(),
            })
            .collect()
    }

    fn contribute(&mut self, position: usize, group: u64, code: u64) {
        let moved = &self.moved[position];
        let value = moved
            .pointer
            .and_then(|pointer| {
                let element = &self.pointers[pointer as usize].element;
                usize::try_from(code).ok().and_then(|code| element.get(code)).copied()
            })
            .unwrap_or(NONE);
        let mut touched: BTreeSet<u32> = moved.indices.iter().map(|(element, _)| *element).collect();
        if value != NONE {
            touched.insert(value);
        }
        for element in touched {
            let roles = (0..).zip(&moved.indices).filter(|(_, (index, _))| *index == element);
            let mask = roles.fold(0_u64, |mask, (role, _): (u32, _)| mask | 1 << role.min(63));
            let seen = if value == NONE {
                [0, code]
            } else if value == element {
                [1, 0]
            } else {
                [2, self.class_of(value) as u64]
            };
            let hash = Store::hash(&[group, mask, seen[0], seen[1]]);
            self.contributions.push((element, hash));
        }
    }

    fn class_of(&self, element: u32) -> usize {
        self.classes.iter().position(|class| class.contains(&(element as usize))).unwrap_or(usize::MAX)
    }

    /// Returns whether there is anything to permute.
    pub(super) fn is_useful(&self) -> bool {
        self.classes.iter().any(|class| class.len() > 1) && !self.moved.is_empty()
    }

    pub(super) fn workspace(&self, words: usize) -> Workspace {
        Workspace {
            signatures: vec![0; self.elements.len()],
            order: Vec::new(),
            map: Vec::new(),
            base: vec![0; words],
            attempt: vec![0; words],
            best: vec![0; words],
        }
    }

    /// Replaces a state by its representative.
    pub(super) fn canonicalize(&self, machine: &Machine, state: &mut [u64], work: &mut Workspace) {
        self.sign(machine, state, work);
        work.order.clear();
        work.order.extend((0..self.elements.len()).map(|element| u32::try_from(element).unwrap_or(NONE)));
        for class in &self.classes {
            work.order[class.clone()].sort_by_key(|&element| work.signatures[element as usize]);
        }
        work.map.clear();
        work.map.resize(self.elements.len(), 0);
        let mut identity = true;
        for (rank, &element) in (0..).zip(&work.order) {
            work.map[element as usize] = rank;
            identity &= element == rank;
        }
        if !identity {
            self.permute(machine, state, &work.map, &mut work.base);
            state.copy_from_slice(&work.base);
        }
        let ties = self.ties(work);
        if !ties.is_empty() {
            self.least(machine, state, ties, work);
        }
    }

    fn sign(&self, machine: &Machine, state: &[u64], work: &mut Workspace) {
        work.signatures.fill(0);
        for moved in &self.moved {
            let Some(first) = moved.first_span else { continue };
            let code = usize::try_from(machine.layout().code(state, moved.scalar)).unwrap_or(0);
            let (start, end) = self.spans[first as usize + code];
            for &(element, hash) in &self.contributions[start as usize..end as usize] {
                let signature = &mut work.signatures[element as usize];
                *signature = signature.wrapping_add(hash);
            }
        }
    }

    /// Returns the ranges of ranks with equal signatures.
    fn ties(&self, work: &Workspace) -> Vec<std::ops::Range<usize>> {
        let mut ties = Vec::new();
        for class in &self.classes {
            let mut start = class.start;
            for rank in class.clone() {
                let signature = |rank: usize| work.signatures[work.order[rank] as usize];
                if rank + 1 == class.end || signature(rank) != signature(rank + 1) {
                    if rank > start {
                        ties.push(start..rank + 1);
                    }
                    start = rank + 1;
                }
            }
        }
        ties
    }

    /// Replaces a state with sorted elements by the least one over all orders of tied elements.
    fn least(&self, machine: &Machine, state: &mut [u64], ties: Vec<std::ops::Range<usize>>, work: &mut Workspace) {
        work.base.copy_from_slice(state);
        let mut orders = 1_usize;
        let mut open = Vec::new();
        for tie in ties {
            if self.interchangeable(machine, &tie, work) {
                continue;
            }
            let more = (1..=tie.len()).product::<usize>();
            if orders.saturating_mul(more) <= MAX_ORDERS {
                orders *= more;
                open.push(tie);
            }
        }
        if open.is_empty() {
            return;
        }
        work.best.copy_from_slice(&work.base);
        self.identity(&mut work.map);
        self.try_orders(machine, &open, work);
        state.copy_from_slice(&work.best);
    }

    fn identity(&self, map: &mut Vec<u32>) {
        map.clear();
        map.extend((0..self.elements.len()).map(|element| u32::try_from(element).unwrap_or(NONE)));
    }

    /// Returns whether all orders of these elements give the same state as `base`.
    fn interchangeable(&self, machine: &Machine, tie: &std::ops::Range<usize>, work: &mut Workspace) -> bool {
        for rank in tie.start..tie.end - 1 {
            self.identity(&mut work.map);
            work.map.swap(rank, rank + 1);
            self.permute(machine, &work.base, &work.map, &mut work.attempt);
            if work.attempt != work.base {
                return false;
            }
        }
        true
    }

    /// Tries all orders of the elements of the remaining ties; the map is the identity elsewhere.
    fn try_orders(&self, machine: &Machine, open: &[std::ops::Range<usize>], work: &mut Workspace) {
        let Some((tie, rest)) = open.split_first() else {
            self.permute(machine, &work.base, &work.map, &mut work.attempt);
            if work.attempt < work.best {
                work.best.copy_from_slice(&work.attempt);
            }
            return;
        };
        self.arrange(machine, tie.start, tie.end, rest, work);
    }

    fn arrange(&self, machine: &Machine, at: usize, end: usize, rest: &[std::ops::Range<usize>], work: &mut Workspace) {
        if at == end {
            self.try_orders(machine, rest, work);
            return;
        }
        for other in at..end {
            work.map.swap(at, other);
            self.arrange(machine, at + 1, end, rest, work);
            work.map.swap(at, other);
        }
    }

    /// Computes the state in which each element is replaced as the map says.
    fn permute(&self, machine: &Machine, state: &[u64], map: &[u32], target: &mut [u64]) {
        let layout = machine.layout();
        target.copy_from_slice(state);
        for moved in &self.moved {
            let mut code = layout.code(state, moved.scalar);
            if let Some(pointer) = moved.pointer {
                let pointer = &self.pointers[pointer as usize];
                let element = pointer.element[usize::try_from(code).unwrap_or(0)];
                if element != NONE {
                    code = pointer.code[map[element as usize] as usize];
                }
            }
            let mut distance = 0;
            for &(element, stride) in &moved.indices {
                let new = map[element as usize];
                distance += (self.elements[new as usize] - self.elements[element as usize]) * stride;
            }
            layout.set_code(target, moved.scalar.wrapping_add_signed(isize::try_from(distance).unwrap_or(0)), code);
        }
        machine.normalize(target);
    }

    /// Returns all permutations of a state, for tests: they define the representative.
    #[cfg(test)]
    pub(super) fn orbit(&self, machine: &Machine, state: &[u64]) -> BTreeSet<Vec<u64>> {
        let mut work = self.workspace(state.len());
        let mut found = BTreeSet::from([state.to_vec()]);
        let mut open = vec![state.to_vec()];
        while let Some(next) = open.pop() {
            for class in &self.classes {
                for rank in class.start..class.end.saturating_sub(1).max(class.start) {
                    self.identity(&mut work.map);
                    work.map.swap(rank, rank + 1);
                    self.permute(machine, &next, &work.map, &mut work.attempt);
                    if found.insert(work.attempt.clone()) {
                        open.push(work.attempt.clone());
                    }
                }
            }
        }
        found
    }
}
