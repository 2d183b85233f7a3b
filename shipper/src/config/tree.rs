//! A YAML file as a tree whose dotted keys are nested: `output.elasticsearch.hosts` and
//! `output: {elasticsearch: {hosts: …}}` are the same, as in Filebeat's files.

use serde_yaml_ng::Value as Yaml;
use std::collections::BTreeMap;

/// Sections do not lie deeper in a key: each is a call of its own.
const DEPTH_MAX: usize = 32;

/// A value of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// Absent, or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// Text, variables replaced.
    Text(String),
    /// A list.
    List(Vec<Tree>),
    /// Members by name, in the order of their names.
    Map(BTreeMap<String, Tree>),
}

/// Reads YAML.
///
/// # Errors
/// Says in one line what is not YAML, or which variable is not set.
pub fn parse(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Tree, String> {
    let yaml: Yaml = serde_yaml_ng::from_str(text).map_err(|e| format!("not valid YAML: {e}"))?;
    nested(yaml, variable)
}

/// Puts what another tree has in the place of what is there; sections are merged.
pub fn replace(there: &mut Tree, by: Tree) {
    match (there, by) {
        (Tree::Map(there), Tree::Map(more)) => {
            for (key, value) in more {
                replace(there.entry(key).or_insert(Tree::Null), value);
            }
        }
        (there, by) => *there = by,
    }
}

fn nested(yaml: Yaml, variable: &dyn Fn(&str) -> Option<String>) -> Result<Tree, String> {
    Ok(match yaml {
        Yaml::Null => Tree::Null,
        Yaml::Bool(b) => Tree::Bool(b),
        Yaml::Number(n) => match n.as_i64() {
            Some(i) => Tree::Int(i),
            None if n.is_u64() => Tree::Text(n.to_string()), // a float would have other digits
            None => Tree::Float(n.as_f64().unwrap_or(f64::NAN)),
        },
        Yaml::String(s) => scalar(expand(&s, variable)?, s.contains("${")),
        Yaml::Sequence(list) => {
            Tree::List(list.into_iter().map(|item| nested(item, variable)).collect::<Result<_, _>>()?)
        }
        Yaml::Mapping(map) => {
            let mut tree = Tree::Map(BTreeMap::new());
            for (key, value) in map {
                let key = match key {
                    Yaml::String(s) => s,
                    Yaml::Number(n) => n.to_string(),
                    Yaml::Bool(b) => b.to_string(),
                    other => return Err(format!("a key is no text: {other:?}")),
                };
                if key.matches('.').count() > DEPTH_MAX {
                    return Err(format!("a key has more than {DEPTH_MAX} dots"));
                }
                insert(&mut tree, &key, nested(value, variable)?)?;
            }
            tree
        }
        Yaml::Tagged(tagged) => nested(tagged.value, variable)?,
    })
}

/// What came out of a variable is read as YAML would read it. A password of digits keeps its zeros.
fn scalar(text: String, was_variable: bool) -> Tree {
    if was_variable {
        if let Some(i) = text.parse::<i64>().ok().filter(|i| i.to_string() == text) {
            return Tree::Int(i);
        }
        if let Ok(b) = text.parse() {
            return Tree::Bool(b);
        }
    }
    Tree::Text(text)
}

fn insert(into: &mut Tree, key: &str, value: Tree) -> Result<(), String> {
    let Tree::Map(map) = into else {
        return Err(format!("[{key}] is set below something that is no section"));
    };
    if let Some((first, rest)) = key.split_once('.')
        && !first.is_empty()
        && !rest.is_empty()
    {
        let below = map.entry(first.to_owned()).or_insert_with(|| Tree::Map(BTreeMap::new()));
        return insert(below, rest, value);
    }
    match map.get_mut(key) {
        None => {
            map.insert(key.to_owned(), value);
            Ok(())
        }
        Some(there) => merge(there, value, key),
    }
}

fn merge(there: &mut Tree, value: Tree, key: &str) -> Result<(), String> {
    match (&*there, value) {
        (Tree::Map(_), Tree::Map(more)) => more.into_iter().try_for_each(|(k, v)| insert(there, &k, v)),
        _ => Err(format!("[{key}] is set twice")),
    }
}

/// Replaces `${NAME}`, `${NAME:default}` and `${NAME:?message}`.
fn expand(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        out.push_str(&rest[..start]);
        let after = &rest[start + 2..];
        let end = after.find('}').ok_or_else(|| format!("a variable does not end: [{text}]"))?;
        let (name, default) = match after[..end].split_once(':') {
            Some((name, default)) => (name, Some(default)),
            None => (&after[..end], None),
        };
        match (variable(name), default) {
            (Some(value), _) => out.push_str(&value),
            (None, Some(message)) if message.starts_with('?') => {
                return Err(format!("variable [{name}] is not set: {}", &message[1..]));
            }
            (None, Some(default)) => out.push_str(default),
            (None, None) => return Err(format!("variable [{name}] is not set")),
        }
        rest = &after[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Tree, String> {
        parse(text, &|name| (name == "PORT").then(|| "9201".to_owned()))
    }

    #[test]
    fn dotted_and_nested_keys_are_the_same() {
        assert_eq!(
            read("output.elasticsearch:\n  hosts: [a]\noutput:\n  elasticsearch.worker: 2"),
            read("output: {elasticsearch: {hosts: [a], worker: 2}}")
        );
    }

    #[test]
    fn a_key_that_is_set_twice_is_refused() {
        assert_eq!(read("a.b: 1\na: {b: 2}"), Err("[b] is set twice".into()));
    }

    #[test]
    fn what_is_replaced_leaves_the_rest() {
        let mut tree = read("output.console: {enabled: true, pretty: false}\ntags: [a]").unwrap();
        replace(&mut tree, read("output.console.enabled: false").unwrap());
        replace(&mut tree, read("tags: [b]").unwrap());
        replace(&mut tree, read("path.data: x").unwrap());
        assert_eq!(Ok(tree), read("output.console: {enabled: false, pretty: false}\ntags: [b]\npath: {data: x}"));
    }

    #[test]
    fn variables_are_replaced_and_read_as_values() {
        let Tree::Map(map) = read("a: ${PORT}\nb: x${PORT}\nc: ${NONE:7}").unwrap() else { panic!() };
        assert_eq!(map["a"], Tree::Int(9201));
        assert_eq!(map["b"], Tree::Text("x9201".into()));
        assert_eq!(map["c"], Tree::Int(7));
        assert!(read("a: ${NONE}").unwrap_err().contains("[NONE] is not set"));
    }

    #[test]
    fn digits_are_kept() {
        let zeros = |name: &str| (name == "SECRET").then(|| "00123".to_owned());
        let Tree::Map(map) = parse("a: ${SECRET}\nb: 12345678901234567890\nc: -5", &zeros).unwrap() else { panic!() };
        assert_eq!(map["a"], Tree::Text("00123".into()));
        assert_eq!(map["b"], Tree::Text("12345678901234567890".into()));
        assert_eq!(map["c"], Tree::Int(-5));
    }

    #[test]
    fn a_key_of_very_many_dots_is_refused() {
        let key = |dots: usize| read(&format!("? a{}\n: 1", ".a".repeat(dots)));
        assert_eq!(key(100_000), Err("a key has more than 32 dots".into()));
        assert!(key(32).is_ok());
    }
}
