//! Conditions of processors: `equals`, `contains`, `regexp`, `range`, `has_fields`, and their
//! combinations.

use super::Document;
use crate::config::json;
use crate::config::tree::Tree;
use crate::event::get;
use regex::Regex;
use serde_json::Value;

/// Holds of a document or does not.
#[derive(Clone, Debug)]
pub enum Condition {
    Equals(Vec<(String, Value)>),
    Contains(Vec<(String, String)>),
    Matches(Vec<(String, Regex)>),
    Range(Vec<(String, Bound, f64)>),
    HasFields(Vec<String>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
}

/// One side of a range.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    Lt,
    Lte,
    Gt,
    Gte,
}

/// Reads a condition; several in one section must all hold.
pub fn read(tree: &Tree, path: &str) -> Result<Condition, String> {
    let Tree::Map(map) = tree else { return Err(format!("[{path}] must be a condition")) };
    let mut all = map.iter().map(|(name, tree)| one(name, tree, path)).collect::<Result<Vec<_>, _>>()?;
    match all.len() {
        0 => Err(format!("[{path}] is empty")),
        1 => Ok(all.remove(0)),
        _ => Ok(Condition::All(all)),
    }
}

fn one(name: &str, tree: &Tree, path: &str) -> Result<Condition, String> {
    let list = || -> Result<Vec<Condition>, String> {
        match tree {
            Tree::List(list) if !list.is_empty() => list.iter().map(|item| read(item, path)).collect(),
            other => Ok(vec![read(other, path)?]),
        }
    };
    Ok(match name {
        "equals" => Condition::Equals(fields(tree, name, path)?),
        "contains" => Condition::Contains(texts(tree, name, path)?),
        "regexp" => Condition::Matches(
            texts(tree, name, path)?
                .into_iter()
                .map(|(field, pattern)| match Regex::new(&pattern) {
                    Ok(regex) => Ok((field, regex)),
                    Err(e) => Err(format!("[{path}.regexp] is no regular expression: {e}")),
                })
                .collect::<Result<_, _>>()?,
        ),
        "range" => Condition::Range(ranges(tree, path)?),
        "has_fields" => match tree {
            Tree::List(list) if !list.is_empty() && list.iter().all(|item| matches!(item, Tree::Text(_))) => {
                Condition::HasFields(json(tree).as_array().into_iter().flatten().map(shown).collect())
            }
            _ => return Err(format!("[{path}.has_fields] must be a list of names of fields")),
        },
        "and" => Condition::All(list()?),
        "or" => Condition::Any(list()?),
        "not" => Condition::Not(Box::new(read(tree, path)?)),
        other => {
            return Err(format!(
                "[{path}] has an unknown condition [{other}]: equals, contains, regexp, range, has_fields, and, or, not"
            ));
        }
    })
}

/// Leaves of a section by their dotted paths.
fn fields(tree: &Tree, name: &str, path: &str) -> Result<Vec<(String, Value)>, String> {
    fn leaves(path: &str, tree: &Tree, out: &mut Vec<(String, Value)>) {
        match tree {
            Tree::Map(map) => {
                for (key, value) in map {
                    leaves(&if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, value, out);
                }
            }
            leaf => out.push((path.to_owned(), json(leaf))),
        }
    }
    let mut out = Vec::new();
    if matches!(tree, Tree::Map(_)) {
        leaves("", tree, &mut out);
    }
    if out.is_empty() {
        return Err(format!("[{path}.{name}] must name a field and what it should be"));
    }
    match out.iter().find(|(_, value)| value.is_null() || value.is_array()) {
        Some((field, _)) => {
            Err(format!("[{path}.{name}.{field}] must be one value: combine several with [or] or [and]"))
        }
        None => Ok(out),
    }
}

fn texts(tree: &Tree, name: &str, path: &str) -> Result<Vec<(String, String)>, String> {
    Ok(fields(tree, name, path)?.into_iter().map(|(path, value)| (path, shown(&value))).collect())
}

fn ranges(tree: &Tree, path: &str) -> Result<Vec<(String, Bound, f64)>, String> {
    fields(tree, "range", path)?
        .into_iter()
        .map(|(field, value)| {
            let (field, bound) = field.rsplit_once('.').unwrap_or(("", &field));
            let bound = match bound {
                "lt" => Bound::Lt,
                "lte" => Bound::Lte,
                "gt" => Bound::Gt,
                "gte" => Bound::Gte,
                other => return Err(format!("[{path}.range] has [{other}]: lt, lte, gt, gte")),
            };
            let number = number(&value).ok_or_else(|| format!("[{path}.range.{field}] must be a number"))?;
            Ok((field.to_owned(), bound, number))
        })
        .collect()
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

impl Condition {
    /// Whether it holds.
    pub fn holds(&self, document: &Document) -> bool {
        match self {
            Condition::Equals(fields) => fields.iter().all(|(path, wanted)| {
                get(document, path)
                    .is_some_and(|found| found == wanted || number(found).is_some_and(|n| Some(n) == wanted.as_f64()))
            }),
            Condition::Contains(fields) => fields.iter().all(|(path, wanted)| match get(document, path) {
                Some(Value::String(text)) => text.contains(wanted),
                Some(Value::Array(list)) => list.iter().any(|item| item.as_str().is_some_and(|t| t.contains(wanted))),
                _ => false,
            }),
            Condition::Matches(fields) => fields.iter().all(|(path, regex)| match get(document, path) {
                Some(Value::Array(list)) => list.iter().any(|item| regex.is_match(&shown(item))),
                Some(value) => regex.is_match(&shown(value)),
                None => false,
            }),
            Condition::Range(bounds) => bounds.iter().all(|(path, bound, limit)| {
                get(document, path).and_then(number).is_some_and(|n| match bound {
                    Bound::Lt => n < *limit,
                    Bound::Lte => n <= *limit,
                    Bound::Gt => n > *limit,
                    Bound::Gte => n >= *limit,
                })
            }),
            Condition::HasFields(paths) => paths.iter().all(|path| get(document, path).is_some()),
            Condition::All(all) => all.iter().all(|c| c.holds(document)),
            Condition::Any(any) => any.iter().any(|c| c.holds(document)),
            Condition::Not(not) => !not.holds(document),
        }
    }
}
