//! Changes that the user makes to a discussion, each with the equivalent command.

use discussions::runner::Work;
use discussions::view::visible;

use crate::cli::words::typed::typed;

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Act {
    /// Write a comment, vote, or both. `draft` is the key under which the text is kept until the file contains it.
    Comment { file: String, text: String, vote: Option<String>, draft: String },
    /// Start a phase; `None`: the next one.
    Advance { file: String, to: Option<String> },
    /// Close or reopen a discussion.
    Close { file: String, closed: bool },
    /// Create a discussion.
    New { title: String, template: Option<String>, participants: Vec<String>, edit: bool },
    /// Remove the definition of a persona.
    Remove { alias: String },
}

impl Act {
    /// Returns the name of the discussion that is changed.
    pub(super) fn file(&mut self) -> Option<&mut String> {
        match self {
            Self::Comment { file, .. } | Self::Advance { file, .. } | Self::Close { file, .. } => {
                Some(file)
            }
            Self::New { .. } | Self::Remove { .. } => None,
        }
    }

    /// Returns the equivalent command.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Comment { file, text, vote: Some(vote), .. } if text.trim().is_empty() => {
                command(&["vote", file, vote])
            }
            Self::Comment { file, text, vote: Some(vote), .. } => {
                command(&["comment", file, text.trim(), "--vote", vote])
            }
            Self::Comment { file, text, vote: None, .. } => {
                command(&["comment", file, text.trim()])
            }
            Self::Advance { file, to: None } => command(&["advance", file]),
            Self::Advance { file, to: Some(to) } => command(&["advance", file, "--to", to]),
            Self::Close { file, closed: true } => command(&["close", file]),
            Self::Close { file, closed: false } => command(&["reopen", file]),
            Self::New { title, template, participants, edit } => {
                let mut words = vec!["new", title.as_str()];
                template.iter().for_each(|template| words.extend(["--template", template]));
                let all = participants.join(",");
                if !participants.is_empty() {
                    words.extend(["--participants", &all]);
                }
                if *edit {
                    words.push("--edit");
                }
                command(&words)
            }
            Self::Remove { alias } => command(&["participants", "remove", alias]),
        }
    }
}

/// Returns the command that starts this turn or run.
pub(super) fn work_line(work: &Work, file: &str) -> String {
    let mut words = vec![work_name(work).to_owned(), file.to_owned()];
    let money = match work {
        Work::Turn(ask) => {
            words.extend(ask.who.iter().map(|who| format!("@{who}")));
            if let Some(question) = &ask.question {
                words.extend(["--ask".to_owned(), question.clone()]);
            }
            ask.max_usd
        }
        Work::Run(request) => request.max_usd,
    };
    if let Some(provider) = work.provider() {
        words.extend(["--provider".to_owned(), provider.to_owned()]);
    }
    if let Some(usd) = money {
        words.extend(["--max-usd".to_owned(), usd.to_string()]);
    }
    command(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the name of the command that starts a turn or a run.
pub(super) fn work_name(work: &Work) -> &'static str {
    match work {
        Work::Turn(_) => "turn",
        Work::Run(_) => "run",
    }
}

/// Returns a command line of this program, as the user would type it.
pub(super) fn command(words: &[&str]) -> String {
    let word = |word: &&str| typed(&visible(word).replace('\n', "⏎")).into_owned();
    let words: Vec<String> = words.iter().map(word).collect();
    format!("discussions {}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use discussions::runner::TurnOptions;

    use super::*;

    #[test]
    fn action_shows_the_equivalent_command() {
        let said = |text: &str, vote: Option<&str>| {
            let (file, text) = ("a b".to_owned(), text.to_owned());
            let (vote, draft) = (vote.map(str::to_owned), String::new());
            Act::Comment { file, text, vote, draft }.line()
        };
        assert_eq!(
            said("It's fine.\nOr not.", None),
            "discussions comment 'a b' 'It'\\''s fine.⏎Or not.'"
        );
        assert_eq!(said("", Some("READY")), "discussions vote 'a b' READY");
        assert_eq!(said("Yes.", Some("READY")), "discussions comment 'a b' Yes. --vote READY");
        let ask = TurnOptions {
            who: vec!["security".to_owned()],
            question: Some("Why?".to_owned()),
            provider: Some("mock".to_owned()),
            ..TurnOptions::default()
        };
        let line = work_line(&Work::Turn(ask), "caching");
        assert_eq!(line, "discussions turn caching @security --ask 'Why?' --provider mock");
    }
}
