//! Files and changes that all participants see besides the context.

use discussions::workspace::{Sources, Workspace};

use crate::cli::shell::Shell;

/// Files and changes that go into the discussion.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Material")]
pub(crate) struct MaterialArgs {
    /// Include a file, a folder or a glob like 'src/**/*.rs'; can be repeated
    #[arg(long = "file", value_name = "GLOB")]
    files: Vec<String>,
    /// Include the changes of these commits, for example main...HEAD
    #[arg(long, value_name = "RANGE")]
    diff: Option<String>,
    #[command(flatten)]
    secrets: SecretArgs,
}

/// The user's permission to send secrets to models.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Material")]
pub(crate) struct SecretArgs {
    /// Also send credential files and text that looks like a key; by default both are refused
    #[arg(long)]
    allow_secrets: bool,
}

impl SecretArgs {
    /// Stores the permission to send secrets; must run before the workspace is opened.
    pub(crate) fn learn(self, shell: &mut Shell) {
        shell.outside.allows_secrets = self.allow_secrets;
    }
}

impl MaterialArgs {
    /// Stores the permission to send secrets; must run before the workspace is opened.
    pub(crate) fn learn(&self, shell: &mut Shell) {
        self.secrets.learn(shell);
    }
}

impl From<MaterialArgs> for Sources {
    fn from(MaterialArgs { files, diff, .. }: MaterialArgs) -> Self {
        Self { files, diff }
    }
}

/// Warns of each file that a folder or a pattern selected and that is omitted because it contains secrets.
pub(crate) fn warn_of_left_out(shell: &mut Shell, workspace: &Workspace, sources: &Sources) {
    // Errors are reported when the discussion is created.
    for why in workspace.left_out(sources).unwrap_or_default() {
        shell.ui.warning(why);
    }
}
