//! The tools that find something: `search`, `recall` and `list`, with their results.

use std::path::PathBuf;

use discussions::view::{DecisionStatus, visible_line};
use discussions::workspace::Workspace;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::task::block_in_place;

use super::context::ServerContext;
use super::results::{GivenAnswer, clip, error_lines, list as listed};
use super::tools::{ListParams, RecallParams, SearchParams};
use super::words::McpError;
use crate::cli::words::review_day;

/// The maximum length of one text in a list, in characters.
const MAX_ITEM_CHARS: usize = 600;
/// The maximum number of search results and rows.
const MAX_ROWS: usize = 50;

/// A discussion in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolRow {
    pub(super) file: String,
    pub(super) title: String,
    pub(super) status: String,
    /// The first decision in force, or else the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<String>,
    /// The standing of the outcome.
    pub(super) standing: &'static str,
    /// The standing of the outcome, in words, with the decision.
    #[serde(skip)]
    pub(super) summary: String,
    /// The people and participants that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) waits_for: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) updated: Option<String>,
    /// The decisions that people want to look at again by now, with their day.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) due: Vec<String>,
}

/// All discussions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(super) struct Listing {
    /// True if there is no discussion at all, even without a filter.
    #[serde(skip)]
    pub(super) is_empty: bool,
    pub(super) discussions: Vec<ToolRow>,
    /// The total number.
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<McpError>,
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolPlace {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) kind: String,
    /// Of a decision, a proposal or an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<&'static str>,
    /// How it stands and why it was found, in words.
    #[serde(skip)]
    pub(super) words: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) who: Option<String>,
    /// The day, like 2026-11-20.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) day: Option<String>,
    /// Of a recalled decision: `named` if it names one of the files, `read` if its discussion only read one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<&'static str>,
    pub(super) text: String,
}

/// The places, the most relevant first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(super) struct ToolPlaces {
    pub(super) found: Vec<ToolPlace>,
    /// The total number.
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<McpError>,
}

impl GivenAnswer for Listing {
    fn failure(&self) -> Option<&McpError> {
        self.error.as_ref()
    }

    fn page(&self) -> String {
        let mut page = self.error.as_ref().map(error_lines).unwrap_or_default();
        for one in &self.discussions {
            let waits = match one.waits_for.as_slice() {
                [] => String::new(),
                who => format!("; waits for {}", who.join(", ")),
            };
            let row =
                format!("{} {} ({}): {}{waits}", one.status, one.title, one.file, one.summary);
            page.push_str(&format!("- {}\n", visible_line(&row)));
            for due in &one.due {
                page.push_str(&format!("  - {}\n", visible_line(due)));
            }
        }
        if page.is_empty() {
            page.push_str(if self.is_empty {
                "No discussions yet; `discuss` starts one.\n"
            } else {
                "No discussion has that status.\n"
            });
        }
        page + &listed("Notes", &self.notes)
    }
}

impl GivenAnswer for ToolPlaces {
    fn failure(&self) -> Option<&McpError> {
        self.error.as_ref()
    }

    fn page(&self) -> String {
        let mut page = self.error.as_ref().map(error_lines).unwrap_or_default();
        for one in &self.found {
            let who = one.who.as_ref().map_or_else(String::new, |who| format!("{who}: "));
            let facts = std::iter::once(&one.kind).chain(&one.day).chain(&one.words);
            let facts: Vec<&str> = facts.map(String::as_str).collect();
            let place =
                format!("{}:{} [{}] {who}{}", one.file, one.line, facts.join("; "), one.text);
            page.push_str(&format!("- {}\n", visible_line(&place)));
        }
        if page.is_empty() {
            page.push_str("Nothing found.\n");
        }
        page + &listed("Notes", &self.notes)
    }
}

/// The tool `search`.
pub(super) fn search(door: &ServerContext, asked: SearchParams) -> Result<ToolPlaces, McpError> {
    block_in_place(|| {
        let workspace = door.open()?;
        let mut search = workspace.discussions().searching(asked.words);
        search.kind = asked.kind.map(|kind| kind.parse()).transpose().map_err(McpError::input)?;
        search.since = asked
            .since
            .map(|at| workspace.discussions().moment(&at))
            .transpose()
            .map_err(McpError::input)?;
        (search.by, search.limit) = (asked.by, MAX_ROWS);
        let found = workspace.discussions().search(&search)?;
        let mut notes: Vec<String> = found.unreadable.into_iter().map(|one| one.message).collect();
        if found.total == 0 {
            notes.push(
                "all words must occur in one discussion; `recall` also finds similar words"
                    .to_owned(),
            );
        }
        Ok(ToolPlaces {
            total: found.total,
            found: (found.found.into_iter())
                .map(|one| ToolPlace {
                    file: one.file,
                    line: one.line,
                    kind: one.kind.as_str().to_owned(),
                    state: one.state.map(|state| state.as_str()),
                    words: one.state.map(|_| one.words).into_iter().collect(),
                    who: one.author,
                    day: one.at.as_deref().and_then(|at| at.get(..10)).map(str::to_owned),
                    link: None,
                    text: clip(&one.text, MAX_ITEM_CHARS),
                })
                .collect(),
            notes,
            error: None,
        })
    })
}

/// The tool `recall`.
pub(super) fn recall(door: &ServerContext, asked: &RecallParams) -> Result<ToolPlaces, McpError> {
    block_in_place(|| {
        let workspace = door.open()?;
        let since = asked.since.as_deref().map(|at| workspace.discussions().moment(at));
        let since = since.transpose().map_err(McpError::input)?;
        if asked.question.trim().is_empty() && asked.files.is_empty() {
            return Err(McpError::input("give `question`, `files` or both"));
        }
        let files: Vec<PathBuf> = asked.files.iter().map(PathBuf::from).collect();
        let found = workspace.decisions().recall_about(&asked.question, &files, MAX_ROWS, since)?;
        let mut is_linked = false;
        let mut places = Vec::new();
        for one in found {
            let first = one.facts.standing_ones().next();
            let line = first.map_or(1, |stated| stated.line);
            let state = first.map(|stated| stated.state.as_str());
            let mut words = vec![one.facts.words().to_owned()];
            let link = match (one.names_files, one.read_files.as_slice()) {
                (true, _) => {
                    words.push("names a file that you asked about".to_owned());
                    Some("named")
                }
                (false, []) => None,
                (false, read) => {
                    words.push(format!("its discussion read {}", read.join(", ")));
                    Some("read")
                }
            };
            is_linked |= link.is_some();
            places.push(ToolPlace {
                text: clip(&format!("{}: {}", one.title, one.sentence), MAX_ITEM_CHARS),
                file: one.file,
                line,
                kind: if one.facts.in_force { "decision" } else { "answer" }.to_owned(),
                state,
                words,
                who: None,
                day: one.at.get(..10).map(str::to_owned),
                link,
            });
        }
        let mut notes = notes_about_files(door, asked, is_linked);
        if places.is_empty() {
            notes.push(reason_of_nothing(&workspace, asked).to_owned());
        }
        Ok(ToolPlaces { total: places.len(), found: places, notes, error: None })
    })
}

/// Returns what is wrong with the files that the caller asks about, and that no decision is linked to them.
fn notes_about_files(door: &ServerContext, asked: &RecallParams, is_linked: bool) -> Vec<String> {
    let mut notes = Vec::new();
    for name in asked.files.iter().filter(|name| !door.has_file(name)) {
        let shown = visible_line(name);
        notes.push(if name.contains(['*', '?', '[', '{']) {
            format!("{shown} is a pattern; name files or folders")
        } else {
            format!("there is no file {shown}")
        });
    }
    if !asked.files.is_empty() && !is_linked {
        notes.push(
            "no decision names these files, and no discussion with an outcome read them".to_owned(),
        );
    }
    notes
}

/// Returns why nothing was found, and what to try.
fn reason_of_nothing(workspace: &Workspace, asked: &RecallParams) -> &'static str {
    let is_new = workspace.discussions().list(None).is_ok_and(|list| list.discussions.is_empty());
    match (is_new, asked.question.trim().is_empty()) {
        (true, _) => "this project has no discussions yet",
        (false, true) => "give `question` to find decisions by their words",
        (false, false) => "no decision is similar; `search` also finds open discussions, by words",
    }
}

/// The tool `list`.
pub(super) fn list(door: &ServerContext, asked: &ListParams) -> Result<Listing, McpError> {
    block_in_place(|| {
        let workspace = door.open()?;
        let list = workspace.discussions().list(None)?;
        let mut all = list.discussions;
        let is_empty = all.is_empty();
        if let Some(asked) = &asked.status {
            let known = [
                DecisionStatus::Open,
                DecisionStatus::Consensus,
                DecisionStatus::Answered,
                DecisionStatus::Blocked,
                DecisionStatus::Closed,
            ];
            let is_it = |one: &DecisionStatus| one.as_str().eq_ignore_ascii_case(asked);
            let Some(status) = known.into_iter().find(is_it) else {
                let known = known.map(|one| one.as_str()).join(", ");
                return Err(McpError::input(format!("`{asked}` is not a status"))
                    .help(format!("use one of: {known}")));
            };
            all.retain(|one| one.status == status);
        }
        all.sort_by(|one, other| other.updated.cmp(&one.updated));
        // The sort is stable. Rows after the maximum are cut off, so decisions to review come first.
        all.sort_by_key(|one| one.first_due());
        let total = all.len();
        Ok(Listing {
            is_empty,
            total,
            discussions: (all.into_iter().take(MAX_ROWS))
                .map(|one| ToolRow {
                    file: one.file,
                    title: clip(&one.title, MAX_ITEM_CHARS),
                    status: one.status.as_str().to_owned(),
                    summary: clip(&one.decided.summary(), MAX_ITEM_CHARS),
                    standing: one.decided.standing.as_str(),
                    decision: one.decided.decision,
                    waits_for: one.waiting_for,
                    updated: one.updated,
                    due: (one.due.iter())
                        .map(|due| {
                            let day = review_day(&due.review_by, due.days);
                            let what = due.decision.as_deref().unwrap_or("outcome");
                            clip(&format!("{day}: {what}: {}", due.text), MAX_ITEM_CHARS)
                        })
                        .collect(),
                })
                .collect(),
            notes: list.unreadable.into_iter().map(|one| one.message).collect(),
            error: None,
        })
    })
}
