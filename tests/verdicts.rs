//! Compares the verdicts of the command about generated models with all states of their instances.
//!
//! Each model has a seed. `PARAPROOF_SEED` sets the first seed, which otherwise differs in each run, and
//! `PARAPROOF_COUNT` sets the number of models. A wrong answer is printed with its seed, and the model is made smaller.
//! To try many models: `PARAPROOF_COUNT=20000 cargo test --test verdicts -- --nocapture`.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "it is a test")]

#[path = "verdicts/beyond.rs"]
mod beyond;
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
#[path = "verdicts/queues.rs"]
mod queues;
#[path = "verdicts/shrink.rs"]
mod shrink;
#[path = "verdicts/statements.rs"]
mod statements;
mod support;
#[path = "verdicts/tally.rs"]
mod tally;
#[path = "verdicts/terms.rs"]
mod terms;
#[path = "verdicts/truth.rs"]
mod truth;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Instant, SystemTime};

use dice::Dice;
use judge::{Effort, Fault, judge, own, program, settings, truth};
use model::{Constant, generate};
use peer::{Opinion, opinion};
use shrink::shrink;
use support::{say, tools};
use tally::Tally;
use truth::{Truth, explore};

/// The default number of models.
const COUNT: u64 = 60;
/// The maximum number of states of an instance when properties are chosen.
const FEW_STATES: usize = 4_000;

fn number(variable: &str) -> Option<u64> {
    Some(std::env::var(variable).ok()?.parse().unwrap_or_else(|_| panic!("{variable} is not a number")))
}

/// Returns the text of the model of a seed, with its constants, or `None` if the model is not used.
fn chosen(seed: u64) -> Option<(String, Vec<Constant>)> {
    let model = generate(seed);
    let candidates: String =
        (0..).zip(&model.candidates).map(|(number, text)| format!("invariant \"{number}\" {text};\n")).collect();
    let text = format!("{}{candidates}", model.body);
    let own = own(&model.constants);
    // The properties of the program are those of the body, and then the candidates.
    let of_candidates = |mut truth: Truth| {
        let own = truth.violated.len() - model.candidates.len();
        truth.violated.drain(..own);
        truth
    };
    let home = match murphi::read(&text, &murphi::Options { constants: own.clone(), ..Default::default() }) {
        Ok(home) => of_candidates(explore(&home, FEW_STATES)?),
        Err(errors) => panic!("seed {seed} does not give a program: {errors:?}\n{text}"),
    };
    if !home.complete || home.states < 2 {
        return None;
    }
    let mut away = own;
    away.insert("N".to_owned(), 4);
    let away = program(&text, &away).and_then(|away| explore(&away, FEW_STATES)).map(of_candidates);
    let mut text = model.body;
    for number in properties(&mut Dice::new(!seed), &home, away.as_ref())? {
        writeln!(text, "invariant \"{number}\" {};", model.candidates[number]).unwrap();
    }
    Some((text, model.constants))
}

/// Returns the properties that a model gets, given what is true of it at its own sizes and at others, or `None` if it
/// is not used.
fn properties(dice: &mut Dice, home: &Truth, away: Option<&Truth>) -> Option<Vec<usize>> {
    // A model whose assertions fail says little about its properties.
    if home.asserted && dice.percent(60) {
        return None;
    }
    let there = |number: usize| away.is_some_and(|away| away.violated[number] > 0);
    let which = |wanted: &dyn Fn(bool, bool) -> bool| -> Vec<usize> {
        (0..home.violated.len()).filter(|&number| wanted(home.violated[number] > 0, there(number))).collect()
    };
    let true_ones = which(&|here, there| !here && !there);
    let only_there = which(&|here, there| !here && there);
    let false_ones = which(&|here, _| here);
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
    Some(numbers)
}

/// A run over many models.
struct Run {
    /// The time limit of a search in seconds.
    seconds: u32,
    /// rumur is asked about every model whose seed is a multiple of this, if it is installed.
    peer: Option<u64>,
    tally: Mutex<Tally>,
}

impl Run {
    fn new() -> Self {
        let every = number("PARAPROOF_PEER").unwrap_or(10);
        Self {
            seconds: number("PARAPROOF_SECONDS").map_or(2, |seconds| u32::try_from(seconds).unwrap()),
            peer: tools(&["rumur", "gcc"]).then_some(every),
            tally: Mutex::default(),
        }
    }

    /// Judges `count` models, starting with a seed, and counts the outcomes.
    fn models(&self, first: u64, count: u64) {
        let next = AtomicU64::new(0);
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    let folder = tempfile::tempdir().unwrap();
                    while self.tally().models < count {
                        self.one(first.wrapping_add(next.fetch_add(1, Ordering::Relaxed)), folder.path());
                    }
                });
            }
        });
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap()
    }

    /// Judges the model of a seed.
    fn one(&self, seed: u64, folder: &Path) {
        let Some((text, constants)) = chosen(seed) else {
            self.tally().left_out += 1;
            return;
        };
        if std::env::var_os("PARAPROOF_SHOW").is_some() {
            eprintln!("-- seed {seed}\n{text}");
        }
        let effort = Effort { seconds: self.seconds, beside: seed.is_multiple_of(5) };
        let judged = judge(&text, &constants, folder, effort);
        let models = {
            let mut tally = self.tally();
            tally.count(judged.said.as_ref());
            tally.instances += judged.instances;
            tally.models
        };
        if models.is_multiple_of(500) {
            eprintln!("{}", self.tally().text());
        }
        if self.peer.is_some_and(|every| seed.is_multiple_of(every)) {
            self.ask_peer(seed, &text, &constants, folder);
        }
        let Some(wrong) = judged.wrong.first() else { return };
        let known = self.tally().wrong.get(&wrong.kind).map_or(0, Vec::len);
        // After some faults of a kind, further ones are only listed.
        let questions = if known < 12 { 500 } else { 0 };
        let small = shrink(&text, &own(&constants), questions, |text| {
            let again = judge(text, &constants, folder, effort);
            again.wrong.iter().any(|other| other.kind == wrong.kind)
        });
        self.wrong(seed, wrong.kind, &format!("{wrong}\n{small}"));
    }

    fn wrong(&self, seed: u64, kind: Fault, how: &str) {
        let told = format!("PARAPROOF_SEED={seed} PARAPROOF_COUNT=1: {how}");
        eprintln!("{told}");
        self.tally().wrong.entry(kind).or_default().push(told);
    }

    /// Compares the truth about a model at its own sizes and at one other with rumur.
    fn ask_peer(&self, seed: u64, text: &str, constants: &[Constant], folder: &Path) {
        let settings = settings(constants);
        let other = 1 + usize::try_from(seed % 7).unwrap() % (settings.len() - 1);
        for (first, setting) in [(true, &settings[0]), (false, &settings[other])] {
            let Some(truth) = truth(text, setting).filter(|truth| truth.complete) else { continue };
            match opinion(text, setting, &truth, folder) {
                Opinion::None => continue,
                Opinion::Same => self.tally().peer.1 += 1,
                Opinion::ItsOwn => self.tally().peer.2 += 1,
                Opinion::Different(how) => self.wrong(seed, Fault::Peer, &how),
            }
            self.tally().peer.0 += u64::from(first);
        }
    }
}

#[test]
fn verdicts_about_generated_models_are_true() {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let (given, count) = (number("PARAPROOF_SEED"), number("PARAPROOF_COUNT").unwrap_or(COUNT));
    let seed = given.unwrap_or(now * 1_000_000);
    let started = Instant::now();
    say(&format!("PARAPROOF_SEED={seed} PARAPROOF_COUNT={count}"));
    let run = Run::new();
    run.models(seed, count);
    let tally = run.tally();
    say(&format!("{} ({:.0} s)", tally.text(), started.elapsed().as_secs_f64()));
    let wrong: Vec<String> = tally.wrong.values().flatten().cloned().collect();
    assert!(wrong.is_empty(), "PARAPROOF_SEED={seed}\n{}", wrong.join("\n"));
    // The probability that a verdict is missing by chance is below one in a hundred thousand.
    let verdicts = [tally.proven_for_any, tally.proven_as_it_is, tally.violated];
    assert!(count < COUNT || verdicts.iter().all(|models| *models > 0), "{}", tally.text());
}
