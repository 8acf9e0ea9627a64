//! What names refer to, in nested scopes.

use std::collections::BTreeMap;

use super::Elaborator;
use super::constants::Constant;
use super::fault::TypeFault;
use crate::program::{Affine, FunctionId, Span, TypeId, VarId, VariableDeclaration, VariableKind};
use crate::syntax::tree::Name;
use system::similar::{closest_name, did_you_mean};

/// What a name refers to.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    /// A constant, its value in terms of the settable constants, if that is known, and the name under which its uses are
    /// recorded.
    Constant(Constant, Option<Affine>, String),
    Type(TypeId),
    Variable(VarId),
    Function(FunctionId),
    Member(TypeId),
    /// Something whose declaration has an error; using it is not reported again.
    Failed,
}

type Scope = BTreeMap<String, (Entity, Span)>;

/// The scopes, starting with the global one.
#[derive(Debug)]
pub(super) struct Scopes(Vec<Scope>);

impl Default for Scopes {
    fn default() -> Self {
        Self(vec![Scope::new()])
    }
}

impl Scopes {
    pub(super) fn open(&mut self) {
        self.0.push(Scope::new());
    }

    pub(super) fn close(&mut self) {
        self.0.pop();
    }

    pub(super) fn find(&self, name: &str) -> Option<&Entity> {
        self.0.iter().rev().find_map(|scope| scope.get(name)).map(|(entity, _)| entity)
    }

    pub(super) fn find_innermost(&self, name: &str) -> Option<&Entity> {
        self.0.last().and_then(|scope| scope.get(name)).map(|(entity, _)| entity)
    }

    /// Removes all scopes but the global one; [`Scopes::restore`] puts them back.
    pub(super) fn leave_global(&mut self) -> Vec<Scope> {
        self.0.split_off(1)
    }

    pub(super) fn restore(&mut self, inner: Vec<Scope>) {
        self.0.extend(inner);
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|scope| scope.keys().map(String::as_str))
    }
}

impl Elaborator<'_> {
    /// Looks a name up; a global declaration further down is elaborated first.
    pub(super) fn lookup(&mut self, name: &str, span: Span) -> Option<Entity> {
        if self.scopes.find(name).is_none() {
            self.read_waiting(name, span);
        }
        self.scopes.find(name).cloned()
    }

    /// Declares a variable in the innermost scope.
    pub(super) fn declare(&mut self, name: &Name, ty: TypeId, kind: VariableKind) -> VarId {
        self.warn_of_hiding(name, kind);
        let id = VarId(u32::try_from(self.program.variables.len()).unwrap_or(u32::MAX));
        self.program.variables.push(VariableDeclaration { name: name.text.clone(), ty, kind, span: name.span });
        self.bind(name, Entity::Variable(id));
        id
    }

    pub(super) fn bind(&mut self, name: &Name, entity: Entity) {
        let Some(scope) = self.scopes.0.last_mut() else { return };
        match scope.get(&name.text) {
            Some((_, first)) => {
                let fault = TypeFault::DeclaredTwice { name: name.text.clone() };
                self.findings.push(fault.at(name.span).with_label(*first, "the first declaration"));
            }
            None => {
                scope.insert(name.text.clone(), (entity, name.span));
            }
        }
    }

    /// Readers easily confuse a bound variable or alias with the outer variable that it shadows.
    fn warn_of_hiding(&mut self, name: &Name, kind: VariableKind) {
        let passing = |kind| matches!(kind, VariableKind::Bound | VariableKind::Alias);
        let outer = self.scopes.0.iter().rev().skip(1).find_map(|scope| scope.get(&name.text));
        if let (true, Some((Entity::Variable(hidden), place))) = (passing(kind), outer)
            && passing(self.program.variables[hidden.index()].kind)
        {
            let fault = TypeFault::Hidden { name: name.text.clone() };
            self.findings.push(fault.at(name.span).with_label(*place, "the one that it shadows"));
        }
    }

    /// Suggests a name that was probably meant, from those in scope and the global declarations.
    pub(super) fn similar(&self, name: &str) -> Option<String> {
        let known = self.scopes.names().chain(self.waiting.keys().copied());
        closest(name, known)
    }
}

/// Returns help that names the most similar of the names, if one is similar enough.
pub fn closest<'n>(name: &str, among: impl Iterator<Item = &'n str>) -> Option<String> {
    closest_name(name, among).map(did_you_mean)
}
