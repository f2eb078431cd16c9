//! `discussions man`

use std::path::{Path, PathBuf};

use clap::Command;

use crate::cli::error::{Exit, Failure};
use crate::cli::grammar;
use crate::cli::shell::Shell;
use crate::cli::ui::spelt;

/// Print a manual page, or write all of them to a folder
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command that the page is about; without one, the program
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    command: Vec<String>,
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
}

/// Prints or writes them.
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let mut all = grammar::command().disable_help_subcommand(true);
    all.build();
    if let Some(dir) = &args.dir {
        let failed = |path: &Path, error| {
            Failure::io(format!("{}: cannot be written: {error}", spelt(path)))
        };
        std::fs::create_dir_all(dir).map_err(|error| failed(dir, error))?;
        for (name, page) in pages(&all, "discussions")? {
            let path = dir.join(format!("{name}.1"));
            std::fs::write(&path, page).map_err(|error| failed(&path, error))?;
            shell.ui.out(format!("Created: {}", spelt(&path)));
        }
        return Ok(Exit::Done);
    }
    let mut name = "discussions".to_owned();
    let mut command = &all;
    for word in &args.command {
        command = command.find_subcommand(word).ok_or_else(|| {
            Failure::usage(format!("there is no command `{name} {word}`"))
                .help("`discussions --help` shows all")
        })?;
        name = format!("{name}-{word}");
    }
    shell.ui.page(page(command, &name)?);
    Ok(Exit::Done)
}

/// The pages of a command and of all below it, each with its name.
fn pages(command: &Command, name: &str) -> Result<Vec<(String, String)>, Failure> {
    let mut all = vec![(name.to_owned(), page(command, name)?)];
    for below in command.get_subcommands() {
        all.extend(pages(below, &format!("{name}-{}", below.get_name()))?);
    }
    Ok(all)
}

fn page(command: &Command, name: &str) -> Result<String, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone().display_name(name.to_owned()))
        .title(name.to_uppercase())
        .source(concat!("discussions ", env!("CARGO_PKG_VERSION")))
        .manual("discussions")
        .render(&mut page)
        .map_err(|error| Failure::io(format!("the page cannot be made: {error}")))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
