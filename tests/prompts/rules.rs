//! What holds for every prompt of every template.

use super::{feedback, patterns};
use crate::witness::Asked;

const BEGIN: &str = "===== THE RECORD BEGINS =====\n";
const END: &str = "\n===== THE RECORD ENDS (";

async fn all() -> Vec<(&'static str, Vec<Asked>)> {
    let mut all = Vec::new();
    for (page, new) in patterns::patterns() {
        all.push((page, patterns::asked(&new).await));
    }
    for template in ["feature", "code-review", "architecture-decision"] {
        all.push((template, feedback::asked(template).await));
    }
    all
}

/// What stands between the rules and the task.
fn record(prompt: &str) -> &str {
    let (_, rest) = prompt.split_once(BEGIN).unwrap();
    rest.rsplit_once(END).unwrap().0
}

#[tokio::test(start_paused = true)]
async fn later_prompts_begin_with_what_earlier_ones_began_with() {
    let mut headers = std::collections::BTreeSet::new();
    for (page, asked) in all().await {
        let mut last = "";
        for call in &asked {
            headers.insert(call.prompt.split_once(BEGIN).unwrap().0.to_owned());
            let record = record(&call.prompt);
            assert!(record.starts_with(last), "{page}: nothing in front changes\n{record}");
            last = record;
        }
    }
    assert_eq!(headers.len(), 1, "the rules are the same for everybody, everywhere");
}

#[tokio::test(start_paused = true)]
async fn the_persona_comes_last_and_whole() {
    for (page, asked) in all().await {
        for call in asked {
            let task = call.prompt.rsplit_once(END).unwrap().1;
            // Asked again, the answer that was given is shown too.
            let task = task.split("\n# Again, please\n").next().unwrap();
            assert!(task.len() <= 4096 + 400, "{page}: a short tail");
            let (before, persona) = task.rsplit_once("\n# You\n").unwrap();
            assert!(before.contains("# Your task") && !persona.contains("\n# "), "{page}");
            assert!(persona.trim_end().ends_with('?'), "{page}: not cut off:\n{persona}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn peers_have_letters_where_the_template_says_so_and_names_elsewhere() {
    for (page, asked) in all().await {
        let anonymous = matches!(page, "synthesis" | "voting");
        let last = &asked.last().unwrap().prompt;
        assert_eq!(record(last).contains("Participant A"), anonymous, "{page}");
        let words = ["AI-", "architect", "participants: [", "provider: "];
        let named = words.iter().any(|word| record(last).contains(word));
        assert_eq!(named, !anonymous, "{page}:\n{}", record(last));
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_demanded_is_named_with_its_form_and_all_options() {
    for (page, asked) in all().await {
        for call in asked {
            let task = call.prompt.rsplit_once(END).unwrap().1;
            let Some((_, demanded)) = task.split_once("Markers demanded: ") else {
                assert!(
                    task.contains("You may end with a vote"),
                    "{page}: every prompt invites one"
                );
                continue;
            };
            let (line, rest) = demanded.split_once('\n').unwrap();
            let word = line.split([' ', ',']).next().unwrap();
            assert!(rest.contains(&format!("\n{word}: ")), "{page}: an example of {word}");
            if let Some((_, options)) = line.split_once("VOTE (") {
                for option in options.split(')').next().unwrap().split(" | ") {
                    assert!(rest.contains(&format!("\nVOTE: {option}\n")), "{page}: {option}");
                }
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_to_be_agreeable() {
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
