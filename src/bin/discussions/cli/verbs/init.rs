//! `discussions init`

use std::fs;
use std::io;

use discussions::config::Project;
use discussions::store::{self, Done, Setup};

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;
use crate::cli::surroundings::Place;
use crate::cli::ui::spelt;

/// Make this folder a project, and its git repository fit for discussions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also check discussions before every commit
    #[arg(long)]
    hook: bool,
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
    let place = shell.outside.place();
    if place == Place::Gits {
        let folder = spelt(&shell.outside.folder);
        return Err(Failure::input(format!(
            "{folder}: holds git's own files and no work tree, so discussions cannot be kept here"
        ))
        .help("run `discussions init` where the files are checked out: in a clone or a worktree"));
    }
    let mut changed = false;
    if Project::find(&shell.outside.folder).is_none() {
        let path = shell.outside.folder.join(Project::FILE);
        create(&path, STARTER).map_err(|error| Failure::file(&path, "written", &error))?;
        shell.ui.out(format!("Created: {}", Project::FILE));
        changed = true;
    }
    let workspace = shell.workspace()?;
    if place == Place::NoRepository {
        shell.ui.note("this is no git repository; after `git init`, run `discussions init` again");
        return Ok(Exit::Done);
    }
    let output = workspace.output_directory();
    let setup = Setup { folder: &shell.outside.folder.clone(), output: &output, hook: args.hook };
    let done = store::init(setup)?;
    changed |= !done.is_empty();
    for one in done {
        tell(one, shell);
    }
    if !changed {
        shell.ui.out("Everything is set up already.");
    }
    Ok(Exit::Done)
}

/// What was done goes to standard output, what is left to do is a warning.
fn tell(one: Done, shell: &mut Shell) {
    match one {
        Done::Added { path, line } => {
            shell.ui.out(format!("Added to {}: {line}", shell.shown(&path)));
        }
        Done::Configured { key } => shell.ui.out(format!("Set in git's configuration: {key}")),
        Done::Hooked { path } => shell.ui.out(format!("Created: {}", shell.shown(&path))),
        Done::Foreign { path, line } => shell.ui.warning(format!(
            "{} is there already; add this line to it: {line}",
            shell.shown(&path)
        )),
        Done::Shared { hooks, own } => {
            shell.ui.warning(format!(
                "no hook was written: `core.hooksPath` names {}, which lies outside this repository, and a hook \
                 there would run in others too",
                spelt(&hooks)
            ));
            let own = spelt(&own).replace('\'', r"'\''");
            shell.ui.hint(
                "help",
                format!(
                    "to give this repository hooks of its own, which then run instead of those: \
                     git config --local core.hooksPath '{own}' && discussions init --hook"
                ),
            );
        }
        Done::Overridden { path, line, probe, merge } => {
            let path = shell.shown(&path);
            shell.ui.warning(format!(
                "discussions are not merged block by block: for {probe} git says `merge: {merge}`, so something \
                 overrides this line of {path}: {line}"
            ));
            shell.ui.hint(
                "help",
                format!(
                    "make it the last line of {path} that matches, and see whether a .gitattributes file nearer to \
                     the discussions or .git/info/attributes says otherwise; at the repository's top, \
                     `git check-attr merge -- '{}'` has to say `discussions`",
                    probe.replace('\'', r"'\''")
                ),
            );
        }
    }
}

fn create(path: &std::path::Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())
}
