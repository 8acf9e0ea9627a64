//! The examples in `docs/diagnostics.md`.

use std::path::Path;

/// A section of the document.
#[derive(Debug, Default)]
pub(crate) struct Section {
    pub(crate) code: String,
    pub(crate) settings: String,
    pub(crate) example: String,
    pub(crate) message: String,
}

/// Returns the text of the document.
pub(crate) fn document() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md");
    std::fs::read_to_string(path).expect("the document is in the repository").replace("\r\n", "\n")
}

/// Returns the sections of the document, in order.
pub(crate) fn sections(document: &str) -> Vec<Section> {
    let heading = |line: &str| line.strip_prefix("## ").and_then(|rest| rest.split(':').next()).map(str::to_owned);
    let mut sections: Vec<Section> = Vec::new();
    let mut in_example = false;
    for line in document.lines() {
        if let Some(code) = heading(line).filter(|_| !in_example) {
            sections.push(Section { code, ..Section::default() });
        }
        let Some(section) = sections.last_mut() else { continue };
        if let Some(settings) = line.strip_prefix("```murphi").or_else(|| line.strip_prefix("```cubicle")) {
            in_example = true;
            settings.trim().clone_into(&mut section.settings);
        } else if line == "```" {
            in_example = false;
        } else if in_example {
            section.example.push_str(line);
            section.example.push('\n');
        } else if let Some(message) = line.strip_prefix("> ") {
            message.clone_into(&mut section.message);
        }
    }
    sections
}
