//! Bytes of documents, with the action lines of `_bulk` before them when the output wants those.
//!
//! A line that nobody parses or changes never becomes a tree: its file's constant parts were made
//! once, and only the text is escaped.

use super::format::Format;
use super::{Record, merge, show_time};
use crate::metrics;
use crate::process::{Fate, Processors};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::sync::Arc;

/// So much of an event is shown to people.
const SHOWN_BYTES_MAX: usize = 500;

/// What the events of an input have in common.
pub struct InputFacts {
    /// Members of every event: input, host, agent, fields, tags.
    pub members: Map<String, Value>,
    /// The input's processors, then those of all.
    pub processors: Vec<Arc<Processors>>,
    /// The index, when it is not fixed by the output.
    pub index: Option<Format>,
    /// The ingest pipeline, when it is not fixed by the output.
    pub pipeline: Option<Format>,
    /// Whether documents have action lines.
    pub has_actions: bool,
    /// Whether these have ids, or the server makes them.
    pub has_ids: bool,
}

/// The facts of an input, and what is made of them once for all its files: thousands are read at a time.
pub struct InputEvents {
    facts: InputFacts,
    /// From behind the file to the end.
    tail: Vec<u8>,
    action: Option<Vec<u8>>,
}

impl InputEvents {
    /// Of an input.
    pub fn new(facts: InputFacts) -> InputEvents {
        let members = serde_json::to_string(&facts.members).expect("members are JSON");
        let inner = &members[1..members.len() - 1];
        let comma = if inner.is_empty() { "" } else { "," };
        let is_fixed = |f: &Option<Format>| f.as_ref().is_none_or(|f| f.fixed().is_some());
        let action =
            (is_fixed(&facts.index) && is_fixed(&facts.pipeline)).then(|| action(&facts, &Map::new(), 0)).flatten();
        InputEvents { tail: format!("{comma}{inner}}}\n").into_bytes(), action, facts }
    }
}

/// Writes documents of one file.
pub struct Encoder {
    events: Arc<InputEvents>,
    /// Where the file is; none of what comes from elsewhere.
    path: Option<String>,
    /// What ids are made of; empty when the server makes them.
    id: String,
    /// From behind the offset to the tail.
    file: Box<[u8]>,
    shown: (i64, String),
}

/// What became of a record.
#[derive(Debug, PartialEq, Eq)]
pub enum Encoded {
    /// It was written.
    Written,
    /// A processor, or a missing field of its index, keeps it from being sent.
    Dropped,
}

impl Encoder {
    /// Of a file with a path, or of a stream; ids are made of `id`.
    pub fn new(events: Arc<InputEvents>, path: Option<String>, id: String) -> Encoder {
        let file = format!(",\"file\":{}}}", json!({"path": path})).into_bytes().into_boxed_slice();
        let id = if events.facts.has_ids { id } else { String::new() };
        Encoder { events, path, id, file, shown: (i64::MIN, String::new()) }
    }

    /// Records from now on have ids that are made of this.
    pub fn set_id(&mut self, id: String) {
        if self.events.facts.has_ids {
            self.id = id;
        }
    }

    /// Whether lines need no tree.
    pub fn is_plain(&self) -> bool {
        let facts = &self.events.facts;
        self.path.is_some()
            && facts.processors.iter().all(|p| p.is_empty())
            && (self.events.action.is_some() || !facts.has_actions)
            // Each of these is written once, and merged with what the settings have of it.
            && !["@timestamp", "message", "log"].iter().any(|name| facts.members.contains_key(*name))
    }

    /// Writes a line of a file whose events are plain.
    pub fn line(&mut self, out: &mut Vec<u8>, text: &[u8], start: u64, timestamp_nanos: i64) {
        if self.events.facts.has_actions {
            let action = self.events.action.as_deref().unwrap_or_default();
            put_action(out, action, &self.id, start);
        }
        out.extend_from_slice(b"{\"@timestamp\":\"");
        if self.shown.0 != timestamp_nanos {
            self.shown = (timestamp_nanos, show_time(timestamp_nanos));
        }
        out.extend_from_slice(self.shown.1.as_bytes());
        out.extend_from_slice(b"\",\"message\":\"");
        escape(out, text);
        out.extend_from_slice(b"\",\"log\":{\"offset\":");
        put_number(out, start);
        out.extend_from_slice(&self.file);
        out.extend_from_slice(&self.events.tail);
    }

    /// Writes a record.
    pub fn record(&mut self, out: &mut Vec<u8>, record: Record) -> Encoded {
        let start = record.start;
        let timestamp = record.timestamp_nanos;
        let mut document = self.document(record);
        let InputEvents { facts, action: fixed, .. } = &*self.events;
        for processors in &facts.processors {
            if processors.apply(&mut document) == Fate::Dropped {
                return Encoded::Dropped;
            }
        }
        let timestamp =
            document.get("@timestamp").and_then(Value::as_str).and_then(super::parse_time).unwrap_or(timestamp);
        if facts.has_actions {
            if let Some(fixed) = fixed {
                put_action(out, fixed, &self.id, start);
            } else if let Some(action) = action(facts, &document, timestamp) {
                put_action(out, &action, &self.id, start);
            } else {
                tell_of_nowhere(&document);
                return Encoded::Dropped;
            }
        }
        serde_json::to_writer(&mut *out, &document).expect("a vector takes everything");
        out.push(b'\n');
        Encoded::Written
    }

    fn document(&self, mut record: Record) -> Map<String, Value> {
        if record.is_cut {
            record.add_flag("truncated");
        }
        let mut document = std::mem::take(&mut record.given);
        let given_tags = document.shift_remove("tags");
        document.insert("@timestamp".into(), show_time(record.timestamp_nanos).into());
        if record.has_message {
            document.insert("message".into(), String::from_utf8_lossy(&record.message).into_owned().into());
        }
        if let Some(path) = &self.path {
            let log = json!({"offset": record.start, "file": {"path": path}});
            merge(&mut document, &Map::from_iter([("log".to_owned(), log)]));
        }
        merge(&mut document, &self.events.facts.members);
        merge(&mut document, &record.members);
        if let Some(given) = given_tags {
            match document.get_mut("tags") {
                // The line's are added to those of its event.
                Some(Value::Array(tags)) => match given {
                    Value::Array(given) => tags.extend(given),
                    // No tag, for which servers would refuse the event.
                    Value::Null | Value::Object(_) => {}
                    single => tags.push(single),
                },
                Some(_) => {}
                None => {
                    document.insert("tags".into(), given);
                }
            }
        }
        document
    }
}

/// An event that lacks a field of its index's name can go nowhere. The log has the first, the second, the
/// fourth and so on.
fn tell_of_nowhere(document: &Map<String, Value>) {
    let before = metrics::value(&metrics::EVENTS_NOWHERE);
    metrics::count(&metrics::EVENTS_NOWHERE, 1);
    if (before + 1).is_power_of_two() {
        let mut shown = Value::Object(document.clone()).to_string();
        shown.truncate(shown.floor_char_boundary(SHOWN_BYTES_MAX));
        metrics::error(
            "an event is dropped: it lacks a field that the name of its index is made of, which has no default",
            &[("event", &shown), ("events", &(before + 1).to_string())],
        );
    }
}

/// The action without its id and end: `{"create":{"_index":"x"`; `None` when the index can't be named. An
/// event that lacks a field of its pipeline's name has none of its own.
fn action(facts: &InputFacts, document: &Map<String, Value>, timestamp_nanos: i64) -> Option<Vec<u8>> {
    let mut members = Map::new();
    if let Some(index) = &facts.index {
        let name = index.of(document, timestamp_nanos).filter(|name| !name.is_empty())?;
        members.insert("_index".into(), name.to_lowercase().into());
    }
    let pipeline = facts.pipeline.as_ref().and_then(|pipeline| pipeline.of(document, timestamp_nanos));
    if let Some(name) = pipeline.filter(|name| !name.is_empty()) {
        members.insert("pipeline".into(), name.into());
    }
    let text = json!({"create": members}).to_string();
    Some(text.as_bytes()[..text.len() - 2].to_vec())
}

/// An id is the file's and where in it the record begins: the same however often it is sent.
fn put_action(out: &mut Vec<u8>, action: &[u8], id: &str, start: u64) {
    out.extend_from_slice(action);
    if !id.is_empty() {
        if action.last() != Some(&b'{') {
            out.push(b',');
        }
        let _ = write!(out, "\"_id\":\"{id}-{start:x}\"");
    }
    out.extend_from_slice(b"}}\n");
}

/// What of each byte must be escaped: 0 for nothing.
static ESCAPES: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut byte = 0;
    while byte < 32 {
        table[byte] = b'u';
        byte += 1;
    }
    table[b'\n' as usize] = b'n';
    table[b'\r' as usize] = b'r';
    table[b'\t' as usize] = b't';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

/// Appends text as the inside of a JSON string; bytes that are no UTF-8 become U+FFFD.
pub fn escape(out: &mut Vec<u8>, text: &[u8]) {
    if std::str::from_utf8(text).is_ok() {
        escape_valid(out, text);
        return;
    }
    for chunk in text.utf8_chunks() {
        escape_valid(out, chunk.valid().as_bytes());
        if !chunk.invalid().is_empty() {
            out.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
}

fn escape_valid(out: &mut Vec<u8>, text: &[u8]) {
    let mut from = 0;
    let mut at = 0;
    while at < text.len() {
        if let Some(word) = text[at..].first_chunk::<8>()
            && !has_escape(u64::from_le_bytes(*word))
        {
            at += 8;
            continue;
        }
        let byte = text[at];
        let escape = ESCAPES[usize::from(byte)];
        if escape != 0 {
            out.extend_from_slice(&text[from..at]);
            from = at + 1;
            if escape == b'u' {
                let _ = write!(out, "\\u{byte:04x}");
            } else {
                out.extend_from_slice(&[b'\\', escape]);
            }
        }
        at += 1;
    }
    out.extend_from_slice(&text[from..]);
}

/// Whether one of eight bytes is a control character, a quote or a backslash. A byte above may be
/// told wrongly, which costs a closer look and nothing else.
fn has_escape(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zero_in = |w: u64| w.wrapping_sub(ONES) & !w & HIGHS;
    let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
    let quote = zero_in(word ^ (ONES * u64::from(b'"')));
    let backslash = zero_in(word ^ (ONES * u64::from(b'\\')));
    (control | quote | backslash) != 0
}

/// Appends a number in decimal digits.
fn put_number(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(number % 10).unwrap_or(0);
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
#[path = "body_test.rs"]
mod tests;
