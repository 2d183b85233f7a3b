//! The threads on both sides of a queue on disk: one takes batches from inputs to the disk, one from
//! there to the senders.

use super::DiskQueue;
use super::reader::Reader;
use super::writer::Writer;
use crate::metrics::{self, count};
use crate::output::backoff::Backoff;
use crate::output::batch::{Batch, Spares};
use crate::queue::{Queue, Taken};
use crate::registry::Registry;
use crate::stop::Stop;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// A thread without work looks again after so long.
const WAIT: Duration = Duration::from_millis(500);

/// So many batches are synced together at most.
const GROUP_MAX: usize = 16;

/// What both threads have.
#[derive(Clone)]
pub struct Stages {
    /// The queue on disk.
    pub disk: Arc<DiskQueue>,
    /// From inputs.
    pub front: Arc<Queue<Batch>>,
    /// To senders.
    pub back: Arc<Queue<Batch>>,
    /// Memory of batches.
    pub spares: Arc<Spares>,
    /// Learns what is on disk.
    pub registry: Arc<Registry>,
    /// Both end, whatever waits.
    pub stop: Arc<Stop>,
}

impl Stages {
    /// Starts both; the one that writes ends when its queue is closed and empty.
    pub fn start(self) -> JoinHandle<()> {
        let reading = self.clone();
        std::thread::spawn(move || reading.read());
        std::thread::spawn(move || self.write())
    }

    fn read(&self) {
        let mut reader = Reader::new(Arc::clone(&self.disk));
        while !self.stop.is_set() && !self.disk.is_closed() {
            let Some(batch) = reader.next(WAIT, self.spares.take()) else { continue };
            let bytes = batch.bytes();
            if self.back.push(batch, bytes).is_err() {
                return; // it is on disk
            }
        }
    }

    fn write(&self) {
        let mut writer = Writer::new(Arc::clone(&self.disk));
        let (init, max) = self.disk.settings.retry;
        let mut backoff = Backoff::new(init, max);
        let mut is_full = false;
        while !self.stop.is_set() && !self.front.is_finished() {
            let Some(first) = self.front.pop(WAIT) else { continue };
            let mut group = vec![first];
            while group.len() < GROUP_MAX
                && let Some(more) = self.front.pop(Duration::ZERO)
            {
                group.push(more);
            }
            while !group.is_empty() {
                let batches: Vec<&Batch> = group.iter().map(|(batch, _)| batch).collect();
                match writer.append(&batches) {
                    Ok(0) => {
                        if !is_full {
                            metrics::warning("the queue on disk is full, inputs wait", &[("bytes", &self.full())]);
                        }
                        is_full = true;
                        self.disk.wait(WAIT);
                    }
                    Ok(written) => {
                        if is_full {
                            metrics::info("the queue on disk has room again", &[]);
                        }
                        is_full = false;
                        backoff.reset();
                        self.confirm(group.drain(..written));
                    }
                    Err(e) => {
                        count(&metrics::QUEUE_WRITE_FAILURES, 1);
                        super::tell_of(
                            "the queue on disk can't be written, trying again",
                            &self.disk.settings.folder,
                            &e,
                        );
                        self.stop.sleep(backoff.pause());
                    }
                }
                if self.stop.is_set() {
                    return;
                }
            }
        }
    }

    fn full(&self) -> String {
        format!("{} of {}", self.disk.bytes(), self.disk.settings.bytes_max)
    }

    /// What is on disk is delivered, as far as inputs are concerned.
    fn confirm(&self, written: impl Iterator<Item = (Batch, Taken)>) {
        for (mut batch, taken) in written {
            batch.delivered();
            // Written before there is room for more: a crash repeats no more than what the queue has.
            if let Err(e) = self.registry.write() {
                metrics::error("the registry can't be written, trying again", &[("reason", &e.to_string())]);
            }
            self.spares.give(batch);
            self.front.release(taken);
        }
    }
}
