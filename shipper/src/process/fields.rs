//! Processors that add and drop: `add_fields`, `add_tags`, `drop_fields`, `include_fields`,
//! `drop_event`.

use super::{Document, Fate, Processor};
use crate::config::json;
use crate::config::section::Section;
use crate::config::tree::Tree;
use crate::event::{get, get_mut, merge, remove, set};
use regex::Regex;
use serde_json::{Map, Value};

struct AddFields {
    members: Map<String, Value>,
}

pub(super) fn add_fields(s: &Section) -> Result<Box<dyn Processor>, String> {
    let Value::Object(fields) = json(&s.tree("fields").unwrap_or(Tree::Null)) else {
        return Err(format!("[{}] must be a section of fields to add", s.path("fields")));
    };
    let target = s.text("target")?.unwrap_or_else(|| "fields".into());
    let mut members = Map::new();
    if target.is_empty() {
        members = fields;
    } else {
        set(&mut members, &target, Value::Object(fields));
    }
    Ok(Box::new(AddFields { members }))
}

impl Processor for AddFields {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        merge(document, &self.members);
        Ok(Fate::Kept)
    }
}

struct AddTags {
    target: String,
    tags: Vec<String>,
}

pub(super) fn add_tags(s: &Section) -> Result<Box<dyn Processor>, String> {
    let target = s.text("target")?.unwrap_or_else(|| "tags".into());
    Ok(Box::new(AddTags { target, tags: s.some_texts("tags")? }))
}

impl Processor for AddTags {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let tags = self.tags.iter().map(|tag| Value::from(tag.as_str()));
        match get_mut(document, &self.target) {
            Some(Value::Array(there)) => there.extend(tags),
            _ => set(document, &self.target, tags.collect()),
        }
        Ok(Fate::Kept)
    }
}

struct DropFields {
    names: Vec<String>,
    patterns: Vec<Regex>,
    ignores_missing: bool,
}

pub(super) fn drop_fields(s: &Section) -> Result<Box<dyn Processor>, String> {
    let mut names = Vec::new();
    let mut patterns = Vec::new();
    for field in s.some_texts("fields")? {
        match field.strip_prefix('/').and_then(|f| f.strip_suffix('/')) {
            Some(pattern) => patterns.push(Regex::new(pattern).map_err(|e| format!("[{}] {e}", s.path("fields")))?),
            None => names.push(field),
        }
    }
    Ok(Box::new(DropFields { names, patterns, ignores_missing: s.flag("ignore_missing", false)? }))
}

impl Processor for DropFields {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let kept = ["@timestamp", "type"];
        if !self.ignores_missing
            && let Some(missing) = self.names.iter().find(|name| get(document, name).is_none())
        {
            return Err(format!("field [{missing}] is missing"));
        }
        for name in self.names.iter().filter(|name| !kept.contains(&name.as_str())) {
            remove(document, name);
        }
        if !self.patterns.is_empty() {
            let matching: Vec<String> = document
                .keys()
                .filter(|key| !kept.contains(&key.as_str()) && self.patterns.iter().any(|p| p.is_match(key)))
                .cloned()
                .collect();
            for key in matching {
                document.shift_remove(&key);
            }
        }
        Ok(Fate::Kept)
    }
}

struct IncludeFields {
    names: Vec<String>,
}

pub(super) fn include_fields(s: &Section) -> Result<Box<dyn Processor>, String> {
    Ok(Box::new(IncludeFields { names: s.some_texts("fields")? }))
}

impl Processor for IncludeFields {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let mut kept = Map::new();
        for name in ["@timestamp"].into_iter().chain(self.names.iter().map(String::as_str)) {
            if let Some(value) = get(document, name) {
                set(&mut kept, name, value.clone());
            }
        }
        *document = kept;
        Ok(Fate::Kept)
    }
}

struct DropEvent;

pub(super) fn drop_event(_: &Section) -> Result<Box<dyn Processor>, String> {
    Ok(Box::new(DropEvent))
}

impl Processor for DropEvent {
    fn apply(&self, _: &mut Document) -> Result<Fate, String> {
        crate::metrics::count(&crate::metrics::EVENTS_FILTERED, 1);
        Ok(Fate::Dropped)
    }
}
