//! Finds an input's files, and which of them are the same as before under another name.
//!
//! A file is what its first bytes say, decompressed. Files too short for a fingerprint are told apart
//! by all that they have: an entry belongs to the file that begins with what the entry has seen, on
//! its own inode first, then wherever no other entry fits better.

mod beginnings;
mod owner;

use super::glob::Glob;
use super::harvester::Reason;
use super::head::{Head, look};
use super::pool::ClosedFile;
use super::settings::{IdentifiedBy, InputSettings};
use super::source::{Compression, SourceError};
use super::stat::{self, Left, Stat};
use crate::metrics;
use crate::registry::{Entry, Identity, Registry};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// An entry whose file is gone is kept for so long: while a file is rotated and compressed there are
/// moments in which it has no name.
const REMOVED_KEPT: Duration = Duration::from_hours(1);

/// A copy is told of when it is found so often: others are truncated, or compressed, in a moment.
const COPY_LOOKS: u32 = 3;

struct Found {
    path: PathBuf,
    stat: Stat,
    head: Head,
    modified: SystemTime,
}

/// A file to be read from its entry's offset on.
#[derive(Debug)]
pub struct Target {
    /// What is known of it.
    pub entry: Entry,
    /// Where it is.
    pub path: PathBuf,
    /// How it is compressed.
    pub compression: Compression,
}

/// Looks for an input's files.
pub struct Scan {
    settings: Arc<InputSettings>,
    globs: Vec<Glob>,
    registry: Arc<Registry>,
    host: String,
    /// Heads of files that have not changed.
    heads: BTreeMap<PathBuf, (Stat, Head)>,
    /// How a file was when it was closed: it is opened again when it has changed.
    closed: BTreeMap<u64, Left>,
    /// Files that were found shorter than what was read of them, by entry, with their inode.
    truncated: BTreeMap<u64, (u64, u64)>,
    /// Entries whose file is gone, and since when.
    missing: BTreeMap<u64, Instant>,
    /// Short files like one that is there already: perhaps a copy whose original is truncated in a
    /// moment.
    doubtful: BTreeSet<(u64, u64)>,
    /// What could not be looked at the last time, and why.
    wrong: BTreeMap<PathBuf, String>,
    /// Archives that were read up to a damage, and those that break off before they can be known.
    broken: usize,
    /// What was found is acted on at the next look.
    is_open: bool,
    /// Files that are not read because others begin the same, and how often they were found so.
    copies: BTreeMap<PathBuf, u32>,
}

impl Scan {
    /// `host` goes into ids.
    pub fn new(settings: Arc<InputSettings>, registry: Arc<Registry>, host: String) -> Result<Scan, String> {
        let globs = settings.paths.iter().map(|p| Glob::new(p, settings.is_recursive)).collect::<Result<_, _>>()?;
        Ok(Scan {
            settings,
            globs,
            registry,
            host,
            heads: BTreeMap::new(),
            closed: BTreeMap::new(),
            truncated: BTreeMap::new(),
            missing: BTreeMap::new(),
            doubtful: BTreeSet::new(),
            wrong: BTreeMap::new(),
            broken: 0,
            is_open: false,
            copies: BTreeMap::new(),
        })
    }

    /// Files and folders that are there and can't be read, or not to their ends.
    pub fn unreadable(&self) -> usize {
        self.wrong.len() + self.broken
    }

    /// Whether another look may find files to be read that are there already.
    pub fn must_look_again(&self) -> bool {
        self.is_open || !self.doubtful.is_empty()
    }

    /// Looks once. Entries of the targets are durable when this returns.
    ///
    /// `is_active` tells which entries are being read.
    pub fn look(&mut self, is_active: &dyn Fn(u64) -> bool) -> io::Result<Vec<Target>> {
        self.is_open = false;
        let found = self.files();
        self.broken = found.iter().filter(|file| file.head.is_unfinished).count();
        let owners = self.assign(&found);
        let copies = copies(&found, &owners);
        self.tell_of(&copies);
        let mut targets = Vec::new();
        for (file, owner) in found.iter().zip(&owners) {
            if let Some(entry) = owner
                && let Some(target) = self.target(file, *entry, &copies, is_active)
            {
                targets.push(target);
            }
        }
        let seen: BTreeSet<u64> = owners.into_iter().flatten().collect();
        self.forget(&seen, is_active);
        self.registry.flush()?;
        for target in &mut targets {
            if let Some(entry) = self.registry.find(target.entry.id) {
                target.entry = entry;
            }
        }
        Ok(targets)
    }

    /// A file that was being read is closed.
    pub fn closed(&mut self, file: &ClosedFile) {
        if let Some(left) = file.left {
            self.closed.insert(file.entry, left);
            if let (Reason::Truncated, Left::Plain { inode, .. }) = (file.reason, left) {
                self.truncated.insert(file.entry, inode);
            }
        }
    }

    fn files(&mut self) -> Vec<Found> {
        let mut paths = Vec::new();
        let mut wrong = BTreeMap::new();
        for glob in &self.globs {
            wrong.extend(glob.find(&mut paths).into_iter().map(|(path, why)| (path, why.to_string())));
        }
        let mut once = BTreeSet::new();
        paths.retain(|path| once.insert(path.clone()));
        let s = Arc::clone(&self.settings);
        paths.retain(|path| {
            let name = path.as_os_str().as_encoded_bytes();
            (s.include_files.is_empty() || s.include_files.iter().any(|p| p.is_match(name)))
                && !s.exclude_files.iter().any(|p| p.is_match(name))
        });
        let mut heads = BTreeMap::new();
        let mut found: Vec<Found> = Vec::new();
        let mut of_inode: BTreeMap<(u64, u64), usize> = BTreeMap::new();
        for path in paths {
            match self.file(&path) {
                Ok(Some(file)) => {
                    if let Some(needed) = self.is_short(&file) {
                        let why = format!("it is not read before it has {needed} bytes to be known by");
                        wrong.insert(path.clone(), why);
                    }
                    heads.insert(path, (file.stat, file.head.clone()));
                    let before = of_inode.get(&file.stat.inode).map(|at| &found[*at].head);
                    if before.is_none_or(|before| !before.is_of_same(&file.head)) {
                        of_inode.insert(file.stat.inode, found.len());
                        found.push(file);
                    }
                }
                Ok(None) => {}
                Err(e) => {
                    wrong.insert(path, e.to_string());
                }
            }
        }
        self.heads = heads;
        self.say(wrong);
        found
    }

    /// Tells what is wrong, once.
    fn say(&mut self, wrong: BTreeMap<PathBuf, String>) {
        for (path, why) in &wrong {
            if self.wrong.get(path) != Some(why) {
                let path = path.display().to_string();
                metrics::warning("can't look at a file or folder", &[("path", &path), ("reason", why)]);
            }
        }
        self.wrong = wrong;
    }

    fn file(&self, path: &Path) -> Result<Option<Found>, SourceError> {
        let Some(named) = unless_gone(std::fs::symlink_metadata(path))? else { return Ok(None) };
        if named.is_symlink() && !self.settings.follows_symlinks {
            return Ok(None);
        }
        let Some(metadata) = unless_gone(std::fs::metadata(path))?.filter(std::fs::Metadata::is_file) else {
            return Ok(None);
        };
        let stat = Stat::of(&metadata);
        let head = match self.heads.get(path) {
            Some((before, head)) if *before == stat => head.clone(),
            _ => {
                let Some((file, _)) = unless_gone(stat::open(path))? else { return Ok(None) };
                look(&file, stat.inode, self.settings.compressed, self.settings.identified_by)?
            }
        };
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Ok(Some(Found { path: path.to_owned(), stat, head, modified }))
    }

    /// How long a file must be that is not known by what it has.
    fn is_short(&self, file: &Found) -> Option<u64> {
        let IdentifiedBy::Fingerprint { offset, length, is_growing: false } = self.settings.identified_by else {
            return None;
        };
        let is_plain = file.head.compression == Compression::None;
        (file.head.identity.is_none() && is_plain && file.stat.size > 0).then_some(offset + length)
    }

    /// Tells of files that are not read because others begin the same, once, and not of copies whose
    /// original is truncated in a moment.
    fn tell_of(&mut self, copies: &[&Found]) {
        let mut seen = BTreeMap::new();
        for copy in copies {
            let times = 1 + self.copies.get(&copy.path).copied().unwrap_or(0);
            if times == COPY_LOOKS {
                metrics::warning(
                    "a file is not read: its first bytes are those of another, whose copy it seems to be",
                    &[("path", &copy.path.display().to_string())],
                );
            }
            seen.insert(copy.path.clone(), times);
        }
        self.copies = seen;
    }

    fn target(
        &mut self,
        file: &Found,
        entry: u64,
        copies: &[&Found],
        is_active: &dyn Fn(u64) -> bool,
    ) -> Option<Target> {
        if is_active(entry) {
            return None;
        }
        // Found behind that question: nobody moves it on any more.
        let known = self.registry.find(entry)?;
        let is_plain = file.head.compression == Compression::None;
        let is_truncated = self.truncated.remove(&entry) == Some(file.stat.inode);
        if is_plain && (file.stat.size < known.offset || is_truncated) {
            if known.inode == file.stat.inode {
                self.begin_anew(&known, file, copies, is_truncated);
            }
            // Found by its new entry the next time. On another inode it is a copy, perhaps one that is
            // being made: what it has was delivered, what it lacks is read when it comes.
            return None;
        }
        // What was added to an archive that had ended is read on.
        let has_grown = known.ended.is_some_and(|end| file.stat.size > end.bytes && !end.is_damaged);
        if !is_plain && known.is_complete && !has_grown || is_plain && file.stat.size == known.offset {
            match known.ended {
                Some(end) if end.is_damaged => self.broken += usize::from(!is_plain),
                _ => self.delete_when_due(file),
            }
            return None;
        }
        if self.closed.get(&entry).is_some_and(|left| left.is_like(&file.stat)) {
            return None;
        }
        Some(Target { entry: known, path: file.path.clone(), compression: file.head.compression })
    }

    /// A file that is shorter than what was delivered and begins the same was truncated and written
    /// anew with the same first bytes. What was not read of it is in its copy, where there is one.
    fn begin_anew(&mut self, known: &Entry, file: &Found, copies: &[&Found], is_truncated: bool) {
        self.is_open = true;
        // It may have been read to an end that lies behind the one that was seen.
        let size = std::fs::metadata(&file.path).map_or(file.stat.size, |now| Stat::of(&now).size);
        if size >= known.offset && !is_truncated {
            return;
        }
        metrics::info(
            "a file was truncated and is read from its beginning",
            &[
                ("path", &file.path.display().to_string()),
                ("offset", &known.offset.to_string()),
                ("size", &size.to_string()),
            ],
        );
        let id = self.fresh_id(&known.identity, file, true);
        let of_file = copies.iter().filter(|copy| copy.head == file.head && copy.stat.size >= known.offset);
        match of_file.max_by_key(|copy| copy.modified) {
            Some(copy) => self.registry.change(known.id, |entry| {
                entry.inode = copy.stat.inode;
                entry.source = copy.path.display().to_string();
            }),
            None => self.registry.remove(known.id),
        }
        let fresh = Entry { id, offset: 0, is_complete: false, ended: None, seen_secs: now_secs(), ..known.clone() };
        self.registry.put(fresh);
    }

    /// Deletes a file that is delivered, when that is asked for and it is old enough.
    fn delete_when_due(&mut self, file: &Found) {
        let Some(grace) = self.settings.delete_after else { return };
        if !is_older(file.modified, grace.max(Duration::from_nanos(1))) {
            return;
        }
        // Only what was delivered: nothing may have come since.
        let unchanged = std::fs::metadata(&file.path).is_ok_and(|now| Stat::of(&now) == file.stat);
        if unchanged {
            let result = std::fs::remove_file(&file.path);
            metrics::info(
                "deleted a file that is delivered",
                &[("path", &file.path.display().to_string()), ("result", &format!("{result:?}"))],
            );
        }
    }

    fn forget(&mut self, seen: &BTreeSet<u64>, is_active: &dyn Fn(u64) -> bool) {
        let entries = self.registry.of_input(&self.settings.id);
        let mut missing = BTreeMap::new();
        for entry in entries {
            if seen.contains(&entry.id) || is_active(entry.id) || entry.identity == Identity::Journal {
                continue;
            }
            // Nobody knows whether it is gone: what is forgotten would be sent again.
            if !self.wrong.is_empty() && Path::new(&entry.source).ancestors().any(|at| self.wrong.contains_key(at)) {
                continue;
            }
            let since = *self.missing.get(&entry.id).unwrap_or(&Instant::now());
            let inactive = self.settings.clean_inactive;
            let is_over = self.settings.cleans_removed && since.elapsed() >= REMOVED_KEPT
                || !inactive.is_zero() && since.elapsed() >= inactive;
            if is_over {
                self.registry.remove(entry.id);
                self.closed.remove(&entry.id);
                self.truncated.remove(&entry.id);
            } else {
                missing.insert(entry.id, since);
            }
        }
        self.missing = missing;
    }
}

/// Plain files that are known by the same first bytes as others, which have the entries.
fn copies<'a>(found: &'a [Found], owners: &[Option<u64>]) -> Vec<&'a Found> {
    let (own, free): (Vec<_>, Vec<_>) = found.iter().zip(owners).partition(|(_, owner)| owner.is_some());
    let whole = own.iter().filter_map(|(file, _)| match &file.head.identity {
        Some(Identity::Fingerprint(sha)) => Some(sha),
        _ => None,
    });
    let whole: BTreeSet<&[u8; 32]> = whole.collect();
    let is_copy = |file: &Found| match &file.head.identity {
        Some(Identity::Fingerprint(sha)) => file.head.compression == Compression::None && whole.contains(sha),
        _ => false,
    };
    free.into_iter().map(|(file, _)| file).filter(|file| is_copy(file)).collect()
}

fn unless_gone<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

fn is_older(modified: SystemTime, than: Duration) -> bool {
    !than.is_zero() && modified.elapsed().is_ok_and(|age| age >= than)
}

fn now_secs() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

#[cfg(test)]
mod case;

#[cfg(test)]
#[path = "copies_test.rs"]
mod copied;

#[cfg(test)]
#[path = "scan_test.rs"]
mod tests;
