//! The announced form of a program's output.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How to find the answer, and what is told about it, in what a program prints.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "Written")]
pub struct OutputShape {
    /// What the output as a whole is.
    pub format: Format,
    /// The answer's text.
    pub text: Pointer,
    /// Only records in which each of these pointers holds this text have answer text.
    pub select: BTreeMap<Pointer, String>,
    /// Which of several texts is the answer.
    pub pieces: Pieces,
    /// The output is whole only if some record holds all of these; empty when nothing tells.
    pub end: BTreeMap<Pointer, String>,
    /// A record that holds all of these says that the answer got as long as it may: what the program does then is
    /// something nobody asked for. Empty when nothing tells.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub cut: BTreeMap<Pointer, String>,
    /// Where a piece of the answer stands while it is written; whole texts are told where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<Pointer>,
    /// Where a failure is told: a text, an object with a `message`, or `true`.
    pub error: Option<Pointer>,
    /// Where the reason of a failure stands that is told by `true` and has no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Pointer>,
    /// Tokens.
    pub usage: UsagePointers,
    /// Price of the call in USD.
    pub usd: Option<Pointer>,
    /// The model's name: a text, or an object whose first key is the name.
    pub model: Option<Pointer>,
}

/// What a program prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// The bare answer.
    #[default]
    Text,
    /// One JSON document.
    Json,
    /// One JSON document a line.
    Jsonl,
}

/// Which of the selected texts of JSON lines make the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pieces {
    /// The last one: earlier ones were thinking aloud.
    #[default]
    Last,
    /// All of them, one after the other: the answer is streamed.
    Joined,
}

/// Where token counts stand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UsagePointers {
    /// All tokens of the prompt, cached ones included.
    #[serde(default)]
    pub input: Sum,
    /// Those of them that came from the cache.
    #[serde(default)]
    pub cached: Sum,
    /// Tokens of the answer.
    #[serde(default)]
    pub output: Sum,
}

/// One pointer, or several whose numbers are added up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "OneOrMore")]
pub struct Sum(pub Vec<Pointer>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(Pointer),
    More(Vec<Pointer>),
}

impl From<OneOrMore> for Sum {
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
    /// What it points at in `document`, if it is there.
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

/// The keys as people write them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: Format,
    text: Option<Pointer>,
    #[serde(default)]
    select: BTreeMap<Pointer, String>,
    #[serde(default)]
    pieces: Pieces,
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

impl TryFrom<Written> for OutputShape {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
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
