//! Reads personas from YAML, with the places of each name and alias. Also provides the personas
//! that come with the program.

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use super::Persona;
use super::roster::{PersonaOrigin, PersonaSource};
use crate::yaml::{self, LoadError, Spanned, YamlDocument};

/// Line and column in a text, from 1; zeros if unknown.
type FilePlace = (usize, usize);

/// A persona with the places of its name and alias.
pub(super) struct FoundPersonaFile {
    pub(super) persona: Persona,
    pub(super) name: FilePlace,
    pub(super) alias: FilePlace,
}

/// One persona of a file, or the error in its place.
pub(super) enum PersonaItem {
    /// A valid persona.
    Whole(Box<FoundPersonaFile>),
    /// A broken persona. `alias` is its own alias, or else the file's stem.
    Broken { alias: String, error: LoadError },
}

/// Only the identity of a persona, for texts that are otherwise invalid.
#[derive(Default, Deserialize)]
#[serde(default)]
struct PersonaProbe {
    name: Option<Spanned<String>>,
    alias: Option<Spanned<String>>,
    participants: Option<Vec<Spanned<PersonaProbe>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonaList {
    participants: Vec<Persona>,
}

/// Returns the personas of one file, which contains one persona or a `participants:` list.
pub(super) fn items(source: &PersonaSource, stem: &str) -> Vec<PersonaItem> {
    let PersonaSource { text, shown: origin, .. } = source;
    let parsed = YamlDocument::parse(text, origin, 1).map(|document| match source.origin {
        PersonaOrigin::Bundled => document.ignoring_places(),
        _ => document,
    });
    match parsed.and_then(|document| Ok((document.read::<PersonaProbe>()?, document))) {
        Err(error) => vec![PersonaItem::Broken { alias: stem.to_owned(), error }],
        Ok((PersonaProbe { participants: Some(probes), .. }, document)) => {
            list(&document, text, origin, stem, &probes)
        }
        Ok((probe, document)) => {
            let read = document.read().and_then(|persona| checked(persona, text, origin, 1));
            vec![item(read, &probe, text, origin, stem)]
        }
    }
}

/// Reads exactly one persona and checks it.
pub(super) fn one(text: &str, origin: &str, first_line: usize) -> Result<Persona, LoadError> {
    checked(yaml::read_at(text, origin, first_line)?, text, origin, first_line)
}

/// Checks a persona that was read from a text.
fn checked(
    persona: Persona,
    text: &str,
    origin: &str,
    first_line: usize,
) -> Result<Persona, LoadError> {
    persona.check().map_err(|message| {
        let probe: PersonaProbe = yaml::read(text, origin).unwrap_or_default();
        LoadError::at(origin, text, first_line, place(probe.alias.as_ref()), message)
    })?;
    Ok(persona)
}

fn list(
    document: &YamlDocument<'_>,
    text: &str,
    origin: &str,
    stem: &str,
    probes: &[Spanned<PersonaProbe>],
) -> Vec<PersonaItem> {
    let whole: Result<PersonaList, _> = document.read();
    let lines: Vec<_> = probes.iter().map(|probe| probe.place.0).collect();
    let apart = lines.windows(2).all(|pair| pair[0] < pair[1]);
    if let (Err(error), false) = (&whole, apart) {
        return vec![PersonaItem::Broken { alias: stem.to_owned(), error: error.clone() }];
    }
    let mut items: Vec<_> = match &whole {
        Ok(list) => list
            .participants
            .iter()
            .zip(probes)
            .map(|(persona, probe)| {
                let checked = persona.check().map(|()| persona.clone()).map_err(|message| {
                    LoadError::at(origin, text, 1, place(probe.value.alias.as_ref()), message)
                });
                item(checked, &probe.value, text, origin, stem)
            })
            .collect(),
        // An error in one entry must not disable the others.
        Err(_) => probes
            .iter()
            .enumerate()
            .map(|(n, probe)| {
                let cut = excerpt(text, probe.place, lines.get(n + 1).copied());
                let read = one(&cut, origin, probe.place.0);
                item(read, &probe.value, text, origin, stem)
            })
            .collect(),
    };
    let all_whole = items.iter().all(|item| matches!(item, PersonaItem::Whole(_)));
    if let (Err(error), true) = (whole, all_whole) {
        items.push(PersonaItem::Broken { alias: stem.to_owned(), error });
    }
    items
}

/// Returns the lines of one list entry, with spaces before its first character, so that columns stay correct.
fn excerpt(text: &str, (line, column): FilePlace, next: Option<usize>) -> String {
    let count = next.map_or(usize::MAX, |next| next - line);
    let mut cut = " ".repeat(column - 1);
    for (n, part) in text.split_inclusive('\n').skip(line - 1).take(count).enumerate() {
        cut.extend(part.chars().skip(if n == 0 { column - 1 } else { 0 }));
    }
    cut
}

fn item(
    read: Result<Persona, LoadError>,
    probe: &PersonaProbe,
    text: &str,
    origin: &str,
    stem: &str,
) -> PersonaItem {
    match read {
        Ok(persona) => PersonaItem::Whole(Box::new(FoundPersonaFile {
            persona,
            name: place(probe.name.as_ref()),
            alias: place(probe.alias.as_ref()),
        })),
        Err(error) => PersonaItem::Broken {
            alias: probe
                .alias
                .as_ref()
                .map_or_else(|| stem.to_owned(), |alias| alias.value.clone()),
            // The first line of an excerpt lacks the dash; the line in the file has it.
            error: match error.line {
                0 => LoadError { origin: origin.to_owned(), ..error },
                line => LoadError {
                    source_line: text.lines().nth(line - 1).unwrap_or_default().into(),
                    ..error
                },
            },
        },
    }
}

fn place(text: Option<&Spanned<String>>) -> FilePlace {
    text.map_or((0, 0), |text| text.place)
}

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/participants");

/// The order of personas in lists and in the default assignment of roles. Other files follow by name.
const ORDER: [&str; 15] = [
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
];

/// Returns file name, without folder, and text of each bundled file.
pub(super) fn bundled_files() -> Vec<(String, &'static str)> {
    let mut files: Vec<_> = FOLDER
        .files()
        .filter_map(|file| {
            let name = file.path().file_name()?.to_str()?;
            Some((name.to_owned(), file.contents_utf8()?))
        })
        .filter(|(name, _)| name.ends_with(".yaml"))
        .collect();
    files.sort_by_key(|(name, _)| {
        let stem = name.trim_end_matches(".yaml");
        let place = ORDER.iter().position(|known| *known == stem);
        (place.unwrap_or(ORDER.len()), name.clone())
    });
    files
}
