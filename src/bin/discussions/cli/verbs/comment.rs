//! `discussions comment`

use std::io::Read as _;
use std::path::{Path, PathBuf};

use discussions::engine::Snapshot;
use discussions::participant::Kind;
use discussions::state::QuestionStatus;
use discussions::transcript::Name;
use discussions::workspace::{Remark, Workspace};

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;
use crate::cli::{editor, snippet};

/// Add a comment of your own
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion
    file: PathBuf,
    /// The comment, as Markdown; `-` reads standard input, nothing opens $EDITOR
    #[arg(allow_hyphen_values = true)]
    text: Option<String>,
    /// Who speaks; without it the configuration's author, git's user or the login name
    #[arg(long = "as", value_name = "NAME")]
    author: Option<String>,
    /// Your vote
    #[arg(long, value_name = "V")]
    vote: Option<String>,
    /// Edit the text before it is written
    #[arg(short, long)]
    edit: bool,
}

/// Writes it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = workspace.find(&args.file)?;
    let author = author(&args, &workspace, shell)?;
    let text = text(&args, &workspace, &path, shell)?;
    let written =
        workspace.comment(&path, &Remark { author: author.clone(), text, vote: args.vote })?;
    shell.ui.out(format!("Added comment from {}.", shown(&author, &workspace)));
    if let Some(vote) = &written.vote {
        shell.ui.note(format!("Vote: {vote}"));
    }
    for note in &written.notes {
        shell.ui.warning(format!("no vote of the text is counted: {note}"));
    }
    shell.summary(written.summary.as_deref());
    Ok(Exit::Done)
}

/// A mention's alias speaks under its persona's name.
fn author(args: &Args, workspace: &Workspace, shell: &Shell) -> Result<Name, Failure> {
    let named = args.author.as_deref().map(|name| name.trim().trim_start_matches('@'));
    let name = shell.author(workspace, named)?;
    let persona = workspace.setup.roster.by_name(&name);
    Ok(persona.map_or(name, |persona| persona.name.clone()))
}

/// `Human (Rob)` for a person, `AI-Architect` for a persona.
fn shown(author: &Name, workspace: &Workspace) -> String {
    match workspace.setup.roster.by_name(author) {
        Some(persona) if persona.kind != Kind::Human => persona.name.to_string(),
        _ => format!("Human ({author})"),
    }
}

fn text(args: &Args, workspace: &Workspace, path: &Path, shell: &Shell) -> Result<String, Failure> {
    let given = match args.text.as_deref() {
        Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| {
                Failure::input(format!("standard input cannot be read: {error}"))
            })?;
            Some(text)
        }
        other => other.map(str::to_owned),
    };
    match given {
        Some(text) if !args.edit => Ok(text),
        given => {
            let remarks = remarks(&workspace.snapshot(path)?);
            editor::write(&shell.outside, given.as_deref().unwrap_or_default(), &remarks)
        }
    }
}

/// What helps a person to answer.
fn remarks(snapshot: &Snapshot) -> String {
    let state = &snapshot.state;
    let phase = snapshot.template().phases[state.place.phase()].title();
    let options: Vec<String> =
        state.options(&snapshot.config).iter().map(ToString::to_string).collect();
    let mut out = format!(
        "{}, phase {phase}.\nTo vote, end with a line such as `VOTE: {}`.\n",
        state.title,
        options.join("` or `VOTE: ")
    );
    let open: Vec<String> = state
        .questions
        .iter()
        .filter(|question| question.status == QuestionStatus::Open)
        .map(|question| {
            let text = snippet::clip(&question.text, 200);
            format!("Q{}: {text} ({})\n", question.number, question.author)
        })
        .collect();
    if !open.is_empty() {
        out.push_str("\nOpen questions; answer one with a line such as `A: Q1 ...`:\n");
        out.extend(open);
    }
    out
}
