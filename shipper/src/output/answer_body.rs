//! Reads the body of an answer to `_bulk` without making a tree of it: an answer may have tens of
//! megabytes, and what is needed of an item is a number and, when it failed, why.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
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

struct BodyVisitor;
struct ItemVisitor;
struct ResultVisitor;

/// An item without the name of its action.
struct ItemResult(Item);

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Body, D::Error> {
        deserializer.deserialize_map(BodyVisitor)
    }
}

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
                "items" => body.items = map.next_value()?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(body)
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
                "status" => item.status = map.next_value::<Value>()?.as_u64(),
                "error" => item.why = why(&map.next_value()?),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(ItemResult(item))
    }
}

fn why(error: &Value) -> String {
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
    cut(format!("{}: {}", text("type"), text("reason")))
}

/// As much of a reason as anybody reads.
pub(super) fn cut(mut why: String) -> String {
    if why.len() > REASON_BYTES_MAX {
        why.truncate(why.floor_char_boundary(REASON_BYTES_MAX));
    }
    why
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
        let body: Body = serde_json::from_str(&text).unwrap();
        assert_eq!(body.errors, Some(true));
        let statuses: Vec<Option<u64>> = body.items.iter().map(|i| i.status).collect();
        assert_eq!(statuses, [Some(201), Some(400), None]);
        assert!(body.items[1].why.starts_with("t: \u{e4}") && body.items[1].why.len() <= REASON_BYTES_MAX);
    }
}
