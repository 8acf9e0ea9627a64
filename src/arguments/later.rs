//! Arguments of a subcommand that are defined only when the command line names that subcommand, or when help is written.
//!
//! To define all arguments takes longer than to prove a small model.

use std::ops::Deref;

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Arguments that are defined when they are needed.
#[derive(Debug)]
pub(crate) struct Later<T>(T);

impl<T> Later<T> {
    #[cfg(test)]
    pub(super) fn now(self) -> T {
        self.0
    }
}

impl<T> Deref for Later<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for Later<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| {
            // What the subcommand says of itself stays.
            let (about, long_about) = (command.get_about().cloned(), command.get_long_about().cloned());
            let command = T::augment_args(command).about(about.unwrap_or_default());
            match long_about {
                Some(long_about) => command.long_about(long_about),
                None => command.long_about(None),
            }
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for Later<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
