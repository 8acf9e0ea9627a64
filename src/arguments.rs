//! The command line.
//!
//! In: the arguments of the process. Out: one typed value per subcommand. It must not open a file or run a stage.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use system::front_end::{Deadlock, Setting};

/// Proves cache-coherence and mutual-exclusion protocols, written in Murphi or Cubicle, safe for any number of nodes, and
/// leaves a proof that can be checked without trusting the search.
#[derive(Debug, Parser)]
#[command(name = "paraproof", version = version(), max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The version, with the commit where a release names it.
fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let commit = option_env!("PARAPROOF_COMMIT").map(|commit| format!(" ({commit})")).unwrap_or_default();
        format!("{}{commit}", env!("CARGO_PKG_VERSION"))
    });
    &VERSION
}

const EXIT_CODES: &str = "Exit codes: 0 proven or accepted; 1 property violated (diff: tables differ); \
    2 bad input or usage; 3 inconclusive; 4 certificate rejected.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find proofs of models, certify them, check them, and write everything; the main job
    Verify(VerifyArguments),
    /// Find a proof, and write its certificate, unchecked
    Find(FindArguments),
    /// Check a certificate, independently of how it was found
    Check(CheckArguments),
    /// Check a certificate, then write theories, tables, a report or an abstract model from it
    Emit(EmitArguments),
    /// Explain in sentences why a rule preserves an invariant, and what an invariant is good for
    Explain(ExplainArguments),
    /// Print the documentation of the code of a diagnostic, such as L013
    ExplainCode(ExplainCodeArguments),
    /// Compare two proofs or their tables (invariants by implication, rules, arguments), or two models (rules)
    Diff(DiffArguments),
    /// Explore the explicit instance: state count, deadlocks, a trace to a violation
    Simulate(SimulateArguments),
    /// Lay out models: indentation, spaces and empty lines; comments and line breaks stay
    Fmt(FmtArguments),
    /// Serve an editor: what is wrong in a model as one types, what names mean, and verdicts
    Lsp(LspArguments),
    /// Write manual pages, and completions for shells
    #[command(hide = true)]
    Pages(PagesArguments),
    /// Show how a model is understood: index types, rules, what is refused and why
    Lint(LintArguments),
}

impl Command {
    /// What the run may use.
    pub(crate) fn limits(&self) -> &RunLimits {
        match self {
            Self::Verify(arguments) => &arguments.search.limits.run,
            Self::Find(arguments) => &arguments.search.limits.run,
            Self::Check(arguments) => &arguments.limits,
            Self::Emit(arguments) => &arguments.what.common().limits,
            Self::Explain(arguments) => &arguments.limits,
            // The limits of `lsp` are those of each verdict.
            Self::ExplainCode(_) | Self::Fmt(_) | Self::Lsp(_) | Self::Pages(_) => &RunLimits::NONE,
            Self::Diff(arguments) => &arguments.limits,
            Self::Simulate(arguments) => &arguments.limits,
            Self::Lint(arguments) => &arguments.limits,
        }
    }

    /// What the run is about, for a message.
    pub(crate) fn subject(&self) -> &Path {
        match self {
            Self::Verify(arguments) => arguments.models.first().map_or(Path::new("verify"), PathBuf::as_path),
            Self::Find(arguments) => &arguments.model.path,
            Self::Check(arguments) => {
                let merged = arguments.merge.iter().flatten().next();
                arguments.certificate.as_ref().or(merged).map_or(Path::new("check"), PathBuf::as_path)
            }
            Self::Emit(arguments) => &arguments.what.common().certificate,
            Self::Explain(arguments) => &arguments.certificate,
            Self::ExplainCode(_) => Path::new("explain-code"),
            Self::Fmt(_) => Path::new("fmt"),
            Self::Lsp(_) => Path::new("lsp"),
            Self::Pages(_) => Path::new("pages"),
            Self::Diff(arguments) => &arguments.first,
            Self::Simulate(arguments) => &arguments.model.path,
            Self::Lint(arguments) => &arguments.model.path,
        }
    }

    /// Whether the result is for a program.
    pub(crate) fn is_json(&self) -> bool {
        match self {
            Self::Verify(arguments) => arguments.is_json(),
            Self::Find(arguments) => arguments.reporting.json,
            Self::Check(arguments) => arguments.json,
            Self::Emit(_) | Self::Explain(_) | Self::ExplainCode(_) | Self::Fmt(_) | Self::Lsp(_) | Self::Pages(_) => {
                false
            }
            Self::Diff(arguments) => arguments.format == DiffFormat::Json,
            Self::Simulate(arguments) => arguments.json,
            Self::Lint(arguments) => arguments.json,
        }
    }
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// Models, in Murphi or, if their names end with `.cub`, in Cubicle's language; and folders of models
    #[arg(value_name = "MODEL", required = true)]
    pub(crate) models: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
    /// The folder for the results; created if it does not exist. Of several models, each has a folder in it
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Compare the verdicts with those that the headers of the models expect, and fail where one differs
    #[arg(long)]
    pub(crate) expect: bool,
    /// Verify again whenever a model is changed, until Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,
    /// Models to verify at a time (default: one per processor); limits are those of each model
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) jobs: Option<u32>,
    #[command(flatten)]
    pub(crate) search: SearchSettings,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
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
    /// Annotations of GitHub's runner, and the text
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
    timeout.iter().for_each(|time| option("--timeout", format!("{}s", time.as_secs_f64())));
    max_states.iter().for_each(|states| option("--max-states", states.to_string()));
    search.sizes.iter().for_each(|(name, size)| option("--oracle-size", format!("{name}={size}")));
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

/// Arguments of `find`.
#[derive(Debug, Args)]
pub(crate) struct FindArguments {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// The file for the certificate
    #[arg(short = 'o', long = "out", value_name = "CERT")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) search: SearchSettings,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The certificate
    #[arg(value_name = "CERT", required_unless_present = "merge", conflicts_with = "merge")]
    pub(crate) certificate: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: CheckModel,
    /// Check only part I of N, and write the partial result
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "out")]
    pub(crate) shard: Option<(u32, u32)>,
    /// The file for the partial result
    #[arg(short = 'o', long = "out", value_name = "FILE", requires = "shard")]
    pub(crate) out: Option<PathBuf>,
    /// Merge the partial results of one check
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["shard", "explain"])]
    pub(crate) merge: Option<Vec<PathBuf>>,
    /// Show the check of a single obligation step by step, whether it is good or not: RULE:INVARIANT (the name or number of
    /// a rule, the number of an invariant), STARTSTATE:INVARIANT (a name and a number), or the name of a PROPERTY
    #[arg(long, value_name = "WHAT", conflicts_with = "shard")]
    pub(crate) explain: Option<String>,
    #[command(flatten)]
    pub(crate) limits: RunLimits,
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
}

/// The model of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckModel {
    /// The Murphi model that the certificate is about
    #[arg(long = "model", value_name = "MODEL", required_unless_present = "merge")]
    pub(crate) path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
}

fn shard(text: &str) -> Result<(u32, u32), String> {
    let (index, of) = text.split_once('/').ok_or("expected I/N")?;
    let number = |text: &str| text.parse::<u32>().map_err(|_| format!("'{text}' is not a number"));
    let (index, of) = (number(index)?, number(of)?);
    if index == 0 || index > of {
        return Err(format!("there is no part {index} of {of}; they are numbered from 1"));
    }
    Ok((index, of))
}

/// Arguments of `emit`.
#[derive(Debug, Args)]
pub(crate) struct EmitArguments {
    #[command(subcommand)]
    pub(crate) what: EmitCommand,
}

/// What to emit.
#[derive(Debug, Subcommand)]
pub(crate) enum EmitCommand {
    /// Isabelle theories
    Isabelle(IsabelleArguments),
    /// Tables of the invariants and relations: Markdown, CSV, JSON, LaTeX, Murphi
    Table(TableArguments),
    /// A report in one HTML file
    Report(EmitCommon),
    /// An abstract model that a Murphi checker verifies for any number of nodes, strengthened by the invariants
    Cmp(CmpArguments),
}

impl EmitCommand {
    /// What all of them have.
    pub(crate) fn common(&self) -> &EmitCommon {
        match self {
            Self::Isabelle(isabelle) => &isabelle.common,
            Self::Table(table) => &table.common,
            Self::Report(common) => common,
            Self::Cmp(cmp) => &cmp.common,
        }
    }
}

/// Arguments of `emit cmp`.
#[derive(Debug, Args)]
pub(crate) struct CmpArguments {
    #[command(flatten)]
    pub(crate) common: EmitCommon,
    /// Keep this many unnamed nodes of each symmetric type (default: as many as the properties mention)
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) nodes: Option<u32>,
    /// Use all strengthenings, not only those that are needed
    #[arg(long)]
    pub(crate) all: bool,
    /// How the node that stands for all others is written
    #[arg(long, value_name = "STYLE", default_value = "ranges")]
    pub(crate) style: CmpStyle,
    /// Write only the invariants, to be added to the model
    #[arg(long, conflicts_with_all = ["nodes", "all", "style", "lemmas"])]
    pub(crate) invariants_only: bool,
    /// Write a noninterference lemma for each abstract rule as well
    #[arg(long)]
    pub(crate) lemmas: bool,
    /// Give up on an abstract model with more states than this
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
}

/// How the node that stands for all others is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CmpStyle {
    /// As a number of a range: rumur and CMurphi read it
    Ranges,
    /// With `union`, as in the literature: CMurphi reads it
    Chou,
}

/// Arguments of everything that `emit` writes.
#[derive(Debug, Args)]
pub(crate) struct EmitCommon {
    /// The certificate
    #[arg(value_name = "CERT")]
    pub(crate) certificate: PathBuf,
    #[command(flatten)]
    pub(crate) model: ModelOption,
    /// The folder for the results; created if it does not exist
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) limits: RunLimits,
}

/// Arguments of `emit isabelle`.
#[derive(Debug, Args)]
pub(crate) struct IsabelleArguments {
    #[command(flatten)]
    pub(crate) common: EmitCommon,
    /// How the proof is closed
    #[arg(long, value_name = "STYLE", default_value = "lemmas")]
    pub(crate) style: ProofStyle,
    /// How style `computed` evaluates its checker
    #[arg(long, value_name = "METHOD", default_value = "kernel")]
    pub(crate) evaluate: Evaluation,
}

/// How the proof of the theories is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProofStyle {
    /// One lemma for each rule and each invariant that it can affect
    Lemmas,
    /// The protocol as data, evaluated by a checker that is proven sound in Isabelle
    Computed,
}

/// How the checker of style `computed` is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Evaluation {
    /// By inferences of Isabelle's kernel, with a method that the theories contain
    Kernel,
    /// By Isabelle's own `code_simp`: half a minute for the smallest protocols; German did not finish
    #[value(alias = "code_simp")]
    CodeSimp,
    /// As generated ML: fast, and trusts Isabelle's code generator
    Eval,
}

/// Arguments of `emit table`.
#[derive(Debug, Args)]
pub(crate) struct TableArguments {
    #[command(flatten)]
    pub(crate) common: EmitCommon,
    /// How invariants are grouped
    #[arg(long, value_name = "WHAT", default_value = "variable")]
    pub(crate) group_by: Grouping,
    /// Show only invariants about state variables whose names contain this
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) only: Option<String>,
}

/// How invariants are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Grouping {
    /// By the state variable that they are about
    Variable,
    /// By the property that they come from
    Property,
    /// Not at all
    Number,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The certificate
    #[arg(value_name = "CERT")]
    pub(crate) certificate: PathBuf,
    #[command(flatten)]
    pub(crate) model: ModelOption,
    /// A rule, by its name
    #[arg(long, value_name = "R")]
    pub(crate) rule: Option<String>,
    /// An invariant, by its number
    #[arg(long, value_name = "I")]
    pub(crate) invariant: Option<u32>,
    /// Show the invariants about a state variable, given by its name or a part of it
    #[arg(long, value_name = "VARIABLE", conflicts_with_all = ["rule", "invariant", "flow"])]
    pub(crate) about: Option<String>,
    /// Follow transactions: which rule enables which (with --rule, from that rule)
    #[arg(long, conflicts_with = "invariant")]
    pub(crate) flow: bool,
    /// How a flow is written
    #[arg(long, value_name = "FORMAT", default_value = "text", requires = "flow")]
    pub(crate) format: FlowFormat,
    #[command(flatten)]
    pub(crate) limits: RunLimits,
}

/// Arguments of `explain-code`.
#[derive(Debug, Args)]
pub(crate) struct ExplainCodeArguments {
    /// The code
    #[arg(value_name = "CODE")]
    pub(crate) code: String,
}

/// How a flow is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlowFormat {
    /// For a terminal
    Text,
    /// For Graphviz
    Dot,
    /// A drawing
    Svg,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// The first certificate; or, without --model, the first table (invariants.json) or the first model
    #[arg(value_name = "CERT_A")]
    pub(crate) first: PathBuf,
    /// The second certificate; or, without --model, the second table or the second model
    #[arg(value_name = "CERT_B")]
    pub(crate) second: PathBuf,
    /// The model of the first certificate
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// The model of the second certificate, if it is another version
    #[arg(long, value_name = "MODEL", requires = "model")]
    pub(crate) second_model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
    /// How the differences are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: DiffFormat,
    #[command(flatten)]
    pub(crate) limits: RunLimits,
}

/// How differences are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For a terminal
    Text,
    /// For a review comment
    Md,
    /// For a program
    Json,
}

/// Arguments of `simulate`.
#[derive(Debug, Args)]
pub(crate) struct SimulateArguments {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Count states that are permutations of one another separately
    #[arg(long)]
    pub(crate) no_symmetry: bool,
    /// Stop after this many states
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Stop after this many steps from the initial states
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,
    /// Execute a trace that `verify` wrote, instead of exploring
    #[arg(long, value_name = "TRACE")]
    pub(crate) replay: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: RunLimits,
    /// Print the figures as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Arguments of `pages`.
#[derive(Debug, Args)]
pub(crate) struct PagesArguments {
    /// The folder for the pages, which are in `man`, and the completions, in `completions`
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// Arguments of `fmt`.
#[derive(Debug, Args)]
pub(crate) struct FmtArguments {
    /// Models, which are changed in place, and folders of models
    #[arg(value_name = "MODEL", required = true)]
    pub(crate) models: Vec<PathBuf>,
    /// Change nothing, and name the models that would be changed; the exit code is 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
}

/// Arguments of `lsp`. It speaks the Language Server Protocol over standard input and output.
#[derive(Debug, Args)]
pub(crate) struct LspArguments {
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
    #[command(flatten)]
    pub(crate) search: SearchSettings,
    /// Do not verify models while they are edited
    #[arg(long)]
    pub(crate) no_verdicts: bool,
    /// For editors that name the way of communication; there is no other one
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Arguments of `lint`.
#[derive(Debug, Args)]
pub(crate) struct LintArguments {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: RunLimits,
    /// Print the lowered system as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the model with all changes that warnings propose, instead of what was understood
    #[arg(long, conflicts_with = "json")]
    pub(crate) fix: bool,
    /// The file for the changed model (default: standard output)
    #[arg(short = 'o', long = "out", value_name = "FILE", requires = "fix")]
    pub(crate) out: Option<PathBuf>,
}

/// A model as an argument, and how to read it.
#[derive(Debug, Args)]
pub(crate) struct ModelArguments {
    /// The model, in Murphi or, if its name ends with `.cub`, in Cubicle's language
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
}

/// A model as an option beside a certificate.
#[derive(Debug, Args)]
pub(crate) struct ModelOption {
    /// The Murphi model that the certificate is about
    #[arg(long = "model", value_name = "MODEL")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
}

/// How to read a model.
#[derive(Debug, Args)]
pub(crate) struct ModelSettings {
    /// Set a constant of the model, such as the number of nodes of its instance
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = definition)]
    pub(crate) definitions: Vec<(String, Setting)>,
    /// Take this type as an index type (of any size), or refuse the model if that is impossible
    #[arg(long = "index-type", value_name = "NAME")]
    pub(crate) index_types: Vec<String>,
    /// Keep this type finite, with the size that the model gives it
    #[arg(long = "finite-type", value_name = "NAME")]
    pub(crate) finite_types: Vec<String>,
    /// Add the property that every state has a rule that changes it, or with `stuck`, one that is enabled
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "stuttering")]
    pub(crate) deadlock: Option<DeadlockKind>,
    /// Let this state variable, which nothing writes, have any value in the initial states
    #[arg(long = "arbitrary", value_name = "NAME")]
    pub(crate) arbitrary: Vec<String>,
    /// How errors in the model are written to standard error
    #[arg(long = "error-format", value_name = "FORMAT", default_value = "text")]
    pub(crate) error_format: ErrorFormat,
}

/// What counts as a deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeadlockKind {
    /// No rule is enabled
    Stuck,
    /// No enabled rule changes the state, as in CMurphi
    Stuttering,
}

impl From<DeadlockKind> for Deadlock {
    fn from(kind: DeadlockKind) -> Self {
        match kind {
            DeadlockKind::Stuck => Self::Stuck,
            DeadlockKind::Stuttering => Self::Stuttering,
        }
    }
}

/// How errors in a model are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ErrorFormat {
    /// With an excerpt of the source
    Text,
    /// One JSON object per line
    Json,
}

/// What any run may use. Every subcommand holds to it, in each of its stages.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RunLimits {
    /// Stop when this much memory is in use, such as 800M or 4G
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) max_memory: Option<u64>,
    /// Stop after this time, such as 30s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
}

impl RunLimits {
    /// No limits.
    pub(crate) const NONE: Self = Self { max_memory: None, timeout: None };
}

/// What a search may use.
#[derive(Clone, Debug, Args)]
pub(crate) struct Limits {
    #[command(flatten)]
    pub(crate) run: RunLimits,
    /// Worker threads (default: one per processor); the results do not depend on them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) threads: Option<u32>,
    /// Stop after this many states of an explicit instance
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
}

/// How a proof is searched for. No model should need any of these.
#[derive(Clone, Debug, Args)]
pub(crate) struct SearchSettings {
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Fix the number of elements of an index type in the instance that guides the search
    #[arg(long = "oracle-size", value_name = "TYPE=N", value_parser = size)]
    pub(crate) sizes: Vec<(String, u32)>,
}

/// How a run reports.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Reporting {
    /// Print the result as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

fn definition(text: &str) -> Result<(String, Setting), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let mut characters = name.chars();
    let starts_well = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || !characters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("'{name}' is not the name of a constant"));
    }
    let value = match value {
        "true" => Setting::Truth(true),
        "false" => Setting::Truth(false),
        number => {
            Setting::Number(number.parse().map_err(|_| format!("'{number}' is not a whole number, `true` or `false`"))?)
        }
    };
    Ok((name.to_owned(), value))
}

/// An instance with more elements of a type is hopeless to explore.
const MOST_ELEMENTS: u32 = 255;

fn size(text: &str) -> Result<(String, u32), String> {
    let (name, number) = text.split_once('=').ok_or("expected TYPE=N")?;
    let number = number.parse().ok().filter(|number| (1..=MOST_ELEMENTS).contains(number));
    let number = number.ok_or_else(|| format!("an instance has between 1 and {MOST_ELEMENTS} elements of a type"))?;
    Ok((name.to_owned(), number))
}

fn bytes(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let shift = match unit.trim_end_matches("iB").trim_end_matches(['B', 'b']) {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        "t" | "T" => 40,
        _ => return Err(format!("unknown unit '{unit}'; use K, M, G or T")),
    };
    let number: u64 = number.parse().map_err(|_| "expected a number".to_owned())?;
    number.checked_mul(1_u64 << shift).filter(|bytes| *bytes > 0).ok_or_else(|| "out of range".to_owned())
}

fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit '{unit}'; use s, m or h")),
    };
    let number: f64 = number.parse().map_err(|_| "expected a number".to_owned())?;
    Duration::try_from_secs_f64(number * factor)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "out of range".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn one_of_several_models_is_verified_in_the_same_way() {
        let options = [
            ["-D", "N=3"],
            ["-D", "flag=true"],
            ["--index-type", "NODE"],
            ["--finite-type", "DATA"],
            ["--arbitrary", "x"],
            ["--error-format", "json"],
            ["--max-memory", "2G"],
            ["--timeout", "1.5m"],
            ["--max-states", "17"],
            ["--oracle-size", "NODE=2"],
        ];
        let read = |arguments: &[OsString]| {
            let Command::Verify(arguments) = Arguments::try_parse_from(arguments).unwrap().command else {
                panic!("another subcommand");
            };
            arguments
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

    #[test]
    fn parts_are_read() {
        assert_eq!(shard("1/1"), Ok((1, 1)));
        assert_eq!(shard("3/16"), Ok((3, 16)));
        for wrong in ["", "1", "0/1", "2/1", "1/0", "a/2", "-1/2", "1/2/3"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_read() {
        assert_eq!(definition("N=3"), Ok(("N".to_owned(), Setting::Number(3))));
        assert_eq!(definition("low=-2"), Ok(("low".to_owned(), Setting::Number(-2))));
        assert_eq!(definition("flag=true"), Ok(("flag".to_owned(), Setting::Truth(true))));
        for wrong in ["N", "=3", "N=", "N=x", "3N=1", "N M=1"] {
            assert!(definition(wrong).is_err(), "{wrong}");
        }
        assert_eq!(bytes("800M"), Ok(800 << 20));
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("17"), Ok(17));
        for wrong in ["", "M", "0", "4X", "99999999999T", "-1"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("20"), Ok(Duration::from_secs(20)));
        for wrong in ["", "s", "0", "2d", "1e99h", "1..2"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
