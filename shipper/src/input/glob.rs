//! Path patterns: `*`, `?`, `[a-z]` within a name, `**` for any number of folders, as far as
//! [`DEPTH_MAX`].

use regex::Regex;
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

    /// Adds every path that matches. Folders that can't be read have no files.
    pub fn find(&self, found: &mut Vec<PathBuf>) {
        walk(&self.root, &self.parts, DEPTH_MAX, found);
    }
}

fn regex_of(name: &str) -> String {
    let mut out = String::from("^");
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        match c {
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("[^/]"),
            '\\' => out.push_str(&regex::escape(&chars.next().map(String::from).unwrap_or_default())),
            '[' | ']' | '^' | '-' => out.push(c),
            other => out.push_str(&regex::escape(&other.to_string())),
        }
    }
    out.push('$');
    out
}

fn walk(at: &Path, parts: &[Part], depth: usize, found: &mut Vec<PathBuf>) {
    let Some((first, rest)) = parts.split_first() else {
        if std::fs::symlink_metadata(at).is_ok() {
            found.push(at.to_owned());
        }
        return;
    };
    match first {
        Part::Name(name) => walk(&at.join(name), rest, depth, found),
        Part::Pattern(regex) => {
            for (name, path) in children(at) {
                let is_hidden_by_star = name.starts_with('.') && !regex.as_str().starts_with("^\\.");
                if !is_hidden_by_star && regex.is_match(&name) {
                    walk(&path, rest, depth, found);
                }
            }
        }
        Part::Folders => {
            walk(at, rest, depth, found);
            if depth > 0 {
                for (_, path) in children(at) {
                    if std::fs::symlink_metadata(&path).is_ok_and(|m| m.is_dir()) {
                        walk(&path, parts, depth - 1, found);
                    }
                }
            }
        }
    }
}

fn children(folder: &Path) -> Vec<(String, PathBuf)> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut children: Vec<(String, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    children.sort();
    children
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
}
