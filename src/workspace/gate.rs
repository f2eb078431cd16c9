//! Findings of `check --git` in the commits themselves: comments under the name of another person, former discussions,
//! a history that is cut off.
//!
//! The configuration, `people:` and `.mailmap` come from the commit that a branch is compared with, never from the
//! branch, because the branch's author could add any name to them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Workspace;
use super::error::WorkspaceError;
use super::history::real;
use super::people::People;
use crate::codes::ProblemCode;
use crate::config::{Config, PeopleConfig, Project};
use crate::engine::Snapshot;
use crate::problem::{Problem, Severity};
use crate::state::{Speaker, is_report};
use crate::store::{
    self, Addition, Commit, CommitIdentity, Document, Earlier, Range, Rewrite, Since, Statement,
};
use crate::transcript::{Accepted, Name, Text, is_agent, visible_line};
use crate::view::{self, Checked};

/// The commits to check, and the settings to trust.
pub(super) struct Gate {
    pub(super) range: Range,
    /// True if only a branch's additions are judged; findings may then be errors and not only warnings.
    is_since: bool,
    people: People,
    /// The folders of discussions now, canonical.
    pub(super) folders: Vec<PathBuf>,
    /// Discussions of the compared commit, below its own folders of discussions and the present ones.
    pub(super) earlier: Vec<Earlier>,
    /// The files with rules that the branch changes, as paths from the top of the work tree.
    changed_rules: Vec<String>,
}

impl Workspace {
    /// Prepares the check of a history; `None` without git or a commit.
    ///
    /// # Errors
    /// Fails if git cannot read a tree.
    pub(super) fn gate(
        &self,
        names: &[PathBuf],
        folder: &Path,
        since: Option<Since<'_>>,
    ) -> Result<Option<Gate>, WorkspaceError> {
        let Some(range) = Range::of(folder, since) else { return Ok(None) };
        let (configured, config) = self.trusted_config(&range);
        let named = |folders: Vec<PathBuf>| match names {
            [] => folders,
            names => names.iter().map(|name| self.setup.cwd.join(name)).collect(),
        };
        let folders: Vec<PathBuf> =
            named(vec![self.output_directory()]).iter().map(|folder| real(folder)).collect();
        let mut both = named(vec![self.earlier_directory(&range, configured.as_deref(), &config)]);
        both = both.iter().map(|folder| real(folder)).chain(folders.clone()).collect();
        let earlier = range.earlier(&both)?;
        let mut listed = config.people.unwrap_or_default();
        for (name, addresses) in self.own_people() {
            listed.entry(name).or_insert(addresses);
        }
        let mailmap = range.trusted_text(".mailmap").unwrap_or_default();
        let people = People::new(&listed, &mailmap);
        let rules = configured.into_iter().chain([".mailmap".to_owned()]);
        let changed_rules = rules.filter(|file| since.is_some() && range.changes(file)).collect();
        Ok(Some(Gate { range, is_since: since.is_some(), people, folders, earlier, changed_rules }))
    }

    /// Returns the nearest `discussions.yaml` of the trusted commit, from the working folder upwards, and its content.
    fn trusted_config(&self, range: &Range) -> (Option<String>, Config) {
        let here = real(&self.setup.cwd);
        let within = here.strip_prefix(range.top()).unwrap_or(Path::new("")).to_owned();
        for folder in within.ancestors() {
            let file = folder.join(Project::FILE).to_string_lossy().into_owned();
            if let Some(text) = range.trusted_text(&file) {
                let config = Config::read(&text, &file).unwrap_or_default();
                return (Some(file), config);
            }
        }
        (None, Config::default())
    }

    /// Returns the folder of discussions in the compared commit.
    fn earlier_directory(
        &self,
        range: &Range,
        configured: Option<&str>,
        config: &Config,
    ) -> PathBuf {
        let base = configured.and_then(|file| range.base_text(file));
        let base = base.and_then(|text| Config::read(&text, "").ok());
        let directory =
            base.map_or_else(|| config.output.directory.clone(), |it| it.output.directory);
        let root = configured.and_then(|file| Path::new(file).parent()).unwrap_or(Path::new(""));
        range.path_of(&root.to_string_lossy()).join(match directory {
            Some(directory) => directory,
            None => self.setup.default_directory(),
        })
    }

    /// Returns `people:` of the user's own configuration, which no branch can change.
    fn own_people(&self) -> PeopleConfig {
        let text = self.setup.user_config().unwrap_or_default();
        Config::read(&text, "").ok().and_then(|config| config.people).unwrap_or_default()
    }

    /// Returns true if a name belongs to a model in a discussion.
    fn is_model(&self, snapshot: Option<&Snapshot>, name: &Name) -> bool {
        match snapshot {
            Some(snapshot) => match snapshot.config.by_name(name) {
                Some(persona) => {
                    !snapshot.config.is_person(&Speaker::Persona(persona.alias.clone()))
                }
                None => is_agent(name) || is_report(name),
            },
            None => is_agent(name) || is_report(name) || self.setup.roster.by_name(name).is_some(),
        }
    }

    fn names_of<'a>(&'a self, snapshot: Option<&'a Snapshot>) -> GateNames<'a> {
        GateNames {
            is_model: Box::new(move |name| self.is_model(snapshot, name)),
            first_phase: snapshot
                .and_then(|snapshot| snapshot.template().phases.first())
                .map(|phase| phase.id.as_str()),
        }
    }

    /// Judges the additions of the commits, file by file.
    ///
    /// # Errors
    /// Fails if git cannot read the history.
    pub(super) fn judge_additions(&self, gate: &Gate) -> Result<GateAdditions, WorkspaceError> {
        let additions = gate.range.additions()?;
        let mut found: BTreeMap<PathBuf, Vec<Problem>> = BTreeMap::new();
        let mut refused = Vec::new();
        let mut snapshots: BTreeMap<String, Option<Snapshot>> = BTreeMap::new();
        for one in &additions.added {
            let path = gate.range.path_of(&one.path);
            if !gate.holds(&path) {
                continue;
            }
            let snapshot =
                snapshots.entry(one.path.clone()).or_insert_with(|| self.snapshot(&path).ok());
            let judgement = gate.judge(one, &self.names_of(snapshot.as_ref()));
            if let (Statement::Accepted(line), false) = (&one.statement, judgement.is_honoured) {
                refused.push(line.clone());
            }
            found.entry(path).or_default().extend(judgement.problem);
        }
        if !gate.is_since {
            for (in_tree, commit) in &additions.replaced {
                let path = gate.range.path_of(in_tree);
                let is_now = self.snapshot(&path).is_ok_and(|now| now.transcript.is_discussion());
                if gate.holds(&path) && !is_now && path.is_file() {
                    let message = format!(
                        "{} replaced this discussion with something else",
                        commit_words(commit)
                    );
                    found.entry(path).or_default().push(Problem::new(
                        Severity::Error,
                        ProblemCode::DiscussionGone,
                        (0, 0),
                        message,
                    ));
                }
            }
        }
        Ok(GateAdditions { problems: found, refused })
    }

    /// Returns notes about the check itself: a history that is cut off, changed rules, receipts that cannot be checked.
    pub(super) fn judge_range(&self, gate: &Gate, has_unknown_receipts: bool) -> Option<Checked> {
        let mut problems = Vec::new();
        if let Some(commit) = gate.range.cut() {
            let message = format!(
                "this clone is shallow: its history begins at commit {}, and older commits were not checked; fetch the \
                 whole history",
                commit.get(..12).unwrap_or(&commit)
            );
            problems.push(Problem::new(
                Severity::Warning,
                ProblemCode::HistoryShallow,
                (0, 0),
                message,
            ));
        }
        for file in &gate.changed_rules {
            let message = format!(
                "this branch changes {}; the check uses the version of the commit it is compared with",
                visible_line(file)
            );
            problems.push(Problem::new(Severity::Note, ProblemCode::RulesChanged, (0, 0), message));
        }
        if has_unknown_receipts {
            let message =
                "this folder has no journal, so the check cannot tell which answers this program recorded"
                    .to_owned();
            problems.push(Problem::new(
                Severity::Note,
                ProblemCode::ReceiptUnknown,
                (0, 0),
                message,
            ));
        }
        (!problems.is_empty()).then(|| Checked {
            file: self.exactly(&self.output_directory()),
            problems: problems.iter().map(view::Problem::from).collect(),
            text: Text::default(),
            diffs: Vec::new(),
            is_discussion: false,
        })
    }

    /// Returns the author that git would record here.
    pub(super) fn git_identity(&self) -> Option<CommitIdentity> {
        store::git_author(&self.setup.cwd)
    }

    /// Judges the staged text by the author that git would record. It only warns, because the commit message, which may
    /// name the author of the words, is not written yet. `renamed` is the file's content under its old name.
    pub(super) fn judge_staged(
        &self,
        gate: &Gate,
        path: &Path,
        text: &str,
        renamed: Option<&str>,
        author: &Option<CommitIdentity>,
    ) -> Vec<Problem> {
        let Some(author) = author else { return Vec::new() };
        let before = store::version_at(path, "HEAD").ok().flatten();
        let before = before.unwrap_or_else(|| renamed.unwrap_or_default().to_owned());
        let snapshot = self.snapshot(path).ok();
        let commit = Rc::new(Commit {
            author: author.clone(),
            committer: author.clone(),
            ..Commit::default()
        });
        let added = store::added(&before, text).into_iter();
        added
            .filter_map(|(line, statement)| {
                let one =
                    Addition { commit: Rc::clone(&commit), path: String::new(), line, statement };
                gate.judge(&one, &self.names_of(snapshot.as_ref())).problem
            })
            .map(|problem| Problem { severity: problem.severity.min(Severity::Warning), ..problem })
            .collect()
    }

    /// Returns true if a rewrite edits only its author's comments that no turn saw and that the compared commit lacks.
    pub(super) fn is_own_edit(&self, gate: Option<&Gate>, rewrite: &Rewrite) -> bool {
        let Some(gate) = gate else { return false };
        let author = match rewrite.commit {
            Some(_) => Some(CommitIdentity::parse(&rewrite.author)),
            None => self.git_identity(),
        };
        author.is_some_and(|author| {
            rewrite.own_edits().is_some_and(|edits| {
                edits
                    .iter()
                    .all(|(name, text)| gate.people.is(name, &author) && !gate.holds_text(text))
            })
        })
    }

    /// Returns the discussions that git has but a sparse checkout leaves out, read from git.
    ///
    /// # Errors
    /// Fails if git cannot read the index.
    pub(super) fn not_checked_out(&self, gate: &Gate) -> Result<Vec<Document>, WorkspaceError> {
        let found = gate.range.left_out(&gate.folders)?;
        Ok(found.into_iter().map(|(path, text)| Document::of_git(path, &text)).collect())
    }

    /// Returns a canonical path spelt like the working folder's path, which may contain a link.
    pub(super) fn as_named(&self, path: &Path) -> PathBuf {
        let named = self.setup.cwd.ancestors().find_map(|folder| {
            let rest = path.strip_prefix(folder.canonicalize().ok()?).ok()?;
            Some(folder.join(rest))
        });
        named.unwrap_or_else(|| path.to_owned())
    }

    /// Adds problems to the result of a file.
    pub(super) fn add_problems(&self, all: &mut Vec<Checked>, path: &Path, problems: &[Problem]) {
        if problems.is_empty() {
            return;
        }
        let file = self.exactly(&self.as_named(path));
        let shown = problems.iter().map(view::Problem::from);
        match all.iter_mut().find(|one| one.file == file) {
            Some(one) => one.problems.extend(shown),
            None => all.push(Checked {
                file,
                problems: shown.collect(),
                text: Text::default(),
                diffs: Vec::new(),
                is_discussion: true,
            }),
        }
    }
}

/// Facts about the names in a discussion.
struct GateNames<'a> {
    is_model: Box<dyn Fn(&Name) -> bool + 'a>,
    /// The first phase of the discussion.
    first_phase: Option<&'a str>,
}

/// The problems with the additions of commits.
pub(super) struct GateAdditions {
    /// The problems by canonical file path.
    pub(super) problems: BTreeMap<PathBuf, Vec<Problem>>,
    /// `ACCEPTED` lines that do not count.
    pub(super) refused: Vec<Accepted>,
}

/// The judgement of one addition.
struct Judgement {
    problem: Option<Problem>,
    /// The line counts, because the person that it names committed it.
    is_honoured: bool,
}

impl Gate {
    /// Returns true if a path is in one of the folders of discussions.
    pub(super) fn holds(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
    }

    /// Returns a note about answers that this folder's journal does not contain.
    pub(super) fn unknown_receipts(&self, count: usize) -> Option<Problem> {
        let what = if count == 1 { "1 answer was" } else { &format!("{count} answers were") };
        let message = format!(
            "{what} not recorded by the program in this folder, but may come from another clone"
        );
        (count > 0)
            .then(|| Problem::new(Severity::Note, ProblemCode::ReceiptUnknown, (0, 0), message))
    }

    /// Returns true if a name belongs to a person, according to the trusted commits.
    fn knows(&self, name: &str) -> bool {
        self.people.know(name, || self.range.authors())
    }

    /// Returns true if the compared commit contains a text in any discussion; the text then no
    /// longer belongs to its author alone.
    pub(super) fn holds_text(&self, text: &str) -> bool {
        self.is_since && self.earlier.iter().any(|one| one.text.contains(text.trim_end()))
    }

    fn judge(&self, one: &Addition, names: &GateNames<'_>) -> Judgement {
        let commit = &one.commit;
        // A known person stays a person, even if a branch adds a persona of that name.
        let is_persona = |name: &str| {
            Name::parse(name).is_ok_and(|parsed| {
                (names.is_model)(&parsed)
                    && !(self.is_since && self.knows(name) && !is_agent(&parsed))
            })
        };
        let other = |name: &str| !self.people.is(name, &commit.author);
        let fine = Judgement { problem: None, is_honoured: true };
        let (name, what, counts) = match &one.statement {
            Statement::Comment { name, has_vote, has_receipt, .. } if is_persona(name.as_str()) => {
                if !has_vote || *has_receipt {
                    return fine;
                }
                // An agent votes through a tool, which records no receipt.
                let is_agent = Name::parse(name.as_str()).is_ok_and(|name| is_agent(&name));
                let severity =
                    if self.is_since && !is_agent { Severity::Error } else { Severity::Warning };
                let message = format!(
                    "{} adds a vote of {} without a receipt; the program records one with every answer of a model",
                    self.describe_commit(commit),
                    visible_line(name.as_str()),
                );
                let problem =
                    Problem::new(severity, ProblemCode::ReceiptMissing, (one.line, 1), message);
                return Judgement { problem: Some(problem), is_honoured: true };
            }
            Statement::Comment { name, has_vote, withdraws, .. } => {
                let what = match (has_vote, withdraws) {
                    (true, _) => "a vote",
                    (false, true) => "a withdrawal",
                    (false, false) => "a comment",
                };
                (name.to_string(), what, *has_vote || *withdraws)
            }
            Statement::Status { by } => (by.clone(), "a `STATUS` line", true),
            // The runner repeats a ballot under the name of the person who commented on it.
            Statement::Phase { id, before, has_spoken: true, .. }
                if before.as_deref().or(names.first_phase) == Some(id.as_str()) =>
            {
                return fine;
            }
            Statement::Phase { by, .. } => (by.clone(), "a `PHASE` line", true),
            Statement::Accepted(Accepted { by: None, .. }) => {
                return Judgement { problem: None, is_honoured: false };
            }
            Statement::Accepted(line) => {
                let by = line.by.clone().unwrap_or_default();
                if !other(&by) {
                    let of = line.of.as_deref().filter(|of| !is_persona(of) && other(of));
                    let problem = of.map(|of| {
                        let message = format!(
                            "{} accepts a change to what {} wrote",
                            self.describe_commit(commit),
                            visible_line(of)
                        );
                        Problem::new(
                            Severity::Warning,
                            ProblemCode::ChangeAccepted,
                            (one.line, 1),
                            message,
                        )
                    });
                    return Judgement { problem, is_honoured: true };
                }
                (by, "an `ACCEPTED` line", true)
            }
            Statement::VoteReset { lost } => {
                let lost: Vec<&String> = lost.iter().filter(|name| other(name)).collect();
                let known = lost.iter().any(|name| self.knows(name));
                let severity =
                    if self.is_since && known { Severity::Error } else { Severity::Warning };
                let names: Vec<String> = lost.iter().map(|name| visible_line(name)).collect();
                let votes = match &names[..] {
                    [] => "no vote of others".to_owned(),
                    names => format!("the votes of {}", names.join(", ")),
                };
                let message = format!(
                    "{} resets the votes without a `PHASE` line above it, which drops {votes}",
                    self.describe_commit(commit)
                );
                let problem =
                    Problem::new(severity, ProblemCode::VotesReset, (one.line, 1), message);
                return Judgement { problem: Some(problem), is_honoured: true };
            }
        };
        // Only a person can accept a change, because any author could write under a model's name.
        let agrees_as_model = is_persona(&name) && matches!(one.statement, Statement::Accepted(_));
        if !agrees_as_model && (is_persona(&name) || !other(&name)) {
            return fine;
        }
        let is_vouched = !agrees_as_model && self.people.vouches(commit, &name);
        let severity = match (is_vouched, counts && self.is_since && self.knows(&name)) {
            (true, _) => Severity::Note,
            (false, true) => Severity::Error,
            (false, false) => Severity::Warning,
        };
        let who = visible_line(&name);
        let message = if is_vouched {
            format!("{} records {what} of {who}, as its message says", self.describe_commit(commit))
        } else {
            format!(
                "{} adds {what} in the name of {who}; if {who} agreed, add `Recorded-for: {who}` to the commit \
                 message; if they are one person, add `people: {{{who}: [{}]}}` to discussions.yaml",
                self.describe_commit(commit),
                visible_line(&commit.author.email),
            )
        };
        let problem = Problem::new(severity, ProblemCode::AuthorDiffers, (one.line, 1), message);
        Judgement { problem: Some(problem), is_honoured: is_vouched }
    }

    /// Describes a commit, with its signature if git can verify it.
    fn describe_commit(&self, commit: &Commit) -> String {
        let signed = self.range.signature(commit);
        let signed = signed.map(|it| format!(", signed by {}", visible_line(&it.signer)));
        format!("{}{}", commit_words(commit), signed.unwrap_or_default())
    }
}

/// Describes a commit on one line, with its untrusted parts made harmless.
fn commit_words(commit: &Commit) -> String {
    let author = &commit.author;
    let committer = if commit.committer == *author {
        String::new()
    } else {
        format!(", committed by {}", visible_line(&commit.committer.name))
    };
    if commit.short().is_empty() {
        let (name, email) = (visible_line(&author.name), visible_line(&author.email));
        return format!("the staged change by {name} <{email}>");
    }
    format!(
        "commit {} by {} <{}>{committer} ({})",
        commit.short(),
        visible_line(&author.name),
        visible_line(&author.email),
        visible_line(commit.subject()),
    )
}
