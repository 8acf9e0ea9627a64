//! Compiles places: variables, fields, elements, and what aliases and reference parameters refer to.

use std::sync::Arc;

use super::{Binding, Compiler, Place, error, narrow};
use crate::exec::code::Site;
use crate::exec::code::{Address, AddressTerm, Cell, Expr, OUTSIDE, Stmt, What};
use crate::exec::layout::Slot;
use crate::exec::values::Domain;
use crate::exec::{BuildError, BuildFault};
use crate::program::{Expression, ExpressionKind, TypeKind, VarId};

/// Scalars with at most this many values use a table of offsets as an index.
const MAX_TABLE: u64 = 1024;

impl Place {
    /// Returns the address of its first scalar.
    pub(super) fn address(&self) -> Address {
        Address { base: self.base, terms: self.terms.clone() }
    }

    /// Returns the place of a part.
    pub(super) fn at(&self, distance: u32, ty: crate::program::TypeId) -> Self {
        Self { base: self.base + distance, terms: self.terms.clone(), ty }
    }
}

impl Compiler<'_> {
    /// Returns the binding of a variable, field or element, or `None` for other expressions.
    pub(super) fn designator(&mut self, expression: &Expression) -> Result<Option<Binding>, BuildError> {
        match &expression.kind {
            ExpressionKind::Variable(variable) => self.variable(*variable, expression).map(Some),
            ExpressionKind::Field(..) | ExpressionKind::Element(..) => {
                self.place(expression).map(|place| Some(Binding::Place(place)))
            }
            _ => Ok(None),
        }
    }

    fn variable(&self, variable: VarId, expression: &Expression) -> Result<Binding, BuildError> {
        if let Some(binding) = self.bindings.get(&variable) {
            return Ok(binding.clone());
        }
        let base = self.layout.base(variable).ok_or_else(|| error(expression.span, BuildFault::Malformed))?;
        let ty = self.program.variables[variable.index()].ty;
        let base = narrow(base, expression.span)?;
        Ok(Binding::Place(Place { base, terms: Vec::new(), ty }))
    }

    /// Compiles the place of an expression, emitting the statements that have to run first.
    pub(super) fn place(&mut self, expression: &Expression) -> Result<Place, BuildError> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Variable(variable) => match self.variable(*variable, expression)? {
                Binding::Place(place) => Ok(place),
                Binding::Value(_) | Binding::Register(_) => Err(error(span, BuildFault::NoPlace)),
            },
            ExpressionKind::Field(inner, name) => {
                let place = self.place(inner)?;
                let TypeKind::Record(fields) = &self.program.types[place.ty.index()].kind else {
                    return Err(error(span, BuildFault::Malformed));
                };
                let mut distance = 0;
                for (field, ty) in fields {
                    if field == name {
                        return Ok(place.at(narrow(distance, span)?, *ty));
                    }
                    distance += self.layout.size_of(*ty, span)?;
                }
                Err(error(span, BuildFault::Malformed))
            }
            ExpressionKind::Element(inner, index) => self.element(inner, index, expression),
            ExpressionKind::Call(function, arguments) => {
                let result = self.call(*function, arguments, span)?;
                result.ok_or_else(|| error(span, BuildFault::NoPlace))
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                let place = self.allocate(expression.ty, span)?;
                let condition = self.condition(condition)?;
                let ((), yes) = self.scoped(|compiler| compiler.store(&place, yes))?;
                let ((), no) = self.scoped(|compiler| compiler.store(&place, no))?;
                self.out.push(Stmt::If(Box::new([(condition, yes)]), no));
                Ok(place)
            }
            _ => Err(error(span, BuildFault::NoPlace)),
        }
    }

    fn element(&mut self, inner: &Expression, index: &Expression, whole: &Expression) -> Result<Place, BuildError> {
        let mut place = self.place(inner)?;
        let program = self.program;
        match &program.types[place.ty.index()].kind {
            TypeKind::Array { index: index_type, element } => {
                let stride = narrow(self.layout.size_of(*element, whole.span)?, whole.span)?;
                let domain = self.domain(*index_type, whole.span)?;
                let value = self.expression(index)?;
                place.ty = *element;
                self.add_index(&mut place, value, domain, stride, index)?;
                Ok(place)
            }
            TypeKind::Multiset { size, element } => {
                let stride = narrow(self.layout.size_of(*element, whole.span)?, whole.span)?;
                let size = u32::try_from(*size).map_err(|_| error(whole.span, BuildFault::Unbounded))?;
                let position = self.expression(index)?;
                let site = self.site(What::MultisetPosition, whole.span);
                let present = place.base + size * stride;
                place.ty = *element;
                place.terms.push(AddressTerm::Position { position, size, stride, present, site });
                Ok(place)
            }
            _ => Err(error(whole.span, BuildFault::Malformed)),
        }
    }

    fn add_index(
        &mut self,
        place: &mut Place,
        value: Expr,
        domain: Arc<Domain>,
        stride: u32,
        index: &Expression,
    ) -> Result<(), BuildError> {
        if let Expr::Const(constant) = value
            && let Some(code) = domain.encode(constant)
        {
            let position = u32::try_from(code - 1).map_err(|_| error(index.span, BuildFault::Unbounded))?;
            place.base += position * stride;
            return Ok(());
        }
        let site = self.site(What::Index, index.span);
        let term = match (value, self.values.domain(index.ty).cloned()) {
            (Expr::Slot { slot, before, site: undefined }, Some(of))
                if slot.mask <= MAX_TABLE && of.simple_first() == Some(before + 1) =>
            {
                Self::table(slot, (of, undefined), (&domain, site), stride)
            }
            (Expr::Read(read, undefined), _) if matches!(read.0, Cell::Slot(slot) if slot.mask <= MAX_TABLE) => {
                let Cell::Slot(slot) = read.0 else { return Err(error(index.span, BuildFault::Malformed)) };
                Self::table(slot, (read.1, undefined), (&domain, site), stride)
            }
            (index, _) => AddressTerm::Index { index, domain, stride, site },
        };
        place.terms.push(term);
        Ok(())
    }

    /// Returns the offset for each code of a scalar with this domain that is used as an array index.
    fn table(
        slot: Slot,
        (of, undefined): (Arc<Domain>, Site),
        (index, outside): (&Domain, Site),
        stride: u32,
    ) -> AddressTerm {
        let distance = |code: u64| {
            let position = if code == 0 { None } else { index.encode(of.decode(code)) };
            let position = position.and_then(|code| u32::try_from(code - 1).ok());
            position.and_then(|position| position.checked_mul(stride)).unwrap_or(OUTSIDE)
        };
        let distances = (0..=slot.mask).map(distance).collect();
        AddressTerm::Table { slot, distances, domain: of, undefined, outside }
    }

    /// Returns the same place with everything that it depends on evaluated now.
    pub(super) fn located(&mut self, place: Place) -> Place {
        if place.terms.iter().all(|term| matches!(term, AddressTerm::Offset(_))) {
            return place;
        }
        let register = self.register();
        self.out.push(Stmt::Locate(register, Box::new(place.address())));
        Place { terms: vec![AddressTerm::Offset(register)], ..place }
    }

    /// Makes the variable another name for a place or value, evaluated now.
    pub(super) fn bind_alias(&mut self, variable: VarId, value: &Expression) -> Result<(), BuildError> {
        let binding = self.evaluated(value)?;
        self.bindings.insert(variable, binding);
        Ok(())
    }

    /// Evaluates an expression now. The value at a place is not read, so it may be undefined.
    pub(super) fn evaluated(&mut self, value: &Expression) -> Result<Binding, BuildError> {
        Ok(match self.designator(value)? {
            Some(Binding::Place(place)) => Binding::Place(self.located(place)),
            Some(binding) => binding,
            None if self.values.domain(value.ty).is_none() && !self.is_number(value) => {
                Binding::Place(self.place(value)?)
            }
            None => match self.expression(value)? {
                Expr::Const(constant) => Binding::Value(constant),
                other => {
                    let register = self.register();
                    self.out.push(Stmt::Let(register, other));
                    Binding::Register(register)
                }
            },
        })
    }

    fn is_number(&self, value: &Expression) -> bool {
        matches!(self.program.types[value.ty.index()].kind, TypeKind::Range(..))
    }

    /// Returns the scalar at a place.
    pub(super) fn cell(&self, place: &Place) -> Cell {
        if place.terms.is_empty() {
            Cell::Slot(self.slots[place.base as usize])
        } else {
            Cell::At(Box::new(place.address()))
        }
    }
}
