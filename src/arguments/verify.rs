//! The arguments of `verify`, and of the runs of it that other runs start.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{
    DeadlockKind, ErrorFormat, Limits, ModelSettings, NotationOption, Reporting, RunLimits, SearchSettings, Undefined,
};

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// Models, in Murphi or, if their names end with `.cub`, in Cubicle's language; and folders of models
    #[arg(value_name = "MODEL", required = true)]
    pub(crate) models: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
    /// The folder for the results, created if it does not exist; with several models, each has a folder in it
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Compare the verdicts with those that the headers of the models expect, and fail if one differs
    #[arg(long)]
    pub(crate) expect: bool,
    /// Verify again whenever a model is changed, until Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,
    /// How many models to verify at a time (default: one per processor); limits apply to each model
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) jobs: Option<u32>,
    #[command(flatten)]
    pub(crate) search: SearchSettings,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
    #[command(flatten)]
    pub(crate) notation: NotationOption,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    format: ReportFormat,
    /// Ask another engine for a second opinion on every obligation
    #[cfg(feature = "z3")]
    #[arg(long, value_name = "ENGINE")]
    pub(crate) smt: Option<Smt>,
}

/// How verdicts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For a terminal
    Text,
    /// One JSON object, as with --json
    Json,
    /// Annotations for GitHub's runner, and the text
    Github,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
    /// JUnit's XML, for services that show test results
    Junit,
}

impl ReportFormat {
    /// Whether it is for a CI service, so that what is found in models is a part of it.
    pub(crate) fn is_for_a_service(self) -> bool {
        match self {
            Self::Text | Self::Json => false,
            Self::Github | Self::Sarif | Self::Junit => true,
        }
    }
}

impl VerifyArguments {
    /// How the result is written.
    pub(crate) fn format(&self) -> ReportFormat {
        if self.reporting.json { ReportFormat::Json } else { self.format }
    }

    /// Whether the result is one JSON object.
    pub(crate) fn is_json(&self) -> bool {
        self.format() == ReportFormat::Json
    }

    /// Whether this is the run of a single model, if there is no other and it is no folder.
    pub(crate) fn is_of_one(&self) -> bool {
        !self.expect && !self.watch && !self.format.is_for_a_service()
    }

    /// The arguments that verify one of the models in the same way, for a program.
    pub(crate) fn of_one(&self, model: &Path, out: Option<&Path>, threads: u32) -> Vec<OsString> {
        let as_json = self.format.is_for_a_service();
        let mut arguments = verify_for_a_program(&self.settings, &self.search, as_json, threads);
        if let Some(out) = out {
            arguments.extend(["--out".into(), out.into()]);
        }
        #[cfg(feature = "z3")]
        self.smt.iter().for_each(|Smt::Z3| arguments.extend(["--smt".into(), "z3".into()]));
        arguments.extend(["--".into(), model.into()]);
        arguments
    }
}

/// The arguments of a run of `verify` that prints JSON, up to the model.
pub(crate) fn verify_for_a_program(
    settings: &ModelSettings,
    search: &SearchSettings,
    errors_as_json: bool,
    threads: u32,
) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["verify".into(), "--json".into(), "--quiet".into()];
    let as_json = errors_as_json || settings.error_format == ErrorFormat::Json;
    arguments.push(if as_json { "--error-format=json".into() } else { "--error-format=text".into() });
    let mut option = |name: &str, value: String| arguments.extend([name.into(), value.into()]);
    settings.definitions.iter().for_each(|(name, value)| option("--define", format!("{name}={value}")));
    settings.index_types.iter().for_each(|name| option("--index-type", name.clone()));
    settings.finite_types.iter().for_each(|name| option("--finite-type", name.clone()));
    settings.arbitrary.iter().for_each(|name| option("--arbitrary", name.clone()));
    let Limits { run: RunLimits { max_memory, timeout }, threads: own, max_states } = &search.limits;
    option("--threads", own.unwrap_or(threads).to_string());
    max_memory.iter().for_each(|bytes| option("--max-memory", bytes.to_string()));
    timeout.iter().for_each(|time| option("--timeout", humantime::format_duration(*time).to_string()));
    max_states.iter().for_each(|states| option("--max-states", states.to_string()));
    search.sizes.iter().for_each(|(name, size)| option("--oracle-size", format!("{name}={size}")));
    arguments.extend(search.anew.then(|| "--anew".into()));
    arguments.extend(search.from.iter().flat_map(|path| ["--from".into(), path.into()]));
    arguments.extend(settings.finite_numbers.then(|| "--finite-numbers".into()));
    arguments.extend((settings.undefined == Undefined::Unequal).then(|| "--undefined=unequal".into()));
    arguments.extend(settings.deadlock.map(|kind| match kind {
        DeadlockKind::Stuck => "--deadlock=stuck".into(),
        DeadlockKind::Stuttering => "--deadlock=stuttering".into(),
    }));
    arguments
}

/// An engine for second opinions.
#[cfg(feature = "z3")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Smt {
    /// Z3
    Z3,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::{Arguments, Command};
    use super::*;

    #[test]
    fn one_of_several_models_is_verified_in_the_same_way() {
        let options = [
            ["-D", "N=3"],
            ["-D", "flag=true"],
            ["--index-type", "NODE"],
            ["--finite-type", "DATA"],
            ["--arbitrary", "x"],
            ["--undefined", "unequal"],
            ["--error-format", "json"],
            ["--max-memory", "2G"],
            ["--timeout", "1.5m"],
            ["--max-states", "17"],
            ["--oracle-size", "NODE=2"],
            ["--from", "earlier.json"],
        ];
        let read = |arguments: &[OsString]| {
            let Command::Verify(arguments) = Arguments::try_parse_from(arguments).unwrap().command else {
                panic!("another subcommand");
            };
            arguments.now()
        };
        let given = ["paraproof", "verify", "a.m", "b.m", "-o", "out", "--deadlock=stuck"];
        let given: Vec<OsString> = given.into_iter().chain(options.into_iter().flatten()).map(Into::into).collect();
        let several = read(&given);
        let mut one = several.of_one(Path::new("b.m"), Some(Path::new("out/b")), 4);
        one.insert(0, "paraproof".into());
        let (mut one, mut expected) = (read(&one), several);
        assert!(one.reporting.json && one.reporting.quiet);
        expected.models.remove(0);
        expected.out = Some("out/b".into());
        expected.search.limits.threads = Some(4);
        (one.reporting, expected.reporting) =
            (Reporting { json: true, quiet: true }, Reporting { json: true, quiet: true });
        assert_eq!(format!("{one:?}"), format!("{expected:?}"));
    }
}
