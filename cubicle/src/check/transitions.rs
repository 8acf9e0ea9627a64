//! Checks transitions.

use super::{Checked, Checker, Fault, Global, Scope};
use crate::program::{Assigned, Formula, Local, PROC, Process, Relation, Term, Transition, Update, Values, VariableId};
use crate::syntax::tree::{self, FormulaKind};

impl<'i> Checker<'i> {
    pub(super) fn transition(&mut self, transition: &'i tree::Transition, position: usize) -> Checked<Transition> {
        let mut scope = Scope::new(position);
        self.parameters(&mut scope, &transition.parameters)?;
        let choices = self.choices(&mut scope, transition);
        let targets = self.targets(&mut scope, transition.guard.as_ref());
        let guard = match &transition.guard {
            Some(guard) => self.formula(&mut scope, guard),
            None => Ok(Formula::Constant(true)),
        };
        for (name, term) in &transition.lets {
            let term = self.term(&scope, term)?;
            scope.bindings.insert(name.text.clone(), term);
        }
        let assignments = transition.assignments.iter();
        let updates: Vec<Checked<Update>> = assignments.map(|own| self.assignment(&mut scope, own)).collect();
        let mut updates: Vec<Update> = updates.into_iter().collect::<Checked<_>>()?;
        self.each_once(transition, &updates)?;
        updates.sort_by_key(|update| update.variable);
        Ok(Transition {
            name: transition.name.text.clone(),
            scope: scope.names,
            parameters: transition.parameters.len(),
            choices,
            targets,
            guard: guard?,
            updates,
            span: transition.span,
        })
    }

    /// Adds a variable for each value that is chosen among all elements of an index type, and returns the variables that
    /// get them. What is wrong with them is reported elsewhere.
    fn choices(&mut self, scope: &mut Scope, transition: &tree::Transition) -> Vec<VariableId> {
        let mut choices = Vec::new();
        for assignment in &transition.assignments {
            if let (tree::Assigned::Any, Some(Global::Variable(variable))) =
                (&assignment.value, self.globals.get(&assignment.target.text))
            {
                let ty = &self.types[self.all_variables[variable.0].ty.0];
                let is_any = match ty.values {
                    Values::Named(_) | Values::Integers | Values::Reals => false,
                    Values::Processes => !self.has_outside,
                    Values::Unknown => true,
                };
                if is_any {
                    choices.push(*variable);
                    scope.names.push(ty.name.chars().take(1).collect());
                }
            }
        }
        choices
    }

    /// Adds a variable for each value of a process variable that a conjunct compares by `<`. What is wrong with the conjunct is
    /// reported elsewhere.
    pub(super) fn targets(&mut self, scope: &mut Scope, formula: Option<&tree::Formula>) -> Vec<(Local, Term)> {
        let mut targets: Vec<(Local, Term)> = Vec::new();
        let mut open: Vec<&tree::Formula> = formula.into_iter().collect();
        let mut sides = Vec::new();
        while let Some(formula) = open.pop() {
            match &formula.kind {
                FormulaKind::And(parts) => open.extend(parts.iter().rev()),
                FormulaKind::Compare(left, relation, right) if relation.is_order() => sides.extend([left, right]),
                FormulaKind::Compare(..)
                | FormulaKind::Constant(_)
                | FormulaKind::Not(_)
                | FormulaKind::Or(_)
                | FormulaKind::Implies(..)
                | FormulaKind::Equivalent(..)
                | FormulaKind::If(..)
                | FormulaKind::Quantified(..)
                | FormulaKind::Call(..)
                | FormulaKind::Term(_) => {}
            }
        }
        let reported = self.errors.len();
        for side in sides {
            let Ok(term @ Term::Read(variable, _)) = self.term(scope, side) else { continue };
            let is_process = self.all_variables[variable.0].ty == PROC;
            if is_process && !self.has_outside && !targets.iter().any(|(_, known)| *known == term) {
                targets.push((scope.add_nameless(), term));
            }
        }
        self.errors.truncate(reported);
        targets
    }

    fn each_once(&mut self, transition: &tree::Transition, updates: &[Update]) -> Checked<()> {
        for (position, update) in updates.iter().enumerate() {
            if updates[..position].iter().any(|other| other.variable == update.variable) {
                let target = &transition.assignments[position].target;
                return self.fault(&Fault::AssignedTwice { name: target.text.clone() }, target.span);
            }
        }
        Ok(())
    }

    fn assignment(&mut self, scope: &mut Scope, assignment: &'i tree::Assignment) -> Checked<Update> {
        let variable = self.array(&assignment.target, assignment.indices.len())?;
        if self.all_variables[variable.0].is_constant {
            let name = assignment.target.text.clone();
            return self.fault(&Fault::ConstantAssigned { name }, assignment.target.span);
        }
        let value = match &assignment.value {
            tree::Assigned::Any if assignment.indices.is_empty() => Assigned::Any,
            tree::Assigned::Any => return self.fault(&Fault::AnyElement, assignment.span),
            tree::Assigned::Term(term) => self.single(scope, variable, assignment, term)?,
            tree::Assigned::Case(cases) => self.cases(scope, variable, assignment, cases)?,
        };
        Ok(Update { variable, value })
    }

    /// Checks `X := t` or `A[i, j] := t`, which changes one element only.
    fn single(
        &mut self,
        scope: &mut Scope,
        variable: VariableId,
        assignment: &'i tree::Assignment,
        term: &'i tree::Term,
    ) -> Checked<Assigned> {
        let value = self.term(scope, term)?;
        let target = assignment.indices.iter().map(|index| self.process(scope, index)).collect::<Checked<Vec<_>>>()?;
        let formals: Vec<Local> = target.iter().map(|_| scope.add_nameless()).collect();
        let old = Term::Read(variable, formals.iter().copied().map(Process::Local).collect());
        self.same_type(&value, &old, term.span)?;
        if target.is_empty() {
            return Ok(Assigned::Cases { formals, cases: Vec::new(), default: value });
        }
        let is_it = formals.iter().zip(target).map(|(formal, index)| {
            let formal = Term::Process(Process::Local(*formal));
            Formula::Compare(formal, Relation::Equal, Term::Process(index), assignment.span)
        });
        let is_it = Formula::And(is_it.collect());
        Ok(Assigned::Cases { formals, cases: vec![(is_it, value)], default: old })
    }

    /// Checks `X := case …` or `A[i, j] := case …`, where the indices denote all processes.
    fn cases(
        &mut self,
        scope: &mut Scope,
        variable: VariableId,
        assignment: &'i tree::Assignment,
        cases: &'i [(Option<tree::Formula>, tree::Term)],
    ) -> Checked<Assigned> {
        self.different(&assignment.indices)?;
        let outer = scope.bindings.clone();
        let mut formals = Vec::new();
        for index in &assignment.indices {
            if index.text.starts_with('#') {
                return self.fault(&Fault::NoProcess { name: index.text.clone() }, index.span);
            }
            if scope.bindings.contains_key(&index.text) {
                return self.fault(&Fault::IndexIsParameter { name: index.text.clone() }, index.span);
            }
            formals.push(scope.add(&index.text));
        }
        let old = Term::Read(variable, formals.iter().copied().map(Process::Local).collect());
        let mut checked = Vec::new();
        let mut default = None;
        for (condition, term) in cases {
            let value = self.term(scope, term)?;
            self.same_type(&value, &old, term.span)?;
            match condition {
                Some(condition) => checked.push((self.condition(scope, condition)?, value)),
                None => default = Some(value),
            }
        }
        scope.bindings = outer;
        match default {
            Some(default) => Ok(Assigned::Cases { formals, cases: checked, default }),
            None => self.fault(&Fault::NoDefault, assignment.span),
        }
    }

    fn condition(&mut self, scope: &mut Scope, condition: &'i tree::Formula) -> Checked<Formula> {
        let checked = self.formula(scope, condition)?;
        match checked.quantifier() {
            Some(quantified) => self.fault(&Fault::Quantifier { what: quantified.keyword }, condition.span),
            None => Ok(checked),
        }
    }
}
