//! What a shell offers while somebody types: names of discussions, people, providers, templates and phases. Nothing is
//! run for it, and where many discussions are only their names are looked at.

use std::ffi::OsStr;

use clap::builder::StyledStr;
use clap::{Arg, Command};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use discussions::transcript::visible_line;
use discussions::workspace::Workspace;

use crate::cli::grammar;
use crate::cli::surroundings::Outside;

/// A value with what it is.
type Offer = (String, Option<String>);

/// The command line with what may be offered for its values.
pub(crate) fn command() -> Command {
    offering(grammar::command())
}

fn offering(command: Command) -> Command {
    command.mut_args(offered).mut_subcommands(offering)
}

/// By what an argument is called, the same in all verbs.
fn offered(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "file" if arg.is_positional() => arg.add(ArgValueCompleter::new(file)),
        "who" => arg.add(of(mentions)),
        "alias" | "synthesizer" => arg.add(of(aliases)),
        "template" | "pattern" => arg.add(of(templates)),
        "provider" => arg.add(of(providers)),
        "name" if arg.is_positional() => arg.add(of(providers)),
        "to" => arg.add(of(phases)),
        "participants" | "perspectives" | "roles" => arg.add(of_list(seats)),
        _ => arg,
    }
}

fn workspace() -> Option<Workspace> {
    Outside::look(None).ok()?.open().ok()
}

fn of(offers: fn(&Workspace) -> Vec<Offer>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let offers = workspace().map(|workspace| offers(&workspace)).unwrap_or_default();
        begun(offers, current, "")
    })
}

/// The same for the last of several values: behind a comma or an equals sign.
fn of_list(offers: fn(&Workspace, bool) -> Vec<Offer>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let text = current.to_str().unwrap_or_default();
        let start = text.rfind([',', '=']).map_or(0, |at| at + 1);
        let is_second = text[..start].ends_with('=');
        let offers = workspace().map(|workspace| offers(&workspace, is_second)).unwrap_or_default();
        begun(offers, OsStr::new(&text[start..]), &text[..start])
    })
}

/// Those that begin as was typed. What would act on a terminal is not offered.
fn begun(offers: Vec<Offer>, current: &OsStr, before: &str) -> Vec<CompletionCandidate> {
    let current = current.to_str().unwrap_or_default();
    let fit = offers
        .into_iter()
        .filter(|(value, _)| value.starts_with(current) && visible_line(value) == *value);
    fit.map(|(value, help)| {
        let help = help.map(|help| StyledStr::from(visible_line(&help)));
        CompletionCandidate::new(format!("{before}{value}")).help(help)
    })
    .collect()
}

/// Names; paths where one is begun, or no name begins so.
fn file(current: &OsStr) -> Vec<CompletionCandidate> {
    let text = current.to_str().unwrap_or_default();
    let names = workspace().map(|workspace| workspace.names(text)).unwrap_or_default();
    let names = begun(names, current, "");
    let paths = || {
        let markdown =
            |path: &std::path::Path| path.is_dir() || path.extension().is_some_and(|it| it == "md");
        PathCompleter::any().filter(markdown).complete(current)
    };
    if names.is_empty() || text.starts_with(['.', '/', '~']) { paths() } else { names }
}

fn aliases(workspace: &Workspace) -> Vec<Offer> {
    let all = workspace.participants().personas.into_iter();
    all.map(|one| (one.alias, Some(one.role))).collect()
}

fn mentions(workspace: &Workspace) -> Vec<Offer> {
    let all = ("@all".to_owned(), Some("everybody".to_owned()));
    let named = aliases(workspace).into_iter();
    let at = named.clone().map(|(alias, role)| (format!("@{alias}"), role));
    std::iter::once(all).chain(at).chain(named).collect()
}

fn templates(workspace: &Workspace) -> Vec<Offer> {
    let all = workspace.templates().into_iter();
    all.map(|one| (one.id, Some(one.summary))).collect()
}

fn providers(workspace: &Workspace) -> Vec<Offer> {
    let all = workspace.registry.entries().iter();
    all.map(|one| (one.definition.common.name.to_string(), None)).collect()
}

/// Who may have a seat; behind `persona=`, through what they speak.
fn seats(workspace: &Workspace, is_second: bool) -> Vec<Offer> {
    if is_second {
        providers(workspace)
    } else {
        [aliases(workspace), providers(workspace)].concat()
    }
}

/// Those of the discussion that is named on the line, else of all templates.
fn phases(workspace: &Workspace) -> Vec<Offer> {
    let line = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let words: Vec<_> = line.filter(|word| !word.to_string_lossy().starts_with('-')).collect();
    let named = words.iter().skip(2).find_map(|word| workspace.find(word.as_ref()).ok());
    let template = named.and_then(|path| Some(workspace.status(&path).ok()?.template));
    let all = workspace.templates().into_iter();
    let fit = all.filter(|one| template.as_ref().is_none_or(|id| *id == one.id));
    let mut phases: Vec<String> = fit.flat_map(|one| one.phases).collect();
    phases.sort();
    phases.dedup();
    phases.into_iter().map(|phase| (phase, None)).collect()
}

/// Answers a shell that asks what may be typed, and ends; does nothing else.
pub(crate) fn answer() {
    clap_complete::CompleteEnv::with_factory(command).bin("discussions").complete();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_that_names_something_has_offers() {
        let command = command();
        let with = |verb: &str, arg: &str| {
            let verb = command.find_subcommand(verb).unwrap_or_else(|| panic!("{verb}"));
            let arg = verb.get_arguments().find(|one| one.get_id() == arg);
            arg.unwrap().get::<ArgValueCompleter>().is_some()
        };
        for (verb, arg) in [
            ("show", "file"),
            ("comment", "file"),
            ("turn", "who"),
            ("run", "provider"),
            ("new", "template"),
            ("discuss", "pattern"),
            ("discuss", "participants"),
            ("advance", "to"),
        ] {
            assert!(with(verb, arg), "{verb} {arg}");
        }
    }
}
