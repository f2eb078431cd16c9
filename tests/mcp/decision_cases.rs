//! Every case of `cases/decisions/` and `cases/decisions_of_agents/`, as the tools for agents and the static site show it.

use serde_json::json;

use super::client::Agent;
use crate::cli::Scenario;
use crate::decisions::case::{Case, has_word};

fn all_cases() -> Vec<Case> {
    ["decisions", "decisions_of_agents"].into_iter().flat_map(Case::all_in).collect()
}

/// A project with all cases, which replace decisions of each other.
fn project(cases: &[Case]) -> Scenario {
    let config = "author: Rob\nadr: [docs/adr]\nconsensus: {human_required: false}\n";
    let scenario = Scenario::new().env("DISCUSSIONS_NOW", "2026-12-01T12:00:00Z");
    let scenario = scenario.file("discussions.yaml", config);
    for case in cases {
        let folder = scenario.path(&case.path).parent().unwrap().to_owned();
        std::fs::create_dir_all(folder).unwrap();
        scenario.write(&case.path, case.text.as_bytes());
    }
    scenario
}

#[tokio::test]
async fn tools_say_the_expected_state_of_each_case() {
    let cases = all_cases();
    let scenario = project(&cases);
    let agent = Agent::of(&scenario, &[]).await;
    let mut wrong = Vec::new();
    for case in cases.iter().filter(|case| !case.is_record()) {
        let shown = agent.call_json("show", json!({"discussion": case.path})).await;
        let mut tell = |what: String| wrong.push(format!("{}: {what}", case.name));
        if shown["standing"].as_str() != case.get("standing") {
            tell(format!("standing is {}", shown["standing"]));
        }
        if shown["inForce"] != (case.get("standing") == Some("in-force")) {
            tell(format!("inForce is {}", shown["inForce"]));
        }
        let expected = case.get("by").filter(|_| case.get("standing") == Some("in-force"));
        if shown["decidedBy"].as_str() != expected {
            tell(format!("decidedBy is {}, not {expected:?}", shown["decidedBy"]));
        }
        let stated = shown["decisions"].as_array().map(Vec::as_slice).unwrap_or_default();
        for (word, state) in case.states() {
            let mut stated = stated.iter();
            let found = stated.find(|one| has_word(one["text"].as_str().unwrap(), word));
            let found = found.and_then(|one| one["state"].as_str());
            // A solution of one participant of a dialogue is no proposal.
            if found != Some(state) && !(found.is_none() && state == "proposed") {
                tell(format!("{word} is {found:?}, not {state}"));
            }
        }
        let decision = shown["decision"].as_str().unwrap_or_default();
        match case.standing().first() {
            Some(word) if !case.standing().iter().any(|word| has_word(decision, word)) => {
                tell(format!("the decision is {decision}, not {word}"));
            }
            None if !decision.is_empty() => tell(format!("the decision is {decision}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[cfg(feature = "serve")]
#[test]
fn site_has_each_case_in_the_section_of_its_state() {
    let cases = all_cases();
    let scenario = project(&cases);
    scenario.discussions(&["export", "--site", "public"]).code(0);
    let index = scenario.read("public/index.html");
    let mut wrong = Vec::new();
    for case in cases.iter().filter(|case| !case.is_record()) {
        let page = case.path.trim_start_matches("discussions/").trim_end_matches(".md");
        let link = format!("<a href=\"d/{page}.html\">");
        let section = match case.get("standing").unwrap() {
            "open" => "waiting",
            "withdrawn" => "replaced",
            "verdict" => "reviews",
            other => other,
        };
        let above = index.split(&link).next().filter(|above| above.len() < index.len());
        let last = above.and_then(|above| above.rsplit_once("<h2 id=\"")?.1.split('"').next());
        if last != Some(section) {
            wrong.push(format!("{} is in {last:?}, not {section}", case.name));
        }
        let html = scenario.read(&format!("public/d/{page}.html"));
        let top = html.split("id=\"record\"").next().unwrap();
        let decisions: Vec<&str> = top.split("<p class=\"decision\">").skip(1).collect();
        let decisions: Vec<&str> =
            decisions.iter().map(|it| it.split("</p>").next().unwrap()).collect();
        for (word, state) in case.states() {
            let is_top = decisions.iter().any(|line| has_word(line, word));
            let is_marked = decisions.iter().any(|line| has_word(line, word) && line.contains('('));
            if is_top && !is_marked && !matches!(state, "in-force" | "answered") {
                wrong.push(format!("{}: the page has {word} ({state}) at its top", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
