//! The lemmas about the rules: each rule preserves each formula.
//!
//! This module makes theories with the lemmas of some rules each. A lemma is needed for each rule and each formula that
//! reads what the rule writes; a lemma of the base theory covers the other pairs. This module must not find arguments;
//! they come from [`super::replay`].

use std::collections::BTreeSet;

use certificate::proof::{InvariantId, RelationEntry};
use minijinja::{Value as Json, context};
use system::{IndexTerm, Rule, RuleId, Term as Source_, VariableId};

use super::definitions::{self, Definitions};
use super::invariants::{self, Formula, Invariants};
use super::replay::{self, NoProof, Pair};
use super::script::{self, Known, Setting, Steps};
use super::term::{Infix, Term};
use super::translate::{self, Reader};
use super::{Fault, Source, text};

/// The most lemmas that one theory should have, so that theories can be checked in parallel.
const LEMMAS: usize = 250;

/// Returns the theories with the lemmas of all rules: their names and texts.
///
/// # Errors
/// Returns an error if an argument cannot be replayed or the template is wrong; see [`Fault`].
pub(super) fn theories(source: Source<'_>, invariants: &Invariants<'_>) -> Result<Vec<(String, String)>, Fault> {
    let rules = (0_u32..).map(RuleId).zip(&source.system.rules);
    let texts = rules.map(|(id, rule)| RuleText::new(source, invariants, id, rule).context());
    let parts = text::in_parts(texts.collect::<Result<Vec<_>, _>>()?, LEMMAS);
    let count = parts.len();
    let theory = |(part, rules): (usize, Vec<Json>)| {
        let protocol = &source.words.protocol;
        let text = text::render("rules", context! { protocol, part, parts => count, rules })?;
        Ok((format!("{protocol}_Rules_{part}"), text))
    };
    (1_usize..).zip(parts).map(theory).collect()
}

/// The state of the emission for one rule.
struct RuleText<'a> {
    source: Source<'a>,
    invariants: &'a Invariants<'a>,
    id: RuleId,
    rule: &'a Rule,
    name: &'a str,
    /// The names of the scope.
    scope: Vec<String>,
    written: BTreeSet<VariableId>,
    /// The facts that every simplification needs.
    simplifying: String,
}

/// A lemma: its name, its statement, its proof.
type Lemma = (String, String, String);

impl<'a> RuleText<'a> {
    fn new(source: Source<'a>, invariants: &'a Invariants<'a>, id: RuleId, rule: &'a Rule) -> Self {
        let name = &source.words.rules[id.index()];
        let written = rule.updates.iter().map(|update| update.variable).collect();
        let scope = source.words.scope(&rule.scope);
        let mut text = Self { source, invariants, id, rule, name, scope, written, simplifying: String::new() };
        text.simplifying = format!("{name}_after");
        text
    }

    fn parameters(&self) -> &[String] {
        &self.scope[..self.rule.parameters as usize]
    }

    fn reader<'b>(&'b self, state: &'b str) -> Reader<'b> {
        let (system, words) = (self.source.system, self.source.words);
        Reader { system, words, scope: &self.rule.scope, names: &self.scope, state }
    }

    fn definitions(&self) -> Definitions<'a> {
        self.invariants.definitions()
    }

    fn is_affected(&self, formula: &Formula) -> bool {
        !formula.reads.is_disjoint(&self.written)
    }

    /// The state variables that affected formulas read and the rule does not write.
    fn unchanged(&self) -> BTreeSet<VariableId> {
        let affected = self.invariants.all().filter(|formula| self.is_affected(formula));
        affected
            .flat_map(|formula| &formula.reads)
            .filter(|variable| !self.written.contains(variable))
            .copied()
            .collect()
    }

    /// Returns the number of lemmas, and what the template needs.
    fn context(&self) -> Result<(usize, Json), Fault> {
        let mut lemmas = self.type_lemmas();
        lemmas.extend(self.invariant_lemmas()?);
        let names = lemmas.iter().map(|(name, _, _)| name.clone()).collect::<Vec<_>>();
        let codes = Term::List(self.written.iter().map(|variable| definitions::code(*variable)).collect());
        let affected = Term::call("affected", vec![codes.clone(), self.invariants.list(), Term::name("s'")]);
        let unchanged = self.unchanged();
        let unchanged_facts =
            unchanged.iter().map(|variable| format!("{}_def", self.source.words.variables[variable.index()]));
        let lemmas = lemmas.into_iter();
        let lemmas = lemmas.map(|(name, proposition, proof)| context! { name, proposition, proof }).collect::<Vec<_>>();
        let count = lemmas.len();
        let text = context! {
            name => self.name,
            comment => definitions::rule_comment(self.rule),
            fixes => self.source.words.fixed.iter().chain(self.parameters()).map(String::as_str).chain(["s", "s'"]).collect::<Vec<_>>().join(" "),
            ranges => self.ranges(),
            guard => text::quoted(&self.part("guard", &["s"]), 11),
            update => text::quoted(&self.part("update", &["s", "s'"]), 12),
            before => text::quoted(&self.invariants.hold("s"), 12),
            assumed => self.definitions().assumed("s").map(|assumed| text::quoted(&assumed, 13)),
            conjuncts => self.guard(),
            unchanged => unchanged.iter().map(|variable| self.same(*variable)).collect::<Vec<_>>(),
            unchanged_facts => text::facts(unchanged_facts, 4),
            after_facts => text::facts(self.after_facts().into_iter(), 4),
            lemmas => lemmas,
            written => text::quoted(&codes, 30),
            affected => text::quoted(&affected, 20),
            affected_facts => text::facts(names.into_iter(), 4),
            respects => text::quoted(&self.respects(), 2),
        };
        Ok((count, text))
    }

    /// The facts that every simplification of the state afterwards needs.
    fn after_facts(&self) -> Vec<String> {
        let mut facts = vec![format!("{}_post", self.name)];
        if !self.unchanged().is_empty() {
            facts.push(format!("{}_same", self.name));
        }
        let ranged = self.parameters().iter().chain(&self.source.words.named);
        facts.extend(ranged.map(|name| format!("{name}_range")));
        if !self.definitions().named_distinct().is_empty() {
            facts.push("named_distinct".to_owned());
        }
        facts
    }

    /// The assumptions that elements are in their ranges, with their names.
    fn ranges(&self) -> Vec<Json> {
        let mut ranges = Vec::new();
        for range in self.range_terms() {
            ranges.push(text::quoted(&range, 4));
        }
        let parameters = self.parameters().iter().map(|name| format!("{name}_range"));
        let named = self.source.words.named.iter().map(|name| format!("{name}_range"));
        parameters.chain(named).zip(ranges).map(|(name, proposition)| context! { name, proposition }).collect()
    }

    fn range_terms(&self) -> Vec<Term> {
        let words = self.source.words;
        let parameters = self.parameters().iter().zip(&self.rule.scope);
        let parameters = parameters.map(|(name, variable)| translate::is_element(words, name, variable.index_type));
        let named = words.named.iter().zip(&self.source.system.named);
        parameters.chain(named.map(|(name, named)| translate::is_element(words, name, named.index_type))).collect()
    }

    fn part(&self, part: &str, states: &[&str]) -> Term {
        let names =
            self.source.words.fixed.iter().chain(self.parameters()).map(String::as_str).chain(states.iter().copied());
        Term::call(format!("{}_{part}", self.name), names.map(Term::name).collect())
    }

    fn guard(&self) -> Vec<String> {
        let reader = self.reader("s");
        self.rule.guard.conjuncts().into_iter().map(|part| text::quoted(&reader.formula(part), 2)).collect()
    }

    fn same(&self, variable: VariableId) -> String {
        let arity = self.source.system.variables[variable.index()].arguments.len();
        let names = self.fresh(arity);
        let name = &self.source.words.variables[variable.index()];
        let read = |state: &str| {
            Term::call(name, std::iter::once(Term::name(state)).chain(names.iter().map(Term::name)).collect())
        };
        text::quoted(&Term::equal(read("s'"), read("s")), 2)
    }

    /// Names for elements outside the rule's scope.
    fn fresh(&self, count: usize) -> Vec<String> {
        let mut taken = self.scope.clone();
        for letter in ["k", "l", "m", "n"].iter().cycle().take(count) {
            taken.push(self.source.words.variable(letter, &taken));
        }
        taken.split_off(self.scope.len())
    }

    fn respects(&self) -> Term {
        let pair = self.definitions().rule_pair(self.name, self.parameters());
        let respects = match self.definitions().assumption() {
            None => Term::call("preserves", vec![self.invariants.list(), pair]),
            Some(assumption) => Term::call("preserves_under", vec![assumption, self.invariants.list(), pair]),
        };
        Term::implication(Infix::Entails, self.range_terms(), respects)
    }
}

impl RuleText<'_> {
    fn type_lemmas(&self) -> Vec<Lemma> {
        let affected = self.invariants.types.iter().filter(|(_, formula)| self.is_affected(formula));
        affected.map(|(variable, formula)| self.type_lemma(*variable, formula)).collect()
    }

    /// The lemma that a written variable has a value of its type, since all values that it can get do.
    fn type_lemma(&self, variable: VariableId, formula: &Formula) -> Lemma {
        let system = self.source.system;
        let names = self.fresh(system.variables[variable.index()].arguments.len());
        let lemma = format!("{}_{}", self.name, formula.name);
        let proposition = text::quoted(&self.invariants.at(formula, "s'", &names), 2);
        if system.repeats(variable).is_some() {
            // It is arbitrary: the update says that the value is one of the sort.
            return (lemma, proposition, format!("by (simp add: {}_def {}_post)", formula.name, self.name));
        }
        let mut sorts = BTreeSet::from([system.variables[variable.index()].sort]);
        let mut facts = Vec::new();
        let mut moves = false;
        for update in self.rule.updates.iter().filter(|update| update.variable == variable) {
            for leaf in invariants::leaves(&update.value) {
                moves |= matches!(leaf, Source_::Read(read, _) if system.repeats(*read).is_some());
                if let Source_::Read(read, arguments) = leaf
                    && let Some(known) = self.invariants.type_of(*read)
                {
                    sorts.insert(system.variables[read.index()].sort);
                    let at = arguments.iter().map(|argument| match argument {
                        IndexTerm::Variable(id) => match update.arguments.iter().position(|bound| bound == id) {
                            Some(position) => names[position].clone(),
                            None => self.scope[id.index()].clone(),
                        },
                        IndexTerm::Named(named) => self.source.words.named(*named).to_owned(),
                    });
                    let fact = script::instance(&known.name, &at.collect::<Vec<_>>());
                    if !facts.contains(&fact) {
                        facts.push(fact);
                    }
                }
            }
        }
        let sorts = sorts.iter().map(|sort| format!("{}_def", self.source.words.sorts[sort.index()]));
        let sorts = sorts.collect::<Vec<_>>();
        let conditions = self.conditions(variable, &names);
        let arbitrary = self
            .rule
            .updates
            .iter()
            .any(|update| update.variable == variable && translate::is_indefinite(&update.value));
        // An arbitrary value is one of the sort, so the sort is unfolded. What moves, or is arbitrary, is of the same sort.
        let moves = moves && arbitrary;
        let arbitrary = (arbitrary && !moves).then(|| format!("{}_post[unfolded {}]", self.name, sorts.join(" ")));
        let sorts = if moves { Vec::new() } else { sorts };
        let unfold = std::iter::once(format!("{}_def", formula.name)).chain(sorts).chain(arbitrary);
        let unfold = unfold.collect::<Vec<_>>().join(" ");
        let method = if moves { "simp add:" } else { "auto simp:" };
        let simplify = script::close(method, &facts, &format!("{unfold} {}", self.simplifying));
        let method = conditions
            .into_iter()
            .rev()
            .fold(simplify, |rest, condition| format!("cases {}; {rest}", text::quoted(&condition, 12)));
        (lemma, proposition, format!("by ({method})"))
    }

    /// The conditions on which the value of a variable depends, if a part of the value is arbitrary.
    fn conditions(&self, variable: VariableId, names: &[String]) -> Vec<Term> {
        let mut conditions = Vec::new();
        for update in self.rule.updates.iter().filter(|update| update.variable == variable) {
            if translate::is_indefinite(&update.value) {
                let mut scope = self.scope.clone();
                for (bound, name) in update.arguments.iter().zip(names) {
                    scope[bound.index()].clone_from(name);
                }
                let reader = Reader { names: &scope, ..self.reader("s") };
                conditions.extend(invariants::conditions(&update.value).into_iter().map(|part| reader.formula(part)));
            }
        }
        conditions
    }

    fn invariant_lemmas(&self) -> Result<Vec<Lemma>, Fault> {
        let mut lemmas = Vec::new();
        for (number, formula) in (0_u32..).map(InvariantId).zip(&self.invariants.invariants) {
            if self.is_affected(formula) {
                lemmas.push(self.invariant_lemma(number, formula)?);
            }
        }
        Ok(lemmas)
    }

    fn invariant_lemma(&self, number: InvariantId, formula: &Formula) -> Result<Lemma, Fault> {
        let cubes = &self.invariants.cubes;
        let pair = Pair::new(self.source.system, self.rule, cubes, number, self.entries(number));
        let (rule, line, invariant) = (self.rule.name.clone(), self.rule.origin.line, number.index() + 1);
        let step = pair.prove().map_err(|why| match why {
            NoProof::Stuck => Fault::Stuck { rule, line, invariant },
            NoProof::TooLong => Fault::LongPair { rule, line, invariant },
        })?;
        let types = &cubes[number.index()].variables;
        let variables = self.source.words.invariant_variables(types, &self.scope);
        let setting = Setting {
            source: self.source,
            known: Known::Invariants(self.invariants),
            all_hold: "before",
            assumed: &self.invariants.assumed_by(),
            guard: &format!("{}_pre", self.name),
            nested: &self.rule.guard.conjuncts().into_iter().map(replay::is_nested).collect::<Vec<_>>(),
            simplifying: &self.simplifying,
        };
        let parameters = self.parameters().iter().cloned();
        let parameters = parameters.zip(self.rule.scope.iter().map(|parameter| parameter.index_type));
        let typed = variables.iter().cloned().zip(types.iter().copied());
        let elements = parameters.chain(typed).collect();
        let steps = Steps::new(setting, elements);
        let proof = self.invariants.proof(number, "s'", &variables, steps, &step);
        let proposition = text::quoted(&self.invariants.at(formula, "s'", &variables), 2);
        Ok((format!("{}_{}", self.name, formula.name), proposition, proof))
    }

    /// What the certificate says about this rule and an invariant.
    fn entries(&self, invariant: InvariantId) -> &[RelationEntry] {
        let relations = &self.source.certificate.relations;
        let key = (self.id, invariant);
        let from = relations.partition_point(|entry| (entry.rule, entry.invariant) < key);
        let to = relations.partition_point(|entry| (entry.rule, entry.invariant) <= key);
        &relations[from..to]
    }
}
