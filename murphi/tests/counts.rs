//! State counts, rules fired, verdicts and deadlocks, compared with rumur if it and a C compiler are installed.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "it is a test")]

#[allow(dead_code, reason = "only one kind of reader is used")]
#[path = "support/generate.rs"]
mod generate;
#[path = "support/headers.rs"]
mod headers;
#[path = "../../tests/support/tools.rs"]
mod tools;

use std::fs;
use std::process::Command;

use generate::Reader;
use headers::{Model, models};
use murphi::Options;
use murphi::instance::{Exploration, Instance, Limits, Outcome, Permuted};
use murphi::program::TypeKind;
use rayon::prelude::*;
use tools::tools;

/// Instances with more states than this are skipped.
const MAX_STATES: u64 = 50_000;

/// Sizes of models whose headers have fewer than two such instances.
const MORE_SIZES: [(&str, &[(&str, i64)]); 8] = [
    ("chandra_toueg", &[("NODE_NUM", 2), ("DATA_NUM", 3)]),
    ("cxl_cache", &[("DEVICE_NUM", 2), ("DATA_NUM", 3)]),
    ("flash", &[("NODE_NUM", 2), ("DATA_NUM", 3)]),
    ("flash_home", &[("NODE_NUM", 1), ("DATA_NUM", 3)]),
    ("flash_nodata", &[("NODE_NUM", 1)]),
    ("full_map", &[("NODE_NUM", 1), ("LINE_NUM", 1)]),
    ("german", &[("NODE_NUM", 1), ("DATA_NUM", 2)]),
    ("german_ctc", &[("NODE_NUM", 2), ("DATA_NUM", 3)]),
];

/// The result of rumur's checker.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    /// The numbers of states and of rules fired, if there was no error.
    counts: Option<(u64, u64)>,
    deadlock: bool,
    /// Errors that do not exist here or in CMurphi: rumur treats the copy of an undefined value as a read, and
    /// intermediate results must fit into the integers that it chose by the ranges of the model (1 - 2 does not if
    /// these are positive).
    may_be_its_own: bool,
}

fn run(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Makes and runs rumur's checker. Returns `None` if rumur does not accept the model.
fn rumur(text: &str, deadlocks: &str) -> Option<Said> {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("model.m"), text).unwrap();
    let mut generate = Command::new("rumur");
    generate.args(["--symmetry-reduction=off", "--threads=1", "--deadlock-detection", deadlocks]);
    let generated = generate.arg("--output").arg(file("model.c")).arg(file("model.m")).output().ok()?;
    if !generated.status.success() {
        return None;
    }
    let mut compile = Command::new("gcc");
    compile.args(["-std=c11", "-O0", "-w", "-mcx16", "-o"]).arg(file("model")).arg(file("model.c")).arg("-lpthread");
    run(&mut compile)?;
    let said = run(&mut Command::new(file("model")))?;
    let counts = said.lines().find_map(|line| {
        let (states, rest) = line.trim().split_once(" states, ")?;
        let (fired, _) = rest.split_once(" rules fired")?;
        Some((states.parse().ok()?, fired.parse().ok()?))
    });
    assert!(said.contains("Result:") || said.contains("Status:"), "{said}");
    let clean = said.contains("No error found");
    Some(Said {
        counts: counts.filter(|_| clean),
        deadlock: said.to_lowercase().contains("deadlock"),
        may_be_its_own: said.contains("read of undefined value") || said.contains("integer overflow"),
    })
}

/// Returns the text with other values for constants.
fn with_constants(text: &str, constants: &[(String, i64)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (name, value) in constants {
        let line = lines.iter_mut().find(|line| {
            line.trim_start().strip_prefix(name.as_str()).is_some_and(|rest| rest.trim_start().starts_with(':'))
        });
        let line = line.unwrap();
        *line = format!("  {name} : {value};");
    }
    lines.join("\n")
}

fn ours(text: &str) -> Exploration {
    let program = murphi::read(text, &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    let instance = Instance::new(&program, &Permuted::scalarsets(&program)).unwrap();
    let limits = Limits { max_states: MAX_STATES, ..Limits::default() };
    instance.explore(&limits, false, &mut |_| true)
}

/// Compares one model with rumur. Returns whether rumur accepted it.
fn compare(name: &str, text: &str) -> bool {
    let exploration = ours(text);
    if matches!(exploration.outcome, Outcome::Stopped(_)) {
        return false;
    }
    let complete = exploration.outcome == Outcome::Complete;
    let expected = complete.then_some((exploration.states(), exploration.rules_fired));
    // A run that finds no deadlock also has the counts, so most models are compiled once.
    let deadlocks = complete && exploration.deadlocks.none_changes > 0;
    let Some(said) = rumur(text, if complete { "stuttering" } else { "off" }) else { return false };
    assert_eq!(said.deadlock, deadlocks, "{name}");
    let counts = if deadlocks { rumur(text, "off").and_then(|said| said.counts) } else { said.counts };
    assert_eq!(counts, expected, "{name}: {:?}", exploration.outcome);
    true
}

fn installed() -> bool {
    tools(&["rumur", "gcc"])
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_counts_and_deadlocks_of_the_models_are_those_of_rumur() {
    compare_models(|mut sizes| sizes.drain(..1).collect());
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_counts_and_deadlocks_of_larger_instances_are_those_of_rumur() {
    compare_models(|mut sizes| sizes.split_off(1));
}

/// Compares the chosen ones of the instances of each model.
fn compare_models(chosen: impl Fn(Vec<(String, String)>) -> Vec<(String, String)>) {
    if !installed() {
        return;
    }
    let models = models("");
    // rumur meets an error where a variable has any initial value, and does not know multisets.
    let read = models.iter().filter(|model| {
        let program = murphi::read(&model.text, &Options::default()).unwrap();
        let is_multiset = |kind: &TypeKind| matches!(kind, TypeKind::Multiset { .. });
        program.arbitrary.is_empty() && !program.types.iter().any(|ty| is_multiset(&ty.kind))
    });
    let instances: Vec<(String, String)> = read.flat_map(|model| chosen(two_sizes(model))).collect();
    assert!(instances.len() > 20, "{}", instances.len());
    instances.par_iter().for_each(|(name, text)| assert!(compare(name, text), "rumur takes {name}"));
}

/// Returns the texts of two instances of a model, the smallest in its header and [`MORE_SIZES`], or of one if the model
/// has no size.
fn two_sizes(model: &Model) -> Vec<(String, String)> {
    let mut sizes = model.states.clone();
    sizes.sort_by_key(|(_, count)| *count);
    let small = sizes.into_iter().filter(|(_, count)| *count <= MAX_STATES).map(|(constants, _)| constants);
    let more = MORE_SIZES.iter().filter(|(name, _)| *name == model.name);
    let more = more.map(|(_, constants)| constants.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect());
    let sizes: Vec<Vec<(String, i64)>> = small.chain(more).take(2).collect();
    let wanted = if model.states.iter().all(|(constants, _)| constants.is_empty()) { 1 } else { 2 };
    assert_eq!(sizes.len(), wanted, "{}", model.name);
    sizes.iter().map(|constants| (model.name.clone(), with_constants(&model.text, constants))).collect()
}

#[test]
#[ignore = "it is long: `.ci/run` runs it"]
fn long_broken_models_are_wrong_for_rumur_too() {
    if !installed() {
        return;
    }
    let taken = models("broken").into_par_iter().filter(|model| compare(&model.name, &model.text));
    assert!(taken.count() >= 15);
}

/// Small programs with constructs that models rarely use.
#[test]
fn rare_constructs_mean_what_they_mean_to_rumur() {
    if !installed() {
        return;
    }
    let texts = [
        "var x: -3..3; startstate begin x := 0; end; rule x < 3 ==> begin x := x + 1; end; \
         rule x > -3 ==> begin x := x - 1; end; rule x = 2 ==> begin x := x % -2; end;",
        "var x: 0..9; y: 0..9; startstate begin x := 0; y := 0; end; \
         rule y < 9 ==> begin while x < 9 do x := x + 2; if x = 8 then x := 9; end; end; y := y + 1; end; \
         rule x > 0 ==> begin x := x / 2; end;",
        "type r: record a: 0..2; b: boolean; end; var x, y: r; startstate begin clear x; clear y; end; \
         rule x.a < 2 ==> var t: r; begin t := x; t.a := t.a + 1; t.b := !t.b; y := x; x := t; end; \
         rule x.b ==> begin alias z: x do z := y; end; end; rule x = y ==> begin y.a := 2; end;",
        "type n: 0..2; var a: array[n] of n; procedure swap(var p: n; var q: n); var t: n; \
         begin t := p; p := q; q := t; end; startstate begin for i: n do a[i] := i; end; end; \
         ruleset i: n; j: n do rule i < j ==> begin swap(a[i], a[j]); end; end;",
        "type n: scalarset(3); var p: n; seen: array[n] of boolean; \
         ruleset h: n do startstate begin for i: n do seen[i] := i = h; end; p := h; end; end; \
         ruleset i: n do rule !seen[i] ==> begin seen[i] := true; p := i; end; \
         rule forall j: n do seen[j] end & i != p ==> begin seen[i] := false; end; end;",
        "type e: enum{A, B, C}; var x: e; k: 0..3; function next(y: e): e; begin switch y case A: return B; \
         case B: return C; else return A; end; end; startstate begin x := A; k := 0; end; \
         rule k < 3 ==> begin x := next(next(x)); k := k + 1; end; rule x = A ==> begin k := 0; end;",
        "var x: 0..20; s: 0..20; startstate begin x := 0; s := 0; end; \
         rule s = 0 ==> begin for i := 1 to 5 by 2 do s := s + i; end; x := s; end; \
         rule s = 9 ==> begin for i := 5 to 1 by -2 do s := s + 1; end; end;",
        "var x: 0..3; startstate begin x := 0; end; rule x < 3 ==> begin x := x + 1; end; invariant x < 3;",
        "var x: 0..3; startstate begin x := 0; end; rule true ==> begin x := x + 1; end;",
        "var x: 0..3; y: 0..3; startstate begin x := 0; end; rule x < 3 ==> begin x := x + 1; end; rule y = 1 ==> begin x := 0; end;",
        "var x: 0..3; a: array[0..2] of boolean; startstate begin x := 0; clear a; end; \
         rule x < 3 ==> begin a[x] := true; x := x + 1; end; rule a[x] ==> begin x := 0; end;",
        "var x: 0..3; startstate begin x := 0; end; rule x < 3 ==> begin x := x + 1; assert x < 3 \"small\"; end;",
    ];
    for text in texts {
        assert!(compare(text, text), "rumur takes {text}");
    }
}

/// How the generated programs compare.
#[derive(Debug, Default)]
struct Compared {
    same: usize,
    /// The number of programs on which only rumur reports an error: [`Said::may_be_its_own`].
    its_own: usize,
    /// The number of programs with too many states, or on which rumur's generator or compiler crashes.
    without_answer: usize,
    different: Vec<String>,
}

impl Compared {
    fn and(mut self, other: Self) -> Self {
        self.same += other.same;
        self.its_own += other.its_own;
        self.without_answer += other.without_answer;
        self.different.extend(other.different);
        self
    }
}

/// Runs programs that all readers accept here and in rumur.
fn generated(seed: u64, programs: usize) -> Compared {
    let mut byte = generate::random_bytes(seed);
    let texts: Vec<String> = (0..programs)
        .map(|number| {
            let bytes: Vec<u8> = (0..120 + number % 5 * 80).map(|_| byte()).collect();
            generate::program(&bytes, Reader::Everybody)
        })
        .collect();
    texts.par_iter().map(|text| one_generated(text)).reduce(Compared::default, Compared::and)
}

fn one_generated(text: &str) -> Compared {
    let exploration = ours(text);
    let expected = match exploration.outcome {
        Outcome::Stopped(_) => return Compared { without_answer: 1, ..Compared::default() },
        Outcome::Complete => Some((exploration.states(), exploration.rules_fired)),
        Outcome::Violated { .. }
        | Outcome::PropertyFault { .. }
        | Outcome::Deadlock { .. }
        | Outcome::RuleFault { .. }
        | Outcome::StartFault { .. } => None,
    };
    match rumur(text, "off") {
        None => Compared { without_answer: 1, ..Compared::default() },
        Some(said) if said.counts == expected => Compared { same: 1, ..Compared::default() },
        Some(said) if said.may_be_its_own && expected.is_some() => Compared { its_own: 1, ..Compared::default() },
        Some(said) => {
            Compared { different: vec![format!("{said:?}, here {expected:?}:\n{text}")], ..Compared::default() }
        }
    }
}

/// Compares this number of generated programs with rumur.
fn compare_generated(seed: u64, programs: usize) {
    if !installed() {
        return;
    }
    let compared = generated(seed, programs);
    eprintln!(
        "the same {}, an error of its own {}, no answer {}",
        compared.same, compared.its_own, compared.without_answer
    );
    assert!(compared.different.is_empty(), "{}", compared.different.join("\n\n"));
    assert!(compared.same * 10 >= programs * 7, "{compared:?}");
    assert!(compared.its_own * 10 <= programs, "{compared:?}");
}

#[test]
fn generated_programs_come_to_the_same_in_rumur() {
    compare_generated(0x0123_4567_89ab_cdef, 30);
}

#[test]
#[ignore = "it takes minutes: cargo test -p murphi --test counts -- --ignored --nocapture"]
fn many_generated_programs_come_to_the_same_in_rumur() {
    for seed in [0x9e37_79b9_7f4a_7c15, 0x2545_f491_4f6c_dd1d, 0xda94_2042_e4dd_58b5] {
        compare_generated(seed, 500);
    }
}
