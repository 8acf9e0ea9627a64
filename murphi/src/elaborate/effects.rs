//! Refuses functions with side effects where an expression must be pure.
//!
//! That is in guards, properties, conditions of quantifiers and on multiset elements, array indices, cases of a `switch`,
//! and wherever an expression may not be evaluated at all. Other Murphi tools accept these calls, with or without a warning, and each evaluates them in an
//! order of its own.
//!
//! A function has an effect if it assigns a state variable, or a `var` parameter that refers to something of the
//! caller's, directly or through calls; and if it contains rumur's `assume` or `cover` statements, which make a
//! statement about the current execution.

use std::collections::BTreeMap;

use super::Elaborator;
use super::fault::TypeFault;
use crate::program::walk::{each_in_statements, each_statement};
use crate::program::{
    Around, Binary, Expression, ExpressionKind, Function, FunctionId, Program, Statement, StatementKind, VarId,
    VariableKind,
};

/// What a function changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Effects {
    /// It changes some state variable.
    globals: bool,
    /// It contains an `assume` or a `cover`.
    execution: bool,
    /// It changes these parameters.
    parameters: Vec<bool>,
}

impl Elaborator<'_> {
    pub(super) fn refuse_side_effects(&mut self) {
        let effects = effects_of(&self.program);
        let mut refused = Vec::new();
        let mut refuse = |expression: &Expression, site: &'static str| {
            expression.each(&mut |inner| {
                if let ExpressionKind::Call(id, _) = inner.kind
                    && let Some(effect) = effects[id.index()].told()
                {
                    let function = self.program.functions[id.index()].name.clone();
                    refused.push((TypeFault::SideEffect { function, effect, site }, inner.span));
                }
            });
        };
        for rule in &self.program.rules {
            refuse(&rule.guard, "a guard");
            around_places(&rule.around).for_each(|place| refuse(place, "an alias around a rule"));
        }
        for property in &self.program.properties {
            refuse(&property.condition, "a property");
            around_places(&property.around).for_each(|place| refuse(place, "an alias around a property"));
        }
        for body in self.program.bodies() {
            each_statement(body, &mut |statement| match &statement.kind {
                StatementKind::Switch(_, cases, _) => {
                    cases.iter().flat_map(|(values, _)| values).for_each(|value| refuse(value, "a case of a `switch`"));
                }
                StatementKind::MultisetRemoveIf(_, _, condition) => {
                    refuse(condition, "a condition on multiset elements");
                }
                StatementKind::Assign(..)
                | StatementKind::If(..)
                | StatementKind::For(..)
                | StatementKind::While(..)
                | StatementKind::Alias(..)
                | StatementKind::Call(..)
                | StatementKind::Clear(_)
                | StatementKind::Undefine(_)
                | StatementKind::Assert(..)
                | StatementKind::Assume(_)
                | StatementKind::Cover(..)
                | StatementKind::Error(_)
                | StatementKind::Put(_)
                | StatementKind::Return(_)
                | StatementKind::MultisetAdd(..)
                | StatementKind::MultisetRemove(..) => {}
            });
        }
        let mut visit = |expression: &Expression| match &expression.kind {
            ExpressionKind::Element(_, index) => refuse(index, "an index"),
            ExpressionKind::Forall(_, body) | ExpressionKind::Exists(_, body) => refuse(body, "a quantified condition"),
            ExpressionKind::MultisetCount(_, _, condition) => refuse(condition, "a condition on multiset elements"),
            ExpressionKind::Binary(Binary::And | Binary::Or | Binary::Implies, _, right) => {
                refuse(right, "an operand that may not be evaluated");
            }
            ExpressionKind::Conditional(_, yes, no) => {
                [yes, no].into_iter().for_each(|value| refuse(value, "a value that may not be evaluated"));
            }
            _ => {}
        };
        self.program.each_expression(&mut visit);
        refused.sort_by_key(|(_, span)| *span);
        refused.dedup_by_key(|(_, span)| *span);
        refused.iter().for_each(|(fault, span)| self.error(fault, *span));
    }
}

impl Effects {
    fn none(function: &Function) -> Self {
        Self { globals: false, execution: false, parameters: vec![false; function.parameters.len()] }
    }

    /// Describes what a function with these effects does, or returns `None` if it has none.
    fn told(&self) -> Option<&'static str> {
        if self.globals || self.parameters.contains(&true) {
            Some("changes variables")
        } else if self.execution {
            Some("has an `assume` or a `cover`")
        } else {
            None
        }
    }
}

fn around_places(around: &[Around]) -> impl Iterator<Item = &Expression> {
    around.iter().filter_map(|part| match part {
        Around::Alias(_, place) | Around::Choose(_, place) => Some(place),
        Around::Parameter(_) => None,
    })
}

/// Computes the effects of all functions: the least fixed point under calls.
fn effects_of(program: &Program) -> Vec<Effects> {
    let mut effects: Vec<Effects> = program.functions.iter().map(Effects::none).collect();
    loop {
        let mut changed = false;
        for (position, function) in program.functions.iter().enumerate() {
            let own = effects_of_body(program, function, &effects);
            changed |= own != effects[position];
            effects[position] = own;
        }
        if !changed {
            return effects;
        }
    }
}

fn effects_of_body(program: &Program, function: &Function, known: &[Effects]) -> Effects {
    let mut effects = Effects::none(function);
    let aliases = alias_roots(&function.body);
    let mut touch = |place: &Expression| {
        let mut root = place.root();
        while let Some(alias) = root.filter(|root| aliases.contains_key(root)) {
            root = aliases[&alias];
        }
        let Some(root) = root else { return };
        match program.variables[root.index()].kind {
            VariableKind::Global => effects.globals = true,
            VariableKind::Reference => {
                if let Some(position) = function.parameters.iter().position(|parameter| *parameter == root) {
                    effects.parameters[position] = true;
                }
            }
            VariableKind::Local | VariableKind::Value | VariableKind::Bound | VariableKind::Alias => {}
        }
    };
    let (mut calls_globals, mut execution) = (false, false);
    let mut call = |id: FunctionId, arguments: &[Expression]| {
        let Some(called) = known.get(id.index()) else { return };
        calls_globals |= called.globals;
        execution |= called.execution;
        for (argument, written) in arguments.iter().zip(&called.parameters) {
            if *written {
                touch(argument);
            }
        }
    };
    each_in_statements(&function.body, &mut |expression| {
        if let ExpressionKind::Call(id, arguments) = &expression.kind {
            call(*id, arguments);
        }
    });
    for statement in &function.body {
        statement.each(&mut |inner| {
            if let StatementKind::Call(id, arguments) = &inner.kind {
                call(*id, arguments);
            }
        });
    }
    for statement in &function.body {
        statement.each(&mut |inner| {
            execution |= matches!(inner.kind, StatementKind::Assume(_) | StatementKind::Cover(..));
            written_places(inner).into_iter().for_each(&mut touch);
        });
    }
    effects.globals |= calls_globals;
    effects.execution |= execution;
    effects
}

/// Returns the place that each alias of a body is part of.
fn alias_roots(body: &[Statement]) -> BTreeMap<VarId, Option<VarId>> {
    let mut roots = BTreeMap::new();
    for statement in body {
        statement.each(&mut |inner| {
            if let StatementKind::Alias(alias, place, _) = &inner.kind {
                roots.insert(*alias, place.root());
            }
        });
    }
    roots
}

fn written_places(statement: &Statement) -> Vec<&Expression> {
    match &statement.kind {
        StatementKind::Assign(place, _)
        | StatementKind::Clear(place)
        | StatementKind::Undefine(place)
        | StatementKind::MultisetAdd(_, place)
        | StatementKind::MultisetRemove(_, place)
        | StatementKind::MultisetRemoveIf(_, place, _) => vec![place],
        _ => Vec::new(),
    }
}
