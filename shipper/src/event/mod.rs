//! Events: what a line becomes, and its bytes as a document.

pub mod body;
pub mod format;

use serde_json::{Map, Value};

/// A message on its way through the parsers.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its text; UTF-8 but for what a file has of other bytes.
    pub message: Vec<u8>,
    /// Whether the document has the message.
    pub has_message: bool,
    /// Decompressed offset of its first byte.
    pub start: u64,
    /// Decompressed offset behind its last one.
    pub end: u64,
    /// Nanoseconds since 1970.
    pub timestamp_nanos: i64,
    /// What parsers found.
    pub members: Map<String, Value>,
    /// What the line itself names so, which gives way to all else that its event has.
    pub given: Map<String, Value>,
    /// Some of it was too long and dropped.
    pub is_cut: bool,
    /// It is delivered as soon as all before it is, and not sent.
    pub is_dropped: bool,
}

impl Record {
    /// A line as it is.
    pub fn line(text: &[u8], start: u64, end: u64, timestamp_nanos: i64, is_cut: bool) -> Record {
        Record {
            message: text.to_vec(),
            has_message: true,
            start,
            end,
            timestamp_nanos,
            members: Map::new(),
            given: Map::new(),
            is_cut,
            is_dropped: false,
        }
    }

    /// Adds a word to `log.flags`.
    pub fn add_flag(&mut self, flag: &str) {
        match get_mut(&mut self.members, "log.flags") {
            Some(Value::Array(flags)) => flags.push(flag.into()),
            _ => set(&mut self.members, "log.flags", vec![flag].into()),
        }
    }
}

/// A member by its dotted path; a member whose own name has the dots comes first.
pub fn get<'a>(document: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    if let Some(value) = document.get(path) {
        return Some(value);
    }
    let (first, rest) = path.split_once('.')?;
    get(document.get(first)?.as_object()?, rest)
}

/// As [`get`], to change it.
pub fn get_mut<'a>(document: &'a mut Map<String, Value>, path: &str) -> Option<&'a mut Value> {
    if document.contains_key(path) {
        return document.get_mut(path);
    }
    let (first, rest) = path.split_once('.')?;
    get_mut(document.get_mut(first)?.as_object_mut()?, rest)
}

/// A name that comes with the text of an event and has more dots is one name: what lies so deep is walked
/// by calls within calls, and no server takes it.
pub const DOTS_MAX: usize = 64;

/// Sets a member by its dotted path, making objects on the way; what is no object is replaced.
pub fn set(document: &mut Map<String, Value>, path: &str, value: Value) {
    let Some((first, rest)) = path.split_once('.') else {
        document.insert(path.to_owned(), value);
        return;
    };
    let below = document.entry(first.to_owned()).or_insert_with(|| Value::Object(Map::new()));
    if !below.is_object() {
        *below = Value::Object(Map::new());
    }
    if let Value::Object(below) = below {
        set(below, rest, value);
    }
}

/// Removes a member by its dotted path, and objects that are empty then.
pub fn remove(document: &mut Map<String, Value>, path: &str) -> Option<Value> {
    if document.contains_key(path) {
        return document.shift_remove(path);
    }
    let (first, rest) = path.split_once('.')?;
    let below = document.get_mut(first)?.as_object_mut()?;
    let removed = remove(below, rest);
    if removed.is_some() && below.is_empty() {
        document.shift_remove(first);
    }
    removed
}

/// Adds members; objects are merged.
pub fn merge(document: &mut Map<String, Value>, members: &Map<String, Value>) {
    for (key, value) in members {
        match (document.get_mut(key), value) {
            (Some(Value::Object(there)), Value::Object(more)) => merge(there, more),
            _ => {
                document.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Nanoseconds since 1970 of a time with an offset from UTC.
pub fn parse_time(text: &str) -> Option<i64> {
    let time: jiff::Timestamp = text.parse().ok()?;
    i64::try_from(time.as_nanosecond()).ok()
}

/// `2026-11-23T06:47:01.123Z`.
pub fn show_time(nanos: i64) -> String {
    let time = jiff::Timestamp::from_nanosecond(i128::from(nanos)).unwrap_or_default();
    format!("{time:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths() {
        let mut document = Map::new();
        set(&mut document, "a.b.c", 1.into());
        set(&mut document, "a.d", 2.into());
        assert_eq!(get(&document, "a.b.c"), Some(&json!(1)));
        assert_eq!(remove(&mut document, "a.b.c"), Some(json!(1)));
        assert_eq!(Value::Object(document.clone()), json!({"a": {"d": 2}}));
        document.insert("x.y".into(), json!(3));
        assert_eq!(get(&document, "x.y"), Some(&json!(3)));
        merge(&mut document, json!({"a": {"e": 4}, "z": 5}).as_object().unwrap());
        assert_eq!(Value::Object(document), json!({"a": {"d": 2, "e": 4}, "x.y": 3, "z": 5}));
    }

    #[test]
    fn times() {
        let nanos = parse_time("2026-11-23T07:47:01.123456789+01:00").unwrap();
        assert_eq!(show_time(nanos), "2026-11-23T06:47:01.123Z");
        assert_eq!(show_time(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(parse_time("yesterday"), None);
    }
}
