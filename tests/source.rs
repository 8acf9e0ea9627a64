//! The theorem about the Murphi program itself: Isabelle accepts it, and rejects it where lowering is wrong.

#![allow(clippy::duplicate_mod, reason = "the search for Isabelle tells of absent tools, too")]
#![allow(clippy::unwrap_used, reason = "it is a test")]

#[path = "../proofgen/tests/support/isabelle.rs"]
mod installed;
mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The theories of a model with those about its program.
fn emitted(model: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    theories_of(folder.path(), &format!("models/{model}.m"));
    folder
}

/// The same under a name, so that one session can have several.
fn emitted_as(name: &str, model: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.m"));
    let own = [("lanes", LANES), ("queue", QUEUE), ("mail", MAIL)].into_iter().find(|(name, _)| *name == model);
    let known = || fs::read_to_string(format!("models/{model}.m")).unwrap();
    fs::write(&path, own.map_or_else(known, |(_, text)| text.to_owned())).unwrap();
    theories_of(folder.path(), path.to_str().unwrap());
    folder
}

fn theories_of(folder: &Path, model: &str) -> PathBuf {
    let (certificate, theories) = (folder.join("certificate.json"), folder.join("theories"));
    support::paraproof().args(["find", model, "-q", "-o"]).arg(&certificate).assert().success();
    let mut emit = support::paraproof();
    emit.args(["emit", "isabelle", "--source"]).arg(&certificate).args(["--model", model, "-o"]);
    emit.arg(&theories).assert().success();
    theories
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("theories").join(name)).unwrap()
}

/// A model with an element that a startstate chooses, an assertion, and loops inside of others that write at the indices of
/// both.
const LANES: &str = "const NODES : 2; LANES : 2;\n\
    type node : scalarset(NODES); lane : scalarset(LANES);\n\
    var Home : node; Free : array [lane] of boolean; Held : array [node] of array [lane] of boolean;\n\
    procedure Reset(); begin\n\
    for l : lane do Free[l] := true; for n : node do Held[n][l] := false; endfor; endfor; endprocedure;\n\
    ruleset h : node do startstate \"Init\" Home := h; Reset(); endstartstate; endruleset;\n\
    ruleset n : node; l : lane do\n\
    rule \"Take\" Free[l] & n != Home ==> assert forall m : node do !Held[m][l] endforall \"Unused\";\n\
    Held[n][l] := true; Free[l] := false; endrule;\n\
    rule \"Give\" Held[n][l] ==> Held[n][l] := false; Free[l] := true; endrule;\n\
    endruleset;\n\
    ruleset n : node do rule \"Clear\" n = Home ==> Reset(); endrule; endruleset;\n\
    invariant \"OneHolder\" forall n : node do forall m : node do forall l : lane do\n\
    Held[n][l] & Held[m][l] -> n = m endforall endforall endforall;\n\
    invariant \"HomeHoldsNone\" forall l : lane do !Held[Home][l] endforall;\n";

/// A model whose nodes have an order, with a procedure that loops call with their own index, and a body in which an
/// `exists` is evaluated.
const QUEUE: &str = "const NODES : 2;\n\
    type node : 1..NODES;\n\
    var Up : array [node] of boolean; Seen : array [node] of array [node] of boolean; Two : boolean;\n\
    procedure Forget(i : node); begin for j : node do Seen[i][j] := false; endfor; endprocedure;\n\
    startstate \"Init\" for i : node do Up[i] := false; Forget(i); endfor; Two := false; endstartstate;\n\
    ruleset i : node do\n\
    rule \"Enter\" !Up[i] & forall j : node do j < i -> Seen[i][j] endforall & forall j : node do !Up[j] endforall\n\
    ==> Up[i] := true; endrule;\n\
    rule \"Look\" Up[i] ==> if exists j : node do j < i & Up[j] endexists then Two := true; endif; Forget(i); endrule;\n\
    rule \"Leave\" Up[i] & exists j : node do i <= j endexists ==>\n\
    Up[i] := false; for j : node do Forget(j); endfor; endrule;\n\
    endruleset;\n\
    ruleset i : node; j : node do rule \"See\" j < i & !Up[j] ==> Seen[i][j] := true; endrule; endruleset;\n\
    invariant \"OneIsUp\" forall i : node do forall j : node do Up[i] & Up[j] -> i = j endforall endforall;\n\
    invariant \"NeverTwo\" !Two;\n";

/// A model with a rule that is executed step by step: procedures pass on what they get by value, in both branches; what follows reads
/// what they wrote, by another name, in a loop and in a record that is copied as a whole.
const MAIL: &str = "const NODES : 2;\n\
    type node : scalarset(NODES); kind : enum { No, Ask, Given };\n\
    note : record Kind : kind; Peer : node; end;\n\
    var Box : array [node] of note; Kept : note; Free : boolean; Has, Seen : array [node] of boolean;\n\
    procedure Send(i : node; k : kind; p : node); begin Box[i].Kind := k; Box[i].Peer := p; endprocedure;\n\
    procedure Answer(i : node; k : kind; p : node); begin Send(i, k, p); Free := false; endprocedure;\n\
    startstate \"Init\" undefine Box; undefine Kept; Kept.Kind := No; Free := true;\n\
    for i : node do Box[i].Kind := No; Has[i] := false; Seen[i] := false; endfor; endstartstate;\n\
    ruleset i : node; j : node do rule \"Want\" Box[i].Kind = No & !Has[i] ==> Send(i, Ask, j); endrule; endruleset;\n\
    ruleset i : node do\n\
    rule \"Reply\" Box[i].Kind = Ask & Free ==>\n\
    alias own : Box[i] do\n\
    if own.Peer = i then Answer(i, Given, i); else Answer(i, Given, own.Peer); endif;\n\
    for j : node do if j = own.Peer then Seen[j] := true; endif; endfor; Kept := own; endalias; endrule;\n\
    rule \"Take\" Box[i].Kind = Given ==> Has[i] := true; Box[i].Kind := No; undefine Box[i].Peer; endrule;\n\
    rule \"Give\" Has[i] & Box[i].Kind = No ==> Has[i] := false; Free := true; endrule;\n\
    endruleset;\n\
    invariant \"OneHas\" forall i : node do forall j : node do Has[i] & Has[j] -> i = j endforall endforall;\n";

/// Models whose last theorem Isabelle accepts in less than a minute together: rulesets over two types, guards with
/// `exists`, and pointers that are used as indices.
const ACCEPTED: [&str; 9] =
    ["mutualex", "moesi", "mutdata", "illinois", "firefly", "dijkstra", "lanes", "queue", "mail"];

/// One session with the theories of several models, so that the base theories are checked once. Returns what Isabelle says, if
/// it is installed, and whether it accepts all.
fn judged_together(folders: &[TempDir]) -> Option<(bool, String)> {
    let all = tempfile::tempdir().unwrap();
    let (mut theories, mut known) = (Vec::new(), BTreeSet::new());
    for folder in folders {
        for name in text(folder.path(), "ROOT").split_once("theories").unwrap().1.split_whitespace() {
            if known.insert(name.to_owned()) {
                fs::write(all.path().join(format!("{name}.thy")), text(folder.path(), &format!("{name}.thy"))).unwrap();
                theories.push(name.to_owned());
            }
        }
    }
    session(all.path(), &theories);
    let output = installed::isabelle(all.path())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Some((output.status.success(), said))
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_isabelle_accepts_the_programs() {
    let folders = ACCEPTED.map(|model| emitted_as(model, model));
    for (folder, model) in folders.iter().zip(ACCEPTED) {
        let last = text(folder.path(), &format!("{model}_Source.thy"));
        assert!(last.contains(&format!("theorem {model}_program_safe:")), "the last theorem is about the program");
    }
    if let Some((accepted, said)) = judged_together(&folders) {
        assert!(accepted, "{said}");
    }
}

fn session(folder: &Path, theories: &[String]) {
    let root = format!("session Programs = HOL +\n  theories\n    {}\n", theories.join("\n    "));
    fs::write(folder.join("ROOT"), root).unwrap();
}

/// A change of one theory that the other ones do not notice.
struct Change {
    model: &'static str,
    theory: &'static str,
    from: &'static str,
    to: &'static str,
    /// The lemmas that Isabelle rejects.
    lemmas: &'static [&'static str],
}

/// In each, the system is not what the program says. What is proven about the system alone remains true, but not always by the same
/// steps.
const CHANGES: [Change; 14] = [
    // A guard that is stronger than the model's. Fewer steps preserve the invariants, too.
    Change {
        model: "mutualex",
        theory: "Definitions",
        from: "Exit_guard N i s \\<longleftrightarrow> n s i = C\"",
        to: "Exit_guard N i s \\<longleftrightarrow> n s i = C \\<and> x s\"",
        lemmas: &["rule_Exit_covered"],
    },
    // A value that is lost: the system stores one element only.
    Change {
        model: "mutdata",
        theory: "Definitions",
        from: "| i d. i \\<in> {1..N_NODE} \\<and> d \\<in> {1..N_DATA}}",
        to: "| i d. i \\<in> {1..N_NODE} \\<and> d \\<in> {1..N_DATA} \\<and> d = 1}",
        lemmas: &["rule_Store_covered"],
    },
    // An assignment that is lost.
    Change {
        model: "mutualex",
        theory: "Definitions",
        from: "(if i = n_2 then I else n s n_2)) \\<and> x s' = True\"",
        to: "(if i = n_2 then I else n s n_2)) \\<and> x s' = x s\"",
        lemmas: &["Idle_exists", "rule_Idle_covered"],
    },
    // An assertion that is dropped: the text has one, and the system knows nothing of it.
    Change {
        model: "mutualex",
        theory: "Program",
        from: "v_x .:= Lit (Truth False))",
        to: "v_x .:= Lit (Truth False) ;; Assert (Read v_x))",
        lemmas: &["rule_Crit_covered"],
    },
    // Another element than the one that the startstate chose.
    Change {
        model: "lanes",
        theory: "Definitions",
        from: "n = Home\"",
        to: "n \\<noteq> Home\"",
        lemmas: &["rule_Clear_covered"],
    },
    // What a loop of the startstate stores around another one.
    Change {
        model: "lanes",
        theory: "Definitions",
        from: "(\\<forall>l. Free s l = True)",
        to: "(\\<forall>l. Free s l = False)",
        lemmas: &["Init_exists", "start_Init_started"],
    },
    // An assertion that says more than the system knows.
    Change {
        model: "lanes",
        theory: "Program",
        from: "Assert (",
        to: "Assert (Not (Read v_Home .= Read v_Home) .& ",
        lemmas: &["rule_Take_covered"],
    },
    // An assignment of a loop inside of another that is lost.
    Change {
        model: "lanes",
        theory: "Definitions",
        from: "Held s' n2 l2 = False",
        to: "Held s' n2 l2 = Held s n2 l2",
        lemmas: &["Clear_exists", "rule_Clear_covered"],
    },
    // A comparison of elements that says less than the system knows.
    Change {
        model: "queue",
        theory: "Program",
        from: "((Lit x_j .< Lit x_i) .& Not (Read",
        to: "(Not (Lit x_i .= Lit x_j) .& Not (Read",
        lemmas: &["rule_See_covered"],
    },
    // An `exists` in a body that asks for the elements on the other side.
    Change {
        model: "queue",
        theory: "Program",
        from: "If (Exists t_node (\\<lambda>x_j. (Lit x_j .< Lit x_i)",
        to: "If (Exists t_node (\\<lambda>x_j. (Lit x_i .< Lit x_j)",
        lemmas: &["rule_Look_covered"],
    },
    // A field of a record that is copied: its value is the one before the rule wrote it.
    Change {
        model: "mail",
        theory: "Definitions",
        from: "Kept_Kind s' = Given",
        to: "Kept_Kind s' = Ask",
        lemmas: &["Reply_exists", "rule_Reply_covered"],
    },
    // What the inner one of two procedures does in both branches is lost.
    Change {
        model: "mail",
        theory: "Definitions",
        from: "Free s' = False",
        to: "Free s' = Free s",
        lemmas: &["Reply_exists", "rule_Reply_covered"],
    },
    // An argument that is not passed on.
    Change {
        model: "mail",
        theory: "Program",
        from: "v_k .:== v_k_2 ;;",
        to: "v_k .:= Lit m_Ask ;;",
        lemmas: &["rule_Reply_covered"],
    },
    // A branch is taken where it is not.
    Change {
        model: "mail",
        theory: "Definitions",
        from: "(if Box_Peer s i = node i\n       then if i = n2",
        to: "(if Box_Peer s i \\<noteq> node i\n       then if i = n2",
        lemmas: &["Reply_exists", "rule_Reply_covered"],
    },
];

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_isabelle_rejects_a_system_that_is_not_the_program_at_its_rule() {
    let mut folders = Vec::new();
    for (number, Change { model, theory, from, to, .. }) in CHANGES.iter().enumerate() {
        let folder = emitted_as(&format!("{model}_{number}"), model);
        let name = format!("{model}_{number}_{theory}.thy");
        let right = text(folder.path(), &name);
        let wrong = right.replace(from, to);
        assert_ne!(right, wrong, "{model}: {from:?} is where the test looks for it");
        fs::write(folder.path().join("theories").join(name), wrong).unwrap();
        folders.push(folder);
    }
    let Some((accepted, said)) = judged_together(&folders) else { return };
    assert!(!accepted, "the systems do not cover the programs");
    for (number, (Change { model, from, lemmas, .. }, folder)) in CHANGES.iter().zip(&folders).enumerate() {
        let name = format!("{model}_{number}");
        let last = text(folder.path(), &format!("{name}_Source.thy"));
        assert_eq!(rejected(&said, &last, &name), *lemmas, "{from}: {said}");
    }
}

/// The lemmas of the last theory in which Isabelle reports an error, by the lines that it names.
fn rejected<'a>(said: &str, theory: &'a str, model: &str) -> Vec<&'a str> {
    let (mut lemmas, file) = (BTreeSet::new(), format!("{model}_Source.thy"));
    for part in said.split("(line ").skip(1) {
        let (line, rest) = part.split_once(' ').unwrap();
        if rest.lines().next().is_some_and(|rest| rest.contains(&file)) {
            let before = theory.lines().take(line.parse().unwrap()).filter_map(|line| line.strip_prefix("lemma "));
            lemmas.extend(before.last().and_then(|lemma| lemma.split(':').next()));
        }
    }
    lemmas.into_iter().collect()
}

/// Names of constants, lemmas and methods in the theories about programs, as names of all kinds of things in a model.
const NAMES: &str = "const N : 3;\ntype key : scalarset(N); run : enum { covered, Done };\n\
    var view : array [key] of run; safe : boolean; variables : key;\n\
    startstate \"started\" for own : key do view[own] := Done; endfor; safe := true; endstartstate;\n\
    ruleset own : key do\n\
    rule \"program\" view[own] = Done & safe ==> view[own] := covered; safe := false; variables := own; endrule;\n\
    rule \"program_simps\" view[own] = covered ==> view[own] := Done; safe := true; endrule;\n\
    rule \"plain\" !safe & exists each : key do view[each] = covered endexists\n\
    ==> view[variables] := covered; endrule;\n\
    endruleset;\n\
    invariant \"covered_by\" forall same : key do forall tidy : key do\n\
    same != tidy & view[same] = covered -> view[tidy] != covered endforall endforall;\n\
    invariant \"program_variables\" forall same : key do view[same] = covered -> !safe & variables = same endforall;\n";

#[test]
fn no_name_of_a_model_is_confused_with_those_of_the_theories() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value_of.m");
    fs::write(&path, NAMES).unwrap();
    let theories = theories_of(folder.path(), path.to_str().unwrap());
    let last = fs::read_to_string(theories.join("value_of_Source.thy")).unwrap();
    assert!(last.contains("_program_safe:"), "the last theorem is about the program");
    if let Some(output) = installed::isabelle(&theories) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

/// The models whose states are counted in HOL, with sizes.
const COUNTED: [(&str, &[u64]); 8] = [
    ("mutualex", &[2, 3]),
    ("mesi", &[2, 3]),
    ("moesi", &[2, 3]),
    ("synapse", &[2, 3]),
    ("illinois", &[2, 3]),
    ("berkeley", &[2, 3]),
    ("dekker_n", &[2, 3]),
    ("szymanski_at_any", &[2]),
];

/// The meaning of a program in HOL is executed, and reaches as many states as `simulate` does. In each of them, the
/// invariants are true.
#[test]
fn programs_in_hol_have_the_states_of_simulate() {
    let folder = tempfile::tempdir().unwrap();
    let template = include_str!("support/states.thy");
    for (model, sizes) in COUNTED {
        let theories = emitted(model);
        let program = text(theories.path(), &format!("{model}_Program.thy"));
        assert!(program.contains("fixes c_NODE_NUM :: nat\nbegin"), "{model} has one size");
        let instance = |size: &u64| {
            let path = format!("models/{model}.m");
            let mut simulate = support::paraproof();
            simulate.args(["simulate", "--no-symmetry", "--json", "-q", &path, "-D", &format!("NODE_NUM={size}")]);
            let said: serde_json::Value = serde_json::from_slice(&simulate.output().unwrap().stdout).unwrap();
            format!("(@{{code program}} (nat {size}), {})", said["states"].as_u64().unwrap())
        };
        let instances = sizes.iter().map(instance).collect::<Vec<_>>().join(", ");
        let counting = template.replace("PROTOCOL", model).replace("INSTANCES", &instances);
        fs::write(folder.path().join(format!("{model}_Program.thy")), program).unwrap();
        fs::write(folder.path().join(format!("{model}_States.thy")), counting).unwrap();
    }
    fs::copy("isabelle-theories/ParaProof_Murphi.thy", folder.path().join("ParaProof_Murphi.thy")).unwrap();
    let theories: Vec<String> = COUNTED.iter().map(|(model, _)| format!("{model}_States")).collect();
    session(folder.path(), &theories);
    if let Some(output) = installed::isabelle(folder.path()) {
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
}

/// What the theory does not cover is said, with its line, and the other theories are there.
#[test]
fn what_is_not_covered_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let forms = [
        ("bakery", "a function with declarations in an expression (line 62)"),
        ("client_server", "variables that start with any value, as `Match` (line 28)"),
    ];
    for (name, form) in forms {
        let (certificate, model) = (folder.path().join("certificate.json"), format!("models/{name}.m"));
        support::paraproof().args(["find", &model, "--anew", "-q", "-o"]).arg(&certificate).assert().success();
        let mut emit = support::paraproof();
        emit.args(["emit", "isabelle", "--source"]).arg(&certificate).args(["--model", &model, "-o"]);
        let theories = folder.path().join(name);
        let assert = emit.arg(&theories).assert().success();
        let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(said.contains(&format!("the theorem is about the lowered system only: not covered: {form}")), "{said}");
        assert!(theories.join(format!("{name}.thy")).is_file());
        assert!(!theories.join(format!("{name}_Source.thy")).exists());
    }
}

/// Style `computed` has no such theorem, and nothing else is written in its place.
#[test]
fn a_style_without_the_theorem_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, out) = (folder.path().join("certificate.json"), folder.path().join("theories"));
    support::paraproof().args(["find", "models/mutualex.m", "-q", "-o"]).arg(&certificate).assert().success();
    let mut emit = support::paraproof();
    emit.args(["emit", "isabelle", "--source", "--style", "computed"]).arg(&certificate);
    let assert = emit.args(["--model", "models/mutualex.m", "-o"]).arg(&out).assert().code(2);
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("`--source` adds to the theories of style `lemmas`"), "{said}");
    assert!(!out.exists());
}
