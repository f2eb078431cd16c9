use std::fs;

use super::*;
use crate::store::reads_of;
use crate::workspace::Surroundings;

/// A project with copies of all examples.
struct Examples {
    root: tempfile::TempDir,
    discussions: PathBuf,
}

impl Examples {
    fn copied() -> Self {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().canonicalize().unwrap();
        fs::write(top.join("discussions.yaml"), "author: Rob\n").unwrap();
        let discussions = top.join("discussions");
        for name in ["", "decision-record"] {
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
            fs::create_dir_all(discussions.join(name)).unwrap();
            for FoundFile { path } in files_in(&from).unwrap() {
                fs::copy(&path, discussions.join(name).join(path.file_name().unwrap())).unwrap();
            }
        }
        Self { root, discussions }
    }

    fn workspace(&self) -> Workspace {
        let top = self.root.path().canonicalize().unwrap();
        let now = [("DISCUSSIONS_NOW".into(), "2026-11-29T10:00:00Z".into())];
        Workspace::open(Surroundings::new(top.clone(), now, None, top)).unwrap()
    }

    /// Returns everything that the commands over all files compute, with so many threads.
    fn outputs(&self, threads: usize) -> Vec<String> {
        let workspace = self.workspace();
        THREADS.set(Some(threads));
        let site = workspace.site_pages().unwrap();
        let outputs = vec![
            serde_json::to_string(&workspace.discussions().list(None).unwrap()).unwrap(),
            serde_json::to_string(&workspace.discussions().dashboard().unwrap()).unwrap(),
            serde_json::to_string(&workspace.decisions().list_decisions(None).unwrap()).unwrap(),
            serde_json::to_string(&workspace.discussions().stats(None).unwrap()).unwrap(),
            serde_json::to_string(&workspace.check().check_files(&[], false).unwrap()).unwrap(),
            serde_json::to_string(
                &workspace.discussions().search(&workspace.discussions().searching("the")).unwrap(),
            )
            .unwrap(),
            format!("{site:?}"),
        ];
        THREADS.set(None);
        outputs
    }
}

#[test]
fn outputs_are_the_same_with_one_thread() {
    let examples = Examples::copied();
    let alone = examples.outputs(1);
    assert!(alone.iter().all(|output| output.contains("decision-record")), "{alone:?}");
    for _ in 0..3 {
        assert_eq!(examples.outputs(4), alone);
    }
}

#[test]
fn site_and_statistics_read_each_file_once_and_linked_ones_twice() {
    let examples = Examples::copied();
    let linked = examples.discussions.join("decision-record.md");
    let mut wanted = (0, 0);
    let read = |workspace: &Workspace, times: usize| match times {
        0 => drop(workspace.site_pages().unwrap()),
        _ => drop(workspace.discussions().stats(None).unwrap()),
    };
    for times in 0..2 {
        read(&examples.workspace(), times);
        wanted = (wanted.0 + 1, wanted.1 + 2);
        for FoundFile { path } in files_below(&examples.discussions).unwrap() {
            let wanted = if path == linked { wanted.1 } else { wanted.0 };
            assert_eq!(reads_of(&path), wanted, "{}", path.display());
        }
    }
}
