//! The folder in which a program answers: a new one for each call, private to the user, and without anything of a
//! project in it or above it.
//!
//! Coding agents read settings from their folder and from all folders above it, and some settings start programs or send
//! the user's key to another address. So the folder is a place where such a search ends.

use std::fs;
use std::io;
use std::path::Path;

use crate::platform::link_or_copy;
use crate::provider::Environment;
use crate::store::TemporaryFolder;

/// The files of an empty git repository. Agents search for settings, plugins and instructions only up to the root of the
/// repository in which they run.
const REPOSITORY: [(&str, &str); 2] =
    [("HEAD", "ref: refs/heads/main\n"), ("config", "[core]\n\trepositoryformatversion = 0\n")];
const REPOSITORY_FOLDERS: [&str; 2] = ["objects", "refs"];

/// A file that a program searches in all folders up to the root, beyond the repository, and then in the user's home. The
/// one in the home counts: a link to it ends the search.
const SEARCHED: &str = ".gemini/.env";
/// The program that searches the file. Others get an empty file: a model that may look could follow the link.
const SEARCHER: &str = "gemini";

/// Creates the folder for a call of a program. It contains no visible file.
///
/// # Errors
/// Fails if the folder cannot be created, or if it would be inside of the project.
pub(super) fn create_folder(
    env: &Environment,
    project: &Path,
    program: &Path,
) -> io::Result<TemporaryFolder> {
    let folder = env.new_folder()?;
    if is_inside(folder.path(), project) && !env.home().is_some_and(|home| is_inside(home, project))
    {
        return Err(io::Error::other("it is inside of the project"));
    }
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let own = env.home().map(|home| home.join(SEARCHED));
    let own = own.filter(|own| name.contains(SEARCHER) && own.is_file());
    end_search(folder.path(), own.as_deref())?;
    Ok(folder)
}

fn is_inside(path: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(path).starts_with(real(folder))
}

/// Makes the folder a place where searches for settings end. `own` is the user's own file of variables.
fn end_search(folder: &Path, own: Option<&Path>) -> io::Result<()> {
    let git = folder.join(".git");
    for name in REPOSITORY_FOLDERS {
        fs::create_dir_all(git.join(name))?;
    }
    for (name, text) in REPOSITORY {
        fs::write(git.join(name), text)?;
    }
    let file = folder.join(SEARCHED);
    fs::create_dir_all(file.parent().unwrap_or(folder))?;
    match own {
        Some(own) => link_or_copy(own, &file),
        None => fs::write(&file, ""),
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn env(home: Option<&Path>, own: &Path) -> Environment {
        let none: [(&str, &str); 0] = [];
        Environment::new(none, home.map(Path::to_owned), own.to_owned())
    }

    #[test]
    fn folder_is_a_repository_and_has_the_user_s_own_file_for_one_program() {
        let root = tempfile::tempdir().unwrap();
        let (home, project) = (root.path().join("home"), root.path().join("project"));
        fs::create_dir_all(home.join(".gemini")).unwrap();
        fs::create_dir(&project).unwrap();
        let env = env(Some(&home), &home.join("cache"));
        let variables = |program: &str| {
            let folder = create_folder(&env, &project, Path::new(program)).unwrap();
            fs::read_to_string(folder.path().join(SEARCHED)).unwrap()
        };
        assert_eq!(variables("/bin/gemini"), "");
        fs::write(home.join(SEARCHED), "GEMINI_API_KEY=own\n").unwrap();
        assert_eq!(variables("/bin/gemini"), "GEMINI_API_KEY=own\n");
        assert_eq!(variables("/gemini/opencode"), "");
        let folder = create_folder(&env, &project, Path::new("claude")).unwrap();
        let asked = ["rev-parse", "--show-toplevel"];
        let git = Command::new("git").arg("-C").arg(folder.path()).args(asked).output().unwrap();
        let found = String::from_utf8(git.stdout).unwrap();
        assert_eq!(Path::new(found.trim()), folder.path().canonicalize().unwrap());
    }

    #[test]
    fn folder_inside_of_the_project_is_refused_unless_the_home_is_there_too() {
        let project = tempfile::tempdir().unwrap();
        let (home, own) = (project.path().join("home"), project.path().join("cache"));
        let made = |home| create_folder(&env(home, &own), project.path(), Path::new("x"));
        assert!(made(None).is_err());
        assert!(made(Some(&home)).is_ok());
    }
}
