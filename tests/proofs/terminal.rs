//! No foreign text moves the cursor, colours the screen, sets the title or writes the clipboard when it is printed.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::program;

/// Escape sequences in the middle of ordinary words.
const HOSTILE: &[&str] = &[
    "\x1b]0;title\x07",
    "\x1b]52;c;Y2xpcGJvYXJk\x07",
    "\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\",
    "\x1b[2J\x1b[H",
    "\x1b[31mred",
    "\x1b[1;1Hhome\x1b[5A",
    "\x1b[6n",
    "\x1bc",
    "\x1bPq#0\x1b\\",
    "\x1b_application\x1b\\",
    "\u{9b}31m",
    "\u{9d}0;title\u{9c}",
    "over\rwritten",
    "over\x08\x08\x08\x08written",
    "bell\x07",
    "shift\x0eout",
    "gone\x7f",
    "left\u{202e}right",
    "line\u{2028}line\u{85}line",
    "tag\u{e0041}",
];

/// Command lines that users type, and some that change nothing.
const VERBS: &[&[&str]] = &[
    &["show", "a"],
    &["show", "a", "--json"],
    &["show", "a", "--raw"],
    &["show", "a", "--width", "60"],
    &["status", "a", "--verbose"],
    &["status", "a", "--json"],
    &["list"],
    &["list", "--json"],
    &["check"],
    &["check", "--git"],
    &["check", "--git", "--json"],
    &["check", "--restore"],
    &["turn", "a", "--dry-run", "--provider", "hostile"],
    &["turn", "a", "--provider", "hostile"],
    &["turn", "a", "--provider", "failing"],
    &["turn", "a", "--provider", "hostile", "--events"],
    &["turn", "a", "--provider", "hostile", "--verbose"],
    &["turn", "a", "--provider", "hostile", "--json"],
    &["run", "a", "--provider", "hostile", "--max-turns", "2"],
    &["new", HOSTILE[0], "--context", HOSTILE[3]],
    &["new", "b", "--template", HOSTILE[0]],
    &["comment", "a", HOSTILE[4]],
    &["comment", "a", "words", "--as", HOSTILE[10]],
    &["comment", "a", "words", "--vote", HOSTILE[0]],
    &["comment", HOSTILE[0], "words"],
    &["advance", "a", "--to", HOSTILE[3]],
    &["discuss", HOSTILE[0], "--pattern", "synthesis", "-r", "1", "--provider", "hostile"],
    &["discuss", "b", "--pattern", HOSTILE[3]],
    &["review", "evil.txt", "--provider", "hostile"],
    &["review", HOSTILE[0], "--provider", "hostile"],
    &["participants", "list"],
    &["participants", "show", "evil"],
    &["participants", "show", HOSTILE[0]],
    &["templates", "list"],
    &["templates", "show", "evil"],
    &["providers", "list"],
    &["providers", "check"],
    &["merge", "base", "ours", "theirs", HOSTILE[0]],
    &["status", HOSTILE[3]],
    &["close", "a"],
    &["reopen", "a"],
];

/// The command lines for the quick forms.
fn some_verbs() -> impl Iterator<Item = &'static &'static [&'static str]> {
    VERBS.iter().step_by(5)
}

#[test]
fn output_of_some_commands_contains_no_foreign_escape_codes() {
    let folder = tempfile::tempdir().unwrap();
    prove_piped(folder.path(), some_verbs());
}

#[test]
fn output_of_some_commands_on_a_terminal_contains_no_foreign_escape_codes() {
    prove_on_terminal(some_verbs());
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: runs 41 command lines"]
    fn output_contains_no_foreign_escape_codes() {
        let folder = tempfile::tempdir().unwrap();
        prove_piped(folder.path(), VERBS);
        let text = fs::read_to_string(folder.path().join("discussions/a.md")).unwrap();
        assert!(text.matches("\n<!-- REPLY ").count() >= 9, "the hostile answers were recorded");
        assert!(text.contains(", code: exit"), "the hostile failures were recorded");
    }

    #[test]
    #[ignore = "slow: runs 41 command lines"]
    fn output_on_a_terminal_contains_no_foreign_escape_codes() {
        prove_on_terminal(VERBS);
    }
}

/// Runs the command lines in a hostile project with their output in pipes.
fn prove_piped<'v>(folder: &Path, verbs: impl IntoIterator<Item = &'v &'static [&'static str]>) {
    write_project(folder);
    for verb in verbs {
        // With colours as on a terminal, but without progress lines.
        let mut command = program::command(&[], folder);
        let output = command.args(*verb).env("CLICOLOR_FORCE", "1").output().unwrap();
        // 2: no such command line, so nothing of the project would be shown.
        assert_ne!(output.status.code(), Some(2), "{verb:?} is no way to use it: {output:?}");
        for bytes in [output.stdout, output.stderr] {
            assert_only_own_sequences(verb, &String::from_utf8(bytes).unwrap(), "m");
        }
    }
}

/// Runs the command lines in a hostile project at a terminal.
fn prove_on_terminal<'v>(verbs: impl IntoIterator<Item = &'v &'static [&'static str]>) {
    let folder = tempfile::tempdir().unwrap();
    if !program::works(Command::new("script").args(["-qec", "true", "/dev/null"])) {
        return;
    }
    write_project(folder.path());
    let quote = |word: &&str| format!("'{}'", word.replace('\'', "'\\''"));
    for verb in verbs {
        let words: Vec<String> =
            [env!("CARGO_BIN_EXE_discussions")].iter().chain(*verb).map(quote).collect();
        let mut command = program::command_of("script", folder.path());
        command.args(["-qec", &words.join(" "), "/dev/null"]).env("TERM", "xterm-256color");
        let output = command.output().unwrap();
        assert_ne!(output.status.code(), Some(2), "{verb:?} is no way to use it: {output:?}");
        let shown = String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n");
        // Progress lines move up and down and clear themselves.
        assert_only_own_sequences(verb, &shown.replace('\r', ""), "mABK");
    }
}

/// Checks that the only control characters are the program's own sequences, which end in one of `own`.
fn assert_only_own_sequences(verb: &[&str], shown: &str, own: &str) {
    let mut rest = shown;
    while let Some(at) =
        rest.find(|c: char| c.is_control() && c != '\n' && c != '\t' || is_invisible(c))
    {
        let sequence = rest[at..].strip_prefix("\x1b[").and_then(|after| {
            let end = after.find(|c: char| !c.is_ascii_digit() && c != ';' && c != '?')?;
            after[end..].starts_with(|c| own.contains(c)).then_some(&after[end + 1..])
        });
        let context: String = rest[at..].chars().take(60).collect();
        // The hostile red is also a plain `31`, but it always precedes its word.
        assert!(!context.starts_with("\x1b[31mred"), "{verb:?}: {context:?}");
        rest = sequence.unwrap_or_else(|| panic!("{verb:?} printed {context:?} in:\n{shown:?}"));
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

/// Quotes a text as YAML, which allows no control characters.
fn quoted(text: &str) -> String {
    let plain = |c: char| (c.is_ascii_alphanumeric() || c == ' ').then(|| c.to_string());
    let escaped: String =
        text.chars().map(|c| plain(c).unwrap_or_else(|| format!("\\U{:08X}", c as u32))).collect();
    format!("\"{escaped}\"")
}

/// A project in which every text is hostile.
fn write_project(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let all = HOSTILE.join(" and ");
    let json = quoted(&all);
    write(
        "answer.txt",
        &format!("{all}\n\nQ: {all}\n\nTODO: {all}\n\nCONCERN: {all}\n\nVOTE: READY\n"),
    );
    write("evil.txt", &all);
    write(
        "providers.yaml",
        &format!(
            "providers:\n  - {{name: hostile, description: {json}, command: cat {0}/answer.txt}}\n  - {{name: failing, \
             command: sh -c 'cat {0}/evil.txt >&2; exit 3'}}\n",
            folder.display()
        ),
    );
    write("discussions.yaml", "author: Rob\n");
    write(
        "participants/evil.yaml",
        &format!(
            "name: AI-Evil\nalias: evil\nrole: doubt\npersonality: {json}\nexpertise: [{json}]\nconcerns: [{json}]\ntype: voting\n"
        ),
    );
    write(
        "templates/evil.md",
        &format!(
            "---\nid: evil\ntitle: {json}\nphases:\n  - {{id: one, title: {json}}}\n---\n\n# {{{{ title }}}}\n"
        ),
    );
    write("base", "# A\n");
    write("ours", &format!("# {all}\n"));
    write("theirs", "# B\n");
    let file = |words: &str| {
        format!(
            "# A {words}\n\n---\n\nName: Ann\n\nQ: {words}?\n\nVOTE: {words}\n\nVOTE: READY\n\n@{words}\n\nA: Q9 {words}\n\n---\n\n\
             stray {words}\n\nName: {words}\n\n---\n\n<!-- PHASE: \"{words}\" -->\n\n<!-- FAILED who: architect, turn: 1, \
             code: x, message: \"{words}\" -->\n"
        )
    };
    let git = |arguments: &[&str]| {
        let mut command = program::command_of("git", folder);
        assert!(command.args(arguments).output().unwrap().status.success(), "{arguments:?}");
    };
    // Git itself would remove a carriage return or NUL.
    write("discussions/a.md", &file(&all));
    git(&["init", "-q"]);
    git(&["add", "discussions"]);
    git(&["-c", "user.name=\u{9b}31mEve", "commit", "-qm", HOSTILE[0]]);
    write("discussions/a.md", &file(&HOSTILE[3..].join(" or ")));
    git(&["commit", "-qam", "\x1b[2J\x1b]52;c;eA==\x07subject"]);
    write(&format!("discussions/{}.md", HOSTILE[3].replace('/', "")), &file("x"));
}
