//! `emit`: what people and other tools read, from a certificate that is checked first.

use std::path::Path;

use certificate::CheckedCertificate;
use proofgen::isabelle;
use proofgen::report::{self, Facts};
use proofgen::table::{GroupBy, Options, Table};

use super::{checked, read_certificate};
use crate::arguments::{EmitArguments, EmitCommand, Grouping, TableArguments};
use crate::files::{self, OutputError, OutputFolder};
use crate::model::Model;
use crate::outcome::Outcome;

pub(super) fn run(arguments: &EmitArguments) -> anyhow::Result<Outcome> {
    let common = match &arguments.what {
        EmitCommand::Table(table) => &table.common,
        EmitCommand::Isabelle(common) | EmitCommand::Report(common) => common,
    };
    let mut folder = OutputFolder::create(&common.out)?;
    let result = fill(&mut folder, arguments, common);
    if let Err(error) = result {
        folder.discard();
        return Err(error);
    }
    folder.publish(&[])?;
    Ok(Outcome::Good)
}

fn fill(
    folder: &mut OutputFolder,
    arguments: &EmitArguments,
    common: &crate::arguments::EmitCommon,
) -> anyhow::Result<()> {
    let model = Model::read(&common.model.path, &common.model.settings)?;
    let lowered = model.lower()?;
    let certificate = read_certificate(&common.certificate, &lowered.system)?;
    let name = files::show(&common.certificate);
    let checked = checked(&lowered.system, &certificate, &model, &name)?;
    match &arguments.what {
        EmitCommand::Isabelle(_) => add_isabelle(folder, Path::new(""), &checked, &model.stem)?,
        EmitCommand::Table(table) => add_tables(folder, &checked, &options(table))?,
        EmitCommand::Report(_) => {
            add_report(folder, &checked, &Facts { model: model.stem.clone(), ..Facts::default() })?;
        }
    }
    Ok(())
}

fn options(table: &TableArguments) -> Options {
    let group_by = match table.group_by {
        Grouping::Variable => GroupBy::Variable,
        Grouping::Property => GroupBy::Property,
        Grouping::Number => GroupBy::Number,
    };
    Options { group_by, only: table.only.clone() }
}

/// The files of `emit isabelle`, in a folder within the folder.
pub(super) fn add_isabelle(
    folder: &mut OutputFolder,
    within: &Path,
    checked: &CheckedCertificate<'_>,
    name: &str,
) -> anyhow::Result<()> {
    for (file, text) in isabelle::emit(checked, name, isabelle::Style::Lemmas)? {
        folder.add(&within.join(file), text.as_bytes())?;
    }
    Ok(())
}

/// The files of `emit table`.
pub(super) fn add_tables(
    folder: &mut OutputFolder,
    checked: &CheckedCertificate<'_>,
    options: &Options,
) -> Result<(), OutputError> {
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

/// The file of `emit report`.
pub(super) fn add_report(
    folder: &mut OutputFolder,
    checked: &CheckedCertificate<'_>,
    facts: &Facts,
) -> anyhow::Result<()> {
    let table = Table::read(checked, &Options::default());
    Ok(folder.add(Path::new("report.html"), report::html(&table, facts)?.as_bytes())?)
}
