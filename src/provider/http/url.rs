//! Addresses of services: the few forms of URL that a request may go to.

use std::fmt;
use std::net::IpAddr;

use serde::{Serialize, Serializer};

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
            Err(format!("`{}` is not the address of a service: {why}", without_password(text)))
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

/// Returns a text that may contain a password, without the password.
fn without_password(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((_, rest)) => format!("…@{rest}"),
        None => text.to_owned(),
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
