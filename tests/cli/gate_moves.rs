//! Projects that move to another folder together with their configuration.

use super::gate_forge::{CACHING, FILE, Forge, OTHER, SESSIONS, alarms, assert_alarms, comment};
use super::scenario::Scenario;

/// The project at the top moved below a folder.
const MOVED: [&str; 3] =
    ["sub/discussions.yaml", "sub/discussions/caching.md", "sub/discussions/sessions.md"];

fn moved<'a>(config: &'a str, caching: &'a str) -> Vec<(&'static str, Option<&'a str>)> {
    vec![
        ("discussions.yaml", None),
        (FILE, None),
        (OTHER, None),
        (MOVED[0], Some(config)),
        (MOVED[1], Some(caching)),
        (MOVED[2], Some(SESSIONS)),
    ]
}

fn check_main(scenario: &Scenario) -> Vec<String> {
    alarms(&scenario.discussions(&["check", "--git", "--json"]).with_any_code())
}

/// A move of a project says nothing in anybody's name: as a branch, in the hook, and on main.
#[test]
fn project_moved_with_its_configuration_is_quiet() {
    let config = "author: Eve\n";
    let mut forge = Forge::new();
    forge.pr("Eve", "move", &moved(config, CACHING));
    assert_alarms(&forge, &[]);
    let voted = CACHING.to_owned() + &comment("Eve", "VOTE: READY");
    forge.pr("Eve", "vote", &[(MOVED[1], Some(&voted))]);
    assert_alarms(&forge, &[]);
    assert_eq!(check_main(&forge.build("pr")), [""; 0]);
    let scenario = Forge::new().build("main");
    std::fs::create_dir(scenario.path("sub")).unwrap();
    scenario.git(&["mv", "discussions", "discussions.yaml", "sub"]);
    scenario.discussions(&["check", "--staged", "--strict"]).code(0).stdout("");
}

/// A project of several in a repository moves, once with a link at its old place.
#[test]
fn one_of_several_projects_moves_quietly() {
    for with_link in [false, true] {
        let file = "part/discussions/caching.md";
        let mut forge = Forge::new();
        forge.commit("Rob", "part", &[("part/discussions.yaml", Some("")), (file, Some(CACHING))]);
        forge.commit("Mira", "x\n\nRecorded-for: Mira, Lea", &[]);
        let now = "packages/part/discussions/caching.md";
        let files = [
            ("part/discussions.yaml", None),
            (file, None),
            ("packages/part/discussions.yaml", Some("")),
            (now, Some(CACHING)),
        ];
        forge.pr("Eve", "move", &files);
        if with_link {
            forge.file("120000", b"part", "packages/part");
        }
        assert_alarms(&forge, &[]);
        // Also from the folder of the project.
        let scenario = forge.build("pr");
        let mut command = scenario.program_under_test();
        command.current_dir(scenario.path("packages/part"));
        let run = command.args(["check", "--git", "--since", "main"]).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    }
}

/// A move hides no change, and drops no rule: the people of the old folder hold.
#[test]
fn project_moved_with_other_words_or_people_is_judged_by_its_old_rules() {
    let listed =
        "people: {Rob: [rob@example.org], Lea: [lea@example.org], Mira: [mira@example.org]}\n";
    let dropped = CACHING.replace(&comment("Rob", "Not for ever.\n\nVOTE: CHANGES"), "");
    let forge = |caching: &str| {
        let mut forge = Forge::with("discussions.yaml", listed);
        forge.pr("Eve", "move", &moved("", caching));
        forge
    };
    assert_alarms(&forge(&dropped), &["error history-rewritten"]);
    let forged = CACHING.to_owned() + &comment("Rob", "VOTE: READY");
    assert_alarms(&forge(&forged), &["error author-differs"]);
    // Only a listed person accepts, although the branch lists nobody.
    let scenario = forge(&dropped).build("pr");
    let accept = ["check", "--git", "--since", "main", "--accept", "--yes"];
    let folder = scenario.path("sub");
    let run = |args: &[&str]| {
        let mut command = scenario.program_under_test();
        command
            .current_dir(&folder)
            .env("GIT_AUTHOR_NAME", "Eve")
            .env("GIT_AUTHOR_EMAIL", "eve@example.org");
        String::from_utf8(command.args(args).output().unwrap().stdout).unwrap()
    };
    run(&accept);
    let said = run(&accept[..4]);
    assert!(said.contains("does not list that name"), "{said}");
}

/// What a moved project leaves behind is named once.
#[test]
fn discussion_left_behind_by_a_move_is_named_once() {
    let mut forge = Forge::new();
    let mut files = moved("author: Eve\n", CACHING);
    files.retain(|(path, _)| *path != MOVED[2]);
    forge.pr("Eve", "move", &files);
    let run = forge.check();
    assert_eq!(alarms(&run), ["error discussion-gone"], "{}", run.stdout);
    assert_eq!(run.stdout.matches("\"discussion-gone\"").count(), 1, "{}", run.stdout);
}

/// A project that a push removes is named on main.
#[test]
fn project_removed_by_a_push_is_named_on_main() {
    let file = "part/discussions/caching.md";
    let mut forge = Forge::new();
    let text = CACHING.replace("# Caching", "# Part");
    forge.commit("Rob", "part", &[("part/discussions.yaml", Some("")), (file, Some(&text))]);
    forge.commit("Eve", "tidy", &[("part/discussions.yaml", None), (file, None)]);
    let found = check_main(&forge.build("main"));
    assert!(found.contains(&"error discussion-gone".to_owned()), "{found:?}");
    forge.commit("Eve", &format!("so\n\nRemoves-Discussion: {file}"), &[]);
    assert_eq!(check_main(&forge.build("main")), [""; 0]);
}

/// On main, a project may move in two steps, the second of which drops a vote.
#[test]
fn project_moved_in_two_steps_is_compared_with_what_it_was() {
    let file = "part/discussions/part.md";
    let text = "# Part?\n\nP?\n\n---\n".to_owned() + &comment("Rob", "VOTE: CHANGES");
    for (now, expected) in
        [(text.clone(), None), (text.replace("CHANGES", "READY"), Some("error history-rewritten"))]
    {
        let mut forge = Forge::new();
        forge.commit("Rob", "part", &[("part/discussions.yaml", Some("")), (file, Some(&text))]);
        forge.commit("Eve", "one", &[("part/discussions.yaml", None)]);
        let files = [
            (file, None),
            ("new/discussions.yaml", Some("")),
            ("new/discussions/part.md", Some(now.as_str())),
        ];
        forge.commit("Eve", "two", &files);
        let found = check_main(&forge.build("main"));
        let errors: Vec<&String> = found.iter().filter(|it| it.starts_with("error")).collect();
        assert_eq!(errors, Vec::from_iter(expected), "{found:?}");
    }
}
