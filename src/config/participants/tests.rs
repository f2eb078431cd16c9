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
fn new_persona_is_stored_in_the_project() {
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
fn persona_outside_a_project_is_stored_in_the_user_folder() {
    let world = World::project();
    let path = add(&world.load("work"), &persona("Boss", "boss")).unwrap();
    assert_eq!(path, world.path("user/participants/boss.yaml"));
    // A project may define its own persona in place of the user's.
    add(&world.load("project"), &persona("Our Boss", "boss")).unwrap();
    let setup = world.load("project");
    assert_eq!(setup.roster.resolve("boss").unwrap().persona.name.as_str(), "Our Boss");
}

#[test]
fn persona_cannot_be_added_without_a_folder() {
    let world = World::project();
    let setup = Setup::load(&world.path("work"), None).unwrap();
    assert!(matches!(add(&setup, &persona("Boss", "boss")), Err(EditError::NoFolder)));
}

#[test]
fn persona_is_removed_with_its_file() {
    let world = World::project();
    let path = add(&world.load("project"), &persona("Boss", "boss")).unwrap();
    assert_eq!(remove(&world.load("project"), "@Boss").unwrap(), path);
    let setup = world.load("project");
    assert!(!path.exists() && setup.roster.resolve("boss").is_err());
    assert!(matches!(remove(&setup, "boss"), Err(EditError::Unknown(_))));
}

#[test]
fn broken_persona_can_be_removed_and_edited() {
    let world = World::project();
    let path = world.path("project/participants/boss.yaml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "name: [").unwrap();
    let setup = world.load("project");
    let draft = PersonaDraft::of(&setup, "boss").unwrap();
    assert_eq!((draft.path(), draft.text()), (path.as_path(), "name: ["));
    // The current definition is broken too, so the new attempt may replace it.
    let wrong = draft.finish(&setup, "name: Boss\n").unwrap_err();
    assert!(matches!(wrong, EditError::Wrong { rejected: false, .. }), "{wrong}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "name: Boss\n");
    let setup = world.load("project");
    let whole = persona("Boss", "boss").write().unwrap();
    assert_eq!(
        PersonaDraft::of(&setup, "boss").unwrap().finish(&setup, &whole).unwrap(),
        Edited::Saved
    );
    assert_eq!(remove(&world.load("project"), "boss").unwrap(), path);
}

#[test]
fn bundled_persona_cannot_be_removed() {
    let world = World::project();
    insta::assert_snapshot!(remove(&world.load("project"), "architect").unwrap_err(), @r"`architect` is bundled and cannot be removed; leave it out of `default_participants`, or define your own `architect` to replace it");
}

#[test]
fn bundled_persona_is_copied_only_when_it_is_changed() {
    let world = World::project();
    let setup = world.load("project");
    let draft = PersonaDraft::of(&setup, "AI-Architect").unwrap();
    let text = draft.text().to_owned();
    let path = draft.path().to_owned();
    assert_eq!(path, world.path("project/participants/architect.yaml"));
    assert_eq!(draft.clone().finish(&setup, &text).unwrap(), Edited::Unchanged);
    assert!(!path.exists());
    assert_eq!(draft.finish(&setup, &format!("# Ours\n{text}")).unwrap(), Edited::Saved);
    assert_eq!(fs::read_to_string(path).unwrap(), format!("# Ours\n{text}"));
}

#[test]
fn wrong_text_never_replaces_a_valid_one() {
    let world = World::project();
    let path = add(&world.load("project"), &persona("Boss", "boss")).unwrap();
    let good = fs::read_to_string(&path).unwrap();
    let kept = world.path("project/participants/boss.yaml.rejected");
    let wrong = [
        good.replace("name:", "nam:"),
        good.replace("alias: boss", "alias: chief"),
        good.replace("name: Boss", "name: AI-Architect"),
    ];
    for text in wrong {
        let setup = world.load("project");
        let error = PersonaDraft::of(&setup, "boss").unwrap().finish(&setup, &text).unwrap_err();
        let EditError::Wrong { error, rejected: true } = error else { panic!("{error}") };
        assert!(error.origin == "participants/boss.yaml.rejected" && error.line > 0, "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), good);
        assert_eq!(fs::read_to_string(&kept).unwrap(), text);
        assert_eq!(
            PersonaDraft::of(&setup, "boss").unwrap().text(),
            text,
            "the next edit goes on with it"
        );
    }
    let setup = world.load("project");
    let better = good.replace("Twice", "Thrice");
    let draft = PersonaDraft::of(&setup, "boss").unwrap();
    assert_eq!(draft.finish(&setup, &better).unwrap(), Edited::Saved);
    assert!(!kept.exists() && fs::read_to_string(&path).unwrap() == better);
}

#[test]
fn entry_of_a_list_is_edited_and_removed_alone() {
    let world = World::project();
    let path = world.path("project/participants.yaml");
    let ada = "# The first\n- name: Ada\n  alias: ada\n  personality: x\n";
    let boss = "- name: Boss\n  alias: boss\n  personality: y\n";
    fs::write(&path, format!("participants:\n{ada}{boss}")).unwrap();
    let setup = world.load("project");
    assert!(matches!(add(&setup, &persona("Boss", "boss")), Err(EditError::Exists { .. })));
    let draft = PersonaDraft::of(&setup, "boss").unwrap();
    assert_eq!(draft.text(), "name: Boss\nalias: boss\npersonality: y\n");
    let wrong = draft.clone().finish(&setup, "name: Boss\nalias: boss\npersonalty: y\n");
    assert!(matches!(wrong, Err(EditError::Wrong { rejected: true, .. })), "{wrong:?}");
    let better = "name: Boss\nalias: boss\npersonality: |\n  Firm.\n\n  Fair.\n";
    assert_eq!(draft.finish(&setup, better).unwrap(), Edited::Saved);
    let file = fs::read_to_string(&path).unwrap();
    let entry = "- name: Boss\n  alias: boss\n  personality: |\n    Firm.\n\n    Fair.\n";
    assert_eq!(file, format!("participants:\n{ada}{entry}"));
    remove(&world.load("project"), "boss").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("participants:\n{ada}"));
    // The last entry takes its file with it.
    remove(&world.load("project"), "ada").unwrap();
    assert!(!path.exists());
}

#[test]
fn broken_list_is_not_removed_for_one_entry() {
    let world = World::project();
    let path = world.path("project/participants/team.yaml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "participants:\n- {name: Boss, alias: boss, persnality: x}\n").unwrap();
    assert!(remove(&world.load("project"), "boss").is_err());
    assert!(path.exists());
}
