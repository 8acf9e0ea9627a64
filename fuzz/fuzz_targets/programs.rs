//! Runs valid programs, made from bytes, through the front-end, execution and lowering, which must agree about them.

#![no_main]

#[allow(unreachable_pub, dead_code)]
#[path = "../../murphi/tests/support/agree.rs"]
mod agree;
#[allow(unreachable_pub, dead_code)]
#[path = "../../murphi/tests/support/generate.rs"]
mod generate;
#[allow(unreachable_pub)]
#[path = "../../murphi/tests/support/shape.rs"]
mod shape;
#[allow(unreachable_pub)]
#[path = "../../murphi/tests/support/whole.rs"]
mod whole;

use generate::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let reader = [Reader::Everybody, Reader::CMurphi, Reader::Ours][usize::from(*first) % 3];
    whole::run(rest, reader);
});
