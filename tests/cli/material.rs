//! Material: files and diffs that are copied into a discussion for all participants.

use super::scenario::Scenario;
use super::template::Template;

/// A repository whose second commit changes one line of two files.
fn repository() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let scenario = Scenario::new()
            .file(".gitignore", "target\n")
            .file("src/main.rs", "fn main() {}\n")
            .file("src/lib/deep.rs", "// ```\n")
            .file("target/made.rs", "made\n")
            .file("notes.md", "Name: Rob\n\nVOTE: READY\n");
        scenario.init_git().git(&["add", "."]).git(&["commit", "-qm", "One"]);
        scenario.write("src/main.rs", b"fn main() {\n    println!(\"```\");\n}\n");
        scenario.git(&["commit", "-qam", "Two"]);
        scenario
    });
    TEMPLATE.copy()
}

fn material(scenario: &Scenario, file: &str) -> String {
    let text = scenario.read(file);
    let at = text.find("## Material").unwrap_or_else(|| panic!("{text}"));
    text[at..].to_owned()
}

#[test]
fn material_files_are_found_by_path_folder_and_pattern() {
    let scenario = repository();
    let headings_for = |args: &[&str]| {
        let made = scenario.discussions(&[&["new", "A", "--dir", "d"], args].concat()).code(0);
        let file = made.stdout.trim().strip_prefix("Created: ").unwrap();
        let text = material(&scenario, file);
        let heads = text.lines().filter(|line| line.starts_with("### "));
        heads.map(|line| line[4..].to_owned()).collect::<Vec<_>>()
    };
    let (deep, main) = ("`src/lib/deep.rs` (7 bytes)", "`src/main.rs` (35 bytes)");
    assert_eq!(headings_for(&["--file", "src/main.rs"]), [main]);
    assert_eq!(headings_for(&["--file", "src"]), [deep, main]);
    // Files that git ignores are found only by their exact name.
    assert_eq!(headings_for(&["--file", "**/*.rs", "--file", "src/main.rs"]), [deep, main]);
    assert_eq!(headings_for(&["--file", "src/*.rs"]), [main]);
    assert_eq!(headings_for(&["--file", "target/made.rs"]), ["`target/made.rs` (5 bytes)"]);
}

#[test]
fn votes_and_names_in_material_do_not_count() {
    let scenario = repository();
    scenario.discussions(&["new", "A", "--file", "notes.md", "--file", "src/lib/deep.rs"]).code(0);
    let status = scenario.discussions(&["status", "a", "--json"]).code(0).json();
    assert_eq!(status["tally"]["READY"], 0);
    assert_eq!(status["problems"], serde_json::json!([]));
    let text = material(&scenario, "discussions/a.md");
    assert!(text.contains("````rs\n// ```\n````"), "{text}");
    scenario.discussions(&["comment", "a", "Fine."]).code(0);
    let shown = scenario.discussions(&["show", "a", "--json"]).code(0).json();
    assert_eq!(shown["entries"].as_array().unwrap().len(), 1);
}

#[test]
fn diff_material_is_a_patch_that_applies() {
    let scenario = repository();
    scenario.discussions(&["new", "A", "-t", "code-review", "--diff", "HEAD~1..HEAD"]).code(0);
    let text = material(&scenario, "discussions/a.md");
    assert!(text.contains("### Changes of `HEAD~1..HEAD` ("), "{text}");
    let (_, fenced) = text.split_once("````diff\n").unwrap();
    let (patch, _) = fenced.split_once("\n````").unwrap();
    scenario.write("a.patch", format!("{patch}\n").as_bytes());
    scenario.git(&["apply", "--reverse", "a.patch"]);
    assert_eq!(scenario.read("src/main.rs"), "fn main() {}\n");
    // A single commit is compared with the working tree.
    scenario.discussions(&["discuss", "B", "--provider", "mock", "--diff", "HEAD"]).code(0);
    assert!(material(&scenario, "discussions/b.md").contains("+fn main() {}\n"));
}

#[test]
fn diff_runs_no_program_that_the_repository_configures() {
    let scenario = repository();
    scenario.write(".gitattributes", b"* filter=own diff=own\n");
    for key in ["filter.own.clean", "filter.own.process", "diff.own.textconv", "diff.own.command"] {
        scenario.git(&["config", key, "touch run"]);
    }
    scenario.git(&["config", "filter.own.required", "true"]);
    scenario.write("src/main.rs", b"fn main() { changed() }\n");
    scenario.discussions(&["new", "A", "--diff", "HEAD"]).code(0);
    assert!(material(&scenario, "discussions/a.md").contains("+fn main() { changed() }"));
    assert!(!scenario.path("run").exists());
}

#[test]
fn unusable_material_is_refused_before_a_file_is_made() {
    let scenario = repository();
    scenario.write("image.png", b"\x89PNG\0\0");
    scenario.write("latin.txt", b"caf\xe9\n");
    scenario.write("big.txt", "x\n".repeat(131_073).as_bytes());
    let error_of = |args: &[&str]| {
        let run = scenario.discussions(&[&["new", "A"], args].concat()).code(3);
        assert!(!scenario.path("discussions").exists());
        run.into_stderr()
    };
    insta::assert_snapshot!(
        [
            error_of(&["--file", "none/*.rs"]),
            error_of(&["--file", "src/[.rs"]),
            error_of(&["--file", "image.png"]),
            error_of(&["--file", "latin.txt"]),
            error_of(&["--file", "big.txt"]),
            error_of(&["--diff", "nowhere...HEAD"]),
            error_of(&["--diff", "HEAD..HEAD"]),
            error_of(&["--diff=--output=made"]),
        ]
        .concat(),
        @r"
    error: none/*.rs: no such file, and no file matches this pattern
    error: src/[.rs: unclosed character class; missing ']'
    error: image.png: this is not UTF-8 text, so it cannot be put into a discussion
    error: latin.txt: this is not UTF-8 text, so it cannot be put into a discussion
    error: big.txt: this makes the material larger than 262144 bytes; name fewer files
    error: nowhere...HEAD: git cannot show these changes: fatal: bad revision 'nowhere...HEAD'
    error: HEAD..HEAD: there are no changes between these commits
    error: --output=made: git cannot show these changes: fatal: bad revision '--output=made'
    "
    );
    assert!(!scenario.path("made").exists());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", scenario.path("link.txt")).unwrap();
        assert!(error_of(&["--file", "link.txt"]).contains("leads outside the project"));
        // A pattern does not follow links.
        assert!(error_of(&["--file", "*.tx[t]"]).contains("bytes"));
    }
    let outside = Scenario::new();
    let stderr = outside.discussions(&["new", "A", "--diff", "HEAD"]).code(3).into_stderr();
    assert!(stderr.contains("only in a git repository"), "{stderr}");
}

#[test]
fn turn_warns_about_unfilled_template_placeholders() {
    let scenario = Scenario::with_discussion();
    let stderr =
        scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0).into_stderr();
    assert!(stderr.contains("discussions/caching.md:"), "{stderr}");
    assert!(stderr.contains("and 4 more lines still contain template placeholders"), "{stderr}");
    // A turn with its own question needs no context.
    let line =
        ["turn", "caching", "@designer", "--ask", "Which?", "--provider", "mock", "--dry-run"];
    assert!(!scenario.discussions(&line).code(0).stderr().contains("what the template asks"));
    // After the first turn, the warning would come too late.
    let stderr =
        scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0).into_stderr();
    assert!(!stderr.contains("what the template asks"), "{stderr}");
    let context = "## Context\n\nPages are slow.\n";
    scenario.discussions(&["new", "Written", "--context", context]).code(0);
    let stderr =
        scenario.discussions(&["turn", "written", "--provider", "mock"]).code(0).into_stderr();
    assert!(!stderr.contains("what the template asks"), "{stderr}");
}
