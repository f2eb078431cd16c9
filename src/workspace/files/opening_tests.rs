#![cfg(all(target_os = "linux", not(discussions_portable)))]

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

use super::*;
use crate::material::Sources;
use crate::workspace::{CommentRequest, Surroundings};

/// The number of tries of each action while files are swapped. Without the check, about one try
/// in a hundred reached the outside.
const TRIES: usize = 600;

/// A project with a folder outside of it, and a link that takes the place of the project's files now and then.
struct World {
    _root: tempfile::TempDir,
    project: PathBuf,
    outside: PathBuf,
}

/// Ends the swapping when it is dropped.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl World {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().canonicalize().unwrap();
        let (project, outside) = (path.join("project"), path.join("outside"));
        fs::create_dir_all(project.join("discussions")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(project.join("discussions.yaml"), "output: {summary_files: true}\n").unwrap();
        fs::write(outside.join("race.md"), SECRET).unwrap();
        fs::write(project.join("discussions/race.md"), "# Race\n").unwrap();
        Self { _root: root, project, outside }
    }

    fn workspace(&self) -> Workspace {
        let temp = self.outside.clone();
        Workspace::open(Surroundings::new(self.project.clone(), [], None, temp)).unwrap()
    }

    /// Runs an action while a thread repeatedly swaps a path of the project with a link to the outside.
    fn while_swapped(&self, name: &str, link: &Path, act: impl Fn()) {
        let (path, over) = (self.project.join(name), AtomicBool::new(false));
        let other = path.with_extension("other");
        symlink(link, &other).unwrap();
        let exchange = || {
            renameat2(AT_FDCWD, &path, AT_FDCWD, &other, RenameFlags::RENAME_EXCHANGE).unwrap();
        };
        std::thread::scope(|scope| {
            let swap = || {
                while !over.load(Ordering::Relaxed) {
                    exchange();
                    exchange();
                }
            };
            scope.spawn(swap);
            // Dropping this also ends the swapping if an action panics.
            let _end = Over(&over);
            for _ in 0..TRIES {
                act();
            }
        });
        fs::remove_file(other).unwrap();
    }

    /// Asserts that nothing outside was changed or created.
    #[track_caller]
    fn is_untouched(&self) {
        let names: Vec<_> =
            fs::read_dir(&self.outside).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(names, ["race.md"]);
        assert_eq!(fs::read_to_string(self.outside.join("race.md")).unwrap(), SECRET);
    }
}

const SECRET: &str = "# Secret\n\nxyzzy\n";

fn remark() -> CommentRequest {
    CommentRequest { author: "Rob".to_owned(), text: "Hello.".to_owned(), vote: None }
}

#[test]
fn file_swapped_for_a_link_is_not_written_through() {
    let world = World::new();
    let workspace = world.workspace();
    let path = world.project.join("discussions/race.md");
    world.while_swapped("discussions/race.md", &world.outside.join("race.md"), || {
        let _ = workspace.discussions().comment(&path, &remark());
        let _ = workspace.snapshot(&path).map(|snapshot| {
            assert!(!snapshot.transcript.text.contains("xyzzy"), "the text outside was read");
        });
    });
    world.is_untouched();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("Hello."), "the file itself is written: {text}");
}

#[test]
fn folder_swapped_for_a_link_gets_no_files() {
    let world = World::new();
    let workspace = world.workspace();
    let path = world.project.join("discussions/race.md");
    world.while_swapped("discussions", &world.outside, || {
        let _ = workspace.discussions().comment(&path, &remark());
        let new = crate::workspace::NewDiscussion {
            title: "New".to_owned(),
            ..crate::workspace::NewDiscussion::default()
        };
        if let Ok(made) = workspace.discussions().create(&new) {
            let _ = workspace.take_back(&made);
        }
    });
    world.is_untouched();
}

#[test]
fn private_folder_swapped_for_a_link_gets_no_files() {
    let world = World::new();
    let workspace = world.workspace();
    let path = world.project.join("discussions/race.md");
    workspace.discussions().comment(&path, &remark()).unwrap();
    world.while_swapped("discussions/.discussions", &world.outside, || {
        let _ = workspace.discussions().comment(&path, &remark());
    });
    world.is_untouched();
}

#[test]
fn material_swapped_for_a_link_is_not_read() {
    let world = World::new();
    let workspace = world.workspace();
    fs::write(world.project.join("m.txt"), "inside").unwrap();
    let sources = Sources { files: vec!["m.txt".to_owned()], diff: None };
    let judge = |path: &Path| workspace.place_of_material(path);
    world.while_swapped("m.txt", &world.outside.join("race.md"), || {
        let all = crate::material::gather(&sources, &world.project, &judge);
        assert!(!all.is_ok_and(|all| all.iter().any(|one| one.text.contains("xyzzy"))));
        let text = workspace.material(Path::new("m.txt"));
        assert!(!text.is_ok_and(|text| text.contains("xyzzy")));
    });
}

#[test]
fn agent_gets_no_hard_linked_file_or_file_outside_its_folder() {
    let world = World::new();
    let path = world.project.join("discussions/hard.md");
    fs::hard_link(world.outside.join("race.md"), &path).unwrap();
    let workspace = world.workspace();
    assert!(workspace.snapshot(&path).is_ok(), "a person may have hard links");
    let workspace = workspace.for_agents(Some(world.project.join("discussions")));
    let refused = workspace.snapshot(&path).err().unwrap().to_string();
    assert!(refused.contains("second name"), "{refused}");
    let refused = workspace.discussions().comment(&path, &remark()).unwrap_err().to_string();
    assert!(refused.contains("second name"), "{refused}");
    world.is_untouched();
    fs::write(world.project.join("above.md"), "# Above\n").unwrap();
    symlink("../above.md", world.project.join("discussions/link.md")).unwrap();
    for name in ["above.md", "discussions/../above.md", "discussions/link.md"] {
        let refused = workspace.snapshot(&world.project.join(name)).err().unwrap().to_string();
        assert!(refused.contains("leads outside the project"), "{name}: {refused}");
    }
    assert!(workspace.place_of_material(Path::new("above.md")).is_err());
    assert!(workspace.reopened().unwrap().snapshot(&path).is_err());
}
