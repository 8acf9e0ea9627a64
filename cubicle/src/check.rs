//! Checks names and types, and turns the items of a text into a [`Program`] or reports all faults.
//!
//! Predicates are unfolded, and `=>`, `<=>` and `if` are written with the other connectives.

mod formulas;
mod numbers;
mod transitions;

use std::collections::{BTreeMap, BTreeSet};

use system::front_end::{Diagnostic, Span};
use system::similar::closest_name;

use crate::fault::Fault;
use crate::program::{
    Claim, Local, Mentioned, Process, Program, Term, Type, TypeId, Values, Variable, VariableId, outside,
};
use crate::syntax::tree::{self, Item, Name};

/// Checks the items of a text.
pub(crate) fn check(text: &str, items: &[Item]) -> Result<Program, Vec<Diagnostic>> {
    let mut checker = Checker::default();
    checker.types(items);
    checker.variables(items);
    checker.predicates(items);
    let program = checker.claims(text, items);
    match program {
        Some(program) if checker.errors.is_empty() => Ok(program),
        Some(_) | None => {
            checker.errors.sort_by_key(|error| error.labels.first().map(|label| label.span.start));
            Err(checker.errors)
        }
    }
}

/// The fault is recorded.
#[derive(Debug)]
struct Recorded;

type Checked<T> = Result<T, Recorded>;

/// What a name that starts with a capital letter denotes.
#[derive(Clone, Copy)]
enum Global {
    Variable(VariableId),
    Value(TypeId, usize),
}

#[derive(Default)]
struct Checker<'i> {
    types: Vec<Type>,
    type_ids: BTreeMap<String, TypeId>,
    globals: BTreeMap<String, Global>,
    /// Variables whose types are refused; what uses them is not reported again.
    refused: BTreeSet<String>,
    all_variables: Vec<Variable>,
    predicates: BTreeMap<&'i str, (usize, &'i tree::Predicate)>,
    constants: u32,
    /// See [`Program::has_outside`].
    has_outside: bool,
    order: Option<Span>,
    mentioned: Mentioned,
    errors: Vec<Diagnostic>,
}

impl<'i> Checker<'i> {
    fn fault<T>(&mut self, fault: &Fault, span: Span) -> Checked<T> {
        self.errors.push(fault.at(span));
        Err(Recorded)
    }

    fn types(&mut self, items: &[Item]) {
        let none = Span::default();
        let truth = Values::Named(vec!["False".to_owned(), "True".to_owned()]);
        self.add_type("bool", truth, none);
        self.add_type("proc", Values::Processes, none);
        for item in items {
            let Item::Type { name, values } = item else { continue };
            if self.type_ids.contains_key(&name.text) || self.number_type(&name.text).is_some() {
                let _: Checked<()> = self.fault(&Fault::DeclaredTwice { name: name.text.clone() }, name.span);
                continue;
            }
            let id = self.add_type(&name.text, Values::Unknown, name.span);
            let Some(values) = values else { continue };
            for value in values {
                self.value(id, value);
            }
        }
    }

    fn add_type(&mut self, name: &str, values: Values, span: Span) -> TypeId {
        let id = TypeId(self.types.len());
        if let Values::Named(names) = &values {
            let globals = names.iter().enumerate().map(|(position, name)| (name.clone(), Global::Value(id, position)));
            self.globals.extend(globals);
        }
        self.types.push(Type { name: name.to_owned(), values, span });
        self.type_ids.insert(name.to_owned(), id);
        id
    }

    fn value(&mut self, ty: TypeId, name: &Name) {
        if self.globals.contains_key(&name.text) {
            let _: Checked<()> = self.fault(&Fault::DeclaredTwice { name: name.text.clone() }, name.span);
            return;
        }
        let values = &mut self.types[ty.0].values;
        let names = match values {
            Values::Named(names) => names,
            Values::Unknown | Values::Processes | Values::Integers | Values::Reals => {
                *values = Values::Named(Vec::new());
                let Values::Named(names) = values else { return };
                names
            }
        };
        self.globals.insert(name.text.clone(), Global::Value(ty, names.len()));
        names.push(name.text.clone());
    }

    fn variables(&mut self, items: &[Item]) {
        for item in items {
            let Item::Variable(variable) = item else { continue };
            let _ = self.variable(variable);
        }
    }

    fn variable(&mut self, variable: &tree::Variable) -> Checked<()> {
        let name = &variable.name;
        if self.globals.contains_key(&name.text) || self.refused.contains(&name.text) {
            return self.fault(&Fault::DeclaredTwice { name: name.text.clone() }, name.span);
        }
        for index in variable.dimensions.iter().filter(|index| index.text != "proc") {
            let _: Checked<()> = self.fault(&Fault::NoProcess { name: index.text.clone() }, index.span);
        }
        let known = self.type_ids.get(&variable.ty.text).copied();
        let Some(ty) = known.or_else(|| self.number_type(&variable.ty.text)) else {
            self.refused.insert(name.text.clone());
            let (name, span) = (&variable.ty.text, variable.ty.span);
            let known = self.type_ids.keys().map(String::as_str).chain(["int", "real"]);
            let near = if name == "boolean" { Some("bool") } else { closest_name(name, known) };
            self.errors.push(Fault::UnknownType { name: name.clone() }.near(span, near));
            return Err(Recorded);
        };
        let id = VariableId(self.all_variables.len());
        self.globals.insert(name.text.clone(), Global::Variable(id));
        self.all_variables.push(Variable {
            name: name.text.clone(),
            is_constant: variable.is_constant,
            indices: variable.dimensions.len(),
            ty,
            span: name.span,
        });
        Ok(())
    }

    fn predicates(&mut self, items: &'i [Item]) {
        for (position, item) in items.iter().enumerate() {
            let Item::Predicate(predicate) = item else { continue };
            let name = &predicate.name;
            let _ = self.different(&predicate.parameters);
            if self.predicates.insert(&name.text, (position, predicate)).is_some() {
                let _: Checked<()> = self.fault(&Fault::DeclaredTwice { name: name.text.clone() }, name.span);
            }
        }
    }

    fn claims(&mut self, text: &str, items: &'i [Item]) -> Option<Program> {
        let init = self.init(text, items);
        let (mut unsafes, mut candidates) = (Vec::new(), Vec::new());
        let (mut transitions, mut hints) = (Vec::new(), Vec::new());
        for (position, item) in items.iter().enumerate() {
            match item {
                Item::Processes(span) => hints.push(*span),
                Item::Type { .. } | Item::Variable(_) | Item::Predicate(_) | Item::Init(_) => {}
                Item::Unsafe(claim) => unsafes.extend(self.claim(claim, position)),
                Item::Invariant(claim) => candidates.extend(self.claim(claim, position)),
                Item::Transition(transition) => transitions.extend(self.transition(transition, position)),
            }
        }
        let init = init.ok()?;
        Some(Program {
            text: text.to_owned(),
            types: self.types.clone(),
            variables: self.all_variables.clone(),
            has_outside: self.has_outside,
            init,
            unsafes,
            candidates,
            transitions,
            constants: self.constants,
            hints,
            order: self.order,
            mentioned: self.mentioned.clone(),
        })
    }

    /// Checks the initial condition, before anything else: it decides what processes are.
    fn init(&mut self, text: &str, items: &'i [Item]) -> Checked<Claim> {
        let mut inits = items.iter().enumerate().filter_map(|(position, item)| match item {
            Item::Init(claim) => Some((position, claim)),
            Item::Processes(_)
            | Item::Type { .. }
            | Item::Variable(_)
            | Item::Predicate(_)
            | Item::Invariant(_)
            | Item::Unsafe(_)
            | Item::Transition(_) => None,
        });
        let Some((position, claim)) = inits.next() else {
            let end = u32::try_from(text.trim_end().len()).unwrap_or(u32::MAX);
            return self.fault(&Fault::NoInit, Span { start: end.saturating_sub(1), end });
        };
        if let Some((_, second)) = inits.next() {
            let _: Checked<()> = self.fault(&Fault::SecondInit, second.span);
        }
        let init = self.claim(claim, position)?;
        self.has_outside = init.formula.conjuncts().into_iter().any(|conjunct| outside(conjunct).is_some());
        Ok(init)
    }

    fn claim(&mut self, claim: &'i tree::Claim, position: usize) -> Checked<Claim> {
        let mut scope = Scope::new(position);
        self.parameters(&mut scope, &claim.parameters)?;
        let targets = self.targets(&mut scope, Some(&claim.formula));
        let formula = self.formula(&mut scope, &claim.formula)?;
        let parameters = claim.parameters.len();
        Ok(Claim { scope: scope.names, parameters, targets, formula, span: claim.span })
    }

    fn parameters(&mut self, scope: &mut Scope, names: &[Name]) -> Checked<()> {
        self.different(names)?;
        scope.parameters = names.iter().map(|name| scope.add(&name.text)).collect();
        Ok(())
    }

    /// Reports a name that occurs twice.
    fn different(&mut self, names: &[Name]) -> Checked<()> {
        let mut all =
            (0..names.len()).filter(|place| names[..*place].iter().any(|name| name.text == names[*place].text));
        match all.next() {
            Some(place) => self.fault(&Fault::DeclaredTwice { name: names[place].text.clone() }, names[place].span),
            None => Ok(()),
        }
    }
}

/// The variables of a transition or claim while it is checked.
struct Scope {
    names: Vec<String>,
    parameters: Vec<Local>,
    /// What names that start with a small letter denote here.
    bindings: BTreeMap<String, Term>,
    /// The position of the item: predicates have to be declared before it.
    position: usize,
    /// The number of formulas seen so far, which grows by unfolding.
    size: usize,
}

impl Scope {
    fn new(position: usize) -> Self {
        Self { names: Vec::new(), parameters: Vec::new(), bindings: BTreeMap::new(), position, size: 0 }
    }

    /// Adds a variable, and lets the name denote it.
    fn add(&mut self, name: &str) -> Local {
        let local = Local(self.names.len());
        self.names.push(name.to_owned());
        self.bindings.insert(name.to_owned(), Term::Process(Process::Local(local)));
        local
    }

    /// Adds a variable that no name denotes.
    fn add_nameless(&mut self) -> Local {
        self.names.push("j".to_owned());
        Local(self.names.len() - 1)
    }
}
