//! Calls of functions and procedures, expanded in place.
//!
//! A parameter passed by value is a copy; one passed by reference is the place of the argument, evaluated at the call.

use super::{Binding, Compiler, Place, error};
use crate::exec::code::{Expr, Stmt, What};
use crate::exec::{BuildError, BuildFault};
use crate::program::{Expression, FunctionId, Span, VarId, VariableKind};

impl Compiler<'_> {
    /// Writes a call; the place of the result, for a function.
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        span: Span,
    ) -> Result<Option<Place>, BuildError> {
        if self.calls.iter().any(|(around, _)| *around == function) {
            return Err(error(span, BuildFault::Recursion));
        }
        self.called = true;
        let program = self.program;
        let declaration = &program.functions[function.index()];
        let mut parameters = Vec::new();
        for (&parameter, argument) in declaration.parameters.iter().zip(arguments) {
            parameters.push((parameter, self.argument(parameter, argument)?));
        }
        self.bindings.extend(parameters);
        let result = declaration.result.map(|ty| self.allocate(ty, span)).transpose()?;
        self.calls.push((function, result.clone()));
        let body = self.scoped(|compiler| {
            compiler.declare(&declaration.locals)?;
            compiler.statements(&declaration.body)?;
            if declaration.result.is_some() && !matches!(compiler.out.last(), Some(Stmt::Return)) {
                let site = compiler.site(What::NoReturn, declaration.span);
                compiler.out.push(Stmt::Trap(site));
            }
            Ok(())
        });
        self.calls.pop();
        let ((), body) = body?;
        self.out.push(Stmt::Call(body));
        Ok(result)
    }

    fn argument(&mut self, parameter: VarId, argument: &Expression) -> Result<Binding, BuildError> {
        let declaration = &self.program.variables[parameter.index()];
        if declaration.kind == VariableKind::Reference {
            let place = self.place(argument)?;
            return Ok(Binding::Place(self.located(place)));
        }
        let binding = self.designator(argument)?;
        if let Some(domain) = self.values.domain(declaration.ty).cloned() {
            match &binding {
                Some(Binding::Value(value)) if domain.encode(*value).is_some() => return Ok(Binding::Value(*value)),
                Some(Binding::Register(register)) if argument.ty == declaration.ty => {
                    return Ok(Binding::Register(*register));
                }
                Some(_) => {}
                None => {
                    if let Expr::Const(value) = self.expression(argument)?
                        && domain.encode(value).is_some()
                    {
                        return Ok(Binding::Value(value));
                    }
                }
            }
        }
        let place = self.allocate(declaration.ty, argument.span)?;
        self.store_binding(&place, binding, argument)?;
        Ok(Binding::Place(place))
    }
}
