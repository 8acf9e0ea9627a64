//! Compares two proofs: of one model, or of two versions of it.
//!
//! The comparison lists the invariants that were added, removed, weakened or strengthened, and the rules that changed.
//! Invariants are compared by implication, not by their text: a cube that another one subsumes is the weaker statement
//! (subsumption as in Conchon et al., FMCAD 2013, section III). The two sides are matched by name, since numbers may
//! differ. The inputs are two systems, each with a certificate that the checker has accepted, or the tables of two
//! proofs.

use certificate::CheckedCertificate;
use certificate::proof::{Certificate, Invariant, InvariantId, InvariantOrigin};
use serde_json::{Value, json};
use system::notation::Language;
use system::{Cube, PropertyId, System};

use crate::table::Reader;
use translate::Translation;

mod others;
mod render;
mod rules;
mod tables;
mod translate;

pub use tables::TableError;

/// One of the two proofs.
#[derive(Clone, Copy, Debug)]
struct Side<'a> {
    system: &'a System,
    certificate: &'a Certificate,
}

impl<'a> Side<'a> {
    fn of(checked: &CheckedCertificate<'a>) -> Self {
        Self { system: checked.system(), certificate: checked.certificate() }
    }
}

/// What changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// Invariants that both proofs have, with their numbers.
    pub kept: Vec<(u32, u32)>,
    /// Invariants that became stronger: they exclude more states now.
    pub strengthened: Vec<(Entry, Entry)>,
    /// Invariants that became weaker: they exclude fewer states now.
    pub weakened: Vec<(Entry, Entry)>,
    /// Invariants that only the first proof has.
    pub removed: Vec<Entry>,
    /// Invariants that only the second proof has.
    pub added: Vec<Entry>,
    /// Rules that only the first model has.
    pub rules_removed: Vec<String>,
    /// Rules that only the second model has.
    pub rules_added: Vec<String>,
    /// Rules that both models have, with a different guard or a different effect.
    pub rules_changed: Vec<RuleChange>,
    /// Startstates, assumptions and properties that differ, and how.
    pub others_changed: Vec<String>,
    /// Pairs of a rule and a kept invariant whose argument changed.
    pub relations_changed: Vec<RelationChange>,
    /// What was compared.
    pub scope: Scope,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Proofs with their models.
    #[default]
    Proofs,
    /// Models without proofs.
    Models,
    /// The tables of proofs, which list the rules but not what they do.
    Tables,
    /// The invariants of an earlier proof, without its model, with those of a proof.
    Earlier,
}

/// An invariant in a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number in its certificate.
    pub number: u32,
    /// What it states, in words.
    pub name: String,
    /// What it states, as a formula.
    pub formula: String,
}

/// What changed in a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChange {
    /// The rule.
    pub rule: String,
    /// The line in the first model, and in the second.
    pub lines: (u32, u32),
    /// Parts of the guard, and effects on state variables, that only the first rule has.
    pub removed: Vec<String>,
    /// Those that only the second rule has.
    pub added: Vec<String>,
}

/// A pair of a rule and an invariant whose argument changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationChange {
    /// The rule.
    pub rule: String,
    /// The number of the invariant before.
    pub before: u32,
    /// The number of the invariant after.
    pub after: u32,
    /// The premises before: numbers of the second certificate for kept invariants, and otherwise numbers of the first
    /// with a minus sign.
    pub premises_before: Vec<String>,
    /// The premises after.
    pub premises_after: Vec<String>,
}

impl Diff {
    /// Compares two proofs.
    #[must_use]
    pub fn of(first: &CheckedCertificate<'_>, second: &CheckedCertificate<'_>) -> Self {
        Self::compare(Side::of(first), Side::of(second))
    }

    /// Compares two models, whether they are proven or not: their rules, startstates, assumptions and properties.
    #[must_use]
    pub fn of_models(first: &System, second: &System) -> Self {
        let nothing = nothing();
        let side = |system| Side { system, certificate: &nothing };
        Self { scope: Scope::Models, ..Self::compare(side(first), side(second)) }
    }

    /// Compares the invariants of an earlier proof, in terms of the system of the proof or with the reason why there are none, with
    /// those of the proof. What the proof has besides is not listed.
    #[must_use]
    pub fn of_earlier(earlier: &[Result<Cube, String>], proof: &CheckedCertificate<'_>) -> Self {
        let side = Side::of(proof);
        let origin = InvariantOrigin::Property(PropertyId(0));
        let (numbers, invariants): (Vec<u32>, Vec<Invariant>) = (0..)
            .zip(earlier)
            .filter_map(|(number, cube)| Some((number, Invariant { cube: cube.as_ref().ok()?.clone(), origin })))
            .unzip();
        let before = Certificate { invariants, ..nothing() };
        let (before, after) = (reader(side.system, &before), reader(side.system, side.certificate));
        let mut diff = Self { scope: Scope::Earlier, ..Self::default() };
        diff.compare_invariants(&before, &after, &Translation::new(side.system, side.system));
        diff.added.clear();
        let own = |number: &mut u32| *number = numbers[usize::try_from(*number).expect("it was counted")];
        diff.kept.iter_mut().for_each(|(before, _)| own(before));
        let pairs = diff.strengthened.iter_mut().chain(&mut diff.weakened).map(|(before, _)| before);
        pairs.chain(&mut diff.removed).for_each(|entry| own(&mut entry.number));
        let foreign = (0..).zip(earlier).filter_map(|(number, cube)| {
            let name = cube.as_ref().err()?.clone();
            Some(Entry { number, name, formula: String::new() })
        });
        diff.removed.extend(foreign);
        diff.removed.sort_by_key(|entry| entry.number);
        diff
    }

    fn compare(first: Side<'_>, second: Side<'_>) -> Self {
        let (before, after) = (reader(first.system, first.certificate), reader(second.system, second.certificate));
        let translation = Translation::new(first.system, second.system);
        let mut diff = Self::default();
        diff.compare_invariants(&before, &after, &translation);
        rules::compare(&before, &after, &translation, &mut diff);
        others::compare(first.system, second.system, &mut diff);
        diff
    }

    fn compare_invariants(&mut self, before: &Reader<'_>, after: &Reader<'_>, translation: &Translation<'_>) {
        let old: Vec<Option<Cube>> =
            before.certificate.invariants.iter().map(|invariant| translation.cube(&invariant.cube)).collect();
        // A certificate may have the literals and variables of a cube in any order, so both sides are put in order.
        let new: Vec<Option<Cube>> = (after.certificate.invariants.iter())
            .map(|Invariant { cube, .. }| {
                Cube::normalize_with(after.system, &cube.variables, &cube.literals, &cube.universals)
            })
            .collect();
        let order = Order {
            same: &|old: &Option<Cube>, new| old.is_some() && old == new,
            implies: &|one, other| one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one.subsumes(other)),
        };
        let classes = order.classes(&old, &new);
        self.enter(&classes, &|position| entry(before, position), &|position| entry(after, position));
    }

    fn enter(&mut self, classes: &Classes, old: &dyn Fn(usize) -> Entry, new: &dyn Fn(usize) -> Entry) {
        let pairs = |pairs: &[(usize, usize)]| pairs.iter().map(|&(before, after)| (old(before), new(after))).collect();
        self.kept = classes.kept.iter().map(|&(before, after)| (number(before), number(after))).collect();
        self.strengthened = pairs(&classes.strengthened);
        self.weakened = pairs(&classes.weakened);
        self.removed = classes.removed.iter().map(|&position| old(position)).collect();
        self.added = classes.added.iter().map(|&position| new(position)).collect();
    }

    /// Returns whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { kept: _, strengthened, weakened, removed, added, rules_removed, rules_added, rules_changed, .. } =
            self;
        strengthened.is_empty()
            && weakened.is_empty()
            && removed.is_empty()
            && added.is_empty()
            && rules_removed.is_empty()
            && rules_added.is_empty()
            && rules_changed.is_empty()
            && self.others_changed.is_empty()
            && self.relations_changed.is_empty()
    }

    /// Returns the differences as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let entry = |entry: &Entry| json!({"number": entry.number, "name": entry.name, "invariant": entry.formula});
        let pair = |(old, new): &(Entry, Entry)| json!({"before": entry(old), "after": entry(new)});
        let change = |change: &RelationChange| {
            json!({
                "rule": change.rule,
                "before": change.before,
                "after": change.after,
                "premises_before": change.premises_before,
                "premises_after": change.premises_after,
            })
        };
        let rule = |change: &RuleChange| {
            json!({
                "rule": change.rule,
                "line_before": change.lines.0,
                "line_after": change.lines.1,
                "removed": change.removed,
                "added": change.added,
            })
        };
        json!({
            "same": self.is_empty(),
            "kept": self.kept.iter().map(|(old, new)| json!({"before": old, "after": new})).collect::<Value>(),
            "removed": self.removed.iter().map(entry).collect::<Value>(),
            "added": self.added.iter().map(entry).collect::<Value>(),
            "strengthened": self.strengthened.iter().map(pair).collect::<Value>(),
            "weakened": self.weakened.iter().map(pair).collect::<Value>(),
            "rules_removed": self.rules_removed,
            "rules_added": self.rules_added,
            "rules_changed": self.rules_changed.iter().map(rule).collect::<Value>(),
            "others_changed": self.others_changed,
            "relations_changed": self.relations_changed.iter().map(change).collect::<Value>(),
        })
    }
}

/// How statements are compared.
struct Order<'o, T> {
    /// Whether the two statements are equivalent.
    same: &'o dyn Fn(&T, &T) -> bool,
    /// Whether the first statement implies the second.
    implies: &'o dyn Fn(&T, &T) -> bool,
}

/// Pairs of the positions, before and after, of statements that belong together.
#[derive(Default)]
struct Classes {
    kept: Vec<(usize, usize)>,
    strengthened: Vec<(usize, usize)>,
    weakened: Vec<(usize, usize)>,
    removed: Vec<usize>,
    added: Vec<usize>,
}

impl<T> Order<'_, T> {
    fn classes(&self, old: &[T], new: &[T]) -> Classes {
        let mut classes = Classes::default();
        let mut kept = vec![false; new.len()];
        let mut open: Vec<usize> = Vec::new();
        for (position, one) in old.iter().enumerate() {
            match new.iter().enumerate().position(|(at, other)| !kept[at] && (self.same)(one, other)) {
                Some(other) => {
                    kept[other] = true;
                    classes.kept.push((position, other));
                }
                None => open.push(position),
            }
        }
        let mut used = kept.clone();
        for position in open {
            // A statement that both sides have succeeds no other one.
            let find = |test: &dyn Fn(&T) -> bool| (0..new.len()).find(|&other| !kept[other] && test(&new[other]));
            let stronger = find(&|other| (self.implies)(other, &old[position]));
            let weaker = find(&|other| (self.implies)(&old[position], other));
            let (class, other) = match (stronger, weaker) {
                (Some(other), _) => (&mut classes.strengthened, other),
                (None, Some(other)) => (&mut classes.weakened, other),
                (None, None) => {
                    classes.removed.push(position);
                    continue;
                }
            };
            used[other] = true;
            class.push((position, other));
        }
        classes.added = (0..new.len()).filter(|&position| !used[position]).collect();
        classes
    }
}

/// An invariant of one version of a protocol in the numbers of another version; `None` if a name that it uses is
/// missing there.
#[must_use]
pub fn in_terms_of(cube: &Cube, from: &System, to: &System) -> Option<Cube> {
    Translation::new(from, to).cube(cube)
}

/// A certificate without any content.
fn nothing() -> Certificate {
    Certificate {
        model_digest: String::new(),
        settings: Vec::new(),
        properties: Vec::new(),
        invariants: Vec::new(),
        initial: Vec::new(),
        relations: Vec::new(),
    }
}

/// Reads a proof as Murphi has it, in which tables are compared.
fn reader<'a>(system: &'a System, certificate: &'a Certificate) -> Reader<'a> {
    Reader::new(system, certificate, Language::Murphi)
}

fn entry(reader: &Reader<'_>, position: usize) -> Entry {
    let row = reader.invariant(InvariantId(number(position)));
    Entry { number: row.number, name: row.name, formula: row.formula.to_string() }
}

fn number(position: usize) -> u32 {
    u32::try_from(position).expect("ids have 32 bits")
}

#[cfg(test)]
mod tests {
    use system::{IndexTerm, IndexVariableId, Literal, Universal};

    use super::*;
    use crate::example::mutual_exclusion;
    use crate::table::tests::certified;

    #[test]
    fn a_proof_does_not_differ_from_itself() {
        let (system, certificate) = certified();
        let side = Side { system: &system, certificate: &certificate };
        let diff = Diff::compare(side, side);
        assert!(diff.is_empty(), "{diff:?}");
        assert_eq!(diff.kept.len(), certificate.invariants.len());
        assert!(diff.text().starts_with("No difference"));
    }

    #[test]
    fn the_order_of_literals_and_variables_does_not_matter() {
        let (system, certificate) = certified();
        let mut other = certificate.clone();
        let mut permuted = 0;
        for invariant in &mut other.invariants {
            let cube = &mut invariant.cube;
            let swap = |variable: IndexVariableId| {
                let last = u32::try_from(cube.variables.len()).unwrap() - 1;
                IndexTerm::Variable(IndexVariableId(last - variable.0))
            };
            let mut literals: Vec<Literal> = cube.literals.iter().map(|literal| literal.substituted(&swap)).collect();
            literals.reverse();
            permuted += usize::from(literals != cube.literals);
            cube.literals = literals;
        }
        assert!(permuted > 0);
        let sides = [&certificate, &other].map(|certificate| Side { system: &system, certificate });
        for (old, new) in [(0, 1), (1, 0), (1, 1)] {
            let diff = Diff::compare(sides[old], sides[new]);
            assert!(diff.is_empty(), "{diff:?}");
        }
    }

    #[test]
    fn invariants_are_compared_by_implication() {
        let (system, certificate) = certified();
        let mut changed = certificate.clone();
        // One literal less excludes more states; the other invariant is removed.
        let cube = &mut changed.invariants[1].cube;
        cube.literals.remove(1);
        changed.invariants.pop();
        let (old, new) =
            (Side { system: &system, certificate: &certificate }, Side { system: &system, certificate: &changed });
        let diff = Diff::compare(old, new);
        assert!(diff.strengthened.iter().any(|(before, after)| (before.number, after.number) == (1, 1)));
        let back = Diff::compare(new, old);
        assert!(back.weakened.iter().any(|(before, after)| (before.number, after.number) == (1, 1)), "{back:?}");
        assert_eq!(back.added.len(), diff.removed.len());
    }

    #[test]
    fn an_invariant_that_promises_an_element_is_weaker() {
        let (system, certificate) = certified();
        let mut changed = certificate.clone();
        let cube = &mut changed.invariants[0].cube;
        let count = u32::try_from(cube.variables.len()).unwrap();
        let other = cube.literals[0].substituted(&|_| IndexTerm::Variable(IndexVariableId(count)));
        cube.universals = vec![Universal { variables: vec![cube.variables[0]], literals: vec![other] }];
        let (old, new) =
            (Side { system: &system, certificate: &certificate }, Side { system: &system, certificate: &changed });
        let is_first = |pairs: &[(Entry, Entry)]| pairs.iter().any(|(one, other)| (one.number, other.number) == (0, 0));
        let diff = Diff::compare(old, new);
        assert!(!diff.kept.contains(&(0, 0)) && is_first(&diff.weakened), "{diff:?}");
        assert!(is_first(&Diff::compare(new, old).strengthened));
        assert!(Diff::compare(new, new).is_empty());
    }

    #[test]
    fn a_changed_rule_is_named() {
        let (system, certificate) = certified();
        let broken = mutual_exclusion(true);
        let (old, new) =
            (Side { system: &system, certificate: &certificate }, Side { system: &broken, certificate: &certificate });
        let diff = Diff::compare(old, new);
        let [change] = &diff.rules_changed[..] else { panic!("{diff:?}") };
        assert_eq!(change.rule, "Crit");
        assert!(!change.removed.is_empty() || !change.added.is_empty(), "{change:?}");
        assert!(diff.text().contains("Changed rules:\n- Crit (line "));
        assert!(diff.markdown().contains("\n**Changed rules**\n\n- Crit (line "), "{}", diff.markdown());
        let models = Diff::of_models(&system, &broken);
        assert_eq!(models.rules_changed, diff.rules_changed);
        assert!(models.text().starts_with("Changed rules:"), "{}", models.text());
        assert!(Diff::of_models(&system, &system).is_empty());
        assert_eq!(diff.json()["same"], json!(false));
    }

    #[test]
    fn a_changed_startstate_is_named() {
        let (system, certificate) = certified();
        let mut changed = system.clone();
        changed.startstates[0].transition.updates.pop();
        changed.properties.pop();
        let models = Diff::of_models(&system, &changed);
        assert_eq!(models.others_changed.len(), 2, "{models:?}");
        assert!(
            models.others_changed[0].starts_with("startstate `") && models.others_changed[0].ends_with("`: changed")
        );
        assert!(models.others_changed[1].starts_with("property `") && models.others_changed[1].ends_with("`: removed"));
        assert!(models.text().starts_with("Other differences:\n- startstate `"), "{}", models.text());
        let side = |system| Side { system, certificate: &certificate };
        assert_eq!(Diff::compare(side(&system), side(&changed)).others_changed, models.others_changed);
        let back = Diff::of_models(&changed, &system);
        assert!(back.others_changed[1].ends_with("`: added"), "{back:?}");
    }

    #[test]
    fn names_connect_and_not_numbers() {
        let (system, certificate) = certified();
        let mut renumbered = system.clone();
        renumbered.constants.swap(2, 3);
        for sort in &mut renumbered.sorts {
            sort.constants.iter_mut().for_each(|constant| constant.0 = [0, 1, 3, 2, 4, 5][constant.index()]);
        }
        let old = Side { system: &system, certificate: &certificate };
        let new = Side { system: &renumbered, certificate: &certificate };
        // The certificate now has another meaning, since its numbers denote other constants; the same holds for the
        // rules.
        assert!(!Diff::compare(old, new).rules_changed.is_empty());
    }
}
