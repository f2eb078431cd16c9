//! `discussions man`

use std::path::{Path, PathBuf};

use clap::Command;
use discussions::view::visible_line;

use crate::cli::error::{CommandError, Exit};
use crate::cli::grammar;
use crate::cli::shell::Shell;
use crate::cli::ui::spelt;
use crate::cli::words::typed;

/// Print a manual page, or write all of them to a folder
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command to describe; by default the program
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    command: Vec<String>,
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
}

/// Prints or writes the pages.
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let mut all = grammar::command().disable_help_subcommand(true);
    all.build();
    if let Some(dir) = &args.dir {
        let failed =
            |path: &Path, error| CommandError::io(format!("cannot write {}: {error}", spelt(path)));
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
    let begins_with_program = args.command.first().is_some_and(|word| *word == name);
    for word in args.command.iter().skip(usize::from(begins_with_program)) {
        command = command.find_subcommand(word).ok_or_else(|| {
            let help = if Path::new(word).is_dir() || word.contains(std::path::MAIN_SEPARATOR) {
                format!("`discussions man --dir {}` writes all pages there", typed(word))
            } else {
                "`discussions --help` lists all commands".to_owned()
            };
            let path = name.replacen('-', " ", 1);
            CommandError::usage(format!("there is no command `{path} {}`", visible_line(word)))
                .help(help)
        })?;
        name = format!("{name}-{word}");
    }
    shell.ui.page(page(command, &name)?);
    Ok(Exit::Done)
}

/// Returns the pages of a command and of its subcommands, each with its name.
fn pages(command: &Command, name: &str) -> Result<Vec<(String, String)>, CommandError> {
    let mut all = vec![(name.to_owned(), page(command, name)?)];
    for below in command.get_subcommands() {
        all.extend(pages(below, &format!("{name}-{}", below.get_name()))?);
    }
    Ok(all)
}

fn page(command: &Command, name: &str) -> Result<String, CommandError> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone().display_name(name.to_owned()))
        .title(name.to_uppercase())
        .source(concat!("discussions ", env!("CARGO_PKG_VERSION")))
        .manual("discussions")
        .render(&mut page)
        .map_err(|error| CommandError::io(format!("cannot create the page: {error}")))?;
    let page = String::from_utf8_lossy(&page).into_owned();
    Ok(with_usage(command, &page).unwrap_or(page))
}

/// Replaces the list of all flags in the synopsis by the usage line of the help, because the page describes the flags
/// below anyway.
fn with_usage(command: &Command, page: &str) -> Option<String> {
    let (before, rest) = page.split_once(".SH SYNOPSIS\n")?;
    let after = &rest[rest.find("\n.SH ")?..];
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim().strip_prefix("Usage: ")?.replace('\\', "\\e").replace('-', "\\-");
    Some(format!("{before}.SH SYNOPSIS\n{usage}{after}"))
}
