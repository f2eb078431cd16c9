//! Help for errors, one row for each kind: in commands and flags for the terminal, in buttons and fields for pages, in
//! tools and arguments for agents.

use discussions::codes::Fix;
use discussions::view::visible_line;
use discussions::workspace::{Help, Unused};

use super::typed;
use crate::cli::error::who_may;

/// The help if a project-defined provider is not trusted. Pages have no button for it, so that no page can grant trust.
pub(crate) const NOT_TRUSTED: &str =
    "run `discussions trust` to see what it runs and to trust it, or name another provider";

/// The help after a command that needed a model.
const WAYS_TO_A_MODEL: &str = "any one of these will do:\n  \
    - log in to an installed program: `discussions doctor` lists them\n  \
    - install one: claude, codex, gemini or opencode (`npm install -g opencode-ai`; its provider `opencode-pickle` is free)\n  \
    - set a key in the environment, for example OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY\n  \
    - start Ollama, for models on this machine\n  \
    - use your own command: discussions providers add NAME --command LINE\n  \
    - try it with made-up answers: --provider mock";

const BY_A_PERSON: &str = "a person has to change this outside of the browser";
const NOT_IN_THE_FORM: &str = "the form cannot set it; choose another pattern";
const REVIEW_SETS_IT: &str = "call `review` with this `pattern`, and `file` or `changes`";
const NO_TOOL_SETS_IT: &str = "no tool sets this parameter; use another pattern";
const LIMITS_OF_SERVER: &str = "the limits are set when the server is started";
const MONEY_OF_SERVER: &str =
    "a person can restart the server with a higher --max-usd, or set `price` in providers.yaml";

/// One kind of help in the words of each audience. Pages and agents get the terminal's words if they have none of their
/// own.
struct Row {
    terminal: String,
    place: Place,
    page: Option<String>,
    agent: Option<&'static str>,
}

/// Where a terminal shows the help.
enum Place {
    /// In a line of its own.
    Beside,
    /// At the end of the message.
    AtEnd,
    /// In place of the message.
    Instead,
}

impl Row {
    fn page(self, words: impl Into<String>) -> Self {
        Self { page: Some(words.into()), ..self }
    }

    fn agent(self, words: &'static str) -> Self {
        Self { agent: Some(words), ..self }
    }
}

fn row_beside(words: impl Into<String>) -> Row {
    Row { terminal: words.into(), place: Place::Beside, page: None, agent: None }
}

fn row_at_end(words: impl Into<String>) -> Row {
    Row { place: Place::AtEnd, ..row_beside(words) }
}

fn row(way: &Help) -> Row {
    match way {
        Help::Fix(way) => row_of_fix(*way).page("correct it, or leave it out"),
        Help::Hint(hint) => row_beside(hint),
        Help::Nearest(names) => row_beside(did_you_mean(names)),
        Help::ListParticipants => Row {
            agent: row_of_fix(Fix::ListParticipants).agent,
            ..row_beside("`discussions participants list` lists the participants")
        }
        .page("type @ into a comment to see the participants"),
        Help::NamePerson(name) => {
            row_beside(format!("for a person who votes and comments: {}", typed(&format!("{name}=person"))))
        }
        Help::ImportWorkflow(file) => {
            let file = typed(file);
            row_beside(format!(
                "for a workflow of several steps: `discussions templates import {file}`; for one step: `discussions \
                 discuss --input {file}`"
            ))
        }
        Help::ListDiscussions => row_beside("`discussions list` lists the discussions")
            .page("the first page lists all discussions")
            .agent("`list` shows all discussions"),
        Help::ListParameters(template) => {
            row_beside(format!("`discussions templates show {template}` shows its parameters"))
                .page(NOT_IN_THE_FORM)
                .agent(NO_TOOL_SETS_IT)
        }
        Help::Phases(known) => row_beside(format!("the phases are: {}", known.join(", "))),
        Help::Options(options) => row_beside(format!("the options are: {}", options.join(", "))),
        Help::Permissions(path) => {
            row_beside(who_may(path)).page(format!("check the permissions of {}", path.display()))
        }
        Help::TakeAway(path) => row_beside(format!("look at {}, then remove it", path.display())),
        Help::Agree => {
            row_beside("to review and trust it: `discussions trust`; to use another provider: --provider")
                .page(NOT_TRUSTED)
                .agent("a person can run `discussions trust` to see what it runs and to trust it; or name another `provider`")
        }
        Help::KeepConsentsElsewhere => row_beside("set DISCUSSIONS_STATE_DIR to another folder"),
        Help::NameConsentFolder => row_at_end("; set DISCUSSIONS_STATE_DIR"),
        Help::NameUserFolder => row_at_end("; set DISCUSSIONS_CONFIG_DIR"),
        Help::InstallProvider => row_beside(WAYS_TO_A_MODEL)
            .page("log in to a model program on this machine or set a key in the server's environment, then restart the server")
            .agent("a person must install or log in to a provider: `discussions doctor` lists them; `me` among the `participants` is you"),
        Help::ChooseProvider(ready) => {
            let ready = ready.join(", ");
            row_beside(format!("these providers are available: {ready}; choose one with --provider"))
                .page(format!("these are available: {ready}"))
                .agent("leave out `provider` to use those that are available")
        }
        Help::AskAlone => row_beside("one participant alone answers with `discussions discuss --pattern solo`")
            .page("choose the pattern `solo` to ask one participant alone")
            .agent("one participant alone answers with the pattern `solo`"),
        Help::CloseOrGoBack => {
            row_beside("`discussions close FILE` ends the discussion, `discussions advance FILE --to PHASE` goes back")
                .page("the button `Close` ends the discussion")
                .agent("a person can end it with `discussions close`, or go back with `discussions advance --to`")
        }
        Help::Reopen => row_beside("`discussions reopen FILE` opens it again")
            .page("the button `Reopen` opens it again")
            .agent("a person can reopen it with `discussions reopen`"),
        Help::EndFirst => row_beside("`discussions run FILE` continues it, `discussions close FILE` ends it")
            .page("the button `Close` ends it")
            .agent("`run` continues it; a person can end it with `discussions close`"),
        Help::Shorten => row_beside("move the long part to another file, and link to it"),
        Help::OtherName => row_beside("choose another name with --as")
            .page("write another name into the field `As`"),
        Help::GiveContext(left_out) => Row {
            place: Place::Instead,
            ..row_beside(format!("{} cannot review without --context-file", left_out.join(", ")))
        }
        .page("fill in the field `Context`")
        .agent("give its source, for example requirements, as `context`"),
        Help::GiveRole => row_at_end("; name one with --roles alias=role")
            .page(NOT_IN_THE_FORM)
            .agent("no tool assigns roles; use another pattern"),
        Help::GiveParameter(name) => {
            let agent = if name == "artifact" { REVIEW_SETS_IT } else { NO_TOOL_SETS_IT };
            row_at_end(format!(": --set {name}=...")).page(NOT_IN_THE_FORM).agent(agent)
        }
        Help::BeginProject => {
            row_at_end(": run `discussions init` to make this a project").page(BY_A_PERSON)
        }
        Help::EditParticipant(alias) => {
            row_at_end(format!("; `discussions participants edit {alias}` changes it")).page(BY_A_PERSON)
        }
        Help::UseAlias(alias) => {
            row_beside(format!("change `alias` in the file, or run: participants add {alias}"))
                .page(BY_A_PERSON)
        }
        Help::Kept(file) => row_beside(format!(
            "the old version stays in use; your text is kept in {file} for the next edit"
        )),
        Help::RaiseLimit => {
            row_at_end("; raise --max-usd").page(LIMITS_OF_SERVER).agent(MONEY_OF_SERVER)
        }
        Help::AllowUnpriced { price_can_be_set } => {
            let or = if *price_can_be_set { ", or set price: in providers.yaml" } else { "" };
            row_at_end(format!("; add --unpriced{or}")).page(LIMITS_OF_SERVER).agent(MONEY_OF_SERVER)
        }
        // Pages and agents cannot send secrets, so they are not told of the option.
        Help::TakeOutSecrets => row_beside("remove it, or send it anyway with --allow-secrets")
            .page("remove it: secrets are not sent to models")
            .agent("remove it: secrets are not sent to models"),
        Help::CheckOut => {
            row_beside("run `discussions init` where the files are checked out: in a clone or a worktree")
                .page(BY_A_PERSON)
        }
    }
}

fn row_of_fix(fix: Fix) -> Row {
    let row = row_beside(self::fix(fix));
    match fix {
        Fix::ListTemplates => row.agent(
            "leave out `pattern` for second-look; the prompts of this server list all patterns",
        ),
        Fix::ListParticipants => {
            row.agent("leave out `participants` (of a review: `perspectives`) to use those of the pattern; `me` is you")
        }
        Fix::ListProviders => row.agent("leave out `provider` to use each persona's own"),
        _ => row,
    }
}

/// Returns the words for a fix on a terminal.
fn fix(fix: Fix) -> &'static str {
    match fix {
        Fix::Restore => {
            "`discussions check --restore` restores it, `discussions check --accept` accepts the change"
        }
        Fix::Accept => "`discussions check --accept` accepts it",
        Fix::AcceptPublished => "`discussions check --git --accept` accepts it",
        Fix::ExplainInMessage => {
            "`discussions check --git --accept` prints a commit with this line"
        }
        Fix::Mend => "`discussions check --fix` fixes it",
        Fix::Untrack => "remove it from git with `git rm --cached`, then commit",
        Fix::ListTemplates => "`discussions templates list` shows all",
        Fix::ListParticipants => "`discussions participants list` shows all",
        Fix::ListProviders => "`discussions providers list` shows all",
        Fix::AddParticipant => "`discussions participants add` adds another one",
        Fix::OwnFolder => {
            "to use a folder outside the project, set it in your own config.yaml or with --dir"
        }
    }
}

/// Adds the fix to a message.
pub(crate) fn mended(message: &str, way: Option<Fix>) -> String {
    match way {
        Some(way) => format!("{message}; {}", fix(way)),
        None => message.to_owned(),
    }
}

/// Returns an error's message and its help for a terminal. Some help reads best as part of the message.
pub(crate) fn message_and_hint(message: String, ways: &[Help]) -> (String, Option<String>) {
    join_rows(message, ways.iter().map(row).collect())
}

fn join_rows(message: String, rows: Vec<Row>) -> (String, Option<String>) {
    let (mut message, mut beside) = (message, Vec::new());
    for row in rows {
        match row.place {
            Place::Beside => beside.push(row.terminal),
            Place::AtEnd => message.push_str(&row.terminal),
            Place::Instead => message = row.terminal,
        }
    }
    (message, Some(beside.join("\nhelp: ")).filter(|help| !help.is_empty()))
}

/// Returns an error's message and its help for a page, without commands and flags, because users cannot type them there.
pub(crate) fn for_page(message: String, ways: &[Help]) -> (String, Option<String>) {
    let own: Vec<String> = ways.iter().filter_map(|way| row(way).page).collect();
    if own.is_empty() { message_and_hint(message, ways) } else { (message, Some(own.join("; "))) }
}

/// Returns an error's message and its help for an agent, in terms of tools.
pub(crate) fn for_agent(message: String, ways: &[Help]) -> (String, Option<String>) {
    let (own, others): (Vec<Row>, Vec<Row>) =
        ways.iter().map(row).partition(|row| row.agent.is_some());
    let (message, told) = join_rows(message, others);
    let own = own.into_iter().filter_map(|row| row.agent.map(str::to_owned));
    let help: Vec<String> = told.into_iter().chain(own).collect();
    (message, Some(help.join("; ")).filter(|help| !help.is_empty()))
}

fn did_you_mean(nearest: &[String]) -> String {
    let names: Vec<String> =
        nearest.iter().take(3).map(|name| format!("`{}`", visible_line(name))).collect();
    format!("did you mean {}?", names.join(" or "))
}

/// Returns a sentence about a setting without effect, for a terminal or an agent.
pub(crate) fn unused(unused: &Unused, is_for_agent: bool) -> String {
    match unused {
        Unused::Rounds { template } => {
            format!("`{template}` has only one round, so the number of rounds is ignored")
        }
        Unused::Perspective { alias } if is_for_agent => {
            format!("skipped {alias}: it needs `context` to review against")
        }
        Unused::Perspective { alias } => format!("{alias} is skipped: it needs --context-file"),
        Unused::Seat { alias, template, .. } if is_for_agent => format!(
            "{alias} has no role in `{template}`: it speaks only when mentioned, or in a ballot"
        ),
        Unused::Seat { alias, template, roles } => {
            let more = match roles.first() {
                Some(role) => format!("; to give it one: `discuss --roles {alias}={role}`"),
                None => String::new(),
            };
            format!(
                "{alias} has no speaking role in `{template}`, so it answers only mentions and ballots{more}"
            )
        }
    }
}
