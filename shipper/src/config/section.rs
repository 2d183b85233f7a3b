//! Reads a section of a configuration member by member. What nobody has read is refused at the end,
//! with the name that was probably meant: a configuration is never taken in part.

use super::tree::Tree;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::time::Duration;

/// A section, and what of it was read.
pub struct Section {
    path: String,
    members: BTreeMap<String, Tree>,
    known: RefCell<BTreeSet<String>>,
    ignored: RefCell<Warnings>,
}

/// Settings that mean nothing here, and why; each is said when the shipper starts.
pub type Warnings = Vec<String>;

/// Times are added to the time that it is.
const DURATION_MAX: Duration = Duration::from_hours(24 * 36_525);

/// No pause is shorter.
const PAUSE_MIN: Duration = Duration::from_millis(1);

#[cfg(test)]
thread_local! {
    /// Dotted paths of all that anybody asked for in this thread.
    pub(super) static ASKED: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

impl Section {
    /// A section at a dotted path; an absent one is empty.
    pub fn new(path: &str, tree: Tree) -> Result<Section, String> {
        let members = match tree {
            Tree::Map(map) => map,
            Tree::Null => BTreeMap::new(),
            other => return Err(format!("[{path}] must be a section, it is [{}]", shown(&other))),
        };
        Ok(Section { path: path.to_owned(), members, known: RefCell::default(), ignored: RefCell::default() })
    }

    /// The dotted path of a member.
    pub fn path(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// It is a name that somebody asks for.
    fn know(&self, name: &str) {
        #[cfg(test)]
        ASKED.with_borrow_mut(|asked| asked.insert(self.path(name)));
        self.known.borrow_mut().insert(name.to_owned());
    }

    fn take(&self, name: &str) -> Option<&Tree> {
        self.know(name);
        self.members.get(name).filter(|tree| **tree != Tree::Null)
    }

    /// Whether it is set.
    pub fn has(&self, name: &str) -> bool {
        self.take(name).is_some()
    }

    /// A section below.
    pub fn section(&self, name: &str) -> Result<Section, String> {
        Section::new(&self.path(name), self.take(name).cloned().unwrap_or(Tree::Null))
    }

    /// Some of its members as a section of their own, for a reader that refuses all others.
    #[must_use]
    pub fn part(&self, names: &[&str]) -> Section {
        let some = names.iter().filter_map(|name| Some(((*name).to_owned(), self.take(name)?.clone()))).collect();
        Section { path: self.path.clone(), members: some, known: RefCell::default(), ignored: RefCell::default() }
    }

    /// As it is written.
    pub fn tree(&self, name: &str) -> Option<Tree> {
        self.take(name).cloned()
    }

    /// Texts, of which there must be some.
    pub fn some_texts(&self, name: &str) -> Result<Vec<String>, String> {
        let texts = self.texts(name)?;
        if texts.is_empty() { Err(self.missing(name)) } else { Ok(texts) }
    }

    /// A list that must have something.
    pub fn some_list(&self, name: &str) -> Result<Vec<Tree>, String> {
        let list = self.list(name)?;
        if list.is_empty() { Err(self.missing(name)) } else { Ok(list) }
    }

    /// What says that a member is not there and must be.
    pub fn missing(&self, name: &str) -> String {
        let known = self.known.borrow();
        let unread = self.members.keys().filter(|member| !known.contains(*member));
        let nearest = unread.map(|member| (distance(member, name), member)).min();
        let meant = nearest.filter(|(edits, _)| *edits <= 1 + name.len() / 3);
        let meant = meant.map(|(_, member)| format!(", was it meant by [{member}]?")).unwrap_or_default();
        format!("[{}] is missing{meant}", self.path(name))
    }

    /// Whether it is named, even without a value, which is how some are chosen.
    pub fn is_named(&self, name: &str) -> bool {
        self.know(name);
        self.members.contains_key(name)
    }

    /// Names of all members.
    pub fn names(&self) -> Vec<String> {
        self.members.keys().cloned().collect()
    }

    /// Text; numbers and flags count as such.
    pub fn text(&self, name: &str) -> Result<Option<String>, String> {
        self.take(name).map(|tree| text(tree).ok_or_else(|| self.wrong(name, tree, "a text"))).transpose()
    }

    /// `true` or `false`.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
        match self.take(name) {
            None => Ok(default),
            Some(Tree::Bool(b)) => Ok(*b),
            Some(Tree::Text(t)) if t == "true" || t == "false" => Ok(t == "true"),
            Some(other) => Err(self.wrong(name, other, "true or false")),
        }
    }

    /// A whole number within bounds.
    pub fn number(&self, name: &str, default: u64, min: u64, max: u64) -> Result<u64, String> {
        let Some(tree) = self.take(name) else { return Ok(default) };
        text(tree)
            .and_then(|t| u64::from_str(&t).ok())
            .filter(|n| (min..=max).contains(n))
            .ok_or_else(|| self.wrong(name, tree, &format!("a whole number from {min} to {max}")))
    }

    /// Bytes: a number, or one with `KiB`, `MB`, ….
    pub fn bytes(&self, name: &str, default: u64) -> Result<u64, String> {
        let Some(tree) = self.take(name) else { return Ok(default) };
        text(tree).and_then(|t| bytes(&t)).ok_or_else(|| self.wrong(name, tree, "a size, such as 10MiB"))
    }

    /// A duration: `10s`, `1m30s`, `500ms`; a bare number is seconds.
    pub fn duration(&self, name: &str, default: Duration) -> Result<Duration, String> {
        let Some(tree) = self.take(name) else { return Ok(default) };
        let found = text(tree).and_then(|t| duration(&t));
        let found = found.ok_or_else(|| self.wrong(name, tree, "a duration, such as 10s"))?;
        if found > DURATION_MAX {
            return Err(self.wrong(name, tree, "a duration of a hundred years at most"));
        }
        Ok(found)
    }

    /// A duration between two looks or tries: without any, all time would go into them.
    pub fn pause(&self, name: &str, default: Duration) -> Result<Duration, String> {
        let found = self.duration(name, default)?;
        if found < PAUSE_MIN {
            let tree = self.take(name).unwrap_or(&Tree::Null);
            return Err(self.wrong(name, tree, &format!("a duration of at least {PAUSE_MIN:?}")));
        }
        Ok(found)
    }

    /// `init` and `max` of a section of growing pauses.
    pub fn pauses(&self, name: &str, init: Duration, max: Duration) -> Result<(Duration, Duration), String> {
        let s = self.section(name)?;
        let pauses = (s.pause("init", init)?, s.pause("max", max.max(s.duration("init", init)?))?);
        if pauses.1 < pauses.0 {
            return Err(format!("[{}] must not be shorter than [{}]", s.path("max"), s.path("init")));
        }
        s.finish()?;
        Ok(pauses)
    }

    /// A list of texts; one text is a list of one.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Tree::List(list)) => {
                list.iter().map(|item| text(item).ok_or_else(|| self.wrong(name, item, "a text"))).collect()
            }
            Some(one) => Ok(vec![text(one).ok_or_else(|| self.wrong(name, one, "a list of texts"))?]),
        }
    }

    /// One of some words.
    pub fn choice<'a>(&self, name: &str, default: &'a str, words: &[&'a str]) -> Result<&'a str, String> {
        let Some(tree) = self.take(name) else { return Ok(default) };
        text(tree)
            .and_then(|t| words.iter().find(|w| **w == t).copied())
            .ok_or_else(|| self.wrong(name, tree, &format!("one of {words:?}")))
    }

    /// One regular expression.
    pub fn pattern(&self, name: &str) -> Result<Option<regex::bytes::Regex>, String> {
        if let Some(list @ Tree::List(_)) = self.take(name) {
            return Err(self.wrong(name, list, "one regular expression"));
        }
        Ok(self.patterns(name)?.pop())
    }

    /// Regular expressions.
    pub fn patterns(&self, name: &str) -> Result<Vec<regex::bytes::Regex>, String> {
        self.texts(name)?
            .iter()
            .map(|p| {
                regex::bytes::Regex::new(p).map_err(|e| format!("[{}] is no regular expression: {e}", self.path(name)))
            })
            .collect()
    }

    /// Sections of a list; each item of `processors` or `parsers` is one.
    pub fn list(&self, name: &str) -> Result<Vec<Tree>, String> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Tree::List(list)) => Ok(list.clone()),
            Some(other) => Err(self.wrong(name, other, "a list")),
        }
    }

    /// Accepts a setting of Filebeat that means nothing here and says why.
    pub fn no_effect(&self, name: &str, because: &str, warnings: &mut Warnings) {
        if self.take(name).is_some() {
            warnings.push(format!("[{}] has no effect here: {because}", self.path(name)));
        }
    }

    /// As [`Section::no_effect`], for readers that have no list of warnings; [`Section::ignored`] has
    /// them.
    pub fn ignore(&self, name: &str, because: &str) {
        self.no_effect(name, because, &mut self.ignored.borrow_mut());
    }

    /// What [`Section::ignore`] found.
    pub fn ignored(&self) -> Warnings {
        self.ignored.take()
    }

    /// Refuses what nobody has read.
    ///
    /// # Errors
    /// Names the first unknown member and the known one that looks most like it.
    pub fn finish(self) -> Result<(), String> {
        let known = self.known.borrow();
        let Some(unknown) = self.members.keys().find(|name| !known.contains(*name)) else { return Ok(()) };
        let nearest = known
            .iter()
            .map(|k| (distance(unknown, k), k))
            .filter(|(d, k)| *d <= 1 + k.len() / 3)
            .min()
            .map(|(_, k)| format!(", did you mean [{k}]?"))
            .unwrap_or_default();
        Err(format!("unknown setting [{}]{nearest}", self.path(unknown)))
    }

    fn wrong(&self, name: &str, found: &Tree, wanted: &str) -> String {
        format!("[{}] must be {wanted}, it is [{}]", self.path(name), shown(found))
    }
}

fn text(tree: &Tree) -> Option<String> {
    match tree {
        Tree::Text(t) => Some(t.clone()),
        Tree::Int(i) => Some(i.to_string()),
        Tree::Float(f) => Some(f.to_string()),
        Tree::Bool(b) => Some(b.to_string()),
        Tree::Null | Tree::List(_) | Tree::Map(_) => None,
    }
}

fn shown(tree: &Tree) -> String {
    text(tree).unwrap_or_else(|| match tree {
        Tree::List(_) => "a list".into(),
        Tree::Map(_) => "a section".into(),
        _ => "null".into(),
    })
}

fn bytes(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" | "k" => 1_000,
        "kib" => 1 << 10,
        "mb" | "m" => 1_000_000,
        "mib" => 1 << 20,
        "gb" | "g" => 1_000_000_000,
        "gib" => 1 << 30,
        "tb" | "t" => 1_000_000_000_000,
        "tib" => 1 << 40,
        _ => return None,
    };
    number.checked_mul(unit)
}

/// Reads `10s`, `1m30s`, `500ms`, or a bare number of seconds.
pub fn duration(text: &str) -> Option<Duration> {
    if text.is_empty() {
        return None; // a variable without a value, mostly
    }
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let mut sum = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let after = &rest[digits..];
        let letters = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let unit = match &after[..letters] {
            "ns" => 1e-9,
            "us" | "µs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86400.0,
            _ => return None,
        };
        sum = sum.checked_add(Duration::try_from_secs_f64(number * unit).ok()?)?;
        rest = &after[letters..];
    }
    Some(sum)
}

/// Edits between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let changed = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tree::parse;

    fn section(text: &str) -> Section {
        Section::new("", parse(text, &|_| None).unwrap()).unwrap()
    }

    #[test]
    fn what_nobody_reads_is_refused_with_a_suggestion() {
        let s = section("check_intervall: 1s");
        s.duration("check_interval", Duration::ZERO).unwrap();
        assert_eq!(s.finish(), Err("unknown setting [check_intervall], did you mean [check_interval]?".into()));
    }

    #[test]
    fn units() {
        let s = section("a: 10MiB\nb: 1m30s\nc: 5\nd: 2 KB");
        assert_eq!(s.bytes("a", 0), Ok(10 << 20));
        assert_eq!(s.duration("b", Duration::ZERO), Ok(Duration::from_secs(90)));
        assert_eq!(s.duration("c", Duration::ZERO), Ok(Duration::from_secs(5)));
        assert_eq!(s.bytes("d", 0), Ok(2000));
    }

    #[test]
    fn wrong_values_say_what_is_wanted() {
        let s = section("a: x\nb: [1]\nc: 12");
        assert_eq!(s.flag("a", true), Err("[a] must be true or false, it is [x]".into()));
        assert!(s.text("b").unwrap_err().contains("must be a text, it is [a list]"));
        assert!(s.number("c", 1, 0, 9).is_err());
        let empty = section("a: ''\nb: ${NOTHING:}");
        assert!(empty.duration("a", Duration::ZERO).is_err() && empty.duration("b", Duration::ZERO).is_err());
    }
}
