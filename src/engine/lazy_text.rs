//! A comment or a vote as expressions see it. Its text is decoded when an expression reads it: most ask who said
//! something, and a discussion may be long.

use std::sync::Arc;

use minijinja::value::{Enumerator, Object, Value};

use crate::transcript::{Comment, Text};

/// A map of values, of which one is a text that is decoded on demand.
#[derive(Debug)]
pub(super) struct WithLazyText {
    /// The map, with any value in place of the text.
    facts: Value,
    /// The key of the text.
    key: &'static str,
    /// The body as it is stored; `None` if there is no comment.
    stored: Option<Text>,
}

impl WithLazyText {
    /// Returns `facts`, which is a map, with the text of a stored body as the value of `key`.
    pub(super) fn value(facts: Value, key: &'static str, stored: Option<Text>) -> Value {
        Value::from_object(Self { facts, key, stored })
    }

    fn text(&self) -> Value {
        self.stored.as_ref().map(|stored| Comment::plain(stored).body()).into()
    }
}

impl Object for WithLazyText {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        if key.as_str() == Some(self.key) {
            return Some(self.text());
        }
        self.facts.get_item(key).ok().filter(|value| !value.is_undefined())
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let keys = self.facts.try_iter().into_iter().flatten().collect();
        Enumerator::Values(keys)
    }
}

#[cfg(test)]
mod tests {
    use minijinja::context;

    use super::*;

    #[test]
    fn value_is_like_a_map_with_the_text() {
        let stored = Text::from("One.\n\nVOTE\\: two\n\nVOTE: READY");
        let text = "One.\n\nVOTE: two\n";
        let lazy = WithLazyText::value(
            context! { who => "a", body => (), asked => true },
            "body",
            Some(stored),
        );
        let plain = context! { who => "a", body => text.trim_end(), asked => true };
        assert_eq!(
            lazy.get_attr("body").unwrap().as_str().map(str::trim_end),
            Some(text.trim_end())
        );
        assert_eq!(lazy.to_string(), plain.to_string());
        assert_eq!(lazy, plain);
        assert!(lazy.get_attr("other").unwrap().is_undefined());
        assert_eq!(serde_json::to_string(&lazy).unwrap(), serde_json::to_string(&plain).unwrap());
        let none = WithLazyText::value(context! { who => "a", reason => () }, "reason", None);
        assert_eq!(none, context! { who => "a", reason => None::<&str> });
    }
}
