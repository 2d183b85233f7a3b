//! How far each file was delivered: a log of checksummed records in the data folder.
//!
//! A torn tail is what a crash leaves and is cut off; the registry always opens. Records say what is
//! now, not what changed, so that the newest of a file is all that counts, and compaction writes only
//! those.

mod entry;
mod filebeat;
mod log;

pub use entry::{Entry, Identity};

use log::{Log, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Mutex;

/// All that is known of files.
pub struct Registry {
    inner: Mutex<Inner>,
}

struct Inner {
    log: Log,
    entries: BTreeMap<u64, Entry>,
    dirty: BTreeSet<u64>,
    removed: BTreeSet<u64>,
    /// Written, and not synced yet.
    is_unsynced: bool,
}

/// Entries are rewritten when the log is larger than this and mostly out of date.
const COMPACT_AT_BYTES: u64 = 8 << 20;

impl Registry {
    /// Opens, or makes, the registry of a data folder. The first time, a registry of Filebeat in
    /// `filebeat` is taken over.
    pub fn open(folder: &Path, filebeat: Option<&Path>) -> io::Result<Registry> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join("registry.log");
        let is_new = !path.exists();
        let (log, records) = Log::open(&path)?;
        let mut entries = BTreeMap::new();
        for record in records {
            match record {
                Record::Put(entry) => {
                    entries.insert(entry.id, entry);
                }
                Record::Remove(id) => {
                    entries.remove(&id);
                }
            }
        }
        let mut dirty = BTreeSet::new();
        if let (true, Some(from)) = (is_new, filebeat) {
            for entry in filebeat::import(from)? {
                dirty.insert(entry.id);
                entries.insert(entry.id, entry);
            }
        }
        let removed = BTreeSet::new();
        let registry = Registry { inner: Mutex::new(Inner { log, entries, dirty, removed, is_unsynced: false }) };
        registry.flush()?;
        Ok(registry)
    }

    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().expect("no thread panics while it holds the registry")
    }

    /// Every entry of an input.
    pub fn of_input(&self, input: &str) -> Vec<Entry> {
        self.inner().entries.values().filter(|e| e.input == input).cloned().collect()
    }

    /// One entry.
    pub fn find(&self, id: u64) -> Option<Entry> {
        self.inner().entries.get(&id).cloned()
    }

    /// Adds an entry or replaces what is known of it.
    pub fn put(&self, entry: Entry) {
        let mut inner = self.inner();
        inner.dirty.insert(entry.id);
        inner.removed.remove(&entry.id);
        inner.entries.insert(entry.id, entry);
    }

    /// Changes an entry, if it is there.
    pub fn change(&self, id: u64, change: impl FnOnce(&mut Entry)) {
        let mut inner = self.inner();
        if let Some(entry) = inner.entries.get_mut(&id) {
            change(entry);
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
        if self.dirty.is_empty() && self.removed.is_empty() {
            return Ok(());
        }
        let live: u64 = self.entries.len() as u64;
        if self.log.bytes() > COMPACT_AT_BYTES && self.log.records() > 4 * live {
            self.log.compact(self.entries.values())?;
        } else {
            let puts = self.dirty.iter().map(|id| &self.entries[id]);
            self.log.append(puts, self.removed.iter().copied())?;
            self.is_unsynced = true;
        }
        self.dirty.clear();
        self.removed.clear();
        Ok(())
    }
}

#[cfg(test)]
#[path = "registry_test.rs"]
mod tests;
