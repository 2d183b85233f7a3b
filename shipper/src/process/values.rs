//! Processors that change values: `convert`, `replace`, `truncate_fields`, `urldecode`.

use super::{Document, Fate, Processor};
use crate::config::section::Section;
use crate::event::{get, get_mut, remove, set};
use regex::Regex;
use serde_json::Value;

struct Convert {
    fields: Vec<(String, Option<String>, String)>,
    ignores_missing: bool,
    fails_on_error: bool,
    moves: bool,
    tag: Option<String>,
}

pub(super) fn convert(s: &Section) -> Result<Box<dyn Processor>, String> {
    let mut fields = Vec::new();
    for (at, tree) in s.some_list("fields")?.into_iter().enumerate() {
        let field = Section::new(&format!("{}.{at}", s.path("fields")), tree)?;
        let from = field.text("from")?.ok_or_else(|| format!("[{}] is missing", field.path("from")))?;
        let kinds = ["", "integer", "long", "float", "double", "string", "boolean", "ip"];
        let kind = field.choice("type", "", &kinds)?.to_owned();
        fields.push((from, field.text("to")?, kind));
        field.finish()?;
    }
    Ok(Box::new(Convert {
        fields,
        ignores_missing: s.flag("ignore_missing", false)?,
        fails_on_error: s.flag("fail_on_error", true)?,
        moves: s.choice("mode", "copy", &["copy", "rename"])? == "rename",
        tag: s.text("tag")?,
    }))
}

pub(super) fn converted(value: &Value, kind: &str) -> Option<Value> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let text = text.trim();
    Some(match kind {
        "" => value.clone(),
        "string" => Value::from(text),
        "boolean" => match text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => true.into(),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => false.into(),
            _ => return None,
        },
        "ip" => text.parse::<std::net::IpAddr>().ok().map(|_| Value::from(text))?,
        "integer" => {
            let number = whole(text)?;
            Value::from(i32::try_from(number).ok()?)
        }
        "long" => Value::from(whole(text)?),
        _ => {
            let number: f64 = text.parse().ok()?;
            Value::from(serde_json::Number::from_f64(number)?)
        }
    })
}

fn whole(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl Processor for Convert {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let mut changed = document.clone();
        for (from, to, kind) in &self.fields {
            let problem = match get(&changed, from) {
                None if self.ignores_missing => continue,
                None => format!("field [{from}] is missing"),
                Some(value) => match converted(value, kind) {
                    Some(value) => {
                        if self.moves && to.is_some() {
                            remove(&mut changed, from);
                        }
                        set(&mut changed, to.as_ref().unwrap_or(from), value);
                        continue;
                    }
                    None => format!("field [{from}] is no {kind}: [{value}]"),
                },
            };
            if self.fails_on_error {
                return Err(match &self.tag {
                    Some(tag) => format!("[{tag}] {problem}"),
                    None => problem,
                });
            }
        }
        *document = changed;
        Ok(Fate::Kept)
    }
}

struct Replace {
    fields: Vec<(String, Regex, String)>,
    ignores_missing: bool,
    fails_on_error: bool,
}

pub(super) fn replace(s: &Section) -> Result<Box<dyn Processor>, String> {
    let mut fields = Vec::new();
    for (at, tree) in s.some_list("fields")?.into_iter().enumerate() {
        let field = Section::new(&format!("{}.{at}", s.path("fields")), tree)?;
        let text = |name: &str| -> Result<String, String> {
            field.text(name)?.ok_or_else(|| format!("[{}] is missing", field.path(name)))
        };
        let pattern = Regex::new(&text("pattern")?).map_err(|e| format!("[{}] {e}", field.path("pattern")))?;
        fields.push((text("field")?, pattern, text("replacement")?));
        field.finish()?;
    }
    Ok(Box::new(Replace {
        fields,
        ignores_missing: s.flag("ignore_missing", false)?,
        fails_on_error: s.flag("fail_on_error", true)?,
    }))
}

impl Processor for Replace {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let mut changed = Vec::new();
        for (path, pattern, replacement) in &self.fields {
            match get(document, path) {
                Some(Value::String(text)) => {
                    changed.push((path, pattern.replace_all(text, replacement.as_str()).into_owned()));
                }
                None if self.ignores_missing => {}
                _ if !self.fails_on_error => {}
                None => return Err(format!("field [{path}] is missing")),
                Some(_) => return Err(format!("field [{path}] is no text")),
            }
        }
        for (path, text) in changed {
            set(document, path, text.into());
        }
        Ok(Fate::Kept)
    }
}

struct Truncate {
    fields: Vec<String>,
    bytes_max: usize,
    characters_max: usize,
    ignores_missing: bool,
    fails_on_error: bool,
}

pub(super) fn truncate_fields(s: &Section) -> Result<Box<dyn Processor>, String> {
    let number = |name: &str| -> Result<usize, String> {
        Ok(usize::try_from(s.number(name, u64::from(u32::MAX), 1, u64::from(u32::MAX))?).expect("32 bits"))
    };
    Ok(Box::new(Truncate {
        fields: s.some_texts("fields")?,
        bytes_max: number("max_bytes")?,
        characters_max: number("max_characters")?,
        ignores_missing: s.flag("ignore_missing", false)?,
        fails_on_error: s.flag("fail_on_error", true)?,
    }))
}

impl Processor for Truncate {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        if self.fails_on_error
            && !self.ignores_missing
            && let Some(missing) = self.fields.iter().find(|f| get(document, f).is_none())
        {
            return Err(format!("field [{missing}] is missing"));
        }
        for path in &self.fields {
            if let Some(Value::String(text)) = get_mut(document, path) {
                let by_characters = text.char_indices().nth(self.characters_max).map_or(text.len(), |(at, _)| at);
                text.truncate(text.floor_char_boundary(by_characters.min(self.bytes_max)));
            }
        }
        Ok(Fate::Kept)
    }
}

struct UrlDecode {
    pairs: Vec<(String, String)>,
    ignores_missing: bool,
    fails_on_error: bool,
}

pub(super) fn urldecode(s: &Section) -> Result<Box<dyn Processor>, String> {
    let mut pairs = Vec::new();
    for (at, tree) in s.some_list("fields")?.into_iter().enumerate() {
        let pair = Section::new(&format!("{}.{at}", s.path("fields")), tree)?;
        let from = pair.text("from")?.ok_or_else(|| format!("[{}] is missing", pair.path("from")))?;
        let to = pair.text("to")?.unwrap_or_else(|| from.clone());
        pairs.push((from, to));
        pair.finish()?;
    }
    Ok(Box::new(UrlDecode {
        pairs,
        ignores_missing: s.flag("ignore_missing", false)?,
        fails_on_error: s.flag("fail_on_error", true)?,
    }))
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let pair = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

impl Processor for UrlDecode {
    fn apply(&self, document: &mut Document) -> Result<Fate, String> {
        let mut changed = Vec::new();
        for (from, to) in &self.pairs {
            match get(document, from).map(|v| v.as_str().and_then(decoded)) {
                Some(Some(text)) => changed.push((to, text)),
                None if self.ignores_missing => {}
                _ if !self.fails_on_error => {}
                None => return Err(format!("field [{from}] is missing")),
                Some(None) => return Err(format!("field [{from}] is not URL-encoded")),
            }
        }
        for (to, text) in changed {
            set(document, to, text.into());
        }
        Ok(Fate::Kept)
    }
}
