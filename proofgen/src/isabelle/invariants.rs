//! The invariants, together with the types of the state variables, as formulas that are proven simultaneously.
//!
//! This module makes the definitions of a certificate's invariants, and the theory that lists them with the state
//! variables that they read. It must not know how they are proven.

use std::collections::BTreeSet;

use certificate::proof::{InvariantId, InvariantOrigin};
use minijinja::{Value as Json, context};
use system::{Cube, IndexTerm, Literal, PathStep, Term as Source_, Value, VariableId};

use super::definitions::{self, Definition, Definitions};
use super::replay::Step;
use super::script::{self, Steps};
use super::term::{Binder, Infix, Term};
use super::{Source, text, translate};

/// A formula over the state that all rules preserve.
pub struct Formula {
    /// Its name.
    pub name: String,
    /// The names of its variables in its definition.
    pub variables: Vec<String>,
    /// The state variables that it reads.
    pub reads: BTreeSet<VariableId>,
    /// Its definition.
    pub definition: Definition,
}

/// All formulas.
pub struct Invariants<'a> {
    source: Source<'a>,
    definitions: Definitions<'a>,
    /// The types of state variables that are neither truth values nor numbers.
    pub types: Vec<(VariableId, Formula)>,
    /// The invariants, by number.
    pub invariants: Vec<Formula>,
    /// Their cubes, and behind them those of the assumptions.
    pub cubes: Vec<Cube>,
    /// The names of the facts that exclude the cubes of the assumptions, and whether they hold by definition.
    pub assumed: Vec<(String, bool)>,
}

impl<'a> Invariants<'a> {
    pub(super) fn new(source: Source<'a>, definitions: Definitions<'a>) -> Self {
        let variables = (0_u32..).map(VariableId).take(source.system.variables.len());
        let typed = variables.filter(|variable| translate::is_val(source.system, *variable));
        let types = typed.map(|variable| {
            let name = format!("type_{}", source.words.variables[variable.index()]);
            let (definition, variables) = definitions.typing(variable, &name);
            (variable, Formula { name, variables, reads: BTreeSet::from([variable]), definition })
        });
        let own = source.certificate.invariants.iter().map(|invariant| &invariant.cube);
        let cubes = source.certificate.cubes(source.system).cloned().collect();
        let axioms = source.system.axioms.iter().zip(&source.words.axioms);
        let assumed = axioms.flat_map(|(axiom, name)| {
            let defined = definitions.is_about_ranks(axiom);
            (0..axiom.bad.len()).map(move |number| (script::cube_name(name, number), defined))
        });
        let invariants = (1_usize..).zip(own).map(|(number, cube)| {
            let name = format!("inv{number}");
            let (definition, variables) = definitions.invariant(cube, &name);
            Formula { name, variables, reads: reads(cube), definition }
        });
        Self {
            source,
            definitions,
            types: types.collect(),
            invariants: invariants.collect(),
            cubes,
            assumed: assumed.collect(),
        }
    }

    /// The definitions of the protocol.
    #[must_use]
    pub fn definitions(&self) -> Definitions<'a> {
        self.definitions
    }

    /// The formula that a state variable has a value of its type; `None` for a truth value or a number.
    #[must_use]
    pub fn type_of(&self, variable: VariableId) -> Option<&Formula> {
        self.types.iter().find(|(typed, _)| *typed == variable).map(|(_, formula)| formula)
    }

    /// All formulas, in the order in which they are listed.
    pub fn all(&self) -> impl Iterator<Item = &Formula> {
        self.types.iter().map(|(_, formula)| formula).chain(&self.invariants)
    }

    /// A formula, at given variables and in a given state.
    #[must_use]
    pub fn at(&self, formula: &Formula, state: &str, variables: &[String]) -> Term {
        let fixed = self.source.words.fixed.iter().map(Term::name);
        let arguments = fixed.chain([Term::name(state)]).chain(variables.iter().map(Term::name));
        Term::call(&formula.name, arguments.collect())
    }

    /// The facts from which those about the assumptions follow: the named elements exist, and the state satisfies them.
    #[must_use]
    pub fn assumed_by(&self) -> String {
        let named = self.source.words.named.iter().map(|name| format!("{name}_range"));
        named.chain(["assumed".to_owned()]).collect::<Vec<_>>().join(" ")
    }

    /// The list of all formulas, as a term.
    #[must_use]
    pub fn list(&self) -> Term {
        Term::call("invariants", self.source.words.fixed.iter().map(Term::name).collect())
    }

    /// The proposition that all formulas hold in a state.
    #[must_use]
    pub fn hold(&self, state: &str) -> Term {
        Term::call("holds", vec![self.list(), Term::name(state)])
    }

    fn closed(&self, formula: &Formula) -> Term {
        Term::bind(Binder::Forall, formula.variables.clone(), self.at(formula, "s", &formula.variables))
    }

    fn listing(&self) -> Definition {
        let entries = self.all().map(|formula| {
            let (codes, body) = self.entry(formula);
            Term::Pair(Box::new(codes), Box::new(body))
        });
        let fixed = self.source.words.fixed.iter().map(|_| "nat ⇒ ").collect::<String>();
        Definition {
            name: "invariants".to_owned(),
            signature: format!("{fixed}formulas"),
            equation: Term::equal(self.list(), Term::List(entries.collect())),
        }
    }

    /// Returns the theory that defines the formulas.
    ///
    /// # Errors
    /// Returns an error if the template is wrong.
    pub fn theory(&self) -> Result<String, minijinja::Error> {
        let types = self.types.iter().map(|(_, formula)| {
            let definition = text::definition(&formula.definition);
            let read_facts = self.read_facts(formula);
            let (reads, holds) = (self.reads(formula), self.holds_implies(formula));
            let variables = formula.variables.len();
            context! { name => formula.name, variables, definition, holds, reads, read_facts, witness => () }
        });
        let invariants = self.invariants.iter().zip(&self.cubes).zip(&self.source.certificate.invariants);
        let invariants = invariants.map(|((formula, cube), invariant)| {
            context! {
                name => formula.name,
                variables => formula.variables.len(),
                definition => text::definition(&formula.definition),
                comment => self.origin(&invariant.origin),
                introduction => cube.universals.is_empty().then(|| text::quoted(&self.introduction(formula, cube), 2)),
                witness => self.witness(formula, cube),
                holds => self.holds_implies(formula),
                reads => self.reads(formula),
                read_facts => self.read_facts(formula),
            }
        });
        let all = Term::conjunction(self.all().map(|formula| self.closed(formula)).collect());
        let read_lemmas = self.all().map(|formula| format!("{}_reads", formula.name));
        text::render(
            "invariants",
            context! {
                protocol => self.source.words.protocol,
                types => types.collect::<Vec<_>>(),
                invariants => invariants.collect::<Vec<_>>(),
                named => self.source.words.named.join(" and "),
                ranks => self.assumptions(true, |name| format!("{name}_def")),
                assumptions => self.assumptions(false, |name| format!("{name}_def")),
                numbers => translate::has_numbers(self.source.system),
                promising => self.cubes.iter().any(|cube| !cube.universals.is_empty()),
                list => text::definition(&self.listing()),
                reads => text::quoted(&Term::call("read_sets", vec![self.list()]), 13),
                read_lemmas => text::facts(read_lemmas, 4),
                all => text::quoted(&Term::infix(Infix::Iff, self.hold("s"), all), 2),
            },
        )
    }

    /// The proposition that a formula reads no other state variables than its list has.
    fn reads(&self, formula: &Formula) -> String {
        let (codes, body) = self.entry(formula);
        text::quoted(&Term::call("reads", vec![codes, body]), formula.name.len() + 14)
    }

    fn read_facts(&self, formula: &Formula) -> String {
        let variables = formula.reads.iter().map(|variable| &self.source.words.variables[variable.index()]);
        let facts = std::iter::once(&formula.name).chain(variables).map(|name| format!("{name}_def"));
        text::facts(facts, 4)
    }

    /// A formula as an entry of the list: the numbers of the state variables that it reads, and a predicate on states.
    fn entry(&self, formula: &Formula) -> (Term, Term) {
        let codes = formula.reads.iter().map(|variable| definitions::code(*variable)).collect();
        (Term::List(codes), Term::bind(Binder::Lambda, vec!["s".to_owned()], self.closed(formula)))
    }

    fn holds_implies(&self, formula: &Formula) -> String {
        let conclusion = self.at(formula, "s", &formula.variables);
        text::quoted(&Term::implication(Infix::Entails, vec![self.hold("s")], conclusion), 2)
    }

    /// The proof of an invariant at given variables and in a given state: from its negation, the steps derive `False`.
    pub(super) fn proof(
        &self,
        number: InvariantId,
        state: &str,
        variables: &[String],
        steps: Steps<'_>,
        step: &Step,
    ) -> String {
        let (formula, cube) = (&self.invariants[number.index()], &self.cubes[number.index()]);
        if cube.universals.is_empty() {
            return steps.script(&format!("rule {}_intro", formula.name), step);
        }
        let negation = Term::negation(self.at(formula, state, variables));
        self.definitions.absurd(cube, (variables, state), &negation, &format!("{}_def", formula.name), steps, step)
    }

    /// The lemma that gives the witness that an invariant promises.
    fn witness(&self, formula: &Formula, cube: &Cube) -> Option<Json> {
        let before = text::quoted(&self.hold("s"), 12);
        self.definitions.witness_lemma(cube, &formula.name, &formula.variables, vec![before])
    }

    /// The lemmas that the assumptions exclude their cubes, or that the definition of ranks does. A constant is defined by a
    /// fact with a name.
    pub(super) fn assumptions(&self, defined: bool, fact: impl Fn(&str) -> String) -> Vec<Json> {
        let (words, system) = (self.source.words, self.source.system);
        let axioms =
            system.axioms.iter().zip(&words.axioms).flat_map(|(axiom, own)| axiom.bad.iter().map(move |_| own));
        let ranks = (0_u32..).map(VariableId).zip(&words.variables);
        let ranks = ranks.filter(|(id, _)| translate::rank_of(system, *id).is_some()).map(|(_, name)| name);
        let facts = ranks.map(|name| fact(name)).chain(self.definitions.named_facts());
        let facts = facts.collect::<Vec<_>>().join(" ");
        let cubes = self.cubes.iter().skip(self.invariants.len()).zip(&self.assumed).zip(axioms);
        let cubes = cubes.filter(|((_, (_, own)), _)| *own == defined);
        let lemmas = cubes.map(|((cube, (name, _)), axiom)| {
            let variables = words.invariant_variables(&cube.variables, &[]);
            let named = words.named.iter().zip(&system.named).filter(|_| !defined);
            let premises = named.map(|(name, named)| translate::is_element(words, name, named.index_type));
            let premises = premises.chain(self.definitions.assumed("s").filter(|_| !defined));
            let assumptions = premises.map(|premise| text::quoted(&premise, 10)).collect::<Vec<_>>();
            let witness = self.definitions.witness_lemma(cube, name, &variables, assumptions.clone());
            let statement = text::quoted(&self.definitions.invariant_body(cube, &variables, "s"), 8);
            let elements = self.counted(cube, &variables);
            // Two numbers are equal by two bounds, and an axiom says that one is less or the other: only with the same words on both
            // sides does a proof without arithmetic end.
            let differs = cube.literals.iter().filter(|literal| literal.comparison.is_bound()).count() > 1;
            context! { name, axiom => fact(axiom), assumptions, statement, witness, facts, elements, differs }
        });
        lemmas.collect()
    }

    /// The elements of a cube that an axiom about a number of elements excludes; none of any other cube. The axiom is about
    /// as many elements, and says the same of each, so that it can be taken at them in any order: no method has to find
    /// them, which does not end beside bounds.
    fn counted(&self, cube: &Cube, variables: &[String]) -> Vec<String> {
        let system = self.source.system;
        let is_count = |term: &Source_| match term {
            Source_::Read(variable, _) => matches!(system.variables[variable.index()].path[..], [PathStep::Count(..)]),
            Source_::Constant(_) | Source_::Index(_) | Source_::Zero => false,
        };
        let terms = || cube.literals.iter().flat_map(|literal| [&literal.left, &literal.right]);
        if !terms().any(is_count) {
            return Vec::new();
        }
        let named = terms().flat_map(Source_::elements).filter_map(|element| match element {
            IndexTerm::Named(named) => Some(self.source.words.named[named.index()].clone()),
            IndexTerm::Variable(_) => None,
        });
        named.chain(variables.iter().cloned()).collect()
    }

    /// The introduction rule of an invariant: its cube is absurd.
    fn introduction(&self, formula: &Formula, cube: &Cube) -> Term {
        let mut premises = self.definitions.distinct(&cube.variables, &formula.variables);
        premises.extend(self.definitions.cube(cube, &formula.variables, "s"));
        let absurd = Term::implication(Infix::Entails, premises, Term::name("False"));
        Term::implication(Infix::Entails, vec![absurd], self.at(formula, "s", &formula.variables))
    }

    fn origin(&self, origin: &InvariantOrigin) -> String {
        match origin {
            InvariantOrigin::Property(property) => {
                let property = &self.source.system.properties[property.index()];
                format!("From the property \"{}\", line {}.", text::prose(&property.name), property.origin.line)
            }
            InvariantOrigin::PreImage { rule, of: InvariantId(of) } => {
                let rule = &self.source.system.rules[rule.index()];
                let number = u64::from(*of) + 1;
                let name = text::prose(&rule.name);
                format!("Without it, the rule \"{name}\" (line {}) would break invariant {number}.", rule.origin.line)
            }
        }
    }
}

/// The state variables that a cube reads.
#[must_use]
pub fn reads(cube: &Cube) -> BTreeSet<VariableId> {
    let literals = cube.literals.iter().chain(cube.universals.iter().flat_map(|universal| &universal.literals));
    let terms = literals.flat_map(|Literal { left, right, .. }| [left, right]);
    terms.filter_map(read).collect()
}

fn read(term: &Source_) -> Option<VariableId> {
    match term {
        Source_::Read(variable, _) => Some(*variable),
        Source_::Constant(_) | Source_::Index(_) | Source_::Zero => None,
    }
}

/// The conditions in a value.
pub fn conditions(value: &Value) -> Vec<&system::Formula> {
    match value {
        Value::Term(_) | Value::Sum(..) | Value::Arbitrary => Vec::new(),
        Value::If(condition, yes, no) => {
            std::iter::once(condition).chain(conditions(yes)).chain(conditions(no)).collect()
        }
    }
}

/// The terms to which a value can evaluate.
pub fn leaves(value: &Value) -> Vec<&Source_> {
    match value {
        Value::Term(term) | Value::Sum(term, _) => vec![term],
        Value::Arbitrary => Vec::new(),
        Value::If(_, yes, no) => leaves(yes).into_iter().chain(leaves(no)).collect(),
    }
}
