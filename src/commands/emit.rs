//! `emit`: what people and other tools read, from a certificate that is checked first.

use std::path::Path;

use certificate::CheckedCertificate;
use proofgen::explain::ExplainError;
use proofgen::instances::{self, Failed, Shown};
use proofgen::isabelle::{self, Evaluate, Style};
use proofgen::report::{self, Facts, RuntimeError};
use proofgen::table::{GroupBy, Options, Table, names_a_variable};
use system::front_end::{Diagnostic, Limits, RUN_ERROR, Span};
use system::notation::Language;
use system::{Origin, System};

use super::{checked, read_certificate};
use crate::arguments::{
    CmpArguments, CmpStyle, EmitArguments, EmitCommand, Evaluation, Grouping, IsabelleArguments, ProofStyle,
    TableArguments,
};
use crate::files::{self, Output, OutputFolder};
use crate::interrupt;
use crate::limits::Watchdog;
use crate::model::{self, Model, Reported};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::terminal;

pub(super) fn run(arguments: &EmitArguments, watch: &Watchdog) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    if let EmitCommand::Isabelle(isabelle) = &arguments.what
        && isabelle.source
        && matches!(isabelle.style, ProofStyle::Computed)
    {
        anyhow::bail!("`--source` adds to the theories of style `lemmas`; write it without `--style computed`");
    }
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
    interrupt::last_exchange();
    folder.publish(Vec::new())?;
    terminal::print(&figures)?;
    Ok(Outcome::Good)
}

fn fill(
    folder: &mut OutputFolder,
    arguments: &EmitArguments,
    common: &crate::arguments::EmitCommon,
    watch: &Watchdog,
) -> anyhow::Result<String> {
    let model = Model::read(&common.model.path, &common.model.settings, watch)?;
    let lowered = model.lower(watch)?;
    let certificate = read_certificate(&common.certificate, lowered.system, &model)?;
    let name = files::show(&common.certificate);
    let checked = checked(lowered.system, &certificate, &model, &name, watch)?;
    watch.doing("writing the results");
    match &arguments.what {
        EmitCommand::Isabelle(isabelle) if isabelle.source => add_source(folder, &checked, &model)?,
        EmitCommand::Isabelle(isabelle) => {
            folder.add_all(theories(Path::new(""), &checked, &model.stem, style(isabelle))?)?;
        }
        EmitCommand::Table(table) => {
            folder.add_all(tables(&checked, &options(table, &model, lowered.system)?))?;
        }
        EmitCommand::Cmp(cmp) => return add_cmp(folder, cmp, &checked, &model, watch),
        EmitCommand::Report(asked) => {
            let own = instances::own(&*model.front_end, lowered.system, &|| watch.go_on());
            let Shown { seen: instance, failed, met } =
                instances::shown(&*model.front_end, lowered.system, own.as_ref(), &|| watch.go_on());
            report_errors(&model, &met);
            let violated = match failed {
                None => None,
                Some(Failed::LeftOut(trace)) => {
                    terminal::note(&format!("{}: {}", model.name, report::violated(&trace)));
                    Some(*trace)
                }
                Some(Failed::Contradiction(text)) => anyhow::bail!(text),
            };
            let notation = asked.notation.or(model.front_end.language());
            folder.add_all(report(&checked, &Facts { instance, violated, notation, ..facts(&name, &model) })?)?;
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
fn options(table: &TableArguments, model: &Model, system: &System) -> Result<Options, ExplainError> {
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
    let notation = table.notation.or(model.front_end.language());
    Ok(Options { group_by, only: table.only.clone(), notation })
}

/// The files of `emit isabelle`, in a folder within the folder.
pub(super) fn theories(
    within: &Path,
    checked: &CheckedCertificate<'_>,
    name: &str,
    style: Style,
) -> anyhow::Result<Vec<Output>> {
    Ok(isabelle::emit(checked, name, style)?.into_iter().map(|(file, text)| (within.join(file), text)).collect())
}

/// What the report says about a certificate of a model, wherever it comes from.
pub(super) fn facts(certificate: &str, model: &Model) -> Facts {
    Facts {
        model: model.stem.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        source: model.front_end.text().to_owned(),
        commands: vec![check_again(certificate, model)],
        ..Facts::default()
    }
}

/// The files of `emit isabelle --source`. What the theorem about the program does not cover is said.
fn add_source(folder: &mut OutputFolder, checked: &CheckedCertificate<'_>, model: &Model) -> anyhow::Result<()> {
    let emitted = isabelle::emit_with_source(checked, &model.stem, model.front_end.source_program())?;
    for (file, text) in emitted.files {
        folder.add(Path::new(&file), text.as_bytes())?;
    }
    if let Some(missing) = emitted.missing {
        terminal::note(&format!("{}: the theorem is about the lowered system only: {missing}", model.name));
    }
    Ok(())
}

/// The files of `emit table`.
pub(super) fn tables(checked: &CheckedCertificate<'_>, options: &Options) -> Vec<Output> {
    let table = Table::read(checked, options);
    let (blocks, extension) = table.blocks();
    let blocks_name = format!("invariants.{extension}");
    // What programs read is in the same signs for all models.
    let json = match options.notation {
        Language::Murphi => table.json(),
        Language::Cubicle => Table::read(checked, &Options { notation: Language::Murphi, ..options.clone() }).json(),
    };
    let files = [
        ("invariants.md", table.markdown()),
        ("invariants.csv", table.invariants_csv()),
        ("relations.csv", table.relations_csv()),
        ("invariants.json", json),
        ("invariants.tex", table.latex()),
        (blocks_name.as_str(), blocks),
    ];
    files.map(|(name, text)| (name.into(), text)).into()
}

/// The files of `emit cmp`, and a text with the outcome.
fn add_cmp(
    folder: &mut OutputFolder,
    arguments: &CmpArguments,
    checked: &CheckedCertificate<'_>,
    model: &Model,
    watch: &Watchdog,
) -> anyhow::Result<String> {
    if arguments.invariants_only {
        folder.add(Path::new("invariants.m"), abstraction::invariant_blocks(checked).as_bytes())?;
        return Ok(String::new());
    }
    let style = match arguments.style {
        CmpStyle::Ranges => abstraction::Style::Ranges,
        CmpStyle::Chou => abstraction::Style::Chou,
    };
    let options = abstraction::Options { nodes: arguments.nodes, all: arguments.all, style, weaker: false };
    let limits = Limits { max_states: arguments.max_states.unwrap_or(u64::MAX), ..Limits::default() };
    let declarations = model.front_end.declarations().map_err(|diagnostics| {
        model.report(&diagnostics);
        Reported
    })?;
    let output = Progress::new(false).stage("strengthen", |stage| {
        let mut explored = 0_u32;
        abstraction::emit(checked, &declarations, &options, &mut |instance| {
            explored += 1;
            stage.update(|| format!("abstract model {explored}"));
            // An abstract model is written in Murphi, in whatever language the model is.
            abstraction::explore::<murphi::Model>(instance, &limits, &|| watch.go_on())
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
pub(super) fn report(checked: &CheckedCertificate<'_>, facts: &Facts) -> anyhow::Result<Vec<Output>> {
    Ok(vec![("report.html".into(), report::html(checked, facts)?)])
}

/// Reports errors at run time that instances meet, each at its place.
pub(super) fn report_errors(model: &Model, met: &[(RuntimeError, Origin)]) {
    for (error, origin) in met {
        let message = format!("{}, in an instance; for the proof a run ends before it", error.message);
        let warning = Diagnostic::warning(RUN_ERROR, Span::from(origin), message);
        model.report(&[warning.with_help("`paraproof simulate` shows how it comes about")]);
    }
}

/// The command that checks a certificate again.
fn check_again(certificate: &str, model: &Model) -> String {
    let settings = model::options(&model.identity.settings);
    format!("paraproof check {certificate} --model {}{settings}", model.name)
}
