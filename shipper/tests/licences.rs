//! What the program is made of may be given away with it.

use serde_json::Value;
use std::process::Command;

/// Licences that ask for a notice at most. A package that offers several may offer others too.
const FREE: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "0BSD",
];

/// Whether an SPDX expression can be met with these: `AND` asks for all, `OR` for one.
fn is_free(expression: &str) -> bool {
    let text = expression.replace('/', " OR ").replace(['(', ')'], " ");
    // `(A OR B) AND C` is read as `A OR (B AND C)`: to be sure, every alternative but one may fail only
    // when no AND is there.
    let alternatives = text.split(" OR ").map(|all| all.split(" AND ").all(|one| FREE.contains(&one.trim())));
    let found: Vec<bool> = alternatives.collect();
    if text.contains(" AND ") { found.iter().all(|f| *f) } else { found.iter().any(|f| *f) }
}

#[test]
fn every_package_has_a_licence_that_is_free() {
    assert!(is_free("MIT OR GPL-3.0") && is_free("MIT/Apache-2.0") && is_free("(MIT OR Apache-2.0) AND ISC"));
    assert!(!is_free("GPL-3.0") && !is_free("(MIT OR GPL-3.0) AND ISC") && !is_free("MIT AND SSPL-1.0"));
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50);
    let others: Vec<String> = packages
        .iter()
        .filter(|p| !p["license"].as_str().is_some_and(is_free))
        .map(|p| format!("{} {}: {}", p["name"], p["version"], p["license"]))
        .collect();
    assert!(others.is_empty(), "{others:#?}");
}
