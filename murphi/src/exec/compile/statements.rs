//! Compiles statements.

use super::conditions::{comparison, disjunction};
use super::{Binding, Compiler, Place, error};
use crate::exec::code::{Address, Block, Cell, Chunk, Compare, Cond, Convert, Expr, Stmt, What};
use crate::exec::{BuildError, BuildFault};
use crate::program::{Binder, Expression, ExpressionKind, Span, Statement, StatementKind, TypeId, TypeKind};

impl Compiler<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Result<(), BuildError> {
        for statement in statements {
            let (frame, registers) = (self.frame, self.registers);
            self.statement(statement)?;
            (self.frame, self.registers) = (frame, registers);
        }
        Ok(())
    }

    fn block(&mut self, statements: &[Statement]) -> Result<Block, BuildError> {
        self.scoped(|compiler| compiler.statements(statements)).map(|((), block)| block)
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), BuildError> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                let place = self.place(place)?;
                self.store(&place, value)?;
            }
            StatementKind::If(branches, otherwise) => self.if_statement(branches, otherwise)?,
            StatementKind::Switch(value, cases, otherwise) => self.switch(value, cases, otherwise)?,
            StatementKind::For(binder, body) => self.for_statement(binder, body)?,
            StatementKind::While(condition, body) => {
                let condition = Box::new(self.condition(condition)?);
                let body = self.block(body)?;
                let site = self.site(What::Iterations, span);
                self.out.push(Stmt::While { condition, body, site });
            }
            StatementKind::Alias(variable, value, body) => {
                self.bind_alias(*variable, value)?;
                self.statements(body)?;
                self.bindings.remove(variable);
            }
            StatementKind::Call(function, arguments) => {
                self.call(*function, arguments, span)?;
            }
            StatementKind::Clear(place) => {
                let place = self.place(place)?;
                self.fill(&place, true, span)?;
            }
            StatementKind::Undefine(place) => {
                let place = self.place(place)?;
                self.fill(&place, false, span)?;
            }
            StatementKind::Assert(condition, message) => {
                let site = self.site(What::Assertion(message.clone()), span);
                match self.condition(condition)? {
                    Cond::Const(true) => {}
                    condition => self.out.push(Stmt::Assert(Box::new(condition), site)),
                }
            }
            StatementKind::Assume(condition) => {
                let site = self.site(What::Assumption, span);
                match self.condition(condition)? {
                    Cond::Const(true) => {}
                    condition => self.out.push(Stmt::Assert(Box::new(condition), site)),
                }
            }
            StatementKind::Cover(condition, _) => {
                let number = self.covers.iter().position(|cover| *cover == span).unwrap_or(0);
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                let condition = self.condition(condition)?;
                self.out.push(Stmt::Cover(Box::new(condition), number));
            }
            StatementKind::Error(message) => {
                let site = self.site(What::Error(message.clone()), span);
                self.out.push(Stmt::Trap(site));
            }
            StatementKind::Put(value) => {
                if let Some(value) = value {
                    self.evaluated(value)?;
                }
            }
            StatementKind::Return(value) => self.return_statement(value.as_ref())?,
            StatementKind::MultisetAdd(value, multiset) => self.multiset_add(value, multiset, span)?,
            StatementKind::MultisetRemove(position, multiset) => self.multiset_remove(position, multiset, span)?,
            StatementKind::MultisetRemoveIf(variable, multiset, condition) => {
                self.multiset_remove_if(*variable, multiset, condition)?;
            }
        }
        Ok(())
    }

    fn return_statement(&mut self, value: Option<&Expression>) -> Result<(), BuildError> {
        if let (Some(value), Some((_, Some(place)))) = (value, self.calls.last()) {
            let place = place.clone();
            self.store(&place, value)?;
        }
        self.out.push(Stmt::Return);
        Ok(())
    }

    fn if_statement(
        &mut self,
        branches: &[(Expression, Vec<Statement>)],
        otherwise: &[Statement],
    ) -> Result<(), BuildError> {
        let mut compiled = Vec::new();
        for (condition, body) in branches {
            match self.condition(condition)? {
                Cond::Const(false) => {}
                Cond::Const(true) => return self.branches(compiled, body),
                condition => {
                    let body = self.block(body)?;
                    compiled.push((condition, body));
                }
            }
        }
        self.branches(compiled, otherwise)
    }

    fn branches(&mut self, branches: Vec<(Cond, Block)>, otherwise: &[Statement]) -> Result<(), BuildError> {
        if branches.is_empty() {
            return self.statements(otherwise);
        }
        let otherwise = self.block(otherwise)?;
        self.out.push(Stmt::If(branches.into_boxed_slice(), otherwise));
        Ok(())
    }

    fn switch(
        &mut self,
        value: &Expression,
        cases: &[(Vec<Expression>, Vec<Statement>)],
        otherwise: &[Statement],
    ) -> Result<(), BuildError> {
        let mut value = self.expression(value)?;
        if !matches!(value, Expr::Const(_) | Expr::Register(_)) {
            let slot = matches!(value, Expr::Slot { .. }) && !cases.is_empty();
            if !slot {
                let register = self.register();
                self.out.push(Stmt::Let(register, value));
                value = Expr::Register(register);
            }
        }
        let mut compiled = Vec::new();
        for (labels, body) in cases {
            let mut parts = Vec::new();
            for label in labels {
                let label = self.expression(label)?;
                parts.push(comparison(Compare::Equal, value.clone(), label));
            }
            match disjunction(parts) {
                Cond::Const(false) => {}
                Cond::Const(true) => return self.branches(compiled, body),
                condition => {
                    let body = self.block(body)?;
                    compiled.push((condition, body));
                }
            }
        }
        self.branches(compiled, otherwise)
    }

    fn for_statement(&mut self, binder: &Binder, body: &[Statement]) -> Result<(), BuildError> {
        let range = self.range(binder)?;
        if let Some(values) = self.unrolled(&range) {
            let factor = values.len().max(1) as u64;
            self.copies *= factor;
            for value in values {
                self.bindings.insert(binder.variable, Binding::Value(value));
                self.statements(body)?;
            }
            self.copies /= factor;
        } else {
            let register = self.register();
            self.bindings.insert(binder.variable, Binding::Register(register));
            let body = self.block(body)?;
            self.out.push(Stmt::For { register, range: Box::new(range), body });
        }
        self.bindings.remove(&binder.variable);
        Ok(())
    }

    /// Stores a value of any type. A scalar given by a place is copied even if it is undefined.
    pub(super) fn store(&mut self, place: &Place, value: &Expression) -> Result<(), BuildError> {
        let binding = self.designator(value)?;
        self.store_binding(place, binding, value)
    }

    /// Stores the value of an expression with a known binding.
    pub(super) fn store_binding(
        &mut self,
        place: &Place,
        binding: Option<Binding>,
        value: &Expression,
    ) -> Result<(), BuildError> {
        let span = value.span;
        match binding {
            Some(Binding::Place(from)) => self.copy(place, &from, span),
            Some(Binding::Value(constant)) => self.set(place, Expr::Const(constant), span),
            Some(Binding::Register(register)) => self.set(place, Expr::Register(register), span),
            None if matches!(value.kind, ExpressionKind::Undefined) => self.fill(place, false, span),
            None if self.values.domain(place.ty).is_none() => {
                let from = self.place(value)?;
                self.copy(place, &from, span)
            }
            None => {
                let value = self.expression(value)?;
                self.set(place, value, span)
            }
        }
    }

    /// Stores a defined value in a scalar.
    pub(super) fn set(&mut self, place: &Place, value: Expr, span: Span) -> Result<(), BuildError> {
        let domain = self.domain(place.ty, span)?;
        let site = self.site(What::Range, span);
        if let Expr::Const(constant) = value
            && let Some(code) = domain.encode(constant)
        {
            return self.put(place, vec![code]);
        }
        let statement = match (self.cell(place), domain.simple_first()) {
            (Cell::Slot(slot), Some(first)) => Stmt::Set { slot, first, size: domain.size(), value, site },
            (to, _) => Stmt::Assign { to, domain, value, site },
        };
        self.out.push(statement);
        Ok(())
    }

    /// Stores codes in a sequence of scalars.
    fn put(&mut self, place: &Place, codes: Vec<u64>) -> Result<(), BuildError> {
        if place.terms.is_empty() {
            for (distance, code) in codes.into_iter().enumerate() {
                let slot = self.slots[place.base as usize + distance];
                self.store_bits(slot.word, slot.mask << slot.shift, code << slot.shift);
            }
        } else {
            self.out.push(Stmt::Fill { at: Box::new(place.address()), codes: codes.into_boxed_slice() });
        }
        Ok(())
    }

    /// Makes a sequence of scalars undefined.
    pub(super) fn forget(&mut self, base: u32, count: u32) {
        for scalar in base..base + count {
            let slot = self.slots[scalar as usize];
            self.store_bits(slot.word, slot.mask << slot.shift, 0);
        }
    }

    /// Stores constant bits, merged with constants stored in the same word immediately before.
    fn store_bits(&mut self, word: u32, mask: u64, bits: u64) {
        for statement in self.out.iter_mut().rev() {
            let Stmt::Store { word: earlier, keep, bits: before } = statement else { break };
            if *earlier == word {
                *keep &= !mask;
                *before = *before & !mask | bits;
                return;
            }
        }
        self.out.push(Stmt::Store { word, keep: !mask, bits });
    }

    fn copy(&mut self, to: &Place, from: &Place, span: Span) -> Result<(), BuildError> {
        let scalars = self.conversions(from.ty, to.ty, span)?;
        if to.terms.is_empty() && from.terms.is_empty() && scalars.iter().all(Option::is_none) {
            let chunks = self.chunks(to.base as usize, from.base as usize, scalars.len());
            self.out.push(Stmt::Move(chunks.into_boxed_slice()));
        } else if let [convert] = scalars.as_slice() {
            let convert = convert.clone().map(Box::new);
            self.out.push(Stmt::Copy { to: self.cell(to), from: self.cell(from), convert });
        } else {
            let (to, from) = (Box::new(to.address()), Box::new(from.address()));
            self.out.push(Stmt::CopyAll { to, from, scalars: scalars.into_boxed_slice() });
        }
        Ok(())
    }

    /// Returns the bits of a sequence of scalars, merged where they move by the same distance.
    fn chunks(&self, to: usize, from: usize, count: usize) -> Vec<Chunk> {
        let mut chunks: Vec<Chunk> = Vec::new();
        for distance in 0..count {
            let (to, from) = (self.slots[to + distance], self.slots[from + distance]);
            let rotate = (64 + to.shift - from.shift) % 64;
            let mask = from.mask << from.shift;
            match chunks.last_mut() {
                Some(last) if (last.from, last.to, last.rotate) == (from.word, to.word, rotate) => last.mask |= mask,
                _ => chunks.push(Chunk { from: from.word, to: to.word, mask, rotate }),
            }
        }
        chunks
    }

    /// Returns, for each scalar of a value, its conversion when the value is copied from one type to the other.
    pub(super) fn conversions(
        &mut self,
        from: TypeId,
        to: TypeId,
        span: Span,
    ) -> Result<Vec<Option<Convert>>, BuildError> {
        if from == to {
            return Ok(vec![None; self.layout.size_of(to, span)?]);
        }
        if let (Some(from), Some(to)) = (self.values.domain(from).cloned(), self.values.domain(to).cloned()) {
            let site = self.site(What::Range, span);
            return Ok(vec![(!from.same_codes(&to)).then_some(Convert { from, to, site })]);
        }
        let program = self.program;
        match (&program.types[from.index()].kind, &program.types[to.index()].kind) {
            (TypeKind::Record(a), TypeKind::Record(b)) if a.len() == b.len() => {
                let mut scalars = Vec::new();
                for ((_, from), (_, to)) in a.iter().zip(b) {
                    scalars.extend(self.conversions(*from, *to, span)?);
                }
                Ok(scalars)
            }
            (TypeKind::Array { index: i, element: from }, TypeKind::Array { index: j, element: to }) => {
                let (i, j) = (self.domain(*i, span)?, self.domain(*j, span)?);
                if !i.same_codes(&j) {
                    return Err(error(span, BuildFault::Shape));
                }
                let element = self.conversions(*from, *to, span)?;
                Ok((0..i.size()).flat_map(|_| element.clone()).collect())
            }
            _ => Err(error(span, BuildFault::Shape)),
        }
    }

    /// Makes all scalars of a place undefined, or sets them to the least values of their types.
    fn fill(&mut self, place: &Place, clear: bool, span: Span) -> Result<(), BuildError> {
        let mut codes = Vec::new();
        self.cleared(place.ty, clear, span, &mut codes)?;
        self.put(place, codes)
    }

    fn cleared(&self, ty: TypeId, clear: bool, span: Span, codes: &mut Vec<u64>) -> Result<(), BuildError> {
        match &self.program.types[ty.index()].kind {
            TypeKind::Record(fields) if clear => {
                for (_, field) in fields {
                    self.cleared(*field, clear, span, codes)?;
                }
            }
            TypeKind::Array { index, element } if clear => {
                for _ in 0..self.domain(*index, span)?.size() {
                    self.cleared(*element, clear, span, codes)?;
                }
            }
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Range(..)
            | TypeKind::Scalarset(_)
            | TypeKind::Union(_)
                if clear =>
            {
                codes.push(1);
            }
            _ => codes.extend((0..self.layout.size_of(ty, span)?).map(|_| 0)),
        }
        Ok(())
    }

    /// Returns the address of a scalar or composite value.
    pub(super) fn address_of(place: &Place) -> Box<Address> {
        Box::new(place.address())
    }
}
