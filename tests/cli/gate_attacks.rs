//! `check --git --since` against branches that try to hide a change of other people's comments.

use super::scenario::{Run, Scenario};
use super::template::Template;

const FILE: &str = "discussions/base.md";
const ALLOW: &str = "Removes-Discussion: discussions/other.md";

/// Creates a repository in which Rob voted REJECT in one discussion and READY in another; Mallory works on a branch.
fn base() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let scenario = Scenario::new().on_path();
        scenario.init_git();
        scenario.discussions(&["init"]).code(0);
        scenario.discussions(&["new", "Base", "-p", "architect,security"]).code(0);
        scenario.discussions(&["new", "Other"]).code(0);
        scenario.discussions(&["vote", "base", "REJECT", "Not before the audit."]).code(0);
        scenario.discussions(&["comment", "base", "Ask me again."]).code(0);
        scenario.discussions(&["vote", "other", "READY", "Fine."]).code(0);
        scenario
            .discussions(&["comment", "base", "I like it.", "--as", "Mallory"])
            .with_warnings()
            .code(0);
        commit(&scenario, &["base"]);
        std::fs::remove_dir_all(scenario.path("discussions/.discussions")).unwrap();
        scenario.git(&["config", "user.name", "Mallory"]);
        scenario.git(&["config", "user.email", "mallory@example.org"]);
        scenario.git(&["switch", "-qc", "pr"]);
        scenario
    });
    TEMPLATE.copy()
}

fn commit(scenario: &Scenario, paragraphs: &[&str]) {
    let mut command = vec!["commit", "-qn"];
    command.extend(paragraphs.iter().flat_map(|paragraph| ["-m", paragraph]));
    scenario.git(&["add", "-A"]).git(&command);
}

fn check_branch(scenario: &Scenario) -> Run {
    scenario.discussions(&["check", "--git", "--since", "main"])
}

/// Returns the comment that contains these words, up to the rule below it.
fn comment_with<'a>(text: &'a str, words: &str) -> &'a str {
    let at = text.find(words).unwrap();
    let start = text[..at].rfind("Name: ").unwrap();
    let end = at + text[at..].find("---\n").unwrap();
    &text[start..end]
}

/// A rename alone adds no comments.
#[test]
fn renamed_discussion_stays_quiet() {
    let scenario = base();
    scenario.git(&["mv", FILE, "discussions/renamed.md"]);
    commit(&scenario, &["rename"]);
    let run = check_branch(&scenario).code(0);
    assert!(run.stdout.is_empty(), "{}", run.stdout);
}

/// The base branch has the comment under the old name, so others have seen it.
#[test]
fn own_comment_edited_after_a_rename_is_an_error() {
    let scenario = base();
    let file = "discussions/renamed.md";
    scenario.git(&["mv", FILE, file]);
    commit(&scenario, &["rename"]);
    let text = scenario.read(file);
    scenario.write(file, text.replace("I like it.", "I hate it.").as_bytes());
    commit(&scenario, &["wip"]);
    let run = check_branch(&scenario).code(1);
    assert!(run.stdout.contains("[history-rewritten]"), "{}", run.stdout);
}

mod slow {
    use super::*;

    /// Mallory removes Rob's vote; her `ACCEPTED` line does not say `of: Rob, by: Mallory`.
    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn acceptance_with_a_forged_author_is_not_honoured() {
        type Forge = fn(&str, &str) -> String;
        let forged: [(&str, Forge); 4] = [
            ("of its own author", |line, rob| line.replace(rob, "of: Mallory, ")),
            ("of nobody", |line, rob| line.replace(rob, "")),
            ("of a model", |line, rob| line.replace(rob, "of: AI-Architect, ")),
            ("by a model", |line, _| line.replace("by: Mallory", "by: AI-Architect")),
        ];
        for (name, forge) in forged {
            let scenario = base();
            let text = scenario.read(FILE);
            let vote = format!("{}---\n\n", comment_with(&text, "VOTE: REJECT"));
            let rob = vote.lines().next().unwrap().replace("Name: ", "of: ") + ", ";
            assert!(text.contains(&vote));
            scenario.write(FILE, text.replacen(&vote, "", 1).as_bytes());
            scenario.discussions(&["check", "base", "--accept", "--yes"]).code(0);
            let accepted = scenario.read(FILE);
            let line = accepted.lines().find(|line| line.starts_with("<!-- ACCEPTED ")).unwrap();
            assert!(line.contains(&rob) && line.contains("by: Mallory"), "{line}");
            scenario.write(FILE, accepted.replace(line, &forge(line, &rob)).as_bytes());
            commit(&scenario, &["wip", "Recorded-for: AI-Architect"]);
            let run = check_branch(&scenario);
            let found = run.stdout.contains("[history-rewritten]");
            assert!(run.exit() == 1 && found, "{name}: {}", run.stdout);
        }
    }

    /// The trailer allows removing the discussion, but not copying Rob's vote from it into another discussion.
    #[test]
    #[ignore = "slow: checks many histories of git"]
    fn vote_moved_from_a_removed_discussion_is_an_error() {
        for is_renamed in [false, true] {
            let scenario = base();
            let vote =
                comment_with(&scenario.read("discussions/other.md"), "VOTE: READY").to_owned();
            scenario.git(&["rm", "-q", "discussions/other.md"]);
            let text = scenario.read(FILE);
            let file = if is_renamed { "discussions/renamed.md" } else { FILE };
            if is_renamed {
                scenario.git(&["mv", FILE, file]);
            }
            scenario.write(file, format!("{text}\n{vote}---\n").as_bytes());
            commit(&scenario, &["tidy up", ALLOW]);
            let run = check_branch(&scenario);
            let found = run.stdout.contains("adds a vote in the name of");
            assert!(run.exit() == 1 && found, "{is_renamed}: {}", run.stdout);
        }
    }
}
