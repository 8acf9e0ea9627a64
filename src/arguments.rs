//! The command line, as one typed value per subcommand.
//!
//! It must not open a file or run a stage.

mod later;
mod values;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use system::front_end::{Deadlock, Setting};
use system::notation::Language;

use later::Later;
use values::{bytes, definition, duration, shard, size};
pub(crate) use verify::{ReportFormat, VerifyArguments, verify_for_a_program};

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
    /// Find proofs of models, check them, and write certificates, theories, tables and reports
    Verify(Later<VerifyArguments>),
    /// Find a proof, and write its certificate, unchecked
    Find(Later<FindArguments>),
    /// Check a certificate, independently of how it was found
    Check(Later<CheckArguments>),
    /// Check a certificate, then write theories, tables, a report or an abstract model from it
    Emit(Later<EmitArguments>),
    /// Explain in sentences why a rule preserves an invariant, and what an invariant is needed for
    Explain(Later<ExplainArguments>),
    /// Print the documentation of a diagnostic code, such as L013
    ExplainCode(Later<ExplainCodeArguments>),
    /// Compare two proofs or their tables (invariants by implication, rules, arguments), or two models (rules)
    Diff(Later<DiffArguments>),
    /// Explore an explicit instance: state count, deadlocks, a trace to a violation
    Simulate(Later<SimulateArguments>),
    /// Translate a model from Cubicle's language to Murphi, or back
    Translate(Later<TranslateArguments>),
    /// Format models: indentation, spaces and empty lines; comments and line breaks stay
    Fmt(Later<FmtArguments>),
    /// Serve an editor: diagnostics while you type, the meaning of names, and verdicts
    Lsp(Later<LspArguments>),
    /// Write manual pages, and completions for shells
    #[command(hide = true)]
    Pages(Later<PagesArguments>),
    /// Show how a model is understood: index types, rules, what is refused and why
    Lint(Later<LintArguments>),
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
            Self::Translate(arguments) => &arguments.limits,
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
            Self::Translate(arguments) => &arguments.model.path,
            Self::Lint(arguments) => &arguments.model.path,
        }
    }

    /// Whether the result is for a program, and has a verdict.
    pub(crate) fn has_verdict(&self) -> bool {
        match self {
            Self::Verify(_) | Self::Find(_) | Self::Check(_) | Self::Simulate(_) => self.is_json(),
            Self::Emit(_) | Self::Explain(_) | Self::ExplainCode(_) | Self::Diff(_) | Self::Fmt(_) | Self::Lsp(_) => {
                false
            }
            Self::Pages(_) | Self::Lint(_) | Self::Translate(_) => false,
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
            Self::Translate(_) => false,
            Self::Diff(arguments) => arguments.format == DiffFormat::Json,
            Self::Simulate(arguments) => arguments.json,
            Self::Lint(arguments) => arguments.json,
        }
    }
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
    /// Show the check of a single obligation step by step, whether it passes or not: RULE:INVARIANT (the name or number of
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
    /// The model that the certificate is about
    #[arg(long = "model", value_name = "MODEL", required_unless_present = "merge")]
    pub(crate) path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
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
    /// Tables of the invariants and relations: Markdown, CSV, JSON, LaTeX, blocks for the model
    Table(TableArguments),
    /// A report in one HTML file
    Report(ReportArguments),
    /// An abstract model that a Murphi checker verifies for any number of nodes, strengthened by the invariants
    Cmp(CmpArguments),
}

impl EmitCommand {
    /// What all of them have.
    pub(crate) fn common(&self) -> &EmitCommon {
        match self {
            Self::Isabelle(isabelle) => &isabelle.common,
            Self::Table(table) => &table.common,
            Self::Report(report) => &report.common,
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
    /// Also prove the theorem about the Murphi program itself, if its forms are covered (style `lemmas`)
    #[arg(long, conflicts_with = "evaluate")]
    pub(crate) source: bool,
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
    #[command(flatten)]
    pub(crate) notation: NotationOption,
}

/// Arguments of `emit report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    pub(crate) common: EmitCommon,
    #[command(flatten)]
    pub(crate) notation: NotationOption,
}

/// How invariants are written.
#[derive(Debug, Args)]
pub(crate) struct NotationOption {
    /// The language in whose signs invariants are written (default: that of the model)
    #[arg(long, value_name = "LANGUAGE")]
    notation: Option<NotationName>,
}

impl NotationOption {
    /// The language that the user wants, or that of the model.
    pub(crate) fn or(&self, of_model: Language) -> Language {
        match self.notation {
            Some(NotationName::Murphi) => Language::Murphi,
            Some(NotationName::Cubicle) => Language::Cubicle,
            None => of_model,
        }
    }
}

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NotationName {
    /// `forall i : NODE do x[i] = a -> y != b end`
    Murphi,
    /// `forall i. X[i] = A => Y <> B`, and bad states as `invariant (i) { … }`
    Cubicle,
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
    /// An invariant, by its number or its name, or the invariants that show a property, by the name of the property
    #[arg(long, value_name = "I")]
    pub(crate) invariant: Option<String>,
    /// Show the invariants about a state variable, given by its name or a part of it
    #[arg(long, value_name = "VARIABLE", conflicts_with_all = ["rule", "invariant", "flow"])]
    pub(crate) about: Option<String>,
    #[command(flatten)]
    pub(crate) notation: NotationOption,
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

/// Arguments of `translate`.
#[derive(Debug, Args)]
pub(crate) struct TranslateArguments {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// The file for the translated model, in Murphi or, if its name ends with `.cub`, in Cubicle's language
    #[arg(short = 'o', long = "out", value_name = "MODEL")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) limits: RunLimits,
}

/// Arguments of `fmt`.
#[derive(Debug, Args)]
pub(crate) struct FmtArguments {
    /// Models to format in place, and folders of models
    #[arg(value_name = "MODEL", required = true)]
    pub(crate) models: Vec<PathBuf>,
    /// Change nothing, and list the models that would be changed; the exit code is 1 if there are any
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
    /// Accepted for editors that pass it; there is no other way of communication
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
    /// The model that the certificate is about
    #[arg(long = "model", value_name = "MODEL")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
}

/// How to read a model.
#[derive(Clone, Debug, Args)]
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
    /// Keep numbers, and constants that are used as values, as they are in the model
    #[arg(long)]
    pub(crate) finite_numbers: bool,
    /// Add the property that every state has a rule that changes it, or with `stuck`, one that is enabled
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "stuttering")]
    pub(crate) deadlock: Option<DeadlockKind>,
    /// Let this state variable, which nothing writes, have any value in the initial states
    #[arg(long = "arbitrary", value_name = "NAME")]
    pub(crate) arbitrary: Vec<String>,
    /// What it means to compare an undefined value with `=` or `!=`, to ask of which type it is, or to switch on it
    #[arg(long, value_name = "MEANING", default_value = "error")]
    pub(crate) undefined: Undefined,
    /// How errors in the model are written to standard error
    #[arg(long = "error-format", value_name = "FORMAT", default_value = "text")]
    pub(crate) error_format: ErrorFormat,
}

/// What comparing an undefined value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Undefined {
    /// A run-time error, as in rumur
    Error,
    /// It is unequal to every value
    Unequal,
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
    /// Stop when this much memory is in use, such as 800M, 512MiB or 2GB
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) max_memory: Option<u64>,
    /// Stop after this time, such as 90s, 10min or 2h
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
    /// Try the invariants of this certificate first; it may be of an earlier form of the model (default: the certificate that
    /// is where the new one goes)
    #[arg(long, value_name = "CERT")]
    pub(crate) from: Option<PathBuf>,
    /// Search as if there were no earlier certificate
    #[arg(long, conflicts_with = "from")]
    pub(crate) anew: bool,
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
