//! The format's promise: the first example that the repository ever had reads as it did, without a change to its bytes.

use serde_json::{Value, json};

use discussions::Discussion;

use crate::project::Project;

/// The example of 21 November 2026, as it was committed first.
const OLDEST: &str = include_str!("../cases/oldest/feature-user-authentication.md");

/// Returns these keys of each entry of a list.
fn columns(list: &Value, keys: [&str; 2]) -> Vec<[Value; 2]> {
    let row = |entry: &Value| keys.map(|key| entry[key].clone());
    list.as_array().unwrap().iter().map(row).collect()
}

#[test]
fn oldest_example_reads_as_it_was_meant() {
    let project = Project::new();
    project.write("discussions/accounts.md", OLDEST);
    let path = project.path("discussions/accounts.md");
    let discussion = Discussion::open_in(project.workspace(), &path).unwrap();
    let status = serde_json::to_value(discussion.details()).unwrap();

    assert_eq!(status["title"], "Add user authentication");
    assert_eq!(status["template"], "feature");
    assert_eq!((&status["phase"], &status["turn"]), (&json!("consensus_vote"), &json!(6)));
    assert_eq!(status["status"], "CONSENSUS");
    let votes = json!({
        "AI-Architect": "READY",
        "AI-Pragmatist": "READY",
        "AI-Security": "CHANGES",
        "Rob": "READY",
    });
    assert_eq!(status["votes"], votes);
    assert_eq!(status["tally"], json!({"READY": 3, "CHANGES": 1, "REJECT": 0}));
    assert_eq!(status["consensus"]["outcome"], "READY");
    assert_eq!(status["pendingMentions"], json!([]));
    assert_eq!(status["failures"], json!([]));

    let participants = columns(&status["participants"], ["name", "type"]);
    let wanted = [
        ["AI-Architect", "voting"],
        ["AI-Security", "voting"],
        ["AI-Pragmatist", "voting"],
        ["AI-Researcher", "background"],
        ["Rob", "human"],
        ["Mira", "human"],
    ];
    assert_eq!(participants, wanted.map(|row| row.map(Value::from)));

    let lines = |list: &str, state: &str| {
        let rows = columns(&status[list], ["line", state]);
        rows.into_iter()
            .map(|[line, state]| (line.as_u64().unwrap(), state.as_str().unwrap().to_owned()))
    };
    let questions = [48, 65, 67, 80, 82].map(|line| (line, "answered".to_owned()));
    assert!(lines("questions", "status").eq(questions));
    let decisions = [150, 152, 174, 199].map(|line| (line, "in-force".to_owned()));
    assert!(lines("decisions", "state").eq(decisions));
    let concerns = [61, 63, 154, 193, 195].map(|line| (line, "open".to_owned()));
    assert!(lines("concerns", "status").eq(concerns));
    let tasks = [(104, "assigned"), (176, "open"), (197, "done"), (279, "assigned")];
    assert!(lines("tasks", "status").eq(tasks.map(|(line, state)| (line, state.to_owned()))));

    assert_eq!(status["cost"]["totalCalls"], 13);
    assert_eq!(status["cost"]["estimatedCostUsd"], 0.178);
    assert_eq!(project.read(&path), OLDEST, "reading changes nothing");
}

/// A later rule says that support for a decision counts only if its author could see the decision. It warns about four
/// lines of the example and changes no outcome.
#[test]
fn oldest_example_has_no_errors() {
    let project = Project::new();
    project.write("discussions/accounts.md", OLDEST);
    let path = project.path("discussions/accounts.md");
    let discussion = Discussion::open_in(project.workspace(), path).unwrap();
    let status = serde_json::to_value(discussion.details()).unwrap();
    let problems = columns(&status["problems"], ["line", "code"]);
    let wanted = [163, 165, 187, 189].map(|line| [json!(line), json!("decision-unseen")]);
    assert_eq!(problems, wanted);
}
