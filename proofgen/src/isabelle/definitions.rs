//! The definitions of a protocol: what its proof is about.
//!
//! The definitions are equations between terms, with comments that say where in the Murphi model they come from. They
//! follow the system literally (see [`super::translate`]). This module must not know how anything is proven.

use std::collections::BTreeSet;

use system::{
    Axiom, Cube, Formula, IndexTerm, IndexTypeId, IndexVariable, IndexVariableId, NO_SOURCE, NamedElement, Role, Rule,
    SortId, Startstate, System, Term as Read, Universal, Update, Value, VariableId,
};

use minijinja::{Value as Json, context};

use super::names::Vocabulary;
use super::term::{Binder, Infix, Term};
use super::translate::{self, Reader};
use super::{print, text};

/// One definition: a constant with its type, and the equation that defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The constant.
    pub name: String,
    /// Its type.
    pub signature: String,
    /// The defining equation.
    pub equation: Term,
}

impl Definition {
    fn new(name: &str, arguments: &[(&str, &str)], result: &str, operator: Infix, body: Term) -> Self {
        let types = arguments.iter().map(|(_, kind)| *kind).chain(std::iter::once(result)).collect::<Vec<_>>();
        let left = Term::call(name, arguments.iter().map(|(argument, _)| Term::name(*argument)).collect());
        Self { name: name.to_owned(), signature: types.join(" ⇒ "), equation: Term::infix(operator, left, body) }
    }
}

/// The elements that a universal part of a cube is about.
#[derive(Clone, Debug)]
pub struct Other {
    /// Their names.
    pub names: Vec<String>,
    /// That they are in their ranges.
    pub ranges: Vec<Term>,
    /// That they differ from each other, from the cube's elements, and from all named elements.
    pub differ: Vec<Term>,
    /// The literals.
    pub literals: Vec<Term>,
}

/// The largest number of tuples of named elements at which an array is looked at.
const MOST_NAMED: usize = 64;

/// The definitions of one system.
#[derive(Clone, Copy, Debug)]
pub struct Definitions<'a> {
    /// The system.
    pub system: &'a System,
    /// The names in the theories.
    pub words: &'a Vocabulary,
}

impl Definitions<'_> {
    /// The constants of the model other than truth values, as abbreviations of numbered values.
    #[must_use]
    pub fn constants(&self) -> Vec<Definition> {
        let numbered = (0_u64..).zip(&self.words.constants).skip(2);
        let constants = numbered.map(|(number, name)| {
            Definition::new(name, &[], "val", Infix::Equivalent, Term::call("Const", vec![Term::Number(number)]))
        });
        let elements = (0_u64..).zip(&self.words.elements).map(|(number, name)| {
            let element = Term::call("Elem", vec![Term::Number(number), Term::name("i")]);
            Definition::new(name, &[("i", "nat")], "val", Infix::Equivalent, element)
        });
        constants.chain(elements).collect()
    }

    /// The named elements that have a number, with their names. Those that a startstate chooses are arguments of all
    /// definitions.
    fn numbered(&self) -> impl Iterator<Item = (&NamedElement, &String)> {
        let named = self.system.named.iter().zip(&self.words.named);
        named.filter(|(element, _)| !element.chosen)
    }

    /// The definitions of the named elements that have a number.
    #[must_use]
    pub fn named(&self) -> Vec<Definition> {
        let definition = |(element, name): (&NamedElement, &String)| {
            let number = Term::Number(u64::from(element.position) + 1);
            Definition::new(name, &[], "nat", Infix::Equal, number)
        };
        self.numbered().map(definition).collect()
    }

    /// The names of these definitions.
    #[must_use]
    pub fn named_facts(&self) -> Vec<String> {
        self.numbered().map(|(_, name)| format!("{name}_def")).collect()
    }

    /// The propositions that named elements of one type differ.
    #[must_use]
    pub fn named_distinct(&self) -> Vec<Term> {
        let named = self.system.named.iter().zip(&self.words.named).collect::<Vec<_>>();
        let mut facts = Vec::new();
        for (position, (element, name)) in named.iter().enumerate() {
            // Either side may be the one that a proof comes to first.
            let others = named
                .iter()
                .enumerate()
                .filter(|(at, (other, _))| *at != position && other.index_type == element.index_type);
            facts.extend(others.map(|(_, (_, other))| {
                Term::infix(Infix::NotEqual, Term::name(name.as_str()), Term::name(other.as_str()))
            }));
        }
        facts
    }

    /// The sorts of the state variables that are neither truth values nor numbers.
    #[must_use]
    pub fn sorts(&self) -> Vec<Definition> {
        self.used_sorts().into_iter().map(|sort| self.sort(sort)).collect()
    }

    /// The sorts of the state variables that are neither truth values nor numbers, ascending.
    #[must_use]
    pub fn used_sorts(&self) -> BTreeSet<SortId> {
        let variables = (0_u32..).map(VariableId).zip(&self.system.variables);
        let variables = variables.filter(|(id, _)| translate::is_val(self.system, *id));
        variables.map(|(_, variable)| variable.sort).collect()
    }

    fn sort(&self, id: SortId) -> Definition {
        let sort = &self.system.sorts[id.index()];
        let constants = sort.constants.iter().map(|c| Term::name(&self.words.constants[c.index()])).collect::<Vec<_>>();
        let elements = sort.index_types.iter().map(|index_type| {
            let size = Term::name(&self.words.sizes[index_type.index()]);
            Term::call("elements", vec![Term::Number(u64::from(index_type.0)), size])
        });
        let mut parts = elements.collect::<Vec<_>>();
        if !constants.is_empty() || parts.is_empty() {
            parts.push(Term::Set(constants));
        }
        let sizes = sort.index_types.iter().map(|index_type| (self.words.sizes[index_type.index()].as_str(), "nat"));
        let name = &self.words.sorts[id.index()];
        Definition::new(name, &sizes.collect::<Vec<_>>(), "val set", Infix::Equal, Term::union(parts))
    }

    /// The state variables.
    #[must_use]
    pub fn variables(&self) -> Vec<Definition> {
        (0_u32..).map(VariableId).take(self.system.variables.len()).map(|variable| self.variable(variable)).collect()
    }

    fn variable(&self, id: VariableId) -> Definition {
        let arity = self.system.variables[id.index()].arguments.len();
        let indices = self.argument_names(arity);
        let list = Term::List(indices.iter().map(Term::name).collect());
        let read = Term::call("s", vec![code(id), list]);
        let arguments = std::iter::once(("s", "state")).chain(indices.iter().map(|index| (index.as_str(), "nat")));
        let arguments = arguments.collect::<Vec<_>>();
        let name = &self.words.variables[id.index()];
        if translate::is_truth_value(self.system, id) {
            let body = Term::equal(read, Term::name("true"));
            Definition::new(name, &arguments, "bool", Infix::Iff, body)
        } else if let Some(index_type) = translate::rank_of(self.system, id) {
            let first = self.system.index_types[index_type.index()].first;
            let position = indices.first().map(|index| Term::call("int", vec![Term::name(index)]));
            Definition::new(name, &arguments, "int", Infix::Equal, Term::sum(position, first.saturating_sub(1)))
        } else if translate::is_number(self.system, id) {
            Definition::new(name, &arguments, "int", Infix::Equal, Term::call("number", vec![read]))
        } else {
            Definition::new(name, &arguments, "val", Infix::Equal, read)
        }
    }

    /// Names for index arguments.
    pub(super) fn argument_names(&self, arity: usize) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for letter in ["i", "j", "k", "l"].iter().cycle().take(arity) {
            names.push(self.words.variable(letter, &names));
        }
        names
    }

    /// The guard of a rule and its update.
    #[must_use]
    pub fn rule(&self, rule: &Rule, name: &str) -> [Definition; 2] {
        let names = self.words.scope(&rule.scope);
        let reader = self.reader(&rule.scope, &names, "s");
        let parameters = rule.parameters as usize;
        let guard = reader.formula(&rule.guard);
        let update = Term::conjunction(
            std::iter::once(self.frame(&rule.updates)).chain(self.updates(&rule.updates, reader, "s'")).collect(),
        );
        let arguments = self.arguments(&names[..parameters]);
        let with = |states: &[&'static str]| {
            arguments.iter().copied().chain(states.iter().map(|state| (*state, "state"))).collect::<Vec<_>>()
        };
        [
            Definition::new(&format!("{name}_guard"), &with(&["s"]), "bool", Infix::Iff, guard),
            Definition::new(&format!("{name}_update"), &with(&["s", "s'"]), "bool", Infix::Iff, update),
        ]
    }

    /// A startstate: a predicate on its states, for given parameters.
    #[must_use]
    pub fn startstate(&self, start: &Startstate, name: &str) -> Definition {
        let names = self.words.scope(&start.scope);
        let parameters = start.parameters as usize;
        let mut parts = Vec::new();
        if start.guard != Formula::True {
            parts.push(self.reader(&start.scope, &names, "s").formula(&start.guard));
        }
        parts.extend(self.updates(&start.updates, self.reader(&start.scope, &names, "s"), "s"));
        let arguments = self.arguments(&names[..parameters]);
        let arguments = arguments.into_iter().chain(std::iter::once(("s", "state"))).collect::<Vec<_>>();
        Definition::new(name, &arguments, "bool", Infix::Iff, Term::conjunction(parts))
    }

    /// What a startstate says of arrays at named elements, where they have any value elsewhere. A proof that the named elements
    /// satisfy something has no other way to come to it, since the startstate says it with conditions on an element.
    #[must_use]
    pub fn start_at_named(&self, start: &Startstate) -> Vec<Term> {
        let names = self.words.scope(&start.scope);
        let mut all = Vec::new();
        for update in &start.updates {
            if !matches!(update.value, Value::If(..)) || !translate::is_indefinite(&update.value) {
                continue;
            }
            let kind = |bound: &IndexVariableId| start.scope[bound.index()].index_type;
            let count = |kind| self.system.named.iter().filter(|own| own.index_type == kind).count();
            let tuples = update.arguments.iter().try_fold(1_usize, |all, bound| all.checked_mul(count(kind(bound))));
            if tuples.is_none_or(|tuples| tuples > MOST_NAMED) {
                continue;
            }
            let mut chosen = vec![names.clone()];
            for bound in &update.arguments {
                let kind = kind(bound);
                let named = self.system.named.iter().zip(&self.words.named).filter(|(own, _)| own.index_type == kind);
                let with = |names: &Vec<String>, word: &String| {
                    let mut names = names.clone();
                    names[bound.index()].clone_from(word);
                    names
                };
                let words: Vec<&String> = named.map(|(_, word)| word).collect();
                chosen = chosen.iter().flat_map(|names| words.iter().map(move |word| with(names, word))).collect();
            }
            let arguments = update.arguments.iter().map(|bound| IndexTerm::Variable(*bound)).collect::<Vec<_>>();
            all.extend(chosen.iter().map(|names| {
                let reader = self.reader(&start.scope, names, "s");
                reader.has_value(update.variable, &reader.read(update.variable, &arguments), &update.value)
            }));
        }
        all
    }

    /// An invariant: distinct elements in the ranges of its variables do not satisfy the cube.
    #[must_use]
    pub fn invariant(&self, cube: &Cube, name: &str) -> (Definition, Vec<String>) {
        let names = self.words.invariant_variables(&cube.variables, &[]);
        let mut arguments = self.arguments(&names);
        arguments.insert(self.words.fixed.len(), ("s", "state"));
        let body = self.invariant_body(cube, &names, "s");
        (Definition::new(name, &arguments, "bool", Infix::Iff, body), names.clone())
    }

    /// The axioms that states are assumed to satisfy, with their names. All others follow from the definition of ranks.
    pub(super) fn assumptions(&self) -> impl Iterator<Item = (&Axiom, &String)> {
        let axioms = self.system.axioms.iter().zip(&self.words.axioms);
        axioms.filter(|(axiom, _)| !self.is_about_ranks(axiom))
    }

    /// Whether an axiom is about the ranks of elements and nothing else, and says of no element that it exists. It then
    /// holds because ranks are defined as they are in an instance.
    #[must_use]
    pub fn is_about_ranks(&self, axiom: &Axiom) -> bool {
        let (mut ranks, mut others) = (false, false);
        axiom.formula.visit_terms(&mut |term| {
            if let Read::Read(variable, _) = term {
                let is_rank = translate::rank_of(self.system, *variable).is_some();
                ranks |= is_rank;
                others |= !is_rank;
            }
        });
        ranks && !others && axiom.bad.iter().all(|cube| cube.universals.is_empty())
    }

    /// The definition of an assumption as the model states it.
    fn axiom(&self, axiom: &Axiom, name: &str) -> Definition {
        let arguments = self.arguments(&[]);
        let arguments = arguments.into_iter().chain([("s", "state")]).collect::<Vec<_>>();
        let names = self.words.scope(&axiom.scope);
        let body = self.reader(&axiom.scope, &names, "s").property(&axiom.formula);
        Definition::new(name, &arguments, "bool", Infix::Iff, body)
    }

    /// The predicate that a state satisfies all assumptions.
    fn all_axioms(&self) -> Definition {
        let mut arguments = self.arguments(&[]);
        arguments.push(("s", "state"));
        let call = |name: &String| Term::call(name, arguments.iter().map(|(name, _)| Term::name(*name)).collect());
        let body = Term::conjunction(self.assumptions().map(|(_, name)| call(name)).collect());
        Definition::new("assumed", &arguments, "bool", Infix::Iff, body)
    }

    /// The predicate on states that they satisfy all assumptions; `None` if there are none.
    #[must_use]
    pub fn assumption(&self) -> Option<Term> {
        let fixed = || self.words.fixed.iter().map(Term::name).collect();
        self.assumptions().next().map(|_| Term::call("assumed", fixed()))
    }

    /// The proposition that a state satisfies all assumptions; `None` if there are none.
    #[must_use]
    pub fn assumed(&self, state: &str) -> Option<Term> {
        let arguments = || self.words.fixed.iter().map(Term::name).chain([Term::name(state)]).collect();
        self.assumptions().next().map(|_| Term::call("assumed", arguments()))
    }

    /// The proposition that a state is reached, under the assumptions if there are any.
    #[must_use]
    pub fn reached(&self, protocol: Term, state: &str) -> Term {
        match self.assumption() {
            None => Term::call("reachable", vec![protocol, Term::name(state)]),
            Some(assumption) => Term::call("reachable_under", vec![assumption, protocol, Term::name(state)]),
        }
    }

    /// The body of an invariant's definition over variables with the given names.
    #[must_use]
    pub fn invariant_body(&self, cube: &Cube, names: &[String], state: &str) -> Term {
        let ranges = self.distinct(&cube.variables, names);
        let literals = self.cube(cube, names, state);
        let body = if cube.universals.is_empty() {
            Term::Not(Box::new(Term::conjunction(literals)))
        } else {
            let witnesses = cube.universals.iter().map(|universal| self.witness(cube, universal, names, state));
            Self::under(literals, Term::disjunction(witnesses.collect()))
        };
        Self::under(ranges, body)
    }

    /// A proposition under a conjunction of conditions.
    fn under(conditions: Vec<Term>, body: Term) -> Term {
        if conditions.is_empty() { body } else { Term::infix(Infix::Implies, Term::conjunction(conditions), body) }
    }

    /// The proposition that there are elements, other than those of the cube, that violate a universal part.
    fn witness(&self, cube: &Cube, universal: &Universal, names: &[String], state: &str) -> Term {
        let other = self.other(cube, universal, names, state, &[]);
        let negated = other.literals.into_iter().map(Term::negation);
        let body = Term::conjunction(other.differ.into_iter().chain(negated).collect());
        self.bound(Binder::Exists, universal, &other.names, body)
    }

    /// A universal part of a cube.
    #[must_use]
    pub fn universal(&self, cube: &Cube, universal: &Universal, names: &[String], state: &str) -> Term {
        let other = self.other(cube, universal, names, state, &[]);
        let body = Self::under(other.differ, Term::disjunction(other.literals));
        self.bound(Binder::Forall, universal, &other.names, body)
    }

    fn bound(&self, binder: Binder, universal: &Universal, names: &[String], body: Term) -> Term {
        let bound = names.iter().zip(&universal.variables).rev();
        bound.fold(body, |body, (name, kind)| Term::bind_in(binder, name, translate::elements(self.words, *kind), body))
    }

    /// The elements that a universal part is about, with names that are not taken.
    #[must_use]
    pub fn other(&self, cube: &Cube, universal: &Universal, names: &[String], state: &str, taken: &[String]) -> Other {
        let mut all = [names, taken].concat();
        for letter in ["k", "l", "m", "n"].iter().cycle().take(universal.variables.len()) {
            all.push(self.words.variable(letter, &all));
        }
        let own = all.split_off(names.len() + taken.len());
        let types = [cube.variables.as_slice(), &universal.variables].concat();
        let names = [names, &own].concat();
        let scope = scope_of(&types, &names);
        let reader = self.reader(&scope, &names, state);
        let literals = universal.literals.iter().map(|literal| reader.literal(literal)).collect();
        let from = cube.variables.len();
        Other {
            ranges: universal
                .variables
                .iter()
                .zip(&own)
                .map(|(kind, name)| translate::is_element(self.words, name, *kind))
                .collect(),
            differ: self.differing(&types, &names, from),
            literals,
            names: own,
        }
    }

    /// The literals of a cube over variables with the given names.
    #[must_use]
    pub fn cube(&self, cube: &Cube, names: &[String], state: &str) -> Vec<Term> {
        self.reader(&scope_of(&cube.variables, names), names, state).cube(cube)
    }

    /// The propositions that elements are in their ranges, pairwise distinct, and distinct from all named elements.
    #[must_use]
    pub fn distinct(&self, types: &[IndexTypeId], names: &[String]) -> Vec<Term> {
        let typed = types.iter().zip(names).collect::<Vec<_>>();
        let mut parts =
            typed.iter().map(|(kind, name)| translate::is_element(self.words, name, **kind)).collect::<Vec<_>>();
        let differ = |left: &str, right: &str| Term::infix(Infix::NotEqual, Term::name(left), Term::name(right));
        for (position, (kind, name)) in typed.iter().enumerate() {
            let others = typed[position + 1..].iter().filter(|(other, _)| other == kind);
            parts.extend(others.map(|(_, other)| differ(name, other)));
        }
        for (kind, name) in &typed {
            parts.extend(self.not_named(**kind, name));
        }
        parts
    }

    fn not_named<'b>(&'b self, kind: IndexTypeId, name: &'b str) -> impl Iterator<Item = Term> + 'b {
        let named = self.system.named.iter().zip(&self.words.named).filter(move |(named, _)| named.index_type == kind);
        named.map(move |(_, named)| Term::infix(Infix::NotEqual, Term::name(name), Term::name(named.as_str())))
    }

    /// The propositions that the elements from a position on differ from all before them and from all named elements.
    fn differing(&self, types: &[IndexTypeId], names: &[String], from: usize) -> Vec<Term> {
        let typed = types.iter().zip(names).collect::<Vec<_>>();
        let mut parts = Vec::new();
        for (position, (kind, name)) in typed.iter().enumerate().skip(from) {
            let others = typed[..position].iter().filter(|(other, _)| other == kind);
            let differ = |other: &str| Term::infix(Infix::NotEqual, Term::name(name.as_str()), Term::name(other));
            parts.extend(others.map(|(_, other)| differ(other)));
            parts.extend(self.not_named(**kind, name));
        }
        parts
    }

    /// The definition that a state variable has a value of its sort, at all elements.
    #[must_use]
    pub fn typing(&self, id: VariableId, name: &str) -> (Definition, Vec<String>) {
        let variable = &self.system.variables[id.index()];
        let names = self.argument_names(variable.arguments.len());
        let read = Term::call(
            &self.words.variables[id.index()],
            std::iter::once(Term::name("s")).chain(names.iter().map(Term::name)).collect(),
        );
        let set = translate::sort_set(self.system, self.words, variable.sort);
        let ranges =
            variable.arguments.iter().zip(&names).map(|(kind, name)| translate::is_element(self.words, name, *kind));
        let ranges = ranges.collect::<Vec<_>>();
        let member = Term::infix(Infix::Member, read, set);
        let body =
            if ranges.is_empty() { member } else { Term::infix(Infix::Implies, Term::conjunction(ranges), member) };
        let mut arguments = self.arguments(&names);
        arguments.insert(self.words.fixed.len(), ("s", "state"));
        (Definition::new(name, &arguments, "bool", Infix::Iff, body), names.clone())
    }

    /// The numbers that rules choose.
    fn chosen(&self) -> Vec<&str> {
        let variables = (0_u32..).map(VariableId).zip(&self.words.variables);
        let chosen = variables.filter(|(variable, _)| self.system.is_choice(*variable));
        chosen.map(|(_, name)| name.as_str()).collect()
    }

    /// The numbers that nothing writes, besides ranks, which are defined.
    fn fixed(&self) -> Vec<&str> {
        let variables = (0_u32..).map(VariableId).zip(&self.words.variables);
        let fixed = variables.filter(|(id, _)| {
            let is_rank = translate::rank_of(self.system, *id).is_some();
            !is_rank && translate::is_number(self.system, *id) && self.system.is_parameter(*id)
        });
        fixed.map(|(_, name)| name.as_str()).collect()
    }

    /// The state variables that record the violation of a property.
    fn noting(&self) -> Vec<&str> {
        let monitors = self.system.monitors();
        monitors.iter().map(|variable| self.words.variables[variable.index()].as_str()).collect()
    }

    /// What is fixed for all states, then the parameters, with their types.
    fn arguments<'b>(&'b self, parameters: &'b [String]) -> Vec<(&'b str, &'static str)> {
        self.words.fixed.iter().chain(parameters).map(|name| (name.as_str(), "nat")).collect()
    }

    /// The proposition that only the updated variables change.
    fn frame(&self, updates: &[Update]) -> Term {
        let written = updates.iter().map(|update| code(update.variable));
        Term::call("writes", vec![Term::List(written.collect()), Term::name("s"), Term::name("s'")])
    }

    /// What the updates say about the state named `after`, which of an arbitrary number is nothing.
    fn updates(&self, updates: &[Update], reader: Reader<'_>, after: &str) -> Vec<Term> {
        let is_any =
            |update: &&Update| update.value == Value::Arbitrary && translate::is_number(self.system, update.variable);
        updates.iter().filter(|update| !is_any(update)).map(|update| self.update(update, reader, after)).collect()
    }

    /// What one update says about the state named `after`, at all elements.
    #[must_use]
    pub fn update(&self, update: &Update, reader: Reader<'_>, after: &str) -> Term {
        let arguments = update.arguments.iter().map(|bound| IndexTerm::Variable(*bound)).collect::<Vec<_>>();
        let target = Reader { state: after, ..reader }.read(update.variable, &arguments);
        let body = reader.has_value(update.variable, &target, &update.value);
        let bound = update.arguments.iter().map(|bound| reader.names[bound.index()].clone());
        // An arbitrary value is one of the sort, which requires that the arguments are elements. In other cases it does
        // not matter what the update says about indices that are not elements, and the text is shorter without ranges.
        if translate::is_indefinite(&update.value) {
            let bound = update.arguments.iter().zip(bound).rev();
            bound.fold(body, |body, (id, name)| {
                let kind = reader.scope[id.index()].index_type;
                Term::bind_in(Binder::Forall, name, translate::elements(self.words, kind), body)
            })
        } else {
            Term::bind(Binder::Forall, bound.collect(), body)
        }
    }

    fn reader<'b>(&'b self, scope: &'b [IndexVariable], names: &'b [String], state: &'b str) -> Reader<'b> {
        Reader { system: self.system, words: self.words, scope, names, state }
    }
}

/// Variables of the given types and names as a scope.
#[must_use]
pub fn scope_of(types: &[IndexTypeId], names: &[String]) -> Vec<IndexVariable> {
    let variables = types.iter().zip(names);
    variables.map(|(kind, name)| IndexVariable { name: name.clone(), index_type: *kind, role: Role::Bound }).collect()
}

/// The number of a state variable.
#[must_use]
pub fn code(variable: VariableId) -> Term {
    Term::Number(u64::from(variable.0))
}

impl Definitions<'_> {
    /// Returns the theory with the definitions.
    ///
    /// # Errors
    /// Returns an error if the template is wrong.
    pub fn theory(&self) -> Result<String, minijinja::Error> {
        let texts = |definitions: Vec<Definition>| definitions.iter().map(text::definition).collect::<Vec<_>>();
        let starts = self.system.startstates.iter().zip(&self.words.startstates).map(|(start, name)| {
            let comment = format!("Startstate \"{}\", line {}.", text::prose(&start.name), start.origin.line);
            context! { comment, definition => text::definition(&self.startstate(start, name)) }
        });
        let rules = self.system.rules.iter().zip(&self.words.rules).map(|(rule, name)| {
            let [guard, update] = self.rule(rule, name);
            let written = rule.updates.iter().map(|update| self.words.variables[update.variable.index()].as_str());
            let written = written.collect::<Vec<_>>().join(", ");
            let comment = if written.is_empty() {
                format!("{}  It writes no variable.", rule_comment(rule))
            } else {
                format!("{}  It writes {written}.", rule_comment(rule))
            };
            context! { comment, guard => text::definition(&guard), update => text::definition(&update) }
        });
        text::render(
            "definitions",
            context! {
                protocol => self.words.protocol,
                sizes => self.size_comments(),
                constants => texts(self.constants()),
                named => texts(self.named()),
                named_distinct => self.named_distinct().iter().map(|part| text::quoted(part, 2)).collect::<Vec<_>>(),
                named_facts => self.named_facts().join(" "),
                sorts => texts(self.sorts()),
                variables => texts(self.variables()),
                noting => self.noting(),
                startstates => starts.collect::<Vec<_>>(),
                rules => rules.collect::<Vec<_>>(),
                system => text::definition(&self.protocol()),
                numbers => translate::has_numbers(self.system),
                chosen => self.chosen(),
                fixed => self.fixed(),
                assumptions => self.assumption_texts(),
            },
        )
    }

    /// What the template needs to define the assumptions.
    fn assumption_texts(&self) -> Option<Json> {
        let axioms = self.assumptions().map(|(axiom, name)| {
            let definition = self.axiom(axiom, name);
            let more = if axiom.immutable {
                "  No rule writes what it reads."
            } else if self.system.is_about_guard(axiom) {
                "  It assumes nothing about the model: the variable stands for this part of the guard, and may be set wherever it holds."
            } else {
                ""
            };
            let (name, line) = (text::prose(&axiom.name), axiom.origin.line);
            let comment = format!("Assumption \"{name}\", line {line}.{more}");
            context! { comment, definition => text::definition(&definition) }
        });
        let all = || text::definition(&self.all_axioms());
        let axioms = axioms.collect::<Vec<_>>();
        (!axioms.is_empty()).then(|| context! { axioms, all => all() })
    }

    fn size_comments(&self) -> Vec<String> {
        let types = self.system.index_types.iter().zip(&self.words.sizes);
        let chosen = self.system.named.iter().zip(&self.words.named).filter(|(element, _)| element.chosen);
        let chosen = chosen.map(|(element, name)| {
            let kind = text::prose(&self.system.index_types[element.index_type.index()].name);
            format!("A startstate chooses the element {name} of {kind}, and no rule changes it.")
        });
        types
            .map(|(kind, size)| {
                let name = text::prose(&kind.name);
                print::encode(&format!(
                    "The index type {name} has the elements ‹1, …, {size}› (line {}).",
                    kind.origin.line
                ))
            })
            .chain(chosen)
            .collect()
    }

    /// The system: startstates and rules for all values of their parameters.
    fn protocol(&self) -> Definition {
        let starts = self.system.startstates.iter().zip(&self.words.startstates).map(|(start, name)| {
            let names = self.words.scope(&start.scope);
            let parameters = &names[..start.parameters as usize];
            let fixed = self.words.fixed.iter().chain(parameters).map(Term::name);
            let call = Term::call(name, fixed.chain([Term::name("s")]).collect());
            parameters.iter().zip(&start.scope).rev().fold(call, |body, (parameter, variable)| {
                let set = translate::elements(self.words, variable.index_type);
                Term::bind_in(Binder::Exists, parameter, set, body)
            })
        });
        let initial = Term::bind(Binder::Lambda, vec!["s".to_owned()], Term::disjunction(starts.collect()));
        let rules = self.system.rules.iter().zip(&self.words.rules).map(|(rule, name)| {
            let names = self.words.scope(&rule.scope);
            let names = &names[..rule.parameters as usize];
            let pair = self.rule_pair(name, names);
            let ranges = rule.scope.iter().zip(names);
            let ranges = ranges.map(|(variable, name)| translate::is_element(self.words, name, variable.index_type));
            if names.is_empty() {
                Term::Set(vec![pair])
            } else {
                Term::Comprehension(Box::new(pair), names.to_vec(), Box::new(Term::conjunction(ranges.collect())))
            }
        });
        let body = Term::Pair(Box::new(initial), Box::new(Term::union(rules.collect())));
        Definition::new(&self.words.protocol, &self.arguments(&[]), "system", Infix::Equal, body)
    }

    /// A rule as a pair of its guard and its update, at parameters.
    #[must_use]
    pub fn rule_pair(&self, name: &str, parameters: &[String]) -> Term {
        let part = |part: &str| {
            let arguments = self.words.fixed.iter().chain(parameters).map(Term::name).collect();
            Term::call(format!("{name}_{part}"), arguments)
        };
        Term::Pair(Box::new(part("guard")), Box::new(part("update")))
    }
}

/// The comment by which a reader finds a rule in the model.
#[must_use]
pub fn rule_comment(rule: &Rule) -> String {
    let case = if rule.case.is_empty() { String::new() } else { format!(", {}", text::prose(&rule.case)) };
    let known = format!("Rule \"{}\"{case}, line {}.", text::prose(&rule.name), rule.origin.line);
    if rule.source == NO_SOURCE {
        format!("{known}  This rule is not in the model: it records the violation.")
    } else {
        known
    }
}
