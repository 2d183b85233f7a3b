//! Appends batches to the newest segment.

use super::frame::{self, HAS_ACTIONS, HAS_IDS};
use super::{DiskQueue, Place, Segment};
use crate::output::batch::Batch;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::sync::Arc;

struct Open {
    number: u64,
    file: File,
    length: u64,
    /// A write failed: there may be more than `length`.
    is_ragged: bool,
}

/// The only one who appends.
pub(super) struct Writer {
    disk: Arc<DiskQueue>,
    open: Option<Open>,
    next: u64,
    flags: u32,
}

impl Writer {
    pub(super) fn new(disk: Arc<DiskQueue>) -> Writer {
        let flags = if disk.has_actions { HAS_ACTIONS } else { 0 } | if disk.has_ids { HAS_IDS } else { 0 };
        let next = disk.first_new;
        Writer { disk, open: None, next, flags }
    }

    /// Appends as many batches as go into one segment, and syncs them; how many. None, when there is no
    /// room. After a failure none of them counts as written.
    pub(super) fn append(&mut self, batches: &[&Batch]) -> io::Result<usize> {
        let Some(first) = batches.first().map(|batch| frame::bytes(batch)) else { return Ok(0) };
        self.mend();
        let segment_bytes = self.disk.settings.segment_bytes;
        if self.open.as_ref().is_some_and(|open| open.length > 0 && open.length + first > segment_bytes) {
            self.close();
        }
        if !self.has_room(first) {
            self.close(); // so that it is deleted when all of it is acknowledged
            return Ok(0);
        }
        if self.open.is_none() {
            self.open = Some(self.create()?);
        }
        let (number, from) = self.open.as_ref().map_or((0, 0), |open| (open.number, open.length));
        let mut to = from;
        let mut count = 0;
        let flags = self.flags;
        for batch in batches {
            let bytes = frame::bytes(batch);
            if count > 0 && (to + bytes > segment_bytes || !self.has_room(to - from + bytes)) {
                break;
            }
            self.step(|file| frame::write(file, Place { segment: number, offset: to }, batch, flags))?;
            to += bytes;
            count += 1;
        }
        self.step(|file| file.sync_data().and_then(|()| has_name(file)))?;
        if let Some(open) = &mut self.open {
            open.length = to;
        }
        let events: usize = batches[..count].iter().map(|batch| batch.ends.len()).sum();
        let mut state = self.disk.lock();
        state.segments.insert(number, Segment { bytes: to, is_closed: false });
        state.events += events as u64;
        state.tell();
        self.disk.changed.notify_all();
        Ok(count)
    }

    /// Does something to the file; when it fails, what is behind its length has to go.
    fn step(&mut self, act: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        act(&open.file).inspect_err(|_| open.is_ragged = true)
    }

    /// Cuts off what a failed write left. Where that can't be done, a new segment is begun: nobody reads
    /// behind the length that is known.
    fn mend(&mut self) {
        let Some(open) = &mut self.open else { return };
        if open.is_ragged {
            match open.file.set_len(open.length).and_then(|()| has_name(&open.file)) {
                Ok(()) => open.is_ragged = false,
                Err(_) => self.close(),
            }
        }
    }

    fn create(&mut self) -> io::Result<Open> {
        let number = self.next;
        let path = self.disk.path(number);
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        File::open(&self.disk.settings.folder)?.sync_all()?;
        self.next += 1;
        self.disk.lock().segments.insert(number, Segment { bytes: 0, is_closed: false });
        Ok(Open { number, file, length: 0, is_ragged: false })
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            if let Some(segment) = self.disk.lock().segments.get_mut(&open.number) {
                segment.is_closed = true;
            }
            self.disk.changed.notify_all();
        }
    }

    /// Whether more bytes may be written; an empty queue has room for any one batch.
    fn has_room(&self, bytes: u64) -> bool {
        let there = self.disk.bytes();
        there == 0 || there + bytes <= self.disk.settings.bytes_max
    }
}

/// Whether somebody will find a segment: of one that was deleted nothing may be confirmed.
fn has_name(file: &File) -> io::Result<()> {
    if file.metadata()?.nlink() > 0 {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::NotFound, "the segment was deleted while it was written"))
}
