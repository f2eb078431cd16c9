//! `discussions init --editor`: the files of editors.

use crate::cli::Scenario;

/// The editors with a file that each gets.
const EDITORS: [(&str, &str); 4] = [
    ("vscode", ".vscode/extensions.json"),
    ("neovim", ".nvim.lua"),
    ("helix", ".helix/languages.toml"),
    ("emacs", ".dir-locals.el"),
];

#[test]
fn files_name_the_program_alone_and_are_written_once() {
    for (editor, file) in EDITORS {
        let scenario = Scenario::new();
        scenario.init_git();
        let line = ["init", "--editor", editor];
        scenario.discussions(&line).code(0).says(&format!("Added to {file}: "));
        let text = scenario.read(file);
        assert!(!text.contains('/') && !text.contains("command\": "), "{text}");
        scenario.discussions(&line).code(0).stdout("Everything is set up already.\n");
        assert_eq!(scenario.read(file), text);
    }
}

#[test]
fn files_of_the_user_keep_their_text() {
    let settings = "{\n  // ours\n  \"editor.rulers\": [80]\n}\n";
    let scenario = Scenario::new()
        .file(".vscode/settings.json", settings)
        .file(".vscode/extensions.json", "[")
        .file(".dir-locals.el", "((nil . ((fill-column . 80))))\n");
    let told = scenario.discussions(&["init", "--editor", "vscode"]).code(1);
    assert!(told.stderr().contains(".vscode/extensions.json already exists"), "{}", told.stderr());
    assert_eq!(scenario.read(".vscode/extensions.json"), "[");
    // Blanks at the ends of lines do not count, so no setting of the editor has to change.
    assert_eq!(scenario.read(".vscode/settings.json"), settings);
    scenario.discussions(&["init", "--editor", "emacs"]).with_warnings().code(1);
    assert_eq!(scenario.read(".dir-locals.el"), "((nil . ((fill-column . 80))))\n");
}

#[test]
fn foreign_server_is_shown_and_never_confirmed() {
    for (editor, file, foreign) in [
        (
            "neovim",
            ".nvim.lua",
            "vim.lsp.config('discussions', { cmd = { 'sh' } })\nvim.lsp.enable('discussions')\n",
        ),
        ("helix", ".helix/languages.toml", "[language-server.discussions]\ncommand = \"sh\"\n"),
        (
            "emacs",
            ".dir-locals.el",
            "((markdown-mode . ((eglot-server-programs . ((markdown-mode \"sh\"))))))\n",
        ),
    ] {
        let scenario = Scenario::new().file(file, foreign);
        scenario.git(&["init", "-q"]);
        scenario.discussions(&["init"]).code(0);
        let run = scenario.discussions(&["init", "--editor", editor]).code(1);
        assert!(!run.stdout.contains("set up already"), "{}", run.stdout);
        assert!(run.stderr().contains(&format!("{file} has something else")), "{}", run.stderr());
        assert!(run.stderr().contains("sh"), "{}", run.stderr());
        assert_eq!(scenario.read(file), foreign);
    }
}

#[test]
fn no_file_is_written_through_a_link() {
    let scenario = Scenario::new();
    std::fs::write(scenario.path("../home/victim"), "").unwrap();
    std::os::unix::fs::symlink("../home/victim", scenario.path(".nvim.lua")).unwrap();
    let run = scenario.discussions(&["init", "--editor", "neovim"]).code(3);
    assert!(run.stderr().contains("a symbolic link is in the way"), "{}", run.stderr());
    assert_eq!(std::fs::read_to_string(scenario.path("../home/victim")).unwrap(), "");
}

#[test]
fn init_keeps_editors_from_trimming_discussions() {
    let scenario = Scenario::new()
        .file(".editorconfig", "root = true\n\n[*]\ntrim_trailing_whitespace = true");
    scenario.init_git();
    scenario.discussions(&["init"]).code(0);
    let text = scenario.read(".editorconfig");
    assert!(text.starts_with("root = true\n\n[*]\ntrim_trailing_whitespace = true\n"), "{text}");
    assert!(text.ends_with("\n[discussions/**.md]\ntrim_trailing_whitespace = false\n"), "{text}");
    scenario.discussions(&["init"]).code(0).stdout("Everything is set up already.\n");
}

#[test]
fn extension_agrees_with_the_package_and_limits_untrusted_folders() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode");
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(root.join(name)).unwrap()).unwrap()
    };
    let package = read("package.json");
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(package["license"], env!("CARGO_PKG_LICENSE"));
    let name =
        format!("{}.{}", package["publisher"].as_str().unwrap(), package["name"].as_str().unwrap());
    assert_eq!(name, "discussions-md.discussions");
    let path = &package["contributes"]["configuration"]["properties"]["discussions.path"];
    assert_eq!(path["scope"], "machine", "a project must not choose the program");
    assert_eq!(package["capabilities"]["untrustedWorkspaces"]["supported"], "limited");
    let code = std::fs::read_to_string(root.join("extension.js")).unwrap();
    assert!(code.contains("trusted: vscode.workspace.isTrusted"));
    // Text that does not count must not look as if it did.
    let grammar = read("syntaxes/discussions.json");
    let selector = grammar["injectionSelector"].as_str().unwrap();
    for outside in ["-markup.fenced_code", "-markup.raw", "-comment", "-markup.quote"] {
        assert!(selector.contains(outside), "{selector}");
    }
    for pattern in grammar["patterns"].as_array().unwrap() {
        let pattern = pattern["match"].as_str().unwrap();
        assert!(pattern.starts_with("^ {0,3}") || pattern.contains('@'), "{pattern}");
    }
    read("snippets.json");
}
