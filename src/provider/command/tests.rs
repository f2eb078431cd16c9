//! Tests of each way in which a program can misbehave, with small shell scripts as programs.

#![cfg(unix)]

mod answers;
mod faults;
mod processes;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::provider::definition::RawDefinition;
use crate::provider::{ProviderDefinition, ProviderKind};
use crate::transcript::Alias;
use crate::yaml;

/// A deadline that is long enough for a shell to start on a busy machine.
const PATIENT: Duration = Duration::from_secs(20);
/// A deadline for programs that never end by themselves.
const SHORT: Duration = Duration::from_millis(600);

/// A provider that runs one shell script, in a folder that is deleted with this value.
struct Stage {
    folder: TempDir,
    provider: Command,
    context: CallContext,
}

impl Stage {
    fn new(script: &str) -> Self {
        Self::with(script, "")
    }

    /// Creates a stage with a script and further keys of its definition.
    fn with(script: &str, keys: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program.sh");
        fs::write(&file, script).unwrap();
        fs::create_dir(folder.path().join("project")).unwrap();
        fs::create_dir(folder.path().join("temp")).unwrap();
        let text = format!("name: fake\ncommand: sh {}\n{keys}", file.display());
        let written: RawDefinition = yaml::read(&text, "test").unwrap();
        let ProviderDefinition { common, kind } = written.try_into().unwrap();
        let ProviderKind::Command(definition) = kind else { panic!("no command") };
        let vars = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("PIDS", folder.path().join("pids").display().to_string()),
        ];
        let env = Environment::new(vars, None, folder.path().join("temp"));
        let project = folder.path().join("project");
        let folders = Folders { project: &project, base: folder.path() };
        let provider = Command::new(common.name, *definition, &env, folders);
        let context = CallContext {
            participant: Alias::parse("architect").unwrap(),
            phase: "review".to_owned(),
            turn: 3,
            file: PathBuf::from("/some/where.md"),
            temperature: Some(0.5),
            reach: ToolPermissions::default(),
        };
        Self { folder, provider, context }
    }

    fn request<'a>(&'a self, prompt: &'a str, deadline: Duration) -> Request<'a> {
        let context = &self.context;
        Request {
            prefix: "".into(),
            tail: prompt,
            context,
            deadline,
            longest: None,
            usd: None,
            on_text: None,
        }
    }

    async fn ask(&self, deadline: Duration) -> Result<Reply, CallError> {
        let start = std::time::Instant::now();
        let result = self.provider.call(self.request("the prompt\n", deadline)).await;
        let limit = deadline + Duration::from_secs(1);
        assert!(start.elapsed() < limit, "{:?} for {deadline:?}", start.elapsed());
        result
    }

    /// Returns the failure of a call with a long deadline.
    async fn failure(&self) -> CallError {
        self.ask(PATIENT).await.unwrap_err()
    }

    /// Returns the processes that the script wrote down and that still live, after a moment in which the system can
    /// reap ended ones.
    async fn alive(&self) -> Vec<String> {
        let pids = fs::read_to_string(self.folder.path().join("pids")).unwrap_or_default();
        assert!(!pids.is_empty(), "the script wrote no process down");
        let mut alive: Vec<String> = pids.lines().map(str::to_owned).collect();
        for _ in 0..100 {
            alive.retain(|pid| is_alive(pid));
            if alive.is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        alive
    }
}

/// Returns whether a process lives. A zombie counts as dead: it only waits for its parent to notice.
fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}
