//! `discussions init`

use std::path::Path;

use discussions::view::{SetUp, visible_line};
use discussions::workspace::Workspace;

#[cfg(feature = "mcp")]
use crate::cli::agents::Agent;
#[cfg(feature = "lsp")]
use crate::cli::editors::Editor;
use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;
use crate::cli::words::{typed, ways::Way};

/// Make this folder a project, and set up its git repository
///
/// Git then merges discussions comment by comment. You can run it again at any time.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also check discussions before every commit
    #[arg(long)]
    hook: bool,
    /// Also set up an agent to use this program, with a skill that says when to use it
    #[cfg(feature = "mcp")]
    #[arg(long, value_name = "A", value_enum)]
    agent: Option<Agent>,
    /// Also set up an editor to check and complete discussions while you write them
    #[cfg(feature = "lsp")]
    #[arg(long, value_name = "E", value_enum)]
    editor: Option<Editor>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// A configuration without settings.
const STARTER: &str = "\
# The default participants and the default template:
# default_participants: [architect, security, pragmatist]
# default_template: feature

# Your name above your comments; by default git's user.name:
# author: Rob

# When a vote reaches consensus:
# consensus: {threshold_ready: 0.67, threshold_reject: 0.01, human_required: true}

# The default provider and its fallbacks (`discussions providers list`). Other people must trust a providers.yaml beside
# this file before its programs run (`discussions trust`):
# providers: {default: claude-sonnet, fallback: [claude-haiku]}

# output: {directory: ./discussions, summary_files: false}

# Folders with decision records of other tools (MADR, adr-tools):
# adr: [docs/adr]
";

impl Args {
    /// Returns true if an entry is written that names this program.
    fn names_the_program(&self) -> bool {
        #[cfg(feature = "mcp")]
        let has_agent = self.agent.is_some();
        #[cfg(not(feature = "mcp"))]
        let has_agent = false;
        #[cfg(feature = "lsp")]
        let has_editor = self.editor.is_some();
        #[cfg(not(feature = "lsp"))]
        let has_editor = false;
        has_agent || has_editor
    }
}

/// The names under which a system starts `discussions`, if it looks into the working folder.
const PROGRAM_NAMES: [&str; 5] =
    ["discussions", "discussions.exe", "discussions.com", "discussions.cmd", "discussions.bat"];

/// Refuses a folder that holds a program of this name: some systems and agents would start it in our place.
fn insist_on_no_other_program(folder: &Path) -> Result<(), CommandError> {
    let is_file = |name: &&&str| folder.join(name).is_file();
    match PROGRAM_NAMES.iter().find(is_file) {
        Some(name) => Err(CommandError::input(format!(
            "this folder holds the file {name}, which an agent or editor might start in place of this program"
        ))
        .help("remove or rename the file, then run the command again")),
        None => Ok(()),
    }
}

/// Sets up the project; can be repeated at any time.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    if args.names_the_program() {
        insist_on_no_other_program(&shell.outside.folder)?;
    }
    let begun = Workspace::initialize(&shell.outside.folder, STARTER)?;
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
    #[cfg(feature = "lsp")]
    if let Some(editor) = args.editor {
        all.extend(editor.set_up(&shell.outside.folder)?);
    }
    // Success would vouch for an entry that is not this program's.
    let is_ours = |one: &SetUp| !matches!(one, SetUp::Differs { .. } | SetUp::Foreign { .. });
    let exit = if all.iter().all(is_ours) { Exit::Done } else { Exit::No };
    let workspace = shell.workspace()?;
    if !begun.in_repository {
        let again = "this is not a git repository; after `git init`, run `discussions init` again";
        shell.ui.note_wrapped(Line::with_commands(again));
        if args.json {
            shell.ui.json(&begun.with(all));
        } else {
            all.into_iter().for_each(|one| tell(one, shell));
        }
        return Ok(exit);
    }
    all.extend(workspace.set_up_git(args.hook)?);
    if args.json {
        shell.ui.json(&begun.with(all));
        return Ok(exit);
    }
    if !begun.made && all.is_empty() {
        shell.ui.out("Everything is set up already.");
    }
    let made = begun.made.then(|| "discussions.yaml".to_owned());
    let added = all.iter().filter_map(|one| match one {
        SetUp::Added { file, .. } => Some(file.clone()),
        _ => None,
    });
    let files: Vec<String> = made.into_iter().chain(added).collect();
    for one in all {
        tell(one, shell);
    }
    tell_next(&files, shell);
    Ok(exit)
}

/// The maximum number of lines of a foreign text that are shown.
const MAX_SHOWN_LINES: usize = 20;
/// The maximum number of characters of each of these lines.
const MAX_SHOWN_CHARS: usize = 200;

/// Prints a foreign text as indented lines.
fn show_found(found: &str, shell: &mut Shell) {
    let lines: Vec<&str> = found.trim_end().lines().collect();
    for line in lines.iter().take(MAX_SHOWN_LINES) {
        let line = visible_line(line);
        let end = line.char_indices().nth(MAX_SHOWN_CHARS).map(|(at, _)| at);
        let cut = end.map_or(line.clone(), |at| format!("{}…", &line[..at]));
        shell.ui.insist(format!("    {cut}"));
    }
    if lines.len() > MAX_SHOWN_LINES {
        shell.ui.insist(format!("    … and {} more lines", lines.len() - MAX_SHOWN_LINES));
    }
}

/// Returns why a file gets its line.
fn purpose(file: &str) -> &'static str {
    match file.rsplit('/').next().unwrap_or(file) {
        ".gitattributes" => "    (git merges discussions comment by comment)",
        ".gitignore" => "    (summaries are written anew on each machine)",
        ".prettierignore" => "    (Prettier would change recorded comments)",
        ".editorconfig" => "    (editors would trim recorded comments)",
        _ => "",
    }
}

/// Prints the command that commits the files of this program.
fn tell_next(files: &[String], shell: &mut Shell) {
    if files.is_empty() {
        return;
    }
    let names: Vec<_> = files.iter().map(|file| typed(file)).collect();
    let names = names.join(" ");
    let commit = format!("git add {names} && git commit -m \"Set up discussions\"");
    Way::new(commit, "then each clone runs `discussions init` once, for its own git settings")
        .tell(&mut shell.ui);
    let ask = "discussions ask \"QUESTION\"".to_owned();
    Way::new(ask, "asks the first question").tell(&mut shell.ui);
}

/// Prints a change to standard output, and a remaining step as a warning.
fn tell(one: SetUp, shell: &mut Shell) {
    match one {
        SetUp::Added { file, line } => {
            shell.ui.wrapped("", format!("Added to {file}: {line}{}", purpose(&file)));
        }
        SetUp::Configured { key } => shell.ui.out(format!("Set in the git configuration: {key}")),
        SetUp::Hooked { file } => shell.ui.out(format!("Created: {file}")),
        SetUp::Differs { file, found, line } => {
            shell.ui.warning(format!(
                "{file} has something else in the place of this program's own text, and was left unchanged:"
            ));
            show_found(&found, shell);
            shell.ui.hint(
                "help",
                format!(
                    "read it before you use it; for this program's own text, remove it and run the command again, which \
                     adds: {line}"
                ),
            );
        }
        SetUp::Foreign { file, line } => {
            shell.ui.warning(format!("{file} already exists; add this line to it: {line}"))
        }
        SetUp::Shared { hooks, own } => {
            shell.ui.warning(format!(
                "no hook was written: `core.hooksPath` is {}, outside this repository, and a hook there would also \
                 run in other repositories",
                hooks
            ));
            let own = own.replace('\'', r"'\''");
            shell.ui.hint(
                "help",
                format!(
                    "to use hooks of this repository instead: git config --local core.hooksPath '{own}' && \
                     discussions init --hook"
                ),
            );
        }
        SetUp::Overridden { file, line, probe, merge } => {
            shell.ui.warning(format!(
                "git does not merge discussions comment by comment: it reports `merge: {merge}` for {probe}, so \
                 another line overrides this one of {file}: {line}"
            ));
            shell.ui.hint(
                "help",
                format!(
                    "make it the last line of {file} that matches; look for other rules in .git/info/attributes and in \
                     .gitattributes files closer to the discussions; at the top of the repository, \
                     `git check-attr merge -- '{}'` must print `discussions`",
                    probe.replace('\'', r"'\''")
                ),
            );
        }
    }
}
