//! Projects that try to run their own commands, use their own names as authors, or provide their own journals.
//!
//! All their files came with the project: files of a clone, or of an archive (`.git` with all of its content). Every
//! command is run in each project. A canary program reports if any command of the project runs; if `strace` works, no
//! program except git may start and no connection may be made.

mod programs;
mod verbs;
mod watch;

use watch::Clone;

/// Runs every command at the top of the project and in the folder of its discussions.
fn nothing_runs(kind: &str) -> Clone {
    let clone = Clone::new(kind);
    for verb in verbs::all(&clone.scenario) {
        for (folder, a) in [("", "discussions/a.md"), ("discussions", "a.md")] {
            for line in verbs::lines(&verb, a) {
                let (code, told) = clone.run(folder, &line);
                assert_ne!(code, 2, "{line:?} is no way to use it: {told}");
            }
        }
    }
    clone
}

/// As above; also checks that only the user's configuration names an author.
fn nothing_runs_or_signs(kind: &str) {
    let text = nothing_runs(kind).scenario.read("clone/discussions/a.md");
    let is_told =
        text.contains("Name: Rob\n<!-- SAID at: ") && text.contains(" -->\n\nLooks fine.");
    assert!(is_told, "{text}");
    assert!(!text.contains("Evil"), "{text}");
}

/// Of each command only the first line, at the top of one kind of project.
#[test]
fn first_line_of_each_command_runs_nothing_of_a_project() {
    let clone = Clone::new("above-ssh");
    for verb in verbs::all(&clone.scenario) {
        let lines = verbs::lines(&verb, "discussions/a.md");
        let (code, told) = clone.run("", &lines[0]);
        assert_ne!(code, 2, "{:?} is no way to use it: {told}", lines[0]);
    }
    assert!(!clone.scenario.read("clone/discussions/a.md").contains("Evil"));
}

mod slow {
    use super::*;

    // A name in a `.git` folder may have been set by its owner; the program cannot tell, and git uses it too.
    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn archive_with_alternates_runs_nothing() {
        nothing_runs("alternates-ext");
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn archive_with_attributes_and_filters_runs_nothing() {
        nothing_runs("attributes-ssh");
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn archive_with_hooks_runs_nothing() {
        nothing_runs("hooks-ext");
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn bare_repository_layout_runs_nothing() {
        nothing_runs_or_signs("bare-ext");
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn bare_repository_layout_with_ssh_fetch_runs_nothing() {
        nothing_runs_or_signs("bare-ssh");
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn git_file_naming_a_project_folder_runs_nothing() {
        nothing_runs_or_signs("file-ext");
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn git_file_naming_a_project_worktree_runs_nothing() {
        nothing_runs_or_signs("worktree-ssh");
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn journal_that_came_with_the_files_is_reported_and_ignored() {
        for kind in
            ["plain", "bare-ext", "above-ssh", "submodule-ssh", "file-ext", "alternates-ext"]
        {
            let clone = Clone::new(kind);
            let text = clone.scenario.read("clone/discussions/a.md");
            for line in [vec!["check"], vec!["check", "--restore"], vec!["check", "--json"]] {
                let (code, told) = clone.run("", &line);
                assert_eq!(code, 0, "{kind}: {told}");
                assert!(!told.contains("approve the payment"), "{kind}: {told}");
                let code = match kind {
                    "plain" | "bare-ext" | "above-ssh" | "submodule-ssh" => "journal-tracked",
                    _ => "journal-foreign",
                };
                assert!(told.contains(code), "{kind}: {told}");
            }
            assert_eq!(clone.scenario.read("clone/discussions/a.md"), text, "{kind}");
        }
    }

    /// Opening a folder in an editor starts the language server, which then checks the open file.
    #[cfg(all(unix, feature = "lsp"))]
    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn open_files_in_an_editor_run_nothing() {
        use crate::lsp::client::{Editor, uri};
        let kinds = [
            "bare-ext",
            "above-ssh",
            "submodule-ssh",
            "worktree-ssh",
            "alternates-ext",
            "attributes-ssh",
        ];
        for kind in kinds {
            let clone = Clone::new(kind);
            let (folder, path) =
                (clone.scenario.path("clone"), clone.scenario.path("clone/discussions/a.md"));
            let text = clone.scenario.read("clone/discussions/a.md");
            clone.watch("", &["lsp"], |command| {
            let mut editor = Editor::start(command, &folder, &serde_json::Value::Null);
            let found = editor.open(&path, &text);
            let params = serde_json::json!({
                "textDocument": { "uri": uri(&path) },
                "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } },
            });
            editor.ask("textDocument/codeAction", params.clone());
            editor.ask("textDocument/willSaveWaitUntil", params);
            editor.ask("workspace/symbol", serde_json::json!({ "query": "" }));
            (editor.exit().code().unwrap_or(-1), format!("{found:?}"))
        });
        }
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn programs_in_a_relative_path_entry_are_not_run() {
        let clone = Clone::new("plain").with_programs_of_the_project(&["git", "id"]);
        for verb in verbs::all(&clone.scenario) {
            for line in verbs::lines(&verb, "discussions/a.md") {
                clone.run("", &line);
            }
        }
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn repository_claiming_the_files_above_runs_nothing() {
        nothing_runs_or_signs("above-ssh");
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn submodule_runs_nothing() {
        nothing_runs_or_signs("submodule-ssh");
    }

    #[test]
    #[ignore = "slow: runs every command in a hostile project"]
    fn template_command_does_not_run_without_trust() {
        let mut clone = Clone::new("submodule-ssh");
        let canary = clone.scenario.path("../bin/canary");
        let template = format!(
            "---\nid: feature\nphases:\n  - id: tests\n    run: [\"{}\", now]\n  - id: talk\n---\n# {{{{ title }}}}\n",
            canary.display()
        );
        clone.scenario.write("clone/discussions.yaml", b"author: Eve\n");
        clone.scenario.write("clone/templates/feature.md", template.as_bytes());
        clone.scenario = clone.scenario.distrusting();
        for verb in verbs::all(&clone.scenario) {
            for line in verbs::lines(&verb, "discussions/a.md") {
                let (code, told) = clone.run("", &line);
                assert_ne!(code, 2, "{line:?} is no way to use it: {told}");
            }
        }
    }
}
