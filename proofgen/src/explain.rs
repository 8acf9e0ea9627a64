//! The proof in sentences: why a rule preserves an invariant, and what an invariant is needed for.
//!
//! Every sentence is read off a certificate that the checker has accepted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use certificate::CheckedCertificate;
use certificate::proof::{Argument, Certificate, InvariantId, Relation, RelationEntry, SymbolTypes};
use system::RuleId;
use system::System;
use system::notation::Language;
use system::scope::{Scope, counted};
use system::similar::closest_name;

use crate::table::{InvariantRow, Options, Origin, Premise, Reader, Table, assignments, names_a_variable};

/// What the reader asks about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// A rule, by its name (all its cases if the name has none).
    pub rule: Option<String>,
    /// Invariants, by their numbers; see [`numbers`].
    pub invariants: Vec<u32>,
    /// A state variable, or a part of its name, to list the invariants that mention it.
    pub about: Option<String>,
    /// The language in whose signs the answer is written.
    pub notation: Language,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError {
    /// There is no such rule.
    #[error("the model has no rule '{0}'{near}", near = proposal(.1))]
    Rule(String, Option<String>),
    /// There is no such invariant.
    #[error("the certificate has no invariant {0}; they are numbered from 0 to {1}")]
    Invariant(u32, usize),
    /// There is no invariant and no property with such a name.
    #[error("no invariant and no property is called '{0}'{near}", near = proposal(.1))]
    Name(String, Option<String>),
    /// There is no such state variable.
    #[error("the model has no state variable with '{0}' in its name")]
    Variable(String),
}

impl ExplainError {
    /// There is no rule with this name.
    pub(crate) fn no_rule(name: &str, system: &System) -> Self {
        Self::Rule(
            name.to_owned(),
            closest_name(name, system.rules.iter().map(|rule| rule.name.as_str())).map(str::to_owned),
        )
    }
}

/// What an error says of the name that is nearest.
fn proposal(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("; did you mean '{near}'?")).unwrap_or_default()
}

/// Returns the numbers of the invariants with this number or name, or of those that show the property with this name.
///
/// # Errors
/// Returns an error if nothing is called that.
pub fn numbers(checked: &CheckedCertificate<'_>, name: &str) -> Result<Vec<u32>, ExplainError> {
    let reader = Reader::new(checked.system(), checked.certificate(), Language::default());
    numbers_of(&Table::of(&reader, &Options::default().by_number()), name)
}

fn numbers_of(table: &Table, name: &str) -> Result<Vec<u32>, ExplainError> {
    let rows = || table.groups.iter().flat_map(|group| &group.invariants);
    if let Ok(number) = name.parse() {
        if rows().all(|row| row.number != number) {
            return Err(ExplainError::Invariant(number, rows().count().saturating_sub(1)));
        }
        return Ok(vec![number]);
    }
    let named: Vec<u32> = rows().filter(|row| row.name.eq_ignore_ascii_case(name)).map(|row| row.number).collect();
    let of_properties = table.properties.iter().filter(|row| row.name.eq_ignore_ascii_case(name));
    let found = if named.is_empty() { of_properties.flat_map(|row| row.shown_by.clone()).collect() } else { named };
    if found.is_empty() {
        let known = table.properties.iter().map(|row| row.name.as_str()).chain(rows().map(|row| row.name.as_str()));
        return Err(ExplainError::Name(name.to_owned(), closest_name(name, known).map(str::to_owned)));
    }
    Ok(found)
}

/// Answers a question.
///
/// # Errors
/// Returns an error if the question names something that does not exist.
pub fn explain(checked: &CheckedCertificate<'_>, question: &Question) -> Result<String, ExplainError> {
    answer(checked.system(), checked.certificate(), question)
}

fn answer(system: &System, certificate: &Certificate, question: &Question) -> Result<String, ExplainError> {
    let explainer = Explainer { reader: Reader::new(system, certificate, question.notation) };
    let rules = question.rule.as_deref().map(|name| explainer.rules(name)).transpose()?;
    let beyond = |number: &&u32| InvariantId(**number).index() >= certificate.invariants.len();
    if let Some(number) = question.invariants.iter().find(beyond) {
        return Err(ExplainError::Invariant(*number, certificate.invariants.len().saturating_sub(1)));
    }
    let about = question.about.as_deref();
    if let Some(about) = about
        && !names_a_variable(system, about)
    {
        return Err(ExplainError::Variable(about.to_owned()));
    }
    let scope = Scope::of(system);
    let head = std::iter::once(scope.proven()).chain(scope.limits());
    let mut text: String = head.map(|sentence| format!("{sentence}\n")).collect();
    text.push('\n');
    match (rules, question.invariants.as_slice()) {
        (Some(rules), []) => explainer.rule(&rules, &mut text),
        (None, []) => match about {
            Some(about) => explainer.about(about, &mut text),
            None => explainer.overview(&mut text),
        },
        (rules, invariants) => invariants.iter().enumerate().try_for_each(|(position, number)| {
            if position > 0 {
                text.push('\n');
            }
            match &rules {
                Some(rules) => explainer.pair(rules, InvariantId(*number), &mut text),
                None => explainer.invariant(InvariantId(*number), &mut text),
            }
        }),
    }
    .expect("writing to memory does not fail");
    Ok(text)
}

/// Finds the words for the parts of a proof.
pub(crate) struct Explainer<'a> {
    pub(crate) reader: Reader<'a>,
}

impl Explainer<'_> {
    fn rules(&self, name: &str) -> Result<Vec<RuleId>, ExplainError> {
        let named = |(id, rule): (RuleId, &system::Rule)| {
            (rule.name == name || self.reader.rule_names[id.index()] == name).then_some(id)
        };
        let rules: Vec<RuleId> = (0..).map(RuleId).zip(&self.reader.system.rules).filter_map(named).collect();
        if rules.is_empty() {
            return Err(ExplainError::no_rule(name, self.reader.system));
        }
        Ok(rules)
    }

    fn overview(&self, text: &mut String) -> fmt::Result {
        for number in 0..self.reader.certificate.invariants.len() {
            let row = self.row(number);
            writeln!(text, "{:>4}  {}", row.number, row.name)?;
        }
        let how = "--invariant and its number or name, about a rule with --rule and its name, or about both";
        writeln!(text, "\nAsk about one with {how}.")
    }

    /// Lists the invariants that mention a state variable.
    fn about(&self, about: &str, text: &mut String) -> fmt::Result {
        let rows = (0..self.reader.certificate.invariants.len()).map(|number| self.row(number));
        let rows: Vec<InvariantRow> =
            rows.filter(|row| row.reads.iter().any(|variable| variable.contains(about))).collect();
        let all = self.reader.certificate.invariants.len();
        let verb = if rows.len() == 1 { "mentions" } else { "mention" };
        writeln!(text, "{} of {} {verb} {about}:\n", rows.len(), counted(all, "invariant", "invariants"))?;
        for row in &rows {
            writeln!(text, "{:>4}  {}", row.number, row.formula)?;
        }
        Ok(())
    }

    fn row(&self, number: usize) -> InvariantRow {
        self.reader.invariant(InvariantId(u32::try_from(number).expect("ids have 32 bits")))
    }

    /// Writes what an invariant states, where it comes from, what it is needed for, and what it needs.
    fn invariant(&self, id: InvariantId, text: &mut String) -> fmt::Result {
        let row = self.row(id.index());
        self.statement(&row, text)?;
        match &row.origin {
            Origin::Property(property) => writeln!(text, "\nIt comes from property '{property}'.")?,
            Origin::PreImage { rule, of } => {
                let other = self.row(InvariantId(*of).index());
                let broken = other.bad_states;
                writeln!(text, "\nIt was found because rule '{rule}' leads from a state with")?;
                writeln!(text, "    {}", row.bad_states)?;
                writeln!(text, "(or from a more specific state) to a state with")?;
                writeln!(text, "    {broken}")?;
                writeln!(text, "which invariant {of} excludes: {}.", other.name)?;
            }
        }
        self.needs(id, &row, text)?;
        let mut groups = self.implied(&|entry, _| entry.invariant == id);
        groups.retain(|group| !group.premises.is_empty());
        if groups.is_empty() {
            return writeln!(text, "\nNo rule needs a premise to preserve it.");
        }
        writeln!(text, "\nTo preserve it, rules need:")?;
        for group in groups {
            let rule = &self.reader.rule_names[group.rule.index()];
            let is_number = |premise: &Premise| matches!(premise, Premise::Invariant(_));
            let noun = match group.premises.iter().filter(|premise| is_number(premise)).count() {
                0 => "",
                1 => "invariant ",
                _ => "invariants ",
            };
            writeln!(text, "  - rule '{rule}'{}: {noun}{}", group.place, listed(&group.premises))?;
        }
        Ok(())
    }

    fn needs(&self, id: InvariantId, row: &InvariantRow, text: &mut String) -> fmt::Result {
        if row.supports.is_empty() {
            return writeln!(text, "\nNo other invariant needs it.");
        }
        writeln!(text, "\nWithout it, there would be no argument for:")?;
        for group in
            self.implied(&|entry, premises| entry.invariant != id && premises.contains(&Premise::Invariant(id.0)))
        {
            let rule = &self.reader.rule_names[group.rule.index()];
            let other = self.row(group.invariant.index());
            writeln!(text, "  - rule '{rule}' preserving invariant {}{}: {}", other.number, group.place, other.name)?;
        }
        Ok(())
    }

    /// The obligations that need premises, merged where a rule and an invariant have many.
    fn implied(&self, wanted: &dyn Fn(&RelationEntry, &BTreeSet<Premise>) -> bool) -> Vec<Group> {
        let mut order: Vec<(RuleId, InvariantId)> = Vec::new();
        let mut found: BTreeMap<(RuleId, InvariantId), Vec<Group>> = BTreeMap::new();
        for entry in &self.reader.certificate.relations {
            let Relation::Implied(argument) = &entry.relation else { continue };
            let premises = self.reader.premises(argument);
            if wanted(entry, &premises) {
                let (rule, invariant) = (entry.rule, entry.invariant);
                let known = found.entry((rule, invariant)).or_default();
                if known.is_empty() {
                    order.push((rule, invariant));
                }
                known.push(Group { rule, invariant, place: self.place(entry), premises });
            }
        }
        let together = |key| {
            let all = found.remove(&key).unwrap_or_default();
            if all.len() <= FEW {
                return all;
            }
            let place = format!(" in {} cases", all.len());
            let premises = all.into_iter().flat_map(|group| group.premises).collect();
            vec![Group { rule: key.0, invariant: key.1, place, premises }]
        };
        order.into_iter().flat_map(together).collect()
    }

    fn statement(&self, row: &InvariantRow, text: &mut String) -> fmt::Result {
        writeln!(text, "Invariant {}: {}", row.number, row.name)?;
        for line in row.formula.lines(92).lines() {
            writeln!(text, "    {line}")?;
        }
        Ok(())
    }

    /// Writes which invariants a rule needs.
    fn rule(&self, rules: &[RuleId], text: &mut String) -> fmt::Result {
        for id in rules {
            let name = &self.reader.rule_names[id.index()];
            let line = self.reader.system.rules[id.index()].origin.line;
            writeln!(text, "Rule '{name}' (line {line}) preserves these invariants only because of others:")?;
            let groups = self.implied(&|entry, _| entry.rule == *id);
            if groups.is_empty() {
                writeln!(text, "  none: it preserves every invariant without premises")?;
            }
            for group in groups {
                let row = self.row(group.invariant.index());
                let (number, name, premises) = (row.number, row.name, listed(&group.premises));
                writeln!(text, "  - invariant {number}{} ({name}), because of {premises}", group.place)?;
            }
        }
        Ok(())
    }

    /// Writes why rules preserve an invariant.
    fn pair(&self, rules: &[RuleId], id: InvariantId, text: &mut String) -> fmt::Result {
        self.statement(&self.row(id.index()), text)?;
        for rule in rules {
            let name = &self.reader.rule_names[rule.index()];
            let line = self.reader.system.rules[rule.index()].origin.line;
            writeln!(text, "\nRule '{name}' (line {line}) preserves it:")?;
            let entries = self.reader.certificate.relations.iter();
            let entries: Vec<_> = entries.filter(|entry| entry.rule == *rule && entry.invariant == id).collect();
            let (unaffected, holds_after) =
                (count(&entries, &Relation::Unaffected), count(&entries, &Relation::HoldsAfter));
            for entry in entries {
                let many = match &entry.relation {
                    Relation::Implied(_) => false,
                    Relation::Unaffected => unaffected > MANY,
                    Relation::HoldsAfter => holds_after > MANY,
                };
                if !many {
                    self.obligation(entry, text)?;
                }
            }
            if unaffected > MANY {
                writeln!(text, "  - in {unaffected} other cases it does not change what the invariant reads.")?;
            }
            if holds_after > MANY {
                writeln!(
                    text,
                    "  - in {holds_after} other cases the invariant holds afterwards, whatever held before."
                )?;
            }
        }
        Ok(())
    }

    fn obligation(&self, entry: &RelationEntry, text: &mut String) -> fmt::Result {
        let place = self.place(entry);
        let place = place.trim_start();
        match (&entry.relation, &entry.matching) {
            (Relation::Unaffected, None) => {
                writeln!(text, "  - It writes nothing that the invariant reads.")
            }
            (Relation::Unaffected, Some(_)) => {
                writeln!(text, "  - {place}: it does not change what the invariant reads.")
            }
            (Relation::HoldsAfter, _) => {
                writeln!(text, "  - {place}: the invariant holds afterwards, whatever held before.")
            }
            (Relation::Implied(argument), _) => {
                writeln!(
                    text,
                    "  - {place}: the rule could break the invariant only from states that other invariants exclude."
                )?;
                let elements = self.reader.elements(entry);
                self.argument(argument, (entry.invariant, &elements), 4, text)
            }
        }
    }

    /// Returns the steps of the argument for an obligation, a line each, indented where they are cases of another; nothing if it needs
    /// none.
    pub(crate) fn argument_of(&self, entry: &RelationEntry) -> String {
        let Relation::Implied(argument) = &entry.relation else { return String::new() };
        let mut text = String::new();
        let elements = self.reader.elements(entry);
        self.argument(argument, (entry.invariant, &elements), 0, &mut text).expect("writing to memory does not fail");
        text
    }

    /// Writes the steps of an argument about an invariant, whose obligation has these elements.
    fn argument(
        &self,
        argument: &Argument,
        (of, elements): (InvariantId, &SymbolTypes),
        indent: usize,
        text: &mut String,
    ) -> fmt::Result {
        let names = &self.reader.names[of.index()];
        for premise in &argument.premises {
            let Some(cube) = self.reader.certificate.cube(self.reader.system, premise.invariant) else { continue };
            let at: Vec<String> =
                premise.substitution.iter().map(|symbol| self.reader.symbol(*symbol, names)).collect();
            let excluded = self.reader.notation.written(self.reader.notation.bad_states(cube, &at));
            let source = match self.reader.premise(premise.invariant) {
                Premise::Invariant(number) => format!("Invariant {number}"),
                Premise::Assumption(name) => format!("Assumption '{name}'"),
            };
            writeln!(text, "{:indent$}{source} excludes {excluded}.", "")?;
        }
        if let Some(split) = &argument.split {
            let (on, values) = self.reader.split(split, names, elements);
            for ((value, elements), case) in values.iter().zip(&split.cases) {
                writeln!(text, "{:indent$}If {on} is {value}:", "")?;
                if case.premises.is_empty() && case.split.is_none() {
                    writeln!(text, "{:1$}this contradicts what is known.", "", indent + 2)?;
                }
                self.argument(case, (of, elements), indent + 2, text)?;
            }
        }
        Ok(())
    }

    /// The match and the branch of an obligation, after a space.
    pub(crate) fn place(&self, entry: &RelationEntry) -> String {
        let matching = match self.reader.matching(entry) {
            Some(pairs) if !pairs.is_empty() => format!("with {}", assignments(&pairs)),
            Some(_) | None => String::new(),
        };
        let branch = entry.branch.map(|branch| format!("branch {branch}")).unwrap_or_default();
        let parts: Vec<String> = [matching, branch].into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { " in every case".to_owned() } else { format!(" {}", parts.join(", ")) }
    }
}

/// If more cases of one kind than this need no argument, they are counted and not listed.
const MANY: usize = 6;

fn count(entries: &[&RelationEntry], relation: &Relation) -> usize {
    entries.iter().filter(|entry| entry.relation == *relation).count()
}

/// Up to this many obligations of one rule and one invariant are listed one by one.
const FEW: usize = 3;

/// Obligations of a rule and an invariant that need premises.
struct Group {
    rule: RuleId,
    invariant: InvariantId,
    /// The match and the branch, or the number of cases.
    place: String,
    premises: BTreeSet<Premise>,
}

fn listed(premises: &BTreeSet<Premise>) -> String {
    let text = |premise: &Premise| match premise {
        Premise::Invariant(number) => number.to_string(),
        Premise::Assumption(name) => format!("assumption '{name}'"),
    };
    premises.iter().map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::certified;

    fn ask(rule: Option<&str>, invariant: Option<u32>) -> Result<String, ExplainError> {
        let (system, certificate) = certified();
        answer(
            &system,
            &certificate,
            &Question {
                rule: rule.map(str::to_owned),
                invariants: invariant.into_iter().collect(),
                ..Question::default()
            },
        )
    }

    #[test]
    fn invariants_are_found_by_number_and_by_name() {
        let (system, certificate) = certified();
        let reader = Reader::new(&system, &certificate, Language::default());
        let table = Table::of(&reader, &Options::default().by_number());
        let find = |name: &str| numbers_of(&table, name);
        let row = &table.groups[0].invariants[1];
        assert_eq!((find("1"), find(&row.name.to_uppercase())), (Ok(vec![1]), Ok(vec![1])));
        let property = &table.properties[0];
        assert!(!property.shown_by.is_empty());
        assert_eq!(find(&property.name), Ok(property.shown_by.clone()));
        let slip = format!("{}x", property.name);
        let error = find(&slip).unwrap_err().to_string();
        let expected = format!("no invariant and no property is called '{slip}'; did you mean '{}'?", property.name);
        assert_eq!(error, expected);
        assert_eq!(find("something else"), Err(ExplainError::Name("something else".to_owned(), None)));
        assert_eq!(find("99"), Err(ExplainError::Invariant(99, 4)));
    }

    #[test]
    fn the_invariants_that_mention_a_variable_are_listed() {
        let (system, certificate) = certified();
        let about = |name: &str| {
            answer(&system, &certificate, &Question { about: Some(name.to_owned()), ..Question::default() })
        };
        let text = about("x").unwrap();
        assert!(text.contains(" of 5 invariants mention x:\n"), "{text}");
        assert!(text.lines().skip(4).all(|line| line.contains('x')), "{text}");
        assert_eq!(about("Nothing"), Err(ExplainError::Variable("Nothing".to_owned())));
    }

    #[test]
    fn the_argument_is_shown() {
        let text = ask(Some("Crit"), Some(0)).unwrap();
        assert!(text.contains("with i := i, branch 0: the rule could break the invariant only from"), "{text}");
        assert!(text.contains("Invariant 1 excludes n[j] = C & x = true."), "{text}");
        assert!(text.contains("with i := other: it does not change what"), "{text}");
    }

    #[test]
    fn an_invariant_lists_the_rules_that_need_it() {
        let text = ask(None, Some(1)).unwrap();
        assert!(text.contains("rule 'Crit' preserving invariant 0"), "{text}");
        assert!(text.contains("which invariant 0 excludes"), "{text}");
    }

    #[test]
    fn a_single_premise_has_a_singular_noun() {
        let texts: Vec<String> = (0..5).map(|number| ask(None, Some(number)).unwrap()).collect();
        let lines = || texts.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with("  - rule"));
        let listed = |noun: &str| {
            let lists = lines().filter_map(|line| line.rsplit_once(&format!(": {noun} ")).map(|(_, list)| list));
            lists.map(str::to_owned).collect::<Vec<_>>()
        };
        let (one, several) = (listed("invariant"), listed("invariants"));
        assert!(!one.is_empty() && one.iter().all(|list| !list.contains(',')), "{texts:?}");
        assert!(several.iter().all(|list| list.contains(',')), "{texts:?}");
    }

    #[test]
    fn what_does_not_exist_is_named() {
        assert_eq!(ask(Some("Nothing"), None), Err(ExplainError::Rule("Nothing".to_owned(), None)));
        let error = ask(Some("Crt"), None).unwrap_err().to_string();
        assert_eq!(error, "the model has no rule 'Crt'; did you mean 'Crit'?");
        assert_eq!(ask(None, Some(99)), Err(ExplainError::Invariant(99, 4)));
    }

    #[test]
    fn without_a_question_all_are_listed() {
        assert_eq!(ask(None, None).unwrap().lines().filter(|line| line.starts_with("   ")).count(), 5);
    }
}
