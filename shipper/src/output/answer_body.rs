//! Reads the body of an answer without making a tree of it: an answer may have tens of megabytes, of which a
//! tree would take many times as much, and what is needed of an item is a number and, when it failed, why.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A reason is cut to so many bytes.
const REASON_BYTES_MAX: usize = 1 << 10;

/// What is needed of an answer.
#[derive(Default)]
pub(super) struct Body {
    /// Whether an item failed; `None` when the answer does not say.
    pub(super) errors: Option<bool>,
    /// One for each event, in their order.
    pub(super) items: Vec<Item>,
}

/// What is needed of an item.
pub(super) struct Item {
    /// `None` when the answer does not say.
    pub(super) status: Option<u64>,
    /// Its error's type and reason.
    pub(super) why: String,
}

/// What is needed of an answer that is an error.
pub(super) struct Failure {
    /// The error says of which type it is, as those of the API do.
    pub(super) is_typed: bool,
    /// Its reason.
    pub(super) reason: Option<String>,
}

/// What a value says in short.
enum Short {
    Number(u64),
    Text(String),
    Object { kind: Option<String>, reason: Option<String> },
    Other,
}

/// Reads an answer to so many events.
///
/// # Errors
/// It is no answer of `_bulk`, or one to more events.
pub(super) fn body(text: &str, events: usize) -> serde_json::Result<Body> {
    let mut json = serde_json::Deserializer::from_str(text);
    let body = json.deserialize_map(BodyVisitor { events })?;
    json.end().map(|()| body)
}

/// Reads an answer that is an error; `None` when it is no JSON.
pub(super) fn failure(bytes: &[u8]) -> Option<Failure> {
    serde_json::from_slice(bytes).ok()
}

struct BodyVisitor {
    events: usize,
}
struct ItemsSeed {
    most: usize,
}
struct ItemVisitor;
struct ResultVisitor;
struct FailureVisitor;
struct ShortVisitor;

/// An item without the name of its action.
struct ItemResult(Item);

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Item, D::Error> {
        deserializer.deserialize_map(ItemVisitor)
    }
}

impl<'de> Deserialize<'de> for ItemResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ItemResult, D::Error> {
        deserializer.deserialize_map(ResultVisitor)
    }
}

impl<'de> Deserialize<'de> for Failure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Failure, D::Error> {
        deserializer.deserialize_map(FailureVisitor)
    }
}

impl<'de> Deserialize<'de> for Short {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Short, D::Error> {
        deserializer.deserialize_any(ShortVisitor)
    }
}

impl<'de> Visitor<'de> for BodyVisitor {
    type Value = Body;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Body, A::Error> {
        let mut body = Body::default();
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "errors" => body.errors = Some(map.next_value()?),
                "items" => body.items = map.next_value_seed(ItemsSeed { most: self.events })?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(body)
    }
}

impl<'de> DeserializeSeed<'de> for ItemsSeed {
    type Value = Vec<Item>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Item>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ItemsSeed {
    type Value = Vec<Item>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an array of items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<Item>, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            if all.len() == self.most {
                return Err(A::Error::custom(format_args!("it has more items than the {} events", self.most)));
            }
            all.push(item);
        }
        Ok(all)
    }
}

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an item")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item, A::Error> {
        let first = map.next_entry::<String, ItemResult>()?;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(first.map_or(Item { status: None, why: String::new() }, |(_, result)| result.0))
    }
}

impl<'de> Visitor<'de> for ResultVisitor {
    type Value = ItemResult;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the result of an item")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ItemResult, A::Error> {
        let mut item = Item { status: None, why: "no reason".into() };
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "status" => item.status = map.next_value::<Short>()?.number(),
                "error" => item.why = map.next_value::<Short>()?.why(),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(ItemResult(item))
    }
}

impl<'de> Visitor<'de> for FailureVisitor {
    type Value = Failure;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Failure, A::Error> {
        let mut failure = Failure { is_typed: false, reason: None };
        while let Some(name) = map.next_key::<String>()? {
            if name == "error" {
                let (is_typed, reason) = match map.next_value::<Short>()? {
                    Short::Object { kind, reason } => (kind.is_some(), reason),
                    other => (false, other.text()),
                };
                failure = Failure { is_typed, reason };
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(failure)
    }
}

impl Short {
    fn number(self) -> Option<u64> {
        if let Short::Number(number) = self { Some(number) } else { None }
    }

    fn text(self) -> Option<String> {
        if let Short::Text(text) = self { Some(text) } else { None }
    }

    /// Of an error: its type and reason.
    fn why(self) -> String {
        let (kind, reason) = if let Short::Object { kind, reason } = self { (kind, reason) } else { (None, None) };
        cut(&format!("{}: {}", kind.unwrap_or_default(), reason.unwrap_or_default())).to_owned()
    }
}

impl<'de> Visitor<'de> for ShortVisitor {
    type Value = Short;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Short, E> {
        Ok(Short::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Short, E> {
        Ok(Short::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Short, E> {
        Ok(Short::Other) // below zero
    }

    fn visit_f64<E>(self, _: f64) -> Result<Short, E> {
        Ok(Short::Other)
    }

    fn visit_u64<E>(self, number: u64) -> Result<Short, E> {
        Ok(Short::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Short, E> {
        Ok(Short::Text(cut(text).to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Short, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Short::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Short, A::Error> {
        let (mut kind, mut reason) = (None, None);
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "type" => kind = map.next_value::<Short>()?.text(),
                "reason" => reason = map.next_value::<Short>()?.text(),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(Short::Object { kind, reason })
    }
}

/// As much of a reason as anybody reads.
fn cut(why: &str) -> &str {
    &why[..why.floor_char_boundary(REASON_BYTES_MAX)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_needed_is_passed_over_and_long_reasons_are_cut() {
        let long = "\u{e4}".repeat(5000);
        let text = format!(
            r#"{{"took":3,"items":[{{"create":{{"_id":"x","_shards":{{"total":[1,[2]]}},"status":201}},"b":1}},
               {{"create":{{"error":{{"type":"t","reason":"{long}"}},"status":400}}}},{{}}],"errors":true}}"#
        );
        let body = body(&text, 3).unwrap();
        assert_eq!(body.errors, Some(true));
        let statuses: Vec<Option<u64>> = body.items.iter().map(|i| i.status).collect();
        assert_eq!(statuses, [Some(201), Some(400), None]);
        assert!(body.items[1].why.starts_with("t: \u{e4}") && body.items[1].why.len() <= REASON_BYTES_MAX);
    }
    #[test]
    fn items_of_no_events_are_not_kept() {
        let items = |count: usize| format!(r#"{{"errors":false,"items":[{}]}}"#, vec!["{}"; count].join(","));
        assert_eq!(body(&items(2), 2).unwrap().items.len(), 2);
        let error = body(&items(3), 2).err().unwrap().to_string();
        assert!(error.starts_with("it has more items than the 2 events"), "{error}");
        assert!(body(&(items(2) + "x"), 2).is_err(), "something behind it");
    }

    #[test]
    fn what_an_error_says_is_found_and_no_tree_is_made_of_the_rest() {
        let said = |error: &str| {
            let failure = failure(format!(r#"{{"status":400,"error":{error}}}"#).as_bytes()).unwrap();
            (failure.is_typed, failure.reason.unwrap_or_default())
        };
        let deep = r#"{"root_cause":[{"type":"a"},[1]],"type":"t","reason":"r","caused_by":{"reason":"other"}}"#;
        assert_eq!(said(deep), (true, "r".into()));
        assert_eq!(said(r#""no handler""#), (false, "no handler".into()));
        for other in [r#"{"type":1,"reason":{"reason":"x"}}"#, "[[]]", "null", "true", "-1", "1.5", "7"] {
            assert_eq!(said(other), (false, String::new()), "{other}");
        }
        assert!(failure(b"<html>").is_none() && failure(b"[]").is_none());
    }
}
