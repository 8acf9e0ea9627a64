//! Short names for the parts of a system.

use certificate::proof::{Instance, InvariantId, Symbol};
use system::System;
use system::{
    Axiom, Comparison, Constant, ConstantId, Cube, Formula, IndexTerm, IndexType, IndexTypeId, IndexVariable,
    IndexVariableId, Literal, NamedElement, NamedId, Numbers, Origin, PathStep, Property, PropertyKind, Role, Rule,
    Sort, SortId, Startstate, Term, Transition, Update, Value, Variable, VariableId,
};

/// A system under construction, in which things are named by text.
pub(crate) struct Builder {
    pub(crate) system: System,
}

impl Builder {
    /// With the constants `false` and `true` and the sort `boolean`.
    pub(crate) fn new() -> Self {
        let constants = ["false", "true"].map(|name| Constant { name: name.to_owned(), scalarset: None }).to_vec();
        let boolean = sort_of("boolean", &[], vec![ConstantId(0), ConstantId(1)]);
        Self {
            system: System {
                index_types: vec![],
                named: vec![],
                constants,
                sorts: vec![boolean],
                variables: vec![],
                rules: vec![],
                startstates: vec![],
                properties: vec![],
                axioms: Vec::new(),
                sizes: Vec::new(),
                claim: system::Claim::default(),
            },
        }
    }

    pub(crate) fn index_type(&mut self, name: &str, named: &[&str]) -> IndexTypeId {
        let id = IndexTypeId(count(&self.system.index_types));
        self.system.index_types.push(IndexType {
            name: name.to_owned(),
            anonymous: false,
            size: 3,
            first: 1,
            origin: line(1),
        });
        for (position, name) in (0..).zip(named) {
            self.system.named.push(NamedElement {
                name: (*name).to_owned(),
                index_type: id,
                position,
                anonymous: false,
                chosen: false,
            });
        }
        id
    }

    pub(crate) fn sort(&mut self, name: &str, index_types: &[IndexTypeId], constants: &[&str]) -> SortId {
        let constants = constants.iter().map(|constant| self.constant(constant)).collect();
        self.system.sorts.push(sort_of(name, index_types, constants));
        SortId(count(&self.system.sorts) - 1)
    }

    /// A sort of numbers, of which an instance explores these.
    pub(crate) fn numbers(&mut self, name: &str, low: i64, high: i64) -> SortId {
        self.system.sorts.push(Sort { numbers: Some(Numbers { low, high }), ..sort_of(name, &[], vec![]) });
        SortId(count(&self.system.sorts) - 1)
    }

    /// The ranks of the elements of a type, with the axiom that different elements have different ranks, and that none is
    /// less than the first.
    pub(crate) fn ranks(&mut self, of: IndexTypeId) -> VariableId {
        let index_type = &self.system.index_types[of.index()];
        let first = index_type.first;
        let sort = self.numbers("RANK", first, first + 2);
        let rank = self.variable("rank[]", &[of], sort);
        self.system.variables[rank.index()].path = vec![PathStep::Rank];
        let at = |i: u32| read(rank, &[var(i)]);
        let apart = any(&[eq(index(var(0)), index(var(1))), at_most(at(0), -1, at(1)), at_most(at(1), -1, at(0))]);
        let same = cube(&[of, of], vec![most(at(0), 0, at(1)), least(at(0), 0, at(1))]);
        self.axiom("ranks differ", &[of, of], forall(0, forall(1, apart)), vec![same]);
        let below = cube(&[of], vec![most(at(0), first - 1, Term::Zero)]);
        self.axiom("the first rank", &[of], forall(0, at_most(Term::Zero, -first, at(0))), vec![below]);
        rank
    }

    pub(crate) fn constant(&mut self, name: &str) -> ConstantId {
        if let Some(position) = self.system.constants.iter().position(|constant| constant.name == name) {
            return ConstantId(u32::try_from(position).unwrap());
        }
        self.system.constants.push(Constant { name: name.to_owned(), scalarset: None });
        ConstantId(count(&self.system.constants) - 1)
    }

    pub(crate) fn variable(&mut self, name: &str, arguments: &[IndexTypeId], sort: SortId) -> VariableId {
        let path = vec![PathStep::Global(name.to_owned())];
        let arguments = arguments.to_vec();
        self.system.variables.push(Variable { name: name.to_owned(), arguments, sort, path, origin: line(2) });
        VariableId(count(&self.system.variables) - 1)
    }

    /// A rule; the first `parameters` of the scope are parameters.
    pub(crate) fn rule(
        &mut self,
        name: &str,
        scope: &[IndexTypeId],
        parameters: u32,
        guard: Formula,
        updates: Vec<Update>,
    ) {
        let source = count(&self.system.rules);
        self.system.rules.push(Rule {
            transition: Transition {
                name: name.to_owned(),
                scope: scope_of(scope, parameters),
                parameters,
                guard,
                updates,
                origin: line(10 + source),
            },
            case: String::new(),
            source,
        });
    }

    pub(crate) fn start(
        &mut self,
        name: &str,
        scope: &[IndexTypeId],
        parameters: u32,
        guard: Formula,
        updates: Vec<Update>,
    ) {
        let scope = scope_of(scope, parameters);
        let name = name.to_owned();
        self.system
            .startstates
            .push(Startstate { transition: Transition { name, scope, parameters, guard, updates, origin: line(5) } });
    }

    pub(crate) fn property(&mut self, name: &str, bad: Vec<Cube>) {
        self.system.properties.push(Property {
            name: name.to_owned(),
            kind: PropertyKind::Invariant,
            scope: vec![],
            formula: Formula::True,
            bad,
            origin: line(50),
        });
    }

    /// An axiom, which binds all variables of its scope. It comes after the rules.
    pub(crate) fn axiom(&mut self, name: &str, scope: &[IndexTypeId], formula: Formula, bad: Vec<Cube>) {
        let (name, scope) = (name.to_owned(), scope_of(scope, 0));
        let immutable = self.system.is_immutable(&formula);
        self.system.axioms.push(Axiom { name, scope, formula, bad, immutable, origin: line(60) });
    }
}

fn sort_of(name: &str, index_types: &[IndexTypeId], constants: Vec<ConstantId>) -> Sort {
    Sort { name: name.to_owned(), index_types: index_types.to_vec(), constants, numbers: None }
}

fn scope_of(types: &[IndexTypeId], parameters: u32) -> Vec<IndexVariable> {
    (0..)
        .zip(types)
        .map(|(number, index_type)| IndexVariable {
            name: format!("v{number}"),
            index_type: *index_type,
            role: if number < parameters { Role::Parameter } else { Role::Bound },
        })
        .collect()
}

fn count<T>(table: &[T]) -> u32 {
    u32::try_from(table.len()).unwrap()
}

pub(crate) fn line(line: u32) -> Origin {
    Origin { line, column: 1, start: 0, end: 0 }
}

pub(crate) fn var(number: u32) -> IndexTerm {
    IndexTerm::Variable(IndexVariableId(number))
}

pub(crate) fn named(number: u32) -> IndexTerm {
    IndexTerm::Named(NamedId(number))
}

pub(crate) fn index(term: IndexTerm) -> Term {
    Term::Index(term)
}

pub(crate) fn con(constant: ConstantId) -> Term {
    Term::Constant(constant)
}

pub(crate) fn read(variable: VariableId, arguments: &[IndexTerm]) -> Term {
    Term::Read(variable, arguments.to_vec())
}

pub(crate) fn eq(left: Term, right: Term) -> Formula {
    Formula::Equal(left, right)
}

pub(crate) fn ne(left: Term, right: Term) -> Formula {
    Formula::Not(Box::new(Formula::Equal(left, right)))
}

/// `left <= right + sum`.
pub(crate) fn at_most(left: Term, sum: i64, right: Term) -> Formula {
    Formula::AtMost(left, right, sum)
}

/// Equality of numbers: `left = right + sum`.
pub(crate) fn is_sum(left: &Term, right: &Term, sum: i64) -> Formula {
    all(&[at_most(left.clone(), sum, right.clone()), at_most(right.clone(), -sum, left.clone())])
}

/// The literal `left <= right + sum`.
pub(crate) fn most(left: Term, sum: i64, right: Term) -> Literal {
    Literal { left, comparison: Comparison::AtMost(sum), right }
}

/// The literal `left >= right + sum`.
pub(crate) fn least(left: Term, sum: i64, right: Term) -> Literal {
    Literal { left, comparison: Comparison::AtLeast(sum), right }
}

/// A number that is written.
pub(crate) fn number(number: i64) -> Value {
    Value::Sum(Term::Zero, number)
}

pub(crate) fn all(parts: &[Formula]) -> Formula {
    Formula::And(parts.to_vec())
}

pub(crate) fn any(parts: &[Formula]) -> Formula {
    Formula::Or(parts.to_vec())
}

pub(crate) fn forall(variable: u32, body: Formula) -> Formula {
    Formula::Forall(IndexVariableId(variable), Box::new(body))
}

pub(crate) fn lit(left: Term, equal: bool, right: Term) -> Literal {
    Literal { left, comparison: Comparison::equal_if(equal), right }
}

pub(crate) fn cube(variables: &[IndexTypeId], literals: Vec<Literal>) -> Cube {
    Cube { variables: variables.to_vec(), literals, universals: Vec::new() }
}

pub(crate) fn set(variable: VariableId, arguments: &[u32], value: Value) -> Update {
    Update { variable, arguments: arguments.iter().map(|number| IndexVariableId(*number)).collect(), value }
}

pub(crate) fn term(term: Term) -> Value {
    Value::Term(term)
}

pub(crate) fn ite(condition: Formula, then: Value, otherwise: Value) -> Value {
    Value::If(condition, Box::new(then), Box::new(otherwise))
}

/// `variable[bound] := if bound = target then value else variable[bound]`.
pub(crate) fn write_at(variable: VariableId, bound: u32, target: IndexTerm, value: Value) -> Update {
    let own = term(read(variable, &[var(bound)]));
    set(variable, &[bound], ite(eq(index(var(bound)), index(target)), value, own))
}

pub(crate) fn v(number: u32) -> Symbol {
    Symbol::Variable(number)
}

pub(crate) fn o(number: u32) -> Symbol {
    Symbol::Other(number)
}

pub(crate) fn instance(invariant: u32, substitution: &[Symbol]) -> Instance {
    Instance { invariant: InvariantId(invariant), substitution: substitution.to_vec() }
}
