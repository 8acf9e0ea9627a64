//! Verdicts of the command about generated models, held against all states of their instances.
//!
//! Each model has a seed. `PARAPROOF_SEED` is that of the first one, which is another one in each run without it, and
//! `PARAPROOF_COUNT` is how many there are. What goes wrong is printed with its seed and made smaller.
//! Many: `PARAPROOF_COUNT=20000 cargo test --test verdicts -- --nocapture`.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "it is a test")]

#[path = "verdicts/command.rs"]
mod command;
#[path = "verdicts/dice.rs"]
mod dice;
#[path = "verdicts/judge.rs"]
mod judge;
#[path = "verdicts/kinds.rs"]
mod kinds;
#[path = "verdicts/model.rs"]
mod model;
#[path = "verdicts/peer.rs"]
mod peer;
#[path = "verdicts/shrink.rs"]
mod shrink;
#[path = "verdicts/statements.rs"]
mod statements;
mod support;
#[path = "verdicts/terms.rs"]
mod terms;
#[path = "verdicts/truth.rs"]
mod truth;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Instant, SystemTime};

use command::Said;
use dice::Dice;
use judge::{Effort, Fault, judge, own, program, settings, truth};
use model::{Constant, generate};
use peer::{Opinion, opinion};
use support::tools;
use truth::explore;

/// Models where no number is given.
const COUNT: u64 = 60;
/// States of an instance when properties are chosen.
const FEW_STATES: usize = 4_000;

fn number(variable: &str) -> Option<u64> {
    Some(std::env::var(variable).ok()?.parse().unwrap_or_else(|_| panic!("{variable} is no number")))
}

/// What became of models.
#[derive(Debug, Default)]
struct Tally {
    models: u64,
    /// Texts that are no program, or have too many states or none.
    left_out: u64,
    proven_for_any: u64,
    proven_as_it_is: u64,
    violated: u64,
    inconclusive: BTreeMap<String, u64>,
    refused: BTreeMap<String, u64>,
    instances: usize,
    /// Models that rumur took, instances about which it says the same, and those with an error that is its own.
    peer: (u64, u64, u64),
    wrong: BTreeMap<Fault, Vec<String>>,
}

impl Tally {
    fn count(&mut self, said: Option<&Said>) {
        self.models += 1;
        match said {
            Some(Said::Proven(claim)) if claim.any_size.is_empty() => self.proven_as_it_is += 1,
            Some(Said::Proven(_)) => self.proven_for_any += 1,
            Some(Said::Violated { .. }) => self.violated += 1,
            Some(Said::Inconclusive(reason)) => {
                let reason: String = reason.chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
                *self.inconclusive.entry(reason).or_default() += 1;
            }
            Some(Said::Refused(codes)) => {
                let code = codes.first().cloned().unwrap_or_default();
                *self.refused.entry(code).or_default() += 1;
            }
            None => {}
        }
    }

    fn text(&self) -> String {
        let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        format!(
            "{} models: {} proven for any number, {} for their sizes, {} violated, {} inconclusive {:?}, {} refused {:?}; \
             {} wrong; {} instances seen as a whole; rumur takes {} models, says the same of {} instances, has an error of its \
             own in {}; {} left out",
            self.models,
            self.proven_for_any,
            self.proven_as_it_is,
            self.violated,
            sum(&self.inconclusive),
            self.inconclusive,
            sum(&self.refused),
            self.refused,
            self.wrong.values().map(Vec::len).sum::<usize>(),
            self.instances,
            self.peer.0,
            self.peer.1,
            self.peer.2,
            self.left_out,
        )
    }
}

/// The text of the model of a seed, with its constants; none where it came to nothing.
fn chosen(seed: u64) -> Option<(String, Vec<Constant>)> {
    let model = generate(seed);
    let candidates: String =
        (0..).zip(&model.candidates).map(|(number, text)| format!("invariant \"{number}\" {text};\n")).collect();
    let text = format!("{}{candidates}", model.body);
    let own = own(&model.constants);
    let home = match protocol::read(&text, &protocol::Options { constants: own.clone(), ..Default::default() }) {
        Ok(home) => explore(&home, FEW_STATES)?,
        Err(errors) => panic!("seed {seed} gives no program: {errors:?}\n{text}"),
    };
    if !home.complete || home.states < 2 {
        return None;
    }
    let mut away = own.clone();
    away.insert("N".to_owned(), 4);
    let away = program(&text, &away).and_then(|away| explore(&away, FEW_STATES));
    let mut dice = Dice::new(!seed);
    let there = |number: usize| away.as_ref().is_some_and(|away| away.violated[number] > 0);
    let which = |wanted: &dyn Fn(bool, bool) -> bool| -> Vec<usize> {
        (0..home.violated.len()).filter(|&number| wanted(home.violated[number] > 0, there(number))).collect()
    };
    let true_ones = which(&|here, there| !here && !there);
    let only_there = which(&|here, there| !here && there);
    let false_ones = which(&|here, _| here);
    // A model whose assertions fail says little about its properties.
    if home.asserted && dice.percent(60) {
        return None;
    }
    let of = match dice.pick(100) {
        0..50 => [&true_ones, &only_there, &false_ones],
        50..72 => [&only_there, &false_ones, &true_ones],
        _ => [&false_ones, &true_ones, &only_there],
    };
    let of = of.into_iter().find(|numbers| !numbers.is_empty())?;
    // The property that fewer states violate is harder.
    let (first, second) = (*dice.one(of), *dice.one(of));
    let mut numbers = vec![if home.violated[second] < home.violated[first] { second } else { first }];
    if dice.percent(10) && !true_ones.is_empty() {
        numbers.push(*dice.one(&true_ones));
    }
    let mut text = model.body;
    for number in numbers {
        writeln!(text, "invariant \"{number}\" {};", model.candidates[number]).unwrap();
    }
    Some((text, model.constants))
}

fn run(first: u64, count: u64) -> Tally {
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(0);
    let seconds = number("PARAPROOF_SECONDS").map_or(2, |seconds| u32::try_from(seconds).unwrap());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let folder = tempfile::tempdir().unwrap();
                while tally.lock().unwrap().models < count {
                    let seed = first.wrapping_add(next.fetch_add(1, Ordering::Relaxed));
                    one(seed, folder.path(), seconds, &tally);
                }
            });
        }
    });
    tally.into_inner().unwrap()
}

/// Judges the model of a seed.
fn one(seed: u64, folder: &Path, seconds: u32, tally: &Mutex<Tally>) {
    let Some((text, constants)) = chosen(seed) else {
        tally.lock().unwrap().left_out += 1;
        return;
    };
    if std::env::var_os("PARAPROOF_SHOW").is_some() {
        eprintln!("-- seed {seed}\n{text}");
    }
    let effort = Effort { seconds, beside: seed.is_multiple_of(5) };
    let judged = judge(&text, &constants, folder, effort);
    {
        let mut tally = tally.lock().unwrap();
        tally.count(judged.said.as_ref());
        tally.instances += judged.instances;
        if tally.models.is_multiple_of(500) {
            eprintln!("{}", tally.text());
        }
    }
    if asks_peer(seed) {
        ask_peer(seed, &text, &constants, folder, tally);
    }
    let Some(wrong) = judged.wrong.first() else { return };
    let known = tally.lock().unwrap().wrong.get(&wrong.kind).map_or(0, Vec::len);
    // After some of a kind, the others are only named.
    let questions = if known < 12 { 500 } else { 0 };
    let small = shrink::shrink(&text, &own(&constants), questions, |text| {
        let again = judge(text, &constants, folder, effort);
        again.wrong.iter().any(|other| other.kind == wrong.kind)
    });
    let told = format!("PARAPROOF_SEED={seed} PARAPROOF_COUNT=1: {wrong}\n{small}");
    eprintln!("{told}");
    tally.lock().unwrap().wrong.entry(wrong.kind).or_default().push(told);
}

/// Whether rumur is asked about a model: about every so many, where it is there.
fn asks_peer(seed: u64) -> bool {
    static THERE: LazyLock<bool> = LazyLock::new(|| tools(&["rumur", "gcc"]));
    seed.is_multiple_of(number("PARAPROOF_PEER").unwrap_or(10)) && *THERE
}

/// Holds the truth about a model at its own sizes and one other against rumur.
fn ask_peer(seed: u64, text: &str, constants: &[Constant], folder: &Path, tally: &Mutex<Tally>) {
    let settings = settings(constants);
    let other = 1 + usize::try_from(seed % 7).unwrap() % (settings.len() - 1);
    for (first, setting) in [(true, &settings[0]), (false, &settings[other])] {
        let Some(truth) = truth(text, setting).filter(|truth| truth.complete) else { continue };
        let opinion = opinion(text, setting, &truth, folder);
        let mut tally = tally.lock().unwrap();
        match opinion {
            Opinion::None => continue,
            Opinion::Same => tally.peer.1 += 1,
            Opinion::ItsOwn => tally.peer.2 += 1,
            Opinion::Different(how) => {
                let told = format!("PARAPROOF_SEED={seed} PARAPROOF_COUNT=1: {how}");
                eprintln!("{told}");
                tally.wrong.entry(Fault::Peer).or_default().push(told);
            }
        }
        tally.peer.0 += u64::from(first);
    }
}

#[test]
fn verdicts_about_generated_models_are_true() {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let (seed, count) =
        (number("PARAPROOF_SEED").unwrap_or(now * 1_000_000), number("PARAPROOF_COUNT").unwrap_or(COUNT));
    let started = Instant::now();
    eprintln!("PARAPROOF_SEED={seed} PARAPROOF_COUNT={count}");
    let tally = run(seed, count);
    eprintln!("{} ({:.0} s)", tally.text(), started.elapsed().as_secs_f64());
    let wrong: Vec<String> = tally.wrong.values().flatten().cloned().collect();
    assert!(wrong.is_empty(), "PARAPROOF_SEED={seed}\n{}", wrong.join("\n"));
}
