//! The search for the discussion that a typed path, name, beginning of a name, title or part of a title means. It also
//! finds the shortest name of a discussion, and suggests names while the user types.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use unicode_normalization::UnicodeNormalization;

use super::Workspace;
use super::error::{Help, WorkspaceError};
use super::failure::listed;
use super::files::{FoundFile, each, files_below};
use crate::store::{self, Committed, StoreError};
use crate::transcript::{parse, visible_line};

/// The number of bytes that are read from a file to find its title.
const BEGINNING: usize = 16 << 10;

/// Returns true if the file name ends like Markdown.
fn is_markdown(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ending.eq_ignore_ascii_case("md") || ending.eq_ignore_ascii_case("markdown")
}

/// A file that the typed text may stand for.
struct NameCandidate {
    path: PathBuf,
    /// The file is in the folder of discussions.
    is_kept: bool,
    /// The path below that folder or the working folder, and the bare name, both without `.md` and normalized by
    /// [`alike`].
    names: [String; 2],
}

impl Workspace {
    /// Returns the file of a discussion. The name is a path or a bare name in the working folder or the output
    /// directory. Otherwise it must fit only one discussion there: equal its name or title in any case, begin its name,
    /// or be part of its title.
    ///
    /// # Errors
    /// Fails, with similar names, if there is no such discussion, and if several fit. Also fails for a file that is not
    /// Markdown, because a comment would otherwise be written into a program's own file. A page without a discussion in
    /// the working folder is found only by a path or with `.md`, not by its bare name. Agents find only discussions.
    pub fn find(&self, name: &Path) -> Result<PathBuf, WorkspaceError> {
        let found = self.find_page(name)?;
        if self.setup.reach.only_discussions {
            self.insist_discussion(&found)?;
        }
        Ok(found)
    }

    /// Checks that a file is a discussion; for an agent that is limited to a folder, one in the folder of discussions.
    fn insist_discussion(&self, path: &Path) -> Result<(), WorkspaceError> {
        // Other agents may obey the file.
        let refused = |reason: &str| {
            Err(WorkspaceError::refuse(format!(
                "{}: {reason}, so agents and web pages can neither read nor change it as one",
                self.shown_path(path)
            ))
            .with_help(Help::ListDiscussions))
        };
        let read = self.document(path)?;
        if !parse(read.text).is_begun() {
            return refused("this is not a discussion: it has neither a head nor a comment");
        }
        if self.setup.reach.root.is_none() {
            return Ok(());
        }
        let real = self.place(path)?;
        let kept = self.place(&self.output_directory())?;
        if real.real().starts_with(kept.real()) {
            Ok(())
        } else {
            refused("this is not in the folder of discussions")
        }
    }

    /// Returns the file of a name, which may be a page without a discussion.
    fn find_page(&self, name: &Path) -> Result<PathBuf, WorkspaceError> {
        let missing = match store::find(name, &self.setup.cwd, Some(&self.output_directory())) {
            Ok(found) => match self.kept_instead(name, &found) {
                Some(kept) => return Ok(kept),
                None if !is_markdown(&found) => {
                    let file = self.shown_path(&found);
                    let refused = WorkspaceError::refuse(format!(
                        "{file}: this is not a Markdown file, so it is not a discussion"
                    ));
                    let is_yaml = found.extension().is_some_and(|it| it == "yaml" || it == "yml");
                    return Err(if is_yaml {
                        refused.with_help(Help::ImportWorkflow(file))
                    } else {
                        refused
                    });
                }
                None if self.is_page_beside(name, &found) => {
                    StoreError::NotFound { path: name.to_owned(), near: vec![found] }
                }
                None => return Ok(found),
            },
            Err(error) => error,
        };
        // Suggests names that the user can type in the working folder.
        let missing = match missing {
            StoreError::NotFound { path, near } => {
                let near = near.iter().map(|path| self.exactly(path).into()).collect();
                StoreError::NotFound { path, near }
            }
            other => other,
        };
        let words = name.to_str().filter(|_| is_words(name));
        match (&missing, words) {
            (StoreError::NotFound { .. } | StoreError::Directory { .. }, Some(words)) => {
                self.best_fit(words)?.ok_or(missing.into())
            }
            _ => Err(missing.into()),
        }
    }

    /// Returns the discussion of a bare name in the folder of discussions, if a file of that name in the working folder
    /// is not a discussion.
    fn kept_instead(&self, name: &Path, found: &Path) -> Option<PathBuf> {
        let output = self.output_directory();
        if !is_words(name) || is_markdown(name) || found.starts_with(&output) {
            return None;
        }
        let kept = store::find(name, &output, None).ok().filter(|kept| is_markdown(kept))?;
        ((!is_markdown(found) || !self.is_discussion(found)) && self.is_discussion(&kept))
            .then_some(kept)
    }

    /// Returns true if a bare name would find a page in the working folder that is not a
    /// discussion, such as the project's README.
    fn is_page_beside(&self, name: &Path, found: &Path) -> bool {
        is_words(name)
            && !is_markdown(name)
            && !found.starts_with(self.output_directory())
            && self.document(found).is_ok_and(|read| !parse(read.text).is_discussion())
    }

    fn is_discussion(&self, path: &Path) -> bool {
        self.document(path).is_ok_and(|read| parse(read.text).is_discussion())
    }

    /// Returns the one discussion that fits best.
    fn best_fit(&self, words: &str) -> Result<Option<PathBuf>, WorkspaceError> {
        let wanted = alike(words.strip_suffix(".md").unwrap_or(words));
        // Words without any letter or digit give no file name.
        let slug = words.chars().any(char::is_alphanumeric).then(|| store::slug(words));
        if wanted.is_empty() {
            return Ok(None);
        }
        let all = self.candidates()?;
        let named = |fits: &dyn Fn(&str) -> bool| -> Vec<&NameCandidate> {
            all.iter().filter(|one| one.names.iter().any(|name| fits(name))).collect()
        };
        let equal = named(&|name| name == wanted);
        let found = self.keep_discussions(&equal);
        if !found.is_empty() {
            return self.only(words, &found);
        }
        // The user may want to begin a discussion in a page, but only in the folder of discussions.
        if let Some(page) = equal.iter().find(|one| one.is_kept) {
            return Ok(Some(page.path.clone()));
        }
        let starts = |name: &str| slug.as_ref().is_some_and(|slug| name.starts_with(slug));
        let begun = named(&|name| name.starts_with(&wanted) || starts(name));
        let begun = outermost(self.keep_discussions(&begun));
        if begun.len() == 1 {
            return self.only(words, &begun);
        }
        let titles = each(&all, |one| self.title(one));
        let titled = |fits: &dyn Fn(&str) -> bool| -> Vec<&NameCandidate> {
            let of = all.iter().zip(&titles);
            let fitting = of.filter(|(_, title)| title.as_deref().is_some_and(fits));
            outermost(self.keep_discussions(&fitting.map(|(one, _)| one).collect::<Vec<_>>()))
        };
        // If titles were cut to equal names, the typed title decides.
        let mut whole = titled(&|title| title == wanted);
        if whole.is_empty() {
            whole = titled(&|title| slug.as_ref() == Some(&store::slug(title)));
        }
        if !whole.is_empty() || !begun.is_empty() {
            return self.only(words, if whole.is_empty() { &begun } else { &whole });
        }
        self.only(words, &titled(&|title| title.contains(&wanted)))
    }

    /// Returns the only file, or an error that names them if there are several.
    fn only(
        &self,
        words: &str,
        found: &[&NameCandidate],
    ) -> Result<Option<PathBuf>, WorkspaceError> {
        match found {
            [] => Ok(None),
            [one] => Ok(Some(one.path.clone())),
            several => {
                let names = DiscussionNames::of(self);
                // Each of them matches only one.
                let fit: Vec<_> = several.iter().map(|one| names.of_file(&one.path)).collect();
                Err(WorkspaceError::refuse(format!(
                    "`{}` matches several discussions: {}",
                    visible_line(words),
                    listed(&fit)
                )))
            }
        }
    }

    /// Keeps the files that are discussions. Reads nothing behind a link that leaves its project.
    fn keep_discussions<'c>(&self, files: &[&'c NameCandidate]) -> Vec<&'c NameCandidate> {
        let is = each(files, |one| self.is_discussion(&one.path));
        files.iter().zip(is).filter(|(_, is)| *is).map(|(one, _)| *one).collect()
    }

    /// Returns the title, normalized by [`alike`].
    fn title(&self, one: &NameCandidate) -> Option<String> {
        self.whole_title(one).as_deref().map(alike)
    }

    fn whole_title(&self, one: &NameCandidate) -> Option<String> {
        let beginning = self.open_with(&one.path, |place| store::beginning(place, BEGINNING));
        parse(beginning.ok()??).title().map(str::to_owned)
    }

    /// Returns the Markdown files in the working folder and in the folder of discussions with its subfolders.
    fn candidates(&self) -> Result<Vec<NameCandidate>, WorkspaceError> {
        let (here, output) = (&self.setup.cwd, self.output_directory());
        // Even a title is not read behind a link that leads out of the project.
        let inside = output.is_dir() && self.setup.insist_inside(&output).is_ok();
        let kept = if inside { files_below(&output)? } else { Vec::new() };
        let beside = super::files::files_in(here)?;
        let mut all: Vec<NameCandidate> = Vec::with_capacity(kept.len() + beside.len());
        for (files, folder, is_kept) in [(kept, &output, true), (beside, here, false)] {
            for FoundFile { path, .. } in files {
                // Files of discussions in the working folder are already in the first list.
                if is_kept || !path.starts_with(&output) {
                    let names = [path.strip_prefix(folder).unwrap_or(&path), file_name(&path)]
                        .map(|name| alike(&name.with_extension("").to_string_lossy()));
                    all.push(NameCandidate { path, is_kept, names });
                }
            }
        }
        Ok(all)
    }
}

/// Drops the sub-discussions of other discussions in the list: their names begin with the parent's name.
fn outermost(found: Vec<&NameCandidate>) -> Vec<&NameCandidate> {
    let paths: HashSet<&Path> = found.iter().map(|one| one.path.as_path()).collect();
    let is_within = |one: &&NameCandidate| {
        let mut parent = one.path.parent().unwrap_or(Path::new("")).as_os_str().to_owned();
        parent.push(".md");
        paths.contains(Path::new(&parent))
    };
    found.iter().copied().filter(|one| !is_within(one)).collect()
}

fn file_name(path: &Path) -> &Path {
    Path::new(path.file_name().unwrap_or_default())
}

/// Returns true if the text may be words: `./x`, `../x` and `/x` can only be paths.
fn is_words(name: &Path) -> bool {
    let mut parts = name.components();
    parts.all(|part| matches!(part, Component::Normal(_))) && !name.starts_with(".")
}

/// Normalizes a text for comparing names: NFC, lower case, single blanks.
fn alike(text: &str) -> String {
    let lower: String = text.nfc().flat_map(char::to_lowercase).nfc().collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The data that is read once to name many files.
pub(super) struct DiscussionNames<'w> {
    workspace: &'w Workspace,
    output: PathBuf,
    /// The entries of the working folder, which is searched first.
    here: HashSet<OsString>,
    /// The times of the last commits, read on first use.
    committed: OnceLock<Committed>,
}

impl<'w> DiscussionNames<'w> {
    /// Prepares names that can be typed in the working folder.
    pub(super) fn of(workspace: &'w Workspace) -> Self {
        let output = workspace.output_directory();
        let cwd = &workspace.setup.cwd;
        let entries = if *cwd == output { None } else { std::fs::read_dir(cwd).ok() };
        let here = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.file_name()));
        Self { workspace, output, here: here.collect(), committed: OnceLock::new() }
    }

    /// Returns the time when git last committed a file, if the file is unchanged since.
    pub(super) fn committed(&self, path: &Path) -> Option<SystemTime> {
        let folder =
            if path.starts_with(&self.output) { self.output.as_path() } else { path.parent()? };
        self.committed.get_or_init(|| Committed::in_folder(folder)).of(path)
    }

    /// Returns the path below the folder of discussions, without `.md`. If that finds another file, or cannot be typed,
    /// returns the path from the working folder.
    pub(super) fn of_file(&self, path: &Path) -> String {
        self.short(path).unwrap_or_else(|| {
            let path = self.workspace.exactly(path);
            if path.starts_with(['-', '@']) { format!("./{path}") } else { path }
        })
    }

    fn short(&self, path: &Path) -> Option<String> {
        let name = match path.strip_prefix(&self.output) {
            Ok(name) => name.to_str()?,
            Err(_) => path.strip_prefix(&self.workspace.setup.cwd).ok()?.to_str()?,
        };
        let end = name.len().checked_sub(3)?;
        let short = name.get(..end).filter(|_| name[end..].eq_ignore_ascii_case(".md"))?;
        let plain = !short.is_empty()
            && !short.starts_with(['-', '@', '.'])
            && !short.to_ascii_lowercase().ends_with(".md")
            && visible_line(short) == short;
        let first = Path::new(short).components().next()?.as_os_str();
        let mut file = first.to_owned();
        file.push(".md");
        let is_here =
            path.starts_with(&self.workspace.setup.cwd) && !path.starts_with(&self.output);
        let taken = self.here.contains(first) && short.contains('/') || self.here.contains(&file);
        (plain && (is_here || !taken)).then(|| short.to_owned())
    }
}

/// The maximum number of matches for which titles are read. With more, only the names are read.
const FEW: usize = 64;

impl Workspace {
    /// Returns the names of discussions that begin with `beginning`, in the folder of discussions and the working
    /// folder. If there are few, also returns their titles and leaves out pages that are not discussions.
    pub fn names(&self, beginning: &str) -> Vec<(String, Option<String>)> {
        let wanted = alike(beginning);
        let all = self.candidates().unwrap_or_default();
        let mut fit: Vec<&NameCandidate> =
            all.iter().filter(|one| one.names[0].starts_with(&wanted)).collect();
        let kept: Vec<&NameCandidate> = fit.iter().copied().filter(|one| one.is_kept).collect();
        let few = fit.len() <= FEW;
        // A working folder may contain any number of other pages.
        fit = if few { self.keep_discussions(&fit) } else { kept };
        let titles = if few { each(&fit, |one| self.whole_title(one)) } else { Vec::new() };
        let names = DiscussionNames::of(self);
        let mut titles = titles.into_iter().chain(std::iter::repeat(None));
        fit.iter().map(|one| (names.of_file(&one.path), titles.next().flatten())).collect()
    }
}
