//! Compares the number of calls on the pages with the forecast.

use discussions::runner::{RunOptions, Work};
use discussions::view::Forecast;
use discussions::workspace::NewDiscussion;
use regex::Regex;

use crate::project::Project;

const README: &str = include_str!("../../README.md");
const PATTERNS: &str = include_str!("../../docs/patterns.md");

/// Returns the forecast of a new discussion with the participants that the page of patterns states.
fn forecast(template: &str, parameters: &[(&str, &str)]) -> Forecast {
    let who: &[&str] = match template {
        "second-look" => &["author", "reviewer"],
        "solo" => &["author"],
        "second-look-review" => &["reviewer"],
        "dialogue" => &["architect", "security"],
        "artifact-review" => &["product", "technical", "quality", "risk"],
        _ => &["architect", "security", "pragmatist"],
    };
    let project = Project::new();
    let path = project.create(&NewDiscussion {
        title: "Which?".to_owned(),
        template: Some(template.to_owned()),
        participants: who.iter().map(|&name| name.to_owned()).collect(),
        parameters: parameters.iter().map(|&(key, value)| (key.into(), value.into())).collect(),
        ..NewDiscussion::default()
    });
    let request = RunOptions { provider: Some("mock".to_owned()), ..RunOptions::default() };
    project.workspace().forecast(&path, &Work::Run(request)).unwrap()
}

fn number_on_page(page: &str, words: &str) -> u32 {
    let found = Regex::new(words).unwrap().captures(page).unwrap_or_else(|| panic!("{words}"));
    found[1].parse().unwrap()
}

#[test]
fn readme_states_the_forecast_calls_of_synthesis() {
    let usual =
        number_on_page(README, r"`synthesis` has two rounds: (\d+) calls with three participants");
    // A ballot would add calls, but only if a discussion asks for one.
    assert_eq!(forecast("synthesis", &[]).calls_in_agreement, usual);
}

#[test]
fn pattern_page_states_the_forecast_calls_of_each_pattern() {
    let row = Regex::new(r"(?m)^\| `([a-z-]+)` \| (\d+) \|").unwrap();
    let rows: Vec<_> = row.captures_iter(PATTERNS).collect();
    assert!(rows.len() >= 8, "{}", rows.len());
    for row in rows {
        let (template, calls) = (&row[1], row[2].parse::<u32>().unwrap());
        let set: &[(&str, &str)] = match template {
            // Its sub-discussion has a forecast of its own.
            "decision-record" => continue,
            "artifact-review" | "second-look-review" => &[("artifact", "spec.md")],
            _ => &[],
        };
        let ahead = forecast(template, set);
        let range = ahead.calls_in_agreement..=ahead.calls;
        assert!(range.contains(&calls), "{template}: {calls} is not in {range:?}");
    }
}
