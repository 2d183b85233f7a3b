//! Threads that take batches to the output, and tell the registry what is delivered.

use super::batch::{Batch, Spares};
use super::elasticsearch::{Sender, Shared};
use super::letters::LetterFile;
use super::plain::{Lines, Rotated};
use super::settings::OutputSettings;
use crate::metrics;
use crate::queue::Queue;
use crate::registry::Registry;
use crate::stop::Stop;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// A sender without work looks again after so long.
const WAIT: Duration = Duration::from_millis(500);

/// Pauses between tries to write lines to a file or a terminal.
const WRITE_AGAIN: Duration = Duration::from_secs(1);

/// What senders share.
#[derive(Clone)]
pub struct Outlet {
    /// Where batches come from.
    pub queue: Arc<Queue<Batch>>,
    /// Where their memory goes.
    pub spares: Arc<Spares>,
    /// Learns what is delivered.
    pub registry: Arc<Registry>,
    /// Senders end, whatever waits.
    pub stop: Arc<Stop>,
}

impl Outlet {
    /// Starts the senders of an output.
    ///
    /// # Errors
    /// Says what is wrong with its settings.
    pub fn start(&self, output: &OutputSettings) -> Result<Vec<JoinHandle<()>>, String> {
        let mut threads = Vec::new();
        match output {
            OutputSettings::Elasticsearch(es) => {
                es.letter_file.as_ref().map_or(Ok(()), LetterFile::check)?;
                let shared = Shared::new(es);
                for _ in 0..es.workers * es.hosts.len() {
                    let mut sender = Sender::new(Arc::clone(es), &shared)?;
                    let (outlet, stop) = (self.clone(), Arc::clone(&self.stop));
                    threads.push(std::thread::spawn(move || outlet.send(|batch| sender.deliver(batch, &stop).is_ok())));
                }
            }
            OutputSettings::File { path, bytes_max, files_max } => {
                threads.push(self.write(Lines::File(Rotated::new(path.clone(), *bytes_max, *files_max))));
            }
            OutputSettings::Console => threads.push(self.write(Lines::Console)),
        }
        Ok(threads)
    }

    fn write(&self, mut lines: Lines) -> JoinHandle<()> {
        let (outlet, stop) = (self.clone(), Arc::clone(&self.stop));
        std::thread::spawn(move || {
            outlet.send(|batch| {
                while let Err(e) = lines.write(batch) {
                    metrics::error("events can't be written, trying again", &[("reason", &e.to_string())]);
                    if stop.sleep(WRITE_AGAIN) {
                        return false;
                    }
                }
                metrics::count(&metrics::EVENTS_ACKED, batch.ends.len() as u64);
                true
            });
        })
    }

    /// Takes batches to the output until the queue is closed and empty, or there is no time left.
    fn send(&self, mut deliver: impl FnMut(&Batch) -> bool) {
        while !self.stop.is_set() && !self.queue.is_finished() {
            let Some((mut batch, taken)) = self.queue.pop(WAIT) else { continue };
            if !deliver(&batch) {
                return;
            }
            batch.delivered();
            // Written before there is room for more: a crash repeats no more than what the queue has.
            if let Err(e) = self.registry.write() {
                metrics::error("the registry can't be written, trying again", &[("reason", &e.to_string())]);
            }
            self.spares.give(batch);
            self.queue.release(taken);
        }
    }
}
