//! The interpreter of compiled rules.
//!
//! It executes compiled statements on memory that holds a state, and stops at the site of the first error. It does not
//! allocate.

use std::sync::Arc;

use super::code::{
    Address, AddressTerm, Arith, Block, Cell, Compare, Cond, Convert, Count, Expr, Multiset, OUTSIDE, Range, Register,
    Site, Stmt, Test, Trap,
};
use super::layout::Slot;
use super::values::Domain;

/// The largest number of iterations of a `while` (CMurphi's default).
pub(super) const MAX_ITERATIONS: u32 = 1000;

/// The memory of an execution.
pub(super) struct Run<'a> {
    /// The places of all scalars.
    pub slots: &'a [Slot],
    /// The state and the frame.
    pub memory: &'a mut [u64],
    pub registers: &'a mut [i64],
    /// For each `cover` statement, whether it was reached while its condition held.
    pub covered: &'a mut [bool],
    /// The site of an error in an element that does not affect a quantifier.
    pub ordered: &'a mut Option<Site>,
    /// The offending value, for the message.
    pub detail: i64,
}

/// How a block ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Return,
}

impl Run<'_> {
    pub(super) fn block(&mut self, block: &[Stmt]) -> Result<Flow, Trap> {
        for statement in block {
            if self.statement(statement)? == Flow::Return {
                return Ok(Flow::Return);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Stmt) -> Result<Flow, Trap> {
        match statement {
            Stmt::Store { word, keep, bits } => {
                let word = &mut self.memory[*word as usize];
                *word = *word & keep | bits;
            }
            Stmt::Set { slot, first, size, value, site } => {
                let value = self.value(value)?;
                let offset = value.wrapping_sub(*first).cast_unsigned();
                if value < *first || offset >= *size {
                    return self.fail(value, *site);
                }
                slot.set(self.memory, offset + 1);
            }
            Stmt::Assign { to, domain, value, site } => {
                let value = self.value(value)?;
                let Some(code) = domain.encode(value) else { return self.fail(value, *site) };
                self.put(to, code)?;
            }
            Stmt::Copy { to, from, convert } => {
                let code = self.code(from)?;
                let code = self.converted(code, convert.as_deref())?;
                self.put(to, code)?;
            }
            Stmt::CopyAll { to, from, scalars } => self.copy_all(to, from, scalars)?,
            Stmt::Fill { at, codes } => {
                let place = self.locate(at)?;
                for (distance, &code) in codes.iter().enumerate() {
                    self.put_at(place + distance, code);
                }
            }
            Stmt::Move(chunks) => {
                for chunk in chunks {
                    let bits = (self.memory[chunk.from as usize] & chunk.mask).rotate_left(chunk.rotate);
                    let word = &mut self.memory[chunk.to as usize];
                    *word = *word & !chunk.mask.rotate_left(chunk.rotate) | bits;
                }
            }
            Stmt::Let(register, value) => self.registers[*register as usize] = self.value(value)?,
            Stmt::Locate(register, address) => {
                let place = self.locate(address)? - address.base as usize;
                self.registers[*register as usize] = i64::try_from(place).unwrap_or(i64::MAX);
            }
            Stmt::If(branches, otherwise) => return self.branch(branches, otherwise),
            Stmt::For { register, range, body } => return self.repeat(*register, range, body),
            Stmt::While { condition, body, site } => return self.iterate(condition, body, *site),
            Stmt::Assert(condition, site) => {
                if !self.holds(condition)? {
                    return Err(Trap(*site));
                }
            }
            Stmt::Cover(condition, number) => {
                if self.holds(condition)? {
                    self.covered[*number as usize] = true;
                }
            }
            Stmt::Trap(site) => return Err(Trap(*site)),
            Stmt::Return => return Ok(Flow::Return),
            Stmt::Call(body) => {
                let _: Flow = self.block(body)?;
            }
            Stmt::Add { .. } | Stmt::AddValue { .. } | Stmt::Remove { .. } | Stmt::RemoveIf { .. } => {
                self.multiset_statement(statement)?;
            }
        }
        Ok(Flow::Next)
    }

    fn fail<T>(&mut self, value: i64, site: Site) -> Result<T, Trap> {
        self.detail = value;
        Err(Trap(site))
    }

    fn branch(&mut self, branches: &[(Cond, Block)], otherwise: &[Stmt]) -> Result<Flow, Trap> {
        for (condition, body) in branches {
            if self.holds(condition)? {
                return self.block(body);
            }
        }
        self.block(otherwise)
    }

    fn repeat(&mut self, register: Register, range: &Range, body: &[Stmt]) -> Result<Flow, Trap> {
        let mut flow = Flow::Next;
        self.each(range, |run, value| {
            run.registers[register as usize] = value;
            flow = run.block(body)?;
            Ok(flow == Flow::Next)
        })?;
        Ok(flow)
    }

    /// Calls `visit` for the values of a range until it returns `false`.
    fn each(&mut self, range: &Range, mut visit: impl FnMut(&mut Self, i64) -> Result<bool, Trap>) -> Result<(), Trap> {
        match range {
            Range::Values(domain) => {
                for code in 1..=domain.size() {
                    if !visit(self, domain.decode(code))? {
                        break;
                    }
                }
            }
            Range::Numbers { from, to, step, site } => {
                let (from, to, step) = (self.value(from)?, self.value(to)?, self.value(step)?);
                if step == 0 {
                    return Err(Trap(*site));
                }
                let mut at = from;
                while if step > 0 { at <= to } else { at >= to } {
                    if !visit(self, at)? {
                        break;
                    }
                    let Some(next) = at.checked_add(step) else { break };
                    at = next;
                }
            }
        }
        Ok(())
    }

    fn iterate(&mut self, condition: &Cond, body: &[Stmt], site: Site) -> Result<Flow, Trap> {
        let mut count = 0;
        while self.holds(condition)? {
            count += 1;
            if count > MAX_ITERATIONS {
                return Err(Trap(site));
            }
            if self.block(body)? == Flow::Return {
                return Ok(Flow::Return);
            }
        }
        Ok(Flow::Next)
    }

    fn copy_all(&mut self, to: &Address, from: &Address, scalars: &[Option<Convert>]) -> Result<(), Trap> {
        let (target, source) = (self.locate(to)?, self.locate(from)?);
        self.copy_scalars(target, source, scalars)
    }

    fn copy_scalars(&mut self, to: usize, from: usize, scalars: &[Option<Convert>]) -> Result<(), Trap> {
        for (distance, convert) in scalars.iter().enumerate() {
            let code = self.code_at(from + distance);
            let code = self.converted(code, convert.as_ref())?;
            self.put_at(to + distance, code);
        }
        Ok(())
    }

    fn same(&mut self, left: &Address, right: &Address, scalars: &[Option<Convert>]) -> Result<bool, Trap> {
        let (left, right) = (self.locate(left)?, self.locate(right)?);
        Ok(scalars.iter().enumerate().all(|(distance, convert)| {
            let (a, b) = (self.code_at(left + distance), self.code_at(right + distance));
            match convert {
                Some(convert) if a != 0 && b != 0 => convert.from.decode(a) == convert.to.decode(b),
                _ => a == b,
            }
        }))
    }

    fn converted(&mut self, code: u64, convert: Option<&Convert>) -> Result<u64, Trap> {
        let Some(convert) = convert else { return Ok(code) };
        if code == 0 {
            return Ok(0);
        }
        let value = convert.from.decode(code);
        match convert.to.encode(value) {
            Some(code) => Ok(code),
            None => self.fail(value, convert.site),
        }
    }

    pub(super) fn locate(&mut self, address: &Address) -> Result<usize, Trap> {
        let mut offset = 0_usize;
        for term in &address.terms {
            match term {
                AddressTerm::Offset(register) => {
                    offset += usize::try_from(self.registers[*register as usize]).unwrap_or(0);
                }
                AddressTerm::Table { slot, distances, domain, undefined, outside } => {
                    let code = slot.get(self.memory);
                    match distances[usize::try_from(code).unwrap_or(0)] {
                        OUTSIDE if code == 0 => return Err(Trap(*undefined)),
                        OUTSIDE => return self.fail(domain.decode(code), *outside),
                        distance => offset += distance as usize,
                    }
                }
                AddressTerm::Index { index, domain, stride, site } => {
                    let value = self.value(index)?;
                    let Some(code) = domain.encode(value) else { return self.fail(value, *site) };
                    offset += usize::try_from(code - 1).unwrap_or(usize::MAX) * *stride as usize;
                }
                AddressTerm::Position { position, size, stride, present, site } => {
                    let position = self.value(position)?;
                    let Some(position) = u32::try_from(position).ok().filter(|position| position < size) else {
                        return Err(Trap(*site));
                    };
                    if self.code_at(*present as usize + offset + position as usize) == 0 {
                        return Err(Trap(*site));
                    }
                    offset += position as usize * *stride as usize;
                }
            }
        }
        Ok(address.base as usize + offset)
    }

    #[inline]
    fn code_at(&self, place: usize) -> u64 {
        self.slots[place].get(self.memory)
    }

    #[inline]
    fn put_at(&mut self, place: usize, code: u64) {
        self.slots[place].set(self.memory, code);
    }

    #[inline]
    fn code(&mut self, cell: &Cell) -> Result<u64, Trap> {
        match cell {
            Cell::Slot(slot) => Ok(slot.get(self.memory)),
            Cell::At(address) => {
                let place = self.locate(address)?;
                Ok(self.code_at(place))
            }
        }
    }

    #[inline]
    fn put(&mut self, cell: &Cell, code: u64) -> Result<(), Trap> {
        match cell {
            Cell::Slot(slot) => slot.set(self.memory, code),
            Cell::At(address) => {
                let place = self.locate(address)?;
                self.put_at(place, code);
            }
        }
        Ok(())
    }

    pub(super) fn value(&mut self, expr: &Expr) -> Result<i64, Trap> {
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Register(register) => Ok(self.registers[*register as usize]),
            Expr::Slot { slot, before, site } => match slot.get(self.memory) {
                0 => Err(Trap(*site)),
                code => Ok(before.wrapping_add_unsigned(code)),
            },
            Expr::Read(read, site) => match self.code(&read.0)? {
                0 => Err(Trap(*site)),
                code => Ok(read.1.decode(code)),
            },
            Expr::Arith(operator, sides, site) => {
                let left = self.value(&sides.0)?;
                let right = self.value(&sides.1)?;
                arithmetic(*operator, left, right).ok_or(Trap(*site))
            }
            Expr::Negate(inner, site) => self.value(inner)?.checked_neg().ok_or(Trap(*site)),
            Expr::Choose(parts) => {
                if self.holds(&parts.0)? {
                    self.value(&parts.1)
                } else {
                    self.value(&parts.2)
                }
            }
            Expr::Truth(condition) => self.holds(condition).map(i64::from),
            Expr::Seq(parts) => {
                let _: Flow = self.block(&parts.0)?;
                self.value(&parts.1)
            }
            Expr::Trap(site) => Err(Trap(*site)),
            Expr::Count(count) => self.count(count),
        }
    }

    pub(super) fn holds(&mut self, condition: &Cond) -> Result<bool, Trap> {
        match condition {
            Cond::Const(truth) => Ok(*truth),
            Cond::Test(test) => self.test(test),
            Cond::Tests { all, tests } => {
                for test in tests {
                    if self.test(test)? != *all {
                        return Ok(!all);
                    }
                }
                Ok(*all)
            }
            Cond::Code { at, code, equal, site } => {
                let place = self.locate(at)?;
                match self.code_at(place) {
                    0 => Err(Trap(*site)),
                    found => Ok((found == *code) == *equal),
                }
            }
            Cond::Slots { left, right, equal, sites } => {
                let (left, right) = (left.get(self.memory), right.get(self.memory));
                match (left, right) {
                    (0, _) => Err(Trap(sites.0)),
                    (_, 0) => Err(Trap(sites.1)),
                    _ => Ok((left == right) == *equal),
                }
            }
            Cond::Compare(operator, sides) => {
                let left = self.value(&sides.0)?;
                let right = self.value(&sides.1)?;
                Ok(compare(*operator, left, right))
            }
            Cond::Same { left, right, scalars } => self.same(left, right, scalars),
            Cond::Value(expr) => self.value(expr).map(|value| value != 0),
            Cond::Not(inner) => self.holds(inner).map(|truth| !truth),
            Cond::And(parts) => self.first(parts, false),
            Cond::Or(parts) => self.first(parts, true),
            Cond::Seq(parts) => {
                let _: Flow = self.block(&parts.0)?;
                self.holds(&parts.1)
            }
            Cond::Undefined(cell) => self.code(cell).map(|code| code == 0),
            Cond::Member(expr, domain) => self.value(expr).map(|value| domain.encode(value).is_some()),
            Cond::Quantified { all, register, range, body, watched } => {
                self.quantified(*all, *register, range, body, *watched)
            }
            Cond::Watched(watched) => {
                let truth = self.holds(&watched.whole)?;
                if truth != watched.all {
                    watched.parts.iter().for_each(|part| self.look(part));
                }
                Ok(truth)
            }
            Cond::Present { flags, position } => {
                let position = self.value(position)?;
                let place = self.locate(flags)?;
                Ok(usize::try_from(position).is_ok_and(|position| self.code_at(place + position) != 0))
            }
        }
    }

    #[inline]
    fn test(&self, test: &Test) -> Result<bool, Trap> {
        let found = self.memory[test.word as usize] & test.mask;
        if found == 0 { Err(Trap(test.site)) } else { Ok((found == test.bits) == test.equal) }
    }

    /// Returns `truth` if some part has this truth value, otherwise the opposite.
    #[inline]
    fn first(&mut self, parts: &[Cond], truth: bool) -> Result<bool, Trap> {
        for part in parts {
            if self.holds(part)? == truth {
                return Ok(truth);
            }
        }
        Ok(!truth)
    }

    fn quantified(
        &mut self,
        all: bool,
        register: Register,
        range: &Range,
        body: &Cond,
        watched: bool,
    ) -> Result<bool, Trap> {
        let mut result = all;
        self.each(range, |run, value| {
            run.registers[register as usize] = value;
            if result == all {
                result = run.holds(body)?;
            } else {
                run.look(body);
            }
            Ok(result == all || watched)
        })?;
        Ok(result)
    }

    /// Checks whether the condition leads to an error for an element that does not affect the quantifier.
    fn look(&mut self, condition: &Cond) {
        if let Err(Trap(site)) = self.holds(condition) {
            self.ordered.get_or_insert(site);
        }
    }

    fn count(&mut self, count: &Count) -> Result<i64, Trap> {
        let place = self.locate(&count.multiset.address)?;
        let mut found = 0;
        for position in 0..count.multiset.size {
            if self.present(&count.multiset, place, position) {
                self.registers[count.register as usize] = i64::from(position);
                found += i64::from(self.holds(&count.condition)?);
            }
        }
        Ok(found)
    }

    fn flag(multiset: &Multiset, place: usize, position: u32) -> usize {
        place + multiset.size as usize * multiset.stride as usize + position as usize
    }

    fn present(&self, multiset: &Multiset, place: usize, position: u32) -> bool {
        self.code_at(Self::flag(multiset, place, position)) != 0
    }

    fn multiset_statement(&mut self, statement: &Stmt) -> Result<(), Trap> {
        match statement {
            Stmt::Add { multiset, from, scalars, site } => {
                let (place, position) = self.free(multiset, *site)?;
                let target = place + position as usize * multiset.stride as usize;
                let source = self.locate(from)?;
                self.copy_scalars(target, source, scalars)?;
                self.put_at(Self::flag(multiset, place, position), 1);
            }
            Stmt::AddValue { multiset, value, domain, range, site } => {
                let code = self.encoded(value, domain, *range)?;
                let (place, position) = self.free(multiset, *site)?;
                let target = place + position as usize * multiset.stride as usize;
                self.put_at(target, code);
                self.put_at(Self::flag(multiset, place, position), 1);
            }
            Stmt::Remove { multiset, position, site } => {
                let position = self.value(position)?;
                let place = self.locate(&multiset.address)?;
                match u32::try_from(position).ok().filter(|position| *position < multiset.size) {
                    Some(position) if self.present(multiset, place, position) => self.drop(multiset, place, position),
                    _ => return Err(Trap(*site)),
                }
            }
            Stmt::RemoveIf { multiset, register, condition } => {
                let place = self.locate(&multiset.address)?;
                for position in 0..multiset.size {
                    if self.present(multiset, place, position) {
                        self.registers[*register as usize] = i64::from(position);
                        if self.holds(condition)? {
                            self.drop(multiset, place, position);
                        }
                    }
                }
            }
            Stmt::Store { .. }
            | Stmt::Set { .. }
            | Stmt::Assign { .. }
            | Stmt::Copy { .. }
            | Stmt::CopyAll { .. }
            | Stmt::Fill { .. }
            | Stmt::Move(..)
            | Stmt::Let(..)
            | Stmt::Locate(..)
            | Stmt::If(..)
            | Stmt::For { .. }
            | Stmt::While { .. }
            | Stmt::Assert(..)
            | Stmt::Cover(..)
            | Stmt::Trap(_)
            | Stmt::Return
            | Stmt::Call(_) => {}
        }
        Ok(())
    }

    fn encoded(&mut self, value: &Expr, domain: &Arc<Domain>, site: Site) -> Result<u64, Trap> {
        let value = self.value(value)?;
        match domain.encode(value) {
            Some(code) => Ok(code),
            None => self.fail(value, site),
        }
    }

    /// Returns the place of a multiset and its first free position.
    fn free(&mut self, multiset: &Multiset, site: Site) -> Result<(usize, u32), Trap> {
        let place = self.locate(&multiset.address)?;
        let position = (0..multiset.size).find(|&position| !self.present(multiset, place, position));
        position.map(|position| (place, position)).ok_or(Trap(site))
    }

    fn drop(&mut self, multiset: &Multiset, place: usize, position: u32) {
        let first = place + position as usize * multiset.stride as usize;
        for scalar in first..first + multiset.stride as usize {
            self.put_at(scalar, 0);
        }
        self.put_at(Self::flag(multiset, place, position), 0);
    }
}

/// Returns the result, or `None` on overflow or division by zero.
pub(super) fn arithmetic(operator: Arith, left: i64, right: i64) -> Option<i64> {
    match operator {
        Arith::Add => left.checked_add(right),
        Arith::Subtract => left.checked_sub(right),
        Arith::Multiply => left.checked_mul(right),
        Arith::Divide => left.checked_div(right),
        Arith::Modulo => left.checked_rem(right),
        Arith::BitAnd => Some(left & right),
        Arith::BitOr => Some(left | right),
        Arith::BitXor => Some(left ^ right),
        Arith::ShiftLeft => crate::program::shift(left, Some(right)),
        Arith::ShiftRight => crate::program::shift(left, right.checked_neg()),
    }
}

pub(super) fn compare(operator: Compare, left: i64, right: i64) -> bool {
    match operator {
        Compare::Equal => left == right,
        Compare::Unequal => left != right,
        Compare::Less => left < right,
        Compare::LessEqual => left <= right,
        Compare::Greater => left > right,
        Compare::GreaterEqual => left >= right,
    }
}
