//! Flattens places (variables, fields and elements) to cells with index arguments.
//!
//! From shapes of types and designators, it computes cells, and reads, writes and copies of whole records and arrays,
//! field by field. An array over an index type becomes an argument; an array over a finite type becomes one cell for
//! each constant; an array over a union becomes both.

use std::rc::Rc;

use super::logic::{and, choose, equal};
use super::reason::Reason;
use super::sums::number;
use super::symbolic::{SymbolicMachine, Target};
use super::universe::{Slot, Universe};
use system::{ConstantId, FALSE, Formula, IndexTerm, IndexTypeId, PathStep, Sort, SortId, Term, Value, VariableId};

/// The shape of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar(SortId),
    Record(Vec<(String, Shape)>),
    /// The index also has a sort.
    Array(SortId, Rc<Shape>),
    /// A place for one element of a multiset.
    Slot {
        /// The sort of truth values.
        truth: SortId,
        /// The name of the part that says whether the multiset has an element here.
        name: String,
        /// What the element is, unless the place says it.
        element: Option<Rc<Shape>>,
    },
}

/// A shape with a cell for each scalar.
#[derive(Debug)]
pub(super) enum Node {
    Scalar(VariableId),
    Record(Vec<(String, Rc<Node>)>),
    Array {
        /// Elements indexed by index types: one further argument.
        by_type: Vec<(IndexTypeId, Rc<Node>)>,
        /// Elements indexed by constants.
        by_constant: Vec<(ConstantId, Rc<Node>)>,
    },
    /// A place for one element of a multiset.
    Slot {
        /// Whether the multiset has an element here.
        used: VariableId,
        /// The element, unless the place says what it is.
        element: Option<Rc<Node>>,
    },
}

/// A scalar with its cell.
pub(super) struct Laid {
    pub(super) path: Vec<PathStep>,
    pub(super) arguments: Vec<IndexTypeId>,
    pub(super) sort: SortId,
}

/// A variable with more cells than this is not laid out.
pub(super) const MOST_CELLS: u64 = 1 << 14;

/// Returns whether a shape has too many cells to be laid out.
pub(super) fn is_too_large(universe: &Universe, shape: &Shape) -> bool {
    cells_of(universe, shape) > MOST_CELLS
}

fn cells_of(universe: &Universe, shape: &Shape) -> u64 {
    match shape {
        Shape::Scalar(_) => 1,
        Shape::Record(fields) => fields.iter().map(|(_, shape)| cells_of(universe, shape)).fold(0, u64::saturating_add),
        Shape::Array(index, element) => {
            let index = &universe.sorts[index.index()];
            let count = u64::try_from(index.index_types.len() + index.constants.len()).unwrap_or(u64::MAX);
            cells_of(universe, element).saturating_mul(count)
        }
        Shape::Slot { element, .. } => {
            element.as_ref().map_or(0, |element| cells_of(universe, element)).saturating_add(1)
        }
    }
}

/// Lays out a shape; `enter` makes the cell for a scalar.
pub(super) fn lay_out(
    universe: &mut Universe,
    shape: &Shape,
    path: &mut Vec<PathStep>,
    arguments: &mut Vec<IndexTypeId>,
    enter: &mut impl FnMut(&mut Universe, Laid) -> VariableId,
) -> Rc<Node> {
    Rc::new(match shape {
        Shape::Scalar(sort) => {
            Node::Scalar(enter(universe, Laid { path: path.clone(), arguments: arguments.clone(), sort: *sort }))
        }
        Shape::Record(fields) => Node::Record(
            fields
                .iter()
                .map(|(name, shape)| {
                    path.push(PathStep::Field(name.clone()));
                    let node = lay_out(universe, shape, path, arguments, enter);
                    path.pop();
                    (name.clone(), node)
                })
                .collect(),
        ),
        Shape::Array(index, element) => {
            let index = universe.sorts[index.index()].clone();
            let is_multiset = matches!(**element, Shape::Slot { .. });
            path.extend(is_multiset.then_some(PathStep::Multiset));
            let mut by_type = Vec::new();
            for &index_type in &index.index_types {
                path.push(PathStep::Argument(super::universe::position(arguments.len())));
                arguments.push(index_type);
                by_type.push((index_type, lay_out(universe, element, path, arguments, enter)));
                arguments.pop();
                path.pop();
            }
            let mut by_constant = Vec::new();
            for &constant in &index.constants {
                path.push(PathStep::Element(constant));
                by_constant.push((constant, lay_out(universe, element, path, arguments, enter)));
                path.pop();
            }
            if is_multiset {
                path.pop();
            }
            Node::Array { by_type, by_constant }
        }
        Shape::Slot { truth, name, element } => {
            let mut of_used = path.clone();
            of_used.extend(element.as_ref().map(|_| PathStep::Field(name.clone())));
            let used = enter(universe, Laid { path: of_used, arguments: arguments.clone(), sort: *truth });
            universe.cells[used.index()].slot = Slot::Used;
            let element = element.as_ref().map(|element| lay_out(universe, element, path, arguments, enter));
            for cell in element.iter().flat_map(|element| cells(element)) {
                universe.cells[cell.index()].slot = match universe.cells[cell.index()].slot {
                    Slot::Used => Slot::Used,
                    Slot::None | Slot::Content => Slot::Content,
                };
            }
            Node::Slot { used, element }
        }
    })
}

/// One of the places that a designator may refer to.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) condition: Formula,
    pub(super) node: Rc<Node>,
    pub(super) arguments: Vec<IndexTerm>,
}

/// The places that a designator may refer to; their conditions exclude each other.
#[derive(Clone, Debug)]
pub(super) struct Place(pub(super) Vec<Spot>);

impl Place {
    /// Returns a whole variable.
    pub(super) fn whole(node: Rc<Node>) -> Self {
        Self(vec![Spot { condition: Formula::True, node, arguments: vec![] }])
    }

    /// Returns a field of a record.
    pub(super) fn field(&self, name: &str) -> Self {
        let of = |spot: &Spot| {
            let Node::Record(fields) = &*spot.node else { return None };
            let (_, node) = fields.iter().find(|(field, _)| field == name)?;
            Some(Spot { node: Rc::clone(node), ..spot.clone() })
        };
        Self(self.0.iter().filter_map(of).collect())
    }

    /// Returns, of the slots of a multiset, the truth value that says whether it has an element there.
    pub(super) fn used(&self) -> Self {
        let of = |spot: &Spot| {
            let Node::Slot { used, .. } = &*spot.node else { return None };
            Some(Spot { node: Rc::new(Node::Scalar(*used)), ..spot.clone() })
        };
        Self(self.0.iter().filter_map(of).collect())
    }

    /// Returns what is in the slots of a multiset.
    pub(super) fn content(&self) -> Self {
        let of = |spot: &Spot| {
            let Node::Slot { element: Some(element), .. } = &*spot.node else { return None };
            Some(Spot { node: Rc::clone(element), ..spot.clone() })
        };
        Self(self.0.iter().filter_map(of).collect())
    }
}

impl<O: Clone> SymbolicMachine<'_, O> {
    /// Returns an element of an array; pointers are followed, and an index outside of the array is an error of the
    /// path.
    ///
    /// # Errors
    /// Returns an error if a pointer cannot be followed.
    pub(super) fn element(&mut self, place: &Place, index: &Value) -> Result<Place, Reason> {
        let mut spots = Vec::new();
        for spot in &place.0 {
            let index = &self.under(&spot.condition, true, |m| match &*spot.node {
                Node::Array { by_type, by_constant } => {
                    let index_types: Vec<_> = by_type.iter().map(|(own, _)| *own).collect();
                    let constants: Vec<_> = by_constant.iter().map(|(own, _)| *own).collect();
                    m.as_index(index, &index_types, &constants)
                }
                Node::Scalar(_) | Node::Record(_) | Node::Slot { .. } => Ok(index.clone()),
            })?;
            let followed = |universe: &Universe, constant| {
                element_node(universe, &spot.node, Target::Constant(constant)).is_some()
            };
            let targets = self.under(&spot.condition, true, |m| m.targets(index, &followed))?;
            for (condition, target) in targets {
                if !self.universe.spend_on(&condition) || !self.universe.spend_on(&spot.condition) {
                    return Ok(Place(Vec::new()));
                }
                let whole = and([spot.condition.clone(), condition]);
                match element_node(self.universe, &spot.node, target) {
                    Some((node, argument)) => {
                        let mut arguments = spot.arguments.clone();
                        arguments.extend(argument);
                        spots.push(Spot { condition: whole, node, arguments });
                    }
                    None => {
                        self.outside(&spot.node, target);
                        self.error(whole);
                    }
                }
            }
        }
        Ok(Place(spots))
    }

    /// Records the error that an index is outside of an array.
    fn outside(&self, node: &Node, target: Target) {
        let Node::Array { by_type, by_constant } = node else { return };
        let term = match target {
            Target::Element(element) => Term::Index(element),
            Target::Constant(constant) => Term::Constant(constant),
        };
        let index_types = by_type.iter().map(|(index_type, _)| *index_type).collect();
        let constants = by_constant.iter().map(|(constant, _)| *constant).collect();
        self.universe.meet_sort(&term, &Sort { name: String::new(), index_types, constants, numbers: None });
    }

    /// Returns the value of a scalar.
    pub(super) fn read_place(&mut self, place: &Place) -> Value {
        let mut value: Option<Value> = None;
        for spot in place.0.iter().rev() {
            let Node::Scalar(cell) = &*spot.node else { continue };
            let own = self.under(&spot.condition, true, |m| m.read(*cell, &spot.arguments));
            value = Some(match value {
                None => own,
                Some(rest) => choose(spot.condition.clone(), own, rest),
            });
        }
        value.unwrap_or(Value::Arbitrary)
    }

    /// Assigns a scalar.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`SymbolicMachine::fitted`].
    pub(super) fn assign(&mut self, place: &Place, value: &Value) -> Result<(), Reason> {
        for spot in &place.0 {
            let Node::Scalar(cell) = &*spot.node else { continue };
            let sort = self.sort_id(*cell);
            let fitted = self.under(&spot.condition, true, |m| m.fitted(value, sort))?;
            self.universe.note_content(*cell, &fitted);
            self.write(*cell, &spot.arguments, &spot.condition, fitted);
        }
        Ok(())
    }

    /// Assigns a record or an array, scalar by scalar.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`SymbolicMachine::fitted`].
    pub(super) fn copy(&mut self, to: &Place, from: &Place) -> Result<(), Reason> {
        for to in &to.0 {
            for from in &from.0 {
                let condition = and([to.condition.clone(), from.condition.clone()]);
                self.copy_node(&condition, (&to.node, &to.arguments), (&from.node, &from.arguments))?;
            }
        }
        Ok(())
    }

    fn copy_node(
        &mut self,
        condition: &Formula,
        (to, to_arguments): (&Node, &[IndexTerm]),
        (from, from_arguments): (&Node, &[IndexTerm]),
    ) -> Result<(), Reason> {
        match (to, from) {
            (Node::Scalar(to), Node::Scalar(from)) => {
                self.copy_cell(condition, (*to, to_arguments), (*from, from_arguments))?;
            }
            (Node::Record(to), Node::Record(from)) => {
                for ((_, to), (_, from)) in to.iter().zip(from) {
                    self.copy_node(condition, (to, to_arguments), (from, from_arguments))?;
                }
            }
            (Node::Array { by_type, by_constant }, Node::Array { by_type: from_type, by_constant: from_constant })
                if same_indices(by_type, from_type) && same_indices(by_constant, from_constant) =>
            {
                let types = by_type.iter().zip(from_type).map(|((_, to), (_, from))| (to, from));
                let constants = by_constant.iter().zip(from_constant).map(|((_, to), (_, from))| (to, from));
                for (to, from) in types.chain(constants) {
                    self.copy_node(condition, (to, to_arguments), (from, from_arguments))?;
                }
            }
            (Node::Slot { used: to, element: to_element }, Node::Slot { used: from, element: from_element }) => {
                self.copy_cell(condition, (*to, to_arguments), (*from, from_arguments))?;
                match (to_element, from_element) {
                    (Some(to), Some(from)) => {
                        self.copy_node(condition, (to, to_arguments), (from, from_arguments))?;
                    }
                    (None, None) => {}
                    (Some(_), None) | (None, Some(_)) => self.universe.set_apart(),
                }
            }
            // The type checker only accepts arrays and records of the same structure, so the indices can be kept
            // separate.
            (
                Node::Scalar(_) | Node::Record(_) | Node::Array { .. } | Node::Slot { .. },
                Node::Scalar(_) | Node::Record(_) | Node::Array { .. } | Node::Slot { .. },
            ) => self.universe.set_apart(),
        }
        Ok(())
    }

    /// Copies a cell at these first arguments, for all values of the remaining ones.
    fn copy_cell(
        &mut self,
        condition: &Formula,
        (to, to_arguments): (VariableId, &[IndexTerm]),
        (from, from_arguments): (VariableId, &[IndexTerm]),
    ) -> Result<(), Reason> {
        let rest: Vec<_> = self.formals(to).split_off(to_arguments.len());
        let mut arguments = from_arguments.to_vec();
        arguments.extend(rest.iter().map(|&formal| IndexTerm::Variable(formal)));
        let errors = self.errors.len();
        let sort = self.sort_id(to);
        let value = self.under(condition, true, |m| {
            let value = m.read(from, &arguments);
            m.fitted(&value, sort)
        })?;
        // A value that does not fit is an error at any position in the array.
        for error in self.errors.split_off(errors) {
            let closed = rest.iter().fold(error, |inner, &v| Formula::Exists(v, Box::new(inner)));
            self.errors.push(closed);
        }
        let here = self.prefix_is(to, to_arguments);
        self.universe.note_content(to, &value);
        self.write_where(to, and([here, condition.clone()]), value);
        Ok(())
    }

    /// Returns the condition that the first formal arguments of a cell are these.
    fn prefix_is(&mut self, cell: VariableId, arguments: &[IndexTerm]) -> Formula {
        let formals = self.formals(cell);
        and(formals.iter().zip(arguments).map(|(&formal, &argument)| {
            equal(self.universe, &Term::Index(IndexTerm::Variable(formal)), &Term::Index(argument))
        }))
    }

    /// Makes everything in a place undefined. A multiset is empty afterwards.
    pub(super) fn undefine(&mut self, place: &Place) {
        for spot in &place.0 {
            self.fill(spot, &mut |universe, sort| Ok::<_, Reason>(undefined_value(universe, sort)))
                .expect("making undefined is never refused");
        }
    }

    /// Sets everything in a place to its least value.
    ///
    /// # Errors
    /// Returns an error if a symmetric type has no least value.
    pub(super) fn clear(&mut self, place: &Place) -> Result<(), Reason> {
        for spot in &place.0 {
            self.fill(spot, &mut least_value)?;
        }
        Ok(())
    }

    fn fill(
        &mut self,
        spot: &Spot,
        value: &mut impl FnMut(&Universe, SortId) -> Result<Value, Reason>,
    ) -> Result<(), Reason> {
        // What is within a slot is still a value like others.
        let of_content = match &*spot.node {
            Node::Scalar(cell) => self.universe.cells[cell.index()].slot == Slot::Content,
            Node::Record(_) | Node::Array { .. } => {
                let used = |cell: &VariableId| self.universe.cells[cell.index()].slot == Slot::Used;
                !cells(&spot.node).iter().any(used)
            }
            Node::Slot { .. } => false,
        };
        for cell in cells(&spot.node) {
            let value = match free_value(self.universe, cell).filter(|_| !of_content) {
                Some(free) => free,
                None => {
                    let value = value(self.universe, self.sort_id(cell))?;
                    self.universe.note_content(cell, &value);
                    value
                }
            };
            let here = self.prefix_is(cell, &spot.arguments);
            self.write_where(cell, and([here, spot.condition.clone()]), value);
        }
        Ok(())
    }
}

/// Returns the part of an array at a target, and the argument that it adds.
fn element_node(universe: &Universe, node: &Node, target: Target) -> Option<(Rc<Node>, Option<IndexTerm>)> {
    let Node::Array { by_type, by_constant } = node else { return None };
    let term = match target {
        Target::Element(element) => Term::Index(element),
        Target::Constant(constant) => {
            let types: Vec<IndexTypeId> = by_type.iter().map(|(index_type, _)| *index_type).collect();
            universe.as_element(&Term::Constant(constant), &types)
        }
    };
    match term {
        Term::Index(element) => {
            let wanted = universe.type_of(element);
            let (_, node) = by_type.iter().find(|(index_type, _)| *index_type == wanted)?;
            Some((Rc::clone(node), Some(element)))
        }
        Term::Constant(wanted) => {
            let (_, node) = by_constant.iter().find(|(constant, _)| *constant == wanted)?;
            Some((Rc::clone(node), None))
        }
        Term::Read(..) | Term::Zero => None,
    }
}

/// Returns whether two arrays have the same indices.
fn same_indices<T: PartialEq>(one: &[(T, Rc<Node>)], other: &[(T, Rc<Node>)]) -> bool {
    one.iter().map(|(index, _)| index).eq(other.iter().map(|(index, _)| index))
}

/// Returns all cells of a node.
pub(super) fn cells(node: &Node) -> Vec<VariableId> {
    match node {
        Node::Scalar(cell) => vec![*cell],
        Node::Record(fields) => fields.iter().flat_map(|(_, node)| cells(node)).collect(),
        Node::Array { by_type, by_constant } => by_type
            .iter()
            .map(|(_, node)| node)
            .chain(by_constant.iter().map(|(_, node)| node))
            .flat_map(|node| cells(node))
            .collect(),
        Node::Slot { used, element } => {
            [vec![*used], element.as_ref().map_or_else(Vec::new, |element| cells(element))].concat()
        }
    }
}

/// Returns the undefined value of a sort: a separate constant if the model uses `isundefined`, otherwise an arbitrary
/// value.
pub(super) fn undefined_value(universe: &Universe, sort: SortId) -> Value {
    match universe.undefined {
        Some(undefined) if universe.sorts[sort.index()].constants.contains(&undefined) => {
            Value::Term(Term::Constant(undefined))
        }
        _ => Value::Arbitrary,
    }
}

/// Returns what a cell of a slot holds if the slot has no element; nothing for other cells. It does not matter what is in such a
/// slot, and the first constant makes states with the same elements alike.
pub(super) fn free_value(universe: &Universe, cell: VariableId) -> Option<Value> {
    let cell = &universe.cells[cell.index()];
    match cell.slot {
        Slot::None => None,
        Slot::Used => Some(Value::Term(Term::Constant(FALSE))),
        Slot::Content => {
            let sort = &universe.sorts[cell.sort.index()];
            let first = sort.constants.first().filter(|_| sort.index_types.is_empty());
            let first = first.map(|&constant| Value::Term(Term::Constant(constant)));
            let least = sort.numbers.map(|numbers| number(Term::Zero, numbers.low));
            Some(first.or(least).unwrap_or(Value::Arbitrary))
        }
    }
}

/// Returns the value that `clear` stores.
fn least_value(universe: &Universe, sort_id: SortId) -> Result<Value, Reason> {
    let sort = &universe.sorts[sort_id.index()];
    if sort.numbers.is_some() {
        let low = universe.limits.get(&sort_id).and_then(|limits| limits.low.clone());
        let low = low.filter(|(term, _)| *term == Term::Zero).ok_or(Reason::AnyNumber)?;
        return Ok(number(low.0, low.1));
    }
    let Some(&index_type) = sort.index_types.first() else {
        return Ok(sort.constants.first().map_or(Value::Arbitrary, |&constant| Value::Term(Term::Constant(constant))));
    };
    // A sort does not say which part of a union comes first.
    let mixed = sort.index_types.len() > 1 || !sort.constants.iter().all(|c| Some(*c) == universe.undefined);
    let first = universe.index_types[index_type.index()].first;
    match universe.element_of_number(first, &[index_type]) {
        Some(element) if !mixed => Ok(Value::Term(Term::Index(IndexTerm::Named(element)))),
        Some(_) | None => {
            Err(Reason::ClearOfSymmetric { index_type: universe.index_types[index_type.index()].name.clone() })
        }
    }
}
