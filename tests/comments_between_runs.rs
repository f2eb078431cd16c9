//! Comments of people and agents between two runs: mentions, answers, and comments after a split ballot.

use std::path::{Path, PathBuf};

use discussions::codes::StopCode;
use discussions::engine::DecisionStatus;
use discussions::runner::RunOptions;
use discussions::transcript::Name;
use discussions::workspace::{CommentRequest, NewDiscussion};

use crate::project::{Project, script};

const OWN: &str = "---
id: own
title: Own
summary: own
consensus: {human_required: false}
phases:
  - {id: reactions, instructions: React., waits_for_people: true}
  - {id: ballot, instructions: Vote., voting_mode: true, asks: {VOTE: required}}
---
# {{ title }}

---
";

fn new_discussion() -> (Project, PathBuf) {
    let project = Project::new();
    project.write("templates/own.md", OWN);
    let new = NewDiscussion {
        title: "Queue or cron?".into(),
        template: Some("own".into()),
        participants: ["architect", "security", "pragmatist"].map(Into::into).to_vec(),
        ..NewDiscussion::default()
    };
    let path = project.create(&new);
    (project, path)
}

fn comment(project: &Project, path: &Path, text: &str) {
    comment_as(project, path, "Rob", text);
}

fn comment_as(project: &Project, path: &Path, who: &str, text: &str) {
    let author = Name::parse(who).unwrap();
    let remark = CommentRequest { author: author.to_string(), text: text.to_owned(), vote: None };
    project.workspace().discussions().comment(path, &remark).unwrap();
}

async fn run_with(project: &Project, path: &Path, answers: &str, options: RunOptions) -> StopCode {
    project.run(path, script(answers), options).await.unwrap().stopped
}

fn votes(security: &str, pragmatist: &str) -> String {
    format!(
        "answers:\n  - {{phase: reactions, text: Fine.}}\n  - {{participant: security, text: \"Cap it.\\n\\nVOTE: {security}\"}}\n  - {{participant: pragmatist, text: \"VOTE: {pragmatist}\"}}\n  - {{text: \"VOTE: READY\"}}\n"
    )
}

#[tokio::test(start_paused = true)]
async fn run_stops_at_a_question_to_people_and_resumes_on_the_answer() {
    let answers = "answers:\n  - {phase: reactions, participant: security, text: \"Q: what does the contract say? @sales\"}\n  - {phase: reactions, text: Fine.}\n  - {text: \"VOTE: READY\"}\n";
    let (project, path) = new_discussion();
    let stopped = run_with(&project, &path, answers, RunOptions::with_default_limits()).await;
    assert_eq!(stopped, StopCode::QuestionsToPeople);
    let again = run_with(&project, &path, answers, RunOptions::with_default_limits()).await;
    assert_eq!(again, stopped, "nobody has answered");
    comment(&project, &path, "A: Q1 thirty days.");
    assert_eq!(
        run_with(&project, &path, answers, RunOptions::with_default_limits()).await,
        StopCode::Finished
    );
    let (project, path) = new_discussion();
    let at_once = RunOptions { no_wait: true, ..RunOptions::with_default_limits() };
    assert_eq!(run_with(&project, &path, answers, at_once).await, StopCode::Finished);
}

#[tokio::test(start_paused = true)]
async fn comment_after_a_split_ballot_causes_a_second_one_even_if_killed() {
    let second = votes("READY", "READY");
    let mut texts = Vec::new();
    for killed in [false, true] {
        let (project, path) = new_discussion();
        run_with(&project, &path, &votes("CHANGES", "CHANGES"), RunOptions::with_default_limits())
            .await;
        project.look(&path, |it| assert!(it.ended_without_consensus()));
        let stopped = run_with(&project, &path, &second, RunOptions::with_default_limits()).await;
        assert_eq!(stopped, StopCode::Finished, "nobody said anything since");
        comment(&project, &path, "It is capped now.");
        if killed {
            for calls in 1..3 {
                let few =
                    RunOptions { max_calls: Some(calls), ..RunOptions::with_default_limits() };
                run_with(&project, &path, &second, few).await;
            }
        }
        run_with(&project, &path, &second, RunOptions::with_default_limits()).await;
        project.look(&path, |it| assert_eq!(it.outcome().status, DecisionStatus::Consensus));
        let text = project.read(&path);
        let (_, below) = text.split_once("<!-- PHASE: ballot, by: Rob -->\n\n## ").unwrap();
        assert_eq!(below.lines().nth(2), Some("<!-- VOTE-RESET -->"), "{text}");
        texts.push(project.read(&path));
    }
    assert_eq!(texts[0].matches("VOTE: ").count(), texts[1].matches("VOTE: ").count());
    assert_eq!(texts[0].matches("<!-- PHASE: ").count(), texts[1].matches("<!-- PHASE: ").count());
}

#[tokio::test(start_paused = true)]
async fn question_after_consensus_is_answered_and_changes_nothing() {
    let (project, path) = new_discussion();
    run_with(&project, &path, &votes("READY", "READY"), RunOptions::with_default_limits()).await;
    for number in 1..4 {
        comment(&project, &path, &format!("@architect, question {number}?"));
        let answer = "answers:\n  - {text: \"In May.\"}\n";
        let stopped = run_with(&project, &path, answer, RunOptions::with_default_limits()).await;
        assert_eq!(stopped, StopCode::Finished);
        assert_eq!(project.read(&path).matches("In May.").count(), number);
        project.look(&path, |it| assert_eq!(it.outcome().status, DecisionStatus::Consensus));
    }
}

/// A project file that declares the agent a person changes nothing.
const HUMAN: &str = "name: Agent\nalias: agent\ntype: human\n";

#[tokio::test(start_paused = true)]
async fn comment_of_an_agent_answers_no_question_to_people() {
    let answers = "answers:\n  - {phase: reactions, participant: security, text: \"Q: what does the contract say? @sales\"}\n  - {phase: reactions, text: Fine.}\n  - {text: \"VOTE: READY\"}\n";
    for persona in [false, true] {
        let (project, path) = new_discussion();
        if persona {
            project.write("participants/agent.yaml", HUMAN);
        }
        let asked = StopCode::QuestionsToPeople;
        assert_eq!(
            run_with(&project, &path, answers, RunOptions::with_default_limits()).await,
            asked
        );
        for text in
            ["A: Q1 thirty days.", "A: thirty days.", "A: what does the contract say? Thirty."]
        {
            comment_as(&project, &path, "agent", text);
            assert_eq!(
                run_with(&project, &path, answers, RunOptions::with_default_limits()).await,
                asked,
                "{text}"
            );
        }
        let told = |it: &discussions::engine::Snapshot| {
            it.state.problems.iter().filter(|one| one.message.contains("is for people")).count()
        };
        assert!(project.look(&path, told) > 0);
        comment(&project, &path, "A: Q1 thirty days.");
        let finished = StopCode::Finished;
        assert_eq!(
            run_with(&project, &path, answers, RunOptions::with_default_limits()).await,
            finished
        );
    }
}

#[tokio::test(start_paused = true)]
async fn mention_in_a_comment_of_an_agent_is_answered() {
    let (project, path) = new_discussion();
    run_with(&project, &path, &votes("READY", "READY"), RunOptions::with_default_limits()).await;
    comment_as(&project, &path, "agent", "@architect, in which month?");
    run_with(
        &project,
        &path,
        "answers:\n  - {text: \"In May.\"}\n",
        RunOptions::with_default_limits(),
    )
    .await;
    assert_eq!(project.read(&path).matches("In May.").count(), 1);
}

mod slow {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: runs many discussions"]
    async fn comment_of_an_agent_starts_no_ballot_and_has_no_vote() {
        for (who, text, again) in [
            ("agent", "It is capped now.", false),
            ("Agent", "It is capped now.\n\nVOTE: READY", false),
            ("Mia", "It is capped now.", true),
        ] {
            for persona in [false, true] {
                let (project, path) = new_discussion();
                if persona {
                    project.write("participants/agent.yaml", HUMAN);
                }
                run_with(
                    &project,
                    &path,
                    &votes("CHANGES", "CHANGES"),
                    RunOptions::with_default_limits(),
                )
                .await;
                comment_as(&project, &path, who, text);
                run_with(
                    &project,
                    &path,
                    &votes("READY", "READY"),
                    RunOptions::with_default_limits(),
                )
                .await;
                let anew = format!("<!-- PHASE: ballot, by: {who} -->");
                assert_eq!(project.read(&path).contains(&anew), again, "{who} {persona}");
                project.look(&path, |it| {
                    assert_eq!(it.outcome().status == DecisionStatus::Consensus, again, "{who}");
                    let voted = it.state.ballot.votes.iter().any(|vote| vote.name.as_str() == who);
                    assert!(!voted, "{who}");
                });
            }
        }
    }
}
