//! Who may come in: a key that is new each time the server starts.

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

/// Bytes of randomness in a key.
const STRENGTH: usize = 16;

/// What a key comes to, compared instead of it so that the time which that takes tells nothing of the key.
type Print = [u8; 32];

/// The key of a running server.
pub(super) struct Key {
    /// The key as it is printed.
    words: String,
    print: Print,
    /// What a browser keeps: a secret of its own, since browsers send it to every other port of the machine.
    cookie: String,
    cookie_print: Print,
    /// Another one that opens once: what is handed to a browser can be read by other users of the machine.
    ticket: Mutex<Option<Print>>,
}

impl Key {
    /// A new one.
    ///
    /// # Errors
    /// When the system gives no randomness.
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

    /// As it is printed and sent.
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// Whether this is the key.
    pub(super) fn is(&self, given: &str) -> bool {
        print(given) == self.print
    }

    /// What a browser is given to keep.
    pub(super) fn cookie(&self) -> &str {
        &self.cookie
    }

    /// Whether this is what a browser was given.
    pub(super) fn is_cookie(&self, given: &str) -> bool {
        print(given) == self.cookie_print
    }

    /// Whether this opens: the key, or the ticket, which then is spent.
    pub(super) fn opens(&self, given: &str) -> bool {
        self.is(given) || self.ticket.lock().take_if(|ticket| *ticket == print(given)).is_some()
    }

    /// A ticket that opens once, in place of an earlier one.
    ///
    /// # Errors
    /// As [`Key::new`].
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
    fn a_key_opens_always_and_a_ticket_once() {
        let key = Key::new().unwrap();
        assert!(key.opens(key.words()) && key.opens(key.words()));
        assert!(key.is_cookie(key.cookie()) && !key.is_cookie(key.words()));
        assert!(!key.is(key.cookie()) && !key.opens(key.cookie()));
        assert!(!key.opens("") && !key.opens(&key.words()[1..]));
        let ticket = key.new_ticket().unwrap();
        assert!(!key.is(&ticket) && key.opens(&ticket) && !key.opens(&ticket));
    }
}
