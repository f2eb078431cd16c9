//! Parses control lines.

use super::super::entry::Time;
use super::super::fields::{self, FieldValue, Fields};
use super::super::line::{trim_end, trim_start};
use super::super::name::Alias;
use super::super::nesting::ChildFile;
use super::{
    Accepted, Below, ChildEnd, ChildLine, Control, EndedLine, Failed, Pass, PhaseLine, ReplyLine,
    Restored, Spent, StatusLine, StatusWord, Summary, Tokens, Tried, TurnLine, Usd,
};

fn split(line: &str) -> Option<(&str, &str)> {
    let inner = trim_end(line.strip_prefix("<!-- ")?).strip_suffix("-->")?;
    let inner = trim_end(inner.strip_suffix([' ', '\t'])?);
    let end = memchr::memchr2(b' ', b':', inner.as_bytes()).unwrap_or(inner.len());
    Some((&inner[..end], trim_start(&inner[end..])))
}

/// Parses a line between comments that has the form of a control line. If its values cannot be parsed, returns its
/// word as an error.
pub(in crate::transcript) fn read_control(line: &str) -> Option<Result<Control, &'static str>> {
    let (word, rest) = split(line)?;
    let (reading, word) = match word {
        "TURN" => (turn(rest), "TURN"),
        "PASS" => (pass(rest), "PASS"),
        "FAILED" => (failed(rest), "FAILED"),
        "PHASE" => (phase(rest), "PHASE"),
        "STATUS" => (status(rest), "STATUS"),
        "ACCEPTED" => (accepted(rest), "ACCEPTED"),
        "CHILD" => (child(rest), "CHILD"),
        "CHILD-END" => (child_end(rest), "CHILD-END"),
        "ENDED" => (ended(rest), "ENDED"),
        "VOTE-RESET" => (rest.is_empty().then_some(Control::VoteReset), "VOTE-RESET"),
        _ => return None,
    };
    Some(reading.ok_or(word))
}

/// Returns true if a line has the form of a control line with an unknown word.
///
/// A newer version may have written it. Words consist of capitals, so `<!-- prettier-ignore -->` is not such a line;
/// a known word in the wrong place is not either.
pub(in crate::transcript) fn is_unknown_control(line: &str) -> bool {
    let Some((word, _)) = split(line) else { return false };
    let mut letters = word.bytes();
    let is_word = letters.next().is_some_and(|first| first.is_ascii_uppercase())
        && letters.all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
    is_word && !KNOWN.contains(&word)
}

/// All words that this program reads anywhere.
const KNOWN: [&str; 16] = [
    "ACCEPTED",
    "CHILD",
    "CHILD-END",
    "DISCUSSION",
    "ENDED",
    "FAILED",
    "PASS",
    "PHASE",
    "REPLY",
    "RESTORED",
    "SAID",
    "STATUS",
    "SUMMARY",
    "TORN",
    "TURN",
    "VOTE-RESET",
];

/// Parses a line directly below `Name:`.
pub(in crate::transcript) fn read_below(line: &str) -> Option<Below> {
    let (word, rest) = split(line)?;
    let fields = Fields::parse(rest)?;
    match word {
        "REPLY" => Some(Below::Reply(ReplyLine {
            turn: fields.read("turn").ok()?,
            at: at(&fields)?,
            markers: fields
                .list("markers")
                .map(|words| words.iter().map(|word| word.to_string()).collect()),
            spent: spent(&fields),
        })),
        "RESTORED" => Some(Below::Restored(Restored {
            phase: fields.text("phase").map(str::to_owned),
            turn: fields.read("turn").ok()?,
        })),
        "SUMMARY" => Some(Below::Summary(Summary { turn: fields.read("turn").ok()? })),
        "SAID" => Some(Below::Said(at(&fields)??)),
        _ => None,
    }
}

fn turn(rest: &str) -> Option<Control> {
    let (number, fields) = Fields::headed(rest)?;
    let asks = fields.list("asks")?.iter().map(|alias| Alias::parse(alias).ok());
    Some(Control::Turn(TurnLine {
        number: number.parse().ok()?,
        asks: asks.collect::<Option<_>>()?,
        at: at(&fields)?,
        ask: fields.text("ask").map(str::to_owned),
        mentions: fields.flag("mentions"),
        again: fields.flag("again"),
        heading: None,
    }))
}

fn pass(rest: &str) -> Option<Control> {
    let fields = Fields::parse(rest)?;
    Some(Control::Pass(Box::new(Pass {
        who: Alias::parse(fields.text("who")?).ok()?,
        turn: fields.read("turn").ok()?,
        at: at(&fields)?,
        spent: spent(&fields),
    })))
}

fn failed(rest: &str) -> Option<Control> {
    let fields = Fields::parse(rest)?;
    Some(Control::Failed(Box::new(Failed {
        who: Alias::parse(fields.text("who")?).ok()?,
        turn: fields.read("turn").ok()?,
        at: at(&fields)?,
        code: fields.text("code").unwrap_or("failed").to_owned(),
        retryable: fields.flag("retryable"),
        message: fields.text("message").unwrap_or_default().to_owned(),
        spent: spent(&fields),
    })))
}

fn phase(rest: &str) -> Option<Control> {
    let (id, fields) = Fields::headed(rest)?;
    Some(Control::Phase(PhaseLine {
        id: id.into_owned(),
        by: fields.text("by").map(str::to_owned),
        heading: None,
    }))
}

fn ended(rest: &str) -> Option<Control> {
    let fields = Fields::parse(rest)?;
    let by = fields.text("by").map(str::to_owned);
    Some(Control::Ended(Box::new(EndedLine { at: at(&fields)?, by, ..EndedLine::default() })))
}

fn status(rest: &str) -> Option<Control> {
    let (word, fields) = Fields::headed(rest)?;
    let status = match word.as_ref() {
        "OPEN" => StatusWord::Open,
        "CLOSED" => StatusWord::Closed,
        _ => return None,
    };
    Some(Control::Status(StatusLine { status, by: fields.text("by").map(str::to_owned) }))
}

fn accepted(rest: &str) -> Option<Control> {
    let fields = Fields::parse(rest)?;
    let is_hash = |text: &str| {
        text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let hash = |key| fields.text(key).filter(|text| is_hash(text)).map(str::to_owned);
    let after = fields.list("after").unwrap_or_default().iter().map(|one| one.as_ref());
    let after: Vec<String> = after.map(str::to_owned).collect();
    let placed = after.iter().all(|one| one == Accepted::START || is_hash(one));
    let (was, now) = (hash("was")?, hash("now"));
    if !placed || now.is_none() && fields.text("now").is_some() {
        return None;
    }
    let name = |key| fields.text(key).map(str::to_owned);
    let (of, by) = (name("of"), name("by"));
    Some(Control::Accepted(Box::new(Accepted { was, after, now, of, by, at: at(&fields)? })))
}

fn child(rest: &str) -> Option<Control> {
    let fields = Fields::parse(rest)?;
    let by = fields.text("by").map(|by| Alias::parse(by).ok());
    Some(Control::Child(ChildLine {
        turn: fields.read("turn").ok()?,
        by: by.map_or(Some(None), |by| by.map(Some))?,
        file: fields.text("file")?.parse().ok()?,
        at: at(&fields)?,
    }))
}

fn child_end(rest: &str) -> Option<Control> {
    let fields = Fields::parse(rest)?;
    let file: ChildFile = fields.text("file")?.parse().ok()?;
    let calls = fields.read("calls").ok()?.unwrap_or(0);
    // An amount that cannot be parsed must not count as zero.
    let usd = match fields.text("usd") {
        Some(text) => Some(usd(text)?),
        None => None,
    };
    let status = fields.text("status").unwrap_or("OPEN").to_owned();
    Some(Control::ChildEnd(ChildEnd { file, calls, usd, status }))
}

/// Parses the time of a record. The outer `None` means that the line has a time that cannot be parsed.
fn at(fields: &Fields<'_>) -> Option<Option<Time>> {
    let Some(text) = fields.text("at") else { return Some(None) };
    fields::read_time(text).map(Some)
}

fn spent(fields: &Fields<'_>) -> Spent {
    use FieldValue::{List, Text};
    let (mut spent, mut is_priced) = (Spent::default(), false);
    // If a key occurs twice, the first one counts.
    for (key, value) in fields.pairs().rev() {
        match (key, value) {
            ("provider", Text(text)) => spent.provider = Some(text.to_string()),
            ("model", Text(text)) => spent.model = Some(text.to_string()),
            ("finish", Text(text)) => spent.finish = Some(text.to_string()),
            ("cached", Text(text)) => spent.cached = text.parse().ok(),
            ("ms", Text(text)) => spent.ms = text.parse().ok(),
            ("tokens", Text(text)) => spent.tokens = tokens(text),
            ("usd", Text(text)) => spent.usd = usd(text),
            ("calls", Text(text)) => spent.calls = text.parse().ok(),
            ("look", Text(text)) => spent.look = text == "true",
            ("web", Text(text)) => spent.web = text == "true",
            ("tried", List(list)) => spent.tried = list.iter().filter_map(|it| tried(it)).collect(),
            _ => {}
        }
        is_priced |= key == "usd";
    }
    spent.usd_unreadable = is_priced && spent.usd.is_none();
    spent
}

fn tried(text: &str) -> Option<Tried> {
    let mut words = text.split(' ');
    let mut one = Tried { provider: words.next()?.to_owned(), calls: 1, ..Tried::default() };
    for word in words {
        match (word.strip_prefix('$'), word.contains('/')) {
            (Some(money), _) => one.usd = usd(money),
            (None, true) => one.tokens = tokens(word),
            (None, false) => one.calls = word.parse().ok()?,
        }
    }
    (!one.provider.is_empty()).then_some(one)
}

fn tokens(text: &str) -> Option<Tokens> {
    let (input, output) = text.trim_start_matches('~').split_once('/')?;
    Some(Tokens {
        input: input.parse().ok()?,
        output: output.trim_start_matches('~').parse().ok()?,
        estimated: text.contains('~'),
    })
}

fn usd(text: &str) -> Option<Usd> {
    let amount: f64 = text.trim_start_matches('~').parse().ok()?;
    let sound = amount.is_finite() && amount >= 0.0;
    sound.then_some(Usd { amount, estimated: text.starts_with('~') })
}
