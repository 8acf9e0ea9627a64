//! What the iterations of a loop do to places, and whether that commutes.

use crate::program::VarId;

/// A place: a variable, and the path into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path<'p> {
    pub(super) root: VarId,
    pub(super) steps: Vec<Step<'p>>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step<'p> {
    Field(&'p str),
    Element(Index),
}

/// An array index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    Variable(VarId),
    /// Something else; two of these need not be equal.
    Other,
}

impl<'p> Path<'p> {
    pub(super) fn then(mut self, step: Step<'p>) -> Self {
        self.steps.push(step);
        self
    }

    /// Returns whether the place depends on one of these variables, or on something unknown.
    fn varies(&self, with: &[VarId]) -> bool {
        with.contains(&self.root)
            || self.steps.iter().any(|step| match step {
                Step::Field(_) => false,
                Step::Element(Index::Variable(variable)) => with.contains(variable),
                Step::Element(Index::Other) => true,
            })
    }

    /// Returns whether this place in one iteration of a loop always differs from the other place in another iteration.
    fn is_apart(&self, other: &Self, variable: VarId) -> bool {
        self.root != other.root
            || self.steps.iter().zip(&other.steps).any(|steps| match steps {
                (Step::Field(one), Step::Field(other)) => one != other,
                (Step::Element(Index::Variable(one)), Step::Element(Index::Variable(other))) => {
                    *one == variable && *other == variable
                }
                (Step::Element(_) | Step::Field(_), Step::Element(_) | Step::Field(_)) => false,
            })
    }
}

/// Something that an iteration does.
#[derive(Clone, Debug)]
pub(super) struct Access<'p> {
    /// The place, or `None` if it is unknown or the access has none.
    pub(super) path: Option<Path<'p>>,
    pub(super) effect: Effect<'p>,
    /// The statement list that contains it.
    pub(super) block: u32,
}

/// The kinds of accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect<'p> {
    /// A loop or quantifier binds the variable.
    Bind(VarId),
    Read,
    /// An assertion that a multiset has room.
    Room,
    Write(Written<'p>),
    /// `x := x + 1` with any nonnegative constant.
    Up,
    Down,
    /// `x := x | y`.
    Or,
    And,
    /// An element is added to a multiset.
    Add,
    /// All elements of a multiset that satisfy a condition are removed.
    Remove,
    Return(Option<Written<'p>>),
    /// An assertion, or a `cover`.
    Assertion,
    Assumption,
}

/// A value that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written<'p> {
    Truth(bool),
    Number(i64),
    Member(&'p str),
    Undefined,
    /// The least values of the type.
    Cleared,
    /// The value of a place.
    Copy(Path<'p>),
    Other,
}

impl Effect<'_> {
    pub(super) fn writes(&self) -> bool {
        match self {
            Self::Write(_) | Self::Up | Self::Down | Self::Or | Self::And | Self::Add | Self::Remove => true,
            Self::Bind(_) | Self::Read | Self::Room | Self::Return(_) | Self::Assertion | Self::Assumption => false,
        }
    }
}

/// Returns whether iterations with these accesses may have a different result in another order. The first access binds
/// the loop's variable.
pub(super) fn order_matters(accesses: &[Access<'_>], variable: VarId) -> bool {
    let mut effects = accesses.iter().map(|access| &access.effect);
    let writes = effects.clone().any(Effect::writes);
    let returns = effects.any(|effect| matches!(effect, Effect::Return(_)));
    if stops_early(accesses) || (returns && (writes || returns_differ(accesses))) {
        return true;
    }
    let iterations = Iterations::of(accesses, variable);
    (0..accesses.len())
        .filter(|&at| accesses[at].effect.writes())
        .any(|at| (0..accesses.len()).any(|other| iterations.conflict(at, other)))
}

/// Returns whether an iteration may end the loop before another one reaches an assertion or a `cover`, or end the
/// execution, as an assumption does, before another one reaches any error: what an assumption reads may be undefined.
pub(super) fn stops_early(accesses: &[Access<'_>]) -> bool {
    let does = |wanted: fn(&Effect<'_>) -> bool| accesses.iter().any(|access| wanted(&access.effect));
    does(|effect| matches!(effect, Effect::Assumption))
        || (does(|effect| matches!(effect, Effect::Assertion)) && does(|effect| matches!(effect, Effect::Return(_))))
}

/// Returns whether the loop may end with different results.
fn returns_differ(accesses: &[Access<'_>]) -> bool {
    let mut returned = accesses
        .iter()
        .filter_map(|access| if let Effect::Return(value) = &access.effect { Some(value) } else { None });
    let first = returned.next();
    let constant = match first {
        None | Some(None) => true,
        Some(Some(value)) => match value {
            Written::Truth(_) | Written::Number(_) | Written::Member(_) | Written::Undefined => true,
            Written::Cleared | Written::Copy(_) | Written::Other => false,
        },
    };
    !constant || returned.any(|value| Some(value) != first)
}

/// Two different iterations of a loop.
struct Iterations<'a, 'p> {
    accesses: &'a [Access<'p>],
    variable: VarId,
    /// The variables that differ between iterations: the loop's and those bound inside.
    bound: Vec<VarId>,
}

impl<'a, 'p> Iterations<'a, 'p> {
    fn of(accesses: &'a [Access<'p>], variable: VarId) -> Self {
        let bound = accesses
            .iter()
            .filter_map(|access| if let Effect::Bind(variable) = access.effect { Some(variable) } else { None });
        Self { accesses, variable, bound: bound.collect() }
    }

    /// Returns whether a write of one iteration may not commute with an access of another.
    fn conflict(&self, write: usize, other: usize) -> bool {
        let (one, two) = (&self.accesses[write], &self.accesses[other]);
        let apart = match (&one.path, &two.path) {
            (Some(one), Some(two)) => one.is_apart(two, self.variable),
            // A write to an unknown place may be to any place.
            (None, Some(_)) => false,
            (_, None) => !two.effect.writes(),
        };
        !apart && !self.alike(one, two, other)
    }

    /// Returns whether both do the same thing, so that their order does not matter.
    fn alike(&self, one: &Access<'p>, two: &Access<'p>, at: usize) -> bool {
        match (&one.effect, &two.effect) {
            (Effect::Write(one), Effect::Write(two)) => one == two && self.is_fixed(one),
            (Effect::Add, Effect::Room) => self.makes_room(at),
            (Effect::Up, Effect::Up)
            | (Effect::Down, Effect::Down)
            | (Effect::Or, Effect::Or)
            | (Effect::And, Effect::And)
            | (Effect::Add, Effect::Add)
            | (Effect::Remove, Effect::Remove) => one.path.is_some() && two.path.is_some(),
            _ => false,
        }
    }

    /// Returns whether all iterations write the same value.
    fn is_fixed(&self, written: &Written<'_>) -> bool {
        match written {
            Written::Truth(_) | Written::Number(_) | Written::Member(_) | Written::Undefined | Written::Cleared => true,
            Written::Other => false,
            Written::Copy(path) => {
                let written = |access: &Access<'_>| {
                    access.effect.writes() && access.path.as_ref().is_none_or(|other| other.root == path.root)
                };
                !path.varies(&self.bound) && !self.accesses.iter().any(written)
            }
        }
    }

    /// Returns whether the assertion that a multiset has room comes directly before the addition. Then, in whatever
    /// order, one of the assertions fails if too many elements are added in all.
    fn makes_room(&self, at: usize) -> bool {
        let asked = &self.accesses[at];
        let Some(asked_for) = &asked.path else { return false };
        let is_known = |step: &Step<'_>| *step != Step::Element(Index::Other);
        // Writes to other variables in between do not change its indices.
        let touches = |access: &&Access<'p>| {
            access.effect == Effect::Room
                || (access.effect.writes()
                    && access
                        .path
                        .as_ref()
                        .is_none_or(|path| path.root == asked_for.root || asked_for.varies(&[path.root])))
        };
        let next = self.accesses[at + 1..].iter().find(touches);
        asked_for.steps.iter().all(is_known)
            && next
                .is_some_and(|next| next.effect == Effect::Add && next.path == asked.path && next.block == asked.block)
    }
}
