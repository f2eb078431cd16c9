//! The finished discussions in `examples/`: each has no problems, is at its end, and has the status in the file beside
//! it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use discussions::engine::{DecisionStatus, Snapshot, Step, Stop, next};
use discussions::participant::Roster;
use discussions::state::Defaults;
use discussions::template::{Template, bundled};
use discussions::transcript::{Control, Draft, parse};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// Names of the examples without `.md`, by name.
fn names() -> BTreeSet<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
}

/// Returns the example's template: from the folder beside the examples, or else the bundled one.
fn template(id: &str) -> Template {
    let own = std::fs::read_to_string(folder().join(format!("templates/{id}.md")));
    let bundled = || bundled().into_iter().find(|(stem, _)| stem == id).unwrap().1.to_owned();
    Template::read(&own.unwrap_or_else(|_| bundled()), &format!("{id}.md"), id).unwrap()
}

#[test]
fn every_pattern_has_a_finished_example_without_problems() {
    let mut templates = BTreeSet::new();
    for name in names() {
        let text = std::fs::read_to_string(folder().join(format!("{name}.md"))).unwrap();
        let transcript = parse(&text);
        let id = transcript.head.as_ref().and_then(|head| head.template.clone()).unwrap();
        let (template, roster) = (template(&id).into(), Roster::bundled().into());
        let snapshot = Snapshot::read(&text, &template, &roster, &Defaults::default()).unwrap();
        assert_eq!(snapshot.state.problems, [], "{name}");
        let step = next(&snapshot, usize::MAX).unwrap();
        let over = match &step {
            Step::Stop(stop) => matches!(stop, Stop::Finished | Stop::Closed),
            // A question to a person, or a ballot that is repeated after a comment.
            Step::Write(drafts) => match &drafts[..] {
                [Draft::Control(Control::Turn(line))] => line.mentions,
                [Draft::Control(Control::Phase(line)), _] => line.by.is_some(),
                _ => false,
            },
            Step::Ask(_) | Step::Child(_) | Step::Tool(_) => false,
        };
        assert!(over, "{name} is finished: {step:?}");
        assert_ne!(snapshot.outcome().status, DecisionStatus::Open, "{name}");
        templates.insert(id);
    }
    assert_eq!(templates.into_iter().collect::<Vec<_>>(), bundled_ids());
}

fn bundled_ids() -> Vec<String> {
    bundled().into_iter().map(|(stem, _)| stem).collect()
}

#[cfg(all(unix, feature = "cli"))]
mod as_the_program_sees_them {
    use std::path::PathBuf;

    use super::{folder, names};
    use crate::cli::Scenario;

    const SETTINGS: &str = include_str!("../examples/discussions.yaml");

    /// Sub-discussions of the examples, as paths from their folder.
    fn within() -> Vec<String> {
        let folders = names().into_iter().map(|name| (folder().join(&name), name));
        let files = |(path, name): (PathBuf, String)| {
            let files = std::fs::read_dir(path).into_iter().flatten();
            files.map(move |file| format!("{name}/{}", file.unwrap().file_name().display()))
        };
        folders.flat_map(files).collect()
    }

    fn scenario() -> Scenario {
        let scenario = Scenario::new();
        for name in names().into_iter().map(|name| format!("{name}.md")).chain(within()) {
            let text = std::fs::read(folder().join(&name)).unwrap();
            scenario.write(&format!("examples/{name}"), &text);
        }
        scenario.write("examples/discussions.yaml", SETTINGS.as_bytes());
        for file in std::fs::read_dir(folder().join("templates")).unwrap() {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            let text = std::fs::read(file.path()).unwrap();
            scenario.write(&format!("examples/templates/{name}"), &text);
        }
        scenario
    }

    #[test]
    fn sub_discussions_of_examples_are_named_with_their_cost() {
        let scenario = scenario();
        for file in within() {
            let (parent, _) = file.split_once('/').unwrap();
            let text = std::fs::read_to_string(folder().join(format!("{parent}.md"))).unwrap();
            assert!(text.contains(&format!("<!-- CHILD file: {file}, ")), "{file}");
            let run = |file: &str| {
                scenario.discussions(&["-C", "examples", "result", file, "--json"]).code(0).json()
            };
            let child = run(&file);
            let cost = &child["metadata"]["costSummary"];
            let (calls, usd) = (&cost["totalCalls"], &cost["estimatedCostUsd"]);
            let end = format!("<!-- CHILD-END file: {file}, calls: {calls}, usd: {usd}, ");
            assert!(text.contains(&end), "{end}");
            let whole = run(&format!("{parent}.md"));
            assert!(whole["metadata"]["costSummary"]["totalCalls"].as_u64() > calls.as_u64());
        }
    }

    #[test]
    fn example_status_equals_the_expected_file() {
        let scenario = scenario();
        for name in names() {
            let wanted = std::fs::read_to_string(folder().join(format!("{name}.expected.json")));
            let file = format!("{name}.md");
            let run = scenario.discussions(&["-C", "examples", "status", &file, "--json"]).code(0);
            assert_eq!(
                run.stdout,
                wanted.unwrap_or_default(),
                "if this is right: discussions -C examples status {file} --json > examples/{name}.expected.json"
            );
        }
    }

    #[test]
    fn check_reports_no_errors_or_warnings_for_examples() {
        let run = scenario().discussions(&["-C", "examples", "check", "--strict"]).code(0);
        run.notes(&format!(
            "{} discussions checked: 0 errors, 0 warnings",
            names().len() + within().len()
        ));
    }

    #[test]
    fn every_expected_file_has_an_example() {
        let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name());
        let expected = files.filter_map(|file| {
            file.to_str().unwrap().strip_suffix(".expected.json").map(str::to_owned)
        });
        assert_eq!(expected.collect::<std::collections::BTreeSet<_>>(), names());
    }
}
