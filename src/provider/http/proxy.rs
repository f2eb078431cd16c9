//! Connections through a company's proxy, if the environment names one.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use percent_encoding::percent_decode_str;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::Url;
use super::url::split_port;
use crate::provider::Environment;

/// The default port of a proxy.
const PORT: u16 = 80;
/// The maximum size of a proxy's answer to `CONNECT`, in bytes.
const LONGEST_ANSWER: usize = 16 * 1024;

/// A proxy that opens connections to other machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proxy {
    host: String,
    port: u16,
    /// The name and password for the proxy, if it requires them.
    credentials: Option<String>,
}

impl Proxy {
    /// Returns the proxy for an address, if there is one. This machine is reached without a proxy.
    ///
    /// # Errors
    /// Returns a sentence for people if the environment names anything but a plain HTTP proxy.
    pub(super) fn towards(url: &Url, env: &Environment) -> Result<Option<Self>, String> {
        let said = |names: [&str; 2]| {
            let value = names.iter().find_map(|name| env.var(name)?.to_str());
            value.map(str::trim).filter(|value| !value.is_empty())
        };
        let named = [["HTTPS_PROXY", "https_proxy"], ["ALL_PROXY", "all_proxy"]];
        let Some(place) = named.into_iter().find_map(said) else { return Ok(None) };
        let spared = said(["NO_PROXY", "no_proxy"]).unwrap_or_default();
        if url.is_loopback() || !url.is_encrypted() || is_spared(url.place().0, spared) {
            return Ok(None);
        }
        Self::parse(place).map(Some)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            // The address may contain a password, so the message does not show it.
            let message = "cannot use the proxy in HTTPS_PROXY: write it as http://host:port; NO_PROXY lists the \
                           hosts that need no proxy";
            message.to_owned()
        };
        let rest = match text.split_once("://") {
            Some(("http", rest)) => rest,
            Some(_) => return Err(wrong()),
            None => text,
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (credentials, place) = match rest.rsplit_once('@') {
            Some((credentials, place)) => (Some(decoded(credentials).ok_or_else(wrong)?), place),
            None => (None, rest),
        };
        let (host, port) = split_port(place, PORT).ok_or_else(wrong)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { host, port, credentials })
    }

    /// Returns the host and port of the proxy.
    pub(super) fn place(&self) -> (&str, u16) {
        (&self.host, self.port)
    }

    /// Asks the proxy to connect to an address. Everything that is sent afterwards goes to that address.
    ///
    /// # Errors
    /// Returns a sentence for people if the proxy refuses.
    pub(super) async fn open(&self, stream: &mut TcpStream, url: &Url) -> Result<(), String> {
        let (host, port) = url.place();
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let mut ask = format!("CONNECT {host}:{port} HTTP/1.1\r\nhost: {host}:{port}\r\n");
        if let Some(credentials) = &self.credentials {
            let credentials = BASE64_STANDARD.encode(credentials);
            ask.push_str(&format!("proxy-authorization: Basic {credentials}\r\n"));
        }
        ask.push_str("\r\n");
        let broken = |_| "the proxy closed the connection".to_owned();
        stream.write_all(ask.as_bytes()).await.map_err(broken)?;
        let mut answer = Vec::new();
        // Read byte by byte, because everything after the blank line comes from the other machine.
        while !answer.ends_with(b"\r\n\r\n") {
            if answer.len() >= LONGEST_ANSWER {
                return Err("the answer of the proxy is too long".to_owned());
            }
            answer.push(stream.read_u8().await.map_err(broken)?);
        }
        let answer = String::from_utf8_lossy(&answer);
        match answer.split_whitespace().nth(1).unwrap_or_default() {
            "200" => Ok(()),
            "407" if self.credentials.is_some() => {
                Err("the proxy rejected the name and password in HTTPS_PROXY".to_owned())
            }
            "407" => {
                Err("the proxy needs a name and a password: http://name:password@host:port"
                    .to_owned())
            }
            status => Err(format!(
                "the proxy refused the connection ({})",
                super::response::short(status)
            )),
        }
    }
}

/// Returns whether a host needs no proxy. The list contains hosts, domain suffixes, or `*`.
fn is_spared(host: &str, list: &str) -> bool {
    list.split([',', ' ']).map(str::trim).filter(|one| !one.is_empty()).any(|one| {
        let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
        let place = match one.rsplit_once(':') {
            // In an IPv6 address without brackets, no port follows the last colon.
            Some((place, port))
                if is_port(port) && (!place.contains(':') || place.ends_with(']')) =>
            {
                place
            }
            _ => one,
        };
        let name = place.trim_start_matches('[').trim_end_matches(']');
        let name = name.trim_start_matches("*.").trim_start_matches('.').to_ascii_lowercase();
        one == "*" || host == name || host.ends_with(&format!(".{name}"))
    })
}

/// Decodes percent encoding: `%41` stands for `A`.
fn decoded(text: &str) -> Option<String> {
    let is_escape =
        |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    // `percent_decode_str` keeps an invalid escape unchanged, so a password that contains one would be wrong.
    let is_written = text.split('%').skip(1).all(is_escape);
    let mut text = percent_decode_str(text).decode_utf8().ok()?.into_owned();
    if !text.contains(':') {
        text.push(':');
    }
    (is_written && !text.contains(char::is_control)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn towards(url: &str, vars: &[(&str, &str)]) -> Result<Option<Proxy>, String> {
        let env = Environment::new(vars.iter().copied(), None, "/tmp".into());
        Proxy::towards(&Url::parse(url).unwrap(), &env)
    }

    #[test]
    fn environment_selects_the_proxy_and_its_exceptions() {
        let api = "https://api.example.org/v1/";
        let found = |vars: &[(&str, &str)]| {
            towards(api, vars).unwrap().map(|proxy| (proxy.host, proxy.port))
        };
        let own = ("HTTPS_PROXY", "http://proxy.local:3128/");
        assert_eq!(found(&[own]), Some(("proxy.local".to_owned(), 3128)));
        assert_eq!(found(&[("all_proxy", "proxy.local")]), Some(("proxy.local".to_owned(), 80)));
        assert_eq!(found(&[("HTTP_PROXY", "http://proxy.local:1")]), None);
        for none in
            ["*", "example.org", ".example.org", "a.b, api.example.org:443", "*.example.org"]
        {
            assert_eq!(found(&[own, ("NO_PROXY", none)]), None, "{none}");
        }
        for other in ["ample.org", "other.example.org", ""] {
            assert!(found(&[own, ("NO_PROXY", other)]).is_some(), "{other}");
        }
        assert_eq!(towards("http://127.0.0.1:8000/", &[own]), Ok(None), "this machine is near");
    }

    #[test]
    fn unsupported_proxy_is_refused_without_its_password() {
        for text in
            ["socks5://me:secret@p:1080", "https://p:1", "http://p:x", "http://a%zz@p", "http://"]
        {
            let error = towards("https://a.org/", &[("HTTPS_PROXY", text)]).unwrap_err();
            assert!(error.contains("HTTPS_PROXY") && !error.contains("secret"), "{text}: {error}");
        }
        let named = towards("https://a.org/", &[("HTTPS_PROXY", "http://me:se%40cret@p:1")]);
        assert_eq!(named.unwrap().unwrap().credentials.as_deref(), Some("me:se@cret"));
    }

    #[test]
    fn credentials_are_percent_decoded() {
        for (text, meant) in
            [("me:pw", "me:pw"), ("me", "me:"), ("a%3Ab:c%25", "a:b:c%"), ("me:p@ss", "me:p@ss")]
        {
            let place = format!("http://{text}@p:1");
            let proxy = towards("https://a.org/", &[("HTTPS_PROXY", &place)]).unwrap().unwrap();
            assert_eq!(proxy.credentials.as_deref(), Some(meant));
        }
        for wrong in ["a%", "a%4", "a%4g", "a%+1", "a%ff", "a%0A"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numeric_address_is_excepted_only_exactly_or_by_a_star() {
        let own = ("HTTPS_PROXY", "http://proxy.local:3128/");
        for (url, list) in [
            ("https://10.1.2.3/", "10.1.2.3"),
            ("https://10.1.2.3:8443/", "10.1.2.3:8443"),
            ("https://10.1.2.3/", "*"),
            ("https://[2001:db8::1]/", "2001:db8::1"),
            ("https://[2001:db8::1]/", "[2001:db8::1]:443"),
            ("https://[2001:db8::1]/", "*"),
        ] {
            assert_eq!(towards(url, &[own, ("no_proxy", list)]), Ok(None), "{url} {list}");
        }
        let other = towards("https://[2001:db8::1]/", &[own, ("NO_PROXY", "2001:db8::2")]);
        assert!(other.unwrap().is_some());
    }
}
