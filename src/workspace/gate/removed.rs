//! Discussions that are no longer among those of the head, and paths that some systems confuse.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization as _;

use super::GateReport;
use super::judge::{Finding, GateMode, JudgeContext};
use super::sides::{Objects, Side};
use super::version::Version;
use crate::codes::{Fix, ProblemCode};
use crate::problem::Severity;
use crate::store::{BlockKind, FileMode, HistoryReader, is_page};
use crate::transcript::visible_line;
use crate::workspace::Checks;

/// The key of the line in a commit message that allows a removal.
pub(super) const REMOVES: &str = "Removes-Discussion";

/// The content that took the place of a discussion.
enum Successor {
    Nothing,
    Emptied,
    Page,
    Pointer,
    Link,
    Folder,
    Submodule,
    /// The discussion is at this path, which no list of discussions shows.
    Moved(Vec<u8>),
}

/// The first line of a Git LFS pointer begins with this text.
const POINTER: &str = "version https://git-lfs.github.com/spec/";

impl Successor {
    fn of(base: &Version, head: &Side, objects: &Objects) -> Self {
        if let Some(file) = head.tree.get(&base.path) {
            let text = || {
                head.text(&base.path, objects).or_else(|| objects.text_at(&head.tree, &base.path))
            };
            return match file.mode {
                FileMode::Link => Self::Link,
                FileMode::Submodule => Self::Submodule,
                FileMode::File => match text() {
                    Some(text) if text.trim().is_empty() => Self::Emptied,
                    Some(text) if text.starts_with(POINTER) => Self::Pointer,
                    Some(text) if text.as_ref() == base.text() => Self::Moved(base.path.clone()),
                    _ if !head.files.contains_key(&base.path) => Self::Moved(base.path.clone()),
                    _ => Self::Page,
                },
            };
        }
        let parents = base.path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (at, _) in parents {
            match head.tree.get(&base.path[..at]).map(|file| file.mode) {
                Some(FileMode::Submodule) => return Self::Submodule,
                Some(FileMode::Link) => return Self::Link,
                _ => {}
            }
        }
        let below = [&base.path, &b"/"[..]].concat();
        if head.tree.below(&below).next().is_some() {
            return Self::Folder;
        }
        let hidden =
            head.tree.0.iter().filter(|(path, _)| is_page(path) && !head.files.contains_key(*path));
        let name = base.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let stem = &name[..name.len().saturating_sub(3)];
        let is_near = |path: &[u8]| {
            let other = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            other.starts_with(stem)
        };
        for (path, file) in hidden.filter(|(path, _)| is_near(path)) {
            let is_it = objects.text(&file.object).is_some_and(|text| {
                let version = Version::new(path.clone(), text.to_string());
                version.topic() == base.topic()
            });
            if is_it {
                return Self::Moved(path.clone());
            }
        }
        Self::Nothing
    }

    fn in_words(&self) -> String {
        match self {
            Self::Nothing => "removed this discussion".to_owned(),
            Self::Emptied => "emptied this discussion".to_owned(),
            Self::Page => "turned this discussion into a page without a comment".to_owned(),
            Self::Pointer => "replaced this discussion with a Git LFS pointer".to_owned(),
            Self::Link => "replaced this discussion with a link".to_owned(),
            Self::Folder => "replaced this discussion with a folder".to_owned(),
            Self::Submodule => "replaced this discussion with a submodule".to_owned(),
            Self::Moved(path) => {
                let path = visible_line(&String::from_utf8_lossy(path));
                format!(
                    "left this discussion out of all lists: {path} is no longer in the discussions folder"
                )
            }
        }
    }
}

impl Checks<'_> {
    /// Judges a discussion that the head does not continue.
    pub(super) fn judge_removed(
        &self,
        context: &JudgeContext<'_>,
        base: &Version,
        head: &Side,
        removals: &HashSet<String>,
        objects: &Objects,
    ) -> Finding {
        let successor = Successor::of(base, head, objects);
        let comments = base.blocks.iter().filter(|block| block.kind == BlockKind::Comment).count();
        let with = match comments {
            0 => String::new(),
            1 => ", and with it 1 comment".to_owned(),
            count => format!(", and with it {count} comments"),
        };
        let losing = context.commits.losing(base.topic(), super::explain::Place::of(base));
        let changing = || context.commits.changing(&base.path).next_back();
        let by = losing.or_else(changing).map(|words| (context.describe)(&words.commit));
        let by = by.unwrap_or_else(|| match context.mode {
            GateMode::Staged => "the staged change".to_owned(),
            GateMode::Branch | GateMode::Main => "this branch".to_owned(),
        });
        let path = base.shown_path();
        let what = successor.in_words();
        if removals.contains(&path) {
            let message = format!("{by} {what}{with}, as a message says");
            return Finding::new(Severity::Note, ProblemCode::DiscussionGone, 0, message);
        }
        if comments == 0 && matches!(successor, Successor::Nothing) {
            let message = format!("{by} {what}, which had no comment");
            return Finding::new(Severity::Note, ProblemCode::DiscussionGone, 0, message);
        }
        // Before a commit, its message is unknown, and only a message can say that a removal is intended.
        let severity = match (context.mode, &successor) {
            (GateMode::Staged, Successor::Nothing) => Severity::Warning,
            _ => Severity::Error,
        };
        let shown = visible_line(&path);
        let folder = match successor {
            Successor::Moved(_) => "change `output.directory`, ",
            _ => "",
        };
        let message = format!(
            "{by} {what}{with}; {folder}put it back, or add `{REMOVES}: {shown}` to the message of any commit of the \
             branch, also of an empty one"
        );
        let mut finding = Finding::new(severity, ProblemCode::DiscussionGone, 0, message);
        finding.fix = Some(Fix::ExplainInMessage);
        finding.message_line = Some(format!("{REMOVES}: {shown}"));
        finding
    }

    /// Reports added paths that are not UTF-8, and paths that equal others but for the case.
    pub(super) fn judge_paths(
        &self,
        bases: &[Side],
        head: &Side,
        history: &HistoryReader,
        report: &mut GateReport,
    ) {
        let is_new = |path: &Vec<u8>| bases.iter().all(|base| base.tree.get(path).is_none());
        let folded = |path: &[u8]| -> String {
            let text = String::from_utf8_lossy(path);
            // Only the upper case of some letters, such as the long s, is that of another one.
            text.nfc().collect::<String>().to_uppercase().to_lowercase()
        };
        let folders: Vec<String> = head.folders.iter().map(|folder| folded(folder)).collect();
        let near: Vec<(&Vec<u8>, String)> = head
            .tree
            .0
            .keys()
            .filter(|path| is_page(path))
            .map(|path| (path, folded(path)))
            .filter(|(_, text)| folders.iter().any(|folder| text.starts_with(folder)))
            .collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for (_, text) in &near {
            *times.entry(text).or_default() += 1;
        }
        for (path, text) in near.iter().filter(|(path, _)| is_new(path)) {
            let is_inside = head.folders.iter().any(|folder| path.starts_with(folder));
            let message = if std::str::from_utf8(path).is_err() {
                "the name of this file is not UTF-8, so some programs cannot open it; rename it"
            } else if times.get(text.as_str()).is_some_and(|times| *times > 1) || !is_inside {
                "this path differs from another one only by the case of its letters, so some systems confuse the two; \
                 rename it"
            } else {
                continue;
            };
            let finding = Finding::new(Severity::Error, ProblemCode::PathAmbiguous, 0, message);
            report.add(history.path_of(path), finding);
        }
    }
}
