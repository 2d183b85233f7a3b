//! How far each file was delivered: a log of checksummed records in the data folder.
//!
//! A torn tail is what a crash leaves and is cut off, what is damaged before it, or of a newer version,
//! is stepped over: the registry always opens. Records say what is now, not what changed,
//! so that the newest of a file is all that counts, and compaction writes only those.

mod entry;
mod filebeat;
mod log;

pub use entry::{Ended, Entry, Identity, Number};
pub use filebeat::Import;

use crate::metrics;
use log::{Log, Opened, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// All that is known of files.
pub struct Registry {
    inner: Mutex<Inner>,
}

struct Inner {
    log: Log,
    /// It is written anew when it is larger than this and mostly out of date.
    compact_at: u64,
    /// Shared with whoever looks at all of an input's.
    entries: BTreeMap<u64, Arc<Entry>>,
    dirty: BTreeSet<u64>,
    removed: BTreeSet<u64>,
    /// Written, and not synced yet.
    is_unsynced: bool,
}

/// A log is never written anew before it is so large.
const COMPACT_AT_BYTES: u64 = 8 << 20;

impl Registry {
    /// Opens, or makes, the registry of a data folder. The first time, a registry of Filebeat is taken
    /// over.
    pub fn open(folder: &Path, filebeat: Option<Import<'_>>) -> io::Result<Registry> {
        let path = folder.join("registry.log");
        if folder.is_dir() && !path.exists() {
            metrics::warning(
                "the registry has gone: all files are read from their beginnings",
                &[("path", &path.display().to_string())],
            );
        }
        if filebeat.is_none() && std::fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() == 0) {
            // As of a shipper that has read nothing yet, or what a full disk or a hasty hand leaves: nobody can tell.
            metrics::warning(
                "the registry is empty: all files are read from their beginnings",
                &[("path", &path.display().to_string())],
            );
        }
        std::fs::create_dir_all(folder)?;
        let Opened { log, records, is_impure } = Log::open(&path)?;
        let is_new = records.is_empty();
        let mut entries = BTreeMap::new();
        for record in records {
            match record {
                Record::Put(entry) => {
                    entries.insert(entry.id, Arc::new(entry));
                }
                Record::Remove(id) => {
                    entries.remove(&id);
                }
            }
        }
        let (dirty, removed) = (BTreeSet::new(), BTreeSet::new());
        let mut inner = Inner { log, compact_at: COMPACT_AT_BYTES, entries, dirty, removed, is_unsynced: false };
        match filebeat {
            // Also after a start that failed here and left an empty log. All of it is there then, or nothing.
            Some(from) if is_new => {
                inner.entries = filebeat::import(from)?.into_iter().map(|e| (e.id, Arc::new(e))).collect();
                inner.log.compact(inner.entries.values().map(AsRef::as_ref))?;
            }
            _ if is_impure => {
                inner.compact(); // what can't be done now is done at the next start
            }
            _ => {}
        }
        Ok(Registry { inner: Mutex::new(inner) })
    }

    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().expect("no thread panics while it holds the registry")
    }

    /// Every entry of an input, as it is now.
    pub fn of_input(&self, input: &str) -> Vec<Arc<Entry>> {
        self.inner().entries.values().filter(|e| e.input == input).cloned().collect()
    }

    /// Numbers of all entries.
    pub fn ids(&self) -> Vec<u64> {
        self.inner().entries.keys().copied().collect()
    }

    /// One entry.
    pub fn find(&self, id: u64) -> Option<Entry> {
        self.inner().entries.get(&id).map(|entry| (**entry).clone())
    }

    /// Adds an entry or replaces what is known of it.
    pub fn put(&self, entry: Entry) {
        let mut inner = self.inner();
        inner.dirty.insert(entry.id);
        inner.removed.remove(&entry.id);
        inner.entries.insert(entry.id, Arc::new(entry));
    }

    /// Changes an entry, if it is there.
    pub fn change(&self, id: u64, change: impl FnOnce(&mut Entry)) {
        let mut inner = self.inner();
        if let Some(entry) = inner.entries.get_mut(&id) {
            change(Arc::make_mut(entry));
            inner.dirty.insert(id);
        }
    }

    /// Forgets an entry.
    pub fn remove(&self, id: u64) {
        let mut inner = self.inner();
        if inner.entries.remove(&id).is_some() {
            inner.dirty.remove(&id);
            inner.removed.insert(id);
        }
    }

    /// Writes all changes, so that the end of this process does not forget them. What could not be
    /// written stays to be written.
    pub fn write(&self) -> io::Result<()> {
        self.inner().write()
    }

    /// Writes all changes and syncs them, so that the end of the machine does not forget them.
    pub fn flush(&self) -> io::Result<()> {
        let mut inner = self.inner();
        inner.write()?;
        if !inner.is_unsynced {
            return Ok(());
        }
        let file = inner.log.file();
        inner.is_unsynced = false;
        drop(inner); // acknowledgements go on while the disk takes its time
        file.sync_data().inspect_err(|_| self.inner().is_unsynced = true)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.inner().entries.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Inner {
    fn write(&mut self) -> io::Result<()> {
        if self.log.is_lost()? {
            self.log.compact(self.entries.values().map(AsRef::as_ref))?;
            metrics::error("the registry was deleted or cut under the shipper and is written anew", &[]);
        }
        if self.dirty.is_empty() && self.removed.is_empty() {
            return Ok(());
        }
        let live: u64 = self.entries.len() as u64;
        let is_due = self.log.bytes() > self.compact_at && self.log.records() > 4 * live;
        if !(is_due && self.compact()) {
            let puts = self.dirty.iter().map(|id| &*self.entries[id]);
            self.log.append(puts, self.removed.iter().copied())?;
            self.is_unsynced = true;
        }
        self.dirty.clear();
        self.removed.clear();
        Ok(())
    }

    /// Writes the log anew; whether that was done. A disk that has no room for two of them may still have
    /// some for more of one, so then it goes on growing as much again.
    fn compact(&mut self) -> bool {
        match self.log.compact(self.entries.values().map(AsRef::as_ref)) {
            Ok(()) => {
                self.compact_at = COMPACT_AT_BYTES;
                true
            }
            Err(e) => {
                self.compact_at = self.log.bytes() + COMPACT_AT_BYTES;
                let reason = e.to_string();
                metrics::warning("the registry can't be written anew and goes on growing", &[("reason", &reason)]);
                false
            }
        }
    }
}

#[cfg(test)]
#[path = "registry_test.rs"]
mod tests;
