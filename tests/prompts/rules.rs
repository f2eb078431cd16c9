//! Rules for every prompt of every template.

use discussions::engine::{Layout, Prompts, Snapshot};
use discussions::participant::Roster;
use discussions::transcript::{Alias, Control, Draft, TurnLine, append, parse};

use super::sheet::{AGAIN, split};
use super::{feedback, patterns};
use crate::finished_run::new;
use crate::project::Project;
use crate::recording_provider::RecordedCall;

const BEGIN: &str = "===== THE RECORD BEGINS =====\n";
const END: &str = "\n===== THE RECORD ENDS (";

async fn all() -> Vec<(&'static str, Vec<RecordedCall>)> {
    let mut all = Vec::new();
    for (page, new) in patterns::patterns() {
        all.push((page, patterns::asked(&new).await));
    }
    for template in ["feature", "code-review", "architecture-decision"] {
        all.push((template, feedback::asked(template).await));
    }
    all
}

/// The text between the rules and the task.
fn record(prompt: &str) -> &str {
    let (_, rest) = prompt.split_once(BEGIN).unwrap();
    rest.rsplit_once(END).unwrap().0
}

#[tokio::test(start_paused = true)]
async fn later_prompts_keep_the_beginning_of_earlier_ones() {
    let mut headers = std::collections::BTreeSet::new();
    for (page, asked) in all().await {
        let (mut last, mut seals) = ("", None);
        for call in &asked {
            let header = call.prompt.split_once(BEGIN).unwrap().0;
            let (_, end) = call.prompt.rsplit_once(END).unwrap();
            let (seal, _) = end.split_once(')').unwrap();
            assert_eq!(*seals.get_or_insert(seal), seal, "{page}: one end for a discussion");
            let (first, _) = header.split_once("\n\n").unwrap();
            assert!(first.contains(seal), "{page}: the first paragraph names it");
            headers.insert(header.replace(seal, "SEAL"));
            let record = record(&call.prompt);
            // A text or a ballot on one sees the question and the texts that its phase shows.
            if record.starts_with("# The question\n") {
                continue;
            }
            assert!(record.starts_with(last), "{page}: nothing in front changes\n{record}");
            last = record;
        }
    }
    assert_eq!(headers.len(), 2, "comments have the same rules everywhere, and so have texts");
}

#[tokio::test(start_paused = true)]
async fn persona_is_complete_in_a_short_tail() {
    for (page, asked) in all().await {
        for call in asked {
            let task = call.prompt.rsplit_once(END).unwrap().1;
            // A repair request also shows the first answer.
            let task = task.split(AGAIN).next().unwrap();
            assert!(task.len() <= 6144, "{page}: a short tail");
            let (_, tail) = task.split_once("=====\n\n").unwrap();
            let (task, persona) = split(tail);
            assert!(task.starts_with("# Your task: "), "{page}:\n{task}");
            let persona = persona.trim();
            assert_eq!(persona.matches("# You\n").count(), usize::from(!persona.is_empty()));
            let is_whole = persona.is_empty() || persona.ends_with(['.', '?']);
            assert!(is_whole, "{page}: not cut off:\n{persona}");
        }
    }
}

#[test]
fn header_and_personas_are_short() {
    let project = Project::new();
    let path = project.create(&new("feature", &["architect", "security"], &[]));
    let roster = Roster::bundled();
    project.look(&path, |it| {
        let everybody: Vec<Alias> = roster.iter().map(|it| it.persona.alias.clone()).collect();
        let line = TurnLine { number: 1, asks: everybody.clone(), ..TurnLine::default() };
        let turn = append(&it.transcript.text, &[Draft::Control(Control::Turn(line))]);
        let text = format!("{}{turn}", it.transcript.text);
        let it = Snapshot::new(parse(text), it.config.clone());
        let prompts = Prompts::of(&it, &it.state.turns[0]);
        for alias in everybody {
            let shared = prompts.of_participant(&alias, Layout::RecordFirst).unwrap().text();
            let header = shared.split_once(BEGIN).unwrap().0.trim_end();
            assert!(header.len() <= 900, "the header has {} bytes", header.len());
            let persona = &shared[shared.rfind("# You\n").unwrap()..];
            assert!(persona.len() <= 1000, "{alias}: {} bytes", persona.len());
            assert!(!persona.contains("READY") && !header.to_lowercase().contains("vote"));
            // With one persona per model, the persona comes first and nothing else changes.
            let alone = prompts.of_participant(&alias, Layout::PersonaFirst).unwrap();
            let (before, record) = alone.prefix.split_once(BEGIN).unwrap();
            assert_eq!(before, format!("{header}\n\n{persona}\n"), "{alias}");
            assert!(shared.contains(record) && shared.starts_with(header));
            assert!(!alone.tail.contains("# You\n") && shared.contains(&alone.tail));
        }
    });
}

#[tokio::test(start_paused = true)]
async fn peers_have_labels_only_if_the_template_is_anonymous() {
    for (page, asked) in all().await {
        let anonymous = matches!(page, "synthesis" | "voting");
        // The prompts of texts, and of ballots on a text, show no comments of participants.
        let mut records = asked.iter().map(|call| record(&call.prompt));
        let with_comments = |record: &&str| !record.starts_with("# The question\n");
        let Some(last) = records.rfind(with_comments) else { continue };
        assert_eq!(last.contains("Name: P1\n"), anonymous, "{page}");
        let words = ["participants: [", "provider: "];
        assert!(words.iter().all(|word| !last.contains(word)), "{page}:\n{last}");
        let named = ["AI-", "architect"].iter().any(|word| last.contains(word));
        // The perspectives of a review see no other comment.
        let sees_others = page != "artifact_review";
        assert_eq!(named, !anonymous && sees_others, "{page}:\n{last}");
    }
}

#[tokio::test(start_paused = true)]
async fn demanded_markers_are_named_with_form_and_options() {
    for (page, asked) in all().await {
        for call in asked {
            let task = call.prompt.rsplit_once(END).unwrap().1;
            if let Some((_, demanded)) = task.split_once("Your comment needs: ") {
                let (line, rest) = demanded.split_once('\n').unwrap();
                if let Some((_, options)) = line.split_once("VOTE (") {
                    for option in options.split(')').next().unwrap().split(" | ") {
                        assert!(rest.contains(&format!("\nVOTE: {option}\n")), "{page}: {option}");
                    }
                }
                let words = line.split(", ").filter_map(|it| it.split(' ').next());
                for word in words.filter(|word| *word != "VOTE") {
                    let item = rest.contains(&format!("\n- {word}: "));
                    let line = task.contains(&format!("`{word}:` line"));
                    assert!(item != line, "{page}: {word} has one form\n{task}");
                }
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn prompts_without_a_ballot_do_not_mention_votes() {
    for (page, asked) in all().await {
        for call in asked {
            let asks = call.prompt.contains("\nYour vote is one of these lines");
            let (_, task) = call.prompt.rsplit_once(END).unwrap();
            let task = task.split(AGAIN).next().unwrap();
            let lines = task.lines().filter(|line| line.starts_with("VOTE: ")).count();
            assert_eq!(lines > 0, asks, "{page}, {}:\n{task}", call.phase);
            // The instructions when to vote for an option exist only for the usual three options.
            let usual = task.contains("VOTE: READY\nVOTE: CHANGES\nVOTE: REJECT\n");
            assert_eq!(task.contains("\nYou vote READY when"), usual, "{page}, {}", call.phase);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn prompts_do_not_ask_for_agreeableness() {
    let pleasing =
        ["agreeable", "collaborative", "cooperative", "constructive", "common ground", "polite"];
    for (page, asked) in all().await {
        for call in asked {
            let text = call.prompt.to_lowercase();
            for word in pleasing {
                assert!(!text.contains(word), "{page}: {word}");
            }
        }
    }
}

/// Anything else in the prompt of a text leaked into plans: dates of turns, personas, markers as steps.
#[tokio::test(start_paused = true)]
async fn prompt_of_a_text_has_only_the_question_its_texts_and_the_task() {
    let mut texts = 0;
    for (page, asked) in all().await {
        for call in asked {
            let is_text = call.prompt.starts_with("You write for a reader.");
            let reviews = ["review", "objections", "final"].contains(&call.phase.as_str());
            assert!(is_text || !reviews, "{page}, {}: a text", call.phase);
            assert!(!call.prompt.contains("2026-"), "{page}, {}: no times", call.phase);
            if !is_text {
                continue;
            }
            texts += 1;
            let (_, task) = call.prompt.rsplit_once(END).unwrap();
            for word in ["Others: ", "From the record:", "Your comment needs", "(@"] {
                // Below a proposal there may be lines with the numbers of concerns and tasks.
                let lists = word.starts_with("From") && call.phase == "proposal";
                assert!(lists || !task.contains(word), "{page}, {}: {word}\n{task}", call.phase);
            }
            assert!(!reviews || !task.contains("# You\n"), "{page}: neutral\n{task}");
            assert!(!reviews || call.prompt.contains("\n# The text\n"), "{page}, {}", call.phase);
        }
    }
    assert!(texts > 20, "{texts} texts");
}
