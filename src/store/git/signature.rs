//! Signatures of commits that git can verify on this machine.

use super::command;
use super::repository::Repository;

/// A verified signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The signer according to the key; untrusted text.
    pub(crate) signer: String,
}

/// Signature programs by their usual names, so that no repository can choose other ones.
const PROGRAMS: [&str; 3] =
    ["gpg.program=gpg", "gpg.ssh.program=ssh-keygen", "gpg.x509.program=gpgsm"];

/// Verifies the signature of one commit. Returns `None` if there is none, or if it is bad or cannot be verified.
/// Also returns `None` in a repository that came along with files, because its configuration could name its own keys.
pub(super) fn signature(repository: &Repository, commit: &str) -> Option<Signature> {
    if !repository.is_users_own() {
        return None;
    }
    let mut git = command::git(repository.top());
    for program in PROGRAMS {
        git.args(["-c", program]);
    }
    git.args([
        "log",
        "-1",
        "--no-walk",
        "--no-patch",
        "--format=%G?%x00%GS",
        "--end-of-options",
        commit,
    ]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    let told = String::from_utf8_lossy(&output.stdout);
    let (grade, signer) = told.trim_end_matches('\n').split_once('\0')?;
    (grade == "G").then(|| Signature { signer: signer.to_owned() })
}
