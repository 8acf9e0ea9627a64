//! The reader: what it accepts, what it refuses and with which message, and that no bytes make it panic.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod support;

use certificate::{ReadError, check, read, write};
use proptest::prelude::*;
use support::prove::{certify, model};
use support::systems::{Example, claiming, home, kept_lock, mutual_exclusion, scales, switches, ticket_lock};
use support::tamper::claim_changes;

fn text_of(example: &Example) -> String {
    write(&certify(&example.system, &example.cubes), &example.system)
}

/// Replaces a piece of the good file, which has to occur in it, and reads the result.
fn replaced(example: &Example, from: &str, to: &str) -> Result<(), String> {
    let text = text_of(example);
    assert!(text.contains(from), "{from} is not in the file:\n{text}");
    let changed = text.replacen(from, to, 1);
    read(changed.as_bytes(), &example.system).map(|_| ()).map_err(|error| error.to_string())
}

fn refused(example: &Example, from: &str, to: &str, words: &str) {
    let error = replaced(example, from, to).expect_err(to);
    assert!(error.contains(words), "{to}: {error}");
}

#[test]
fn layout_and_order_of_keys_have_no_meaning() {
    let example = mutual_exclusion();
    let text = text_of(&example);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    let again = read(pretty.as_bytes(), &example.system).unwrap();
    assert_eq!(write(&again, &example.system), text);
    assert!(check(&example.system, &again, &model()).is_ok());
    assert_eq!(replaced(&example, "{\"i\":0,\"m\":[0],", "{\"m\":[ 0 ], \"i\":0,"), Ok(()));
}

#[test]
fn one_thing_on_each_line() {
    let text = text_of(&mutual_exclusion());
    assert!(text.contains("\n{\"i\":0,\"m\":[0],\"b\":0,\"k\":\"implied\",\"by\":[[3,[1]]]},\n"), "{text}");
    assert!(text.contains(
        "\n{\"id\":3,\"variables\":[\"NODE\"],\"literals\":[[[\"n[]\",0],\"=\",\"C\"],[[\"x\"],\"=\",\"true\"]],"
    ));
    assert!(text.contains("\n{\"s\":0,\"i\":3,\"m\":[]}"));
    let longest = text.lines().map(str::len).max().unwrap();
    assert!(longest < 200, "{longest}");
}

#[test]
fn what_is_no_certificate_is_refused() {
    let mutex = &mutual_exclusion();
    refused(mutex, "paraproof-certificate", "paraproof-cert", "this is not a certificate");
    for version in ["0", "1", "5", "4294967295"] {
        refused(mutex, "\"version\":2", &format!("\"version\":{version}"), "this program reads versions 2 to 4");
    }
    for version in ["3", "4"] {
        assert_eq!(replaced(mutex, "\"version\":2", &format!("\"version\":{version}")), Ok(()));
    }
    refused(mutex, "\"version\":2", "\"version\":1", "older versions do not say what their proof covers");
    // A newer version may have other keys. The message is about the version.
    refused(mutex, "\"version\":2", "\"version\":5,\"colour\":\"red\"", "this program reads versions 2 to 4");
    for version in ["-1", "1.0", "\"1\"", "null", "4294967296", "[1]", "1e0"] {
        refused(mutex, "\"version\":2", &format!("\"version\":{version}"), "line 3");
    }
    refused(mutex, "\"version\":2,\n", "", "missing field `version`");
    for text in ["", "{", "[]", "null", "{}", "\u{feff}{}", "{\"format\":1}"] {
        assert!(matches!(read(text.as_bytes(), &mutex.system), Err(ReadError::Json { .. })), "{text}");
    }
    let mut trailing = text_of(mutex);
    trailing.push('x');
    assert!(read(trailing.as_bytes(), &mutex.system).unwrap_err().to_string().contains("trailing characters"));
    let mut invalid = text_of(mutex).into_bytes();
    let name = invalid.windows(3).position(|bytes| bytes == b"Try").unwrap();
    invalid[name] = 0xff;
    assert!(matches!(read(&invalid, &mutex.system), Err(ReadError::Json { .. })));
}

#[test]
fn keys_are_exactly_those_of_the_grammar() {
    let mutex = &mutual_exclusion();
    refused(mutex, "\"counts\":", "\"colour\":1,\"counts\":", "unknown field `colour`");
    refused(mutex, "{\"i\":0,", "{\"i\":0,\"i\":0,", "duplicate field `i`");
    refused(mutex, "{\"i\":0,", "{\"i\":0,\"z\":0,", "unknown field `z`");
    refused(mutex, "{\"i\":0,", "{", "missing field `i`");
    refused(mutex, "{\"id\":0,", "{\"id\":0,\"id\":0,", "duplicate field `id`");
    refused(mutex, "\"settings\":[\"N=3\"]}", "\"settings\":[\"N=3\"],\"settings\":[]}", "duplicate field");
    refused(mutex, "{\"property\":0}", "{\"property\":0,\"of\":0}", "an object with `property`");
    refused(mutex, "{\"property\":0}", "[0]", "an object with `property`");
    refused(mutex, "\"k\":\"unaffected\"", "\"k\":\"unaffected\",\"by\":[]", "`by` belongs to `implied`");
    refused(mutex, "\"k\":\"implied\",\"by\":[[3,[1]]]", "\"k\":\"implied\"", "`by` belongs to `implied`");
    refused(mutex, "\"k\":\"unaffected\"", "\"k\":\"untouched\"", "unknown variant");
    refused(mutex, "\"b\":0", "\"b\":null", "line");
    refused(mutex, "\"m\":[0]", "\"m\":null", "line");
    // An array where an object belongs, in the order of its keys.
    refused(mutex, "{\"s\":0,\"i\":0,\"m\":[]}", "[0,0,[]]", "an object");
    refused(mutex, "[3,[1]]", "[3,[1],0]", "line");
    refused(mutex, "[3,[1]]", "[3]", "line");
}

#[test]
fn numbers_are_whole_and_in_range() {
    let mutex = &mutual_exclusion();
    for number in ["-1", "0.0", "4294967296", "1e3", "99999999999999999999999", "\"0\"", "true"] {
        refused(mutex, "{\"i\":0,", &format!("{{\"i\":{number},"), "line");
    }
    for symbol in
        ["-1", "1.5", "4294967296", "\"0\"", "\"+\"", "\"+01\"", "\"+-1\"", "\"+4294967296\"", "\"@Home\"", "[]"]
    {
        assert!(replaced(mutex, "\"m\":[0]", &format!("\"m\":[{symbol}]")).is_err(), "{symbol}");
    }
    assert_eq!(replaced(mutex, "\"m\":[0]", "\"m\":[\"+7\"]"), Ok(()));
}

#[test]
fn names_are_those_of_the_system() {
    let mutex = &mutual_exclusion();
    refused(
        mutex,
        "\"startstates\":[\n\"Init\"",
        "\"startstates\":[\n\"Start\"",
        "element 0 is `Start` where the model has `Init`",
    );
    refused(
        mutex,
        "[\"Exit\",\"\"]",
        "[\"Exit\",\"a\"]",
        "element 2 is `Exit` in the case `a` where the model has `Exit`",
    );
    refused(mutex, "[\"Exit\",\"\"],\n", "", "element 2 is");
    refused(mutex, "\"MutualExclusion\"\n]", "\"Mutex\"\n]", "properties: element 0");
    refused(mutex, "\"cube\":0", "\"cube\":0,\"name\":\"x\"", "duplicate field");
    refused(mutex, "\"name\":\"Exit\"", "\"name\":\"Leave\"", "it is not `Leave`, but `Exit`");
    refused(mutex, "{\"rule\":2,\"name\"", "{\"rule\":9,\"name\"", "there is no such rule");
    refused(mutex, "[[\"n[]\",0],\"=\",\"C\"]", "[[\"m[]\",0],\"=\",\"C\"]", "there is no state variable \"m[]\"");
    refused(mutex, "[[\"n[]\",0],\"=\",\"C\"]", "[[\"n[]\",0],\"=\",\"D\"]", "there is no constant \"D\"");
    refused(mutex, "[[\"n[]\",0],\"=\",\"C\"]", "[[\"n[]\",\"+0\"],\"=\",\"C\"]", "no other element");
    refused(mutex, "[[\"n[]\",0],\"=\",\"C\"]", "[[\"n[]\",0],\"<\",\"C\"]", "unknown variant");
    refused(mutex, "[[\"n[]\",0],\"=\",\"C\"]", "[[],\"=\",\"C\"]", "a read starts with the name");
    refused(mutex, "{\"id\":1,", "{\"id\":2,", "`id` is 2");
    refused(mutex, "\"variables\":[\"NODE\"]", "\"variables\":[\"CELL\"]", "there is no index type \"CELL\"");
    refused(mutex, "\"relations\":52", "\"relations\":51", "counts: `relations` is 51 where the file has 52");
    refused(mutex, "\"implied\":", "\"implied\":1", "counts");
    // Named elements of the type that the place requires.
    let home = &home();
    refused(home, "\"@Home\"", "\"@Away\"", "there is no element \"Away\"");
    refused(home, "\"named\":[\"Home\"]", "\"named\":[]", "index_types");
    assert_eq!(replaced(home, "\"m\":[0]", "\"m\":[\"@Home\"]"), Ok(()));
}

/// The claim has to be that of the system.
#[test]
fn the_claim_is_that_of_the_system() {
    let home = claiming();
    let text = text_of(&home);
    for line in [
        "\"claim\":{\n\"any_size\":[{\"name\":\"NODE\",\"least\":1}],\n",
        "\"constants\":[{\"name\":\"N\",\"value\":\"3\"},{\"name\":\"LIMIT\",\"value\":\"-2\"}],\n",
        "\"finite_types\":[{\"name\":\"0..3\",\"size\":4},{\"name\":\"HUGE\",\"size\":4294967295}],\n",
        "\"assumptions\":[12,14],\n",
        "\"left_out\":[{\"kind\":\"liveness\",\"name\":\"progress\",\"code\":\"L012\"}]},\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert_eq!(replaced(&home, "\"N\"", "\"N\""), Ok(()));
    refused(
        &home,
        "\"least\":1",
        "\"least\":0",
        "claim.any_size: element 0 is `NODE` with any number of elements from 0 on where the",
    );
    refused(
        &home,
        "\"value\":\"-2\"",
        "\"value\":\"2\"",
        "claim.constants: element 1 is `LIMIT = 2` where the model has `LIMIT = -2`",
    );
    refused(
        &home,
        "\"size\":4}",
        "\"size\":5}",
        "claim.finite_types: element 0 is `0..3` of size 5 where the model has `0..3` of size 4",
    );
    refused(&home, "[12,14]", "[12]", "claim.assumptions: there is no element 1 where the model has line 14");
    refused(
        &home,
        "\"code\":\"L012\"",
        "\"code\":\"L013\"",
        "claim.left_out: element 0 is liveness `progress` (L013) where",
    );
    let changes = claim_changes(&text);
    assert!(changes.len() > 40, "{}", changes.len());
    for (what, changed) in changes {
        assert!(read(changed.as_bytes(), &home.system).is_err(), "{what}");
    }
}

#[test]
fn all_wrong_names_are_listed() {
    let example = mutual_exclusion();
    let text = text_of(&example).replace("\"C\"", "\"D\"");
    let Err(ReadError::Names(problems)) = read(text.as_bytes(), &example.system) else {
        panic!("it has to be refused");
    };
    let places: Vec<&str> = problems.iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(places, ["invariants[0]", "invariants[1]", "invariants[3]"]);
}

#[test]
fn deep_nesting_is_refused() {
    let example = switches();
    let text = text_of(&example);
    let depth = 100_000;
    let open = "\"split\":{\"on\":[\"mode\"],\"cases\":[{\"by\":[],";
    for deep in ["[".repeat(depth), open.repeat(depth), "{\"a\":".repeat(depth)] {
        let changed = text.replacen("\"by\":[]", &deep, 1);
        assert!(matches!(read(changed.as_bytes(), &example.system), Err(ReadError::Json { .. })));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read(&bytes, &mutual_exclusion().system).is_err());
    }

    #[test]
    fn no_damage_makes_it_panic(position in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let example = home();
        let mut bytes = text_of(&example).into_bytes();
        let position = position.index(bytes.len());
        if cut {
            bytes.remove(position);
        } else {
            bytes[position] = byte;
        }
        if let Ok(certificate) = read(&bytes, &example.system) {
            let _ = check(&example.system, &certificate, &model());
        }
    }
}

/// The keys of version 3.
#[test]
fn universal_parts_witnesses_and_axioms_are_read_as_they_are() {
    let lock = &kept_lock();
    assert!(text_of(lock).contains("\"version\":3,"));
    assert_eq!(replaced(lock, "\"version\":3", "\"version\":2"), Ok(()));
    refused(lock, "\"axioms\":[", "\"axioms\":[\"more\",", "axioms");
    refused(lock, "\"universals\":[", "\"universals\":[null,", "an object");
    refused(lock, "\"universals\":[", "\"universals\":null,\"others\":[", "line");
    refused(lock, "\"universals\":[{", "\"universals\":[{\"colour\":1,", "colour");
    refused(lock, "\"universals\":[{\"variables\":[\"NODE\"]", "\"universals\":[{\"variables\":[\"NOD\"]", "NOD");
    let witness = "{\"witness\":[0,[]],";
    refused(lock, witness, "{\"witness\":[0,[]],\"on\":[\"has[]\",0],", "one of `on`, `witness` and `bound`");
    refused(lock, witness, "{", "one of `on`, `witness` and `bound`");
    refused(lock, witness, "{\"witness\":null,", "line");
    refused(lock, witness, "{\"witness\":[0],", "line");
    refused(lock, witness, "{\"witness\":[0,[\"@NODE\"]],", "there is no element");
}

/// The literals and splits of version 4.
#[test]
fn bounds_are_read_as_they_are() {
    let lock = &ticket_lock();
    let text = text_of(lock);
    assert!(text.contains("\"version\":4,"));
    let bound = "[[\"ticket[]\",0],\"<=\",[\"serving\"],-1]";
    assert!(text.contains(bound), "{text}");
    let literal = |to: &str, words: &str| refused(lock, bound, to, words);
    let signs = "unknown variant `<`, expected one of `=`, `!=`, `<=`, `>=`";
    literal("[[\"ticket[]\",0],\"<\",[\"serving\"],-1]", signs);
    let parts = "expected a read, `=` or `!=`, and a value; or a read, `<=` or `>=`, a read or null, and a number";
    literal("[[\"ticket[]\",0],\"<=\",[\"serving\"]]", &format!("invalid length 3, {parts}"));
    literal("[[\"ticket[]\",0]]", &format!("invalid length 1, {parts}"));
    literal("{}", parts);
    literal("[[\"ticket[]\",0],\"<=\",[\"serving\"],-1,0]", "line");
    literal("[[\"ticket[]\",0],\"=\",[\"serving\"],0]", "line");
    literal("[[\"ticket[]\",0],\"<=\",\"Idle\",-1]", "invalid type: string \"Idle\", expected a sequence");
    literal("[[\"ticket[]\",0],\"<=\",0,-1]", "expected a sequence");
    literal("[[\"ticket[]\",0],\"<=\",[\"last\"],-1]", "there is no state variable \"last\"");
    literal("[null,\"<=\",[\"serving\"],-1]", "line");
    for number in
        ["1099511627777", "-1099511627777", "9223372036854775807", "9223372036854775808", "-9223372036854775808"]
    {
        literal(&format!("[[\"ticket[]\",0],\"<=\",[\"serving\"],{number}]"), "line");
    }
    for number in ["1.0", "1e2", "\"1\"", "null", "true", "-0", "[1]"] {
        literal(&format!("[[\"ticket[]\",0],\"<=\",[\"serving\"],{number}]"), "line");
    }
    for right in ["[\"serving\"],1099511627776", "null,-1099511627776", "[\"phase[]\",0],0", "[],0"] {
        let read = replaced(lock, bound, &format!("[[\"ticket[]\",0],\"<=\",{right}]"));
        assert_eq!(read.is_ok(), right != "[],0", "{right}: {read:?}");
    }
    let scales = &scales();
    let split = "{\"bound\":[[\"x\"],[\"y\"],-1],\"cases\"";
    assert_eq!(replaced(scales, split, "{\"bound\":[[\"z\"],null,7],\"cases\""), Ok(()));
    let split = |to: &str, words: &str| refused(scales, split, to, words);
    split("{\"bound\":[[\"x\"],[\"y\"]],\"cases\"", "invalid length 2");
    split("{\"bound\":[[\"x\"],[\"y\"],1099511627777],\"cases\"", "a number out of range");
    split("{\"bound\":[null,[\"y\"],0],\"cases\"", "line");
    split("{\"bound\":null,\"cases\"", "line");
    split("{\"bound\":[[\"x\"],[\"y\"],-1],\"on\":[\"p\"],\"cases\"", "one of `on`, `witness` and `bound`");
    split("{\"cases\"", "one of `on`, `witness` and `bound`");
}
