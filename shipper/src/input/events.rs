//! What inputs of every kind do with what they read, by Filebeat's names: how bytes become messages,
//! which messages are wanted, and what their events have.

use super::parse::{self, Parsers};
use crate::config::add_fields;
use crate::config::format;
use crate::config::section::{Section, Warnings};
use crate::event::format::Format;
use crate::metrics::{self, count};
use crate::output::settings::index;
use crate::process::{self, Processors};
use encoding_rs::Encoding;
use regex::bytes::Regex;
use serde_json::{Map, Value};

/// A message may never be longer, whatever is set: it is in memory as a whole.
const MESSAGE_BYTES_MAX: u64 = 100 << 20;

/// Shorter messages are no use, and every one would be cut.
const MESSAGE_BYTES_MIN: u64 = 1024;

/// Of one input.
#[derive(Clone)]
pub struct EventSettings {
    /// What bytes mean.
    pub encoding: &'static Encoding,
    /// What a message may have; the rest of it is dropped.
    pub message_bytes_max: usize,
    /// How lines become messages.
    pub parsers: Parsers,
    /// When not empty, only these lines.
    pub include_lines: Vec<Regex>,
    /// Lines that are dropped.
    pub exclude_lines: Vec<Regex>,
    /// Of events of this input.
    pub processors: Processors,
    /// Members that its events have.
    pub members: Map<String, Value>,
    /// Where its events go, instead of where the output says.
    pub index: Option<Format>,
    /// The ingest pipeline of its events.
    pub pipeline: Option<Format>,
}

impl EventSettings {
    /// Reads what an input of a kind has; `limit` is the setting that bounds a message, and its default.
    pub fn read(s: &Section, kind: &str, limit: (&str, u64), warnings: &mut Warnings) -> Result<EventSettings, String> {
        let mut members = Map::new();
        members.insert("input".into(), serde_json::json!({"type": kind}));
        add_fields(s, &mut members)?;
        s.no_effect("keep_null", "members without a value are sent as they are", warnings);
        s.no_effect("publisher_pipeline", "[host] is a member of every event", warnings);
        let message_bytes_max = s.bytes(limit.0, limit.1)?;
        if !(MESSAGE_BYTES_MIN..=MESSAGE_BYTES_MAX).contains(&message_bytes_max) {
            return Err(format!(
                "[{}] must be from {MESSAGE_BYTES_MIN} bytes to {MESSAGE_BYTES_MAX}, it is [{message_bytes_max}]",
                s.path(limit.0)
            ));
        }
        Ok(EventSettings {
            encoding: encoding(s)?,
            message_bytes_max: usize::try_from(message_bytes_max).expect("at most 100 MiB"),
            parsers: parse::read(&s.list("parsers")?, &s.path("parsers"), warnings)?,
            include_lines: s.patterns("include_lines")?,
            exclude_lines: s.patterns("exclude_lines")?,
            processors: process::read(&s.list("processors")?, &s.path("processors"))?,
            index: index(s, "index")?,
            pipeline: format(s, "pipeline")?,
            members,
        })
    }

    /// Whether a message is sent; counts those that are not.
    pub fn wants(&self, text: &[u8]) -> bool {
        let wants = (self.include_lines.is_empty() || self.include_lines.iter().any(|p| p.is_match(text)))
            && !self.exclude_lines.iter().any(|p| p.is_match(text));
        if !wants {
            count(&metrics::EVENTS_FILTERED, 1);
        }
        wants
    }
}

fn encoding(s: &Section) -> Result<&'static Encoding, String> {
    let name = s.text("encoding")?.unwrap_or_else(|| "plain".into());
    let label = match name.as_str() {
        "plain" | "" => "utf-8",
        "utf-16le-bom" => "utf-16le",
        "utf-16be-bom" => "utf-16be",
        other => other,
    };
    // Some labels are known only to have each text replaced with one character.
    Encoding::for_label_no_replacement(label.as_bytes())
        .ok_or_else(|| format!("[{}] is no encoding that is known: [{name}]", s.path("encoding")))
}
