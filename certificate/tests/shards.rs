//! A check in parts has the same result as the whole, in the same order, and only a complete set of parts counts.

mod support;

use certificate::proof::Certificate;
use certificate::{
    FaultReport, FileIdentity, MergeError, ReadError, ShardResult, check, check_shard, merge, read, read_shard, write,
};
use support::prove::{certify, model};
use support::systems::{all_examples, mutual_exclusion};
use support::tamper::all_changes;
use system::System;

fn file(certificate: &Certificate) -> FileIdentity {
    let relations = u64::try_from(certificate.relations.len()).expect("a small number");
    FileIdentity { sha256: "identity".to_owned(), relations }
}

fn parts(system: &System, certificate: &Certificate, of: u32) -> Vec<ShardResult> {
    let file = file(certificate);
    let part = |shard| check_shard(system, certificate, &model(), &file, shard, of).expect("there is such a shard");
    (1..=of).map(part).collect()
}

#[test]
fn parts_come_to_the_same_as_the_whole() {
    for example in all_examples() {
        let certificate = certify(&example.system, &example.cubes);
        for of in [1, 2, 3, 100] {
            let merged = merge(&parts(&example.system, &certificate, of)).expect("the set is complete");
            assert_eq!(merged.faults, [], "{}", example.name);
        }
        for tampered in all_changes(&example.system, &certificate).into_iter().step_by(17) {
            let whole = check(&example.system, &tampered.certificate, &model()).err().unwrap_or_default();
            let whole: Vec<FaultReport> =
                whole.iter().map(|fault| fault.report(&example.system, &tampered.certificate)).collect();
            for of in [1, 2, 5] {
                let mut results = parts(&example.system, &tampered.certificate, of);
                results.reverse();
                let merged = merge(&results).expect("the set is complete");
                assert_eq!(merged.faults, whole, "{}: {}", example.name, tampered.what);
            }
        }
    }
}

/// Reading parts of a file has the same result as reading the whole, for good and bad files.
#[test]
fn parts_read_what_they_need() {
    for example in all_examples() {
        let certificate = certify(&example.system, &example.cubes);
        for tampered in all_changes(&example.system, &certificate).into_iter().step_by(29) {
            let text = write(&tampered.certificate, &example.system);
            for of in [1, 2, 5] {
                let read_part = |shard| {
                    let (part, relations) = read_shard(text.as_bytes(), &example.system, shard, of)?;
                    let file = FileIdentity { sha256: "identity".to_owned(), relations };
                    let result = check_shard(&example.system, &part, &model(), &file, shard, of);
                    assert!(part.relations.iter().all(|entry| entry.rule.0 % of == shard - 1));
                    Ok::<_, ReadError>(result.expect("there is such a part"))
                };
                let results: Result<Vec<ShardResult>, ReadError> = (1..=of).map(read_part).collect();
                match (results, read(text.as_bytes(), &example.system)) {
                    (Ok(results), Ok(whole)) => {
                        assert_eq!(results, parts(&example.system, &whole, of), "{}", tampered.what)
                    }
                    (Err(_), Err(_)) => {}
                    (results, whole) => panic!("{}: {results:?} {whole:?}", tampered.what),
                }
            }
        }
    }
}

#[test]
fn results_survive_being_written() {
    let example = mutual_exclusion();
    let mut certificate = certify(&example.system, &example.cubes);
    certificate.relations.remove(3);
    for result in parts(&example.system, &certificate, 2) {
        let text = serde_json::to_string(&result).expect("a result is JSON");
        assert_eq!(serde_json::from_str::<ShardResult>(&text).expect("it was written"), result);
    }
}

#[test]
fn only_a_complete_and_disjoint_set_is_merged() {
    let example = mutual_exclusion();
    let certificate = certify(&example.system, &example.cubes);
    let all = parts(&example.system, &certificate, 3);
    assert!(merge(&all).is_ok());
    assert_eq!(merge(&[]), Err(MergeError::Nothing));
    assert_eq!(merge(&all[..2]), Err(MergeError::Missing(3)));
    assert_eq!(merge(&all[1..]), Err(MergeError::Missing(1)));
    assert_eq!(merge(&[&all[..], &all[..1]].concat()), Err(MergeError::Doubled(1)));
    let changed = |change: &dyn Fn(&mut ShardResult)| {
        let mut all = all.clone();
        change(&mut all[1]);
        merge(&all).expect_err("something was changed")
    };
    let different = |what| MergeError::Different { shard: 2, of: 3, what };
    assert_eq!(changed(&|r| r.certificate.push('x')), different("certificate"));
    assert_eq!(changed(&|r| r.model.push('x')), different("model"));
    assert_eq!(changed(&|r| r.settings.clear()), different("list of settings"));
    assert_eq!(changed(&|r| r.scope.any_size.clear()), different("claim"));
    assert_eq!(changed(&|r| r.relations_of_all += 1), different("number of relations"));
    assert_eq!(changed(&|r| r.of = 4), MergeError::Different { shard: 2, of: 4, what: "number of parts" });
    assert_eq!(changed(&|r| r.version = 1), MergeError::Version { shard: 2, found: 1 });
    assert_eq!(changed(&|r| r.shard = 4), MergeError::OutOfRange { shard: 4, of: 3 });
    assert_eq!(changed(&|r| r.shard = 0), MergeError::OutOfRange { shard: 0, of: 3 });
    assert!(matches!(changed(&|r| r.relations -= 1), MergeError::Relations { .. }));
    for (shard, of) in [(0, 1), (2, 1), (1, 0)] {
        assert!(check_shard(&example.system, &certificate, &model(), &file(&certificate), shard, of).is_err());
    }
}

/// The report does not depend on the number of threads.
#[test]
fn one_thread_reports_the_same_as_many() {
    let example = mutual_exclusion();
    let mut certificate = certify(&example.system, &example.cubes);
    certificate.relations.retain(|entry| entry.branch.is_none());
    let report = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had");
        pool.install(|| check(&example.system, &certificate, &model()).err().unwrap_or_default())
    };
    let one = report(1);
    assert!(one.len() > 3);
    assert_eq!(one, report(2));
    assert_eq!(one, report(8));
}
