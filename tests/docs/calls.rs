//! Compares the number of calls on the pages with the forecast.

use discussions::runner::RunOptions;
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
    project.workspace().runs().prepare(&path, &request).unwrap().forecast().unwrap()
}

#[test]
fn readme_states_the_forecast_calls_of_each_pattern() {
    let row = Regex::new(r"(?m)^\| `([a-z-]+)` \| .* \| (\d+) \|$").unwrap();
    let rows: Vec<_> = row.captures_iter(README).collect();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let (template, calls) = (&row[1], row[2].parse::<u32>().unwrap());
        let ahead = forecast(template, &[]);
        // A fresh reader nearly always finds something; in the others, a dispute is the exception.
        let usual = if template == "second-look" { ahead.calls } else { ahead.calls_in_agreement };
        assert_eq!(calls, usual, "{template}");
    }
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
