//! Stable words for programs: why a discussion, a call or an answer failed, and what is wrong with a text.
//!
//! Each set is an enum that holds its words, so that no code compares strings.

/// Defines an enum of words that programs may rely on, with `as_str`, `parse`, `ALL`, `Display`, `Serialize` and
/// `JsonSchema`.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$about:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $name {
            /// All variants.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the word of this variant.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// Returns the variant of a word; none if no variant has this word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let words: Vec<&str> = Self::ALL.iter().map(|code| code.as_str()).collect();
                schemars::json_schema!({ "type": "string", "enum": words })
            }
        }
    };
}

pub(crate) use words;

mod failure;
mod problem;
mod stop;

pub use self::failure::{AgainCode, ErrorCode, FailureCode, Refusal, Refused, ResultError};
pub use self::problem::{Fix, ProblemCode};
pub use self::stop::StopCode;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_parsed_from_its_word() {
        for code in FailureCode::ALL {
            assert_eq!(FailureCode::parse(code.as_str()), Some(*code));
            let read: FailureCode = serde_json::from_value(code.as_str().into()).unwrap();
            assert_eq!(read, *code, "scripts read the same words");
        }
        for code in ProblemCode::ALL {
            assert_eq!(ProblemCode::parse(code.as_str()), Some(*code));
        }
        assert_eq!(FailureCode::parse("a word of somebody else's"), None);
    }
}
