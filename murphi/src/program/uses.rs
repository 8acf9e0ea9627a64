//! Which variables a program reads and writes, and which functions it calls.

#![allow(clippy::wildcard_enum_match_arm, reason = "it looks for one kind among many")]

use std::collections::{BTreeMap, BTreeSet};

use super::walk::{each_in_statements, each_statement};
use super::{
    Around, Binder, Expression, ExpressionKind, FunctionId, Program, Statement, StatementKind, VarId, VariableKind,
};

/// Returns the ruleset parameters of the rules, each listed once.
pub(crate) fn parameters(program: &Program) -> BTreeSet<VarId> {
    let parameter = |part: &Around| match part {
        Around::Parameter(Binder { variable, .. }) => Some(*variable),
        Around::Alias(..) | Around::Choose(..) => None,
    };
    around(program).filter_map(parameter).collect()
}

/// Returns the parameters, aliases and choices around rules, startstates and properties.
pub(crate) fn around(program: &Program) -> impl Iterator<Item = &Around> {
    let rules = program.rules.iter().map(|rule| &rule.around);
    let startstates = program.startstates.iter().map(|startstate| &startstate.around);
    let properties = program.properties.iter().map(|property| &property.around);
    rules.chain(startstates).chain(properties).flatten()
}

/// The variables read and written, and the functions called, anywhere in the program.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    pub(crate) read: BTreeSet<VarId>,
    pub(crate) written: BTreeSet<VarId>,
    pub(crate) called: BTreeSet<FunctionId>,
    /// The place that each alias is part of.
    aliases: BTreeMap<VarId, VarId>,
    /// The state variables that each function writes, directly or through calls.
    effects: Vec<BTreeSet<VarId>>,
}

impl Uses {
    pub(crate) fn of(program: &Program) -> Self {
        let mut uses = Self::default();
        uses.find_aliases(program);
        program.each_expression(&mut |expression| {
            if let ExpressionKind::Call(id, _) = expression.kind {
                uses.called.insert(id);
            }
        });
        let bodies: Vec<&[Statement]> = program.bodies().collect();
        for body in &bodies {
            each_statement(body, &mut |statement| uses.statement(program, statement));
        }
        for place in outside_of_bodies(program) {
            uses.reads(place);
        }
        uses.effects = vec![BTreeSet::new(); program.functions.len()];
        loop {
            let next: Vec<BTreeSet<VarId>> =
                program.functions.iter().map(|function| uses.written_by(program, &function.body)).collect();
            if next == uses.effects {
                return uses;
            }
            uses.effects = next;
        }
    }

    fn find_aliases(&mut self, program: &Program) {
        let mut note = |alias: VarId, place: &Expression| {
            if let Some(root) = place.root() {
                self.aliases.insert(alias, root);
            }
        };
        for body in program.bodies() {
            each_statement(body, &mut |statement| {
                if let StatementKind::Alias(alias, place, _) = &statement.kind {
                    note(*alias, place);
                }
            });
        }
        for part in around(program) {
            if let Around::Alias(alias, place) = part {
                note(*alias, place);
            }
        }
    }

    /// Returns the variable that an alias is part of, followed through aliases of aliases.
    pub(crate) fn original(&self, mut variable: VarId) -> VarId {
        while let Some(behind) = self.aliases.get(&variable) {
            variable = *behind;
        }
        variable
    }

    fn reads(&mut self, expression: &Expression) {
        expression.each(&mut |inner| {
            if let ExpressionKind::Variable(variable) = inner.kind {
                let original = self.original(variable);
                self.read.extend([variable, original]);
            }
        });
    }

    /// A target is written; its indices are read.
    fn writes(&mut self, place: &Expression) {
        if let Some(root) = place.root() {
            let original = self.original(root);
            self.written.insert(original);
        }
        let mut place = place;
        loop {
            match &place.kind {
                ExpressionKind::Element(inner, index) => {
                    self.reads(index);
                    place = inner;
                }
                ExpressionKind::Field(inner, _) => place = inner,
                _ => return,
            }
        }
    }

    fn statement(&mut self, program: &Program, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) | StatementKind::MultisetAdd(value, place) => {
                self.writes(place);
                self.reads(value);
            }
            StatementKind::Clear(place) | StatementKind::Undefine(place) => self.writes(place),
            // Whether the aliased place is read is decided where the alias is used.
            StatementKind::Alias(_, place, _) => {
                if place.root().is_none() {
                    self.reads(place);
                } else {
                    place.each(&mut |inner| {
                        if let ExpressionKind::Element(_, index) = &inner.kind {
                            self.reads(index);
                        }
                    });
                }
            }
            StatementKind::Call(id, arguments) => {
                self.called.insert(*id);
                self.arguments(program, *id, arguments);
            }
            StatementKind::MultisetRemove(..) | StatementKind::MultisetRemoveIf(..) => {
                statement.own_expressions().into_iter().for_each(|place| {
                    self.writes(place);
                    self.reads(place);
                });
            }
            _ => statement.own_expressions().into_iter().for_each(|expression| self.reads(expression)),
        }
        for expression in statement.own_expressions() {
            expression.each(&mut |inner| {
                if let ExpressionKind::Call(id, arguments) = &inner.kind {
                    self.arguments(program, *id, arguments);
                }
            });
        }
    }

    /// An argument for a `var` parameter may be both read and written.
    fn arguments(&mut self, program: &Program, function: FunctionId, arguments: &[Expression]) {
        for (parameter, argument) in program.functions[function.index()].parameters.iter().zip(arguments) {
            self.reads(argument);
            if program.variables[parameter.index()].kind == VariableKind::Reference {
                self.writes(argument);
            }
        }
    }

    /// Returns the variables that statements write, directly or through calls.
    pub(crate) fn written_by(&self, program: &Program, body: &[Statement]) -> BTreeSet<VarId> {
        let mut written = BTreeSet::new();
        let mut target = |place: &Expression| written.extend(place.root().map(|root| self.original(root)));
        let mut called = BTreeSet::new();
        let mut call = |id: FunctionId, arguments: &[Expression], target: &mut dyn FnMut(&Expression)| {
            called.insert(id);
            for (parameter, argument) in program.functions[id.index()].parameters.iter().zip(arguments) {
                if program.variables[parameter.index()].kind == VariableKind::Reference {
                    target(argument);
                }
            }
        };
        each_statement(body, &mut |statement| match &statement.kind {
            StatementKind::Assign(place, _)
            | StatementKind::MultisetAdd(_, place)
            | StatementKind::Clear(place)
            | StatementKind::Undefine(place) => target(place),
            StatementKind::Call(id, arguments) => call(*id, arguments, &mut target),
            _ => {}
        });
        each_in_statements(body, &mut |expression| {
            if let ExpressionKind::Call(id, arguments) = &expression.kind {
                call(*id, arguments, &mut target);
            }
        });
        for id in called {
            written.extend(self.effects.get(id.index()).into_iter().flatten());
        }
        written
    }
}

/// Returns the expressions in guards, properties and the groups around rules, except for places that aliases stand for.
pub(crate) fn outside_of_bodies(program: &Program) -> Vec<&Expression> {
    let mut found: Vec<&Expression> = program.rules.iter().map(|rule| &rule.guard).collect();
    found.extend(program.properties.iter().map(|property| &property.condition));
    for part in around(program) {
        match part {
            Around::Alias(_, place) => place.each(&mut |inner| {
                if let ExpressionKind::Element(_, index) = &inner.kind {
                    found.push(index);
                }
            }),
            Around::Choose(_, place) => found.push(place),
            Around::Parameter(_) => {}
        }
    }
    found
}
