//! `discussions revisit`: the context of a second discussion, its first comment, and what git knows.

use super::scenario::Scenario;

/// A discussion that a person closed with two decisions.
const SESSIONS: &str = "# Where do sessions live?\n\nTwo web servers.\n\n---\n\nName: Rob\n\nDECISION: sessions live in \
                        Redis\n\nDECISION: a session lasts an hour\n\nWe have Redis already.\n\n---\n\n<!-- STATUS: \
                        CLOSED, by: Rob -->\n";

/// Its name without `.md`, and the file of the new discussion.
const OLD: &str = "sessions";
const NEW: &str = "discussions/revisit-where-do-sessions-live.md";

fn decided() -> Scenario {
    Scenario::new().file("discussions/sessions.md", SESSIONS).file("discussions.yaml", "")
}

/// Commits everything with a message.
fn commit(scenario: &Scenario, message: &str) {
    scenario.git(&["add", "."]).git(&["commit", "--quiet", "-m", message]);
}

/// A repository with the discussion, which affects `src/db/**`.
fn committed() -> Scenario {
    let scenario = decided().file("src/db/a.rs", "one\n").file("src/web.rs", "one\n");
    scenario.init_git();
    commit(&scenario, "Before");
    let affects = "AFFECTS: `src/db/**`, `.env*`";
    scenario.write("discussions/sessions.md", with_comment(affects).as_bytes());
    commit(&scenario, "Note the files");
    scenario
}

/// The discussion with one more comment of Rob before its end.
fn with_comment(text: &str) -> String {
    let comment = format!("\n\nName: Rob\n\n{text}\n\n---\n\n<!-- STATUS");
    SESSIONS.replace("\n\n<!-- STATUS", &comment)
}

#[test]
fn context_holds_the_old_decision_and_the_comment_supersedes_it() {
    let scenario = decided();
    let run = scenario.discussions(&["revisit", OLD]).code(0);
    run.says(&format!("Created: {NEW}\n"));
    let text = scenario.read(NEW);
    for part in [
        "template: second-look\n",
        "\n# Revisit: Where do sessions live?\n",
        "in [Where do sessions live?](sessions.md). Should the decision stay, change, or be replaced?\n",
        "\n## The question then\n\nTwo web servers.\n",
        "\n- D1: sessions live in Redis (Rob, in force)\n",
        "\n- D2: a session lasts an hour (Rob, in force)\n",
        "We have Redis already.",
        "\n## What became of it\n\n- nothing was noted (`HINDSIGHT:`)\n",
        "\n## What changed since\n\nUnknown: the decision names no files (`AFFECTS:`).\n",
        "\nName: Rob\n",
        "\nSUPERSEDES: sessions.md#D1\n\nSUPERSEDES: sessions.md#D2\n",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    scenario.discussions(&["check", "--strict"]).code(0);
    // It is not superseded before the new discussion has decided.
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    assert_eq!(log[0]["inForce"], true);
    scenario.discussions(&["run", "revisit", "--provider", "mock"]).code(0);
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    let old = log.as_array().unwrap().iter().find(|one| one["file"] == "discussions/sessions.md");
    assert_eq!(old.unwrap()["inForce"], false);
    // The next one is named after the same question, and lists only what is still in force.
    scenario.discussions(&["revisit", "revisit-where", "--out", "third"]).code(0);
    let third = scenario.read("third.md");
    assert!(third.contains("\n# Revisit: Where do sessions live?\n"), "{third}");
    assert!(
        third.contains("\nSUPERSEDES: discussions/revisit-where-do-sessions-live.md\n"),
        "{third}"
    );
    scenario.discussions(&["revisit", OLD, "--out", "fourth"]).code(0);
    let fourth = scenario.read("fourth.md");
    assert!(!fourth.contains("SUPERSEDES:"), "nothing is in force: {fourth}");
    assert!(fourth.contains("- D1: sessions live in Redis (Rob, replaced by "), "{fourth}");
}

#[test]
fn open_discussion_is_refused_with_a_hint() {
    let scenario = Scenario::with_discussion();
    let run = scenario.discussions(&["revisit", "caching"]).code(2);
    run.notes("discussions/caching.md is still open, so it has decided nothing yet")
        .notes("`discussions run caching` continues it, `discussions close caching` ends it");
    scenario.discussions(&["revisit", "nope"]).code(3);
    assert!(!scenario.path("discussions/revisit-caching.md").exists());
}

#[test]
fn missing_parts_of_the_history_are_named() {
    let affects = with_comment("AFFECTS: `src/db/**`");
    let scenario = Scenario::new().file("discussions/sessions.md", &affects);
    let missing = |wanted: &str, file: &str| {
        scenario.discussions(&["revisit", OLD, "--out", file]).code(0);
        let text = scenario.read(file);
        let wanted = format!("The decision affects `src/db/**`.\n\nUnknown: {wanted}.\n");
        assert!(text.contains(&wanted), "{wanted}:\n{text}");
    };
    missing("the discussion is in no git repository", "a.md");
    scenario.init_git();
    missing("no commit contains the decision yet", "b.md");
    scenario.write(
        "discussions/sessions.md",
        b"# Where do sessions live?\n\n---\n\nName: Rob\n\nHm.\n\n---\n",
    );
    commit(&scenario, "Undecided");
    scenario.write("discussions/sessions.md", affects.as_bytes());
    missing("no commit contains the decision yet", "c.md");
}

#[test]
fn later_changes_of_the_affected_files_are_listed() {
    let scenario = committed();
    for number in 0..31 {
        scenario.write("src/db/a.rs", format!("line {number}\n").as_bytes());
        commit(&scenario, &format!("Change {number} of the pool"));
    }
    scenario.write("src/web.rs", b"two\n");
    commit(&scenario, "Change the pages");
    scenario.git(&["mv", "src/db/a.rs", "src/pool.rs"]);
    commit(&scenario, "Move the pool\n\nName: Mallory");
    // A renamed discussion is found under its earlier name.
    scenario.git(&["mv", "discussions/sessions.md", "discussions/old.md"]);
    commit(&scenario, "Rename");
    scenario.discussions(&["revisit", "old", "--out", "new.md"]).code(0);
    let text = scenario.read("new.md");
    let (_, since) = text.split_once("\n## What changed since\n").unwrap();
    for part in [
        "The decision affects `src/db/**`, `.env*`. It was decided in commit ",
        "\n\n32 later commits, the newest 30:\n\n```text\n",
        " Move the pool\n",
        " Change 30 of the pool\n",
        " Change 2 of the pool\n```\n",
        "\n```text\nsrc/db/a.rs | +0 -1\n1 file: +0 -1\n```\n",
    ] {
        assert!(since.contains(part), "{part}:\n{since}");
    }
    assert!(!since.contains("Change 1 of") && !since.contains("pages"), "{since}");
}

#[test]
fn secrets_of_the_history_are_left_out() {
    let scenario = committed();
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    scenario.write(".env", format!("TOKEN={key}\n").as_bytes());
    commit(&scenario, "Add the token");
    scenario.write("src/db/a.rs", b"two\n");
    commit(&scenario, &format!("Use {key}"));
    scenario.discussions(&["revisit", OLD, "--out", "new.md"]).code(0);
    let text = scenario.read("new.md");
    assert!(text.contains("(left out: it looks like a secret)"), "{text}");
    assert!(text.contains("1 subject left out, because of what looks like a secret."), "{text}");
    assert!(
        !text.contains(&key) && !text.contains(".env |") && !text.contains("Add the token"),
        "{text}"
    );
    scenario.discussions(&["revisit", OLD, "--out", "all.md", "--allow-secrets"]).code(0);
    assert!(scenario.read("all.md").contains(&key));
    // A key in the old text is refused, as in every context.
    scenario
        .write("discussions/sessions.md", with_comment(&key).replace("Two web", &key).as_bytes());
    let refused = scenario.discussions(&["revisit", OLD, "--out", "none.md"]).code(3);
    refused.notes("looks like a secret");
    assert!(!scenario.path("none.md").exists());
}

#[test]
fn pattern_participants_title_and_news_are_the_users() {
    let scenario = decided().file("news.md", "Redis was down twice.\n");
    let args = [
        "revisit",
        OLD,
        "--template",
        "voting",
        "-p",
        "architect,security",
        "--set",
        "options=Redis,PostgreSQL",
        "--title",
        "Sessions without Redis?",
        "--context-file",
        "news.md",
        "--as",
        "Mira",
        "--json",
    ];
    let made = scenario.discussions(&args).code(0).json();
    assert_eq!(made["file"], "discussions/sessions-without-redis.md");
    let text = scenario.read("discussions/sessions-without-redis.md");
    assert!(text.contains("\ntemplate: voting\n"), "{text}");
    assert!(text.contains("\n## Now\n\nRedis was down twice.\n"), "{text}");
    assert!(text.contains("\nName: Mira\n"), "{text}");
    // A name that no person may use creates nothing.
    scenario.discussions(&["revisit", OLD, "--as", "System", "--out", "no.md"]).code(3);
    assert!(!scenario.path("no.md").exists());
    let run = ["revisit", OLD, "--run", "--provider", "mock", "--out", "run.md"];
    scenario.discussions(&run).code(0).says("Created: run.md");
    scenario.discussions(&["status", "run.md"]).code(0).says("ANSWERED");
}
