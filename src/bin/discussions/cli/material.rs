//! What everybody is to see beside the context.

use discussions::workspace::Sources;

/// Files and changes that go into the discussion.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Material")]
pub(crate) struct Material {
    /// A file, a folder or a pattern such as 'src/**/*.rs', put into the discussion; may be given several times
    #[arg(long = "file", value_name = "GLOB")]
    files: Vec<String>,
    /// The changes of these commits, such as main...HEAD, put into the discussion
    #[arg(long, value_name = "RANGE")]
    diff: Option<String>,
}

impl From<Material> for Sources {
    fn from(Material { files, diff }: Material) -> Self {
        Self { files, diff }
    }
}
