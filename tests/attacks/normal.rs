//! The normal discussions that are attacked.

use std::sync::Arc;

use discussions::engine::{Snapshot, prompt};
use discussions::state::{Speaker, State};
use discussions::template::bundled;
use discussions::transcript::{
    Alias, Choice, Control, Draft, Name, NewComment, PhaseLine, ReplyLine, TurnLine, append, parse,
};
use discussions::workspace::{NewDiscussion, Workspace};

use crate::project::Project;

/// A folder for new discussions.
pub(crate) struct Normal {
    _stage: Project,
    pub(crate) workspace: Arc<Workspace>,
}

/// The persona that sends hostile answers.
pub(super) const ATTACKER: &str = "security";

impl Normal {
    pub(crate) fn new() -> Self {
        Self::at(Project::new())
    }

    /// Every phase may ask for a vote: only then are votes read in any formatting.
    pub(super) fn at(project: Project) -> Self {
        let (_, feature) = bundled().into_iter().find(|(id, _)| id == "feature").unwrap();
        let first = "    follow_mentions: 2\n";
        let wanting = feature.replacen(first, &format!("{first}    asks: {{VOTE: wanted}}\n"), 1);
        assert_ne!(feature, wanting);
        project.write("templates/feature.md", &wanting);
        let workspace = project.workspace();
        Self { _stage: project, workspace }
    }

    /// A discussion in which the attacker is called, and others have commented and voted.
    pub(crate) fn discussion(&self, template: &str) -> String {
        let new = NewDiscussion {
            title: "Add user authentication".into(),
            template: Some(template.into()),
            context: Some("Sessions live in one store.".into()),
            participants: match template {
                "dialogue" => vec!["architect".into(), ATTACKER.into()],
                "artifact-review" => vec!["product".into(), ATTACKER.into()],
                _ => vec!["architect".into(), ATTACKER.into(), "pragmatist".into()],
            },
            parameters: match template {
                "artifact-review" => vec![("artifact".into(), "spec.md".into())],
                _ => Vec::new(),
            },
            ..NewDiscussion::default()
        };
        let mut text = self.workspace.discussions().draft(&new).unwrap();
        let drafts = match template {
            "dialogue" => vec![
                turn(1, &["architect", ATTACKER]),
                reply("AI-Architect", "Use tokens.", None),
                reply("AI-Security", "Use sessions.", None),
                Draft::Control(Control::Phase(PhaseLine {
                    id: "check".into(),
                    by: None,
                    heading: None,
                })),
                Draft::Control(Control::VoteReset),
                turn(2, &["architect", ATTACKER]),
                reply("AI-Architect", "CONFIDENCE: 0.7", Some("NO")),
            ],
            "artifact-review" => vec![
                turn(1, &["product", ATTACKER]),
                reply("AI-Product", "STRENGTH: clear\n\nRATING: 4\n\nRISK: low", None),
            ],
            _ => vec![
                turn(1, &["architect", ATTACKER, "pragmatist"]),
                reply(
                    "AI-Architect",
                    "One store couples everything.\n\nQ: Stateless tokens? @security\n\nDECISION: use JWT",
                    Some("CHANGES"),
                ),
                Draft::Comment(NewComment {
                    vote: Choice::parse("REJECT").ok(),
                    ..NewComment::by(
                        name("Rob"),
                        "TODO: write the threat model\n\nCONCERN: keys leak",
                    )
                }),
            ],
        };
        let added = append(&text, &drafts);
        text.push_str(&added);
        text
    }

    /// Parses a text and computes its state.
    pub(super) fn look<T>(&self, text: &str, look: impl FnOnce(&Snapshot) -> T) -> T {
        let transcript = parse(text);
        let id = transcript.head.as_ref().and_then(|head| head.template.clone());
        let template =
            self.workspace.discussions().template(id.as_deref().unwrap_or("feature")).unwrap();
        let (roster, defaults) = (self.workspace.roster(), self.workspace.defaults());
        look(&Snapshot::read(text, &template, roster, &defaults).unwrap())
    }
}

pub(crate) fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn turn(number: u32, asks: &[&str]) -> Draft {
    let asks = asks.iter().map(|alias| Alias::parse(alias).unwrap()).collect();
    Draft::Control(Control::Turn(TurnLine { number, asks, ..TurnLine::default() }))
}

pub(super) fn reply(author: &str, body: &str, vote: Option<&str>) -> Draft {
    Draft::Comment(NewComment {
        reply: Some(Box::new(ReplyLine { turn: Some(1), ..ReplyLine::default() })),
        vote: vote.map(|vote| Choice::parse(vote).unwrap()),
        ..NewComment::by(name(author), body)
    })
}

/// The state without the parts that one speaker may change.
pub(super) fn without(state: &State, speaker: &Speaker) -> String {
    let votes: Vec<_> = state.ballot.votes.iter().filter(|vote| vote.speaker != *speaker).collect();
    let decided = state.decided.as_ref().map(|(ballot, phase)| (ballot.votes.len(), *phase));
    let lines: Vec<_> = state.turns.iter().map(|turn| &turn.line).collect();
    format!(
        "{:?}\n{votes:?}\n{decided:?}\n{lines:?}\nclosed: {}, round: {}, failures: {:?}, cost: {}",
        state.place,
        state.closed,
        state.round,
        state.failures,
        state.cost.calls == 0 // an answer costs a call
    )
}

/// Checks that the end of the record appears once in a prompt, followed by the task.
pub(super) fn check_prompt(normal: &Normal, text: &str) -> Result<(), String> {
    normal.look(text, |snapshot| {
        let Some(turn) = snapshot.state.turns.last() else { return Ok(()) };
        let Some(alias) = turn.line.asks.last() else { return Ok(()) };
        let prompt = prompt(snapshot, turn, alias).map_err(|error| error.to_string())?;
        let (record, task) = (&prompt.prefix, &prompt.tail);
        let seal = task.trim_start().lines().next().unwrap_or_default().to_owned();
        // The beginning of the prompt quotes the line within a sentence; only the end is a line of its own.
        let ends = prompt.text().lines().filter(|line| line.trim() == seal).count();
        let sealed = seal.starts_with("===== THE RECORD ENDS (");
        if !sealed || ends != 1 || record.matches(&seal).count() != 1 {
            return Err(format!("the record's end is forged: {seal}"));
        }
        if task.contains("\n# Your task: ") && task.len() <= 6144 + 45 {
            Ok(())
        } else {
            Err(format!("the task has {} bytes, or none", task.len()))
        }
    })
}
