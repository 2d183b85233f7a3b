//! Finds an input's files, and which of them are the same as before under another name.
//!
//! A file is what its first bytes say, decompressed. Files too short for a fingerprint are told apart
//! by all that they have: an entry belongs to the file that begins with what the entry has seen, on
//! its own inode first, then wherever no other entry fits better.

use super::glob::Glob;
use super::head::{Head, look};
use super::settings::InputSettings;
use super::source::{Compression, SourceError};
use crate::metrics;
use crate::registry::{Entry, Identity, Registry};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// An entry whose file is gone is kept for so long: while a file is rotated and compressed there are
/// moments in which it has no name.
const REMOVED_KEPT: Duration = Duration::from_hours(1);

/// What tells that a file has not changed since it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    inode: (u64, u64),
    size: u64,
    changed: (i64, i64, i64, i64),
}

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
    closed: BTreeMap<u64, Stat>,
    /// Entries whose file is gone, and since when.
    missing: BTreeMap<u64, Instant>,
    /// Short files like one that is there already: perhaps a copy whose original is truncated in a
    /// moment.
    doubtful: BTreeSet<(u64, u64)>,
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
            missing: BTreeMap::new(),
            doubtful: BTreeSet::new(),
        })
    }

    /// Looks once. Entries of the targets are durable when this returns.
    ///
    /// `is_active` tells which entries are being read.
    pub fn look(&mut self, is_active: &dyn Fn(u64) -> bool) -> std::io::Result<Vec<Target>> {
        let found = self.files();
        let owners = self.assign(&found);
        let mut targets = Vec::new();
        for (file, owner) in found.iter().zip(&owners) {
            if let Some(entry) = owner
                && let Some(target) = self.target(file, *entry, is_active)
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
    pub fn closed(&mut self, entry: u64, path: &Path) {
        if let Ok(metadata) = std::fs::metadata(path) {
            self.closed.insert(entry, stat(&metadata));
        }
    }

    fn files(&mut self) -> Vec<Found> {
        let mut paths = Vec::new();
        for glob in &self.globs {
            glob.find(&mut paths);
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
        let mut found = Vec::new();
        for path in paths {
            match self.file(&path) {
                Ok(Some(file)) => {
                    heads.insert(path, (file.stat, file.head.clone()));
                    found.push(file);
                }
                Ok(None) => {}
                Err(e) => metrics::warning(
                    "can't look at a file",
                    &[("path", &path.display().to_string()), ("reason", &e.to_string())],
                ),
            }
        }
        self.heads = heads;
        found
    }

    fn file(&self, path: &Path) -> Result<Option<Found>, SourceError> {
        let named = match std::fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e.into()),
        };
        if named.is_symlink() && !self.settings.follows_symlinks {
            return Ok(None);
        }
        let metadata = std::fs::metadata(path)?;
        if !metadata.is_file() {
            return Ok(None);
        }
        let stat = stat(&metadata);
        let head = match self.heads.get(path) {
            Some((before, head)) if *before == stat => head.clone(),
            _ => {
                let file = File::open(path)?;
                look(&file, stat.inode, self.settings.compressed, self.settings.identified_by)?
            }
        };
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Ok(Some(Found { path: path.to_owned(), stat, head, modified }))
    }

    /// The entry of each file; `None` where a file is too short, another name of one that has an
    /// entry already, or to be looked at again.
    fn assign(&mut self, found: &[Found]) -> Vec<Option<u64>> {
        let entries = self.registry.of_input(&self.settings.id);
        let mut owners = vec![None; found.len()];
        let mut taken = BTreeSet::new();
        let exact: BTreeMap<&Identity, u64> = entries.iter().map(|e| (&e.identity, e.id)).collect();
        let growing: Vec<(&Entry, &[u8])> = entries
            .iter()
            .filter_map(|e| match &e.identity {
                Identity::Growing(bytes) => Some((e, bytes.as_slice())),
                _ => None,
            })
            .collect();
        for own_inode in [true, false] {
            for (at, file) in found.iter().enumerate() {
                let Some(identity) = file.head.identity.as_ref().filter(|_| owners[at].is_none()) else { continue };
                let entry = match identity {
                    Identity::Growing(_) => None,
                    whole => exact.get(whole).copied(),
                }
                .or_else(|| Self::grown(file, &growing, &taken, own_inode));
                if let Some(entry) = entry.filter(|e| !taken.contains(e)) {
                    taken.insert(entry);
                    owners[at] = Some(entry);
                }
            }
        }
        let mut doubtful = BTreeSet::new();
        for (at, file) in found.iter().enumerate() {
            let Some(identity) = &file.head.identity else { continue };
            if let Some(entry) = owners[at] {
                self.seen(entry, identity, file);
            } else if !exact.contains_key(identity) || matches!(identity, Identity::Growing(_)) {
                owners[at] = self.fresh(file, identity, &entries, &taken, &mut doubtful);
                taken.extend(owners[at]);
            }
        }
        self.doubtful = doubtful;
        owners
    }

    /// The entry that had seen only a beginning of this file, the longest there is.
    fn grown(file: &Found, growing: &[(&Entry, &[u8])], taken: &BTreeSet<u64>, own_inode: bool) -> Option<u64> {
        let open = File::open(&file.path).ok();
        growing
            .iter()
            .filter(|(e, _)| !taken.contains(&e.id) && (!own_inode || e.inode == file.stat.inode))
            .filter(|(_, prefix)| match &file.head.identity {
                Some(Identity::Growing(bytes)) => bytes.starts_with(prefix),
                Some(Identity::Fingerprint(_)) => {
                    open.as_ref().is_some_and(|open| begins(open, file.head.compression, prefix))
                }
                Some(Identity::Inode(..)) | None => false,
            })
            .max_by_key(|(e, bytes)| (bytes.len(), e.id))
            .map(|(e, _)| e.id)
    }

    /// Notes where a file is, and what it has grown to.
    fn seen(&self, entry: u64, identity: &Identity, file: &Found) {
        let source = file.path.display().to_string();
        let Some(known) = self.registry.find(entry) else { return };
        if known.identity != *identity || known.source != source || known.inode != file.stat.inode {
            self.registry.change(entry, |e| {
                e.identity = identity.clone();
                e.source = source;
                e.inode = file.stat.inode;
                e.seen_secs = now_secs();
            });
        }
    }

    /// A file that no entry fits.
    fn fresh(
        &self,
        file: &Found,
        identity: &Identity,
        entries: &[Entry],
        taken: &BTreeSet<u64>,
        doubtful: &mut BTreeSet<(u64, u64)>,
    ) -> Option<u64> {
        if is_older(file.modified, self.settings.ignore_older) {
            return None;
        }
        if let Identity::Growing(bytes) = identity {
            let is_like =
                |e: &Entry| matches!(&e.identity, Identity::Growing(b) if b.starts_with(bytes) || bytes.starts_with(b));
            if entries.iter().any(|e| taken.contains(&e.id) && is_like(e)) {
                // An archive like a file that is there is its copy; a plain file may be one.
                if file.head.compression != Compression::None {
                    return None;
                }
                if !self.doubtful.contains(&file.stat.inode) {
                    doubtful.insert(file.stat.inode);
                    return None;
                }
            }
        }
        let id = self.fresh_id(identity, file);
        self.registry.put(Entry {
            id,
            input: self.settings.id.clone(),
            identity: identity.clone(),
            source: file.path.display().to_string(),
            inode: file.stat.inode,
            offset: 0,
            is_complete: false,
            seen_secs: now_secs(),
        });
        Some(id)
    }

    /// The same file has the same id, even when the registry was lost, as long as it is known by a
    /// fingerprint; ids of documents are made of it. Other files, and those that begin anew with the
    /// same bytes, have one that nobody has.
    fn fresh_id(&self, identity: &Identity, file: &Found) -> u64 {
        let mut hash = Sha256::new();
        hash.update(self.host.as_bytes());
        hash.update([0]);
        hash.update(self.settings.id.as_bytes());
        hash.update([0]);
        hash.update(identity.shown().as_bytes());
        if !matches!(identity, Identity::Fingerprint(_)) {
            hash.update(file.path.as_os_str().as_encoded_bytes());
            hash.update(format!("{:?}{:?}", file.stat, SystemTime::now()).as_bytes());
        }
        loop {
            let digest: [u8; 32] = hash.clone().finalize().into();
            let id = u64::from_le_bytes(digest[..8].try_into().expect("8 bytes"));
            if self.registry.find(id).is_none() {
                return id;
            }
            hash.update(format!("{:?}", SystemTime::now()).as_bytes());
        }
    }

    fn target(&mut self, file: &Found, entry: u64, is_active: &dyn Fn(u64) -> bool) -> Option<Target> {
        let known = self.registry.find(entry)?;
        if is_active(entry) {
            return None;
        }
        let is_plain = file.head.compression == Compression::None;
        if is_plain && file.stat.size < known.offset {
            self.begin_anew(&known, file);
            return None; // found by its new entry the next time
        }
        if known.is_complete && !is_plain || is_plain && file.stat.size == known.offset {
            self.delete_when_due(file);
            return None;
        }
        if self.closed.get(&entry) == Some(&file.stat) {
            return None;
        }
        Some(Target { entry: known, path: file.path.clone(), compression: file.head.compression })
    }

    /// A file that is shorter than what was delivered and begins the same was truncated and written
    /// anew with the same first bytes.
    fn begin_anew(&mut self, known: &Entry, file: &Found) {
        metrics::info(
            "a file was truncated and is read from its beginning",
            &[
                ("path", &file.path.display().to_string()),
                ("offset", &known.offset.to_string()),
                ("size", &file.stat.size.to_string()),
            ],
        );
        let identity = known.identity.clone();
        let id = self.fresh_id(&identity, file);
        self.registry.remove(known.id);
        self.registry.put(Entry { id, offset: 0, is_complete: false, seen_secs: now_secs(), ..known.clone() });
    }

    /// Deletes a file that is delivered, when that is asked for and it is old enough.
    fn delete_when_due(&mut self, file: &Found) {
        let Some(grace) = self.settings.delete_after else { return };
        if !is_older(file.modified, grace.max(Duration::from_nanos(1))) {
            return;
        }
        // Only what was delivered: nothing may have come since.
        let unchanged = std::fs::metadata(&file.path).is_ok_and(|now| stat(&now) == file.stat);
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
            if seen.contains(&entry.id) || is_active(entry.id) {
                continue;
            }
            let since = *self.missing.get(&entry.id).unwrap_or(&Instant::now());
            let inactive = self.settings.clean_inactive;
            let is_over = self.settings.cleans_removed && since.elapsed() >= REMOVED_KEPT
                || !inactive.is_zero() && since.elapsed() >= inactive;
            if is_over {
                self.registry.remove(entry.id);
                self.closed.remove(&entry.id);
            } else {
                missing.insert(entry.id, since);
            }
        }
        self.missing = missing;
    }
}

fn begins(file: &File, compression: Compression, prefix: &[u8]) -> bool {
    use super::source::{Got, Source};
    let Ok(clone) = file.try_clone() else { return false };
    let Ok(mut source) = Source::open(clone, compression, 0, None) else { return false };
    let mut bytes = vec![0u8; prefix.len()];
    let mut filled = 0;
    while filled < bytes.len() {
        match source.read(&mut bytes[filled..]) {
            Ok(Got::Bytes(n)) => filled += n,
            _ => return false,
        }
    }
    bytes == prefix
}

fn stat(metadata: &std::fs::Metadata) -> Stat {
    Stat {
        inode: (metadata.dev(), metadata.ino()),
        size: metadata.len(),
        changed: (metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()),
    }
}

fn is_older(modified: SystemTime, than: Duration) -> bool {
    !than.is_zero() && modified.elapsed().is_ok_and(|age| age >= than)
}

fn now_secs() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

#[cfg(test)]
#[path = "scan_test.rs"]
mod tests;
