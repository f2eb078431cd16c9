//! The laws of the file format, with the number of cases that `docs/proofs.md` states.

use std::env;
use std::process::Command;

#[test]
#[ignore = "full form: cargo prove laws"]
fn laws_hold_for_a_million_cases_each() {
    let mut laws = Command::new(env::current_exe().unwrap());
    laws.args(["laws::law_", "--test-threads=2"]).env("LAW_CASES", "1000000");
    assert!(laws.status().unwrap().success());
    println!("laws 1 to 5: 1,000,000 generated cases each");
}
