//! The cases: a file each, with the expected values above a row of `=` and the text of the discussion or record below.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::workspace::Workspace;

use crate::project::Project;

/// One case.
pub(super) struct Case {
    /// The name of its file, without the ending.
    pub(super) name: String,
    /// The path in the project.
    pub(super) path: String,
    /// The expected values, by their keys. A key that begins with `plan` is a word of the text, and its value is the
    /// state of the decision with this word.
    expected: Vec<(String, String)>,
    pub(super) text: String,
}

impl Case {
    /// Reads all cases.
    pub(super) fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/decisions");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut cases: Vec<Self> = entries.map(|path| Self::read(&path)).collect();
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        cases
    }

    fn read(path: &Path) -> Self {
        let whole = std::fs::read_to_string(path).unwrap();
        let (expected, text) = whole.split_once("=====\n").unwrap();
        let lines = expected.lines().filter_map(|line| line.split_once(": "));
        let expected: Vec<(String, String)> =
            lines.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let own = expected.iter().find(|(key, _)| key == "file").map(|(_, file)| file.clone());
        let path = own.unwrap_or_else(|| format!("discussions/{name}.md"));
        Self { name, path, expected, text: text.to_owned() }
    }

    /// Returns an expected value.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.expected.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Returns the words of the text with the states of their decisions.
    pub(super) fn states(&self) -> impl Iterator<Item = (&str, &str)> {
        let words = self.expected.iter().filter(|(key, _)| key.starts_with("plan"));
        words.map(|(word, state)| (word.as_str(), state.as_str())).filter(|(_, it)| *it != "hidden")
    }

    /// Returns the words of decisions with a state.
    pub(super) fn words_with(&self, wanted: &str) -> Vec<&str> {
        self.states().filter(|(_, state)| *state == wanted).map(|(word, _)| word).collect()
    }

    /// Returns the words of decisions in force or, if there are none, of answers.
    pub(super) fn standing(&self) -> Vec<&str> {
        let in_force = self.words_with("in-force");
        if in_force.is_empty() { self.words_with("answered") } else { in_force }
    }

    /// Returns true if it is a record of another tool.
    pub(super) fn is_record(&self) -> bool {
        self.path.starts_with("docs/")
    }
}

/// A project with all cases.
pub(super) struct CaseProject {
    project: Project,
}

impl CaseProject {
    pub(super) fn of(cases: &[Case]) -> Self {
        let project = Project::new();
        let config = "author: Rob\nadr: [docs/adr]\nconsensus: {human_required: false}\n";
        project.write("discussions.yaml", config);
        for case in cases {
            project.write(&case.path, &case.text);
            if let Some(file) = case.get("affects") {
                project.write(file, "x\n");
            }
        }
        Self { project }
    }

    pub(super) fn workspace(&self) -> Arc<Workspace> {
        self.project.workspace_at("2026-12-01T12:00:00Z")
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.project.path(path)
    }
}

/// Returns true if a text has a word, and not only as a part of another one.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|one| one == word)
}
