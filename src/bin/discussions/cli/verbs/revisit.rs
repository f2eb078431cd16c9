//! `discussions revisit`

use std::path::PathBuf;

use discussions::runner::RunOptions;
use discussions::workspace::{Question, WorkspaceError};

use crate::cli::error::{CommandError, Exit};
use crate::cli::flags::{MaterialArgs, warn_of_left_out};
use crate::cli::input::read_text;
use crate::cli::live::{self, OutputForm};
use crate::cli::shell::{CommandHint, Shell};
use crate::cli::verbs::new::key_value;
use crate::cli::words;

/// Look at a decision again, in a new discussion
///
/// The new file holds the old text with its reasons, dissent and hindsight, and what changed in the affected files since.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Your first comment says which decisions it supersedes. They stay in force until the new discussion has \
                  decided.\nWithout git, or without `AFFECTS:`, the new file says what is missing."
)]
pub(crate) struct Args {
    /// The discussion with the decision: a path, a title, a name or its beginning
    file: PathBuf,
    /// The title of the new discussion; by default the old one
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The pattern of the new discussion
    #[arg(short, long, value_name = "T", default_value = "second-look")]
    template: String,
    /// A file with what is new, as Markdown; `-` reads standard input
    #[arg(long, value_name = "F")]
    context_file: Option<PathBuf>,
    /// The participants: personas, providers, persona=provider, or NAME=person for a person
    #[arg(short, long, value_name = "LIST", value_delimiter = ',')]
    participants: Vec<String>,
    /// A parameter of the pattern; can be repeated
    #[arg(long = "set", value_name = "K=V", value_parser = key_value)]
    parameters: Vec<(String, String)>,
    /// Your name; by default the configured author, git's user or the login name
    #[arg(long = "as", value_name = "NAME")]
    author: Option<String>,
    /// The file to write; by default named after the title
    #[arg(long, value_name = "F")]
    out: Option<PathBuf>,
    /// Run it at once, up to the point where a person is needed
    #[arg(long)]
    run: bool,
    /// With --run: use this provider for all participants
    #[arg(long, value_name = "P", requires = "run")]
    provider: Option<String>,
    /// Print the result as JSON; with --run, the result of the run
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    material: MaterialArgs,
}

/// Creates the file, and runs the discussion if the user wants that.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    args.material.learn(shell);
    let workspace = if args.run { shell.running_workspace()? } else { shell.workspace()? };
    let old = shell.discussion(&workspace, Some(&args.file))?;
    if let Some(provider) = &args.provider {
        workspace.providers().insist_on_provider(provider)?;
    }
    let named = args.author.as_deref().map(|name| name.trim().trim_start_matches('@'));
    let author = shell.author(&workspace, named)?;
    let context = args.context_file.map(|path| read_text(&workspace, &path)).transpose()?;
    let material = args.material.into();
    warn_of_left_out(shell, &workspace, &material);
    let again = Question {
        topic: args.title.unwrap_or_default(),
        pattern: Some(args.template),
        context,
        material,
        participants: args.participants,
        parameters: args.parameters,
        file: args.out,
        ..Question::default()
    };
    let created =
        workspace.decisions().revisit(&old, &again, &author).map_err(|error| match error {
            // The name is right, but the command does not fit its discussion.
            WorkspaceError::StillOpen { .. } => {
                let called = CommandHint::of(shell, &workspace, &old);
                CommandError::from(error).into_usage().naming(called.name())
            }
            error => error.into(),
        })?;
    let path = created.path;
    if !args.json {
        shell.ui.out(format!("Created: {}", workspace.shown_path(&path)));
    }
    for note in &created.unused {
        shell.ui.hint("note", words::help::unused(note, false));
    }
    if args.run {
        let request = RunOptions { provider: args.provider, ..RunOptions::with_default_limits() };
        let form = OutputForm { json: args.json, ..OutputForm::default() };
        return live::go_first(shell, &workspace, &path, &request, form);
    }
    live::stand_ins(shell, &workspace, &path)?;
    shell.summary(workspace.summarize(&path).as_deref());
    let made = workspace.discussions().creation_report(&path)?;
    for why in &made.doubted {
        shell.ui.warning(why.as_str());
    }
    if args.json {
        shell.ui.json(&made);
    }
    let called = CommandHint::of(shell, &workspace, &path);
    words::steps::tell_next_step(&mut shell.ui, &called, &made.next);
    Ok(Exit::Done)
}
