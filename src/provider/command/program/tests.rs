#![cfg(unix)]

use super::*;

fn env(path: &str) -> Environment {
    Environment::new([("PATH", path)], None, PathBuf::from("/tmp"))
}

#[test]
fn programs_are_found_on_the_given_path_only() {
    let here = Path::new("/");
    assert!(find_program("sh", here, &env("/nowhere:/bin:/usr/bin")).is_some());
    assert_eq!(find_program("sh", here, &env("/nowhere")), None);
    assert_eq!(find_program("sh", here, &env("bin:.:")), None);
    assert_eq!(find_program("sh", here, &Environment::default()), None);
}

#[test]
fn opencode_is_found_in_its_installation_folder() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = tempfile::tempdir().unwrap();
    let bin = home.path().join(".opencode/bin");
    std::fs::create_dir_all(&bin).unwrap();
    for name in ["opencode", "other"] {
        std::fs::write(bin.join(name), "#!/bin/sh\n").unwrap();
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(bin.join(name), mode).unwrap();
    }
    let env = |path: &str| {
        Environment::new([("PATH", path)], Some(home.path().into()), PathBuf::from("/tmp"))
    };
    let here = Path::new("/");
    assert_eq!(find_program("opencode", here, &env("/nowhere")), Some(bin.join("opencode")));
    assert_eq!(find_program("other", here, &env("/nowhere")), None);
    // A program on `PATH` has priority.
    let other = tempfile::tempdir().unwrap();
    std::fs::copy(bin.join("opencode"), other.path().join("opencode")).unwrap();
    let found = find_program("opencode", here, &env(other.path().to_str().unwrap()));
    assert_eq!(found, Some(other.path().join("opencode")));
}

#[test]
fn word_with_a_slash_is_a_path_below_the_definition_folder() {
    assert!(find_program("bin/sh", Path::new("/"), &env("")).is_some());
    assert_eq!(find_program("bin/sh", Path::new("/nowhere"), &env("")), None);
}

#[test]
#[cfg(not(discussions_portable))]
fn file_without_permission_to_run_is_no_program() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tool"), "text").unwrap();
    assert_eq!(find_program("tool", folder.path(), &env(folder.path().to_str().unwrap())), None);
}

#[test]
#[cfg(discussions_portable)]
fn ending_of_a_program_may_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("model-1.5.cmd");
    std::fs::write(&program, "").unwrap();
    let env = env(folder.path().to_str().unwrap());
    assert_eq!(find_program("model-1.5", Path::new("/"), &env), Some(program));
    assert_eq!(find_program("model-1", Path::new("/"), &env), None);
}
