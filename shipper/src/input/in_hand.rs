//! What of a file was delivered: told by senders, kept in the registry.

use super::point::{Point, Points};
use crate::ack::{Delivered, Deliveries, Delivery, Ticket};
use crate::metrics;
use crate::output::batch::Filler;
use crate::registry::{Ended, Registry};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock};

/// Each place has 32 KiB. In an archive of one endless line none of them is delivered.
const POINTS_MAX: usize = 16;

/// Places that wait until what is before them is delivered.
#[derive(Default)]
struct Waiting {
    points: VecDeque<Point>,
    /// So many decompressed bytes lie between two of them at least.
    distance: u64,
}

impl Waiting {
    /// Adds one; of too many, every other one is let go, and those that come are as far from each other.
    fn add(&mut self, point: Point) {
        let last = self.points.back().map_or(0, Point::output_offset);
        if !self.points.is_empty() && point.output_offset().saturating_sub(last) < self.distance {
            return;
        }
        self.points.push_back(point);
        if self.points.len() > POINTS_MAX {
            let mut is_kept = false;
            self.points.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            let first = self.points.front().map_or(0, Point::output_offset);
            let last = self.points.back().map_or(0, Point::output_offset);
            self.distance = (last - first) / (self.points.len() as u64 - 1);
        }
    }

    /// The newest one before which all is delivered.
    fn take(&mut self, delivered: u64) -> Option<Point> {
        let mut newest = None;
        while self.points.front().is_some_and(|point| point.output_offset() <= delivered) {
            newest = self.points.pop_front();
        }
        if self.points.is_empty() {
            self.distance = 0;
        }
        newest
    }
}

/// A file that is being read, for whoever learns what of it was delivered.
pub struct InHand {
    entry: u64,
    deliveries: Deliveries,
    points: Mutex<Waiting>,
    ended: OnceLock<Ended>,
    registry: Arc<Registry>,
    kept_points: Arc<Points>,
}

impl InHand {
    /// A file with this entry.
    pub fn new(entry: u64, registry: Arc<Registry>, kept_points: Arc<Points>) -> InHand {
        let (deliveries, points) = (Deliveries::default(), Mutex::default());
        InHand { entry, deliveries, points, ended: OnceLock::new(), registry, kept_points }
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

    /// It is read to its end, which the next part that begins tells.
    pub fn ends(&self, ended: Ended) {
        let _ = self.ended.set(ended); // it has one end
    }

    /// Places from which it could be read on, to be kept when what is before them is delivered.
    pub fn add_points(&self, points: Vec<Point>) {
        let mut waiting = self.points.lock().expect("points can't be broken");
        for point in points {
            waiting.add(point);
        }
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
        // Held until all is noted: of two senders the one that has less to tell may come later.
        let mut waiting = self.points.lock().expect("points can't be broken");
        let Some(now) = self.deliveries.done(ticket) else { return };
        self.registry.change(self.entry, |entry| {
            entry.offset = now.offset;
            entry.is_complete = now.is_complete;
            entry.ended = self.ended.get().copied().filter(|_| now.is_complete);
        });
        if now.is_complete {
            self.kept_points.forget(&self.entry.to_string());
            return;
        }
        if let Some(point) = waiting.take(now.offset)
            && let Err(e) = self.kept_points.keep(&self.entry.to_string(), &point)
        {
            metrics::debug("a point could not be kept", &[("reason", &e.to_string())]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Entry, Identity};

    #[test]
    fn places_that_wait_take_little_and_one_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let registry = Arc::new(Registry::open(&folder.path().join("registry"), None).unwrap());
        let kept = Arc::new(Points::open(folder.path().join("points")).unwrap());
        let in_hand = InHand::new(1, registry, kept);
        let point = |output_offset| Point {
            input_offset: 1,
            bits: 0,
            output_offset,
            member_bytes: 0,
            member_crc: 0,
            guard: 0,
            window: vec![1; 100],
        };
        for offset in 1..=1000 {
            in_hand.add_points(vec![point(offset)]);
            assert!(in_hand.points.lock().unwrap().points.len() <= POINTS_MAX);
        }
        let ticket = in_hand.deliveries.begin(Delivered { offset: 900, is_complete: false });
        in_hand.delivered(ticket);
        let offset = in_hand.kept_point().unwrap().output_offset();
        assert!((700..=900).contains(&offset), "{offset}");
    }

    #[test]
    fn what_one_sender_has_learned_is_noted_before_another_learns_of_more() {
        let folder = tempfile::tempdir().unwrap();
        let registry = Arc::new(Registry::open(&folder.path().join("registry"), None).unwrap());
        let kept = Arc::new(Points::open(folder.path().join("points")).unwrap());
        for id in [1, 2] {
            registry.put(Entry {
                id,
                input: String::new(),
                identity: Identity::Inode(0, id),
                source: String::new(),
                inode: (0, id),
                offset: 0,
                is_complete: false,
                ended: None,
                seen_secs: 0,
                cursor: None,
            });
        }
        let in_hand = InHand::new(1, Arc::clone(&registry), kept);
        let ticket = in_hand.deliveries.begin(Delivered { offset: 8, is_complete: true });
        let mut is_closed_to_others = false;
        std::thread::scope(|scope| {
            // While the registry is held here nobody can note anything.
            registry.change(2, |_| {
                scope.spawn(|| in_hand.delivered(ticket));
                while in_hand.deliveries.is_pending() {
                    std::thread::yield_now();
                }
                is_closed_to_others = in_hand.points.try_lock().is_err();
            });
        });
        assert!(is_closed_to_others);
        let entry = registry.find(1).unwrap();
        assert_eq!((entry.offset, entry.is_complete), (8, true));
    }
}
