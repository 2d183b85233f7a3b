//! Looks for the files of one input, and gives them to the readers.

use super::inputs::Context;
use crate::event::body::{Encoder, InputEvents};
use crate::input::harvester::Harvester;
use crate::input::in_hand::InHand;
use crate::input::scan::{Scan, Target};
use crate::input::settings::InputSettings;
use crate::metrics;
use crate::stop::Stop;
use std::sync::Arc;

/// One input's.
pub(super) struct Scanner {
    pub(super) number: usize,
    pub(super) scan: Scan,
    pub(super) input: Arc<InputSettings>,
    pub(super) events: Arc<InputEvents>,
    pub(super) context: Arc<Context>,
    pub(super) stop: Arc<Stop>,
}

impl Scanner {
    pub(super) fn run(mut self) {
        loop {
            for closed in self.context.pool.take_closed(self.number) {
                self.scan.closed(&closed);
            }
            let pool = Arc::clone(&self.context.pool);
            match self.scan.look(&|entry| pool.is_active(entry)) {
                Ok(targets) => self.begin(targets),
                Err(e) => {
                    metrics::error("the registry can't be written: nothing new is read", &[("reason", &e.to_string())]);
                }
            }
            if self.stop.sleep(self.input.check_interval) {
                break;
            }
        }
        self.context.pool.remove(self.number);
    }

    fn begin(&self, targets: Vec<Target>) {
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
    }
}
