//! Sets up a repository for discussions: the merge driver, the lines for git and formatters, and
//! the hook that checks before a commit. The set-up can be repeated at any time.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::repository::{self, Repository};
use crate::boundary::ProjectPlace;
use crate::platform::make_runnable;
use crate::store::error::StoreError;
use crate::store::read::beginning;

/// The setup of a repository.
#[derive(Clone, Copy, Debug)]
pub struct GitSetup<'a> {
    /// Any folder of the repository.
    pub folder: &'a Path,
    /// The folder of discussions, absolute or relative to `folder`. It need not exist.
    pub output: &'a Path,
    /// True to install a hook that checks commits.
    pub hook: bool,
}

/// One result of [`init`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetUpStep {
    /// A line was added to a file, which was created if necessary.
    Added {
        /// The file.
        path: PathBuf,
        /// The line.
        line: String,
    },
    /// A setting of the repository was written.
    Configured {
        /// Its key.
        key: &'static str,
    },
    /// The hook was written.
    Hooked {
        /// The hook.
        path: PathBuf,
    },
    /// A hook of another program exists and was not changed.
    Foreign {
        /// The hook.
        path: PathBuf,
        /// The line to add to it by hand.
        line: String,
    },
    /// Git's settings name a hooks folder outside the repository. A hook there would stop commits in other repositories
    /// too, so none was written.
    Shared {
        /// The shared folder.
        hooks: PathBuf,
        /// The folder of the repository's own hooks.
        own: PathBuf,
    },
    /// Git still merges discussions in another way, because something overrides the line of attributes.
    Overridden {
        /// The file with the line.
        path: PathBuf,
        /// The line.
        line: String,
        /// A path that git was asked about, relative to the top of the tree.
        probe: String,
        /// Git's merge setting for it: `unset`, `unspecified`, or the name of another driver.
        merge: String,
    },
}

/// The command of the merge driver. The program's regular exit codes are 0 (merged) and 1 (conflict). If the driver
/// ended with an error, git would keep our side's file without conflict marks. Therefore, if the program is not found
/// or cannot merge, git's own line merge takes over; it leaves conflict marks for parts that it cannot merge.
const DRIVER: &str = "discussions merge -- %O %A %B %P; code=$?; [ $code -le 1 ] && exit $code; \
                      git merge-file -L ours -L base -L theirs %A %O %B || exit 1";

const SETTINGS: [(&str, &str); 2] =
    [("merge.discussions.name", "blocks of discussions"), ("merge.discussions.driver", DRIVER)];

/// Sets up attributes, merge driver, ignored files and, if requested, the hook. Returns the changes, and the points
/// that a person has to handle. A second call returns only these points.
///
/// # Errors
/// Fails without a repository, if the folder of discussions is outside of it, or if a file cannot be written.
pub fn init(setup: GitSetup<'_>) -> Result<Vec<SetUpStep>, StoreError> {
    let fail =
        |doing| move |source| StoreError::Io { path: setup.folder.to_owned(), doing, source };
    let repository = Repository::find_repository(setup.folder)
        .ok_or_else(|| io::Error::other("this is not a git repository; run `git init` first"))
        .map_err(fail("looking for git"))?;
    let top = repository.top();
    let inside = relative_folder(top, setup).map_err(fail("locating the discussions"))?;
    let attributes = attribute_lines(&inside);
    let mut done = Vec::new();
    let (formatters, ignored) = (unformatted_lines(&inside), uncommitted_lines(&inside));
    let untrimmed = untrimmed_lines(&inside);
    let lines = [&attributes, &formatters, &ignored, &untrimmed];
    for line in lines.into_iter().filter(|line| line.is_of_use(top)) {
        let path = top.join(line.file);
        let written = line.write(&path).map_err(|source| StoreError::Io {
            path: path.clone(),
            doing: "writing",
            source,
        })?;
        if written {
            let text = [Some(line.text.as_str()), line.below].into_iter().flatten();
            let line = text.collect::<Vec<_>>().join(" ");
            done.push(SetUpStep::Added { path, line });
        }
    }
    for (key, value) in SETTINGS {
        if repository.setting(key).as_deref() != Some(value) {
            repository
                .ask(["config", "--local", key, value])
                .map_err(fail("writing git's configuration"))?;
            done.push(SetUpStep::Configured { key });
        }
    }
    if setup.hook {
        let folder = if inside.is_empty() { "." } else { &inside };
        let hooked = install_hook(&repository, folder);
        done.extend(hooked.map_err(fail("writing the hook"))?);
    }
    let probe = if inside.is_empty() { "x.md".to_owned() } else { format!("{inside}/x.md") };
    let merge = merge_of(&repository, &probe).map_err(fail("reading git's attributes"))?;
    if merge != "discussions" {
        let (path, line) = (top.join(attributes.file), attributes.text);
        done.push(SetUpStep::Overridden { path, line, probe, merge });
    }
    Ok(done)
}

/// Returns git's merge driver for a file, which need not exist. Only git knows it: a later line, a line in a folder
/// nearer to the file, or one in `.git/info/attributes` overrides ours.
fn merge_of(top: &Repository, path: &str) -> io::Result<String> {
    let said = top.ask(["check-attr", "-z", "merge", "--", path])?;
    // The output is path, attribute and value, each followed by a NUL byte.
    Ok(said.split('\0').nth(2).unwrap_or_default().to_owned())
}

/// Returns the folder of discussions relative to the top of the tree, with `/` between its parts.
fn relative_folder(top: &Path, setup: GitSetup<'_>) -> io::Result<String> {
    let folder = fs::canonicalize(setup.folder)?;
    let output = normal(&folder.join(setup.output));
    let inside = output.strip_prefix(top).map_err(|_| {
        io::Error::other(format!(
            "{} is outside the repository {}",
            output.display(),
            top.display()
        ))
    })?;
    let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
    let inside = parts.ok_or_else(|| io::Error::other("the folder's name is not UTF-8"))?.join("/");
    if inside.contains(char::is_control) {
        return Err(io::Error::other(
            "the folder's name contains a line end or another control character, so git cannot name its files; set \
             another folder with `output: {directory: ..}` in discussions.yaml",
        ));
    }
    Ok(inside)
}

/// Removes `.` and `..` from a path. The folder may not exist yet.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// Maximum number of bytes that are read of a `.gitattributes`.
const LIMIT: usize = 1 << 16;

/// Returns true if a `.gitattributes` above a folder names the merge driver of discussions and the clone does not have
/// it. Git then merges line by line. Git is started only if a `.gitattributes` has such a line.
pub(crate) fn lacks_merge_driver(folder: &Path) -> bool {
    let Some((top, _)) = repository::place_of(folder) else { return false };
    let Ok(folder) = folder.canonicalize() else { return false };
    let between = folder.ancestors().take_while(|one| one.starts_with(&top));
    let asks = between.into_iter().any(|one| {
        let file = ProjectPlace::follow(&one.join(".gitattributes"));
        let attributes = beginning(&file, LIMIT).ok().flatten().unwrap_or_default();
        attributes.lines().any(names_driver)
    });
    asks && Repository::find_repository(&folder)
        .is_some_and(|repository| repository.any_setting("merge.discussions.driver").is_none())
}

/// Returns true if the clone around a folder has the merge driver of discussions; `None` outside of a repository.
pub(crate) fn has_merge_driver(folder: &Path) -> Option<bool> {
    let repository = Repository::find_repository(folder)?;
    Some(repository.any_setting("merge.discussions.driver").is_some())
}

/// Returns true if a line of attributes assigns files to the merge driver.
fn names_driver(line: &str) -> bool {
    !line.trim_start().starts_with('#')
        && line.split_ascii_whitespace().skip(1).any(|word| word == "merge=discussions")
}

/// The files of which one is in a repository that may use Prettier.
const PRETTIER: [&str; 9] = [
    ".prettierignore",
    ".prettierrc",
    ".prettierrc.json",
    ".prettierrc.yaml",
    ".prettierrc.yml",
    ".prettierrc.toml",
    "package.json",
    "prettier.config.js",
    "prettier.config.mjs",
];

/// A line that a file at the top of the repository needs.
#[derive(Debug)]
struct DiffLine {
    /// The file's name.
    pub(super) file: &'static str,
    /// The line.
    pub(super) text: String,
    /// Another line directly below it.
    below: Option<&'static str>,
}

/// Returns the attributes line for a folder. The folder is relative to the top of the tree; it is empty for the top.
fn attribute_lines(folder: &str) -> DiffLine {
    DiffLine {
        file: ".gitattributes",
        text: format!("{} merge=discussions eol=lf", quoted(&pattern(folder, "*.md"))),
        below: None,
    }
}

/// Returns the line that keeps formatters away from discussions: a reformatted comment differs from the text that was
/// acknowledged.
fn unformatted_lines(folder: &str) -> DiffLine {
    DiffLine { file: ".prettierignore", text: ignored(&pattern(folder, "*.md")), below: None }
}

/// Returns the line that keeps summaries out of commits. They can be generated again; committed, they would cause merge
/// conflicts between branches.
fn uncommitted_lines(folder: &str) -> DiffLine {
    let text = ignored(&pattern(folder, "*.sum.md"));
    DiffLine { file: ".gitignore", text, below: None }
}

/// Returns the lines that keep editors from trimming recorded comments on save. A check does not count the blanks at the
/// ends of lines, but a save should change nothing that its author did not type.
fn untrimmed_lines(folder: &str) -> DiffLine {
    let mut text = String::from("[");
    for c in folder.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push_str(if folder.is_empty() { "/*.md]" } else { "/**.md]" });
    let below = Some("trim_trailing_whitespace = false");
    DiffLine { file: ".editorconfig", text, below }
}

impl DiffLine {
    /// Returns true if the repository uses the tool that reads the file. Git reads its own files always.
    fn is_of_use(&self, top: &Path) -> bool {
        let has =
            |names: &[&str]| names.iter().any(|name| top.join(name).symlink_metadata().is_ok());
        match self.file {
            ".prettierignore" => has(&PRETTIER),
            ".editorconfig" => has(&[".editorconfig"]),
            _ => true,
        }
    }

    /// Appends the line if it is missing. Returns true if it was written.
    pub(super) fn write(&self, path: &Path) -> io::Result<bool> {
        // Git reads no attributes through a link, and this program writes nothing through one.
        match fs::symlink_metadata(path) {
            Ok(found) if !found.is_file() => {
                return Err(io::Error::other("this is not a regular file; replace it with one"));
            }
            Ok(_) | Err(_) => {}
        }
        let before = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            other => other?,
        };
        if before.lines().any(|found| found.trim() == self.text) {
            return Ok(false);
        }
        let mut after = before;
        if !after.is_empty() && !after.ends_with('\n') {
            after.push('\n');
        }
        for line in [Some(self.text.as_str()), self.below].into_iter().flatten() {
            after.push_str(line);
            after.push('\n');
        }
        fs::write(path, after)?;
        Ok(true)
    }
}

/// Returns a pattern for the files of a folder and its subfolders. For the top folder it matches only files directly in
/// it: pages below the top are edited, not appended to.
fn pattern(folder: &str, files: &str) -> String {
    if folder.is_empty() {
        return format!("/{files}");
    }
    // `#` and `!` at the start of a pattern mean a comment and a negation.
    let anchor = if folder.starts_with(['#', '!']) { "/" } else { "" };
    let mut pattern = String::from(anchor);
    for c in folder.chars() {
        if matches!(c, '*' | '?' | '[' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    format!("{pattern}/**/{files}")
}

/// Quotes a pattern for an attributes file, which is necessary if it contains a space.
fn quoted(pattern: &str) -> String {
    if pattern.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\\')) {
        format!("\"{}\"", pattern.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        pattern.to_owned()
    }
}

/// Escapes a pattern for a file of ignored paths.
fn ignored(pattern: &str) -> String {
    pattern.replace(' ', "\\ ")
}

/// Writes the hook if none is there. It does not touch a hook of another program, or a hooks folder that other
/// repositories share.
fn install_hook(repository: &Repository, folder: &str) -> io::Result<Option<SetUpStep>> {
    let hooks = repository.hooks()?;
    let path = hooks.join("pre-commit");
    let script = HookScript::of(folder);
    match read(&path) {
        Ok(text) if script.is_called_in(&text) => return Ok(None),
        found => {
            // Linked worktrees share the hooks of the main worktree, in the common folder.
            let common = repository.common()?;
            let place = real(&hooks);
            if !place.starts_with(real(&common)) && !place.starts_with(repository.top()) {
                return Ok(Some(SetUpStep::Shared { hooks, own: common.join("hooks") }));
            }
            match found {
                Ok(_) => return Ok(Some(SetUpStep::Foreign { path, line: script.line() })),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    fs::create_dir_all(&hooks)?;
    // An existing file of this name is an error: it could be a link that came with the project. It is never followed.
    let mut file = fs::File::create_new(&path)?;
    file.write_all(script.text().as_bytes())?;
    make_runnable(&file)?;
    Ok(Some(SetUpStep::Hooked { path }))
}

/// Returns the text of a hook. A pipe or device is not opened, because reading it may never end.
fn read(path: &Path) -> io::Result<String> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            Err(io::Error::other(format!("{} is not a regular file; remove it", path.display())))
        }
        Err(_) if path.is_symlink() => {
            Err(io::Error::other(format!("{} is a broken link; remove it", path.display())))
        }
        Ok(_) | Err(_) => fs::read_to_string(path),
    }
}

/// Resolves links in a path, as far as the path exists.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|ancestor| {
        let rest = path.strip_prefix(ancestor).ok()?;
        Some(fs::canonicalize(ancestor).ok()?.join(rest))
    });
    normal(&found.unwrap_or_else(|| path.to_owned()))
}

/// The shell script of the hook. Git runs it at the top of the tree.
struct HookScript {
    /// The folder, quoted for the shell.
    folder: String,
}

impl HookScript {
    fn of(folder: &str) -> Self {
        // A folder that begins with `-` would be taken for an option.
        let sign = if folder.starts_with('-') { "./" } else { "" };
        Self { folder: format!("'{sign}{}'", folder.replace('\'', r"'\''")) }
    }

    fn check(&self) -> String {
        format!("discussions check --staged {}", self.folder)
    }

    fn is_called_in(&self, hook: &str) -> bool {
        let call = self.check();
        let mut lines = hook.lines().filter(|line| !line.trim_start().starts_with('#'));
        lines.any(|line| line.contains(&call))
    }

    /// Returns a line for a hook of another author, to be added anywhere in it. It checks nothing if the folder does
    /// not exist, for example before the first discussion or on a branch without any.
    fn line(&self) -> String {
        format!("[ ! -d {} ] || {} || exit 1", self.folder, self.check())
    }

    /// Returns the line that ends the hook if the folder does not exist, unless the commit deletes it.
    fn nothing(&self) -> String {
        let folder = &self.folder;
        format!(
            "[ -d {folder} ] || git rev-parse --quiet --verify HEAD:{folder} >/dev/null || exit 0\n"
        )
    }

    fn text(&self) -> String {
        let (first, check) = (self.nothing(), self.check());
        format!(
            "#!/bin/sh\n# A commit must not carry a discussion that lost a comment.\n{first}\
             command -v discussions >/dev/null || {{\n\
             \techo 'discussions is not on PATH: install it, or commit with --no-verify' >&2\n\
             \texit 1\n}}\nexec {check}\n",
        )
    }
}
