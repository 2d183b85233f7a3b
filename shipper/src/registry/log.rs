//! The registry's file: records of `length (4) | CRC-32C (4) | JSON`, little endian, appended
//! together. Reading ends at the first record that is not whole.

use super::entry::Entry;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No record is longer; a longer length is damage.
const RECORD_BYTES_MAX: usize = 1 << 20;

pub(super) enum Record {
    Put(Entry),
    Remove(u64),
}

pub(super) struct Log {
    path: PathBuf,
    file: Arc<File>,
    bytes: u64,
    records: u64,
}

impl Log {
    /// Opens and reads; what follows the last whole record is kept aside and cut off.
    pub(super) fn open(path: &Path) -> io::Result<(Log, Vec<Record>)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (records, sound) = records(&bytes);
        if sound < bytes.len() {
            // A crash tears a record; more than that is worth a look by a person.
            std::fs::write(path.with_extension("torn"), &bytes[sound..])?;
            file.set_len(sound as u64)?;
            file.sync_all()?;
        }
        file.seek(SeekFrom::Start(sound as u64))?;
        let log =
            Log { path: path.to_owned(), file: Arc::new(file), bytes: sound as u64, records: records.len() as u64 };
        Ok((log, records))
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
        let mut file = &*self.file;
        if let Err(e) = file.write_all(&out) {
            file.set_len(self.bytes)?;
            file.seek(SeekFrom::Start(self.bytes))?;
            return Err(e);
        }
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
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&fresh)?;
        file.write_all(&out)?;
        file.sync_all()?;
        std::fs::rename(&fresh, &self.path)?;
        if let Some(folder) = self.path.parent() {
            File::open(folder)?.sync_all()?;
        }
        self.file = Arc::new(file);
        self.bytes = out.len() as u64;
        self.records = count;
        Ok(())
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

/// The whole records, and where they end.
fn records(bytes: &[u8]) -> (Vec<Record>, usize) {
    let mut records = Vec::new();
    let mut at = 0;
    while let Some((record, length)) = next(&bytes[at..]) {
        records.push(record);
        at += length;
    }
    (records, at)
}

fn next(bytes: &[u8]) -> Option<(Record, usize)> {
    let length = u32::from_le_bytes(bytes.get(0..4)?.try_into().ok()?) as usize;
    let checksum = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?);
    if length > RECORD_BYTES_MAX {
        return None;
    }
    let body = bytes.get(8..8 + length)?;
    if crc32c::crc32c(body) != checksum {
        return None;
    }
    let json: Value = serde_json::from_slice(body).ok()?;
    let record = match json.get("put") {
        Some(entry) => Record::Put(Entry::from_json(entry)?),
        None => Record::Remove(json.get("remove")?.as_u64()?),
    };
    Some((record, 8 + length))
}
