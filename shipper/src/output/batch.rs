//! Events that are sent together, and what is delivered when they are.

use crate::ack::{Delivery, Ticket};
use crate::queue::Queue;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Events, as bytes of a request.
#[derive(Default)]
pub struct Batch {
    /// Documents, each with its action line when the output wants those.
    pub body: Vec<u8>,
    /// Where each event ends in the body.
    pub ends: Vec<u32>,
    /// Its events have ids whatever the output's settings say now: they waited on disk.
    pub has_ids: bool,
    marks: Vec<(Arc<dyn Delivery>, Ticket)>,
}

impl Batch {
    /// Bytes of one event.
    pub fn event(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.body[start..self.ends[at] as usize]
    }

    /// When it is delivered, so is a part of a file, of a journal or of a queue on disk.
    pub fn mark(&mut self, of: Arc<dyn Delivery>, ticket: Ticket) {
        self.marks.push((of, ticket));
    }

    /// Memory that it takes.
    pub fn bytes(&self) -> usize {
        self.body.capacity() + 4 * self.ends.capacity()
    }

    /// The output has every event that it ever will: the files' registry entries move on.
    pub fn delivered(&mut self) {
        for (file, ticket) in self.marks.drain(..) {
            file.delivered(ticket);
        }
    }
}

/// The output takes nothing any more: the shipper stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

/// Limits of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Events.
    pub events: usize,
    /// Bytes before compression. One event may be larger.
    pub bytes: usize,
    /// A batch that is not full leaves after so long.
    pub age: Duration,
}

/// So many bodies wait to be filled again.
const SPARE_MAX: usize = 4;

/// Bodies that were sent: their memory is used again instead of being asked for anew.
#[derive(Default)]
pub struct Spares {
    bodies: Mutex<Vec<Vec<u8>>>,
}

impl Spares {
    /// Memory for a body.
    pub fn take(&self) -> Vec<u8> {
        self.bodies.lock().expect("spares can't be broken").pop().unwrap_or_default()
    }

    /// A batch was sent. A body much larger than others is let go.
    pub fn give(&self, batch: Batch) {
        let mut body = batch.body;
        let mut bodies = self.bodies.lock().expect("spares can't be broken");
        if bodies.len() < SPARE_MAX && body.capacity() <= 4 << 20 {
            body.clear();
            bodies.push(body);
        }
    }
}

/// One thread's batch that is being filled.
pub struct Filler {
    batch: Batch,
    begun: Option<Instant>,
    limits: Limits,
    queue: Arc<Queue<Batch>>,
    spares: Arc<Spares>,
}

impl Filler {
    /// Fills batches for a queue.
    pub fn new(limits: Limits, queue: Arc<Queue<Batch>>, spares: Arc<Spares>) -> Filler {
        Filler { batch: Batch::default(), begun: None, limits, queue, spares }
    }

    /// Where the next event's bytes go.
    pub fn body(&mut self) -> &mut Vec<u8> {
        &mut self.batch.body
    }

    /// The bytes appended since the last call are an event.
    pub fn event_ends(&mut self) {
        let end = u32::try_from(self.batch.body.len()).expect("a batch is far below 4 GiB");
        self.batch.ends.push(end);
        self.begun.get_or_insert_with(Instant::now);
    }

    /// When this batch is delivered, so is a part of a file, or of a journal.
    pub fn mark(&mut self, of: Arc<dyn Delivery>, ticket: Ticket) {
        self.batch.mark(of, ticket);
        self.begun.get_or_insert_with(Instant::now);
    }

    /// Whether it should leave before more comes.
    pub fn is_full(&self) -> bool {
        self.batch.ends.len() >= self.limits.events || self.batch.body.len() >= self.limits.bytes
    }

    /// How long it may still wait; `None` when it is empty.
    pub fn due_in(&self) -> Option<Duration> {
        self.begun.map(|begun| self.limits.age.saturating_sub(begun.elapsed()))
    }

    /// Hands the batch over, waiting for room.
    pub fn seal(&mut self) -> Result<(), Closed> {
        self.begun = None;
        let mut batch = std::mem::take(&mut self.batch);
        if batch.ends.is_empty() {
            batch.delivered(); // nothing to send, but lines that were dropped are done with
            return Ok(());
        }
        self.batch.body = self.spares.take();
        let bytes = batch.bytes();
        self.queue.push(batch, bytes).map_err(|_| Closed)
    }
}
