//! What every bundled template promises: it loads, its new discussion reads well, and played through by the engine it
//! makes exactly the calls of its flow.

use std::collections::BTreeMap;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde_json::json;

use super::bundled;
use crate::engine::{Situation, Status, Step, Stop, next, prompt};
use crate::participant::Roster;
use crate::state::{Defaults, deal};
use crate::template::{Expressions, Template};
use crate::transcript::{Alias, Choice, Draft, Head, NewComment, Reply, append, parse};

fn all() -> Vec<Template> {
    let read =
        |(stem, text): (String, &'static str)| Template::read(text, &format!("{stem}.md"), &stem);
    bundled().into_iter().map(|file| read(file).unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn one(id: &str) -> Template {
    all()
        .into_iter()
        .find(|template| template.id == id)
        .unwrap_or_else(|| panic!("no template {id}"))
}

fn body(
    template: &Template,
    context: &str,
    parameters: &serde_json::Map<String, serde_json::Value>,
) -> String {
    let names = context! { title => "Tea or coffee", context => context, params => Value::from(Serde(parameters)) };
    Expressions::default().render(&template.body, names).unwrap()
}

fn aliases(list: &str) -> Vec<Alias> {
    list.split_whitespace().map(|alias| Alias::parse(alias).unwrap()).collect()
}

/// A discussion that is played to its end with made-up answers.
struct Play {
    template: Template,
    roster: Roster,
    text: String,
    /// Who was asked in which phase, call by call.
    calls: Vec<(String, String)>,
    /// The longest instructions that anybody was shown, in bytes.
    longest: usize,
    prompts: Vec<String>,
}

impl Play {
    fn new(
        id: &str,
        participants: &str,
        parameters: serde_json::Value,
        consensus: serde_json::Value,
    ) -> Self {
        let template = one(id);
        let participants = aliases(participants);
        let mut values: serde_json::Map<_, _> = template
            .parameters
            .iter()
            .filter_map(|(name, parameter)| Some((name.clone(), parameter.default.clone()?)))
            .collect();
        values.extend(parameters.as_object().unwrap().clone());
        let head = Head {
            template: Some(id.to_owned()),
            created: Some("2026-03-02T09:00:00Z".to_owned()),
            roles: deal(&template, &participants, &BTreeMap::new()).roles,
            participants: Some(participants),
            consensus: consensus.as_object().unwrap().clone(),
            parameters: values.clone(),
            ..Head::default()
        };
        let text = format!("{}\n{}\n", head.render(), body(&template, "Which one?", &values));
        Self {
            template,
            roster: Roster::bundled(),
            text,
            calls: Vec::new(),
            longest: 0,
            prompts: Vec::new(),
        }
    }

    fn write(&mut self, draft: Draft) {
        let bytes = append(&self.text, &[draft]);
        self.text.push_str(&bytes);
    }

    fn at<T>(&self, use_it: impl FnOnce(&Situation<'_>) -> T) -> T {
        let transcript = parse(&self.text);
        let charter =
            Situation::charter(&transcript, &self.template, &self.roster, &Defaults::default())
                .unwrap();
        use_it(&Situation::new(&transcript, &charter))
    }

    /// Plays on until nothing happens by itself; `answer` says what the n-th call (from 0) gets, in which phase.
    fn run(&mut self, answer: impl Fn(usize, &str, &str) -> String) -> Stop {
        loop {
            match self.at(|situation| next(situation, 0)).unwrap() {
                Step::Stop(stop) => return stop,
                Step::Write(drafts) => drafts.into_iter().for_each(|draft| self.write(draft)),
                Step::Ask(asked) => {
                    asked.into_iter().for_each(|alias| self.answer(&alias, &answer))
                }
            }
        }
    }

    fn answer(&mut self, alias: &Alias, answer: &impl Fn(usize, &str, &str) -> String) {
        let (phase, name, sent, instructions) = self.at(|situation| {
            let turn = situation.state.turns.last().unwrap();
            let phase = &self.template.phases[turn.phase];
            let sent = prompt(situation, turn, alias).unwrap().text;
            let task = sent.split("Phase: ").last().unwrap();
            let instructions = task
                .split("\n\nMarkers demanded")
                .next()
                .unwrap()
                .split("\n\nYou may end")
                .next()
                .unwrap()
                .len();
            (
                phase.id.clone(),
                situation.charter.persona(alias).unwrap().name.clone(),
                sent,
                instructions,
            )
        });
        self.longest = self.longest.max(instructions);
        self.prompts.push(sent);
        let said = answer(self.calls.len(), &phase, alias.as_str());
        self.calls.push((phase, alias.to_string()));
        let (body, vote) = match said.split_once("VOTE: ") {
            Some((body, vote)) => (body.to_owned(), Some(Choice::parse(vote.trim()).unwrap())),
            None => (said, None),
        };
        let reply = Reply {
            turn: Some(self.at(|situation| situation.state.turns.last().unwrap().line.number)),
            ..Reply::default()
        };
        let comment = NewComment { reply: Some(reply), vote, ..NewComment::by(name, body) };
        self.write(Draft::Comment(comment));
    }

    fn calls_in(&self, phase: &str) -> usize {
        self.calls.iter().filter(|(of, _)| of == phase).count()
    }

    fn status(&self) -> Status {
        self.at(|situation| situation.standing().status)
    }
}

fn plain(call: usize, phase: &str, alias: &str) -> String {
    match phase {
        "ballot" | "consensus_vote" => format!("Reason {call}.\n\nCONFIDENCE: 0.8\n\nVOTE: READY"),
        _ => format!("{alias} says {call} in {phase}.\n\nDECISION: number {call}"),
    }
}

#[test]
fn every_bundled_template_loads_and_says_what_it_is_for() {
    let ids: Vec<String> = all().into_iter().map(|template| template.id).collect();
    assert_eq!(
        ids,
        [
            "architecture-decision",
            "artifact-review",
            "code-review",
            "critique",
            "debate",
            "dialogue",
            "feature",
            "round-robin",
            "synthesis",
            "voting",
        ]
    );
    for template in all() {
        assert!(!template.title.is_empty() && !template.summary.is_empty(), "{}", template.id);
        let unclear = template
            .phases
            .iter()
            .find(|phase| phase.report.is_none() && phase.instructions.trim().is_empty());
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
fn a_new_discussion_ends_in_a_rule_and_holds_nothing_that_counts() {
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
fn the_workflows_wait_for_a_person_where_they_should() {
    for id in ["feature", "code-review", "architecture-decision"] {
        let template = one(id);
        let ids: Vec<&str> = template.phases.iter().map(|phase| phase.id.as_str()).collect();
        assert_eq!(ids, ["initial_feedback", "detailed_review", "consensus_vote"]);
        let mut play = Play::new(id, "architect security pragmatist", json!({}), json!({}));
        assert_eq!(
            play.run(plain),
            Stop::PhaseEnd,
            "the review in depth ends when a person says so"
        );
        assert_eq!(play.calls.len(), 6);
        let advance =
            play.at(|situation| crate::engine::advance_to(situation, 2, Some("Rob".to_owned())));
        assert_eq!(advance.len(), 2, "entering the vote resets votes");
        advance.into_iter().for_each(|draft| play.write(draft));
        assert_eq!(
            play.run(plain),
            Stop::PersonVote,
            "three READY suffice, but a person has to agree"
        );
        assert_eq!((play.calls.len(), play.status()), (9, Status::Open));
    }
}

#[test]
fn questions_to_a_participant_are_answered_before_the_phase_ends() {
    let mut play = Play::new("feature", "architect security", json!({}), json!({}));
    let asks_back = |call: usize, _: &str, _: &str| match call {
        0 => "Q: who may see it? @security".to_owned(),
        _ => "Noted.".to_owned(),
    };
    play.run(asks_back);
    assert_eq!(
        play.calls_in("initial_feedback"),
        2,
        "security speaks after the question, in the same turn"
    );
    let ping_pong = |call: usize, _: &str, alias: &str| {
        format!("Point {call}. @{}?", if alias == "security" { "architect" } else { "security" })
    };
    let mut play = Play::new("feature", "architect security", json!({}), json!({}));
    assert!(
        matches!(play.run(ping_pong), Stop::Mentions(_)),
        "an exchange of mentions ends by itself"
    );
    assert_eq!(play.calls.len(), 4, "one turn for all, and one mentioned each in two more");
}

#[test]
fn each_pattern_makes_exactly_the_calls_of_its_flow() {
    let of = |id: &str, participants: &str, parameters: serde_json::Value| {
        let mut play = Play::new(id, participants, parameters, json!({}));
        assert_eq!(play.run(plain), Stop::Finished, "{id}");
        assert_eq!(play.status(), Status::Consensus, "{id}");
        play.calls.len()
    };
    let three = "architect security pragmatist";
    for rounds in 1..=3 {
        let r = json!({"rounds": rounds});
        assert_eq!(of("round-robin", three, r.clone()), 3 * rounds + 1);
        assert_eq!(of("synthesis", three, r.clone()), 3 * rounds + 1);
        assert_eq!(of("debate", "architect pragmatist", r.clone()), 2 * rounds + 1);
        assert_eq!(
            of("debate", "architect security pragmatist designer", r.clone()),
            2 * rounds + 1
        );
        assert_eq!(of("critique", three, r), 1 + 3 * rounds);
    }
    assert_eq!(of("voting", three, json!({"early_exit": false})), 3 + 1);
}

#[test]
fn a_consensus_method_that_needs_votes_adds_one_ballot() {
    for id in ["round-robin", "synthesis", "debate", "critique"] {
        for method in ["voting", "majority", "unanimous"] {
            let mut play = Play::new(
                id,
                "architect security pragmatist",
                json!({}),
                json!({"method": method}),
            );
            assert_eq!(play.run(plain), Stop::Finished);
            assert_eq!(
                (play.calls_in("ballot"), play.status()),
                (3, Status::Consensus),
                "{id} {method}"
            );
        }
    }
}

#[test]
fn every_prompt_keeps_its_instructions_short() {
    for (id, participants) in [
        ("feature", "architect security pragmatist"),
        ("code-review", "architect security perfectionist"),
        ("architecture-decision", "architect security pragmatist"),
        ("round-robin", "architect security pragmatist"),
        ("synthesis", "architect security pragmatist"),
        ("debate", "architect pragmatist"),
        ("critique", "architect security pragmatist"),
        ("voting", "architect security pragmatist"),
        ("dialogue", "architect pragmatist"),
        ("artifact-review", "product technical quality risk coverage"),
    ] {
        let mut play = Play::new(id, participants, json!({"artifact": "brief.md"}), json!({}));
        play.run(plain);
        assert!(play.longest <= 1_100, "{id}: {} bytes", play.longest);
        assert!(play.prompts.iter().all(|text| !text.contains("\n\n\n")), "{id}");
    }
}

/// A dialogue in which the checks vote as given, one pair a check.
fn dialogue(rounds: u32, checks: &[(&str, &str)]) -> Play {
    let mut play =
        Play::new("dialogue", "architect pragmatist", json!({"rounds": rounds}), json!({}));
    let seen = std::cell::Cell::new(0);
    let stop = play.run(|call, phase, alias| {
        if phase != "check" {
            return format!("{alias} holds {call}.");
        }
        let index = seen.replace(seen.get() + 1);
        let pair = checks[index / 2];
        let answer = if alias == "architect" { pair.0 } else { pair.1 };
        answer.to_owned()
    });
    assert_eq!(stop, Stop::Finished);
    play
}

#[test]
fn a_dialogue_ends_when_both_say_yes_and_takes_the_surer_solution() {
    let no = "Not yet.\n\nVOTE: NO";
    let play = dialogue(
        10,
        &[
            (no, no),
            (
                "Yes.\n\nCONFIDENCE: 60\n\nSOLUTION: tea\n\nVOTE: YES",
                "Yes.\n\nCONFIDENCE: 80\n\nSOLUTION: green tea\n\nVOTE: YES",
            ),
        ],
    );
    assert_eq!(play.calls.len(), 2 * 2 + 2 * 2, "two rounds, each with its check");
    assert_eq!(play.status(), Status::Consensus);
    assert_eq!(play.at(|situation| situation.synthesis()).as_deref(), Some("green tea"));
    let play = dialogue(
        10,
        &[(
            "Yes.\n\nCONFIDENCE: 0.7\n\nSOLUTION: tea\n\nVOTE: YES",
            "Yes.\n\nCONFIDENCE: 70%\n\nSOLUTION: green tea\n\nVOTE: YES",
        )],
    );
    assert_eq!(
        play.at(|situation| situation.synthesis()).as_deref(),
        Some("tea"),
        "on a tie the first"
    );
}

#[test]
fn a_dialogue_without_agreement_ends_after_its_rounds_with_both_positions() {
    let no = "Not yet.\n\nVOTE: NO";
    let play = dialogue(3, &[(no, no), (no, "Yes.\n\nVOTE: YES"), (no, no)]);
    assert_eq!(play.calls.len(), 2 * 3 + 2 * 3);
    assert_eq!(play.status(), Status::Open, "two NO agree on nothing");
    let both = play.at(|situation| situation.synthesis()).unwrap();
    assert_eq!(
        both,
        "**AI-Architect**\n\narchitect holds 8.\n\n**AI-Pragmatist**\n\npragmatist holds 9."
    );
}

#[test]
fn a_dialogue_checks_from_its_first_allowed_round_on() {
    let mut play = Play::new(
        "dialogue",
        "architect pragmatist",
        json!({"rounds": 3, "min_rounds": 3}),
        json!({}),
    );
    play.run(
        |_, phase, _| {
            if phase == "check" { "No.\n\nVOTE: NO".to_owned() } else { "Text.".to_owned() }
        },
    );
    assert_eq!((play.calls.len(), play.calls_in("check")), (2 * 3 + 2, 2));
}

#[test]
fn a_debater_is_told_their_side() {
    let mut play = Play::new("debate", "architect pragmatist", json!({}), json!({}));
    play.run(plain);
    assert!(
        play.prompts[0].contains("You argue FOR the motion")
            && !play.prompts[0].contains("You argue AGAINST")
    );
    assert!(play.prompts[1].contains("You argue AGAINST the motion"));
    assert!(!play.prompts[1].contains("architect says"), "openings are blind");
    assert!(
        play.prompts[3].contains("architect says 0")
            && !play.prompts[3].contains("architect says 2")
    );
    assert_eq!(play.calls[4], ("verdict".to_owned(), "moderator".to_owned()));
}

#[test]
fn the_one_who_explains_a_ballot_is_given_the_count() {
    let votes = |call: usize, phase: &str, _: &str| match (phase, call) {
        ("ballot", 0) => "Warm.\n\nCONFIDENCE: 0.9\n\nVOTE: Tea".to_owned(),
        ("ballot", _) => "Strong.\n\nCONFIDENCE: 0.6\n\nVOTE: Coffee".to_owned(),
        _ => "Because.".to_owned(),
    };
    let mut play = Play::new(
        "voting",
        "architect security pragmatist",
        json!({"options": ["Tea", "Coffee", "Water"]}),
        json!({}),
    );
    play.run(votes);
    let sent = play.prompts.last().unwrap();
    assert!(
        sent.contains("Votes cast: Coffee 2, Tea 1. Weighted by confidence, Coffee wins."),
        "{sent}"
    );
    assert!(sent.contains("Name: Participant A") && !sent.contains("Name: AI-Architect"));
    let mut play =
        Play::new("voting", "architect security", json!({"options": ["Tea", "Coffee"]}), json!({}));
    play.run(|call, phase, _| match (phase, call) {
        ("ballot", 0) => "VOTE: Tea".to_owned(),
        ("ballot", _) => "VOTE: Coffee".to_owned(),
        _ => "Because.".to_owned(),
    });
    assert!(play.prompts.last().unwrap().contains("It is a tie"));
}

/// An artifact review with these answers, in the order of the cast.
fn review(answers: &'static [&'static str]) -> Play {
    let cast = ["product", "technical", "quality", "risk", "coverage"][..answers.len()].join(" ");
    let mut play = Play::new(
        "artifact-review",
        &cast,
        json!({"artifact": "brief.md", "context_file": "need.md"}),
        json!({}),
    );
    assert_eq!(play.run(|call, _, _| answers[call].to_owned()), Stop::Finished);
    assert_eq!(play.calls.len(), answers.len());
    play
}

fn verdict(answers: &'static [&'static str]) -> (String, String, f64) {
    review(answers).at(|situation| {
        let verdict = situation.verdict().unwrap().unwrap();
        assert_eq!(verdict.blocks, verdict.is == "consensus_blocked");
        assert_eq!(situation.standing().status == Status::Blocked, verdict.blocks);
        let average = situation.values().unwrap()["averageRating"].as_f64().unwrap();
        (
            verdict.is,
            format!("{} {}", verdict.with["severity"], verdict.with["recommendation"])
                .replace('"', ""),
            average,
        )
    })
}

#[test]
fn the_verdict_of_a_review_follows_its_rules() {
    let is = |answers, word: &str, rest: &str, average: f64| {
        assert_eq!(verdict(answers), (word.to_owned(), rest.to_owned(), average))
    };
    is(
        &["RATING: 4", "RATING: 3", "RATING: 4"],
        "consensus_reached",
        "LOW proceed-with-caution",
        3.67,
    );
    is(
        &["RATING: 2", "RATING: 4", "RATING: 4"],
        "consensus_reached",
        "MEDIUM proceed-with-caution",
        3.33,
    );
    is(&["RATING: 2", "RATING: 3"], "consensus_blocked", "MEDIUM proceed-with-caution", 2.5);
    is(&["RATING: 2", "RATING: 2", "RATING: 5"], "consensus_blocked", "HIGH revise", 3.0);
    is(
        &["RATING: 5", "RATING: 2/5", "RATING: 5"],
        "consensus_reached",
        "MEDIUM proceed-with-caution",
        4.0,
    );
    is(&["RATING: 5\n\nRISK: High", "RATING: 5"], "consensus_blocked", "HIGH revise", 5.0);
    is(
        &["RATING: 5\n\nRISK: low", "RATING: 5\n\nRISK: medium"],
        "consensus_reached",
        "LOW proceed-with-caution",
        5.0,
    );
    is(
        &["RATING: 5\n\nMISSING: how a key is revoked", "RATING: 5"],
        "consensus_blocked",
        "HIGH revise",
        5.0,
    );
    is(
        &["RATING: 5\n\nMISSING: None.", "RATING: 4"],
        "consensus_reached",
        "LOW proceed-with-caution",
        4.5,
    );
}

#[test]
fn the_record_of_a_review_names_who_said_what() {
    let play = review(&[
        "STRENGTH: the audience is named\nWEAKNESS: (high) the price is a guess\nSUGGESTION: (low) add a glossary\n\nRATING: 5\nRISK: low",
        "WEAKNESS: (low) names differ\nSUGGESTION: (high) measure the latency of the sync path\n\nRATING: 2\nRISK: medium",
        "SUGGESTION: (medium) add a glossary of terms\nMISSING: an audit log\n\nRATING: 4\nRISK: low",
    ]);
    let record = play.at(|situation| situation.synthesis()).unwrap();
    insta::assert_snapshot!(record);
    let values = play.at(|situation| situation.values()).unwrap();
    insta::assert_json_snapshot!(values);
}

#[test]
fn scratch() {
    let e = Expressions::default();
    let mut m = serde_json::Map::new();
    m.insert("rounds".into(), json!(2));
    let p = Value::from(Serde(&m));
    println!("{p:?} {:?}", e.names_in_expression("params.rounds"));
    println!("{:?}", e.eval("params.rounds", context! {params => p.clone()}));
    let all: std::collections::BTreeMap<String, Value> = [("params".to_owned(), p)].into();
    let v: Value = all.into_iter().collect();
    println!("{v:?} {:?}", v.kind());
    println!("{:?}", e.eval("params.rounds", v));
}
