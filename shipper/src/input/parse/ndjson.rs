//! `ndjson`: a line is a JSON object.

use super::Parser;
use crate::config::section::Section;
use crate::event::{DOTS_MAX, Record, set};
use serde_json::{Map, Value};

/// Where members go.
#[derive(Clone)]
pub struct Settings {
    target: Option<String>,
    overwrites: bool,
    expands: bool,
    adds_error: bool,
    ignores_errors: bool,
    message_key: Option<String>,
}

impl Settings {
    /// Reads the parser's section.
    pub fn read(s: Section) -> Result<Settings, String> {
        let is_under_root = s.flag("keys_under_root", false)?;
        let target = s.text("target")?.filter(|t| !t.is_empty());
        let settings = Settings {
            target: if is_under_root || s.has("target") { target } else { Some("json".into()) },
            overwrites: s.flag("overwrite_keys", false)?,
            expands: s.flag("expand_keys", false)?,
            adds_error: s.flag("add_error_key", false)?,
            ignores_errors: s.flag("ignore_decoding_error", false)?,
            message_key: s.text("message_key")?,
        };
        s.finish()?;
        Ok(settings)
    }
}

/// Reads lines of JSON.
pub struct Ndjson {
    settings: Settings,
}

impl Ndjson {
    /// A parser.
    pub fn new(settings: Settings) -> Ndjson {
        Ndjson { settings }
    }
}

impl Parser for Ndjson {
    fn push(&mut self, mut record: Record, out: &mut Vec<Record>) {
        let s = &self.settings;
        match serde_json::from_slice::<Value>(&record.message) {
            Ok(Value::Object(object)) => {
                let message = s.message_key.as_ref().and_then(|key| match object.get(key)? {
                    Value::String(text) => Some(text.clone()),
                    other => Some(other.to_string()),
                });
                if s.message_key.is_none() {
                    record.message.clear();
                    record.has_message = false;
                }
                if let Some(message) = message {
                    record.message = message.into_bytes();
                }
                merge(&mut record.members, object, s);
            }
            _ if s.adds_error && !s.ignores_errors => {
                let error = serde_json::json!({"message": "the line is no JSON object", "type": "json"});
                record.members.insert("error".into(), error);
            }
            _ => {}
        }
        out.push(record);
    }
}

fn merge(members: &mut Map<String, Value>, object: Map<String, Value>, s: &Settings) {
    if let Some(target) = &s.target {
        set(members, target, Value::Object(object));
        return;
    }
    for (key, value) in object {
        if s.expands && (1..=DOTS_MAX).contains(&key.matches('.').count()) {
            set(members, &key, value);
        } else if s.overwrites || !members.contains_key(&key) {
            members.insert(key, value);
        }
    }
}
