//! Names made of an event: `logs-%{[fields.app]:none}-%{+yyyy.MM.dd}`.

use super::get;
use serde_json::{Map, Value};

/// A name, or how it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Field {
        path: String,
        default: Option<String>,
    },
    /// A `strftime` pattern.
    Date(String),
}

impl Format {
    /// Reads it.
    pub fn parse(text: &str) -> Result<Format, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find("%{") {
            if start > 0 {
                parts.push(Part::Text(rest[..start].to_owned()));
            }
            let after = &rest[start + 2..];
            let end = after.find('}').ok_or_else(|| format!("has a [%{{] that does not end: [{text}]"))?;
            parts.push(part(&after[..end])?);
            rest = &after[end + 1..];
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Format { parts })
    }

    /// The name when it is the same for every event.
    pub fn fixed(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// What of it is the same for every event.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The name for an event; `None` when it lacks a field.
    pub fn of(&self, document: &Map<String, Value>, timestamp_nanos: i64) -> Option<String> {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Field { path, default } => match (get(document, path), default) {
                    (Some(Value::String(text)), _) => out.push_str(text),
                    (Some(value), _) if !value.is_object() && !value.is_null() => out.push_str(&value.to_string()),
                    (_, Some(default)) => out.push_str(default),
                    _ => return None,
                },
                Part::Date(pattern) => {
                    let time = jiff::Timestamp::from_nanosecond(i128::from(timestamp_nanos)).ok()?;
                    out.push_str(&time.strftime(pattern).to_string());
                }
            }
        }
        Some(out)
    }
}

fn part(inside: &str) -> Result<Part, String> {
    if let Some(pattern) = inside.strip_prefix('+') {
        return Ok(Part::Date(strftime(pattern)?));
    }
    let rest =
        inside.strip_prefix('[').ok_or_else(|| format!("has [%{{{inside}}}], which is neither [field] nor +date"))?;
    let (path, after) = rest.split_once(']').ok_or_else(|| format!("has a field that does not end: [{inside}]"))?;
    Ok(Part::Field { path: path.to_owned(), default: after.strip_prefix(':').map(str::to_owned) })
}

/// Letters of Java's date patterns as `strftime` has them.
fn strftime(pattern: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(letter) = rest.chars().next() {
        let same = rest.chars().take_while(|c| *c == letter).count();
        let code = match (letter, same) {
            ('y' | 'x' | 'Y', 4) => "%Y",
            ('y' | 'x' | 'Y', 2) => "%y",
            ('M', 2) => "%m",
            ('d', 2) => "%d",
            ('H', 2) => "%H",
            ('m', 2) => "%M",
            ('s', 2) => "%S",
            ('w', 2) => "%V",
            ('D', 3) => "%j",
            (c, _) if c.is_ascii_alphabetic() => {
                return Err(format!("has the date letters [{}], which are not known", letter.to_string().repeat(same)));
            }
            _ => {
                out.push(letter);
                rest = &rest[letter.len_utf8()..];
                continue;
            }
        };
        out.push_str(code);
        rest = &rest[same..];
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_of_an_event() {
        let document = json!({"fields": {"app": "shop"}, "n": 7});
        let of = |text: &str| Format::parse(text).unwrap().of(document.as_object().unwrap(), 0);
        assert_eq!(of("logs-%{[fields.app]}-%{+yyyy.MM.dd}"), Some("logs-shop-1970.01.01".into()));
        assert_eq!(of("%{[none]:x}-%{[n]}"), Some("x-7".into()));
        assert_eq!(of("%{[none]}"), None);
        assert_eq!(Format::parse("plain").unwrap().fixed(), Some("plain"));
        assert!(Format::parse("%{+QQ}").is_err());
        assert!(Format::parse("%{x").is_err());
    }
}
