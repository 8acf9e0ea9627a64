//! Random damage to certificates: no panic, no hang, no memory out of proportion.
//!
//! There are two targets: [`damaged_text_is_read_or_refused`] for the reader, and [`changed_certificates_are_judged`]
//! for the checker, which gets certificates that have not been through the reader. A short run of each is part of the
//! tests. `PARAPROOF_FUZZ_SECONDS=600 cargo test --release -p certificate --test fuzz NAME -- --exact --nocapture`
//! gives one of them ten minutes of processor time, and prints how many inputs it has tried. It needs no nightly
//! compiler. Texts are damaged by bytes and by tokens of the format, so that many of them get past the JSON reader;
//! certificates are changed field by field, several times over.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "the tests report counts")]

mod support;

use std::time::{Duration, Instant};

use certificate::proof::Certificate;
use certificate::{check, read, write};
use support::prove::{certify, model};
use support::random::Random;
use support::systems::all_examples;
use support::tamper::each_change;
use system::System;

const TOKENS: [&str; 28] = [
    "0",
    "1",
    "2",
    "7",
    "4294967295",
    "4294967296",
    "-1",
    "1.5",
    "1e9",
    "null",
    "true",
    "[",
    "]",
    "{",
    "}",
    "\"@Home\"",
    "\"+0\"",
    "\"+4294967295\"",
    "\"k\":\"implied\"",
    "\"by\":[]",
    "\"<=\"",
    "\">=\"",
    "1099511627776",
    "-1099511627777",
    "\"holds_after\"",
    "\"unaffected\"",
    "\"m\":[]",
    ",",
];

/// Inserts tokens of the format, pieces of this or of another file, or random bytes in random places.
fn damaged(random: &mut Random, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=random.position(3) {
        let start = random.position(bytes.len());
        let length = random.position(40);
        let end = (start + length).min(bytes.len());
        let piece: Vec<u8> = match random.position(6) {
            0 => vec![u8::try_from(random.position(256)).unwrap()],
            1 | 2 => TOKENS[random.position(TOKENS.len())].as_bytes().to_vec(),
            3 => {
                let from = random.position(other.len());
                other[from..(from + random.position(60)).min(other.len())].to_vec()
            }
            4 => bytes[start..end].repeat(2),
            _ => Vec::new(),
        };
        bytes.splice(start..end, piece);
    }
    bytes
}

/// Replaces one number, string or word by another token of the file, which more often leaves valid JSON.
fn exchanged(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'+' || *byte == b'@';
    let words: Vec<(usize, usize)> = {
        let mut words = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let length = text[at..].iter().take_while(|byte| plain(byte)).count();
            if length > 0 {
                words.push((at, at + length));
            }
            at += length.max(1);
        }
        words
    };
    let (to, from) = (words[random.position(words.len())], words[random.position(words.len())]);
    [&text[..to.0], &text[from.0..from.1], &text[to.1..]].concat()
}

/// The processor time of this process so far.
fn processor_time() -> Duration {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may have blanks; the times in user and system mode are the 12th and 13th
    // fields after it.
    let fields: Vec<&str> = status.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |position: usize| fields.get(position).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    Duration::from_millis(10 * (ticks(11) + ticks(12)))
}

/// Runs until the processor time is used up, or for four times as long if the machine is busy or does not report it.
struct Budget {
    seconds: u64,
    start: Duration,
    begin: Instant,
}

impl Budget {
    fn new() -> Self {
        let seconds = std::env::var("PARAPROOF_FUZZ_SECONDS").map_or(1, |text| text.parse().unwrap());
        Self { seconds, start: processor_time(), begin: Instant::now() }
    }

    fn is_left(&self) -> bool {
        let used = processor_time().saturating_sub(self.start);
        used < Duration::from_secs(self.seconds) && self.begin.elapsed() < Duration::from_secs(4 * self.seconds)
    }

    fn used(&self) -> String {
        let used = processor_time().saturating_sub(self.start);
        format!("{} s of processor time, at most {} MB", used.as_secs(), peak_memory() >> 20)
    }
}

/// Tries one input, for at most 20 seconds of processor time.
fn in_time<T>(what: impl Fn() -> String, action: impl FnOnce() -> T) -> T {
    let start = processor_time();
    let result = action();
    let used = processor_time().saturating_sub(start);
    assert!(used < Duration::from_secs(20), "{used:?} for {}", what());
    result
}

fn try_out(system: &System, bytes: &[u8]) -> (bool, bool) {
    in_time(
        || String::from_utf8_lossy(bytes).into_owned(),
        || {
            let certificate = read(bytes, system);
            let accepted = certificate.as_ref().is_ok_and(|certificate| check(system, certificate, &model()).is_ok());
            (certificate.is_ok(), accepted)
        },
    )
}

#[test]
fn damaged_text_is_read_or_refused() {
    let budget = Budget::new();
    let examples = all_examples();
    let texts: Vec<Vec<u8>> = examples
        .iter()
        .map(|example| write(&certify(&example.system, &example.cubes), &example.system).into_bytes())
        .collect();
    let mut random = Random(budget.seconds);
    let (mut tried, mut were_read, mut accepted) = (0, 0, 0);
    while budget.is_left() {
        for (example, text) in examples.iter().zip(&texts) {
            let other = &texts[random.position(texts.len())];
            let bytes =
                if random.position(2) == 0 { damaged(&mut random, text, other) } else { exchanged(&mut random, text) };
            let (read, good) = try_out(&example.system, &bytes);
            tried += 1;
            were_read += u64::from(read);
            accepted += u64::from(good);
        }
    }
    eprintln!("{tried} inputs, {were_read} were certificates, {accepted} accepted; {}", budget.used());
    assert!(were_read > 0 && tried > were_read);
}

/// One to four changes, each of one field of the result of the one before.
fn changed(random: &mut Random, system: &System, certificate: &Certificate) -> Certificate {
    let mut current = certificate.clone();
    for _ in 0..=random.position(4) {
        let mut count = 0;
        let mut counted = |_| {
            count += 1;
            false
        };
        each_change(system, &current, &mut counted, &mut |_| {});
        let chosen = random.position(count);
        let (mut position, mut next) = (0, None);
        let mut wanted = |_| {
            position += 1;
            position == chosen + 1
        };
        each_change(system, &current, &mut wanted, &mut |change| next = Some(change.certificate(&current)));
        current = next.unwrap_or(current);
    }
    current
}

#[test]
fn changed_certificates_are_judged() {
    let budget = Budget::new();
    let examples = all_examples();
    let originals: Vec<Certificate> = examples.iter().map(|example| certify(&example.system, &example.cubes)).collect();
    let mut random = Random(budget.seconds);
    let (mut tried, mut accepted) = (0, 0);
    while budget.is_left() {
        for (example, original) in examples.iter().zip(&originals) {
            let certificate = changed(&mut random, &example.system, original);
            // Against its own system, and now and then against another one, whose tables have other sizes.
            let other = &examples[random.position(examples.len())];
            let system = if random.position(4) == 0 { &other.system } else { &example.system };
            let faults = in_time(
                || format!("{}: {certificate:#?}", example.name),
                || check(system, &certificate, &model()).err().unwrap_or_default(),
            );
            assert!(faults.iter().all(|fault| !fault.report(system, &certificate).to_string().is_empty()));
            tried += 1;
            accepted += u64::from(faults.is_empty());
        }
    }
    eprintln!("{tried} certificates, {accepted} accepted; {}", budget.used());
    assert!(accepted > 0 && tried > accepted);
}

/// The peak memory of this process in bytes; 0 if the operating system does not report it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() * 1024
}

#[test]
fn memory_is_a_multiple_of_the_input() {
    let example = support::systems::switches();
    let text = write(&certify(&example.system, &example.cubes), &example.system);
    let size = 4 << 20;
    let many = |piece: &str| piece.repeat(size / piece.len());
    let inputs = [
        many("["),
        many("{\"a\":"),
        text.replacen("\"entries\":[", &format!("\"entries\":[{}", many("{\"i\":0,\"k\":\"unaffected\"},")), 1),
        text.replacen("\"m\":[", &format!("\"m\":[{}", many("0,")), 1),
        text.replacen("\"by\":[", &format!("\"by\":[{}", many("[0,[]],")), 1),
        text.replacen("\"cases\":[", &format!("\"cases\":[{}", many("{\"by\":[]},")), 1),
        text.replacen("\"literals\":[", &format!("\"literals\":[{}", many("[[\"p\"],\"=\",\"true\"],")), 1),
        text.replacen("\"variables\":[", &format!("\"variables\":[{}", many("\"NODE\",")), 1),
        text.replacen("\"settings\":[", &format!("\"settings\":[{}", many("\"\",")), 1),
    ];
    for input in inputs {
        try_out(&example.system, input.as_bytes());
    }
    let bound = 200 * u64::try_from(size).unwrap();
    assert!(peak_memory() < bound, "{} bytes for inputs of {size}", peak_memory());
}
