//! `discussions new`

use std::path::PathBuf;

use discussions::runner::RunRequest;
use discussions::workspace::NewDiscussion;

use crate::cli::error::{Exit, Failure};
use crate::cli::input::read_text;
use crate::cli::live::{self, Work};
use crate::cli::material::Material;
use crate::cli::shell::Shell;
use crate::cli::words;
use crate::cli::words::next_step;

/// Make a discussion
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What it is about, in one line
    title: String,
    /// The form of discussion (`discussions templates list` shows all)
    #[arg(short, long, value_name = "T")]
    template: Option<String>,
    /// The context, as Markdown
    #[arg(short, long, value_name = "TEXT", conflicts_with = "context_file")]
    context: Option<String>,
    /// A file with the context; `-` is standard input
    #[arg(long, value_name = "F")]
    context_file: Option<PathBuf>,
    #[command(flatten)]
    material: Material,
    /// Who takes part: personas, providers, or persona=provider
    #[arg(short, long, value_name = "LIST", value_delimiter = ',')]
    participants: Vec<String>,
    /// A parameter of the template; may be given several times
    #[arg(long = "set", value_name = "K=V", value_parser = key_value)]
    parameters: Vec<(String, String)>,
    /// The folder of the new file
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
    /// Run it at once, to where a person is needed
    #[arg(long)]
    run: bool,
    /// The provider for everybody, with --run
    #[arg(long, value_name = "P", requires = "run")]
    provider: Option<String>,
}

/// Makes the file, and runs it if wanted.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    if let Some(provider) = &args.provider {
        workspace.insist_on_provider(provider)?;
    }
    let context = match &args.context_file {
        Some(path) => Some(read_text(&workspace, path)?),
        None => args.context,
    };
    let path = workspace.create(&NewDiscussion {
        title: args.title,
        template: args.template,
        context,
        material: args.material.into(),
        participants: args.participants,
        parameters: args.parameters,
        folder: args.dir,
        ..NewDiscussion::default()
    })?;
    let file = workspace.shown(&path);
    shell.ui.out(format!("Created: {file}"));
    for note in workspace.silent(&path)? {
        shell.ui.hint("note", words::unused(&note));
    }
    if args.run {
        let request = RunRequest { provider: args.provider, ..RunRequest::guarded() };
        return live::go_first(shell, &workspace, &path, &Work::Run(request));
    }
    live::stand_ins(shell, &workspace, &path)?;
    shell.summary(workspace.summarize(&path).as_deref());
    next_step::tell(&mut shell.ui, &workspace.next_steps(&path)?);
    Ok(Exit::Done)
}

/// A parameter and its value, as `--set` takes them.
pub(crate) fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as name=value")?;
    Ok((key.trim().to_owned(), value.to_owned()))
}
