//! Compiles multiset operations: choosing, counting, adding, removing.

use super::{Binding, Compiler, error};
use crate::elaborate::BOOLEAN;
use crate::exec::code::{Address, Cond, Count, Expr, Multiset, Stmt, What};
use crate::exec::{BuildError, BuildFault};
use crate::program::{ADDED_UNDEFINED, Expression, ExpressionKind, Span, TypeId, TypeKind, Unary, VarId};

impl Compiler<'_> {
    fn multiset(&mut self, expression: &Expression) -> Result<(Multiset, TypeId), BuildError> {
        let place = self.place(expression)?;
        let TypeKind::Multiset { size, element } = self.program.types[place.ty.index()].kind else {
            return Err(error(expression.span, BuildFault::Malformed));
        };
        let stride = super::narrow(self.layout.size_of(element, expression.span)?, expression.span)?;
        let size = u32::try_from(size).map_err(|_| error(expression.span, BuildFault::Unbounded))?;
        Ok((Multiset { address: place.address(), size, stride }, element))
    }

    /// Returns all positions of a multiset.
    pub(super) fn positions(&self, multiset: &Expression) -> Result<Vec<i64>, BuildError> {
        match self.program.types[multiset.ty.index()].kind {
            TypeKind::Multiset { size, .. } => Ok((0..size).collect()),
            _ => Err(error(multiset.span, BuildFault::Malformed)),
        }
    }

    /// Returns the condition that the multiset has an element at the variable's position.
    pub(super) fn present(&mut self, variable: VarId, multiset: &Expression) -> Result<Cond, BuildError> {
        let (Multiset { address, size, stride }, _) = self.multiset(multiset)?;
        let position = match self.bindings.get(&variable) {
            Some(Binding::Value(value)) => Expr::Const(*value),
            Some(Binding::Register(register)) => Expr::Register(*register),
            _ => return Err(error(multiset.span, BuildFault::Malformed)),
        };
        let flags = Box::new(Address { base: address.base + size * stride, ..address });
        Ok(Cond::Present { flags, position: Box::new(position) })
    }

    pub(super) fn count(
        &mut self,
        variable: VarId,
        multiset: &Expression,
        condition: &Expression,
    ) -> Result<Expr, BuildError> {
        let (multiset, _) = self.multiset(multiset)?;
        let register = self.register();
        self.bindings.insert(variable, Binding::Register(register));
        let condition = self.condition(condition)?;
        self.bindings.remove(&variable);
        Ok(Expr::Count(Box::new(Count { multiset, register, condition })))
    }

    pub(super) fn multiset_add(
        &mut self,
        value: &Expression,
        multiset: &Expression,
        span: Span,
    ) -> Result<(), BuildError> {
        let (multiset, element) = self.multiset(multiset)?;
        let multiset = Box::new(multiset);
        let site = self.site(What::MultisetFull, span);
        if self.program.may_be_undefined(value) {
            self.check_defined(value)?;
        }
        let from = match self.designator(value)? {
            Some(Binding::Place(from)) => from,
            _ if self.values.domain(element).is_some() => {
                let domain = self.domain(element, span)?;
                let value = self.expression(value)?;
                let range = self.site(What::Range, span);
                self.out.push(Stmt::AddValue { multiset, value, domain, range, site });
                return Ok(());
            }
            _ => self.place(value)?,
        };
        let scalars = self.conversions(from.ty, element, span)?.into_boxed_slice();
        self.out.push(Stmt::Add { multiset, from: Self::address_of(&from), scalars, site });
        Ok(())
    }

    /// Fails where a value that is added to a multiset is undefined.
    fn check_defined(&mut self, value: &Expression) -> Result<(), BuildError> {
        let truth = |kind| Expression { kind, ty: BOOLEAN, span: value.span };
        let undefined = truth(ExpressionKind::IsUndefined(Box::new(value.clone())));
        let defined = self.condition(&truth(ExpressionKind::Unary(Unary::Not, Box::new(undefined))))?;
        let site = self.site(What::Assertion(ADDED_UNDEFINED.to_owned()), value.span);
        self.out.push(Stmt::Assert(Box::new(defined), site));
        Ok(())
    }

    pub(super) fn multiset_remove(
        &mut self,
        position: &Expression,
        multiset: &Expression,
        span: Span,
    ) -> Result<(), BuildError> {
        let (multiset, _) = self.multiset(multiset)?;
        let position = self.expression(position)?;
        let site = self.site(What::MultisetPosition, span);
        self.out.push(Stmt::Remove { multiset: Box::new(multiset), position, site });
        Ok(())
    }

    pub(super) fn multiset_remove_if(
        &mut self,
        variable: VarId,
        multiset: &Expression,
        condition: &Expression,
    ) -> Result<(), BuildError> {
        let (multiset, _) = self.multiset(multiset)?;
        let register = self.register();
        self.bindings.insert(variable, Binding::Register(register));
        let condition = Box::new(self.condition(condition)?);
        self.bindings.remove(&variable);
        self.out.push(Stmt::RemoveIf { multiset: Box::new(multiset), register, condition });
        Ok(())
    }
}
