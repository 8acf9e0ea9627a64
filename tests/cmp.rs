//! The abstract models: rumur and CMurphi accept them and find no violation, they are as small as possible, and they
//! are faithful to the protocol.
//!
//! That every step of an instance is a step of the abstract model is tested on every transition of instances that are
//! larger than the abstract model.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]
#![allow(clippy::duplicate_mod, reason = "`programs` looks for tools, too")]

mod support;

#[path = "../benches/peers/programs.rs"]
mod programs;
#[path = "cmp/simulation.rs"]
mod simulation;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::atomic::{AtomicUsize, Ordering};

use abstraction::{CmpError, Options, Output, Style};
use certificate::Model as Identity;
use certificate::proof::{Certificate, Invariant};
use invfinder::{Header as About, Limits as SearchLimits, Verdict, prove};
use murphi::instance::{Instance, Limits, Outcome, Permuted};
use murphi::lower::{LowerOptions, Lowered, lower};
use murphi::program::Program;
use proofgen::diff::in_terms_of;
use simulation::{Simulated, simulate};
use support::{Header, models, paraproof, root, rumur, rumur_finds_violation, tool};
use system::Cube;
use system::front_end::Declarations;

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

    fn declarations(&self) -> Declarations {
        murphi::declarations(&self.program, &self.lowered)
    }

    fn certificate(&self) -> Certificate {
        let about = About { model_digest: String::new(), settings: Vec::new() };
        let (verdict, _) = prove(&self.lowered.system, &about, &SearchLimits::default(), &mut |_| true);
        let Verdict::Proven(certificate) = verdict else { panic!("there is no proof") };
        *certificate
    }

    fn emit(&self, options: &Options) -> Result<Output, CmpError> {
        self.emit_by(options, &mut explore)
    }

    fn emit_by(&self, options: &Options, explore: &mut abstraction::Exploring<'_>) -> Result<Output, CmpError> {
        let certificate = self.certificate();
        let identity = Identity { digest: String::new(), settings: Vec::new() };
        let checked = certificate::check(&self.lowered.system, &certificate, &identity).unwrap();
        abstraction::emit(&checked, &self.declarations(), options, explore)
    }
}

fn program(text: &str, constants: &[(&str, i64)]) -> Program {
    let constants: BTreeMap<String, i64> = constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    murphi::read(text, &murphi::Options { constants, ..murphi::Options::default() }).unwrap()
}

fn explore(instance: &abstraction::Instance<'_>) -> abstraction::Verdict {
    abstraction::explore::<murphi::Model>(instance, &Limits::default(), &|| true)
}

/// The models, settings that keep them small, and the figures of their abstract models: rules of kept nodes, abstract
/// rules, strengthenings, states up to permutations.
const MODELS: [(&str, Constants, [usize; 3], u64); 23] = [
    ("mutualex", &[], [4, 2, 2], 10),
    ("mesi", &[], [4, 3, 0], 5),
    ("moesi", &[], [5, 4, 0], 7),
    ("germanish", &[], [6, 6, 1], 30),
    ("german_baukus", &[], [11, 5, 3], 1188),
    ("german_ctc", &[], [12, 6, 4], 1314),
    ("german", &[("DATA_NUM", 1)], [13, 5, 1], 1593),
    ("berkeley", &[], [4, 4, 0], 6),
    ("burns_any", &[], [9, 2, 0], 55),
    ("dekker_n", &[], [7, 3, 0], 47),
    ("dijkstra", &[], [8, 3, 0], 49),
    ("dragon", &[], [8, 16, 0], 7),
    ("firefly", &[], [10, 11, 0], 5),
    ("futurebus", &[], [10, 9, 3], 21),
    ("german_pfs", &[], [15, 5, 3], 1590),
    ("illinois", &[], [9, 7, 4], 5),
    ("mcs", &[], [6, 7, 7], 1235),
    ("mutdata", &[], [5, 3, 6], 17),
    ("ricart_agrawala", &[], [6, 0, 0], 13),
    ("synapse", &[], [3, 3, 0], 4),
    ("szymanski_at_any", &[], [10, 2, 1], 56),
    ("szymanski_na_any", &[], [17, 2, 1], 94),
    ("ticket", &[], [3, 0, 0], 5),
];
/// The number of abstract models that are compiled for rumur in every run.
const COMPILED: usize = 6;

/// Includes the models that lack one strengthening.
const WEAKER: Options = Options { nodes: None, all: false, style: Style::Ranges, weaker: true };

#[test]
fn abstract_models_have_no_violation_and_need_all_their_strengthenings() {
    for (position, (name, constants, rules, states)) in MODELS.into_iter().enumerate() {
        let output = Protocol::read(name, constants).emit(&WEAKER).unwrap();
        let figures = output.figures;
        let found = [figures.concrete_rules, figures.abstract_rules, figures.strengthenings];
        assert_eq!((found, figures.states), (rules, states), "{name}");
        let asked = |text: &str| explore(&abstraction::Instance { text, symmetric: &output.symmetric });
        assert_eq!(asked(&output.model), abstraction::Verdict::Holds { states }, "{name}");
        assert_eq!(output.without.len(), figures.strengthenings, "{name}");
        for (dropped, text) in &output.without {
            assert!(matches!(asked(text), abstraction::Verdict::Fails(_)), "{name} without {dropped}");
        }
        if position < COMPILED {
            peers(name, &output);
        }
    }
}

/// rumur and CMurphi read the text, find no violation, and count as many states as ParaProof without symmetry.
fn peers(name: &str, output: &Output) {
    let (rumur_there, cmurphi_there) = (tool("rumur"), tool("mu"));
    if !rumur_there && !cmurphi_there {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abstract.m");
    fs::write(&path, &output.model).unwrap();
    let instance = Instance::new(&program(&output.model, &[]), &[]).unwrap();
    let states = instance.explore(&Limits::default(), false, &mut |_| true).states();
    if rumur_there {
        let (found, text) = rumur(&path, &["--deadlock-detection=off", "--symmetry-reduction=off"]);
        assert!(!found && text.contains(&format!("{states} states")), "{name}, rumur: {text}");
    }
    if cmurphi_there {
        let text = cmurphi(&path, folder.path());
        assert!(text.contains("No error found"), "{name}, CMurphi: {text}");
        assert!(text.contains(&format!("\t{states} states,")), "{name}, CMurphi: {states} {text}");
    }
}

/// Returns what CMurphi's checker prints for a model, without deadlocks and symmetry.
fn cmurphi(model: &Path, folder: &Path) -> String {
    let mu = programs::on_path("mu").unwrap();
    let checker = programs::cmurphi_checker(&mu, model, folder, 1000).unwrap().make().unwrap();
    let output = Process::new(&checker[0]).args(&checker[1..]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn all_strengthenings_suffice_too_and_the_literature_style_means_the_same() {
    for (name, constants, _, states) in &MODELS[..5] {
        let protocol = Protocol::read(name, constants);
        let all = protocol.emit(&Options { all: true, ..Options::default() }).unwrap();
        assert!(all.figures.states <= *states, "{name}");
        let chou = protocol.emit(&Options { style: Style::Chou, ..Options::default() }).unwrap();
        assert!(chou.model.contains("union"), "{name}");
        let asked = abstraction::Instance { text: &chou.model, symmetric: &[] };
        let plain = Instance::new(&program(&chou.model, &[]), &[]).unwrap();
        let plain = plain.explore(&Limits::default(), false, &mut |_| true);
        assert!(matches!(explore(&asked), abstraction::Verdict::Holds { .. }), "{name}");
        let ranges = protocol.emit(&Options::default()).unwrap();
        let ranges = Instance::new(&program(&ranges.model, &[]), &[]).unwrap();
        let ranges = ranges.explore(&Limits::default(), false, &mut |_| true);
        assert_eq!(plain.states(), ranges.states(), "{name}");
    }
    // With a named element, the kept elements are an enumeration.
    let options = Options { all: true, style: Style::Chou, ..Options::default() };
    let flash = Protocol::read("flash_nodata", &[]);
    let chou = flash.emit_by(&options, &mut |_| abstraction::Verdict::Holds { states: 0 }).unwrap();
    assert!(chou.model.contains("NODE : enum { Home, NODE_1, NODE_2 };"));
    let asked = abstraction::Instance { text: &chou.model, symmetric: &[] };
    let few =
        abstraction::explore::<murphi::Model>(&asked, &Limits { max_states: 2000, ..Limits::default() }, &|| true);
    assert!(matches!(&few, abstraction::Verdict::Unknown(reason) if reason.contains("stopped after")), "{few:?}");
}

/// The models that have an abstract model.
const ABSTRACTED: [&str; 28] = [
    "berkeley",
    "burns_any",
    "cxl_cache",
    "decentralized_lock",
    "dekker_n",
    "dijkstra",
    "dragon",
    "firefly",
    "flash",
    "flash_home",
    "flash_nodata",
    "futurebus",
    "german",
    "german_baukus",
    "german_ctc",
    "german_pfs",
    "germanish",
    "illinois",
    "mcs",
    "mesi",
    "moesi",
    "mutdata",
    "mutualex",
    "ricart_agrawala",
    "synapse",
    "szymanski_at_any",
    "szymanski_na_any",
    "ticket",
];

/// The models that have an abstract model in which elements of several types are kept. The steps of their instances are
/// not mapped.
const SEVERAL_ABSTRACTED: [&str; 2] = ["lock_server", "multi_lock_server"];

/// The models in which no state variable is indexed by a symmetric type, since the number of nodes is fixed.
const NOT_ABSTRACTED: [&str; 2] = ["cxl_cache_two", "peterson"];

/// The models with numbers of any size, or in which the order of the nodes matters.
const NUMBERS: [&str; 21] = [
    "alternating_bit",
    "bakery",
    "bakery_lamport",
    "barrier",
    "bounded_buffer",
    "burns",
    "chang_roberts",
    "counted_acks",
    "counted_sharers",
    "german_fifo",
    "go_back_n",
    "lamport_fast",
    "leader_greatest",
    "majority",
    "readers_writers",
    "reusable_barrier",
    "shifted_queue",
    "szymanski_at",
    "szymanski_na",
    "ticket_lock",
    "token_ring",
];

/// The models with a property which says that an element exists, which may be one that is not kept.
const THERE_IS: [&str; 10] = [
    "client_server",
    "client_server_db",
    "cxl_cache_looks",
    "fifo_msi",
    "full_map",
    "lock_in_flight",
    "lock_kept",
    "server_edges",
    "sharded_store_kept",
    "two_phase_commit",
];

/// The models with multisets.
const MULTISETS: [&str; 2] = ["snooping_msi", "token_coherence"];

/// The same, of models whose search takes seconds.
const DIRECTORIES: [&str; 3] = ["directory_mesi", "directory_mosi", "directory_msi"];

/// The models whose invariants do not exclude all violations of the abstract model: nothing in it says that the nodes
/// represented by `Other` have taken part before a round is over, that no value represented by `Other` is on its way, or
/// what is assumed of the members of quorums.
const NOT_CLOSED: [&str; 6] =
    ["chandra_toueg", "consensus_nodes", "consensus_quorums", "sharded_store", "toy_consensus", "two_level_msi"];

#[test]
fn every_model_is_in_a_table() {
    let known =
        ABSTRACTED.into_iter().chain(SEVERAL_ABSTRACTED).chain(NOT_ABSTRACTED).chain(THERE_IS).chain(NOT_CLOSED);
    let known: BTreeSet<&str> = known.chain(NUMBERS).chain(MULTISETS).chain(DIRECTORIES).collect();
    let there: Vec<String> = models("").iter().map(Header::name).collect();
    assert_eq!(there.iter().map(String::as_str).collect::<BTreeSet<_>>(), known);
    for name in SEVERAL_ABSTRACTED {
        let output = Protocol::read(name, &[]).emit(&Options::default()).unwrap();
        let asked = abstraction::Instance { text: &output.model, symmetric: &output.symmetric };
        assert!(matches!(explore(&asked), abstraction::Verdict::Holds { .. }), "{name}");
        assert!(output.symmetric.len() > 1, "{name} has one abstracted type");
    }
    for name in NOT_ABSTRACTED {
        let refused = Protocol::read(name, &[]).emit(&Options::default());
        assert!(matches!(refused, Err(CmpError::Refused(refusal)) if refusal.code() == "C001"), "{name}");
    }
    for name in NUMBERS {
        let refused = Protocol::read(name, &[]).emit(&Options::default());
        assert!(matches!(refused, Err(CmpError::Refused(refusal)) if refusal.code() == "C010"), "{name}");
    }
    multisets_are_refused(&MULTISETS);
    for name in THERE_IS {
        let refused = Protocol::read(name, &[]).emit(&Options::default());
        assert!(matches!(refused, Err(CmpError::Refused(refusal)) if refusal.code() == "C009"), "{name}");
    }
    for name in NOT_CLOSED {
        let refused = Protocol::read(name, &[]).emit(&Options::default());
        assert!(matches!(refused, Err(CmpError::Spurious { .. })), "{name}");
    }
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_directories_are_refused() {
    multisets_are_refused(&DIRECTORIES);
}

fn multisets_are_refused(names: &[&str]) {
    for name in names {
        let refused = Protocol::read(name, &[]).emit(&Options::default());
        assert!(matches!(refused, Err(CmpError::Refused(refusal)) if refusal.code() == "C008"), "{name}");
    }
}

/// Maps the steps of the instance with this many nodes more than the abstract model.
fn mapped(name: &str, output: &Output, more: u32, states: u64) -> Simulated {
    let text = fs::read_to_string(root().join(format!("models/{name}.m"))).unwrap();
    let named = if matches!(name, "flash" | "flash_nodata") { 1 } else { 0 };
    let nodes = i64::from(output.figures.nodes + named + more);
    let size = if name == "cxl_cache" { "DEVICE_NUM" } else { "NODE_NUM" };
    let original = program(&text, &[(size, nodes)]);
    simulate(&original, output, states).unwrap_or_else(|missing| panic!("{name} with {nodes} nodes: {missing}"))
}

/// All strengthenings together give the strongest guards, so a step that is an abstract step with them is also one with
/// fewer. The abstract model need not be explored for this.
fn strongest(protocol: &Protocol) -> Output {
    let options = Options { all: true, ..Options::default() };
    protocol.emit_by(&options, &mut |_| abstraction::Verdict::Holds { states: 0 }).unwrap()
}

/// The number of states of an instance, up to permutations of nodes, whose steps are mapped in every run of the tests.
const STATES: u64 = 10_000;

#[test]
fn steps_of_instances_are_steps_of_the_abstract_model() {
    for name in ABSTRACTED {
        let states = if name.starts_with("flash") { STATES / 10 } else { STATES };
        let output = strongest(&Protocol::read(name, &[]));
        let found = mapped(name, &output, 1, states);
        assert!(found.steps > 10, "{name}: {found:?}");
        if found.complete && found.states < 100 {
            let found = mapped(name, &output, 2, STATES);
            assert!(found.steps > 10, "{name}: {found:?}");
        }
    }
}

/// Models of `tests/cmp/models`, each about what an abstraction easily forgets: all states with one node more than is kept, and
/// with two, where others can be the same node or different ones.
#[test]
fn steps_of_small_models_are_steps_of_the_abstract_model() {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(root().join("tests/cmp/models")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert_eq!(paths.len(), 7);
    for path in paths {
        let protocol = Protocol::from_text(fs::read_to_string(&path).unwrap(), &[]);
        for output in [strongest(&protocol), protocol.emit(&Options::default()).unwrap()] {
            for more in [1, 2] {
                let nodes = i64::from(output.figures.nodes) + more;
                let original = program(&protocol.text, &[("NODE_NUM", nodes)]);
                let found = simulate(&original, &output, STATES);
                let found = found.unwrap_or_else(|missing| panic!("{} with {nodes} nodes: {missing}", path.display()));
                assert!(found.steps > 10, "{}: {found:?}", path.display());
            }
        }
    }
}

/// All strengthenings give the most lemmas. They are about the original, where an undefined pointer has no name.
#[test]
fn noninterference_lemmas_hold_in_the_original() {
    let models: [(&str, &[(&str, i64)]); 6] = [
        ("flash", &[("NODE_NUM", 2)]),
        ("flash_nodata", &[("NODE_NUM", 2)]),
        ("futurebus", &[("NODE_NUM", 3)]),
        ("german", &[("NODE_NUM", 2), ("DATA_NUM", 1)]),
        ("german_ctc", &[("NODE_NUM", 3), ("DATA_NUM", 1)]),
        ("mcs", &[("NODE_NUM", 3)]),
    ];
    for (name, constants) in models {
        let protocol = Protocol::read(name, &[]);
        let lemmas = strongest(&protocol).lemmas;
        assert!(lemmas.contains("Lemma "), "{name}");
        let added = program(&format!("{}\n{lemmas}", protocol.text), constants);
        let lowered = lower(&program(&protocol.text, constants), &LowerOptions::default()).unwrap();
        let instance = Instance::new(&added, &Permuted::lowered(&lowered)).unwrap();
        let exploration = instance.explore(&Limits::default(), true, &mut |_| true);
        assert_eq!(exploration.outcome, Outcome::Complete, "{name}");
    }
}

#[test]
fn a_step_that_the_abstract_model_lacks_is_noticed() {
    let mut output = strongest(&Protocol::read("german_baukus", &[]));
    let whole = output.model.clone();
    let original = program(&Protocol::read("german_baukus", &[]).text, &[("NODE_NUM", 3)]);
    // A missing assignment, and a guard that is too strong.
    let wrong = [
        ("  Curcmd := Reqs;\n  CurClient := Other;\n", "  Curcmd := Reqs;\n"),
        ("Cache[n] = Invalid & Chan1[n] = Empty", "Cache[n] = Shared & Chan1[n] = Empty"),
    ];
    for (right, wrong) in wrong {
        output.model = whole.replacen(right, wrong, 1);
        assert_ne!(output.model, whole, "{right}");
        let missing = simulate(&original, &output, u64::MAX).unwrap_err();
        assert!(missing.contains("has no abstract step"), "{missing}");
    }
}

/// All states with one node more than is kept, and many with two, of all models or of those named in the environment.
#[test]
#[ignore = "it takes minutes: cargo test --release --test cmp -- --ignored --nocapture all_steps"]
#[allow(clippy::print_stdout, reason = "this test prints figures")]
fn all_steps_of_instances_are_steps_of_the_abstract_model() {
    const MANY: u64 = 50_000;
    let chosen = |variable: &str, word: &str| {
        std::env::var(variable).ok().is_none_or(|chosen| chosen.split(',').any(|one| one == word))
    };
    for name in ABSTRACTED.into_iter().filter(|name| chosen("PARAPROOF_MODELS", name)) {
        let protocol = Protocol::read(name, &[]);
        for output in [strongest(&protocol), protocol.emit(&Options::default()).unwrap()] {
            let strengthenings = output.figures.strengthenings;
            for (more, limit) in [(1, u64::MAX), (2, MANY)] {
                if chosen("PARAPROOF_MORE", &more.to_string()) {
                    let found = mapped(name, &output, more, limit);
                    println!("{name}, {more} more, {strengthenings} strengthenings: {found:?}");
                    assert!((found.complete || more == 2) && found.steps > 10, "{name}: {found:?}");
                }
            }
        }
    }
}

#[test]
#[ignore = "it takes minutes with --release: cargo test --release --test cmp -- --ignored flash_needs"]
fn flash_needs_all_its_strengthenings() {
    let output = Protocol::read("flash_nodata", &[]).emit(&WEAKER).unwrap();
    assert_eq!(output.figures.strengthenings, output.without.len());
    assert!(output.without.len() > 50, "{:?}", output.figures);
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().unwrap().get();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((dropped, text)) = output.without.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let verdict = explore(&abstraction::Instance { text, symmetric: &output.symmetric });
                    assert!(matches!(verdict, abstraction::Verdict::Fails(_)), "without {dropped}: {verdict:?}");
                }
            });
        }
    });
    peers("flash_nodata", &output);
}

#[test]
#[ignore = "it takes a quarter of an hour, mostly in rumur: cargo test --release --test cmp -- --ignored flash_is_accepted"]
fn flash_is_accepted_by_peers() {
    for name in ["flash_nodata", "flash", "flash_home"] {
        peers(name, &Protocol::read(name, &[]).emit(&Options::default()).unwrap());
    }
}

/// The broken twins of models that have an abstract model.
const TWINS: [(&str, &str); 26] = [
    ("berkeley", "berkeley_stays_exclusive"),
    ("burns_any", "burns_any_one_test"),
    ("decentralized_lock", "decentralized_lock_duplicate"),
    ("dekker_n", "dekker_n_stays_withdrawn"),
    ("dijkstra", "dijkstra_trusts_pointer"),
    ("dragon", "dragon_two_owners"),
    ("firefly", "firefly_ignores_shared_line"),
    ("futurebus", "futurebus_impatient_reader"),
    ("german", "german_eager_shared"),
    ("german_baukus", "german_baukus_keeps_copy"),
    ("german_ctc", "german_ctc_stale_memory"),
    ("german_pfs", "german_pfs_eager_invalidation"),
    ("germanish", "germanish_skips_sharers"),
    ("illinois", "illinois_missed_supplier"),
    ("lock_server", "lock_server_taken_over"),
    ("mcs", "mcs_not_locked"),
    ("mesi", "mesi_silent_upgrade"),
    ("moesi", "moesi_keeps_modified"),
    ("multi_lock_server", "multi_lock_server_duplicate_unlock"),
    ("mutdata", "mutdata_lost_update"),
    ("mutualex", "mutualex_unguarded"),
    ("ricart_agrawala", "ricart_agrawala_generous"),
    ("synapse", "synapse_write_hit"),
    ("szymanski_at_any", "szymanski_at_any_unordered"),
    ("szymanski_na_any", "szymanski_na_any_stale_counter"),
    ("ticket", "ticket_sees_holder_only"),
];

const FLASH_TWINS: [(&str, &str); 5] = [
    ("flash_nodata", "flash_nodata_unchecked_grant"),
    ("flash", "flash_ignored_hint"),
    ("flash", "flash_unmarked_request"),
    ("flash_home", "flash_home_first_ack"),
    ("flash_home", "flash_home_unchecked_grant"),
];

const CXL_TWINS: [&str; 7] = [
    "cxl_cache_bogus_data",
    "cxl_cache_early_go",
    "cxl_cache_evict_in_between",
    "cxl_cache_forgotten_sharer",
    "cxl_cache_not_the_last",
    "cxl_cache_previous_owner",
    "cxl_cache_snoop_passes_go",
];

#[test]
fn broken_protocols_are_not_covered_by_the_invariants_of_the_right_ones() {
    for (right, wrong) in TWINS {
        twin(right, wrong, matches!(wrong, "mutualex_unguarded" | "german_baukus_keeps_copy"));
    }
}

#[test]
#[ignore = "it takes minutes, mostly in the C compiler: cargo test --release --test cmp -- --ignored broken_flash"]
fn broken_flash_is_not_covered_by_the_invariants_of_the_right_one() {
    for (right, wrong) in FLASH_TWINS {
        twin(right, wrong, true);
    }
}

#[test]
#[ignore = "it proves a large model for each twin: cargo test --release --test cmp -- --ignored broken_cxl"]
fn broken_cxl_cache_is_not_covered_by_the_invariants_of_the_right_one() {
    for wrong in CXL_TWINS {
        twin("cxl_cache", wrong, false);
    }
}

/// The abstract model of the broken protocol, strengthened by the invariants of the correct one, is violated; that of
/// the correct protocol is not. Our explorer reports this, and so does rumur with `with_rumur`.
fn twin(right: &str, wrong: &str, with_rumur: bool) {
    let data: &[(&str, i64)] = if right == "german" { &[("DATA_NUM", 1)] } else { &[] };
    let (right, broken) = (Protocol::read(right, data), Protocol::read(&format!("broken/{wrong}"), data));
    let certificate = right.certificate();
    let there = &right.lowered.system;
    let tried = |of: &Protocol| {
        let here = &of.lowered.system;
        // A constant of the twin may be a variable in the original.
        let translated = |invariant: &Invariant| in_terms_of(&invariant.cube, there, here);
        let invariants: Vec<Cube> = certificate.invariants.iter().filter_map(translated).collect();
        assert!(!invariants.is_empty(), "{wrong}");
        let mut text = String::new();
        let verdict = abstraction::try_invariants(
            &of.lowered.system,
            &of.declarations(),
            &invariants.iter().collect::<Vec<_>>(),
            &Options::default(),
            &mut |asked| {
                asked.text.clone_into(&mut text);
                explore(asked)
            },
        );
        (verdict.unwrap(), text)
    };
    let (verdict, text) = tried(&broken);
    assert!(matches!(verdict, abstraction::Verdict::Fails(_)), "{wrong}: {verdict:?}");
    assert!(matches!(tried(&right).0, abstraction::Verdict::Holds { .. }), "{wrong}");
    if with_rumur && tool("rumur") {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.m");
        fs::write(&path, text).unwrap();
        assert!(rumur_finds_violation(&path), "{wrong}");
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
    let all = "rule forall i : NODE do exists j : NODE do a[j] & i != j end end ==> a := a; end;";
    assert_eq!(code(&format!("{head}{plain}{all}{one}"), &Options::default()), "C011");
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
    assert!(String::from_utf8_lossy(&output.stdout).contains("strengthenings: 2, invariants in them: 2"));
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
