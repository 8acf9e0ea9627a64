//! `simulate`: the explicit instance, with the exact meaning of Murphi.

use std::time::Instant;

use proofgen::trace;
use serde_json::{Value, json};
use system::front_end::{
    Diagnostic, Exploration, InstanceError, InstanceSettings, Limits, Outcome as Explored, RUN_ERROR, Span, Symmetry,
    Trace, Unmet,
};

use crate::arguments::SimulateArguments;
use crate::files;
use crate::limits::Watchdog;
use crate::model::{Model, Reported};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::resources::peak_memory_bytes;
use crate::terminal;

pub(super) fn run(arguments: &SimulateArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    let model = Model::read(&arguments.model.path, &arguments.model.settings, watch)?;
    if let Some(path) = &arguments.replay {
        return run_replay(&model, path, arguments.json, watch);
    }
    model.tell_warnings();
    watch.doing("making the instance");
    let symmetry = if arguments.no_symmetry { Symmetry::None } else { Symmetry::Found };
    let instance = model.front_end.instance(&InstanceSettings { sizes: None, symmetry });
    let mut instance = match instance {
        Ok(instance) => instance,
        Err(InstanceError::Refused(diagnostic)) => {
            model.report(&[diagnostic]);
            return Err(Reported.into());
        }
        Err(error @ InstanceError::NoSuchSizes) => return Err(error.into()),
    };
    // Where lowering was stopped, the instance lacks the symmetry that it finds, and would have other states.
    watch.ask()?;
    let ordered = instance.ordered();
    watch.doing("exploring the instance");
    let mut progress = Progress::new(arguments.quiet);
    let limits = Limits {
        max_states: arguments.max_states.unwrap_or(u64::MAX),
        max_depth: arguments.max_depth.unwrap_or(u32::MAX),
        ..Limits::default()
    };
    let started = Instant::now();
    let exploration = progress.stage("explore", |stage| {
        instance.explore(&limits, &mut |figures| {
            stage.update(|| format!("{} states, depth {}", figures.states, figures.depth));
            watch.go_on()
        })
    });
    let seconds = started.elapsed().as_secs_f64();
    let verdict = verdict(&exploration);
    let trace = instance.trace().map(|executed| executed.trace);
    watch.finish();
    if arguments.json {
        let mut object = figures(&exploration, seconds, verdict.1);
        if let Some(object) = object.as_object_mut() {
            let names: Vec<&str> = ordered.iter().map(|(name, _)| name.as_str()).collect();
            object.insert("ordered".to_owned(), names.into());
            object.extend(trace.iter().map(|trace| ("trace".to_owned(), trace::value(trace))));
        }
        terminal::print_object(object)?;
    } else {
        terminal::print(&text(&exploration, &model.name, seconds, verdict.1))?;
        for (name, line) in &ordered {
            terminal::print(&format!(
                "  elements of {name} are not permuted, since line {line} depends on their order\n"
            ))?;
        }
        if let Some(origin) = &exploration.order_matters {
            let line = origin.line;
            terminal::print(&format!(
                "  no elements are permuted, since line {line} fails in some orders of them only\n"
            ))?;
        }
        terminal::print(&unmet_text(&exploration.unmet))?;
        if let Some(trace) = &trace {
            terminal::print(&trace::text(trace))?;
        }
    }
    if let Some((span, message, help)) = fault(&exploration.outcome) {
        let help = help.cloned();
        model.report(&[Diagnostic { help, ..Diagnostic::error(RUN_ERROR, span, message) }]);
    }
    Ok(verdict.0)
}

fn unmet_text(unmet: &Unmet) -> String {
    let mut text = String::new();
    for name in &unmet.never_covered {
        text.push_str(&format!("  {name}: no reachable state satisfies it\n"));
    }
    for name in &unmet.never_met {
        text.push_str(&format!("  {name}: no execution comes there while it is true\n"));
    }
    for name in &unmet.not_checked {
        text.push_str(&format!("  {name}: not checked, since it is about executions and not about states\n"));
    }
    text
}

fn verdict(exploration: &Exploration) -> (Outcome, &'static str) {
    let unmet = &exploration.unmet;
    match &exploration.outcome {
        Explored::Complete if !unmet.never_covered.is_empty() || !unmet.never_met.is_empty() => {
            (Outcome::Violated, "violated")
        }
        Explored::Complete => (Outcome::Good, "holds"),
        Explored::Violated(_) => (Outcome::Violated, "violated"),
        Explored::Error(_) => (Outcome::Violated, "error"),
        Explored::Stopped(_) => (Outcome::Inconclusive, "stopped"),
    }
}

/// What the execution of a statement says, if it ended the exploration, where the statement is, and what may help.
fn fault(outcome: &Explored) -> Option<(Span, &str, Option<&String>)> {
    match outcome {
        Explored::Violated(failure) => Some((Span::from(&failure.origin), failure.message.as_deref()?, None)),
        Explored::Error(error) => Some((Span::from(&error.origin), &error.message, error.help.as_ref())),
        Explored::Complete | Explored::Stopped(_) => None,
    }
}

fn figures(exploration: &Exploration, seconds: f64, verdict: &str) -> Value {
    let unmet = &exploration.unmet;
    let never_covered = [unmet.never_covered.as_slice(), &unmet.never_met].concat();
    json!({
        "states": exploration.states,
        "rules_fired": exploration.rules_fired,
        "depth": exploration.depth,
        "deadlocks": {
            "no_rule_enabled": exploration.no_rule_enabled,
            "no_rule_changes_the_state": exploration.no_rule_changes,
        },
        "never_covered": never_covered,
        "not_checked": unmet.not_checked,
        "symmetry": exploration.symmetry,
        "verdict": verdict,
        "seconds": seconds,
        "peak_memory_bytes": peak_memory_bytes(),
    })
}

fn text(exploration: &Exploration, name: &str, seconds: f64, verdict: &str) -> String {
    let symmetry = if exploration.symmetry { "up to permutations" } else { "each counted" };
    let mut text = format!(
        "{name}: {verdict}\n  {} states ({symmetry}), {} rules fired, depth {}\n  deadlocks: {} states enable no rule, \
         {} states are changed by no rule\n  {seconds:.2} s\n",
        exploration.states,
        exploration.rules_fired,
        exploration.depth,
        exploration.no_rule_enabled,
        exploration.no_rule_changes,
    );
    if exploration.states == 0 && matches!(exploration.outcome, Explored::Complete) {
        text.push_str("  there is no initial state: an assumption excludes each, so that everything holds\n");
    }
    if !exploration.silent_rules.is_empty() && matches!(exploration.outcome, Explored::Complete) {
        text.push_str(&format!("  rules that never fire here: {}\n", exploration.silent_rules.join(", ")));
    }
    text
}

fn run_replay(model: &Model, path: &std::path::Path, as_json: bool, watch: &Watchdog) -> anyhow::Result<Outcome> {
    let bytes = files::read_certificate(path)?;
    let trace: Trace = serde_json::from_slice(&bytes)
        .map_err(|error| anyhow::anyhow!("{}: this is no trace: {error}", files::show(path)))?;
    let again = model.front_end.replay(&trace)?;
    watch.finish();
    let text = if as_json { trace::json(&again.trace) } else { trace::text(&again.trace) };
    terminal::print(&text)?;
    Ok(if again.is_wrong { Outcome::Violated } else { Outcome::Good })
}
