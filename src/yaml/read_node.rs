//! Reads the project's types from the tree of a YAML document, by serde. A value without quotes is a number, a boolean or
//! a text, as its type wants.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::slice;

use serde::Deserialize;
use serde::de::value::UsizeDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer as _, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::node::{Misfit, Node, NodeKind, NodePlace};

/// A value with its line and column in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    /// Line and column in characters, counted from 1.
    pub(crate) place: (usize, usize),
}

/// The name by which [`Spanned`] asks for the place.
const SPANNED: &str = "$spanned";

const WHOLE: &str = "a whole number";
const NUMBER: &str = "a number";
const LIST: &str = "a list";
const KEYS: &str = "`key: value` lines";
const ONE_VALUE: &str = "one value";

/// A value to read a type from.
#[derive(Clone, Copy)]
pub(super) struct NodeReader<'n> {
    pub(super) node: &'n Node,
    /// The text of the document.
    pub(super) text: &'n str,
    /// Set if the type needs a place or the written text of a value, and the tree has no places.
    pub(super) needs_places: &'n Cell<bool>,
}

impl<'n> NodeReader<'n> {
    fn of(self, node: &'n Node) -> Self {
        Self { node, ..self }
    }

    /// Returns the text of a single value as it is written, or the error for a list or keys.
    fn scalar(self) -> Result<&'n str, Misfit> {
        match &self.node.kind {
            NodeKind::Text(text) => Ok(text),
            NodeKind::List(_) | NodeKind::Map(_) => Err(self.expected(ONE_VALUE)),
            _ => match &self.node.span {
                Some(span) => Ok(self.text.get(span.bytes.clone()).unwrap_or_default().trim()),
                None => {
                    self.needs_places.set(true);
                    Err(self.expected(ONE_VALUE))
                }
            },
        }
    }

    /// Returns the place of the value. An error in a tree without places has none.
    fn place(self) -> Option<NodePlace> {
        self.node.span.as_ref().map(|span| span.place)
    }

    /// Returns the text of a value for a type that is a text. An empty value is none.
    fn written(self) -> Result<&'n str, Misfit> {
        match self.node.kind {
            NodeKind::Null => Err(self.expected("text, found nothing")),
            _ => self.scalar(),
        }
    }

    fn expected(self, what: &'static str) -> Misfit {
        Misfit::expected(what).at(self.place())
    }

    /// Returns a whole number; `what` are its kind and range in words.
    fn whole<T: TryFrom<i64> + TryFrom<u64>>(self, what: &'static str) -> Result<T, Misfit> {
        let found = match self.node.kind {
            NodeKind::Signed(number) => T::try_from(number).ok(),
            NodeKind::Unsigned(number) => T::try_from(number).ok(),
            // A number in quotes is accepted.
            _ => {
                let text = self.scalar()?.trim();
                let signed = || text.parse::<i64>().ok().and_then(|it| T::try_from(it).ok());
                text.parse::<u64>().ok().and_then(|it| T::try_from(it).ok()).or_else(signed)
            }
        };
        found.ok_or_else(|| self.expected(what))
    }

    fn float(self) -> Result<f64, Misfit> {
        match self.node.kind {
            NodeKind::Float(number) => Ok(number),
            NodeKind::Signed(number) => Ok(number as f64),
            NodeKind::Unsigned(number) => Ok(number as f64),
            _ => self.scalar()?.trim().parse().map_err(|_| self.expected(NUMBER)),
        }
    }

    /// Adds the place of this value to an error without one.
    fn located<T>(self, read: Result<T, Misfit>) -> Result<T, Misfit> {
        read.map_err(|misfit| misfit.at(self.place()))
    }
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $what:expr;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            let number = self.whole($what)?;
            self.located(visitor.$visit(number))
        }
    )+};
}

impl<'de> Deserializer<'de> for NodeReader<'_> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let read = match &self.node.kind {
            NodeKind::Null => visitor.visit_unit(),
            NodeKind::Bool(value) => visitor.visit_bool(*value),
            NodeKind::Signed(value) => visitor.visit_i64(*value),
            NodeKind::Unsigned(value) => visitor.visit_u64(*value),
            NodeKind::Float(value) => visitor.visit_f64(*value),
            NodeKind::Text(text) => visitor.visit_str(text),
            NodeKind::List(items) => {
                visitor.visit_seq(ListItems { reader: self, left: items.iter() })
            }
            NodeKind::Map(entries) => visitor.visit_map(MapEntries::of(self, entries)),
        };
        self.located(read)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if let NodeKind::Bool(value) = self.node.kind {
            return self.located(visitor.visit_bool(value));
        }
        let text = self.scalar()?.trim();
        let value = [(true, "true"), (false, "false")]
            .into_iter()
            .find_map(|(value, word)| text.eq_ignore_ascii_case(word).then_some(value));
        let value = value.ok_or_else(|| self.expected("`true` or `false`"))?;
        self.located(visitor.visit_bool(value))
    }

    whole_numbers! {
        deserialize_u8 visit_u8 "a whole number from 0 to 255";
        deserialize_u16 visit_u16 "a whole number from 0 to 65535";
        deserialize_u32 visit_u32 "a whole number, 0 or more";
        deserialize_u64 visit_u64 "a whole number, 0 or more";
        deserialize_i8 visit_i8 WHOLE;
        deserialize_i16 visit_i16 WHOLE;
        deserialize_i32 visit_i32 WHOLE;
        deserialize_i64 visit_i64 WHOLE;
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let number = self.float()?;
        self.located(visitor.visit_f64(number))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let text = self.written()?;
        self.located(visitor.visit_str(text))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.node.kind {
            NodeKind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let items: &[Node] = match &self.node.kind {
            NodeKind::Null => &[],
            NodeKind::List(items) => items,
            _ => return Err(self.expected(LIST)),
        };
        self.located(visitor.visit_seq(ListItems { reader: self, left: items.iter() }))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        if name == SPANNED {
            return visitor.visit_seq(SpannedParts { reader: self, next: 0 });
        }
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let entries: &[(Node, Node)] = match &self.node.kind {
            NodeKind::Null => &[],
            NodeKind::Map(entries) => entries,
            _ => return Err(self.expected(KEYS)),
        };
        self.located(visitor.visit_map(MapEntries::of(self, entries)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let variant = match &self.node.kind {
            NodeKind::Map(entries) => match &entries[..] {
                [(key, value)] => Variant { name: self.of(key), value: Some(self.of(value)) },
                _ => return Err(self.expected("exactly one key")),
            },
            _ => Variant { name: self, value: None },
        };
        self.located(visitor.visit_enum(variant))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let text = self.scalar()?;
        self.located(visitor.visit_str(text))
    }

    serde::forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct
    }
}

/// The items of a list.
struct ListItems<'n> {
    reader: NodeReader<'n>,
    left: slice::Iter<'n, Node>,
}

impl<'de> SeqAccess<'de> for ListItems<'_> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misfit> {
        let Some(node) = self.left.next() else { return Ok(None) };
        let item = self.reader.of(node);
        item.located(seed.deserialize(item)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// The entries of a map.
struct MapEntries<'n> {
    reader: NodeReader<'n>,
    left: slice::Iter<'n, (Node, Node)>,
    /// The value of the key that was read last.
    value: Option<&'n Node>,
}

impl<'n> MapEntries<'n> {
    fn of(reader: NodeReader<'n>, entries: &'n [(Node, Node)]) -> Self {
        Self { reader, left: entries.iter(), value: None }
    }
}

impl<'de> MapAccess<'de> for MapEntries<'_> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misfit> {
        let Some((key, value)) = self.left.next() else { return Ok(None) };
        self.value = Some(value);
        let key = self.reader.of(key);
        key.located(seed.deserialize(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        // Serde asks for a value only after its key.
        let Some(value) = self.value.take() else { return Err(Misfit::expected("a key")) };
        let value = self.reader.of(value);
        value.located(seed.deserialize(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// A variant of an enum: a word alone, or a key with the content of the variant.
struct Variant<'n> {
    name: NodeReader<'n>,
    value: Option<NodeReader<'n>>,
}

impl<'de, 'n> EnumAccess<'de> for Variant<'n> {
    type Error = Misfit;
    type Variant = VariantContent<'n>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, VariantContent<'n>), Misfit> {
        let name = self.name;
        let text = name.scalar()?;
        let name = name.located(seed.deserialize(text.into_deserializer()))?;
        Ok((name, VariantContent { name: self.name, value: self.value }))
    }
}

/// The content of a variant.
struct VariantContent<'n> {
    name: NodeReader<'n>,
    value: Option<NodeReader<'n>>,
}

impl<'n> VariantContent<'n> {
    fn content(&self) -> Result<NodeReader<'n>, Misfit> {
        self.value.ok_or_else(|| self.name.expected(KEYS))
    }
}

impl<'de> VariantAccess<'de> for VariantContent<'_> {
    type Error = Misfit;

    fn unit_variant(self) -> Result<(), Misfit> {
        match self.value.map(|value| (&value.node.kind, value)) {
            None | Some((NodeKind::Null, _)) => Ok(()),
            Some((_, value)) => Err(value.expected("nothing after this word")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Misfit> {
        let content = self.content()?;
        content.located(seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.content()?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.content()?.deserialize_map(visitor)
    }
}

/// The three parts of a [`Spanned`] value: line, column and value.
struct SpannedParts<'n> {
    reader: NodeReader<'n>,
    next: usize,
}

impl<'de> SeqAccess<'de> for SpannedParts<'_> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misfit> {
        let (line, column) = self.reader.place().unwrap_or_else(|| {
            self.reader.needs_places.set(true);
            NodePlace::default()
        });
        self.next += 1;
        let number = |number| UsizeDeserializer::<Misfit>::new(number);
        match self.next {
            1 => seed.deserialize(number(line)).map(Some),
            2 => seed.deserialize(number(column)).map(Some),
            3 => seed.deserialize(self.reader).map(Some),
            _ => Ok(None),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SpannedVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for SpannedVisitor<T> {
            type Value = Spanned<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value with its place")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Spanned<T>, A::Error> {
                let missing = || serde::de::Error::custom("the place of a value is unknown");
                let line = parts.next_element()?.ok_or_else(missing)?;
                let column = parts.next_element()?.ok_or_else(missing)?;
                let value = parts.next_element()?.ok_or_else(missing)?;
                Ok(Spanned { value, place: (line, column) })
            }
        }

        deserializer.deserialize_tuple_struct(SPANNED, 3, SpannedVisitor(PhantomData))
    }
}
