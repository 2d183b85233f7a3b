//! A queue on disk between inputs and output: what is in it is safe, so inputs go on and are told so,
//! however long the output is away.
//!
//! Batches are appended to segments of checksummed frames, synced, and only then confirmed to inputs.
//! A segment is deleted when all of it is acknowledged. After a restart what was not acknowledged is
//! sent again, and nothing else. Its bytes have a limit: a full queue makes inputs wait.

mod folder;
mod frame;
mod position;
mod reader;
pub mod stages;
mod writer;

use crate::ack::{Deliveries, Delivery, Ticket};
use crate::metrics::{self, set};
use folder::Found;
use position::Position;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Limits of a queue on disk, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskSettings {
    /// A folder of its own.
    pub folder: PathBuf,
    /// Of all segments.
    pub bytes_max: u64,
    /// Of one segment. A single batch may be larger and has one for itself.
    pub segment_bytes: u64,
    /// The first pause after a write that failed, and the longest.
    pub retry: (Duration, Duration),
}

/// A place in a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    segment: u64,
    offset: u64,
}

/// A part that was read: where it ends, and how many events were read up to there.
#[derive(Clone, Copy)]
struct Part {
    to: Place,
    events: u64,
}

struct Segment {
    /// Synced, and so to be read.
    bytes: u64,
    /// Nothing is appended any more.
    is_closed: bool,
}

struct State {
    segments: BTreeMap<u64, Segment>,
    position: Position,
    acked: Place,
    /// Events that were there at the start, and those that came since.
    events: u64,
    events_acked: u64,
    is_position_synced: bool,
    is_closed: bool,
}

impl State {
    fn bytes(&self) -> u64 {
        self.segments.values().map(|segment| segment.bytes).sum()
    }

    fn tell(&self) {
        set(&metrics::QUEUE_BYTES, self.bytes());
        set(&metrics::QUEUE_EVENTS, self.events.saturating_sub(self.events_acked));
        set(&metrics::QUEUE_SEGMENTS, self.segments.len() as u64);
    }
}

/// What the writer, the reader and senders share.
pub struct DiskQueue {
    settings: DiskSettings,
    /// What a new segment is numbered first.
    first_new: u64,
    has_actions: bool,
    has_ids: bool,
    deliveries: Deliveries<Part>,
    state: Mutex<State>,
    changed: Condvar,
    _lock: File,
}

impl DiskQueue {
    /// Opens, or makes, a queue. `has_actions` and `has_ids` tell what events have that will come.
    ///
    /// # Errors
    /// Says what is wrong with the folder, or with what is in it.
    pub fn open(settings: DiskSettings, has_actions: bool, has_ids: bool) -> Result<DiskQueue, String> {
        let Found { lock, position, acked, segments, first_new, events } = folder::open(&settings.folder, has_actions)?;
        let segments =
            segments.into_iter().map(|(number, bytes)| (number, Segment { bytes, is_closed: true })).collect();
        let state =
            State { segments, position, acked, events, events_acked: 0, is_position_synced: false, is_closed: false };
        set(&metrics::QUEUE_BYTES_MAX, settings.bytes_max);
        state.tell();
        Ok(DiskQueue {
            settings,
            first_new,
            has_actions,
            has_ids,
            deliveries: Deliveries::default(),
            state: Mutex::new(state),
            changed: Condvar::new(),
            _lock: lock,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the queue")
    }

    fn path(&self, segment: u64) -> PathBuf {
        folder::path(&self.settings.folder, segment)
    }

    /// Whether all that was written is acknowledged.
    pub fn is_empty(&self) -> bool {
        let state = self.lock();
        let acked = |number: u64| if number == state.acked.segment { state.acked.offset } else { 0 };
        state.segments.range(state.acked.segment..).all(|(number, segment)| segment.bytes <= acked(*number))
    }

    /// Events that wait.
    pub fn events(&self) -> u64 {
        let state = self.lock();
        state.events.saturating_sub(state.events_acked)
    }

    /// Bytes of all segments.
    pub fn bytes(&self) -> u64 {
        self.lock().bytes()
    }

    /// Nothing is read out any more; it stays for the next start.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Waits until something changes, or as long.
    fn wait(&self, time: Duration) {
        let state = self.lock();
        drop(self.changed.wait_timeout(state, time).expect("no thread panics while it holds the queue"));
    }

    /// Syncs how far it was acknowledged, so that the end of the machine repeats little.
    pub fn sync(&self) -> io::Result<()> {
        let mut state = self.lock();
        if state.is_position_synced {
            return Ok(());
        }
        let file = state.position.file()?;
        state.is_position_synced = true;
        drop(state);
        file.sync_data().inspect_err(|_| self.lock().is_position_synced = false)
    }

    /// Deletes segments that are acknowledged as a whole. What can't be deleted is tried again when the
    /// next one can be.
    fn delete(&self) {
        let state = self.lock();
        let done: Vec<u64> = state.segments.range(..state.acked.segment).map(|(number, _)| *number).collect();
        drop(state);
        if done.is_empty() {
            return;
        }
        // Else the machine's end could leave a position that points at nothing.
        if let Err(e) = self.sync() {
            tell_of("the position of the queue on disk can't be synced, trying again", &self.settings.folder, &e);
            return;
        }
        for number in done {
            let path = self.path(number);
            match std::fs::remove_file(&path) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => {
                    tell_of("a segment of the queue on disk can't be deleted, trying again", &path, &e);
                }
                _ => {
                    let mut state = self.lock();
                    state.segments.remove(&number);
                    state.tell();
                }
            }
        }
        self.changed.notify_all();
    }
}

impl Delivery for DiskQueue {
    fn delivered(&self, ticket: Ticket) {
        let Some(part) = self.deliveries.done(ticket) else { return };
        let mut state = self.lock();
        if part.to <= state.acked {
            return; // another sender came first
        }
        state.acked = part.to;
        state.events_acked = part.events;
        state.is_position_synced = false;
        let noted = state.position.write(part.to);
        state.tell();
        drop(state);
        self.changed.notify_all();
        match noted {
            Ok(()) => self.delete(),
            // What is deleted before it is noted would be missed after a restart.
            Err(e) => {
                tell_of("the position of the queue on disk can't be written, trying again", &self.settings.folder, &e);
            }
        }
    }
}

/// Whether a queue that nobody uses has nothing that is not acknowledged.
///
/// # Errors
/// Says what keeps it from being looked at.
pub fn is_all_acked(folder: &Path) -> Result<bool, String> {
    folder::is_all_acked(folder)
}

fn tell_of(what: &str, path: &Path, why: &io::Error) {
    metrics::error(what, &[("path", &path.display().to_string()), ("reason", &why.to_string())]);
}

#[cfg(test)]
#[path = "disk_test.rs"]
mod tests;
