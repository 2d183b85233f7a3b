//! Looks for the files of one input, and gives them to the readers.

use super::inputs::Context;
use crate::event::body::{Encoder, InputEvents};
use crate::input::harvester::{Harvester, Reason};
use crate::input::in_hand::InHand;
use crate::input::scan::{Scan, Target};
use crate::input::settings::InputSettings;
use crate::metrics;
use crate::stop::Stop;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Who ships only what is there looks again after so long.
const SOON: Duration = Duration::from_millis(200);

/// One input's.
pub(super) struct Scanner {
    pub(super) number: usize,
    pub(super) scan: Scan,
    pub(super) input: Arc<InputSettings>,
    pub(super) events: Arc<InputEvents>,
    pub(super) context: Arc<Context>,
    pub(super) stop: Arc<Stop>,
    /// Set, when only what is there is shipped, as soon as all of it was begun with.
    pub(super) is_settled: Arc<AtomicBool>,
    /// Files and folders that can't be read now, or not to their ends.
    pub(super) unreadable: Arc<AtomicUsize>,
    /// Entries that were read to their ends, of who reads them once.
    pub(super) read: BTreeSet<u64>,
    /// Of those, archives that break off.
    pub(super) unfinished: BTreeSet<u64>,
}

impl Scanner {
    pub(super) fn run(mut self) {
        let pool = Arc::clone(&self.context.pool);
        loop {
            let was_at_rest = self.context.is_once && pool.is_at_rest();
            for closed in pool.take_closed(self.number) {
                if self.context.is_once && closed.reason.is_end() {
                    self.read.insert(closed.entry);
                    if closed.reason == Reason::Unfinished {
                        self.unfinished.insert(closed.entry);
                    }
                }
                self.scan.closed(&closed);
            }
            let has_news = match self.scan.look(&|entry| pool.is_active(entry)) {
                Ok(targets) => self.begin(targets),
                Err(e) => {
                    metrics::error("the registry can't be written: nothing new is read", &[("reason", &e.to_string())]);
                    true
                }
            };
            self.unreadable.store(self.scan.unreadable() + self.unfinished.len(), Relaxed);
            if self.stop.sleep(self.pause(was_at_rest && !has_news)) {
                break;
            }
        }
        pool.remove(self.number);
    }

    /// Until the next look.
    fn pause(&self, is_calm: bool) -> Duration {
        let every = self.input.check_interval;
        if !self.context.is_once || self.is_settled.load(Relaxed) {
            return every;
        }
        self.is_settled.store(is_calm && !self.scan.must_look_again(), Relaxed);
        every.min(SOON)
    }

    /// Begins with as many as may be read at a time; whether there are any.
    fn begin(&self, mut targets: Vec<Target>) -> bool {
        targets.retain(|target| !self.read.contains(&target.entry.id));
        let has_some = !targets.is_empty();
        let limit = match self.input.harvester_limit {
            0 => usize::MAX,
            n => usize::try_from(n).unwrap_or(usize::MAX),
        };
        let pool = &self.context.pool;
        let room = limit.saturating_sub(pool.count(self.number));
        for target in targets.into_iter().take(room) {
            let (registry, points) = (Arc::clone(&self.context.registry), Arc::clone(&self.context.points));
            let in_hand = Arc::new(InHand::new(target.entry.id, registry, points));
            let id = format!("{:016x}", target.entry.id);
            let encoder = Encoder::new(Arc::clone(&self.events), Some(target.path.display().to_string()), id);
            let Target { entry, path, compression } = target;
            let input = Arc::clone(&self.input);
            let harvester =
                Harvester::new(path, compression, entry.identity, input, encoder, Arc::clone(&in_hand), entry.offset);
            pool.add(self.number, harvester, in_hand);
        }
        has_some
    }
}
