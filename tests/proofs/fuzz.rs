//! The properties of the fuzz targets without a fuzzer, with inputs that are built from the fuzzer's tokens.
//!
//! The fuzzer finds more because it sees the code that an input reaches; this form needs only the stable compiler.

use super::random::Random;

#[path = "../../fuzz/properties/answer.rs"]
mod answer;
#[path = "../../fuzz/properties/encode.rs"]
mod encode;
#[path = "../../fuzz/properties/parse.rs"]
mod parse;

const DICTIONARY: &str = include_str!("../../fuzz/tokens.dict");

#[test]
fn some_inputs_of_the_fuzz_targets_hold() {
    prove(200);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: tries 1,500 inputs of each target"]
    fn many_inputs_of_the_fuzz_targets_hold() {
        prove(1_500);
    }
}

#[test]
#[ignore = "full form: cargo prove fuzz"]
fn two_million_inputs_of_each_fuzz_target_hold() {
    prove(2_000_000);
}

/// Panics if the property of the target does not hold.
type Hold = fn(&[u8]);

fn prove(times: u64) {
    let tokens = tokens();
    assert!(tokens.len() > 20, "{} tokens", tokens.len());
    let targets: [(&str, Hold); 3] =
        [("parse", parse::hold), ("encode", encode::hold), ("answer", answer::hold)];
    for (seed, (name, hold)) in (1..).zip(targets) {
        let mut random = Random::new(seed);
        for _ in 0..times {
            let input = input(&mut random, &tokens);
            let held = std::panic::catch_unwind(|| hold(&input));
            assert!(held.is_ok(), "{name}, by this input: {}", input.escape_ascii());
        }
        println!("{name}: {times} inputs without a finding");
    }
}

/// Tokens, line ends, and sometimes any byte.
fn input(random: &mut Random, tokens: &[Vec<u8>]) -> Vec<u8> {
    let mut input = Vec::new();
    for _ in 0..random.below(40) {
        match random.below(12) {
            0..7 => input.extend(&tokens[random.below(tokens.len() as u64) as usize]),
            7..10 => input.push(b'\n'),
            10 => input.extend(b"word "),
            _ => input.push(random.next() as u8),
        }
    }
    input
}

/// Parses the lines of the dictionary: `"text"` with `\\`, `\"` and `\xAB`.
fn tokens() -> Vec<Vec<u8>> {
    let quoted = DICTIONARY.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescape).collect()
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = match (first, after) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digits = [*high, *low].map(char::from);
                let digits: String = digits.iter().collect();
                out.push(u8::from_str_radix(&digits, 16).unwrap());
                after
            }
            (b'\\', [escaped, after @ ..]) => {
                out.push(*escaped);
                after
            }
            _ => {
                out.push(*first);
                after
            }
        };
    }
    out
}
