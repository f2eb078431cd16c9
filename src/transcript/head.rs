//! The `DISCUSSION` head: the settings that results depend on, fixed when the discussion was created.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::entry::Time;
use super::fields::json_string;
use super::line::{Lines, SourceLine, is_blank, is_rule, trim_end};
use super::name::{Alias, Name};
use super::nesting::{Depth, Nesting};
use crate::codes::ProblemCode;
use crate::invisible::visible_line;
use crate::problem::{Problem, Severity};

/// The settings in the head, in the order in which they are written. JSON output has these fields
/// too. All are optional: the configuration supplies missing ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Head {
    /// The version of the file's format, if it is not the first. Older programs would count this
    /// file wrongly, so they do not write to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<u32>,
    /// Id of the template.
    pub template: Option<String>,
    /// When the discussion was created, RFC 3339.
    pub created: Option<String>,
    /// Voting personas, in order.
    pub participants: Option<Vec<Alias>>,
    /// Personas that speak but do not vote.
    #[serde(default)]
    pub background: Vec<Alias>,
    /// Participants that are coding agents. They write their own answers, and no run calls a model
    /// for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Alias>,
    /// Participants that are people; the discussion waits for them even if a persona has this alias.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<Alias>,
    /// Display names of personas that do not come with the program, by alias. They are in the head
    /// so that every machine knows them.
    #[serde(default)]
    pub names: BTreeMap<Alias, Name>,
    /// Role to aliases.
    #[serde(default)]
    pub roles: BTreeMap<String, Vec<Alias>>,
    /// Values of the template's parameters.
    #[serde(default)]
    pub parameters: Map<String, Value>,
    /// The consensus rules that were set.
    #[serde(default)]
    pub consensus: Map<String, Value>,
    /// Vote weights of personas; absent is 1.
    #[serde(default)]
    pub weights: BTreeMap<String, f64>,
    /// Provider by persona, for calls only; results do not depend on it.
    #[serde(default)]
    pub providers: BTreeMap<String, String>,
    /// The limits of the whole discussion, for calls only.
    #[serde(default)]
    pub limits: HeadLimits,
    /// The day until which people should decide, such as `2027-06-01`. Results do not depend on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decide_by: Option<String>,
    /// A label of the program that asked, such as the id of its session. Results do not depend on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The files of a reviewed change that the reviewers did not see. A review of such a change has no positive verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_shown: Vec<UnshownFile>,
    /// The rules for sub-discussions.
    pub nesting: Option<Nesting>,
    /// The parent's file, as a path relative to this file's folder.
    pub parent: Option<String>,
    /// The parent's turn that asked for this sub-discussion.
    pub turn: Option<u32>,
    /// The participant that asked for this sub-discussion.
    pub by: Option<Alias>,
    /// The number of discussions above this sub-discussion; absent means none.
    pub depth: Option<Depth>,
    /// The deadline of this sub-discussion, RFC 3339.
    #[schemars(with = "Option<String>")]
    pub until: Option<Time>,
}

/// The limits that were set for a whole discussion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename_all = "camelCase")]
pub struct HeadLimits {
    /// US dollars, 0 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_usd: Option<f64>,
    /// Model calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_calls: Option<u32>,
    /// The time of all turns together, such as `10m`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<String>,
}

impl HeadLimits {
    /// Returns these limits, with missing ones taken from `others`.
    #[must_use]
    pub fn or(self, others: &Self) -> Self {
        Self {
            max_usd: self.max_usd.or(others.max_usd),
            max_calls: self.max_calls.or(others.max_calls),
            timeout: self.timeout.or_else(|| others.timeout.clone()),
        }
    }
}

/// A file of a change that is missing in the material of a discussion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnshownFile {
    /// Its path, as git writes it.
    pub file: String,
    /// The reason.
    pub reason: UnshownReason,
}

/// The reason why reviewers did not see the change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnshownReason {
    /// Its content is not UTF-8 text, or contains a NUL byte.
    NotText,
    /// Its changes do not fit into the material of a discussion.
    TooLarge,
    /// It is a submodule: the change names only another commit.
    Submodule,
    /// It is in Git LFS: the change names only a hash.
    Lfs,
}

impl UnshownReason {
    /// Returns the reason in words, to put behind the name of the file.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::NotText => "not UTF-8 text",
            Self::TooLarge => "too large",
            Self::Submodule => "a submodule",
            Self::Lfs => "in Git LFS",
        }
    }
}

impl fmt::Display for UnshownFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", visible_line(&self.file), self.reason.in_words())
    }
}

/// The position of the head in a text.
pub(super) struct FoundHead {
    pub(super) head: Option<Head>,
    /// After the head: the offset where the preamble begins, and the number of that line.
    pub(super) end: usize,
    pub(super) next_line: usize,
    /// The start of a last line without LF that would close the head if an LF followed.
    pub(super) cut: Option<usize>,
    pub(super) problems: Vec<Problem>,
}

/// Finds and parses the head. It begins on the first line after a BOM, blank lines or YAML front matter, and ends at
/// a line `-->` that comes before any blank line or rule.
pub(super) fn find(text: &str) -> FoundHead {
    let bom = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let none = |problems| FoundHead { head: None, end: bom, next_line: 1, cut: None, problems };
    let mut lines = Lines::from(text, bom, 1);
    let Some(opener) = opening_line(&mut lines) else { return none(Vec::new()) };
    let mut yaml_end = None;
    let mut closing = None;
    for line in lines {
        if trim_end(line.text) == "-->" {
            closing = Some(line);
            break;
        }
        if is_blank(line.text) || is_rule(line.text) {
            break;
        }
        yaml_end = Some(line.next);
    }
    let cut = closing.filter(|line| !line.terminated).map(|line| line.start);
    let Some(closing) = closing.filter(|line| line.terminated) else {
        let unclosed = Problem::new(
            Severity::Error,
            ProblemCode::HeadUnclosed,
            (opener.number, 1),
            "the DISCUSSION head is not closed: end it with a line `-->` before any blank line or rule",
        );
        return FoundHead { cut, ..none(vec![unclosed]) };
    };
    let yaml = &text[opener.next..yaml_end.unwrap_or(opener.next)];
    let (head, mut problems) = read(yaml, opener.number + 1);
    let known =
        head.as_ref().map_or_else(|| stated_format(yaml), |head| head.format.map(u64::from));
    if let Some(format) = known.filter(|format| *format > u64::from(Head::FORMAT)) {
        problems.push(Problem::new(
            Severity::Warning,
            ProblemCode::FormatNewer,
            (opener.number, 1),
            format!(
                "this file needs format {format}, but this program only knows {}: its results for this file may be wrong, \
                 and it does not write to the file; update the program",
                Head::FORMAT
            ),
        ));
    }
    FoundHead { head, end: closing.next, next_line: closing.number + 1, cut: None, problems }
}

/// Returns the `<!-- DISCUSSION` line, if only blank lines or front matter come before it.
fn opening_line<'t>(lines: &mut Lines<'t>) -> Option<SourceLine<'t>> {
    let is_head =
        |line: &SourceLine<'_>| line.terminated && trim_end(line.text) == "<!-- DISCUSSION";
    let first = lines.find(|line| !is_blank(line.text))?;
    if is_head(&first) {
        return Some(first);
    }
    if first.text != "---" {
        return None;
    }
    // A `---` line above a `Name:` line begins a comment, not front matter.
    let opens = lines
        .clone()
        .find(|line| !is_blank(line.text))
        .is_some_and(|line| line.text.starts_with("Name: "));
    if opens {
        return None;
    }
    let mut front = lines.clone().take(500);
    let end = front.find(|line| line.text == "---" || line.text == "...")?;
    let head = lines.find(|line| line.start > end.start && !is_blank(line.text))?;
    is_head(&head).then_some(head)
}

fn read(yaml: &str, first_line: usize) -> (Option<Head>, Vec<Problem>) {
    if is_blank(yaml.trim()) {
        return (Some(Head::default()), Vec::new());
    }
    let mut problems = Vec::new();
    // Optimization: parse the head as a map only if a line may begin with an unknown key. Most
    // heads have none.
    let is_known = |line: &str| {
        let key = line.split(':').next().unwrap_or_default();
        line.is_empty() || line.starts_with([' ', '#', '-']) || Head::knows(key)
    };
    let map = if yaml.lines().all(is_known) {
        Ok(BTreeMap::new())
    } else {
        crate::yaml::read_at::<BTreeMap<String, Value>>(yaml, "", first_line)
    };
    match map {
        Ok(map) => {
            for key in map.keys().filter(|key| !Head::knows(key)) {
                let line = yaml.lines().position(|line| line.starts_with(key.as_str()));
                problems.push(Problem::new(
                    Severity::Warning,
                    ProblemCode::HeadUnknownKey,
                    (first_line + line.unwrap_or(0), 1),
                    format!("unknown key `{key}` in the head; it is ignored"),
                ));
            }
        }
        Err(_) => { /* the typed reading below reports it */ }
    }
    match crate::yaml::read_at::<Head>(yaml, "", first_line) {
        Ok(head) => (Some(head), problems),
        Err(error) => {
            problems.push(Problem::new(
                Severity::Error,
                ProblemCode::HeadInvalid,
                (error.line, error.column),
                format!("the head cannot be read and is ignored: {}", error.message),
            ));
            (None, problems)
        }
    }
}

impl Head {
    /// The newest version of the format that this program writes. Increase it when a new control
    /// line changes how votes, questions, tasks or decisions are counted.
    pub const FORMAT: u32 = 1;

    /// Returns the version of the format that a document needs, if it is newer than this program's.
    ///
    /// The version is found in every closed head, even if the rest of the head cannot be parsed, because a newer
    /// version may have keys with values that this program refuses.
    pub fn newer_format(text: &str) -> Option<u64> {
        let found = find(text);
        let known = match &found.head {
            Some(head) => head.format.map(u64::from),
            None => text.get(..found.end).and_then(stated_format),
        };
        known.filter(|format| *format > u64::from(Self::FORMAT))
    }

    /// Returns true if a head can have this key.
    pub(super) fn knows(key: &str) -> bool {
        // Give each optional key a value, because serialization omits empty ones.
        static KEYS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
            let one: Vec<Alias> = Alias::parse("a").into_iter().collect();
            let (format, decide_by) = (Some(Head::FORMAT), Some(String::new()));
            let (file, reason) = (String::new(), UnshownReason::NotText);
            let not_shown = vec![UnshownFile { file, reason }];
            let head = Head { agents: one.clone(), people: one, format, ..Head::default() };
            Head { decide_by, not_shown, ..head }.fields()
        });
        KEYS.contains_key(key)
    }

    /// Returns every key with its value, in the order in which they are written.
    fn fields(&self) -> Map<String, Value> {
        let Ok(Value::Object(mut fields)) = serde_json::to_value(self) else { return Map::new() };
        let weights = fields.get_mut("weights").and_then(Value::as_object_mut);
        weights.into_iter().flatten().for_each(|(_, weight)| plain(weight));
        fields
    }

    /// Returns the head of a document, if it has a valid one; faster than parsing the whole document.
    pub fn find(text: &str) -> Option<Self> {
        find(text).head
    }

    /// Returns the head as text with an LF at the end. Values are JSON on one line, so that nothing in them can close
    /// the head.
    pub fn render(&self) -> String {
        let mut out = String::from("<!-- DISCUSSION\n");
        for (key, value) in self.fields().iter().filter(|(key, value)| !is_unset(key, value)) {
            out.push_str(&format!("{key}: {}\n", flow(value)));
        }
        out.push_str("-->\n");
        out
    }
}

/// Returns the number after `format:` in a head that cannot be parsed.
fn stated_format(head: &str) -> Option<u64> {
    head.lines().find_map(|line| line.strip_prefix("format:")?.trim().parse().ok())
}

/// Returns true if a key is omitted because it has no value. An empty list of participants is
/// written, because it differs from a missing list.
fn is_unset(key: &str, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty() && key != "participants",
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// Writes a whole weight without a decimal point.
fn plain(weight: &mut Value) {
    if let Ok(whole) = weight.as_f64().unwrap_or(f64::NAN).to_string().parse::<i64>() {
        *weight = whole.into();
    }
}

fn mapping<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> String {
    let pairs: Vec<String> =
        pairs.map(|(key, value)| format!("{}: {value}", scalar(key))).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// Writes a YAML scalar: bare if every YAML version reads it back as this string, otherwise as a JSON string.
fn scalar(text: &str) -> String {
    if is_bare(text) { text.to_owned() } else { json_string(text) }
}

/// Returns true if YAML reads a text without quotes as this string.
pub(super) fn is_bare(text: &str) -> bool {
    let mut bytes = text.bytes();
    let plain = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || b"_.-/".contains(&b));
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let word = words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let stamp = text.len() == 20
        && text.ends_with('Z')
        && text.as_bytes()[4] == b'-'
        && text.bytes().all(|b| b.is_ascii_digit() || b"-:TZ".contains(&b));
    (plain && !word) || stamp || is_day(text)
}

/// Returns true for a day such as `2027-06-01`.
fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, b)| match at {
            4 | 7 => b == b'-',
            _ => b.is_ascii_digit(),
        })
}

fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", "))
        }
        Value::Object(map) => mapping(map.iter().map(|(key, value)| (key.as_str(), flow(value)))),
        other => other.to_string(),
    }
}
