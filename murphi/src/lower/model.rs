//! Decides on the index types, sorts and state variables of a program.
//!
//! From the typed program and its inferred types, this module fills the tables of the system and gives each Murphi type
//! its [`Shape`]. Notes explain what was decided and why.
//!
//! # A variable that is set once
//! Chou's FLASH has `Home : NODE`, set in the startstate to the parameter of a ruleset and never written again. Every
//! reachable state has a reachable isomorphic state in which `Home` is the first element: permute the elements of the
//! scalarset in the whole run. Properties cannot distinguish the two, since they treat all elements alike except for
//! `Home` itself. So `Home` becomes a named element, and the variable and the parameter disappear.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::classes::{Blocker, Class, ClassId, Extent};
use super::infer::{Inferred, infer};
use super::multisets::{self, Multisets, is_multiset};
use super::neighbours::Repeat;
use super::numbers::{Allowance, Free, explored, limits, sum};
use super::places::{Node, Shape, is_too_large, lay_out};
use super::reason::{Reason, Refusal};
use super::sizes::ConstantUses;
use super::universe::{Limits, Universe, position};
use super::{Blocked, Learned, LowerOptions, Note, NoteKind};
use crate::program::{
    Affine, Around, Binary, Binder, Expression, ExpressionKind, FunctionId, Operands, Over, Program, Span, Startstate,
    Statement, StatementKind, Type, TypeId, TypeKind, VarId, VariableKind,
};
use system::{
    Claim, ConstantId, FALSE, FiniteType, IndexTerm, IndexType, IndexTypeId, KeptConstant, NamedElement, NamedId,
    Numbers, Origin, PathStep, SortId, TRUE, Term, Variable, VariableId,
};

/// A range with more values than this cannot be a finite sort.
pub(super) const LARGEST_RANGE: i64 = 4096;

/// The tables, and how Murphi's types and variables map to them.
pub(super) struct Model<'p> {
    pub(super) program: &'p Program,
    pub(super) variables: Vec<Variable>,
    pub(super) notes: Vec<Note>,
    pub(super) inferred: Inferred,
    /// The values that are added to multisets and may be undefined, which is an error like a failed assertion.
    pub(super) added: BTreeSet<Span>,
    index_types: BTreeMap<ClassId, IndexTypeId>,
    /// Classes that `isundefined` is used on.
    tracked: BTreeSet<ClassId>,
    /// Types without a class that `isundefined` is used on.
    tracked_types: BTreeSet<TypeId>,
    /// The shape of each state variable.
    pub(super) globals: BTreeMap<VarId, Rc<Node>>,
    /// State variables that became named elements.
    pub(super) homes: BTreeMap<VarId, NamedId>,
    /// The parts of the system that correspond directly to the model.
    pub(super) claim: Claim,
    /// The number of elements of each index type in terms of the constants that determine its size.
    pub(super) sizes: Vec<Affine>,
    /// The slots of the multiset types.
    multisets: Multisets,
    /// Which types are numbers or ordered, and which constants are numbers.
    free: Free,
    /// The state variables for parameters of rules that are numbers.
    pub(super) choices: BTreeMap<VarId, VariableId>,
}

impl<'p> Model<'p> {
    /// Decides which types are index types, and lays out the state variables. Blocked types stay finite.
    pub(super) fn new(
        program: &'p Program,
        options: &LowerOptions,
        learned: &Learned,
        allowance: Allowance,
    ) -> (Self, Universe) {
        let Learned { blocked, added, .. } = learned;
        let mut universe = Universe::new();
        let mut model = Self {
            program,
            variables: Vec::new(),
            notes: Vec::new(),
            inferred: infer(program, added),
            added: added.clone(),
            index_types: BTreeMap::new(),
            tracked: BTreeSet::new(),
            tracked_types: BTreeSet::new(),
            globals: BTreeMap::new(),
            homes: BTreeMap::new(),
            claim: Claim::default(),
            sizes: Vec::new(),
            multisets: Multisets::default(),
            free: Free::default(),
            choices: BTreeMap::new(),
        };
        model.block(blocked);
        model.decide(&mut universe, options, allowance);
        model.enter_slots(&mut universe, blocked);
        model.track_undefined(&mut universe);
        model.find_homes(&mut universe);
        model.enter_constants(&mut universe);
        model.enter_halves(&mut universe);
        model.lay_out_globals(&mut universe);
        model.lay_out_numbers(&mut universe);
        model.lay_out_counts(&mut universe);
        model.lay_out_repeats(&mut universe, &learned.repeated);
        universe.state_variables = universe.cells.len();
        model.find_inhabited(&mut universe);
        (model, universe)
    }

    /// Records what an earlier attempt to lower the program found out about types.
    fn block(&mut self, blocked: &Blocked) {
        for (ty, (blocker, place)) in blocked {
            if let Some(&class) = self.inferred.of_type.get(ty) {
                self.inferred.classes.block(class, blocker.clone(), place);
            }
        }
    }

    /// Makes the symmetric classes index types.
    fn decide(&mut self, universe: &mut Universe, options: &LowerOptions, allowance: Allowance) {
        let representatives = self.inferred.classes.representatives();
        let mut broken = BTreeMap::new();
        for &class_id in &representatives {
            let class = self.inferred.classes.get(class_id);
            let relevant = class.indexes || matches!(class.extent, Extent::Scalarset { .. });
            let forced = options.index_types.contains(&class.name);
            let why = if options.finite_types.contains(&class.name) {
                Some((Blocker::Forbidden, class.origin.clone()))
            } else {
                class.broken().filter(|(blocker, _)| !(forced && *blocker == Blocker::TooManyNamed))
            };
            if !relevant || why.is_some() {
                broken.insert(class_id, why);
            }
        }
        let uses = ConstantUses::new(self.program, self.run_over(), &self.inferred.parts);
        // A constant that bounds a type which stays as it is has its value in the model.
        loop {
            let (classes, of_type) = (&self.inferred.classes, &self.inferred.of_type);
            self.free = Free::new(self.program, classes, of_type, &uses, &broken, allowance);
            let mut kept = broken.clone();
            kept.retain(|class, _| !self.free.ordered.contains(class));
            self.keep_sizes(&uses, &mut kept);
            let known = broken.len();
            for (class, why) in &kept {
                broken.entry(*class).or_insert_with(|| why.clone());
            }
            if broken.len() == known {
                broken = kept;
                break;
            }
        }
        for class_id in representatives {
            let class = self.inferred.classes.get(class_id).clone();
            match broken.get(&class_id) {
                None => self.enter_index_type(universe, class_id, &class),
                Some(_) if self.free.numbers.contains(&class_id) => self.note_number(&class),
                // If nothing runs over a range, its size does not matter.
                Some(None) => {}
                Some(Some(why)) if class.indexes || matches!(class.extent, Extent::Scalarset { .. }) => {
                    self.note_finite(&class, why);
                }
                Some(Some(_)) => {}
            }
        }
        self.keep_constants(&uses);
    }

    /// Returns the types that a loop, ruleset or quantifier runs over, or that index an array.
    fn run_over(&self) -> Vec<TypeId> {
        let runs = |class: &ClassId| self.inferred.classes.get(*class).indexes;
        self.inferred.of_type.iter().filter(|(_, class)| runs(class)).map(|(ty, _)| *ty).collect()
    }

    /// Keeps a type at its size in the model if a constant that determines the size is also used as a value. The bounds
    /// of that type are such a use for others, so this repeats until nothing changes.
    fn keep_sizes(&self, uses: &ConstantUses<'_>, broken: &mut BTreeMap<ClassId, Option<(Blocker, Origin)>>) {
        loop {
            let classes = &self.inferred.classes;
            let is_free = |ty: TypeId| {
                let class = self.inferred.of_type.get(&ty);
                let is_free = |class: ClassId| !broken.contains_key(&class) || self.free.numbers.contains(&class);
                class.is_some_and(|class| is_free(classes.find(*class))) || is_multiset(self.program, ty)
            };
            let is_number = |constant: &str| self.free.constants.contains(constant);
            let found =
                classes.representatives().into_iter().filter(|class| !broken.contains_key(class)).find_map(|id| {
                    let constants = classes.get(id).constants().into_iter().filter(|own| !is_number(own));
                    let (constant, place) = constants
                        .into_iter()
                        .find_map(|constant: &str| Some((constant, uses.value(constant, &is_free)?)))?;
                    let blocker = Blocker::SizeIsValue { constant: constant.to_owned() };
                    Some((id, (blocker, self.program.origin(place))))
                });
            let Some((class, why)) = found else { return };
            broken.insert(class, Some(why));
        }
    }

    /// Returns the constants whose values the system depends on.
    fn keep_constants(&mut self, uses: &ConstantUses<'_>) {
        let is_free = |ty: TypeId| self.index_type(ty).is_some() || self.is_number(ty) || is_multiset(self.program, ty);
        let program = self.program;
        let numbers = program.constants.iter().map(|(name, value)| (name, value.to_string()));
        let truths = program.truths.iter().map(|(name, value)| (name, value.to_string()));
        let kept = numbers.chain(truths).filter_map(|(name, value)| {
            let place = uses.value(name, &is_free).filter(|_| !self.is_free_constant(name))?;
            Some(KeptConstant { name: name.clone(), value, origin: program.origin(place) })
        });
        self.claim.constants = kept.collect();
    }

    fn enter_index_type(&mut self, universe: &mut Universe, class_id: ClassId, class: &Class) {
        let id = IndexTypeId(position(universe.index_types.len()));
        let class = &Class { name: self.name_of_class(universe, class), ..class.clone() };
        let size = u32::try_from(class.extent.size()).unwrap_or(u32::MAX);
        universe.index_types.push(IndexType {
            name: class.name.clone(),
            anonymous: !class.declared && matches!(class.extent, Extent::Range { .. }),
            size,
            first: class.extent.first(),
            origin: class.origin.clone(),
        });
        universe.numeric.push(matches!(class.extent, Extent::Range { .. }));
        self.sizes.extend(class.size());
        self.index_types.insert(class_id, id);
        let ordered = self.free.ordered.contains(&class_id);
        // Of an ordered type, the other elements are known by their ranks.
        for (&value, origin) in class.literals.iter().filter(|(value, _)| !ordered || **value == class.extent.first()) {
            let name = self.name_of_literal(universe, value, class);
            universe.named.push(NamedElement {
                name: name.clone(),
                index_type: id,
                position: u32::try_from(value - class.extent.first()).unwrap_or(0),
                anonymous: !self.program.constants.iter().any(|(constant, _)| *constant == name),
                chosen: false,
            });
            self.notes.push(Note {
                kind: NoteKind::NamedElement { name, index_type: class.name.clone() },
                origin: origin.clone(),
            });
        }
        self.notes.push(Note {
            kind: NoteKind::IndexType {
                name: class.name.clone(),
                scalarset: matches!(class.extent, Extent::Scalarset { .. }),
                ordered,
            },
            origin: class.origin.clone(),
        });
    }

    /// Returns whether a type is a range whose values may be any integers.
    pub(super) fn is_number(&self, ty: TypeId) -> bool {
        let class = self.inferred.of_type.get(&ty).map(|class| self.inferred.classes.find(*class));
        class.is_some_and(|class| self.free.numbers.contains(&class))
    }

    /// Returns whether the value of a constant, or of the one that it is computed from, is a number that no rule changes.
    fn is_free_constant(&self, constant: &str) -> bool {
        let form = self.program.forms.get(constant);
        form.is_some_and(|form| form.factors.keys().any(|name| self.free.constants.contains(name)))
    }

    /// Returns whether something is a number or ordered.
    pub(super) fn is_free(&self) -> bool {
        !self.free.is_empty()
    }

    fn note_number(&mut self, class: &Class) {
        self.notes.push(Note { kind: NoteKind::Number { name: class.name.clone() }, origin: class.origin.clone() });
    }

    /// Makes state variables of the constants that are numbers; their names are unique in the model.
    fn enter_constants(&mut self, universe: &mut Universe) {
        for constant in self.free.constants.clone() {
            let sort = universe.number_sort(&constant, explored(self.program, &constant), Limits::default());
            let place = self.program.constant_uses.iter().find(|mention| mention.name == constant);
            let origin = place.map(|place| self.program.origin(place.span)).unwrap_or_default();
            let path = vec![PathStep::Global(constant.clone())];
            let cell = self.enter_variable(universe, &constant, Vec::new(), sort, (path, origin.clone()));
            universe.sizes.insert(constant.clone(), cell);
            self.notes.push(Note { kind: NoteKind::FreeConstant { constant }, origin });
        }
    }

    /// Makes state variables of the halves of the constants that are numbers, if the model compares with such.
    fn enter_halves(&mut self, universe: &mut Universe) {
        let mut asked = false;
        self.program.each_expression(&mut |expression| {
            if let ExpressionKind::Binary(operator, left, right) = &expression.kind {
                asked |= *operator == Binary::Divide && self.program.is_two(right);
                asked |= operator.takes() == Operands::Ordered
                    && [left, right].into_iter().any(|side| self.program.doubled(side).is_some());
            }
        });
        for (constant, whole) in universe.sizes.clone().into_iter().filter(|_| asked) {
            let Numbers { low, high } = explored(self.program, &constant);
            let explored = Numbers { low: low.div_euclid(2), high: high.saturating_add(1).div_euclid(2) };
            let sort = universe.number_sort(&format!("half of {constant}"), explored, Limits::default());
            let origin = self.variables[whole.index()].origin.clone();
            let halves = [0, 1].map(|more| {
                let name = if more == 0 { format!("{constant} / 2") } else { format!("({constant} + {more}) / 2") };
                let place = (vec![PathStep::Half(whole, more)], origin.clone());
                self.enter_variable(universe, &name, Vec::new(), sort, place)
            });
            universe.halves.insert(whole, halves);
        }
    }

    fn enter_variable(
        &mut self,
        universe: &mut Universe,
        name: &str,
        arguments: Vec<IndexTypeId>,
        sort: SortId,
        (path, origin): (Vec<PathStep>, Origin),
    ) -> VariableId {
        self.variables.push(Variable { name: name.to_owned(), arguments: arguments.clone(), sort, path, origin });
        universe.cell(sort, arguments)
    }

    /// Makes state variables of the ranks of elements, and of the numbers that rules choose.
    fn lay_out_numbers(&mut self, universe: &mut Universe) {
        for class in self.free.ordered.clone() {
            let Some(&index_type) = self.index_types.get(&class) else { continue };
            let Some(bounds) = self.inferred.classes.get(class).bounds.clone() else { continue };
            let declared = &universe.index_types[index_type.index()];
            let (name, first, size) = (declared.name.clone(), declared.first, i64::from(declared.size));
            let numbers = Numbers { low: first, high: first + size - 1 };
            let sort = universe.number_sort(&format!("{name} as a number"), numbers, limits(&bounds, &universe.sizes));
            let origin = declared_origin(universe, index_type);
            let own = self.unused_variable(&["rank[]".to_owned(), format!("rank[]:{name}")]);
            let rank = self.enter_variable(universe, &own, vec![index_type], sort, (vec![PathStep::Rank], origin));
            universe.ranks.insert(index_type, rank);
        }
        let program = self.program;
        let parameters = program.rules.iter().flat_map(|rule| &rule.around).filter_map(|part| match part {
            Around::Parameter(Binder { variable, over: Over::Type(ty) }) => Some((*variable, *ty)),
            Around::Parameter(_) | Around::Alias(..) | Around::Choose(..) => None,
        });
        for (parameter, ty) in parameters {
            if let Some(Shape::Scalar(sort)) = self.number_shape(universe, ty) {
                let declared = &program.variables[parameter.index()];
                let name = self.unused_variable(std::slice::from_ref(&declared.name));
                let place = (vec![PathStep::Number(name.clone())], program.origin(declared.span));
                let choice = self.enter_variable(universe, &name, Vec::new(), sort, place);
                universe.chosen.insert(choice);
                self.choices.insert(parameter, choice);
            }
        }
    }

    /// Returns the first of these names that no state variable has, or the last of them with a number.
    fn unused_variable(&self, names: &[String]) -> String {
        let last = names.last().cloned().unwrap_or_default();
        let numbered = (2_u32..).map(|number| format!("{last}_{number}"));
        let is_free = |name: &String| !self.variables.iter().any(|variable| variable.name == *name);
        let named = names.iter().cloned().chain(numbered).find(is_free);
        named.expect("there are more numbers than names")
    }

    /// Returns the shape of a type whose values may be any integers.
    fn number_shape(&self, universe: &mut Universe, ty: TypeId) -> Option<Shape> {
        let class = self.inferred.classes.get(*self.inferred.of_type.get(&ty).filter(|_| self.is_number(ty))?);
        let TypeKind::Range(low, high) = self.program.types[ty.index()].kind else { return None };
        let limits = limits(class.bounds.as_ref()?, &universe.sizes);
        let name = self.sort_name(universe, ty);
        Some(Shape::Scalar(universe.number_sort(&name, Numbers { low, high }, limits)))
    }

    /// Returns the name of an index type: its own, or a unique one derived from how it is written.
    fn name_of_class(&self, universe: &Universe, class: &Class) -> String {
        if class.declared {
            return class.name.clone();
        }
        let base = match class.extent {
            Extent::Scalarset { size } => format!("scalarset_{size}"),
            Extent::Range { first, last } => format!("range_{}_{}", numeral(first), numeral(last)),
        };
        self.unused_name(universe, &base)
    }

    /// Returns the name of an element written as a number: that of the constant with this value, if there is exactly
    /// one.
    fn name_of_literal(&self, universe: &Universe, value: i64, class: &Class) -> String {
        let mut constants = self.program.constants.iter().filter(|(_, constant)| *constant == value);
        let taken = |name: &str| universe.named.iter().any(|named| named.name == name);
        match (constants.next(), constants.next()) {
            (Some((name, _)), None) if !taken(name) => name.clone(),
            _ => self.unused_name(universe, &format!("{}_{}", class.name, numeral(value))),
        }
    }

    /// Returns the name, with a letter appended if something in the model or in the system already has it.
    fn unused_name(&self, universe: &Universe, base: &str) -> String {
        let letters = ('b'..='z').map(|letter| format!("{base}_{letter}"));
        let numbers = (2_u32..).map(|number| format!("{base}_b{number}"));
        std::iter::once(base.to_owned())
            .chain(letters)
            .chain(numbers)
            .find(|name| !self.has_name(universe, name))
            .expect("there are more numbers than names")
    }

    /// Returns whether the name is taken, ignoring case, since names that differ only in case are hard to tell apart.
    fn has_name(&self, universe: &Universe, name: &str) -> bool {
        let same = |other: &str| other.eq_ignore_ascii_case(name);
        let program = self.program;
        let of_type = |ty: &Type| match &ty.kind {
            TypeKind::Enum(members) => members.iter().any(|member| same(member)),
            TypeKind::Record(fields) => fields.iter().any(|(field, _)| same(field)),
            TypeKind::Boolean
            | TypeKind::Range(..)
            | TypeKind::Scalarset(_)
            | TypeKind::Union(_)
            | TypeKind::Array { .. }
            | TypeKind::Multiset { .. } => false,
        };
        universe.index_types.iter().any(|over| same(&over.name))
            || universe.named.iter().any(|named| same(&named.name))
            || program.constants.iter().any(|(constant, _)| same(constant))
            || program.variables.iter().any(|variable| same(&variable.name))
            || program.functions.iter().any(|function| same(&function.name))
            || program.types.iter().any(|ty| ty.name.as_deref().is_some_and(same) || of_type(ty))
    }

    /// Makes an index type of the slots of each multiset type that a variable has.
    fn enter_slots(&mut self, universe: &mut Universe, blocked: &Blocked) {
        let not_sets = blocked.keys().copied().collect();
        self.multisets = Multisets::new(self.program, &|ty| self.index_type(ty).is_some(), &not_sets);
        for ty in self.multisets.with_slots() {
            let declared = &self.program.types[ty.index()];
            let TypeKind::Multiset { size, .. } = declared.kind else { continue };
            let id = IndexTypeId(position(universe.index_types.len()));
            let name = self.unused_name(universe, &format!("{}_slot", multisets::name(self.program, ty)));
            universe.index_types.push(IndexType {
                name: name.clone(),
                anonymous: false,
                size: u32::try_from(size).unwrap_or(u32::MAX),
                first: 1,
                origin: self.program.origin(declared.span),
            });
            universe.numeric.push(false);
            let bounds = self.program.bounds.get(&ty);
            self.sizes.push(bounds.map_or_else(|| Affine::number(size), |(_, last)| last.clone()));
            self.multisets.enter(ty, id);
            let kind = NoteKind::IndexType { name, scalarset: true, ordered: false };
            self.notes.push(Note { kind, origin: self.program.origin(declared.span) });
        }
    }

    /// Returns whether a multiset type is lowered to the set of the values that are in it.
    pub(super) fn is_set(&self, multiset: TypeId) -> bool {
        self.multisets.is_set(multiset)
    }

    /// Returns whether a multiset type is lowered to a set whose elements are counted.
    pub(super) fn is_counted(&self, multiset: TypeId) -> bool {
        self.multisets.is_counted(multiset)
    }

    /// Makes state variables of the numbers of elements of sets over an index type.
    fn lay_out_counts(&mut self, universe: &mut Universe) {
        let program = self.program;
        let mut sets = Vec::new();
        for (global, node) in &self.globals {
            self.sets_in(program.variables[global.index()].ty, node, &mut sets);
        }
        for set in sets {
            let Variable { name, arguments, origin, .. } = self.variables[set.index()].clone();
            let [over] = arguments[..] else { continue };
            let index_type = &universe.index_types[over.index()];
            let explored = Numbers { low: 0, high: i64::from(index_type.size) };
            let sort_name = format!("number of {}", index_type.name);
            let high = self.sizes.get(over.index()).and_then(|size| sum(size, &universe.sizes));
            let limits = Limits { low: Some((Term::Zero, 0)), high };
            let sort = universe.number_sort(&sort_name, explored, limits);
            let path = vec![PathStep::Count(set, TRUE, true)];
            let name = format!("#{name} = true");
            let count = self.enter_variable(universe, &name, Vec::new(), sort, (path, origin));
            universe.counts.insert(set, count);
        }
    }

    /// Makes state variables for what others are at the neighbours of elements.
    fn lay_out_repeats(&mut self, universe: &mut Universe, repeated: &BTreeSet<Repeat>) {
        for &(of, at, by) in repeated {
            let Some(Variable { name, arguments, sort, origin, .. }) = self.variables.get(of.index()).cloned() else {
                continue;
            };
            let name = self.unused_variable(&[format!("{name} at {by:+}")]);
            let repeat =
                self.enter_variable(universe, &name, arguments, sort, (vec![PathStep::Next(of, at, by)], origin));
            universe.repeats.insert((of, at, by), repeat);
        }
    }

    /// Collects the state variables that say what is in the sets whose elements are counted.
    fn sets_in(&self, ty: TypeId, node: &Node, found: &mut Vec<VariableId>) {
        match (&self.program.types[ty.index()].kind, node) {
            (TypeKind::Record(fields), Node::Record(nodes)) => {
                fields.iter().zip(nodes).for_each(|((_, ty), (_, node))| self.sets_in(*ty, node, found));
            }
            (TypeKind::Array { element, .. }, Node::Array { by_type, by_constant }) => {
                by_type.iter().for_each(|(_, node)| self.sets_in(*element, node, found));
                by_constant.iter().for_each(|(_, node)| self.sets_in(*element, node, found));
            }
            (TypeKind::Multiset { .. }, Node::Array { by_type, .. }) if self.is_counted(ty) => {
                found.extend(by_type.iter().filter_map(|(_, node)| match &**node {
                    Node::Slot { used, .. } => Some(*used),
                    Node::Scalar(_) | Node::Record(_) | Node::Array { .. } => None,
                }));
            }
            _ => {}
        }
    }

    /// Returns whether an assertion says what the next addition to a multiset demands anyway.
    pub(super) fn is_room_check(&self, assertion: Span) -> bool {
        self.multisets.is_room_check(assertion)
    }

    /// Returns whether a loop over an index type adds to multisets.
    pub(super) fn adds_in_loops(&self) -> bool {
        self.multisets.added_to_in_loops()
    }

    /// Returns the index types whose elements are slots of multisets.
    pub(super) fn slot_types(&self) -> BTreeSet<IndexTypeId> {
        self.multisets.slot_types()
    }

    /// Returns the name of the part of a slot that says whether the multiset has an element there.
    fn name_of_used(&self, element: TypeId) -> String {
        let fields = match &self.program.types[element.index()].kind {
            TypeKind::Record(fields) => fields.as_slice(),
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Range(..)
            | TypeKind::Scalarset(_)
            | TypeKind::Union(_)
            | TypeKind::Array { .. }
            | TypeKind::Multiset { .. } => &[],
        };
        let is_free = |name: &String| !fields.iter().any(|(field, _)| field.eq_ignore_ascii_case(name));
        let mut names = std::iter::successors(Some("used".to_owned()), |name| Some(format!("{name}_")));
        names.find(is_free).expect("there are more names than fields")
    }

    fn note_finite(&mut self, class: &Class, (blocker, place): &(Blocker, Origin)) {
        self.claim.finite_types.push(FiniteType {
            name: class.name.clone(),
            size: u64::try_from(class.extent.size()).unwrap_or(0),
            reason: blocker.to_string(),
            origin: place.clone(),
        });
        self.notes.push(Note {
            kind: NoteKind::FiniteType { name: class.name.clone(), blocker: blocker.to_string() },
            origin: place.clone(),
        });
    }

    /// If `isundefined` is used, the undefined value is a value of the sort.
    fn track_undefined(&mut self, universe: &mut Universe) {
        for ty in self.inferred.asked_undefined.clone() {
            match self.inferred.of_type.get(&ty) {
                Some(&class) => {
                    self.tracked.insert(self.inferred.classes.find(class));
                }
                None => {
                    self.tracked_types.insert(ty);
                    if let TypeKind::Union(parts) = &self.program.types[ty.index()].kind {
                        for part in parts {
                            if let Some(&class) = self.inferred.of_type.get(part) {
                                self.tracked.insert(self.inferred.classes.find(class));
                            }
                        }
                    }
                }
            }
        }
        if !(self.tracked.is_empty() && self.tracked_types.is_empty()) {
            universe.undefined = Some(universe.constant("undefined"));
        }
    }

    fn is_tracked(&self, ty: TypeId) -> bool {
        let class = |ty: &TypeId| self.inferred.of_type.get(ty).map(|&c| self.inferred.classes.find(c));
        match &self.program.types[ty.index()].kind {
            TypeKind::Union(parts) => {
                self.tracked_types.contains(&ty)
                    || parts.iter().any(|part| class(part).is_some_and(|c| self.tracked.contains(&c)))
            }
            _ => match class(&ty) {
                Some(class) => self.tracked.contains(&class),
                None => self.tracked_types.contains(&ty),
            },
        }
    }

    /// Returns the index type that a Murphi type is, if any.
    pub(super) fn index_type(&self, ty: TypeId) -> Option<IndexTypeId> {
        let class = self.inferred.classes.find(*self.inferred.of_type.get(&ty)?);
        self.index_types.get(&class).copied()
    }

    /// Returns the ordered index type over a part of which a variable runs, if it is one that runs over numbers.
    pub(super) fn part(&self, universe: &Universe, variable: VarId) -> Option<IndexTypeId> {
        let over = self.index_type(*self.inferred.parts.get(&variable)?)?;
        universe.ranks.contains_key(&over).then_some(over)
    }

    /// Returns the values of a simple Murphi type.
    pub(super) fn values_of(&self, universe: &mut Universe, ty: TypeId) -> Option<(Vec<IndexTypeId>, Vec<ConstantId>)> {
        if let Some(index_type) = self.index_type(ty) {
            return Some((vec![index_type], vec![]));
        }
        if self.is_number(ty) {
            return None;
        }
        match self.program.types[ty.index()].kind.clone() {
            TypeKind::Boolean => Some((vec![], vec![FALSE, TRUE])),
            TypeKind::Enum(members) => {
                let members = members.iter().map(|m| universe.constant(m)).collect();
                Some((vec![], members))
            }
            TypeKind::Range(first, last) => {
                if last - first >= LARGEST_RANGE {
                    return None;
                }
                let numbers = (first..=last).map(|n| universe.integer(n)).collect();
                Some((vec![], numbers))
            }
            TypeKind::Scalarset(size) => {
                if size > LARGEST_RANGE {
                    return None;
                }
                let elements = (1..=size).map(|number| self.scalarset_element(universe, ty, number)).collect();
                Some((vec![], elements))
            }
            // Formulas assume that a truth value that is not `true` is `false`, and vice versa.
            TypeKind::Union(_) if self.has_truth_values(ty) => None,
            TypeKind::Union(parts) => {
                let (mut types, mut constants) = (Vec::new(), Vec::new());
                for part in parts {
                    let (more_types, more_constants) = self.values_of(universe, part)?;
                    types.extend(more_types);
                    constants.extend(more_constants);
                }
                Some((types, constants))
            }
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. } => None,
        }
    }

    /// Enters an element of a scalarset that is not an index type. Its values are not numbers: those of two scalarsets
    /// are different. The name is the one that an instance shows.
    fn scalarset_element(&self, universe: &mut Universe, ty: TypeId, number: i64) -> ConstantId {
        let scalarset = self.program.types[ty.index()].name.clone().unwrap_or_else(|| format!("scalarset{}", ty.0));
        let mut name = format!("{scalarset}_{number}");
        let is_member = |name: &String| {
            self.program.types.iter().any(|ty| matches!(&ty.kind, TypeKind::Enum(members) if members.contains(name)))
        };
        while is_member(&name) {
            name.push('_');
        }
        universe.scalarset_element(&scalarset, &name)
    }

    fn sort_name(&self, universe: &Universe, ty: TypeId) -> String {
        if let Some(index_type) = self.index_type(ty) {
            return universe.index_types[index_type.index()].name.clone();
        }
        let known = &self.program.types[ty.index()];
        match (&known.name, &known.kind) {
            (Some(name), _) => name.clone(),
            (None, TypeKind::Boolean) => "boolean".to_owned(),
            (None, TypeKind::Range(first, last)) => format!("{first}..{last}"),
            (None, TypeKind::Enum(members)) => format!("enum {{{}}}", members.join(", ")),
            (None, TypeKind::Union(parts)) => {
                let parts: Vec<String> = parts.iter().map(|&p| self.sort_name(universe, p)).collect();
                format!("union {{{}}}", parts.join(", "))
            }
            (None, _) => format!("type{}", ty.0),
        }
    }

    /// Returns the sort of a simple type's values, as an array index.
    pub(super) fn index_sort(&self, universe: &mut Universe, ty: TypeId) -> Option<SortId> {
        let name = self.sort_name(universe, ty);
        let (types, constants) = self.values_of(universe, ty)?;
        Some(universe.sort(&name, types, constants))
    }

    /// Returns the shape of a type, or `None` for ranges that are too large.
    pub(super) fn shape(&self, universe: &mut Universe, ty: TypeId) -> Option<Shape> {
        if let Some(shape) = self.number_shape(universe, ty) {
            return Some(shape);
        }
        match self.program.types[ty.index()].kind.clone() {
            TypeKind::Record(fields) => {
                let mut shapes = Vec::new();
                for (name, field) in fields {
                    shapes.push((name, self.shape(universe, field)?));
                }
                Some(Shape::Record(shapes))
            }
            TypeKind::Array { index, element } => {
                Some(Shape::Array(self.index_sort(universe, index)?, Rc::new(self.shape(universe, element)?)))
            }
            TypeKind::Multiset { element, .. } if self.multisets.is_set(ty) => {
                let truth = universe.sort("boolean", vec![], vec![FALSE, TRUE]);
                let slot = Shape::Slot { truth, name: String::new(), element: None };
                Some(Shape::Array(self.index_sort(universe, element)?, Rc::new(slot)))
            }
            TypeKind::Multiset { element, .. } => {
                let slots = self.multisets.slots(ty).filter(|_| !multisets::has_multiset(self.program, element))?;
                let name = format!("{} as a value", universe.index_types[slots.index()].name);
                let index = universe.sort(&name, vec![slots], vec![]);
                let truth = universe.sort("boolean", vec![], vec![FALSE, TRUE]);
                let slot = Shape::Slot {
                    truth,
                    name: self.name_of_used(element),
                    element: Some(Rc::new(self.shape(universe, element)?)),
                };
                Some(Shape::Array(index, Rc::new(slot)))
            }
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Range(..)
            | TypeKind::Scalarset(_)
            | TypeKind::Union(_) => {
                let name = self.sort_name(universe, ty);
                let (types, mut constants) = self.values_of(universe, ty)?;
                if let Some(undefined) = universe.undefined
                    && self.is_tracked(ty)
                {
                    constants.push(undefined);
                }
                Some(Shape::Scalar(universe.sort(&name, types, constants)))
            }
        }
    }

    fn lay_out_globals(&mut self, universe: &mut Universe) {
        for &variable in &self.program.globals {
            if self.homes.contains_key(&variable) {
                continue;
            }
            let declaration = &self.program.variables[variable.index()];
            // A variable of a type without a shape is refused where a rule uses it.
            let Some(shape) = self.shape(universe, declaration.ty).filter(|shape| !is_too_large(universe, shape))
            else {
                continue;
            };
            // It has any value from the start, and keeps it.
            let is_defined = self.program.arbitrary.contains(&variable);
            let shape = if is_defined { defined(universe, &shape) } else { shape };
            let origin = self.program.origin(declaration.span);
            let mut path = vec![PathStep::Global(declaration.name.clone())];
            let variables = &mut self.variables;
            let node = lay_out(universe, &shape, &mut path, &mut Vec::new(), &mut |universe, laid| {
                variables.push(Variable {
                    name: path_name(universe, &laid.path),
                    arguments: laid.arguments.clone(),
                    sort: laid.sort,
                    path: laid.path,
                    origin: origin.clone(),
                });
                universe.cell(laid.sort, laid.arguments)
            });
            self.globals.insert(variable, node);
        }
        tell_apart(universe, &mut self.variables);
    }

    /// Returns the state variables whose types have no flat form.
    pub(super) fn refused_variables(&self) -> Vec<Refusal> {
        let laid_out = |variable: &VarId| self.globals.contains_key(variable) || self.homes.contains_key(variable);
        self.program
            .globals
            .iter()
            .filter(|variable| !laid_out(variable))
            .map(|variable| {
                let declaration = &self.program.variables[variable.index()];
                Refusal { reason: self.no_shape(declaration.ty), span: declaration.span }
            })
            .collect()
    }

    /// Returns why a type has no flat form.
    pub(super) fn no_shape(&self, ty: TypeId) -> Reason {
        if multisets::is_nested(self.program, ty) {
            Reason::NestedMultiset
        } else if self.has_truth_values(ty) {
            Reason::TruthValueInUnion
        } else if self.has_large_range(ty) {
            Reason::NoShape
        } else {
            Reason::TooManyCells
        }
    }

    /// Whether a finite range or scalarset in the type has too many values.
    fn has_large_range(&self, ty: TypeId) -> bool {
        if self.index_type(ty).is_some() || self.is_number(ty) {
            return false;
        }
        match &self.program.types[ty.index()].kind {
            TypeKind::Range(first, last) => last - first >= LARGEST_RANGE,
            TypeKind::Scalarset(size) => *size > LARGEST_RANGE,
            TypeKind::Union(parts) => parts.iter().any(|part| self.has_large_range(*part)),
            TypeKind::Record(fields) => fields.iter().any(|(_, field)| self.has_large_range(*field)),
            TypeKind::Array { index, element } => self.has_large_range(*index) || self.has_large_range(*element),
            TypeKind::Multiset { element, .. } => self.has_large_range(*element),
            TypeKind::Boolean | TypeKind::Enum(_) => false,
        }
    }

    /// Returns whether a union in the type has truth values as members.
    fn has_truth_values(&self, ty: TypeId) -> bool {
        match &self.program.types[ty.index()].kind {
            TypeKind::Union(parts) => {
                parts.iter().any(|part| matches!(self.program.types[part.index()].kind, TypeKind::Boolean))
            }
            TypeKind::Record(fields) => fields.iter().any(|(_, field)| self.has_truth_values(*field)),
            TypeKind::Array { index, element } => self.has_truth_values(*index) || self.has_truth_values(*element),
            TypeKind::Multiset { element, .. } => self.has_truth_values(*element),
            TypeKind::Boolean | TypeKind::Enum(_) | TypeKind::Range(..) | TypeKind::Scalarset(_) => false,
        }
    }

    /// Records the index types that have an element in every state, because one is named or because a variable has such
    /// a value.
    fn find_inhabited(&mut self, universe: &mut Universe) {
        let mut inhabited = vec![false; universe.index_types.len()];
        for named in &universe.named {
            inhabited[named.index_type.index()] = true;
        }
        for variable in &self.variables {
            let sort = &universe.sorts[variable.sort.index()];
            if let ([only], [], []) = (&sort.index_types[..], &sort.constants[..], &variable.arguments[..]) {
                inhabited[only.index()] = true;
            }
        }
        universe.inhabited = inhabited;
    }

    /// Finds the variables that are set once, from a ruleset parameter of each startstate.
    fn find_homes(&mut self, universe: &mut Universe) {
        for &variable in &self.program.globals {
            let declaration = &self.program.variables[variable.index()];
            let Some(index_type) = self.index_type(declaration.ty) else { continue };
            let cleared =
                self.inferred.of_type.get(&declaration.ty).is_some_and(|c| self.inferred.classes.get(*c).cleared);
            // `clear` stores the first element, which need not be the one in the variable, and only elements without an
            // order are alike.
            let ordered = self
                .inferred
                .of_type
                .get(&declaration.ty)
                .is_some_and(|class| self.free.ordered.contains(&self.inferred.classes.find(*class)));
            let single = !cleared && !ordered && !universe.named.iter().any(|named| named.index_type == index_type);
            if !single || self.is_tracked(declaration.ty) || !set_once(self.program, variable) {
                continue;
            }
            let id = NamedId(position(universe.named.len()));
            universe.named.push(NamedElement {
                name: declaration.name.clone(),
                index_type,
                position: 0,
                anonymous: false,
                chosen: true,
            });
            self.homes.insert(variable, id);
            universe.homes.insert(id);
            self.notes.push(Note {
                kind: NoteKind::SetOnce {
                    variable: declaration.name.clone(),
                    index_type: universe.index_types[index_type.index()].name.clone(),
                },
                origin: self.program.origin(declaration.span),
            });
        }
    }

    /// Returns the named element for a startstate's parameter, if it sets a variable that became one.
    pub(super) fn home_parameter(&self, startstate: &Startstate, parameter: VarId) -> Option<IndexTerm> {
        self.homes.iter().find_map(|(&variable, &named)| {
            (home_source(self.program, startstate, variable) == Some(parameter)).then_some(IndexTerm::Named(named))
        })
    }
}

/// Returns the shape of a type, without the undefined value.
fn defined(universe: &mut Universe, shape: &Shape) -> Shape {
    match shape {
        Shape::Scalar(sort) => {
            let own = universe.sorts[sort.index()].clone();
            match universe.undefined.filter(|undefined| own.constants.contains(undefined)) {
                Some(undefined) => {
                    let constants = own.constants.into_iter().filter(|constant| *constant != undefined).collect();
                    Shape::Scalar(universe.sort(&own.name, own.index_types, constants))
                }
                None => shape.clone(),
            }
        }
        Shape::Record(fields) => {
            Shape::Record(fields.iter().map(|(name, field)| (name.clone(), defined(universe, field))).collect())
        }
        Shape::Array(index, element) => Shape::Array(*index, Rc::new(defined(universe, element))),
        // A variable with multisets does not have any value.
        Shape::Slot { .. } => shape.clone(),
    }
}

fn declared_origin(universe: &Universe, index_type: IndexTypeId) -> Origin {
    universe.index_types[index_type.index()].origin.clone()
}

/// Writes a number as a part of a name.
fn numeral(number: i64) -> String {
    let sign = if number < 0 { "m" } else { "" };
    format!("{sign}{}", number.unsigned_abs())
}

/// Returns whether each startstate sets the variable to a parameter of its own, and nothing else writes it.
fn set_once(program: &Program, variable: VarId) -> bool {
    let mut handed_over = false;
    program.each_expression(&mut |expression| {
        if let ExpressionKind::Call(function, arguments) = &expression.kind {
            handed_over |= by_reference(program, *function, arguments, variable);
        }
    });
    let written_elsewhere = program.rules.iter().any(|rule| writes(program, &rule.body, variable))
        || program.functions.iter().any(|function| writes(program, &function.body, variable))
        || program.rules.iter().any(|rule| aliased(&rule.around, variable));
    let set_by = |startstate: &Startstate| {
        !aliased(&startstate.around, variable) && home_source(program, startstate, variable).is_some()
    };
    !handed_over && !written_elsewhere && !program.startstates.is_empty() && program.startstates.iter().all(set_by)
}

/// Returns whether a call passes the variable by reference.
fn by_reference(program: &Program, function: FunctionId, arguments: &[Expression], variable: VarId) -> bool {
    let parameters = &program.functions[function.index()].parameters;
    parameters.iter().zip(arguments).any(|(parameter, argument)| {
        let kind = program.variables[parameter.index()].kind;
        kind == VariableKind::Reference && is_variable(argument, variable)
    })
}

/// Returns the parameter that a startstate sets the variable to, in its first and only statement about it.
fn home_source(program: &Program, startstate: &Startstate, variable: VarId) -> Option<VarId> {
    let mut source = None;
    for statement in &startstate.body {
        match &statement.kind {
            StatementKind::Assign(to, from) if is_variable(to, variable) => {
                let ExpressionKind::Variable(parameter) = from.kind else { return None };
                if source.replace(parameter).is_some() {
                    return None;
                }
            }
            _ if mentions(std::slice::from_ref(statement), variable) && source.is_none() => {
                return None;
            }
            _ if writes(program, std::slice::from_ref(statement), variable) => return None,
            _ => {}
        }
    }
    let source = source?;
    // The parameter runs over all values of the whole type.
    startstate
        .around
        .iter()
        .any(|part| matches!(part, Around::Parameter(Binder { variable, over: Over::Type(_) }) if *variable == source))
        .then_some(source)
}

fn is_variable(expression: &Expression, variable: VarId) -> bool {
    matches!(expression.kind, ExpressionKind::Variable(v) if v == variable)
}

fn aliased(around: &[Around], variable: VarId) -> bool {
    around.iter().any(|part| matches!(part, Around::Alias(_, value) if is_variable(value, variable)))
}

/// Returns whether statements may write the variable itself. An alias or a reference to it counts as a write; calls in
/// expressions are checked elsewhere.
fn writes(program: &Program, statements: &[Statement], variable: VarId) -> bool {
    let inside = |body: &[Statement]| writes(program, body, variable);
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Assign(place, _) | StatementKind::Clear(place) | StatementKind::Undefine(place) => {
            is_variable(place, variable)
        }
        StatementKind::If(branches, otherwise) => branches.iter().any(|(_, body)| inside(body)) || inside(otherwise),
        StatementKind::Switch(_, cases, otherwise) => cases.iter().any(|(_, body)| inside(body)) || inside(otherwise),
        StatementKind::For(_, body) | StatementKind::While(_, body) => inside(body),
        StatementKind::Alias(_, value, body) => is_variable(value, variable) || inside(body),
        StatementKind::Call(function, arguments) => by_reference(program, *function, arguments, variable),
        StatementKind::MultisetAdd(..)
        | StatementKind::MultisetRemove(..)
        | StatementKind::MultisetRemoveIf(..)
        | StatementKind::Return(_)
        | StatementKind::Assert(..)
        | StatementKind::Assume(_)
        | StatementKind::Cover(..)
        | StatementKind::Error(_)
        | StatementKind::Put(_) => false,
    })
}

/// Returns whether statements mention the variable at all; only assignments are looked into.
fn mentions(statements: &[Statement], variable: VarId) -> bool {
    let mut found = false;
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(to, from) => {
                for side in [to, from] {
                    side.each(&mut |inner| found |= is_variable(inner, variable));
                }
            }
            StatementKind::For(_, body) => found |= mentions(body, variable),
            StatementKind::Undefine(_) | StatementKind::Clear(_) => {}
            _ => found = true,
        }
    }
    found
}

/// Appends the types of the index arguments to names that are otherwise equal, as `a[]:P` and `a[]:Q`: an array indexed
/// by a union of two index types becomes a state variable for each of them.
fn tell_apart(universe: &Universe, variables: &mut [Variable]) {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for variable in &*variables {
        *uses.entry(variable.name.clone()).or_default() += 1;
    }
    for variable in variables.iter_mut().filter(|variable| uses[&variable.name] > 1) {
        let types: Vec<&str> =
            variable.arguments.iter().map(|over| universe.index_types[over.index()].name.as_str()).collect();
        variable.name = format!("{}:{}", variable.name, types.join(","));
    }
}

/// Returns the path without its index arguments, as `Cache[].State`.
fn path_name(universe: &Universe, path: &[PathStep]) -> String {
    let mut name = String::new();
    for step in path {
        match step {
            PathStep::Global(global) => name.push_str(global),
            PathStep::Field(field) => {
                name.push('.');
                name.push_str(field);
            }
            PathStep::Element(constant) => {
                name.push('[');
                name.push_str(&universe.constants[constant.index()].name);
                name.push(']');
            }
            PathStep::Argument(_) => name.push_str("[]"),
            PathStep::Multiset => {}
            PathStep::Rank => name.push_str("rank[]"),
            PathStep::Number(own) | PathStep::Holds(own) => name.push_str(own),
            PathStep::Count(..) => name.push_str("count"),
            PathStep::Half(..) => name.push_str("half"),
            PathStep::Next(..) => name.push_str("next"),
        }
    }
    name
}
