//! The hook that looks at discussions before a commit.

use std::fs;
use std::io;
use std::path::Path;

use super::git::Repository;
use super::init::Done;

/// Writes the hook unless one stands there; another's is left alone.
pub(super) fn install(repository: &Repository, folder: &str) -> io::Result<Option<Done>> {
    let hooks = repository.ask(["rev-parse", "--path-format=absolute", "--git-path", "hooks"])?;
    let hooks = Path::new(hooks.trim_end_matches('\n'));
    let path = hooks.join("pre-commit");
    let line = format!("discussions check '{}'", folder.replace('\'', r"'\''"));
    match fs::read_to_string(&path) {
        Ok(text) if text.lines().any(|found| found.trim().ends_with(&line)) => return Ok(None),
        Ok(_) => return Ok(Some(Done::Foreign { path, line })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::create_dir_all(hooks)?;
    fs::write(
        &path,
        format!(
            "#!/bin/sh\n# A commit must not carry a discussion that lost a comment.\n\
             command -v discussions >/dev/null || {{\n\
             \techo 'discussions is not on PATH: install it, or commit with --no-verify' >&2\n\
             \texit 1\n}}\nexec {line}\n"
        ),
    )?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(Some(Done::Hooked { path }))
}
