//! The numbered items of a discussion: questions, tasks, decisions and concerns.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Map;

use super::kind::ItemKind;
use crate::codes::words;
use crate::transcript::{Alias, Name};

words! {
    /// The status of an item.
    pub enum ItemStatus {
        /// It waits for somebody.
        Open = "open",
        /// A question that an `A:` line answered.
        Answered = "answered",
        /// A task that somebody has taken.
        Assigned = "assigned",
        /// A task that is done.
        Done = "done",
        /// A concern that a `SETTLED:` closed.
        Settled = "settled",
    }
}

/// A numbered item.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The kind.
    #[serde(skip)]
    pub kind: ItemKind,
    /// Counted in file order from 1, for each kind.
    pub number: u32,
    /// The text, in one line.
    pub text: String,
    /// The author's name.
    #[schemars(with = "String")]
    pub author: Name,
    /// The participant or person that does a task, as written; null if it is not assigned. Other items have no assignee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// The status.
    pub status: ItemStatus,
    /// Line in the file, from 1.
    pub line: usize,
    /// The number of times it was written in the same words while open; all have the first one's number.
    #[serde(skip_serializing_if = "is_default")]
    pub raised: u32,
    /// The state of a decision, in words. Its `status` only says whether it may still become one.
    #[serde(skip)]
    pub(crate) words: Option<String>,
    /// Models that a question addresses.
    #[serde(skip)]
    pub(crate) models: Vec<Alias>,
    /// People that a question addresses, known or not, as they are mentioned.
    #[serde(skip)]
    pub(crate) people: Vec<String>,
    /// True if a task's checkbox is ticked in the file; the task is then done, whatever later lines say.
    #[serde(skip)]
    pub(crate) ticked: bool,
    /// The handle of the author, in lower case.
    #[serde(skip)]
    pub(super) asker: String,
    /// Index of the comment in the transcript's entries.
    #[serde(skip)]
    pub(super) entry: usize,
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("number", &self.number)?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("author", &self.author)?;
        if self.kind == ItemKind::Task {
            map.serialize_entry("assignee", &self.assignee)?;
        }
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("line", &self.line)?;
        if self.raised > 1 {
            map.serialize_entry("raised", &self.raised)?;
        }
        map.end()
    }
}

impl Item {
    /// Creates an open item.
    pub(crate) fn new(
        kind: ItemKind,
        number: u32,
        text: impl Into<String>,
        author: Name,
        line: usize,
    ) -> Self {
        Self {
            kind,
            number,
            text: text.into(),
            author,
            assignee: None,
            status: ItemStatus::Open,
            line,
            raised: 1,
            words: None,
            models: Vec::new(),
            people: Vec::new(),
            ticked: false,
            asker: String::new(),
            entry: 0,
        }
    }

    /// Returns the number as it is written: `Q3`.
    pub fn label(&self) -> String {
        format!("{}{}", self.kind.letter(), self.number)
    }

    /// Returns true if it waits for somebody.
    pub fn is_open(&self) -> bool {
        matches!(self.status, ItemStatus::Open | ItemStatus::Assigned)
    }

    /// Returns the status in words: `open`, or for a decision `replaced by D2`.
    pub fn words(&self) -> &str {
        self.words.as_deref().unwrap_or(self.status.as_str())
    }

    /// Returns `, raised 3 times` for an item that was raised more than once, otherwise nothing.
    pub fn raised_words(&self) -> String {
        if self.raised > 1 { format!(", raised {} times", self.raised) } else { String::new() }
    }

    /// Returns true if it is a question that waits for a person.
    pub fn waits_for_people(&self) -> bool {
        self.is_open() && !self.people.is_empty()
    }
}

/// The items of a discussion, by kind and number. In JSON, each kind is a list with its own name; the decisions are part
/// of another document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Items(Vec<Item>);

impl Items {
    /// Adds the items of other kinds, or of the same ones with higher numbers.
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = Item>) {
        self.0.extend(items);
        self.0.sort_by_key(|item| item.kind);
    }

    /// Returns the items of a kind, in file order.
    pub fn of(&self, kind: ItemKind) -> &[Item] {
        let start = self.0.partition_point(|item| item.kind < kind);
        let end = self.0.partition_point(|item| item.kind <= kind);
        &self.0[start..end]
    }

    /// Returns the lists of the kinds without rules of their own, each with its title.
    pub fn plain(&self) -> impl Iterator<Item = (&'static str, &[Item])> {
        ItemKind::plain().map(|kind| (kind.title(), self.of(kind)))
    }

    /// Returns the lists of all kinds.
    pub fn lists(&self) -> impl Iterator<Item = (ItemKind, &[Item])> {
        ItemKind::ALL.iter().map(|kind| (*kind, self.of(*kind)))
    }

    /// Returns all items, kind by kind.
    pub fn iter(&self) -> impl Iterator<Item = &Item> {
        self.0.iter()
    }

    /// Returns the kinds that are lists of the JSON document.
    fn listed() -> impl Iterator<Item = ItemKind> {
        ItemKind::ALL.iter().copied().filter(|kind| *kind != ItemKind::Decision)
    }
}

impl Serialize for Items {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lists = serializer.serialize_map(None)?;
        for kind in Self::listed() {
            lists.serialize_entry(kind.plural(), self.of(kind))?;
        }
        lists.end()
    }
}

impl JsonSchema for Items {
    fn schema_name() -> Cow<'static, str> {
        "Items".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (mut lists, mut required) = (Map::new(), Vec::new());
        for kind in Self::listed() {
            let mut list = generator.subschema_for::<Vec<Item>>();
            list.insert(
                "description".to_owned(),
                format!("The {}, in file order.", kind.plural()).into(),
            );
            lists.insert(kind.plural().to_owned(), list.to_value());
            required.push(kind.plural());
        }
        json_schema!({ "type": "object", "properties": lists, "required": required })
    }
}
