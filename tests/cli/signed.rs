//! Signatures of commits in the report of `check --git`.

use super::scenario::Scenario;

#[test]
fn verified_signature_is_named_but_changes_no_severity() {
    let scenario = Scenario::with_discussion();
    let made = scenario
        .command("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "mallory", "-f"])
        .arg(scenario.path("../home/key"))
        .output();
    if made.is_err() {
        eprintln!("skipped: signatures (needs ssh-keygen)");
        return;
    }
    let key = scenario.path("../home/key.pub").canonicalize().unwrap();
    let public = std::fs::read_to_string(&key).unwrap();
    scenario.write("../home/signers", format!("mallory@example.org {public}").as_bytes());
    let signers = scenario.path("../home/signers").canonicalize().unwrap();
    scenario.init_git().git(&["config", "user.name", "Mallory"]);
    for (name, value) in [
        ("gpg.format", "ssh"),
        ("user.signingkey", key.to_str().unwrap()),
        ("gpg.ssh.allowedSignersFile", signers.to_str().unwrap()),
    ] {
        scenario.git(&["config", name, value]);
    }
    scenario.discussions(&["comment", "caching", "Fine.", "--as", "Rob"]).with_warnings().code(0);
    scenario.git(&["add", "-A"]).git(&["commit", "-qn", "-S", "-m", "Signed"]);
    let run = scenario.discussions(&["check", "--git"]).code(0);
    assert!(run.stdout.contains("signed by mallory@example.org"), "{}", run.stdout);
    assert!(run.stdout.contains("warning: commit"), "{}", run.stdout);
    // A signature by an unknown key does not name a signer.
    scenario.write("../home/signers", b"");
    let run = scenario.discussions(&["check", "--git"]).code(0);
    assert!(!run.stdout.contains("signed by"), "{}", run.stdout);
}
