//! Generated discussions: all outputs say the same about them, and agents and models change nothing that people decided.

use std::path::Path;

use discussions::view::Status;
use proptest::prelude::*;

use crate::project::Project;

/// One block of a discussion.
#[derive(Clone, Debug)]
enum Block {
    Says { who: usize, what: String },
    Line(String),
}

/// The authors: people, a participant, the moderator, agents, and names that only look like one.
const AUTHORS: [&str; 7] =
    ["Rob", "Mira", "AI-Architect", "AI-Moderator", "agent", "AI-Architekt", "R0b"];
/// The number of authors that are people.
const PEOPLE: usize = 2;

impl Block {
    fn text(&self) -> String {
        match self {
            Self::Says { who, what } => format!("\nName: {}\n\n{what}\n\n---\n", AUTHORS[*who]),
            Self::Line(line) => format!("\n<!-- {line} -->\n\n---\n"),
        }
    }
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0..6_u8).prop_map(|plan| format!("DECISION: follow plan{plan}")),
        2 => (0..6_u8, 1..4_u8).prop_map(|(plan, old)| format!("DECISION: follow plan{plan} (replaces D{old})")),
        2 => (1..4_u8).prop_map(|number| format!("+1 D{number}")),
        1 => (1..4_u8).prop_map(|number| format!("WITHDRAWN: D{number}")),
        2 => prop_oneof!["READY", "CHANGES", "REJECT"].prop_map(|vote| format!("VOTE: {vote}")),
        1 => Just("REVIEW-BY: 2026-06-01".to_owned()),
        1 => Just("HINDSIGHT: failed, it was slow".to_owned()),
        1 => Just("AFFECTS: `src/**`".to_owned()),
        1 => (0..3_u8).prop_map(|file| format!("SUPERSEDES: d{file}.md")),
    ]
}

fn block(authors: std::ops::Range<usize>) -> impl Strategy<Value = Block> {
    let says = (authors.clone(), words()).prop_map(|(who, what)| Block::Says { who, what });
    let status = (prop_oneof!["CLOSED", "OPEN"], authors)
        .prop_map(|(status, who)| Block::Line(format!("STATUS: {status}, by: {}", AUTHORS[who])));
    prop_oneof![5 => says, 1 => status]
}

fn discussion(blocks: &[Block]) -> String {
    let head = "<!-- DISCUSSION\ntemplate: feature\ncreated: 2026-01-05T09:00:00Z\nparticipants: [architect, \
                security]\npeople: [Rob, Mira]\nconsensus: {human_required: false}\n-->\n\n# Which plan?\n\n---\n";
    let ballot = "\n<!-- PHASE: consensus_vote -->\n<!-- VOTE-RESET -->\n\n---\n";
    format!("{head}{ballot}{}", blocks.iter().map(Block::text).collect::<String>())
}

/// What people decided: their decisions in force, with the person who decided.
fn of_people(text: &str) -> Vec<String> {
    let facts = Status::read(text, "d.md").decided;
    let by = facts.decided_by.clone().filter(|by| by != "vote");
    let standing = facts.standing_ones().filter(|_| by.is_some());
    let mut all: Vec<String> = standing.map(|one| format!("{} {by:?}", one.labelled())).collect();
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn agents_and_models_change_nothing_that_people_decided(
        before in prop::collection::vec(block(0..AUTHORS.len()), 0..12),
        after in prop::collection::vec(block(PEOPLE..AUTHORS.len()), 1..6),
    ) {
        let before = discussion(&before);
        let decided = of_people(&before);
        if !decided.is_empty() {
            let more: String = after.iter().map(Block::text).collect();
            prop_assert_eq!(&of_people(&format!("{before}{more}")), &decided, "{}", more);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn all_outputs_say_the_same(
        files in prop::collection::vec(prop::collection::vec(block(0..AUTHORS.len()), 0..10), 3),
    ) {
        let project = Project::new();
        for (index, blocks) in files.iter().enumerate() {
            project.write(&format!("discussions/d{index}.md"), &discussion(blocks));
        }
        let workspace = project.workspace();
        let list = workspace.discussions().list(None).unwrap().discussions;
        let mut filter = workspace.decisions().decision_filter();
        filter.all = true;
        let log = workspace.decisions().filtered_decisions(&filter).unwrap().decided;
        let recalled = workspace.decisions().recall("Which plan?", 0, None).unwrap();
        for listed in &list {
            let name = Path::new(&listed.file);
            let status = workspace.discussions().status(name).unwrap().decided;
            prop_assert_eq!(&listed.decided, &status);
            let result = workspace.discussions().result(name).unwrap();
            prop_assert_eq!(&result.outcome().facts, &status);
            prop_assert_eq!(&workspace.discussions().show(name).unwrap().status.decided, &status);
            for one in log.iter().filter(|one| one.file == listed.file) {
                prop_assert_eq!(&one.facts, &status);
            }
            for one in recalled.iter().filter(|one| one.file == listed.file) {
                prop_assert_eq!(&one.facts, &status);
                prop_assert!(status.decision.is_some());
            }
            let chosen = workspace.decisions().decision_record(name, None, None).unwrap().text;
            prop_assert_eq!(chosen.contains("Chosen option"), status.in_force);
        }
    }
}
