//! SHA-256 as hexadecimal text.

use sha2::{Digest as _, Sha256};

/// Returns the SHA-256 of bytes as 64 lower-case hexadecimal digits.
pub(crate) fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    hex(Sha256::digest(bytes))
}

/// Writes bytes in lower-case hexadecimal, two digits each; for a hash that was computed in parts.
pub(crate) fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_hash_is_lowercase_hexadecimal() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(super::sha256_hex(""), empty);
    }
}
