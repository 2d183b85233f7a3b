//! Takes batches out of segments, in their order.

use super::frame::{self, HAS_IDS, Header, Step};
use super::{DiskQueue, Part, Place};
use crate::ack::Delivery;
use crate::metrics::{self, count};
use crate::output::batch::Batch;
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A place that can't be read is tried so often, then it counts as damaged.
const TRIES_MAX: u32 = 5;

/// Between tries.
const TRY_AGAIN: Duration = Duration::from_millis(200);

/// The same of what the disk is not to blame for, after so many.
const TRY_LATER: Duration = Duration::from_secs(5);

/// The only one who reads.
pub(super) struct Reader {
    disk: Arc<DiskQueue>,
    at: Place,
    /// Events so far.
    events: u64,
    open: Option<(u64, File)>,
    failures: u32,
}

impl Reader {
    pub(super) fn new(disk: Arc<DiskQueue>) -> Reader {
        let at = disk.lock().acked;
        Reader { disk, at, events: 0, open: None, failures: 0 }
    }

    /// The next batch, whose delivery the queue learns of; `None` when the time is up or the queue is
    /// closed. `body` is memory to use again.
    pub(super) fn next(&mut self, wait: Duration, body: Vec<u8>) -> Option<Batch> {
        let until = Instant::now() + wait;
        let mut batch = Batch::default();
        batch.body = body;
        while let Some(end) = self.wait(until) {
            match self.step(end, &mut batch) {
                Ok(true) => return Some(batch),
                Ok(false) => self.failures = 0,
                Err(e) => {
                    self.failed(end, &e);
                    if Instant::now() >= until {
                        return None;
                    }
                }
            }
        }
        None
    }

    /// Waits until there is something at the place; where it ends.
    fn wait(&mut self, until: Instant) -> Option<u64> {
        loop {
            let state = self.disk.lock();
            if state.is_closed {
                return None;
            }
            let is_over = match state.segments.get(&self.at.segment) {
                Some(segment) if self.at.offset < segment.bytes => return Some(segment.bytes),
                Some(segment) => segment.is_closed,
                None => false,
            };
            let next = state.segments.range(self.at.segment + 1..).next().map(|(number, _)| *number);
            if is_over || next.is_some() {
                drop(state);
                self.open = None;
                self.at = Place { segment: next.unwrap_or(self.at.segment + 1), offset: 0 };
                self.passed();
                continue;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            drop(self.disk.changed.wait_timeout(state, left).expect("no thread panics while it holds the queue"));
        }
    }

    /// Reads a frame, or steps over damage; whether there is a batch.
    fn step(&mut self, end: u64, batch: &mut Batch) -> io::Result<bool> {
        let number = self.at.segment;
        let file = match &mut self.open {
            Some((of, file)) if *of == number => file,
            open => &mut open.insert((number, File::open(self.disk.path(number))?)).1,
        };
        match frame::look(file, self.at, end)? {
            Step::End => Ok(false),
            Step::Damaged { to } => {
                self.damaged(to, None, "no sound header");
                Ok(false)
            }
            Step::Frame(header) => {
                let is_sound = frame::read(file, self.at, header, batch)?;
                let to = self.at.offset + header.bytes();
                if is_sound {
                    self.taken(to, header, batch);
                } else {
                    self.damaged(to, Some(header), "a checksum is wrong");
                }
                Ok(is_sound)
            }
        }
    }

    fn taken(&mut self, to: u64, header: Header, batch: &mut Batch) {
        self.failures = 0;
        self.at.offset = to;
        self.events += u64::from(header.events);
        batch.has_ids = header.flags & HAS_IDS != 0;
        let ticket = self.disk.deliveries.begin(Part { to: self.at, events: self.events });
        batch.mark(Arc::clone(&self.disk) as Arc<dyn Delivery>, ticket);
    }

    /// What is up to here is done with as soon as all before is.
    fn passed(&self) {
        let ticket = self.disk.deliveries.begin(Part { to: self.at, events: self.events });
        self.disk.delivered(ticket);
    }

    fn damaged(&mut self, to: u64, header: Option<Header>, why: &str) {
        let events = header.map_or(0, |header| header.events);
        let shown = header.map_or_else(|| "unknown".to_owned(), |header| header.events.to_string());
        metrics::error(
            "a part of the queue on disk is damaged: what was in it is lost",
            &[
                ("path", &self.disk.path(self.at.segment).display().to_string()),
                ("offset", &self.at.offset.to_string()),
                ("bytes", &(to - self.at.offset).to_string()),
                ("events", &shown),
                ("reason", why),
            ],
        );
        count(&metrics::QUEUE_DAMAGED, 1);
        count(&metrics::QUEUE_EVENTS_LOST, events.into());
        self.events += u64::from(events);
        self.at.offset = to;
        self.passed();
    }

    /// A disk that fails for a moment loses nothing; one that goes on doing so would hold up everything
    /// behind. Of files that may not be opened now, because there are too many or by their mode, nothing
    /// is lost however long that lasts.
    fn failed(&mut self, end: u64, why: &io::Error) {
        self.failures = self.failures.saturating_add(1);
        self.open = None;
        let is_final = self.failures >= TRIES_MAX;
        if !is_final || !is_damage(why) {
            super::tell_of("the queue on disk can't be read, trying again", &self.disk.path(self.at.segment), why);
            self.disk.wait(if is_final { TRY_LATER } else { TRY_AGAIN });
            return;
        }
        self.failures = 0;
        self.damaged(end, None, &format!("it can't be read: {why}"));
    }
}

/// Whether nobody will read what was there: a file that is gone, or no file, or one that its disk can't
/// read.
fn is_damage(why: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, IsADirectory, NotFound, UnexpectedEof};
    const EIO: i32 = 5;
    matches!(why.kind(), NotFound | IsADirectory | UnexpectedEof | InvalidData) || why.raw_os_error() == Some(EIO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_read_later_is_no_damage() {
        for (code, expected) in [(2, true), (5, true), (21, true), (12, false), (13, false), (23, false), (24, false)] {
            assert_eq!(is_damage(&io::Error::from_raw_os_error(code)), expected, "errno {code}");
        }
    }
}
