//! Completion in real shells: Enter runs the text that Tab inserts, so a file name must stay text.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::Scenario;

/// Parts of names that a shell would act on, or that are awkward to quote.
const NAMES: [&str; 12] = [
    "plan$(id>pwned)",
    "plan`id>pwned`",
    "plan with blanks; id>pwned",
    "plan'it's",
    "plan\"$(id>pwned)\"",
    "plan'$(id>pwned)'",
    "plan\\$(id>pwned)",
    "plan&id>pwned&",
    "plan*[a-z]?{b,c}",
    "plan!id:0~#x",
    "plan-認証",
    "plan\n$(id>pwned)",
];

/// An interactive shell with its own terminal.
struct Shell {
    child: Child,
    keys: File,
    output: Receiver<Vec<u8>>,
    seen: String,
    /// The number of command lines that were run.
    step: usize,
    /// The shell variable with the exit code of the last command.
    exit_code: &'static str,
}

impl Shell {
    /// Returns None if the shell is not installed.
    fn begin(scenario: &Scenario, name: &str) -> Option<Self> {
        let words: &[&str] = match name {
            "bash" => &["bash", "--rcfile", "../home/bashrc", "-i"],
            "zsh" => &["zsh", "-d", "-i"],
            "fish" => &["fish", "-i"],
            other => panic!("{other}"),
        };
        let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
        if !is_there("setsid") || !is_there(name) {
            eprintln!("skipped: completion in {name} (needs {name} and setsid)");
            return None;
        }
        let line = scenario.discussions(&["completions", name]).code(0).stdout;
        scenario.write("../home/bashrc", format!("{line}PS1='ready> '\n").as_bytes());
        // As a package installs it: a file in `$fpath`, which zsh runs at the first Tab.
        scenario.write("../home/zfunc/_discussions", line.as_bytes());
        let zshrc = "fpath=(~/zfunc $fpath)\nautoload -U compinit; compinit -u -D\nPS1='ready> '\n";
        scenario.write("../home/.zshrc", zshrc.as_bytes());
        let fish = "function fish_prompt; echo -n 'ready> '; end\nset -g fish_greeting\n\
                    set -g fish_autosuggestion_enabled 0\n";
        scenario.write("../home/.config/fish/config.fish", fish.as_bytes());
        scenario.write("../home/.config/fish/completions/discussions.fish", line.as_bytes());
        let size = nix::pty::Winsize { ws_row: 50, ws_col: 240, ws_xpixel: 0, ws_ypixel: 0 };
        let terminal = nix::pty::openpty(Some(&size), None).unwrap();
        let end = || Stdio::from(terminal.slave.try_clone().unwrap());
        let mut command = scenario.command("setsid");
        command.args(["--ctty", "--wait"]).args(words).env("TERM", "xterm");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        drop(terminal.slave);
        let keys = File::from(terminal.master);
        let (mut screen, (sender, output)) = (keys.try_clone().unwrap(), channel());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        let exit_code = if name == "fish" { "$status" } else { "$?" };
        let mut shell = Self { child, keys, output, seen: String::new(), step: 0, exit_code };
        shell.wait_until("ready> ", |seen| seen.contains("ready> "));
        Some(shell)
    }

    /// Runs a command line, given as keys; returns what the terminal shows and the exit code.
    fn run_line(&mut self, keys: &str) -> (String, String) {
        self.step += 1;
        let (step, code) = (self.step, self.exit_code);
        self.seen.clear();
        // The command line is echoed, so the mark is only whole once the command has run.
        self.keys.write_all(format!("{keys}; echo done-{step}-{code}\r").as_bytes()).unwrap();
        let mark = format!("done-{step}-");
        let ended = |seen: &str| {
            let (_, rest) = seen.rsplit_once(&mark)?;
            let code: String = rest.chars().take_while(char::is_ascii_digit).collect();
            (!code.is_empty() && rest.contains("ready> ")).then_some(code)
        };
        self.wait_until(&mark, |seen| ended(seen).is_some());
        (self.seen.clone(), ended(&self.seen).unwrap())
    }

    fn wait_until(&mut self, what: &str, holds: impl Fn(&str) -> bool) {
        // The time limit ends the test even if the shell hangs.
        const LONGEST: Duration = Duration::from_secs(60);
        while !holds(&self.seen) {
            let Ok(bytes) = self.output.recv_timeout(LONGEST) else {
                panic!("`{what}` never came:\n{}", self.seen);
            };
            self.seen += &String::from_utf8_lossy(&bytes);
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        // The shell normally ends with its terminal; the kill makes sure that the test ends.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Creates a folder for each name, with one discussion of that name.
fn discussions_with_odd_names() -> Scenario {
    let mut scenario = Scenario::new().on_path().file("discussions.yaml", "");
    for (number, name) in NAMES.iter().enumerate() {
        let text = format!("# Title {number}\n\n---\n\nName: Rob\n\nComment {number}.\n\n---\n");
        scenario = scenario
            .file(&format!("n{number}/discussions.yaml"), "")
            .file(&format!("n{number}/discussions/{name}.md"), &text);
    }
    scenario
}

/// Returns the folders that contain a file `pwned`, which an injected command writes.
fn folders_with_foreign_file(scenario: &Scenario) -> Vec<String> {
    let folders = std::fs::read_dir(scenario.path(".")).unwrap();
    let names = folders.map(|entry| entry.unwrap().path());
    let all = names.chain([scenario.path(".")]);
    let hit = all.filter(|folder| folder.join("pwned").exists());
    hit.map(|folder| folder.display().to_string()).collect()
}

fn assert_every_name_stays_text(name: &str, befores: &[&str]) {
    let scenario = discussions_with_odd_names();
    let Some(mut shell) = Shell::begin(&scenario, name) else { return };
    for (number, odd) in NAMES.iter().enumerate() {
        // Tab inserts nothing for a name with a line end, so an open quote would stay open.
        let befores = if odd.contains('\n') { &befores[..1] } else { befores };
        for before in befores {
            let folder = scenario.path(&format!("n{number}"));
            shell.run_line(&format!("cd {}", folder.display()));
            let (shown, code) = shell.run_line(&format!("discussions show {before}pl\t"));
            assert_eq!(folders_with_foreign_file(&scenario), Vec::<String>::new(), "{before}{odd}");
            // A name with a line end is not offered; the typed beginning may still find the discussion.
            if !odd.contains('\n') {
                assert_eq!(code, "0", "{before}{odd}: {shown}");
                assert!(shown.contains(&format!("Comment {number}.")), "{before}{odd}: {shown}");
            }
        }
    }
}

#[test]
fn zsh_takes_every_name_as_text() {
    assert_every_name_stays_text("zsh", &["", "\"", "'"]);
}

#[test]
fn fish_takes_every_name_as_text() {
    assert_every_name_stays_text("fish", &["", "\"", "'"]);
}

/// A discussion whose file name looks like a flag is completed by its path.
#[test]
fn file_name_like_a_flag_is_completed_as_path() {
    let text = "# Title\n\n---\n\nName: Rob\n\nComment.\n\n---\n";
    let scenario = Scenario::new()
        .on_path()
        .file("discussions.yaml", "")
        .file("discussions/--raw.md", text)
        .file("--json", "");
    let Some(mut shell) = Shell::begin(&scenario, "bash") else { return };
    let (shown, _) = shell.run_line("discussions show d\t-\t");
    assert!(shown.contains("discussions/--raw.md") && shown.contains("Comment."), "{shown}");
    // The only matching file, `--json`, is not offered, so Tab adds nothing to the line.
    let (shown, _) = shell.run_line("discussions check \t");
    assert!(!shown.contains("--json"), "{shown}");
}

/// A project also defines names of templates, so these must be quoted as well.
#[test]
fn common_start_of_two_names_is_quoted_and_can_be_extended() {
    let discussion = "# T\n\n---\n\nName: Rob\n\nComment b.\n\n---\n";
    let template = "---\nname: x\n---\n";
    let scenario = Scenario::new()
        .on_path()
        .file("discussions.yaml", "")
        .file("templates/x$(id>pwned).md", template)
        .file("templates/x$(id>pwned).yaml", "description: x\n")
        .file("discussions/plan $(id>pwned)a.md", discussion)
        .file("discussions/plan $(id>pwned)b.md", discussion);
    for name in ["bash", "zsh"] {
        let Some(mut shell) = Shell::begin(&scenario, name) else { continue };
        let (shown, _) = shell.run_line("discussions show pl\tb\t");
        assert!(shown.contains("Comment b."), "{name}: {shown}");
        shell.run_line("discussions new X -t x\t");
        assert_eq!(folders_with_foreign_file(&scenario), Vec::<String>::new(), "{name}");
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn bash_takes_every_name_as_text() {
        assert_every_name_stays_text("bash", &["", "\"", "'"]);
    }
}
