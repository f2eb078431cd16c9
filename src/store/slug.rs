//! File names from titles.

/// The longest slug, in bytes: room for a number, `.md.journal` and a temporary name below every system's limit.
const LIMIT: usize = 80;

/// A title as a file name without its ending: ASCII letters, digits and single hyphens, at most 80 bytes, cut between
/// words. Other scripts are transliterated; a title without any letter becomes `discussion`.
pub(crate) fn slug(title: &str) -> String {
    // Only so much of a title can matter, and transliteration makes it longer.
    let start: String = title.chars().take(4 * LIMIT).collect();
    let mut slug = ::slug::slugify(start);
    if slug.len() > LIMIT {
        let cut = slug[..=LIMIT].rfind('-').filter(|&at| at > LIMIT / 2).unwrap_or(LIMIT);
        slug.truncate(cut);
    }
    if slug.is_empty() {
        return "discussion".to_owned();
    }
    if is_device(&slug) {
        slug.push_str("-discussion");
    }
    slug
}

/// Names that Windows keeps for devices, whatever their ending.
fn is_device(slug: &str) -> bool {
    let numbered = |word: &str| {
        slug.strip_prefix(word)
            .is_some_and(|rest| rest.len() == 1 && rest != "0" && rest.parse::<u8>().is_ok())
    };
    matches!(slug, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn titles_of_any_script_become_portable_names() {
        assert_eq!(slug("Add user authentication"), "add-user-authentication");
        assert_eq!(slug("  Größe & Maß: C++?  "), "grosse-mass-c");
        assert_eq!(slug("Добавить вход"), "dobavit-vkhod");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("?!"), "discussion");
        assert_eq!(slug("Nul"), "nul-discussion");
    }

    #[test]
    fn long_titles_are_cut_between_words() {
        let long = slug(&"several words ".repeat(100));
        assert!(long.len() <= 80 && long.ends_with("-several"), "{long}");
        assert_eq!(slug(&"x".repeat(10_000)).len(), 80);
    }
}
