//! `simulate`: the explicit instance, with the exact meaning of Murphi.

use std::time::Instant;

use murphi::diagnostics::Diagnostic;
use murphi::exec::{BuildError, Fault};
use murphi::instance::{Ending, Exploration, Instance, Limits, Outcome as Explored, replay};
use murphi::program::{Program, Property, PropertyKind, Span};
use serde_json::{Value, json};

use crate::arguments::SimulateArguments;
use crate::files;
use crate::instance::{build, ordered, steps, told, without_symmetry};
use crate::model::{Model, Reported};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::resources::peak_memory_bytes;
use crate::terminal;
use crate::watch::Watch;

pub(super) fn run(arguments: &SimulateArguments, watch: &Watch) -> anyhow::Result<Outcome> {
    let model = Model::read(&arguments.model.path, &arguments.model.settings, watch)?;
    if let Some(path) = &arguments.replay {
        return run_replay(&model, path, arguments.json, watch);
    }
    model.tell_warnings();
    watch.doing("making the instance");
    let instance =
        if arguments.no_symmetry { without_symmetry(&model.program) } else { build(&model.program, model.options()) };
    let instance = match instance {
        Ok(instance) => instance,
        Err(error) => {
            model.report(&[Diagnostic::error(BuildError::CODE, error.span, error.to_string())]);
            return Err(Reported.into());
        }
    };
    // Where lowering was stopped, the instance lacks the symmetry that it finds, and would have other states.
    watch.ask()?;
    let ordered = if arguments.no_symmetry { Vec::new() } else { ordered(&model.program, model.options()) };
    watch.ask()?;
    watch.doing("exploring the instance");
    let mut progress = Progress::new(arguments.quiet);
    let limits = Limits {
        max_states: arguments.max_states.unwrap_or(u64::MAX),
        max_depth: arguments.max_depth.unwrap_or(u32::MAX),
        ..Limits::default()
    };
    let started = Instant::now();
    let exploration = progress.stage("explore", |stage| {
        instance.explore(&limits, !arguments.no_symmetry, &mut |figures| {
            stage.update(|| format!("{} states, depth {}", figures.states, figures.depth));
            watch.go_on()
        })
    });
    let seconds = started.elapsed().as_secs_f64();
    let unmet = Unmet::of(&instance, &exploration);
    let verdict = verdict(&model.program, &exploration.outcome, &unmet);
    let trace = instance.counterexample(&exploration).map(|executed| told(&instance, &executed));
    watch.finish();
    if arguments.json {
        let mut object = figures(&exploration, &unmet, seconds, verdict.1);
        if let Some(object) = object.as_object_mut() {
            let names: Vec<&str> = ordered.iter().map(|(name, _)| name.as_str()).collect();
            object.insert("ordered".to_owned(), names.into());
            object.extend(trace.iter().map(|trace| ("trace".to_owned(), trace.value())));
        }
        terminal::print(&format!("{object}\n"))?;
    } else {
        terminal::print(&text(&instance, &exploration, &model.name, seconds, verdict.1))?;
        for (name, line) in &ordered {
            terminal::print(&format!(
                "  elements of {name} are not permuted, since line {line} depends on their order\n"
            ))?;
        }
        if let Some(span) = exploration.ordered {
            let line = model.program.origin(span).line;
            terminal::print(&format!(
                "  no elements are permuted, since line {line} fails in some orders of them only\n"
            ))?;
        }
        terminal::print(&unmet.text())?;
        if let Some(trace) = &trace {
            terminal::print(&trace.text())?;
        }
    }
    if let Some(fault) = fault(&exploration.outcome) {
        model.report(&[Diagnostic::error(Fault::CODE, fault.span, fault.kind.to_string())]);
    }
    Ok(verdict.0)
}

/// What rumur's other kinds of properties come to.
struct Unmet {
    /// Each `cover` that no state of the whole instance satisfies.
    never_covered: Vec<String>,
    /// Each `cover` among statements to which no execution of the whole instance comes while its condition holds.
    never_met: Vec<String>,
    /// Each `liveness`: it is about executions, and is not checked.
    not_checked: Vec<String>,
}

impl Unmet {
    fn of(instance: &Instance, exploration: &Exploration) -> Self {
        let program = instance.machine().program();
        let called = |kind: &str, name: Option<&str>, span: Span| {
            let line = program.origin(span).line;
            let name = name.map(|name| format!(" \"{name}\"")).unwrap_or_default();
            format!("{kind}{name} (line {line})")
        };
        let of_property = |kind: &str, property: &Property| called(kind, property.name.as_deref(), property.span);
        let mut unmet = Self { never_covered: Vec::new(), never_met: Vec::new(), not_checked: Vec::new() };
        // One in a ruleset is satisfied with any value, as in rumur; with symmetry, no other reading could be told.
        let entries = || instance.machine().properties().iter().zip(&exploration.covered);
        for (position, property) in program.properties.iter().enumerate() {
            let covered = entries().any(|(entry, &covered)| entry.property == position && covered);
            if property.kind == PropertyKind::Cover && !covered && exploration.outcome == Explored::Complete {
                unmet.never_covered.push(of_property("cover", property));
            }
        }
        for ((name, span), &covered) in program.cover_statements().into_iter().zip(&exploration.covered_statements) {
            if !covered && exploration.outcome == Explored::Complete {
                unmet.never_met.push(called("cover", name, span));
            }
        }
        let liveness = program.properties.iter().filter(|property| property.kind == PropertyKind::Liveness);
        unmet.not_checked.extend(liveness.map(|property| of_property("liveness", property)));
        unmet
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for name in &self.never_covered {
            text.push_str(&format!("  {name}: no reachable state satisfies it\n"));
        }
        for name in &self.never_met {
            text.push_str(&format!("  {name}: no execution comes there while it is true\n"));
        }
        for name in &self.not_checked {
            text.push_str(&format!("  {name}: not checked, since it is about executions and not about states\n"));
        }
        text
    }
}

fn verdict(program: &Program, outcome: &Explored, unmet: &Unmet) -> (Outcome, &'static str) {
    match outcome {
        Explored::Complete if !unmet.never_covered.is_empty() || !unmet.never_met.is_empty() => {
            (Outcome::Violated, "violated")
        }
        Explored::Complete => (Outcome::Good, "holds"),
        Explored::Violated { .. } => (Outcome::Violated, "violated"),
        Explored::PropertyFault { fault, .. }
        | Explored::RuleFault { fault, .. }
        | Explored::StartFault { fault, .. } => {
            let is_property = fault.assertion(program).is_some();
            (Outcome::Violated, if is_property { "violated" } else { "error" })
        }
        Explored::Stopped(_) => (Outcome::Inconclusive, "stopped"),
    }
}

/// The run-time error, if there is one.
fn fault(outcome: &Explored) -> Option<&Fault> {
    match outcome {
        Explored::PropertyFault { fault, .. }
        | Explored::RuleFault { fault, .. }
        | Explored::StartFault { fault, .. } => Some(fault),
        Explored::Complete | Explored::Violated { .. } | Explored::Stopped(_) => None,
    }
}

fn figures(exploration: &Exploration, unmet: &Unmet, seconds: f64, verdict: &str) -> Value {
    let never_covered = [unmet.never_covered.as_slice(), &unmet.never_met].concat();
    json!({
        "states": exploration.states(),
        "rules_fired": exploration.rules_fired,
        "depth": exploration.depth(),
        "deadlocks": {
            "no_rule_enabled": exploration.deadlocks.none_enabled,
            "no_rule_changes_the_state": exploration.deadlocks.none_changes,
        },
        "never_covered": never_covered,
        "not_checked": unmet.not_checked,
        "symmetry": exploration.symmetry,
        "verdict": verdict,
        "seconds": seconds,
        "peak_memory_bytes": peak_memory_bytes(),
    })
}

fn text(instance: &Instance, exploration: &Exploration, name: &str, seconds: f64, verdict: &str) -> String {
    let machine = instance.machine();
    let mut dead: Vec<String> = Vec::new();
    for rule in 0..machine.program().rules.len() {
        let fired =
            machine.rules().iter().zip(&exploration.fired).any(|(entry, &fired)| entry.rule == rule && fired > 0);
        if !fired {
            dead.push(machine.rule_name(rule));
        }
    }
    let symmetry = if exploration.symmetry { "up to permutations" } else { "each counted" };
    let mut text = format!(
        "{name}: {verdict}\n  {} states ({symmetry}), {} rules fired, depth {}\n  deadlocks: {} states enable no rule, \
         {} states are changed by no rule\n  {seconds:.2} s\n",
        exploration.states(),
        exploration.rules_fired,
        exploration.depth(),
        exploration.deadlocks.none_enabled,
        exploration.deadlocks.none_changes,
    );
    if !dead.is_empty() && exploration.outcome == Explored::Complete {
        text.push_str(&format!("  rules that never fire here: {}\n", dead.join(", ")));
    }
    text
}

fn run_replay(model: &Model, path: &std::path::Path, as_json: bool, watch: &Watch) -> anyhow::Result<Outcome> {
    let bytes = files::read_certificate(path)?;
    let trace: proofgen::trace::Trace = serde_json::from_slice(&bytes)
        .map_err(|error| anyhow::anyhow!("{}: this is no trace: {error}", files::show(path)))?;
    // A trace says for which values of the constants it runs.
    let program = model.of_instance(&trace.constants);
    let instance = without_symmetry(program.as_ref().unwrap_or(&model.program))?;
    let executed = replay(&instance, &steps(&trace))?;
    let again = told(&instance, &executed);
    watch.finish();
    if as_json {
        terminal::print(&again.json())?;
    } else {
        terminal::print(&again.text())?;
    }
    Ok(match executed.ending {
        Ending::None => Outcome::Good,
        Ending::Property(_) | Ending::Rule(_) | Ending::Start(_) => Outcome::Violated,
    })
}
