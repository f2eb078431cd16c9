//! Completions for the user's shell: names of discussions, participants, providers, templates and
//! phases. Computing them runs no program. If there are many discussions, only their names are
//! read.

mod shells;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::builder::StyledStr;
use clap::{Arg, Command};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use discussions::view::{DecisionStatus, visible_line};
use discussions::workspace::Workspace;

use crate::cli::environment::HostEnvironment;
use crate::cli::grammar;

/// A value and its description.
type Offer = (String, Option<String>);

/// Returns the command line with completions for its values.
pub(crate) fn command() -> Command {
    offering(grammar::command())
}

fn offering(command: Command) -> Command {
    command.mut_args(offered).mut_subcommands(offering)
}

/// Adds completions to an argument by its name. A name has one meaning in all commands.
fn offered(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "file" if arg.is_positional() => arg.add(ArgValueCompleter::new(file)),
        "who" => arg.add(of(mentions)),
        "alias" | "synthesizer" | "by" => arg.add(of(aliases)),
        "template" | "pattern" => arg.add(of(templates)),
        "provider" => arg.add(of(providers)),
        "name" if arg.is_positional() => arg.add(of(providers)),
        "to" => arg.add(of(phases)),
        "participants" | "perspectives" | "roles" => arg.add(of_list(seats)),
        "vote" => arg.add(of(votes)),
        "document" => arg.add(of(documents)),
        "command" if arg.is_positional() => arg.add(of(commands)),
        _ => arg,
    }
}

/// Returns the workspace of the folder that the line names, or else of the working folder.
fn workspace() -> Option<&'static Workspace> {
    static WORKSPACE: OnceLock<Option<Workspace>> = OnceLock::new();
    let open = || HostEnvironment::look(line().0.as_deref()).ok()?.open().ok();
    WORKSPACE.get_or_init(open).as_ref()
}

/// The words on the line, without their quotes.
static LINE: OnceLock<Vec<OsString>> = OnceLock::new();

/// Stores the words on the line for the functions that offer values.
fn set_line(words: &[OsString]) {
    // A process completes one line, so only the first call counts.
    LINE.get_or_init(|| words.to_vec());
}

/// Returns the folder that the line names with `-C`, and its words that are not flags. The first word is the program.
fn line() -> (Option<PathBuf>, Vec<OsString>) {
    let (mut folder, mut words) = (None, Vec::new());
    let mut line = LINE.get().into_iter().flatten().cloned();
    while let Some(word) = line.next() {
        let text = word.to_string_lossy();
        match text.strip_prefix("-C") {
            Some("") => folder = line.next().map(PathBuf::from),
            Some(joined) => folder = Some(PathBuf::from(joined.trim_start_matches('='))),
            None if text.starts_with('-') => {}
            None => words.push(word),
        }
    }
    // The word that the user is typing may be the folder itself.
    (folder.filter(|folder| folder.is_dir()), words)
}

/// Returns the discussion that the line names, or else the only open one.
fn discussion(workspace: &Workspace) -> Option<PathBuf> {
    let (_, words) = line();
    let named = words.iter().skip(2).find_map(|word| workspace.find(word.as_ref()).ok());
    named.or_else(|| {
        let all = workspace.discussions().list(None).ok()?.discussions;
        let mut open = all.iter().filter(|one| one.status == DecisionStatus::Open);
        let (one, other) = (open.next()?, open.next());
        workspace.find(one.name.as_ref()).ok().filter(|_| other.is_none())
    })
}

fn of(offers: fn(&Workspace) -> Vec<Offer>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let offers = workspace().map(offers).unwrap_or_default();
        matching_offers(offers, current, "")
    })
}

/// Completes the last of several values, after a comma or an equals sign.
fn of_list(offers: fn(&Workspace, bool) -> Vec<Offer>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let text = current.to_str().unwrap_or_default();
        let start = text.rfind([',', '=']).map_or(0, |at| at + 1);
        let is_second = text[..start].ends_with('=');
        let offers = workspace().map(|it| offers(it, is_second)).unwrap_or_default();
        matching_offers(offers, OsStr::new(&text[start..]), &text[..start])
    })
}

/// Keeps the offers that begin with the typed text, in any case. Drops those with characters that a terminal would
/// interpret.
fn matching_offers(offers: Vec<Offer>, current: &OsStr, before: &str) -> Vec<CompletionCandidate> {
    let current = current.to_str().unwrap_or_default().to_lowercase();
    let begins = |value: &str| value.to_lowercase().starts_with(&current);
    let fit =
        offers.into_iter().filter(|(value, _)| begins(value) && visible_line(value) == *value);
    fit.map(|(value, help)| {
        let help = help.map(|help| StyledStr::from(visible_line(&help)));
        CompletionCandidate::new(format!("{before}{value}")).help(help)
    })
    .collect()
}

/// Offers names of discussions. Offers paths if the user began a path, or if no name begins with the text.
fn file(current: &OsStr) -> Vec<CompletionCandidate> {
    let text = current.to_str().unwrap_or_default();
    let names = workspace().map(|workspace| workspace.names(text)).unwrap_or_default();
    let names = matching_offers(names, current, "");
    let paths = || {
        let markdown =
            |path: &std::path::Path| path.is_dir() || path.extension().is_some_and(|it| it == "md");
        PathCompleter::any().filter(markdown).complete(current)
    };
    // A name such as `-rf` looks like a flag; its path does not.
    let names: Vec<_> =
        names.into_iter().filter(|it| !it.get_value().to_string_lossy().starts_with('-')).collect();
    if names.is_empty() || text.starts_with(['.', '/', '~']) { paths() } else { names }
}

fn aliases(workspace: &Workspace) -> Vec<Offer> {
    let all = workspace.participants().list_participants().personas.into_iter();
    all.map(|one| (one.alias, Some(one.role))).collect()
}

fn mentions(workspace: &Workspace) -> Vec<Offer> {
    let all = ("@all".to_owned(), Some("all participants".to_owned()));
    let named = aliases(workspace).into_iter();
    let at = named.clone().map(|(alias, role)| (format!("@{alias}"), role));
    std::iter::once(all).chain(at).chain(named).collect()
}

fn templates(workspace: &Workspace) -> Vec<Offer> {
    let all = workspace.templates().into_iter();
    all.map(|one| (one.id, Some(one.summary))).collect()
}

fn providers(workspace: &Workspace) -> Vec<Offer> {
    workspace.providers().provider_names().map(|name| (name.to_owned(), None)).collect()
}

/// Offers participants and providers; after `persona=`, only providers.
fn seats(workspace: &Workspace, is_second: bool) -> Vec<Offer> {
    if is_second {
        providers(workspace)
    } else {
        [aliases(workspace), providers(workspace)].concat()
    }
}

/// Offers the phases of the discussion on the line, or else of all templates.
fn phases(workspace: &Workspace) -> Vec<Offer> {
    let template = discussion(workspace)
        .and_then(|path| Some(workspace.discussions().status(&path).ok()?.template));
    let all = workspace.templates().into_iter();
    let fit = all.filter(|one| template.as_ref().is_none_or(|id| *id == one.id));
    let mut phases: Vec<String> = fit.flat_map(|one| one.phases).collect();
    phases.sort();
    phases.dedup();
    phases.into_iter().map(|phase| (phase, None)).collect()
}

/// Offers the options of the current vote in the discussion on the line.
fn votes(workspace: &Workspace) -> Vec<Offer> {
    let status = discussion(workspace).and_then(|path| workspace.discussions().status(&path).ok());
    let options = status.map(|status| status.options).unwrap_or_default();
    options.into_iter().map(|option| (option, None)).collect()
}

fn documents(_: &Workspace) -> Vec<Offer> {
    Workspace::documents().map(|name| (name.to_owned(), None)).collect()
}

/// Offers the subcommands of the command on the line.
fn commands(_: &Workspace) -> Vec<Offer> {
    let (all, (_, words)) = (grammar::command(), line());
    let above = words.iter().skip(2).filter_map(|word| word.to_str());
    let command =
        above.fold(&all, |command, word| command.find_subcommand(word).unwrap_or(command));
    let about = |verb: &Command| verb.get_about().map(ToString::to_string);
    command.get_subcommands().map(|verb| (verb.get_name().to_owned(), about(verb))).collect()
}

/// The variable in which a shell asks for completions.
const VARIABLE: &str = "COMPLETE";

/// Returns the whole completion script for a shell. It finds the program in `PATH`, so a package can install it as a
/// file.
///
/// # Errors
/// Fails if the shell is unknown.
pub(crate) fn write_script(shell: &str) -> io::Result<String> {
    const PROGRAM: &str = "discussions";
    let known = shells::ALL.completer(shell).ok_or(io::ErrorKind::NotFound)?;
    let mut script = Vec::new();
    known.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    Ok(String::from_utf8_lossy(&script).trim().to_owned() + "\n")
}

/// If a shell asks for completions, prints them and exits. Otherwise does nothing.
pub(crate) fn answer() {
    let env = clap_complete::CompleteEnv::with_factory(command).var(VARIABLE).bin("discussions");
    env.shells(shells::ALL).complete();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_with_names_has_completions() {
        let command = command();
        let with = |verb: &str, arg: &str| {
            let verb = command.find_subcommand(verb).unwrap_or_else(|| panic!("{verb}"));
            let arg = verb.get_arguments().find(|one| one.get_id() == arg);
            arg.unwrap().get::<ArgValueCompleter>().is_some()
        };
        for (verb, arg) in [
            ("show", "file"),
            ("comment", "file"),
            ("answer", "file"),
            ("turn", "who"),
            ("run", "provider"),
            ("new", "template"),
            ("ask", "participants"),
            ("discuss", "pattern"),
            ("review", "pattern"),
            ("discuss", "participants"),
            ("advance", "to"),
            ("vote", "vote"),
            ("comment", "vote"),
            ("schema", "document"),
            ("man", "command"),
            ("search", "by"),
        ] {
            assert!(with(verb, arg), "{verb} {arg}");
        }
    }
}
