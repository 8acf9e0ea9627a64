//! Functions and procedures.

use super::fault::TypeFault;
use super::scopes::Entity;
use super::{Elaborator, InFunction};
use crate::program::{Function, FunctionId, StatementKind, VariableKind};
use crate::syntax::tree;

impl Elaborator<'_> {
    pub(super) fn signature(&mut self, function: &tree::Function) -> Option<FunctionId> {
        let result = function.result.as_ref().map(|ty| self.type_expression(ty));
        let mut parameters = Vec::new();
        let mut failed = result == Some(None);
        self.scopes.open();
        for parameter in &function.parameters {
            let Some(ty) = self.type_expression(&parameter.ty) else {
                failed = true;
                continue;
            };
            let kind = if parameter.reference { VariableKind::Reference } else { VariableKind::Value };
            parameters.extend(parameter.names.iter().map(|name| self.declare(name, ty, kind)));
        }
        self.scopes.close();
        if failed {
            self.bind(&function.name, Entity::Failed);
            return None;
        }
        let id = FunctionId(u32::try_from(self.program.functions.len()).unwrap_or(u32::MAX));
        self.program.functions.push(Function {
            name: function.name.text.clone(),
            parameters,
            result: result.flatten(),
            locals: Vec::new(),
            body: Vec::new(),
            span: function.name.span,
        });
        self.bind(&function.name, Entity::Function(id));
        Some(id)
    }

    /// Elaborates the body. If the signature has an error, the body is still checked as far as possible.
    pub(super) fn function_body(&mut self, id: Option<FunctionId>, function: &tree::Function) {
        self.scopes.open();
        match id {
            Some(id) => {
                for parameter in self.program.functions[id.index()].parameters.clone() {
                    let declaration = &self.program.variables[parameter.index()];
                    let name = tree::Name { text: declaration.name.clone(), span: declaration.span };
                    // A repeated parameter name was already reported with the signature.
                    if self.scopes.find_innermost(&name.text).is_none() {
                        self.bind(&name, Entity::Variable(parameter));
                    }
                }
            }
            None => {
                for name in function.parameters.iter().flat_map(|parameter| &parameter.names) {
                    if self.scopes.find_innermost(&name.text).is_none() {
                        self.bind(name, Entity::Failed);
                    }
                }
            }
        }
        self.scopes.open();
        self.locals.clear();
        function.declarations.iter().for_each(|declaration| self.declaration(declaration, false));
        let result = id.and_then(|id| self.program.functions[id.index()].result);
        self.function = match (result, &function.result) {
            (Some(ty), _) => InFunction::Returns(ty),
            (None, Some(_)) => InFunction::Unknown,
            (None, None) => InFunction::No,
        };
        let before = self.findings.len();
        let body = self.statements(&function.body);
        if matches!(self.function, InFunction::Returns(_)) && self.findings.len() == before && !returns(&body) {
            self.error(&TypeFault::NoReturn { name: function.name.text.clone() }, function.name.span);
        }
        self.function = InFunction::No;
        self.scopes.close();
        self.scopes.close();
        let locals = std::mem::take(&mut self.locals);
        if let Some(id) = id {
            let entry = &mut self.program.functions[id.index()];
            entry.body = body;
            entry.locals = locals;
        }
    }
}

/// Returns whether the body contains any `return`.
fn returns(body: &[crate::program::Statement]) -> bool {
    let mut found = false;
    for statement in body {
        statement.each(&mut |inner| found |= matches!(inner.kind, StatementKind::Return(_)));
    }
    found
}
