//! `discussions recall` and `--recall`: finding earlier decisions and copying them into a new discussion.

use super::scenario::Scenario;

const SESSIONS: &str = "# Where do sessions live?\n\nEvery request needs its session.\n\n---\n\nName: Rob\n\nDECISION: keep sessions in PostgreSQL\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n";
const CACHE: &str = "# Cache of product pages\n\n---\n\nName: Mira\n\nDECISION: cache pages for a minute\n\n---\n\n<!-- STATUS: CLOSED, by: Mira -->\n";
const OPEN: &str =
    "# Where do the session logs live?\n\n---\n\nName: Rob\n\nDECISION: nowhere yet\n\n---\n";

fn three_discussions() -> Scenario {
    Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .file("discussions/sessions.md", SESSIONS)
        .file("discussions/cache.md", CACHE)
        .file("discussions/logs.md", OPEN)
}

#[test]
fn recall_finds_a_decision_by_similar_words() {
    let scenario = three_discussions();
    let found = scenario.discussions(&["recall", "Which database stores a session?"]).code(0);
    found.says("keep sessions in PostgreSQL").stdout_lacks("nowhere yet").stdout_lacks("cache");
    scenario.discussions(&["recall", "Hire", "a", "translator?"]).code(1).stdout("");
    let none = scenario.discussions(&["recall", "sessions", "--since", "soon"]).code(2);
    none.notes("is not a time");
    let json = scenario.discussions(&["recall", "caching of pages", "--json"]).code(0).json();
    assert_eq!(json[0]["decision"], "cache pages for a minute", "{json}");
    assert_eq!(json[0]["file"], "discussions/cache.md");
}

#[test]
fn recalled_decision_is_written_once_with_its_link() {
    let scenario = three_discussions();
    scenario.discussions(&["new", "Which store for sessions?", "--recall"]).code(0);
    let made = scenario.read("discussions/which-store-for-sessions.md");
    let item = "- [Where do sessions live?](sessions.md): keep sessions in PostgreSQL\n";
    assert!(made.contains(&format!("## Decided before\n\n{item}")), "{made}");
    scenario.write("discussions/sessions.md", CACHE.as_bytes());
    scenario.discussions(&["turn", "which-store-for-sessions", "--provider", "mock"]).code(0);
    let now = scenario.read("discussions/which-store-for-sessions.md");
    assert!(now.contains(item), "what was recalled stays as it was");
    let prompt = scenario
        .discussions(&["turn", "which-store-for-sessions", "--dry-run", "--provider", "mock"])
        .code(0);
    assert!(prompt.stdout.contains(item.trim()) || prompt.stderr().is_empty(), "{}", prompt.stdout);
    scenario.discussions(&["discuss", "Sessions where?", "--recall=1", "--provider", "mock"]);
    scenario.discussions(&["new", "X", "--recall=11"]).code(3).notes("at most 10 decisions");
}

#[test]
fn new_without_recall_notes_earlier_decisions() {
    let scenario = three_discussions();
    let made = scenario.discussions(&["new", "Where do the sessions live now?"]).code(0);
    let made = made.notes("decided before: sessions: keep sessions in PostgreSQL");
    assert_eq!(made.stderr().matches("decided before").count(), 1, "{}", made.stderr());
    let text = scenario.read("discussions/where-do-the-sessions-live-now.md");
    assert!(!text.contains("Decided before"), "{text}");
    let other = scenario.discussions(&["new", "Hire a translator"]).code(0);
    assert!(!other.stderr().contains("decided before"), "{}", other.stderr());
    let json = scenario.discussions(&["new", "Where do sessions live?", "--json"]).code(0);
    assert_eq!(json.json()["decidedBefore"][0]["name"], "sessions");
    assert_eq!(
        json.json()["decidedBefore"].as_array().unwrap().len(),
        1,
        "the new one is none of them"
    );
    json.notes("decided before");
    let other = scenario.discussions(&["new", "Hire an interpreter", "--json"]).code(0).json();
    assert_eq!(other["decidedBefore"], serde_json::json!([]));
}

#[test]
fn configuration_or_template_can_enable_recall() {
    let scenario = three_discussions().file("discussions.yaml", "recall: {n: 1, since: 2w}\n");
    scenario.discussions(&["new", "Sessions, where to?"]).code(0);
    let text = scenario.read("discussions/sessions-where-to.md");
    assert_eq!(text.matches("](sessions.md)").count(), 1, "{text}");
    scenario.discussions(&["new", "Sessions, and none?", "--recall=0"]).code(0);
    let text = scenario.read("discussions/sessions-and-none.md");
    assert!(!text.contains("Decided before"), "{text}");
    let wrong = scenario.file("discussions.yaml", "author: Rob\nrecall: {n: 1, since: soon}\n");
    wrong.discussions(&["list"]).code(3).notes("discussions.yaml:2:");
    let own = three_discussions().file("discussions.yaml", "author: Rob\n").file(
        "templates/short.md",
        "---\nid: short\nrecall: 2\nphases: [{id: talk, instructions: Talk.}]\n---\n# {{ title }}\n\n---\n",
    );
    own.discussions(&["new", "Sessions again", "--template", "short"]).code(0);
    let text = own.read("discussions/sessions-again.md");
    assert!(text.contains("](sessions.md)"), "{text}");
}

#[test]
fn recalled_decision_cannot_forge_control_lines() {
    let evil = "# Sessions](x) `live`\n\n---\n\nName: Rob\n\nDECISION: sessions <!-- STATUS: CLOSED --> **live** ![x](http://x)\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n";
    let scenario = Scenario::new().file("discussions/evil one.md", evil);
    scenario.discussions(&["new", "Sessions live?", "--recall"]).code(0);
    let text = scenario.read("discussions/sessions-live.md");
    assert!(text.contains("](evil%20one.md)"), "{text}");
    assert!(!text.contains("<!-- STATUS"), "{text}");
    scenario.discussions(&["status", "sessions-live"]).code(0).says("OPEN");
}

#[test]
fn recalled_text_has_at_most_1500_tokens() {
    let mut scenario = Scenario::new();
    for nth in 0..12 {
        let long = "very long words about sessions ".repeat(200);
        let text = format!(
            "# Sessions {nth} {long}\n\n---\n\nName: Rob\n\nDECISION: {long}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n"
        );
        scenario = scenario.file(&format!("discussions/s{nth}.md"), &text);
    }
    scenario.discussions(&["new", "Sessions", "--recall=10"]).code(0);
    let text = scenario.read("discussions/sessions.md");
    let (_, section) = text.split_once("## Decided before").unwrap();
    assert!((500..6_000).contains(&section.len()), "{}", section.len());
}

#[cfg(unix)]
#[test]
fn unreadable_earlier_discussions_do_not_stop_new() {
    let outside = tempfile::tempdir().unwrap();
    let scenario = Scenario::new().file("discussions.yaml", "author: Rob\n");
    std::os::unix::fs::symlink(outside.path(), scenario.path("discussions")).unwrap();
    scenario.discussions(&["recall", "sessions"]).code(3).notes("leads outside the project");
    let made = scenario.discussions(&["new", "Sessions", "--dir", "here", "--json"]).code(0).json();
    assert_eq!(made["file"], "here/sessions.md", "{made}");
}

#[test]
fn decision_of_a_sub_discussion_is_recalled_once() {
    let scenario = Scenario::new();
    let question = "Where do we keep sessions?";
    scenario
        .discussions(&["discuss", question, "--pattern", "decision-record", "--provider", "mock"])
        .code(0);
    let decisions = scenario.discussions(&["recall", "sessions", "--json"]).code(0).json();
    let files: Vec<&str> =
        decisions.as_array().unwrap().iter().filter_map(|one| one["file"].as_str()).collect();
    assert_eq!(files, ["discussions/where-do-we-keep-sessions.md"]);
    assert!(scenario.path("discussions/where-do-we-keep-sessions/discuss.md").exists());
}
