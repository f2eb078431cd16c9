use std::path::PathBuf;

use super::*;

fn split(line: &str) -> Vec<String> {
    let vars = [("MODEL", "two words; $(rm)"), ("N", "7")];
    let env = Environment::new(vars, Some(PathBuf::from("/home/rob")), PathBuf::from("/tmp"));
    words(line, &env).unwrap().into_iter().map(|word| word.into_string().unwrap()).collect()
}

#[test]
fn quotes_group_words_and_values_stay_one_word() {
    assert_eq!(split("a --m 'b c' \"\""), ["a", "--m", "b c", ""]);
    assert_eq!(split("a $MODEL x${N}y $N-b"), ["a", "two words; $(rm)", "x7y", "7-b"]);
}

#[test]
fn only_a_leading_tilde_is_the_home_folder() {
    assert_eq!(
        split("~/bin/a ~ a~ ~bob b/~/c"),
        ["/home/rob/bin/a", "/home/rob", "a~", "~bob", "b/~/c"]
    );
}

#[test]
fn text_that_names_no_variable_stays() {
    assert_eq!(split("$ $5 ${} ${A B} 'a$'"), ["$", "$5", "${}", "${A", "B}", "a$"]);
    assert_eq!(split("x$UNSET"), ["x"]);
}

#[test]
fn shell_operators_are_plain_words() {
    assert_eq!(
        split("a | b > c && d; $(e) `f` *"),
        ["a", "|", "b", ">", "c", "&&", "d;", "$(e)", "`f`", "*"]
    );
}
