//! Processors that read text: `decode_json_fields`, `dissect`.

use super::values::converted;
use super::{Document, Fate, Processor};
use crate::config::section::Section;
use crate::event::{DOTS_MAX, get, merge, parse_time, set};
use serde_json::{Map, Value};

struct DecodeJson {
    fields: Vec<String>,
    /// Keys with dots become objects.
    expands: bool,
    depth_max: u64,
    target: Option<String>,
    processes_arrays: bool,
    overwrites: bool,
    adds_error: bool,
}

pub(super) fn decode_json_fields(s: &Section) -> Result<Box<dyn Processor>, String> {
    s.ignore("document_id", "ids are made of the file and the offset (output.elasticsearch.deterministic_ids)");
    Ok(Box::new(DecodeJson {
        expands: s.flag("expand_keys", false)?,
        fields: s.some_texts("fields")?,
        depth_max: s.number("max_depth", 1, 1, 32)?,
        target: s.text("target")?,
        processes_arrays: s.flag("process_array", false)?,
        overwrites: s.flag("overwrite_keys", false)?,
        adds_error: s.flag("add_error_key", true)?,
    }))
}

impl DecodeJson {
    fn decoded(&self, text: &str, depth: u64) -> Option<Value> {
        let mut value: Value = serde_json::from_str(text).ok()?;
        if self.expands {
            value = expanded(value, DOTS_MAX);
        }
        if value.is_array() && !self.processes_arrays {
            return None;
        }
        if let (true, Value::Object(object)) = (depth > 1, &mut value) {
            for inner in object.values_mut() {
                let deeper =
                    inner.as_str().filter(|t| t.starts_with(['{', '['])).and_then(|t| self.decoded(t, depth - 1));
                if let Some(deeper) = deeper {
                    *inner = deeper;
                }
            }
        }
        Some(value)
    }
}

/// Objects whose keys have dots as objects in objects, as deep as `left`; below that they stay as they are.
fn expanded(value: Value, left: usize) -> Value {
    match value {
        Value::Object(object) => {
            let mut out = Map::new();
            for (key, value) in object {
                let mut one = Map::new();
                match left.checked_sub(key.matches('.').count() + 1) {
                    Some(left) => set(&mut one, &key, expanded(value, left)),
                    None => drop(one.insert(key, value)),
                }
                merge(&mut out, &one);
            }
            Value::Object(out)
        }
        Value::Array(list) => list.into_iter().map(|item| expanded(item, left.saturating_sub(1))).collect(),
        other => other,
    }
}

impl Processor for DecodeJson {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let mut problem = None;
        for field in &self.fields {
            let Some(Value::String(text)) = get(document, field) else { continue };
            let Some(value) = self.decoded(text, self.depth_max) else {
                problem = Some(format!("field [{field}] is no JSON"));
                continue;
            };
            match (self.target.as_deref(), value) {
                (Some(""), Value::Object(object)) => {
                    for (key, value) in object {
                        if document.contains_key(&key) && !self.overwrites {
                            continue;
                        }
                        // Servers refuse an event whose time is none.
                        if key == "@timestamp" && value.as_str().and_then(parse_time).is_none() {
                            problem = Some(format!("[@timestamp] in field [{field}] is no time"));
                            continue;
                        }
                        document.insert(key, value);
                    }
                }
                (None | Some(""), value) => set(document, field, value),
                (Some(target), value) => set(document, target, value),
            }
        }
        if let (Some(problem), true) = (problem, self.adds_error) {
            set(document, "error.message", problem.into());
        }
        Ok(Fate::Kept)
    }
}

/// A key of a dissect pattern and the text before it.
struct Key {
    before: String,
    name: String,
    is_skipped: bool,
    is_appended: bool,
    is_padded: bool,
    /// What its value becomes, as [`super::values::convert`] names it.
    kind: String,
}

struct Dissect {
    keys: Vec<Key>,
    after: String,
    field: String,
    prefix: String,
    ignores_failure: bool,
    overwrites: bool,
    trims: (bool, bool),
}

/// What a value may become.
const KINDS: &[&str] = &["integer", "long", "float", "double", "string", "boolean", "ip"];

pub(super) fn dissect(s: &Section) -> Result<Box<dyn Processor>, String> {
    let pattern = s.text("tokenizer")?.ok_or_else(|| format!("[{}] is missing", s.path("tokenizer")))?;
    let (keys, after) =
        tokens(&pattern).ok_or_else(|| format!("[{}] has a key that does not end", s.path("tokenizer")))?;
    if keys.is_empty() {
        return Err(format!("[{}] has no key", s.path("tokenizer")));
    }
    if let Some(why) = keys.iter().find_map(Key::wrong) {
        return Err(format!("[{}] {why}", s.path("tokenizer")));
    }
    let prefix = s.text("target_prefix")?.unwrap_or_else(|| "dissect".into());
    let trims = match s.choice("trim_values", "none", &["none", "left", "right", "all"])? {
        "left" => (true, false),
        "right" => (false, true),
        "all" => (true, true),
        _ => (false, false),
    };
    Ok(Box::new(Dissect {
        keys,
        after,
        field: s.text("field")?.unwrap_or_else(|| "message".into()),
        prefix: if prefix.is_empty() { prefix } else { format!("{prefix}.") },
        ignores_failure: s.flag("ignore_failure", false)?,
        overwrites: s.flag("overwrite_keys", false)?,
        trims,
    }))
}

impl Key {
    /// What of it is not read here.
    fn wrong(&self) -> Option<String> {
        let name = &self.name;
        if name.starts_with(['*', '&']) {
            return Some(format!("has [{name}]: names of fields can't be read from the text"));
        }
        if self.is_appended && name.contains('/') {
            return Some(format!("has [+{name}]: values are appended in the order of the text"));
        }
        if !self.kind.is_empty() && !KINDS.contains(&self.kind.as_str()) {
            return Some(format!("has [|{}], which is none of {KINDS:?}", self.kind));
        }
        None
    }
}

fn tokens(pattern: &str) -> Option<(Vec<Key>, String)> {
    let mut keys = Vec::new();
    let mut rest = pattern;
    while let Some(start) = rest.find("%{") {
        let end = rest[start..].find('}')? + start;
        let inside = &rest[start + 2..end];
        let is_padded = inside.ends_with("->");
        let inside = inside.strip_suffix("->").unwrap_or(inside);
        let is_appended = inside.starts_with('+');
        let (inside, kind) = inside.split_once('|').unwrap_or((inside, ""));
        let name = inside.trim_start_matches(['+', '?']);
        keys.push(Key {
            before: rest[..start].to_owned(),
            name: name.to_owned(),
            kind: kind.to_owned(),
            is_skipped: name.is_empty() || inside.starts_with('?'),
            is_appended,
            is_padded,
        });
        rest = &rest[end + 1..];
    }
    Some((keys, rest.to_owned()))
}

impl Dissect {
    fn found(&self, text: &str) -> Option<Map<String, Value>> {
        let mut found = Map::new();
        let mut rest = text.strip_prefix(self.keys[0].before.as_str())?;
        for (at, key) in self.keys.iter().enumerate() {
            let delimiter = self.keys.get(at + 1).map_or(self.after.as_str(), |next| &next.before);
            let end = if delimiter.is_empty() { rest.len() } else { rest.find(delimiter)? };
            let mut value = &rest[..end];
            if self.trims.0 {
                value = value.trim_start();
            }
            if self.trims.1 {
                value = value.trim_end();
            }
            rest = &rest[end + delimiter.len()..];
            while key.is_padded && !delimiter.is_empty() && rest.starts_with(delimiter) {
                rest = &rest[delimiter.len()..];
            }
            if key.is_skipped {
                continue;
            }
            match found.get_mut(&key.name) {
                Some(Value::String(there)) if key.is_appended => {
                    there.push(' ');
                    there.push_str(value);
                }
                _ => {
                    found.insert(key.name.clone(), converted(&value.into(), &key.kind)?);
                }
            }
        }
        Some(found)
    }
}

impl Processor for Dissect {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let problem = match get(document, &self.field) {
            Some(Value::String(text)) => match self.found(text) {
                Some(found) => {
                    let taken = found.keys().find(|k| get(document, &format!("{}{k}", self.prefix)).is_some());
                    match taken.filter(|_| !self.overwrites) {
                        None => {
                            for (key, value) in found {
                                set(document, &format!("{}{key}", self.prefix), value);
                            }
                            return Ok(Fate::Kept);
                        }
                        Some(taken) => format!("field [{}{taken}] exists", self.prefix),
                    }
                }
                None => format!("field [{}] does not match the tokenizer", self.field),
            },
            _ => format!("field [{}] is missing or no text", self.field),
        };
        if self.ignores_failure {
            return Ok(Fate::Kept);
        }
        Err(problem)
    }
}
