//! What everybody is to see beside the context.

use discussions::workspace::{Sources, Workspace};

use crate::cli::shell::Shell;

/// Files and changes that go into the discussion.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Material")]
pub(crate) struct Material {
    /// Include a file, a folder or a glob like 'src/**/*.rs'; can be repeated
    #[arg(long = "file", value_name = "GLOB")]
    files: Vec<String>,
    /// Include the changes of these commits, for example main...HEAD
    #[arg(long, value_name = "RANGE")]
    diff: Option<String>,
    #[command(flatten)]
    secrets: SecretArgs,
}

/// Whether a person wants secrets to be sent to models.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Material")]
pub(crate) struct SecretArgs {
    /// Also send credential files and text that looks like a key; by default both are refused
    #[arg(long)]
    allow_secrets: bool,
}

impl SecretArgs {
    /// Takes note of it, before the workspace is opened.
    pub(crate) fn learn(self, shell: &mut Shell) {
        shell.outside.allows_secrets = self.allow_secrets;
    }
}

impl Material {
    /// Takes note of whether secrets may be sent, before the workspace is opened.
    pub(crate) fn learn(&self, shell: &mut Shell) {
        self.secrets.learn(shell);
    }
}

impl From<Material> for Sources {
    fn from(Material { files, diff, .. }: Material) -> Self {
        Self { files, diff }
    }
}

/// Warns of each file that a folder or a pattern brought and that is left out, since it holds secrets.
pub(crate) fn warn_of_left_out(shell: &mut Shell, workspace: &Workspace, sources: &Sources) {
    // What cannot be read or is refused is told by whoever makes the discussion.
    for why in workspace.left_out(sources).unwrap_or_default() {
        shell.ui.warning(why);
    }
}
