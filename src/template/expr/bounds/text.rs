//! Makes texts from values; no text exceeds its bound.

use std::borrow::Cow;
use std::fmt::Write as _;

use minijinja::value::{Kwargs, Rest, Value, ValueOrKwargs};
use minijinja::{Error, ErrorKind, Output, State};

use super::purse::{self, TEXT};
use super::wrong;

/// The maximum number of bytes that one evaluation of a template may output.
const OUTPUT: usize = 4 * 1024 * 1024;

/// A text that stops growing at its bound.
struct Bounded {
    text: String,
    most: usize,
}

impl std::fmt::Write for Bounded {
    fn write_str(&mut self, more: &str) -> std::fmt::Result {
        if self.text.len() + more.len() > self.most {
            return Err(std::fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

/// Joins values into one text.
fn all<'v>(
    state: &mut State,
    parts: impl IntoIterator<Item = Cow<'v, Value>>,
    between: &str,
) -> Result<String, Error> {
    let mut out = Bounded { text: String::new(), most: TEXT };
    let mut fits = true;
    for (index, part) in parts.into_iter().enumerate() {
        if part.is_undefined() {
            // Returns an error if an undefined value may not be used here.
            minijinja::filters::string(state, &part)?;
        }
        fits = (index == 0 || out.write_str(between).is_ok()) && write!(out, "{part}").is_ok();
        if !fits {
            break;
        }
    }
    purse::text(state, if fits { out.text.len() } else { TEXT + 1 })?;
    Ok(out.text)
}

/// Evaluates `a ~ b`.
pub(super) fn concat(state: &mut State, left: &Value, right: &Value) -> Result<Value, Error> {
    all(state, [Cow::Borrowed(left), Cow::Borrowed(right)], "").map(Value::from)
}

/// Converts a value to text.
pub(super) fn string(state: &mut State, value: &Value) -> Result<Value, Error> {
    match value.as_str() {
        Some(_) => Ok(value.clone()),
        None => all(state, [Cow::Borrowed(value)], "").map(Value::from),
    }
}

/// Joins the items of a list with a separator.
pub(super) fn join(
    state: &mut State,
    items: &Value,
    between: Option<Cow<'_, str>>,
    attribute: Option<&str>,
    named: Kwargs,
) -> Result<Value, Error> {
    let between = match between {
        Some(between) => between.into_owned(),
        None => named.get::<Option<String>>("d")?.unwrap_or_default(),
    };
    let attribute = match attribute {
        Some(attribute) => Some(attribute),
        None => named.get::<Option<&str>>("attribute")?,
    };
    named.assert_all_used()?;
    super::short(&attribute.map(Value::from).unwrap_or_default())?;
    purse::work(state, items)?;
    if items.is_undefined() {
        minijinja::filters::string(state, items)?;
    }
    if items.is_undefined() || items.is_none() {
        return Ok(Value::from(""));
    }
    let items = items.try_iter()?;
    let items = items.map(|item| match attribute {
        Some(attribute) => Cow::Owned(item.get_attr(attribute).unwrap_or_default()),
        None => Cow::Owned(item),
    });
    all(state, items, &between).map(Value::from)
}

/// Replaces each occurrence of one text by another.
pub(super) fn replace(
    state: &mut State,
    text: Cow<'_, str>,
    from: Cow<'_, str>,
    to: Cow<'_, str>,
) -> Result<Value, Error> {
    let more = to.len().saturating_sub(from.len());
    let most = text.matches(&*from).count().saturating_mul(more).saturating_add(text.len());
    purse::text(state, most)?;
    Ok(Value::from(text.replace(&*from, &to)))
}

/// Evaluates `"%.2f" | format(number)`.
pub(super) fn format(
    state: &mut State,
    form: Cow<'_, str>,
    values: Rest<ValueOrKwargs>,
) -> Result<Value, Error> {
    let wide = form.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() > 2);
    if wide || form.contains('*') {
        return Err(wrong("a width in `format` may have at most two digits"));
    }
    let values = values.into_values();
    let mut longest = 100_usize;
    for value in &values {
        longest = longest.max(all(state, [Cow::Borrowed(value)], "")?.len());
    }
    purse::text(state, form.matches('%').count().saturating_mul(longest) + form.len())?;
    let mut arguments = vec![Value::from(form.into_owned())];
    arguments.extend(values);
    Value::from_function(minijinja::filters::format).call(state, &arguments)
}

/// The number of bytes that a template has output so far.
#[derive(Default)]
struct TextArgument(usize);

/// Writes a value to the output of a template.
pub(super) fn emit(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    let made;
    let text = match value.as_str() {
        Some(text) => text,
        None => {
            made = all(state, [Cow::Borrowed(value)], "")?;
            &made
        }
    };
    let given = state.get_or_insert_extension(TextArgument::default());
    given.0 += text.len();
    if given.0 > OUTPUT {
        return Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("it gives more than {} MiB", OUTPUT >> 20),
        ));
    }
    out.write_str(text).map_err(Error::from)
}
