//! The library's data in the words of this program: fixes and next steps become commands and flags, and names are
//! quoted so that users can copy and type them.

pub(crate) mod help;
pub(crate) mod steps;
pub(crate) mod ways;

use std::borrow::Cow;

use discussions::codes::{ErrorCode, StopCode};
use discussions::view::visible_line;

/// The command that checks a chosen file or folder.
pub(crate) const CHECK: &str = "name a file or a folder: discussions check PATH";

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

/// Returns the day by which a decision is to be reviewed, and the days that are left; they are negative after it.
pub(crate) fn review_day(day: &str, days: i64) -> String {
    let left = match days {
        0 => "today".to_owned(),
        1 => "1 day left".to_owned(),
        -1 => "1 day overdue".to_owned(),
        2.. => format!("{days} days left"),
        _ => format!("{} days overdue", days.unsigned_abs()),
    };
    format!("review by {day} ({left})")
}

/// The kinds of models, each with the way to get one, for users who have none.
pub(crate) const THREE_WAYS: [&str; 3] = [
    "a program: install claude, codex, gemini or opencode, and log in",
    "a key: set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY",
    "a local model: start Ollama, or name any server with `discussions providers add`",
];

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

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Formats an age in seconds for people. An age above two months becomes the day of `at` (RFC 3339). Returns an empty
/// text if neither is known.
pub(crate) fn ago(seconds: Option<u64>, at: &str) -> String {
    match seconds {
        None => at.get(..10).unwrap_or_default().to_owned(),
        Some(age) if age < MINUTE => "just now".to_owned(),
        Some(age) if age < HOUR => format!("{} min ago", age / MINUTE),
        Some(age) if age < 2 * DAY => format!("{} h ago", age / HOUR),
        Some(age) if age < 60 * DAY => format!("{} days ago", age / DAY),
        Some(_) => at.get(..10).unwrap_or("long ago").to_owned(),
    }
}

/// Quotes a name for a shell. Letters of any script need no quotes. Characters that would control a terminal are made
/// visible; such a name cannot be typed back.
pub(crate) fn typed(name: &str) -> Cow<'_, str> {
    let plain = |c: char| {
        if c.is_ascii() { is_plain(c) } else { !c.is_whitespace() && !c.is_control() }
    };
    if !name.is_empty() && name.chars().all(plain) {
        Cow::Borrowed(name)
    } else {
        let visible = visible_line(name);
        Cow::Owned(match shell_words::quote(&visible) {
            // `!` needs quotes only in a shell at a terminal.
            Cow::Borrowed(bare) => format!("'{bare}'"),
            Cow::Owned(quoted) => quoted,
        })
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_uses_the_largest_fitting_unit() {
        let ago = |age| ago(Some(age), "2026-08-03T10:00:00Z");
        assert_eq!(
            [ago(0), ago(59), ago(60), ago(7_200)],
            ["just now", "just now", "1 min ago", "2 h ago"]
        );
        assert_eq!(
            [ago(47 * HOUR), ago(48 * HOUR), ago(61 * DAY)],
            ["47 h ago", "2 days ago", "2026-08-03"]
        );
    }

    #[test]
    fn only_words_that_a_shell_would_split_are_quoted() {
        assert_eq!(typed("認証-für"), "認証-für");
        assert_eq!(typed("a b"), "'a b'");
        assert_eq!(typed("a;b"), "'a;b'");
        assert_eq!(typed("!x"), "'!x'");
        assert!(!typed("a\nb").contains('\n'), "a name makes up no line");
    }
}
