use super::*;

/// Two files changed, one deleted, in the form in which a discussion has its material.
const MATERIAL: &str = "\
# Is this change right?

## Material

### Changes of `main...HEAD` (900 bytes)

```diff
diff --git a/src/lease.rs b/src/lease.rs
index 1234567..89abcde 100644
--- a/src/lease.rs
+++ b/src/lease.rs
@@ -10,6 +10,7 @@ fn renew() {
     let now = clock.now();
-    if lease.end < now {
+    if lease.end <= now {
+        // The lease is over.
         return Err(Expired);
     }
     Ok(())
 }
@@ -40,2 +41,3 @@
 fn end() {}

+fn start() { Ok(()) }
diff --git a/src/old.rs b/src/old.rs
deleted file mode 100644
--- a/src/old.rs
+++ /dev/null
@@ -1,2 +0,0 @@
-fn unused() {}
-fn start_again() {}
diff --git a/tests/lease.rs b/tests/lease.rs
--- a/tests/lease.rs
+++ b/tests/lease.rs
@@ -1 +1,2 @@
 fn renew_works() { Ok(()) }
+fn end_works() {}
\\ No newline at end of file
```
";

fn place(quote: &str, proof: &str) -> Option<(String, usize)> {
    let place = Patch::find(MATERIAL).place_of(quote, proof, "x");
    place.map(|place| (place.file, place.line))
}

fn at(file: &str, line: usize) -> Option<(String, usize)> {
    Some((file.to_owned(), line))
}

#[test]
fn quote_in_a_diff_has_the_line_of_the_new_version() {
    for (quote, expected) in [
        ("if lease.end <= now {", at("src/lease.rs", 11)),
        // Marks of the diff, quotation marks and white space do not matter.
        ("+    if lease.end <= now {", at("src/lease.rs", 11)),
        ("\"return  Err(Expired);\"", at("src/lease.rs", 13)),
        ("`return Err(Expired);`", at("src/lease.rs", 13)),
        // Several lines: the first one.
        ("// The lease is over.\nreturn Err(Expired);", at("src/lease.rs", 12)),
        ("+        // The lease is over.\n         return Err(Expired);", at("src/lease.rs", 12)),
        // A removed line: the line that is there now.
        ("if lease.end < now {", at("src/lease.rs", 11)),
        ("-    if lease.end < now {", at("src/lease.rs", 11)),
        // A blank line of the diff without its blank is counted.
        ("fn start()", at("src/lease.rs", 43)),
        ("fn end_works() {}", at("tests/lease.rs", 2)),
        // The first of several places.
        ("Ok(())", at("src/lease.rs", 15)),
        // A deleted file has no new version. Text outside of a diff has no place.
        ("fn unused() {}", None),
        ("Is this change right?", None),
        ("No newline at end", None),
        ("", None),
    ] {
        assert_eq!(place(quote, "It fails."), expected, "{quote}");
    }
}

#[test]
fn named_place_selects_among_several_and_is_corrected_by_the_quote() {
    for (quote, proof, expected) in [
        ("Ok(())", "In tests/lease.rs:1 it fails.", at("tests/lease.rs", 1)),
        ("Ok(())", "See `src/lease.rs:44`.", at("src/lease.rs", 43)),
        // The model miscounted.
        ("return Err(Expired);", "src/lease.rs:9 returns too late.", at("src/lease.rs", 13)),
        // The quote is not in the named file.
        ("fn end_works() {}", "Compare src/lease.rs:41.", at("src/lease.rs", 41)),
        // Part of a path that is unique, and one that is not.
        ("nowhere", "old.rs:7 and src/lease.rs:12", at("src/lease.rs", 12)),
        ("nowhere", "(lease.rs:12)", at("lease.rs", 12)),
        // A file that the diff does not have.
        ("nowhere", "docs/lease.md:12 promises more", at("docs/lease.md", 12)),
    ] {
        assert_eq!(place(quote, proof), expected, "{proof}");
    }
}

#[test]
fn only_paths_with_a_line_are_named_places() {
    for (text, expected) in [
        ("src/a.rs:12", at("src/a.rs", 12)),
        ("`./src/a.rs:12:5`,", at("src/a.rs", 12)),
        ("(a.rs:12-15)", at("a.rs", 12)),
        ("see Makefile, bin/run:3.", at("bin/run", 3)),
        ("straße/größe.md:7", at("straße/größe.md", 7)),
        ("at 10:30 or 2026-11-27T10:30", None),
        ("http://localhost:8080/x", None),
        ("localhost:8080 and db.example.com:5432", None),
        ("src/a.rs:0", None),
        ("src/a.rs:12th", None),
        ("src/a.rs:99999999999999999999999", None),
        ("a ratio of 3/4:1", None),
        ("v1.2:3", None),
        ("Proof: 12", None),
    ] {
        let found = Patch::find("").place_of(text, "", "");
        assert_eq!(found.map(|place| (place.file, place.line)), expected, "{text}");
    }
}

#[test]
fn broken_diffs_do_no_harm() {
    let numbers = format!("+++ b/x\n@@ -1,{0} +{0},{0} @@\n+one\n+two\n", usize::MAX);
    for (material, expected) in [
        ("@@ -1 +1 @@\n+one\n", None),
        ("+++ b/x\n@@ -1 +1\n+one\n", None),
        ("+++ b/x\n@@ -1,3 +1,3 @@\n+two\nno line of a diff\n+one\n", None),
        ("+++ x\t2026-11-27\n@@ -0,0 +5 @@\n+one\n", at("x", 5)),
        (numbers.as_str(), at("x", usize::MAX)),
    ] {
        let found = Patch::find(material).place_of("one", "", "");
        assert_eq!(found.map(|place| (place.file, place.line)), expected, "{material}");
    }
}

#[test]
fn sentence_has_the_place_that_it_names_or_quotes() {
    let place = |sentence: &str| {
        let place = Patch::find(MATERIAL).place_in(sentence);
        place.map(|place| (place.file, place.line))
    };
    for (sentence, expected) in [
        ("src/lease.rs:42 starts twice", at("src/lease.rs", 42)),
        ("the check `if lease.end <= now {` is off by one", at("src/lease.rs", 11)),
        ("the test \"fn end_works() {}\" is empty", at("tests/lease.rs", 2)),
        ("the comment “The lease is over.” is wrong", at("src/lease.rs", 12)),
        // The first quote is in no diff.
        ("not `if lease.start`, but `fn start() { Ok(()) }`", at("src/lease.rs", 43)),
        ("`now` is too short", None),
        ("an open ` and no place", None),
    ] {
        assert_eq!(place(sentence), expected, "{sentence}");
    }
}
