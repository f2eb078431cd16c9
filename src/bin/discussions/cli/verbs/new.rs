//! `discussions new`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::runner::RunOptions;
use discussions::workspace::{NewDiscussion, Workspace};

use crate::cli::editor;
use crate::cli::error::{CommandError, Exit};
use crate::cli::flags::{MaterialArgs, warn_of_left_out};
use crate::cli::input::read_text;
use crate::cli::live::{self, OutputForm};
use crate::cli::shell::{CommandHint, Shell};
use crate::cli::ui::Line;
use crate::cli::verbs::comment::future_day;
use crate::cli::verbs::recall;
use crate::cli::words::{self, ways::Way};

/// Create a discussion: one Markdown file
///
/// Describe the topic in the file, then collect answers with `run`, `turn` and `comment`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The title, in one line
    title: String,
    /// The pattern of the discussion (`discussions templates list` shows all)
    #[arg(short, long, value_name = "T")]
    template: Option<String>,
    /// The context, as Markdown
    #[arg(short, long, value_name = "TEXT", conflicts_with = "context_file")]
    context: Option<String>,
    /// A file with the context; `-` reads standard input
    #[arg(long, value_name = "F")]
    context_file: Option<PathBuf>,
    /// The participants: personas, providers, persona=provider, or NAME=person for a person
    #[arg(short, long, value_name = "LIST", value_delimiter = ',')]
    participants: Vec<String>,
    /// A parameter of the pattern; can be repeated
    #[arg(long = "set", value_name = "K=V", value_parser = key_value)]
    parameters: Vec<(String, String)>,
    /// The folder of the new file
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
    /// Include the three nearest earlier decisions, or N of them
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    recall: Option<u32>,
    /// The day until which people should decide: a date, or a time from today, such as "2 weeks"
    #[arg(long, value_name = "DAY")]
    decide_by: Option<String>,
    /// Run it at once, up to the point where a person is needed
    #[arg(long)]
    run: bool,
    /// With --run: use this provider for all participants
    #[arg(long, value_name = "P", requires = "run")]
    provider: Option<String>,
    /// Open the new file in $EDITOR
    #[arg(short, long)]
    edit: bool,
    /// Print the result as JSON; with --run, the result of the run
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    material: MaterialArgs,
}

/// Creates the file, and runs the discussion if the user wants that.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    if args.edit {
        editor::insist_on_terminal()?;
    }
    args.material.learn(shell);
    let workspace = if args.run { shell.running_workspace()? } else { shell.workspace()? };
    if let Some(provider) = &args.provider {
        workspace.providers().insist_on_provider(provider)?;
    }
    let decide_by = args.decide_by.as_deref().map(|day| future_day(&workspace, day)).transpose()?;
    let context = match &args.context_file {
        Some(path) => Some(read_text(&workspace, path)?),
        None => args.context,
    };
    for why in workspace.warn_of_secrets("the title", &args.title) {
        shell.ui.warning(why);
    }
    let material = args.material.into();
    warn_of_left_out(shell, &workspace, &material);
    let is_bare = context.is_none() && material.is_empty() && !args.edit;
    let is_chosen = !args.participants.is_empty();
    let title_has_letters = args.title.chars().any(char::is_alphanumeric);
    let path = workspace.discussions().create(&NewDiscussion {
        title: args.title,
        template: args.template,
        context,
        material,
        participants: args.participants,
        parameters: args.parameters,
        folder: args.dir,
        recall: args.recall,
        decide_by,
        is_one_shot: args.run && !args.edit,
        ..NewDiscussion::default()
    })?;
    let file = workspace.shown_path(&path);
    if !args.json {
        shell.ui.out(format!("Created: {file}"));
    }
    if !title_has_letters {
        let name = workspace.name(&path);
        shell.ui.hint(
            "note",
            format!(
                "the title has no letter or digit for a file name, so the file is called {name}"
            ),
        );
    }
    if args.edit {
        editor::open(&shell.outside, &path)?;
    }
    for note in workspace.discussions().silent(&path)? {
        shell.ui.hint("note", words::help::unused(&note, false));
    }
    let made = workspace.discussions().creation_report(&path)?;
    for why in &made.doubted {
        shell.ui.warning(why.as_str());
    }
    if let Some(line) = filled_in(&made.participants, &made.added, is_chosen) {
        shell.ui.hint("note", line);
    }
    if args.recall.is_none() {
        let before = made.decided_before.iter();
        recall::note(shell, before.map(|one| (one.name.as_str(), one.sentence.as_str())));
    }
    if args.run {
        let request = RunOptions { provider: args.provider, ..RunOptions::with_default_limits() };
        let form = OutputForm { json: args.json, ..OutputForm::default() };
        if is_bare && !may_run_bare(shell, &workspace, &path, &request)? {
            let run = CommandHint::of(shell, &workspace, &path).command("run", "");
            Way::new(run, "after you described the topic in the file").tell(&mut shell.ui);
            return Ok(Exit::Done);
        }
        return live::go_first(shell, &workspace, &path, &request, form);
    }
    live::stand_ins(shell, &workspace, &path)?;
    shell.summary(workspace.summarize(&path).as_deref());
    if args.json {
        shell.ui.json(&made);
    }
    let called = CommandHint::of(shell, &workspace, &path);
    if let Some(line) = made.placeholder_line {
        // The topic comes first: without it, all participants would answer the questions of the template.
        let quoted = shell_words::quote(&file);
        let way = format!("describe the topic, starting at line {line} of {quoted}");
        let way = if args.edit {
            way
        } else {
            format!("{way} (next time, `new -e` opens the file for you)")
        };
        shell.ui.hint("note", way);
    }
    words::steps::tell_next_step(&mut shell.ui, &called, &made.next);
    if workspace.lacks_set_up() {
        let what = "run `discussions init` once in each clone, and git merges discussions without conflicts";
        shell.ui.hint("note", what);
    }
    Ok(Exit::Done)
}

/// Says how many calls a run about a title alone makes, and asks a user at a terminal whether to make them.
fn may_run_bare(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    options: &RunOptions,
) -> Result<bool, CommandError> {
    // If the run cannot be prepared, it says why.
    let Ok(prepared) = workspace.runs().prepare(path, options) else { return Ok(true) };
    let calls = prepared.forecast()?.calls;
    shell.ui.hint(
        "note",
        format!(
            "there is no context, so the participants know only the title; --context gives one (the run makes up to \
             {calls} model calls)"
        ),
    );
    Ok(!shell.ui.can_ask() || shell.ui.ask(Line::from("Run it with the title alone?")))
}

/// Returns one line about the participants that the user did not name; `None` if there are none.
fn filled_in(seats: &[String], added: &[(String, String)], is_chosen: bool) -> Option<String> {
    let holder = |(alias, role): &(String, String)| {
        if alias == role { alias.clone() } else { format!("{alias} ({role})") }
    };
    let roles: Vec<String> = added.iter().map(holder).collect();
    let roles = roles.join(", ");
    match (is_chosen, roles.is_empty()) {
        (true, true) => None,
        (true, false) => Some(format!("the template adds {roles}, without a vote")),
        (false, is_alone) => {
            let seats = seats.join(", ");
            let more = if is_alone { String::new() } else { format!("; without a vote: {roles}") };
            Some(format!("participants by default: {seats}{more}; --participants chooses others"))
        }
    }
}

/// Parses a parameter and its value, as `--set` takes them.
pub(crate) fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as name=value")?;
    Ok((key.trim().to_owned(), value.to_owned()))
}
