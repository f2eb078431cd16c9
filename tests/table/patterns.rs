//! Rules about roles, rounds, visible text and defaults on which the source documents contradicted each other.

use std::collections::BTreeMap;

use discussions::engine::{Cut, Step, Stop, next, prompt, view};
use discussions::runner::RunOptions;
use discussions::state::{Speaker, deal};
use discussions::template::{Template, bundled};
use discussions::transcript::{Alias, Control, EntryKind};
use discussions::workspace::NewDiscussion;

use super::discussion::Discussion;
use crate::project::{Project, script};

fn template(id: &str) -> Template {
    let (_, text) = bundled().into_iter().find(|(known, _)| known == id).unwrap();
    Template::read(text, id, id).unwrap()
}

fn aliases(names: &[&str]) -> Vec<Alias> {
    names.iter().map(|name| Alias::parse(name).unwrap()).collect()
}

fn holders_of_role(id: &str, participants: &[&str], role: &str) -> Vec<String> {
    let dealt = deal(&template(id), &aliases(participants), &BTreeMap::new());
    assert!(dealt.empty.is_empty(), "{id}: {:?}", dealt.empty);
    dealt.roles[role].iter().map(ToString::to_string).collect()
}

fn new(template: &str, participants: &[&str], set: &[(&str, &str)]) -> NewDiscussion {
    NewDiscussion {
        title: "Queue or cron?".into(),
        template: Some(template.into()),
        participants: participants.iter().map(|&name| name.into()).collect(),
        parameters: set.iter().map(|&(name, value)| (name.into(), value.into())).collect(),
        ..NewDiscussion::default()
    }
}

/// Phase and participant of each call, if all participants give the same answers, and the final text.
async fn run_to_end(new: &NewDiscussion, answers: &str) -> (Vec<(String, String)>, Option<String>) {
    let project = Project::new();
    let path = project.create(new);
    project.run(&path, script(answers), RunOptions::with_default_limits()).await.unwrap();
    project.look(&path, |it| {
        let said = it.state.said.iter().filter(|said| said.speaker != Speaker::Report);
        let said = said.map(|said| {
            (it.template().phases[said.phase].id.clone(), said.speaker.handle().to_owned())
        });
        (said.collect(), it.synthesis())
    })
}

#[test]
fn default_synthesizer_and_judge_is_the_bundled_moderator() {
    let three = ["architect", "security", "pragmatist"];
    for (id, role) in
        [("synthesis", "synthesizer"), ("round-robin", "synthesizer"), ("voting", "synthesizer")]
    {
        assert_eq!(holders_of_role(id, &three, role), ["moderator"], "{id}");
    }
    let discussion = Discussion::new(
        "voting",
        "participants: [architect, security]\nroles: {synthesizer: [moderator]}",
    )
    .votes(&[("AI-Moderator", "READY")]);
    assert_eq!(discussion.ballot(), [], "the synthesizer never votes");
}

#[test]
fn debate_roles_are_dealt_in_order_and_two_get_a_moderator() {
    let three = ["architect", "security", "pragmatist"];
    assert_eq!(holders_of_role("debate", &three, "proponent"), ["architect"]);
    assert_eq!(holders_of_role("debate", &three, "opponent"), ["security"]);
    assert_eq!(holders_of_role("debate", &three, "judge"), ["pragmatist"]);
    assert_eq!(holders_of_role("debate", &three[..2], "judge"), ["moderator"]);
}

#[test]
fn debate_participants_beyond_three_are_neutral_only_by_role() {
    let four = ["architect", "security", "pragmatist", "designer"];
    assert_eq!(holders_of_role("debate", &four, "neutral"), [""; 0]);
    let given = BTreeMap::from([("neutral".to_owned(), aliases(&["designer"]))]);
    let dealt = deal(&template("debate"), &aliases(&four), &given);
    assert_eq!(dealt.roles["neutral"], aliases(&["designer"]));
}

#[test]
fn default_participants_come_from_head_configuration_template() {
    let seats = |project: &Project| {
        let text = project.workspace().discussions().draft(&new("feature", &[], &[])).unwrap();
        let head = discussions::transcript::parse(&text).head.unwrap();
        head.participants.unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let project = Project::new();
    assert_eq!(seats(&project), ["architect", "security", "pragmatist"]);
    project.write("discussions.yaml", "default_participants: [designer, security]\n");
    assert_eq!(seats(&project), ["designer", "security"]);
}

#[test]
fn bare_providers_speak_as_neutral_personas() {
    let text = Project::new()
        .workspace()
        .discussions()
        .draft(&new("feature", &["mock", "architect"], &[]))
        .unwrap();
    let head = discussions::transcript::parse(&text).head.unwrap();
    assert_eq!(head.participants.unwrap(), aliases(&["mock", "architect"]));
    assert_eq!(head.providers["mock"], "mock");
}

#[test]
fn round_robin_speaker_sees_earlier_speakers_of_the_round() {
    let discussion = Discussion::new("round-robin", "participants: [architect, security]")
        .line("TURN: 1, asks: [architect, security]")
        .replies("AI-Architect", "the first word");
    discussion.look(|it| {
        assert_eq!(next(it, 9).unwrap(), Step::Ask(aliases(&["security"])), "one after the other");
        let seen = view(it, Cut::of(it, &it.state.turns[0]));
        assert!(seen.contains("the first word"));
    });
}

#[test]
fn parallel_phase_shows_text_up_to_its_turn_line() {
    let discussion = Discussion::new("debate", "participants: [architect, security]")
        .line("TURN: 1, asks: [architect, security]")
        .replies("AI-Architect", "the first word");
    discussion.look(|it| {
        let seen = view(it, Cut::of(it, &it.state.turns[0]));
        assert!(seen.contains("# Queue or cron?\n"), "{seen}");
        assert!(!seen.contains("the first word") && !seen.contains("TURN"), "{seen}");
    });
}

const SAYS: &str = "answers: [{text: \"Reasons.\\n\\nCONCERN: slow\\n\\nDECISION: go\\n\\nCONFIDENCE: 0.8\\n\\nVOTE: READY\"}]";

#[tokio::test(start_paused = true)]
async fn critique_with_two_rounds_has_five_phases() {
    let silent = [("objections", "0"), ("review", "false")];
    let (said, _) = run_to_end(&new("critique", &["architect", "security"], &silent), SAYS).await;
    let phases: Vec<&str> = said.iter().map(|(phase, _)| phase.as_str()).collect();
    assert_eq!(phases, ["propose", "critique", "refine", "critique", "refine"]);
}

#[tokio::test(start_paused = true)]
async fn voting_decides_by_tally_with_default_options() {
    let new = new("voting", &["architect", "security", "pragmatist"], &[]);
    let (said, _) = run_to_end(&new, SAYS).await;
    let last = said.last().unwrap();
    assert_eq!((last.0.as_str(), last.1.as_str()), ("synthesis", "moderator"));
    let discussion = Discussion::new("voting", "participants: [architect, security]");
    let options = discussion
        .look(|it| it.config.options[0].iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(options, ["READY", "CHANGES", "REJECT"]);
}

#[tokio::test(start_paused = true)]
async fn dialogue_counts_drafts_as_round_1_and_ends_on_two_yes() {
    let yes = "answers: [{phase: check, text: \"CONFIDENCE: 0.9\\n\\nSOLUTION: the queue\\n\\nVOTE: YES\"}, {text: Draft.}]";
    let (said, synthesis) =
        run_to_end(&new("dialogue", &["architect", "security"], &[]), yes).await;
    let phases: Vec<&str> = said.iter().map(|(phase, _)| phase.as_str()).collect();
    assert_eq!(phases, ["draft", "draft", "check", "check"], "from min_rounds (1) on");
    assert_eq!(synthesis.as_deref(), Some("the queue"));
}

#[tokio::test(start_paused = true)]
async fn dialogue_takes_the_more_confident_solution_or_the_first() {
    for (first, second, chosen) in
        [("0.6", "0.9", "cron"), ("0.9", "0.6", "queue"), ("0.7", "0.7", "queue")]
    {
        let answers = format!(
            "answers:\n  - {{phase: check, participant: architect, text: \"CONFIDENCE: {first}\\n\\nSOLUTION: queue\\n\\nVOTE: YES\", delay_ms: 1}}\n  - {{phase: check, participant: security, text: \"CONFIDENCE: {second}\\n\\nSOLUTION: cron\\n\\nVOTE: YES\", delay_ms: 20}}\n  - {{text: Draft.}}\n"
        );
        let (_, synthesis) =
            run_to_end(&new("dialogue", &["architect", "security"], &[]), &answers).await;
        assert_eq!(synthesis.as_deref(), Some(chosen), "{first} and {second}");
    }
}

#[tokio::test(start_paused = true)]
async fn dialogue_without_consensus_keeps_both_last_positions() {
    let no = "answers: [{phase: check, text: \"VOTE: NO\"}, {participant: architect, text: Queue.}, {text: Cron.}]";
    let (said, synthesis) =
        run_to_end(&new("dialogue", &["architect", "security"], &[("rounds", "2")]), no).await;
    let phases: Vec<&str> = said.iter().map(|(phase, _)| phase.as_str()).collect();
    assert_eq!(phases, ["draft", "draft", "check", "check", "turns", "turns", "check", "check"]);
    let synthesis = synthesis.unwrap();
    assert!(synthesis.contains("Queue.") && synthesis.contains("Cron."), "{synthesis}");
}

#[tokio::test(start_paused = true)]
async fn dialogue_repeats_an_unreadable_check_once_and_reads_no() {
    let prose = "answers: [{phase: check, text: \"Yes, I think we agree.\"}, {text: Draft.}]";
    let project = Project::new();
    let path = project.create(&new("dialogue", &["architect", "security"], &[("rounds", "1")]));
    let provider = script(prose);
    project.run(&path, provider.clone(), RunOptions::with_default_limits()).await.unwrap();
    assert_eq!(provider.calls(), 2 + 2 * 2, "each check twice");
    project.look(&path, |it| {
        let votes: Vec<(&str, Option<f64>)> = it
            .state
            .ballot
            .votes
            .iter()
            .map(|vote| (vote.choice.as_str(), vote.confidence))
            .collect();
        assert_eq!(votes, [("NO", Some(0.0)), ("NO", Some(0.0))]);
        assert!(!it.outcome().consensus.reached);
    });
}

#[test]
fn dialogue_consensus_checks_are_parallel_and_blind() {
    let discussion = Discussion::new("dialogue", "participants: [architect, security]")
        .line("TURN: 1, asks: [architect, security]")
        .replies("AI-Architect", "x")
        .replies("AI-Security", "y")
        .line("PHASE: check")
        .line("VOTE-RESET")
        .line("TURN: 2, asks: [architect, security]")
        .replies("AI-Architect", "the first check\n\nVOTE: YES");
    discussion.look(|it| {
        let seen = view(it, Cut::of(it, it.state.turns.last().unwrap()));
        assert!(!seen.contains("the first check"));
    });
}

#[test]
fn early_exit_spares_only_unstarted_calls_above_min_providers() {
    let discussion = Discussion::new("voting", "participants: [architect, security, pragmatist]")
        .line("TURN: 1, asks: [architect, security, pragmatist]")
        .replies("AI-Architect", "CONFIDENCE: 1\n\nVOTE: READY")
        .replies("AI-Security", "CONFIDENCE: 1\n\nVOTE: READY");
    discussion.look(|it| {
        assert!(it.skippable_voters().is_empty(), "a parallel turn's calls are all started");
        assert_eq!(next(it, 9).unwrap(), Step::Ask(aliases(&["pragmatist"])));
    });
}

#[test]
fn prompt_keeps_file_order_and_sorts_the_speakers() {
    let discussion = Discussion::new("feature", "participants: [security, architect]")
        .says("Rob", "x")
        .says("AI-Security", "y")
        .says("AI-Architect", "z")
        .line("TURN: 1, asks: [architect, security]");
    discussion.look(|it| {
        let text = prompt(it, &it.state.turns[0], &aliases(&["security"])[0]).unwrap().text();
        let (y, z) = (text.find("\n\ny\n").unwrap(), text.find("\n\nz\n").unwrap());
        assert!(y < z, "file order");
        assert!(text.contains("\nOthers: @architect (Systems architect), @moderator ("));
    });
}

#[test]
fn dialogue_does_not_ask_for_agreeableness() {
    let text = bundled().into_iter().find(|(id, _)| id == "dialogue").unwrap().1.to_lowercase();
    for word in ["agreeable", "be cooperative", "try to agree", "find common ground"] {
        assert!(!text.contains(word), "{word}");
    }
}

#[test]
fn limits_of_rounds_participants_topic_and_options_hold() {
    let project = Project::new();
    let takes = |new: NewDiscussion| project.workspace().discussions().draft(&new).is_ok();
    let six = ["architect", "security", "pragmatist", "perfectionist", "designer", "moderator"];
    for (row, ok, new) in [
        ("rounds 1", true, new("debate", &[], &[("rounds", "1")])),
        ("rounds 10", true, new("debate", &[], &[("rounds", "10")])),
        ("rounds 0", false, new("debate", &[], &[("rounds", "0")])),
        ("rounds 11", false, new("debate", &[], &[("rounds", "11")])),
        ("one participant", false, new("voting", &six[..1], &[])),
        ("two participants", true, new("voting", &six[..2], &[])),
        ("six participants", true, new("round-robin", &six, &[])),
        ("seven participants", false, new("round-robin", &[&six[..], &["mock"]].concat(), &[])),
        ("ten options", true, new("voting", &[], &[("options", "a,b,c,d,e,f,g,h,i,j")])),
        ("eleven options", false, new("voting", &[], &[("options", "a,b,c,d,e,f,g,h,i,j,k")])),
        ("one option", false, new("voting", &[], &[("options", "a")])),
    ] {
        assert_eq!(takes(new), ok, "{row}");
    }
    for (length, ok) in [(5_000, true), (5_001, false)] {
        let title = "x".repeat(length);
        assert_eq!(
            takes(NewDiscussion { title, ..NewDiscussion::default() }),
            ok,
            "topic of {length}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn phase_with_deciding_votes_begins_with_vote_reset() {
    let project = Project::new();
    let path = project.create(&new("dialogue", &["architect", "security"], &[("rounds", "1")]));
    project.run(&path, script(SAYS), RunOptions::with_default_limits()).await.unwrap();
    let text = project.read(&path);
    let parsed = discussions::transcript::parse(&text);
    let after_phase = parsed.entries.windows(2).filter_map(|pair| match &pair[0].kind {
        EntryKind::Control(Control::Phase(phase)) if phase.id == "check" => Some(&pair[1].kind),
        _ => None,
    });
    for kind in after_phase {
        assert!(matches!(kind, EntryKind::Control(Control::VoteReset)), "{text}");
    }
    assert!(text.contains("<!-- VOTE-RESET -->"));
}

#[test]
fn closed_discussion_takes_no_step() {
    let discussion = Discussion::vote().line("STATUS: CLOSED, by: Rob");
    assert_eq!(discussion.look(|it| next(it, 0).unwrap()), Step::Stop(Stop::Closed));
}

#[tokio::test(start_paused = true)]
async fn voting_method_adds_a_ballot_on_the_synthesis() {
    for (method, ballots) in
        [("synthesis", 0), ("moderator", 0), ("voting", 2), ("majority", 2), ("unanimous", 2)]
    {
        let set = [("rounds", "1"), ("objections", "0"), ("review", "false")];
        let mut new = new("synthesis", &["architect", "security"], &set);
        new.consensus.method = serde_json::from_value(method.into()).unwrap();
        let project = Project::new();
        let path = project.create(&new);
        let provider = script(SAYS);
        project.run(&path, provider.clone(), RunOptions::with_default_limits()).await.unwrap();
        assert_eq!(provider.calls(), 2 + 1 + ballots, "{method}");
        project.look(&path, |it| {
            assert!(
                it.outcome().consensus.reached,
                "{method}: the text is the result, or all agree"
            );
        });
    }
}

mod slow {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: runs many rounds"]
    async fn n_rounds_are_exactly_n_rounds() {
        for (id, phase, own) in [
            ("round-robin", "discuss", 2),
            ("synthesis", "perspectives", 2),
            ("critique", "critique", 1),
        ] {
            for rounds in [1usize, 3] {
                let text = rounds.to_string();
                let new = new(id, &["architect", "security"], &[("rounds", &text)]);
                let (said, _) = run_to_end(&new, SAYS).await;
                let count = said.iter().filter(|(of, _)| of == phase).count();
                assert_eq!(count, rounds * own, "{id}, {rounds}");
            }
        }
    }
}
