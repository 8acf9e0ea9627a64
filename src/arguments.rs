//! The command line.
//!
//! In: the arguments of the process. Out: one typed value per subcommand. It must not open a file or run a stage.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Proves cache-coherence and mutual-exclusion protocols, written in Murphi, safe for any number of nodes, and
/// leaves a proof that can be checked without trusting the search.
#[derive(Debug, Parser)]
#[command(name = "paraproof", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 proven or accepted; 1 property violated (diff: tables differ); \
    2 bad input or usage; 3 inconclusive; 4 certificate rejected.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what was understood of a model: index types, rules, what is refused and why
    Lint(LintArguments),
}

/// Arguments of `lint`.
#[derive(Debug, Args)]
pub(crate) struct LintArguments {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Print the lowered system as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A model as an argument, and how to read it.
#[derive(Debug, Args)]
pub(crate) struct ModelArguments {
    /// The Murphi model
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
}

/// A model as an option beside a certificate.
#[derive(Debug, Args)]
pub(crate) struct ModelOption {
    /// The Murphi model that the certificate speaks about
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
    pub(crate) definitions: Vec<(String, i64)>,
    /// Take this type as an index type (of any size), or refuse the model where that is impossible
    #[arg(long = "index-type", value_name = "NAME")]
    pub(crate) index_types: Vec<String>,
    /// Keep this type finite and of the size in the model
    #[arg(long = "finite-type", value_name = "NAME")]
    pub(crate) finite_types: Vec<String>,
    /// How errors in the model are written to standard error
    #[arg(long = "error-format", value_name = "FORMAT", default_value = "text")]
    pub(crate) error_format: ErrorFormat,
}

/// How errors in a model are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ErrorFormat {
    /// With an excerpt of the source
    Text,
    /// One JSON object per line
    Json,
}

/// What a run may use.
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Worker threads (default: one per processor); results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) threads: Option<u32>,
    /// Stop after this many states of the explicit instance
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Stop when this much memory is in use, such as 800M or 4G
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) max_memory: Option<u64>,
    /// Stop after this time, such as 30s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
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

fn definition(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let mut characters = name.chars();
    let starts_well = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || !characters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("'{name}' is no name of a constant"));
    }
    let value = match value {
        "true" => 1,
        "false" => 0,
        number => number.parse().map_err(|_| format!("'{number}' is no whole number"))?,
    };
    Ok((name.to_owned(), value))
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
    fn values_are_read() {
        assert_eq!(definition("N=3"), Ok(("N".to_owned(), 3)));
        assert_eq!(definition("low=-2"), Ok(("low".to_owned(), -2)));
        assert_eq!(definition("flag=true"), Ok(("flag".to_owned(), 1)));
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
