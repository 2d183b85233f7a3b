//! The page of settings: each that it has is one, and each that is read is on it.

use super::section::ASKED;
use super::*;
use std::collections::BTreeSet;

/// Members of these mean whatever people want.
const FREE: &[&str] = &["output.elasticsearch.headers.", "output.elasticsearch.parameters."];

/// The dotted paths of all that a configuration has, without the places of lists.
fn paths(at: &str, tree: &Tree, out: &mut BTreeSet<String>) {
    match tree {
        Tree::Map(map) => {
            for (name, value) in map {
                let path = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                paths(&path, value, out);
                out.insert(path);
            }
        }
        Tree::List(list) => list.iter().for_each(|item| paths(at, item, out)),
        _ => {}
    }
}

fn without_places(path: &str) -> String {
    path.split('.').filter(|part| part.parse::<usize>().is_err()).collect::<Vec<_>>().join(".")
}

#[test]
fn every_setting_is_on_the_page_and_every_one_of_the_page_is_a_setting() {
    let page = include_str!("../../../docs/shipper-settings.md");
    let mut shown = BTreeSet::new();
    let mut text = String::new();
    ASKED.take();
    for (n, part) in page.split("```").enumerate() {
        let Some(yaml) = part.strip_prefix("yaml\n").filter(|_| n % 2 == 1) else {
            text.push_str(part);
            continue;
        };
        let settings = read(yaml, &|_| None).map_err(|e| panic!("{e}")).unwrap();
        let warnings: Vec<&String> = settings.warnings.iter().chain(settings.processors.warnings()).collect();
        assert!(warnings.is_empty(), "{warnings:?}");
        paths("", &tree::parse(yaml, &|_| None).unwrap(), &mut shown);
    }
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let words: BTreeSet<&str> = text.split(|c: char| !is_of_name(c)).collect();
    let asked: BTreeSet<String> = ASKED.take().iter().map(|path| without_places(path)).collect();
    assert!(asked.len() > 200, "{}", asked.len());
    let missing: Vec<&String> = asked
        .iter()
        .filter(|path| !shown.contains(*path) && !FREE.iter().any(|free| path.starts_with(free)))
        .filter(|path| !words.contains(path.rsplit('.').next().unwrap_or_default()))
        .collect();
    assert!(missing.is_empty(), "these are not on the page: {missing:?}");
}
