//! Valid programs, made from bytes, go through the front-end, lowering and the first steps of execution.

#![no_main]

#[allow(unreachable_pub, dead_code)]
#[path = "../../protocol/tests/support/generate.rs"]
mod generate;

use libfuzzer_sys::fuzz_target;
use protocol::lower::{LowerOptions, lower};
use protocol::{Options, elaborate, parse, print};

fuzz_target!(|bytes: &[u8]| {
    let text = generate::program(bytes);
    let (ast, errors) = parse(&text);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let printed = print(&ast);
    assert_eq!(print(&parse(&printed).0), printed);
    let program = match elaborate(&ast, &Options::default()) {
        Ok(program) => program,
        Err(errors) => panic!("{errors:?}\n{text}"),
    };
    let _ = lower(&program, &LowerOptions::default());
});
