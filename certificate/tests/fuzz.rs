//! Random damage to certificates: no panic, no hang, no memory out of proportion.
//!
//! A short run is part of the tests. `PARAPROOF_FUZZ_SECONDS=600 cargo test --release -p certificate --test fuzz --
//! --nocapture` runs longer, and says how many inputs it has tried. It needs no nightly compiler; damage is done to the text of
//! good certificates, by bytes and by tokens of the format, so that much of it gets past the JSON reader.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "counts are said")]

mod support;

use std::time::{Duration, Instant};

use certificate::{check, read, write};
use protocol::System;
use support::prove::{certify, model};
use support::systems::all_examples;

const TOKENS: [&str; 24] = [
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
    "\"holds_after\"",
    "\"unaffected\"",
    "\"m\":[]",
    ",",
];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound.max(1)
    }
}

/// Puts tokens of the format, pieces of itself or of another file, or wild bytes in random places.
fn damaged(random: &mut Random, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=random.below(3) {
        let start = random.below(bytes.len());
        let length = random.below(40);
        let end = (start + length).min(bytes.len());
        let piece: Vec<u8> = match random.below(6) {
            0 => vec![u8::try_from(random.below(256)).unwrap()],
            1 | 2 => TOKENS[random.below(TOKENS.len())].as_bytes().to_vec(),
            3 => {
                let from = random.below(other.len());
                other[from..(from + random.below(60)).min(other.len())].to_vec()
            }
            4 => bytes[start..end].repeat(2),
            _ => Vec::new(),
        };
        bytes.splice(start..end, piece);
    }
    bytes
}

/// Replaces one number, string or word by another token of the file, which keeps the JSON whole more often.
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
    let (to, from) = (words[random.below(words.len())], words[random.below(words.len())]);
    [&text[..to.0], &text[from.0..from.1], &text[to.1..]].concat()
}

fn try_out(system: &System, bytes: &[u8]) -> (bool, bool) {
    let begin = Instant::now();
    let certificate = read(bytes, system);
    let accepted = certificate.as_ref().is_ok_and(|certificate| check(system, certificate, &model()).is_ok());
    assert!(begin.elapsed() < Duration::from_secs(20), "it hangs on {}", String::from_utf8_lossy(bytes));
    (certificate.is_ok(), accepted)
}

#[test]
fn random_damage() {
    let seconds = std::env::var("PARAPROOF_FUZZ_SECONDS").map_or(2, |text| text.parse().unwrap());
    let examples = all_examples();
    let texts: Vec<Vec<u8>> = examples
        .iter()
        .map(|example| write(&certify(&example.system, &example.cubes), &example.system).into_bytes())
        .collect();
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random(seconds);
    let (mut tried, mut were_read, mut accepted) = (0, 0, 0);
    while Instant::now() < end {
        for (example, text) in examples.iter().zip(&texts) {
            let other = &texts[random.below(texts.len())];
            let bytes =
                if random.below(2) == 0 { damaged(&mut random, text, other) } else { exchanged(&mut random, text) };
            let (read, good) = try_out(&example.system, &bytes);
            tried += 1;
            were_read += u64::from(read);
            accepted += u64::from(good);
        }
    }
    eprintln!("{tried} inputs, {were_read} were certificates, {accepted} accepted");
    assert!(were_read > 0 && tried > were_read);
}

/// The most memory that this process had, in bytes; 0 where the system does not say.
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
