//! Bundled templates load, state their purpose, and start readable discussions.

use discussions::participant::Roster;
use discussions::template::bundled;
use discussions::transcript::{Alias, parse};
use serde_json::json;

use super::simulation::{all, body};

#[test]
fn bundled_templates_load_and_state_their_purpose() {
    let ids: Vec<String> = all().into_iter().map(|template| template.id).collect();
    assert_eq!(
        ids,
        [
            "architecture-decision",
            "artifact-review",
            "code-review",
            "critique",
            "debate",
            "decision-record",
            "dialogue",
            "feature",
            "round-robin",
            "second-look",
            "second-look-review",
            "solo",
            "synthesis",
            "voting",
        ]
    );
    for template in all() {
        assert!(!template.title.is_empty() && !template.summary.is_empty(), "{}", template.id);
        let unclear = template
            .phases
            .iter()
            .filter(|phase| phase.report.is_none() && phase.discuss.is_none())
            .find(|phase| phase.instructions.source().trim().is_empty());
        assert_eq!(unclear, None, "{}", template.id);
    }
}

#[test]
fn bundled_templates_name_only_bundled_personas() {
    let roster = Roster::bundled();
    for template in all() {
        let cast = &template.participants;
        let roles = template.roles.values().filter_map(|role| role.otherwise.as_ref());
        for alias in cast
            .default
            .iter()
            .chain(cast.casts.values().flatten())
            .chain(cast.drop.keys())
            .chain(roles)
        {
            assert!(
                roster.by_alias(&Alias::parse(alias).unwrap()).is_some(),
                "{}: {alias}",
                template.id
            );
        }
        let count = cast.default.len() as u32;
        assert!(
            cast.min.is_none_or(|min| min <= count) && cast.max.is_none_or(|max| count <= max),
            "{}",
            template.id
        );
    }
}

#[test]
fn new_discussion_ends_with_a_rule_and_has_no_markers() {
    for template in all() {
        let defaults = template.parameters.iter().map(|(name, parameter)| {
            (name.clone(), parameter.default.clone().unwrap_or(json!("x.md")))
        });
        for context in ["", "Only a text.", "A text.\n\n## Context\n\nwith sections"] {
            let text = format!("{}\n", body(&template, context, &defaults.clone().collect()));
            let transcript = parse(&text);
            assert!(
                text.ends_with("\n\n---\n") && !text.contains("\n\n\n"),
                "{}: {text}",
                template.id
            );
            assert!(
                transcript.entries.is_empty()
                    && transcript.problems.is_empty()
                    && transcript.title().is_some(),
                "{text}"
            );
            assert!(text.contains(context) && text.matches("## Context").count() <= 1, "{text}");
        }
    }
}

#[test]
fn templates_do_not_list_consensus_methods() {
    for (id, text) in bundled() {
        let asks = text.lines().find(|line| line.contains("consensus.method"));
        assert_eq!(asks, None, "{id}: `consensus.by_votes` says whether votes decide");
    }
}
