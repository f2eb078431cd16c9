//! Names of files: turns a title into one, and finds the file that a user's input means.

use std::fs;
use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_width::UnicodeWidthChar as _;

use super::error::StoreError;
use crate::text_diff::letters_alike;
use crate::transcript::visible;

/// Maximum length of a slug in bytes. With a number, `.md.journal` and the name of a temporary file it stays below
/// every system's limit.
const LIMIT: usize = 80;
/// Maximum width of a slug in columns. A command with such a name fits into a line of 60 columns and can be copied
/// whole.
const WIDEST: usize = 36;

/// English words that must not end a name, because they connect to the next word.
const CONNECTIVES: [&str; 28] = [
    "a", "an", "and", "are", "as", "at", "but", "by", "for", "from", "if", "in", "into", "is",
    "nor", "of", "on", "or", "our", "than", "that", "the", "to", "versus", "vs", "while", "with",
    "without",
];

/// The slug of a title without letters and digits.
const NAMELESS: &str = "discussion";

/// Returns a title as a file name without its ending: letters, marks and digits of any script, in lower case and NFC,
/// with single hyphens for the rest. The maximum is 36 columns and 80 bytes; longer slugs are cut between words if that
/// loses little. Invisible characters are dropped. A title without letters and digits becomes `discussion`.
pub(crate) fn slug(title: &str) -> String {
    // No more of a title can fit, however narrow its characters are.
    let start = title.chars().take(4 * LIMIT).flat_map(char::to_lowercase).nfc();
    let mut slug = String::new();
    for c in start {
        let in_word = !slug.is_empty() && !slug.ends_with('-');
        if c.is_alphanumeric() || (in_word && is_combining_mark(c) && !is_hidden(c)) {
            slug.push(c);
        } else if in_word && !is_combining_mark(c) && !is_hidden(c) {
            slug.push('-');
        }
    }
    cut(&mut slug);
    slug.truncate(slug.trim_end_matches('-').len());
    if slug.is_empty() {
        return NAMELESS.to_owned();
    }
    if is_device(&slug) {
        slug.push_str("-discussion");
    }
    slug
}

/// Returns true for controls, variation selectors and joiners: they occur within words and separate none.
fn is_hidden(c: char) -> bool {
    let mut bytes = [0; 4];
    let text = c.encode_utf8(&mut bytes);
    matches!(c, '\u{200B}'..='\u{200D}') || *visible(text) != *text
}

/// Cuts between words, or else between characters, but never between a letter and its marks.
fn cut(slug: &mut String) {
    let mut columns = 0;
    let is_beyond = |&(at, c): &(usize, char)| {
        columns += c.width().unwrap_or(0);
        columns > WIDEST || at + c.len_utf8() > LIMIT
    };
    let Some((room, next)) = slug.char_indices().find(is_beyond) else { return };
    let whole = |at: usize| {
        slug.is_char_boundary(at) && !slug[at..].chars().next().is_some_and(is_combining_mark)
    };
    let end = (0..=room).rev().find(|at| whole(*at)).unwrap_or(0);
    // A word that ends exactly here is complete.
    let word = if next == '-' { Some(room) } else { slug[..room].rfind('-') };
    slug.truncate(word.filter(|at| *at > room / 2).unwrap_or(end));
    // A shortened title must not end in a connecting word: `redis-or`.
    while let Some((before, last)) = slug.rsplit_once('-')
        && CONNECTIVES.contains(&last)
    {
        slug.truncate(before.len());
    }
}

/// Returns true for names that Windows reserves for devices, with any ending. Superscript digits count too.
fn is_device(slug: &str) -> bool {
    let digit = |rest: &str| {
        let mut chars = rest.chars();
        matches!((chars.next(), chars.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
    };
    let numbered = |word: &str| slug.strip_prefix(word).is_some_and(digit);
    matches!(slug, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// Minimum similarity of a proposed name, from 0 to 1.
const ALIKE: f32 = 0.6;
/// Maximum number of proposed names.
const PROPOSED: usize = 3;

/// Finds a discussion. The input is a path relative to `working`, or a name to search in `working` and then in
/// `output`. A path that begins with `.`, `..` or the root is not a name. The ending `.md` is optional.
///
/// # Errors
/// Returns [`StoreError::NotFound`] with the most similar names, or [`StoreError::Directory`] if only a folder has this
/// name.
pub(crate) fn find(
    name: &Path,
    working: &Path,
    output: Option<&Path>,
) -> Result<PathBuf, StoreError> {
    let folders: Vec<&Path> = if is_name(name) {
        std::iter::once(working).chain(output).collect()
    } else {
        vec![working]
    };
    let mut folder_of_that_name = None;
    for folder in &folders {
        for candidate in candidates(&folder.join(name)) {
            match fs::metadata(&candidate) {
                Ok(found) if found.is_dir() => {
                    folder_of_that_name = folder_of_that_name.or(Some(candidate))
                }
                Ok(_) => return Ok(candidate),
                Err(_) => {}
            }
        }
    }
    match folder_of_that_name {
        Some(path) => Err(StoreError::Directory { path }),
        None => {
            Err(StoreError::NotFound { path: name.to_owned(), near: nearest_files(name, &folders) })
        }
    }
}

fn is_name(name: &Path) -> bool {
    let mut parts = name.components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Returns the path as typed, then with `.md`.
fn candidates(path: &Path) -> impl Iterator<Item = PathBuf> {
    let has_ending = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    let with_ending = (!has_ending).then(|| {
        let mut longer = path.as_os_str().to_owned();
        longer.push(".md");
        PathBuf::from(longer)
    });
    std::iter::once(path.to_owned()).chain(with_ending)
}

fn nearest_files(name: &Path, folders: &[&Path]) -> Vec<PathBuf> {
    let Some(wanted) = name.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()) else {
        return Vec::new();
    };
    let mut found: Vec<(f32, PathBuf)> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder.join(name).parent()?).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md")))
        .filter_map(|path| {
            let stem = path.file_stem()?.to_string_lossy().to_lowercase();
            let alike = |part: &str| letters_alike(&wanted, part);
            // Users often type only the start of a name, so that part is compared too.
            let begun: String = stem.chars().take(wanted.chars().count()).collect();
            let part = if stem.contains(&wanted) { 1.0 } else { alike(&stem).max(alike(&begun)) };
            (part >= ALIKE).then_some((part, path))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.truncate(PROPOSED);
    found.into_iter().map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_keep_their_script() {
        assert_eq!(slug("Add user authentication"), "add-user-authentication");
        assert_eq!(slug("  Größe & Maß: C++?  "), "größe-maß-c");
        assert_eq!(slug("fu\u{308}r Gro\u{308}ße"), "für-größe");
        assert_eq!(slug("Добавить ВХОД"), "добавить-вход");
        assert_eq!(slug("認証をどこに保存しますか？"), "認証をどこに保存しますか");
        assert_eq!(slug("أين نحفظ الجلسات؟"), "أين-نحفظ-الجلسات");
        assert_eq!(slug("सत्र कहाँ रखें"), "सत्र-कहाँ-रखें");
    }

    #[test]
    fn file_names_are_safe_on_every_system() {
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("?!"), "discussion");
        assert_eq!(slug("🚀🎉"), "discussion");
        assert_eq!(slug("👩\u{200D}💻 work"), "work");
        assert_eq!(slug("\u{301}\u{FE0F}"), "discussion");
        assert_eq!(slug("a\u{202E}b\u{200F}\u{FEFF}c\u{1b}d"), "abcd");
        assert_eq!(slug("CON.: a|b<c>\"d\" *?\\"), "con-a-b-c-d");
        for name in ["Nul", "com1", "LPT9", "Com²"] {
            assert!(slug(name).ends_with("-discussion"), "{name}");
        }
        assert_eq!(slug("com0"), "com0");
        assert_eq!(slug("--rf"), "rf");
    }

    #[test]
    fn long_titles_are_cut_between_words() {
        let long = slug(&"several words ".repeat(100));
        assert_eq!(long, "several-words-several-words-several");
        let whole = "where do sessions of all users stay, then";
        assert_eq!(slug(whole), "where-do-sessions-of-all-users-stay");
        assert_eq!(
            slug("where do the sessions of users stay, then"),
            "where-do-the-sessions-of-users-stay"
        );
        assert_eq!(
            slug("Where do we keep sessions: Redis or the database?"),
            "where-do-we-keep-sessions-redis",
            "not in the middle of a thought"
        );
        assert_eq!(slug("Redis or"), "redis-or", "nothing is cut");
        assert_eq!(slug(&"x".repeat(10_000)).len(), 36);
        assert_eq!(slug(&"認".repeat(100)), "認".repeat(18));
        assert!(slug(&"q\u{303}".repeat(100)).ends_with('\u{303}'));
    }

    fn tree() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("discussions/folder")).unwrap();
        for name in [
            "here.md",
            "both.md",
            "discussions/both.md",
            "discussions/caching.md",
            "discussions/folder.md",
        ] {
            fs::write(root.path().join(name), "# A\n").unwrap();
        }
        root
    }

    #[test]
    fn bare_name_is_searched_here_and_in_the_output_folder() {
        let root = tree();
        let output = root.path().join("discussions");
        let find = |name: &str| find(Path::new(name), root.path(), Some(&output));
        assert_eq!(find("here").unwrap(), root.path().join("here.md"));
        assert_eq!(find("both.md").unwrap(), root.path().join("both.md"));
        assert_eq!(find("caching").unwrap(), output.join("caching.md"));
        assert_eq!(find("folder").unwrap(), output.join("folder.md"));
        assert_eq!(find("discussions/caching").unwrap(), output.join("caching.md"));
        assert!(matches!(find("./caching"), Err(StoreError::NotFound { .. })));
        assert!(matches!(find("discussions"), Err(StoreError::Directory { .. })));
    }

    #[test]
    fn similar_names_are_suggested() {
        let root = tree();
        let output = root.path().join("discussions");
        fs::create_dir_all(output.join("old")).unwrap();
        fs::write(output.join("old/a.md"), "# A\n").unwrap();
        let old = find(Path::new("old/a"), root.path(), Some(&output)).unwrap();
        assert_eq!(old, output.join("old/a.md"));
        let missing = find(Path::new("cacheing"), root.path(), Some(&output)).unwrap_err();
        assert!(missing.to_string().contains("did you mean"), "{missing}");
        assert!(missing.to_string().contains("caching.md"), "{missing}");
    }
}
