//! Converts the library's data into the words of this program: fixes become commands and flags.

pub(crate) mod age;
pub(crate) mod next_step;
pub(crate) mod typed;

use discussions::codes::{ErrorCode, Fix, StopCode};
use discussions::view::visible_line;
use discussions::workspace::{Help, Unused};

use crate::cli::permission_hint::who_may;

/// The command that shows all providers.
const PROVIDERS: &str = "`discussions providers list` shows all";
/// The command that shows all templates.
const TEMPLATES: &str = "`discussions templates list` shows all";
/// The command that checks a chosen file or folder.
pub(crate) const CHECK: &str = "name a file or a folder: discussions check PATH";

/// Returns the words for a fix.
pub(crate) fn fix(fix: Fix) -> &'static str {
    match fix {
        Fix::Restore => {
            "`discussions check --restore` restores it, `discussions check --accept` accepts the change"
        }
        Fix::Accept => "`discussions check --accept` accepts it",
        Fix::Mend => "`discussions check --fix` fixes it",
        Fix::Untrack => "remove it from git with `git rm --cached`, then commit",
        Fix::ListTemplates => TEMPLATES,
        Fix::ListParticipants => "`discussions participants list` shows all",
        Fix::ListProviders => PROVIDERS,
        Fix::AddParticipant => "`discussions participants add` adds another one",
        Fix::OwnFolder => {
            "to use a folder outside the project, set it in your own config.yaml or with --dir"
        }
    }
}

/// Returns the mention of a name; `human` stands for any person.
pub(crate) fn mention(who: &str) -> String {
    if who == "human" { "a person".to_owned() } else { format!("@{}", visible_line(who)) }
}

/// The name under which coding agents speak.
const PROGRAM: &str = "agent";

/// Returns the sentence that this author is not a person, so that the comment does not count as a person's.
pub(crate) fn not_a_person(author: &str) -> String {
    let who = if author.eq_ignore_ascii_case(PROGRAM) {
        "reserved for coding agents; this does not count as a person's comment"
    } else {
        "a persona that a model plays; this counts as a comment by the persona"
    };
    format!("{author} is {who}")
}

/// Returns an outcome for people. A fixed code such as `consensus_reached` becomes words.
pub(crate) fn outcome(outcome: &str) -> String {
    let is_word = outcome.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    visible_line(&if is_word { outcome.replace('_', " ") } else { outcome.to_owned() })
}

/// Adds the fix to a message.
pub(crate) fn mended(message: &str, way: Option<Fix>) -> String {
    match way {
        Some(way) => format!("{message}; {}", fix(way)),
        None => message.to_owned(),
    }
}

/// Returns an error's message and its help. Some help reads best as part of the message.
pub(crate) fn message_and_hint(message: String, ways: &[Help]) -> (String, Option<String>) {
    let (mut message, mut beside) = (message, Vec::new());
    for way in ways {
        match way {
            Help::GiveContext(left_out) => {
                message = format!("{} cannot review without --context-file", left_out.join(", "));
            }
            Help::GiveRole => message.push_str("; name one with --roles alias=role"),
            Help::GiveParameter(name) => message.push_str(&format!(": --set {name}=...")),
            Help::BeginProject => {
                message.push_str(": run `discussions init` to make this a project");
            }
            Help::EditParticipant(alias) => {
                let way = format!("; `discussions participants edit {alias}` changes it");
                message.push_str(&way);
            }
            Help::NameConsentFolder => message.push_str("; set DISCUSSIONS_STATE_DIR"),
            Help::RaiseLimit => message.push_str("; raise --max-usd"),
            Help::AllowUnpriced { price_can_be_set } => {
                let or = if *price_can_be_set { ", or set price: in providers.yaml" } else { "" };
                message.push_str(&format!("; add --unpriced{or}"));
            }
            Help::NameUserFolder => message.push_str("; set DISCUSSIONS_CONFIG_DIR"),
            way => beside.push(help(way)),
        }
    }
    (message, Some(beside.join("\nhelp: ")).filter(|help| !help.is_empty()))
}

fn help(way: &Help) -> String {
    match way {
        Help::Fix(way) => fix(*way).to_owned(),
        Help::Hint(hint) => hint.clone(),
        Help::Nearest(names) => did_you_mean(names),
        Help::ListParticipants => "`discussions participants list` lists the participants".to_owned(),
        Help::ListDiscussions => "`discussions list` lists the discussions".to_owned(),
        Help::ListParameters(template) => {
            format!("`discussions templates show {template}` shows its parameters")
        }
        Help::Phases(known) => format!("the phases are: {}", known.join(", ")),
        Help::Options(options) => format!("the options are: {}", options.join(", ")),
        Help::Permissions(path) => who_may(path),
        Help::TakeAway(path) => format!("look at {}, then remove it", path.display()),
        Help::Agree => {
            "to review and trust it: `discussions trust`; to use another provider: --provider".to_owned()
        }
        Help::KeepConsentsElsewhere => {
            "set DISCUSSIONS_STATE_DIR to another folder".to_owned()
        }
        Help::InstallProvider => {
            "any one of these will do:\n  \
             - log in to an installed program: `discussions providers check` lists them\n  \
             - install one: claude, codex, gemini or opencode (`npm install -g opencode-ai`; its provider `opencode-pickle` is free)\n  \
             - set a key in the environment, for example OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY\n  \
             - start Ollama, for models on this machine\n  \
             - use your own command: discussions providers add NAME --command LINE\n  \
             - try it with made-up answers: --provider mock"
                .to_owned()
        }
        Help::ChooseProvider(ready) => {
            format!("these providers are available: {}; choose one with --provider", ready.join(", "))
        }
        Help::AskAlone => {
            "one participant alone answers with `discussions discuss --pattern solo`".to_owned()
        }
        Help::CloseOrGoBack => {
            "`discussions close FILE` ends the discussion, `discussions advance FILE --to PHASE` goes back".to_owned()
        }
        Help::Reopen => "`discussions reopen FILE` opens it again".to_owned(),
        Help::Shorten => "move the long part to another file, and link to it".to_owned(),
        Help::OtherName => "choose another name with --as".to_owned(),
        Help::UseAlias(alias) => {
            format!("change `alias` in the file, or run: participants add {alias}")
        }
        Help::Kept(file) => format!(
            "the old version stays in use; your text is kept in {file} for the next edit"
        ),
        Help::TakeOutSecrets => {
            "remove it, or send it anyway with --allow-secrets".to_owned()
        }
        Help::CheckOut => {
            "run `discussions init` where the files are checked out: in a clone or a worktree"
                .to_owned()
        }
        Help::GiveContext(_)
        | Help::GiveRole
        | Help::GiveParameter(_)
        | Help::BeginProject
        | Help::EditParticipant(_)
        | Help::NameConsentFolder
        | Help::NameUserFolder
        | Help::RaiseLimit
        | Help::AllowUnpriced { .. } => String::new(),
    }
}

fn did_you_mean(nearest: &[String]) -> String {
    let names: Vec<String> =
        nearest.iter().take(3).map(|name| format!("`{}`", visible_line(name))).collect();
    format!("did you mean {}?", names.join(" or "))
}

/// Returns the reason why a discussion failed, with its code.
pub(crate) fn result(code: ErrorCode, message: &str, stopped: StopCode) -> String {
    let more = match (code, stopped) {
        (ErrorCode::CostBudgetExceeded, StopCode::MaxCalls) => {
            "; raise --max-calls, or `limits` in the discussion or in discussions.yaml"
        }
        (ErrorCode::CostBudgetExceeded, _) => {
            "; raise --max-usd; --unpriced also asks models of unknown price"
        }
        _ => "",
    };
    format!("{message}{more} ({})", code.as_str())
}

/// Returns a sentence about a setting without effect.
pub(crate) fn unused(unused: &Unused) -> String {
    match unused {
        Unused::Rounds { template } => {
            format!("`{template}` has only one round, so the number of rounds is ignored")
        }
        Unused::Perspective { alias } => {
            format!("{alias} is skipped: it needs --context-file")
        }
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
