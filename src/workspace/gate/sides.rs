//! The two sides of a comparison: the discussions of commits, of the index, and of the working tree.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use super::super::files::{files_below, is_discussion};
use super::version::Version;
use crate::config::{Config, Project};
use crate::store::{
    BlockText, Commit, FileMode, HistoryReader, ObjectId, ObjectReader, Signature, StoreError,
    Tree, is_page,
};

/// An object with the path at which it is a page.
type PageObject = (ObjectId, Vec<u8>);

/// The objects of a repository: each text is read once, each discussion parsed once, each signature verified once.
pub(super) struct Objects {
    reader: RefCell<ObjectReader>,
    texts: RefCell<HashMap<ObjectId, Option<Rc<str>>>>,
    versions: RefCell<HashMap<PageObject, Option<Rc<Version>>>>,
    signatures: RefCell<HashMap<String, Option<Signature>>>,
}

impl Objects {
    pub(super) fn open(history: &HistoryReader) -> Result<Self, StoreError> {
        Ok(Self {
            reader: RefCell::new(history.objects()?),
            texts: RefCell::default(),
            versions: RefCell::default(),
            signatures: RefCell::default(),
        })
    }

    /// Returns the discussion that a file has at a path; none if it is no discussion.
    fn version(&self, object: &ObjectId, path: &[u8]) -> Option<Rc<Version>> {
        let key = (ObjectId::clone(object), path.to_vec());
        if let Some(known) = self.versions.borrow().get(&key) {
            return known.clone();
        }
        let version = self.text(object).and_then(|text| Version::of_discussion(path, &text));
        self.versions.borrow_mut().insert(key, version.clone());
        version
    }

    /// Returns the discussion that a file has at a path, without keeping it: a long history has many versions.
    pub(super) fn version_once(&self, object: &ObjectId, path: &[u8]) -> Option<Rc<Version>> {
        let key = (ObjectId::clone(object), path.to_vec());
        if let Some(known) = self.versions.borrow().get(&key) {
            return known.clone();
        }
        let bytes = self.bytes(object)?;
        Version::of_discussion(path, &String::from_utf8_lossy(&bytes))
    }

    /// Returns the signature of a commit with its signer, if git can verify it. Git is started only for a signed commit.
    pub(super) fn signature(&self, history: &HistoryReader, commit: &Commit) -> Option<Signature> {
        if let Some(known) = self.signatures.borrow().get(&commit.id) {
            return known.clone();
        }
        let is_signed = !commit.id.is_empty() && self.reader.borrow_mut().is_signed(&commit.id);
        let signature = is_signed.then(|| history.signature(commit)).flatten();
        self.signatures.borrow_mut().insert(commit.id.clone(), signature.clone());
        signature
    }

    /// Returns the text of an object. Wrong bytes are replaced.
    pub(super) fn text(&self, object: &ObjectId) -> Option<Rc<str>> {
        if let Some(known) = self.texts.borrow().get(object) {
            return known.clone();
        }
        let bytes = self.reader.borrow_mut().read(object);
        let text = bytes.map(|bytes| Rc::from(String::from_utf8_lossy(&bytes).as_ref()));
        self.texts.borrow_mut().insert(ObjectId::clone(object), text.clone());
        text
    }

    /// Reads the texts of many objects at once.
    fn read_texts(&self, objects: impl Iterator<Item = ObjectId>) {
        let mut texts = self.texts.borrow_mut();
        let unknown: Vec<ObjectId> = objects.filter(|it| !texts.contains_key(it)).collect();
        self.reader.borrow_mut().read_all(&unknown, |object, bytes| {
            let text = bytes.map(|bytes| Rc::from(String::from_utf8_lossy(&bytes).as_ref()));
            texts.insert(ObjectId::clone(object), text);
        });
    }

    /// Returns the bytes of an object.
    pub(super) fn bytes(&self, object: &ObjectId) -> Option<Vec<u8>> {
        self.reader.borrow_mut().read(object)
    }

    /// Gives the reader to a function.
    pub(super) fn with_reader<R>(&self, use_it: impl FnOnce(&mut ObjectReader) -> R) -> R {
        use_it(&mut self.reader.borrow_mut())
    }

    /// Returns true if an object was not here, as in a partial clone.
    pub(super) fn lacks_objects(&self) -> bool {
        self.reader.borrow().lacks_objects
    }

    /// Returns the text of a file in a tree.
    pub(super) fn text_at(&self, tree: &Tree, path: &[u8]) -> Option<Rc<str>> {
        let file = tree.get(path).filter(|file| file.mode == FileMode::File)?;
        self.text(&file.object)
    }

    /// Returns a path with its links resolved inside of a tree.
    pub(super) fn resolve(&self, tree: &Tree, path: &[u8]) -> Vec<u8> {
        tree.resolve(path, |object| self.bytes(object))
    }
}

/// One file of a side that may be a discussion.
#[derive(Clone, Debug)]
pub(super) struct SideFile {
    /// Its object, unless the file differs from it.
    pub(super) object: Option<ObjectId>,
    /// Its text, if no object has it.
    pub(super) text: Option<Rc<str>>,
    /// True if a sparse checkout leaves it out.
    pub(super) is_skipped: bool,
    /// True if it is a link to a file of the tree.
    pub(super) is_link: bool,
}

/// The discussions of one side.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) tree: Tree,
    /// The folders of discussions, each ending in `/` unless empty.
    pub(super) folders: Vec<Vec<u8>>,
    /// The pages in them.
    pub(super) files: BTreeMap<Vec<u8>, SideFile>,
    /// The pages of the working tree that belong to a submodule.
    pub(super) of_submodules: Vec<Vec<u8>>,
    /// The parsed discussions, as far as they were needed.
    versions: RefCell<HashMap<Vec<u8>, Option<Rc<Version>>>>,
    /// All discussions by topic, the first one of each, if somebody searched for a topic.
    topics: OnceCell<HashMap<BlockText, Rc<Version>>>,
}

/// A page that differs: its path in the tree, its text before and after.
type ChangedPage = (Vec<u8>, Option<String>, Option<String>);

impl Side {
    /// Returns the side of a tree. A link to a file of the tree is a page like that file, as in all lists.
    pub(super) fn new(tree: Tree, folders: Vec<Vec<u8>>, objects: &Objects) -> Self {
        let mut files = BTreeMap::new();
        for folder in &folders {
            for (path, file) in tree.below(folder).filter(|(path, _)| is_listed(path, folder)) {
                let is_link = file.mode == FileMode::Link;
                let target = is_link.then(|| objects.resolve(&tree, path));
                let file = target.map_or(Some(file), |target| tree.get(&target));
                let Some(file) = file.filter(|file| file.mode == FileMode::File) else { continue };
                let object = Some(ObjectId::clone(&file.object));
                let file = SideFile { object, text: None, is_skipped: false, is_link };
                files.insert(path.clone(), file);
            }
        }
        Self { tree, folders, files, ..Self::default() }
    }

    /// Returns the files to which links among the pages lead.
    pub(super) fn link_targets(&self, objects: &Objects) -> HashSet<Vec<u8>> {
        let links = self.files.iter().filter(|(_, file)| file.is_link);
        links.map(|(path, _)| objects.resolve(&self.tree, path)).collect()
    }

    /// Returns the text of a file.
    pub(super) fn text(&self, path: &[u8], objects: &Objects) -> Option<Rc<str>> {
        let file = self.files.get(path)?;
        match (&file.text, &file.object) {
            (Some(text), _) => Some(Rc::clone(text)),
            (None, Some(object)) => objects.text(object),
            (None, None) => None,
        }
    }

    /// Returns the discussion at a path; none if there is none.
    pub(super) fn version(&self, path: &[u8], objects: &Objects) -> Option<Rc<Version>> {
        if let Some(known) = self.versions.borrow().get(path) {
            return known.clone();
        }
        let version = match self.files.get(path)? {
            SideFile { text: Some(text), .. } => Version::of_discussion(path, text),
            SideFile { text: None, object: Some(object), .. } => objects.version(object, path),
            SideFile { text: None, object: None, .. } => None,
        };
        self.versions.borrow_mut().insert(path.to_vec(), version.clone());
        version
    }

    /// Returns the first discussion with a topic.
    pub(super) fn with_topic(&self, topic: &BlockText, objects: &Objects) -> Option<Rc<Version>> {
        let topics = self.topics.get_or_init(|| {
            let mut topics = HashMap::new();
            for version in self.files.keys().filter_map(|path| self.version(path, objects)) {
                topics.entry(version.topic().clone()).or_insert(version);
            }
            topics
        });
        topics.get(topic).cloned()
    }

    /// Returns true if a version is one of this side.
    pub(super) fn has(&self, version: &Rc<Version>, objects: &Objects) -> bool {
        self.version(&version.path, objects).is_some_and(|it| Rc::ptr_eq(&it, version))
    }

    /// Returns true if a page's object is not here, as in a partial clone.
    pub(super) fn lacks(&self, path: &[u8], objects: &Objects) -> bool {
        self.files.contains_key(path) && self.text(path, objects).is_none()
    }

    /// Returns true if a path is that of a submodule, or below one.
    fn is_of_submodule(&self, path: &[u8]) -> bool {
        let ends = (0..=path.len()).filter(|at| path.get(*at).is_none_or(|byte| *byte == b'/'));
        let mut outer = ends.filter_map(|at| self.tree.get(&path[..at]));
        outer.any(|file| file.mode == FileMode::Submodule)
    }

    /// Returns true if two sides have the same file at a path.
    pub(super) fn is_same(&self, other: &Self, path: &[u8]) -> bool {
        match (self.files.get(path), other.files.get(path)) {
            (Some(one), Some(two)) => {
                one.text.is_none() && two.text.is_none() && one.object == two.object
            }
            _ => false,
        }
    }

    /// Returns the discussions that another side does not have at the same path with the same bytes.
    pub(super) fn differing(&self, other: &Self, objects: &Objects) -> Vec<Rc<Version>> {
        let paths = self.files.keys().filter(|path| !self.is_same(other, path));
        paths.filter_map(|path| self.version(path, objects)).collect()
    }

    /// Puts the files of the working tree on top. Returns the pages that differ: path, text before and after.
    pub(super) fn lay_over_files(
        &mut self,
        history: &HistoryReader,
        objects: &Objects,
    ) -> Result<Vec<ChangedPage>, StoreError> {
        objects.read_texts(self.files.values().filter_map(|file| file.object.clone()));
        let mut changed = Vec::new();
        let mut seen = HashSet::new();
        for folder in self.folders.clone() {
            let on_disk = history.path_of(&folder);
            for found in files_below(&on_disk).unwrap_or_default() {
                let Some(path) = in_tree(history.top(), &found.path) else { continue };
                if self.is_of_submodule(&path) {
                    self.of_submodules.push(path);
                    continue;
                }
                let is_file = std::fs::symlink_metadata(&found.path).is_ok_and(|it| it.is_file());
                let Ok(bytes) = std::fs::read(&found.path) else {
                    // A file that cannot be read is reported by the check of the file itself.
                    seen.insert(path);
                    continue;
                };
                // What a link shows from elsewhere is no text of this repository.
                if !is_file && !super::super::history::real(&found.path).starts_with(history.top())
                {
                    continue;
                }
                seen.insert(path.clone());
                let text = String::from_utf8_lossy(&bytes);
                let before = self.text(&path, objects);
                if before.as_deref() == Some(text.as_ref()) {
                    continue;
                }
                changed.push((
                    path.clone(),
                    before.map(|it| it.to_string()),
                    Some(text.to_string()),
                ));
                let file = SideFile {
                    object: None,
                    text: Some(Rc::from(text.as_ref())),
                    is_skipped: false,
                    is_link: !is_file,
                };
                self.files.insert(path, file);
            }
        }
        let missing: Vec<Vec<u8>> = self
            .files
            .keys()
            .filter(|path| !seen.contains(*path))
            // A name that is not UTF-8 cannot be found on all systems.
            .filter(|path| std::str::from_utf8(path).is_ok())
            .cloned()
            .collect();
        if missing.is_empty() {
            return Ok(changed);
        }
        let skipped = history.skipped_files()?;
        for path in missing {
            if skipped.contains(&path) {
                if let Some(file) = self.files.get_mut(&path) {
                    file.is_skipped = true;
                }
                continue;
            }
            let before = self.text(&path, objects);
            changed.push((path.clone(), before.map(|it| it.to_string()), None));
            self.files.remove(&path);
            self.tree.0.remove(&path);
        }
        Ok(changed)
    }
}

/// Returns true if a path below a folder is one of a discussion that lists show.
pub(super) fn is_listed(path: &[u8], folder: &[u8]) -> bool {
    let Some(within) = path.strip_prefix(folder) else { return false };
    let name = String::from_utf8_lossy(within);
    is_page(path)
        && is_discussion(Path::new(name.as_ref()))
        && !within.split(|byte| *byte == b'/').any(|part| part.starts_with(b"."))
}

/// Returns the path in the tree of a file on disk.
pub(super) fn in_tree(top: &Path, path: &Path) -> Option<Vec<u8>> {
    let within = match path.strip_prefix(top) {
        Ok(within) => within.to_owned(),
        Err(_) => super::super::history::real(path).strip_prefix(top).ok()?.to_owned(),
    };
    let parts: Vec<&[u8]> = within.iter().map(|part| part.as_encoded_bytes()).collect();
    Some(parts.join(&b'/'))
}

/// Returns a folder with a slash at its end, unless it is the top.
pub(super) fn as_folder(mut path: Vec<u8>) -> Vec<u8> {
    if !path.is_empty() && !path.ends_with(b"/") {
        path.push(b'/');
    }
    path
}

/// Returns the folder of discussions of a project in a tree. `root` is the project's folder, empty or ending in `/`.
pub(super) fn folder_in(tree: &Tree, root: &[u8], objects: &Objects, default: &Path) -> Vec<u8> {
    let file = [root, Project::FILE.as_bytes()].concat();
    let config = objects.text_at(tree, &file).and_then(|text| Config::read(&text, "").ok());
    let directory = config.and_then(|config| config.output.directory);
    let directory = directory.unwrap_or_else(|| default.to_owned());
    let parts: Vec<&[u8]> = directory.iter().map(|part| part.as_encoded_bytes()).collect();
    let path = [root, parts.join(&b'/').as_slice()].concat();
    as_folder(objects.resolve(tree, &path))
}
