//! The key of the server, which is new at each start.

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

/// The number of random bytes in a key.
const STRENGTH: usize = 16;

/// The hash of a key. Hashes are compared instead of keys, so that the time of a comparison reveals nothing about the
/// key.
type Print = [u8; 32];

/// The key of a running server.
pub(super) struct SessionKey {
    /// The key as it is printed.
    words: String,
    print: Print,
    /// The cookie's value. It is a secret of its own, because browsers send it to every other port of the machine.
    cookie: String,
    cookie_print: Print,
    /// The hash of a ticket that is valid once. The program starts a browser with the ticket instead of the key,
    /// because other users of the machine can read the address that a browser gets.
    ticket: Mutex<Option<Print>>,
}

impl SessionKey {
    /// Creates a new key.
    ///
    /// # Errors
    /// Fails if the system provides no random bytes.
    pub(super) fn new() -> Result<Self, getrandom::Error> {
        let (words, cookie) = (random()?, random()?);
        Ok(Self {
            print: print(&words),
            words,
            cookie_print: print(&cookie),
            cookie,
            ticket: Mutex::new(None),
        })
    }

    /// Returns the key as it is printed and sent.
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// Returns true if `given` is the key.
    pub(super) fn is(&self, given: &str) -> bool {
        print(given) == self.print
    }

    /// Returns the value of the cookie.
    pub(super) fn cookie(&self) -> &str {
        &self.cookie
    }

    /// Returns true if `given` is the value of the cookie.
    pub(super) fn is_cookie(&self, given: &str) -> bool {
        print(given) == self.cookie_print
    }

    /// Returns true if `given` is the key or the ticket. A ticket is then used up.
    pub(super) fn opens(&self, given: &str) -> bool {
        self.is(given) || self.ticket.lock().take_if(|ticket| *ticket == print(given)).is_some()
    }

    /// Creates a ticket that is valid once; it replaces an earlier one.
    ///
    /// # Errors
    /// Fails like [`SessionKey::new`].
    pub(super) fn new_ticket(&self) -> Result<String, getrandom::Error> {
        let words = random()?;
        *self.ticket.lock() = Some(print(&words));
        Ok(words)
    }
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; STRENGTH];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn print(words: &str) -> Print {
    Sha256::digest(words).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_always_opens_and_a_ticket_opens_once() {
        let key = SessionKey::new().unwrap();
        assert!(key.opens(key.words()) && key.opens(key.words()));
        assert!(key.is_cookie(key.cookie()) && !key.is_cookie(key.words()));
        assert!(!key.is(key.cookie()) && !key.opens(key.cookie()));
        assert!(!key.opens("") && !key.opens(&key.words()[1..]));
        let ticket = key.new_ticket().unwrap();
        assert!(!key.is(&ticket) && key.opens(&ticket) && !key.opens(&ticket));
    }
}
