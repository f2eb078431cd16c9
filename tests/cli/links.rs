//! Links that lead out of a project: the program does not read, show, send or write their targets.

use std::fs;
use std::os::unix::fs::symlink;

use super::scenario::{Run, Scenario};
use super::template::Template;

/// The content of a file outside of the project, which must never be shown.
const SECRET: &str = "aws_secret_access_key = hunter2\n";

/// A project with one discussion, beside a folder with a file that does not belong to the project.
fn project_beside_a_secret() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let scenario = Scenario::new().file("../mine/secret.md", SECRET);
        scenario.init_git();
        scenario.discussions(&["new", "Caching"]).code(0);
        scenario
    });
    TEMPLATE.copy()
}

/// Asserts that the command was refused, with the target of the link but without its content.
#[track_caller]
fn assert_refused(run: Run) {
    assert!(
        !run.stdout.contains("hunter2") && !run.stderr().contains("hunter2"),
        "{}",
        run.stderr()
    );
    run.code(3).notes("leads outside the project").notes("<root>/mine");
}

#[track_caller]
fn assert_nothing_written(scenario: &Scenario) {
    assert_eq!(scenario.read("../mine/secret.md"), SECRET);
    assert_eq!(fs::read_dir(scenario.path("../mine")).unwrap().count(), 1);
}

#[test]
fn link_out_of_the_project_is_neither_read_nor_written() {
    let scenario = project_beside_a_secret();
    symlink("../../mine/secret.md", scenario.path("discussions/far.md")).unwrap();
    symlink("far.md", scenario.path("discussions/plan.md")).unwrap();
    for args in [
        &["show", "plan"][..],
        &["show", "plan", "--json"],
        &["status", "plan"],
        &["turn", "plan", "--dry-run", "--provider", "mock"],
        &["turn", "plan", "--provider", "mock"],
        &["run", "plan", "--provider", "mock"],
        &["comment", "plan", "Hello."],
        &["comment", "plan", "Hello.", "--vote", "READY"],
        &["advance", "plan"],
        &["close", "plan"],
        &["check", "plan", "--restore"],
        &["new", "Copy", "--context-file", "discussions/plan.md"],
        &["review", "discussions/plan.md", "--provider", "mock"],
        &["participants", "add", "plan", "--from-file", "discussions/plan.md"],
    ] {
        assert_refused(scenario.discussions(args));
    }
    assert_nothing_written(&scenario);
}

#[test]
fn list_and_check_report_an_outside_link_and_go_on() {
    let scenario = project_beside_a_secret();
    symlink("../../mine/secret.md", scenario.path("discussions/plan.md")).unwrap();
    let list = scenario.discussions(&["list"]).code(0).says("caching ").stdout_lacks("plan");
    let list = list.notes("plan.md leads outside the project").notes("<root>/mine/secret.md");
    assert!(!list.stderr().contains("hunter2"));
    for args in [&["check"][..], &["check", "discussions/plan.md", "discussions/caching.md"]] {
        scenario
            .discussions(args)
            .code(1)
            .says("plan.md leads outside the project")
            .says("it is a link to <root>/mine/secret.md")
            .stdout_lacks("hunter2")
            .notes("2 discussions checked: 1 error");
    }
    symlink("/etc/passwd", scenario.path("a.md")).unwrap();
    scenario.discussions(&["check", "a.md"]).code(1).says("it is a link to /etc/passwd");
}

#[test]
fn discussions_folder_linked_outside_is_refused() {
    let scenario = project_beside_a_secret();
    fs::remove_dir_all(scenario.path("discussions")).unwrap();
    symlink(scenario.path("../mine"), scenario.path("discussions")).unwrap();
    for args in [
        &["list"][..],
        &["list", "discussions"],
        &["check"],
        &["check", "discussions"],
        &["status", "secret"],
        &["show", "discussions/secret.md"],
        &["comment", "secret", "Hello."],
        &["new", "Another"],
        &["new", "Another", "--dir", "discussions/deep"],
    ] {
        assert_refused(scenario.discussions(args));
    }
    assert_nothing_written(&scenario);
}

#[test]
fn configuration_linked_outside_is_refused() {
    for link in ["participants", "templates", "providers.yaml", "discussions.yaml"] {
        let scenario = project_beside_a_secret().file("discussions.yaml", "author: Ann\n");
        let _ = fs::remove_file(scenario.path(link));
        let target = if link.ends_with("yaml") { "../mine/secret.md" } else { "../mine" };
        symlink(target, scenario.path(link)).unwrap();
        assert_refused(scenario.discussions(&["list"]));
        let sheet = "name: Boss\nalias: boss\nrole: boss\npersonality: bossy\n";
        let scenario = scenario.file("sheet", sheet);
        assert_refused(scenario.discussions(&[
            "participants",
            "add",
            "boss",
            "--from-file",
            "sheet",
        ]));
        assert_nothing_written(&scenario);
    }
}

#[test]
fn persona_or_template_linked_outside_stops_only_its_use() {
    let scenario = project_beside_a_secret().file("discussions.yaml", "").env("EDITOR", "cat");
    for folder in ["participants", "templates"] {
        fs::create_dir(scenario.path(folder)).unwrap();
    }
    symlink("../../mine/secret.md", scenario.path("participants/boss.yaml")).unwrap();
    symlink("../../mine/secret.md", scenario.path("templates/mine.md")).unwrap();
    scenario.discussions(&["list"]).code(0).says("caching");
    assert_refused(scenario.discussions(&["participants", "show", "boss"]));
    assert_refused(scenario.discussions(&["participants", "edit", "boss"]));
    assert_refused(scenario.discussions(&["new", "Other", "--template", "mine"]));
    // `edit` keeps a rejected version in a file beside the persona; a link with that name is refused as well.
    let sheet = "name: Chief\nalias: chief\nrole: chief\npersonality: calm\n";
    let scenario = scenario.file("participants/chief.yaml", sheet);
    symlink("../../mine/secret.md", scenario.path("participants/chief.yaml.rejected")).unwrap();
    assert_refused(scenario.discussions(&["participants", "edit", "chief"]));
    assert_nothing_written(&scenario);
}

#[test]
fn links_within_a_project_and_named_paths_are_allowed() {
    let scenario = project_beside_a_secret();
    fs::create_dir(scenario.path("more")).unwrap();
    symlink("../discussions/caching.md", scenario.path("more/near.md")).unwrap();
    scenario.discussions(&["comment", "more/near.md", "Hello."]).code(0);
    scenario.discussions(&["list", "more"]).code(0).says("more/near ");
    // The user may name the outside path itself, or a link that is not in a project.
    let outside = scenario.path("../mine/secret.md").canonicalize().unwrap();
    scenario.discussions(&["show", outside.to_str().unwrap()]).code(0).says("hunter2");
    symlink(scenario.path("discussions"), scenario.path("../home/talks")).unwrap();
    let through = scenario.path("../home/talks");
    scenario.discussions(&["list", through.to_str().unwrap()]).code(0).says("caching.md");
    let file = through.join("caching.md");
    scenario.discussions(&["comment", file.to_str().unwrap(), "Again."]).code(0);
    assert!(scenario.read("discussions/caching.md").contains("Again."));
}

#[test]
fn without_a_project_links_stay_within_their_folder() {
    let scenario = Scenario::new().file("../mine/secret.md", SECRET).file("talk/a.md", "# A\n");
    symlink("a.md", scenario.path("talk/b.md")).unwrap();
    symlink("../../mine/secret.md", scenario.path("talk/c.md")).unwrap();
    scenario.discussions(&["status", "talk/b.md"]).code(0);
    assert_refused(scenario.discussions(&["status", "talk/c.md"]));
    symlink("../mine", scenario.path("discussions")).unwrap();
    assert_refused(scenario.discussions(&["list"]));
    assert_refused(scenario.discussions(&["new", "Another"]));
    assert_nothing_written(&scenario);
}

#[test]
fn configured_directory_outside_the_project_is_refused() {
    let outside = tempfile::tempdir().unwrap();
    for directory in [outside.path().to_str().unwrap(), "../..", "../talks"] {
        let yaml = format!("author: Ann\noutput: {{directory: {directory}}}\n");
        let scenario = Scenario::new().file("discussions.yaml", &yaml);
        for args in [&["new", "Another"][..], &["list"], &["init"]] {
            scenario
                .discussions(args)
                .code(3)
                .notes("discussions.yaml:2:21: ")
                .notes("leads outside the project")
                .notes("help: ");
        }
        assert!(!scenario.path("../talks").exists());
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    // The user's own configuration may name an outside folder, and `..` is allowed within a git work tree.
    let yaml = format!("output: {{directory: {}}}\n", outside.path().display());
    let scenario = Scenario::new().file("../config/config.yaml", &yaml);
    scenario.discussions(&["new", "Another"]).code(0);
    assert!(outside.path().join("another.md").exists());
    let scenario = Scenario::new().file("part/discussions.yaml", "output: {directory: ../talks}\n");
    scenario.init_git();
    let new = scenario
        .program_under_test()
        .current_dir(scenario.path("part"))
        .args(["new", "X"])
        .output();
    assert!(new.unwrap().status.success());
    assert!(scenario.path("talks/x.md").exists());
}

#[test]
fn provider_script_outside_or_a_pipe_is_refused() {
    let scenario = project_beside_a_secret();
    for script in ["../mine/secret.md", "/etc/hostname", "link.yaml", "pipe.yaml"] {
        let yaml = format!("providers:\n  - name: parrot\n    script: {script}\n");
        scenario.write("discussions.yaml", b"");
        scenario.write("providers.yaml", yaml.as_bytes());
        let _ = symlink("../mine/secret.md", scenario.path("link.yaml"));
        let _ = scenario.command("mkfifo").arg("pipe.yaml").output();
        let turn = scenario.discussions(&["turn", "caching", "--provider", "parrot"]).code(3);
        assert!(!turn.stderr().contains("hunter2"), "{}", turn.stderr());
        let wanted =
            if script == "pipe.yaml" { "not a regular file" } else { "leads outside the project" };
        turn.notes(wanted);
    }
}

#[test]
fn init_does_not_write_through_a_link() {
    let scenario = project_beside_a_secret();
    symlink("../mine/secret.md", scenario.path(".gitattributes")).unwrap();
    scenario.discussions(&["init"]).code(5).notes(".gitattributes");
    assert_nothing_written(&scenario);
}
