use super::*;

/// Builds a fake key. The parts are joined here, so that no secret scanner takes this file for a leak.
fn key(prefix: &str, length: usize) -> String {
    let letters = "q7Zk2Vw9Xb4Nc8Lm3Tr6Hy1Gd5Jf0Ps".chars().cycle();
    prefix.chars().chain(letters.take(length)).collect()
}

fn private_key() -> String {
    let line = key("", 64);
    format!("-----BEGIN {0} KEY-----\n{line}\n{line}\n-----END {0} KEY-----\n", "RSA PRIVATE")
}

fn rules(text: &str) -> Vec<&'static str> {
    scan(text).into_iter().map(|finding| finding.rule).collect()
}

fn hex(prefix: &str, length: usize) -> String {
    prefix.chars().chain("0f1e2d3c4b5a69788796a5b4c3d2e1f0".chars().cycle().take(length)).collect()
}

#[test]
fn every_kind_of_key_is_found_and_named() {
    let upper = |prefix: &str| key(prefix, 16).to_uppercase();
    let letters: String = "qZkVwXbNcLmTrHyGdJfPs".chars().cycle().take(34).collect();
    let jwt = format!("eyJ{}.eyJ{}.{}", "hbGciOiJIUzI1NiJ9", key("", 30), key("", 43));
    for (rule, text) in [
        ("private-key", private_key()),
        ("private-key-base64", key(&format!("LS0tLS1CRUdJTi{}", "BQUklWQVRFIEtFW"), 40)),
        (
            "age-secret-key",
            "AGE-SECRET-KEY-1".to_owned() + &"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2),
        ),
        ("github-pat", key("ghp_", 36)),
        ("github-fine-grained-pat", key("github_pat_", 82)),
        ("github-app-token", key("ghs_", 36)),
        ("gitlab-pat", key("glpat-", 20)),
        ("npm-access-token", key("npm_", 36)),
        ("npm-config-token", key("//registry.npmjs.org/:_authToken=", 36)),
        ("pypi-upload-token", key("pypi-AgEIcHlwaS5vcmc", 60)),
        ("anthropic-api-key", key("sk-ant-api03-", 95)),
        ("openai-api-key", key("sk-proj-", 60)),
        ("openai-api-key", key("sk-", 48)),
        ("openrouter-api-key", hex("sk-or-v1-", 64)),
        ("huggingface-access-token", format!("hf_{letters}")),
        ("aws-access-token", upper("AKIA")),
        ("aws-secret-access-key", key("aws_secret_access_key = ", 40)),
        ("gcp-api-key", key("AIza", 35)),
        ("slack-token", key("xoxb-123456789012-1234567890123-", 24)),
        ("slack-webhook-url", key("https://hooks.slack.com/services/T", 45)),
        ("stripe-access-token", key("sk_live_", 24)),
        ("telegram-bot-api-token", key("123456789:AA", 33)),
        ("jwt", jwt),
        ("url-with-password", key("postgres://app:", 16) + "@db.internal.corp/app"),
    ] {
        assert_eq!(rules(&text), [rule], "{rule}");
        // The key in JSON on one line, with Windows line ends, and quoted.
        assert_eq!(
            rules(&format!("{{\"a\": \"x\\n{}\"}}", text.replace('\n', "\\n"))),
            [rule],
            "{rule} in JSON"
        );
        assert_eq!(
            rules(&format!("a\r\n{}", text.replace('\n', "\r\n"))),
            [rule],
            "{rule} with CR LF"
        );
        let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
        assert_eq!(rules(&quoted), [rule], "{rule} quoted");
        // No finding contains the key.
        let shown = format!("{:?} {}", scan(&text), scan(&text)[0]);
        assert!(!shown.contains("q7Zk"), "{shown}");
    }
}

#[test]
fn examples_and_placeholders_are_no_secrets() {
    for text in [
        "AKIAIOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "export OPENAI_API_KEY=sk-...",
        "sk-proj-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}",
        "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
        "if text.starts_with(\"-----BEGIN PRIVATE KEY-----\") { return read_the_private_key(text) }",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SaJbNmNKXpUhVLvFAS8Sy8sSgLTz1Yx1 rob@x",
        "https://user:password@example.com/",
        "postgres://postgres:postgres@localhost:5432/app",
        "postgres://app:${DB_PASSWORD}@db/app",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "see https://docs.rs/a/b and mailto:rob@example.com",
        "git@github.com:owner/name.git",
        "task-force, desk-job, risk-free; e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ] {
        assert_eq!(rules(text), [""; 0], "{text}");
    }
}

#[test]
fn credential_files_are_found_by_name() {
    for (path, rule) in [
        (".env", "dotenv"),
        ("app/.ENV", "dotenv"),
        (".env ", "dotenv"),
        ("app/.env.local", "dotenv"),
        ("app/.env.production", "dotenv"),
        ("deploy/prod.env", "dotenv"),
        ("app\\.env", "dotenv"),
        ("id_rsa", "ssh-private-key"),
        ("keys/id_ed25519", "ssh-private-key"),
        ("keys/id_ed25519_work", "ssh-private-key"),
        ("home/.ssh/deploy", "ssh-folder"),
        (".git/config", "git-folder"),
        ("a/.git/hooks/x", "git-folder"),
        (".netrc", "netrc"),
        ("_netrc", "netrc"),
        (".pypirc", "pypirc"),
        ("me/.docker/config.json", "docker-config"),
        ("me/.kube/config", "kube-config"),
        ("me/.aws/credentials", "aws-credentials"),
        ("gcloud/application_default_credentials.json", "gcloud-credentials"),
        ("credentials.json", "credentials-json"),
        ("me/.cargo/credentials.toml", "cargo-credentials"),
        ("me/.cargo/credentials", "cargo-credentials"),
        (".git-credentials", "git-credentials"),
        ("server.p12", "key-store"),
    ] {
        assert_eq!(credential_file(path), Some(rule), "{path}");
    }
    assert_eq!(credential_file("srv/app.git/config"), Some("git-folder"));
    for path in [
        ".env.example",
        "app/.env.sample",
        ".env.template",
        ".env.local.example",
        "example.env",
        ".envrc",
        "environment.rs",
        "env",
        "id_rsa.pub",
        "id_rsa.rs",
        ".ssh/known_hosts",
        ".ssh/id_ed25519.pub",
        ".gitignore",
        ".github/workflows/ci.yml",
        "docker/config.json",
        "config",
        ".npmrc",
        ".aws/config",
        "src/credentials.rs",
        "cert.pem",
        "server.key",
    ] {
        assert_eq!(credential_file(path), None, "{path}");
    }
}

#[test]
fn finding_states_the_line() {
    let text = format!("a\nb\r\nü {}\nc\n{}", key("ghp_", 36), private_key());
    let lines: Vec<_> = scan(&text).iter().map(|finding| (finding.line, finding.rule)).collect();
    assert_eq!(lines, [(Some(3), "github-pat"), (Some(5), "private-key")]);
    let shown = scan(&text)[0].clone().in_text("notes/a\u{202e}.md").to_string();
    assert_eq!(shown, "notes/a⟨U+202E⟩.md:3: looks like a secret (github-pat)");
}

#[test]
fn finding_in_a_diff_states_file_and_line_on_both_sides() {
    let (added, removed) = (key("ghp_", 36), key("glpat-", 20));
    let patch = format!(
        "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -10,3 +10,3 @@ fn main() {{\n \
         one\n-{removed}\n+{added}\n two\ndiff --git a/web/.env b/web/.env\nnew file mode 100644\n--- /dev/null\n+++ b/web/.env\n\
         @@ -0,0 +1 @@\n+PORT=1\ndiff --git a/.env b/.env\ndeleted file mode 100644\n--- a/.env\n+++ /dev/null\n@@ -1 +0,0 @@\n-P=1\n"
    );
    let told: Vec<String> = scan(&patch).iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            ".env: is a credential file (dotenv)",
            "src/a.rs:11: looks like a secret (github-pat)",
            "src/a.rs:11: looks like a secret (gitlab-pat, removed line)",
            "web/.env: is a credential file (dotenv)",
        ]
    );
    // Diff marks do not split a key of several lines, and an unchanged key is reported once.
    for mark in ["+", "-", " "] {
        let lines: String = private_key().lines().map(|line| format!("{mark}{line}\n")).collect();
        let hunk = format!("@@ -1,4 +1,4 @@\n{lines}");
        let patch = format!("--- a/k.txt\n+++ b/k.txt\n{hunk}");
        let found = scan(&patch);
        assert_eq!(found.len(), 1, "{mark}: {found:?}");
        assert_eq!((found[0].line, found[0].removed), (Some(1), mark == "-"), "{mark}");
    }
    // Text in and after a hunk header is scanned even if the header counts more lines than there are.
    let patch = format!("--- a/k\n+++ b/k\n@@ -1,900 +1,900 @@ {added}\n+a\nplain {removed}\n");
    assert_eq!(rules(&patch), ["github-pat", "gitlab-pat"]);
    // So is a text that only looks like a diff.
    let patch = format!("--- a/k\n+++ b/k\n@@ -1,900 +1,900 @@\n{}", private_key());
    assert_eq!(rules(&patch), ["private-key"]);
    // A file name that git quotes.
    let patch = "--- /dev/null\n+++ \"b/f\\303\\274r/.env\"\n@@ -0,0 +1 @@\n+A=1\n";
    assert_eq!(rules(patch), ["dotenv"]);
}

#[test]
fn key_with_invisible_characters_is_found() {
    let whole = key("ghp_", 36);
    for splitter in [
        "\u{200b}",
        "\u{200d}",
        "\u{ad}",
        "\u{feff}",
        "\0",
        "\u{34f}",
        "\u{fe0f}",
        "\u{180e}",
        "\u{e0041}",
        "\u{1b}[01;31m",
        "\u{1b}[m\u{1b}[K",
    ] {
        let text: String =
            whole.chars().flat_map(|c| [c.to_string(), splitter.to_owned()]).collect();
        assert_eq!(rules(&text), ["github-pat"], "{splitter:?}");
    }
}

#[test]
fn key_in_base64_is_found_with_its_line() {
    // `echo -n KEY | base64` of a key of GitHub's form, as a Kubernetes Secret contains it.
    let encoded: String =
        ["Z2hwX3E3WmsyVnc5", "WGI0TmM4TG0zVHI2", "SHkxR2Q1SmYwUHNx", "N1prMg=="].concat();
    let text = format!("kind: Secret\ndata:\n  token: {encoded}\n");
    let found: Vec<_> = scan(&text).iter().map(|one| (one.line, one.rule)).collect();
    assert_eq!(found, [(Some(3), "github-pat")]);
}

#[test]
fn number_of_findings_is_limited() {
    let text = (key("ghp_", 36) + "\n").repeat(10_000);
    assert!(scan(&text).len() <= MOST_FINDINGS);
}

/// Beginnings of keys without an end make every rule run. If the time were quadratic, a megabyte would take minutes.
#[test]
fn scan_time_is_linear_in_the_length() {
    let begun = [
        "ghp_",
        "sk-",
        "sk-proj-",
        "eyJhbGciOi",
        ".eyJ",
        "://a:",
        "-----BEGIN PRIVATE KEY-----",
        "AKIA",
        "xoxb-1-",
        "LS0tLS1CRUdJTi",
        "aws_secret_access_key=",
        "hvs.",
        "@@ -1 +1 @@\n",
        "--- a\n+++ b\n",
    ];
    let start = std::time::Instant::now();
    for piece in begun {
        scan(&piece.repeat(1_000_000 / piece.len()));
    }
    scan(&"x".repeat(10_000_000));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
