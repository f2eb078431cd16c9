//! Histories that are not whole: partial clones, submodules, torn answers, and votes of an earlier phase.

use super::gate_forge::{CACHING, FILE, Forge, OTHER, alarms, assert_alarms, comment};
use super::scenario::Scenario;

/// A partial clone lacks what the base had: one error, and nothing in anybody's name.
#[test]
fn partial_clone_without_files_gives_one_error() {
    let mut forge = Forge::new();
    let voted = CACHING.to_owned() + &comment("Rob", "VOTE: READY");
    forge.pr("Rob", "vote", &[(FILE, Some(&voted))]);
    let more = voted.clone() + &comment("Lea", "VOTE: REJECT");
    forge.pr("Lea", "vote", &[(FILE, Some(&more))]);
    let scenario = forge.build("pr");
    scenario.git(&["config", "uploadpack.allowFilter", "true"]);
    scenario.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let from = format!("file://{}", scenario.path(".").canonicalize().unwrap().display());
    let clone = Scenario::new();
    clone.git(&["clone", "-q", "--filter=blob:none", "-b", "pr", &from, "."]);
    let run = clone.discussions(&["check", "--git", "--since", "origin/main", "--json"]).code(1);
    assert_eq!(alarms(&run), ["error unchecked"], "{}", run.stdout);
    run.says("git fetch --refetch --no-filter");
}

/// A project whose discussions are a submodule, at two commits of it. Returns the project at the second one.
fn with_submodule(text: &str, author: (&str, &str)) -> (Scenario, Scenario) {
    let module = Scenario::new();
    module.git(&["init", "-q"]);
    module.write("caching.md", CACHING.as_bytes());
    module.git(&["add", "-A"]);
    module.git(&["commit", "-qm", "begin\n\nRecorded-for: Rob, Mira, Lea"]);
    let from = module.path(".").canonicalize().unwrap().display().to_string();
    let project = Scenario::new();
    project.git(&["init", "-q"]);
    project.write("discussions.yaml", b"people: {Rob: [rob@example.org]}\n");
    let allowed = ["-c", "protocol.file.allow=always"];
    let submodule = |args: &[&str]| {
        let all: Vec<&str> = allowed.iter().chain(args).copied().collect();
        project.git(&all);
    };
    submodule(&["submodule", "add", "-q", &from, "discussions"]);
    project.git(&["add", "-A"]);
    project.git(&["commit", "-qm", "module"]);
    project.git(&["branch", "old"]);
    module.write("caching.md", text.as_bytes());
    let (name, email) = (format!("user.name={}", author.0), format!("user.email={}", author.1));
    module.git(&["-c", &name, "-c", &email, "commit", "-qam", "more"]);
    submodule(&["-C", "discussions", "pull", "-q", "--ff-only"]);
    project.git(&["commit", "-qam", "bump"]);
    (project, module)
}

/// A moved pointer is judged from the old to the new commit, by the people of the project around it.
#[test]
fn moved_submodule_is_checked_inside() {
    let voted = CACHING.to_owned() + &comment("Rob", "VOTE: READY");
    let since = ["check", "--git", "--since", "old", "--json"];
    let (project, _module) = with_submodule(&voted, ("Rob", "rob@example.org"));
    assert_eq!(alarms(&project.discussions(&since).with_any_code()), [""; 0]);
    assert_eq!(
        alarms(&project.discussions(&["check", "--git", "--json"]).with_any_code()),
        [""; 0]
    );
    let (project, _module) = with_submodule(&voted, ("Rob", "eve@example.org"));
    let run = project.discussions(&since).with_any_code();
    assert_eq!(alarms(&run), ["error author-differs"], "{}", run.stdout);
    let flipped = CACHING.replace("VOTE: READY", "VOTE: REJECT");
    let (project, _module) = with_submodule(&flipped, ("Eve", "eve@example.org"));
    let run = project.discussions(&since).with_any_code();
    assert!(alarms(&run).contains(&"error history-rewritten".to_owned()), "{}", run.stdout);
}

/// A pointer that moves to a commit without a vote drops it, whatever both commits have in common.
#[test]
fn submodule_moved_beside_a_vote_drops_it() {
    let voted = CACHING.to_owned() + &comment("Rob", "VOTE: READY");
    let (project, _module) = with_submodule(&voted, ("Rob", "rob@example.org"));
    project.git(&["-C", "discussions", "checkout", "-q", "HEAD~1"]);
    project.git(&["checkout", "-qb", "back"]);
    project.git(&["commit", "-qam", "bump"]);
    let since = ["check", "--git", "--since", "back~1", "--json"];
    let run = project.discussions(&since).with_any_code();
    assert_eq!(alarms(&run), ["error history-rewritten"], "{}", run.stdout);
}

/// A submodule whose commits are not here, or that is new.
#[test]
fn submodule_that_cannot_be_checked_is_a_warning() {
    let mut forge = Forge::new();
    forge.commit("Eve", "module", &[(FILE, None), (OTHER, None)]);
    forge.file("160000", b"discussions", &"1".repeat(40));
    forge.pr("Eve", "moved", &[]);
    forge.file("160000", b"discussions", &"2".repeat(40));
    assert_alarms(&forge, &["warning unchecked"]);
    let mut forge = Forge::new();
    forge.pr("Eve", "new", &[]);
    forge.file("160000", b"discussions/more", &"2".repeat(40));
    assert_alarms(&forge, &["warning unchecked"]);
}

const ANSWER: &str =
    "\nName: AI-Architect\n<!-- REPLY turn: 1, provider: mock -->\n\nI agree.\n\nVOTE: READY\n";

/// A merge lost the rule below an answer; putting it back lets the answer count again.
#[test]
fn rule_put_back_below_a_torn_answer_is_a_note() {
    let turn = "<!-- TURN: 1, asks: [architect] -->\n\n---\n";
    let torn = CACHING.to_owned() + turn + ANSWER;
    let mut forge = Forge::new();
    forge.commit("Rob", "run", &[(FILE, Some(&torn))]);
    forge.pr("Eve", "rule", &[(FILE, Some(&format!("{torn}\n---\n")))]);
    let run = forge.check();
    assert_eq!(alarms(&run), [""; 0], "{}", run.stdout);
    assert!(run.stdout.contains("counts again"), "{}", run.stdout);
}

/// A phase put above older votes by hand: the check of the file does not judge words that nobody changed.
#[test]
fn vote_of_an_earlier_phase_is_no_unknown_vote() {
    let head = "<!-- DISCUSSION\ntemplate: voting\nparticipants: [architect, security, pragmatist]\n\
        roles: {synthesizer: [moderator]}\nparameters: {options: [Kafka, NATS]}\n-->\n\n# Store\n\nWhich?\n\n---\n";
    let vote = comment("Rob", "VOTE: Kafka");
    let phase = "<!-- PHASE: synthesis, by: Eve -->\n\n---\n";
    let file = "discussions/store.md";
    let mut forge = Forge::new();
    forge.commit("Rob", "vote", &[(file, Some(&format!("{head}{vote}")))]);
    forge.pr("Eve", "phase", &[(file, Some(&format!("{head}{phase}{vote}")))]);
    let run = forge.check();
    assert_eq!(alarms(&run), ["warning votes-reset"], "{}", run.stdout);
}
