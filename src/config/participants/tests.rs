use std::fs;

use super::*;
use crate::config::Setup;

fn persona(name: &str, alias: &str) -> Persona {
    let text = format!("name: {name}\nalias: {alias}\npersonality: |\n  You are.\n  Twice.\n");
    Persona::read(&text, "test").unwrap()
}

struct World(tempfile::TempDir);

impl World {
    fn project() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(world.path("project")).unwrap();
        fs::create_dir_all(world.path("work")).unwrap();
        fs::write(world.path("project/discussions.yaml"), "").unwrap();
        world
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn load(&self, cwd: &str) -> Setup {
        Setup::load(&self.path(cwd), Some(&self.path("user"))).unwrap()
    }
}

#[test]
fn a_new_persona_goes_into_the_project() {
    let world = World::project();
    let boss = persona("Boss", "boss");
    let path = add(&world.load("project"), &boss).unwrap();
    assert_eq!(path, world.path("project/participants/boss.yaml"));
    let setup = world.load("project");
    assert_eq!(setup.roster.resolve("@boss").unwrap().persona, boss);
    assert!(matches!(add(&setup, &boss), Err(EditError::Exists { .. })));
    let names: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "no temporary file stays");
}

#[test]
fn outside_a_project_it_goes_into_the_users_folder() {
    let world = World::project();
    let path = add(&world.load("work"), &persona("Boss", "boss")).unwrap();
    assert_eq!(path, world.path("user/participants/boss.yaml"));
    // A project may have its own in place of the user's.
    add(&world.load("project"), &persona("Our Boss", "boss")).unwrap();
    let setup = world.load("project");
    assert_eq!(setup.roster.resolve("boss").unwrap().persona.name.as_str(), "Our Boss");
}

#[test]
fn without_a_folder_nothing_can_be_added() {
    let world = World::project();
    let setup = Setup::load(&world.path("work"), None).unwrap();
    assert!(matches!(add(&setup, &persona("Boss", "boss")), Err(EditError::NoFolder)));
}

#[test]
fn a_persona_is_removed_with_its_file() {
    let world = World::project();
    let path = add(&world.load("project"), &persona("Boss", "boss")).unwrap();
    assert_eq!(remove(&world.load("project"), "@Boss").unwrap(), path);
    let setup = world.load("project");
    assert!(!path.exists() && setup.roster.resolve("boss").is_err());
    assert!(matches!(remove(&setup, "boss"), Err(EditError::Unknown(_))));
}

#[test]
fn a_broken_persona_can_be_removed_and_edited() {
    let world = World::project();
    let path = world.path("project/participants/boss.yaml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "name: [").unwrap();
    assert_eq!(editable(&world.load("project"), "boss").unwrap(), path);
    assert_eq!(remove(&world.load("project"), "boss").unwrap(), path);
}

#[test]
fn a_bundled_persona_stays() {
    let world = World::project();
    insta::assert_snapshot!(remove(&world.load("project"), "architect").unwrap_err(), @r"`architect` is bundled and cannot be removed; leave it out of `default_participants`, or add your own `architect` in its place");
}

#[test]
fn editing_a_bundled_persona_begins_with_a_copy() {
    let world = World::project();
    let setup = world.load("project");
    let path = editable(&setup, "AI-Architect").unwrap();
    assert_eq!(path, world.path("project/participants/architect.yaml"));
    let copy = world.load("project").roster.resolve("architect").unwrap().persona.clone();
    assert_eq!(copy, setup.roster.resolve("architect").unwrap().persona);
}

#[test]
fn an_entry_of_a_list_is_left_to_its_file() {
    let world = World::project();
    let text = "participants:\n- {name: Boss, alias: boss, personality: x}\n";
    fs::write(world.path("project/participants.yaml"), text).unwrap();
    let setup = world.load("project");
    assert!(matches!(remove(&setup, "boss"), Err(EditError::InList { .. })));
    assert!(matches!(add(&setup, &persona("Boss", "boss")), Err(EditError::Exists { .. })));
}

#[test]
fn a_list_in_the_folder_is_not_removed_for_one_of_its_entries() {
    let world = World::project();
    let path = world.path("project/participants/team.yaml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "participants:\n- {name: Boss, alias: boss, personality: x}\n").unwrap();
    assert!(matches!(remove(&world.load("project"), "boss"), Err(EditError::InList { .. })));
    fs::write(&path, "participants:\n- {name: Boss, alias: boss, persnality: x}\n").unwrap();
    assert!(matches!(remove(&world.load("project"), "boss"), Err(EditError::InList { .. })));
}
