//! The types of the packages for Python and npm: generated from the schemas of the program's documents.
//! `UPDATE_BINDINGS=1` writes them anew.

mod python;
mod types;
mod typescript;

use discussions::workspace::Workspace;

use self::types::Types;

#[test]
fn types_of_the_packages_are_the_generated_ones() {
    let schema = |name| (name, Workspace::schema(name).unwrap().to_value());
    let types = Types::of(Workspace::documents().map(schema));
    for (name, text) in [
        ("python/discussions/documents.py", python::module(&types)),
        ("npm/lib/documents.d.mts", typescript::declarations(&types)),
    ] {
        let path = crate::root().join(name);
        if std::env::var_os("UPDATE_BINDINGS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            there == text,
            "{name} differs from the schemas; write it anew: UPDATE_BINDINGS=1 cargo test --test it bindings"
        );
    }
}
