//! Calls of functions and procedures, expanded in place.
//!
//! A parameter passed by value is a copy; one passed by reference is the place of the argument, evaluated at the call.

use super::{Binding, Compiler, Place, error};
use crate::exec::code::{Cond, Expr, Stmt, What};
use crate::exec::{BuildError, BuildFault};
use crate::program::{
    Expression, ExpressionKind, Function, FunctionId, Span, StatementKind, Unary, VarId, VariableKind,
};

impl Compiler<'_> {
    /// Compiles a call; returns the place of the result if it is a function.
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        span: Span,
    ) -> Result<Option<Place>, BuildError> {
        self.not_recursive(function, span)?;
        self.called = true;
        let program = self.program;
        let declaration = &program.functions[function.index()];
        let parameters = self.arguments(declaration, arguments)?;
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

    /// Compiles a call as a condition, if the function only returns the truth of a formula and its arguments need no
    /// copy.
    pub(super) fn call_as_condition(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        span: Span,
    ) -> Result<Option<Cond>, BuildError> {
        self.not_recursive(function, span)?;
        let program = self.program;
        let declaration = &program.functions[function.index()];
        let Some(formula) = returned_formula(declaration) else { return Ok(None) };
        let before = (self.frame, self.registers);
        let (parameters, statements) = self.scoped(|compiler| compiler.arguments(declaration, arguments))?;
        let copied = parameters.iter().any(|(parameter, binding)| {
            let by_value = program.variables[parameter.index()].kind != VariableKind::Reference;
            by_value && matches!(binding, Binding::Place(_))
        });
        if copied || !statements.is_empty() {
            (self.frame, self.registers) = before;
            return Ok(None);
        }
        self.bindings.extend(parameters);
        self.calls.push((function, None));
        let condition = self.condition(formula);
        self.calls.pop();
        condition.map(Some)
    }

    fn not_recursive(&self, function: FunctionId, span: Span) -> Result<(), BuildError> {
        let recursive = self.calls.iter().any(|(around, _)| *around == function);
        if recursive { Err(error(span, BuildFault::Recursion)) } else { Ok(()) }
    }

    fn arguments(
        &mut self,
        function: &Function,
        arguments: &[Expression],
    ) -> Result<Vec<(VarId, Binding)>, BuildError> {
        let parameters = function.parameters.iter().zip(arguments);
        parameters.map(|(&parameter, argument)| Ok((parameter, self.argument(parameter, argument)?))).collect()
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

/// Returns the formula that a function returns, if it does nothing else. Returns `None` if the formula is a designator,
/// since returning its value is an assignment.
fn returned_formula(function: &Function) -> Option<&Expression> {
    let [only] = function.body.as_slice() else { return None };
    let StatementKind::Return(Some(value)) = &only.kind else { return None };
    let formula = matches!(
        value.kind,
        ExpressionKind::Unary(Unary::Not, _)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Forall(..)
            | ExpressionKind::Exists(..)
            | ExpressionKind::IsUndefined(_)
            | ExpressionKind::IsMember(..)
    );
    (formula && function.locals.is_empty()).then_some(value)
}
