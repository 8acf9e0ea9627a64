//! Benchmarks of the stages: `cargo bench --bench search`.
//!
//! For some models, this measures exploring an instance, the proof as a whole (backward reachability with
//! approximations, and causal relations) and the independent check of its certificate. On fixed instances, it also
//! measures the questions of the search by kind: candidates, subsumption and causal relations.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use certificate::proof::Certificate;
use criterion::{Criterion, SamplingMode};
use invfinder::workload::{self, Workload};
use invfinder::{Header, Limits, Verdict, prove};
use murphi::lower::{LowerOptions, lower};
use murphi::program::Program;
use system::System;

/// The models, fastest first.
const MODELS: [&str; 4] = ["german", "german_ctc", "flash_nodata", "flash"];

/// Models with an instance on which the search finds a proof: the number of elements of each index type, states, cubes.
const INSTANCES: [(&str, &[u32], usize, usize); 2] =
    [("german", &[2, 2], 2_000, 300), ("german_ctc", &[2, 2], 2_000, 300)];

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    exploration(&mut criterion);
    parts(&mut criterion);
    proofs(&mut criterion);
    criterion.final_summary();
}

fn program(model: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("models/{model}.m"));
    let text = std::fs::read_to_string(path).expect("the model is in the repository");
    murphi::read(&text, &murphi::Options::default()).expect("the model has no mistake")
}

fn system(model: &str) -> System {
    lower(&program(model), &LowerOptions::default()).expect("the model is lowered").system
}

/// Exploration of an explicit instance, as `simulate` does it.
fn exploration(criterion: &mut Criterion) {
    use murphi::instance::{Instance, Limits, Permuted};
    let mut group = criterion.benchmark_group("explore 5000 states");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for model in ["german_ctc", "flash_nodata"] {
        let program = program(model);
        let lowered = lower(&program, &LowerOptions::default()).expect("the model is lowered");
        let instance = Instance::new(&program, &Permuted::lowered(&lowered)).expect("the instance is small");
        let limits = Limits { max_states: 5_000, ..Limits::default() };
        group.bench_function(model, |bencher| {
            bencher.iter(|| black_box(instance.explore(&limits, false, &mut |_| true)))
        });
    }
    group.finish();
}

/// The questions of a search, by kind.
fn parts(criterion: &mut Criterion) {
    for (model, sizes, states, cubes) in INSTANCES {
        let system = system(model);
        let instance = workload::Instance { sizes: sizes.to_vec(), states, cubes };
        let done = workload::with(&system, &instance, |workload| part(criterion, model, workload));
        assert!(done.is_some(), "{model}: no proof on the instance");
    }
}

fn part(criterion: &mut Criterion, model: &str, workload: &Workload<'_>) {
    let mut group = criterion.benchmark_group(model);
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.bench_function("instance of the oracle", |bencher| bencher.iter(|| black_box(workload.explored())));
    group.bench_function("instance and candidate queries", |bencher| {
        bencher.iter(|| black_box(workload.candidate_queries()));
    });
    group.bench_function("subsumption", |bencher| bencher.iter(|| black_box(workload.subsumption())));
    group.bench_function("causal relations", |bencher| bencher.iter(|| black_box(workload.causal_relations())));
    group.finish();
}

/// Whole proofs and their checks.
fn proofs(criterion: &mut Criterion) {
    let digest = "0".repeat(64);
    let header = Header { model_digest: digest.clone(), settings: Vec::new() };
    let identity = certificate::Model { digest, settings: Vec::new() };
    // A test run must not take minutes.
    let bench = std::env::args().any(|argument| argument == "--bench");
    for model in MODELS.into_iter().take(if bench { MODELS.len() } else { 1 }) {
        let system = system(model);
        let mut group = criterion.benchmark_group(model);
        group.sample_size(10).sampling_mode(SamplingMode::Flat).measurement_time(Duration::from_secs(3));
        group.bench_function("proof", |bencher| bencher.iter(|| black_box(proof(&system, &header))));
        let mut made = None;
        group.bench_function("check", |bencher| {
            let certificate = made.get_or_insert_with(|| proof(&system, &header));
            bencher.iter(|| black_box(certificate::check(&system, certificate, &identity).is_ok()));
        });
        group.finish();
    }
}

fn proof(system: &System, header: &Header) -> Certificate {
    match prove(system, header, &Limits::default(), &mut |_| true).0 {
        Verdict::Proven(certificate) => *certificate,
        Verdict::Violated(_) | Verdict::Inconclusive(_) => panic!("the protocol is correct"),
    }
}
