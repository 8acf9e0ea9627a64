//! Runs arbitrary bytes through the front-end: nothing panics or hangs, and what parses survives printing.

#![no_main]

#[allow(unreachable_pub)]
#[path = "../../murphi/tests/support/shape.rs"]
mod shape;

use libfuzzer_sys::fuzz_target;
use murphi::lower::{LowerOptions, lower};
use murphi::{Options, elaborate, lint, parse, print};

/// A number of steps small enough to finish any text quickly.
const STEPS: u64 = 20_000;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (ast, errors) = parse(&text);
    for label in errors.iter().flat_map(|error| &error.labels) {
        assert!(label.span.start <= label.span.end && label.span.end as usize <= text.len());
    }
    let program = elaborate(&ast, &Options::default());
    if errors.is_empty() {
        let printed = print(&ast);
        let (again, errors) = parse(&printed);
        assert!(errors.is_empty(), "{errors:?}\n{printed}");
        assert_eq!(shape::shape(&again), shape::shape(&ast), "{printed}");
        if let Ok(program) = program {
            let _ = lint(&program);
            let _ = lower(&program, &LowerOptions { most_steps: Some(STEPS), ..LowerOptions::default() });
        }
    }
});
