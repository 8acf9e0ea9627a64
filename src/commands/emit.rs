//! `emit`: what people and other tools read, from a certificate that is checked first.

use std::collections::BTreeSet;
use std::path::Path;

use certificate::CheckedCertificate;
use murphi::diagnostics::Diagnostic;
use murphi::exec::Fault;
use murphi::instance::{Ending, Exploration, Instance, Limits, Outcome as Explored};
use murphi::lower::Lowered;
use murphi::program::Span;
use proofgen::cmp;
use proofgen::explain::ExplainError;
use proofgen::isabelle::{self, Evaluate, Style};
use proofgen::report::{self, Facts, RuntimeError, Seen};
use proofgen::table::{GroupBy, Options, Table, names_a_variable};
use proofgen::trace::Trace;
use system::System;
use system::{LeftOut, Origin};

use super::{checked, read_certificate};
use crate::arguments::{
    CmpArguments, CmpStyle, EmitArguments, EmitCommand, Evaluation, Grouping, IsabelleArguments, ProofStyle,
    TableArguments,
};
use crate::explorer;
use crate::files::{self, OutputFolder};
use crate::instance::{Wrong, build, told, wrong};
use crate::interrupt;
use crate::model::Model;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::terminal;
use crate::watch::Watch;

pub(super) fn run(arguments: &EmitArguments, watch: &Watch) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    let common = arguments.what.common();
    let mut folder = OutputFolder::create(&common.out)?;
    let figures = match fill(&mut folder, arguments, common, watch) {
        Ok(figures) => figures,
        Err(error) => {
            folder.discard();
            return Err(error);
        }
    };
    watch.finish();
    folder.publish(Vec::new())?;
    terminal::print(&figures)?;
    Ok(Outcome::Good)
}

fn fill(
    folder: &mut OutputFolder,
    arguments: &EmitArguments,
    common: &crate::arguments::EmitCommon,
    watch: &Watch,
) -> anyhow::Result<String> {
    let model = Model::read(&common.model.path, &common.model.settings, watch)?;
    let lowered = model.lower(watch)?;
    let certificate = read_certificate(&common.certificate, &lowered.system)?;
    let name = files::show(&common.certificate);
    let checked = checked(&lowered.system, &certificate, &model, &name, watch)?;
    watch.doing("writing the results");
    match &arguments.what {
        EmitCommand::Isabelle(isabelle) => {
            add_isabelle(folder, Path::new(""), &checked, &model.stem, style(isabelle))?;
        }
        EmitCommand::Table(table) => add_tables(folder, &checked, &options(table, &lowered.system)?)?,
        EmitCommand::Cmp(cmp) => return add_cmp(folder, cmp, &checked, &model, &lowered, watch),
        EmitCommand::Report(_) => {
            let Shown { seen: instance, failed } = fitting(&model, &lowered, &|| watch.go_on());
            let violated = match failed {
                None => None,
                Some(Failed::LeftOut(trace)) => {
                    terminal::note(&format!("{}: {}", model.name, report::violated(&trace)));
                    Some(*trace)
                }
                Some(Failed::Contradiction(text)) => anyhow::bail!(text),
            };
            let commands = vec![check_again(&name, &model)];
            add_report(folder, &checked, &Facts { model: model.stem.clone(), instance, violated, commands })?;
        }
    }
    watch.ask()?;
    Ok(String::new())
}

fn style(arguments: &IsabelleArguments) -> Style {
    match (arguments.style, arguments.evaluate) {
        (ProofStyle::Lemmas, _) => Style::Lemmas,
        (ProofStyle::Computed, Evaluation::Kernel) => Style::Computed(Evaluate::Kernel),
        (ProofStyle::Computed, Evaluation::CodeSimp) => Style::Computed(Evaluate::CodeSimp),
        (ProofStyle::Computed, Evaluation::Eval) => Style::Computed(Evaluate::Eval),
    }
}

/// What tables show; a name that no state variable has is a slip, and no reason for empty tables.
fn options(table: &TableArguments, system: &System) -> Result<Options, ExplainError> {
    if let Some(only) = &table.only
        && !names_a_variable(system, only)
    {
        return Err(ExplainError::Variable(only.clone()));
    }
    let group_by = match table.group_by {
        Grouping::Variable => GroupBy::Variable,
        Grouping::Property => GroupBy::Property,
        Grouping::Number => GroupBy::Number,
    };
    Ok(Options { group_by, only: table.only.clone() })
}

/// The files of `emit isabelle`, in a folder within the folder.
pub(super) fn add_isabelle(
    folder: &mut OutputFolder,
    within: &Path,
    checked: &CheckedCertificate<'_>,
    name: &str,
    style: Style,
) -> anyhow::Result<()> {
    for (file, text) in isabelle::emit(checked, name, style)? {
        folder.add(&within.join(file), text.as_bytes())?;
    }
    Ok(())
}

/// The files of `emit table`.
pub(super) fn add_tables(
    folder: &mut OutputFolder,
    checked: &CheckedCertificate<'_>,
    options: &Options,
) -> anyhow::Result<()> {
    let table = Table::read(checked, options);
    let files = [
        ("invariants.md", table.markdown()),
        ("invariants.csv", table.invariants_csv()),
        ("relations.csv", table.relations_csv()),
        ("invariants.json", table.json()),
        ("invariants.tex", table.latex()),
        ("invariants.m", table.murphi()),
    ];
    for (name, text) in files {
        folder.add(Path::new(name), text.as_bytes())?;
    }
    Ok(())
}

/// The files of `emit cmp`; the text says what it came to.
fn add_cmp(
    folder: &mut OutputFolder,
    arguments: &CmpArguments,
    checked: &CheckedCertificate<'_>,
    model: &Model,
    lowered: &Lowered,
    watch: &Watch,
) -> anyhow::Result<String> {
    if arguments.invariants_only {
        folder.add(Path::new("invariants.m"), cmp::invariant_blocks(checked).as_bytes())?;
        return Ok(String::new());
    }
    let style = match arguments.style {
        CmpStyle::Ranges => cmp::Style::Ranges,
        CmpStyle::Chou => cmp::Style::Chou,
    };
    let options = cmp::Options { nodes: arguments.nodes, all: arguments.all, style, weaker: false };
    let limits = Limits { max_states: arguments.max_states.unwrap_or(u64::MAX), ..Limits::default() };
    let output = Progress::new(false).stage("strengthen", |stage| {
        let mut explored = 0_u32;
        cmp::emit(checked, &model.program, lowered, &options, &mut |instance| {
            explored += 1;
            stage.update(|| format!("abstract model {explored}"));
            explorer::explore(instance, &limits, &|| watch.go_on())
        })
    });
    // What was refused may be so only because it was stopped.
    watch.ask()?;
    let output = output?;
    folder.add(Path::new(&format!("{}_abs.m", model.stem)), output.model.as_bytes())?;
    folder.add(Path::new("strengthening.json"), output.json.as_bytes())?;
    folder.add(Path::new("strengthening.md"), output.markdown.as_bytes())?;
    if arguments.lemmas {
        folder.add(Path::new("lemmas.m"), output.lemmas.as_bytes())?;
    }
    Ok(format!("{}: {}\n", model.name, output.figures))
}

/// The file of `emit report`.
pub(super) fn add_report(
    folder: &mut OutputFolder,
    checked: &CheckedCertificate<'_>,
    facts: &Facts,
) -> anyhow::Result<()> {
    let table = Table::read(checked, &Options::default());
    Ok(folder.add(Path::new("report.html"), report::html(&table, facts)?.as_bytes())?)
}

/// States of an instance that are explored to find out which rules never fire.
const SEEN_STATES: u64 = 100_000;

/// What an instance shows when the statements of the model are executed; nothing where there is no such instance. A model
/// whose types have no names is taken as it is.
///
/// What goes wrong in it is left in `met`.
fn seen(
    model: &Model,
    lowered: &Lowered,
    sizes: &[(String, u64)],
    max_states: u64,
    go_on: &dyn Fn() -> bool,
    met: &mut Met,
) -> Option<Seen> {
    let numbers: Vec<u64> = sizes.iter().map(|(_, size)| *size).collect();
    let other = model.at_sizes(lowered, &numbers);
    let sizes = if other.is_some() { sizes.to_vec() } else { Vec::new() };
    let instance = build(other.as_ref().unwrap_or(&model.program), model.options()).ok()?;
    let limits = Limits { max_states, ..Limits::default() };
    let exploration = instance.explore(&limits, true, &mut |_| go_on());
    if exploration.outcome != Explored::Complete {
        met.note(&instance, &exploration, &sizes);
        return Some(Seen { sizes, ..Seen::default() });
    }
    let machine = instance.machine();
    let fired = machine.rules().iter().zip(&exploration.fired).filter(|(_, count)| **count > 0);
    let fired: BTreeSet<usize> = fired.map(|(rule, _)| rule.rule).collect();
    let dead = (0..machine.program().rules.len()).filter(|rule| !fired.contains(rule));
    let dead_rules = Some(dead.map(|rule| machine.rule_name(rule)).collect());
    Some(Seen { sizes, states: Some(exploration.states()), dead_rules, runtime_errors: Vec::new() })
}

/// What goes wrong in the instances that were looked at.
#[derive(Default)]
struct Met {
    /// Errors at run time, each with its place.
    errors: Vec<(RuntimeError, Span)>,
    /// The first of the model's own statements that does not hold.
    failed: Option<(String, Origin, Option<Trace>)>,
}

impl Met {
    fn note(&mut self, instance: &Instance, exploration: &Exploration, sizes: &[(String, u64)]) {
        match wrong(instance, &exploration.outcome, sizes) {
            None => {}
            // The same error in a larger instance is no other one.
            Some(Wrong::Error(_, span)) if self.errors.iter().any(|(_, known)| *known == span) => {}
            Some(Wrong::Error(error, span)) => self.errors.push((error, span)),
            Some(Wrong::Property { name, span }) => {
                let executed = instance.counterexample(exploration).filter(|trace| trace.ending != Ending::None);
                let trace = executed.map(|executed| told(instance, &executed));
                self.failed.get_or_insert((name, instance.machine().program().origin(span), trace));
            }
        }
    }
}

/// What instances show beside what was proven.
pub(super) struct Shown {
    /// The one that the report tells of.
    pub(super) seen: Option<Seen>,
    /// That one of them does not have what the model states.
    pub(super) failed: Option<Failed>,
}

/// Something that the model states fails in an instance.
pub(super) enum Failed {
    /// It was not proven, and this execution shows that it does not hold.
    LeftOut(Box<Trace>),
    /// It was proven. One of the two is wrong, and nothing may be said to be proven.
    Contradiction(String),
}

impl Failed {
    fn of(system: &System, (name, origin, trace): (String, Origin, Option<Trace>)) -> Self {
        let within = |a: &Origin, b: &Origin| a.start >= b.start && a.end <= b.end;
        let is_it = |left: &LeftOut| within(&left.origin, &origin) || within(&origin, &left.origin);
        match trace {
            Some(trace) if system.claim.left_out.iter().any(is_it) => Self::LeftOut(Box::new(trace)),
            Some(_) | None => Self::Contradiction(format!(
                "internal error: the checker accepts a proof, but '{name}' (line {}) fails when an instance is executed; please \
                 report this, and do not use the proof",
                origin.line
            )),
        }
    }
}

/// An instance with fewer states than this is followed by one that is larger.
const FEW_STATES: u64 = 5_000;

/// The larger one is shown if the product of its states and of the permutations of its elements, each of which a state is
/// compared under, is not more than this.
const LARGER_WORK: u64 = 180_000;

/// What an instance shows of which all states can be seen, if there is one near the model's own sizes: with one element more of
/// each type that state is indexed by, as the model has it, or with two elements.
///
/// Errors at run time that any of them meets are reported, and are in what is shown.
pub(super) fn fitting(model: &Model, lowered: &Lowered, go_on: &dyn Fn() -> bool) -> Shown {
    let mut met = Met::default();
    let mut seen = explored(model, lowered, go_on, &mut met);
    for (error, span) in &met.errors {
        let message = format!("{}, in an instance; for the proof a run ends before it", error.message);
        let warning = Diagnostic::warning(Fault::CODE, *span, message);
        model.report(&[warning.with_help("`paraproof simulate` shows how it comes about")]);
    }
    if let Some(seen) = &mut seen {
        seen.runtime_errors = met.errors.into_iter().map(|(error, _)| error).collect();
    }
    Shown { seen, failed: met.failed.map(|failed| Failed::of(&lowered.system, failed)) }
}

fn explored(model: &Model, lowered: &Lowered, go_on: &dyn Fn() -> bool, met: &mut Met) -> Option<Seen> {
    let system = &lowered.system;
    let indexing: BTreeSet<usize> =
        system.variables.iter().flat_map(|variable| &variable.arguments).map(|over| over.index()).collect();
    let sizes = |size: &dyn Fn(usize, u64) -> u64| -> Vec<(String, u64)> {
        let all = system.index_types.iter().enumerate();
        all.map(|(position, over)| (over.name.clone(), size(position, u64::from(over.size)))).collect()
    };
    let mut seen = |sizes: &[(String, u64)], max_states: u64| seen(model, lowered, sizes, max_states, go_on, met);
    let own = seen(&sizes(&|_, size| size), SEEN_STATES)?;
    match own.states {
        Some(states) if states < FEW_STATES && !indexing.is_empty() => {
            let larger = sizes(&|position, size| size + u64::from(indexing.contains(&position)));
            let larger = seen(&larger, LARGER_WORK / permutations(system, &larger));
            Some(larger.filter(|larger| larger.states.is_some()).unwrap_or(own))
        }
        Some(_) => Some(own),
        None => {
            let smaller = seen(&sizes(&|_, size| size.min(2)), SEEN_STATES);
            Some(smaller.filter(|smaller| smaller.states.is_some()).unwrap_or(own))
        }
    }
}

/// The number of permutations of elements that keep those with a name.
fn permutations(system: &System, sizes: &[(String, u64)]) -> u64 {
    let of_type = |(number, (_, size)): (usize, &(String, u64))| {
        let named = system.named.iter().filter(|named| named.index_type.index() == number).count();
        let others = size.saturating_sub(u64::try_from(named).unwrap_or(u64::MAX));
        (1..=others).fold(1, u64::saturating_mul)
    };
    sizes.iter().enumerate().map(of_type).fold(1, u64::saturating_mul)
}

/// The command that checks a certificate again.
pub(super) fn check_again(certificate: &str, model: &Model) -> String {
    let option = |setting: &String| match setting.rsplit_once('=') {
        Some((name, "index")) => format!(" --index-type {name}"),
        Some((name, "finite")) => format!(" --finite-type {name}"),
        Some(_) | None => format!(" -D {setting}"),
    };
    let settings: String = model.identity.settings.iter().map(option).collect();
    format!("paraproof check {certificate} --model {}{settings}", model.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was proven and fails is a contradiction, and is never passed over as something that was left out.
    #[test]
    fn what_fails_is_left_out_or_a_contradiction() {
        let text =
            "var x : boolean;\nstartstate x := true; end;\nrule x := x; end;\ninvariant \"a\" x;\nliveness \"b\" x;\n";
        let program = murphi::read(text, &murphi::Options::default()).expect("it is a model");
        let lowered = murphi::lower::lower(&program, &murphi::lower::LowerOptions::default()).expect("it is lowered");
        let system = lowered.system;
        let (constants, sizes, steps) = (Vec::new(), Vec::new(), Vec::new());
        let trace = Trace { constants, sizes, violates: String::new(), error: None, steps };
        let failed =
            |origin: &Origin, trace: Option<Trace>| Failed::of(&system, ("x".to_owned(), origin.clone(), trace));
        let (proven, left_out) = (&system.properties[0].origin, &system.claim.left_out[0].origin);
        assert!(matches!(failed(left_out, Some(trace.clone())), Failed::LeftOut(_)));
        let Failed::Contradiction(text) = failed(proven, Some(trace)) else {
            panic!("it was proven");
        };
        assert!(text.contains("internal error") && text.contains("(line 4)"), "{text}");
        // Without an execution there is nothing to be told.
        assert!(matches!(failed(left_out, None), Failed::Contradiction(_)));
    }
}
