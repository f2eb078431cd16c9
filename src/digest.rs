//! SHA-256 as it is written everywhere.

use sha2::{Digest as _, Sha256};

/// SHA-256 of some bytes: 64 digits, in lower-case hexadecimal.
pub(crate) fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    hex(Sha256::digest(bytes))
}

/// Bytes in lower-case hexadecimal, two digits each: for a hash that was made piece by piece.
pub(crate) fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_known_hash_is_written_as_everywhere() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(super::sha256_hex(""), empty);
    }
}
