//! Any bytes go through the front-end: no panic, no hang, and what is read survives printing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use protocol::{Options, elaborate, parse, print};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (ast, errors) = parse(&text);
    let _ = elaborate(&ast, &Options::default());
    if errors.is_empty() {
        let printed = print(&ast);
        let (again, errors) = parse(&printed);
        assert!(errors.is_empty(), "{printed}");
        assert_eq!(print(&again), printed);
    }
});
