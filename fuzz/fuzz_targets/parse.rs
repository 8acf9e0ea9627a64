//! Any bytes go through the front-end: no panic, no hang, and what is read survives printing.

#![no_main]

#[allow(unreachable_pub)]
#[path = "../../protocol/tests/support/shape.rs"]
mod shape;

use libfuzzer_sys::fuzz_target;
use murphi::lower::{LowerOptions, lower};
use murphi::{Options, elaborate, lint, parse, print};

/// So few steps that a text is done with in a moment.
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
