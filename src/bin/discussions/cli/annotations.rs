//! Findings of a check in the forms that forges show beside the lines of a change.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use clap::ValueEnum;
use discussions::view::{Checked, Severity, visible_line};
use serde::Serialize;

use crate::cli::words;

/// The number of annotations of one level that GitHub shows for a step. It drops the others and does not say so.
const SHOWN: usize = 10;

/// A form of findings that a forge reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Annotations of GitHub and Forgejo, which read them from the output of a job
    Github,
    /// A code quality report of GitLab
    Gitlab,
}

/// A finding with the words and the place that a forge shows.
struct Annotation {
    severity: Severity,
    /// The path from the repository's root.
    path: String,
    /// The line, from 1; 0 if there is none.
    line: usize,
    /// The column in characters, from 1; 0 if there is none.
    column: usize,
    code: String,
    message: String,
}

/// A finding in a code quality report of GitLab.
#[derive(Debug, Serialize)]
pub(crate) struct QualityFinding {
    description: String,
    check_name: String,
    /// Identifies the finding in the reports of two commits. The line is no part of it, because it changes with text above.
    fingerprint: String,
    severity: &'static str,
    location: QualityLocation,
}

/// The place of a finding in a code quality report.
#[derive(Debug, Serialize)]
struct QualityLocation {
    path: String,
    lines: QualityLines,
}

/// The lines of a finding in a code quality report.
#[derive(Debug, Serialize)]
struct QualityLines {
    begin: usize,
}

/// Returns the findings as workflow commands of GitHub, at most as many of each level as it shows. If there are more, the
/// last one says how many.
pub(crate) fn workflow_commands(all: &[Checked], folder: &Path) -> Vec<String> {
    let annotations = annotations(all, folder);
    let levels =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "notice")];
    let mut lines = Vec::new();
    for (severity, level) in levels {
        let of_level: Vec<&Annotation> =
            annotations.iter().filter(|one| one.severity == severity).collect();
        let printed = if of_level.len() > SHOWN { SHOWN - 1 } else { of_level.len() };
        lines.extend(of_level.iter().take(printed).map(|one| one.workflow_command(level)));
        if of_level.len() > printed {
            let more = of_level.len() - printed;
            lines.push(format!(
                "::{level}::{more} more of this level; `discussions check` prints all"
            ));
        }
    }
    lines
}

/// Returns the findings as a code quality report of GitLab.
pub(crate) fn quality_report(all: &[Checked], folder: &Path) -> Vec<QualityFinding> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let finding = |one: Annotation| {
        let key = format!("{}\0{}\0{}", one.path, one.code, one.message);
        let repeated = seen.entry(key.clone()).or_default();
        *repeated += 1;
        QualityFinding {
            description: one.message,
            check_name: one.code,
            fingerprint: fingerprint(&format!("{key}\0{repeated}")),
            severity: match one.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            location: QualityLocation {
                path: one.path,
                lines: QualityLines { begin: one.line.max(1) },
            },
        }
    };
    annotations(all, folder).into_iter().map(finding).collect()
}

/// Returns all findings. A forge counts paths from the root of the repository, a check from the working folder.
fn annotations(all: &[Checked], folder: &Path) -> Vec<Annotation> {
    let root = folder.ancestors().find(|above| above.join(".git").exists());
    let below = root.and_then(|root| folder.strip_prefix(root).ok()).unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for one in all {
        let path = visible_line(&normal_path(&below.join(&one.file)));
        found.extend(one.problems.iter().map(|problem| Annotation {
            severity: problem.severity,
            path: path.clone(),
            line: problem.line,
            column: problem.column,
            code: problem.code.to_string(),
            message: visible_line(&words::help::mended(&problem.message, problem.fix)),
        }));
    }
    found
}

/// Returns the path without `.` and `..`, with `/` between its parts.
fn normal_path(path: &Path) -> String {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal.to_string_lossy().replace('\\', "/")
}

impl Annotation {
    fn workflow_command(&self, level: &str) -> String {
        let mut place = format!(" file={}", escaped_property(&self.path));
        if self.line > 0 {
            place.push_str(&format!(",line={}", self.line));
        }
        if self.line > 0 && self.column > 0 {
            place.push_str(&format!(",col={}", self.column));
        }
        format!("::{level}{place}::{} [{}]", escaped_data(&self.message), self.code)
    }
}

/// Escapes a message. Otherwise a message with a line end could contain a second command.
fn escaped_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property, in which `:` and `,` end the value.
fn escaped_property(text: &str) -> String {
    escaped_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Returns the FNV-1a hash of a text in hexadecimal: it is equal in each version of the program.
fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workflow_command_escapes_what_ends_a_value() {
        let annotation = Annotation {
            severity: Severity::Error,
            path: "a,b:c%.md".to_owned(),
            line: 7,
            column: 1,
            code: "vote-unknown".to_owned(),
            message: "100 %\n::error::forged".to_owned(),
        };
        assert_eq!(
            annotation.workflow_command("error"),
            "::error file=a%2Cb%3Ac%25.md,line=7,col=1::100 %25%0A::error::forged [vote-unknown]"
        );
        let without_place = Annotation { line: 0, column: 0, ..annotation };
        assert!(
            without_place.workflow_command("notice").starts_with("::notice file=a%2Cb%3Ac%25.md::")
        );
    }

    #[test]
    fn paths_count_from_the_root() {
        assert_eq!(normal_path(Path::new("docs/../discussions/./a.md")), "discussions/a.md");
    }

    #[test]
    fn fingerprint_is_fixed() {
        assert_eq!(fingerprint("a"), "af63dc4c8601ec8c");
    }
}
