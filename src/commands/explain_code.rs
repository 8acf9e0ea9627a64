//! `explain-code`: what a code of a diagnostic means.

use crate::arguments::ExplainCodeArguments;
use crate::codes;
use crate::model::likely;
use crate::outcome::Outcome;
use crate::terminal;

pub(super) fn run(arguments: &ExplainCodeArguments) -> anyhow::Result<Outcome> {
    let code = arguments.code.as_str();
    let Some(found) = codes::section(code) else {
        let likely = likely(&code.to_ascii_uppercase(), codes::all().map(|section| section.code));
        anyhow::bail!(
            "{code}: there is no such code; {likely}diagnostics show theirs in brackets, as in `error[P001]`"
        );
    };
    terminal::print(&format!("{}: {}\n\n{}\n", found.code, found.title, found.text))?;
    Ok(Outcome::Good)
}
