//! Tests of the term printer, of names, and of the names that templates use.

#![allow(clippy::unwrap_used, reason = "a failure of a test is a panic")]

use proofgen::isabelle::definitions::Definition;
use proofgen::isabelle::names::{Vocabulary, identifier};
use proofgen::isabelle::print::{self, WIDTH};
use proofgen::isabelle::term::{Binder, Infix, Term};
use proofgen::isabelle::{ASSUMPTIONS_THEORY, BASE_THEORY, CHECKER_THEORY, COMPUTED_THEORY, EVALUATION_THEORY, text};
use system::Constant;
use system::System;

fn name(name: &str) -> Term {
    Term::name(name)
}

fn op(operator: Infix, left: Term, right: Term) -> Term {
    Term::infix(operator, left, right)
}

fn shown(term: &Term) -> String {
    let mut text = print::term(term, 0, 0);
    for (symbol, token) in [
        (r"\<longrightarrow>", "-->"),
        (r"\<Longrightarrow>", "==>"),
        (r"\<longleftrightarrow>", "<->"),
        (r"\<and>", "&"),
        (r"\<or>", "|"),
        (r"\<not>", "~"),
        (r"\<noteq>", "~="),
        (r"\<in>", ":"),
        (r"\<forall>", "ALL "),
        (r"\<exists>", "EX "),
        (r"\<lambda>", "%"),
        (r"\<union>", "Un"),
    ] {
        text = text.replace(symbol, token);
    }
    text
}

#[test]
fn operators_of_lower_precedence_get_parentheses() {
    let [a, b, c] = ["a", "b", "c"].map(name);
    let cases = [
        (op(Infix::And, op(Infix::Or, a.clone(), b.clone()), c.clone()), "(a | b) & c"),
        (op(Infix::Or, op(Infix::And, a.clone(), b.clone()), c.clone()), "a & b | c"),
        (op(Infix::Implies, op(Infix::Implies, a.clone(), b.clone()), c.clone()), "(a --> b) --> c"),
        (op(Infix::Implies, a.clone(), op(Infix::Implies, b.clone(), c.clone())), "a --> b --> c"),
        (op(Infix::And, op(Infix::And, a.clone(), b.clone()), c.clone()), "(a & b) & c"),
        (op(Infix::Equal, op(Infix::Equal, a.clone(), b.clone()), c.clone()), "a = b = c"),
        (op(Infix::Equal, a.clone(), op(Infix::Equal, b.clone(), c.clone())), "a = (b = c)"),
        (op(Infix::Union, a.clone(), op(Infix::Union, b.clone(), c.clone())), "a Un (b Un c)"),
        (
            op(Infix::Iff, op(Infix::Equal, a.clone(), b.clone()), op(Infix::Iff, b.clone(), c.clone())),
            "a = b <-> b <-> c",
        ),
        (Term::Not(Box::new(op(Infix::And, a.clone(), b.clone()))), "~ (a & b)"),
        (Term::Not(Box::new(Term::Not(Box::new(a.clone())))), "~ ~ a"),
        (op(Infix::Equal, Term::Not(Box::new(a.clone())), b.clone()), "(~ a) = b"),
        (Term::call("f", vec![Term::call("g", vec![a.clone()]), b.clone()]), "f (g a) b"),
        (op(Infix::Equal, Term::call("f", vec![a.clone()]), b.clone()), "f a = b"),
        (Term::call("f", vec![op(Infix::Equal, a, b)]), "f (a = b)"),
    ];
    for (term, expected) in cases {
        assert_eq!(shown(&term), expected);
    }
}

#[test]
fn binders_and_conditionals_get_parentheses_as_operands() {
    let [a, b, c] = ["a", "b", "c"].map(name);
    let all = Term::bind(Binder::Forall, vec!["i".to_owned()], op(Infix::And, a.clone(), b.clone()));
    let cases = [
        (all.clone(), "ALL i. a & b"),
        (op(Infix::And, all.clone(), c.clone()), "(ALL i. a & b) & c"),
        (op(Infix::Implies, c.clone(), all.clone()), "c --> (ALL i. a & b)"),
        (Term::Not(Box::new(all.clone())), "~ (ALL i. a & b)"),
        (Term::bind_in(Binder::Exists, "j", name("S"), all), "EX j : S. ALL i. a & b"),
        (Term::bind(Binder::Lambda, vec!["s".to_owned()], a.clone()), "%s. a"),
        (Term::call("f", vec![Term::bind(Binder::Lambda, vec!["s".to_owned()], a.clone())]), "f (%s. a)"),
        (op(Infix::Equal, a.clone(), Term::conditional(b.clone(), c.clone(), a.clone())), "a = (if b then c else a)"),
        (
            Term::conditional(a.clone(), b.clone(), Term::conditional(b.clone(), c.clone(), a.clone())),
            "if a then b else if b then c else a",
        ),
        (
            Term::conditional(a.clone(), Term::conditional(b.clone(), c.clone(), a), b),
            "if a then if b then c else a else b",
        ),
    ];
    for (term, expected) in cases {
        assert_eq!(shown(&term), expected);
    }
}

#[test]
fn lines_fit() {
    let part = |number: usize| {
        op(Infix::Equal, Term::call("variable", vec![name("state"), name("i")]), name(&format!("value{number}")))
    };
    let long = Term::conjunction((0..30).map(part).collect());
    for used in [0, 10, 60] {
        let text = print::term(&long, used, 4);
        assert!(text.lines().count() > 1);
        for (number, line) in text.lines().enumerate() {
            let start = if number == 0 { used } else { 0 };
            assert!(start + print::width(line) <= WIDTH, "{line}");
        }
    }
}

#[test]
fn a_symbol_counts_as_one_character() {
    assert_eq!(print::width(r"a \<and> b"), 5);
    assert_eq!(print::width(r"\<lambda>s. x"), 5);
}

#[test]
fn names_are_identifiers() {
    let cases = [
        ("Cache[].State", "Cache_State"),
        ("Sta.Dir.Pending", "Sta_Dir_Pending"),
        ("_x_", "x"),
        ("-3", "minus_3"),
        ("3", "num_3"),
        ("NI_Local_GetX_PutX_7 / case 2", "NI_Local_GetX_PutX_7_case_2"),
        ("", "unnamed"),
        ("é", "unnamed"),
        ("a__b", "a_b"),
    ];
    for (text, expected) in cases {
        assert_eq!(identifier(text), expected);
    }
}

#[test]
fn the_base_theory_has_what_the_generated_text_names() {
    let defined = [
        "definition elements",
        "definition writes",
        "definition reads",
        "definition formulas",
        "definition holds",
        "definition preserves",
        "primrec read_sets",
        "primrec affected",
        "inductive reachable",
        "definition consistent",
        "type_synonym formulas",
        "type_synonym system",
        "type_synonym state",
        "datatype (plugins del: \"quickcheck\") val = Const nat | Elem nat nat",
        "abbreviation true",
        "abbreviation false",
        "lemma elementsE",
        "lemma preservesI",
        "lemma consistentI",
        "theorem reachable_holds",
        "lemma holds_Nil",
        "lemma holds_Cons",
        "lemmas affected_simps",
    ];
    for definition in defined {
        assert!(BASE_THEORY.contains(definition), "{definition}");
    }
    let under_assumptions = [
        "inductive reachable_under",
        "definition preserves_under",
        "definition consistent_under",
        "lemma reachable_under_assumed",
        "lemma preserves_underI",
        "lemma consistent_underI",
        "theorem reachable_under_holds",
    ];
    for definition in under_assumptions {
        assert!(ASSUMPTIONS_THEORY.contains(definition), "{definition}");
    }
    for word in ["sorry", "axiomatization", "oops", "quick_and_dirty"] {
        assert!(![BASE_THEORY, ASSUMPTIONS_THEORY].iter().any(|theory| theory.contains(word)), "{word}");
    }
}

#[test]
fn the_theories_of_the_checker_have_what_the_generated_text_names() {
    let checker = [
        "trm = Cn int | Ix nat nat | Rd int \"nat list\"",
        "fm = T | F | Eq trm trm | Ne trm trm | And fm fm | Or fm fm | All nat fm",
        "vl = Tm trm | Any | If fm vl vl",
        "type_synonym vars",
        "type_synonym drule",
        "type_synonym cube ",
        "type_synonym cubes ",
        "type_synonym hints ",
        "type_synonym hinted_rules ",
        "type_synonym part ",
        "primrec at ::",
        "definition dstep ::",
        "definition wf ::",
        "definition check_rule ::",
        "primrec check_rules ::",
        "definition check_rule_under ::",
        "definition check_starts ::",
        "definition check_part ::",
        "definition check_all ::",
        "lemma check_allD:",
    ];
    for definition in checker {
        assert!(CHECKER_THEORY.contains(definition), "{definition}");
    }
    let soundness = [
        "abbreviation simulated ::",
        "definition safe ::",
        "definition as_data ::",
        "primrec of_val ::",
        "definition of_truth ::",
        "lemma wf_listI:",
        "lemmas started =",
        "lemmas simulatedI =",
        "lemmas data_simps =",
        "theorem computed:",
        "theorem computed_under:",
        "theorem computed_part:",
    ];
    for definition in soundness {
        assert!(COMPUTED_THEORY.contains(definition), "{definition}");
    }
    assert!(EVALUATION_THEORY.contains("method_setup evaluation ="));
    let theories = [CHECKER_THEORY, EVALUATION_THEORY, COMPUTED_THEORY];
    for word in ["sorry", "axiomatization", "oops", "quick_and_dirty", "oracle", "Skip_Proof"] {
        assert!(theories.iter().all(|theory| !theory.contains(word)), "{word}");
    }
}

#[test]
fn an_undefined_variable_of_a_template_is_an_error() {
    let fault = text::render("root", minijinja::context! { theories => ["A"] }).unwrap_err();
    assert_eq!(fault.kind(), minijinja::ErrorKind::UndefinedError);
}

#[test]
fn definitions_and_abbreviations_are_told_apart() {
    let definition = |operator| Definition {
        name: "Idle".to_owned(),
        signature: "val".to_owned(),
        equation: op(operator, name("Idle"), Term::call("Const", vec![Term::Number(2)])),
    };
    assert_eq!(text::definition(&definition(Infix::Equal)), "definition Idle :: \"val\" where \"Idle = Const 2\"");
    let abbreviation = "abbreviation Idle :: \"val\" where \"Idle \\<equiv> Const 2\"";
    assert_eq!(text::definition(&definition(Infix::Equivalent)), abbreviation);
}

#[test]
fn keywords_of_isabelle_are_no_names() {
    let mut system = empty_system();
    for word in ["value", "INF", "s", "end", "x"] {
        system.constants.push(Constant { name: word.to_owned(), scalarset: None });
    }
    let words = Vocabulary::new(&system, "theory");
    assert_eq!(words.constants, ["false", "true", "value_2", "INF_2", "s_2", "end_2", "x"]);
    assert_eq!(words.protocol, "theory_2");
    assert_eq!(words.variable("x", &[]), "x_2");
}

fn empty_system() -> System {
    let constants = ["false", "true"].map(|name| Constant { name: name.to_owned(), scalarset: None }).to_vec();
    System {
        index_types: vec![],
        named: vec![],
        constants,
        sorts: vec![],
        variables: vec![],
        rules: vec![],
        startstates: vec![],
        properties: vec![],
        axioms: Vec::new(),
        sizes: Vec::new(),
        claim: system::Claim::default(),
    }
}

#[test]
fn parts_keep_the_order_and_weigh_no_more_than_the_limit_or_are_one_item() {
    let weights = [3, 4, 4, 12, 1, 0, 9, 2];
    let items = weights.into_iter().enumerate().map(|(position, weight)| (weight, position));
    let parts = text::in_parts(items, 10);
    assert_eq!(parts, [vec![0, 1], vec![2], vec![3], vec![4, 5, 6], vec![7]]);
    assert!(text::in_parts(std::iter::empty::<(usize, u8)>(), 10).is_empty());
}
