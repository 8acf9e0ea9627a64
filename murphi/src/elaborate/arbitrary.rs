//! State variables that have any value in the initial states.
//!
//! Nothing writes such a variable, so it keeps its value: it is a parameter of the protocol, such as the members of
//! quorums. The user names it, or a top-level `assume` says what is known about it.

use std::collections::BTreeSet;

use super::fault::TypeFault;
use super::scopes::closest;
use super::{Elaborator, INTEGER};
use crate::diagnostics::{Diagnostic, Severity};
use crate::program::uses::Uses;
use crate::program::walk::each_in_statements;
use crate::program::{Expression, ExpressionKind, FunctionId, PropertyKind, Span, TypeKind, VarId};

impl Elaborator<'_> {
    /// Finds the state variables that have any value. Does nothing if there are errors already, since what could not be
    /// read is then missing.
    pub(super) fn arbitrary(&mut self) {
        let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
        let has_assumptions = self.program.properties.iter().any(|property| property.kind == PropertyKind::Assume);
        if self.findings.iter().any(is_error) || (self.options.arbitrary.is_empty() && !has_assumptions) {
            return;
        }
        let uses = Uses::of(&self.program);
        let (assumed, written) = (self.assumed(&uses), &uses.written);
        for name in &self.options.arbitrary {
            match self.asked_for(name, written) {
                Ok(global) => drop(self.program.arbitrary.insert(global)),
                Err(finding) => self.findings.push(finding),
            }
        }
        let mentioned = assumed.into_iter().filter(|global| !written.contains(global) && self.has_values(*global));
        let mentioned: Vec<VarId> = mentioned.collect();
        self.program.arbitrary.extend(mentioned);
    }

    /// The state variable of this name, if it can have any value.
    fn asked_for(&self, name: &str, written: &BTreeSet<VarId>) -> Result<VarId, Diagnostic> {
        let named = |global: &VarId| self.program.variables[global.index()].name == name;
        let name = || name.to_owned();
        let Some(global) = self.program.globals.iter().copied().find(named) else {
            let mut finding = TypeFault::NoStateVariable { name: name() }.at(Span::default());
            finding.help = Some(self.unwritten(&name(), written));
            return Err(finding);
        };
        let span = self.program.variables[global.index()].span;
        if written.contains(&global) {
            return Err(TypeFault::ArbitraryWritten { name: name() }.at(span));
        }
        if !self.has_values(global) {
            return Err(TypeFault::ArbitraryUnbounded { name: name() }.at(span));
        }
        Ok(global)
    }

    /// Describes the state variables that the user may have meant.
    fn unwritten(&self, name: &str, written: &BTreeSet<VarId>) -> String {
        let named = |global: &VarId| self.program.variables[global.index()].name.as_str();
        if let Some(closest) = closest(name, self.program.globals.iter().map(named)) {
            return closest;
        }
        let free: Vec<&str> =
            self.program.globals.iter().filter(|global| !written.contains(global)).map(named).collect();
        match free.as_slice() {
            [] => "every state variable is written".to_owned(),
            _ => format!("those that nothing writes are {}", free.join(", ")),
        }
    }

    /// The state variables that a top-level `assume` mentions, itself or in a function that it calls.
    fn assumed(&self, uses: &Uses) -> BTreeSet<VarId> {
        let mut mentioned = BTreeSet::new();
        let mut called = Vec::new();
        let mut known: BTreeSet<FunctionId> = BTreeSet::new();
        let mut visit = |inner: &Expression, called: &mut Vec<FunctionId>| match inner.kind {
            ExpressionKind::Variable(variable) => drop(mentioned.insert(uses.original(variable))),
            ExpressionKind::Call(function, _) => called.push(function),
            _ => {}
        };
        for property in self.program.properties.iter().filter(|property| property.kind == PropertyKind::Assume) {
            property.condition.each(&mut |inner| visit(inner, &mut called));
        }
        while let Some(function) = called.pop() {
            if known.insert(function) {
                let body = &self.program.functions[function.index()].body;
                each_in_statements(body, &mut |inner| visit(inner, &mut called));
            }
        }
        self.program.globals.iter().copied().filter(|global| mentioned.contains(global)).collect()
    }

    /// Whether the values of a variable can be listed: it has no multisets and no plain numbers.
    fn has_values(&self, global: VarId) -> bool {
        let mut types = vec![self.program.variables[global.index()].ty];
        while let Some(ty) = types.pop() {
            match self.kind(ty) {
                TypeKind::Multiset { .. } => return false,
                TypeKind::Record(fields) => types.extend(fields.iter().map(|(_, field)| *field)),
                TypeKind::Array { element, .. } => types.push(*element),
                TypeKind::Boolean
                | TypeKind::Enum(_)
                | TypeKind::Range(..)
                | TypeKind::Scalarset(_)
                | TypeKind::Union(_) => {}
            }
            if ty == INTEGER {
                return false;
            }
        }
        true
    }
}
