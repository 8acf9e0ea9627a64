//! `pages`: manual pages and completions, from the definition of the command line. Packages contain them.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use crate::arguments::{Arguments, PagesArguments};
use crate::files::OutputFolder;
use crate::interrupt;
use crate::outcome::Outcome;

const NAME: &str = "paraproof";

pub(super) fn run(arguments: &PagesArguments) -> anyhow::Result<Outcome> {
    interrupt::end_at_once();
    let mut folder = OutputFolder::create(&arguments.out)?;
    if let Err(error) = fill(&mut folder) {
        folder.discard();
        return Err(error);
    }
    folder.publish(Vec::new())?;
    Ok(Outcome::Good)
}

fn fill(folder: &mut OutputFolder) -> anyhow::Result<()> {
    let mut command = Arguments::command();
    command.build();
    manual(folder, &command, NAME)?;
    for (shell, file) in [(Shell::Bash, "paraproof.bash"), (Shell::Zsh, "_paraproof"), (Shell::Fish, "paraproof.fish")]
    {
        let mut text = Vec::new();
        generate(shell, &mut Arguments::command(), NAME, &mut text);
        folder.add(&Path::new("completions").join(file), &text)?;
    }
    Ok(())
}

/// A page for a subcommand, and for those below it.
fn manual(folder: &mut OutputFolder, command: &clap::Command, name: &str) -> anyhow::Result<()> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    folder.add(Path::new(&format!("man/{name}.1")), &page)?;
    let mut shown = command.get_subcommands().filter(|own| !own.is_hide_set() && own.get_name() != "help");
    shown.try_for_each(|own| manual(folder, own, &format!("{name}-{}", own.get_name())))
}
