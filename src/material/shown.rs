//! Finds the material in the text of a discussion: the pieces that the program wrote into it.

use std::ops::Range;

/// A piece of material in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownPiece {
    /// The name in its heading: the path of a file, or the commits of a diff.
    pub(crate) name: String,
    /// True for the changes of commits.
    pub(crate) is_diff: bool,
    /// The size in bytes that the heading states.
    pub(crate) size: u64,
    /// The bytes of the fenced text below the heading, with its fences.
    pub(crate) body: Range<usize>,
}

/// The heading of a piece.
struct PieceHeading {
    name: String,
    is_diff: bool,
    size: u64,
}

/// A fence that is open.
struct OpenFence<'t> {
    /// The signs that close it.
    signs: &'t str,
    start: usize,
    /// The heading right above it.
    heading: Option<PieceHeading>,
}

/// Returns the pieces of material in a text, in their order. A heading inside of another piece is part of its text.
pub(crate) fn shown_pieces(text: &str) -> Vec<ShownPiece> {
    let mut pieces = Vec::new();
    let mut heading: Option<PieceHeading> = None;
    let mut open: Option<OpenFence<'_>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, bare) = (at, line.trim_end());
        at += line.len();
        match open.take() {
            Some(OpenFence { signs, start: from, heading }) if bare == signs => {
                let body = from..start + bare.len();
                pieces.extend(heading.map(|PieceHeading { name, is_diff, size }| ShownPiece {
                    name,
                    is_diff,
                    size,
                    body,
                }));
            }
            Some(still) => open = Some(still),
            None => match (fence_of(bare), heading_of(bare)) {
                (Some(signs), _) => {
                    open = Some(OpenFence { signs, start, heading: heading.take() });
                }
                (None, Some(found)) => heading = Some(found),
                (None, None) if bare.is_empty() => {}
                (None, None) => heading = None,
            },
        }
    }
    pieces
}

/// Returns the files that a text shows: by the headings of its material, and by the lines of a diff that name a file.
pub(crate) fn shown_files(text: &str) -> Vec<String> {
    let pieces = shown_pieces(text).into_iter();
    let files = pieces.filter(|piece| !piece.is_diff).map(|piece| piece.name);
    let changed = text.lines().filter_map(|line| line.strip_prefix("+++ b/"));
    files.chain(changed.map(str::to_owned)).collect()
}

/// Returns the signs of a line that opens a fence.
fn fence_of(line: &str) -> Option<&str> {
    let count = line.bytes().take_while(|byte| *byte == b'`').count();
    (count >= 3 && !line[count..].contains('`')).then(|| &line[..count])
}

/// Returns the name, the kind and the size in the heading of a piece.
fn heading_of(line: &str) -> Option<PieceHeading> {
    let rest = line.strip_prefix("### ")?;
    let (is_diff, rest) = match rest.strip_prefix("Changes of ") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (name, size) = rest.strip_prefix('`')?.rsplit_once("` (")?;
    let size = size.strip_suffix(" bytes)")?.parse().ok()?;
    Some(PieceHeading { name: name.to_owned(), is_diff, size })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::{MaterialPiece, render};
    use super::*;

    #[test]
    fn rendered_pieces_are_found_again() {
        let piece = |name: &str, path: Option<&str>, text: &str| MaterialPiece {
            name: name.to_owned(),
            path: path.map(PathBuf::from),
            is_named: true,
            text: text.to_owned(),
        };
        let inner = "### `inner.rs` (3 bytes)\n\n```rs\nx\n```\n";
        let diff = "--- a/src/b.rs\n+++ b/src/b.rs\n@@ -1 +1 @@\n+x\n";
        let pieces = [
            piece("src/a b.rs", Some("src/a b.rs"), "fn a() {}\n"),
            piece("notes.md", Some("notes.md"), inner),
            piece("main...HEAD", None, diff),
        ];
        let text = format!("# How?\n\n{}\n\nMore.\n", render(&pieces));
        let found = shown_pieces(&text);
        let names: Vec<&str> = found.iter().map(|piece| piece.name.as_str()).collect();
        assert_eq!(names, ["src/a b.rs", "notes.md", "main...HEAD"]);
        assert_eq!(found[0].size, 10);
        assert!(text[found[1].body.clone()].contains("inner.rs"), "{text}");
        assert_eq!(shown_files(&text), ["src/a b.rs", "notes.md", "src/b.rs"]);
    }
}
