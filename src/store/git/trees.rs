//! Trees: the files of a commit or of the index. Paths are bytes, because git accepts any.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;
use std::thread;

use super::command;
use super::repository::{LARGEST, Repository, run_bytes};

/// The name of an object, in hexadecimal.
pub(crate) type ObjectId = Arc<str>;

/// The kind of a file in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileMode {
    File,
    Link,
    Submodule,
}

impl FileMode {
    /// Returns the kind for a mode, such as `100644`; none for a mode of no file.
    pub(super) fn parse(mode: &str) -> Option<Self> {
        match mode.get(..3)? {
            "100" => Some(Self::File),
            "120" => Some(Self::Link),
            "160" => Some(Self::Submodule),
            _ => None,
        }
    }
}

/// One file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeFile {
    pub(crate) mode: FileMode,
    pub(crate) object: ObjectId,
}

/// The files of a commit or of the index, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree(pub(crate) BTreeMap<Vec<u8>, TreeFile>);

/// The maximum number of links that are followed on one path.
const MOST_LINKS: usize = 40;

impl Tree {
    /// Returns the file at a path.
    pub(crate) fn get(&self, path: &[u8]) -> Option<&TreeFile> {
        self.0.get(path)
    }

    /// Returns the files below a folder, which is empty or ends in `/`.
    pub(crate) fn below(&self, folder: &[u8]) -> impl Iterator<Item = (&Vec<u8>, &TreeFile)> {
        let files = self.0.range(folder.to_vec()..);
        files.take_while(move |(path, _)| path.starts_with(folder))
    }

    /// Returns a path with its links resolved inside the tree. `read` returns the target of a link.
    pub(crate) fn resolve(
        &self,
        path: &[u8],
        mut read: impl FnMut(&ObjectId) -> Option<Vec<u8>>,
    ) -> Vec<u8> {
        let mut rest: Vec<Vec<u8>> = parts(path).rev().map(<[u8]>::to_vec).collect();
        let mut done: Vec<Vec<u8>> = Vec::new();
        let mut links = 0;
        while let Some(part) = rest.pop() {
            match &*part {
                b"." => continue,
                b".." => {
                    done.pop();
                    continue;
                }
                _ => done.push(part),
            }
            let here = done.join(&b'/');
            let link = self.get(&here).filter(|file| file.mode == FileMode::Link);
            if let Some(link) = link
                && links < MOST_LINKS
                && let Some(target) = read(&link.object).filter(|target| !target.starts_with(b"/"))
            {
                links += 1;
                done.pop();
                rest.extend(parts(&target).rev().map(<[u8]>::to_vec));
            }
        }
        done.join(&b'/')
    }

    fn add(&mut self, about: &str, path: &[u8], object_at: usize) {
        let words: Vec<&str> = about.split(' ').collect();
        if let (Some(mode), Some(object)) = (FileMode::parse(words[0]), words.get(object_at)) {
            self.0.insert(path.to_vec(), TreeFile { mode, object: (*object).into() });
        }
    }
}

fn parts(path: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/').filter(|part| !part.is_empty())
}

impl Repository {
    /// Returns the files of a commit.
    pub(super) fn tree(&self, commit: &str) -> io::Result<Tree> {
        let mut command = command::git(self.top());
        let asked = ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit];
        let listed = run_bytes(command.args(asked))?;
        let mut tree = Tree::default();
        for (about, path) in listed.split(|byte| *byte == 0).filter_map(file_line) {
            tree.add(&about, path, 2);
        }
        Ok(tree)
    }

    /// Returns the files of the index, without the sides of a conflict. `index` is another index file than the
    /// repository's own.
    pub(super) fn index_tree(&self, index: Option<&Path>) -> io::Result<Tree> {
        let mut command = command::git(self.top());
        if let Some(index) = index {
            command.env("GIT_INDEX_FILE", index);
        }
        let asked = ["ls-files", "-z", "--cached", "--stage", "--full-name", "--", ":/"];
        let listed = run_bytes(command.args(asked))?;
        let mut tree = Tree::default();
        for (about, path) in listed.split(|byte| *byte == 0).filter_map(file_line) {
            if about.ends_with(" 0") {
                tree.add(&about, path, 1);
            }
        }
        Ok(tree)
    }

    /// Returns the files that a sparse checkout leaves out of the working tree.
    pub(super) fn skipped_files(&self) -> io::Result<Vec<Vec<u8>>> {
        let mut command = command::git(self.top());
        let listed = run_bytes(command.args([
            "ls-files",
            "-z",
            "-t",
            "--cached",
            "--full-name",
            "--",
            ":/",
        ]))?;
        let lines = listed.split(|byte| *byte == 0);
        Ok(lines.filter_map(|line| line.strip_prefix(b"S ")).map(<[u8]>::to_vec).collect())
    }
}

/// Splits a line of `ls-tree` or `ls-files --stage`.
fn file_line(line: &[u8]) -> Option<(String, &[u8])> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    Some((String::from_utf8_lossy(&line[..tab]).into_owned(), &line[tab + 1..]))
}

/// The contents of objects, from one process of git.
#[derive(Debug)]
pub(crate) struct ObjectReader {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    /// True if an object was not here, as in a partial clone.
    pub(crate) lacks_objects: bool,
}

impl ObjectReader {
    /// Starts git.
    pub(super) fn start(repository: &Repository) -> io::Result<Self> {
        let mut command = command::git(repository.top());
        command
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let Some(stdout) = stdout else {
            return Err(io::Error::other("cannot open the output of git"));
        };
        Ok(Self { child, stdin, stdout: BufReader::new(stdout), lacks_objects: false })
    }

    /// Returns the content of a file; `None` if the object is not here, is no file, or is too large.
    pub(crate) fn read(&mut self, object: &str) -> Option<Vec<u8>> {
        let found = self.ask(object, "blob");
        // Some versions of git end if they may not fetch an object.
        if !matches!(&found, Ok(Some(_))) {
            self.lacks_objects = true;
        }
        found.ok().flatten()
    }

    /// Returns true if a commit has a signature, which may be a bad one.
    pub(crate) fn is_signed(&mut self, commit: &str) -> bool {
        let Ok(Some(text)) = self.ask(commit, "commit") else { return false };
        // The head of a commit ends with the first blank line.
        let end = memchr::memmem::find(&text, b"\n\n").unwrap_or(text.len());
        memchr::memmem::find(&text[..end], b"\ngpgsig").is_some()
    }

    /// Passes the contents of files to `take`, in their order, like [`Self::read`]. Git reads ahead, so this takes less
    /// time than single questions.
    pub(crate) fn read_all(
        &mut self,
        objects: &[ObjectId],
        mut take: impl FnMut(&ObjectId, Option<Vec<u8>>),
    ) {
        let Self { stdin: Some(stdin), stdout, lacks_objects, child } = self else { return };
        let is_asked = thread::scope(|scope| {
            let asked = scope.spawn(move || {
                let write = |object: &ObjectId| stdin.write_all(format!("{object}\n").as_bytes());
                objects.iter().try_for_each(write).and_then(|()| stdin.flush())
            });
            for object in objects {
                let Ok(answer) = next_answer(stdout, "blob") else {
                    // Else the other thread could wait for ever until somebody reads.
                    let _ = child.kill();
                    break;
                };
                *lacks_objects |= answer.is_none();
                take(object, answer);
            }
            asked.join().is_ok_and(|asked| asked.is_ok())
        });
        if !is_asked {
            self.stdin = None;
            self.lacks_objects = true;
        }
    }

    fn ask(&mut self, object: &str, wanted: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(stdin) = &mut self.stdin else { return Ok(None) };
        stdin.write_all(format!("{object}\n").as_bytes())?;
        stdin.flush()?;
        let answer = next_answer(&mut self.stdout, wanted);
        if answer.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::UnexpectedEof) {
            self.stdin = None;
            return Ok(None);
        }
        answer
    }
}

/// Reads the next answer of `git cat-file --batch`: the content of an object of the wanted kind.
fn next_answer(stdout: &mut BufReader<ChildStdout>, wanted: &str) -> io::Result<Option<Vec<u8>>> {
    let mut header = String::new();
    if stdout.read_line(&mut header)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut words = header.trim_end().rsplit(' ');
    let (Some(Ok(size)), Some(kind)) = (words.next().map(str::parse::<u64>), words.next()) else {
        return Ok(None);
    };
    let mut content = stdout.by_ref().take(size + 1);
    if size > LARGEST {
        io::copy(&mut content, &mut io::sink())?;
        return Ok(None);
    }
    let mut bytes = Vec::new();
    content.read_to_end(&mut bytes)?;
    bytes.pop();
    Ok((kind == wanted).then_some(bytes))
}

impl Drop for ObjectReader {
    fn drop(&mut self) {
        self.stdin = None;
        // Git ends when its input ends.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, FileMode, &str)]) -> Tree {
        let files = files.iter().map(|(path, mode, object)| {
            (path.as_bytes().to_vec(), TreeFile { mode: *mode, object: (*object).into() })
        });
        Tree(files.collect())
    }

    #[test]
    fn links_are_followed_inside_the_tree_and_never_for_ever() {
        let tree = tree(&[
            ("docs/talks/a.md", FileMode::File, "1"),
            ("discussions", FileMode::Link, "docs/talks"),
            ("up/here", FileMode::Link, "../discussions"),
            ("round", FileMode::Link, "round"),
        ]);
        let resolve = |path: &str| {
            let found = tree.resolve(path.as_bytes(), |target| Some(target.as_bytes().to_vec()));
            String::from_utf8(found).unwrap()
        };
        assert_eq!(resolve("discussions/"), "docs/talks");
        assert_eq!(resolve("up/here/a.md"), "docs/talks/a.md");
        assert_eq!(resolve("./other/../docs"), "docs");
        assert_eq!(resolve("round/x"), "round/x");
        assert_eq!(tree.below(b"docs/").count(), 1);
    }
}
