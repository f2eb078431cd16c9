//! The definition of a provider that calls a service by HTTP: its address and its key. Requests go
//! only to URLs of a few forms, and no output shows the key.

use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use super::Wire;
use crate::provider::Environment;
use crate::view::Fact;

/// The model in the instructions for starting a service on this machine, if no model is configured.
const SMALL_MODEL: &str = "qwen3";
/// The default for the maximum number of answer tokens.
pub(crate) const DEFAULT_MAX_TOKENS: u32 = 8192;
/// The default number of concurrent calls to one service.
pub(crate) const DEFAULT_CONCURRENCY: u32 = 4;
/// The largest `max_tokens` that a definition may set.
pub(in crate::provider) const LARGEST_MAX_TOKENS: u32 = 1_000_000;
/// The largest `concurrency` that a definition may set.
pub(in crate::provider) const MOST_CONCURRENCY: u32 = 64;

/// The amount of reasoning that a model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Little reasoning.
    Low,
    /// The default of the service.
    Medium,
    /// Much reasoning.
    High,
    /// The maximum.
    Max,
}

impl Effort {
    /// Returns the word for it in a request.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Max => "max",
        }
    }
}

/// A model behind an HTTP API.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HttpDefinition {
    /// The name of the preset that this definition starts from.
    pub api: String,
    /// The protocol of requests and answers.
    pub wire: Wire,
    /// The differences from other services that use the same wire protocol.
    pub dialect: Dialect,
    /// The address of the service.
    pub url: Url,
    /// The variable that can name another address.
    #[serde(skip)]
    pub base: Option<Base>,
    /// The variable that `url` came from.
    #[serde(skip)]
    pub url_from: Option<String>,
    /// The reason why the address in a variable cannot be used.
    #[serde(skip)]
    pub unusable_url: Option<String>,
    /// The model's name; if absent, the first model of the service.
    pub model: Option<String>,
    /// The name of the variable that holds the key; if absent, no key is sent.
    pub key: Option<String>,
    /// The place where users get a key.
    pub get: Option<String>,
    /// The amount of reasoning.
    pub effort: Option<Effort>,
    /// The maximum number of answer tokens.
    pub max_tokens: u32,
    /// The default temperature, if neither the phase nor the run sets one.
    pub temperature: Option<f64>,
    /// The maximum number of concurrent calls to the service.
    pub concurrency: u32,
}

/// The variable in which the programs of a vendor look for the address of its service.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// The variable's name.
    pub variable: String,
    /// The path that those programs append to its value, such as `v1/`.
    #[serde(default)]
    below: String,
}

impl Base {
    /// Returns the whole address for the variable's value.
    pub(in crate::provider) fn whole(&self, said: &str) -> String {
        let said = said.trim_end_matches('/');
        let below = self.below.trim_end_matches('/');
        if said.rsplit('/').next() == Some(below) {
            format!("{said}/")
        } else {
            format!("{said}/{}", self.below)
        }
    }
}

/// The differences between services that use the same wire protocol. The presets set them.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dialect {
    /// The JSON key for the maximum number of answer tokens.
    pub limit: String,
    /// True if a request may ask for the token counts of a stream.
    pub stream_usage: bool,
    /// True if the service takes a cache key, by which it finds the cache of similar requests.
    pub cache_key: bool,
    /// Further keys of every request.
    pub extra: Map<String, Value>,
    /// True if the service may run on this machine without any configuration, so that it is worth a connection attempt.
    pub probe: bool,
    /// The variable that holds the address at which the service listens.
    pub host: Option<String>,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            limit: "max_tokens".to_owned(),
            stream_usage: true,
            cache_key: false,
            extra: Map::new(),
            probe: false,
            host: None,
        }
    }
}

impl HttpDefinition {
    /// Returns the model and its host, in one line.
    pub(in crate::provider) fn one_line(&self) -> String {
        match &self.model {
            Some(model) => format!("{model} at {}", self.url.host()),
            None => format!("a model at {}", self.url.host()),
        }
    }

    /// Describes what makes it ready, and what it lacks if it is not.
    pub(in crate::provider) fn needs(&self, env: &Environment, lacking: &str) -> (String, String) {
        let host = self.url.host();
        let is_set = |key: &String| env.var(key).is_some_and(|value| !value.is_empty());
        // The reason may repeat a whole address that a variable contains.
        let unusable = || match &self.unusable_url {
            Some(_) => format!("{host} cannot be used"),
            None => lacking.to_owned(),
        };
        match &self.key {
            Some(key) if is_set(key) => (format!("{key} is set, for {host}"), unusable()),
            Some(key) => (format!("{key} is set, for {host}"), format!("{key} is not set")),
            None => (format!("at {host}"), unusable()),
        }
    }

    /// Returns the address, with the variable that it came from.
    fn address(&self) -> String {
        match &self.url_from {
            Some(variable) => format!("{} (from {variable})", self.url),
            None => self.url.to_string(),
        }
    }

    /// Returns instructions to start the service with the configured model.
    pub(super) fn how_to_start(&self) -> String {
        let model = self.model.as_deref().unwrap_or(SMALL_MODEL);
        let get = self.get.as_deref().unwrap_or("start it");
        get.replace("{model}", model)
    }

    /// Returns everything that a user permits by trusting this service.
    pub(in crate::provider) fn facts(&self) -> Vec<Fact> {
        let key = match &self.key {
            Some(key) => format!("the value of {key} is sent there"),
            None => "no key is sent".to_owned(),
        };
        vec![
            Fact::new("service", self.address()),
            Fact::new("sends", "every prompt, including the whole discussion"),
            Fact::new("key", key),
            Fact::new("model", self.model.clone().unwrap_or("its first model".to_owned())),
        ]
    }

    /// Returns the definition with another model.
    pub(in crate::provider) fn with_model(&self, model: &str) -> Self {
        Self { model: Some(model.to_owned()), ..self.clone() }
    }
}

/// Returns whether a text can be a model's name. Such a name is safe in a URL path and on a command line.
pub(in crate::provider) fn is_model(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-:/@+".contains(c);
    (1..=128).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@')
        && text.chars().all(fits)
        && !text.split('/').any(|part| part == ".." || part == ".")
}

/// The text that replaces a key.
const HIDDEN: &str = "[key]";

/// A key that is sent to its service and nowhere else.
#[derive(Clone)]
pub(super) struct Secret(String);

impl Secret {
    /// Reads the key from a variable's value; `None` if it is blank or not allowed in a header.
    pub(super) fn read(value: &std::ffi::OsStr) -> Option<Self> {
        let text = value.to_str()?.trim();
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()))
            .then(|| Self(text.to_owned()))
    }

    /// Returns the key itself, for the header that carries it.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns a text from outside without the key, because services repeat keys in their error messages.
    pub(super) fn hide(&self, text: &str) -> String {
        text.replace(&self.0, HIDDEN)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// An address for requests: `https`, or plain `http` on this machine only. Ends in `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    tls: bool,
    host: String,
    port: u16,
    path: String,
}

impl Url {
    /// Parses an address. A `/` at its end is optional.
    ///
    /// # Errors
    ///
    /// Returns a sentence for people if the text is not an address, holds more than scheme, host, port and path, or
    /// would send text unencrypted to another machine.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| {
            Err(format!("`{}` is not the address of a service: {why}", without_secrets(text)))
        };
        let (tls, rest) = match text.split_once("://") {
            Some(("https", rest)) => (true, rest),
            Some(("http", rest)) => (false, rest),
            _ => return wrong("it must begin with https://, or with http:// on this machine"),
        };
        if rest.contains(['@', '?', '#', '\\']) || !rest.bytes().all(|byte| byte.is_ascii_graphic())
        {
            return wrong("it may have only a scheme, host, port and path");
        }
        let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
        let Some((host, port)) = split_port(place, if tls { 443 } else { 80 }) else {
            return wrong("cannot read its host and port");
        };
        let url = Self {
            tls,
            host: host.to_ascii_lowercase(),
            port,
            path: format!(
                "/{path}{}",
                if path.is_empty() || path.ends_with('/') { "" } else { "/" }
            ),
        };
        if !tls && !url.is_loopback() {
            return wrong("plain http:// works only on this machine; use https:// for another one");
        }
        Ok(url)
    }

    /// Parses an address that is written as `host`, as `host:port` or with a scheme.
    pub(super) fn loose(text: &str, port: u16) -> Result<Self, String> {
        let text = text.trim();
        if text.contains("://") {
            return Self::parse(text);
        }
        let (place, path) = text.split_once('/').unwrap_or((text, ""));
        let place =
            if place.starts_with(':') { format!("127.0.0.1{place}") } else { place.to_owned() };
        let (host, port) = split_port(&place, port).unwrap_or((&place, port));
        // A service that listens on all addresses is called on this machine.
        let host = if matches!(host, "" | "0.0.0.0" | "[::]") { "127.0.0.1" } else { host };
        Self::parse(&format!("http://{host}:{port}/{path}"))
    }

    /// Returns whether the address is on this machine.
    pub fn is_loopback(&self) -> bool {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        self.host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// Returns whether the connection is encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.tls
    }

    /// Returns the host without brackets, and the port.
    pub(super) fn place(&self) -> (&str, u16) {
        (self.host.trim_start_matches('[').trim_end_matches(']'), self.port)
    }

    /// Returns the host, with the port unless it is the default one.
    pub fn host(&self) -> String {
        let usual = if self.tls { 443 } else { 80 };
        if self.port == usual { self.host.clone() } else { format!("{}:{}", self.host, self.port) }
    }

    /// Returns the path of something below this address, beginning with `/`.
    pub(super) fn path(&self, below: &str) -> String {
        format!("{}{below}", self.path)
    }
}

/// Splits a text into host and port; `usual` is the port if none is written.
pub(super) fn split_port(place: &str, usual: u16) -> Option<(&str, u16)> {
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()?),
        _ => (place, usual),
    };
    let v6 = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_host = match v6 {
        Some(v6) => v6.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
            !host.is_empty() && host.chars().all(fits)
        }
    };
    (is_host && port != 0).then_some((host, port))
}

/// Returns an address without the parts that may contain a password or a key: those before `@`, and after `?` or `#`.
fn without_secrets(text: &str) -> String {
    let after = text.find(['?', '#']);
    match (text.rfind('@'), after) {
        // Either a password with `?`, or a key with `@`.
        (Some(at), Some(after)) if after < at => "…".to_owned(),
        (at, after) => {
            let before = at.map_or("", |_| "…");
            let shown = &text[at.unwrap_or(0)..after.map_or(text.len(), |after| after + 1)];
            format!("{before}{shown}{}", after.map_or("", |_| "…"))
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "https" } else { "http" };
        write!(f, "{scheme}://{}{}", self.host(), self.path)
    }
}

impl Serialize for Url {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_address_shows_neither_password_nor_key() {
        for (address, shown) in [
            ("https://u:SECRET@h/v1?key=SECRET", "`…@h/v1?…`"),
            ("https://h/v1?key=SECRET#SECRET", "`https://h/v1?…`"),
            ("https://h/v1#SECRET", "`https://h/v1#…`"),
            ("https://u:SECRET@h/v1", "`…@h/v1`"),
            ("https://h/v1?key=SECRET@SECRET", "`…`"),
            ("https://u:SE?CRET@h/v1", "`…`"),
            ("ftp://h", "`ftp://h`"),
        ] {
            let refused = Url::parse(address).unwrap_err();
            assert!(refused.starts_with(&format!("{shown} is not the address")), "{refused}");
            assert!(!refused.contains("SECRET"), "{refused}");
        }
    }

    #[test]
    fn key_is_never_shown() {
        let key = Secret::read(" sk-planted \n".as_ref()).unwrap();
        assert_eq!(key.reveal(), "sk-planted");
        assert_eq!(format!("{key:?}"), HIDDEN);
        assert_eq!(key.hide("Incorrect API key: sk-planted."), "Incorrect API key: [key].");
    }

    #[test]
    fn value_that_is_invalid_in_a_header_is_no_key() {
        for value in ["", "  ", "a\nb", "a b", "schlüssel"] {
            assert!(Secret::read(value.as_ref()).is_none(), "{value:?}");
        }
    }

    #[test]
    fn address_ends_with_a_slash_and_is_shown_short() {
        for (text, shown) in [
            ("https://api.openai.com/v1", "https://api.openai.com/v1/"),
            ("https://API.openai.com:443/v1/", "https://api.openai.com/v1/"),
            ("https://models.example.org:8443", "https://models.example.org:8443/"),
            ("http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1/"),
            ("http://[::1]:9", "http://[::1]:9/"),
            ("http://localhost", "http://localhost/"),
        ] {
            assert_eq!(Url::parse(text).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn plain_http_to_another_machine_is_refused() {
        for text in [
            "http://example.org/",
            "http://10.0.0.1/",
            "http://127.0.0.1.example.org/",
            "http://localhost.example.org/",
            "http://0.0.0.0/",
            "http://[2001:db8::1]/",
        ] {
            let error = Url::parse(text).unwrap_err();
            assert!(error.contains("use https://"), "{error}");
        }
    }

    #[test]
    fn ambiguous_text_is_no_address() {
        for text in [
            "api.openai.com",
            "ftp://a/",
            "https://",
            "https:///v1",
            "https://a b/",
            "https://a/\n",
            "https://me:secret@a/",
            "https://a/?key=secret",
            "https://a/#x",
            "https://a\\b/",
            "https://a:0/",
            "https://a:99999/",
            "https://[::1/",
            "https://a,b/",
        ] {
            let error = Url::parse(text).unwrap_err();
            assert!(!error.contains("me:secret"), "{error}");
        }
    }

    #[test]
    fn ollama_host_may_be_written_without_a_scheme() {
        for (text, url) in [
            ("127.0.0.1", "http://127.0.0.1:11434/"),
            ("0.0.0.0:8080", "http://127.0.0.1:8080/"),
            (":9000", "http://127.0.0.1:9000/"),
            ("http://localhost:5", "http://localhost:5/"),
            ("https://ollama.example.org", "https://ollama.example.org/"),
        ] {
            assert_eq!(Url::loose(text, 11434).unwrap().to_string(), url);
        }
        assert!(Url::loose("192.168.1.5", 11434).is_err());
    }
}
