//! `ndjson`: a line is a JSON object.

use super::Parser;
use crate::config::section::Section;
use crate::event::{DOTS_MAX, Record, parse_time, set};
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
                merge(&mut record, object, s);
            }
            _ if s.adds_error && !s.ignores_errors => {
                record.members.insert("error".into(), error("the line is no JSON object"));
            }
            _ => {}
        }
        out.push(record);
    }
}

/// Without `overwrite_keys` what the line names gives way to what its event has of that name: a server has
/// one type for each, and would refuse the event.
fn merge(record: &mut Record, object: Map<String, Value>, s: &Settings) {
    if let Some(target) = &s.target {
        set(&mut record.members, target, Value::Object(object));
        return;
    }
    for (key, value) in object {
        let to = if s.overwrites { &mut record.members } else { &mut record.given };
        if key == "@timestamp" {
            match value.as_str().and_then(parse_time) {
                _ if !s.overwrites => {}
                Some(nanos) => record.timestamp_nanos = nanos,
                None if s.adds_error => drop(to.insert("error".into(), error("[@timestamp] of the line is no time"))),
                None => {}
            }
        } else if s.expands && (1..=DOTS_MAX).contains(&key.matches('.').count()) {
            set(to, &key, value);
        } else {
            to.insert(key, value);
        }
    }
}

fn error(message: &str) -> Value {
    serde_json::json!({"message": message, "type": "json"})
}
