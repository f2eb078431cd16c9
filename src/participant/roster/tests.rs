use super::*;

fn persona(name: &str, alias: &str) -> String {
    format!("name: {name}\nalias: {alias}\npersonality: You are {name}.\n")
}

fn project(files: &[(&str, &str)]) -> Vec<PersonaSource> {
    files
        .iter()
        .map(|(path, text)| PersonaSource {
            origin: PersonaOrigin::Project(PathBuf::from(path)),
            shown: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect()
}

fn roster(files: &[(&str, &str)]) -> Roster {
    let mut roster = Roster::default();
    roster.layer(project(files));
    roster
}

fn aliases(roster: &Roster) -> Vec<&str> {
    roster.iter().map(|m| m.persona.alias.as_str()).collect()
}

fn only_error(roster: &Roster) -> String {
    assert_eq!(roster.broken().len(), 1, "{:#?}", roster.broken());
    roster.broken()[0].error.to_string()
}

#[test]
fn bundled_personas_are_complete_and_in_order() {
    let roster = Roster::bundled();
    assert_eq!(roster.broken(), []);
    assert_eq!(
        aliases(&roster),
        [
            "moderator",
            "architect",
            "security",
            "pragmatist",
            "perfectionist",
            "designer",
            "researcher",
            "visualizer",
            "product",
            "technical",
            "quality",
            "risk",
            "coverage",
            "author",
            "reviewer",
        ]
    );
    for Member { persona, origin } in &roster {
        let background = ["researcher", "visualizer"].contains(&persona.alias.as_str());
        assert_eq!(persona.kind.votes(), !background, "{}", persona.alias);
        assert_eq!(*origin, PersonaOrigin::Bundled);
        assert!(persona.name.as_str().starts_with("AI-"));
        // Vendors are distributed over the participants; a provider hint would prevent that.
        assert!(persona.provider_hint.is_none() && !persona.role.is_empty());
        // The personality already contains this content; the lists would repeat it in every prompt.
        assert!(persona.expertise.is_empty() && persona.concerns.is_empty());
        if persona.neutral {
            assert!(persona.personality.is_empty() && persona.votes.is_empty());
            continue;
        }
        let words = persona.personality.split_whitespace().count();
        assert!((45..=90).contains(&words), "{}: {words} words", persona.alias);
        // Rules for votes are separate, since most phases have no vote or other options.
        assert_eq!(persona.votes.starts_with("READY when "), !background, "{}", persona.alias);
        let said = &persona.personality;
        for word in ["READY", "REJECT", "vote", "leave the rest", "own field"] {
            assert!(!said.contains(word), "{}: {word}", persona.alias);
        }
    }
}

#[test]
fn participants_are_found_by_alias_and_name_in_any_case() {
    let roster = Roster::bundled();
    for asked in
        ["architect", "@architect", "ARCHITECT", "AI-Architect", "@ai-architect", " architect "]
    {
        assert_eq!(roster.resolve(asked).unwrap().persona.alias.as_str(), "architect", "{asked}");
    }
    let name = Name::parse("ai-security").unwrap();
    assert_eq!(roster.by_name(&name).unwrap().alias.as_str(), "security");
    assert_eq!(
        roster.by_name(&Name::parse("Security").unwrap()).unwrap().alias.as_str(),
        "security"
    );
    assert!(roster.by_name(&Name::parse("Rob").unwrap()).is_none());
}

#[test]
fn misspelt_name_gets_the_nearest_suggestions() {
    let roster = Roster::bundled();
    assert_eq!(roster.nearest("@architct"), ["architect"]);
    assert_eq!(roster.nearest("AI-Architct")[0], "architect");
    assert_eq!(
        roster.resolve("@architct").unwrap_err().to_string(),
        "no participant is called `@architct`; did you mean `architect`?"
    );
    assert_eq!(
        roster.resolve("xyzzy").unwrap_err().to_string(),
        "no participant is called `xyzzy`"
    );
}

#[test]
fn later_layer_replaces_by_alias_and_keeps_the_position() {
    let mut roster = Roster::bundled();
    let before: Vec<String> = aliases(&roster).into_iter().map(str::to_owned).collect();
    roster.layer(project(&[
        ("p/x.yaml", &persona("Chief", "architect")),
        ("p/y.yaml", &persona("New", "new")),
    ]));
    assert_eq!(roster.broken(), []);
    assert_eq!(aliases(&roster)[..before.len()], before);
    assert_eq!(aliases(&roster)[before.len()..], ["new"]);
    let member = roster.resolve("architect").unwrap();
    assert_eq!(member.persona.name.as_str(), "Chief");
    assert_eq!(member.origin, PersonaOrigin::Project(PathBuf::from("p/x.yaml")));
}

#[test]
fn name_freed_by_an_override_can_be_used_in_its_layer() {
    let mut roster = Roster::bundled();
    roster.layer(project(&[
        ("a.yaml", &persona("AI-Architect", "builder")),
        ("architect.yaml", &persona("Chief", "architect")),
    ]));
    assert_eq!(roster.broken(), []);
    assert_eq!(roster.resolve("AI-Architect").unwrap().persona.alias.as_str(), "builder");
}

#[test]
fn duplicate_alias_or_name_is_an_error_with_its_place() {
    let twice = roster(&[("a.yaml", &persona("A", "x")), ("b.yaml", &persona("B", "X"))]);
    insta::assert_snapshot!(only_error(&twice), @r"
    b.yaml:2:8: the alias `x` is already taken by A (a.yaml)
      |
    2 | alias: X
      |        ^
    help: change one of the two
    ");
    assert!(matches!(twice.resolve("x"), Err(ResolveError::Broken(_))));

    let name = roster(&[("a.yaml", &persona("A", "x")), ("b.yaml", &persona("a", "y"))]);
    insta::assert_snapshot!(only_error(&name), @r"
    b.yaml:1:7: the name `a` is already taken by `x` (a.yaml)
      |
    1 | name: a
      |       ^
    help: change one of the two
    ");
    assert!(name.resolve("x").is_ok());

    let crossed = roster(&[("a.yaml", &persona("A", "x")), ("b.yaml", &persona("X", "y"))]);
    insta::assert_snapshot!(only_error(&crossed), @r"
    b.yaml:1:7: the name `X` is already the alias of A (a.yaml)
      |
    1 | name: X
      |       ^
    help: change one of the two
    ");
    let crossed = roster(&[("a.yaml", &persona("A", "x")), ("b.yaml", &persona("B", "a"))]);
    insta::assert_snapshot!(only_error(&crossed), @r"
    b.yaml:2:8: the alias `a` is already the name of `x` (a.yaml)
      |
    2 | alias: a
      |        ^
    help: change one of the two
    ");
}

#[test]
fn look_alike_name_is_an_error() {
    let mut roster = Roster::bundled();
    // A Cyrillic capital A.
    roster.layer(project(&[("fake.yaml", &persona("\u{410}I-Architect", "fake"))]));
    insta::assert_snapshot!(only_error(&roster), @r"
    fake.yaml:1:7: the name `АI-Architect` looks like `AI-Architect`, the name of `architect` (bundled)
      |
    1 | name: АI-Architect
      |       ^
    help: change one of the two
    ");
}

#[test]
fn broken_override_fails_when_used_and_keeps_its_old_text() {
    let mut roster = Roster::bundled();
    roster.layer(project(&[("p/boss.yaml", "alias: architect\nname: Chief\nrol: x\n")]));
    let error = roster.resolve("AI-Architect").unwrap_err().to_string();
    insta::assert_snapshot!(error, @r"
    p/boss.yaml:3:1: unknown key `rol`
      |
    3 | rol: x
      | ^
    help: did you mean `role`?
    ");
    assert!(roster.by_alias(&Alias::parse("architect").unwrap()).is_some());
    assert!(roster.resolve("security").is_ok());

    roster.layer(project(&[("q/architect.yaml", &persona("Chief", "architect"))]));
    assert_eq!(roster.broken(), []);
    assert_eq!(roster.resolve("architect").unwrap().persona.name.as_str(), "Chief");
}

#[test]
fn list_is_read_like_a_folder_and_one_mistake_stays_one() {
    let text = "\
participants:
  - name: A
    alias: a
    personality: |
      You are A.

      - Not an entry.
  - name: B
    alias: b
    personalty: x
  - {name: C, alias: c, personality: x}
";
    let roster = roster(&[("participants.yaml", text)]);
    assert_eq!(aliases(&roster), ["a", "c"]);
    assert_eq!(roster.broken()[0].alias, "b");
    insta::assert_snapshot!(only_error(&roster), @r"
    participants.yaml:10:5: unknown key `personalty`
       |
    10 |     personalty: x
       |     ^
    help: did you mean `personality`?
    ");
    let persona = &roster.resolve("a").unwrap().persona;
    assert_eq!(persona.personality, "You are A.\n\n- Not an entry.\n");
}

#[test]
fn mistake_in_the_first_line_of_an_entry_shows_the_whole_line() {
    let text = "participants:\n- naem: A\n  alias: a\n- name: B\n  alias: b\n  personality: x\n";
    let roster = roster(&[("participants.yaml", text)]);
    insta::assert_snapshot!(only_error(&roster), @r"
    participants.yaml:2:3: unknown key `naem`
      |
    2 | - naem: A
      |   ^
    help: did you mean `name`?
    ");
    assert_eq!(aliases(&roster), ["b"]);
}

#[test]
fn wrong_key_beside_the_list_is_reported_and_the_list_used() {
    let text = "versoin: 1\nparticipants:\n- name: B\n  alias: b\n  personality: x\n";
    let roster = roster(&[("participants.yaml", text)]);
    assert_eq!(aliases(&roster), ["b"]);
    assert_eq!(roster.broken()[0].error.message, "unknown key `versoin`");
}

#[test]
fn text_that_is_not_yaml_is_broken_under_its_file_name() {
    let roster = roster(&[("p/boss.yaml", "name: [\n"), ("p/empty.yaml", "")]);
    let stems: Vec<_> = roster.broken().iter().map(|b| b.alias.as_str()).collect();
    assert_eq!(stems, ["boss", "empty"]);
    assert!(matches!(roster.resolve("@boss"), Err(ResolveError::Broken(_))));
}

#[test]
fn name_with_look_alike_letters_is_recognized() {
    let roster = Roster::bundled();
    let alias = |name: &str| {
        let found = roster.look_alike(&Name::parse(name).unwrap());
        found.map(|persona| persona.alias.as_str())
    };
    assert_eq!(alias("\u{410}I-Security"), Some("security"));
    assert_eq!(alias("s\u{435}curity"), Some("security"));
    assert_eq!((alias("AI-Security"), alias("Security"), alias("Rob")), (None, None, None));
}

/// Comparing each file with all others would take minutes: each is found by index.
#[test]
fn tens_of_thousands_of_personas_are_not_all_compared() {
    const COUNT: usize = 30_000;
    let files = (0..COUNT).map(|number| {
        let text = persona(&format!("Member {number}"), &format!("member{number}"));
        let shown = format!("member{number}.yaml");
        PersonaSource { origin: PersonaOrigin::User(shown.clone().into()), shown, text }
    });
    let mut roster = Roster::default();
    roster.layer(files);
    assert_eq!(roster.iter().len(), COUNT);
}
