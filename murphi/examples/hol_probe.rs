use system::front_end::{FrontEnd, Settings};
use system::source::SourceDefinition;
fn show(c: &str, d: &SourceDefinition) {
    let head = std::iter::once(&d.name).chain(&d.arguments).map(String::as_str).collect::<Vec<_>>().join(" ");
    let eq = if c == "abbreviation" { "\\<equiv>" } else { "=" };
    println!("{c} {} :: \"{}\" where\n  \"{head} {eq}\n  {}\"", d.name, d.signature, d.term);
}
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(model) = murphi::Model::read(&text, &Settings::default()) else {
            eprintln!("{path}: unreadable");
            continue;
        };
        let stem = std::path::Path::new(&path).file_stem().unwrap().to_str().unwrap().to_owned();
        match model.source_program() {
            Ok(p) => {
                println!("theory {stem}_Program\n imports ParaProof_Murphi\nbegin");
                if !p.sizes.is_empty() {
                    println!(
                        "context fixes {}\nbegin",
                        p.sizes.iter().map(|s| format!("{} :: nat", s.name)).collect::<Vec<_>>().join(" and ")
                    );
                }
                for d in &p.names {
                    show("abbreviation", d);
                }
                for r in p.startstates.iter().chain(&p.rules) {
                    show("definition", &r.definition);
                }
                for r in &p.invariants {
                    show("definition", &r.definition);
                }
                show("definition", &p.program);
                if !p.sizes.is_empty() {
                    println!("end");
                }
                println!("end");
            }
            Err(e) => eprintln!("{path}: {e}"),
        }
    }
}
