//! Tells the tests where the program is: cargo does so only for tests of the program's own package.

use std::path::Path;

fn main() {
    // `target/debug/build/foreign-HASH/out`
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let profile = Path::new(&out).ancestors().nth(3).expect("a folder of cargo's");
    println!(
        "cargo::rustc-env=CARGO_BIN_EXE_discussions={}",
        profile.join("discussions").display()
    );
    println!("cargo::rerun-if-changed=program.rs");
}
