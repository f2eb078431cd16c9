//! The format of a program's output, as its definition describes it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A description of a program's output: the places of the answer and of the facts about it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "RawShape")]
pub struct OutputShape {
    /// The format of the whole output.
    pub format: Format,
    /// The place of the answer's text.
    pub text: Pointer,
    /// The condition for records with answer text: each of these pointers must hold this text.
    pub select: BTreeMap<Pointer, String>,
    /// The choice of the answer if there are several texts.
    pub pieces: OutputPieces,
    /// The condition for complete output: one record holds all of these. Empty if no record marks the end.
    pub end: BTreeMap<Pointer, String>,
    /// The sign that the answer reached its maximum length: a record holds all of these. Anything that the program does
    /// afterwards is unwanted. Empty if no record reports it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub cut: BTreeMap<Pointer, String>,
    /// The place of a piece of the answer while it is being written. If absent, whole texts are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<Pointer>,
    /// The place of a failure: a text, an object with a `message`, or `true`.
    pub error: Option<Pointer>,
    /// The place of the reason for a failure that is only `true` and has no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Pointer>,
    /// The places of the token counts.
    pub usage: UsagePointers,
    /// The place of the call's price in US dollars.
    pub usd: Option<Pointer>,
    /// The place of the model's name: a text, or an object with the name as its first key.
    pub model: Option<Pointer>,
}

/// The format of a program's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// The bare answer.
    #[default]
    Text,
    /// One JSON document.
    Json,
    /// One JSON document per line.
    Jsonl,
}

/// The choice of the texts of JSON lines that make the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputPieces {
    /// The last text: earlier ones are intermediate thoughts.
    #[default]
    Last,
    /// All texts, joined: the answer is streamed.
    Joined,
}

/// The places of the token counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UsagePointers {
    /// All input tokens, cached ones included.
    #[serde(default)]
    pub input: OutputSum,
    /// The input tokens that came from the cache.
    #[serde(default)]
    pub cached: OutputSum,
    /// The output tokens.
    #[serde(default)]
    pub output: OutputSum,
}

/// One pointer, or several; their numbers are added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "OneOrMore")]
pub struct OutputSum(pub Vec<Pointer>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(Pointer),
    More(Vec<Pointer>),
}

impl From<OneOrMore> for OutputSum {
    fn from(written: OneOrMore) -> Self {
        match written {
            OneOrMore::One(pointer) => Self(vec![pointer]),
            OneOrMore::More(pointers) => Self(pointers),
        }
    }
}

/// A JSON pointer such as `/usage/input_tokens`; the empty one is the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pointer(String);

impl Pointer {
    /// Returns the value at this place of `document`, if it exists.
    pub(crate) fn find<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        document.pointer(&self.0)
    }
}

impl TryFrom<String> for Pointer {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.is_empty() || text.starts_with('/') {
            return Ok(Self(text));
        }
        Err(format!("`{text}` is not a JSON pointer; write it like `/result/text`"))
    }
}

impl From<Pointer> for String {
    fn from(pointer: Pointer) -> Self {
        pointer.0
    }
}

/// The keys as users write them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawShape {
    format: Format,
    text: Option<Pointer>,
    #[serde(default)]
    select: BTreeMap<Pointer, String>,
    #[serde(default)]
    pieces: OutputPieces,
    #[serde(default)]
    end: BTreeMap<Pointer, String>,
    #[serde(default)]
    cut: BTreeMap<Pointer, String>,
    piece: Option<Pointer>,
    error: Option<Pointer>,
    reason: Option<Pointer>,
    #[serde(default)]
    usage: UsagePointers,
    usd: Option<Pointer>,
    model: Option<Pointer>,
}

impl TryFrom<RawShape> for OutputShape {
    type Error = String;

    fn try_from(written: RawShape) -> Result<Self, String> {
        let text = match (written.format, written.text) {
            (Format::Text, None) => Pointer::default(),
            (Format::Text, Some(_)) => {
                return Err("`text` needs `format: json` or `format: jsonl`".to_owned());
            }
            (_, Some(pointer)) => pointer,
            (_, None) => {
                return Err("`output` needs `text`, a JSON pointer to the answer".to_owned());
            }
        };
        Ok(Self {
            format: written.format,
            text,
            select: written.select,
            pieces: written.pieces,
            end: written.end,
            cut: written.cut,
            piece: written.piece,
            error: written.error,
            reason: written.reason,
            usage: written.usage,
            usd: written.usd,
            model: written.model,
        })
    }
}
