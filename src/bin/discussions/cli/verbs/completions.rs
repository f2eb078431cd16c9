//! `discussions completions`

use clap::ValueEnum;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Print the line that turns on completion in your shell
///
/// Your shell then completes commands and the names of discussions, participants, providers and templates.
#[derive(Debug, clap::Args)]
#[command(after_help = "To turn it on permanently:\n  \
    discussions completions bash >> ~/.bashrc\n  \
    discussions completions zsh >> ~/.zshrc\n  \
    discussions completions fish >> ~/.config/fish/config.fish\n  \
    discussions completions elvish >> ~/.config/elvish/rc.elv\n  \
    discussions completions powershell >> $PROFILE")]
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
    fn line(self) -> &'static str {
        match self {
            Self::Bash => "source <(COMPLETE=bash discussions)",
            Self::Elvish => "eval (E:COMPLETE=elvish discussions | slurp)",
            Self::Fish => "COMPLETE=fish discussions | source",
            Self::PowerShell => {
                "$env:COMPLETE = \"powershell\"; discussions | Out-String | Invoke-Expression; Remove-Item \
                 Env:\\COMPLETE"
            }
            Self::Zsh => "source <(COMPLETE=zsh discussions)",
        }
    }
}

/// Prints the line.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    shell.ui.out(args.shell.line());
    Ok(Exit::Done)
}
