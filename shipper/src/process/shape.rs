//! Processors that move: `rename`, `copy_fields`.

use super::{Document, Fate, Processor};
use crate::config::section::Section;
use crate::event::{get, remove, set};

struct Move {
    pairs: Vec<(String, String)>,
    keeps_source: bool,
    ignores_missing: bool,
    fails_on_error: bool,
}

fn read(s: &Section, keeps_source: bool) -> Result<Box<dyn Processor>, String> {
    let mut pairs = Vec::new();
    for (at, tree) in s.some_list("fields")?.into_iter().enumerate() {
        let pair = Section::new(&format!("{}.{at}", s.path("fields")), tree)?;
        let end = |name: &str| -> Result<String, String> {
            pair.text(name)?.ok_or_else(|| format!("[{}] is missing", pair.path(name)))
        };
        pairs.push((end("from")?, end("to")?));
        pair.finish()?;
    }
    Ok(Box::new(Move {
        pairs,
        keeps_source,
        ignores_missing: s.flag("ignore_missing", false)?,
        fails_on_error: s.flag("fail_on_error", true)?,
    }))
}

pub(super) fn rename(s: &Section) -> Result<Box<dyn Processor>, String> {
    read(s, false)
}

pub(super) fn copy_fields(s: &Section) -> Result<Box<dyn Processor>, String> {
    read(s, true)
}

impl Processor for Move {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let mut changed = document.clone();
        for (from, to) in &self.pairs {
            let problem = match get(&changed, from).cloned() {
                None if self.ignores_missing => continue,
                None => format!("field [{from}] is missing"),
                Some(_) if get(&changed, to).is_some() => format!("field [{to}] exists"),
                Some(value) => {
                    if !self.keeps_source {
                        remove(&mut changed, from);
                    }
                    set(&mut changed, to, value);
                    continue;
                }
            };
            if self.fails_on_error {
                return Err(problem);
            }
        }
        *document = changed;
        Ok(Fate::Kept)
    }
}
