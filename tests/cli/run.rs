//! `discussions run`: exit codes, limits and messages.

use super::scenario::Scenario;

const PROVIDERS: &str = "\
providers:
  - {name: yes, command: 'printf \"Yes.\\n\\nVOTE: READY\"'}
  - {name: no, command: 'printf \"No.\\n\\nVOTE: REJECT\"'}
  - {name: change, command: 'printf \"Hm.\\n\\nVOTE: CHANGES\"'}
  - {name: broken, command: 'false', retries: 0}
";

fn vote_among(participants: &str) -> Scenario {
    let scenario = Scenario::new()
        .file("discussions.yaml", "consensus: {human_required: false}\n")
        .file("providers.yaml", PROVIDERS);
    scenario.discussions(&["new", "Caching", "-p", participants]).code(0);
    scenario.discussions(&["advance", "caching", "--to", "consensus_vote"]).code(0);
    scenario
}

#[test]
fn consensus_exits_0() {
    let scenario = vote_among("architect=yes,security=yes,pragmatist=change");
    scenario.discussions(&["run", "caching"]).code(0).says("Status: CONSENSUS\n");
}

#[test]
fn blocked_vote_exits_1() {
    let scenario = vote_among("architect=yes,security=no,pragmatist=yes");
    scenario
        .discussions(&["run", "caching"])
        .code(1)
        .says("Status: BLOCKED\n")
        .notes("warning: the votes block the discussion");
}

#[test]
fn missing_consensus_exits_1() {
    let scenario = vote_among("architect=yes,security=change,pragmatist=change");
    scenario.discussions(&["run", "caching"]).code(1).notes("warning: no consensus was reached");
}

#[test]
fn limit_exits_1_and_names_its_flag() {
    let scenario = Scenario::with_discussion();
    scenario
        .discussions(&["run", "caching", "--provider", "mock", "--max-turns", "1"])
        .code(1)
        .notes("the run reached a limit; raise --max-turns");
    let json = scenario
        .discussions(&["run", "caching", "--provider", "mock", "--max-calls", "0", "--json"])
        .with_warnings()
        .code(1)
        .json();
    assert_eq!(json["stopped"], "max_calls");
}

#[test]
fn run_without_any_answer_exits_4() {
    let scenario = vote_among("architect=broken,security=broken");
    scenario.discussions(&["run", "caching"]).code(4).notes("no participant could answer");
}

#[test]
fn limits_accept_common_time_formats() {
    let scenario = Scenario::with_discussion();
    let run = |flag: &str, value: &str| {
        scenario.discussions(&["run", "caching", "--provider", "mock", flag, value])
    };
    run("--timeout", "soon").code(2).notes("90s, 10m or 1h");
    run("--max-usd", "-1").code(2);
    run("--timeout", "10m").code(0);
}

#[test]
fn person_with_open_questions_is_named() {
    let scenario = Scenario::new().file(
        "ask.md",
        "# Ask\n\n---\n\nName: architect\n\nQ: Which load? @rob\nQ: Which budget? @rob\n\n---\n",
    );
    scenario
        .discussions(&["status", "ask"])
        .code(0)
        .notes("@rob is asked 2 questions: discussions answer ask Q1 \"TEXT\" --as rob\n");
}

#[test]
fn answer_to_a_removed_discussion_is_kept() {
    let taking = "providers:\n  - {name: taking, command: \"sh -c 'rm -f discussions/caching.md; echo Gone.'\", workdir: project}\n";
    let scenario = Scenario::new()
        .file("discussions.yaml", "providers: {default: taking}\n")
        .file("providers.yaml", taking);
    let folder = scenario.path("../home/.local/state/discussions/kept");
    scenario.discussions(&["new", "Caching"]).code(0);
    let gone = scenario.discussions(&["turn", "caching", "@architect"]).code(3);
    let message =
        "discussions/caching.md: the discussion is gone; the answer of architect is kept in ";
    let at = gone.stderr().split(message).nth(1).unwrap_or_else(|| panic!("{}", gone.stderr()));
    // The paid answer is not lost with the file.
    let at = folder.join(at.lines().next().unwrap().rsplit('/').next().unwrap());
    let kept = std::fs::read_to_string(&at).unwrap_or_else(|_| panic!("{}", gone.stderr()));
    assert!(kept.contains("Name: AI-Architect") && kept.contains("Gone."), "{kept}");
}

#[test]
fn unreadable_head_is_reported_with_its_line_and_a_fix() {
    let text = "<!-- DISCUSSION\nparticipants: [architect, security]\nlimits: {max_calls: many}\n-->\n\n# T\n";
    let scenario = Scenario::new().file("t.md", text);
    let run = scenario.discussions(&["run", "t.md", "--provider", "mock"]).code(3);
    run.notes("t.md:3: the head cannot be read: ")
        .notes("not run, because the limits in the head cannot be enforced")
        .notes("help: correct that line: the head, between `<!-- DISCUSSION` and `-->`, is YAML");
}
