//! `discussions completions`

use clap::ValueEnum;

use crate::cli::completing;
use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Print the completion script for your shell
///
/// Your shell then completes commands and the names of discussions, participants, providers and templates.
#[derive(Debug, clap::Args)]
#[command(after_help = "To turn it on permanently:\n  \
    discussions completions bash > ~/.local/share/bash-completion/completions/discussions\n  \
    echo 'source <(discussions completions zsh)' >> ~/.zshrc\n  \
    discussions completions fish > ~/.config/fish/completions/discussions.fish\n  \
    discussions completions elvish >> ~/.config/elvish/rc.elv\n  \
    discussions completions powershell >> $PROFILE\n\n\
    In zsh, the script also works as a file `_discussions` in a folder of $fpath.")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: GeneratedKind,
}

/// The shells that can ask.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum GeneratedKind {
    Bash,
    Elvish,
    Fish,
    #[value(name = "powershell")]
    PowerShell,
    Zsh,
}

impl GeneratedKind {
    fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Elvish => "elvish",
            Self::Fish => "fish",
            Self::PowerShell => "powershell",
            Self::Zsh => "zsh",
        }
    }
}

/// Prints the script.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let script = completing::write_script(args.shell.name())
        .map_err(|error| CommandError::io(format!("cannot create the script: {error}")))?;
    shell.ui.page(script);
    Ok(Exit::Done)
}
