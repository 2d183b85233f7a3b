//! The registry's file: records of `length (4) | CRC-32C (4) | JSON`, little endian, appended
//! together. What is damaged is stepped over to the next whole record, and so is a whole record that a
//! newer version wrote: whoever adds a kind of record makes it one without which lines are sent again,
//! not lost.

use super::entry::Entry;
use crate::metrics;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Before the JSON.
const HEAD_BYTES: usize = 8;

/// No record is longer; a longer length is damage. The beginning of a file that is known by it may have
/// 10 MiB, and has twice as many digits.
const RECORD_BYTES_MAX: usize = 32 << 20;

const PUT: &[u8] = b"{\"put\":";
const REMOVE: &[u8] = b"{\"remove\":";

pub(super) enum Record {
    Put(Entry),
    Remove(u64),
}

pub(super) struct Log {
    path: PathBuf,
    file: Arc<File>,
    bytes: u64,
    records: u64,
    /// A write failed, and there may be more than `bytes`.
    is_ragged: bool,
}

/// A log as it was found.
pub(super) struct Opened {
    pub(super) log: Log,
    pub(super) records: Vec<Record>,
    /// There is something in it that is no record, or none of this version: it should be written anew.
    pub(super) is_impure: bool,
}

impl Log {
    /// Opens and reads; what follows the last whole record is kept aside and cut off.
    pub(super) fn open(path: &Path) -> io::Result<Opened> {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("[{}]: {e}", path.display()));
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(named)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(named)?;
        let found = Found::of(&bytes);
        if found.newer > 0 {
            keep_aside(&path.with_extension("newer"), &bytes);
            metrics::error(
                "the registry has records of a newer version: what only they know is sent again",
                &[("path", &path.display().to_string()), ("records", &found.newer.to_string())],
            );
        }
        if found.damaged > 0 {
            keep_aside(&path.with_extension("damaged"), &bytes);
            metrics::error(
                "the registry is damaged: files whose records are gone are sent again, from where older ones say",
                &[("path", &path.display().to_string()), ("bytes", &found.damaged.to_string())],
            );
        }
        if found.sound < bytes.len() {
            // A crash tears a record; more than that is worth a look by a person.
            keep_aside(&path.with_extension("torn"), &bytes[found.sound..]);
            metrics::warning(
                "the end of the registry is torn and cut off",
                &[("path", &path.display().to_string()), ("bytes", &(bytes.len() - found.sound).to_string())],
            );
            file.set_len(found.sound as u64)?;
            file.sync_all()?;
        }
        let log = Log {
            path: path.to_owned(),
            file: Arc::new(file),
            bytes: found.sound as u64,
            records: found.records.len() as u64,
            is_ragged: false,
        };
        Ok(Opened { log, records: found.records, is_impure: found.damaged > 0 || found.newer > 0 })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// The file, to sync it while others append.
    pub(super) fn file(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }

    /// Whether somebody has deleted it, moved it away, put another in its place or cut it: nobody would
    /// read what is appended, or not what was before it.
    pub(super) fn is_lost(&self) -> io::Result<bool> {
        let own = self.file.metadata()?;
        Ok(match std::fs::metadata(&self.path) {
            Ok(named) => (named.dev(), named.ino()) != (own.dev(), own.ino()) || own.len() < self.bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => true,
            Err(_) => own.nlink() == 0, // who can't look there can't write there, either
        })
    }

    /// Appends, which a crash of the process leaves whole; a crash of the machine does when the file
    /// was synced. After a failure the file is as long as before, for the next try.
    pub(super) fn append<'a>(
        &mut self,
        puts: impl Iterator<Item = &'a Entry>,
        removed: impl Iterator<Item = u64>,
    ) -> io::Result<()> {
        let mut out = Vec::new();
        let mut count = 0;
        for json in puts.map(put).chain(removed.map(|id| json!({"remove": id}))) {
            record(&mut out, &json);
            count += 1;
        }
        if self.is_ragged {
            // What is left behind a shorter write would be taken for what came after it.
            self.file.set_len(self.bytes)?;
        }
        self.is_ragged = true;
        if let Err(e) = self.file.write_all_at(&out, self.bytes) {
            self.is_ragged = self.file.set_len(self.bytes).is_err();
            return Err(e);
        }
        self.is_ragged = false;
        self.bytes += out.len() as u64;
        self.records += count;
        Ok(())
    }

    /// Writes a new file of these entries alone and puts it in the place of the old one.
    pub(super) fn compact<'a>(&mut self, entries: impl Iterator<Item = &'a Entry>) -> io::Result<()> {
        let mut out = Vec::new();
        let mut count = 0;
        for entry in entries {
            record(&mut out, &put(entry));
            count += 1;
        }
        let fresh = self.path.with_extension("new");
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&fresh)?;
        let written =
            file.write_all(&out).and_then(|()| file.sync_all()).and_then(|()| std::fs::rename(&fresh, &self.path));
        if let Err(e) = written {
            let _ = std::fs::remove_file(&fresh); // a full disk needs the room
            return Err(e);
        }
        // Whatever comes now, this is the file: what is appended to the old one, nobody would read.
        self.file = Arc::new(file);
        self.bytes = out.len() as u64;
        self.records = count;
        self.is_ragged = false;
        if let Some(folder) = self.path.parent() {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }
}

/// A disk that has no room for it keeps nobody from starting.
fn keep_aside(path: &Path, bytes: &[u8]) {
    if let Err(e) = std::fs::write(path, bytes) {
        let path = path.display().to_string();
        metrics::warning("a damaged part can't be kept aside", &[("path", &path), ("reason", &e.to_string())]);
    }
}

fn put(entry: &Entry) -> Value {
    json!({"put": entry.to_json()})
}

fn record(out: &mut Vec<u8>, json: &Value) {
    let body = json.to_string();
    let length = u32::try_from(body.len()).expect("an entry is small");
    out.extend(length.to_le_bytes());
    out.extend(crc32c::crc32c(body.as_bytes()).to_le_bytes());
    out.extend(body.as_bytes());
}

/// What a file has.
struct Found {
    records: Vec<Record>,
    /// Where the last whole record ends.
    sound: usize,
    /// Bytes before that which are of no record.
    damaged: usize,
    /// Whole records that say what nobody here knows.
    newer: usize,
}

impl Found {
    fn of(bytes: &[u8]) -> Found {
        let mut found = Found { records: Vec::new(), sound: 0, damaged: 0, newer: 0 };
        let mut at = 0;
        while at < bytes.len() {
            if let Some((json, length)) = whole(&bytes[at..]) {
                match meaning(&json) {
                    Some(record) => found.records.push(record),
                    None => found.newer += 1,
                }
                found.damaged += at - found.sound;
                at += length;
                found.sound = at;
            } else if let Some(next) = next_beginning(bytes, at + 1) {
                at = next;
            } else {
                break;
            }
        }
        found
    }
}

/// The record that these bytes begin with, when it is as it was written, and its length.
fn whole(bytes: &[u8]) -> Option<(Value, usize)> {
    let length = u32::from_le_bytes(bytes.get(0..4)?.try_into().ok()?) as usize;
    let checksum = u32::from_le_bytes(bytes.get(4..HEAD_BYTES)?.try_into().ok()?);
    if length > RECORD_BYTES_MAX {
        return None;
    }
    let body = bytes.get(HEAD_BYTES..HEAD_BYTES + length)?;
    if crc32c::crc32c(body) != checksum {
        return None;
    }
    Some((serde_json::from_slice(body).ok()?, HEAD_BYTES + length))
}

/// Where a record may begin: before the first bytes of its JSON, which no text in one has.
fn next_beginning(bytes: &[u8], from: usize) -> Option<usize> {
    let bodies = bytes.get(from + HEAD_BYTES..)?;
    let is_beginning = |at: &usize| bodies[*at..].starts_with(PUT) || bodies[*at..].starts_with(REMOVE);
    memchr::memchr_iter(b'{', bodies).find(is_beginning).map(|at| from + at)
}

fn meaning(json: &Value) -> Option<Record> {
    match json.get("put") {
        Some(entry) => Entry::from_json(entry).map(Record::Put),
        None => Some(Record::Remove(json.get("remove")?.as_u64()?)),
    }
}
