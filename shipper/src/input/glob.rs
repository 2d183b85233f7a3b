//! Path patterns: `*`, `?`, `[a-z]` within a name, `**` for any number of folders, as far as
//! [`DEPTH_MAX`].

use regex::Regex;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// `**` goes so deep, as in Filebeat.
const DEPTH_MAX: usize = 8;

/// A pattern that can be looked for.
#[derive(Clone, Debug)]
pub struct Glob {
    root: PathBuf,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Name(String),
    Pattern(Regex),
    Folders,
}

impl Glob {
    /// Reads a pattern. Without `is_recursive`, `**` is the same as `*`.
    pub fn new(pattern: &str, is_recursive: bool) -> Result<Glob, String> {
        let mut root = if pattern.starts_with('/') { PathBuf::from("/") } else { PathBuf::new() };
        let mut parts = Vec::new();
        for name in pattern.split('/').filter(|name| !name.is_empty()) {
            if name == "**" && is_recursive {
                parts.push(Part::Folders);
            } else if name.contains(['*', '?', '[', '\\']) {
                let regex = Regex::new(&regex_of(name)).map_err(|e| format!("[{pattern}] is no pattern: {e}"))?;
                parts.push(Part::Pattern(regex));
            } else if parts.is_empty() {
                root.push(name);
            } else {
                parts.push(Part::Name(name.to_owned()));
            }
        }
        Ok(Glob { root, parts })
    }

    /// Adds every path that matches. What of the way there could not be looked at, behind which more
    /// may be, is the answer.
    pub fn find(&self, found: &mut Vec<PathBuf>) -> Vec<(PathBuf, io::Error)> {
        let mut walk = Walk { found, wrong: Vec::new() };
        walk.on(&self.root, &self.parts, DEPTH_MAX);
        walk.wrong
    }
}

struct Walk<'a> {
    found: &'a mut Vec<PathBuf>,
    wrong: Vec<(PathBuf, io::Error)>,
}

fn regex_of(name: &str) -> String {
    let mut out = String::from("^");
    let mut is_class = false;
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '*' if !is_class => out.push_str("[^/]*"),
            '?' if !is_class => out.push_str("[^/]"),
            '[' if !is_class => {
                is_class = true;
                out.push(c);
                out.extend(chars.next_if_eq(&'^'));
            }
            ']' if is_class => {
                is_class = false;
                out.push(c);
            }
            '-' if is_class => out.push(c),
            '\\' => out.push_str(&regex::escape(&chars.next().map(String::from).unwrap_or_default())),
            other => out.push_str(&regex::escape(&other.to_string())),
        }
    }
    out.push('$');
    out
}

impl Walk<'_> {
    fn on(&mut self, at: &Path, parts: &[Part], depth: usize) {
        let Some((first, rest)) = parts.split_first() else {
            match std::fs::symlink_metadata(at) {
                Ok(_) => self.found.push(at.to_owned()),
                Err(e) => self.failed(at, e),
            }
            return;
        };
        match first {
            Part::Name(name) => self.on(&at.join(name), rest, depth),
            Part::Pattern(regex) => {
                for (name, path) in self.children(at) {
                    let is_hidden_by_star = name.starts_with('.') && !regex.as_str().starts_with("^\\.");
                    if !is_hidden_by_star && regex.is_match(&name) {
                        self.on(&path, rest, depth);
                    }
                }
            }
            Part::Folders => {
                self.on(at, rest, depth);
                if depth > 0 {
                    for (_, path) in self.children(at) {
                        if std::fs::symlink_metadata(&path).is_ok_and(|m| m.is_dir()) {
                            self.on(&path, parts, depth - 1);
                        }
                    }
                }
            }
        }
    }

    fn children(&mut self, folder: &Path) -> Vec<(String, PathBuf)> {
        let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = match std::fs::read_dir(shown) {
            Ok(entries) => entries,
            Err(e) => {
                self.failed(folder, e);
                return Vec::new();
            }
        };
        let mut children = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => children.push((entry.file_name().to_string_lossy().into_owned(), entry.path())),
                Err(e) => self.failed(folder, e),
            }
        }
        children.sort();
        children
    }

    /// What is not there, or is no folder, has no files.
    fn failed(&mut self, at: &Path, why: io::Error) {
        if !matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
            self.wrong.push((at.to_owned(), why));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, files: &[&str]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let mut paths = Vec::new();
        let root = folder.path().display().to_string();
        Glob::new(&format!("{root}/{pattern}"), true).unwrap().find(&mut paths);
        paths.iter().map(|p| p.strip_prefix(&root).unwrap().display().to_string()).collect()
    }

    #[test]
    fn patterns() {
        let files = ["a.log", "b.log", "b.log.1.gz", ".hidden.log", "x/c.log", "x/y/d.log", "x/y/e.txt"];
        assert_eq!(found("*.log", &files), ["a.log", "b.log"]);
        assert_eq!(found("[b-z].log*", &files), ["b.log", "b.log.1.gz"]);
        assert_eq!(found("**/*.log", &files), ["a.log", "b.log", "x/c.log", "x/y/d.log"]);
        assert_eq!(found("x/*/?.log", &files), ["x/y/d.log"]);
        assert_eq!(found("none/*.log", &files), Vec::<String>::new());
    }

    #[test]
    fn what_has_a_meaning_elsewhere_is_a_letter() {
        let files = ["a^b-1.log", "a*.log", "ab.log", "a].log", "a-.log"];
        assert_eq!(found("a^b-*.log", &files), ["a^b-1.log"]);
        assert_eq!(found("a[*].log", &files), ["a*.log"]);
        assert_eq!(found("a[^*-]*.log", &files), ["a].log", "a^b-1.log", "ab.log"]);
        assert_eq!(found(r"a[\]\-].log", &files), ["a-.log", "a].log"]);
        assert!(Glob::new("a[b", true).is_err());
    }

    #[test]
    fn what_can_not_be_looked_at_is_told_and_what_is_not_there_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
        std::fs::write(root.join("a.log"), "").unwrap();
        let wrong = |pattern: &str| {
            let all = Glob::new(&format!("{}/{pattern}", root.display()), true).unwrap().find(&mut Vec::new());
            all.into_iter().map(|(path, _)| path).collect::<Vec<_>>()
        };
        assert_eq!(wrong("loop/*.log"), [root.join("loop")]);
        assert_eq!(wrong("*/*.log"), [root.join("loop")]);
        assert_eq!(wrong("none/*.log"), Vec::<PathBuf>::new());
        assert_eq!(wrong("a.log/*"), Vec::<PathBuf>::new());
    }
}
