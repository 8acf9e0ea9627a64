use certificate::proof::Certificate;
use certificate::{Model, check};
use invfinder::{Header, Limits, Verdict, prove};
use system::System;

use super::*;
use crate::example::mutual_exclusion;
use crate::report;

pub(crate) fn certified() -> (System, Certificate) {
    let system = mutual_exclusion(false);
    let header = Header { model_digest: "00ff".to_owned(), settings: vec!["NODE_NUM=2".to_owned()] };
    let (verdict, _) = prove(&system, &header, &Limits::default(), &mut |_| true);
    let Verdict::Proven(certificate) = verdict else { panic!("not proven: {verdict:?}") };
    (system, *certificate)
}

fn table(options: &Options) -> Table {
    let (system, certificate) = certified();
    let model = Model { digest: certificate.model_digest.clone(), settings: certificate.settings.clone() };
    let checked = check(&system, &certificate, &model).unwrap();
    Table::read(&checked, options)
}

#[test]
fn every_invariant_is_in_every_format() {
    let (_, certificate) = certified();
    let table = table(&Options::default());
    let rows = certificate.invariants.len();
    assert_eq!(table.invariants_csv().lines().count(), rows + 1);
    assert_eq!(table.markdown().matches("\ninvariant \"inv_").count(), rows);
    assert_eq!(table.blocks().0.matches("invariant \"inv_").count(), rows);
    assert_eq!(table.latex().matches("\\texttt{forall").count(), rows);
    let json: serde_json::Value = serde_json::from_str(&table.json()).unwrap();
    assert_eq!(json["invariants"].as_array().unwrap().len(), rows);
    assert_eq!(json["relations"].as_array().unwrap().len(), certificate.relations.len());
    assert_eq!(table.relations_csv().lines().count(), certificate.relations.len() + 1);
}

#[test]
fn the_property_is_written_as_a_quantified_implication() {
    let table = table(&Options::default());
    let first = table.invariants().next().unwrap();
    assert_eq!(first.name, "at most one NODE with n is C");
    assert_eq!(
        first.formula.to_string(),
        "forall i : NODE do forall j : NODE do i != j & n[i] = C -> n[j] != C end end"
    );
    assert!(matches!(&first.origin, Origin::Property(name) if name == "Mutex"));
}

#[test]
fn support_goes_both_ways() {
    let table = table(&Options::default());
    for row in table.invariants() {
        for other in &row.relies_on {
            let other = table.invariants().find(|candidate| candidate.number == *other).unwrap();
            assert!(other.supports.contains(&row.number));
            assert!(!other.rules.is_empty());
        }
    }
}

#[test]
fn only_invariants_that_mention_a_variable_are_shown() {
    let only = |name: &str| table(&Options { only: Some(name.to_owned()), ..Options::default() });
    let about_x = only("x");
    assert!(about_x.invariants().count() > 0);
    assert!(about_x.invariants().all(|row| row.formula.to_string().contains("x = ")));
    assert_eq!(only("nothing of the kind").invariants().count(), 0);
}

#[test]
fn groups_hold_all_invariants_once() {
    let count = table(&Options::default()).invariants().count();
    for group_by in [GroupBy::Variable, GroupBy::Property, GroupBy::Number] {
        let table = table(&Options { group_by, ..Options::default() });
        assert_eq!(table.invariants().count(), count);
        assert!(group_by != GroupBy::Number || table.groups.len() == 1);
    }
}

#[test]
fn counts_agree_with_their_nouns_and_verbs() {
    let mut table = table(&Options::default());
    assert!(table.markdown().contains("\n5 invariants. Of "), "{}", table.markdown());
    table.kinds.retain(|kind| *kind == Kind::HoldsAfter);
    table.kinds.truncate(1);
    let text = table.markdown();
    assert!(text.contains("Of 1 obligation, 1 holds after the rule, whatever held before, 0 are unaffected"), "{text}");
    let instance = |size: u64, dead: &[&str]| report::Seen {
        sizes: vec![("NODE".to_owned(), size)],
        states: Some(size),
        dead_rules: Some(dead.iter().map(|rule| (*rule).to_owned()).collect()),
        runtime_errors: Vec::new(),
        no_execution: None,
    };
    let (system, mut certificate) = certified();
    certificate.relations.retain(|entry| entry.relation == certificate::proof::Relation::HoldsAfter);
    certificate.relations.truncate(1);
    let html = |instance| {
        let facts = report::Facts { instance: Some(instance), ..report::Facts::default() };
        report::from_parts(&system, &certificate, &facts)
    };
    let one = html(instance(1, &["Try"])).unwrap();
    for said in ["</strong> holds after", ">rule never fires<", "NODE with 1 element, 1 state up to"] {
        assert!(one.contains(said), "{said}: {one}");
    }
    let two = html(instance(2, &["Try", "Crit"])).unwrap();
    for said in [">rules never fire<", "NODE with 2 elements, 2 states up to"] {
        assert!(two.contains(said), "{said}: {two}");
    }
}

#[test]
fn a_report_refers_to_nothing_outside_and_survives_odd_names() {
    let (mut system, certificate) = certified();
    system.rules[0].name = "</script><b>&\"".to_owned();
    let table = Table::of(&Reader::new(&system, &certificate, Language::default()), &Options::default());
    let facts = report::Facts { model: "<model>".to_owned(), ..report::Facts::default() };
    let html = report::from_parts(&system, &certificate, &facts).unwrap();
    assert_eq!(html.matches("</script>").count(), 2, "the data and the script end once each");
    assert!(!html.contains("<b>") && !html.contains("<model>"));
    // The name of the language of drawings is no reference.
    let html = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!html.contains("http://") && !html.contains("https://"));
    for row in table.invariants() {
        assert!(html.contains(&format!("id=\"invariant-{}\"", row.number)));
    }
}
