use super::*;

#[test]
fn base64_is_decoded_at_any_length() {
    // `echo -n 'one two three four!' | base64`, without its end.
    let run = "b25lIHR3byB0aHJlZSBmb3VyIQ";
    let read = |text: &str| base64_texts(text).collect::<Vec<_>>();
    assert_eq!(read(run), [(0, "one two three four!".to_owned())]);
    assert_eq!(read(&format!("x: {run}==\n")), [(3, "one two three four!".to_owned())]);
    assert_eq!(read(&run[..25]), [(0, "one two three four".to_owned())]);
    assert_eq!(read(&run[..24]), [(0, "one two three four".to_owned())]);
    assert_eq!(read(&run[..23]), [], "shorter than the shortest");
}

#[test]
fn binary_data_is_not_decoded() {
    for run in
        ["AAAAAAAAAAAAAAAAAAAAAAAA", "b25lIHR3byB0aHJlZSBmb3VyAA", "7777777777777777777777777"]
    {
        assert_eq!(base64_texts(run).count(), 0, "{run}");
    }
}
