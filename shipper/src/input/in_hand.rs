//! What of a file was delivered: told by senders, kept in the registry.

use super::point::{Point, Points};
use crate::ack::{Delivered, Deliveries, Delivery, Ticket};
use crate::metrics;
use crate::output::batch::Filler;
use crate::registry::Registry;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// A file that is being read, for whoever learns what of it was delivered.
pub struct InHand {
    entry: u64,
    deliveries: Deliveries,
    points: Mutex<VecDeque<Point>>,
    registry: Arc<Registry>,
    kept_points: Arc<Points>,
}

impl InHand {
    /// A file with this entry.
    pub fn new(entry: u64, registry: Arc<Registry>, kept_points: Arc<Points>) -> InHand {
        InHand { entry, deliveries: Deliveries::default(), points: Mutex::default(), registry, kept_points }
    }

    /// Its number in the registry.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// A part of it is on its way in the batch that is being filled.
    pub fn begin(self: &Arc<Self>, filler: &mut Filler, to: Delivered) {
        let ticket = self.deliveries.begin(to);
        filler.mark(Arc::clone(self) as Arc<dyn Delivery>, ticket);
    }

    /// Places from which it could be read on, to be kept when what is before them is delivered.
    pub fn add_points(&self, points: Vec<Point>) {
        self.points.lock().expect("points can't be broken").extend(points);
    }

    /// The newest place that is kept.
    pub fn kept_point(&self) -> Option<Point> {
        self.kept_points.find(&self.entry.to_string())
    }

    /// Whether parts of it are on their way.
    pub fn is_pending(&self) -> bool {
        self.deliveries.is_pending()
    }
}

impl Delivery for InHand {
    fn delivered(&self, ticket: Ticket) {
        let Some(now) = self.deliveries.done(ticket) else { return };
        self.registry.change(self.entry, |entry| {
            entry.offset = now.offset;
            entry.is_complete = now.is_complete;
        });
        if now.is_complete {
            self.kept_points.forget(&self.entry.to_string());
            return;
        }
        let mut points = self.points.lock().expect("points can't be broken");
        let mut newest = None;
        while points.front().is_some_and(|p| p.output_offset() <= now.offset) {
            newest = points.pop_front();
        }
        if let Some(point) = newest
            && let Err(e) = self.kept_points.keep(&self.entry.to_string(), &point)
        {
            metrics::debug("a point could not be kept", &[("reason", &e.to_string())]);
        }
    }
}
