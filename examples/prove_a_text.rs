//! Proves a protocol with the crates as libraries, without the command: reads a model text, searches for a proof, writes
//! and checks its certificate, and prints the invariants.
//!
//! ```text
//! cargo run --example prove_a_text                          # a lock that is in this file
//! cargo run --example prove_a_text -- models/mutualex.m     # another model
//! ```

#![allow(clippy::print_stdout, reason = "printing is what the example is for")]

use std::error::Error;

use paraproof::certificate::{self, Model as Identity};
use paraproof::invfinder::{Header, Limits, Verdict, prove};
use paraproof::murphi;
use paraproof::system::front_end::{FrontEnd, Settings};
use paraproof::system::notation::Notation;
use paraproof::system::scope::Scope;

/// Any number of nodes take turns with one lock.
const LOCK: &str = r#"
type NODE : scalarset(3);
var
  free : boolean;
  holds : array [NODE] of boolean;

startstate "start"
  free := true;
  for i : NODE do holds[i] := false end;
end;

ruleset i : NODE do
  rule "acquire" free ==> free := false; holds[i] := true; end;
  rule "release" holds[i] ==> free := true; holds[i] := false; end;
end;

invariant "exclusive"
  forall i : NODE do forall j : NODE do i != j -> !(holds[i] & holds[j]) end end;
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => LOCK.to_owned(),
    };

    // A front-end makes a system of the text. What is wrong with the text is data, with places in it.
    let findings = |findings: Vec<murphi::diagnostics::Diagnostic>| {
        let lines = findings.iter().map(|finding| format!("{}: {}", finding.code, finding.message));
        lines.collect::<Vec<_>>().join("\n")
    };
    let model = murphi::Model::read(&text, &Settings::default()).map_err(findings)?;
    let system = model.lower().map_err(findings)?.system;

    // The search is not trusted. A certificate names the model by a digest, which is for the caller to choose.
    let header = Header { model_digest: "an example".to_owned(), settings: Vec::new() };
    let (verdict, _) = prove(system, &header, &Limits::default(), &mut |_| true);
    let found = match verdict {
        Verdict::Proven(found) => found,
        Verdict::Violated(violation) => {
            let property = &system.properties[violation.property.index()].name;
            return Err(format!("'{property}' is violated after {} steps", violation.steps.len()).into());
        }
        Verdict::Inconclusive(reason) => return Err(reason.to_string().into()),
    };

    // What is checked is what a stranger would check: the bytes of the certificate.
    let bytes = certificate::write(&found, system);
    let read = certificate::read(bytes.as_bytes(), system)?;
    let identity = Identity { digest: "an example".to_owned(), settings: Vec::new() };
    let checked = certificate::check(system, &read, &identity)
        .map_err(|faults| format!("the certificate is rejected: {} faults", faults.len()))?;

    println!("{}", Scope::of(checked.system()).proven());
    let notation = Notation::new(checked.system());
    for (number, invariant) in checked.certificate().invariants.iter().enumerate() {
        let names = notation.names(&invariant.cube.variables);
        println!("{number}: {}", notation.invariant(&invariant.cube, &names));
    }
    Ok(())
}
