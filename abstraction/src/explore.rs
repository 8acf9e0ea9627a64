//! Explores abstract models with a front-end that reads their text.
//!
//! The text itself is explored, not the data that it was made from: rumur and CMurphi read the same text, so a mistake
//! in writing it must show here. If the front-end refuses the text, this crate is at fault; the answer is then unknown.

use system::front_end::{FrontEnd, InstanceSettings, Limits, Outcome, Settings, Symmetry, line_column};

use super::{Instance, Verdict};

/// Explores a model; `F` is the front-end for its text.
pub fn explore<F: FrontEnd>(asked: &Instance<'_>, limits: &Limits, go_on: &dyn Fn() -> bool) -> Verdict {
    let model = match F::read(asked.text, &Settings::default()) {
        Ok(model) => model,
        Err(errors) => {
            let first = errors.first().map(|error| {
                let start = error.labels.first().map_or(0, |label| label.span.start);
                format!("{} in line {}", error.message, line_column(asked.text, start).0)
            });
            return Verdict::Unknown(format!("its text is refused: {}", first.unwrap_or_default()));
        }
    };
    let symmetry = Symmetry::Given(asked.symmetric.to_vec());
    let mut instance = match model.instance(&InstanceSettings { sizes: None, symmetry }) {
        Ok(instance) => instance,
        Err(error) => return Verdict::Unknown(error.to_string()),
    };
    let exploration = instance.explore(limits, &mut |_| go_on());
    match exploration.outcome {
        Outcome::Complete => Verdict::Holds { states: exploration.states },
        Outcome::Violated(_) | Outcome::Error(_) => match instance.trace() {
            Some(executed) => Verdict::Fails(executed.trace),
            None => Verdict::Unknown("a startstate meets an error".to_owned()),
        },
        Outcome::Stopped(limit) => Verdict::Unknown(format!("stopped after {} states ({limit:?})", exploration.states)),
    }
}
