//! Finds record fields that are never read or never written.
//!
//! Reads and writes are counted per record type, whichever variable, array or parameter holds the record. Copying a
//! record to another place of its type neither reads nor writes its fields.

use std::collections::BTreeSet;

use super::LintFault;
use crate::program::uses::{around, outside_of_bodies};
use crate::program::walk::each_statement;
use crate::program::{
    Around, Binary, Expression, ExpressionKind, FunctionId, Program, Statement, StatementKind, TypeId, TypeKind,
    VariableKind,
};

/// A field of a record type.
type Field = (TypeId, String);

/// The fields that are read and the fields that are written.
pub(super) struct Fields<'p> {
    program: &'p Program,
    read: BTreeSet<Field>,
    written: BTreeSet<Field>,
}

impl<'p> Fields<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut fields = Self { program, read: BTreeSet::new(), written: BTreeSet::new() };
        program.each_expression(&mut |expression| fields.anywhere(expression));
        for body in program.bodies() {
            each_statement(body, &mut |statement| fields.statement(statement));
        }
        for function in &program.functions {
            for statement in &function.body {
                statement.each(&mut |inner| {
                    if let (StatementKind::Return(Some(value)), Some(result)) = (&inner.kind, function.result) {
                        fields.copied(result, value.ty);
                    }
                });
            }
        }
        for expression in outside_of_bodies(program) {
            fields.reads(expression);
        }
        for part in around(program) {
            if let Around::Alias(_, place) | Around::Choose(_, place) = part {
                fields.reads(place);
                fields.writes(place);
            }
        }
        fields
    }

    /// Calls `found` with the path of each field that is never read or never written, once per field.
    pub(super) fn each_lack(
        &self,
        ty: TypeId,
        path: &str,
        told: &mut BTreeSet<Field>,
        found: &mut impl FnMut(LintFault),
    ) {
        match &self.program.types[ty.index()].kind {
            TypeKind::Record(fields) => {
                for (name, inner) in fields {
                    let field = (ty, name.clone());
                    if !told.insert(field.clone()) {
                        continue;
                    }
                    let path = format!("{path}.{name}");
                    if !self.read.contains(&field) {
                        found(LintFault::NeverRead { name: path });
                    } else if !self.written.contains(&field) {
                        found(LintFault::NeverWritten { name: path });
                    } else {
                        self.each_lack(*inner, &path, told, found);
                    }
                }
            }
            TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => {
                self.each_lack(*element, &format!("{path}[]"), told, found);
            }
            TypeKind::Boolean
            | TypeKind::Enum(_)
            | TypeKind::Range(..)
            | TypeKind::Scalarset(_)
            | TypeKind::Union(_) => {}
        }
    }

    /// Records the reads of an expression, in whatever context it occurs.
    fn anywhere(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Binary(Binary::Equal | Binary::Unequal, left, right) => {
                for ty in [left.ty, right.ty] {
                    self.all(ty, &mut |fields, field| {
                        fields.read.insert(field);
                    });
                }
            }
            ExpressionKind::Conditional(_, yes, no) => self.copied(yes.ty, no.ty),
            ExpressionKind::Call(id, arguments) => self.arguments(*id, arguments),
            _ => {}
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                self.writes(place);
                self.reads(value);
                self.copied(place.ty, value.ty);
            }
            StatementKind::Clear(place) => {
                self.writes(place);
                self.all(place.ty, &mut |fields, field| {
                    fields.written.insert(field);
                });
            }
            StatementKind::Undefine(place) => self.writes(place),
            StatementKind::MultisetAdd(value, bag) => {
                self.reads(value);
                self.reads(bag);
                self.writes(bag);
                if let TypeKind::Multiset { element, .. } = self.program.types[bag.ty.index()].kind {
                    self.copied(element, value.ty);
                }
            }
            StatementKind::Alias(..) | StatementKind::MultisetRemove(..) | StatementKind::MultisetRemoveIf(..) => {
                for place in statement.own_expressions() {
                    self.reads(place);
                    self.writes(place);
                }
            }
            StatementKind::Call(id, arguments) => {
                arguments.iter().for_each(|argument| self.reads(argument));
                self.arguments(*id, arguments);
            }
            _ => statement.own_expressions().into_iter().for_each(|expression| self.reads(expression)),
        }
    }

    fn arguments(&mut self, id: FunctionId, arguments: &[Expression]) {
        for (parameter, argument) in self.program.functions[id.index()].parameters.iter().zip(arguments) {
            let parameter = &self.program.variables[parameter.index()];
            self.copied(parameter.ty, argument.ty);
            if parameter.kind == VariableKind::Reference {
                self.writes(argument);
            }
        }
    }

    fn reads(&mut self, expression: &Expression) {
        expression.each(&mut |inner| {
            if let ExpressionKind::Field(record, name) = &inner.kind {
                self.read.insert((record.ty, name.clone()));
            }
        });
    }

    /// A field counts as written if any part of it is written.
    fn writes(&mut self, mut place: &Expression) {
        loop {
            match &place.kind {
                ExpressionKind::Field(record, name) => {
                    self.written.insert((record.ty, name.clone()));
                    place = record;
                }
                ExpressionKind::Element(array, index) => {
                    self.reads(index);
                    place = array;
                }
                _ => return,
            }
        }
    }

    /// Records a copy from a place of one type to a place of another. If the types have different fields, all of them
    /// count as read and written.
    fn copied(&mut self, to: TypeId, from: TypeId) {
        if to == from {
            return;
        }
        for ty in [to, from] {
            self.all(ty, &mut |fields, field| {
                fields.read.insert(field.clone());
                fields.written.insert(field);
            });
        }
    }

    fn all(&mut self, ty: TypeId, mark: &mut impl FnMut(&mut Self, Field)) {
        let mut left = vec![ty];
        let mut seen = BTreeSet::new();
        while let Some(ty) = left.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match &self.program.types[ty.index()].kind {
                TypeKind::Record(inner) => {
                    for (name, inner) in inner {
                        left.push(*inner);
                        mark(self, (ty, name.clone()));
                    }
                }
                TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => left.push(*element),
                _ => {}
            }
        }
    }
}
