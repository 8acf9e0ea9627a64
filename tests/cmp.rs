//! The abstract models: accepted by rumur and free of violations, as small as they can be, and true to the protocol.
//!
//! That every step of an instance is a step of the abstract model is tested on every transition of instances that are
//! larger than the abstract model.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod support;

#[path = "../src/explorer.rs"]
mod explorer;
#[path = "../src/instance.rs"]
#[allow(dead_code, reason = "the command uses more of it")]
mod instance;

/// What the explorer asks for; nobody interrupts a test.
mod interrupt {
    pub(crate) fn requested() -> bool {
        false
    }
}

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

use certificate::check::Model as Identity;
use certificate::proof::Certificate;
use invfinder::instance::{Instance, Limits, Outcome};
use invfinder::{Header as About, Limits as SearchLimits, Verdict, prove};
use proofgen::cmp::{self, CmpError, Options, Output};
use protocol::exec::{Machine, ScalarKind};
use protocol::lower::{LowerOptions, Lowered, lower};
use protocol::program::Program;
use support::{paraproof, root, rumur, tool};

/// Settings of constants.
type Constants = &'static [(&'static str, i64)];

struct Protocol {
    text: String,
    program: Program,
    lowered: Lowered,
}

impl Protocol {
    fn read(name: &str, constants: &[(&str, i64)]) -> Self {
        let text = fs::read_to_string(root().join(format!("models/{name}.m"))).unwrap();
        Self::from_text(text, constants)
    }

    fn from_text(text: String, constants: &[(&str, i64)]) -> Self {
        let program = program(&text, constants);
        let lowered = lower(&program, &LowerOptions::default()).unwrap();
        Self { text, program, lowered }
    }

    fn certificate(&self) -> Certificate {
        let about = About { model_digest: String::new(), settings: Vec::new() };
        let (verdict, _) = prove(&self.lowered.system, &about, &SearchLimits::default(), &mut |_| true);
        let Verdict::Proven(certificate) = verdict else { panic!("there is no proof") };
        *certificate
    }

    fn emit(&self, options: &Options) -> Result<Output, CmpError> {
        let certificate = self.certificate();
        let identity = Identity { digest: String::new(), settings: Vec::new() };
        let checked = certificate::check(&self.lowered.system, &certificate, &identity).unwrap();
        cmp::emit(&checked, &self.program, &self.lowered, options, &mut explore)
    }
}

fn program(text: &str, constants: &[(&str, i64)]) -> Program {
    let constants: BTreeMap<String, i64> = constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    protocol::read(text, &protocol::Options { constants, ..protocol::Options::default() }).unwrap()
}

fn explore(instance: &cmp::Instance<'_>) -> cmp::Verdict {
    explorer::explore(instance, &Limits::default())
}

/// The models, settings that keep them small, and the figures of their abstract models: rules of kept nodes, abstract
/// rules, strengthenings, states up to permutations.
const MODELS: [(&str, Constants, [usize; 3], u64); 6] = [
    ("mutualex", &[], [4, 2, 2], 10),
    ("mesi", &[], [4, 3, 0], 5),
    ("moesi", &[], [5, 4, 0], 7),
    ("germanish", &[], [6, 6, 1], 30),
    ("german_baukus", &[], [11, 5, 3], 1188),
    ("german_ctc", &[], [12, 6, 4], 1314),
];

#[test]
fn abstract_models_have_no_violation_and_need_all_their_strengthenings() {
    for (name, constants, rules, states) in MODELS {
        let output = Protocol::read(name, constants).emit(&Options::default()).unwrap();
        let figures = output.figures;
        let found = [figures.concrete_rules, figures.abstract_rules, figures.strengthenings];
        assert_eq!((found, figures.states), (rules, states), "{name}");
        let asked = |text: &str| explore(&cmp::Instance { text, symmetric: &output.symmetric });
        assert_eq!(asked(&output.model), cmp::Verdict::Holds { states }, "{name}");
        assert_eq!(output.without.len(), figures.strengthenings, "{name}");
        for (dropped, text) in &output.without {
            assert!(matches!(asked(text), cmp::Verdict::Fails(_)), "{name} without {dropped}");
        }
        peer(name, &output);
    }
}

/// rumur reads the text, and finds as many states as we do without symmetry.
fn peer(name: &str, output: &Output) {
    if !tool("rumur") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abstract.m");
    fs::write(&path, &output.model).unwrap();
    let (found, text) = rumur(&path, &["--deadlock-detection=off", "--symmetry-reduction=off"]);
    assert!(!found, "{name}: {text}");
    let instance = Instance::new(&program(&output.model, &[]), &[]).unwrap();
    let exploration = instance.explore(&Limits::default(), false, &mut |_| true);
    assert!(text.contains(&format!("{} states", exploration.states())), "{name}: {text}");
}

#[test]
fn all_strengthenings_suffice_too_and_the_literature_style_means_the_same() {
    for (name, constants, _, states) in &MODELS[..5] {
        let protocol = Protocol::read(name, constants);
        let all = protocol.emit(&Options { all: true, ..Options::default() }).unwrap();
        assert!(all.figures.states <= *states, "{name}");
        let chou = protocol.emit(&Options { style: cmp::Style::Chou, ..Options::default() }).unwrap();
        assert!(chou.model.contains("union"), "{name}");
        let asked = cmp::Instance { text: &chou.model, symmetric: &[] };
        let plain = Instance::new(&program(&chou.model, &[]), &[]).unwrap();
        let plain = plain.explore(&Limits::default(), false, &mut |_| true);
        assert!(matches!(explore(&asked), cmp::Verdict::Holds { .. }), "{name}");
        let ranges = protocol.emit(&Options::default()).unwrap();
        let ranges = Instance::new(&program(&ranges.model, &[]), &[]).unwrap();
        let ranges = ranges.explore(&Limits::default(), false, &mut |_| true);
        assert_eq!(plain.states(), ranges.states(), "{name}");
    }
}

/// Takes minutes even with `--release`.
#[test]
#[ignore = "it takes minutes"]
fn flash_needs_all_its_strengthenings_and_its_steps_are_abstract_steps() {
    let protocol = Protocol::read("flash_nodata", &[]);
    let output = protocol.emit(&Options::default()).unwrap();
    assert!(output.figures.strengthenings > 0, "{:?}", output.figures);
    for (dropped, text) in &output.without {
        let verdict = explore(&cmp::Instance { text, symmetric: &output.symmetric });
        assert!(matches!(verdict, cmp::Verdict::Fails(_)), "without {dropped}");
    }
    let original = program(&protocol.text, &[("NODE_NUM", i64::from(output.figures.nodes) + 1)]);
    let steps = simulate("flash_nodata", &original, &program(&output.model, &[]), output.figures.nodes);
    assert!(steps > 1000, "{steps} steps");
    peer("flash_nodata", &output);
}

#[test]
fn steps_of_instances_are_steps_of_the_abstract_model() {
    let small: [(&str, Constants); 9] = [
        ("mutualex", &[("NODE_NUM", 3)]),
        ("mutualex", &[("NODE_NUM", 4)]),
        ("mesi", &[("NODE_NUM", 3)]),
        ("mesi", &[("NODE_NUM", 4)]),
        ("moesi", &[("NODE_NUM", 3)]),
        ("germanish", &[("NODE_NUM", 3)]),
        ("germanish", &[("NODE_NUM", 4)]),
        ("german_baukus", &[("NODE_NUM", 3)]),
        ("german_ctc", &[("NODE_NUM", 3), ("DATA_NUM", 1)]),
    ];
    for (name, constants) in small {
        let fixed: Vec<(&str, i64)> = constants.iter().filter(|(name, _)| *name != "NODE_NUM").copied().collect();
        let protocol = Protocol::read(name, &fixed);
        let output = protocol.emit(&Options::default()).unwrap();
        let original = program(&protocol.text, constants);
        let steps = simulate(name, &original, &program(&output.model, &[]), output.figures.nodes);
        assert!(steps > 10, "{name}");
    }
}

/// Maps every transition of the original, and returns how many there are.
fn simulate(name: &str, original: &Program, abstracted: &Program, nodes: u32) -> usize {
    let original = Instance::new(original, &[]).unwrap();
    let abstracted = Machine::new(abstracted).unwrap();
    let map = Map::new(original.machine(), &abstracted, nodes);
    let exploration = original.explore(&Limits::default(), false, &mut |_| true);
    assert_eq!(exploration.outcome, Outcome::Complete, "{name}");
    let mut scratch = original.machine().scratch();
    let mut start = HashSet::new();
    let mut abstract_scratch = abstracted.scratch();
    for position in 0..abstracted.starts().len() {
        abstracted.start(&mut abstract_scratch, position).unwrap();
        start.insert(abstract_scratch.state().to_vec());
    }
    for position in 0..original.machine().starts().len() {
        original.machine().start(&mut scratch, position).unwrap();
        assert!(start.contains(&map.of(scratch.state())), "{name}: a startstate");
    }
    let mut known: HashMap<Vec<u64>, HashSet<Vec<u64>>> = HashMap::new();
    let mut state = vec![0; original.machine().layout().words()];
    let mut steps = 0;
    for position in 0..u32::try_from(exploration.states()).unwrap() {
        exploration.state(position, &mut state);
        let from = map.of(&state);
        let successors = known.entry(from.clone()).or_insert_with(|| successors(&abstracted, &from));
        for rule in 0..original.machine().rules().len() {
            scratch.load(&state);
            if original.machine().enabled(&mut scratch, rule).unwrap() {
                original.machine().fire(&mut scratch, rule).unwrap();
                let to = map.of(scratch.state());
                let fired = original.machine().rule_name(original.machine().rules()[rule].rule);
                assert!(to == from || successors.contains(&to), "{name}: '{fired}' has no abstract step");
                steps += 1;
            }
        }
    }
    steps
}

fn successors(machine: &Machine, state: &[u64]) -> HashSet<Vec<u64>> {
    let mut found = HashSet::new();
    let mut scratch = machine.scratch();
    for rule in 0..machine.rules().len() {
        scratch.load(state);
        if machine.enabled(&mut scratch, rule).unwrap() {
            machine.fire(&mut scratch, rule).unwrap();
            found.insert(scratch.state().to_vec());
        }
    }
    found
}

/// The abstraction map: which scalar of the original each abstract one is, and for each value which value.
struct Map<'m> {
    abstracted: &'m Machine,
    original: &'m Machine,
    scalars: Vec<(usize, Vec<u64>)>,
}

impl<'m> Map<'m> {
    fn new(original: &'m Machine, abstracted: &'m Machine, nodes: u32) -> Self {
        let plain = |text: &str| text.replace("NODE_", "");
        let names = |machine: &Machine| -> Vec<String> {
            let names = machine.layout().names(machine.program(), machine.values());
            names.iter().map(|name| plain(name)).collect()
        };
        let original_names = names(original);
        let scalars = names(abstracted)
            .iter()
            .enumerate()
            .map(|(position, name)| {
                let of = original_names.iter().position(|known| known == name).unwrap();
                let to = values(abstracted, position);
                let (other, nobody) = ((nodes + 1).to_string(), (nodes + 2).to_string());
                let undefined = to.iter().position(|known| *known == nobody).unwrap_or(0);
                let code = |text: &String| {
                    if text == "Undefined" {
                        return Some(undefined);
                    }
                    let text = plain(text);
                    to.iter().position(|known| *known == text).or_else(|| to.iter().position(|known| *known == other))
                };
                let table = values(original, of).iter().map(|text| code(text).unwrap() as u64).collect();
                (of, table)
            })
            .collect();
        Self { abstracted, original, scalars }
    }

    fn of(&self, state: &[u64]) -> Vec<u64> {
        let mut mapped = vec![0; self.abstracted.layout().words()];
        for (scalar, (of, table)) in self.scalars.iter().enumerate() {
            let code = usize::try_from(self.original.layout().code(state, *of)).unwrap();
            self.abstracted.layout().set_code(&mut mapped, scalar, table[code]);
        }
        mapped
    }
}

/// The texts of the values of a scalar, in the order of their codes.
fn values(machine: &Machine, scalar: usize) -> Vec<String> {
    let ScalarKind::Value(ty, domain) = &machine.layout().scalars()[scalar].kind else { panic!("a multiset") };
    let text = |code: u64| machine.values().text(machine.program(), *ty, domain.decode(code));
    let known = (1..=domain.size()).map(text);
    std::iter::once("Undefined".to_owned()).chain(known).collect()
}

#[test]
fn broken_protocols_are_not_covered_by_the_invariants_of_the_right_ones() {
    let twins = [
        ("mutualex", "mutualex_unguarded"),
        ("mesi", "mesi_silent_upgrade"),
        ("moesi", "moesi_keeps_modified"),
        ("germanish", "germanish_skips_sharers"),
        ("german_baukus", "german_baukus_keeps_copy"),
        ("german", "german_eager_shared"),
    ];
    for (right, wrong) in twins {
        let data = if right == "german" { [("DATA_NUM", 1)].as_slice() } else { &[] };
        let right = Protocol::read(right, data);
        let certificate = right.certificate();
        let invariants: Vec<_> = certificate.invariants.iter().map(|invariant| &invariant.cube).collect();
        let broken = Protocol::read(&format!("broken/{wrong}"), data);
        // The cubes speak of variables and constants by their positions.
        assert_eq!(right.lowered.system.constants, broken.lowered.system.constants, "{wrong}");
        let names = |protocol: &Protocol| -> Vec<String> {
            protocol.lowered.system.variables.iter().map(|variable| variable.name.clone()).collect()
        };
        assert_eq!(names(&right), names(&broken), "{wrong}");
        let tried = |of: &Protocol| {
            cmp::try_invariants(&of.program, &of.lowered, &invariants, &Options::default(), &mut explore)
        };
        assert!(matches!(tried(&broken).unwrap(), cmp::Verdict::Fails(_)), "{wrong}");
        assert!(matches!(tried(&right).unwrap(), cmp::Verdict::Holds { .. }), "{wrong}");
    }
}

#[test]
fn what_cannot_be_abstracted_is_refused_with_a_code() {
    let code = |text: &str, options: &Options| match Protocol::from_text(text.to_owned(), &[]).emit(options) {
        Err(CmpError::Refused(refusal)) => refusal.code(),
        Err(_) | Ok(_) => "none",
    };
    let head = "type NODE : scalarset(3); var a : array [NODE] of boolean;";
    let plain = "startstate for i : NODE do a[i] := false end end; ruleset i : NODE do rule a[i] := true end end;";
    let one = "invariant forall i : NODE do a[i] | !a[i] end;";
    assert_eq!(code(&format!("{head}{plain}{one}"), &Options::default()), "none");
    let finite = "var x : boolean; startstate x := true end; rule x := !x end; invariant x | !x;";
    assert_eq!(code(finite, &Options::default()), "C001");
    let union = "var p : union { NODE, enum { None } };";
    let set = "startstate for i : NODE do a[i] := false end; p := None end;";
    assert_eq!(code(&format!("{head}{union}{set}{one}"), &Options::default()), "C002");
    let square =
        "type NODE : scalarset(3); var a : array [NODE] of boolean; b : array [NODE] of array [NODE] of boolean;
        startstate for i : NODE do a[i] := false; for j : NODE do b[i][j] := false end end end;
        ruleset i : NODE do rule for j : NODE do a[j] := b[i][j] end end end;";
    assert_eq!(code(&format!("{square}{one}"), &Options::default()), "C003");
    let german = Protocol::read("german_ctc", &[]);
    let few = german.emit(&Options { nodes: Some(1), ..Options::default() });
    assert!(matches!(few, Err(CmpError::Refused(refusal)) if refusal.code() == "C006"));
}

#[test]
fn the_command_writes_the_files_that_it_promises() {
    let folder = tempfile::tempdir().unwrap();
    let model = root().join("models/mutualex.m");
    let (certificate, out) = (folder.path().join("certificate.json"), folder.path().join("out"));
    paraproof().arg("find").arg(&model).arg("-q").arg("-o").arg(&certificate).assert().code(0);
    let emit = |options: &[&str]| {
        let mut command = paraproof();
        command.args(["emit", "cmp"]).arg(&certificate).arg("--model").arg(&model).arg("-o").arg(&out).args(options);
        command.output().unwrap()
    };
    let output = emit(&["--lemmas"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 strengthenings by 2 invariants"));
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    paraproof().arg("simulate").arg(out.join("mutualex_abs.m")).arg("--quiet").assert().code(0);
    let record: serde_json::Value = serde_json::from_str(&read("strengthening.json")).unwrap();
    let rows = record["strengthenings"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert!(
        rows.iter().all(|row| row["rule"] == "Idle" && row["needed_for"].as_array().is_some_and(|n| !n.is_empty()))
    );
    assert!(read("strengthening.md").contains("## ABS Idle (i = Other)"));
    // Invariants and lemmas hold in the original.
    assert!(emit(&["--invariants-only"]).status.success());
    for added in ["lemmas.m", "invariants.m"] {
        let added = format!("{}\n{}", fs::read_to_string(&model).unwrap(), read(added));
        let path = folder.path().join("added.m");
        fs::write(&path, &added).unwrap();
        paraproof().arg("simulate").arg(&path).arg("--quiet").assert().code(0);
    }
}
