//! A YAML document as a tree of values with their places, and the reasons why a value does not fit the type that is read
//! from it.
//!
//! The YAML parser is generic over the type that it reads. Reading each type of the project with it took a sixth of the
//! compiled code, so it reads only this tree, and serde reads all types from the tree.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{self, Deserializer, Expected, MapAccess, SeqAccess, Unexpected, Visitor};

use super::suggestion;

/// The line and the column in characters, both counted from 1.
pub(super) type NodePlace = (usize, usize);

/// A value of the tree.
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// Where the value is; `None` in a tree that was read without places.
    pub(super) span: Option<NodeSpan>,
}

/// Where a value is in the text.
pub(super) struct NodeSpan {
    /// The place of the value; for an alias, that of the alias.
    pub(super) place: NodePlace,
    /// The bytes of the value in the text; for an alias, those of the original value.
    pub(super) bytes: Range<usize>,
}

/// A node without places. The YAML parser needs several times as long for values with places.
pub(super) struct PlacelessNode(pub(super) Node);

/// The content of a value. Numbers and booleans are values that were written without quotes.
pub(super) enum NodeKind {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    /// The entries in the order of the text. The parser has refused keys that are given twice.
    Map(Vec<(Node, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = serde_yaml::Spanned::<NodeWithPlaces>::deserialize(deserializer)?;
        let number = |number: u64| usize::try_from(number).unwrap_or(0);
        let (at, span) = (read.referenced, read.defined.span());
        let start = span.byte_offset().map_or(0, number);
        let end = start.saturating_add(span.byte_len().map_or(0, number));
        let place = (number(at.line()), number(at.column()));
        let NodeWithPlaces(kind) = read.value;
        Ok(Self { kind, span: Some(NodeSpan { place, bytes: start..end }) })
    }
}

/// A value with inner values that have places.
struct NodeWithPlaces(NodeKind);

impl<'de> Deserialize<'de> for NodeWithPlaces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor::<Node>(PhantomData)).map(Self)
    }
}

impl<'de> Deserialize<'de> for PlacelessNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let kind = deserializer.deserialize_any(NodeVisitor::<Self>(PhantomData))?;
        Ok(Self(Node { kind, span: None }))
    }
}

impl From<PlacelessNode> for Node {
    fn from(PlacelessNode(node): PlacelessNode) -> Self {
        node
    }
}

/// Reads a value, and its inner values as `N`.
struct NodeVisitor<N>(PhantomData<N>);

impl<'de, N: Deserialize<'de> + Into<Node>> Visitor<'de> for NodeVisitor<N> {
    type Value = NodeKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<NodeKind, E> {
        Ok(NodeKind::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<NodeKind, E> {
        Ok(NodeKind::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<NodeKind, E> {
        Ok(NodeKind::Signed(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<NodeKind, E> {
        Ok(NodeKind::Unsigned(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<NodeKind, E> {
        Ok(NodeKind::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<NodeKind, E> {
        Ok(NodeKind::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<NodeKind, E> {
        Ok(NodeKind::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<NodeKind, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<N>()? {
            list.push(item.into());
        }
        Ok(NodeKind::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<NodeKind, A::Error> {
        let mut map = Vec::new();
        while let Some((key, value)) = entries.next_entry::<N, N>()? {
            map.push((key.into(), value.into()));
        }
        Ok(NodeKind::Map(map))
    }
}

/// A value that does not fit its type.
#[derive(Debug)]
pub(super) struct Misfit {
    /// The place of the innermost value that did not fit; `None` until it is known.
    pub(super) place: Option<NodePlace>,
    kind: MisfitKind,
}

#[derive(Debug)]
enum MisfitKind {
    UnknownKey {
        key: String,
        known: &'static [&'static str],
    },
    UnknownValue {
        value: String,
        known: &'static [&'static str],
    },
    MissingKey(&'static str),
    /// The name of what was expected, in words.
    Expected(&'static str),
    Other(String),
}

impl Misfit {
    /// Returns the error for a value of the wrong kind; `what` says in words what was expected.
    pub(super) fn expected(what: &'static str) -> Self {
        MisfitKind::Expected(what).into()
    }

    /// Adds a place, unless a value further inside has set one.
    pub(super) fn at(self, place: Option<NodePlace>) -> Self {
        Self { place: self.place.or(place), ..self }
    }

    /// Returns the message for users, and its hint.
    pub(super) fn explain(self) -> (String, Option<String>) {
        match self.kind {
            MisfitKind::UnknownKey { key, known } => {
                (format!("unknown key `{key}`"), suggestion(&key, known, "keys"))
            }
            MisfitKind::UnknownValue { value, known } => {
                (format!("unknown value `{value}`"), suggestion(&value, known, "values"))
            }
            MisfitKind::MissingKey(key) => (format!("the key `{key}` is missing"), None),
            MisfitKind::Expected(what) => (format!("expected {what}"), None),
            MisfitKind::Other(message) => (message, None),
        }
    }
}

impl From<MisfitKind> for Misfit {
    fn from(kind: MisfitKind) -> Self {
        Self { place: None, kind }
    }
}

impl de::Error for Misfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        MisfitKind::Other(message.to_string()).into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        MisfitKind::Other(format!("expected {expected}, found {found}")).into()
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(value: &str, known: &'static [&'static str]) -> Self {
        MisfitKind::UnknownValue { value: value.to_owned(), known }.into()
    }

    fn unknown_field(key: &str, known: &'static [&'static str]) -> Self {
        MisfitKind::UnknownKey { key: key.to_owned(), known }.into()
    }

    fn missing_field(key: &'static str) -> Self {
        MisfitKind::MissingKey(key).into()
    }
}

/// Serde shows this text only inside of other errors, such as that of a value that may have several types.
impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MisfitKind::UnknownKey { key, .. } => write!(f, "unknown key `{key}`"),
            MisfitKind::UnknownValue { value, .. } => write!(f, "unknown value `{value}`"),
            MisfitKind::MissingKey(key) => write!(f, "the key `{key}` is missing"),
            MisfitKind::Expected(what) => write!(f, "expected {what}"),
            MisfitKind::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Misfit {}
