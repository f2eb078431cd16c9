//! `discussions init`

use discussions::view::SetUp;
use discussions::workspace::Workspace;

#[cfg(feature = "mcp")]
use crate::cli::agents::Agent;
use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Make this folder a project, and set up its git repository
///
/// Git then merges discussions comment by comment. It may be run as often as you like.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also check discussions before every commit
    #[arg(long)]
    hook: bool,
    /// Also tell an agent's program of this one, and when a council is worth its calls
    #[cfg(feature = "mcp")]
    #[arg(long, value_name = "A", value_enum)]
    agent: Option<Agent>,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
}

/// A configuration that says nothing yet.
const STARTER: &str = "\
# Who takes part, unless a discussion says otherwise:
# default_participants: [architect, security, pragmatist]
# default_template: feature

# Your name above your comments; without it, git's user.name:
# author: Rob

# When a vote has decided:
# consensus: {threshold_ready: 0.67, threshold_reject: 0.01, human_required: true}

# Who answers, and who instead when that fails (`discussions providers list`); what a providers.yaml beside this file
# defines runs for others only after they agreed to it (`discussions trust`):
# providers: {default: claude-sonnet, fallback: [claude-haiku]}

# output: {directory: ./discussions, summary_files: false}
";

/// Sets it up, as often as one likes.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let begun = Workspace::begin(&shell.outside.folder, STARTER)?;
    if begun.made && !args.json {
        shell.ui.out("Created: discussions.yaml");
    }
    #[cfg(feature = "mcp")]
    let mut all = match args.agent {
        Some(agent) => agent.set_up(&shell.outside.folder)?,
        None => Vec::new(),
    };
    #[cfg(not(feature = "mcp"))]
    let mut all = Vec::new();
    let workspace = shell.workspace()?;
    if !begun.in_repository {
        let again = "this is no git repository; after `git init`, run `discussions init` again";
        shell.ui.note_wrapped(Line::told(again));
        if args.json {
            shell.ui.json(&begun.with(all));
        } else {
            all.into_iter().for_each(|one| tell(one, shell));
        }
        return Ok(Exit::Done);
    }
    all.extend(workspace.set_up_git(args.hook)?);
    if args.json {
        shell.ui.json(&begun.with(all));
        return Ok(Exit::Done);
    }
    if !begun.made && all.is_empty() {
        shell.ui.out("Everything is set up already.");
    }
    for one in all {
        tell(one, shell);
    }
    Ok(Exit::Done)
}

/// What was done goes to standard output, what is left to do is a warning.
fn tell(one: SetUp, shell: &mut Shell) {
    match one {
        SetUp::Added { file, line } => {
            shell.ui.wrapped("", format!("Added to {file}: {line}"));
        }
        SetUp::Configured { key } => shell.ui.out(format!("Set in git's configuration: {key}")),
        SetUp::Hooked { file } => shell.ui.out(format!("Created: {file}")),
        SetUp::Foreign { file, line } => {
            shell.ui.warning(format!("{file} is there already; add this line to it: {line}"))
        }
        SetUp::Shared { hooks, own } => {
            shell.ui.warning(format!(
                "no hook was written: `core.hooksPath` names {}, which lies outside this repository, and a hook \
                 there would run in others too",
                hooks
            ));
            let own = own.replace('\'', r"'\''");
            shell.ui.hint(
                "help",
                format!(
                    "to give this repository hooks of its own, which then run instead of those: \
                     git config --local core.hooksPath '{own}' && discussions init --hook"
                ),
            );
        }
        SetUp::Overridden { file, line, probe, merge } => {
            shell.ui.warning(format!(
                "discussions are not merged comment by comment: for {probe} git says `merge: {merge}`, so something \
                 overrides this line of {file}: {line}"
            ));
            shell.ui.hint(
                "help",
                format!(
                    "make it the last line of {file} that matches, and see whether a .gitattributes file nearer to \
                     the discussions or .git/info/attributes says otherwise; at the repository's top, \
                     `git check-attr merge -- '{}'` has to say `discussions`",
                    probe.replace('\'', r"'\''")
                ),
            );
        }
    }
}
