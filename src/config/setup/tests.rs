use std::fs;

use super::*;

/// A project and a user's folder, side by side.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let world = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            let path = world.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        world
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn load(&self, cwd: &str) -> Result<Setup, ConfigError> {
        let cwd = self.path(cwd);
        fs::create_dir_all(&cwd).unwrap();
        Setup::load(&cwd, Some(&self.path("user")))
    }
}

fn persona(name: &str, alias: &str) -> String {
    format!("name: {name}\nalias: {alias}\npersonality: You are {name}.\n")
}

#[test]
fn bundled_personas_are_used_without_any_file() {
    let world = World::new(&[]);
    let setup = world.load("work").unwrap();
    assert_eq!((setup.config.clone(), setup.project.clone()), (Config::default(), None));
    assert_eq!(*setup.roster, Roster::bundled());
    assert_eq!(setup.output_directory(), world.path("work/discussions"));
}

#[test]
fn project_is_found_from_subfolders_and_wins_over_the_user() {
    let world = World::new(&[
        ("user/config.yaml", "author: Ann\ndefault_template: debate\n"),
        ("project/discussions.yaml", "default_template: feature\noutput: {directory: ./talk}\n"),
    ]);
    let setup = world.load("project/deep/down").unwrap();
    assert_eq!(setup.project.as_ref().unwrap().root, world.path("project"));
    assert_eq!(setup.config.default_template.as_deref(), Some("feature"));
    assert_eq!(setup.config.author.as_ref().unwrap().as_str(), "Ann");
    assert_eq!(setup.output_directory(), world.path("project/talk"));
}

#[test]
fn personas_are_read_from_three_layers() {
    let world = World::new(&[
        ("user/participants/architect.yaml", &persona("Mine", "architect")),
        (
            "user/participants.yaml",
            &format!("participants:\n- {}", persona("Ann", "ann").replace('\n', "\n  ")),
        ),
        ("project/discussions.yaml", ""),
        ("project/participants/architect.yaml", &persona("Ours", "architect")),
        ("project/participants/notes.txt", "not a persona"),
        ("project/participants/.architect.yaml", "left by an editor"),
    ]);
    let setup = world.load("project").unwrap();
    assert_eq!(setup.roster.broken(), []);
    let member = setup.roster.resolve("architect").unwrap();
    assert_eq!(member.persona.name.as_str(), "Ours");
    assert_eq!(
        member.origin,
        PersonaOrigin::Project(world.path("project/participants/architect.yaml"))
    );
    let ann = &setup.roster.resolve("ann").unwrap().origin;
    assert_eq!(*ann, PersonaOrigin::User(world.path("user/participants.yaml")));
}

#[test]
fn broken_persona_fails_only_when_it_is_used() {
    let world = World::new(&[
        ("project/discussions.yaml", ""),
        ("project/participants/boss.yaml", "name: Boss\nalias: boss\npersonalty: x\n"),
    ]);
    let setup = world.load("project").unwrap();
    assert!(setup.roster.resolve("architect").is_ok());
    let error = setup.roster.resolve("boss").unwrap_err().to_string();
    insta::assert_snapshot!(error, @r"
    participants/boss.yaml:3:1: unknown key `personalty`
      |
    3 | personalty: x
      | ^
    help: did you mean `personality`?
    ");
}

#[test]
fn persona_that_is_not_utf8_is_named() {
    let world = World::new(&[("project/discussions.yaml", "")]);
    fs::create_dir_all(world.path("project/participants")).unwrap();
    fs::write(world.path("project/participants/odd.yaml"), b"name: \xff\n").unwrap();
    let setup = world.load("project").unwrap();
    assert_eq!(setup.roster.broken()[0].alias, "odd");
}

#[test]
fn broken_configuration_fails_with_its_place() {
    let world = World::new(&[("project/discussions.yaml", "default_tempalte: feature\n")]);
    let error = world.load("project").unwrap_err().to_string();
    insta::assert_snapshot!(error, @r"
    discussions.yaml:1:1: unknown key `default_tempalte`
      |
    1 | default_tempalte: feature
      | ^
    help: did you mean `default_template`?
    ");
}

#[test]
fn folder_in_place_of_a_file_is_an_error() {
    let world = World::new(&[("user/config.yaml/x", "")]);
    let error = world.load("work").unwrap_err().to_string();
    assert!(error.ends_with("config.yaml: it is not a regular file"), "{error}");
}

#[test]
fn provider_files_are_passed_on_unread_lowest_layer_first() {
    let world = World::new(&[
        ("user/providers.yaml", "user"),
        ("project/discussions.yaml", ""),
        ("project/providers.yaml", "project: ["),
    ]);
    let setup = world.load("project").unwrap();
    let texts: Vec<_> = setup.providers.iter().map(|l| (l.scope, l.text.as_str())).collect();
    assert_eq!(texts, [(ConfigScope::User, "user"), (ConfigScope::Project, "project: [")]);
    assert_eq!(setup.providers[1].shown, "providers.yaml");
}

#[test]
fn templates_without_our_front_matter_are_skipped() {
    let world = World::new(&[
        ("user/templates/mine.md", "---\nid: mine\nphases:\n- id: a\n---\n# x\n"),
        ("project/discussions.yaml", ""),
        ("project/templates/broken.md", "---\nid: [\nphases:\n---\n"),
        ("project/templates/misspelt.md", "---\nid: m\nphase: []\n---\n"),
        ("project/templates/page.md", "---\ntitle: A web page\nlayout: post\n---\n"),
        ("project/templates/plain.md", "# Plain\n"),
    ]);
    let setup = world.load("project").unwrap();
    let names: Vec<_> = setup.templates.iter().map(|l| l.path.file_name().unwrap()).collect();
    assert_eq!(names, ["mine.md", "broken.md", "misspelt.md"]);
}

#[test]
fn files_count_only_beside_a_configuration() {
    let world = World::new(&[
        ("work/participants/architect.yaml", &persona("Stranger", "architect")),
        ("work/providers.yaml", "providers: []"),
        ("work/templates/x.md", "---\nid: x\nphases: []\n---\n"),
    ]);
    let setup = world.load("work").unwrap();
    assert_eq!(*setup.roster, Roster::bundled());
    assert!(setup.providers.is_empty() && setup.templates.is_empty());
}
